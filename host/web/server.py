"""The server: waitress. It runs everywhere Python does, has no process model to get in the camera's way, and tells
from a task whether the client is still there. An open event stream occupies one of its threads; they are cheap, and
there are more of them than the broadcaster takes listeners, so streams cannot starve the page.
"""

from __future__ import annotations

import errno
import importlib
import logging
import threading
from typing import Any, Final

from flask import Flask

from engine.failure import BadInput, Failure
from host.web.stream import LISTENERS_AT_MOST

THREADS: Final = LISTENERS_AT_MOST + 8
LAST_PORT: Final = 65_535

# Waitress brings no types.
_waitress: Any = importlib.import_module("waitress")


class PageServer:
    """A running page. Raises `BadInput` (`port-in-use`, `port-rights`) where the port cannot be had."""

    def __init__(self, app: Flask, addresses: tuple[str, ...], port: int) -> None:
        """Binds at once, so that a failure is told before anything else starts; port 0 takes a free one."""
        logging.getLogger("waitress").setLevel(logging.CRITICAL)
        try:
            self._server: Any = _waitress.create_server(
                app,
                listen=" ".join(f"{address}:{port}" for address in addresses),
                threads=THREADS,
                # A view is on its way when it is written, not when a buffer is full.
                send_bytes=1,
                # Lets a task see that its client has gone, also while it waits.
                channel_request_lookahead=1,
                # A page that does not read is held back early instead of filling memory.
                outbuf_high_watermark=262_144,
                connection_limit=200,
                ident=None,
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
        """Stops taking requests and ends the threads. Close the broadcaster first: its streams then end."""
        self._server.close()
        dispatcher = getattr(self._server, "task_dispatcher", None)
        if dispatcher is not None:
            dispatcher.shutdown(cancel_pending=True, timeout=2)
        self._thread.join(timeout=2)
