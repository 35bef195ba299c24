"""Draws what was read over the picture: outlines, names, doubts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from engine.names import FACE_DOWN
from vision.picture_file import as_picture
from vision.tracking.obstacles import Obstacle
from vision.tracking.reader import TableReading
from vision.types import Picture

_GOOD: Final = (90, 220, 90)
_DOUBT: Final = (40, 160, 255)
_BOARD: Final = (230, 190, 60)
_IN_THE_WAY: Final = (60, 60, 240)


def draw(image: Picture, reading: TableReading, in_the_way: Sequence[Obstacle] = ()) -> Picture:
    """A copy of the picture, (h, w, 3) uint8 BGR, with every board and card outlined and named; doubts in orange, what
    is in the way circled in red."""
    out = as_picture(image).copy()
    size = max(0.6, out.shape[1] / 1900)
    doubts = {n.at for n in reading.sight.notes}
    for quad in reading.registration.tags.values():
        cv2.polylines(out, [np.round(quad).astype(np.int32)], True, _BOARD, 1, cv2.LINE_AA)
    angles = np.linspace(0, 2 * np.pi, 48)
    for one in in_the_way:
        ring = np.array(one.middle) + np.column_stack([np.cos(angles), np.sin(angles)]) * np.array(one.size) / 2
        points = np.round(reading.registration.project(ring)).astype(np.int32)
        cv2.polylines(out, [points], True, _IN_THE_WAY, round(3 * size), cv2.LINE_AA)
    for line in reading.outlines:
        board = "/" not in line.at
        unsure = line.at in doubts or (not board and line.p < 0.95)
        colour = _BOARD if board else _DOUBT if unsure else _GOOD
        cv2.polylines(out, [np.round(line.corners).astype(np.int32)], True, colour, 2, cv2.LINE_AA)
        name = "back" if line.name == FACE_DOWN else line.name
        text = name if board else f"{name} {line.p:.0%}" if unsure else name
        at = line.corners.mean(0) if board else line.corners[:2].mean(0) * 0.85 + line.corners[2:].mean(0) * 0.15
        _write(out, text, at, colour, size)
    word = (
        "sure"
        if reading.sight.sure
        else "not sure: " + ", ".join(sorted({f"{n.code} {n.at}".strip() for n in reading.sight.notes}) or ["doubtful"])
    )
    order = "".join(reading.sight.order) if reading.sight.order else "?"
    _write(out, f"{order}  {word}", np.array([out.shape[1] * 0.5, 24.0 * size]), (255, 255, 255), size)
    return out


def _write(
    image: Picture,
    text: str,
    at: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    colour: tuple[int, int, int],
    size: float,
) -> None:
    thick = max(1, round(size * 1.6))
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
    x, y = round(float(at[0]) - w / 2), round(float(at[1]) + h / 2)
    edge = round(6 * size)
    # On a ground of its own: a card's print would swallow letters of any colour.
    cv2.rectangle(image, (x - edge, y - h - edge), (x + w + edge, y + edge), (20, 16, 12), cv2.FILLED)
    cv2.putText(image, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, colour, thick, cv2.LINE_AA)
