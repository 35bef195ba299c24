"""White cards on white cards: no upper edge is seen of them, but the ends of those that nothing covers, and figures."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.names import FACE_DOWN
from tests.vision.cards.drawn_column import as_column, photographed
from tests.vision.cards.drawn_deck import golden_bank, golden_column
from vision.cards.appearance import outline_seen
from vision.cards.candidates import Candidate
from vision.cards.chain import Chain
from vision.cards.column import LENGTH, WIDTH, Column
from vision.cards.column_reading import ColumnReading
from vision.cards.judgement import judge_card
from vision.cards.outline import cards, cards_by_end, snapped
from vision.cards.read_column import read_column
from vision.cards.table_beside import ABOVE, SIDE
from vision.cards.templates import CARD_W, FINE, MIDDLE, Bank, card_px
from vision.cards.unexplained import unexplained
from vision.geometry import table as geometry
from vision.geometry.align import Placed
from vision.geometry.light import root_table
from vision.profile import FACES, SCALE, DeckProfile
from vision.tracking.reader import LEAST_MARGIN
from vision.types import Picture

TABLE, PAPER = (120, 160, 130), 235
"""Codes of a green table, and of the cards' paper."""
BACK = FACES.index(FACE_DOWN)


def white_back(rings: int) -> Picture:
    """A white back with a number in its corner, and faint rings on it that a shine on it leaves nothing of."""
    width, height = (round(side * SCALE) for side in geometry.CARD)
    back = np.full((height, width, 3), PAPER, np.uint8)
    cv2.putText(
        back, "2", (round(4 * SCALE), round(17 * SCALE)), cv2.FONT_HERSHEY_DUPLEX, 0.45 * SCALE, (150, 150, 210), 4
    )
    rng = np.random.default_rng(5)
    for _ in range(rings):
        middle = tuple(int(at * SCALE) for at in rng.uniform((4, 4), (59, 84)))
        cv2.circle(back, (middle[0], middle[1]), round(3.5 * SCALE), (200, 200, 200), round(0.8 * SCALE), cv2.LINE_AA)
    return back


def column_of(*tops: float) -> Column:
    return as_column(picture_of(*tops))


def picture_of(*tops: float, aside: float = 2.0) -> Picture:
    """A green table with white backs on it under a shine, whose upper edges lie at `tops`, mm below the board's; every
    other one lies `aside` mm further to the right."""
    patch = np.full((round((ABOVE + LENGTH) * FINE), round(WIDTH * FINE), 3), TABLE, np.uint8)
    patch[: round(ABOVE * FINE)] = 60
    small = cv2.resize(white_back(0), None, fx=FINE / SCALE, fy=FINE / SCALE, interpolation=cv2.INTER_AREA)
    for k, top in enumerate(tops):
        y, x = round((ABOVE + top) * FINE), round((SIDE + aside * (k % 2)) * FINE)
        patch[y : y + small.shape[0], x : x + small.shape[1]] = small
    return photographed(patch)


@pytest.fixture(scope="module")
def bank(profile: DeckProfile) -> Bank:
    back = profile.faces[FACE_DOWN]
    white = cv2.resize(white_back(60), (back.shape[1], back.shape[0]), interpolation=cv2.INTER_AREA)
    return Bank(replace(profile, faces={**profile.faces, FACE_DOWN: np.asarray(white, dtype=np.uint8)}))


def top_of(place: Placed) -> float:
    return place.point(CARD_W / 2, 0.0)[1] / FINE


def backs(reading: ColumnReading) -> list[bool]:
    return [card.faces[0][0] == BACK for card in reading.cards]


def test_the_end_of_a_white_card_on_a_white_card_is_seen() -> None:
    column = column_of(6.0, 28.0)
    known = [place for _, place in cards(column.tones, 14, ABOVE)]
    assert not any(abs(top_of(place) - ABOVE - 28.0) < 5 for place in known)
    [(clear, there)] = cards_by_end(column.tones, 6, known)
    assert clear > 0.75 and top_of(there) == pytest.approx(ABOVE + 28.0, abs=1.0)


def test_a_single_cards_end_tells_of_no_other_card() -> None:
    column = column_of(6.0)
    known = [place for _, place in cards(column.tones, 14, ABOVE)]
    assert cards_by_end(column.tones, 6, known) == []


