"""Learning a deck: four photographs make a profile, and a photograph that will not do is refused in words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.failure import BadInput, Failure
from engine.names import CARDS, FACE_DOWN, SEATS, THEATERS
from tests.vision.enrolment.shone_on import shone_on
from vision.enrolment.enrol import enrol, examine
from vision.enrolment.examine import print_hidden
from vision.geometry.rectangle import fit_rectangle
from vision.geometry.registration import (
    register,
)
from vision.geometry.table import BOARD, BOARD_X
from vision.profile import CARD_PX, DeckProfile
from vision.simulate import CONDITIONS, EMPTY, Deck, SimulatedCamera
from vision.simulate.deck_design import design_deck
from vision.simulate.optics import Light, View
from vision.tracking.reader import Reader
from vision.types import Picture

Photos = dict[str, Picture]
UPSIDE_DOWN = 208
"""A design whose Maneuvers share picture and words."""


def test_four_photographs_give_every_face_as_it_was_printed(profile: DeckProfile, deck: Deck) -> None:
    assert set(profile.faces) == {*CARDS, FACE_DOWN}
    for face, learnt in profile.faces.items():
        printed = cv2.resize(deck.faces[face], CARD_PX, interpolation=cv2.INTER_AREA)
        a, b = (cv2.GaussianBlur(x, (0, 0), 4)[8:-8, 8:-8].astype(float).ravel() for x in (learnt, printed))
        assert np.corrcoef(a, b)[0, 1] > 0.9, face


def test_a_dark_border_on_a_dark_mat_is_not_taken_for_another_board() -> None:
    camera = SimulatedCamera("muted", 2, condition="day")
    image = camera.still(EMPTY, THEATERS)
    found = register(image)
    assert found is not None
    for k, lies in enumerate(x for x in camera.lay(EMPTY, THEATERS) if x.what in THEATERS):
        frame, _ = fit_rectangle(image, found, (BOARD_X[k], 0.0), 0.0, BOARD, 9.0)
        middle = frame.to_table(np.array([[frame.width / 2, frame.height / 2]]))[0]
        assert np.hypot(middle[0] - lies.x, middle[1] - lies.y) < 1.0
        assert np.degrees(frame.turn) == pytest.approx(lies.turn, abs=0.4)


def test_a_profile_comes_back_from_its_folder_and_stays_small(profile: DeckProfile, tmp_path: Path) -> None:
    profile.save(tmp_path / "deck")
    again = DeckProfile.load(tmp_path / "deck")
    assert all(np.array_equal(again.faces[f], profile.faces[f]) for f in profile.faces)
    assert all(np.array_equal(again.boards[t], profile.boards[t]) for t in profile.boards)
    assert sum(p.stat().st_size for p in (tmp_path / "deck").iterdir()) < 10_000_000
    assert (tmp_path / "deck" / "sheet.png").exists()


@pytest.mark.parametrize("spoil", ["gone", "cut", "other", "newer"])
def test_a_spoilt_profile_is_refused_by_name(profile: DeckProfile, tmp_path: Path, spoil: str) -> None:
    folder = tmp_path / "deck"
    profile.save(folder)
    if spoil == "gone":
        (folder / "S3.png").unlink()
    elif spoil == "cut":
        (folder / "S3.png").write_bytes((folder / "S3.png").read_bytes()[:200])
    elif spoil == "other":
        (folder / "profile.json").write_text("[]")
    else:
        (folder / "profile.json").write_text('{"format": "allfronts-deck", "version": 99}')
    with pytest.raises(BadInput) as caught:
        DeckProfile.load(folder)
    assert caught.value.code == "bad-deck"
    assert ("S3.png" if spoil in ("gone", "cut") else "profile.json") in str(caught.value)


def test_an_edge_that_shines_on_half_of_the_backs_is_none_of_their_print(photos: Photos, profile: DeckProfile) -> None:
    # Given a lamp in which the near backs shine along their upper edges
    found = examine(photos["back"])
    assert found.layout is not None and found.registration is not None
    shine = np.zeros(photos["back"].shape[:2], np.float32)
    for card in found.layout.cards[:3]:
        ends = card.frame.to_table(np.array([[4.0, 5.0], [card.frame.width - 4.0, 5.0]]))
        a, b = found.registration.project(ends).round().astype(int).tolist()
        cv2.line(shine, a, b, 1.0, 5)
    lit = photos["back"] + 60 * cv2.GaussianBlur(shine, (0, 0), 1.5)[..., None]
    # When the deck is learnt
    lit_deck = enrol(photos["air"], photos["land"], photos["sea"], lit.clip(0, 255).astype(np.uint8))
    # Then its back is as it is without that lamp
    off = lit_deck.faces[FACE_DOWN].astype(float) - profile.faces[FACE_DOWN]
    assert np.abs(off.mean((1, 2))).max() < 10


def test_a_back_that_a_shine_hides_is_told_as_that(photos: Photos) -> None:
    """It was said not to look like the other backs."""
    with pytest.raises(Failure) as caught:
        enrol(photos["air"], photos["land"], photos["sea"], shone_on(photos["back"], 3))
    assert caught.value.code == "glare" and "far side of the left board" in str(caught.value)


def test_the_same_cards_photographed_twice_are_refused(photos: Photos) -> None:
    with pytest.raises(Failure) as caught:
        enrol(photos["air"], photos["air"], photos["sea"], photos["back"])
    assert caught.value.code == "photographs-alike"
    assert "air photograph and the land photograph" in str(caught.value)


def test_backs_given_for_a_theater_are_refused_by_name(photos: Photos) -> None:
    with pytest.raises(Failure) as caught:
        enrol(photos["air"], photos["back"], photos["sea"], photos["back"])
    assert caught.value.code == "photograph-of-backs" and "land photograph" in str(caught.value)


def test_a_theater_given_for_the_backs_is_refused_as_such(photos: Photos) -> None:
    with pytest.raises(Failure) as caught:
        enrol(photos["air"], photos["land"], photos["sea"], photos["air"])
    assert caught.value.code == "backs-differ" and "as they do face up" in str(caught.value)


def test_cards_that_all_lie_upside_down_are_refused_as_such() -> None:
    # Given a deck whose Maneuvers share their picture, every card with its lower edge towards the board
    printed = design_deck(UPSIDE_DOWN, 4.0)
    turned = {
        face: image if face == FACE_DOWN else np.ascontiguousarray(image[::-1, ::-1])
        for face, image in printed.faces.items()
    }
    photos = SimulatedCamera(seed=1, condition="day", deck=replace(printed, faces=turned)).enrolment_photos()
    # When it is learnt, then it is refused for that, and not because two cards look alike
    with pytest.raises(Failure) as caught:
        enrol(photos["air"], photos["land"], photos["sea"], photos["back"])
    assert caught.value.code == "cards-turned" and "air, land and sea photographs" in str(caught.value)


def test_two_cards_too_much_alike_are_refused_by_name(deck: Deck) -> None:
    twins = replace(deck, faces={**deck.faces, "L5": deck.faces["L4"]})
    photos = SimulatedCamera("bright", 1, condition="day", deck=twins).enrolment_photos()
    with pytest.raises(Failure) as caught:
        enrol(photos["air"], photos["land"], photos["sea"], photos["back"])
    assert caught.value.code == "cards-alike"
    assert "L4 and L5 look too much alike in the land photograph" in str(caught.value)
    assert "land photograph" in caught.value.remedy


def test_cards_that_differ_in_their_digit_alone_are_told_apart(deck: Deck) -> None:
    """The six land cards get one card's art; only the corner with the strength is each one's own."""
    art = deck.faces["L1"]
    h, w = art.shape[:2]
    faces = dict(deck.faces)
    for number in range(2, 7):
        own = art.copy()
        own[: h // 4, : w // 3] = deck.faces[f"L{number}"][: h // 4, : w // 3]
        faces[f"L{number}"] = own
    photos = SimulatedCamera("bright", 1, condition="day", deck=replace(deck, faces=faces)).enrolment_photos()
    assert enrol(photos["air"], photos["land"], photos["sea"], photos["back"])


def test_a_good_photograph_needs_no_advice(photos: Photos) -> None:
    assert examine(photos["air"]).usable
    assert not [a for a in examine(photos["sea"]).advice if a.hard]


def test_a_photograph_without_the_mat_says_so(photos: Photos) -> None:
    assert [a.code for a in examine(np.full((720, 1280, 3), 128, np.uint8)).advice] == ["no-mat"]
    with pytest.raises(Failure) as caught:
        enrol(np.full((720, 1280, 3), 128, np.uint8), photos["land"], photos["sea"], photos["back"])
    assert caught.value.code == "no-mat" and "air" in str(caught.value)


def test_a_mirrored_photograph_says_so(photos: Photos) -> None:
    """As in a mirror no tag is told, and print that was learnt so would go with no other camera's."""
    mirrored = np.ascontiguousarray(photos["land"][:, ::-1])
    assert [a.code for a in examine(mirrored).advice] == ["mirrored"]
    with pytest.raises(Failure) as caught:
        enrol(photos["air"], mirrored, photos["sea"], photos["back"])
    assert caught.value.code == "mirrored" and "land" in str(caught.value)


