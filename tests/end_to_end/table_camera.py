"""A camera over a simulated table, sent as a stream (MJPEG over HTTP) as an old phone does; the test lays the cards."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np

from engine.names import FACE_DOWN, THEATERS, Face
from engine.sight import Place
from vision.simulate import CONDITIONS, EMPTY, SimulatedCamera
from vision.simulate.optics import Light
from vision.simulate.scene import Hands
from vision.types import Picture

DAY = replace(CONDITIONS["day"], resolution=(1280, 720), light=Light(level=0.9), clutter=0.0, jpeg=None)
PHOTOGRAPHS = ("air", "land", "sea", "back")
PAUSE = 0.1
"""Seconds between two pictures of the stream."""


class TableCamera:
    """Sends the table that lies there now until it is closed."""

    def __init__(self, seed: int = 31) -> None:
        self._simulated = SimulatedCamera("bright", seed, condition=DAY)
        self._shot = 0
        self._noise = np.random.default_rng(seed)
        self._frames: list[bytes] = []
        self.clear()
        gone = self._gone = threading.Event()
        camera = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                number = 0
                while not gone.wait(PAUSE):
                    number += 1
                    jpeg = camera._frames[number % len(camera._frames)]
                    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                    try:
                        self.wfile.write(head.encode() + jpeg + b"\r\n")
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

    def photograph(self, theater: str) -> None:
        """The table of one photograph of live enrolment: `air`, `land`, `sea` or `back`."""
        letter = theater[0].upper()
        faces: list[Face] = [FACE_DOWN] * 6 if theater == "back" else [f"{letter}{n}" for n in range(1, 7)]
        board: dict[Place, tuple[Face, ...]] = {}
        for k, theater_of_board in enumerate(THEATERS):
            board[(theater_of_board, "near")] = (faces[k],)
            board[(theater_of_board, "far")] = (faces[k + 3],)
        self.lay(board)

    def lay(self, board: Mapping[Place, tuple[Face, ...]]) -> None:
        """The boards in their order and these cards."""
        self._shot += 1
        hands = Hands(DAY.sloppiness, np.random.default_rng(self._shot))
        self._send(self._simulated.picture((*hands.boards(THEATERS), *hands.lay({**EMPTY, **board}, THEATERS))))

    def clear(self) -> None:
        """The mat and nothing on it."""
        self._send(self._simulated.picture(()))

    def dark(self) -> None:
        """The lamp is out."""
        self._send(np.zeros((720, 1280, 3), np.uint8))

    def _send(self, picture: Picture) -> None:
        # A sensor's noise: a camera that sends the same picture twice is one that has stuck.
        frames = []
        for _ in range(3):
            noise = self._noise.integers(-2, 3, picture.shape, dtype=np.int16)
            noisy = np.clip(picture.astype(np.int16) + noise, 0, 255).astype(np.uint8)
            frames.append(cv2.imencode(".jpg", noisy, (cv2.IMWRITE_JPEG_QUALITY, 92))[1].tobytes())
        self._frames = frames

    def close(self) -> None:
        self._gone.set()
        self._server.shutdown()
        self._server.server_close()
