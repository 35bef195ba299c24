"""Fits the constants of `vision.cards.calibration` to tables that were read.

Run it by `./allfronts bench reader.doubts --tables N`.

The fit makes the logarithmic loss of "this very card lies here" least on the even tables; the odd ones tell what it is
worth. Cards that are blown out belong to it: there the reader must doubt. Stacks of which a card was missed do not:
which card lies in its place is then another question than which card this is. Other games' cards belong to it too,
which none of the faces is.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from host.bench.elsewhere import strangers
from host.bench.figure import Figure, Measured, Wish
from host.bench.reliability import LEAST, calibration_error, log_loss
from host.bench.scores import Row
from host.bench.tables import FACES_KEPT, run

if TYPE_CHECKING:
    from vision.cards.calibration import Doubt

TEMPERATURES: Final = (0.5, 0.6, 0.7, 0.85, 1.0, 1.15, 1.3, 1.5, 1.75, 2.0, 2.4, 2.8, 3.3, 4.0)
HUES: Final = (0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 1.3, 1.7, 2.2, 3.0, 5.0)
BORDERS: Final = (0.2, 0.25, 0.3, 0.35)
"""No higher: cards in dim light on photographs match at 0.45 and are themselves, which simulated ones seldom do."""
SOFT: Final = (0.03, 0.04, 0.05, 0.06, 0.08)

STRANGERS: Final = 8
"""Pictures of other games' cards: few, for such things seldom lie there."""


def doubts_with(rows: Iterable[Row], doubt: Doubt) -> list[tuple[float, bool]]:
    """Each card's likelihood as it would be said, and whether the card was right."""
    from vision.cards.calibration import Weighed, believed

    found: list[tuple[float, bool]] = []
    for row in rows:
        for lies, shape, match, nats, more in row["doubts"]:
            if not shape:
                continue
            card = believed(Weighed(nats, match, more["hue"]), doubt)
            found.append((card.p, card.read == lies))
    return found


class _Cards:
    """The cards of many tables as arrays: the same as `believed`, fast enough to be tried a thousand times."""

    def __init__(self, rows: Iterable[Row]) -> None:
        import numpy as np

        from vision.cards.calibration import HUE_FREE

        cards = [(lies, *rest) for row in rows for lies, shape, *rest in row["doubts"] if shape]
        self.behind = np.full((len(cards), FACES_KEPT), np.inf)
        self.match, self.hue, self.right = np.empty(len(cards)), np.empty(len(cards)), np.zeros(len(cards), bool)
        for k, (lies, match, nats, more) in enumerate(cards):
            ranked = sorted(nats, key=nats.__getitem__)
            self.behind[k, : len(ranked)] = [nats[face] - nats[ranked[0]] for face in ranked]
            self.match[k], self.hue[k], self.right[k] = match, max(0.0, more["hue"] - HUE_FREE), ranked[0] == lies

    def loss(self, doubt: Doubt) -> float:
        import numpy as np

        from vision.cards.calibration import HUE_COSTS

        warm = doubt.temperature * (1 + self.hue / doubt.hue)
        share = 1 / np.exp(-self.behind / warm[:, None]).sum(axis=1)
        known = 1 / (1 + np.exp(-(self.match - HUE_COSTS * self.hue - doubt.border) / doubt.soft))
        p = share * known
        said = np.where(self.right, p, 1 - np.minimum(p, 1 - LEAST))
        return float(-np.log(np.maximum(LEAST, said)).mean())


def fitted(rows: Iterable[Row]) -> Doubt:
    """The constants of the grid with the least logarithmic loss."""
    from vision.cards.calibration import Doubt

    cards = _Cards(rows)
    grid = (Doubt(*values) for values in itertools.product(TEMPERATURES, HUES, BORDERS, SOFT))
    return min(grid, key=cards.loss)


def _fit(wish: Wish) -> Iterator[Measured]:
    from vision.cards.calibration import FITTED

    rows = [row for row in (*run(wish), *strangers(wish.seed, STRANGERS)) if row["doubts"]]
    even, odd = ([row for row in rows if row["table"] % 2 == k] for k in (0, 1))
    best = fitted(even)
    for name, constants in (("now", FITTED), ("fitted", best)):
        for part, of in (("even", even), ("odd", odd)):
            doubts = doubts_with(of, constants)
            yield Measured(log_loss(doubts), len(doubts), f"{name}/{part}/log-loss-nats")
            yield Measured(100 * calibration_error(doubts), len(doubts), f"{name}/{part}/calibration-error-%")
    for name, value in asdict(best).items():
        yield Measured(value, len(even), f"fitted/{name}")
    sys.stderr.write(f"vision/cards/calibration.py: FITTED = {best}\n")


FIGURES: Final = (
    Figure(
        "reader.doubts",
        "",
        "what the constants of vision.cards.calibration should be, by the tables read",
        at_length=_fit,
    ),
)
