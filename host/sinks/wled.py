"""WLED controllers as lights: pictures over DDP, everything else over WLED's JSON interface.

Sources: the Distributed Display Protocol of 3waylabs (http://www.3waylabs.com/ddp/), and WLED's documentation of its
JSON API and of realtime control (https://kno.wled.ge/interfaces/json-api/, .../interfaces/ddp/). WLED shows realtime
pictures as long as they come and returns to what it showed before some seconds (2.5, as it comes) after the last one.
"""

from __future__ import annotations

import http.client
import json
import socket
import struct
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import SplitResult, parse_qsl, urlsplit

from engine.failure import BadInput
from host.link.health import LinkHealth
from host.link.trouble import trouble
from host.sinks.pictures import NotThere, PictureSink, Placing, placing_of

SCHEME: Final = "wled"
DDP_PORT: Final = 4048
DDP_VERSION_1: Final = 0x40
DDP_PUSH: Final = 0x01
"""Show what has come: the last packet of a picture."""
DDP_RGB_8_BIT: Final = 0x0B
DDP_DISPLAY: Final = 1
DDP_PAYLOAD_MOST: Final = 1440
DDP_SEQUENCE_MOST: Final = 15
ANSWER_S: Final = 2.0
ANSWER_MOST: Final = 64 * 1024
"""No answer of a light is longer; what is, is not read."""
HANDED_BACK: Final = ("on", "bri")
"""What of WLED's state is as before when the table closes."""


@dataclass(frozen=True, slots=True)
class WledAddress:
    """What a `wled://` address says. `brightness` None leaves WLED's own."""

    host: str
    http_port: int = 80
    ddp_port: int = DDP_PORT
    placing: Placing = field(default_factory=Placing)
    brightness: int | None = None
    name: str = ""


def parse_target(address: str) -> WledAddress:
    """`wled://HOST[:PORT][?bars=0,9r,18&brightness=128&ddp=4048]`. Raises BadInput (`bad-lights`, `bad-bars`)."""
    remedy = "Such as wled://192.168.1.40, wled://wled-table.local or wled://table.local?bars=0,9r,18&brightness=100"
    parts, host, port = _split(address, remedy)
    wishes = dict(parse_qsl(parts.query, keep_blank_values=True))
    unknown = set(wishes) - {"bars", "brightness", "ddp"}
    if unknown or parts.path not in ("", "/") or parts.username is not None:
        raise BadInput("bad-lights", f"{address} is not an address of WLED.", remedy)
    brightness = None
    if "brightness" in wishes:
        brightness = _number(wishes["brightness"], 1, 255, address, remedy)
    ddp = _number(wishes.get("ddp", str(DDP_PORT)), 1, 65_535, address, remedy)
    placing = placing_of(wishes["bars"]) if "bars" in wishes else Placing()
    return WledAddress(host, port, ddp, placing, brightness, f"{SCHEME}://{parts.netloc}")


