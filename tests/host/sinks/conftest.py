"""A WLED controller for tests: its JSON interface over HTTP, DDP over UDP, and what its strip then shows.

Written from WLED's documentation (kno.wled.ge: JSON API, UDP realtime, DDP) and the DDP specification. Stricter than
WLED: a packet against the specification is counted and not shown.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


class WledServer:
    """`clock` gives seconds; realtime pictures are forgotten 2.5 of them after the last packet, as WLED does."""

    REALTIME_S = 2.5

    def __init__(self, clock: Callable[[], float], lights: int = 30, http_port: int = 0, ddp_port: int = 0) -> None:
        self.state: dict[str, Any] = {"on": False, "bri": 90, "transition": 7, "lor": 0, "seg": [{"fx": 9}]}
        self.brand = "WLED"
        self.lights = lights
        self.asked: list[tuple[str, str]] = []
        self.rubbish: bytes | None = None
        """What it answers instead, whatever is asked."""
        self.bad_packets = 0
        self.pictures = 0
        self._clock = clock
        self._arriving = bytearray(3 * lights)
        self._realtime = bytes(3 * lights)
        self._last_packet = float("-inf")
        self._told = threading.Condition()
        self._stopped = False
        self._http = ThreadingHTTPServer(("127.0.0.1", http_port), self._handler())
        self._http.daemon_threads = True
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", ddp_port))
        self.http_port: int = self._http.server_address[1]
        self.ddp_port: int = self._udp.getsockname()[1]
        self._threads = [
            threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True),
            threading.Thread(target=self._hear, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @property
    def address(self) -> str:
        return f"wled://127.0.0.1:{self.http_port}?ddp={self.ddp_port}"

    @property
    def live(self) -> bool:
        return self._clock() - self._last_packet < self.REALTIME_S

    def strip(self) -> bytes | None:
        """What its lights show: a realtime picture, or None where it shows an effect of its own or is off."""
        with self._told:
            return self._realtime if self.live and self.state["on"] else None

    def wait_for(self, true: Callable[[], bool], limit_s: float = 10.0) -> bool:
        with self._told:
            return self._told.wait_for(true, limit_s)

    def stop(self) -> None:
        """Switched off: nothing listens any more."""
        if self._stopped:
            return
        self._stopped = True
        self._http.shutdown()
        self._http.server_close()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(b"", ("127.0.0.1", self.ddp_port))
        for thread in self._threads:
            thread.join(5)

    def _hear(self) -> None:
        with self._udp:
            while packet := self._udp.recv(2048):
                with self._told:
                    self._take(packet)
                    self._told.notify_all()

    def _take(self, packet: bytes) -> None:
        if len(packet) < 10:
            self.bad_packets += 1
            return
        flags, sequence, kind, destination, offset, length = struct.unpack(">BBBBIH", packet[:10])
        data = packet[10:]
        good = flags & 0xC0 == 0x40 and flags & 0x3E == 0 and 1 <= sequence <= 15 and kind == 0x0B and destination == 1
        if not good or length != len(data) or offset + length > len(self._arriving):
            self.bad_packets += 1
            return
        self._arriving[offset : offset + length] = data
        self._last_packet = self._clock()
        if flags & 1:
            self._realtime = bytes(self._arriving)
            self.pictures += 1

    def _info(self) -> dict[str, Any]:
        leds = {"count": self.lights, "rgbw": False, "pwr": 0, "fps": 40, "maxpwr": 850}
        return {
            "ver": "0.14.1", "vid": 2312290, "leds": leds, "name": "table\x1b[31m lights", "udpport": 21324,
            "live": self.live, "lm": "DDP" if self.live else "", "arch": "esp32", "brand": self.brand,
        }  # fmt: skip

    def _answer(self, method: str, path: str, body: bytes) -> tuple[int, Any]:
        with self._told:
            self.asked.append((method, path))
            self._told.notify_all()
            if path == "/json/info":
                return 200, self._info()
            if path == "/json/state":
                if method == "POST":
                    wish = json.loads(body)
                    if wish.pop("live", None) is False:
                        self._last_packet = float("-inf")
                    self.state.update(wish)
                    return 200, {"success": True}
                return 200, self.state
            return 404, {"error": 4}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def _do(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                status, found = server._answer(self.command, self.path, body)
                data = json.dumps(found).encode() if server.rubbish is None else server.rubbish
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = _do

            def log_message(self, format: str, *arguments: object) -> None: ...

        return Handler


@pytest.fixture
def wled() -> Iterator[Callable[..., WledServer]]:
    """Starts WLED controllers; all that still run are stopped at the end."""
    servers: list[WledServer] = []

    def start(**how: int) -> WledServer:
        servers.append(WledServer(time.monotonic, **how))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()
