"""Frames on the wire, by firmware/PROTOCOL.md section 1: COBS, two checks, and a decoder that finds its place again.

COBS is Cheshire and Baker's consistent overhead byte stuffing (IEEE/ACM Transactions on Networking 7, 1999).
"""

from __future__ import annotations

import binascii
import struct
from collections import Counter
from typing import Final, Literal, NamedTuple, TypeAlias

BODY_MOST: Final = 60
PLAIN_LEAST: Final = 6
WIRE_MOST: Final = 67
"""Longest frame on the wire, without the zero that ends it."""

Fault: TypeAlias = Literal["long", "cobs", "short", "check"]
"""Why bytes between two zeros are no frame; the first that is true, in this order."""


class SerialFrame(NamedTuple):
    type: int
    seq: int
    body: bytes = b""


def _arc_table() -> tuple[int, ...]:
    table = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ 0xA001 if value & 1 else value >> 1
        table.append(value)
    return tuple(table)


_ARC: Final = _arc_table()


def check1(data: bytes) -> int:
    """CRC-16/IBM-3740."""
    return binascii.crc_hqx(data, 0xFFFF)


def check2(data: bytes) -> int:
    """CRC-16/ARC."""
    crc = 0
    for byte in data:
        crc = (crc >> 8) ^ _ARC[(crc ^ byte) & 0xFF]
    return crc


def stuff(data: bytes) -> bytes:
    """`data` without zeros, by COBS. Up to 254 bytes; frames are shorter."""
    if len(data) > 254:
        raise ValueError(f"{len(data)} bytes are too many for one frame")
    return b"".join(bytes((len(run) + 1,)) + run for run in data.split(b"\0"))


def unstuff(data: bytes) -> bytes | None:
    """The bytes that `stuff` was given; None where a block reaches past the end."""
    out = bytearray()
    at = 0
    while at < len(data):
        length = data[at]
        if length == 0 or at + length > len(data):
            return None
        out += data[at + 1 : at + length]
        at += length
        if at < len(data) and length < 0xFF:
            out.append(0)
    return bytes(out)


def encode(frame: SerialFrame) -> bytes:
    """The frame as it goes on the wire, its closing zero included. Raises ValueError for a body above 60 bytes."""
    if len(frame.body) > BODY_MOST:
        raise ValueError(f"a body of {len(frame.body)} bytes; {BODY_MOST} is the most")
    head = bytes((frame.type, frame.seq)) + frame.body
    return stuff(head + struct.pack("<HH", check1(head), check2(head))) + b"\0"


def decode(wire: bytes) -> SerialFrame | Fault:
    """What the bytes before a zero (it left out, at least one byte) are."""
    if len(wire) > WIRE_MOST:
        return "long"
    plain = unstuff(wire)
    if plain is None:
        return "cobs"
    if len(plain) < PLAIN_LEAST:
        return "short"
    head = plain[:-4]
    if struct.unpack("<HH", plain[-4:]) != (check1(head), check2(head)):
        return "check"
    return SerialFrame(head[0], head[1], head[2:])


class Decoder:
    """Bytes in as they come, frames out. Counts what it had to throw away, by fault."""

    def __init__(self) -> None:
        self.faults: Counter[Fault] = Counter()
        self._held = bytearray()

    def feed(self, data: bytes) -> list[SerialFrame]:
        """The frames that `data` completed. Holds no more than one frame's bytes, whatever comes."""
        frames: list[SerialFrame] = []
        start = 0
        while (end := data.find(0, start)) >= 0:
            self._hold(data[start:end])
            start = end + 1
            if self._held:
                found = decode(bytes(self._held))
                self._held.clear()
                if isinstance(found, SerialFrame):
                    frames.append(found)
                else:
                    self.faults[found] += 1
        self._hold(data[start:])
        return frames

    def _hold(self, data: bytes) -> None:
        # One byte too many is enough to know that it is too long.
        self._held += data[: WIRE_MOST + 1 - len(self._held)]
