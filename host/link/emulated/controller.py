"""The emulated controller: the firmware that is flashed, in an emulated chip. A tool of a source checkout.

Two faces: `EmulatedController` in virtual time, used like `host.link.virtual.controller.VirtualController`, and
`EmulatedPort`, a process on a pseudo-terminal in real time. The chips themselves are `host.link.emulated.chip`.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from engine.failure import Failure
from engine.names import Seat
from host.link.emulated.chip import ATMEGA328P, Bootloader, Chip, EmulatedBoard, bootloader_hex, build


class EmulatedController:
    """The same deeds and looks as `VirtualController`, done by the real firmware in virtual time.

    `clock` gives seconds and may be any; the board catches up with it at each call. Opening resets a Nano, as DTR
    does; a Pico's port comes a few milliseconds after its start, and goes away with every reset.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        *,
        bootloader: Bootloader | None = None,
        reset_on_open: bool = True,
        program: Path | None = None,
        chip: Chip = ATMEGA328P,
    ) -> None:
        self.board = EmulatedBoard(program, bootloader_hex(bootloader) if bootloader else None, chip=chip)
        self.plugged = True
        self._clock = clock
        self._ran_to = clock()
        self._reset_on_open = reset_on_open
        self._frozen = False
        self._line: EmulatedLine | None = None
        self._lock = threading.RLock()

    def catch_up(self) -> None:
        """Run the board up to now."""
        with self._lock:
            now = self._clock()
            behind = round((now - self._ran_to) * self.board.chip.hz)
            if behind > 0:
                self._ran_to = now
                if self.plugged and not self._frozen:
                    self.board.run_cycles(behind)

    def open(self, device: str = "emulated") -> EmulatedLine:
        """A line to it. Raises OSError when it is unplugged (ENOENT) or its line is open already (EAGAIN)."""
        with self._lock:
            self.catch_up()
            if not self.plugged or not self.board.port:
                raise OSError(errno.ENOENT, "no such device", device)
            if self._line is not None and self.is_open(self._line):
                raise OSError(errno.EAGAIN, "Could not exclusively lock port", device)
            self.board.read()
            self._line = EmulatedLine(self)
            if self._reset_on_open or self.board.chip is not ATMEGA328P:
                self.board.open()
            return self._line

    def unplug(self) -> None:
        with self._lock:
            self.catch_up()
            self.plugged = False
            self._frozen = False
            self._line = None

    def plug(self) -> None:
        with self._lock:
            self.catch_up()
            self.plugged = True
            self.board.power_cycle()
            self.board.read()

    def reset(self) -> None:
        """Press its reset button."""
        with self._lock:
            self.catch_up()
            self.board.reset()

    def freeze(self) -> None:
        """Its time stands still: bytes wait, lights stay."""
        with self._lock:
            self.catch_up()
            self._frozen = True

    def thaw(self) -> None:
        with self._lock:
            self.catch_up()
            self._frozen = False

    def press(self, seat: Seat) -> None:
        with self._lock:
            self.catch_up()
            self.board.button(seat, True)

    def release(self, seat: Seat) -> None:
        with self._lock:
            self.catch_up()
            self.board.button(seat, False)

    def strip(self) -> bytes:
        """The bytes that its strip latched last: gamma, brightness, colour order and budget applied."""
        with self._lock:
            self.catch_up()
            return self.board.shown().wire

    @property
    def present(self) -> bool:
        """Is there a port that can be opened?"""
        with self._lock:
            self.catch_up()
            return self.plugged and self.board.port != 0

    def is_open(self, line: EmulatedLine) -> bool:
        return self._line is line and self.board.port == line.port

    def hang_up(self, line: EmulatedLine) -> None:
        with self._lock:
            if self._line is line:
                self._line = None
                self.board.open(False)

    def take(self, data: bytes) -> None:
        with self._lock:
            self.catch_up()
            self.board.write(data)

    def give(self) -> bytes:
        with self._lock:
            self.catch_up()
            return self.board.read()


