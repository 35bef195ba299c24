"""Where the camera stands: a pinhole with two radial terms, fitted to known points of the table.

A homography alone would do for a lens without distortion; cheap webcams bend the mat's edge by several pixels, and
a camera model stays well behaved with two tags or none, where a free homography extrapolates badly. Where a lens draws
points inwards its radial terms stand in the denominator (Fitzgibbon, "Simultaneous linear estimation of multiple view
geometry and lens distortion", CVPR 2001): one such term describes a wide lens as well as two or three of a polynomial,
and a picture never folds over.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import cv2
import numpy as np

from vision.types import Floats

FOCAL_PRIOR: Final = 0.85
"""Focal length in picture widths of an ordinary webcam (60° across)."""
LensSpread: TypeAlias = tuple[float, float, float]
"""Standard deviations of the focal length's logarithm and of the two radial terms around those of the guess."""
ORDINARY: Final[LensSpread] = (0.25, 0.15, 0.0005)
"""Of a lens that nothing is known of: four tags near the picture's corners tell little of a second term."""
STRONG: Final[LensSpread] = (0.25, 0.15, 0.012)
"""Of one whose first term is large."""
KNOWN: Final[LensSpread] = (0.03, 0.03, 0.004)
"""Of one that was seen better before."""
CALIBRATED: Final[LensSpread] = (0.01, 0.005, 0.001)
"""Of one that was calibrated: focusing changes it a little."""
FARTHEST: Final = 9.0
"""Squared half-widths from the picture's centre beyond which a point is bent no further."""


@dataclass(frozen=True, slots=True)
class Lens:
    """A camera's lens: `focal` in picture widths, and the radial terms of `Pose`; for pictures of one shape."""

    focal: float
    radial: float
    second: float
    shape: float
    """Height of the picture over its width."""

    def fits(self, size: tuple[int, int]) -> bool:
        """Whether it is of pictures of this width and height."""
        return abs(size[1] / size[0] - self.shape) < 0.01

    def at(self, pose: Pose) -> Pose:
        """The pose with this lens."""
        return replace(pose, focal=self.focal * pose.size[0], radial=self.radial, second=self.second)


@dataclass(frozen=True, slots=True)
class Pose:
    """Camera over the table. Projects table points (mm, z up from the mat) to picture points (px).

    `focal` is in px. A point at `r` half-widths from the picture's centre lies at `r / (1 - m)` with
    `m = radial r² + second r⁴` where the lens draws it inwards (m < 0), and at `r (1 + m)` where it pushes it outwards.
    """

    rvec: Floats
    tvec: Floats
    focal: float
    radial: float
    size: tuple[int, int]
    """Width and height of the picture, px."""
    second: float = 0.0

    def project(self, points: Floats) -> Floats:
        """`points`: (N, 2) or (N, 3) in mm; returns (N, 2) in px."""
        pts = np.asarray(points, dtype=np.float64)
        rot, _ = cv2.Rodrigues(self.rvec)
        # One row a coordinate: sums and products along a row are quick.
        cam = np.asarray(rot, dtype=np.float64)[:, : pts.shape[1]] @ pts.T + self.tvec[:, None]
        flat = cam[:2] * (self.focal / np.maximum(cam[2], 1e-3))
        half = self.size[0] / 2
        r2 = np.minimum((flat[0] * flat[0] + flat[1] * flat[1]) / half**2, FARTHEST)
        flat *= self.bend(r2)
        return np.column_stack([flat[0] + self.size[0] / 2, flat[1] + self.size[1] / 2])

    def bend(self, r2: Floats) -> Floats:
        """How much further from the centre than a pinhole's a point lies, by its squared distance in half-widths."""
        more = r2 * (self.radial + r2 * self.second)
        return np.asarray((1 + np.maximum(more, 0)) / (1 - np.minimum(more, 0)))

    @property
    def homography(self) -> Floats:
        """Table (mm) to picture (px), 3 x 3, without the lens' bend."""
        rot, _ = cv2.Rodrigues(self.rvec)
        inner = np.array([[self.focal, 0, self.size[0] / 2], [0, self.focal, self.size[1] / 2], [0, 0, 1.0]])
        h: Floats = inner @ np.column_stack([np.asarray(rot)[:, 0], np.asarray(rot)[:, 1], self.tvec])
        h /= h[2, 2]
        return h

    def to_table(self, pixels: Floats) -> Floats:
        """Picture points (N, 2) px back to the table's plane, (N, 2) mm."""
        centre = np.array([self.size[0], self.size[1]]) / 2
        bent = np.asarray(pixels, dtype=np.float64) - centre
        flat = bent.copy()
        for _ in range(12):
            r2 = (flat**2).sum(1, keepdims=True) / (self.size[0] / 2) ** 2
            flat = bent / self.bend(np.minimum(r2, FARTHEST))
        ones = np.column_stack([flat + centre, np.ones(len(flat))])
        back = ones @ np.linalg.inv(self.homography).T
        table: Floats = back[:, :2] / back[:, 2:3]
        return table

    @property
    def tilt(self) -> float:
        """Angle between the camera's axis and the vertical, degrees."""
        rot, _ = cv2.Rodrigues(self.rvec)
        return float(np.degrees(np.arccos(np.clip(-float(np.asarray(rot)[2, 2]), -1, 1))))

    @property
    def scale(self) -> float:
        """Pixels per millimetre at the middle of the table."""
        ends = self.project(np.array([[-50.0, 0.0], [50.0, 0.0], [0.0, -50.0], [0.0, 50.0]]))
        return float(np.hypot(*(ends[1] - ends[0])) + np.hypot(*(ends[3] - ends[2]))) / 200


