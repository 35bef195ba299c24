"""What a figure is, and how a duration is taken: median of n, best of three runs, one OpenCV thread."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Measured:
    """One measured value. `name` may add a part to the figure's own name, such as a stage or a condition."""

    value: float
    n: int
    part: str = ""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the one who asks wants measured, for figures that take long."""

    scale: float = 1.0
    """Share of the usual count, 0..1."""
    tables: int | None = None
    """How many tables instead."""
    seed: int = 1
    processes: int = 1
    only: tuple[int, ...] = ()
    """Just these tables."""
    keep: Path | None = None
    """Where pictures of what went wrong are kept."""
    pictures: Path | None = None
    """Where drawn pictures are kept for the next run."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that `allfronts bench` knows: `measure` takes a scale in 0..1 (1 = the full count), `at_length` all of
    the wish."""

    name: str
    unit: str
    what: str
    measure: Callable[[float], Iterator[Measured]] | None = None
    at_length: Callable[[Wish], Iterator[Measured]] | None = None

    def measured(self, wish: Wish) -> Iterator[Measured]:
        """Its values."""
        if self.at_length is not None:
            return self.at_length(wish)
        return iter(()) if self.measure is None else self.measure(wish.scale)


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
