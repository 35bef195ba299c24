"""What no card shows, set in the page's correction in a real browser."""

from __future__ import annotations

from typing import Any

import pytest

from tests.end_to_end.page_checks import in_order, listened, wait_until
from tests.end_to_end.served_table import LIMIT, PHONE, served
from tests.host.conftest import Played, one_battle

pytestmark = pytest.mark.needs_browser


def test_given_a_game_when_a_permission_is_set_in_the_correction_then_it_holds(game: Played, browser: Any) -> None:
    for scene in one_battle(7)[:3]:
        game.show(scene)
    assert game.session.standing.state.permits == (False, False)
    with served(game) as table:
        page = table.opened(browser, size=PHONE)
        complaints = listened(page)
        page.click("#deeds button:has-text('Correct')")
        page.click("dialog summary:has-text('What no card shows')")
        page.select_option("dialog label:has-text('May play to any theater') select >> nth=0", "yes")
        in_order(page, "correction-unseen-phone")
        page.click("dialog button.main")
        page.wait_for_selector("dialog", state="hidden", timeout=LIMIT)
        wait_until(page, "() => document.body.dataset.wait === 'no'")
        assert game.session.standing.state.permits == (True, False)
        assert not complaints


def test_two_cards_change_places_in_the_correction(game: Played, browser: Any) -> None:
    # Given two cards in different places, that were read as one another,
    for scene in one_battle(7)[:3]:
        game.show(scene)
    lying = {
        (theater, seat): pile
        for (theater, seat), pile in game.session.standing.state.stacks.items()
        if pile and pile[0].up
    }
    (one, [first, *_]), (two, [second, *_]) = list(lying.items())[:2]
    with served(game) as table:
        page = table.opened(browser, size=PHONE)
        complaints = listened(page)
        page.click("#deeds button:has-text('Correct')")
        # when the one is chosen where the other lies, then each lies in the other's place.
        page.evaluate("() => { for (const node of document.querySelectorAll('dialog details')) node.open = true; }")
        page.select_option(f"dialog [data-key='card-{one[0]}{one[1]}0']", str(second.card))
        assert page.input_value(f"dialog [data-key='card-{two[0]}{two[1]}0']") == first.card
        in_order(page, "correction-swapped-phone")
        page.click("dialog button.main")
        page.wait_for_selector("dialog", state="hidden", timeout=LIMIT)
        stacks = game.session.standing.state.stacks
        assert (stacks[one][0].card, stacks[two][0].card) == (second.card, first.card)
        assert not complaints
