"""A deck proves itself before it is called learnt: it is read back, and tables of it are rehearsed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.failure import Failure
from engine.names import FACE_DOWN, Face
from host.camera_setup.learning import rehearsal_in_words
from vision.cards.calibration import Weighed
from vision.enrolment.enrol import PHOTOS, assemble, examine
from vision.enrolment.live import Guide
from vision.enrolment.proof import draw_sheet, learn
from vision.enrolment.rehearsal import Confusion, Rehearsal, fit, rehearse
from vision.profile import DeckProfile, Likelihoods
from vision.types import Picture


def test_a_plain_deck_is_rehearsed_and_hardly_anything_is_asked(profile: DeckProfile) -> None:
    told: list[tuple[int, int]] = []
    rehearsal = rehearse(profile, lambda done, of: told.append((done, of)), tables=4)
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert rehearsal.wrong == 0 and rehearsal.right >= 3
    assert rehearsal.cards_right == rehearsal.cards > 30


def test_maneuvers_that_hardly_differ_in_colour_are_named_beforehand(profile: DeckProfile) -> None:
    """All three share one print; two of them also nearly share their hue."""
    face = profile.faces["A3"]
    tinted = np.clip(face * np.array([1.0, 1.0, 1.03]), 0, 255).astype(np.uint8)
    other = np.clip(face * np.array([1.03, 1.0, 1.0]), 0, 255).astype(np.uint8)
    alike = replace(profile, faces={**profile.faces, "L3": tinted, "S3": other})
    rehearsal = rehearse(alike, tables=4)
    asked = next(c for c in rehearsal.confusions if "A3" in c.faces)
    assert set(asked.faces) <= {"A3", "L3", "S3"} and asked.colour_alone and asked.asked > 0
    assert any("differ in colour alone" in line for line in rehearsal_in_words(rehearsal))


def card(read: Face, other: Face, lead: float, equal: bool) -> Weighed:
    alike = frozenset({other}) if equal else frozenset()
    return Weighed({read: 0.0, other: lead}, 0.95, 0.1, equal=alike)


def test_cards_of_one_print_that_are_taken_for_each_other_make_colour_count_less_and_nothing_else() -> None:
    plain = [("A1", card("A1", "L2", 30.0, False))] * 60
    right = [("A3", card("A3", "L3", 6.0, True))] * 8
    wrong = [("L3", card("A3", "L3", 6.0, True))] * 3
    sound, shaken = fit([*plain, *right]), fit([*plain, *right, *wrong])
    assert shaken.colour_temperature > 1.4 * sound.colour_temperature
    assert shaken.print_temperature == pytest.approx(sound.print_temperature)
    assert shaken.cards == 71


@pytest.mark.parametrize(("match", "shaken"), [(0.95, True), (0.2, False)])
def test_cards_read_wrong_make_print_count_less_where_it_was_said_to_be_theirs(match: float, shaken: bool) -> None:
    """What is told to be hardly a known card is left in doubt anyway: the others need not be, too."""
    plain = [("A1", card("A1", "L2", 12.0, False))] * 60
    wrong = [("L2", Weighed({"A1": 0.0, "L2": 6.0}, match, 0.1))] * 3
    assert (fit([*plain, *wrong]).print_temperature > 1.2 * fit(plain).print_temperature) == shaken


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [(12, 0, "played with: where a card is in doubt, I shall ask"), (15, 1, "put it right on the page"), (16, 0, "")],
)
def test_what_follows_from_tables_in_doubt_is_said(right: int, wrong: int, told: str) -> None:
    lines = rehearsal_in_words(Rehearsal(16, right, wrong, 160, 159, (), Likelihoods(1.3, 2.0, 160)))
    assert told in lines[-1] and len(lines) == (2 if told else 1)


def test_what_a_deck_will_ask_is_said_in_words() -> None:
    confusion = Confusion(("A3", "L3", "S3"), ("lamp", "dim"), 6, 1, 40, True)
    other = Confusion(("L2", FACE_DOWN), (), 1, 0, 30, False)
    lines = rehearsal_in_words(Rehearsal(16, 12, 1, 160, 159, (confusion, other), Likelihoods(1.3, 2.0, 160)))
    assert lines[0].endswith("12 read right and for sure, 3 left in doubt, 1 wrong.")
    assert lines[1] == "A3, L3 and S3 differ in colour alone: in warm light and dim light I shall ask."
    assert lines[2] == "  1 of 40 were taken for one another."
    assert lines[3] == "L2 and the back look alike: now and then I shall ask."
    russian = rehearsal_in_words(Rehearsal(16, 12, 1, 160, 159, (confusion, other), Likelihoods(1.3, 2.0, 160)), "ru")
    assert russian[1] == "Отличаются только цветом: A3, L3 и S3. Переспрошу при таком свете: тёплый и тусклый."
    assert russian[3] == "Похожи: L2 и рубашка. Переспрошу иногда."


def test_a_photograph_that_does_not_show_what_was_learnt_from_it_is_refused(photos: dict[str, Picture]) -> None:
    seen = {name: examine(photos[name]) for name in PHOTOS}
    # As if the sea photograph had been taken for the land one after its faces were cut.
    spoilt = {**seen, "land": replace(seen["land"], picture=seen["sea"].picture)}
    with pytest.raises(Failure) as caught:
        learn(spoilt)
    assert caught.value.code == "not-read-back" and "land photograph" in str(caught.value)
    assert "on the near side of the left board" in str(caught.value)


def test_live_enrolment_reads_its_photographs_back_before_it_gives_the_deck(photos: dict[str, Picture]) -> None:
    guide = Guide()
    guide._photos = {name: examine(photos[name]) for name in PHOTOS}
    assert len(guide.learn().profile.faces) == 19
    guide._photos["land"] = replace(guide._photos["land"], picture=photos["sea"])
    with pytest.raises(Failure) as caught:
        guide.learn()
    assert caught.value.code == "not-read-back" and "land photograph" in str(caught.value)


def test_the_sheet_shows_the_photographs_with_their_cuts(photos: dict[str, Picture]) -> None:
    seen = {name: examine(photos[name]) for name in PHOTOS}
    profile = assemble(seen)
    sheet = draw_sheet(seen, profile)
    faces = profile.sheet()
    assert sheet.shape[0] > faces.shape[0] + 1000 and sheet.shape[1] >= faces.shape[1]
    yellow = np.abs(sheet.astype(int) - np.array((60, 230, 255))).max(axis=2) < 60
    assert yellow[:1188].sum() > 4000
