"""The emulated ATmega328P: how it and the firmware are built, and the chip with its strip and buttons in virtual time.

Needs a source checkout, gcc-avr, avr-libc and libsimavr-dev. The emulator is built where it is used and never packaged:
libsimavr is under the GPL, see firmware/emulator/README.md.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, NamedTuple, Self, TypeAlias

from engine.failure import Failure
from engine.names import Seat

SOURCES: Final = Path(__file__).resolve().parents[3] / "firmware"
BUILT: Final = SOURCES.parent / "build" / "firmware"
HZ: Final = 16_000_000
EEPROM_BYTES: Final = 1024
RAM_START: Final = 0x100
RAM_END: Final = 0x8FF
PAINT: Final = 0xA5

Bootloader: TypeAlias = Literal["old", "optiboot"]
"""What stands in a Nano at the end of the flash: the old loader (57,600 baud) or Optiboot (115,200 baud)."""


class Built(NamedTuple):
    """Paths of what `build` made."""

    elf: Path
    hex: Path
    library: Path
    runner: Path


def available() -> bool:
    """Whether this is a checkout on a machine with the tools to build firmware and emulator."""
    return (
        (SOURCES / "emulator" / "board.c").exists()
        and shutil.which("avr-gcc") is not None
        and shutil.which("make") is not None
        and Path("/usr/include/simavr/sim_avr.h").exists()
    )


_building = threading.Lock()


def build() -> Built:
    """Build firmware and emulator where they are out of date. Raises `Failure` with the remedy where that cannot be."""
    if not (SOURCES / "emulator" / "board.c").exists():
        raise Failure(
            "no-emulator",
            "The emulated controller is built from the project's sources, which are not here.",
            "Use --controller virtual, or run from a checkout of the project.",
        )
    if not available():
        raise Failure(
            "no-emulator",
            "The emulated controller needs gcc-avr, avr-libc, make and libsimavr-dev.",
            "sudo apt install gcc make gcc-avr avr-libc binutils-avr libsimavr-dev libelf-dev",
        )
    with _building:
        for folder in ("avr", "emulator"):
            _run(["make", "-s", "-C", str(SOURCES / folder)], f"building firmware/{folder}")
    emulator = BUILT / "emulator"
    return Built(
        BUILT / "avr" / "allfronts.elf",
        BUILT / "avr" / "allfronts.hex",
        emulator / "liballfronts_board.so",
        emulator / "allfronts_board",
    )


def bootloader_hex(which: Bootloader) -> Path:
    """A boot loader's .hex, fetched from Debian on first use. Raises `Failure` where that cannot be."""
    folder = BUILT / "boot"
    _run([str(SOURCES / "emulator" / "get-bootloaders.sh"), str(folder)], "fetching the boot loaders")
    return folder / f"{which}.hex"


