"""A card of whose header a shine spares all is told by it, whatever the shine hides of the rest."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.names import FACE_DOWN, Face
from tests.vision.cards.drawn_column import as_column, photographed
from tests.vision.cards.drawn_deck import golden_bank, golden_column, seen_alone
from vision.cards.column import LENGTH, WIDTH, Column
from vision.cards.lead import HeldFace
from vision.cards.plain_header import by_plain_header, plain_header, spared_header, told_by_header
from vision.cards.read_column import read_column
from vision.cards.table_beside import ABOVE, SIDE
from vision.cards.templates import CARD_H, CARD_W, FINE, Bank
from vision.geometry.align import Placed
from vision.geometry.light import root_table
from vision.profile import FACES, DeckProfile
from vision.tracking.reader import SURE

TOP = 12.0
"""Where the card's upper edge lies, mm below the board's."""
THERE = Placed(SIDE * FINE, (ABOVE + TOP) * FINE, 0.0)


@pytest.fixture(scope="module")
def bank(profile: DeckProfile) -> Bank:
    return Bank(profile)


def under_a_shine(profile: DeckProfile, face: Face, down: float, tall: float, grain: float = 0.0) -> Column:
    """A column with one card, on which a window shines: all but 4 mm at both sides of it, from `down` mm below its
    upper edge, `tall` mm of it. `grain`: noise where nothing shines, codes."""
    patch = np.full((round((ABOVE + LENGTH) * FINE), round(WIDTH * FINE), 3), 95, np.uint8)
    patch[: round(ABOVE * FINE)] = 200
    card = cv2.resize(profile.faces[face], (CARD_W, CARD_H), interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(5).normal(0, grain, card.shape)
    card = np.asarray(np.clip(card + noise, 0, 255), dtype=np.uint8)
    card[round(down * FINE) : round((down + tall) * FINE), round(4 * FINE) : CARD_W - round(4 * FINE)] = 250
    y, x = round(THERE.y), round(THERE.x)
    patch[y : y + CARD_H, x : x + CARD_W] = card
    return as_column(photographed(patch))


def held(face: Face, match: float = 0.45) -> HeldFace:
    return HeldFace(FACES.index(face), 0.0, THERE, 88.0, match, match, 0.1, 2000.0)


@pytest.mark.parametrize("face", ["A1", "L5", "S6"])
def test_a_header_that_a_shine_spares_is_plainly_seen(profile: DeckProfile, bank: Bank, face: Face) -> None:
    column = under_a_shine(profile, face, 24.0, 58.0)
    assert plain_header(bank, column, held(face), 88.0) > 0.75


@pytest.mark.parametrize("face", ["A2", "L5", "S4"])
def test_a_title_that_a_shine_spares_is_read_though_it_hides_all_below(
    profile: DeckProfile, bank: Bank, face: Face
) -> None:
    """An A2 whose title was as plain as it is printed, and a back's as likely by what a window in its sleeve left."""
    column = under_a_shine(profile, face, 9.5, 74.0)
    assert plain_header(bank, column, held(face), 88.0) > 0.7
    others = [other for other in ("A1", "L2", "A6", "S5", FACE_DOWN) if other != face]
    assert [plain_header(bank, column, held(other), 88.0) for other in others] == [0.0] * len(others)


def test_a_back_has_no_title_that_a_shine_could_spare(profile: DeckProfile) -> None:
    """The 2 of an A2, whose title was washed out, was the one on the back, and it was that for certain; its colour
    told."""
    back = profile.faces["A2"].copy()
    rows, columns = back.shape[0] // 4, back.shape[1] // 3
    back[rows:], back[:rows, columns:] = 235, 235
    bank = Bank(replace(profile, faces={**profile.faces, FACE_DOWN: back}))
    washed_out = replace(profile, faces={**profile.faces, "A2": back})
    assert plain_header(bank, under_a_shine(washed_out, "A2", 9.5, 74.0), held(FACE_DOWN), 88.0) == 0.0


