"""Finds a rectangle of known size by its four edges, whatever is printed on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.rectify import TableArea, cut, frame_around
from vision.geometry.registration import (
    Registration,
)
from vision.types import Picture

RemapTable: TypeAlias = NDArray[np.float32]

SHARE: Final = 0.9
"""Share of each side that is asked for an edge: corners are round, and people's fingers lie on them."""
BORDERS: Final = (0.0, 1.0, 1.5, 2.0, 2.5, 3.0)
"""Widths of a printed border that may show instead of the edge itself, mm: a dark border on a dark mat."""
PLAINER: Final = 0.08
"""How much better a border must fit than the edge before it is believed."""
ASKEW: Final = 0.05
"""Turn up to which edges along the patch's own rows and columns will do, radians."""


class _Edges:
    """The steps of a patch's tones, in any direction."""

    def __init__(self, patch: Picture) -> None:
        tones = cv2.GaussianBlur(patch, (0, 0), 0.8).astype(np.float32)
        self._gx = cv2.Sobel(tones, cv2.CV_32F, 1, 0, ksize=1)
        self._gy = cv2.Sobel(tones, cv2.CV_32F, 0, 1, ksize=1)
        # Saturated: a faint edge along the whole side tells more than a strong one along half of it.
        self._soft = max(2.5, 0.1 * float(patch.mean()))
        self._size = (patch.shape[1], patch.shape[0])
        self._straight = (self._steep(self._gx), self._steep(self._gy))

    def turned(self, turn: float) -> tuple[RemapTable, RemapTable, NDArray[np.float64]]:
        """Edges across the rows and along them, each 0..1, as if the patch were turned back by `turn` radians."""
        w, h = self._size
        spin = cv2.getRotationMatrix2D((w / 2 - 0.5, h / 2 - 0.5), -np.degrees(turn), 1)
        maps = self._straight
        if abs(turn) > ASKEW:
            c, s = float(spin[0, 0]), float(spin[0, 1])
            maps = (
                self._steep(cv2.addWeighted(self._gx, c, self._gy, s, 0)),
                self._steep(cv2.addWeighted(self._gy, c, self._gx, -s, 0)),
            )
        x, y = (np.asarray(cv2.warpAffine(m, spin, (w, h), flags=cv2.INTER_LINEAR), dtype=np.float32) for m in maps)
        return x, y, np.asarray(spin, dtype=np.float64)

    def _steep(self, steps: cv2.typing.MatLike) -> RemapTable:
        # One by one they come out in half the time that `split` takes.
        away = np.abs(steps)
        first, second, third = (cv2.extractChannel(away, k) for k in range(3))
        steep = np.asarray(cv2.max(cv2.max(first, second), third), dtype=np.float32)
        return steep / (steep + np.float32(self._soft))


def _sides(
    edges: RemapTable, first: int, second: int, count: int, side: int, places: int
) -> tuple[RemapTable, RemapTable]:
    """Mean edge along two parallel sides, of each of `count` rows from `first` and from `second` on, for a side of
    `side` pixels that begins at each of `places` columns: two (count, places) arrays."""
    skip = round(side * (1 - SHARE) / 2)
    length = side - 2 * skip

    def means(row: int) -> RemapTable:
        # OpenCV's integral has one more row and column than the picture.
        sums = cv2.integral(np.ascontiguousarray(edges[row : row + count]))
        rows = np.diff(sums, axis=0)
        out = (rows[:, skip + length : skip + length + places] - rows[:, skip : skip + places]) / length
        return np.asarray(out, dtype=np.float32)

    return means(first), means(second)


def _best_rectangle(
    patch: Picture, scale: float, size: tuple[float, float], turns: Sequence[float], borders: Sequence[float]
) -> tuple[float, float, float, float]:
    """The rectangle of `size` mm whose four sides lie best on edges: middle x, y (px), turn (rad), fit 0..1.

    Where a border inside it fits much better, the rectangle lies around that.
    """
    h, w = patch.shape[:2]
    edges = _Edges(patch)
    rw, rh = round(size[0] * scale), round(size[1] * scale)
    nx, ny = w - rw, h - rh
    found: dict[float, list[tuple[float, float, float]]] = {border: [] for border in borders}
    for turn in turns:
        gx, gy, spin = edges.turned(turn)
        across = np.ascontiguousarray(gx.T)
        back = np.linalg.inv(np.vstack([spin, [0, 0, 1]]))
        for border in borders:
            d = round(border * scale)
            top, bottom = _sides(gy, d, rh - d, ny, rw, nx)
            left, right = _sides(across, d, rw - d, nx, rh, ny)
            left, right = left.T, right.T
            weakest = np.minimum(np.minimum(top, bottom), np.minimum(left, right))
            fit = (top + bottom + left + right + 2 * weakest) / 6
            y, x = divmod(int(fit.argmax()), nx)
            fine_x, fine_y = x + summit(fit[y], x), y + summit(fit[:, x], y)
            middle = back @ np.array([fine_x + rw / 2, fine_y + rh / 2, 1])
            found[border].append((float(fit[y, x]), float(middle[0]), float(middle[1])))
    best = {border: fits.index(max(fits)) for border, fits in found.items()}
    outer = borders[0]
    inner = max(borders, key=lambda border: found[border][best[border]])
    border = inner if found[inner][best[inner]][0] > found[outer][best[outer]][0] + PLAINER else outer
    k = best[border]
    between = summit(np.array([fit for fit, _, _ in found[border]]), k)
    fit_there, x_there, y_there = found[border][k]
    return x_there, y_there, turns[k] + between * (turns[1] - turns[0]), fit_there


def summit(values: NDArray[np.floating], k: int) -> float:
    """Where a parabola through `values` around the largest, at `k`, has its top, as a share of a step from there."""
    if not 0 < k < len(values) - 1:
        return 0.0
    before, top, after = (float(v) for v in values[k - 1 : k + 2])
    bend = before - 2 * top + after
    return 0.0 if bend > -1e-9 else float(min(max(0.5 * (before - after) / bend, -0.5), 0.5))


def fit_rectangle(
    image: Picture, reg: Registration, centre: tuple[float, float], turn: float, size: tuple[float, float], slack: float
) -> tuple[TableArea, float]:
    """The frame of the card or board of `size` (mm) that lies within `slack` (mm) of `centre`, and how well it fits."""
    fit = 0.0
    around, tilt = centre, turn
    for scale, room, turns, borders in (
        (1.0, slack, np.radians(np.arange(-9, 9.1, 1.5)), (0.0,)),
        (3.0, 4.0, np.radians(np.arange(-2.0, 2.01, 0.4)), BORDERS),
    ):
        window = frame_around(around, tilt, size[0] + 2 * room, size[1] + 2 * room)
        patch, _ = cut(image, reg.pose, window, scale)
        x, y, extra, fit = _best_rectangle(patch, scale, size, turns.tolist(), borders)
        there = window.to_table(np.array([[x / scale, y / scale]]))[0]
        around, tilt = (float(there[0]), float(there[1])), tilt + extra
    return frame_around(around, tilt, *size), fit
