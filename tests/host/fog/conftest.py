"""A game of Fog of War with its page served, and a phone that looks at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.fog.board_file import BuiltIn, built_in
from host.app.page_server import OpenPage, open_page
from host.fog.backend import HOME, FogBackend
from host.fog.table import FogTable
from host.session.memory_log import MemoryLog
from host.web.access import Access, Role, hosts
from host.web.app import make_app
from host.web.server import PageServer
from tests.end_to_end import page_checks
from tests.end_to_end.page_checks import CHROMIUM

PHONE = {"width": 390, "height": 844}


def _served(board: BuiltIn) -> Iterator[tuple[FogTable, OpenPage]]:
    table = FogTable(MemoryLog(), lambda: 0.0, board=built_in(board))
    backend = FogBackend(table, Access(), "program")
    page = open_page(backend, Access(), 0, home=HOME)
    try:
        yield table, page
    finally:
        backend.broadcaster.close()
        page.server.close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    if not Path(CHROMIUM).exists():
        pytest.skip("no Chromium at /usr/bin/chromium")
    with page_checks.chromium() as browser:
        yield browser


def _phone(chromium: Any, address: str) -> Iterator[Any]:
    page = chromium.new_page(viewport=PHONE, locale="en-GB")
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.goto(address)
    page.wait_for_selector("body[data-wait=no]")
    yield page
    page.close()
    # A refusal is an answer with its own status, which the browser notes as an error of the network.
    assert not [error for error in errors if "409" not in error]


@pytest.fixture
def served() -> Iterator[tuple[FogTable, OpenPage]]:
    yield from _served("demo")


@pytest.fixture
def table_for_phones() -> Iterator[tuple[FogTable, Callable[[Role], str]]]:
    """A game whose page is served by invitation only, as on the network, and the invitation of each role."""
    table, access = FogTable(MemoryLog(), lambda: 0.0, board=built_in("demo")), Access(opened=True)
    backend = FogBackend(table, access, "program")
    server = PageServer(make_app(backend, access, lambda: hosts(server.port, None), home=HOME), ("127.0.0.1",), 0)
    server.start()
    try:
        yield table, lambda role: f"http://127.0.0.1:{server.port}/join?k={access.tokens[role]}"
    finally:
        backend.broadcaster.close()
        server.close()


@pytest.fixture
def table(served: tuple[FogTable, OpenPage]) -> FogTable:
    """A game on the small map, before it is set up."""
    return served[0]


@pytest.fixture
def phone(chromium: Any, served: tuple[FogTable, OpenPage]) -> Iterator[Any]:
    yield from _phone(chromium, served[1].address)


@pytest.fixture
def served_own_board() -> Iterator[tuple[FogTable, OpenPage]]:
    yield from _served("memo")


@pytest.fixture
def table_of_own_board(served_own_board: tuple[FogTable, OpenPage]) -> FogTable:
    """A game on the memo's board, which the box has to complete."""
    return served_own_board[0]


@pytest.fixture
def phone_of_own_board(chromium: Any, served_own_board: tuple[FogTable, OpenPage]) -> Iterator[Any]:
    yield from _phone(chromium, served_own_board[1].address)
