"""How alike a face and what is seen of a card are: print by correlation of detail, colour by hue.

Both are blind to how bright the place is and to a veil of glare over it. Detail alone would confuse cards that differ
in colour only, colour alone all cards of a theater.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.align import Grey
from vision.light import Tones

DETAIL_MM: Final = 7.0
"""Detail is what is finer than this."""
DETAIL_WEIGHT: Final = 20.0
"""Nats for each e-fold of detail left unexplained."""
HUE_SPREAD: Final = 0.05
"""Error of a channel's share that light of another colour brings about."""
HUE_MOST: Final = 3.0
"""Errors beyond this many spreads count no more: an insert of another colour must not outvote the rest."""


def product(a: ArrayLike, b: NDArray[np.float32]) -> NDArray[np.float32]:
    """`a @ b.T`. OpenCV's product stays on one thread, where BLAS would wake all cores for a tenth of a millisecond."""
    return np.asarray(
        cv2.gemm(np.ascontiguousarray(a, dtype=np.float32), b, 1.0, np.empty(0), 0.0, flags=cv2.GEMM_2_T),
        dtype=np.float32,
    )


def inner(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    """Sum of products, on one thread."""
    return float(np.einsum("i,i->", a, b))


def detail(tones: Tones, mask: Grey, scale: float) -> Tones:
    """What is finer than `DETAIL_MM` in a picture, (h, w, 3), 0 where the mask is 0."""
    window = round(DETAIL_MM * scale) | 1
    cover = np.maximum(cv2.blur(mask, (window, window), borderType=cv2.BORDER_CONSTANT), 1e-3)
    around = cv2.blur(tones * mask[..., None], (window, window), borderType=cv2.BORDER_CONSTANT) / cover[..., None]
    sharp = cv2.GaussianBlur(tones, (3, 3), 0.7) if scale > 1.5 else tones
    return np.asarray((sharp - around) * mask[..., None], dtype=np.float32)


def hue(tones: Tones, mask: Grey, scale: float) -> Tones:
    """Each channel's share of the light around each pixel, less a third, on a grid of 4 mm: (h', w', 3)."""
    size = (max(1, round(tones.shape[1] / scale / 4)), max(1, round(tones.shape[0] / scale / 4)))
    sums = cv2.resize(tones * mask[..., None], size, interpolation=cv2.INTER_AREA)
    total = sums.sum(2, keepdims=True)
    return np.asarray(sums / np.maximum(total, 1e-4) - 1 / 3, dtype=np.float32)


class Look:
    """What is seen of a card, ready to be held against faces."""

    def __init__(self, tones: Tones, mask: Grey | None, scale: float) -> None:
        """`tones`: (h, w, 3) root of light; `mask`: (h, w), 1 where the card shows, or None for everywhere."""
        self.mask = np.ones(tones.shape[:2], np.float32) if mask is None else mask
        self.scale = scale
        self._detail = detail(tones, self.mask, scale).ravel()
        self._power = inner(self._detail, self._detail) + 1e-6
        self._hue = hue(tones, self.mask, scale)
        size = (self._hue.shape[1], self._hue.shape[0])
        cover = cv2.resize(self.mask, size, interpolation=cv2.INTER_AREA)
        # A veil dilutes hue; blown-out cells say nothing about it.
        level = cv2.resize(tones.mean(2), size, interpolation=cv2.INTER_AREA)
        self._trust: NDArray[np.float32] = cover * np.clip((1.05 - level) / 0.2, 0, 1)

    def against(self, roots: Tones) -> tuple[float, float, float]:
        """How unlike a face (root of light, same size) is: nats in all, correlation of detail, hue error."""
        known = detail(roots, self.mask, self.scale).ravel()
        power = inner(known, known) + 1e-6
        rho = inner(known, self._detail) / float(np.sqrt(power * self._power))
        off = self._hue - hue(roots, self.mask, self.scale)
        d2 = np.minimum((off * off).sum(2) / HUE_SPREAD**2, HUE_MOST**2)
        total = float(self._trust.sum())
        hue_error = float((d2 * self._trust).sum() / total) if total > 1 else 0.0
        nats = DETAIL_WEIGHT * float(np.log(1 - min(max(rho, 0.0), 0.99) ** 2)) + 2.0 * hue_error
        return nats, rho, hue_error

    def against_all(self, details: NDArray[np.float32], hues: NDArray[np.float32]) -> NDArray[np.float64]:
        """The same for many faces at once, (n,): their details (n, h * w * 3) at unit power and hues (n, h', w', 3)."""
        rho = np.clip(product(details, self._detail[None])[:, 0] / np.sqrt(self._power), 0.0, 0.99)
        off = hues - self._hue[None]
        d2 = np.minimum((off * off).sum(3) / HUE_SPREAD**2, HUE_MOST**2)
        total = float(self._trust.sum())
        error = (d2 * self._trust[None]).sum((1, 2)) / total if total > 1 else np.zeros(len(details))
        return np.asarray(DETAIL_WEIGHT * np.log(1 - rho**2) + 2.0 * error, dtype=np.float64)


def prepared(roots: Tones, mask: Grey, scale: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """A face's detail at unit power, (h * w * 3,), and its hue, (h', w', 3), for `Look.against_all`."""
    flat = detail(roots, mask, scale).ravel()
    return flat / np.float32(np.sqrt(inner(flat, flat) + 1e-6)), hue(roots, mask, scale)


__all__ = ["Look", "inner", "prepared", "product"]
