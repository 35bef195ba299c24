"""A stream address, as an old phone serves it: MJPEG over HTTP, through the real decoder."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np
import pytest

from vision.sources import Frame, Trouble, open_source


class Phone:
    """Serves MJPEG until told to stop."""

    def __init__(self) -> None:
        gone = self.gone = threading.Event()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                rng = np.random.default_rng(1)
                while not gone.wait(0.03):
                    picture = rng.integers(60, 190, (36, 64, 3)).astype(np.uint8)
                    picture = cv2.resize(picture, (1280, 720), interpolation=cv2.INTER_CUBIC)
                    jpeg = cv2.imencode(".jpg", picture)[1].tobytes()
                    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                    try:
                        self.wfile.write(head.encode() + jpeg + b"\r\n")
                    except OSError:
                        return

            def log_message(self, format: str, *args: object) -> None:
                return

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/video"

    def close(self) -> None:
        self.gone.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def phone() -> Iterator[Phone]:
    made = Phone()
    yield made
    made.close()


def test_a_phone_streams_and_is_missed_when_it_goes(phone: Phone) -> None:
    limit = time.monotonic() + 60
    frames = 0
    with closing(open_source(phone.address)) as source:
        for item in source:
            assert time.monotonic() < limit
            if isinstance(item, Frame):
                frames += 1
                assert item.image.shape == (720, 1280, 3)
                if frames == 3:
                    phone.gone.set()
                    phone.server.shutdown()
                    phone.server.server_close()
            elif frames >= 3 and isinstance(item, Trouble) and item.code in ("camera-gone", "camera-stuck"):
                # A machine that is busy may miss the first pictures for a while; that is told too, and mends itself.
                assert item.remedy
                return
    pytest.fail("the lost stream was never told")
