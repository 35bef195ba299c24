"""A game that is begun from a page: what becomes of its camera, and of whoever says "stop" early."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.events import Correct
from engine.failure import Failure
from host.app import table_game
from host.app.switched_backend import SwitchedBackend
from host.app.table_game import SelfPlayingTable, TableGame
from host.archive.war_archive import WarArchive
from host.session.session import Rules, Session
from host.session.shared_log import SharedLog
from host.session.sqlite_log import SqliteLog
from host.setup_wizard.game import Beginning
from host.web.access import Access
from host.web.stream import Broadcaster

LIMIT = 20.0
"""Seconds in which what is waited for has to come."""


class Camera:
    """A camera that is taken until it is closed."""

    def __init__(self) -> None:
        self.taken = True

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def close(self) -> None:
        self.taken = False


class NoTable(Failure):
    """Ends the game once it is assembled."""

    def __init__(self) -> None:
        super().__init__("no-table", "There is no table.", "None is needed.")


def no_lights(*of: object, **more: object) -> None:
    raise NoTable


def never(edition: object) -> SelfPlayingTable:
    raise AssertionError("no demonstration was asked for")


def game(folder: Path, demo: Callable[[Any], SelfPlayingTable] = never) -> TableGame:
    return TableGame(SwitchedBackend(), Access(), "program", SharedLog(folder / "games.db"), demo)


def beginning(folder: Path) -> Beginning:
    return Beginning(
        camera="0", deck=folder, with_lights=False, names={}, edition="revised", target=12, beginner=False,
        first=None, go_on=False,
    )  # fmt: skip


def comes(what: Callable[[], bool]) -> bool:
    until = time.monotonic() + LIMIT
    while not what() and time.monotonic() < until:
        time.sleep(0.01)
    return what()


def test_a_game_that_cannot_begin_lets_its_camera_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a log that is no log, when a game is begun, then that is told and the camera is free."""
    camera = Camera()
    monkeypatch.setattr(table_game, "open_source", lambda spec, as_live: camera)
    monkeypatch.setattr(table_game.DeckProfile, "load", lambda folder: None)
    (tmp_path / "games.db").write_text("a shopping list " * 100)
    begun = game(tmp_path)
    begun.begin(beginning(tmp_path))
    assert comes(lambda: begun.status().phase == "failed")
    failure = begun.status().failure
    assert failure is not None
    assert failure.code == "not-a-log"
    assert not camera.taken


def unfinished_wars(path: Path, *names: str) -> tuple[str, ...]:
    """Wars in which the score stands at 1 : 0, the last one newest; their ids."""
    log, found = SqliteLog(path), []
    for name in names:
        session = Session(log, Rules(names=(name, "Bo")), time.time, resume=False)
        session.apply(Correct(score={"near": 1, "far": 0}), {"by": "page"})
        found.append(session.war)
    log.close()
    return tuple(found)


def test_a_war_that_was_deleted_in_the_archive_is_not_offered_any_more(tmp_path: Path) -> None:
    old, new = unfinished_wars(tmp_path / "games.db", "Anna", "Cleo")
    begun = game(tmp_path)
    archive = WarArchive(SharedLog(tmp_path / "games.db"), running=begun.war, deleted=begun.look_for_unfinished)
    for gone, offered in ((None, "Cleo"), (new, "Anna"), (old, None)):
        if gone is not None:
            archive.delete(gone)
        war = begun.unfinished()
        assert (war and war.names["near"]) == offered


def test_no_other_war_is_gone_on_with_than_the_one_that_was_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a war that another program has deleted meanwhile, when it is to be gone on with, then that is told."""
    _, new = unfinished_wars(tmp_path / "games.db", "Anna", "Cleo")
    monkeypatch.setattr(table_game, "open_source", lambda spec, as_live: Camera())
    monkeypatch.setattr(table_game.DeckProfile, "load", lambda folder: None)
    begun = game(tmp_path)
    log = SqliteLog(tmp_path / "games.db")
    log.delete(new)
    log.close()
    begun.begin(replace(beginning(tmp_path), go_on=True))
    assert comes(lambda: begun.status().phase == "failed")
    failure = begun.status().failure
    assert failure is not None
    assert failure.code == "no-war"
    war = begun.unfinished()
    assert war is not None
    assert war.names["near"] == "Anna"


def test_a_game_that_is_begun_from_the_page_is_shown_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a table of `play` was shown in Home Assistant, whatever the settings said."""
    # Given a home that wants to know of the table
    monkeypatch.setattr(table_game, "open_source", lambda spec, as_live: Camera())
    monkeypatch.setattr(table_game.DeckProfile, "load", lambda folder: None)
    told: list[tuple[Session, str | None]] = []
    begun = TableGame(
        SwitchedBackend(), Access(), "program", SharedLog(tmp_path / "games.db"), never,
        at_home=lambda session: told.append((session, begun.war())),
    )  # fmt: skip
    # When the table is assembled and a game is begun on it
    monkeypatch.setattr(table_game, "watcher_of", lambda *of: None)
    monkeypatch.setattr(table_game, "assemble", lambda *of, **more: None)
    monkeypatch.setattr(table_game, "open_lights", no_lights)
    begun.begin(beginning(tmp_path))
    assert comes(lambda: begun.status().phase == "failed")
    # Then its session is told to the home while it is played
    ((session, war),) = told
    assert war == session.war


class Demonstration:
    """A demonstration that has to learn its deck before it plays, and then plays until it is closed."""

    def __init__(self) -> None:
        self.learnt, self.closed = threading.Event(), threading.Event()
        self.table = SimpleNamespace(backend=SimpleNamespace(broadcaster=Broadcaster()))
        self.director = SimpleNamespace(close=self.closed.set)

    def start(self) -> None:
        self.learnt.wait(LIMIT)

    def end(self) -> None:
        self.closed.set()

    def wait(self) -> bool:
        return self.closed.wait(LIMIT)

    def close(self) -> None:
        """Nothing is held."""


def test_a_game_that_is_ended_while_it_starts_does_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_game, "JOIN_SECONDS", 0.0)
    show: Any = Demonstration()
    begun = game(tmp_path, lambda edition: show)
    begun.begin_demo("revised")
    begun.end()
    assert begun.status().phase == "starting"
    show.learnt.set()
    assert comes(lambda: begun.status().phase == "none")
    assert show.closed.is_set()


def test_a_game_that_has_ended_is_let_go_of(tmp_path: Path) -> None:
    """Some two hundred megabytes stayed of each, until Python looked for circles again of its own accord."""
    gone: list[weakref.ref[Any]] = []

    def demo(edition: object) -> Any:
        show: Any = Demonstration()
        show.learnt.set()
        # The parts of a table know each other.
        show.table.show, show.director.close = show, show.end
        gone.append(weakref.ref(show))
        return show

    begun = game(tmp_path, demo)
    begun.begin_demo("revised")
    assert comes(lambda: begun.status().phase == "running")
    begun.end()
    assert gone[0]() is None


def test_a_game_that_is_begun_after_another_was_ended_runs(tmp_path: Path) -> None:
    shows: list[Any] = [Demonstration(), Demonstration()]
    for show in shows:
        show.learnt.set()
    left = iter(shows)
    begun = game(tmp_path, lambda edition: next(left))
    for show in shows:
        begun.begin_demo("revised")
        assert comes(lambda: begun.status().phase == "running")
        begun.end()
        assert show.closed.is_set()
        assert begun.status().phase == "none"
