"""Cuts straight pieces out of a picture: a rectangle of the table, seen from above, at a fixed scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.pose import (
    Pose,
)
from vision.types import Floats, Picture

_NO_MAP: Final = cast("NDArray[np.float32]", None)
"""OpenCV takes no second map beside one of both coordinates, which its type hints do not know."""
_STEP: Final = 12
"""The exact map is computed at every so many pixels and interpolated between; the lens' bend is far smoother."""
_BEYOND: Final = 4
"""How far beyond its rim a piece's pixels are looked for, px."""
_LARGER: Final = 3
"""How many times as many pixels as a piece the part of the picture where it lies may have for a fourth channel to pay:
adding it costs a third of what it saves for each pixel."""


@dataclass(frozen=True, slots=True)
class TableArea:
    """A rectangle on the table: `origin` (mm) is its top left corner, `turn` (radians, anticlockwise) the direction of
    its rows, `width` and `height` its size in mm; rows run downwards, that is against the turned +y.
    """

    origin: tuple[float, float]
    turn: float
    width: float
    height: float

    def to_table(self, points: Floats) -> Floats:
        """Points (N, 2) in mm from the frame's top left, y downwards, as points of the table (N, 2) mm."""
        c, s = np.cos(self.turn), np.sin(self.turn)
        pts = np.asarray(points, dtype=np.float64)
        out: Floats = pts @ np.array([[c, s], [s, -c]]) + np.array(self.origin)
        return out

    def from_table(self, points: Floats) -> Floats:
        """What `to_table` undoes: points of the table (N, 2) mm as points (N, 2) in mm from the frame's top left."""
        c, s = np.cos(self.turn), np.sin(self.turn)
        off = np.asarray(points, dtype=np.float64) - np.array(self.origin)
        return np.asarray(np.column_stack([c * off[:, 0] + s * off[:, 1], s * off[:, 0] - c * off[:, 1]]))

    @property
    def corners(self) -> Floats:
        """Its corners on the table, (4, 2) mm, from its own top left, clockwise."""
        return self.to_table(np.array([[0, 0], [self.width, 0], [self.width, self.height], [0, self.height]]))


def frame_around(centre: tuple[float, float], turn: float, width: float, height: float) -> TableArea:
    """The frame of that size whose middle lies at `centre` (mm)."""
    c, s = np.cos(turn), np.sin(turn)
    return TableArea(
        (centre[0] - c * width / 2 - s * height / 2, centre[1] - s * width / 2 + c * height / 2), turn, width, height
    )


def places(pose: Pose, frame: TableArea, scale: float) -> NDArray[np.float32]:
    """Where each pixel of the frame at `scale` px/mm lies in the picture: (h, w, 2) float32, x and y."""
    return _between(_knots(pose, frame, scale), frame, scale)


def _knots(pose: Pose, frame: TableArea, scale: float) -> NDArray[np.float32]:
    """The same of knots, `_STEP` pixels apart and one cell beyond each side."""
    w, h = round(frame.width * scale), round(frame.height * scale)
    nx, ny = -(-w // _STEP) + 2, -(-h // _STEP) + 2
    # Knots one cell beyond each side: `resize` interpolates between the middles of cells and flattens its border.
    xs = (np.arange(nx) - 0.5) * (_STEP / scale)
    ys = (np.arange(ny) - 0.5) * (_STEP / scale)
    grid = np.empty((ny, nx, 2))
    grid[..., 0], grid[..., 1] = xs, ys[:, None]
    return pose.project(frame.to_table(grid.reshape(-1, 2))).astype(np.float32).reshape(ny, nx, 2)


def _between(knots: NDArray[np.float32], frame: TableArea, scale: float) -> NDArray[np.float32]:
    """The places between the knots, (h, w, 2)."""
    w, h = round(frame.width * scale), round(frame.height * scale)
    ny, nx = knots.shape[:2]
    fine = cv2.resize(knots, (nx * _STEP, ny * _STEP), interpolation=cv2.INTER_LINEAR)
    return np.asarray(fine[_STEP : _STEP + h, _STEP : _STEP + w], dtype=np.float32)


def cut(
    image: Picture, pose: Pose, frame: TableArea, scale: float, sharply: bool = False
) -> tuple[Picture, NDArray[np.bool_]]:
    """The frame at `scale` px/mm as (h, w, 3) uint8, and where it lies inside the picture, (h, w) bool.

    A grey picture gives (h, w). `sharply`: interpolated by cubes, which keeps print that is as fine as the picture's
    pixels and takes longer.
    """
    knots = _knots(pose, frame, scale)
    height, width = image.shape[:2]
    # Both coordinates in one map: the same pixels, in two thirds of the time that two take with splitting them.
    how = cv2.INTER_CUBIC if sharply else cv2.INTER_LINEAR
    # The knots, which go a little beyond it, tell where in the picture the piece lies.
    xs, ys = knots[..., 0].ravel(), knots[..., 1].ravel()
    low_x, low_y, high_x, high_y = (float(end) for end in (xs.min(), ys.min(), xs.max(), ys.max()))
    whole = low_x > 2 and low_y > 2 and high_x < width - 3 and high_y < height - 3
    left, top = int(min(max(low_x - _BEYOND, 0), width - 1)), int(min(max(low_y - _BEYOND, 0), height - 1))
    right, bottom = (int(min(max(high_x + _BEYOND, left + 1), width)), int(min(max(high_y + _BEYOND, top + 1), height)))
    part = image[top:bottom, left:right]
    size = round(frame.height * scale), round(frame.width * scale)
    narrow = part.ndim == 3 and not sharply and part.size < 3 * _LARGER * size[0] * size[1]
    inside = np.ones(size, np.bool_) if whole else _inside(_between(knots, frame, scale), width, height)
    if not narrow:
        patch = cv2.remap(image, _between(knots, frame, scale), _NO_MAP, how, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(patch, dtype=np.uint8), inside
    # With a fourth channel the same pixels take half the time.
    at = _between(knots - np.array([left, top], np.float32), frame, scale)
    wide = cv2.remap(cv2.cvtColor(part, cv2.COLOR_BGR2BGRA), at, _NO_MAP, how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.cvtColor(wide, cv2.COLOR_BGRA2BGR), dtype=np.uint8), inside


def _inside(at: NDArray[np.float32], width: int, height: int) -> NDArray[np.bool_]:
    """Which places (h, w, 2) lie within a picture of that size, (h, w)."""
    x, y = at[..., 0], at[..., 1]
    return np.asarray((x > 2) & (y > 2) & (x < width - 3) & (y < height - 3))
