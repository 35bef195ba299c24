"""The array types that travel between the stages of the reader."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Picture: TypeAlias = NDArray[np.uint8]
"""A picture as OpenCV has it: (h, w, 3) uint8, BGR."""
Grey: TypeAlias = NDArray[np.float32]
"""One channel, (h, w) float32."""
Tones: TypeAlias = NDArray[np.float32]
"""Colours in the light of white paper, (h, w, 3) float32."""
Floats: TypeAlias = NDArray[np.float64]
"""Points and matrices of geometry, float64."""
