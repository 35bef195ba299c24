"""The light firmware, measured: the flashed program in the emulated chip, and the core's decoder against the host's.

Needs a source checkout with gcc-avr and libsimavr-dev; `Failure` says so otherwise. Emulated time is exact, so these
figures do not depend on the machine, but for the counts a second.
"""

from __future__ import annotations

import ctypes
import random
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

from engine.failure import Failure
from host.bench.figure import Figure, Measured
from host.link.codec import Decoder, Fault, SerialFrame, encode
from host.link.emulated.chip import (
    ATMEGA328P,
    BUILT,
    CHIPS,
    HZ,
    SOURCES,
    Bootloader,
    Chip,
    EmulatedBoard,
    bootloader_hex,
    build,
)
from host.link.messages import ControllerSettings, Hello, Stats, Type

LONGEST: Final = ControllerSettings(chain=36)
"""27 lights and nine spares: the most that the firmware drives."""
STEP: Final = HZ // 1000
FAULTS: Final[tuple[Fault, ...]] = ("long", "cobs", "short", "check")


def lights_body(chance: random.Random) -> bytes:
    """A random valid LIGHTS body of a running game, with at least one bar in motion."""
    bars = [chance.choice((0, 8, 16, 24)) | chance.randrange(3) << 5 for _ in range(3)]
    bars = [bar | (0 if bar & 16 else chance.randrange(5)) for bar in bars]
    bars[chance.randrange(3)] |= 0x20 * (bars[0] & 0x60 == 0)
    bars = [bar if bar & 0x60 != 0x60 else bar & ~0x20 for bar in bars]
    return bytes((1, chance.randrange(2), 255, *chance.randbytes(6), *bars))


def started(board: EmulatedBoard, settings: ControllerSettings = LONGEST) -> None:
    """Let a fresh board come up, and give it its settings. A board with USB of its own is opened first."""
    board.run(0.05)
    if board.chip is not ATMEGA328P:
        board.open()
        board.run(0.01)
    board.write(encode(SerialFrame(Type.SETTINGS_SET, 0, settings.pack())))
    board.run(0.05)
    board.read()


@dataclass(slots=True)
class Saturated:
    """What became of frames sent without a pause between them."""

    sent: int = 0
    answered: int = 0
    bytes_lost: int = 0
    pictures: int = 0
    bad_bits: int = 0
    seconds: float = 0.0
    stats: Stats = field(default_factory=Stats)


def saturate(frames: int, seed: int = 1, program: Path | None = None, chip: Chip = ATMEGA328P) -> Saturated:
    """A full line into a board that draws 36 moving lights: each frame is counted by its answer.

    Nineteen in twenty are single pixels, whose answers are shorter than they are; the twentieth is a new picture.
    `program` is another than this checkout's firmware.
    """
    chance = random.Random(seed)
    result = Saturated()
    with EmulatedBoard(program, chip=chip) as board:
        step = chip.hz // 1000
        started(board)
        began = board.cycle
        answers = Decoder()
        waiting: list[tuple[int, int]] = []
        while result.sent < frames or board.write_waiting:
            while result.sent < frames and board.write_waiting < 2048:
                lights = result.sent % 20 == 0
                kind = Type.LIGHTS if lights else Type.PIXELS
                body = lights_body(chance) if lights else bytes((chance.randrange(36), *chance.randbytes(3)))
                seq = result.sent & 0xFF
                board.write(encode(SerialFrame(kind, seq, body)))
                waiting.append((kind | 0x80, seq))
                result.sent += 1
            board.run_cycles(10 * step)
            result.answered += _match(answers.feed(board.read()), waiting)
        # The rest of the answers, before silence counts as a lost host.
        for _ in range(20):
            board.run_cycles(10 * step)
            result.answered += _match(answers.feed(board.read()), waiting)
        result.seconds = (board.cycle - began) / chip.hz
        board.write(encode(SerialFrame(Type.STATS, 9)))
        board.run(0.05)
        result.stats = next((Stats.unpack(f.body) for f in answers.feed(board.read()) if f.type == 0x89), Stats())
        result.bytes_lost = board.line().overrun + result.stats.uart_overrun + result.stats.ring_full
        timing = board.timing()
        result.pictures, result.bad_bits = timing.pictures, timing.bad_bits
    return result


