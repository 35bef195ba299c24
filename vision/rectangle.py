"""Finds a rectangle of known size by its four edges, whatever is printed on it."""

from __future__ import annotations

import cv2
import numpy as np

from vision.pose import Floats
from vision.rectify import Frame, cut, frame_around
from vision.registration import Picture, Registration


def _edge_maps(patch: Picture, turn: float) -> tuple[Floats, Floats, Floats]:
    h, w = patch.shape[:2]
    spin = cv2.getRotationMatrix2D((w / 2 - 0.5, h / 2 - 0.5), -np.degrees(turn), 1)
    r = cv2.warpAffine(patch.astype(np.float32), spin, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    gx = np.abs(cv2.Sobel(r, cv2.CV_32F, 1, 0, ksize=1)).max(2)
    gy = np.abs(cv2.Sobel(r, cv2.CV_32F, 0, 1, ksize=1)).max(2)
    # Saturate: a faint edge along the whole side tells more than a strong one along half of it.
    soft = max(2.5, 0.1 * float(patch.mean()))
    return gx / (gx + soft), gy / (gy + soft), np.asarray(spin, dtype=np.float64)


def _best_rectangle(
    patch: Picture, scale: float, size: tuple[float, float], turns: Floats
) -> tuple[float, float, float, float]:
    """The rectangle of `size` mm whose four sides lie best on edges: middle x, y (px), turn (rad), fit 0..1."""
    h, w = patch.shape[:2]
    rw, rh = round(size[0] * scale), round(size[1] * scale)
    best = (0.0, w / 2, h / 2, 0.0)
    blurred = cv2.GaussianBlur(patch, (0, 0), 0.8)
    for turn in turns.tolist():
        gx, gy, spin = _edge_maps(np.asarray(blurred, dtype=np.uint8), turn)
        across = cv2.blur(gy, (int(rw * 0.9) | 1, 1))
        down = cv2.blur(gx, (1, int(rh * 0.9) | 1))
        nx, ny = w - rw, h - rh
        top, bottom = across[:ny, rw // 2 : rw // 2 + nx], across[rh:, rw // 2 : rw // 2 + nx]
        left, right = down[rh // 2 : rh // 2 + ny, :nx], down[rh // 2 : rh // 2 + ny, rw:]
        weakest = np.minimum(np.minimum(top, bottom), np.minimum(left, right))
        fit = (top + bottom + left + right + 2 * weakest) / 6
        at = int(fit.argmax())
        y, x = divmod(at, nx)
        if fit.flat[at] > best[0]:
            middle = np.linalg.inv(np.vstack([spin, [0, 0, 1]])) @ np.array([x + rw / 2, y + rh / 2, 1])
            best = (float(fit.flat[at]), float(middle[0]), float(middle[1]), turn)
    return best[1], best[2], best[3], best[0]


def fit_rectangle(
    image: Picture, reg: Registration, centre: tuple[float, float], turn: float, size: tuple[float, float], slack: float
) -> tuple[Frame, float]:
    """The frame of the card or board of `size` (mm) that lies within `slack` (mm) of `centre`, and how well it fits."""
    fit = 0.0
    around, tilt = centre, turn
    for scale, room, turns in (
        (1.0, slack, np.radians(np.arange(-9, 9.1, 1.5))),
        (3.0, 2.5, np.radians(np.arange(-1.6, 1.61, 0.4))),
    ):
        window = frame_around(around, tilt, size[0] + 2 * room, size[1] + 2 * room)
        patch, _ = cut(image, reg.pose, window, scale)
        x, y, extra, fit = _best_rectangle(patch, scale, size, turns)
        there = window.to_table(np.array([[x / scale, y / scale]]))[0]
        around, tilt = (float(there[0]), float(there[1])), tilt + extra
    return frame_around(around, tilt, *size), fit
