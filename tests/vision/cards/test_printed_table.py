"""A mat that is printed all over, seen for the first time: this deck's cards tell its print from cards not read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

import vision.tracking.reader
from engine.names import FACE_DOWN, Theater
from engine.places import Place
from tests.vision.lying_card import laid
from vision.cards import printed_table
from vision.cards.column import Column
from vision.cards.column_reading import ColumnReading
from vision.cards.read_column import read_column
from vision.cards.table_beside import ABOVE, SIDE
from vision.cards.templates import Bank
from vision.geometry import table as geometry
from vision.profile import SCALE, DeckProfile
from vision.simulate import CONDITIONS, EMPTY, Deck, SimulatedCamera
from vision.simulate.mats import MatPattern
from vision.tracking.reader import Reader

ORDER: tuple[Theater, Theater, Theater] = ("S", "A", "L")
TABLE = {
    **EMPTY,
    ("A", "near"): ("A1", "L2"),
    ("L", "far"): ("S4", "-", "A5"),
    ("S", "far"): ("L6",),
    ("L", "near"): ("-", "S1"),
}
UNREAD = ColumnReading((), 0.0, 99.0, True, True, things_alone=True)
"""A column in which something lies that may be a card, and none was told."""
Seeing = Callable[[Bank, Column, bool], ColumnReading]


def camera_over(deck: Deck, seed: int, pattern: MatPattern = "picture") -> SimulatedCamera:
    return SimulatedCamera("bright", seed, condition=replace(CONDITIONS["day"], pattern=pattern), deck=deck)


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_table_on_it_is_certain_at_first_sight(deck: Deck, profile: DeckProfile, seed: int) -> None:
    sight = Reader(profile).read(camera_over(deck, seed).still(TABLE, ORDER)).sight
    assert dict(sight.board) == TABLE
    assert sight.sure
    assert not sight.notes


def without(number: int) -> Seeing:
    """Reads all columns but one, counted in the order in which they are first read."""
    asked: list[Column] = []

    def read(bank: Bank, column: Column, printed: bool) -> ColumnReading:
        if not any(column is one for one in asked):
            asked.append(column)
        return UNREAD if asked[number : number + 1] == [column] else read_column(bank, column, printed)

    return read


def test_what_is_print_of_such_a_mat_is_not_searched_for_cards(
    deck: Deck, profile: DeckProfile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each column of a table on one was searched by print, by edges and without highlights: half a second a look."""
    asked: list[bool] = []

    def read(bank: Bank, column: Column, printed: bool) -> ColumnReading:
        asked.append(printed)
        return read_column(bank, column, printed)

    monkeypatch.setattr(vision.tracking.reader, "read_column", read)
    assert Reader(profile).read(camera_over(deck, 2).still(TABLE, ORDER)).sight.sure
    assert asked == [True] * 6


