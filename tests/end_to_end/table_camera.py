"""A camera over a simulated table, as a film or as a stream (MJPEG over HTTP, as a phone sends); a test lays cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

import cv2
import numpy as np

from engine.names import FACE_DOWN, THEATERS, Face
from engine.sight import Place
from tests.stream_server import StreamServer
from vision.simulate import CONDITIONS, EMPTY, SimulatedCamera
from vision.simulate.optics import Light
from vision.simulate.scene import Hands
from vision.types import Picture

DAY = replace(CONDITIONS["day"], resolution=(1280, 720), light=Light(level=0.9), clutter=0.0, jpeg=None)
PHOTOGRAPHS = ("air", "land", "sea", "back")
PAUSE = 0.1
"""Seconds between two pictures of the stream."""
FRAMES_A_SECOND = 10
SHORT, LONG = 15, 40
"""Pictures of a film: of a table that is looked at again and again, and of one of several."""


class Table:
    """A simulated table under a camera; a test lays the cards. `_send` is told what lies there now."""

    def __init__(self, seed: int = 31) -> None:
        self._simulated = SimulatedCamera("bright", seed, condition=DAY)
        self._shot = 0
        self._noise = np.random.default_rng(seed)

    def photograph(self, theater: str, exchanged: bool = False) -> None:
        """The table of one photograph of live enrolment: `air`, `land`, `sea` or `back`; 2 and 5 `exchanged`."""
        letter = theater[0].upper()
        faces: list[Face] = [FACE_DOWN] * 6 if theater == "back" else [f"{letter}{n}" for n in range(1, 7)]
        if exchanged:
            faces[1], faces[4] = faces[4], faces[1]
        board: dict[Place, tuple[Face, ...]] = {}
        for k, theater_of_board in enumerate(THEATERS):
            board[(theater_of_board, "near")] = (faces[k],)
            board[(theater_of_board, "far")] = (faces[k + 3],)
        self.lay(board)

    def lay(self, board: Mapping[Place, tuple[Face, ...]]) -> None:
        """The boards in their order and these cards."""
        self._send(self._laid(board))

    def clear(self) -> None:
        """The mat and nothing on it."""
        self._send(self._simulated.picture(()))

    def dark(self) -> None:
        """The lamp is out."""
        self._send(np.zeros((720, 1280, 3), np.uint8))

    def _laid(self, board: Mapping[Place, tuple[Face, ...]]) -> Picture:
        self._shot += 1
        hands = Hands(DAY.sloppiness, np.random.default_rng(self._shot))
        return self._simulated.picture((*hands.boards(THEATERS), *hands.lay({**EMPTY, **board}, THEATERS)))

    def _noisy(self, picture: Picture) -> Picture:
        """With a sensor's noise: a camera that sends the same picture twice is one that has stuck."""
        noise = self._noise.integers(-2, 3, picture.shape, dtype=np.int16)
        return np.clip(picture.astype(np.int16) + noise, 0, 255).astype(np.uint8)

    def _send(self, picture: Picture) -> None:
        raise NotImplementedError


class TableFilm(Table):
    """A film of the table. The set-up begins it again whenever it has ended, and then sees what lies there now."""

    def __init__(self, path: Path, seed: int = 31) -> None:
        super().__init__(seed)
        self.address = str(path)
        self.clear()

    def play(self, *boards: Mapping[Place, tuple[Face, ...]]) -> None:
        """A film of these tables one after another, each for some seconds."""
        self._write([picture for board in boards for picture in [self._laid(board)] * LONG])

    def _send(self, picture: Picture) -> None:
        self._write([picture] * SHORT)

    def _write(self, pictures: Sequence[Picture]) -> None:
        written = Path(self.address).with_suffix(".new.avi")
        film = cv2.VideoWriter(str(written), cv2.VideoWriter.fourcc(*"MJPG"), FRAMES_A_SECOND, (1280, 720))
        for picture in pictures:
            film.write(self._noisy(picture))
        film.release()
        # Whoever is in the middle of the film before sees that one to its end.
        written.replace(self.address)

    def close(self) -> None:
        Path(self.address).unlink()


class TableCamera(Table):
    """Sends the table that lies there now as a stream until it is closed."""

    def __init__(self, seed: int = 31) -> None:
        super().__init__(seed)
        self._frames: list[bytes] = []
        self.clear()
        number = count()
        self._stream = StreamServer(lambda: self._frames[next(number) % len(self._frames)], PAUSE)
        self.address = self._stream.address

    def _send(self, picture: Picture) -> None:
        self._frames = [
            cv2.imencode(".jpg", self._noisy(picture), (cv2.IMWRITE_JPEG_QUALITY, 92))[1].tobytes() for _ in range(3)
        ]

    def close(self) -> None:
        self._stream.close()
