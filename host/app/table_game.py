"""The game that setting up leads to: puts a running table together in the background, and takes it apart again."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Final, Protocol

from engine.failure import BadInput, Failure
from engine.names import SEATS, EditionName
from host.app.kept_empty_table import watcher_of
from host.app.switched_backend import SwitchedBackend
from host.app.table import RunningTable, assemble, press
from host.session.game_log import GameLog
from host.session.picture_store import PictureStore
from host.session.session import Rules, Session, unfinished_war
from host.session.shared_log import SharedLog
from host.setup_wizard.game import Beginning, GameStatus, UnfinishedWarChoice
from host.sinks.light_targets import open_lights
from host.web.access import Access
from host.web.backend import Backend
from vision.profile import DeckProfile
from vision.sources import open_source

JOIN_SECONDS: Final = 5.0


class DemonstrationPlayer(Protocol):
    """Whoever plays a demonstration."""

    def close(self) -> None: ...


class SelfPlayingTable(Protocol):
    """A simulated table that plays itself."""

    @property
    def table(self) -> RunningTable: ...

    @property
    def director(self) -> DemonstrationPlayer: ...

    def start(self) -> None: ...

    def wait(self) -> bool: ...

    def close(self) -> None: ...


class TableGame:
    """One table at a time. Every method may be called from any thread."""

    def __init__(
        self,
        backend: SwitchedBackend,
        access: Access,
        program: str,
        log: SharedLog,
        demo: Callable[[EditionName], SelfPlayingTable],
        *,
        serial: str | None = None,
        with_picture: bool = True,
        pictures: PictureStore | None = None,
        at_home: Callable[[Session], object] = lambda session: None,
        tell: Callable[[str], None] = lambda line: None,
    ) -> None:
        """`demo` makes a demonstration, `serial` says where the lights are, as `open_lights` takes it, `pictures`
        keeps the still pictures of a game, `at_home` subscribes a home to the game's session."""
        self._backend, self._access, self._program, self._log = backend, access, program, log
        self._serial, self._with_picture, self._tell = serial, with_picture, tell
        self._pictures, self._at_home = pictures, at_home
        self._session: Session | None = None
        self._make_demo = demo
        self._lock = threading.RLock()
        self._status = GameStatus()
        self._stop: Callable[[], None] | None = None
        self._to_end = False
        """Somebody has ended the game, perhaps before it ran."""
        self._thread: threading.Thread | None = None
        self._unfinished: tuple[str, UnfinishedWarChoice] | None = None
        """The unfinished war's id, and what is told of it."""
        self.look_for_unfinished()

    def status(self) -> GameStatus:
        with self._lock:
            return self._status

    def unfinished(self) -> UnfinishedWarChoice | None:
        with self._lock:
            return None if self._unfinished is None else self._unfinished[1]

    def look_for_unfinished(self) -> None:
        """Looks in the log for a war that can be gone on with: one may have been played, or deleted."""
        found = self._read_unfinished()
        with self._lock:
            self._unfinished = found

    def war(self) -> str | None:
        """The id of the war that is being played, if one is."""
        with self._lock:
            return None if self._session is None else self._session.war

    def begin(self, beginning: Beginning) -> None:
        self._start(lambda: self._play(beginning))

    def begin_demo(self, edition: EditionName) -> None:
        self._start(lambda: self._demonstrate(edition))

    def _start(self, play: Callable[[], None]) -> None:
        with self._lock:
            if self._status.phase in ("starting", "running"):
                return
            self._status, self._to_end = GameStatus("starting"), False
            self._thread = threading.Thread(target=self._run, args=(play,), name="game", daemon=True)
            self._thread.start()

    def end(self) -> None:
        with self._lock:
            self._to_end = True
            stop, thread = self._stop, self._thread
        if stop is not None:
            stop()
            # It holds the game, which is to be let go of while it is waited for.
            del stop
        if thread is not None and thread is not threading.current_thread():
            thread.join(JOIN_SECONDS)

    def _run(self, play: Callable[[], None]) -> None:
        failure: Failure | None = None
        try:
            play()
        except Failure as met:
            failure = met
        finally:
            self._backend.leave()
            with self._lock:
                self._stop = None
            # The parts of a table know each other, so that only Python's search for circles frees them. It counts
            # objects, and these are few, with pictures of some two hundred megabytes.
            gc.collect()
            with self._lock:
                self._status = GameStatus("none" if failure is None else "failed", failure)
                self._unfinished = self._read_unfinished()

    def _play(self, beginning: Beginning) -> None:
        """Plays until it is ended; raises `Failure` for what is missing."""
        profile = DeckProfile.load(beginning.deck)
        names = (beginning.names.get("near", ""), beginning.names.get("far", ""))
        target = None if beginning.beginner else beginning.target
        rules = Rules(beginning.edition, beginning.first, target, beginning.beginner, names)
        with ExitStack() as closing:
            source = open_source(beginning.camera, as_live=True)
            # A camera is read from now on: it is let go also where the game cannot begin.
            closing.callback(source.close)
            log = closing.enter_context(self._log.open())
            if beginning.go_on:
                self._see_that_it_is_there(log)
            session = Session(log, rules, time.time, resume=beginning.go_on, chosen=beginning.go_on)
            closing.callback(session.close)
            self._plays(session)
            closing.callback(self._plays, None)
            watcher = watcher_of(profile, beginning.camera, self._log.path, session.resumed)
            table = assemble(
                session, watcher, self._access, self._program,
                with_picture=self._with_picture, pictures=self._pictures,
            )  # fmt: skip
            self._at_home(session)
            serial = self._serial if beginning.with_lights else "none"
            link = open_lights(serial, on_button=lambda event: press(session, event))
            runner = table.run(source, link, tell=self._tell)
            closing.callback(runner.close)
            runner.start()
            self._runs(table.backend, runner.close)
            runner.wait()
            runner.wait_for_stop()

    def _demonstrate(self, edition: EditionName) -> None:
        """Shows a game that plays itself, until it is ended. It is written into no log but its own."""
        show = self._make_demo(edition)
        try:
            show.start()
            self._runs(show.table.backend, show.director.close)
            show.wait()
        finally:
            show.close()

    def _plays(self, session: Session | None) -> None:
        with self._lock:
            self._session = session

    def _runs(self, backend: Backend, stop: Callable[[], None]) -> None:
        with self._lock:
            self._stop, to_end = stop, self._to_end
        if to_end:
            stop()
            return
        self._backend.enter(backend)
        with self._lock:
            self._status = GameStatus("running")

    def _see_that_it_is_there(self, log: GameLog) -> None:
        """Raises `BadInput` (`no-war`) where the war to go on with has gone: nobody has asked for an older one."""
        with self._lock:
            shown = self._unfinished
        found = unfinished_war(log)
        if shown is None or found is None or found.id != shown[0]:
            raise BadInput("no-war", "There is no such war.", "The list shows those that are kept.")

    def _read_unfinished(self) -> tuple[str, UnfinishedWarChoice] | None:
        try:
            with self._log.reading() as log:
                found = None if log is None else unfinished_war(log)
        except BadInput as failure:
            # Beginning a game says so again, with the remedy; what is there is not touched.
            self._tell(str(failure))
            return None
        if found is None:
            return None
        standing = found.standing
        return found.id, UnfinishedWarChoice(
            found.last,
            found.rules.edition,
            standing.battle,
            standing.score,
            standing.target,
            standing.beginner,
            dict(zip(SEATS, found.rules.names, strict=True)),
        )
