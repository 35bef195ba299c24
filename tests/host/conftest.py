"""A table whose camera never errs, and games to play on it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import pytest

from engine.events import Done, Event, Withdraw
from engine.names import SEATS, EditionName
from engine.places import Place
from engine.sight import sight_of
from host.demo.director import is_doomed
from host.session.session import Rules, Session
from host.session.sinks import Change
from host.session.sqlite_log import SqliteLog
from host.simulation.sensible_game import TableScene, games
from host.web.access import Access
from host.web.backend import TableBackend
from host.web.page_sink import PageSink
from host.web.page_state import HistoryEntry, TableView
from host.web.stream import Broadcaster
from host.web.view import GameView

LOOKS = 12
TICK = 0.2


class Played:
    """A session with its log and its pages; `show` lays a scene and lets it lie for a while."""

    def __init__(self, path: Path, edition: EditionName) -> None:
        self.path, self.edition = path, edition
        self.events: list[Event] = []
        self.said_empty: list[frozenset[Place]] = []
        self.t = self.later = 0.0
        self.chosen = False
        self.open()

    def open(self) -> None:
        self.log = SqliteLog(self.path)
        self.session = Session(
            self.log, Rules(self.edition), lambda: 1_700_000_000.0 + self.later + self.t, chosen=self.chosen
        )
        self.page = PageSink(Broadcaster(), rules=lambda: self.session.rules)
        self.session.subscribe(self.page)
        self.session.subscribe(self)

    def opened(self, war: object, history: object, standing: object) -> None:
        pass

    def changed(self, change: Change) -> None:
        self.events.extend(change.events)

    def close(self) -> None:
        pass

    @property
    def shown(self) -> TableView:
        newest = self.page.broadcaster.newest
        assert newest is not None
        assert isinstance(newest.view, TableView)
        return newest.view

    @property
    def view(self) -> GameView:
        return self.shown.game

    @property
    def history(self) -> tuple[HistoryEntry, ...]:
        return self.shown.history

    @property
    def entry(self) -> int:
        assert self.shown.entry == self.session.said
        return self.session.said

    @property
    def backend(self) -> TableBackend:
        return TableBackend(self.session, self.page, Access(), "x", table=self)

    def say_empty(self, places: Collection[Place]) -> None:
        """What players say of the mat."""
        self.said_empty.append(frozenset(places))

    def die(self, hours: float = 0.0) -> None:
        """As if killed: nothing is said goodbye to, and the camera's clock starts anew, `hours` later by the clock on
        the wall, which somebody may have set back."""
        self.log._db.close()
        self.later += self.t + hours * 3600.0
        self.t = 0.0
        self.open()

    def show(self, scene: TableScene, looks: int = LOOKS) -> None:
        if scene.button is not None:
            told = Withdraw(scene.button) if scene.held else Done(scene.button)
            self.session.apply(told, {"by": "button"})
        if is_doomed(scene):
            # The same hand shows it and takes it away: there is no still table to see.
            return
        self.session.see(sight_of(dict(scene.board), scene.order), self.t)
        for _ in range(looks):
            self.t += TICK
            self.session.tick(self.t)


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Callable[..., Played]]:
    made: list[Played] = []

    def play(edition: EditionName = "revised") -> Played:
        made.append(Played(tmp_path / f"{len(made)}.db", edition))
        return made[-1]

    yield play
    for one in made:
        one.log.close()


def lay(game: Played, *, wait: int = 20, **stacks: str) -> None:
    """Cards by theater and side, such as `An="A6 -"`; the table then lies still for a while."""
    side = {"n": "near", "f": "far"}
    board = {(t, s): () for t in "ALS" for s in SEATS}
    board |= {(name[0], side[name[1]]): tuple(cards.split()) for name, cards in stacks.items()}  # type: ignore[misc]
    game.session.see(sight_of(board, ("A", "L", "S")), game.t)  # type: ignore[arg-type]
    for _ in range(wait):
        game.t += 0.2
        game.session.tick(game.t)


def one_battle(seed: int, edition: EditionName = "revised") -> list[TableScene]:
    """The scenes of a game's first battle."""
    scenes = games(seed, edition)
    return [next(scenes), *itertools.takewhile(lambda scene: scene.kind != "deal", scenes)]


@pytest.fixture
def battle() -> Callable[..., list[TableScene]]:
    return one_battle