def _run(command: list[str], what: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise Failure("no-emulator", f"{what} failed: {lines[-1] if lines else command[0]}", " ".join(command))


class LightTiming(ctypes.Structure):
    """What the decoder on the light pin saw; times in cycles of 62.5 ns. Limits: firmware/emulator/board.c."""

    pictures: int
    bits: int
    bad_bits: int
    zero_high_min: int
    zero_high_max: int
    one_high_min: int
    one_high_max: int
    zero_low_min: int
    zero_low_max: int
    one_low_min: int
    one_low_max: int
    gap_max: int
    pause_min: int

    _fields_ = (
        *((name, ctypes.c_uint64) for name in ("pictures", "bits", "bad_bits")),
        *((f"{bit}_{level}_{end}", ctypes.c_uint32) for level in ("high", "low") for bit in ("zero", "one")
          for end in ("min", "max")),
        ("gap_max", ctypes.c_uint32),
        ("pause_min", ctypes.c_uint32),
    )  # fmt: skip


class LineCount(ctypes.Structure):
    """Bytes that passed the board's UART, and its resets."""

    received: int
    overrun: int
    unheard: int
    sent: int
    resets: int
    watchdog_resets: int

    _fields_ = tuple(
        (name, ctypes.c_uint64) for name in ("received", "overrun", "unheard", "sent", "resets", "watchdog_resets")
    )


def _library(path: Path) -> ctypes.CDLL:
    library = ctypes.CDLL(str(path))
    board, u64, u32, text = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint32, ctypes.c_char_p
    signatures: dict[str, tuple[object, list[object]]] = {
        "board_new": (board, [text, text, ctypes.c_int]),
        "board_free": (None, [board]),
        "board_run": (None, [board, u64]),
        "board_cycle": (u64, [board]),
        "board_crashed": (ctypes.c_int, [board]),
        "board_reset": (None, [board]),
        "board_power_cycle": (None, [board]),
        "board_write": (None, [board, text, u32]),
        "board_write_waiting": (u32, [board]),
        "board_read": (u32, [board, ctypes.c_void_p, ctypes.c_void_p, u32]),
        "board_host_baud": (None, [board, u32]),
        "board_baud": (u32, [board]),
        "board_button": (None, [board, ctypes.c_int, ctypes.c_int]),
        "board_lights": (u32, [board, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]),
        "board_timing": (None, [board, ctypes.c_void_p]),
        "board_line": (None, [board, ctypes.c_void_p]),
        "board_eeprom_get": (None, [board, ctypes.c_void_p]),
        "board_eeprom_set": (None, [board, text]),
        "board_ram": (ctypes.c_uint8, [board, u32]),
        "board_flash": (None, [board, ctypes.c_void_p, u32]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


@dataclass(frozen=True, slots=True)
class Shown:
    """The last whole picture that the strip latched: bytes in chain and colour order, how many so far, and when."""

    wire: bytes
    number: int
    cycle: int


class EmulatedBoard:
    """One chip with its strip and buttons. Time moves only in `run`; every run is the same to the cycle."""

    _READ_MOST: Final = 65_536

    def __init__(self, program: Path | None = None, bootloader: Path | None = None, *, paint: bool = False) -> None:
        """`program` is an ELF or .hex, this checkout's firmware by default; `paint` fills the RAM for `stack_free`."""
        built = build()
        self._library = _library(built.library)
        self._board = self._library.board_new(
            str(program or built.elf).encode(), str(bootloader).encode() if bootloader else b"", int(paint)
        )
        if not self._board:
            raise Failure("bad-image", f"{program or built.elf} does not fit into an ATmega328P", "Build it again.")
        self._bytes = (ctypes.c_uint8 * self._READ_MOST)()
        self._at = (ctypes.c_uint64 * self._READ_MOST)()

    def close(self) -> None:
        if self._board:
            self._library.board_free(self._board)
            self._board = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def run(self, seconds: float) -> None:
        self.run_cycles(round(seconds * HZ))

    def run_cycles(self, cycles: int) -> None:
        self._library.board_run(self._board, cycles)

    @property
    def cycle(self) -> int:
        return int(self._library.board_cycle(self._board))

    @property
    def crashed(self) -> bool:
        return bool(self._library.board_crashed(self._board))

    def reset(self) -> None:
        """The reset pin."""
        self._library.board_reset(self._board)

    def power_cycle(self) -> None:
        self._library.board_power_cycle(self._board)

    def write(self, data: bytes) -> None:
        """Bytes for the line, up to 131,071 waiting; they take their time on it."""
        self._library.board_write(self._board, data, len(data))

    @property
    def write_waiting(self) -> int:
        return int(self._library.board_write_waiting(self._board))

    def read(self) -> bytes:
        """What has wholly arrived from the board."""
        count = self._library.board_read(self._board, self._bytes, None, self._READ_MOST)
        return bytes(self._bytes[:count])

    def read_timed(self) -> list[tuple[int, int]]:
        """(byte, cycle of its stop bit) of what has wholly arrived."""
        count = self._library.board_read(self._board, self._bytes, self._at, self._READ_MOST)
        return list(zip(self._bytes[:count], self._at[:count], strict=True))

    def host_baud(self, baud: int) -> None:
        self._library.board_host_baud(self._board, baud)

    @property
    def baud(self) -> int:
        return int(self._library.board_baud(self._board))

    def button(self, seat: Seat, down: bool) -> None:
        self._library.board_button(self._board, int(seat == "far"), int(down))

    def shown(self) -> Shown:
        wire = (ctypes.c_uint8 * 192)()
        number, cycle = ctypes.c_uint64(), ctypes.c_uint64()
        count = self._library.board_lights(self._board, wire, ctypes.byref(number), ctypes.byref(cycle))
        return Shown(bytes(wire[:count]), number.value, cycle.value)

    def timing(self) -> LightTiming:
        timing = LightTiming()
        self._library.board_timing(self._board, ctypes.byref(timing))
        return timing

    def line(self) -> LineCount:
        line = LineCount()
        self._library.board_line(self._board, ctypes.byref(line))
        return line

    def eeprom(self) -> bytes:
        held = (ctypes.c_uint8 * EEPROM_BYTES)()
        self._library.board_eeprom_get(self._board, held)
        return bytes(held)

    def set_eeprom(self, data: bytes) -> None:
        """All 1,024 bytes."""
        if len(data) != EEPROM_BYTES:
            raise ValueError(f"{len(data)} bytes; the EEPROM has {EEPROM_BYTES}")
        self._library.board_eeprom_set(self._board, data)

    def flash(self, count: int = 32_768) -> bytes:
        held = (ctypes.c_uint8 * count)()
        self._library.board_flash(self._board, held, count)
        return bytes(held)

    def stack_free(self, static_end: int) -> int:
        """Bytes from `static_end` (after the last static byte) upwards that were never written. Needs `paint`."""
        free = 0
        for address in range(static_end, RAM_END + 1):
            if self._library.board_ram(self._board, address) != PAINT:
                break
            free += 1
        return free
