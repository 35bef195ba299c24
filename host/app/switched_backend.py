"""A backend that stands before a table: none while one is set up, then the running one, then none again."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from host.web.access import Role
from host.web.actions import Refused
from host.web.backend import Backend
from host.web.stream import Broadcaster, Numbered


class SwitchedBackend:
    """Without a table it has no view; streams beat, so that pages know it is alive. Usable from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting = Broadcaster()
        self._table: Backend | None = None

    def enter(self, table: Backend) -> None:
        """A table runs: the streams of whoever waited end, and their pages connect again and see it."""
        with self._lock:
            self._table, waiting = table, self._waiting
        waiting.close()

    def leave(self) -> None:
        """The table has gone; pages wait for the next one."""
        with self._lock:
            table, self._table = self._table, None
            self._waiting = Broadcaster()
        if table is not None:
            table.broadcaster.close()

    def close(self) -> None:
        """Ends all streams."""
        self.broadcaster.close()

    @property
    def broadcaster(self) -> Broadcaster:
        with self._lock:
            return self._waiting if self._table is None else self._table.broadcaster

    def localised(self, numbered: Numbered, language: str, role: Role) -> dict[str, Any]:
        return self._running().localised(numbered, language, role)

    def act(self, role: Role, action: str, body: Mapping[str, Any]) -> str | None:
        return self._running().act(role, action, body)

    def picture(self) -> bytes | None:
        with self._lock:
            table = self._table
        return None if table is None else table.picture()

    def _running(self) -> Backend:
        with self._lock:
            table = self._table
        if table is None:
            raise Refused("not-now")
        return table
