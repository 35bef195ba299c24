"""What is in the way, as pages show it: said in every language, circled where it lies, a hand never photographed."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from engine.lexicon import LANGUAGES
from engine.names import SEATS, THEATERS
from host.app.obstacles_shown import ObstacleTeller, obstacle_shown
from host.app.still_picture import StillPicture
from host.messages import say
from host.web.page_state import ObstacleShown
from vision.geometry.table import TAG_NAMES
from vision.tracking.obstacles import Obstacle, ObstacleCode

PICTURE = np.zeros((90, 160, 3), np.uint8)
CUP = Obstacle("not-a-card", "S/far", (130.5, 100.0), (100.0, 140.0))
HAND = Obstacle("hand-over", "S/near", (130.5, -100.0), (100.0, 140.0))


class Watcher:
    """A watcher whose obstacles a test sets."""

    obstacles: tuple[Obstacle, ...] = ()
    registration = None


class Still(StillPicture):
    """Counts what it is asked to keep."""

    kept = 0

    def keep(self, image: object, registration: object) -> None:
        self.kept += 1


def test_each_change_is_told_once_and_a_hand_is_not_photographed() -> None:
    told: list[tuple[ObstacleShown, ...]] = []
    watcher, still = Watcher(), Still()
    teller = ObstacleTeller(watcher, told.append, still)  # type: ignore[arg-type]
    for watcher.obstacles in ((), (CUP,), (CUP,), (HAND,), ()):
        teller.seen(PICTURE)
    assert [[one.code for one in now] for now in told] == [["not-a-card"], ["hand-over"], []]
    assert still.kept == 1


def test_the_ring_lies_in_the_picture_as_the_near_seat_sees_it() -> None:
    shown = obstacle_shown(CUP)
    # Far is at the top, and the third board at the right.
    assert 0.5 < shown.left < shown.left + shown.width < 1
    assert 0 < shown.top < shown.top + shown.height < 0.5
    assert shown.parts == {"theater": "S", "seat": "far"}
    assert obstacle_shown(Obstacle("hand-over", "", (0, 0), (380, 100))).code == "hand-over-boards"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_obstacle_is_said(language: str) -> None:
    for code in get_args(ObstacleCode):
        everywhere = code in ("no-boards", "hand-over")
        places = (
            TAG_NAMES
            if code == "tag-covered"
            else [""]
            if everywhere
            else [f"{t}/{s}" for t in THEATERS for s in SEATS]
        )
        for at in places:
            shown = obstacle_shown(Obstacle(code, at, (0.0, 0.0), (9.0, 9.0), "A3"))
            text = say(language, "obstacle", shown.code, shown.parts)
            assert "{" not in text
            assert len(text) > 20
    hand = obstacle_shown(HAND)
    assert "{" not in say(language, "obstacle", hand.code, hand.parts)
