"""A game of Fog of War with its page served, and a phone that looks at it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.fog.board_file import BuiltIn, built_in
from host.app.page_server import OpenPage, open_page
from host.fog.backend import HOME, FogBackend
from host.fog.table import FogTable
from host.session.memory_log import MemoryLog
from host.web.access import Access

CHROMIUM = Path("/usr/bin/chromium")
PHONE = {"width": 390, "height": 844}


def _served(board: BuiltIn, *, opened: bool = False) -> Iterator[tuple[FogTable, OpenPage]]:
    table, access = FogTable(MemoryLog(), lambda: 0.0, board=built_in(board)), Access(opened=opened)
    backend = FogBackend(table, access, "program")
    page = open_page(backend, access, 0, home=HOME)
    try:
        yield table, page
    finally:
        backend.broadcaster.close()
        page.server.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api")
    if not CHROMIUM.exists():
        pytest.skip("no Chromium at /usr/bin/chromium")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield browser
        browser.close()


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
def served_to_phones() -> Iterator[tuple[FogTable, OpenPage]]:
    """By invitation only, as `--lan` opens it."""
    yield from _served("demo", opened=True)


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