@pytest.mark.parametrize(("down", "tall"), [(4.0, 16.0), (2.0, 82.0)], ids=["all of the text", "all but a rim"])
def test_a_header_that_a_shine_hides_is_not(profile: DeckProfile, bank: Bank, down: float, tall: float) -> None:
    column = under_a_shine(profile, "A2", down, tall)
    assert [plain_header(bank, column, held(face), 88.0) for face in ("A2", "A6", "S6")] == [0.0] * 3


def test_another_faces_header_is_not(profile: DeckProfile, bank: Bank) -> None:
    column = under_a_shine(profile, "S6", 24.0, 58.0)
    assert [plain_header(bank, column, held(face), 88.0) for face in ("A6", "S5", "A1")] == [0.0] * 3


def test_maneuvers_are_plainly_seen_and_not_told_apart_by_it(profile: DeckProfile, bank: Bank) -> None:
    """They share their print: colour is what tells them apart."""
    faces = [(FACES.index(name), nats) for name, nats in (("L3", 0.0), ("S3", 0.8), ("A5", 0.9), ("S6", 12.0))]
    column = under_a_shine(profile, "L3", 24.0, 58.0)

    told = told_by_header(bank, faces, held("L3"), plain_header(bank, column, held("L3"), 88.0), shone_on=True)

    assert {FACES[face]: nats for face, nats in told} == {"L3": 0.0, "S3": 0.8, "A5": 10.0, "S6": 12.0}


def test_a_6_that_led_by_little_under_a_shine_is_certain_by_its_header_alone(bank: Bank) -> None:
    """A6s and an L6 whose titles were plainly read were in doubt, for what shone on the rest of them."""
    faces = [(FACES.index(name), nats) for name, nats in (("A6", 0.0), ("A5", 1.2), ("S4", 1.2))]

    plain, hidden = (dict(told_by_header(bank, faces, held("A6"), seen, shone_on=True)) for seen in (0.9, 0.0))

    assert plain[FACES.index("A5")] == plain[FACES.index("S4")] == 10.0
    assert hidden[FACES.index("A5")] == pytest.approx(0.24)


def test_a_card_whose_header_is_anothers_is_that_card(profile: DeckProfile, bank: Bank) -> None:
    """A lamp was thought to hide an L6's title, and what it spared went better with an A6: that had been certain."""
    column = under_a_shine(profile, "L6", 24.0, 58.0)
    tried = [held("A6", 0.89), held("L6", 0.86), held("S6", 0.8)]
    led = [(FACES.index(name), nats) for name, nats in (("A6", 0.0), ("L6", 14.0), ("S6", 28.0))]

    told, best, header = by_plain_header(bank, column, led, tried, 88.0)

    assert FACES[best.face] == "L6"
    assert header > 0.85
    assert [(FACES[face], nats) for face, nats in told] == [("A6", 0.0), ("L6", 0.0), ("S6", 14.0)]
    assert FACES[told_by_header(bank, told, best, header, shone_on=True)[0][0]] == "L6"


def test_a_card_whose_header_is_its_own_stays_that_card(profile: DeckProfile, bank: Bank) -> None:
    column = under_a_shine(profile, "A6", 24.0, 58.0)
    tried = [held("A6", 0.89), held("L6", 0.86)]
    led = [(FACES.index("A6"), 0.0), (FACES.index("L6"), 3.0)]

    told, best, _ = by_plain_header(bank, column, led, tried, 88.0)

    assert FACES[best.face] == "A6"
    assert told == led


@pytest.mark.parametrize("face", ["A1", "L5", "S4"])
def test_what_a_shine_leaves_of_a_title_tells_its_face_alone(profile: DeckProfile, bank: Bank, face: Face) -> None:
    """The upper halves of its letters, which anybody can read."""
    column = under_a_shine(profile, face, 6.0, 78.0)
    others = [name for name in FACES if not bank.equal_headers[FACES.index(face)][FACES.index(name)]]
    assert spared_header(bank, column, held(face)) > 0.7
    assert not any(spared_header(bank, column, held(other)) for other in others)


