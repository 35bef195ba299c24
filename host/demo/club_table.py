"""A table with everything but the camera: session, log, page and membership, at which simulated scenes are laid."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from engine.events import Done, Withdraw
from engine.sight import sight_of
from host.app.club_table import join_club
from host.club.wire.join_code import JoinCode
from host.demo.director import is_doomed
from host.session.session import Rules, Session
from host.session.sqlite_log import SqliteLog
from host.simulation.sensible_game import TableScene, games
from host.web.page_sink import PageSink
from host.web.stream import Broadcaster

LOOKS = 12
TICK = 0.2


def lay_scene(session: Session, scene: TableScene, t: float) -> float:
    """Lays a scene at `t` seconds of the source's clock and lets it lie for a while; the time after it."""
    if scene.button is not None:
        told = Withdraw(scene.button) if scene.held else Done(scene.button)
        session.apply(told, {"by": "button"})
    if is_doomed(scene):
        return t
    t += TICK
    session.see(sight_of(dict(scene.board), scene.order), t)
    for _ in range(LOOKS):
        t += TICK
        session.tick(t)
    return t


class SimulatedClubTable:
    """A table whose camera never errs."""

    def __init__(self, folder: Path, code: JoinCode, seed: int, owner: Rules | None = None) -> None:
        self._folder = folder
        self._code = code
        self._seed = seed
        self._owner = owner or Rules()
        self._t = 0.0
        self._scenes: Iterator[TableScene] = iter(())
        self._war = ""
        self.told: list[str] = []
        self.open()

    def open(self) -> None:
        """Starts the program: it goes on with what its log holds."""
        self.log = SqliteLog(self._folder / "games.db")
        self.session = Session(self.log, self._owner, time.time)
        self.page = PageSink(Broadcaster(), None, lambda: self.session.rules)
        self.session.subscribe(self.page)
        self.membership = join_club(
            self.session, self.page, self._code, self._owner, self._folder / "club", self.told.append
        )

    def close(self) -> None:
        self.membership.leave()
        self.session.close()
        self.log.close()

    def restart(self) -> None:
        """Ends and starts again, with the camera's clock at nothing."""
        self.close()
        self._t = 0.0
        self.open()

    def lay(self, scene: TableScene) -> None:
        """Lays a scene and lets it lie for a while."""
        self._t = lay_scene(self.session, scene, self._t)

    def play(self, until: Callable[[], bool] = lambda: False, at_most: int = 400) -> None:
        """Plays the running war to its end, or until the condition holds."""
        if self.session.war != self._war:
            self._war = self.session.war
            self._scenes = games(self._seed, self.session.rules.edition, self.session.standing.target)
        for _ in range(at_most):
            if self.session.standing.war_winner is not None or until():
                return
            self.lay(next(self._scenes))
