"""A new war and giving one up, in a real browser; and dialogs that the table has left behind."""

from __future__ import annotations

from typing import Any

import pytest

from tests.end_to_end.page_checks import in_order, listened
from tests.end_to_end.served_table import DESKTOP, LIMIT, PHONE, served
from tests.host.conftest import Played, one_battle

pytestmark = pytest.mark.needs_browser


def test_a_new_war_with_its_rules_and_a_dialog_left_behind(game: Played, browser: Any) -> None:
    scenes = one_battle(7)
    for scene in scenes[:3]:
        game.show(scene)
    with served(game) as table:
        page = table.opened(browser, size=PHONE)
        complaints = listened(page)

        # Given a dialog, when the table moves on, then the dialog says so and does nothing any more.
        page.click("#deeds button:has-text('Undo')")
        game.show(scenes[3])
        page.wait_for_selector("dialog .moved", timeout=LIMIT)
        assert page.locator("dialog button.main").is_disabled()
        # It says to close it, and so the button is called.
        assert "Close it" in page.inner_text("dialog .moved")
        assert page.inner_text("dialog [data-closes]") == "Close"
        in_order(page, "dialog-left-behind")
        page.keyboard.press("Escape")
        assert game.view.undo is not None

        in_order(page, "table-phone")
        page.click("#war button:has-text('New war')")
        in_order(page, "new-war-phone")
        assert "0 to 0" in page.locator("dialog").inner_text()
        page.fill("dialog input >> nth=0", "Cleo")
        page.fill("dialog input >> nth=1", "Dan")
        page.select_option("dialog select >> nth=1", "18")
        page.select_option("dialog select >> nth=2", "far")
        old = game.session.war
        page.click("dialog button.main")
        page.wait_for_selector("dialog", state="hidden", timeout=LIMIT)
        page.wait_for_selector(".seat .points:has-text('/ 18')", timeout=LIMIT)
        assert game.session.war != old
        assert game.view.first == "far"
        assert game.session.rules.names == ("Cleo", "Dan")
        # Whoever plays again finds the names there.
        page.click("#war button:has-text('New war')")
        assert [page.input_value(f"dialog input >> nth={n}") for n in (0, 1)] == ["Cleo", "Dan"]
        page.keyboard.press("Escape")

        for role, size, name in (("far", DESKTOP, "concede-desktop"), ("far", PHONE, "concede-phone")):
            seat = table.opened(browser, role, size)
            assert seat.locator("#war button:has-text('New war')").count() == 1, "a seat may ask for one"
            seat.click("#war button:has-text('Concede')")
            in_order(seat, name)
        complaints += listened(seat)
        seat.click("dialog button:has-text('whole war')")
        seat.wait_for_selector('#now[data-kind="end"]', timeout=LIMIT)
        assert game.view.war_winner == "near"
        assert not complaints
