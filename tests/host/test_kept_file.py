"""Given a disk without room, when a file is to be kept, then what was there stays and nothing half is left."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.failure import Failure
from engine.fog.board_file import built_in
from host.app.fault_report import keep_fault
from host.app.page_server import load_access
from host.fog.table import save_board
from host.kept_file import write_kept
from host.link.ports import Port, PortMemory
from host.session.picture_store import PictureStore

WAR = "0a1b2c"


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From its call on the disk takes no more."""

    def no_room(file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    return lambda: monkeypatch.setattr(os, "fsync", no_room)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _keep_picture(folder: Path) -> None:
    with pytest.raises(OSError, match="No space"):
        PictureStore(folder, 10_000).keep(WAR, 7, b"jpeg")
    assert PictureStore(folder, 10_000).entries(WAR) == ()


def _keep_board(folder: Path) -> None:
    with pytest.raises(Failure, match="No space"):
        save_board(folder / "board.toml", built_in("demo"))


def _keep_choices(folder: Path) -> None:
    with pytest.raises(OSError, match="No space"):
        write_kept(folder / "setup.json", {"camera": "1"})


KEPT: dict[str, Callable[[Path], object]] = {
    "a picture": _keep_picture,
    "a board": _keep_board,
    "choices": _keep_choices,
    "invitations": lambda folder: load_access(True, folder),
    "a fault": lambda folder: keep_fault(folder / "fault.txt", ValueError()),
    "a port": lambda folder: PortMemory(folder / "port.json").keep(Port("/dev/ttyUSB0")),
}


@pytest.mark.parametrize("what", KEPT)
def test_a_disk_without_room_leaves_what_was_there(tmp_path: Path, full: Callable[[], None], what: str) -> None:
    write_kept(tmp_path / "setup.json", {"camera": "0"})
    before = files(tmp_path)
    full()
    KEPT[what](tmp_path)
    assert files(tmp_path) == before


def test_what_is_kept_is_on_the_disk_before_it_takes_the_old_ones_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine that loses power finds the old file or the new one, and none that is empty."""
    path, seen = tmp_path / "setup.json", list[bytes]()
    write_kept(path, {"camera": "0"})
    old = path.read_bytes()
    sync = os.fsync

    def watched(file: int) -> None:
        assert path.read_bytes() == old
        sync(file)
        seen.extend(one.read_bytes() for one in tmp_path.iterdir() if one != path)

    monkeypatch.setattr(os, "fsync", watched)
    write_kept(path, {"camera": "1"})
    assert seen == [path.read_bytes()]
    assert path.stat().st_mode & 0o777 == 0o600
