"""Fits the constants of `vision.doubts` to tables that were read: `./allfronts bench reader.doubts --tables N`.

The fit makes the logarithmic loss of "this very card lies here" least on the even tables; the odd ones tell what it is
worth. Cards that are blown out belong to it: there the reader must doubt.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable, Iterator
from typing import Any, Final

from host.bench.figure import Figure, Measured, Wish
from host.bench.reliability import calibration_error, log_loss
from host.bench.scores import Row
from host.bench.tables import run

TEMPERATURES: Final = (0.5, 0.7, 0.85, 1.0, 1.15, 1.3, 1.5, 1.75, 2.0, 2.4, 2.8, 3.3, 4.0)
BORDERS: Final = (-0.1, -0.05, 0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
SOFT: Final = (0.02, 0.03, 0.045, 0.06, 0.08, 0.1, 0.13)

Constants = tuple[float, tuple[float, float]]
"""`TEMPERATURE`, `UNKNOWN`."""


def doubts_with(rows: Iterable[Row], constants: Constants) -> list[tuple[float, bool]]:
    """Each card's likelihood as it would be said with these constants, and whether the card was right."""
    from vision.doubts import Weighed, believed

    found: list[tuple[float, bool]] = []
    for row in rows:
        for lies, _shape, match, nats, *_ in row["doubts"]:
            card = believed(Weighed(nats, match, False), *constants)
            found.append((card.p, card.read == lies))
    return found


def fitted(rows: list[Any]) -> Constants:
    """The constants of the grid with the least logarithmic loss."""
    grid = itertools.product(TEMPERATURES, itertools.product(BORDERS, SOFT))
    # Most cards are beyond all doubt; they differ little from one set of constants to the next but take all the time.
    return min(grid, key=lambda constants: log_loss(doubts_with(rows, constants)))


def _fit(wish: Wish) -> Iterator[Measured]:
    from vision.doubts import TEMPERATURE, UNKNOWN

    rows = [row for row in run(wish) if row["doubts"]]
    even, odd = ([row for row in rows if row["table"] % 2 == k] for k in (0, 1))
    now: Constants = (TEMPERATURE, UNKNOWN)
    best = fitted(even)
    for name, constants in (("now", now), ("fitted", best)):
        for part, of in (("even", even), ("odd", odd)):
            doubts = doubts_with(of, constants)
            yield Measured(log_loss(doubts), len(doubts), f"{name}/{part}/log-loss-nats")
            yield Measured(100 * calibration_error(doubts), len(doubts), f"{name}/{part}/calibration-error-%")
    yield Measured(best[0], len(even), "TEMPERATURE")
    yield Measured(best[1][0], len(even), "UNKNOWN-border")
    yield Measured(best[1][1], len(even), "UNKNOWN-softness")
    sys.stderr.write(f"vision/doubts.py: TEMPERATURE = {best[0]}, UNKNOWN = {best[1]}\n")


FIGURES: Final = (
    Figure("reader.doubts", "", "what the constants of vision.doubts should be, by the tables read", at_length=_fit),
)