@pytest.mark.parametrize("name", ["air", "back"])
def test_a_photograph_on_which_most_cards_are_blown_out_says_once_that_it_is_too_bright(
    photos: Photos, name: str
) -> None:
    """Of a white deck on a dark mat seventeen cards had a line each: to move a lamp that there was not."""
    brighter = np.clip(photos[name].astype(np.float32) * 1.3, 0, 255).astype(np.uint8)
    [advice] = examine(brighter).advice
    assert (advice.code, advice.at, advice.hard) == ("too-bright", "", False)


def test_a_blurred_photograph_says_so(photos: Photos) -> None:
    assert "blurred" in [a.code for a in examine(cv2.GaussianBlur(photos["air"], (0, 0), 3.0)).advice]


def test_a_photograph_too_blurred_for_its_tags_is_called_blurred(photos: Photos) -> None:
    assert examine(cv2.GaussianBlur(photos["air"], (0, 0), 9.0)).advice[0].code == "blurred"


@pytest.mark.parametrize(("times", "spread"), [(2.0, 2.0), (2.6, 3.0)])
def test_light_that_spills_over_is_called_too_bright_and_not_blurred(
    photos: Photos, times: float, spread: float
) -> None:
    """In the first picture the tags are still found, in the second no longer."""
    light = photos["air"].astype(np.float32) * times
    spilt = np.maximum(light, cv2.GaussianBlur(np.minimum(light, 450.0), (0, 0), spread))
    assert examine(np.clip(spilt, 0, 255).astype(np.uint8)).advice[0].code == "too-bright"


