"""Faces as a camera shows them that clips what is light of them."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.types import Tones

KNEE: Final = 0.8
"""Root of light, over the lightest that is shown, from which a face's print may be clipped: a fifth more light on one
card than on its board is common."""
TRACE: Final = 0.1
"""Share of its contrast that is left of print where a face is clipped: where light is least, some of it comes out."""
BLOWN_OUT: Final = 0.02
"""The same of a back that is blown out but for its figure: traces of thin rings and of the paper's grain, of which
nothing was seen, had outweighed that figure."""
AS_LIGHT: Final = 0.97
"""Root of light, over the lightest that a camera shows, from which nothing is told apart."""


def clipped(roots: Tones, limit: NDArray[np.float32], trace: float = TRACE) -> Tones:
    """Root of light (h, w, 3) as a camera shows it that clips it at a `limit`, (3,), but for a `trace` of its print."""
    rows, most = roots.reshape(len(roots), -1), np.tile(limit, roots.shape[1])
    lighter = lit(roots, limit).reshape(rows.shape)
    shown = np.minimum(lighter, most - np.float32(trace) * np.maximum(1 - rows, np.float32(0)))
    return np.asarray(shown.reshape(roots.shape), dtype=np.float32)


def lit(roots: Tones, limit: NDArray[np.float32]) -> Tones:
    """Root of light (h, w, 3) where it is as much lighter as it may be, of what comes near a `limit`, (3,)."""
    # A row at a time: numpy takes ten times as long where it goes by three channels.
    rows, most = roots.reshape(len(roots), -1), np.tile(limit, roots.shape[1])
    lighter = rows + np.maximum(rows - KNEE * most, np.float32(0))
    return np.asarray(lighter.reshape(roots.shape), dtype=np.float32)


__all__ = ["AS_LIGHT", "BLOWN_OUT", "clipped", "lit"]
