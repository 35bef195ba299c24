"""The emulated boards: how they and the firmware are built, and one with its strip and buttons in virtual time.

Needs a source checkout and the compilers that `Chip.packages` names. The emulators are built where they are used and
never packaged: the Nano's is linked with libsimavr, which is under the GPL, see firmware/emulator/README.md.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import shutil
import subprocess
import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, NamedTuple, Self, TypeAlias

from engine.failure import Failure
from engine.names import Seat

SOURCES: Final = Path(__file__).resolve().parents[3] / "firmware"
BUILT: Final = SOURCES.parent / "build" / "firmware"
TIMING_HZ: Final = 48_000_000
"""The strip's times are told in units of this (firmware/emulator/board.h)."""
RAM_START: Final = 0x100
RAM_END: Final = 0x8FF
PAINT: Final = 0xA5

Bootloader: TypeAlias = Literal["old", "optiboot"]
"""What stands in a Nano at the end of the flash: the old loader (57,600 baud) or Optiboot (115,200 baud)."""


@dataclass(frozen=True, slots=True)
class Chip:
    """One kind of board that can be emulated. `name` is its emulator's, `folder` the firmware's folder for it."""

    name: str
    folder: str
    image: str
    hz: int
    needs: tuple[str, ...]
    """Programs, or files where they begin with a slash."""
    packages: str
    """Debian's packages that bring them."""

    def available(self) -> bool:
        """Whether this is a checkout on a machine with the tools to build its firmware and its emulator."""
        return (SOURCES / "emulator" / "board.h").exists() and all(
            Path(need).exists() if need.startswith("/") else shutil.which(need) is not None for need in self.needs
        )


ATMEGA328P: Final = Chip(
    "atmega328p",
    "avr",
    "allfronts.hex",
    16_000_000,
    ("make", "gcc", "avr-gcc", "/usr/include/simavr/sim_avr.h"),
    "gcc make gcc-avr avr-libc binutils-avr libsimavr-dev libelf-dev",
)
RP2040: Final = Chip(
    "rp2040",
    "pico",
    "allfronts.uf2",
    48_000_000,
    ("make", "gcc", "arm-none-eabi-gcc"),
    "gcc make gcc-arm-none-eabi binutils-arm-none-eabi",
)
CHIPS: Final = {chip.name: chip for chip in (ATMEGA328P, RP2040)}
HZ: Final = ATMEGA328P.hz


class Built(NamedTuple):
    """Paths of what `build` made."""

    elf: Path
    image: Path
    library: Path
    runner: Path


def available() -> bool:
    """Whether the emulated Nano can be built here."""
    return ATMEGA328P.available()


_building = threading.Lock()


def build(chip: Chip = ATMEGA328P) -> Built:
    """Build firmware and emulator where they are out of date, once a process.

    Raises `Failure` with the remedy where that cannot be.
    """
    if not (SOURCES / "emulator" / "board.h").exists():
        raise Failure(
            "no-emulator",
            "The emulated controller is built from the project's sources, which are not here.",
            "Use --controller virtual, or run from a checkout of the project.",
        )
    if not chip.available():
        raise Failure(
            "no-emulator",
            f"The emulated controller needs {', '.join(chip.needs)}.",
            f"sudo apt install {chip.packages}",
        )
    with _building:
        return _build(chip)


@cache
def _build(chip: Chip) -> Built:
    run_alone(["make", "-s", "-C", str(SOURCES / chip.folder)], f"building firmware/{chip.folder}")
    run_alone(["make", "-s", "-C", str(SOURCES / "emulator"), chip.name], "building firmware/emulator")
    emulator = BUILT / "emulator"
    return Built(
        BUILT / chip.folder / "allfronts.elf",
        BUILT / chip.folder / chip.image,
        emulator / f"liballfronts_{chip.name}.so",
        emulator / f"allfronts_{chip.name}",
    )


@cache
def bootloader_hex(which: Bootloader) -> Path:
    """A boot loader's .hex, fetched from Debian on first use. Raises `Failure` where that cannot be."""
    folder = BUILT / "boot"
    run_alone([str(SOURCES / "emulator" / "get-bootloaders.sh"), str(folder)], "fetching the boot loaders")
    return folder / f"{which}.hex"


def run_alone(command: list[str], what: str, folder: Path = BUILT) -> None:
    """Run a command that writes into `folder` while no other process does so. Raises `Failure` where it fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # The folder itself is locked: whoever may only read it can still use what is built there.
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise Failure("no-emulator", f"{what} failed: {folder}: {error.strerror}", " ".join(command)) from error
    try:
        # Two programs that build the same files at once read each other's half-written ones.
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    finally:
        os.close(lock)
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise Failure("no-emulator", f"{what} failed: {lines[-1] if lines else command[0]}", " ".join(command))


class LightTiming(ctypes.Structure):
    """What the decoder on the light pin saw; times in units of 1 / TIMING_HZ, 20.8 ns."""

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
    """Bytes that passed the board's line, and its resets."""

    received: int
    overrun: int
    unheard: int
    sent: int
    resets: int
    watchdog_resets: int

    _fields_ = tuple(
        (name, ctypes.c_uint64) for name in ("received", "overrun", "unheard", "sent", "resets", "watchdog_resets")
    )


