"""Where the camera stands: a pinhole with one radial term, fitted to known points of the table.

A homography alone would do for a lens without distortion; cheap webcams bend the mat's edge by several pixels, and
a camera model stays well behaved with two tags or none, where a free homography extrapolates badly.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FOCAL_PRIOR: Final = 0.85
"""Focal length in picture widths of an ordinary webcam (60° across)."""
FOCAL_SPREAD: Final = 0.25
"""Standard deviation of its logarithm."""
RADIAL_SPREAD: Final = 0.04
"""Standard deviation of the radial term."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Camera over the table. Projects table points (mm, z up from the mat) to picture points (px).

    `focal` is in px. `radial` bends: a point at `r` half-widths from the picture's centre lies at `r (1 + radial r²)`.
    """

    rvec: Floats
    tvec: Floats
    focal: float
    radial: float
    size: tuple[int, int]
    """Width and height of the picture, px."""

    def project(self, points: Floats) -> Floats:
        """`points`: (N, 2) or (N, 3) in mm; returns (N, 2) in px."""
        pts = np.asarray(points, dtype=np.float64)
        rot, _ = cv2.Rodrigues(self.rvec)
        cam = pts @ np.asarray(rot, dtype=np.float64)[:, : pts.shape[1]].T + self.tvec
        flat = cam[:, :2] * (self.focal / np.maximum(cam[:, 2:3], 1e-3))
        half = self.size[0] / 2
        r2 = np.minimum((flat**2).sum(1, keepdims=True) / half**2, 9.0)
        centre = np.array([self.size[0], self.size[1]]) / 2
        out: Floats = flat * (1 + self.radial * r2) + centre
        return out

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
        for _ in range(6):
            r2 = (flat**2).sum(1, keepdims=True) / (self.size[0] / 2) ** 2
            flat = bent / (1 + self.radial * r2)
        ones = np.column_stack([flat + centre, np.ones(len(flat))])
        back = ones @ np.linalg.inv(self.homography).T
        table: Floats = back[:, :2] / back[:, 2:3]
        return table

    def shrunk(self, factor: float, size: tuple[int, int]) -> Pose:
        """The same camera for a picture made smaller by `factor`."""
        return replace(self, focal=self.focal / factor, size=size)

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
        focal=float(pose.focal * np.exp(np.clip(step[6], -0.5, 0.5))),
        radial=float(np.clip(pose.radial + step[7], -0.3, 0.3)),
    )


def refine(
    guess: Pose,
    table: Floats,
    pixels: Floats,
    *,
    sigma: float = 0.4,
    rounds: int = 8,
    focal_spread: float = FOCAL_SPREAD,
) -> tuple[Pose, Floats]:
    """Levenberg-Marquardt with weak priors on the lens; returns the pose and each point's error in px, (N,)."""
    prior = np.log(guess.focal)

    def residual(pose: Pose) -> Floats:
        err = (pose.project(table) - pixels) / sigma
        far = np.hypot(err[:, 0], err[:, 1])[:, None]
        # Huber beyond 3 sigma: a corner that a finger covers must not bend the table
        err = err * np.sqrt(np.where(far > 3, 3 / np.maximum(far, 1e-9), 1.0))
        lens = [(np.log(pose.focal) - prior) / focal_spread, (pose.radial - guess.radial) / RADIAL_SPREAD]
        return np.concatenate([err.ravel(), lens])

    pose, damp = guess, 1e-3
    res = residual(pose)
    cost = float(res @ res)
    for _ in range(rounds):
        jac = np.empty((res.size, 8))
        for k in range(8):
            step = np.zeros(8)
            step[k] = 1e-5
            jac[:, k] = (residual(_moved(pose, step)) - res) / 1e-5
        normal, grad = jac.T @ jac, jac.T @ res
        for _ in range(6):
            delta = np.linalg.solve(normal + damp * np.diag(np.diag(normal) + 1e-9), -grad)
            trial = _moved(pose, np.asarray(delta, dtype=np.float64))
            new = residual(trial)
            new_cost = float(new @ new)
            if new_cost < cost:
                done = cost - new_cost < 1e-4 * cost
                pose, res, cost, damp = trial, new, new_cost, damp * 0.3
                break
            damp *= 10
        else:
            break
        if done:
            break
    return pose, np.hypot(*(pose.project(table) - pixels).T)
