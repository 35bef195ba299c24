"""What a figure is, and how a duration is taken: median of n, best of three runs, one OpenCV thread."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measured:
    """One measured value. `name` may add a part to the figure's own name, such as a stage or a condition."""

    value: float
    n: int
    part: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that `allfronts bench` knows. `measure` takes a scale in 0..1 (1 = the full count)."""

    name: str
    unit: str
    what: str
    measure: Callable[[float], Iterator[Measured]]


def seconds(work: Callable[[], object], n: int, runs: int = 3) -> float:
    """Median seconds of `n` calls of `work`, the best of `runs` runs, after one call to warm up."""
    work()
    medians: list[float] = []
    for _ in range(runs):
        taken: list[float] = []
        for _ in range(n):
            started = time.perf_counter()
            work()
            taken.append(time.perf_counter() - started)
        medians.append(statistics.median(taken))
    return min(medians)
