"""The light on the table where something shines on the boards: each half of one shows a lamp's light besides.

That light is taken to be of the table's own colour, and adds as much to all print: what it makes of a red board's blue
tells nothing of the light. A half of a board is taken to show `level * known + shine`, and the light's gains are those
under which all halves do, found in turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.geometry.light import NOT_CLIPPED, line_beside_strays, to_linear, weighted_middle
from vision.types import Floats, Picture, Tones

DARKEST: Final = 0.004
"""Light of a point's darkest channel, as seen and as enrolled, below which it is noise."""
EACH: Final = 2
"""So many points of a half make one that is looked at."""
LEAST_POINTS: Final = 50
"""Those of a half that tell a light and a shine."""
ROUNDS: Final = 6
"""Rounds in which shine and light are found in turns."""
LEAST_LEVEL: Final = 0.05
"""Level below which a half is taken to show none of its print."""


def gains_under_shine(
    halves: Sequence[tuple[Tones, Tones]], full: Picture, gains: Floats
) -> tuple[Floats, list[float]]:
    """Factors (3, BGR) that bring a picture to the profile's light, as bright as the given `gains`, with which they are
    begun; and what shines on each half, light after those factors.

    `halves`: points of halves of boards, as seen and as enrolled, tones (N, 3) each; `full`: `brightest` of the
    picture, where something may be clipped. Halves without enough points that are not clipped do not count; without
    any the gains are those that were given.
    """
    most = NOT_CLIPPED * to_linear(full / 255.0)
    points: list[tuple[Floats, Floats]] = []
    for half in halves:
        here, known = (to_linear(tones[::EACH]) for tones in half)
        told = (here < most).all(1) & (np.minimum(here, known).min(1) > DARKEST)
        if np.count_nonzero(told) >= LEAST_POINTS:
            points.append((here[told], known[told]))
    if not points:
        return gains, []
    found, shines = gains, [0.0]
    seen = np.concatenate([here for here, _ in points])
    for _ in range(ROUNDS):
        fits = [_fitted(here * found, known) for here, known in points]
        shines = [shine for _, shine in fits]
        shown = np.concatenate([level * known + shine for (level, shine), (_, known) in zip(fits, points, strict=True)])
        shown = np.maximum(shown, DARKEST)
        ratios, weights = np.log(shown / seen), np.minimum(shown, seen * found).sum(1)
        found = np.exp([weighted_middle(ratios[:, channel], weights) for channel in range(3)])
        found *= np.exp(np.log(gains / found).mean())
    return found, shines


def _fitted(seen: Floats, known: Floats) -> tuple[float, float]:
    """The level of light and the shine, the same in all channels, in which what is `known` of a half of a board (N, 3)
    goes best with what is `seen` of it."""
    level, shine = 1.0, 0.0
    for _ in range(2):
        level, shine = line_beside_strays(seen.ravel(), known.ravel(), (level, shine), (DARKEST, LEAST_LEVEL))
        shine = max(shine, 0.0)
    return level, shine


__all__ = ["gains_under_shine"]