def test_a_dark_photograph_says_so(photos: Photos) -> None:
    codes = [a.code for a in examine((photos["air"] * 0.12).astype(np.uint8)).advice]
    assert "too-dark" in codes or "no-mat" in codes


def test_a_missing_card_is_named_by_its_place() -> None:
    camera = SimulatedCamera("bright", 1, condition="day")
    board = {**EMPTY, **{(t, seat): (FACE_DOWN,) for t in THEATERS for seat in SEATS}}
    image = camera.still({**board, ("L", "near"): ()})
    wrong = [a for a in examine(image).advice if a.hard]
    assert [(a.code, a.at) for a in wrong] == [("card-missing", "middle/near")]


def test_a_header_under_glare_is_named_by_its_place(photos: Photos) -> None:
    image = photos["land"].copy()
    found = register(image)
    assert found is not None
    spot = found.project(np.array([[130.5, -62.0]]))[0].astype(int)
    cv2.circle(image, (int(spot[0]), int(spot[1])), 60, (255, 255, 255), -1)
    assert ("glare", "right/near") in [(a.code, a.at) for a in examine(image).advice]


@pytest.mark.parametrize(("paper", "refused"), [(90, True), (235, False)])
def test_a_blown_out_header_is_refused_where_that_hides_its_print(paper: int, refused: bool) -> None:
    # Given a header with ink on sombre or on white ground, two fifths of which are blown out
    header = np.full((66, 190, 3), paper, np.uint8)
    header[10:50, 20:40] = 40
    header[:, 110:] = 255
    # Then glare hides print on the first; on the second what is not seen was nearly as light
    assert print_hidden(header) == refused


