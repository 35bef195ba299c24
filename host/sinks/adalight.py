"""Ambilight boards as lights: the Adalight protocol over a serial port, which many sketches and WLED speak.

A picture is `Ada`, the number of lights less one (two bytes, high first), a check byte (both exclusive-or 0x55), then
red, green and blue of each light. Nothing comes back, so only the port itself tells whether the board is there.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from engine.failure import BadInput
from host.link.health import LinkHealth
from host.link.ports import LINE_FAULTS, SerialLike, users_of, why_not
from host.link.trouble import LinkTrouble, trouble
from host.sinks.pictures import NotThere, PictureSink, Placing, placing_of

SCHEME: Final = "adalight"
BAUD: Final = 115_200


def adalight_frame(picture: bytes) -> bytes:
    """A picture of at least one light as the board takes it."""
    last = len(picture) // 3 - 1
    high, low = last >> 8, last & 0xFF
    return b"Ada" + struct.pack("BBB", high, low, high ^ low ^ 0x55) + picture


def open_serial(device: str, baud: int) -> SerialLike:
    """The port at `baud`, for this process alone. Raises one of LINE_FAULTS."""
    import serial

    line = serial.Serial()
    line.port, line.baudrate, line.timeout, line.write_timeout, line.exclusive = device, baud, 0, 0.5, True
    line.open()
    return line


class AdalightDevice:
    """The board on one serial port."""

    def __init__(
        self,
        port: str,
        baud: int = BAUD,
        *,
        opened: Callable[[str, int], SerialLike] = open_serial,
        holders: Callable[[str], list[str]] = users_of,
    ) -> None:
        self._port, self._baud, self._opened, self._holders = port, baud, opened, holders
        self._line: SerialLike | None = None

    @property
    def name(self) -> str:
        return f"{SCHEME}://{self._port}"

    def connect(self) -> LinkHealth:
        """Open the port, unless another program holds it. Raises NotThere."""
        holders = self._holders(self._port)
        if holders:
            raise NotThere(trouble("busy", self._port, who=", ".join(holders)))
        self._drop()
        try:
            self._line = self._opened(self._port, self._baud)
        except LINE_FAULTS as fault:
            raise NotThere(why_not(self._port, fault)) from fault
        return LinkHealth(board="Adalight", description=f"{self._baud} baud")

    def send(self, picture: bytes) -> None:
        if self._line is None:
            raise NotThere(trouble("lost", self._port))
        try:
            self._line.write(adalight_frame(picture))
        except LINE_FAULTS as fault:
            raise NotThere(trouble("lost", self._port)) from fault

    def check(self) -> None:
        """Reads away what the board says (some greet for ever), and notices a port that went."""
        line = self._line
        if line is None:
            raise NotThere(trouble("lost", self._port))
        try:
            line.read(min(4096, line.in_waiting))
        except LINE_FAULTS as fault:
            raise NotThere(trouble("lost", self._port)) from fault

    def leave(self, dark: bytes) -> None:
        self.send(dark)
        self._drop()

    def _drop(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            try:
                line.close()
            except LINE_FAULTS:
                return  # it was gone already


@dataclass(frozen=True, slots=True)
class PortTarget:
    """What an `adalight://` address says."""

    port: str
    baud: int
    brightness: int
    placing: Placing


def parse_port(address: str) -> PortTarget:
    """`adalight:///dev/ttyUSB0[?baud=115200&bars=0,9r,18&brightness=128]`; on Windows `adalight://COM5`.

    Raises BadInput (`bad-lights`, `bad-bars`).
    """
    try:
        parts = urlsplit(address)
    except ValueError as error:
        raise BadInput(
            "bad-lights", f"{address} is not an Adalight port.", "Such as adalight:///dev/ttyUSB0"
        ) from error
    port = parts.path if parts.path not in ("", "/") else parts.netloc
    wishes = dict(parse_qsl(parts.query, keep_blank_values=True))
    numbers = {name: wishes.get(name, default) for name, default in (("baud", str(BAUD)), ("brightness", "128"))}
    good = all(text.isascii() and text.isdecimal() and len(text) <= 7 for text in numbers.values())
    if parts.scheme != SCHEME or not port or set(wishes) - {"baud", "bars", "brightness"} or not good:
        raise BadInput("bad-lights", f"{address} is not an Adalight port.", "Such as adalight:///dev/ttyUSB0")
    baud, brightness = int(numbers["baud"]), int(numbers["brightness"])
    if not 1 <= brightness <= 255 or baud == 0:
        raise BadInput("bad-lights", f"{address} has a number that cannot be.", "Brightness is 1 to 255.")
    return PortTarget(port, baud, brightness, placing_of(wishes["bars"]) if "bars" in wishes else Placing())


def open_adalight(address: str) -> PictureSink:
    """Lights on the Adalight board at `address` (see `parse_port`). Raises BadInput for an address that is none."""
    target = parse_port(address)

    def lost(fault: OSError) -> LinkTrouble:
        return why_not(target.port, fault)

    device = AdalightDevice(target.port, target.baud)
    return PictureSink(device, target.placing, brightness=target.brightness, lost=lost)
