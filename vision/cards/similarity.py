"""How alike a face and what is seen of a card are: print by correlation of detail, colour by hue.

Both are blind to how bright the place is and to a veil of glare over it. Detail alone would confuse cards that differ
in colour only, colour alone all cards of a theater.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.align import (
    clamped,
    grey,
)
from vision.types import Grey, Tones

DETAIL_MM: Final = 7.0
"""Detail is what is finer than this."""
_LITTLE: Final = np.float32(1e-3)
_ONES: Final = np.ones((1, 3), np.float32)
_EACH: Final = np.ones((3, 3), np.float32)
DETAIL_WEIGHT: Final = 20.0
"""Nats for each e-fold of detail left unexplained."""
HUE_WEIGHT: Final = 2.0
"""Nats for each unit of the hue's error, squared and in spreads."""
NOISY: Final = 0.012
"""Noise of a pixel, root of light over three channels, that drowns fine print."""
SMOOTH_MM: Final = 0.6
"""How far print is smoothed then."""
ENOUGH: Final = 250.0
"""Print, mm², weighted by how much it tells, that counts in full: a strip of 15 mm shows twice that."""
PATCH_MM: Final = 11.0
"""Side of the patches of a veiled card whose print is compared each by itself: where a lamp hides the rest, what is
left tells as much as the same print elsewhere. Over 6,741 path-traced cards it lowers the logarithmic loss from 99 to
92 nats; with patches of 16 mm it is 93, of 24 mm 97."""
FAINT: Final = 0.03
"""Detail, root of light over three channels, below which print is noise."""
HUE_SPREAD: Final = 0.05
"""Error of a channel's share that light of another colour brings about."""
MOST_ALIKE: Final = 0.99
"""Correlation beyond which nothing more is explained."""
FULL: Final = 0.985
"""Share of what a camera gives at most from which a channel is full."""
FULL_MOST: Final = 0.25
"""Share of full pixels from which a cell says nothing about hue."""
DARK: Final = 0.06
"""Root of the light of white as the camera gives it, at which hue counts half."""
HUE_MOST: Final = 3.0
"""Errors beyond this many spreads count no more: an insert of another colour must not outvote the rest."""


def product(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.float32]:
    """`a @ b.T`, (n, m), for rows of whole pictures."""
    return np.asarray(a @ b.T, dtype=np.float32)


