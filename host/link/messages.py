"""Messages of firmware/PROTOCOL.md as typed values, packed into frames' bodies and read from them.

Readers take longer bodies than they know (a newer minor version) and refuse shorter ones with `ValueError`.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Final

from engine.names import Seat
from host.lights.frame import Bar, Colour, LightFrame, LightScene, Mood

PROTOCOL: Final = (1, 1)
"""Major and minor version that this host speaks."""


class Type(IntEnum):
    """Frame types; a reply has the request's type with the highest bit set."""

    HELLO = 0x01
    PING = 0x02
    LIGHTS = 0x03
    PIXELS = 0x04
    SHOW = 0x05
    SETTINGS_GET = 0x06
    SETTINGS_SET = 0x07
    SETTINGS_SAVE = 0x08
    STATS = 0x09
    SELF_TEST = 0x0A
    BYE = 0x0B
    HANG = 0x0F
    HELLO_EVENT = 0x41
    BUTTON = 0x42
    EVENT_ACK = 0x50
    ERROR = 0xFF


REPLY: Final = 0x80
BYE_SINCE: Final = (1, 1)
"""The protocol's version that brought BYE; older boards do not know it."""

BOARDS: Final = {1: "ATmega328P", 2: "virtual", 3: "RP2040", 4: "Arduino sketch", 5: "PC"}
CAUSES: Final = {
    0: "not told",
    1: "power-on",
    2: "reset pin",
    3: "brown-out",
    4: "watchdog",
    5: "watchdog (hardware)",
}
ERRORS: Final = {1: "unknown-type", 2: "bad-length", 3: "bad-value", 4: "eeprom"}
ORDERS: Final = ("GRB", "RGB", "GBR", "BRG", "BGR", "RBG")
"""Colour orders of a strip, by their number on the wire."""

_SCENES: Final[tuple[LightScene, ...]] = ("dark", "game", "battle-won", "war-won", "idle")
_MOODS: Final[tuple[Mood, ...]] = ("steady", "blink", "breathe")
_SEATS: Final[tuple[Seat, ...]] = ("near", "far")


def _need(body: bytes, length: int, what: str) -> None:
    if len(body) < length:
        raise ValueError(f"{what}: {len(body)} bytes, at least {length} are needed")


@dataclass(frozen=True, slots=True)
class Hello:
    """Who answers: HELLO's reply and HELLO_EVENT. Of another major version only `protocol` and `firmware` are read."""

    protocol: tuple[int, int] = PROTOCOL
    firmware: tuple[int, int, int] = (0, 0, 0)
    board: int = 0
    cause: int = 0
    settings: int = 0
    boot: int = 0
    uptime_ms: int = 0
    chain_max: int = 36
    buttons: int = 2
    capabilities: int = 0
    body_max: int = 60
    chain: int = 27

    @property
    def version(self) -> str:
        return ".".join(map(str, self.firmware))

    def pack(self) -> bytes:
        return (
            b"AF"
            + bytes((*self.protocol, *self.firmware, self.board, self.cause, self.settings))
            + struct.pack(
                "<HIBBHBB",
                self.boot,
                self.uptime_ms,
                self.chain_max,
                self.buttons,
                self.capabilities,
                self.body_max,
                self.chain,
            )
        )

    @classmethod
    def unpack(cls, body: bytes) -> Hello:
        _need(body, 7, "HELLO")
        if body[:2] != b"AF":
            raise ValueError("HELLO: another maker's magic")
        protocol, firmware = (body[2], body[3]), (body[4], body[5], body[6])
        if protocol[0] != PROTOCOL[0]:
            return cls(protocol, firmware)
        _need(body, 22, "HELLO")
        return cls(protocol, firmware, body[7], body[8], body[9], *struct.unpack_from("<HIBBHBB", body, 10))


@dataclass(frozen=True, slots=True)
class Pong:
    """PING's reply."""

    token: int
    uptime_ms: int
    boot: int
    flags: int

    HOST_WAS_LOST = 1
    RAW_PIXELS = 2
    SELF_TEST = 4
    NO_LIGHTS_YET = 8
    OTHER_PICTURE = RAW_PIXELS | SELF_TEST | NO_LIGHTS_YET

    def pack(self) -> bytes:
        return struct.pack("<IIHB", self.token, self.uptime_ms, self.boot, self.flags)

    @classmethod
    def unpack(cls, body: bytes) -> Pong:
        _need(body, 11, "PING reply")
        return cls(*struct.unpack_from("<IIHB", body))


@dataclass(frozen=True, slots=True)
class Shown:
    """Reply of whatever lights: pictures latched since start (modulo 65,536), and 255 or how far it was dimmed."""

    shows: int
    limit: int

    def pack(self) -> bytes:
        return struct.pack("<HB", self.shows, self.limit)

    @classmethod
    def unpack(cls, body: bytes) -> Shown:
        _need(body, 3, "shown")
        return cls(*struct.unpack_from("<HB", body))


def pack_lights(frame: LightFrame, cut: bool = False) -> bytes:
    """LIGHTS' body. `cut` leaves out the soft transition."""
    winner = 255 if frame.winner is None else _SEATS.index(frame.winner)
    return bytes(
        (_SCENES.index(frame.scene), int(cut), winner, *frame.near, *frame.far, *(_pack_bar(b) for b in frame.bars))
    )


