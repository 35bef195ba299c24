"""What the firmware's tests share: the core on this machine, told the time, and a talk with any controller."""

from __future__ import annotations

import ctypes
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from host.bench.firmware import core as compiled_core
from host.link.codec import Decoder, SerialFrame, encode
from host.link.emulated.chip import SOURCES
from host.link.messages import ControllerSettings, Type

settings.register_profile("firmware", deadline=None, derandomize=True, max_examples=80)
settings.load_profile("firmware")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The sizes in every log, so that a change is seen; test_emulated holds them against what the sources build."""
    rows = (SOURCES / "sizes.txt").read_text(encoding="utf-8").splitlines()[1:]
    terminalreporter.write_line("firmware bytes: " + ", ".join("{} {} {} of {}".format(*row.split()) for row in rows))


class Core:
    """The portable core with a clock that is told the time. One a process: `start` begins anew."""

    def __init__(self) -> None:
        self.library = compiled_core()
        self.library.pc_eeprom.restype = ctypes.POINTER(ctypes.c_uint8)
        self._bytes = (ctypes.c_uint8 * 65_536)()
        self._decoder = Decoder()
        self._seq = 0

    def start(self, cause: int = 1, *, erased: bool = True) -> list[SerialFrame]:
        if erased:
            self.library.pc_erase()
        self._decoder = Decoder()
        self.library.pc_power_on(cause)
        return self.said()

    def advance(self, ms: int) -> None:
        self.library.pc_advance(ms)

    def hear(self, data: bytes) -> None:
        self.library.pc_hear(data, len(data))
        for _ in range(1 + len(data) // 64):  # a poll takes no more than 64 bytes
            self.library.pc_poll()

    def said(self) -> list[SerialFrame]:
        count = self.library.pc_said(self._bytes, len(self._bytes))
        return self._decoder.feed(bytes(self._bytes[:count]))

    def ask(self, kind: int, body: bytes = b"") -> SerialFrame:
        """The one answer to a request."""
        self._seq = (self._seq + 1) & 0xFF
        self.said()
        self.hear(encode(SerialFrame(kind, self._seq, body)))
        answers = [frame for frame in self.said() if frame.type & 0x80]
        assert len(answers) == 1, answers
        assert answers[0].seq == self._seq
        return answers[0]

    def set(self, wanted: ControllerSettings) -> None:
        assert self.ask(Type.SETTINGS_SET, wanted.pack()).body == wanted.pack()

    def press(self, *, near: bool = False, far: bool = False) -> None:
        self.library.pc_press(near | far << 1)

    @property
    def now(self) -> int:
        return int(self.library.pc_now())

    @property
    def wire(self) -> bytes:
        return bytes(self._bytes[: self.library.pc_wire(self._bytes)])

    @property
    def shows(self) -> int:
        return int(self.library.pc_shows())

    @property
    def eeprom(self) -> Any:
        return self.library.pc_eeprom()


@pytest.fixture(scope="session")
def _compiled() -> Core:
    if shutil.which("gcc") is None or shutil.which("make") is None:
        pytest.skip("needs gcc and make")
    return Core()


@pytest.fixture
def core(_compiled: Core) -> Core:
    """The core, freshly started with an erased memory, its greeting said."""
    _compiled.start()
    return _compiled


@pytest.fixture(scope="session")
def vectors() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((SOURCES / "vectors.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="session")
def firmware() -> Path:
    return SOURCES


class Talk:
    """A host's end of a line to any controller in virtual time: one request after the other."""

    def __init__(self, controller: Any, clock: list[float]) -> None:
        self.controller = controller
        self._clock = clock
        self._decoder = Decoder()
        self._seq = 0
        self.heard: list[SerialFrame] = []
        self.reopen()

    def wait(self, seconds: float) -> list[SerialFrame]:
        """What comes meanwhile. Time goes in steps of 2 ms, as it does for a host."""
        came: list[SerialFrame] = []
        for _ in range(max(1, round(seconds * 500))):
            self._clock[0] += 0.002
            try:
                came += self._decoder.feed(self.line.read(4096))
            except OSError:
                self.reopen()  # a board with USB of its own goes away with every reset
        self.heard += came
        return came

    def until(self, wanted: Callable[[SerialFrame], bool], limit: float = 3.0) -> SerialFrame:
        for _ in range(round(limit * 500)):
            for frame in self.wait(0.002):
                if wanted(frame):
                    return frame
        raise AssertionError(f"not within {limit} s; heard {self.heard[-5:]}")

    def send(self, kind: int, body: bytes = b"", seq: int | None = None) -> int:
        if seq is None:
            seq = self._seq = (self._seq + 1) & 0xFF
        self.line.write(encode(SerialFrame(kind, seq, body)))
        return seq

    def ask(self, kind: int, body: bytes = b"") -> SerialFrame:
        seq = self.send(kind, body)
        return self.until(lambda frame: frame.type & 0x80 != 0 and frame.seq == seq, 0.25)

    def greeted(self) -> SerialFrame:
        return self.until(lambda frame: frame.type == Type.HELLO_EVENT)

    def reopen(self, limit: float = 1.0) -> None:
        """Open the port, as soon as there is one."""
        end = self._clock[0] + limit
        while True:
            try:
                self.line = self.controller.open()
            except OSError:
                assert self._clock[0] < end, "no port"
                self._clock[0] += 0.002
            else:
                self._decoder = Decoder()
                return


@pytest.fixture
def talk_with() -> Iterator[Callable[..., Talk]]:
    """Opens a talk with a controller made by the given function from a clock."""
    talks: list[Talk] = []

    def opened(make: Callable[[Callable[[], float]], Any]) -> Talk:
        clock = [0.0]
        talk = Talk(make(lambda: clock[0]), clock)
        talks.append(talk)
        return talk

    yield opened
    for talk in talks:
        board = getattr(talk.controller, "board", None)
        if board is not None:
            board.close()
