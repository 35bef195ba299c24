"""One game log that several parts of the program read: opened for the first of them, closed after the last."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from host.session.game_log import OBSERVATIONS_KEPT, GameLog
from host.session.sqlite_log import SqliteLog


class LogSource(Protocol):
    """Where a log comes from."""

    def reading(self) -> AbstractContextManager[GameLog | None]:
        """The log for as long as the `with` lasts, or None where no game was ever kept. Raises `BadInput`."""


class HeldLog:
    """A log that somebody else opened and closes."""

    def __init__(self, log: GameLog) -> None:
        self._log = log

    @contextmanager
    def reading(self) -> Iterator[GameLog | None]:
        yield self._log


class SharedLog:
    """The log in a file, for one program at a time but for many parts of it. Safe to use from several threads."""

    def __init__(self, path: Path, observations_kept: int = OBSERVATIONS_KEPT) -> None:
        """`observations_kept` is how many readings and inputs the log keeps at most."""
        self.path = path
        self._kept = observations_kept
        self._lock = threading.Lock()
        self._log: SqliteLog | None = None
        self._users = 0

    @contextmanager
    def open(self) -> Iterator[GameLog]:
        """The log, made where there is none; raises `BadInput`."""
        with self._lock:
            if self._log is None:
                self._log = SqliteLog(self.path, self._kept)
            self._users += 1
            log = self._log
        try:
            yield log
        finally:
            with self._lock:
                self._users -= 1
                if self._users == 0:
                    log.close()
                    self._log = None

    @contextmanager
    def reading(self) -> Iterator[GameLog | None]:
        if not self.path.exists():
            yield None
            return
        with self.open() as log:
            yield log
