"""Between the event loop and the Flask application: what is refused before a body is read, who waits for which thread,
and event streams, which need none.

A connection costs no thread. A request is handed to a thread only when it is whole and small; each kind of caller has
threads of its own, so that those who came without an invitation, and onlookers, hold up nobody else. An answer is
computed whole and sent by the event loop, so that a slow reader holds no thread either.
"""

from __future__ import annotations

import asyncio
import io
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from flask import Flask

from host.web.connections import Connection, Places
from host.web.event_stream import HANDED_OVER, OPENING, EventStream
from host.web.roles import Role
from host.web.stream import HEARTBEAT_SECONDS, TooManyListeners

ROLE_OF_REQUEST: Final = "allfronts.role_of_request"
"""The key among an application's extensions of `RoleOfRequest`."""
RoleOfRequest: TypeAlias = Callable[[str, str], Role | None]
"""Takes the Cookie header and the path; None is nobody who was invited. An application without it knows no
invitations."""

LONGEST_BODY: Final = 131_072
"""Bytes; what an application takes can be less."""
ANSWER_SECONDS: Final = 20.0
"""In which a piece of a stream has to be read."""
THREADS: Final = {"uninvited": 2, "onlooker": 4, "player": 8}
PENDING_MOST: Final = {"uninvited": 64, "onlooker": 512, "player": 128}
"""Requests that wait for a thread or are in one. A full hall of onlookers may come at the same moment."""

