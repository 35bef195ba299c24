"""Lights on an Adalight board, behind a pseudo-terminal as a serial port is."""

from __future__ import annotations

import os
import pty
import threading
import time
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.failure import BadInput
from host.lights.drawing import draw_still
from host.lights.frame import Bar, LightFrame
from host.sinks.adalight import adalight_frame, open_adalight
from host.sinks.pictures import Placing

GAME = LightFrame("game", (Bar("near", 4), Bar("far", 0), Bar("far", 2)))
LATER = LightFrame("game", (Bar("far", 1), Bar("near", 3), Bar("far", 2)))


class Board:
    """Reads pictures as the sketches do: the magic word, the count, its check, the lights."""

    def __init__(self, link: Path) -> None:
        self._link = link
        self._told = threading.Condition()
        self._pending = bytearray()
        self.picture = b""
        self.bad = 0
        self.plug()

    def plug(self) -> None:
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        self._link.unlink(missing_ok=True)
        self._link.symlink_to(os.ttyname(self._slave))
        self._thread = threading.Thread(target=self._hear, args=(self._master,), daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        self._link.unlink(missing_ok=True)
        os.close(self._slave)
        os.close(self._master)
        self._thread.join(5)

    def _hear(self, master: int) -> None:
        os.write(master, b"Ada\n")
        while True:
            try:
                data = os.read(master, 4096)
            except OSError:
                return  # unplugged
            with self._told:
                self._pending += data
                self._take()
                self._told.notify_all()

    def _take(self) -> None:
        while (at := self._pending.find(b"Ada")) >= 0 and len(self._pending) >= at + 6:
            high, low, check = self._pending[at + 3 : at + 6]
            count = (high << 8 | low) + 1
            if check != high ^ low ^ 0x55:
                self.bad += 1
                del self._pending[: at + 3]
                continue
            if len(self._pending) < at + 6 + 3 * count:
                return
            self.picture = bytes(self._pending[at + 6 : at + 6 + 3 * count])
            del self._pending[: at + 6 + 3 * count]

    def wait_for(self, picture: bytes, limit_s: float = 10.0) -> bool:
        with self._told:
            return self._told.wait_for(lambda: self.picture == picture, limit_s)


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    plugged = Board(tmp_path / "ttyUSB0")
    yield plugged
    plugged.unplug()


def whole(frame: LightFrame, brightness: int = 128) -> bytes:
    return Placing().picture(draw_still(frame), brightness)


def test_a_frame_is_as_the_sketches_read_it() -> None:
    frame = adalight_frame(bytes(range(81)))
    assert frame[:6].hex() == "416461" + "001a" + "4f"
    assert len(frame) == 87
    assert adalight_frame(bytes(900))[3:6].hex() == "012b" + "7f"


def test_the_battle_is_shown_and_goes_dark_when_the_table_closes(board: Board, tmp_path: Path) -> None:
    sink = open_adalight(f"adalight://{tmp_path / 'ttyUSB0'}?brightness=60")
    sink.show(GAME)
    assert board.wait_for(whole(GAME, 60))
    assert sink.health().state == "up" and sink.health().board == "Adalight"
    sink.close()
    assert board.wait_for(bytes(81))
    assert board.bad == 0


def test_pulled_out_and_plugged_in_it_shows_what_is_wished_for_then(board: Board, tmp_path: Path) -> None:
    sink = open_adalight(f"adalight://{tmp_path / 'ttyUSB0'}")
    try:
        sink.show(GAME)
        assert board.wait_for(whole(GAME))
        board.unplug()
        sink.show(LATER)
        end = time.monotonic() + 10
        while sink.health().state == "up" and time.monotonic() < end:
            time.sleep(0.01)
        trouble = sink.health().trouble
        assert trouble is not None and trouble.code in ("lost", "no-device")
        board.plug()
        assert board.wait_for(whole(LATER))
    finally:
        sink.close()


@pytest.mark.parametrize(
    "address",
    ["adalight://", "adalight:///dev/x?speed=1", "adalight:///dev/x?brightness=256", "adalight:///dev/x?baud=0"],
)
def test_an_address_that_is_none_is_told_at_once(address: str) -> None:
    with pytest.raises(BadInput):
        open_adalight(address)
