"""Sources with an end: a film, and a folder of pictures."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from engine.failure import BadInput
from vision.picture_file import open_picture
from vision.sources.trouble import (
    Frame,
    SourceItem,
    Trouble,
)
from vision.types import Picture

PICTURE_NAMES: Final = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
LIES_FOR: Final = 1.0
"""Seconds that each picture of a folder lies on the table."""
FOLDER_FPS: Final = 6
"""Pictures a second that a folder gives of each of its pictures: the gate needs some to see that it lies still."""


class Film:
    """Every frame of a film in order, with its time. Raises `BadInput` (`no-film`) if it cannot be opened.

    With `as_live` it plays at its own speed and, like a camera, passes over what comes while the reader is busy.
    """

    def __init__(
        self,
        path: Path,
        as_live: bool = False,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], None] | None = None,
    ) -> None:
        self.name, self.live = path.name, as_live
        self._clock = clock
        self._closed = threading.Event()
        self._wait = wait if wait is not None else self._closed.wait
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        if not self._capture.isOpened():
            self._capture.release()
            raise BadInput("no-film", f"{path} is not a film that can be opened.", "Give a video file such as MP4.")
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self.fps = float(fps) if 1 <= fps <= 240 else 25.0
        count = self._capture.get(cv2.CAP_PROP_FRAME_COUNT)
        self._promised = int(count) if 0 < count < 1e8 else 0

    def __iter__(self) -> Iterator[SourceItem]:
        count, began, last = 0, self._clock(), -1.0
        while not self._closed.is_set():
            if not self._capture.grab():
                break
            told = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            t = told if told > last else last + 1 / self.fps if last >= 0 else 0.0
            last = t
            count += 1
            if self.live:
                ahead = t - (self._clock() - began)
                if ahead > 0:
                    self._wait(ahead)
                elif ahead < -1.5 / self.fps:
                    continue
            ok, image = self._capture.retrieve()
            if ok and image is not None and image.size:
                yield Frame(t, np.asarray(image, np.uint8))
        self._capture.release()
        if not self._closed.is_set() and self._promised - count > max(2.0, 0.01 * self._promised):
            yield Trouble("film-cut-short", max(last, 0.0), {"source": self.name, "seconds": round(max(last, 0.0), 1)})

    def close(self) -> None:
        self._closed.set()


class Folder:
    """Pictures of a folder in the order of their names; each lies still for `lies_for` seconds.

    Raises `BadInput` (`no-pictures`) for a folder without any, and (`no-source`) for one that may not be read.
    """

    live: Final = False

    def __init__(self, folder: Path, lies_for: float = LIES_FOR) -> None:
        self.name = folder.name
        try:
            self.paths = sorted(p for p in folder.iterdir() if p.suffix.lower() in PICTURE_NAMES)
        except OSError as error:
            raise BadInput("no-source", f"{folder} cannot be opened: {error.strerror}.", "Check the path.") from error
        if not self.paths:
            raise BadInput("no-pictures", f"{folder} holds no pictures.", "Put JPEG or PNG pictures into it.")
        self._lies_for = lies_for
        self._closed = False

    def __iter__(self) -> Iterator[SourceItem]:
        count = 0
        for path in self.paths:
            if self._closed:
                return
            try:
                image: Picture = open_picture(path)
            except BadInput:
                yield Trouble("picture-unreadable", count / FOLDER_FPS, {"source": path.name})
                continue
            for _ in range(round(self._lies_for * FOLDER_FPS)):
                yield Frame(count / FOLDER_FPS, image)
                count += 1

    def close(self) -> None:
        self._closed = True
