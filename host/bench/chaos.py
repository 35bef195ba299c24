"""Chaos for the link, from one script against any controller, in virtual time: what a game night does to a cable.

The script plays a game of lights, does harm at a random moment, undoes it, and measures how long the lights take to
be right again, at the strip's own bytes. It uses what the controllers without hardware have in common.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias

from engine.names import SEATS
from host.lights.drawing import BALANCE, BAR_LIGHTS, BARS, draw_still
from host.lights.frame import AMBER, BLUE, RED, WHITE, Bar, LightFrame
from host.link.line import BoardLine
from host.link.messages import ControllerSettings
from host.link.ports import SerialLike
from host.link.strip import chain_of, lights_from_wire, wire_bytes

STEP_S: Final = 0.004
RIGHT_WITHIN_S: Final = 3.0
LOST_WITHIN_S: Final = 2.5

Harm: TypeAlias = Literal["unplug", "freeze", "noise", "reset", "half-frame", "host-killed"]
HARMS: Final[tuple[Harm, ...]] = ("unplug", "freeze", "noise", "reset", "half-frame", "host-killed")

SETTINGS: Final = ControllerSettings()


class ChaosController(Protocol):
    """What chaos does to a controller and sees of it."""

    plugged: bool

    def open(self, device: str = ...) -> SerialLike: ...

    def unplug(self) -> None: ...

    def plug(self) -> None: ...

    def reset(self) -> None: ...

    def freeze(self) -> None: ...

    def thaw(self) -> None: ...

    def strip(self) -> bytes: ...


class Noisy:
    """A line on which bytes change, vanish and appear while `bad` is above 0, and which can stop in mid-frame."""

    def __init__(self, serial: SerialLike, chance: random.Random, cable: Cable) -> None:
        self._serial, self._chance, self._cable = serial, chance, cable

    @property
    def in_waiting(self) -> int:
        return self._serial.in_waiting

    def read(self, size: int = 1, /) -> bytes:
        return self._spoil(self._serial.read(size))

    def write(self, data: bytes, /) -> int:
        if self._cable.cut_next is not None and len(data) > 1:
            cut, self._cable.cut_next = self._cable.cut_next, None
            self._serial.write(data[: self._chance.randrange(1, len(data))])
            cut()
        else:
            self._serial.write(self._spoil(data))
        return len(data)

    def close(self) -> None:
        self._serial.close()

    def _spoil(self, data: bytes) -> bytes:
        bad, chance = self._cable.bad, self._chance
        if not bad:
            return data
        out = bytearray()
        for byte in data:
            kind = chance.random() / bad
            if kind < 0.4:
                out.append(chance.randrange(256))
            elif kind < 0.6:
                out += chance.randbytes(chance.randint(1, 90))
            elif kind >= 1.0:
                out.append(byte)
        return bytes(out)


@dataclass(slots=True)
class Cable:
    """How bad the line is: share of bytes spoilt; and what to do in the middle of the next frame written."""

    bad: float = 0.0
    cut_next: Callable[[], None] | None = None


@dataclass(frozen=True, slots=True)
class Mishap:
    """One harm and how it was got over. Times in seconds after the link was back, or after the host's last byte."""

    harm: Harm
    state: str
    """The link's state when it struck."""
    right_after: float | None
    """None: not within the limit."""
    lost_after: float | None = None
    """When the host-lost pattern stood, where the host was away long enough to see it."""
    lost_seen: bool = True

    @property
    def good(self) -> bool:
        return self.right_after is not None and self.lost_seen


def strip_for(frame: LightFrame) -> bytes:
    """The strip's bytes for a frame that does not move."""
    return wire_bytes(chain_of(draw_still(frame), SETTINGS), SETTINGS)[0]


def is_host_lost(strip: bytes) -> bool:
    """Does every bar show amber at its balance and beside it, and nothing else?"""
    lights = lights_from_wire(strip, SETTINGS)
    for bar in range(BARS):
        for light in range(BAR_LIGHTS):
            red, green, blue = lights[bar * BAR_LIGHTS + light]
            if abs(light - BALANCE) > 1 and red | green | blue:
                return False
            if light == BALANCE and not (red > green >= 0 and blue == 0):
                return False
    return True


