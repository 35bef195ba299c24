"""Figures of the reader's needs: time by stage, learning a deck, memory. `host.bench.tables` has how right it is."""

from __future__ import annotations

import resource
import time
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from engine.names import THEATERS
from engine.sight import PLACES
from host.bench.drawn import deck_of, learnt, random_table
from host.bench.figure import Figure, Measured, seconds


def _look(scale: float) -> Iterator[Measured]:
    """A full look at 1920 x 1080 by stage, and a look at one changed column; one core, after decoding."""
    import cv2
    import numpy as np

    from vision.reader import Reader
    from vision.simulate import SimulatedCamera

    cv2.setNumThreads(1)
    reader = Reader(learnt("bright", 1))
    board = random_table(np.random.default_rng(3))
    image = SimulatedCamera("bright", 3, condition="day", deck=deck_of("bright", 1)).still(board, THEATERS)
    first = reader.read(image)
    n = max(3, round(40 * scale))
    yield Measured(1000 * seconds(lambda: reader.read(image), n), n, "full")
    fullest = max(PLACES, key=lambda place: len(board[place]))
    yield Measured(1000 * seconds(lambda: reader.read(image, first, [fullest]), n), n, "one-column")
    stages: defaultdict[str, list[float]] = defaultdict(list)
    for _ in range(n):
        for name, ms in reader.read(image).timings.items():
            stages[name].append(ms)
    for name, taken in stages.items():
        yield Measured(sorted(taken)[len(taken) // 2], n, f"full-{name}")


def _enrol(scale: float) -> Iterator[Measured]:
    import cv2

    from vision.enrol import enrol
    from vision.simulate import SimulatedCamera

    cv2.setNumThreads(1)
    photos = SimulatedCamera("bright", 1, condition="day").enrolment_photos()
    started = time.perf_counter()
    enrol(photos["air"], photos["land"], photos["sea"], photos["back"])
    yield Measured(time.perf_counter() - started, 1)


def _memory(scale: float) -> Iterator[Measured]:
    """The most that this process has held so far: run it alone for the reader's own need."""
    import numpy as np

    from vision.reader import Reader
    from vision.simulate import SimulatedCamera

    reader = Reader(learnt("bright", 1))
    board = random_table(np.random.default_rng(3))
    reader.read(SimulatedCamera("bright", 3, condition="day", deck=deck_of("bright", 1)).still(board, THEATERS))
    yield Measured(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)


FIGURES: Final = (
    Figure("reader.look", "ms", "one look at 1920 x 1080 on one core, by stage; and at one changed column", _look),
    Figure("reader.enrol", "s", "learning a deck from four photographs", _enrol),
    Figure(
        "reader.memory", "MB", "the most memory held up to a look, simulated camera included; run it alone", _memory
    ),
)
