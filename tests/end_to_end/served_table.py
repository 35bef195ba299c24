"""A table whose camera never errs, served to a real browser for several roles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from flask import Flask

from engine.sight import sight_of
from host.app.switched_backend import SwitchedBackend
from host.session.session import Session
from host.simulation.sensible_game import games
from host.web.access import Access, hosts
from host.web.app import MorePages, make_app
from host.web.backend import TableBackend
from host.web.server import PageServer
from tests.host.archive.played_wars import a_picture

LIMIT = 30_000
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}


class ServedApp:
    """An application on a port of its own. `make` is given the hosts that it answers."""

    def __init__(self, make: Callable[[Callable[[], frozenset[str]]], Flask]) -> None:
        self.server = PageServer(make(lambda: hosts(self.port, None)), ("127.0.0.1",), 0)
        self.port = self.server.port
        self.server.start()
        self.address = f"http://127.0.0.1:{self.port}"

    def close(self) -> None:
        self.server.close()


@contextmanager
def served_without_table(access: Access | None = None) -> Iterator[ServedApp]:
    """The pages while the table is still being set up."""
    backend = SwitchedBackend()
    made = ServedApp(lambda known: make_app(backend, access or Access(), known))
    yield made
    backend.close()
    made.close()


def in_mid_battle(session: Session) -> None:
    """Follows the first scenes of a simulated game."""
    t = 0.0
    for scene in islice(games(7, "revised"), 14):
        session.see(sight_of(dict(scene.board), scene.order), t)
        for _ in range(8):
            t += 0.2
            session.tick(t)


class Served(ServedApp):
    """The pages of a session: the owner's without an invitation, the others' with theirs."""

    def __init__(self, game: Any, pages: tuple[MorePages, ...] = ()) -> None:
        self.game = game
        self.access = Access(opened=True)
        backend = TableBackend(game.session, game.page, self.access, "x", picture=lambda: a_picture(1), table=game)
        super().__init__(lambda known: make_app(backend, self.access, known, pages=pages))

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
    made.close()