def _match(answers: list[SerialFrame], waiting: list[tuple[int, int]]) -> int:
    """Answers that were waited for. Pictures are answered once shown, so answers may overtake one another a little."""
    found = 0
    for frame in answers:
        try:
            waiting.remove((frame.type, frame.seq))
        except ValueError:
            continue
        found += 1
    return found


def latencies(count: int, seed: int = 2) -> list[float]:
    """Seconds from a LIGHTS command's first byte on the line to the last edge of the strip that shows it.

    `count` times, each at a random moment of a moving picture of 36 lights.
    """
    chance = random.Random(seed)
    taken: list[float] = []
    with EmulatedBoard() as board:
        started(board)
        decoder = Decoder()
        for number in range(count):
            board.run_cycles(chance.randrange(40 * STEP))
            board.read()
            began = board.cycle
            board.write(encode(SerialFrame(Type.LIGHTS, number & 0xFF, lights_body(chance))))
            while not any(f.type == Type.LIGHTS | 0x80 for f in decoder.feed(board.read())):
                board.run_cycles(STEP // 8)
                if board.cycle - began > HZ:
                    raise Failure("no-answer", "The emulated board did not answer within a second.", "")
            # The answer leaves after its picture; no other picture fits between picture and answer's end.
            taken.append((board.shown().cycle - began) / HZ)
    return taken


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes of an ATmega328P's 32,768 of flash and 2,048 of RAM."""

    flash: int
    static: int
    stack: int


def memory(rounds: int = 300, seed: int = 3) -> Memory:
    """Sizes of the program, and the deepest stack in `rounds` of good frames, garbage, buttons and saves."""
    built = build()
    chance = random.Random(seed)
    flash, static = sizes(built.elf)
    with EmulatedBoard(paint=True) as board:
        board.run(0.1)
        for number in range(rounds):
            board.button("near", number % 7 < 3)
            board.button("far", number % 5 < 2)
            board.write(encode(any_request(chance, number)))
            if number % 3 == 0:
                board.write(chance.randbytes(chance.randrange(100)))
            board.run(0.03 if number % 50 else 2.2)
            board.read()
        free = board.stack_free(RAM_START + static)
    return Memory(flash, static, RAM_BYTES - static - free)


RAM_START: Final = 0x100
RAM_BYTES: Final = 2048


def sizes(elf: Path) -> tuple[int, int]:
    """(flash, static RAM) of a program: what its sections fill."""
    done = subprocess.run(["avr-size", "-A", str(elf)], capture_output=True, text=True, check=True)
    section = {
        row[0]: int(row[1]) for row in (line.split() for line in done.stdout.splitlines()) if row and row[0][0] == "."
    }
    flash = section[".text"] + section[".data"]
    return flash, section[".data"] + section.get(".bss", 0) + section.get(".noinit", 0)


def any_request(chance: random.Random, number: int) -> SerialFrame:
    """A request of any kind but HANG, with a body that is mostly in range."""
    kind = chance.choice([t for t in Type if t < 0x40 and t != Type.HANG])
    bodies = {
        Type.HELLO: b"\x01\x00",
        Type.PING: chance.randbytes(4),
        Type.LIGHTS: lights_body(chance),
        Type.PIXELS: bytes((chance.randrange(30), *chance.randbytes(3 * chance.randint(1, 19)))),
        Type.SETTINGS_SET: ControllerSettings(brightness=chance.randint(1, 255), chain=chance.randint(9, 36)).pack(),
        Type.SELF_TEST: bytes((chance.randrange(8), 0)),
    }
    return SerialFrame(kind, number & 0xFF, bodies.get(kind, b""))


def watchdog_recovery(bootloader: Bootloader | None) -> tuple[float, int]:
    """(seconds from a hang to the greeting, the cause that it tells)."""
    with EmulatedBoard(bootloader=bootloader_hex(bootloader) if bootloader else None) as board:
        decoder = Decoder()
        for _ in range(400):
            board.run(0.01)
            if any(f.type == Type.HELLO_EVENT for f in decoder.feed(board.read())):
                break
        board.write(encode(SerialFrame(Type.HANG, 1, b"HANG")))
        board.run_cycles(20 * STEP)
        began = board.cycle
        while board.cycle - began < 4 * HZ:
            board.run_cycles(STEP)
            for frame in decoder.feed(board.read()):
                if frame.type == Type.HELLO_EVENT:
                    return (board.cycle - began) / HZ + 0.02, Hello.unpack(frame.body).cause
    raise Failure("no-answer", "The emulated board did not come back after a hang.", "")


def host_lost_after() -> float:
    """Seconds from the last byte of the last frame to the first picture of the amber pulse."""
    with EmulatedBoard() as board:
        board.run(0.05)
        board.write(encode(SerialFrame(Type.LIGHTS, 1, bytes((1, 1, 255, 0, 0, 255, 0, 0, 255, 4, 4, 4)))))
        while board.write_waiting:
            board.run_cycles(STEP // 4)
        began = board.cycle
        board.run(0.3)
        still = board.shown().wire
        while board.cycle - began < 4 * HZ:
            board.run_cycles(STEP)
            if board.shown().wire != still:
                return (board.shown().cycle - began) / HZ
    raise Failure("no-answer", "The emulated board never missed its host.", "")


# The decoders


@cache
def core() -> ctypes.CDLL:
    """The portable core, compiled for this machine. Raises `Failure` where it cannot be."""
    done = subprocess.run(
        ["make", "-s", "-C", str(SOURCES / "pc"), "../../build/firmware/pc/liballfronts_core.so"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Failure("no-core", f"The firmware's core does not compile: {done.stderr.strip()[-300:]}", "")
    return ctypes.CDLL(str(BUILT / "pc" / "liballfronts_core.so"))


_OUT: Final = (ctypes.c_uint8 * 65_536)()


def decode_in_c(stream: bytes) -> tuple[list[SerialFrame], list[Fault]]:
    """Frames and faults of a stream, by the core's decoder."""
    length = core().pc_decode(stream, len(stream), _OUT, len(_OUT))
    if length == -1:
        raise ValueError("stream too long")
    data = bytes(_OUT[:length])
    frames: list[SerialFrame] = []
    faults: list[Fault] = []
    at = 0
    while at < length:
        verdict, size = data[at], data[at + 1]
        if verdict == 1:
            plain = data[at + 2 : at + 2 + size]
            frames.append(SerialFrame(plain[0], plain[1], plain[2:-4]))
        else:
            faults.append(FAULTS[verdict - 2])
        at += 2 + size
    return frames, faults


def mangled(data: bytes, chance: random.Random) -> bytes:
    """Bytes after one to four accidents: changed, lost, doubled, put in, swapped, cut, zeroed."""
    out = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(out)) if out else 0
        match chance.randrange(8) if out else 3:
            case 0:
                out[at] ^= 1 << chance.randrange(8)
            case 1:
                out[at] = chance.randrange(256)
            case 2:
                del out[at]
            case 3:
                out.insert(at, chance.randrange(256))
            case 4:
                other = chance.randrange(len(out))
                out[at], out[other] = out[other], out[at]
            case 5:
                del out[at : at + chance.randint(1, 8)]
            case 6:
                out[at] = 0
            case _:
                out[at:at] = out[at : at + chance.randint(1, 8)]
    return bytes(out)


@dataclass(slots=True)
class Agreement:
    streams: int = 0
    frames: int = 0
    faults: int = 0
    disagreed: int = 0
    wrong: int = 0
    """Frames accepted by a decoder that nobody sent."""


def agreement(streams: int, seed: int = 4) -> Agreement:
    """Random and mangled streams through the C decoder and the Python decoder; what each accepts is held against what
    was sent. Every fourth stream is noise."""
    chance = random.Random(seed)
    result = Agreement()
    for number in range(streams):
        sent: list[SerialFrame] = []
        if number % 4 == 0:
            stream = bytes(chance.choice((0, 1, 2, 3, chance.randrange(256))) for _ in range(chance.randint(1, 90)))
        else:
            for _ in range(chance.randint(1, 3)):
                body = bytes(chance.choice((0, chance.randrange(256))) for _ in range(chance.randint(0, 60)))
                sent.append(SerialFrame(chance.randrange(256), chance.randrange(256), body))
            stream = mangled(b"".join(map(encode, sent)), chance)
        in_c, c_faults = decode_in_c(stream)
        decoder = Decoder()
        in_python = decoder.feed(stream)
        result.streams += 1
        result.frames += len(in_c)
        result.faults += len(c_faults)
        counted = {fault: c_faults.count(fault) for fault in FAULTS if fault in c_faults}
        result.disagreed += in_c != in_python or counted != {k: v for k, v in decoder.faults.items() if v}
        result.wrong += sum(frame not in sent for frame in {*in_c, *in_python})
    return result


# Figures


def _saturated(scale: float) -> Iterator[Measured]:
    for chip in (chip for chip in CHIPS.values() if chip.available()):
        found = saturate(max(200, round(10_000 * scale)), chip=chip)
        yield Measured(found.sent - found.answered, found.sent, f"{chip.name}: frames missed")
        yield Measured(found.bytes_lost, found.sent, f"{chip.name}: bytes lost")
        yield Measured(found.bad_bits, found.pictures, f"{chip.name}: light bits outside the datasheets")


def _latency(scale: float) -> Iterator[Measured]:
    taken = sorted(latencies(max(50, round(2_000 * scale))))
    yield Measured(taken[len(taken) // 2] * 1000, len(taken), "p50")
    yield Measured(taken[round(len(taken) * 0.99) - 1] * 1000, len(taken), "p99")
    yield Measured(taken[-1] * 1000, len(taken), "worst")


def _memory(scale: float) -> Iterator[Measured]:
    found = memory(max(100, round(1000 * scale)))
    yield Measured(found.flash, 1, "flash")
    yield Measured(found.static, 1, "static RAM")
    yield Measured(found.stack, 1, "stack")


def _watchdog(scale: float) -> Iterator[Measured]:
    for bootloader in ("old", "optiboot"):
        seconds, _ = watchdog_recovery(bootloader)
        yield Measured(seconds, 1, bootloader)


def _host_lost(scale: float) -> Iterator[Measured]:
    yield Measured(host_lost_after(), 1)


def _agreement(scale: float) -> Iterator[Measured]:
    started_at = time.perf_counter()
    found = agreement(max(1000, round(1_000_000 * scale)))
    yield Measured(found.disagreed, found.streams, "disagreed")
    yield Measured(found.wrong, found.streams, "accepted wrongly")
    yield Measured(found.frames, found.streams, "frames found")
    yield Measured(time.perf_counter() - started_at, found.streams, "seconds")


def _fuzzed(scale: float) -> Iterator[Measured]:
    """Ends with a `Failure` that shows the finding if there is one."""
    folder = BUILT / "pc"
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    subprocess.run(["make", "-s", "-C", str(SOURCES / "pc"), "fuzz"], check=True)
    done = subprocess.run(
        [str(folder / "fuzz"), f"-max_total_time={max(5, round(600 * scale))}", "-max_len=512",
         "-print_final_stats=1", str(corpus)],
        capture_output=True, text=True, check=False, cwd=folder,
    )  # fmt: skip
    if done.returncode:
        raise Failure("fuzzer", f"The fuzzer found a fault: {done.stderr[-500:]}", f"See {folder}")
    runs = next(int(line.split()[-1]) for line in done.stderr.splitlines() if "number_of_executed_units" in line)
    yield Measured(0, runs, "findings")


FIGURES = (
    Figure("firmware.saturated", "count", "a full line into 36 moving lights, emulated", _saturated),
    Figure("firmware.latency", "ms", "LIGHTS' first byte to the strip's last edge, emulated wire and render", _latency),
    Figure("firmware.memory", "bytes", "ATmega328P: flash, static RAM, deepest stack", _memory),
    Figure("firmware.watchdog", "s", "hang to greeting under each boot loader, emulated", _watchdog),
    Figure("firmware.host-lost", "s", "last frame to the amber pulse, emulated", _host_lost),
    Figure("firmware.decoders", "count", "C and Python decoders on random and mangled streams", _agreement),
    Figure("firmware.fuzz", "count", "libFuzzer with sanitizers, raw and framed input", _fuzzed),
)
