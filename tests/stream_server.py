"""A camera that sends MJPEG over HTTP, as an old phone does."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class StreamServer:
    """Serves `jpeg()` on this machine, one every `pause` seconds, until it is closed."""

    def __init__(self, jpeg: Callable[[], bytes], pause: float) -> None:
        gone = self._gone = threading.Event()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                while not gone.wait(pause):
                    picture = jpeg()
                    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n"
                    try:
                        self.wfile.write(head.encode() + picture + b"\r\n")
                    except OSError:
                        return

            def log_message(self, format: str, *args: object) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/video"

    def close(self) -> None:
        """The camera goes; may be called again."""
        if not self._gone.is_set():
            self._gone.set()
            self._server.shutdown()
            self._server.server_close()
