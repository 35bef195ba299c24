"""A mat with a frame or a field printed where each first card lies, seen for the first time."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

import vision.tracking.reader
from engine.names import Theater
from engine.places import PLACES, Place
from vision.cards.column_reading import ColumnReading
from vision.cards.table_beside import ABOVE, SIDE
from vision.profile import DeckProfile
from vision.simulate import CONDITIONS, EMPTY, Deck, SimulatedCamera
from vision.tracking.reader import Reader
from vision.tracking.table_watcher import TableWatcher

ORDER: tuple[Theater, Theater, Theater] = ("S", "A", "L")
FIRST_CARDS = {**EMPTY, ("A", "near"): ("A1",), ("L", "far"): ("-",)}
MANY_CARDS = {
    **FIRST_CARDS,
    ("S", "near"): ("S4", "-"),
    ("S", "far"): ("L6",),
    ("L", "near"): ("-", "S1"),
}
UNREAD = ColumnReading((), 0.0, 99.0, True, True, things_alone=True)
"""A column in which something lies that may be a card, and none was told."""
SEEDS = [1, 2, 6, 8, 9, 10]


def camera_over(deck: Deck, seed: int) -> SimulatedCamera:
    return SimulatedCamera("bright", seed, condition=replace(CONDITIONS["day"], pattern="places"), deck=deck)


@pytest.mark.parametrize("seed", SEEDS)
def test_places_that_are_printed_alike_are_empty(deck: Deck, profile: DeckProfile, seed: int) -> None:
    camera = camera_over(deck, seed)
    for table in (EMPTY, FIRST_CARDS):
        sight = Reader(profile).read(camera.still(table, ORDER)).sight
        assert sight.sure
        assert dict(sight.board) == table


@pytest.mark.parametrize("seed", [1, 2, 10])
def test_a_mat_that_was_seen_empty_is_known_when_hardly_a_place_is_free(
    deck: Deck, profile: DeckProfile, seed: int
) -> None:
    # Given a mat whose places were in doubt as soon as fewer than three of them are free,
    camera = camera_over(deck, seed)
    assert not Reader(profile).read(camera.still(MANY_CARDS, ORDER)).sight.sure
    # when it lies there before the first card, then all that is laid is read for certain, and nobody had to say a word.
    watcher = TableWatcher(profile)
    told = []
    for number, table in enumerate((EMPTY, MANY_CARDS)):
        picture = camera.still(table, ORDER)
        noise = np.random.default_rng(number)
        for frame in range(15):
            grain = noise.integers(-2, 3, picture.shape, dtype=np.int16)
            seen = np.clip(picture + grain, 0, 255).astype(np.uint8)
            sight = watcher.see(seen, (15 * number + frame) / 10)
            told += [] if sight is None else [(dict(sight.board), sight.sure)]
    assert told == [(EMPTY, True), (MANY_CARDS, True)]


@pytest.mark.parametrize("unread", [3, 6])
def test_cards_that_nobody_read_are_no_printed_places(
    deck: Deck, profile: DeckProfile, unread: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Backs all look the same, but nobody lays them down as straight as print lies."""
    read = vision.tracking.reader.read_column
    asked: list[object] = []

    def some_unread(bank: object, column: object, printed: bool) -> ColumnReading:
        asked.append(column)
        return UNREAD if len(asked) <= unread else read(bank, column, printed)  # type: ignore[arg-type]

    monkeypatch.setattr(vision.tracking.reader, "read_column", some_unread)
    backs: dict[Place, tuple[str, ...]] = dict.fromkeys(PLACES, ("-",))
    for condition in ("day", "lamp", "dim"):
        asked.clear()
        camera = SimulatedCamera("bright", 5, condition=condition, deck=deck)
        assert not Reader(profile).read(camera.still(backs, ORDER)).sight.sure


@pytest.mark.parametrize("seed", SEEDS)
def test_what_lies_on_one_of_them_alone_may_hide_a_card(deck: Deck, profile: DeckProfile, seed: int) -> None:
    picture = camera_over(deck, seed).still(EMPTY, ORDER)
    seen = Reader(profile).read(picture)
    left, top = SIDE, ABOVE + 6.0
    corners = np.array([(left, top), (left + 60, top), (left + 60, top + 80), (left, top + 80)], dtype=np.float64)
    on_picture = seen.registration.project(seen.frames["S", "near"].to_table(corners))
    cv2.fillConvexPoly(picture, np.round(on_picture).astype(np.int32), (160, 60, 190))
    sight = Reader(profile).read(picture).sight
    assert not sight.sure
    assert {note.at for note in sight.notes} == {"S/near"}
