"""The porch: a page that is opened while the table is still being set up waits there, and is let in by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from host.web.access import Action, Role
from host.web.app import Backend, Refused
from host.web.stream import Broadcaster, Numbered


class Porch:
    """A desk in front of the real one. Until `enter` it has no view; streams beat, so that pages know it is alive."""

    def __init__(self) -> None:
        self._early = Broadcaster()
        self._desk: Backend | None = None

    def enter(self, desk: Backend) -> None:
        """The table stands: whoever waited is sent in (the early streams end, and a page then connects again)."""
        self._desk = desk
        self._early.close()

    def close(self) -> None:
        """Ends the streams of whoever still waits or has been let in."""
        self._early.close()
        self.broadcaster.close()

    @property
    def broadcaster(self) -> Broadcaster:
        return self._early if self._desk is None else self._desk.broadcaster

    def localised(self, numbered: Numbered, language: str, role: Role) -> dict[str, Any]:
        if self._desk is None:
            raise Refused("not-now")
        return self._desk.localised(numbered, language, role)

    def act(self, role: Role, deed: Action, body: Mapping[str, Any]) -> None:
        if self._desk is None:
            raise Refused("not-now")
        self._desk.act(role, deed, body)

    def picture(self) -> bytes | None:
        return None if self._desk is None else self._desk.picture()
