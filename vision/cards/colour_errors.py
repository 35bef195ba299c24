"""What a camera makes of colours on this table, learnt from the cards that are known there.

Gain, tint and veil explain a card's colours to a few hundredths: tone curves, thinned colour and the light in which the
deck was learnt leave errors that depend on the colour itself. A header of nearly the same colour on another card has
nearly the same error, so the errors of the known cards tell those of the headers in question; and what faces of equal
print have in common is known, too, whichever of them it is. The errors are described by a polynomial of the second
degree in the roots of light, as cameras are characterised (Hong, Luo and Rhodes, 2001).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.types import Floats

STIFF: Final = 0.1
"""Parts of a card against which each coefficient is weighed at 0: with fewer known cards they stay nearer to it. On 640
drawn Maneuvers of seven decks and 167 photographed ones, 0.01 and 1 leave more of them in doubt."""
CLIP: Final = 0.06
"""Most that a part tells of its colour's error, root of light: beyond it something lies on it."""
MIDDLE: Final = 0.5
"""Root of light about which the polynomial is written."""


@dataclass(frozen=True, slots=True, eq=False)
class ColourErrors:
    """By how much colours are seen lighter than gain, tint and veil would have them."""

    coefficients: Floats
    """(10, 3): of each term, in each channel's root of light."""

    def of(self, light: Floats) -> Floats:
        """Error, root of light (..., N, 3), of colours in known linear light of that shape."""
        out: Floats = _terms(light) @ self.coefficients
        return out


NONE: Final = ColourErrors(np.zeros((10, 3)))


@dataclass(frozen=True, slots=True, eq=False)
class KnownParts:
    """Parts of a card whose colours are known."""

    known: Floats
    """Linear light of each as enrolled, (N, 3)."""
    off: Floats
    """Root of light by which it is seen lighter than gain, tint and veil would have it, (N, 3)."""
    weight: Floats
    """(N,)."""


def learnt(cards: Sequence[KnownParts]) -> ColourErrors:
    """The errors of colours on a table by its known parts."""
    if not cards:
        return NONE
    terms = _terms(np.concatenate([card.known for card in cards]))
    weighted = (terms * np.concatenate([card.weight for card in cards])[:, None]).T
    errors = np.clip(np.concatenate([card.off for card in cards]), -CLIP, CLIP)
    normal = weighted @ terms + STIFF * np.eye(terms.shape[1])
    return ColourErrors(np.asarray(np.linalg.solve(normal, weighted @ errors), dtype=np.float64))


def _terms(light: Floats) -> Floats:
    """Powers of the roots of light (..., 3), (..., 10)."""
    one = np.sqrt(light) - MIDDLE
    across = one * np.roll(one, 1, axis=-1)
    out: Floats = np.concatenate([np.ones_like(one[..., :1]), one, one * one, across], axis=-1)
    return out
