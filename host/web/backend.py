"""What the web application asks of a running table: views in words, actions, and the still picture."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from host.session.session import Session
from host.web.access import Access, Role
from host.web.actions import DemoControl, Request, TableControl, perform
from host.web.page_sink import PageSink
from host.web.stream import Broadcaster, Numbered
from host.web.view_serializer import localised


class Backend(Protocol):
    """What the page needs of the table."""

    @property
    def broadcaster(self) -> Broadcaster: ...

    def localised(self, numbered: Numbered, language: str, role: Role) -> dict[str, Any]:
        """The view as the page draws it, in one language, for one role."""

    def act(self, role: Role, action: str, body: Mapping[str, Any]) -> str | None:
        """Do it, or raise `Refused`. What it came to, such as `asked`; None for done."""

    def picture(self) -> bytes | None:
        """The last still picture as JPEG, if pictures are shown at all."""


class TableBackend:
    """The backend of a running session."""

    def __init__(
        self,
        session: Session,
        page: PageSink,
        access: Access,
        program: str,
        *,
        demo: DemoControl | None = None,
        picture: Callable[[], bytes | None] = lambda: None,
        table: TableControl | None = None,
    ) -> None:
        """`table` reads it; `program` changes when the page itself is another one and must be loaded anew."""
        self._session = session
        self._page = page
        self._access = access
        self._program = program
        self._demo = demo
        self._picture = picture
        self._table = table
        self._lock = threading.Lock()
        self._said: dict[tuple[int, str, Role], dict[str, Any]] = {}

    @property
    def broadcaster(self) -> Broadcaster:
        return self._page.broadcaster

    def localised(self, numbered: Numbered, language: str, role: Role) -> dict[str, Any]:
        key = (numbered.number, language, role)
        with self._lock:
            found = self._said.get(key)
        if found is None:
            found = dict(localised(numbered.view, language, role, self._program))
            with self._lock:
                # Only what is newest is asked for again; older views would only pile up.
                self._said = {k: v for k, v in self._said.items() if k[0] == numbered.number}
                self._said[key] = found
        return found

    def act(self, role: Role, action: str, body: Mapping[str, Any]) -> str | None:
        done = perform(action, Request(role, body, self._session, self._demo, self._page.consent, self._table))
        if action == "demo":
            self._page.publish()
        return done

    def picture(self) -> bytes | None:
        return self._picture()