def test_an_upper_edge_that_cannot_be_seen_says_nothing_against_a_card(bank: Bank) -> None:
    """Where nothing is to be seen of it, its sides tell; on the table, where it would be seen, they do not."""
    column = column_of(6.0, 28.0)
    upon = Placed((SIDE + 2.0) * FINE, (ABOVE + 28.0) * FINE, 0.0)
    beyond = Placed(SIDE * FINE, (ABOVE + 130.0) * FINE, 0.0)
    assert outline_seen(bank, column, BACK, upon) > 0.75
    assert outline_seen(bank, column, BACK, beyond) < 0.4


def test_an_edge_that_a_lamp_blows_out_with_the_table_says_nothing_against_a_card(bank: Bank) -> None:
    """A white back under a lamp was told as something that is no card: the lamp hid its left side and half of its top
    edge, and those that were seen did not count for more."""
    patch = picture_of(20.0)
    board = round(ABOVE * FINE)
    patch[board:, : round((SIDE + 30) * FINE)] = PAPER
    column = as_column(patch)
    there = Placed(SIDE * FINE, (ABOVE + 20.0) * FINE, 0.0)
    assert snapped(column.tones, there)[0] < 0.75 < outline_seen(bank, column, BACK, there)
    # Nor does what is blown out speak for one where none lies.
    nowhere = Placed(2 * FINE, (ABOVE + 130.0) * FINE, 0.0)
    assert outline_seen(bank, column, BACK, nowhere) < 0.4


@pytest.mark.parametrize("tops", [(6.0,), (6.0, 28.0), (4.0, 29.0)])
def test_white_backs_on_white_backs_of_which_only_a_number_is_seen_are_each_read(
    bank: Bank, tops: tuple[float, ...]
) -> None:
    assert backs(read_column(bank, column_of(*tops))) == [True] * len(tops)


def test_three_of_them_are_never_told_for_certain_to_be_fewer(bank: Bank) -> None:
    reading = read_column(bank, column_of(4.0, 24.0, 45.0))
    assert len(reading.cards) == 3 or reading.hidden or any(card.may_be_two for card in reading.cards)


def test_a_white_back_whose_figure_is_plainly_seen_is_one_though_the_table_is_as_white(profile: DeckProfile) -> None:
    """The red 2 of a back under an S6 was seen as plainly as it is printed, and no edge of that card on a white mat
    beside a lamp: it was told as what is no card at all."""
    # Given a table of the paper's colour, and a white back on it of which other cards leave little but its figure,
    old = profile.faces[FACE_DOWN]
    white = cv2.resize(white_back(0), (old.shape[1], old.shape[0]), interpolation=cv2.INTER_AREA)
    bank = Bank(replace(profile, faces={**profile.faces, FACE_DOWN: np.asarray(white, dtype=np.uint8)}))
    patch = np.full((round((ABOVE + LENGTH) * FINE), round(WIDTH * FINE), 3), PAPER, np.uint8)
    patch[: round(ABOVE * FINE)] = 60
    laid = [(FACE_DOWN, 0.0, 6.0), ("L6", 0.0, 24.0), ("A4", 12.0, 10.0)]
    for face, left, top in laid:
        picture = white_back(0) if face == FACE_DOWN else profile.faces[face]
        small = cv2.resize(picture, None, fx=FINE / SCALE, fy=FINE / SCALE, interpolation=cv2.INTER_AREA)
        y, x = round((ABOVE + top) * FINE), round((SIDE + left) * FINE)
        here = patch[y : y + small.shape[0], x : x + small.shape[1]]
        here[:] = small[: here.shape[0], : here.shape[1]]
    column = as_column(patch)
    costs = np.zeros(card_px(MIDDLE)[1], np.float32)
    back, *above = (
        Candidate(FACES.index(face), Placed((SIDE + left) * FINE, (ABOVE + top) * FINE, 0.0), 0.9, 0.0, costs, None)
        for face, left, top in laid
    )
    # when it is held against what is seen,
    card = judge_card(bank, column, (back, *above), 0, bank.count, [])
    # then it is that back, as surely as so little print tells it.
    assert card.faces[0][0] == BACK
    assert card.faces[1][1] > 6.0
    assert card.match > 0.4


