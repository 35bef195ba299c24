"""Controllers without hardware in virtual time, and a plain way to talk with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from host.lights.frame import LightFrame
from host.link.codec import Decoder, SerialFrame, encode
from host.link.line import BoardLine
from host.link.ports import PortMemory
from host.link.session import ButtonEvent
from host.link.virtual.controller import VirtualController


class Clock:
    """Virtual time in seconds."""

    def __init__(self) -> None:
        self.t = 0.0

    def __call__(self) -> float:
        return self.t


class Talk:
    """Frames in and out of one controller, in virtual time, with nothing of the link in between."""

    def __init__(self, controller: Any, clock: Clock) -> None:
        self.controller, self.clock = controller, clock
        self.line: Any = None
        self.decoder = Decoder()
        self.heard: list[SerialFrame] = []
        self.seq = 0
        self.open()

    def open(self, limit: float = 1.0) -> None:
        """Open the port, which a board with USB of its own has only some milliseconds after its start."""
        end = self.clock.t + limit
        while True:
            try:
                self.line = self.controller.open()
                self.decoder = Decoder()
                return
            except OSError:
                assert self.clock.t < end, "no port"
                self.clock.t += 0.001

    def came(self) -> list[SerialFrame]:
        """What has come; a port that went away with a reset is opened anew."""
        try:
            return self.decoder.feed(self.line.read(4096)) if self.line.in_waiting else []
        except OSError:
            self.open()
            return []

    def wait(self, seconds: float, step: float = 0.001) -> list[SerialFrame]:
        """What is heard meanwhile."""
        got: list[SerialFrame] = []
        end = self.clock.t + seconds
        while self.clock.t < end:
            self.clock.t += step
            got += self.came()
        self.heard += got
        return got

    def write(self, data: bytes) -> None:
        self.line.write(data)

    def send(self, type_: int, body: bytes = b"", seq: int | None = None) -> int:
        self.seq = (self.seq + 1) & 0xFF if seq is None else seq
        self.write(encode(SerialFrame(type_, self.seq, body)))
        return self.seq

    def ask(self, type_: int, body: bytes = b"") -> SerialFrame:
        """The reply to a request; fails the test if none comes within a second."""
        seq = self.send(type_, body)
        for _ in range(100):
            for frame in self.wait(0.01):
                if frame.seq == seq and frame.type in (type_ | 0x80, 0xFF):
                    return frame
        raise AssertionError(f"no reply to {type_:#x}")

    def alive(self, seconds: float) -> list[SerialFrame]:
        """Let time pass without the controller thinking that the host is lost."""
        got: list[SerialFrame] = []
        end = self.clock.t + seconds
        while self.clock.t < end:
            self.send(0x02, bytes(4))
            got += self.wait(min(0.5, max(0.001, end - self.clock.t)))
        return got


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(
    params=[
        "virtual",
        pytest.param("atmega328p", marks=pytest.mark.needs_emulator),
        pytest.param("rp2040", marks=pytest.mark.needs_pico),
    ]
)
def controller(request: pytest.FixtureRequest, clock: Clock) -> Iterator[Any]:
    """The same deeds and looks, in Python and in the real firmware."""
    if request.param == "virtual":
        yield VirtualController(clock)
        return
    from host.link.emulated.chip import CHIPS
    from host.link.emulated.controller import EmulatedController

    board = EmulatedController(clock, chip=CHIPS[request.param])
    yield board
    board.board.close()


@pytest.fixture
def talk(controller: Any, clock: Clock) -> Talk:
    """A talk with a controller that has just said hello."""
    talk = Talk(controller, clock)
    talk.wait(0.1)
    return talk


class Table:
    """A line and what hangs on it, stepped together."""

    def __init__(self, controller: Any, clock: Clock) -> None:
        self.controller, self.clock = controller, clock
        self.pressed: list[ButtonEvent] = []
        self.line = self.new_line()

    def new_line(self, memory: PortMemory | None = None) -> BoardLine:
        return BoardLine(
            "board",
            opened=self.controller.open,
            present=lambda _: getattr(self.controller, "present", self.controller.plugged),
            asked_ports=lambda: [],
            on_button=self.pressed.append,
            memory=memory,
        )

    def run(self, seconds: float, step: float = 0.004) -> None:
        end = self.clock.t + seconds
        while self.clock.t < end:
            self.line.step(self.clock.t)
            self.clock.t += step

    def until(self, true: Callable[[], bool], limit: float = 10.0) -> float:
        """Seconds until it is true; fails the test after `limit`."""
        began = self.clock.t
        while not true():
            assert self.clock.t - began < limit, self.line.health(self.clock.t)
            self.run(0.004)
        return self.clock.t - began

    def show(self, frame: LightFrame) -> None:
        self.line.frame = frame


@pytest.fixture
def table(controller: Any, clock: Clock) -> Table:
    return Table(controller, clock)


@pytest.fixture
def virtual_table(clock: Clock) -> Table:
    return Table(VirtualController(clock), clock)
