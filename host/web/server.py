"""The server: waitress. It runs everywhere Python does, has no process model to get in the camera's way, and tells
from a task whether the client is still there. An open event stream occupies one of its threads; they are cheap, and
there are more of them than the broadcaster takes listeners, so streams cannot starve the page.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import logging
import threading
from typing import Any, Final, Literal

from flask import Flask

from engine.failure import BadInput, Failure
from host.web.stream import LISTENERS_AT_MOST

THREADS: Final = LISTENERS_AT_MOST + 8
LAST_PORT: Final = 65_535

# Waitress brings no types.
_waitress: Any = importlib.import_module("waitress")


class PageServer:
    """A running page. Raises `BadInput` (`port-in-use`, `port-rights`, `bad-port`) where the port cannot be had."""

    def __init__(
        self, app: Flask, addresses: tuple[str, ...], port: int, *, scheme: Literal["http", "https"] = "http"
    ) -> None:
        """Binds at once, so that a failure is told before anything else starts; port 0 takes a free one.

        `scheme` is how browsers reach it: `https` where something in front of it speaks TLS.
        """
        if not 0 <= port <= LAST_PORT:
            raise BadInput("bad-port", f"{port} is not a port.", "Choose one from 1024 to 65535: --http 8420")
        logging.getLogger("waitress").setLevel(logging.CRITICAL)
        try:
            self._sockets: dict[int, Any] = {}
            self._server: Any = _waitress.create_server(
                app,
                self._sockets,
                listen=" ".join(f"{address}:{port}" for address in addresses),
                threads=THREADS,
                # Lets a task see that its client has gone, also while it waits.
                channel_request_lookahead=1,
                # A page that does not read is held back early instead of filling memory.
                outbuf_high_watermark=262_144,
                connection_limit=200,
                ident=None,
                url_scheme=scheme,
                clear_untrusted_proxy_headers=True,
            )
        except OSError as error:
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
        self._thread = threading.Thread(target=self._server.run, name="page", daemon=True)

    @property
    def port(self) -> int:
        """The port that the page is on."""
        found = getattr(self._server, "effective_listen", None)
        return int(found[0][1]) if found else int(self._server.effective_port)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Hangs up on everybody and ends the threads."""

        def hang_up() -> None:
            for thing in list(self._sockets.values()):
                # A channel is told that its client has gone, so that a task that still writes to it ends too.
                getattr(thing, "handle_close", thing.close)()

        # In the server's own thread: closing a socket under its select would make it stumble.
        pull = next((t.pull_trigger for t in self._sockets.values() if hasattr(t, "thunks")), None)
        if pull is not None and self._thread.is_alive():
            with contextlib.suppress(OSError):
                # A page served at this very moment wakes the thread too: it may have hung up before it is woken here.
                pull(hang_up)
            self._thread.join(timeout=3)
        else:
            hang_up()
        self._server.task_dispatcher.shutdown(cancel_pending=True, timeout=3)