class EmulatedLine:
    """The host's end of an open line, like a serial port without time-outs: what is there is read."""

    def __init__(self, controller: EmulatedController) -> None:
        self._controller = controller
        self._held = bytearray()
        self.port = controller.board.port

    def _collect(self) -> None:
        data = self._controller.give()
        if not self._controller.is_open(self):
            raise OSError(errno.EIO, "Input/output error")
        self._held += data

    @property
    def in_waiting(self) -> int:
        self._collect()
        return len(self._held)

    def read(self, size: int = 1, /) -> bytes:
        self._collect()
        data = bytes(self._held[:size])
        del self._held[:size]
        return data

    def write(self, data: bytes, /) -> int:
        if not self._controller.is_open(self):
            raise OSError(errno.EIO, "Input/output error")
        self._controller.take(bytes(data))
        return len(data)

    def close(self) -> None:
        self._controller.hang_up(self)


class EmulatedPort:
    """The emulated board as a process on a pseudo-terminal, in real time. `port` is what pyserial and avrdude open.

    With `link`, that path is kept as a link to the pseudo-terminal, whose own name changes from start to start.
    """

    def __init__(
        self,
        *,
        program: Path | None = None,
        bootloader: Bootloader | None = None,
        kept: Path | None = None,
        link: Path | None = None,
        opens: bool = True,
        chip: Chip = ATMEGA328P,
    ) -> None:
        """`kept` is the file of the memory that outlives the power. With `opens`, the board is told (a Nano: reset)
        when a client opens its port."""
        built = build(chip)
        command = [str(built.runner), "--program", str(program or built.image)]
        if bootloader:
            command += ["--bootloader", str(bootloader_hex(bootloader))]
        if kept:
            command += ["--kept", str(kept)]
        if link:
            command += ["--link", str(link)]
        if opens:
            command += ["--dtr"]
        self._command = command
        self._link = link
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None
        self._told = threading.Condition()
        self._wire = b""
        self._pictures = 0
        self._lost_ms = 0.0
        self.port = ""

    def start(self) -> Self:
        """Start the process and wait until its port is there. Raises `Failure` where it does not come up."""
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
        )
        assert self._process.stdout is not None
        told: dict[str, str] = {}
        while told.get("event") != "ready":  # a board with USB of its own may show lights before it has a port
            line = self._process.stdout.readline()
            if not line:
                assert self._process.stderr is not None
                said = self._process.stderr.read().strip()
                raise Failure("no-emulator", f"The emulated board did not start: {said}", "")
            told = json.loads(line)
        self.port = str(self._link) if self._link else told["port"]
        self._reader = threading.Thread(target=self._listen, args=(self._process,), daemon=True, name="emulated-board")
        self._reader.start()
        return self

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            told = json.loads(line)
            if told["event"] == "lights":
                with self._told:
                    self._wire = bytes.fromhex(told["wire"])
                    self._pictures += 1
                    self._told.notify_all()
            elif told["event"] == "behind":
                with self._told:
                    self._lost_ms += told["lost_ms"]
            elif told["event"] == "ready" and not self._link:
                self.port = told["port"]

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _say(self, what: str) -> None:
        if self._process is None or self._process.stdin is None:
            raise ValueError("the emulated board does not run")
        self._process.stdin.write(what + "\n")
        self._process.stdin.flush()

    def press(self, seat: Seat) -> None:
        self._say(f"{seat} down")

    def release(self, seat: Seat) -> None:
        self._say(f"{seat} up")

    def reset(self) -> None:
        self._say("reset")

    def power_cycle(self) -> None:
        self._say("power")

    def strip(self) -> bytes:
        """The bytes that its strip latched last."""
        with self._told:
            return self._wire

    @property
    def lost_seconds(self) -> float:
        """For how long the board's clock stood because the machine was too busy to run it."""
        with self._told:
            return self._lost_ms / 1000

    def wait_for(self, wanted: Callable[[bytes], bool], limit_s: float = 10.0) -> bool:
        """Wait until the strip shows what `wanted` accepts; False when that did not happen in time."""
        with self._told:
            return self._told.wait_for(lambda: wanted(self._wire), limit_s)

    @property
    def pid(self) -> int:
        if self._process is None:
            raise ValueError("the emulated board does not run")
        return self._process.pid

    def freeze(self) -> None:
        os.kill(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def kill(self) -> None:
        """End it as a pulled cable does: at once, without a word."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(how)
        if how is not signal.SIGKILL:
            process.send_signal(signal.SIGCONT)
        try:
            process.wait(5.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if self._reader is not None:
            self._reader.join(5.0)
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue
