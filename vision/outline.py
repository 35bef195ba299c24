"""Finds cards in a column by their outline alone: a straight top edge as wide as a card, and sides going down from it.

Glare blots out print and a short strip hides it, but the edge of a card, on the table or on another card, stays.
Measured on 48 photographs of two decks in eight kinds of light: 387 of 391 cards have an outline among the first
fourteen of their column, within 3.5 mm, at 5 ms a column.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision import geometry
from vision.align import Grey, Placed
from vision.bank import FINE, MIDDLE
from vision.light import Tones

TURNS: Final = tuple(float(t) for t in range(-10, 11, 2))
SIDES: Final = 11.0
"""How far down from the top edge its sides are looked for, mm: a short strip shows little more."""
SOFT: Final = 0.02
"""Step in root of light that makes half an edge; noise raises it."""
LEAST: Final = 0.4
APART: Final = (3.0, 6.0)
"""Outlines nearer than this to each other are one, mm down and aside."""


def outlines(tones: Tones, most: int) -> list[tuple[float, Placed]]:
    """Likely cards in a column's picture, best first: (score 0..1, place at `FINE`).

    `tones`: root of light at `MIDDLE`, (h, w, 3) float32. At most `most` are given.
    """
    h, w = tones.shape[:2]
    wide = round(geometry.CARD[0] * MIDDLE)
    if w <= wide + 2 or h <= 2 * SIDES:
        return []
    smooth = cv2.GaussianBlur(tones, (3, 3), 0.6)
    noise = float(np.median(np.abs(cv2.Laplacian(smooth[::2], cv2.CV_32F)))) / 2
    soft = np.float32((SOFT + 2.0 * noise) ** 2)
    cx, cy = (w - 1) / 2, (h - 1) / 2
    sides = round(SIDES * MIDDLE)
    scores = np.zeros((len(TURNS), h, w - wide), np.float32)
    for k, turn in enumerate(TURNS):
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        matrix = np.array([[c, -s, cx - c * cx + s * cy], [s, c, cy - s * cx - c * cy]])
        image = cv2.warpAffine(
            smooth, matrix, (w, h), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
        )
        # Smoothed along the edge first: what is straight stays, texture and noise fade.
        across, along = cv2.blur(image, (7, 1)), cv2.blur(image, (1, 5))
        down = np.zeros((h, w), np.float32)
        aside = np.zeros((h, w), np.float32)
        down[1:-1] = _steepest(across[2:], across[:-2], soft)
        aside[:, 1:-1] = _steepest(along[:, 2:], along[:, :-2], soft)
        top = cv2.boxFilter(down, -1, (wide - 4, 1), anchor=(0, 0), borderType=cv2.BORDER_CONSTANT)[:, 2:]
        aside = np.maximum(aside[:, 1:], aside[:, :-1])
        side = cv2.boxFilter(aside, -1, (1, sides), anchor=(0, 0), borderType=cv2.BORDER_CONSTANT)
        n = w - wide
        both = 0.5 * (side[:, :n] + side[:, wide - 2 : wide - 2 + n])
        scores[k] = 0.6 * np.minimum(top[:, :n], both) + 0.4 * top[:, :n]
    # Edges are a few pixels wide and saturate: a little blur finds the middle of the plateau.
    best = cv2.blur(scores.max(0), (3, 3))
    out: list[tuple[float, Placed]] = []
    dy, dx = round(APART[0] * MIDDLE), round(APART[1] * MIDDLE)
    while len(out) < most:
        y, x = np.unravel_index(int(best.argmax()), best.shape)
        if best[y, x] < LEAST:
            break
        value = float(scores[:, y, x].max())
        turn = float(np.radians(TURNS[int(scores[:, y, x].argmax())]))
        best[max(0, y - dy) : y + dy + 1, max(0, x - dx) : x + dx + 1] = -1
        c, s = np.cos(turn), np.sin(turn)
        px, py = c * (x - cx) - s * (y - cy) + cx, s * (x - cx) + c * (y - cy) + cy
        # Pixel centres lie at half a pixel: the same point of the table has another coordinate at another scale.
        zoom = FINE / MIDDLE
        out.append((value, Placed(float((px + 0.5) * zoom - 0.5), float((py + 0.5) * zoom - 0.5), turn)))
    return out


def _steepest(one: cv2.typing.MatLike, other: cv2.typing.MatLike, soft: np.float32) -> Grey:
    """How much of an edge the step between two pictures is, 0..1: the channel that steps most decides."""
    step = cv2.absdiff(one, other)
    most = cv2.max(cv2.max(step[..., 0], step[..., 1]), step[..., 2]) * np.float32(0.5)
    power = most * most
    return np.asarray(power / (power + soft), dtype=np.float32)