def inner(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    """Sum of products."""
    return float(a @ b)


def sharpened(tones: Tones, scale: float) -> Tones:
    """A picture without the noise that is finer than its print."""
    return np.asarray(cv2.GaussianBlur(tones, (3, 3), 0.7), dtype=np.float32) if scale > 1.5 else tones


def smoothed(sharp: Tones, scale: float) -> Tones:
    """A picture without what is lost where a camera is noisy."""
    return np.asarray(cv2.GaussianBlur(sharp, (0, 0), scale * SMOOTH_MM), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Print:
    """What a picture of a card tells through a `PrintMask`."""

    detail: NDArray[np.float32]
    """What is finer than its surroundings, flat."""
    power: float
    """Sum of its squares."""
    hue: Tones
    """Each channel's share of the light around each cell of a grid of 4 mm, less a third, (h', w', 3)."""
    patches: Grey | None = None
    """Mean power of each patch, where they are compared each by itself."""


class PrintMask:
    """Where a card shows and its print tells, for pictures of it to be compared there."""

    def __init__(
        self, shows: Grey, scale: float, even: bool = False, free: Grey | None = None, noise: float = 0.0
    ) -> None:
        """`shows`: (h, w), 1 where the card shows and its print tells.

        `even`: print counts as much where a veil leaves little of its contrast. `free`: (h, w), where no veil spoils
        the hue, and from where what lies under one is set apart; everywhere, if not given. `noise`: of a pixel's
        detail, root of light over three channels.
        """
        self._even = even
        self.scale: Final = scale
        h, w = shows.shape
        self._show = shows
        self._shows: Tones = np.asarray(cv2.merge([shows, shows, shows]), dtype=np.float32)
        self._window = (round(DETAIL_MM * scale) | 1,) * 2
        cover = np.maximum(cv2.blur(shows, self._window, borderType=cv2.BORDER_CONSTANT), _LITTLE)
        per_cover = 1 / cover
        self._per_cover: Tones = np.asarray(cv2.merge([per_cover, per_cover, per_cover]), dtype=np.float32)
        self._sides: Final = [] if free is None else self._on_both_sides(shows, free < 0.5)
        self.grid: Final = max(1, round(w / scale / 4)), max(1, round(h / scale / 4))
        """Cells of the grid for hue, (w', h')."""
        self.noisy: Final = noise > NOISY
        """Only what is coarser than the camera's noise can be compared."""
        self.area: Final = float(shows.sum()) / scale**2
        """Print that is seen, mm², weighted by how much it tells."""
        self.enough: Final = min(1.0, self.area / ENOUGH)
        """Share of the print that must be seen to tell what it is, 0..1."""
        covered = cv2.resize(shows if free is None else shows * free, self.grid, interpolation=cv2.INTER_AREA)
        self.covered: Final[Grey] = np.asarray(covered, dtype=np.float32)
        """How much of each cell of the grid shows its hue, 0..1."""

    def _on_both_sides(self, shows: Grey, veiled: NDArray[np.bool_]) -> list[tuple[NDArray[np.uint8], Tones, Tones]]:
        """What shows under the veil and beside it: where, its weight, and one over how much of it is around, each
        (h, w, ...); none unless there is something of both."""
        if veiled.all() or not veiled.any():
            return []
        out: list[tuple[NDArray[np.uint8], Tones, Tones]] = []
        for side in (veiled, ~veiled):
            own = np.asarray(shows * side, dtype=np.float32)
            cover = np.maximum(cv2.blur(own, self._window, borderType=cv2.BORDER_CONSTANT), _LITTLE)
            here, each, per = side.astype(np.uint8), cv2.merge([own] * 3), cv2.merge([1 / cover] * 3)
            out.append((here, np.asarray(each, dtype=np.float32), np.asarray(per, dtype=np.float32)))
        return out

    def print_of(self, sharp: Tones, tones: Tones) -> Print:
        """What a picture tells. `tones`: (h, w, 3) root of light; `sharp`: the same, `sharpened`, and `smoothed` where
        `noisy`."""
        masked = np.asarray(cv2.multiply(tones, self._shows), dtype=np.float32)
        around = np.empty_like(tones) if self._sides else self._mean(masked, self._per_cover)
        for here, own, per in self._sides:
            # The step of light at a veil's edge is no print, on neither side of it.
            side = np.asarray(cv2.multiply(tones, own), dtype=np.float32)
            cv2.copyTo(self._mean(side, per), here, around)
        fine = np.asarray(cv2.subtract(sharp, around), dtype=np.float32)
        weight = self._shows
        if self._even:
            power = cv2.blur(cv2.transform(cv2.multiply(fine, fine), _ONES), self._window)
            # Beside strong print the running sums of a flat patch come to a little less than nothing.
            power = np.maximum(power, 0.0)
            even = self._show / (np.asarray(cv2.sqrt(power), dtype=np.float32) + np.float32(FAINT))
            weight = np.asarray(cv2.merge([even, even, even]), dtype=np.float32)
        flat = np.asarray(cv2.multiply(fine, weight), dtype=np.float32).ravel()
        sums = np.asarray(cv2.resize(masked, self.grid, interpolation=cv2.INTER_AREA), dtype=np.float32)
        light = np.asarray(cv2.transform(sums, _EACH), dtype=np.float32)
        hue = np.asarray(sums / np.maximum(light, _LITTLE / 10) - np.float32(1 / 3), dtype=np.float32)
        return Print(flat, inner(flat, flat) + 1e-6, hue, self.in_patches(flat * flat) if self._even else None)

    def _mean(self, masked: Tones, per_cover: Tones) -> Tones:
        """The mean around each pixel of what a weight leaves of a picture; `per_cover`: one over the weight around."""
        total = cv2.blur(masked, self._window, borderType=cv2.BORDER_CONSTANT)
        return np.asarray(cv2.multiply(total, per_cover), dtype=np.float32)

    def in_patches(self, flat: NDArray[np.float32]) -> Grey:
        """The mean over each patch of what is given as `Print.detail` is."""
        # Two products of matrices take a third of the time of `transform` and `resize` by `INTER_AREA`.
        h, w = self._show.shape
        down = _shares(h, max(1, round(h / self.scale / PATCH_MM)), 1)
        across = _shares(w, max(1, round(w / self.scale / PATCH_MM)), 3)
        return np.asarray(down @ flat.reshape(h, -1) @ across.T, dtype=np.float32)


@lru_cache(maxsize=256)
def _shares(pixels: int, parts: int, channels: int) -> NDArray[np.float32]:
    """How much of each equal part of a row each pixel is, (parts, pixels * channels): the part's mean is its share of
    all, and that of the sum of their channels."""
    edges = np.arange(parts + 1) * (pixels / parts)
    at = np.arange(pixels)
    within = np.minimum(at + 1, edges[1:, None]) - np.maximum(at, edges[:-1, None])
    out = np.repeat(np.maximum(within, 0) * (parts / pixels), channels, axis=1).astype(np.float32)
    out.setflags(write=False)
    return out


def alike(one: Print, other: Print) -> float:
    """Correlation of the print of two pictures seen through one mask, by how light it is alone."""
    a, b = (each.detail.reshape(-1, 3) @ _ONES[0] for each in (one, other))
    return inner(a, b) / math.sqrt(inner(a, a) * inner(b, b) + 1e-12)


class Look:
    """What is seen of a card through a mask, ready to be held against faces."""

    def __init__(self, mask: PrintMask, tones: Tones, most: NDArray[np.float32], saturation: float = 1.0) -> None:
        """`tones`: (h, w, 3) root of light; `most`: (3,), what the camera gives at most in each channel;
        `saturation`: share of colour that it leaves: a face's hue would show so much of itself."""
        self._saturation: Final = np.float32(saturation)
        self.mask: Final = mask
        sharp = sharpened(tones, mask.scale)
        self._seen = mask.print_of(smoothed(sharp, mask.scale) if mask.noisy else sharp, tones)
        # A veil dilutes hue; blown-out cells say nothing about it.
        level = np.asarray(cv2.resize(grey(tones), mask.grid, interpolation=cv2.INTER_AREA), dtype=np.float32)
        trust: NDArray[np.float32] = mask.covered * clamped((np.float32(1.05) - level) * np.float32(1 / 0.2), 0, 1)
        limit = [FULL * channel for channel in most.tolist()]
        full = cv2.inRange(tones, (0.0, 0.0, 0.0), tuple(limit)) == 0 if float(tones.max()) > min(limit) else None
        if full is not None and np.count_nonzero(full):
            # One channel that is full is enough to turn a colour into another.
            share = np.asarray(cv2.resize(full.astype(np.float32), mask.grid, interpolation=cv2.INTER_AREA))
            trust = trust * clamped(1 - share * np.float32(1 / FULL_MOST), 0, 1)
        self._trust: NDArray[np.float32] = trust
        self._trusted = float(trust.sum())
        # In the dark a camera's noise and its picture's compression make a colour what they like.
        dark = np.float32(DARK / (3 * FULL) * sum(limit)) / np.maximum(level, np.float32(1e-3))
        self._sharp: NDArray[np.float32] = np.asarray(1 / (1 + dark * dark), dtype=np.float32)
        """What an error of hue counts in each cell, 0..1."""

    def against(self, face: Print) -> tuple[float, float, float]:
        """How unlike a face, seen through the same mask, is: nats in all, correlation of detail, hue error."""
        seen = self._seen
        rho = inner(face.detail, seen.detail) / math.sqrt(face.power * seen.power)
        off = seen.hue - self._saturation * face.hue
        off2 = np.asarray(cv2.transform(off * off, _ONES), dtype=np.float32)
        d2 = np.minimum(off2 * self._sharp / HUE_SPREAD**2, HUE_MOST**2)
        hue_error = inner(d2.ravel(), self._trust.ravel()) / self._trusted if self._trusted > 1 else 0.0
        nats = DETAIL_WEIGHT * self._explained(face, rho) + HUE_WEIGHT * hue_error
        return self.mask.enough * nats, rho, hue_error

    def alike(self, face: Print) -> float:
        """Correlation of a face's print with what is seen, by how light it is alone."""
        return alike(self._seen, face)

    def _explained(self, face: Print, rho: float) -> float:
        """Logarithm of the share of detail that a face leaves unexplained; `rho`: correlation with it as a whole."""
        if face.patches is None or self._seen.patches is None:
            return math.log(1 - min(max(rho, 0.0), MOST_ALIKE) ** 2)
        both = self.mask.in_patches(face.detail * self._seen.detail)
        alike = both / np.sqrt(np.maximum(face.patches * self._seen.patches, _LITTLE * _LITTLE))
        each = np.log(1 - clamped(alike, 0, MOST_ALIKE) ** 2)
        return inner(each.ravel(), face.patches.ravel()) / max(float(face.patches.sum()), 1e-9)

    def against_all(self, details: NDArray[np.float32], hues: NDArray[np.float32]) -> NDArray[np.float64]:
        """The same for many faces at once, (n,): their details (n, h * w * 3) at unit power and hues (n, h', w', 3)."""
        rho = clamped(details @ self._seen.detail * np.float32(self._seen.power**-0.5), 0.0, MOST_ALIKE)
        off = self._saturation * hues - self._seen.hue[None]
        off2 = cv2.transform((off * off).reshape(1, -1, 3), _ONES).reshape(off.shape[:3])
        d2 = np.minimum(off2 * self._sharp[None] / HUE_SPREAD**2, HUE_MOST**2)
        error = np.zeros(len(details))
        if self._trusted > 1:
            error = d2.reshape(len(details), -1) @ self._trust.ravel() / self._trusted
        return np.asarray(DETAIL_WEIGHT * np.log(1 - rho**2) + HUE_WEIGHT * error, dtype=np.float64)


__all__ = ["Look", "Print", "PrintMask", "alike", "inner", "product", "sharpened", "smoothed"]
