"""One face of a deck at one scale, in all that is asked for of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Final

import cv2
import numpy as np

from vision.cards.similarity import sharpened
from vision.geometry.align import grey, local_contrast, structure
from vision.types import Grey, Tones

PATCH: Final = (5, 5)
"""Pixels around each over which print is compared."""


class Pattern:
    """One face at one scale. What is not asked for is not computed: most of it is at `MIDDLE` alone."""

    def __init__(self, roots: Callable[[], Tones], scale: float) -> None:
        """`roots`: gives square root of linear light, (h, w, 3) float32; `scale`: px/mm."""
        self._roots = roots
        self._scale = scale

    @cached_property
    def roots(self) -> Tones:
        """Square root of linear light."""
        return self._roots()

    def turned(self) -> Pattern:
        """The face the wrong way round."""
        return Pattern(lambda: np.ascontiguousarray(self.roots[::-1, ::-1]), self._scale)

    @cached_property
    def sharp(self) -> Tones:
        """The same without noise."""
        return sharpened(self.roots, self._scale)

    @cached_property
    def light(self) -> Tones:
        """Linear light."""
        return self.roots * self.roots

    @cached_property
    def steep(self) -> Grey:
        """How much structure each pixel has, (h, w), 0..1."""
        return structure(self.level, self._scale)

    @cached_property
    def detail(self) -> Grey:
        """Detail of its brightness."""
        return local_contrast(self.level, round(7 * self._scale) | 1)

    @cached_property
    def soft(self) -> Grey:
        """The same without what is finer than three pixels."""
        return softened(self.detail)

    @cached_property
    def power(self) -> Grey:
        """Mean square of that around each pixel."""
        return power_around(self.soft)

    @cached_property
    def rough(self) -> Grey:
        """How much the brightness varies around each pixel."""
        return roughness(self.level)

    @cached_property
    def level(self) -> Grey:
        """Its brightness, root of light."""
        return grey(self.roots)


def softened(detail: Grey) -> Grey:
    """Detail without what is finer than three pixels: meshes and hatchings so fine never lie exactly alike."""
    return np.asarray(cv2.blur(detail, (3, 3)), dtype=np.float32)


def power_around(detail: Grey) -> Grey:
    """Mean square of detail around each pixel."""
    return np.asarray(cv2.blur(cv2.multiply(detail, detail), PATCH), dtype=np.float32)


def roughness(level: Grey) -> Grey:
    """How much brightness varies around each pixel, mean square."""
    mean = cv2.blur(level, PATCH)
    return np.asarray(cv2.blur(level * level, PATCH) - mean * mean, dtype=np.float32)
