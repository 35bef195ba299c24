"""A camera that is read in its own thread: the newest picture only, with a deadline, and opened again when it goes.

Reading a camera can hang inside the driver and cannot be stopped there; the thread that hangs is left behind (it is a
daemon) and a new one tries again. Pauses between tries grow, so that a camera that is gone costs nothing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Final, Protocol

import cv2
import numpy as np

from engine.failure import Failure
from vision.decoder_output import unheard
from vision.sources.health import Health
from vision.sources.packets import SpoiltPicture, decode_packet, large_enough
from vision.sources.trouble import (
    Frame,
    SourceItem,
)
from vision.types import Picture

PAUSES: Final = (0.5, 0.7, 1.0)
"""Seconds from one try to open a camera to the next; the last one repeats. Longer ones would keep the players waiting.
"""
LEAST_PAUSE: Final = 0.1
"""Seconds between the end of a try and the next one, however long the try itself took."""
OPEN_MS: Final = {"http": 2500, "https": 2500}
"""Milliseconds that opening an address may take, by its scheme. A stream that only begins with its next whole picture,
as the others do, needs longer."""
OPEN_OTHERS_MS: Final = 4000
"""Milliseconds that opening any other stream may take."""
ABANDON: Final = 5.0
"""Seconds after which a read that does not come back is given up."""
LET_GO: Final = 3.5
"""Seconds that closing waits for a read to come back: a little longer than a stream's own limit. A thread that is
still inside the driver when the interpreter ends brings the whole process down with it."""
WAKE: Final = 0.25
"""How often whoever iterates is given the chance to hear of a silence, seconds."""


MJPEG: Final = cv2.VideoWriter.fourcc(*"MJPG")


class Grabber(Protocol):
    """An opened camera."""

    def grab(self) -> Picture | SpoiltPicture | None:
        """The next picture; None if the camera has gone. May wait."""
        ...

    def close(self) -> None: ...


class CaptureGrabber:
    """A camera or stream through OpenCV. Raises `Failure` (`camera-closed`) if it cannot be opened."""

    def __init__(self, target: int | str, size: tuple[int, int] | None = (1920, 1080)) -> None:
        self._packets = False
        if isinstance(target, int):
            self._capture = cv2.VideoCapture(target)
            if size is not None and self._capture.isOpened():
                # Most webcams send full size at speed only as MJPEG.
                self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
                self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
                self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        else:
            opening = OPEN_MS.get(target.partition("://")[0].lower(), OPEN_OTHERS_MS)
            limits = (cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, opening, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 3000)
            self._capture = cv2.VideoCapture(target, cv2.CAP_FFMPEG, limits)
            if self._capture.isOpened() and int(self._capture.get(cv2.CAP_PROP_FOURCC)) == MJPEG:
                # -1 asks for the packets as they come.
                self._packets = bool(self._capture.set(cv2.CAP_PROP_FORMAT, -1))
        if not self._capture.isOpened():
            self._capture.release()
            raise Failure("camera-closed", "it cannot be opened", "Check the number, the cable or the address.")

    def grab(self) -> Picture | SpoiltPicture | None:
        if not self._capture.grab():
            return None
        # A webcam's pictures, too, are JPEG, and are decoded here: now and then one is damaged.
        with unheard():
            ok, image = self._capture.retrieve()
        if not ok or image is None:
            return None
        picture = np.asarray(image, np.uint8)
        return decode_packet(picture) if self._packets else picture

    def close(self) -> None:
        self._capture.release()


def pause(tries: int, took: float) -> float:
    """Seconds to wait after the try before which there were `tries` without a picture, and which took `took` seconds.

    A try that hung has kept the players waiting already: a camera that comes back is met by the next one at once.
    """
    return max(LEAST_PAUSE, PAUSES[min(tries, len(PAUSES) - 1)] - took)


class _Worker(threading.Thread):
    """Reads one camera until told to stop; keeps the newest picture only."""

    def __init__(self, opener: Callable[[], Grabber], clock: Callable[[], float], tries: int) -> None:
        super().__init__(name="camera", daemon=True)
        self._opener, self._clock, self._tries = opener, clock, tries
        self._ending = threading.Event()
        self.fresh = threading.Condition()
        self.newest: tuple[float, Picture | SpoiltPicture] | None = None
        self.why: str | None = None
        self.lost: str | None = None
        """Why pictures broke off since this was last asked, though they may have come again by now."""
        self.dropped = 0
        self.busy_since = clock()

    def run(self) -> None:
        while not self._ending.is_set():
            grabber: Grabber | None = None
            began = self.busy_since = self._clock()
            try:
                grabber = self._opener()
                self._read(grabber)
            except (Failure, cv2.error, OSError) as error:
                self._say(error.message if isinstance(error, Failure) else "the driver reports an error")
            finally:
                if grabber is not None:
                    grabber.close()
            self.busy_since = float("inf")
            self._ending.wait(pause(self._tries, self._clock() - began))
            self._tries += 1

    def _read(self, grabber: Grabber) -> None:
        while not self._ending.is_set():
            self.busy_since = self._clock()
            image = grabber.grab()
            if image is None:
                self._say("it was unplugged or the stream ended")
                return
            image = image if isinstance(image, SpoiltPicture) else large_enough(image)
            with self.fresh:
                if self.newest is not None:
                    self.dropped += 1
                self.newest = (self._clock(), image)
                self.why = None
                self._tries = 0
                self.fresh.notify()

    def _say(self, why: str) -> None:
        with self.fresh:
            self.why = self.lost = why
            self.fresh.notify()

    def stop(self) -> None:
        self._ending.set()


class LiveSource:
    """Pictures of a live camera, newest only, with its troubles in between. Iterate over it; close it when done.

    `opener` opens the camera (it is called again after every loss), `clock` gives seconds.
    """

    live: Final = True

    def __init__(self, opener: Callable[[], Grabber], name: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.name = name
        self._opener, self._clock = opener, clock
        self._began = clock()
        self._health = Health(name, 0.0)
        self._closed = threading.Event()
        self._worker = _Worker(opener, clock, 0)
        self._worker.start()
        self._abandoned = 0

    @property
    def dropped(self) -> int:
        """Pictures that came while the reader was busy, and were passed over."""
        return self._worker.dropped

    def __iter__(self) -> Iterator[SourceItem]:
        while not self._closed.is_set():
            worker = self._worker
            with worker.fresh:
                if worker.newest is None:
                    worker.fresh.wait(WAKE)
                newest, worker.newest, why = worker.newest, None, worker.why
                lost = None
                if newest is None or why is None:
                    lost, worker.lost = worker.lost, None
            if self._closed.is_set():
                return
            if lost is not None:
                # Whoever reads pictures slowly must hear of it too: the next one may have come meanwhile.
                yield from self._health.lost((newest[0] if newest else self._clock()) - self._began, lost)
            if newest is None:
                yield from self.silence(self._clock(), why)
                continue
            t, image = newest[0] - self._began, newest[1]
            if isinstance(image, SpoiltPicture):
                yield from self._health.spoilt(image, t)
                continue
            yield from self._health.picture(image, t)
            yield Frame(t, image)

    def silence(self, now: float, why: str | None) -> Iterator[SourceItem]:
        """No picture up to `now`: tells troubles, and gives up on a read that hangs."""
        yield from self._health.nothing(now - self._began, why)
        if now - self._worker.busy_since > ABANDON:
            self._worker.stop()
            self._abandoned += 1
            self._worker = _Worker(self._opener, self._clock, self._abandoned)
            self._worker.start()

    def close(self) -> None:
        """Stops reading, and lets go of the camera as soon as its read comes back, which is waited for a moment."""
        self._closed.set()
        self._worker.stop()
        with self._worker.fresh:
            self._worker.fresh.notify_all()
        if self._worker is not threading.current_thread():
            self._worker.join(LET_GO)
