"""Thin highlights: a lamp draws bright lines along the bevels of sleeves and the bent edges of cards.

Such a line outweighs the print beside it: two backs that lay in full view were not read for it. Where a column stays in
doubt, it is read again without them.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.lines import straight
from vision.cards.templates import FINE
from vision.types import Grey, Picture, Tones

WIDEST: Final = 2.5
"""A highlight is no wider than this, mm."""
SHORTEST: Final = 12.0
"""And no shorter, mm: a stroke of a figure is."""
BRIGHTER: Final = 0.06
"""By how much it is brighter than what lies on both sides, root of light of the channel in which it is so least: it has
the light's own hue."""
TURNS: Final = (-4.0, -2.0, 0.0, 2.0, 4.0)
"""Turns from the column's axes at which it is looked for, degrees: cards are turned little, and lines that are drawn
aslant are print."""
AROUND: Final = 2
"""How far around it the picture is filled in, px at `FINE`: its soft edge."""


def without_highlights(patch: Picture, roots: Tones) -> Picture | None:
    """A column's picture (h, w, 3) with its thin highlights filled in from both sides; None where it has none.

    `roots`: root of light of each code (256, 3). Printed white borders and rules are taken for some, too.
    """
    lines = _lines(_least_of_three(patch, roots))
    if not lines.any():
        return None
    mask = cv2.dilate(lines, np.ones((2 * AROUND + 1,) * 2, np.uint8))
    return np.asarray(cv2.inpaint(patch, mask, AROUND + 1, cv2.INPAINT_TELEA), dtype=np.uint8)


def _least_of_three(patch: Picture, roots: Tones) -> Grey:
    """Root of light of the channel that has least, (h, w)."""
    blue, green, red = (cv2.LUT(patch[..., c], np.ascontiguousarray(roots[:, c])) for c in range(3))
    return np.asarray(cv2.min(cv2.min(blue, green), red), dtype=np.float32)


def _lines(level: Grey) -> NDArray[np.uint8]:
    """Where thin, long and straight parts are brighter than both of their sides, (h, w), 0 or 1."""
    wide, long = round(WIDEST * FINE) | 1, round(SHORTEST * FINE)
    found = np.zeros(level.shape, np.uint8)
    for upright in (False, True):
        across = np.ones((1, wide) if upright else (wide, 1), np.uint8)
        bright = (level - cv2.morphologyEx(level, cv2.MORPH_OPEN, across) > BRIGHTER).astype(np.uint8)
        if not bright.any():
            continue
        for turn in TURNS:
            found |= straight(bright, long, upright, turn)
    return found


__all__ = ["without_highlights"]
