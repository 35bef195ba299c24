"""What each card does, in a real browser: the page of its own, and the list that the table's page opens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.lexicon import LANGUAGES
from tests.end_to_end.page_checks import in_order, listened
from tests.end_to_end.served_table import served_without_table

pytestmark = pytest.mark.needs_browser

LIMIT = 30_000


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    with served_without_table() as served:
        yield browser.new_page(viewport={"width": 360, "height": 640}, base_url=served.address)


def test_the_reference_is_in_order_in_every_language(page: Any) -> None:
    complaints = listened(page)
    for language in LANGUAGES:
        page.goto(f"/cards?lang={language}&edition=first")
        assert page.locator(".reference-card").count() > 18
        in_order(page, f"cards-{language}")
    assert complaints == []


def test_the_tables_page_lists_all_cards_and_marks_those_that_work_now(page: Any) -> None:
    complaints = listened(page)
    page.goto("/")
    page.wait_for_selector("text=The table is being set up", timeout=LIMIT)
    # Given Escalation face up under another card, and Blockade face down.
    lying = {"near": {"faces": ["S2", "A6"]}, "far": {"faces": ["-"]}}
    view = {
        "lang": "en",
        "edition": "revised",
        "role": "viewer",
        "turn": "near",
        "entry": 1,
        "now": {"kind": "turn", "title": "", "mend": []},
        "question": None,
        "last": "",
        "theaters": [lying],
        "can": [],
        "demo": None,
        "war_over": False,
    }
    page.evaluate("""(detail) => document.dispatchEvent(new CustomEvent("view", { detail }))""", view)
    page.click("button:has-text('What do the cards do?')", timeout=LIMIT)
    page.wait_for_selector("dialog[open] .reference-card", timeout=LIMIT)
    assert page.locator("dialog .acts").count() == 1
    assert "Escalation" in str(page.locator("dialog .reference-card:has(.acts)").text_content())
    in_order(page, "cards-dialog")
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    assert complaints == []