def test_what_a_shine_leaves_of_a_title_tells_its_face_through_grain_too(profile: DeckProfile, bank: Bank) -> None:
    """It goes less well with the face then, and with all others far less."""
    column = under_a_shine(profile, "S4", 6.0, 78.0, grain=150.0)
    assert 0.55 < spared_header(bank, column, held("S4")) < 0.7


def test_where_a_shine_leaves_no_print_it_tells_no_face(profile: DeckProfile, bank: Bank) -> None:
    column = under_a_shine(profile, "A1", 0.0, 88.0)
    assert not any(spared_header(bank, column, held(face)) for face in FACES)


def test_a_card_of_which_glare_leaves_half_a_title_is_told_by_it(profile: DeckProfile) -> None:
    """An A4 whose title anybody could read was in doubt, at 0.8: the edges of what shone on it go with no print."""
    bank = golden_bank("spared-header", profile, "A4", "S4", "S1", "A6", FACE_DOWN)
    gains = root_table(np.array([1.036, 0.937, 1.0154]))
    column = golden_column(
        "spared-header",
        gains,
        0.9102,
        np.array([193, 203, 197], np.uint8),
        np.array([0.7408, 0.7408, 0.7866], np.float32),
    )
    seen = seen_alone(bank, column)
    assert [(card.read, card.p > SURE) for card in seen] == [("A4", True)]


def test_where_a_shine_hides_the_text_another_title_speaks_against_a_face_without_any(profile: DeckProfile) -> None:
    """In the light paper of an L5 and of an L3 a lamp left nothing but their titles, and both were an S6 at 0.9997."""
    bank = golden_bank("washed-out-text", profile, "L5", "A3", "L3", "S3", "A5", "S6", "L6")
    gains, full = root_table(np.array([0.9411, 0.9698, 1.0753])), np.array([255, 255, 255], np.uint8)
    column = golden_column("washed-out-text", gains, 0.6647, full)
    seen = seen_alone(bank, column)
    assert len(seen) == 4
    assert not any(card.read[1:] == "6" and card.p > SURE for card in seen)


def test_where_a_shine_spares_nothing_but_a_figure_it_tells_no_face(profile: DeckProfile) -> None:
    """Of an A5 little but the 5 was seen, which the three theaters share, and it was an L5 at 0.9999: the two 5s were
    not cut out alike."""
    bank = golden_bank("figure-spared", profile, "A5", "L5", "S5")
    gains, full = root_table(np.array([0.5659, 0.4261, 0.3891])), np.array([255, 255, 255], np.uint8)
    column = golden_column("figure-spared", gains, 1.1, full)
    there = Placed(61.8243, 41.8856, 0.045364)
    assert not any(spared_header(bank, column, replace(held(face), place=there)) for face in ("A5", "L5", "S5"))


@pytest.mark.parametrize(("hue_of_l2", "told"), [(0.22, False), (0.6, True)])
def test_what_a_shine_spares_of_a_header_does_not_tell_a_face_of_another_hue(
    profile: DeckProfile, hue_of_l2: float, told: bool
) -> None:
    """In a picture that was set too bright the text of an L2's title was blown out, and it was an A1 for certain."""
    # Given that column of a path-traced photograph, an L2 with a back on it,
    bank = golden_bank("text-blown-out", profile, "L2", "A1", FACE_DOWN)
    full, gains = np.full(3, 255, np.uint8), root_table(np.array([0.38222, 0.37743, 0.40933]))
    column = golden_column("text-blown-out", gains, 0.754, full, np.full(3, 0.61878, np.float32))
    place = read_column(bank, column).cards[0].place
    # and an A1 that leads there by its print, the L2's nearly as good and its hue better, or not:
    tried = [
        HeldFace(FACES.index(face), nats, place, 23.0, match, match, hue, 1000.0)
        for face, nats, match, hue in (("A1", 0.0, 0.68, 0.9), ("L2", 5.3, 0.65, hue_of_l2))
    ]
    # then what is spared of the header, which goes with the A1's, tells it in the second case alone.
    _, _, header = by_plain_header(bank, column, [(held.face, held.nats) for held in tried], tried, 23.0)
    assert (header > 0) is told
