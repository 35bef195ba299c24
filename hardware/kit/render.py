"""Draws solids as a picture: parallel projection, a depth buffer, flat shading and dark edges, like a manual's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
from manifold3d import Manifold
from numpy.typing import NDArray

from kit.mesh_files import mesh_of

Picture: TypeAlias = NDArray[np.uint8]
Floats: TypeAlias = NDArray[np.float64]
Colour: TypeAlias = tuple[int, int, int]
"""Red, green, blue."""

PAPER: Final[Colour] = (255, 255, 255)
INK: Final[Colour] = (40, 40, 44)
_SUN: Final = np.array((-0.35, -0.45, 0.82))
_FINE: Final = 2
"""Pixels drawn for each pixel kept, each way."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A solid where it stands, and its colour."""

    solid: Manifold
    colour: Colour


@dataclass(frozen=True, slots=True)
class Label:
    """A number in a circle and what it points at, mm."""

    text: str
    at: tuple[float, float, float]
    shift: tuple[float, float] = (0.0, -46.0)
    """From the point to the circle in the picture, px."""


@dataclass(frozen=True, slots=True)
class View:
    """From where it is looked at: degrees round the upright axis and above the table."""

    turn: float = -35.0
    rise: float = 40.0

    def axes(self) -> Floats:
        """Rows: right, up and towards the eye."""
        t, r = math.radians(self.turn), math.radians(self.rise)
        right = (math.cos(t), math.sin(t), 0.0)
        back = (math.sin(t) * math.cos(r), -math.cos(t) * math.cos(r), math.sin(r))
        return np.array((right, np.cross(back, right), back))


def render(
    things: Sequence[Thing], view: View, size: tuple[int, int] = (900, 600), labels: Sequence[Label] = ()
) -> Picture:
    """The picture (rows × columns × 3, BGR) of all things, as large as they fit in `size` (width, height)."""
    axes = view.axes()
    width, height = size[0] * _FINE, size[1] * _FINE
    meshes = [(mesh_of(thing.solid), thing.colour) for thing in things]
    placed = [(mesh.points @ axes.T, mesh.triangles, colour) for mesh, colour in meshes]
    flat = np.concatenate([points[:, :2] for points, _, _ in placed])
    low, high = flat.min(0), flat.max(0)
    rim = 70 * _FINE if labels else 30 * _FINE
    scale = float(min((width - 2 * rim) / (high[0] - low[0]), (height - 2 * rim) / (high[1] - low[1])))
    middle = (low + high) / 2

    def to_pixels(points: Floats) -> Floats:
        x = (points[..., 0] - middle[0]) * scale + width / 2
        y = height / 2 - (points[..., 1] - middle[1]) * scale
        return np.stack((x, y), -1)

    picture = np.full((height, width, 3), PAPER[::-1], np.uint8)
    depth = np.full((height, width), -np.inf)
    facing = np.zeros((height, width, 3), np.float32)
    sun = axes @ (_SUN / np.linalg.norm(_SUN))
    for points, triangles, colour in placed:
        corners = points[triangles]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-12
        seen = normals[:, 2] > 1e-6
        shades = 0.62 + 0.38 * np.clip(normals @ sun, 0, 1)
        for triangle, normal, shade in zip(corners[seen], normals[seen], shades[seen], strict=True):
            tone = np.array(colour[::-1], np.float64) * shade
            _fill(picture, depth, facing, to_pixels(triangle), triangle[:, 2], normal, tone)
    picture[_edges(depth, facing, 1 / scale)] = INK[::-1]
    small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    for label in labels:
        spot = to_pixels(np.array([label.at]) @ axes.T)[0] / _FINE
        _mark(small, label, (float(spot[0]), float(spot[1])))
    return small


def _fill(
    picture: Picture, depth: Floats, facing: NDArray[np.float32], corners: Floats, heights: Floats, normal: Floats,
    tone: Floats,
) -> None:  # fmt: skip
    """Paints one triangle where it is nearer to the eye than what is painted already."""
    x0, y0 = np.maximum(np.floor(corners.min(0)).astype(int), 0)
    x1 = min(int(corners[:, 0].max()) + 2, picture.shape[1])
    y1 = min(int(corners[:, 1].max()) + 2, picture.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    (ax, ay), (bx, by), (cx, cy) = corners
    whole = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    if abs(whole) < 1e-9:
        return
    xs, ys = np.arange(x0, x1)[None, :] + 0.5, np.arange(y0, y1)[:, None] + 0.5
    v = ((xs - ax) * (cy - ay) - (ys - ay) * (cx - ax)) / whole
    w = ((bx - ax) * (ys - ay) - (by - ay) * (xs - ax)) / whole
    z = heights[0] + v * (heights[1] - heights[0]) + w * (heights[2] - heights[0])
    here = depth[y0:y1, x0:x1]
    slack = -1e-6
    nearer = (v >= slack) & (w >= slack) & (v + w <= 1 - slack) & (z > here + 1e-4)
    here[nearer] = z[nearer]
    picture[y0:y1, x0:x1][nearer] = tone.astype(np.uint8)
    facing[y0:y1, x0:x1][nearer] = normal


def _edges(depth: Floats, facing: NDArray[np.float32], pixel: float) -> NDArray[np.bool_]:
    """Where the surface breaks off or bends sharply: one dark line. `pixel` is the side of a pixel, mm."""
    edges = np.zeros(depth.shape, bool)
    there = np.isfinite(depth)
    ground = np.where(there, depth, -1e4)
    for axis in (0, 1):
        after, before = (slice(1, None), slice(None, -1))
        one = (after, slice(None)) if axis == 0 else (slice(None), after)
        two = (before, slice(None)) if axis == 0 else (slice(None), before)
        # A slope seen at a shallow angle steps from pixel to pixel by itself.
        lean = np.minimum(facing[one][..., 2], facing[two][..., 2])
        step = np.abs(ground[one] - ground[two]) > 0.9 + 1.5 * pixel / np.maximum(lean, 0.05)
        bend = ((facing[one] * facing[two]).sum(-1) < 0.8) & there[one] & there[two]
        edges[two] |= step | bend
    return edges


def _mark(picture: Picture, label: Label, spot: tuple[float, float]) -> None:
    centre = (round(spot[0] + label.shift[0]), round(spot[1] + label.shift[1]))
    at = (round(spot[0]), round(spot[1]))
    cv2.line(picture, at, centre, INK[::-1], 1, cv2.LINE_AA)
    cv2.circle(picture, at, 3, INK[::-1], -1, cv2.LINE_AA)
    radius = 15 if len(label.text) < 3 else 20
    cv2.circle(picture, centre, radius, (255, 255, 255), -1, cv2.LINE_AA)
    cv2.circle(picture, centre, radius, INK[::-1], 2, cv2.LINE_AA)
    font = cv2.FontFace("sans")
    _, _, wide, _ = cv2.getTextSize((1, 1), label.text, (0, 0), font, 17, 700)
    cv2.putText(picture, label.text, (centre[0] - wide // 2, centre[1] + 6), INK[::-1], font, 17, 700)