def first_guess(table: Floats, pixels: Floats, size: tuple[int, int], focal: float | None = None) -> Pose | None:
    """A pose from at least four points by way of a homography; None if they give none."""
    h: object = cv2.findHomography(table.astype(np.float64), pixels.astype(np.float64), 0)[0]
    if not isinstance(h, np.ndarray):
        return None
    return pose_of_homography(np.asarray(h, dtype=np.float64), size, focal)


def pose_of_homography(h: Floats, size: tuple[int, int], focal: float | None = None) -> Pose | None:
    """The rigid pose nearest to a table-to-picture homography; None if it looks at the table from below."""
    f = focal or FOCAL_PRIOR * size[0]
    inner = np.array([[f, 0, size[0] / 2], [0, f, size[1] / 2], [0, 0, 1.0]])
    m = np.linalg.inv(inner) @ h
    scale = (np.linalg.norm(m[:, 0]) + np.linalg.norm(m[:, 1])) / 2
    if not np.isfinite(scale) or scale < 1e-12:
        return None
    m = m / scale
    if m[2, 2] < 0:
        m = -m
    third = np.cross(m[:, 0], m[:, 1])
    u, _, vt = np.linalg.svd(np.column_stack([m[:, 0], m[:, 1], third]))
    rot = u @ np.diag([1.0, 1.0, np.sign(np.linalg.det(u @ vt))]) @ vt
    if rot[2, 2] > 0:
        return None
    rvec, _ = cv2.Rodrigues(rot)
    return Pose(np.asarray(rvec, dtype=np.float64).ravel(), m[:, 2].copy(), float(f), 0.0, size)


def _moved(pose: Pose, step: Floats) -> Pose:
    return replace(
        pose,
        rvec=pose.rvec + step[:3],
        tvec=pose.tvec + step[3:6] * 100,
        focal=pose.focal * math.exp(min(max(step[6], -0.5), 0.5)),
        radial=float(min(max(pose.radial + step[7], -0.5), 0.3)),
        second=float(min(max(pose.second + step[8], -0.05), 0.05)),
    )


