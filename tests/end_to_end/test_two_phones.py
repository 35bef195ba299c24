"""Two players with a phone each, in a real browser: a battle with a mistake, an undo and a correction by consent, and a
withdrawal; nothing on the way breaks the page's rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.page_checks import chromium, in_order, listened
from tests.end_to_end.served_table import LIMIT, served
from tests.host.conftest import Played, one_battle

pytestmark = pytest.mark.needs_browser


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Played]:
    made = Played(tmp_path / "log.db", "revised")
    made.session.begin_war(replace(made.session.rules, names=("Анна", "Bob"), first="near"))
    yield made
    made.log.close()


@pytest.fixture
def browser() -> Iterator[Any]:
    with chromium() as one:
        yield one


def test_two_players_agree_on_their_phones(game: Played, browser: Any) -> None:
    scenes = one_battle(7)
    for scene in scenes[:4]:
        game.show(scene)
    with served(game) as table:
        near, far = table.opened(browser, "near"), table.opened(browser, "far")
        complaints = [listened(near), listened(far)]
        near.wait_for_selector("#seat-bottom .name:has-text('Анна (you)')", timeout=LIMIT)
        far.wait_for_selector("#seat-bottom .name:has-text('Bob (you)')", timeout=LIMIT)

        # One asks, the other declines; nothing has changed.
        before = game.view
        near.click("#deeds button:has-text('Undo')")
        in_order(near, "phones-undo-ask")
        near.click("dialog button.main")
        far.wait_for_selector("dialog[open] .heading:has-text('Анна asks')", timeout=LIMIT)
        in_order(far, "phones-undo-asked")
        in_order(near, "phones-undo-waits")
        far.click("dialog button:has-text('Decline')")
        near.wait_for_selector("#consent:has-text('Declined: Bob')", timeout=LIMIT)
        assert game.view == before
        near.click("#consent button")

        # Asked again, it is agreed to; the page says what comes off the table until it has come off.
        near.click("#deeds button:has-text('Undo')")
        near.click("dialog button.main")
        far.click("dialog button:has-text('Agree')", timeout=LIMIT)
        near.wait_for_selector("#deeds [data-key=redo]:not([disabled])", timeout=LIMIT)
        near.wait_for_selector("dialog", state="hidden", timeout=LIMIT)
        assert complaints == [[], []]
