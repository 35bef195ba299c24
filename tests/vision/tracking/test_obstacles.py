"""What is in the way of a reading is named, with where it lies: a cup, an arm, the lamp, the dark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

import cv2
import numpy as np
import pytest

from engine.names import THEATERS
from engine.places import PLACES, Place
from engine.sight import Note, SeenCard, Sight
from vision.profile import DeckProfile
from vision.simulate import EMPTY, Deck, SimulatedCamera
from vision.tracking.obstacles import Obstacle, obstacles
from vision.tracking.reader import Reader, TableReading
from vision.tracking.table_watcher import TableWatcher
from vision.types import Picture

FPS = 10
BOARD = {**EMPTY, ("A", "near"): ("A1",), ("L", "near"): ("L3",), ("S", "near"): ("S4",)}


class Watched:
    """A watcher over a simulated table, on which things are put down that are no cards."""

    def __init__(self, deck: Deck, profile: DeckProfile) -> None:
        self.watcher = TableWatcher(profile)
        self.table = SimulatedCamera("bright", 21, condition="day", deck=deck).still(BOARD, THEATERS)
        self._noise = np.random.default_rng(1)
        self._frames = 0
        self.sees(self.table, 1.5)

    def sees(self, picture: Picture, seconds: float) -> None:
        for _ in range(round(seconds * FPS)):
            noise = self._noise.integers(-2, 3, picture.shape, dtype=np.int16)
            self.watcher.see(np.clip(picture + noise, 0, 255).astype(np.uint8), self._frames / FPS)
            self._frames += 1

    def with_cup(self, x: float, y: float) -> Picture:
        """A cup, 80 mm wide, whose middle is at a point of the table, mm."""
        picture = self.table.copy()
        for radius, colour in ((40, (60, 70, 200)), (34, (240, 240, 240)), (30, (20, 40, 70))):
            cv2.circle(picture, self._at(x, y), round(radius * self._scale), colour, -1, cv2.LINE_AA)
        return picture

    def with_arm(self, x: float, y: float) -> Picture:
        """An arm from beyond the near edge of the picture to a point of the table."""
        picture = self.table.copy()
        cv2.line(picture, self._at(x, y), self._at(x + 40, -1500.0), (90, 110, 160), round(60 * self._scale))
        return picture

    def with_leaflet(self, x: float, y: float) -> Picture:
        """A red leaflet, 210 x 150 mm, whose middle is at a point of the table, mm."""
        picture = self.table.copy()
        corners = [self._at(x + right, y + up) for right, up in ((-105, 75), (105, 75), (105, -75), (-105, -75))]
        cv2.fillPoly(picture, [np.array(corners, np.int32)], (60, 70, 150), cv2.LINE_AA)
        return picture

    @property
    def _scale(self) -> float:
        registration = self.watcher.registration
        assert registration is not None
        return registration.pose.scale

    def _at(self, x: float, y: float) -> tuple[int, int]:
        registration = self.watcher.registration
        assert registration is not None
        px = registration.project(np.array([[x, y]]))[0]
        return round(float(px[0])), round(float(px[1]))


@pytest.fixture
def watched(deck: Deck, profile: DeckProfile) -> Watched:
    return Watched(deck, profile)


def named(found: Sequence[Obstacle]) -> list[tuple[str, str]]:
    return [(one.code, one.at) for one in found]


def around(obstacle: Obstacle, x: float, y: float) -> bool:
    """Whether the ring holds that point of the table."""
    return abs(x - obstacle.middle[0]) < obstacle.size[0] / 2 and abs(y - obstacle.middle[1]) < obstacle.size[1] / 2


def test_a_cup_is_in_the_way_where_it_stands_and_until_it_is_gone(watched: Watched) -> None:
    assert watched.watcher.obstacles == ()
    watched.sees(watched.with_cup(130.0, 100.0), 2.0)
    assert named(watched.watcher.obstacles) == [("not-a-card", "S/far")]
    assert around(watched.watcher.obstacles[0], 130.0, 100.0)
    watched.sees(watched.table, 2.0)
    assert watched.watcher.obstacles == ()


def test_a_leaflet_over_cards_is_in_the_way_though_nothing_else_is_seen_there(watched: Watched) -> None:
    """It reached beyond the place, to the side of the next one, and the place was empty for certain."""
    # Given a leaflet that could be a hand and an arm at first
    watched.sees(watched.with_leaflet(115.0, -122.0), 3.0)
    assert {code for code, _ in named(watched.watcher.obstacles)} == {"hand-over"}
    # and that lies there still; then it is a thing over the cards of one place until it is gone.
    watched.sees(watched.with_leaflet(115.0, -122.0), 3.0)
    assert named(watched.watcher.obstacles) == [("not-a-card", "S/near")]
    assert around(watched.watcher.obstacles[0], 130.0, -110.0)
    watched.sees(watched.table, 5.0)
    assert watched.watcher.obstacles == ()


def test_nothing_is_in_the_way_of_a_table_that_is_not_seen(watched: Watched) -> None:
    """Given a cup that is in the way; when fog hides the table; then the cup is told no longer, but the fog."""
    cup = watched.with_cup(130.0, 100.0)
    watched.sees(cup, 2.0)
    assert named(watched.watcher.obstacles) == [("not-a-card", "S/far")]
    watched.watcher.notices()
    watched.sees(np.asarray(cv2.addWeighted(cup, 0.3, np.full_like(cup, 200), 0.7, 0)), 3.0)
    assert [notice.code for notice in watched.watcher.notices()] == ["low-contrast"]
    assert watched.watcher.obstacles == ()


def test_a_cup_over_a_tag_is_told_where_an_arm_would_have_gone(watched: Watched) -> None:
    watched.sees(watched.with_cup(185.0, 272.0), 5.0)
    assert named(watched.watcher.obstacles) == [("tag-covered", "far right")]
    assert around(watched.watcher.obstacles[0], 185.0, 272.0)


def test_an_arm_that_rests_over_the_cards_is_told_and_one_that_moves_on_is_not(watched: Watched) -> None:
    watched.sees(watched.with_arm(130.0, -120.0), 1.0)
    assert watched.watcher.obstacles == ()
    watched.sees(watched.with_arm(130.0, -120.0), 2.0)
    assert named(watched.watcher.obstacles) == [("hand-over", "S/near")]
    watched.sees(watched.table, 2.0)
    assert watched.watcher.obstacles == ()


@pytest.fixture(scope="module")
def read(deck: Deck, profile: DeckProfile) -> tuple[Picture, TableReading]:
    picture = SimulatedCamera("bright", 21, condition="day", deck=deck).still(BOARD, THEATERS)
    return picture, Reader(profile).read(picture)


def doubting(reading: TableReading, place: Place, card: SeenCard) -> TableReading:
    """The same table with a doubt about the first card at a place."""
    stacks = MappingProxyType({p: (card,) if p == place else reading.sight.stacks.get(p, ()) for p in PLACES})
    notes = (Note("doubtful", f"{place[0]}/{place[1]}/0"),)
    return replace(reading, sight=Sight(reading.sight.order, stacks, False, notes))


def test_why_a_card_is_in_doubt(read: tuple[Picture, TableReading]) -> None:
    picture, reading = read
    maneuver = doubting(reading, ("L", "near"), SeenCard("L3", 0.6, (("A3", 0.3), ("S3", 0.1))))
    assert [(one.code, one.card) for one in obstacles(picture, maneuver)] == [("alike", "L3")]
    # In the dark it is the dark that hides the colour, under the lamp's shine the shine that hides the card.
    dark = (picture * 0.15).astype(np.uint8)
    assert [one.code for one in obstacles(dark, maneuver)] == ["alike-dark"]
    corners = next(line.corners for line in reading.outlines if line.at == "L/near/0")
    shining = picture.copy()
    cv2.circle(shining, tuple(int(v) for v in corners.mean(0)), 60, (255, 255, 255), -1)
    assert [one.code for one in obstacles(shining, maneuver)] == ["shine"]
    # What is clipped where a Maneuver has its hue is too much light, not a lamp over the card.
    bright = picture.copy()
    rows = corners[[3, 2]] - corners[[0, 1]]
    header = np.vstack([corners[[0, 1]], (corners[[0, 1]] + 0.2 * rows)[::-1]])
    cv2.fillPoly(bright, [np.round(header).astype(np.int32)], (255, 255, 255))
    assert [(one.code, one.card) for one in obstacles(bright, maneuver)] == [("alike-bright", "L3")]
    bent = doubting(reading, ("L", "near"), SeenCard("L3", 0.6, (("A5", 0.3),)))
    assert named(obstacles(picture, bent)) == [("unread", "L/near")]


def test_a_board_that_is_not_seen_is_named(read: tuple[Picture, TableReading]) -> None:
    picture, reading = read
    sight = replace(reading.sight, order=None, sure=False, notes=(Note("board-missing", "A"),))
    boards = (None, reading.boards[1], reading.boards[2])
    (found,) = obstacles(picture, replace(reading, sight=sight, boards=boards))
    assert (found.code, found.at) == ("board-unseen", "A")
    assert around(found, -130.5, 0.0)


def test_another_decks_boards_are_none_of_this_decks(read: tuple[Picture, TableReading]) -> None:
    picture, reading = read
    notes = tuple(Note("board-missing", theater) for theater in THEATERS)
    sight = replace(reading.sight, order=None, sure=False, notes=notes)
    found = obstacles(picture, replace(reading, sight=sight, boards=(None, None, None)))
    assert named(found) == [("no-boards", "")]
