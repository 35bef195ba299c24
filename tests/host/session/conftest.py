"""A table whose camera never errs, and games to play on it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.names import EditionName
from engine.referee.events import Done, Event, Withdraw
from engine.sight import sight_of
from host.demo.director import is_doomed
from host.demo.game import Scene, games
from host.session.game_log import Journal
from host.session.session import Rules, Table

LOOKS = 12
TICK = 0.2


class Played:
    """A table and its journal; `show` lays a scene and lets it lie for a while."""

    def __init__(self, path: Path, edition: EditionName) -> None:
        self.path, self.edition = path, edition
        self.events: list[Event] = []
        self.t = 0.0
        self.open()

    def open(self) -> None:
        self.journal = Journal(self.path)
        self.table = Table(self.journal, Rules(self.edition), lambda: 1_700_000_000.0 + self.t)
        self.table.listen(lambda view, events: self.events.extend(events))

    def die(self) -> None:
        """As if killed: nothing is said goodbye to, and the camera's clock starts anew."""
        self.journal._db.close()
        self.t = 0.0
        self.open()

    def show(self, scene: Scene, looks: int = LOOKS) -> None:
        if scene.button is not None:
            told = Withdraw(scene.button) if scene.held else Done(scene.button)
            self.table.tell(told, {"by": "button"})
        if is_doomed(scene):
            # The same hand shows it and takes it away: there is no still table to see.
            return
        self.table.see(sight_of(dict(scene.board), scene.order), self.t)
        for _ in range(looks):
            self.t += TICK
            self.table.tick(self.t)


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Callable[..., Played]]:
    made: list[Played] = []

    def play(edition: EditionName = "revised") -> Played:
        made.append(Played(tmp_path / f"{len(made)}.db", edition))
        return made[-1]

    yield play
    for one in made:
        one.journal.close()


def one_battle(seed: int, edition: EditionName = "revised") -> list[Scene]:
    """The scenes of a game's first battle."""
    scenes = games(seed, edition)
    return [next(scenes), *itertools.takewhile(lambda scene: scene.kind != "deal", scenes)]


@pytest.fixture
def battle() -> Callable[..., list[Scene]]:
    return one_battle
