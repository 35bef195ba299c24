"""Blank, blown out, torn and resized pictures: none is read, none moves the game, and the table is read again after."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from engine.names import Theater
from engine.sight import Sight, sight_of
from vision.simulate import EMPTY, SimulatedCamera
from vision.sources.defects import DefectCheck
from vision.sources.health import Health
from vision.sources.trouble import Trouble
from vision.tracking.table_watcher import TableWatcher
from vision.types import Picture

FPS = 10
ORDER: tuple[Theater, Theater, Theater] = ("A", "L", "S")
BOARD = {**EMPTY, ("A", "near"): ("A1", "L2"), ("S", "far"): ("-",)}


@pytest.fixture(scope="module")
def pictures() -> list[Picture]:
    camera = SimulatedCamera("bright", 21)
    return [camera.still(BOARD, ORDER) for _ in range(6)]


def white(picture: Picture) -> Picture:
    return np.full_like(picture, 255)


def black(picture: Picture) -> Picture:
    return np.zeros_like(picture)


def torn(share: float) -> Callable[[Picture], Picture]:
    """A picture of which a share arrived; the decoder filled in the rest."""

    def cut(picture: Picture) -> Picture:
        part = picture.copy()
        part[round(len(part) * share) :] = 128
        return part

    return cut


def resized(picture: Picture) -> Picture:
    return np.asarray(cv2.resize(picture, (640, 480), interpolation=cv2.INTER_AREA))


FAULTS: dict[str, Callable[[Picture], Picture]] = {
    "white": white,
    "black": black,
    "torn-0.3": torn(0.3),
    "torn-0.6": torn(0.6),
    "torn-0.9": torn(0.9),
    "resized": resized,
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_defect_is_found_in_the_first_such_picture_and_gone_with_it(pictures: list[Picture], fault: str) -> None:
    check = DefectCheck()
    assert [check.see(p, k / FPS) for k, p in enumerate(pictures)] == [None] * len(pictures)
    assert check.see(FAULTS[fault](pictures[0]), 0.6) is not None
    assert check.see(pictures[1], 0.7) is None


def test_black_bars_and_a_bright_window_from_the_beginning_are_no_defect(pictures: list[Picture]) -> None:
    check = DefectCheck()
    for k in range(30):
        picture = pictures[k % 6].copy()
        picture[:90] = picture[-90:] = 0
        picture[100:300, :500] = 255
        assert check.see(picture, k / FPS) is None


def test_a_lamp_that_stays_on_becomes_part_of_the_room(pictures: list[Picture]) -> None:
    check = DefectCheck()
    check.see(pictures[0], 0.0)
    lit = pictures[1].copy()
    lit[::2, ::2][: lit.shape[0] // 4] = 255
    lit[: lit.shape[0] // 3] = np.maximum(lit[: lit.shape[0] // 3], np.uint8(252))
    assert check.see(lit, 1.0) == "picture-white"
    assert check.see(lit, 7.0) is None


@pytest.mark.parametrize("fault", FAULTS)
def test_the_fault_is_named_within_three_seconds(pictures: list[Picture], fault: str) -> None:
    health = Health("camera 0", 0.0)
    told: list[tuple[str, float]] = []
    for k in range(80):
        picture = pictures[k % 6].copy()
        picture[4::16, 4::16, k % 3] = k
        sent = FAULTS[fault](picture) if k >= 30 else picture
        told += [(i.code, i.t) for i in health.picture(sent, k / FPS) if isinstance(i, Trouble)]
    assert told and told[0][1] <= 3.0 + 3.0, told


class Counting:
    """A reader that says what lies there and counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def read(self, image: Picture, previous: object = None, changed: object = None) -> object:
        from types import MappingProxyType

        from vision.geometry.registration import register
        from vision.tracking.reader import TableReading

        self.asked += 1
        registration = register(image)
        assert registration is not None, "a defective picture was read"
        sight: Sight = sight_of(BOARD, ORDER)
        return TableReading(sight, registration, (None, None, None), (), np.ones(3), MappingProxyType({}))


@pytest.mark.parametrize("fault", FAULTS)
def test_no_sight_comes_of_defective_pictures(pictures: list[Picture], fault: str) -> None:
    """Given a table that was told; when the camera is at fault for a second; then nothing is read or told meanwhile."""
    reader = Counting()
    watcher = TableWatcher(reader=reader)  # type: ignore[arg-type]
    sights = [watcher.see(pictures[k % 6], k / FPS) for k in range(15)]
    assert sum(s is not None for s in sights) == 1
    before = reader.asked
    for k in range(15, 25):
        assert watcher.see(FAULTS[fault](pictures[k % 6]), k / FPS) is None
    assert reader.asked == before
    after = [watcher.see(pictures[k % 6], k / FPS) for k in range(25, 60)]
    assert not any(after)
    assert watcher.state.still