def _split(address: str, remedy: str) -> tuple[SplitResult, str, int]:
    """The parts of an address, its host and its port."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port or 80
        # What the resolver would refuse with an error of its own, such as labels of nothing or of 64 letters.
        host.encode("idna")
        if parts.scheme != SCHEME or not host:
            raise ValueError
    except ValueError as error:
        raise BadInput("bad-lights", f"{address} is not an address of WLED.", remedy) from error
    return parts, host, port


def _number(text: str, least: int, most: int, address: str, remedy: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 5 and least <= int(text) <= most):
        raise BadInput("bad-lights", f"{text!r} in {address} is not a number of {least} to {most}.", remedy)
    return int(text)


def ddp_packets(picture: bytes, sequence: int) -> list[bytes]:
    """A picture as DDP packets (version 1, 8 bits a channel, RGB); the last one says that it is to be shown."""
    packets: list[bytes] = []
    for offset in range(0, max(1, len(picture)), DDP_PAYLOAD_MOST):
        part = picture[offset : offset + DDP_PAYLOAD_MOST]
        push = DDP_PUSH if offset + DDP_PAYLOAD_MOST >= len(picture) else 0
        head = struct.pack(">BBBBIH", DDP_VERSION_1 | push, sequence, DDP_RGB_8_BIT, DDP_DISPLAY, offset, len(part))
        packets.append(head + part)
    return packets


class WledDevice:
    """One WLED controller, by its address."""

    def __init__(self, target: WledAddress) -> None:
        self._target = target
        self._socket: socket.socket | None = None
        self._sequence = 0
        self._before: dict[str, object] = {}

    @property
    def name(self) -> str:
        return self._target.name

    def connect(self) -> LinkHealth:
        """Ask who it is, note its state, switch it on. Raises NotThere."""
        info = self._info()
        lights = _inside(info, "leds", "count")
        if not isinstance(lights, int) or lights < self._target.placing.lights:
            raise NotThere(trouble("wled-too-few", self.name, has=str(lights), needs=str(self._target.placing.lights)))
        state = self._ask("GET", "/json/state")
        if not self._before:
            self._before = {key: state[key] for key in HANDED_BACK if isinstance(state.get(key), bool | int)}
        wish: dict[str, object] = {"on": True, "lor": 0}
        if self._target.brightness is not None:
            wish["bri"] = self._target.brightness
        self._ask("POST", "/json/state", wish)
        self._open()
        return LinkHealth(
            board=f"WLED ({_text(info, 'name')})", firmware=_text(info, "ver"), description=_text(info, "arch")
        )

    def send(self, picture: bytes) -> None:
        if self._socket is None:
            raise NotThere(trouble("wled-away", self.name))
        self._sequence = self._sequence % DDP_SEQUENCE_MOST + 1
        for packet in ddp_packets(picture, self._sequence):
            self._socket.send(packet)

    def check(self) -> None:
        """UDP does not tell whether anybody listens: ask by HTTP."""
        self._info()

    def leave(self, dark: bytes) -> None:
        """Dark, then realtime control ends and its own state is as it was found."""
        self.send(dark)
        self._ask("POST", "/json/state", {**self._before, "live": False})
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _open(self) -> None:
        if self._socket is not None:
            self._socket.close()
        family, kind, protocol, _, address = socket.getaddrinfo(
            self._target.host, self._target.ddp_port, type=socket.SOCK_DGRAM
        )[0]
        self._socket = socket.socket(family, kind, protocol)
        self._socket.setblocking(False)
        self._socket.connect(address)

    def _info(self) -> dict[str, object]:
        info = self._ask("GET", "/json/info")
        # Forks keep the brand or at least the shape; anything else is another maker's device.
        if info.get("brand", "WLED") != "WLED" or not isinstance(info.get("leds"), dict):
            raise NotThere(trouble("wled-other", self.name))
        return info

    def _ask(self, method: str, path: str, body: dict[str, object] | None = None) -> dict[str, object]:
        """An object of WLED's JSON API. Raises NotThere: nobody there, or not WLED."""
        line = http.client.HTTPConnection(self._target.host, self._target.http_port, timeout=ANSWER_S)
        try:
            sent = None if body is None else json.dumps(body).encode("ascii")
            line.request(method, path, sent, {"Content-Type": "application/json"} if sent else {})
            answer = line.getresponse()
            data = answer.read(ANSWER_MOST + 1)
            status = answer.status
        except (OSError, http.client.HTTPException) as fault:
            raise NotThere(trouble("wled-away", self.name)) from fault
        finally:
            line.close()
        if status != http.client.OK or len(data) > ANSWER_MOST:
            raise NotThere(trouble("wled-other", self.name))
        try:
            found = json.loads(data)
        except (ValueError, RecursionError) as fault:
            raise NotThere(trouble("wled-other", self.name)) from fault
        if not isinstance(found, dict):
            raise NotThere(trouble("wled-other", self.name))
        return found


def _inside(found: dict[str, object], *names: str) -> object:
    value: object = found
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _text(found: dict[str, object], name: str) -> str:
    """A short text of a device's answer, without what could upset a terminal."""
    value = found.get(name)
    return "".join(c for c in value if c.isprintable())[:40] if isinstance(value, str) else ""


def open_wled(address: str) -> PictureSink:
    """Lights on the WLED controller at `address` (see `parse_target`). Raises BadInput for an address that is none."""
    target = parse_target(address)
    device = WledDevice(target)
    return PictureSink(device, target.placing, lost=lambda fault: trouble("wled-away", device.name))