class Chaos:
    """One table with one controller. `run(n)` yields n mishaps, each from a fresh random state of the talk."""

    def __init__(self, make: Callable[[Callable[[], float]], ChaosController], seed: int = 0) -> None:
        self.t = 0.0
        self._chance = random.Random(seed)
        self._controller = make(lambda: self.t)
        self._cable = Cable()
        self._frame = self._new_frame()
        self._line = self._new_line()

    def run(self, count: int, harms: tuple[Harm, ...] = HARMS) -> Iterator[Mishap]:
        for number in range(count):
            yield self._mishap(harms[number % len(harms)])

    def _new_line(self) -> BoardLine:
        def opened(device: str) -> SerialLike:
            return Noisy(self._controller.open(device), self._chance, self._cable)

        line = BoardLine("board", opened=opened, present=lambda _: self._controller.plugged, asked_ports=lambda: [])
        line.frame = self._frame
        return line

    def _new_frame(self) -> LightFrame:
        chance = self._chance
        near, far = chance.choice(((RED, BLUE), (BLUE, RED), (WHITE, AMBER)))
        left, middle, right = (Bar(chance.choice(SEATS), chance.randint(0, 4)) for _ in range(3))
        return LightFrame("game", (left, middle, right), near, far)

    def _show_something(self) -> None:
        self._frame = self._new_frame()
        self._line.frame = self._frame

    def _spend(self, seconds: float, *, talking: bool = True) -> None:
        """Let time pass; the game goes on and changes the lights now and then."""
        end = self.t + seconds
        while self.t < end:
            if self._chance.random() < 0.004:
                self._show_something()
            if talking:
                self._line.step(self.t)
            self.t += STEP_S

    def _until_right(self) -> float | None:
        """Seconds until the strip shows the frame wanted, which now stays the same."""
        began, wanted = self.t, strip_for(self._frame)
        while self.t - began <= RIGHT_WITHIN_S:
            self._line.step(self.t)
            self.t += STEP_S
            if self._controller.strip() == wanted:
                return self.t - began
        return None

    def _mishap(self, harm: Harm) -> Mishap:
        chance = self._chance
        # Strike anywhere: while listening, while asking, in talk, in a fade.
        if chance.random() < 0.25:
            self._line.close()
            self._line = self._new_line()
        self._spend(chance.uniform(0.0, chance.choice((0.1, 1.6, 4.0))))
        if chance.random() < 0.5:
            self._show_something()
            self._spend(chance.choice((STEP_S, 0.02, 0.1)))
        state = self._line.health(self.t).state
        lost_after, lost_seen = None, True
        if harm == "unplug":
            self._controller.unplug()
            self._spend(chance.choice((0.05, 0.5, 2.0, 6.0)))
            self._controller.plug()
        elif harm == "freeze":
            self._controller.freeze()
            self._spend(chance.choice((0.1, 0.8, 3.0, 9.0)))
            self._controller.thaw()
        elif harm == "noise":
            self._cable.bad = chance.choice((0.002, 0.02, 0.3))
            self._spend(chance.choice((0.5, 2.0, 6.0)))
            self._cable.bad = 0.0
        elif harm == "reset":
            self._controller.reset()
        elif harm == "half-frame":
            self._cable.cut_next = self._controller.reset
            self._show_something()
            end = self.t + 1.0
            while self._cable.cut_next is not None and self.t < end:
                self._spend(STEP_S)
            self._cable.cut_next = None
        else:
            gone = chance.choice((0.3, 1.5, 3.5))
            if gone > LOST_WITHIN_S:
                # A board still in its boot loader has no host to miss, though its strip shows the last picture.
                while not self._line.connected:
                    self._spend(STEP_S)
            self._line.close()
            if gone > LOST_WITHIN_S:
                lost_after = self._host_lost_after(gone)
                lost_seen = lost_after is not None
            else:
                self._spend(gone, talking=False)
            self._line = self._new_line()
        right = self._until_right()
        return Mishap(harm, state, right, lost_after, lost_seen)

    def _host_lost_after(self, gone: float) -> float | None:
        began = self.t
        seen: float | None = None
        while self.t - began < gone:
            self.t += STEP_S
            if seen is None and is_host_lost(self._controller.strip()):
                seen = self.t - began
        return seen if seen is not None and seen <= LOST_WITHIN_S else None