@pytest.mark.parametrize(("seed", "pattern"), [(1, "picture"), (3, "picture"), (5, "checked"), (6, "printed")])
def test_a_card_that_was_not_read_is_not_taken_for_its_print(
    deck: Deck, profile: DeckProfile, seed: int, pattern: MatPattern, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = camera_over(deck, seed, pattern).still(TABLE, ORDER)
    places: list[Place] = [(theater, seat) for theater in ORDER for seat in ("near", "far")]
    for number, place in enumerate(places):
        monkeypatch.setattr(vision.tracking.reader, "read_column", without(number))
        reading = Reader(profile).read(picture)
        assert list(reading.columns) == places
        told = reading.sight.sure
        # What was not read was asked about where cards lie, and where none do the table is certain.
        assert told == (not TABLE[place]), place


@pytest.mark.parametrize("share", [0.95, 0.3], ids=["as large as a card", "smaller than one"])
def test_on_a_cloth_a_thing_hides_a_card_only_where_it_is_as_large(
    deck: Deck, profile: DeckProfile, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a cloth of a few colours a thing is no print; but a card would hide more of those than a small one does."""
    picture = camera_over(deck, 5, "checked").still(TABLE, ORDER)
    seen = Reader(profile).read(picture)
    assert seen.sight.sure
    place: Place = ("S", "near")
    w, h = geometry.CARD
    left, top = SIDE, ABOVE + 6.0
    right, bottom = left + w, top + h * share
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], dtype=np.float64)
    on_picture = seen.registration.project(seen.frames[place].to_table(corners))
    cv2.fillConvexPoly(picture, np.round(on_picture).astype(np.int32), (160, 60, 190))
    monkeypatch.setattr(vision.tracking.reader, "read_column", without(0))
    sight = Reader(profile).read(picture).sight
    assert not sight.stacks[place]
    assert sight.sure == (share < 0.5)


@pytest.mark.parametrize(
    ("pattern", "seed", "aside"),
    [("checked", 5, 28.0), ("checked", 8, -24.0), ("printed", 5, 24.0), ("printed", 6, -28.0)],
)
def test_a_back_that_is_laid_far_aside_leaves_its_place_in_doubt(
    deck: Deck, profile: DeckProfile, pattern: MatPattern, seed: int, aside: float
) -> None:
    """What is next to a column's cards is taken for the mat: of 294 cards far aside or far out on such mats a third
    were none for certain."""
    camera = camera_over(deck, seed, pattern)
    picture = camera.still(TABLE, ORDER)
    seen = Reader(profile).read(picture)
    place: Place = ("S", "near")
    assert seen.sight.sure and not TABLE[place]
    laid(picture, seen, place, profile.faces[FACE_DOWN], SIDE + aside, ABOVE + 6.0)
    sight = Reader(profile).read(picture).sight
    assert sight.stacks[place] or not sight.sure


@pytest.mark.parametrize("paper", [200, 255])
@pytest.mark.parametrize("seed", [5, 6, 9])
def test_a_back_of_which_a_lamp_leaves_nothing_but_its_rim_is_no_print(
    deck: Deck, profile: DeckProfile, seed: int, paper: int
) -> None:
    """Its print goes with nothing that is seen, as a mat's own does: beside bars of light that made a table look
    printed, a back that anybody could see was an empty place for certain."""
    # Given a table on a printed mat, and a back on it that is blown out but for its rim,
    picture = camera_over(deck, seed, "printed").still(TABLE, ORDER)
    seen = Reader(profile).read(picture)
    place: Place = ("S", "near")
    assert seen.sight.sure and not TABLE[place]
    blown_out, rim = np.full_like(profile.faces[FACE_DOWN], 40), round(4 * SCALE)
    blown_out[rim:-rim, rim:-rim] = paper
    laid(picture, seen, place, blown_out, SIDE, ABOVE + 6.0)
    # then it is read, or its place is in doubt.
    sight = Reader(profile).read(picture).sight
    assert sight.stacks[place] or not sight.sure


class Seen:
    """What is asked of a column where only its table matters."""

    def __init__(self, patterned: bool) -> None:
        self.patterned = patterned


@pytest.mark.parametrize(
    ("patterned", "fit", "best", "another"),
    [
        (True, (0.55, -0.01), 0.96, True),
        (True, (0.55, 0.7), 0.96, False),
        (True, (0.47, 0.14), 0.51, False),
        (False, (0.55, -0.01), 0.96, False),
    ],
    ids=["a back further down", "it is seen itself", "faint print", "a table of one colour"],
)
def test_a_card_that_is_seen_whole_further_down_is_the_uppermost(
    patterned: bool, fit: tuple[float, float], best: float, another: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two olive backs on an olive cloth were one for certain, the upper of which was the cloth."""
    monkeypatch.setattr(printed_table, "best_fit", lambda bank, column: best)
    reading = replace(UNREAD, uppermost_fit=fit)
    assert printed_table.another_is_whole(None, Seen(patterned), reading) == another  # type: ignore[arg-type]