@cache
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
        "board_brown_out": (None, [board]),
        "board_supply": (None, [board, u32]),
        "board_write": (None, [board, text, u32]),
        "board_write_waiting": (u32, [board]),
        "board_read": (u32, [board, ctypes.c_void_p, ctypes.c_void_p, u32]),
        "board_host_baud": (None, [board, u32]),
        "board_baud": (u32, [board]),
        "board_button": (None, [board, ctypes.c_int, ctypes.c_int]),
        "board_lights": (u32, [board, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]),
        "board_timing": (None, [board, ctypes.c_void_p]),
        "board_line": (None, [board, ctypes.c_void_p]),
        "board_load": (ctypes.c_int, [board, text]),
        "board_open": (None, [board, ctypes.c_int]),
        "board_port": (u32, [board]),
        "board_serial": (text, [board]),
        "board_boot_loader": (ctypes.c_int, [board]),
        "board_kept_bytes": (u32, []),
        "board_kept_get": (None, [board, ctypes.c_void_p]),
        "board_kept_set": (None, [board, text]),
        "board_ram": (ctypes.c_uint8, [board, u32]),
        "board_flash": (None, [board, ctypes.c_void_p, u32]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


@dataclass(frozen=True, slots=True)
class LatchedPicture:
    """The last whole picture that the strip latched: bytes in chain and colour order, how many so far, and when."""

    wire: bytes
    number: int
    cycle: int


class EmulatedBoard:
    """One chip with its strip and buttons. Time moves only in `run`; every run is the same to the cycle."""

    _READ_MOST: Final = 65_536

    def __init__(
        self,
        program: Path | None = None,
        bootloader: Path | None = None,
        *,
        paint: bool = False,
        chip: Chip = ATMEGA328P,
    ) -> None:
        """`program` is an ELF, .hex or .uf2, this checkout's firmware by default; `paint` fills the RAM for
        `stack_free`."""
        built = build(chip)
        self.chip = chip
        self._library = _library(built.library)
        self._board = self._library.board_new(
            str(program or built.image).encode(), str(bootloader).encode() if bootloader else b"", int(paint)
        )
        if not self._board:
            raise Failure("bad-image", f"{program or built.image} is no program for a {chip.name}", "Build it again.")
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
        self.run_cycles(round(seconds * self.chip.hz))

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

    def brown_out(self) -> None:
        """The supply sags for a moment: the chip resets itself."""
        self._library.board_brown_out(self._board)

    def supply(self, millivolts: int) -> None:
        """The supply's voltage, where the board can measure it; 5,000 at first."""
        self._library.board_supply(self._board, millivolts)

    def load(self, program: Path) -> None:
        """Write another program, which runs from the next reset. Raises `Failure` where it is none."""
        if not self._library.board_load(self._board, str(program).encode()):
            raise Failure("bad-image", f"{program} is no program for a {self.chip.name}", "Build it again.")

    def open(self, is_open: bool = True) -> None:
        """A host opens or closes the port. A Nano is reset by the opening, as DTR does it."""
        self._library.board_open(self._board, int(is_open))

    @property
    def port(self) -> int:
        """The port that the host sees: 0 none, another number after each time that it was gone."""
        return int(self._library.board_port(self._board))

    @property
    def serial_number(self) -> str:
        """What the board tells of itself on USB; "" on a Nano, whose serial chip does not ask it."""
        return bytes(self._library.board_serial(self._board)).decode("ascii")

    @property
    def in_boot_loader(self) -> bool:
        """Does it run a boot loader that is a USB drive, and not the program?"""
        return bool(self._library.board_boot_loader(self._board))

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

    def shown(self) -> LatchedPicture:
        wire = (ctypes.c_uint8 * 192)()
        number, cycle = ctypes.c_uint64(), ctypes.c_uint64()
        count = self._library.board_lights(self._board, wire, ctypes.byref(number), ctypes.byref(cycle))
        return LatchedPicture(bytes(wire[:count]), number.value, cycle.value)

    def timing(self) -> LightTiming:
        timing = LightTiming()
        self._library.board_timing(self._board, ctypes.byref(timing))
        return timing

    def line(self) -> LineCount:
        line = LineCount()
        self._library.board_line(self._board, ctypes.byref(line))
        return line

    def kept(self) -> bytes:
        """The memory that outlives the power: EEPROM, or the flash's two sectors for settings."""
        held = (ctypes.c_uint8 * int(self._library.board_kept_bytes()))()
        self._library.board_kept_get(self._board, held)
        return bytes(held)

    def set_kept(self, data: bytes) -> None:
        """As many bytes as `kept` gives."""
        size = int(self._library.board_kept_bytes())
        if len(data) != size:
            raise ValueError(f"{len(data)} bytes; the board keeps {size}")
        self._library.board_kept_set(self._board, data)

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
