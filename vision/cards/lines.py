"""Long straight lines of a column's picture: highlights, and lines that are printed on a mat."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray


def straight(mask: NDArray[np.uint8], long: int, upright: bool, turn: float = 0.0) -> NDArray[np.uint8]:
    """What of a mask (h, w), 0 or 1, belongs to a straight line of at least `long` px along the rows, or down the
    columns if `upright`, `turn` degrees off that."""
    # By default nothing but what lies outside would make a line in a corner.
    opened = cv2.morphologyEx(
        mask, cv2.MORPH_OPEN, _stroke(long, turn, upright), borderType=cv2.BORDER_CONSTANT, borderValue=(0.0,)
    )
    return np.asarray(opened, dtype=np.uint8)


def _stroke(long: int, turn: float, upright: bool) -> NDArray[np.uint8]:
    """A line one pixel wide, `long` px along an axis, `turn` degrees off it, as a structuring element."""
    rise = round(math.tan(math.radians(turn)) * long)
    start = (0, max(0, -rise))
    element = np.zeros((abs(rise) + 1, long), np.uint8)
    cv2.line(element, start, (long - 1, start[1] + rise), 1)
    return np.ascontiguousarray(element.T) if upright else element


__all__ = ["straight"]
