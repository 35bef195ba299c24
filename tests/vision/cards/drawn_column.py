"""Columns of pictures that are drawn: a camera's softness and noise, and the light of a table as it is."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.column import Column
from vision.geometry.light import root_table
from vision.types import Picture


def photographed(drawn: NDArray[np.uint8]) -> Picture:
    """A drawn picture, (h, w, 3) uint8, as a camera sees it: a little soft, with a code of noise."""
    noise = np.random.default_rng(7).normal(0, 1.0, drawn.shape)
    seen = cv2.GaussianBlur(drawn.astype(np.float32), (0, 0), 0.7) + noise
    return np.asarray(np.rint(seen).clip(0, 255), dtype=np.uint8)


def as_column(seen: Picture) -> Column:
    """A picture at `FINE` as the column of a table whose light is known."""
    return Column(seen, np.ones(seen.shape[:2], np.bool_), root_table(np.ones(3)))
