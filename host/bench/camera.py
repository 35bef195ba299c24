"""Figures of the camera's side: the motion gate, the table watcher on a film, and the simulated camera itself."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from typing import Final

from engine.names import SEATS, Theater
from engine.places import Place
from engine.sight import sight_of
from host.bench.figure import Figure, Measured, seconds

ORDER: Final[tuple[Theater, Theater, Theater]] = ("S", "A", "L")


def _gate(scale: float) -> Iterator[Measured]:
    import cv2

    from vision.simulate import EMPTY, SimulatedCamera
    from vision.tracking.motion_gate import MotionGate

    cv2.setNumThreads(1)
    camera = SimulatedCamera("bright", 1, condition="day")
    pictures = [camera.still(EMPTY, ORDER) for _ in range(8)]
    gate = MotionGate()
    turn = itertools.count()

    def look() -> None:
        k = next(turn)
        gate.see(pictures[k % len(pictures)], k / 30)

    n = max(10, round(150 * scale))
    yield Measured(1000 * seconds(look, n), n)


def _simulate(scale: float) -> Iterator[Measured]:
    import cv2

    from vision.simulate import EMPTY, FilmStep, SimulatedCamera

    cv2.setNumThreads(1)
    camera = SimulatedCamera("bright", 1)
    boards = [EMPTY, {**EMPTY, ("A", "near"): ("A1",)}, {**EMPTY, ("A", "near"): ("A1",), ("L", "far"): ("-",)}]
    steps = [FilmStep(board, ORDER, SEATS[k % 2], 1.0) for k, board in enumerate(boards)]
    taken: list[float] = []
    film = camera.film(steps)
    while True:
        started = time.perf_counter()
        if next(film, None) is None:
            break
        taken.append(1000 * (time.perf_counter() - started))
    taken.sort()
    yield Measured(taken[len(taken) // 2], len(taken), "median")
    yield Measured(taken[int(len(taken) * 0.95)], len(taken), "p95")


def _watcher(scale: float) -> Iterator[Measured]:
    """A simulated 1080p film of a battle's first moves, drawn beforehand, followed by the table watcher on one core."""
    import cv2

    from engine.names import CARDS
    from vision.enrolment.enrol import enrol
    from vision.simulate import EMPTY, FilmStep, SimulatedCamera
    from vision.tracking.table_watcher import TableWatcher

    cv2.setNumThreads(1)
    camera = SimulatedCamera("bright", 2, condition="day")
    photos = camera.enrolment_photos()
    profile = enrol(*(photos[name] for name in ("air", "land", "sea", "back")))
    board = dict(EMPTY)
    steps = [FilmStep(dict(board), ORDER, None, 1.5)]
    for k in range(max(3, round(12 * scale))):
        place: Place = (ORDER[k % 3], SEATS[k % 2])
        board[place] = (*board[place], "-" if k % 3 == 2 else CARDS[k])
        steps.append(FilmStep(dict(board), ORDER, SEATS[k % 2], 1.5))
    watcher = TableWatcher(profile)
    spent, waits, right, began, step, count = 0.0, [], 0, 0.0, None, 0
    for frame in camera.film(steps, fps=15):
        if frame.still is not None and frame.still != step:
            began, step = frame.t, frame.still
        started = time.perf_counter()
        sight = watcher.see(frame.image, frame.t)
        spent += time.perf_counter() - started
        count += 1
        if sight is not None and step is not None and sight.board == sight_of(steps[step].board, ORDER).board:
            right += 1
            waits.append(frame.t - began)
    yield Measured(count / 15 / spent, count, "times-real-time")
    yield Measured(100 * right / len(steps), len(steps), "tables-right-percent")
    if waits:
        yield Measured(max(waits), len(waits), "hand-out-to-sight-worst-s")


FIGURES: Final = (
    Figure("camera.gate", "ms", "the gate on one 1920 x 1080 frame, one core", _gate),
    Figure("camera.simulate", "ms", "one frame of a simulated film, 1280 x 720, one core, JPEG included", _simulate),
    Figure(
        "camera.watcher", "mixed", "a simulated 1080p film at 15 fps on one core: speed, right tables, delay", _watcher
    ),
)
