"""Stopping while a network camera is read: the driver's threads cannot be stopped, and must not abort the process."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
JPEG = cv2.imencode(".jpg", np.full((240, 320, 3), 90, np.uint8))[1].tobytes()

# Stops amid reading, as a second Ctrl-C does: nobody waits for the cameras' threads.
STOPPING = """
import sys
from host.app.shutdown import leave
from vision.sources import open_source
cameras = [open_source(sys.argv[1]) for _ in range(6)]
next(iter(cameras[0]))
print("said before the end")
leave(7)
"""


class Camera(BaseHTTPRequestHandler):
    """Sends pictures as fast as they are taken; the address /silent never sends one."""

    ended = threading.Event()

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        pause = 60.0 if self.path == "/silent" else 0.002
        while not self.ended.wait(pause):
            try:
                self.wfile.write(
                    b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(JPEG) + JPEG + b"\r\n"
                )
            except OSError:
                return

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture
def camera() -> Iterator[str]:
    Camera.ended = threading.Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Camera)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    Camera.ended.set()
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("path", ["/video", "/silent"])
def test_the_process_ends_with_its_own_status_while_the_driver_is_busy(camera: str, path: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", STOPPING, camera + path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (7, "said before the end\n", "")
