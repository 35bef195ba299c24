"""Who may keep a connection, and for how long: limits in all and for each role, and the deadline of a request.

A connection that has sent no whole request yet is worth nothing to us, so the oldest of these makes room for the next
one: however many stand idle, a phone that asks at once is heard. Streams have places of their own for each role, so
onlookers cannot take those of the owner or of the seats.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import Any, Final, Protocol

from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from host.web.roles import Role

REQUEST_SECONDS: Final = 10.0
"""From the connection, or from the last answer, to a whole request head; and again for a body."""
WAITING_MOST: Final = 200
"""Connections without a whole request, also those whose body is still to come or whose last answer is still to be
read."""
STREAM_PLACES: Final[Mapping[Role, int]] = MappingProxyType({"viewer": 256, "near": 16, "far": 16, "owner": 64})
ONLOOKER_PLACES: Final = 16
"""Streams of onlookers for one address of the network."""
ONLOOKER_PLACES_BEHIND: Final = 128
"""The same for an address of this machine: it may be a proxy with many phones behind it, and leaves half to others."""
PROXY_LINE_LONGEST: Final = 107
"""Bytes, as the PROXY protocol has it."""
SEND_BUFFER: Final = 131_072
"""Bytes that the system keeps for a stream that does not read."""
LINGER_SECONDS: Final = 2.0
LINGER_BYTES: Final = 1 << 20
"""For how long, and up to how much, the rest of a refused request is still taken and thrown away. A connection that is
closed over bytes that nobody took is reset, and the client loses the answer that says why (RFC 9112, 9.6)."""


class Places:
    """The streams that are open. Used by the server's own thread only."""

    def __init__(
        self,
        most: Mapping[Role, int] = STREAM_PLACES,
        onlooker: int = ONLOOKER_PLACES,
        behind: int = ONLOOKER_PLACES_BEHIND,
    ) -> None:
        """`onlooker` places at most for one address of the network, `behind` for one of this machine."""
        self._most, self._onlooker, self._behind = most, onlooker, behind
        self._taken: dict[Role, dict[Connection, None]] = {role: {} for role in most}

    def take(self, role: Role, connection: Connection) -> bool:
        """A place for one more stream of `role`. Where all are taken, the address with the most streams gives up its
        oldest one, unless that is the newcomer's own."""
        taken = self._taken[role]
        counts = Counter(other.address for other in taken)
        mine = counts[connection.address]
        if role == "viewer" and mine >= (self._behind if _of_this_machine(connection.address) else self._onlooker):
            return False
        if len(taken) >= self._most[role]:
            greedy, most = counts.most_common(1)[0]
            if most <= mine + 1:
                return False
            oldest = next(other for other in taken if other.address == greedy)
            del taken[oldest]
            oldest.abort()
        taken[connection] = None
        return True

    def leave(self, role: Role, connection: Connection) -> None:
        self._taken[role].pop(connection, None)


def _of_this_machine(address: str) -> bool:
    with suppress(ValueError):
        return ipaddress.ip_address(address).is_loopback
    return False


class Answering(Protocol):
    """The application behind the connections. `proxied`: each begins with the line of a proxy of ours."""

    proxied: bool
    waiting: dict[Connection, None]
    open: set[Connection]

    async def answer(self, connection: Connection, scope: Any, receive: Any, send: Any) -> None: ...


class _ClosedOnceRead:
    """A connection's transport that, asked to close while a request is still coming, first takes the rest of it."""

    def __init__(self, connection: Connection, transport: asyncio.Transport) -> None:
        self._connection, self._transport = connection, transport

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def is_closing(self) -> bool:
        return self._connection.lingering or self._transport.is_closing()

    def close(self) -> None:
        if self._connection.request_is_coming and not self._connection.lingering:
            self._connection.linger()
        else:
            self._transport.close()


class Connection(H11Protocol):
    """One client's connection, with the deadline of its request."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._front: Answering = config.loaded_app
        self.app = partial(self._front.answer, self)
        self.address = ""
        self.lost = False
        """It was hung up on, or its client has gone."""
        self.when_lost: Callable[[], None] = lambda: None
        self._deadline: asyncio.TimerHandle | None = None
        self.lingering = False
        """It is answered for good; what still comes is thrown away."""
        self._thrown_away = 0
        self._proxy_line: bytes | None = b"" if self._front.proxied else None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.transport = _ClosedOnceRead(self, transport)  # type: ignore[assignment]
        peer = transport.get_extra_info("peername")
        self.address = str(peer[0]) if peer else ""
        with suppress(OSError):
            transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self._front.open.add(self)
        self.wait_for_request()

    @property
    def request_is_coming(self) -> bool:
        """Whether a request has begun whose end is still to come."""
        return self.cycle is not None and self.cycle.more_body

    def linger(self) -> None:
        """Takes the rest of the request for a moment, so that its sender comes to read the answer; then closes."""
        self.lingering = True
        self.flow.resume_reading()
        self.wait_for_request()

    def _linger_no_more(self) -> None:
        if self.transport.get_write_buffer_size():
            self.abort()
        else:
            self.transport.close()

    def data_received(self, data: bytes) -> None:
        if self.lingering:
            self._thrown_away += len(data)
            if self._thrown_away > LINGER_BYTES:
                self.abort()
            return
        if self._proxy_line is not None:
            self._proxy_line += data
            line, end, data = self._proxy_line.partition(b"\r\n")
            words = line.split(b" ")
            if len(line) > PROXY_LINE_LONGEST or (end and (words[0] != b"PROXY" or len(words) != 6)):
                self.abort()
                return
            if not end:
                return
            self.address, self._proxy_line = words[2].decode("ascii", "replace"), None
            self.client = (self.address, 0)
        if data:
            super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.lost = True
        self.request_came()
        self._front.open.discard(self)
        self.when_lost()

    def write_chunk(self, data: bytes) -> bool:
        """Writes a piece of a body that has begun, without its length; False where this connection cannot have it so:
        not chunked (HTTP/1.0), or the client does not read.

        What h11 makes of each piece is the same two lines around it, at many times the cost, and a view goes to
        hundreds of phones at the same moment.
        """
        if self.conn.their_http_version != b"1.1" or self.flow.write_paused:
            return False
        if data and not self.transport.is_closing():
            self.transport.write(b"%x\r\n%b\r\n" % (len(data), data))
        return True

    def wait_for_request(self) -> None:
        """The next request, or the rest of one, has to be whole in time, and the last answer read."""
        self.request_came()
        if not self.lost:
            self._front.waiting[self] = None
            if len(self._front.waiting) > WAITING_MOST:
                next(iter(self._front.waiting)).abort()
            if self.lingering:
                self._deadline = self.loop.call_later(LINGER_SECONDS, self._linger_no_more)
            else:
                self._deadline = self.loop.call_later(REQUEST_SECONDS, self.abort)

    def request_came(self) -> None:
        self._front.waiting.pop(self, None)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def abort(self) -> None:
        """Hangs up at once, whatever was not read yet."""
        # A request that had come is still to be answered: it must not make this one wait again, in another's place.
        self.lost = True
        self.request_came()
        if self.transport is not None:
            self.transport.abort()
