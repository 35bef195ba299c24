"""A table that is played at speed: readings of simulated games through tracker, session, log and page."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.events import Done, Withdraw
from engine.failure import Failure
from engine.names import Seat
from engine.sight import sight_of
from host.session.readings_source import STEP, StillTable, readings_watcher
from host.session.session import Rules, Session
from host.session.sqlite_log import SqliteLog
from host.session.tracker import Tracker
from host.simulation.sensible_game import TableScene
from host.web.page_sink import PageSink
from host.web.stream import Broadcaster
from host.web.view_serializer import localised

LIES_S: Final = 2.4
"""Seconds that a scene lies still."""
GAME: Final = ("theaters", "seats", "turn", "battle", "score", "question", "violation", "war_over")
"""Of a view, what tells the game."""


@dataclass(slots=True)
class PlayedTable:
    """A table over a log; `t` is the source's clock, seconds."""

    session: Session
    page: PageSink
    tracker: Tracker[StillTable]
    t: float = 0.0

    def show(self, scene: TableScene, lies: float = LIES_S) -> None:
        """Lays a scene, or presses the button that it is about, and lets it lie."""
        if scene.button is not None:
            self.press(scene.button, held=scene.held)
        table = StillTable(self.t, self.t + lies, sight_of(dict(scene.board), scene.order))
        for _ in range(max(1, round(lies / STEP))):
            self.tracker.frame(table, self.t)
            self.t += STEP

    def press(self, seat: Seat, *, held: bool) -> None:
        """A button: short for done, held for a withdrawal. What cannot be now is refused, as at the table."""
        with suppress(Failure):
            self.session.apply(Withdraw(seat) if held else Done(seat), {"by": "button", "seat": seat})

    def view(self) -> Mapping[str, Any]:
        """What the owner's page shows of the game."""
        newest = self.page.broadcaster.newest
        assert newest is not None
        shown = dict(localised(newest.view, "en", "owner", "soak"))
        return {key: shown[key] for key in GAME if key in shown}


@contextmanager
def table_over(path: Path, wall: Callable[[], float] = time.time) -> Iterator[PlayedTable]:
    """A table whose log is at `path`, gone on with where there is one."""
    with closing(SqliteLog(path)) as log:
        session = Session(log, Rules(), wall)
        page = PageSink(Broadcaster(), rules=lambda: session.rules)
        session.subscribe(page)
        yield PlayedTable(session, page, Tracker(readings_watcher(), session))
