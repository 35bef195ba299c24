"""A table whose camera never errs, served to a real browser for several roles."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from host.web.access import Access, hosts
from host.web.app import MorePages, make_app
from host.web.backend import TableBackend
from host.web.server import PageServer

LIMIT = 30_000
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}


class Served:
    """The pages of a session: the owner's without an invitation, the others' with theirs."""

    def __init__(self, game: Any, pages: tuple[MorePages, ...] = ()) -> None:
        self.game = game
        self.access = Access(opened=True)
        backend = TableBackend(game.session, game.page, self.access, "x")
        app = make_app(backend, self.access, lambda: hosts(self.port, None), pages=pages)
        self.server = PageServer(app, ("127.0.0.1",), 0)
        self.port = self.server.port
        self.server.start()

    def opened(self, browser: Any, role: str = "owner", size: dict[str, int] | None = None, path: str = "/") -> Any:
        """A page of that role in a browser of its own, with the view drawn."""
        page = browser.new_context(viewport=size or PHONE).new_page()
        page.goto(f"http://127.0.0.1:{self.port}/join?k={self.access.tokens[role]}")  # type: ignore[index]
        page.wait_for_selector('body[data-wait="no"]', timeout=LIMIT)
        if path != "/":
            page.goto(f"http://127.0.0.1:{self.port}{path}")
        return page


@contextmanager
def served(game: Any, *pages: MorePages) -> Iterator[Served]:
    made = Served(game, pages)
    yield made
    game.page.broadcaster.close()
    made.server.close()
