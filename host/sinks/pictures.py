"""Lights that take finished pictures and draw nothing themselves: one thread that draws, sends and reconnects.

What is different between them is a `Device`: it connects, takes a picture's bytes, and says what is in the way.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol

from engine.failure import BadInput
from host.lights.drawing import BAR_LIGHTS, Drawing
from host.lights.frame import LightFrame
from host.link.health import LinkHealth
from host.link.messages import ControllerSettings
from host.link.session import Counts
from host.link.strip import chain_of, wire_bytes
from host.link.trouble import LinkTrouble
from host.sinks.animation import DARKNESS, Animation

PICTURE_S: Final = 0.025
"""Between two pictures while anything moves: forty a second."""
REFRESH_S: Final = 0.8
"""A still picture is sent again: these lights forget who does not speak for a few seconds."""
CHECK_S: Final = 2.0
RETRY_S: Final = (0.5, 1.0, 2.0, 3.0)
RGB: Final = 1
"""The colour order of pictures; the device knows its strip."""


@dataclass(frozen=True, slots=True)
class Placing:
    """Where the bars lie in the chain: first light of each, and whether the chain runs from far to near there."""

    bars: tuple[tuple[int, bool], ...] = ((0, False), (9, False), (18, False))

    @property
    def lights(self) -> int:
        return max(first for first, _ in self.bars) + BAR_LIGHTS

    def picture(self, drawing: Drawing, brightness: int = 255) -> bytes:
        """The chain's bytes, red, green and blue a light: gamma is done, the colour order is the device's."""
        settings = ControllerSettings(brightness, RGB, self.lights, 65_535, self.bars)
        return wire_bytes(chain_of(drawing, settings), settings)[0]


def placing_of(text: str) -> Placing:
    """From `0,9r,18`: the first light of the left, middle and right bar, `r` where the chain runs from far to near.

    Raises BadInput (`bad-bars`).
    """
    parts = [part.strip() for part in text.split(",")]
    numbers = [part.removesuffix("r") for part in parts]
    remedy = "Such as 0,9,18 or 0,9r,18; a bar has nine lights, and bars do not overlap."
    if len(parts) != 3 or not all(number.isascii() and number.isdecimal() and len(number) <= 4 for number in numbers):
        raise BadInput("bad-bars", f"bars={text} is not three numbers.", remedy)
    firsts = [int(number) for number in numbers]
    if max(firsts) > 1000 or any(abs(a - b) < BAR_LIGHTS for i, a in enumerate(firsts) for b in firsts[:i]):
        raise BadInput("bad-bars", f"bars={text} cannot be.", remedy)
    return Placing(tuple((first, part.endswith("r")) for first, part in zip(firsts, parts, strict=True)))


class NotThere(OSError):
    """The device cannot be used now; `trouble` says why and what to do."""

    def __init__(self, trouble: LinkTrouble) -> None:
        super().__init__(trouble.message)
        self.trouble = trouble


class Device(Protocol):
    """Lights that take pictures. `connect`, `check` and `send` raise NotThere, or another OSError for a line lost."""

    @property
    def name(self) -> str:
        """As the person named it."""
        ...

    def connect(self) -> LinkHealth:
        """Find it and take over; returns who it is (board, firmware, description)."""
        ...

    def send(self, picture: bytes) -> None: ...

    def check(self) -> None:
        """Is it still there? Asked every two seconds, in a thread of its own."""
        ...

    def leave(self, dark: bytes) -> None:
        """Make it dark and hand it back."""
        ...


class PictureSink:
    """Shows light frames on a `Device`. No call waits for it, and none fails because it is not there."""

    def __init__(
        self,
        device: Device,
        placing: Placing | None = None,
        *,
        brightness: int = 255,
        clock: Callable[[], float] = time.monotonic,
        lost: Callable[[OSError], LinkTrouble],
    ) -> None:
        """`lost` says what a failure of the line means. Starts two threads; `close` ends them."""
        self._device, self._placing, self._brightness = device, placing or Placing(), brightness
        self._clock, self._lost = clock, lost
        self._animation = Animation()
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._failed = threading.Event()
        self._counts = Counts()
        self._health = LinkHealth(state="looking", port=device.name)
        self._since = clock()
        self._threads = [
            threading.Thread(target=self._run, name="lights", daemon=True),
            threading.Thread(target=self._watch, name="lights-check", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def show(self, frame: LightFrame) -> None:
        """Wish for these lights. Only the latest wish counts; it is kept over every outage."""
        with self._lock:
            self._animation.show(frame, self._now_ms())
        self._wake.set()

    def health(self) -> LinkHealth:
        with self._lock:
            now = self._clock()
            spell = now - self._since
            up = self._health.state == "up"
            return replace(
                self._health,
                t=now,
                up_for=spell if up else 0.0,
                down_for=0.0 if up else spell,
                counts=replace(self._counts),
            )

    def close(self) -> None:
        """Dark, handed back, and let go of."""
        self._closing.set()
        self._wake.set()
        for thread in self._threads:
            thread.join(timeout=5)

    def _now_ms(self) -> int:
        return int(self._clock() * 1000)

    def _run(self) -> None:
        tries = 0
        while not self._closing.is_set():
            try:
                about = self._device.connect()
                self._set(replace(about, state="up", port=self._device.name, shown=True))
                tries = 0
                self._failed.clear()
                self._show_until_it_fails()
            except OSError as fault:
                self._fall(fault)
                self._closing.wait(RETRY_S[min(tries, len(RETRY_S) - 1)])
                tries += 1
        if self._health.state == "up":
            try:
                self._device.leave(self._placing.picture(DARKNESS))
            except OSError as fault:
                self._fall(fault)

    def _show_until_it_fails(self) -> None:
        """Raises OSError when sending fails, or returns when the check failed or the sink closes."""
        sent, sent_at = b"", float("-inf")
        while not self._closing.is_set() and not self._failed.is_set():
            with self._lock:
                now = self._now_ms()
                moves = self._animation.moves(now)
                picture = self._placing.picture(self._animation.at(now), self._brightness)
            if picture != sent or self._clock() - sent_at >= REFRESH_S:
                self._device.send(picture)
                sent, sent_at = picture, self._clock()
                with self._lock:
                    self._counts.requests += 1
                    self._counts.frames_shown += 1
            self._wake.wait(PICTURE_S if moves else REFRESH_S)
            self._wake.clear()

    def _watch(self) -> None:
        while not self._closing.wait(CHECK_S):
            if self.health().state != "up":
                continue
            try:
                self._device.check()
            except OSError as fault:
                self._fall(fault)
                self._failed.set()
                self._wake.set()

    def _fall(self, fault: OSError) -> None:
        trouble = fault.trouble if isinstance(fault, NotThere) else self._lost(fault)
        with self._lock:
            if self._health.state == "up":
                self._since = self._clock()
                self._counts.unanswered += 1
            self._health = LinkHealth(state="looking", trouble=trouble, port=self._device.name)

    def _set(self, health: LinkHealth) -> None:
        with self._lock:
            self._health = health
            self._since = self._clock()
