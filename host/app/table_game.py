"""The game that setting up leads to: puts a running table together in the background, and takes it apart again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from engine.failure import Failure
from engine.names import SEATS
from engine.referee import belief_from_json, score, war_winner
from host.app.runner import House
from host.app.switched_backend import SwitchedBackend
from host.link.link import Link
from host.session.game_log import Journal
from host.session.session import Rules, Table
from host.setup_wizard.game import Beginning, GameStatus, UnfinishedWar
from host.web.access import Access
from vision.profile import DeckProfile
from vision.sources import open_source
from vision.tracking.table_watcher import TableWatcher

JOIN_SECONDS: Final = 5.0


class TableGame:
    """One table at a time. Every method may be called from any thread."""

    def __init__(
        self,
        backend: SwitchedBackend,
        access: Access,
        program: str,
        log: Path,
        *,
        serial: str | None = None,
        with_picture: bool = True,
        tell: Callable[[str], None] = lambda line: None,
    ) -> None:
        """`log` is the game log's file; `serial` the port of the lights, as `Link.start` takes it."""
        self._backend, self._access, self._program, self._log = backend, access, program, log
        self._serial, self._with_picture, self._tell = serial, with_picture, tell
        self._lock = threading.RLock()
        self._status = GameStatus()
        self._house: House | None = None
        self._thread: threading.Thread | None = None
        self._unfinished = self._read_unfinished()

    def status(self) -> GameStatus:
        with self._lock:
            return self._status

    def unfinished(self) -> UnfinishedWar | None:
        with self._lock:
            return self._unfinished

    def begin(self, beginning: Beginning) -> None:
        with self._lock:
            if self._status.phase in ("starting", "running"):
                return
            self._status = GameStatus("starting")
            self._thread = threading.Thread(target=self._run, args=(beginning,), name="game", daemon=True)
            self._thread.start()

    def end(self) -> None:
        with self._lock:
            house, thread = self._house, self._thread
        if house is not None:
            house.close()
        if thread is not None and thread is not threading.current_thread():
            thread.join(JOIN_SECONDS)

    def _run(self, beginning: Beginning) -> None:
        failure: Failure | None = None
        journal = Journal(self._log)
        try:
            self._play(beginning, journal)
        except Failure as met:
            failure = met
        finally:
            with self._lock:
                house, self._house = self._house, None
            self._backend.leave()
            if house is not None:
                house.close()
            journal.close()
            with self._lock:
                self._status = GameStatus("none" if failure is None else "failed", failure)
                self._unfinished = self._read_unfinished()

    def _play(self, beginning: Beginning, journal: Journal) -> None:
        profile = DeckProfile.load(beginning.deck)
        source = open_source(beginning.camera, as_live=True)
        rules = Rules(beginning.edition, beginning.first, beginning.target, beginning.beginner)
        table = Table(journal, rules, time.time)
        if table.resumed and not beginning.go_on:
            table.begin_anew(beginning.first)
        house = House(
            table,
            TableWatcher(profile),
            source,
            self._access,
            self._program,
            with_picture=self._with_picture,
            tell=self._tell,
        )
        with self._lock:
            self._house = house
        serial = self._serial if beginning.with_lights else "none"
        house.start(Link.start(serial, on_button=house.pressed))
        self._backend.enter(house)
        with self._lock:
            self._status = GameStatus("running")
        house.wait()
        house.wait_for_stop()

    def _read_unfinished(self) -> UnfinishedWar | None:
        if not self._log.exists():
            return None
        journal = Journal(self._log)
        try:
            last = journal.last()
        finally:
            journal.close()
        if last is None:
            return None
        import json

        belief = belief_from_json(json.loads(last[1]))
        if war_winner(belief) is not None:
            return None
        won = score(belief)
        return UnfinishedWar(
            last[0].at,
            belief.war.edition.name,
            belief.number,
            {seat: won[seat] for seat in SEATS},
            belief.war.target,
            belief.war.beginner,
            {},
        )