def test_a_white_back_on_a_white_mat_is_laid_as_its_thin_rings_lie(profile: DeckProfile) -> None:
    """In a light that clips a white mat a back, turned by 9 degrees, was taken for glare on an L4's picture, and then
    for nothing that could be told: by its figure alone it lay at 5 degrees, where its rings were not seen."""
    bank = golden_bank("white-back-on-face", profile, "L4", FACE_DOWN)
    full, gains = np.array([129, 134, 137], np.uint8), root_table(np.array([3.33684, 3.14418, 3.40896]))
    limit = np.array([0.8869, 0.8869, 0.9418], np.float32)
    reading = read_column(bank, golden_column("white-back-on-face", gains, 0.97, full, limit))
    assert [FACES[card.faces[0][0] % bank.count] for card in reading.cards] == ["L4", FACE_DOWN]
    assert reading.margin >= LEAST_MARGIN
    assert np.degrees(reading.cards[-1].place.turn) == pytest.approx(-8.5, abs=1.0)


def test_a_back_that_glare_blows_out_is_told_by_the_figure_that_is_left(profile: DeckProfile) -> None:
    """Traces of rings and of the paper's grain, of which nothing was seen, had outweighed the red 2 on it."""
    bank = golden_bank("blown-out-back", profile, "S2", FACE_DOWN)
    full, gains = np.array([255, 246, 253], np.uint8), root_table(np.array([0.490798, 0.562887, 0.581532]))
    limit = np.array([0.7408, 0.7408, 0.7866], np.float32)
    reading = read_column(bank, golden_column("blown-out-back", gains, 0.966, full, limit))
    assert [FACES[card.faces[0][0] % bank.count] for card in reading.cards] == ["S2", FACE_DOWN]
    assert reading.cards[-1].match > 0.35


def test_a_covered_card_is_told_by_what_shows_of_it_beside_the_one_on_it_too(profile: DeckProfile) -> None:
    """Of a back 9 mm showed above an A4 that lay 11 mm aside of it, and all of its side: it had been told by the strip
    alone, and was in doubt."""
    bank = golden_bank("back-beside", profile, "A4", FACE_DOWN)
    full, gains = np.array([255, 253, 254], np.uint8), root_table(np.array([1.459616, 1.130703, 1.062214]))
    reading = read_column(bank, golden_column("back-beside", gains, 0.932, full))
    assert [FACES[card.faces[0][0] % bank.count] for card in reading.cards] == [FACE_DOWN, "A4"]
    assert reading.cards[0].match > 0.8


def test_a_card_that_goes_well_as_it_is_lies_in_a_stack_though_the_camera_clips_white_ones(
    profile: DeckProfile,
) -> None:
    """Of four white cards on a white mat that anybody could read the third was missed, and the stack was in doubt: as
    the camera clips them, the title was all that was left of it."""
    bank = golden_bank("clipped-stack", profile, "L3", "L5", "S6", FACE_DOWN)
    gains = root_table(np.array([2.4452, 2.2961, 2.4003]))
    limit = np.array([0.5827, 0.5488, 0.5488], np.float32)
    column = golden_column("clipped-stack", gains, 0.8498, np.array([116, 113, 108], np.uint8), limit)
    reading = read_column(bank, column)
    assert [FACES[card.faces[0][0]] for card in reading.cards] == ["L3", "L5", "S6", FACE_DOWN]


@pytest.mark.parametrize(
    ("match", "prints", "told"), [(0.78, (0.69, 0.84), True), (0.78, None, False), (0.66, (0.69, 0.84), False)]
)
def test_a_back_whose_print_is_seen_on_the_uppermost_card_lies_there_though_white_paper_explains_nothing_better(
    match: float, prints: tuple[float, float] | None, told: bool
) -> None:
    """Of three white cards on a white mat that the camera clips the last was missing, for certain: anybody could read
    its 2, and nothing of its paper told it from the one beneath."""
    # Given a card, and a back's header 25 mm below its upper edge, which explains no more there than that card does,
    seen = column_of(2.0)
    costs = np.full(88, -1.0, np.float32)
    below, above = (Placed(SIDE * FINE, (ABOVE + down) * FINE, 0.0) for down in (2.0, 27.0))
    chain = Chain((Candidate(BACK, below, 0.9, 0.9, costs, None),), -88.0, 88.0)
    back = Candidate(BACK, above, match, 0.0, costs, None)
    # then it lies there unread where nothing but a back shows such print, if this deck's does not repeat.
    assert unexplained(seen, chain, [back], prints).hidden == told
