"""Which cameras are plugged in, and one small picture of each, taken without keeping the camera."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2

from engine.failure import Failure
from host.messages.command_text import CommandRefusal
from vision.sources import CaptureGrabber, Grabber
from vision.sources.packets import SpoiltPicture
from vision.types import Picture

MOST: Final = 10
LONGEST_NUMBER: Final = 3
"""Digits of a camera's number (`vision.sources.open_source`)."""
FRESH_SECONDS: Final = 1.5
"""A picture younger than this is shown again instead of opening the camera once more."""
WARM_UP: Final = 3
"""Frames passed over: a camera's first ones are dark while it finds its exposure."""
SHOWN_WIDTH: Final = 320


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera as the system numbers and names it."""

    number: int
    name: str


def cameras_present(devices: Path = Path("/sys/class/video4linux")) -> tuple[Camera, ...]:
    """Cameras of this machine by number. Linux names them; elsewhere the first three are tried."""
    if not sys.platform.startswith("linux"):
        return tuple(Camera(number, "") for number in range(3))
    found: list[Camera] = []
    for node in devices.glob("video*"):
        try:
            number, name = int(node.name.removeprefix("video")), (node / "name").read_text("utf-8").strip()
            first = (node / "index").read_text("utf-8").strip() == "0"
        except (OSError, ValueError):
            continue
        # A webcam's further nodes carry no pictures.
        if first:
            found.append(Camera(number, name))
    return tuple(sorted(found, key=lambda camera: camera.number)[:MOST])


def plugged_in(number: str, present: Callable[[], tuple[Camera, ...]] = cameras_present) -> bool:
    """Whether there is a camera of that number, in decimal digits of any script. Other systems do not list their
    cameras, and Linux leaves out what has no name."""
    if len(number) > LONGEST_NUMBER:
        return False
    if not sys.platform.startswith("linux") or Path(f"/dev/video{int(number)}").exists():
        return True
    return any(one.number == int(number) for one in present())


def check_camera(spec: str, present: Callable[[], tuple[Camera, ...]] = cameras_present) -> None:
    """A camera's number that no camera has is told at once, with those that are there; raises `BadInput`."""
    if not spec.isdecimal() or plugged_in(spec, present):
        return
    there = present()
    if not there:
        raise CommandRefusal("no-camera", "no-camera-there", number=spec)
    names = ", ".join(f"{camera.number} ({camera.name})" for camera in there)
    raise CommandRefusal("no-camera", "no-camera-of-number", number=spec, there=names)


class Thumbnails:
    """Takes one picture at a time: two cameras on one USB hub often cannot be read together."""

    def __init__(
        self,
        opener: Callable[[int], Grabber] = CaptureGrabber,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._opener, self._clock = opener, clock
        self._lock = threading.Lock()
        self._kept: dict[int, tuple[float, bytes | None]] = {}

    def jpeg(self, number: int) -> bytes | None:
        """A small picture of that camera as JPEG; None where none comes."""
        with self._lock:
            kept = self._kept.get(number)
            if kept is not None and self._clock() - kept[0] < FRESH_SECONDS:
                return kept[1]
            taken = self._taken(number)
            self._kept[number] = (self._clock(), taken)
            return taken

    def _taken(self, number: int) -> bytes | None:
        image: Picture | None = None
        try:
            with closing(self._opener(number)) as grabber:
                for _ in range(WARM_UP):
                    grabbed = grabber.grab()
                    image = None if isinstance(grabbed, SpoiltPicture) else grabbed
        except (Failure, OSError, cv2.error):
            return None
        if image is None or not image.size:
            return None
        height = round(image.shape[0] * SHOWN_WIDTH / image.shape[1])
        small = cv2.resize(image, (SHOWN_WIDTH, height), interpolation=cv2.INTER_AREA)
        return bytes(cv2.imencode(".jpg", small, (cv2.IMWRITE_JPEG_QUALITY, 75))[1])
