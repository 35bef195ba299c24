"""Registration without the mat: the three boards are landmarks (Lowe, "Distinctive image features", IJCV 2004)."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.names import THEATERS, Theater
from vision import geometry
from vision.pose import RADIAL_SPREAD, Floats, Pose, first_guess
from vision.profile import BOARD_PX, SCALE, DeckProfile
from vision.registration import MAX_TILT, Picture, Registration, grey_of

WORK_WIDTH: Final = 1280
"""Width to which the picture is brought for key points, px."""
BOARD_SCALE: Final = 1.6
"""px/mm of the boards' key points; about what a camera at 1280 px sees."""
LEAST_MATCHES: Final = 8
SLIDE: Final = (4.0, 0.04)
"""How far boards lie from their places: mm, radians (standard deviations)."""
ERROR: Final = 0.5
"""Error of a key point, mm."""


class Landmarks:
    """The boards' key points of one deck."""

    def __init__(self, profile: DeckProfile) -> None:
        self._sift = cv2.SIFT.create(nfeatures=2500, contrastThreshold=0.015, edgeThreshold=15)
        self._focal = profile.focal
        self._points: dict[Theater, Floats] = {}
        self._features: dict[Theater, NDArray[np.float32]] = {}
        size = (round(BOARD_PX[0] * BOARD_SCALE / SCALE), round(BOARD_PX[1] * BOARD_SCALE / SCALE))
        for theater in THEATERS:
            board = cv2.resize(profile.boards[theater], size, interpolation=cv2.INTER_AREA)
            keys, features = self._sift.detectAndCompute(_even(grey_of(np.asarray(board, dtype=np.uint8))), None)
            at = np.array([k.pt for k in keys], dtype=np.float64).reshape(-1, 2) + 0.5
            # Millimetres from the board's middle, y upwards.
            local = at / BOARD_SCALE - np.array(geometry.BOARD) / 2
            self._points[theater] = local * np.array([1.0, -1.0])
            self._features[theater] = (
                np.asarray(features, dtype=np.float32) if len(keys) else np.zeros((0, 128), np.float32)
            )

    def register(self, image: Picture) -> Registration | None:
        """The camera from at least two boards, else None. `near` is the seat they stand upright for."""
        grey = grey_of(image)
        size = (int(grey.shape[1]), int(grey.shape[0]))
        factor = max(1.0, size[0] / WORK_WIDTH)
        small = cv2.resize(grey, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA)
        keys, features = self._sift.detectAndCompute(_even(np.asarray(small, dtype=np.uint8)), None)
        if features is None or len(keys) < LEAST_MATCHES:
            return None
        pixels = (np.array([k.pt for k in keys], dtype=np.float64) + 0.5) * factor - 0.5
        found: dict[Theater, tuple[Floats, Floats, Floats]] = {}
        for theater in THEATERS:
            pair = self._match(theater, np.asarray(features, dtype=np.float32), pixels)
            if pair is not None:
                found[theater] = pair
        return self._solve(found, size)

    def _match(
        self, theater: Theater, features: NDArray[np.float32], pixels: Floats
    ) -> tuple[Floats, Floats, Floats] | None:
        """Matches of one board: its points (mm), their pixels, and the similarity between them (2, 3)."""
        if len(self._features[theater]) < LEAST_MATCHES:
            return None
        pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(self._features[theater], features, k=2)
        good = [m[0] for m in pairs if len(m) == 2 and m[0].distance < 0.85 * m[1].distance]
        if len(good) < LEAST_MATCHES:
            return None
        local = self._points[theater][[m.queryIdx for m in good]]
        seen = pixels[[m.trainIdx for m in good]]
        # The picture's y runs downwards: without mirroring the fit is a similarity.
        flat = local * np.array([1.0, -1.0])
        answer = cv2.estimateAffinePartial2D(
            flat, seen, method=cv2.RANSAC, ransacReprojThreshold=5.0, maxIters=4000, confidence=0.999
        )
        fit: object = answer[0]
        if not isinstance(fit, np.ndarray):
            return None
        keep = answer[1]
        inlier = np.asarray(keep).ravel() > 0
        scale = float(np.hypot(fit[0, 0], fit[1, 0]))
        if inlier.sum() < LEAST_MATCHES or not 0.8 < scale < 8:
            return None
        return local[inlier], seen[inlier], np.asarray(fit, dtype=np.float64)

    def _solve(self, found: dict[Theater, tuple[Floats, Floats, Floats]], size: tuple[int, int]) -> Registration | None:
        if len(found) < 2:
            return None
        names = list(found)
        middles = {t: found[t][2][:, 2] for t in names}
        angles = np.array([np.arctan2(found[t][2][1, 0], found[t][2][0, 0]) for t in names])
        heading = float(np.arctan2(np.sin(angles).sum(), np.cos(angles).sum()))
        if np.abs(np.angle(np.exp(1j * (angles - heading)))).max() > 0.6:
            return None
        scale = float(np.mean([np.hypot(found[t][2][0, 0], found[t][2][1, 0]) for t in names]))
        right = np.array([np.cos(heading), np.sin(heading)])
        along = {t: float(middles[t] @ right) / scale for t in names}
        slots = _slots(along)
        if slots is None:
            return None
        table = np.concatenate([found[t][0] + np.array([geometry.BOARD_X[slots[t]], 0.0]) for t in names])
        pixels = np.concatenate([found[t][1] for t in names])
        guess = first_guess(table, pixels, size, self._focal * size[0])
        if guess is None:
            return None
        local = [found[t][0] for t in names]
        places = [np.array([geometry.BOARD_X[slots[t]], 0.0]) for t in names]
        pose, error = _refine(guess, local, places, [found[t][1] for t in names])
        if pose.tilt > MAX_TILT or error > 4.0:
            return None
        return Registration(pose, {}, error, "boards")


