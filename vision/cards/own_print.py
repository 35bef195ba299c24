"""What print tells of faces whose print counts as equal.

The three Maneuvers share their title, and in printed editions their text, so that a hue has to tell them apart. But the
grain of their paper may differ, and in decks that people make the text does. How well each of them goes with what is
seen tells it: a card that is one face goes with another one as well as those two go with each other, and no better. Of
print, only how light it is counts here; its hues are weighed by themselves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

ALIKE_HEADERS: Final = 0.98
"""Correlation of two headers' soft detail from which they have no print of their own that is worth a look: decks whose
Maneuvers share their text have 0.985 to 0.994, and where an edge of their picture shows as well, 0.97."""
BY_CUT: Final = 0.025
"""Logarithm of the correlation of two faces' print that their photographs' noise alone leaves: of nine decks whose
Maneuvers share text and paper it is 0.006 to 0.023."""
OFF: Final = 0.3
"""Share of the rest by which print goes better or worse with a card than it should. On 373 Maneuvers of 26 decks'
photographs, 384 through cheap cameras and 503 drawn in rooms it is 0.2 to 0.35."""
LEAST_OFF: Final = 0.02
"""The same where next to nothing remains."""
INDEPENDENT: Final = 7.0
"""Print that is one comparison, mm², as big as a letter."""
LEAST_RHO: Final = 0.05
"""Correlation below which print goes with nothing."""
MOST: Final = 6.0
"""Nats that such print speaks against a face at most: a shine or a fold in the photograph of one face would make its
print its own, too. Of those 2,438 pairs of a Maneuver with another one, print was for the wrong one by a nat or more
once, by 2.3 nats, in glare; for the right one 1,234 times, 796 of them by more than 8."""


def against(goes: Sequence[float], same: Sequence[float], area: float) -> tuple[float, ...]:
    """Nats that print speaks against each face, 0 for the one that goes best.

    `goes`: how each goes with what is seen, as `Look.alike` has it; `same`: how each goes with the one that goes best,
    as they are known; `area`: print that is seen, mm².
    """
    best = max(*goes, LEAST_RHO)
    count = max(area / INDEPENDENT, 1.0)
    return tuple(
        _nats(best, max(rho, LEAST_RHO), max(known, LEAST_RHO), count) for rho, known in zip(goes, same, strict=True)
    )


def _nats(best: float, rho: float, known: float, count: float) -> float:
    expected = -math.log(known) - BY_CUT
    if expected <= 0:
        return 0.0
    # Noise draws both the same way but for what they do not share.
    noise = (1 - best * best) * 2 * (1 - known) / (count * best * best)
    off = noise + (OFF * expected) ** 2 + LEAST_OFF**2
    return min(2 * expected * math.log(best / rho) / off, MOST)


__all__ = ["ALIKE_HEADERS", "against"]
