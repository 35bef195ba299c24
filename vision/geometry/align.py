"""Lays a known picture exactly over a piece of a table: shift and turn, whatever the brightness.

Inverse compositional alignment with gain and offset projected out (Baker & Matthews, "Lucas-Kanade 20 years on", IJCV
2004; Evangelidis & Psarakis' ECC criterion, PAMI 2008).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Floats, Grey, Tones


def grey(patch: Tones) -> Grey:
    """Mean of the three channels, (h, w) float32."""
    return np.asarray(cv2.transform(patch, np.full((1, 3), 1 / 3, np.float32)), dtype=np.float32)


def structure(luma: Grey, scale: float) -> Grey:
    """Steepness of a grey picture at `scale` px/mm, 0..1, spread over its neighbours."""
    gx = cv2.Sobel(luma, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    gy = cv2.Sobel(luma, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    steep = cv2.blur(cv2.magnitude(gx, gy), (3, 3))
    return clamped((np.asarray(steep) * np.float32(scale / 2) - np.float32(0.01)) * np.float32(1 / 0.06), 0, 1)


def clamped(values: NDArray[np.float32], least: float, most: float) -> NDArray[np.float32]:
    """Values brought between two limits, in half the time of `np.clip`."""
    return np.minimum(np.maximum(values, np.float32(least)), np.float32(most))


def local_contrast(luma: Grey, window: int = 15) -> Grey:
    """A grey picture less its surroundings (`window` px): what remains under glare and shadow."""
    around = cv2.blur(luma, (window, window), borderType=cv2.BORDER_REPLICATE)
    return clamped(np.asarray(cv2.subtract(luma, around), dtype=np.float32), -0.25, 0.25)


Point = tuple[float, float]


def apart(one: Point, other: Point) -> float:
    """How far two points lie from each other along the axis on which it is more."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a template lies in a patch: its top left corner's `x`, `y` (px), and `turn` (radians, clockwise)."""

    x: float
    y: float
    turn: float

    def matrix(self, zoom: float = 1.0) -> Floats:
        """Template pixels to patch pixels, (2, 3)."""
        c, s = math.cos(self.turn) * zoom, math.sin(self.turn) * zoom
        return np.array([[c, -s, self.x], [s, c, self.y]])

    def point(self, x: float, y: float) -> Point:
        """One template point in the patch."""
        c, s = math.cos(self.turn), math.sin(self.turn)
        return c * x - s * y + self.x, s * x + c * y + self.y

    def points(self, template_points: Floats) -> Floats:
        """Template points (N, 2) in the patch (N, 2)."""
        m = self.matrix()
        out: Floats = np.asarray(template_points) @ m[:, :2].T + m[:, 2]
        return out

    def points_within(self, patch_points: Floats) -> Floats:
        """What `points` undoes: patch points (N, 2) in the template (N, 2)."""
        m = self.matrix()
        out: Floats = (np.asarray(patch_points) - m[:, 2]) @ m[:, :2]
        return out


class Aligner:
    """One template's window, ready to be laid over patches. The window may be the top part of a larger template."""

    def __init__(self, template: Grey, weight: Grey | None = None) -> None:
        """`template`: (h, w) float32; `weight`: (h, w), how much each pixel counts, all the same if not given."""
        self.shape = template.shape
        h, w = template.shape
        t = template.astype(np.float32)
        # All sums are over pixels that were multiplied by the root of their weight.
        root = np.full(h * w, 1.0, np.float32) if weight is None else np.sqrt(weight.astype(np.float32)).ravel()
        self._root = None if weight is None else root
        one = root / (float(np.linalg.norm(root)) + 1e-6)
        self._flat = t.ravel() * root
        self._flat -= float(self._flat @ one) * one
        self.norm = float(np.linalg.norm(self._flat)) + 1e-6
        self._flat /= self.norm
        gx = cv2.Sobel(t, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8).ravel() / self.norm
        gy = cv2.Sobel(t, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8).ravel() / self.norm
        ys, xs = np.mgrid[0:h, 0:w].astype(np.float32)
        self._middle = (w / 2, h / 2)
        self._arm = max(w, h) / 2
        turn = (-gx * (ys.ravel() - h / 2) + gy * (xs.ravel() - w / 2)) / self._arm
        jac = np.stack([gx, gy, turn]) * root
        # Directions that only change gain or offset are taken out of the Jacobian.
        for basis in (self._flat, one):
            jac = jac - (jac @ basis)[:, None] * basis
        solve = (np.linalg.inv(jac @ jac.T + np.eye(3) * 1e-6) @ jac).astype(np.float32)
        self._still: tuple[float, ...] = tuple((solve @ self._flat).tolist())
        self._sums = np.concatenate([self._flat[None], one[None], solve])
        """What is summed up of a patch, (5, h * w): its likeness, its level, and the three steps."""

    def lay(self, patch: Grey, start: Placed, rounds: int = 6, hopeless: Sequence[float] = ()) -> tuple[Placed, float]:
        """Refine `start`; returns the place and the correlation there (-1..1).

        `hopeless`: correlations at the start, after the first step and so on below which it is given up.
        """
        h, w = self.shape
        mx, my = self._middle
        # Keep the middle of the window and the turn: shifts and turns are then nearly independent.
        cx, cy = start.point(mx, my)
        turn = start.turn
        still = self._still
        best, found = start, -1.0
        for k in range(rounds + 1):
            c, s = math.cos(turn), math.sin(turn)
            m = np.array([[c, -s, cx - c * mx + s * my], [s, c, cy - s * mx - c * my]])
            seen = cv2.warpAffine(
                patch, m, (w, h), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
            ).ravel()
            if self._root is not None:
                seen = seen * self._root
            # The template and the steps know no offset, so only the norm needs the mean taken out.
            like, level, dx, dy, dt = (self._sums @ seen).tolist()
            norm = max(float(seen @ seen) - level * level, 0.0) ** 0.5 + 1e-6
            corr = like / norm
            if corr > found:
                best, found = Placed(float(m[0, 2]), float(m[1, 2]), float(turn)), corr
            elif corr < found - 0.02:
                break
            if k == rounds or (k < len(hopeless) and found < hopeless[k]):
                break
            scale = norm * max(corr, 0.3)
            dx, dy, dt = dx / scale - still[0], dy / scale - still[1], dt / scale - still[2]
            size = max(abs(dx), abs(dy), abs(dt))
            if size > 3.0:
                dx, dy, dt = dx * 3 / size, dy * 3 / size, dt * 3 / size
            cx -= c * dx - s * dy
            cy -= s * dx + c * dy
            turn -= dt / self._arm
            if size < 0.03:
                break
        return best, found
