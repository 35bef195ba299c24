"""The last picture that was read, for the page. The table lies still in it: a hand that lifts a card is never shown."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

import cv2

from vision.geometry.rectify import cut, frame_around
from vision.geometry.registration import Registration
from vision.geometry.table import MAT
from vision.types import Picture

PICTURE_SCALE: Final = 1.5
"""Pixels of the shown picture for a millimetre of the table."""
QUALITY: Final = 80


class StillPicture:
    """Keeps one picture. Safe to use from several threads."""

    def __init__(self, kept: Callable[[int], None] = lambda number: None) -> None:
        """`kept` is told the number of each new picture, counted from 1."""
        self._kept = kept
        self._lock = threading.Lock()
        self._number = 0
        self._image: Picture | None = None
        self._jpeg: bytes | None = None

    def keep(self, image: Picture, registration: Registration | None) -> None:
        """Keeps the mat as the near seat sees it, and nothing beyond it: the room is nobody's business."""
        if registration is None:
            return
        seen = cut(image, registration.pose, frame_around((0.0, 0.0), 0.0, *MAT), PICTURE_SCALE)[0]
        with self._lock:
            self._number += 1
            self._image, self._jpeg = seen, None
            number = self._number
        self._kept(number)

    def jpeg(self) -> bytes | None:
        """The picture as JPEG, or None before the first."""
        with self._lock:
            if self._image is not None and self._jpeg is None:
                self._jpeg = encoded(self._image)
            return self._jpeg

    def image(self) -> Picture | None:
        """The picture itself, which nobody changes, or None before the first."""
        with self._lock:
            return self._image


def encoded(image: Picture) -> bytes:
    """A picture as JPEG."""
    return bytes(cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))[1])