def _even(grey: Picture) -> Picture:
    """Light evened out, so that dim corners give key points too."""
    return np.asarray(cv2.createCLAHE(3.0, (8, 8)).apply(grey), dtype=np.uint8)


def _slots(along: dict[Theater, float]) -> dict[Theater, int] | None:
    """Which place each board lies in, from where it lies along the row (mm); None where that makes no sense."""
    ranked = sorted(along, key=along.__getitem__)
    steps = [along[b] - along[a] for a, b in pairwise(ranked)]
    if len(ranked) == 3:
        return {t: k for k, t in enumerate(ranked)} if all(90 < s < 180 for s in steps) else None
    if 200 < steps[0] < 330:
        return {ranked[0]: 0, ranked[1]: 2}
    # Two neighbours: which pair of places they are cannot be known. The middle of the table is then between 0 and 1.
    return {ranked[0]: 0, ranked[1]: 1} if 90 < steps[0] < 180 else None


def _refine(guess: Pose, local: list[Floats], places: list[Floats], pixels: list[Floats]) -> tuple[Pose, float]:
    """Camera and the boards' slides together, Levenberg-Marquardt; returns the pose and the error in px."""
    count = len(local)
    seen = np.concatenate(pixels)
    sigma = ERROR * guess.scale
    start = np.log(guess.focal)

    def split(x: Floats) -> tuple[Pose, Floats]:
        pose = replace(
            guess,
            rvec=guess.rvec + x[:3],
            tvec=guess.tvec + x[3:6] * 100,
            focal=float(guess.focal * np.exp(x[6])),
            radial=float(x[7]),
        )
        table = []
        for k in range(count):
            dx, dy, turn = x[8 + 3 * k], x[9 + 3 * k], x[10 + 3 * k]
            c, s = np.cos(turn), np.sin(turn)
            table.append(local[k] @ np.array([[c, s], [-s, c]]) + places[k] + np.array([dx, dy]))
        return pose, np.concatenate(table)

    def residual(x: Floats) -> Floats:
        pose, table = split(x)
        err = (pose.project(table) - seen) / sigma
        far = np.hypot(err[:, 0], err[:, 1])[:, None]
        err = err * np.sqrt(np.where(far > 2.5, 2.5 / np.maximum(far, 1e-9), 1.0))
        slides = x[8:].reshape(-1, 3) / np.array([SLIDE[0], SLIDE[0], SLIDE[1]])
        lens = [(np.log(pose.focal) - start) / 0.1, x[7] / RADIAL_SPREAD]
        return np.concatenate([err.ravel(), slides.ravel(), lens])

    x = np.zeros(8 + 3 * count)
    res = residual(x)
    cost, damp = float(res @ res), 1e-3
    for _ in range(15):
        jac = np.empty((res.size, x.size))
        for k in range(x.size):
            step = np.zeros(x.size)
            step[k] = 1e-5
            jac[:, k] = (residual(x + step) - res) / 1e-5
        normal, grad = jac.T @ jac, jac.T @ res
        before = cost
        for _ in range(6):
            trial = x - np.linalg.solve(normal + damp * np.diag(np.diag(normal) + 1e-9), grad)
            new = residual(trial)
            if float(new @ new) < cost:
                x, res, cost, damp = trial, new, float(new @ new), damp * 0.3
                break
            damp *= 10
        if before - cost < 1e-4 * before:
            break
    pose, table = split(x)
    errors = np.hypot(*(pose.project(table) - seen).T)
    return pose, float(np.sqrt(np.median(errors**2)) * 1.2)
