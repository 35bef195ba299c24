"""The table's page by keyboard: whatever is under the focus stays there while the game goes on."""

from __future__ import annotations

from typing import Any

import pytest

from tests.end_to_end.page_checks import listened, wait_until
from tests.end_to_end.served_table import DESKTOP, LIMIT, served
from tests.host.conftest import Played, one_battle

pytestmark = pytest.mark.needs_browser


_FOCUSED = """() => {
  const node = document.activeElement;
  return node.id || node.dataset.key || node.textContent;
}"""
_SHOWN = "(entry) => (globalThis.shown || 0) >= entry"
PLACES = (
    "#deeds [data-key=correct]",
    "#deeds [data-key=undo]",
    "#theaters .core >> nth=1",
    "#theaters .card-face >> nth=0",
    "#history",
    "#war button >> nth=0",
    "#reference button >> nth=0",
    "#device input >> nth=0",
    "#language",
)


def test_the_focus_survives_every_move(game: Played, browser: Any) -> None:
    scenes = one_battle(7)
    for scene in scenes[:3]:
        game.show(scene)
    with served(game) as table:
        page = table.opened(browser, size=DESKTOP)
        complaints = listened(page)
        page.evaluate("() => document.addEventListener('view', (event) => { globalThis.shown = event.detail.entry; })")
        # Given something under the focus, when a card is laid, then it is there still.
        for place, scene in zip(PLACES, scenes[3:], strict=False):
            page.wait_for_selector(place, timeout=LIMIT)
            page.focus(place)
            before = page.evaluate(_FOCUSED)
            entry = game.entry
            game.show(scene)
            wait_until(page, _SHOWN, max(game.entry, entry))
            # A card that was turned over or moved away leaves it to its theater.
            beside = ("core-",) if "card-face" in place else ()
            focused = str(page.evaluate(_FOCUSED))
            assert focused == before or focused.startswith(beside), place
        assert complaints == []
