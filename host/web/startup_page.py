"""A page that is opened while the table is still being set up waits, and shows the table by itself once it runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from host.web.access import Role
from host.web.actions import Refused
from host.web.backend import Backend
from host.web.stream import Broadcaster, Numbered


class StartupPage:
    """A backend in front of the real one. Until `ready` it has no view; streams beat, so pages know it is alive."""

    def __init__(self) -> None:
        self._early = Broadcaster()
        self._backend: Backend | None = None

    def ready(self, backend: Backend) -> None:
        """The table stands: whoever waited is sent in (the early streams end, and a page then connects again)."""
        self._backend = backend
        self._early.close()

    def close(self) -> None:
        """Ends the streams of whoever still waits or has been let in."""
        self._early.close()
        self.broadcaster.close()

    @property
    def broadcaster(self) -> Broadcaster:
        return self._early if self._backend is None else self._backend.broadcaster

    def localised(self, numbered: Numbered, language: str, role: Role) -> dict[str, Any]:
        if self._backend is None:
            raise Refused("not-now")
        return self._backend.localised(numbered, language, role)

    def act(self, role: Role, action: str, body: Mapping[str, Any]) -> None:
        if self._backend is None:
            raise Refused("not-now")
        self._backend.act(role, action, body)

    def picture(self) -> bytes | None:
        return None if self._backend is None else self._backend.picture()
