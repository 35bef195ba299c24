"""The picture beside each decision: kept once, in the background, and none for what said nothing."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.sight import sight_of
from host.app.picture_keeper import PictureKeeper
from host.session.memory_log import MemoryLog
from host.session.picture_store import PictureStore
from host.session.session import Rules, Session
from host.simulation.sensible_game import games
from vision.types import Picture


def played(store: PictureStore, picture: Callable[[int], Picture | None]) -> tuple[Session, list[int]]:
    """Five scenes of a game, each with its picture; the session and the entries that said something."""
    session, newest, told = Session(MemoryLog(), Rules(), lambda: 1.0, resume=False), [picture(0)], []
    session.subscribe(PictureKeeper(store, lambda: newest[0]))
    t = 0.0
    for number, scene in enumerate(islice(games(7, "revised"), 5)):
        newest[0] = picture(number)
        session.see(sight_of(dict(scene.board), scene.order), t)
        for _ in range(8):
            t += 0.2
            session.tick(t)
        if session.said and session.said not in told:
            told.append(session.said)
    session.close()
    return session, told


def shade(number: int) -> Picture:
    return np.full((44, 63, 3), 40 * number, np.uint8)


def test_each_decision_has_the_picture_that_it_was_read_from(tmp_path: Path) -> None:
    store = PictureStore(tmp_path, 1_000_000)
    session, told = played(store, shade)
    kept = store.entries(session.war)
    assert len(kept) >= len(told) - 1 >= 3
    last = store.read(session.war, kept[-1])
    assert last is not None
    read = cv2.imdecode(np.frombuffer(last, np.uint8), cv2.IMREAD_COLOR)
    assert read is not None
    assert abs(int(read.mean()) - 160) < 4


def test_a_picture_that_nothing_new_was_read_from_is_kept_once(tmp_path: Path) -> None:
    store, one = PictureStore(tmp_path, 1_000_000), shade(1)
    session, _ = played(store, lambda number: one)
    assert len(store.entries(session.war)) == 1


def test_a_full_disk_ends_the_pictures_and_not_the_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_bytes(b"")
    store = PictureStore(tmp_path / "file" / "pictures", 1_000_000)
    session, told = played(store, shade)
    assert len(told) >= 3
    assert session.said == told[-1]
    assert capsys.readouterr().err.count("no more pictures are kept") == 1
