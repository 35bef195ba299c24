"""The server: uvicorn, one event loop in a thread of its own. A connection or a stream costs no thread, so that idle
and slow ones hold up nobody; what each may take of time and places stands in connections.py and front.py.

Why uvicorn: it is small (it brings h11 and click), pure Python, well kept, and lets the class of a connection be
passed in, which is where a deadline for a request has to stand. The application stays Flask.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import threading
from contextlib import suppress
from typing import Final, Literal

from flask import Flask
from uvicorn import Config, Server

from engine.failure import BadInput, Failure
from host.web.connections import Connection
from host.web.front import Front

LAST_PORT: Final = 65_535
BACKLOG: Final = 512
LONGEST_HEAD: Final = 16_384
IDLE_SECONDS: Final = 5
"""After which a connection without another request is closed."""


class PageServer:
    """A running page at `port`; `BadInput` (`port-in-use`, `port-rights`, `bad-port`) where that cannot be had."""

    def __init__(
        self,
        app: Flask,
        addresses: tuple[str, ...],
        port: int,
        *,
        scheme: Literal["http", "https"] = "http",
        proxied: bool = False,
    ) -> None:
        """Binds at once, so that a failure is told before anything else starts; port 0 takes a free one.

        `scheme` is how browsers reach it: `https` where something in front of it speaks TLS. `proxied`: that is a proxy
        of ours, which begins each connection with a line that says who connected.
        """
        if not 0 <= port <= LAST_PORT:
            raise BadInput("bad-port", f"{port} is not a port.", "Choose one from 1024 to 65535: --http 8420")
        self._sockets = _bound(addresses, port)
        self.port: Final = int(self._sockets[0].getsockname()[1])
        self._front = Front(app, scheme, proxied=proxied)
        self._loop = asyncio.new_event_loop()
        logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
        self._server = Server(
            Config(
                self._front,
                interface="asgi3",
                http=Connection,
                ws="none",
                loop="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                backlog=BACKLOG,
                timeout_keep_alive=IDLE_SECONDS,
                timeout_graceful_shutdown=1,
                h11_max_incomplete_event_size=LONGEST_HEAD,
            )
        )
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._server.serve(self._sockets))
        finally:
            self._loop.close()

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Hangs up on everybody and ends the threads."""

        def hang_up() -> None:
            self._server.should_exit = True
            for connection in tuple(self._front.open):
                connection.abort()

        if self._thread.is_alive():
            # The loop may have ended by itself in between.
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(hang_up)
            self._thread.join(timeout=5)
        for bound in self._sockets:
            bound.close()
        self._front.close()


def _bound(addresses: tuple[str, ...], port: int) -> list[socket.socket]:
    found: list[socket.socket] = []
    try:
        for address in addresses:
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            # All addresses have the same port, also where a free one is taken.
            wanted = found[0].getsockname()[1] if found else port
            found.append(socket.create_server((address, wanted), family=family, backlog=BACKLOG))
    except OSError as error:
        for bound in found:
            bound.close()
        if error.errno == errno.EADDRINUSE:
            other = port + 1 if port < LAST_PORT else port - 1
            raise BadInput(
                "port-in-use",
                f"Port {port} is in use by another program, perhaps another table.",
                f"Stop it, or choose another port: --http {other}",
            ) from error
        if error.errno == errno.EACCES:
            raise BadInput(
                "port-rights", f"Port {port} needs special rights.", "Choose one above 1023: --http 8420"
            ) from error
        raise Failure("no-page", f"The page cannot be opened: {error}.") from error
    return found