def unpack_lights(body: bytes) -> LightFrame:
    """The frame that LIGHTS' body asks for. Raises `BadValue` with the offset of the first bad byte."""
    if len(body) != 12:
        raise ValueError(f"LIGHTS: {len(body)} bytes instead of 12")
    won = body[0] in (2, 3)
    for offset, bad in (
        (0, body[0] >= len(_SCENES)),
        (1, body[1] > 1),
        (2, body[2] > 1 if won else body[2] != 255),
    ):
        if bad:
            raise BadValue(offset)
    bars = []
    for offset in (9, 10, 11):
        bar = _unpack_bar(body[offset])
        if bar is None:
            raise BadValue(offset)
        bars.append(bar)
    return LightFrame(
        _SCENES[body[0]],
        (bars[0], bars[1], bars[2]),
        Colour(*body[3:6]),
        Colour(*body[6:9]),
        _SEATS[body[2]] if won else None,
    )


class BadValue(ValueError):
    """A byte of a request that is outside its range."""

    def __init__(self, offset: int) -> None:
        super().__init__(f"bad value at byte {offset}")
        self.offset = offset


def _pack_bar(bar: Bar) -> int:
    if bar.holder is None:
        return _MOODS.index(bar.mood) << 5
    tie = bar.lead == 0
    return bar.lead | _SEATS.index(bar.holder) << 3 | tie << 4 | _MOODS.index(bar.mood) << 5


def _unpack_bar(byte: int) -> Bar | None:
    lead, side, tie, effect = byte & 7, byte >> 3 & 1, byte >> 4 & 1, byte >> 5 & 3
    if byte & 0x80 or lead > 4 or effect > 2 or (tie and lead):
        return None
    return Bar(_SEATS[side] if lead or tie else None, lead, _MOODS[effect])


@dataclass(frozen=True, slots=True)
class ControllerSettings:
    """What the controller keeps without power. `bars`: each bar's first light in the chain, and whether the chain
    runs from far to near there; left, middle, right for the near seat."""

    brightness: int = 128
    order: int = 0
    chain: int = 27
    budget_ma: int = 400
    bars: tuple[tuple[int, bool], ...] = ((0, False), (9, False), (18, False))
    swapped: bool = False
    """The buttons are swapped."""

    def pack(self) -> bytes:
        placed = bytes(x for first, back in self.bars for x in (first, int(back)))
        return (
            struct.pack("<BBBBH", 1, self.brightness, self.order, self.chain, self.budget_ma)
            + placed
            + bytes((int(self.swapped),))
        )

    @classmethod
    def unpack(cls, body: bytes) -> ControllerSettings:
        """Raises `BadValue` with the offset of the first byte out of range, ValueError for a short body."""
        _need(body, 13, "settings")
        _, brightness, order, chain, budget = struct.unpack_from("<BBBBH", body)
        for offset, bad in (
            (0, body[0] != 1),
            (1, brightness < 1),
            (2, order >= len(ORDERS)),
            (3, not 9 <= chain <= 36),
            (4, not 50 <= budget <= 3000),
            *((at, fault) for at in (6, 8, 10) for at, fault in _bar_faults(body, at)),
            (12, body[12] > 1),
        ):
            if bad:
                raise BadValue(offset)
        bars = tuple((body[at], bool(body[at + 1])) for at in (6, 8, 10))
        return cls(brightness, order, chain, budget, bars, bool(body[12]))


def _bar_faults(body: bytes, at: int) -> tuple[tuple[int, bool], tuple[int, bool]]:
    """A bar must end in the longest chain, lie clear of the bars before it, and have no flag but its direction."""
    overlaps = any(abs(body[at] - body[before]) < 9 for before in range(6, at, 2))
    return (at, body[at] + 9 > 36 or overlaps), (at + 1, body[at + 1] > 1)


@dataclass(frozen=True, slots=True)
class Button:
    """One button event. `kind`: 1 down, 2 short press, 3 hold reached, 4 released after a hold."""

    number: int
    seat: Seat
    kind: int
    at_ms: int
    held_ms: int
    boot: int

    DOWN = 1
    SHORT = 2
    HOLD = 3
    RELEASED = 4

    def pack(self) -> bytes:
        return struct.pack(
            "<BBBIHH", self.number, _SEATS.index(self.seat), self.kind, self.at_ms, self.held_ms, self.boot
        )

    @classmethod
    def unpack(cls, body: bytes) -> Button:
        _need(body, 11, "BUTTON")
        number, seat, kind, at, held, boot = struct.unpack_from("<BBBIHH", body)
        if seat > 1:
            raise ValueError(f"BUTTON of seat {seat}")
        return cls(number, _SEATS[seat], kind, at, held, boot)


@dataclass(frozen=True, slots=True)
class Stats:
    """What the controller counted since its start."""

    uptime_ms: int = 0
    frames_good: int = 0
    shows: int = 0
    bad_long: int = 0
    bad_cobs: int = 0
    bad_short: int = 0
    bad_check: int = 0
    uart_overrun: int = 0
    ring_full: int = 0
    uart_framing: int = 0
    errors_sent: int = 0
    replies_dropped: int = 0
    events_resent: int = 0
    events_dropped: int = 0
    host_lost: int = 0
    budget_limited: int = 0
    longest_loop_ms: int = 0
    longest_show_us: int = 0
    supply_mv: int = 0
    """The lowest supply since the start; 0: not measured, or a board of protocol 1.0."""

    def pack(self) -> bytes:
        values = [getattr(self, f.name) for f in fields(self)]
        return struct.pack("<III16H", *values[:3], *(min(v, 0xFFFF) for v in values[3:]))

    @classmethod
    def unpack(cls, body: bytes) -> Stats:
        _need(body, 42, "STATS reply")
        return cls(*struct.unpack_from("<III15H" if len(body) < 44 else "<III16H", body))
