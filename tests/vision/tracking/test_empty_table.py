"""A mat that is printed all over: how it looked when nothing lay there tells its print from cards not read."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
import pytest

from engine.names import Theater
from engine.places import PLACES, Place
from engine.sight import Sight
from vision.profile import DeckProfile
from vision.simulate import CONDITIONS, EMPTY, Deck, SimulatedCamera
from vision.tracking.obstacles import obstacles
from vision.tracking.reader import Reader
from vision.tracking.table_watcher import TableWatcher
from vision.types import Picture

ORDER: tuple[Theater, Theater, Theater] = ("S", "A", "L")
TABLE = {**EMPTY, ("A", "near"): ("A1", "L2"), ("S", "near"): ("-",)}
FPS = 10


def camera_over(deck: Deck, seed: int = 25) -> SimulatedCamera:
    """A camera over a mat with fields, lakes and frames as large as cards."""
    return SimulatedCamera("bright", seed, condition=replace(CONDITIONS["day"], pattern="map"), deck=deck)


@pytest.fixture
def printed(deck: Deck) -> SimulatedCamera:
    return camera_over(deck)


@pytest.fixture
def doubted(deck: Deck) -> SimulatedCamera:
    """A camera over a mat of which a place without cards is in doubt with cards on others, too."""
    return camera_over(deck, seed=37)


def learnt(reader: Reader, empty: Picture, places: Collection[Place] = PLACES) -> Reader:
    reader.learn_empty(empty, reader.read(empty), places)
    return reader


def test_once_it_was_seen_empty_a_printed_mat_is_no_card(doubted: SimulatedCamera, profile: DeckProfile) -> None:
    # Given a mat whose print was in doubt, as it may be cards that were not read,
    empty = doubted.still(EMPTY, ORDER)
    reader = Reader(profile)
    sight = reader.read(empty).sight
    assert not sight.sure and not any(sight.stacks.values())
    assert not reader.read(doubted.still(TABLE, ORDER)).sight.sure
    # and which somebody said lay empty; then cards on it are read for certain, in less light, too,
    learnt(reader, empty)
    for doubted.brightness in (1.0, 0.7):
        sight = reader.read(doubted.still(TABLE, ORDER)).sight
        assert sight.sure
        assert dict(sight.board) == TABLE
        # and so is that none lies there.
        sight = reader.read(doubted.still(EMPTY, ORDER)).sight
        assert sight.sure and not any(sight.stacks.values())


def test_another_mat_than_the_one_that_was_learnt_hides_no_card(deck: Deck, profile: DeckProfile) -> None:
    reader = learnt(Reader(profile), camera_over(deck, seed=25).still(EMPTY, ORDER))
    for seed in (26, 27, 28):
        assert dict(reader.read(camera_over(deck, seed).still(TABLE, ORDER)).sight.board) == TABLE


def test_what_was_learnt_of_one_place_tells_nothing_of_others(printed: SimulatedCamera, profile: DeckProfile) -> None:
    empty = printed.still(EMPTY, ORDER)
    doubted = {note.at for note in Reader(profile).read(empty).sight.notes}
    assert {"A/near", "S/near"} <= doubted
    reader = learnt(Reader(profile), empty, [("A", "near")])
    assert {note.at for note in reader.read(empty).sight.notes} == doubted - {"A/near"}
    # What is learnt later is known beside it.
    learnt(reader, empty, [(at[0], at[2:]) for at in doubted - {"A/near"}])  # type: ignore[misc]
    assert reader.read(empty).sight.sure


def test_a_card_that_was_taken_for_the_mat_is_read_once_it_is_moved(
    printed: SimulatedCamera, profile: DeckProfile
) -> None:
    """Somebody says by mistake that nothing lies there: what is laid anew is seen all the same."""
    picture = printed.still(TABLE, ORDER)
    reader = Reader(profile)
    reading = reader.read(picture)
    reader.learn_empty(picture, replace(reading, columns={}), PLACES)
    printed.clear()
    assert dict(reader.read(printed.still(TABLE, ORDER)).sight.board) == TABLE


class Watched:
    """A watcher over a mat that may be printed all over."""

    def __init__(self, camera: SimulatedCamera, profile: DeckProfile) -> None:
        self.watcher = TableWatcher(profile)
        self._camera, self._frames = camera, 0

    def sees(self, table: dict[Place, tuple[str, ...]], seconds: float) -> list[Sight]:
        told = []
        picture = self._camera.still(table, ORDER)
        noise = np.random.default_rng(1)
        for _ in range(round(seconds * FPS)):
            grain = noise.integers(-2, 3, picture.shape, dtype=np.int16)
            frame = np.clip(picture + grain, 0, 255).astype(np.uint8)
            sight = self.watcher.see(frame, self._frames / FPS)
            self._frames += 1
            if sight is not None:
                told.append(sight)
        return told


def test_players_say_that_nothing_lies_there_and_are_asked_no_more(
    printed: SimulatedCamera, profile: DeckProfile
) -> None:
    # Given a table of which places without cards are in doubt,
    table = Watched(printed, profile)
    (before,) = table.sees(EMPTY, 1.5)
    assert not before.sure
    assert table.watcher.obstacles and all(one.may_be_mat for one in table.watcher.obstacles)
    # when a player says that nothing lies there,
    table.watcher.say_empty(PLACES)
    # then that is certain, and cards that are laid are read.
    (after,) = table.sees(EMPTY, 1.0)
    assert after.sure and not any(after.stacks.values())
    assert table.watcher.obstacles == ()
    assert [(dict(sight.board), sight.sure) for sight in table.sees(TABLE, 1.5)] == [(TABLE, True)]


def test_where_a_card_is_read_the_mat_beside_it_is_learnt(doubted: SimulatedCamera, profile: DeckProfile) -> None:
    # Given cards on a mat that nobody showed empty,
    table = Watched(doubted, profile)
    assert {sight.sure for sight in table.sees(TABLE, 1.5)} == {False}
    # when a player says that nothing else lies there, then they are read for certain, and so are those laid on them.
    table.watcher.say_empty(PLACES)
    assert [(dict(sight.board), sight.sure) for sight in table.sees(TABLE, 1.5)] == [(TABLE, True)]
    more = {**TABLE, ("S", "near"): ("-", "S5"), ("L", "near"): ("A4",)}
    assert [(dict(sight.board), sight.sure) for sight in table.sees(more, 1.5)] == [(more, True)]


def test_a_patterned_table_that_is_surely_empty_is_learnt_without_a_word(deck: Deck, profile: DeckProfile) -> None:
    """On this mat an empty table is certain, and a place beside a stack was in doubt."""
    camera = camera_over(deck, seed=45)
    assert not Reader(profile).read(camera.still(TABLE, ORDER)).sight.sure
    table = Watched(camera, profile)
    assert [sight.sure for sight in table.sees(EMPTY, 1.5)] == [True]
    assert [(dict(sight.board), sight.sure) for sight in table.sees(TABLE, 1.5)] == [(TABLE, True)]


@pytest.mark.parametrize(("seed", "place"), [(33, "S/near"), (37, "L/far")], ids=["beside a card", "on its own"])
def test_what_may_be_the_mat_is_what_is_no_card(deck: Deck, profile: DeckProfile, seed: int, place: str) -> None:
    picture = camera_over(deck, seed).still(TABLE, ORDER)
    found = obstacles(picture, Reader(profile).read(picture))
    assert {(one.code, one.at) for one in found if one.may_be_mat} == {("not-a-card", place)}
