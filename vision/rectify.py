"""Cuts straight pieces out of a picture: a rectangle of the table, seen from above, at a fixed scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pose import Floats, Pose
from vision.registration import Picture

_STEP: Final = 12
"""The exact map is computed at every so many pixels and interpolated between; the lens' bend is far smoother."""


@dataclass(frozen=True, slots=True)
class Frame:
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


def frame_around(centre: tuple[float, float], turn: float, width: float, height: float) -> Frame:
    """The frame of that size whose middle lies at `centre` (mm)."""
    c, s = np.cos(turn), np.sin(turn)
    return Frame(
        (centre[0] - c * width / 2 - s * height / 2, centre[1] - s * width / 2 + c * height / 2), turn, width, height
    )


def maps(pose: Pose, frame: Frame, scale: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Where each pixel of the frame at `scale` px/mm lies in the picture: two (h, w) float32 arrays, x and y."""
    w, h = round(frame.width * scale), round(frame.height * scale)
    nx, ny = max(2, -(-w // _STEP) + 1), max(2, -(-h // _STEP) + 1)
    xs = np.linspace(0.5, w - 0.5, nx) / scale
    ys = np.linspace(0.5, h - 0.5, ny) / scale
    grid = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)
    px = pose.project(frame.to_table(grid)).reshape(ny, nx, 2).astype(np.float32) - np.float32(0.0)
    # Interpolate the coarse grid so that its first and last columns fall on the first and last pixels.
    ax = np.linspace(0, nx - 1, w, dtype=np.float32)
    ay = np.linspace(0, ny - 1, h, dtype=np.float32)
    gx, gy = np.meshgrid(ax, ay)
    fine = cv2.remap(px, gx, gy, cv2.INTER_LINEAR)
    return np.ascontiguousarray(fine[..., 0]), np.ascontiguousarray(fine[..., 1])


def cut(image: Picture, pose: Pose, frame: Frame, scale: float) -> tuple[Picture, NDArray[np.bool_]]:
    """The frame at `scale` px/mm as (h, w, 3) uint8, and where it lies inside the picture, (h, w) bool."""
    mx, my = maps(pose, frame, scale)
    patch = cv2.remap(image, mx, my, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inside = (mx > 2) & (my > 2) & (mx < image.shape[1] - 3) & (my < image.shape[0] - 3)
    return np.asarray(patch, dtype=np.uint8), inside
