"""One picture of a deck's back from six cards face down: what shines on some of them is none of its print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.profile import SCALE
from vision.types import Picture, Tones

SPARED_BY_SHINE: Final = 0.3
"""How far from the darkest of the six backs to the lightest the deck's own is taken at each place, 0..1: half of them
may shine along an edge. Of nine path-traced decks its correlation with the back as it was drawn is so 0.950 in the
mean, and 0.937 by the one that is most like the others; of a dark one, on which edges shone, 0.97 and 0.92."""
GAINS: Final = (0.6, 1.6)
"""By how much the light of one of them is set right before, at least and most."""
LIGHTER: Final = 25.0
"""By how much more than the others a back may be light, 0..255, before that is a shine."""
AROUND_MM: Final = 3.0
"""The others' print may lie so far beside its own, mm."""
FLAT: Final = 2.0
"""Step to the pixels beside it, 0..255, below which nothing is seen in a shine."""
HIDDEN: Final = 0.15
"""The share of a back of which that is so from which a shine hides it."""


def but_for_shine(cuts: Sequence[Picture]) -> Picture:
    """One picture of some cuts of one print, each (h, w, 3): what shines on some, along a bent edge or all over, only
    makes them lighter."""
    return _usual(_in_one_light(cuts))


def without_shine(cuts: Sequence[Picture]) -> list[Picture]:
    """Each of them, no lighter anywhere than the others are around there."""
    seen = _in_one_light(cuts)
    return [_as_picture(one) for one in np.minimum(seen, _lightest(seen))]


def hidden_by_shine(cuts: Sequence[Picture]) -> list[bool]:
    """Of each whether much of it is lighter than the others are around there, and nothing is seen in that."""
    seen = _in_one_light(cuts)
    shines = np.any(seen > _lightest(seen), axis=3)
    return [float((shine & _flat(cut)).mean()) >= HIDDEN for shine, cut in zip(shines, cuts, strict=True)]


def _in_one_light(cuts: Sequence[Picture]) -> Tones:
    """The cuts, as light as each other all over, (n, h, w, 3), 0..255."""
    seen = np.stack(cuts).astype(np.float32)
    light = np.maximum(np.median(seen, axis=(1, 2), keepdims=True), np.float32(1))
    gain = np.clip(np.median(light, axis=0, keepdims=True) / light, *GAINS)
    return np.asarray(seen * gain, dtype=np.float32)


def _usual(seen: Tones) -> Picture:
    """`but_for_shine` of cuts that are as light as each other."""
    return _as_picture(np.quantile(seen, SPARED_BY_SHINE, axis=0))


def _lightest(seen: Tones) -> Tones:
    """How light a back may be at each place without a shine on it, (h, w, 3), 0..255."""
    size = round(AROUND_MM * SCALE) | 1
    around = cv2.dilate(_usual(seen), np.ones((size, size), np.uint8))
    return np.asarray(around, dtype=np.float32) + np.float32(LIGHTER)


def _flat(cut: Picture) -> NDArray[np.bool_]:
    """Where a cut has no print, (h, w)."""
    steps = cv2.morphologyEx(cv2.blur(cut, (3, 3)), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    return np.asarray(steps.max(2) < FLAT)


def _as_picture(seen: Tones) -> Picture:
    return np.asarray(seen.clip(0, 255).round(), dtype=np.uint8)


__all__ = ["but_for_shine", "hidden_by_shine", "without_shine"]
