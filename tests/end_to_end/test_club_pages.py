"""The desk's pages in a browser: nothing outside the screen, no complaint, no finding of the accessibility check."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.lexicon import LANGUAGES
from host.app.club import ClubOptions, RunningClub
from host.club.tournament.events import Announced, ClockSet, Opened, Reported
from tests.end_to_end.page_checks import in_order, listened

pytestmark = pytest.mark.needs_browser

PAGES = ("", "players", "tables", "standings", "settings", "trace", "screen")
PHONE, DESKTOP = {"width": 360, "height": 740}, {"width": 1280, "height": 800}


@pytest.fixture
def night(tmp_path: Path) -> Iterator[RunningClub]:
    made = RunningClub(ClubOptions(tmp_path / "club", with_broker=False, http_port=0), lambda line: None)
    desk = made.desk
    desk.act(Opened("Thursday club at the old harbour"))
    for name in ("Anna", "Bela the Younger", "Chris", "Dora", "Emil"):
        desk.enter(name, checked_in=True)
    desk.enter("Frida")
    desk.pair()
    desk.act(Reported(1, 1, 12, 6))
    desk.act(ClockSet(4_000_000_000.0))
    desk.act(Announced("Tea is ready"))
    desk.note("decided-by-hand", round=1, table=1, near=6, far=12)
    yield made
    made.close()


@pytest.mark.parametrize(("language", "size"), [*((code, PHONE) for code in LANGUAGES), ("en", DESKTOP)])
def test_every_page_is_in_order(night: RunningClub, browser: Any, language: str, size: dict[str, int]) -> None:
    assert night.desk.state is not None
    token = night.desk.state.players[6].token
    page = browser.new_context(viewport=size, locale=language).new_page()
    complaints = listened(page)
    for name in (*PAGES, f"check-in/{token}", f"enter/{night.access.entrance}"):
        page.goto(f"{night.base}/{name}")
        if name == "screen":
            page.locator(".card").first.wait_for()
        in_order(page, f"club-{name.split('/')[0] or 'round'}-{language}-{size['width']}")
    assert complaints == []