def slopes(pose: Pose, points: Floats) -> tuple[Floats, Floats, Floats]:
    """Where table points (N, 2) mm lie in the picture, (N, 2) px, and how that changes.

    With the pose, (N, 2, 9), in the steps of `refine`: turn, shift in 100 mm, logarithm of the focal length, the two
    radial terms; and with the point, (N, 2, 2).
    """
    rot, turning = cv2.Rodrigues(pose.rvec)
    flat = np.asarray(rot, dtype=np.float64)[:, :2]
    cam = points @ flat.T + pose.tvec
    z = np.maximum(cam[:, 2:3], 1e-3)
    xy = cam[:, :2] / z
    half = pose.size[0] / 2
    zoom = (pose.focal / half) ** 2
    r2 = np.minimum((xy**2).sum(1, keepdims=True) * zoom, FARTHEST)
    stretch = pose.bend(r2)
    steeper = np.minimum(stretch, 1) ** 2 * (pose.radial + 2 * pose.second * r2)
    # From a point seen by the camera to its place in the picture, (N, 2, 3).
    along = xy[:, :, None] * xy[:, None, :]
    by_plane = pose.focal * (stretch[..., None] * np.eye(2) + 2 * zoom * steeper[..., None] * along)
    by_cam = np.concatenate([by_plane, -(by_plane @ xy[:, :, None])], axis=2) / z[..., None]
    # OpenCV gives the turning as (3, 9): each entry of the matrix by each entry of the vector.
    by_turn = np.einsum("krc,nc->nrk", np.asarray(turning, dtype=np.float64).reshape(3, 3, 3)[:, :, :2], points)
    out = np.empty((len(points), 2, 9))
    out[:, :, :3] = by_cam @ by_turn
    out[:, :, 3:6] = by_cam * 100
    out[:, :, 6] = pose.focal * xy * (stretch + 2 * steeper * r2)
    out[:, :, 7] = pose.focal * xy * np.minimum(stretch, 1) ** 2 * r2
    out[:, :, 8] = out[:, :, 7] * r2
    at = pose.focal * xy * stretch + np.array(pose.size) / 2
    return at, out, by_cam @ flat


def refine(
    guess: Pose,
    table: Floats,
    pixels: Floats,
    *,
    sigma: float = 0.4,
    rounds: int = 8,
    lens: LensSpread = ORDINARY,
) -> tuple[Pose, Floats]:
    """Levenberg-Marquardt with a prior on the lens; returns the pose and each point's error in px, (N,)."""
    prior = math.log(guess.focal)
    spread = np.array(lens)

    def strain(pose: Pose) -> Floats:
        off = np.array([math.log(pose.focal) - prior, pose.radial - guess.radial, pose.second - guess.second])
        return np.asarray(off / spread)

    def cost_of(pose: Pose) -> float:
        off = (pose.project(table) - pixels) / sigma
        far = np.sqrt(np.einsum("nc,nc->n", off, off))
        # Huber beyond 3 sigma: a corner that a finger covers must not bend the table
        pulled = strain(pose)
        return float(far @ np.minimum(far, 3) + pulled @ pulled)

    pose, damp = guess, 1e-3
    cost = cost_of(pose)
    for _ in range(rounds):
        at, by_step, _ = slopes(pose, table)
        err = (at - pixels) / sigma
        weight = np.minimum(1.0, 3 / np.maximum(np.hypot(err[:, 0], err[:, 1]), 1e-9))
        jac = by_step.reshape(-1, 9) / sigma
        weighted = jac * np.repeat(weight, 2)[:, None]
        normal, grad = weighted.T @ jac, weighted.T @ err.ravel()
        normal[range(6, 9), range(6, 9)] += spread**-2
        grad[6:] += strain(pose) / spread
        for _ in range(6):
            delta = np.linalg.solve(normal + damp * np.diag(np.diag(normal) + 1e-9), -grad)
            trial = _moved(pose, np.asarray(delta, dtype=np.float64))
            new_cost = cost_of(trial)
            if new_cost < cost:
                done = cost - new_cost < 1e-4 * cost
                pose, cost, damp = trial, new_cost, damp * 0.3
                break
            damp *= 10
        else:
            break
        if done:
            break
    return pose, np.hypot(*(pose.project(table) - pixels).T)
