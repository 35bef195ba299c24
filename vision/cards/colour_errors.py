"""What a camera makes of colours on this table, learnt from the cards that are known there.

Gain, tint and veil explain a card's colours to a few hundredths: tone curves, thinned colour and the light in which the
deck was learnt leave errors that depend on the colour itself. A header of nearly the same colour on another card has
nearly the same error, so the errors of the known cards tell those of the headers in question; and what faces of equal
print have in common is known, too, whichever of them it is. The errors are described by a polynomial of the second
degree in the roots of light, as cameras are characterised (Hong, Luo and Rhodes, 2001).

A cheap camera also smears colour into what lies beside it, and sharpens brightness: of each the known cards tell how
much. Of 692 tables with Maneuvers put through such cameras 14 more are read right so.
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
SMEAR_STIFF: Final = 0.01
"""Squared root of light, summed over the parts of the known cards, against which each kind of smear is weighed at 0."""
SMEAR_ROUNDS: Final = 3
"""Rounds in which the errors of colours and the smear are told from each other."""
CLIP: Final = 0.06
"""Most that a part tells of its colour's error, root of light: beyond it something lies on it."""
MIDDLE: Final = 0.5
"""Root of light about which the polynomial is written."""


@dataclass(frozen=True, slots=True, eq=False)
class ColourErrors:
    """By how much colours are seen lighter than gain, tint and veil would have them."""

    coefficients: Floats
    """(10, 3): of each term, in each channel's root of light."""
    smear: tuple[float, float] = (0.0, 0.0)
    """How much of what is around a part is seen in it, of brightness and of colour; below 0 where it is sharpened."""

    def of(self, light: Floats, around: Floats) -> Floats:
        """Error, root of light (..., N, 3), of colours in known linear light of that shape, and with surroundings that
        are so much lighter, root of light."""
        brightness = around.mean(-1, keepdims=True)
        of_brightness, of_colour = self.smear
        out: Floats = _terms(light) @ self.coefficients + of_brightness * brightness + of_colour * (around - brightness)
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
    around: Floats
    """Root of light by which the surroundings of each are lighter as enrolled, (N, 3)."""


def learnt(cards: Sequence[KnownParts]) -> ColourErrors:
    """The errors of colours on a table by its known parts."""
    if not cards:
        return NONE
    terms = _terms(np.concatenate([card.known for card in cards]))
    errors = np.clip(np.concatenate([card.off for card in cards]), -CLIP, CLIP)
    around = np.concatenate([card.around for card in cards])
    weight = np.concatenate([card.weight for card in cards])[:, None]
    weighted = (terms * weight).T
    normal = weighted @ terms + STIFF * np.eye(terms.shape[1])
    parts = (around.mean(1, keepdims=True) * np.ones(3), around - around.mean(1, keepdims=True))
    smear = [0.0, 0.0]
    coefficients = np.zeros((10, 3))
    for _ in range(SMEAR_ROUNDS):
        left = errors - smear[0] * parts[0] - smear[1] * parts[1]
        coefficients = np.linalg.solve(normal, weighted @ left)
        left = errors - terms @ coefficients
        for k, part in enumerate(parts):
            smear[k] = float((weight * part * left).sum() / ((weight * part * part).sum() + SMEAR_STIFF))
    return ColourErrors(np.asarray(coefficients, dtype=np.float64), (smear[0], smear[1]))


def _terms(light: Floats) -> Floats:
    """Powers of the roots of light (..., 3), (..., 10)."""
    one = np.sqrt(light) - MIDDLE
    across = one * np.roll(one, 1, axis=-1)
    out: Floats = np.concatenate([np.ones_like(one[..., :1]), one, one * one, across], axis=-1)
    return out