@pytest.mark.parametrize("glare", [False, True])
def test_a_white_panel_that_is_blown_out_hides_no_print_whose_text_is_seen(glare: bool) -> None:
    """A deck with white panels on darker headers was refused for glare that nobody could find."""
    header = np.full((66, 190, 3), 120, np.uint8)
    header[6:54, 40:184] = 255
    for row in range(12, 50, 8):
        header[row : row + 3, 46:170:3] = 60
    if glare:
        cv2.circle(header, (110, 30), 60, (255, 255, 255), -1)
    assert print_hidden(header) == glare


@pytest.mark.parametrize(("elsewhere", "hidden"), [(255, False), (120, True)])
def test_a_white_panel_without_text_is_one_where_other_cards_have_it_too(elsewhere: int, hidden: bool) -> None:
    """A deck whose 6s bear a title alone on a white panel was refused for glare that nobody could find."""
    header = np.full((66, 190, 3), 120, np.uint8)
    other = header.copy()
    header[18:54, 40:184] = 255
    header[8:16, 40:184] = 250
    header[10:14, 46:170:2] = 60
    other[6:54, 40:184] = elsewhere
    for row in range(12, 50, 8):
        other[row : row + 3, 46:170:3] = 60
    assert print_hidden(header, [other] * 5) == hidden
    assert print_hidden(header)


@pytest.mark.parametrize("thing", [None, np.zeros((0, 0, 3), np.uint8), np.zeros((10, 10, 3), np.uint8), "air.jpg"])
def test_what_is_no_picture_is_refused(thing: object) -> None:
    with pytest.raises(BadInput):
        examine(thing)


@pytest.mark.parametrize(("learnt", "read"), [((1920, 1080), (1280, 720)), ((1280, 720), (1920, 1080))])
def test_a_profile_made_with_one_camera_serves_another(
    deck: Deck, learnt: tuple[int, int], read: tuple[int, int]
) -> None:
    wide = replace(CONDITIONS["day"], resolution=learnt, view=View(field_of_view=74.0, k1=-0.1))
    photos = SimulatedCamera("bright", 1, condition=wide, deck=deck).enrolment_photos()
    reader = Reader(enrol(photos["air"], photos["land"], photos["sea"], photos["back"]))
    warm = Light(level=0.95, cast=(0.75, 0.95, 1.08))
    other = replace(CONDITIONS["day"], resolution=read, view=View(roll=181.0, field_of_view=55.0, k1=0.0), light=warm)
    table = {**EMPTY, ("A", "near"): ("A1", "L2"), ("L", "far"): ("S3", "-"), ("S", "near"): ("-", "S5", "L6")}
    for condition in (other, replace(other, mat=False)):
        sight = reader.read(
            SimulatedCamera("bright", 9, condition=condition, deck=deck).still(table, ("S", "A", "L"))
        ).sight
        assert sight.order == ("S", "A", "L") and dict(sight.board) == table
        # Without the mat's white, warm light may leave open which of the three Maneuvers it is, and nothing else.
        doubted = {note.at for note in sight.notes}
        assert sight.sure or (not condition.mat and doubted == {"L/far/0"})