ClientKind: TypeAlias = Literal["uninvited", "onlooker", "player"]
HttpHeaders: TypeAlias = list[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    headers: HttpHeaders
    body: bytes
    events: EventStream | None = None
    """Where the answer is a stream."""


class _Refused(Exception):
    """The request is refused before its body is read."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status, self.text = status, text


class _Alarm:
    """Wakes streams from any thread, all of one view together: each call into the loop costs a system call, and the
    thread that publishes a view holds the table's lock meanwhile."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._due: list[asyncio.Event] = []

    def ring(self, loop: asyncio.AbstractEventLoop, woken: asyncio.Event) -> None:
        """Sets the event soon, in the order of the calls."""
        with self._lock:
            self._due.append(woken)
            if len(self._due) > 1:
                return
        # The loop has ended where the server has: then there is nobody to wake.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(self._ring_all)

    def _ring_all(self) -> None:
        with self._lock:
            due, self._due = self._due, []
        for woken in due:
            woken.set()


class Front:
    """The application that connections speak to."""

    def __init__(self, app: Flask, scheme: str, places: Places | None = None, *, proxied: bool = False) -> None:
        self._app, self._scheme, self.proxied = app, scheme, proxied
        self._places = places or Places()
        self.waiting: dict[Connection, None] = {}
        self.open: set[Connection] = set()
        self._threads = {kind: ThreadPoolExecutor(most, f"page-{kind}") for kind, most in THREADS.items()}
        self._pending = dict.fromkeys(THREADS, 0)
        self._alarm = _Alarm()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        raise NotImplementedError("connections call answer()")

    async def answer(self, connection: Connection, scope: Any, receive: Any, send: Any) -> None:
        try:
            # Whoever has not read the last answer still waits.
            await connection.flow.drain()
            await self._answer(connection, scope, receive, send)
        except TimeoutError:
            connection.abort()
        finally:
            connection.wait_for_request()

    async def _answer(self, connection: Connection, scope: Any, receive: Any, send: Any) -> None:
        kind = self._kind(scope)
        try:
            length = _body_length(scope)
            body = b""
            # Without an invitation nothing is taken in: the answer is the same whatever the body says.
            if length and kind != "uninvited":
                connection.wait_for_request()
                body = await _read(receive, length)
            connection.request_came()
            if self._pending[kind] >= PENDING_MOST[kind]:
                raise _Refused(503, "Too many ask at once.")
        except _Refused as refused:
            text = (refused.text + "\n").encode()
            headers = [(b"content-type", b"text/plain"), (b"content-length", b"%d" % len(text))]
            await _send(send, refused.status, [*headers, (b"connection", b"close")], text)
            return
        self._pending[kind] += 1
        try:
            answer = await asyncio.get_running_loop().run_in_executor(
                self._threads[kind], self._call, _environment(scope, self._scheme, body)
            )
        finally:
            self._pending[kind] -= 1
        if answer.events is not None:
            await self._send_events(connection, answer, answer.events, send)
        else:
            more: HttpHeaders = [(b"connection", b"close")] if kind == "uninvited" else []
            await _send(send, answer.status, [*answer.headers, *more], answer.body)

    def _kind(self, scope: Any) -> ClientKind:
        role_of: RoleOfRequest | None = self._app.extensions.get(ROLE_OF_REQUEST)
        if role_of is None:
            return "player"
        cookies = b"; ".join(value for name, value in scope["headers"] if name == b"cookie").decode("latin-1")
        role = role_of(cookies, scope["path"])
        return "uninvited" if role is None else "onlooker" if role == "viewer" else "player"

    def _call(self, environment: dict[str, Any]) -> _Answer:
        """Runs the application. In a thread."""
        handed_over: list[EventStream] = []
        environment[HANDED_OVER] = handed_over
        started: list[Any] = []
        # PEP 3333: what is written instead of returned comes first.
        written: list[bytes] = []

        def start_response(status: str, headers: list[tuple[str, str]], _: Any = None) -> Callable[[bytes], None]:
            started[:] = [int(status[:3]), [(n.lower().encode("latin-1"), v.encode("latin-1")) for n, v in headers]]
            return written.append

        pieces = self._app(environment, start_response)
        if handed_over:
            _close(pieces)
            return _Answer(started[0], started[1], b"", events=handed_over[0])
        try:
            written.extend(pieces)
        finally:
            _close(pieces)
        return _Answer(started[0], started[1], b"".join(written))

    async def _send_events(self, connection: Connection, answer: _Answer, events: EventStream, send: Any) -> None:
        """Views as they come, the newest always; a beat where there is none; ends with the invitation."""
        loop, woken = asyncio.get_running_loop(), asyncio.Event()

        def wake() -> None:
            self._alarm.ring(loop, woken)

        if not self._places.take(events.role, connection):
            # The page falls back to asking for the view now and then.
            await _send(send, 503, [(b"content-type", b"text/plain")], b"Too many pages are watching this table.\n")
            return
        try:
            listening = events.listen(0.0, wake)
        except TooManyListeners:
            self._places.leave(events.role, connection)
            await _send(send, 503, [(b"content-type", b"text/plain")], b"Too many pages are watching this table.\n")
            return
        connection.when_lost = woken.set
        try:
            await _send(send, answer.status, answer.headers, OPENING, more=True)
            sent = loop.time()
            while not connection.lost:
                woken.clear()
                try:
                    item = next(listening)
                except StopIteration:
                    break
                if not events.allowed():
                    break
                if item is not None:
                    piece = events.encoded(item)
                    if not connection.write_chunk(piece):
                        await _send_more(send, piece)
                    sent = loop.time()
                    if events.gather:
                        await asyncio.sleep(events.gather)
                    continue
                left = sent + HEARTBEAT_SECONDS - loop.time()
                if left <= 0:
                    await _send_more(send, events.beat())
                    sent = loop.time()
                    continue
                with suppress(TimeoutError):
                    async with asyncio.timeout(min(left, listening.due())):
                        await woken.wait()
            await _send_more(send, b"", more=False)
        finally:
            listening.close()
            self._places.leave(events.role, connection)

    def close(self) -> None:
        for pool in self._threads.values():
            pool.shutdown(wait=False, cancel_futures=True)


def _body_length(scope: Any) -> int:
    """The declared length, bytes. Raises `_Refused` for a body without one, or one that is too long."""
    lengths = {value for name, value in scope["headers"] if name == b"content-length"}
    if any(name == b"transfer-encoding" for name, _ in scope["headers"]):
        raise _Refused(411, "Say how long the body is.")
    length = int(next(iter(lengths), b"0"))
    if length > LONGEST_BODY:
        raise _Refused(413, "That is too long.")
    return length


async def _read(receive: Any, length: int) -> bytes:
    """The body; raises `TimeoutError` where its sender has gone, or was hung up on because it did not come."""
    body = b""
    while len(body) < length:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise TimeoutError
        body += message.get("body", b"")
    return body


async def _send(send: Any, status: int, headers: HttpHeaders, body: bytes, *, more: bool = False) -> None:
    """Raises `TimeoutError` where the client does not read it in time."""
    async with asyncio.timeout(ANSWER_SECONDS):
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": more})


async def _send_more(send: Any, body: bytes, *, more: bool = True) -> None:
    async with asyncio.timeout(ANSWER_SECONDS):
        await send({"type": "http.response.body", "body": body, "more_body": more})


def _environment(scope: Any, scheme: str, body: bytes) -> dict[str, Any]:
    """The request as PEP 3333 has it."""
    server, client = scope.get("server") or ("localhost", 0), scope.get("client") or ("", 0)
    environment: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode("utf-8", "replace").decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": str(server[0]),
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": str(client[0]),
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scheme,
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for raw, value in scope["headers"]:
        name = raw.decode("latin-1")
        # A name with "_" could pass for another one.
        if name == "content-length" or "_" in name:
            continue
        key = "CONTENT_TYPE" if name == "content-type" else "HTTP_" + name.upper().replace("-", "_")
        text = value.decode("latin-1")
        before = environment.get(key)
        environment[key] = text if before is None else before + ("; " if name == "cookie" else ",") + text
    return environment


def _close(pieces: Any) -> None:
    if hasattr(pieces, "close"):
        pieces.close()
