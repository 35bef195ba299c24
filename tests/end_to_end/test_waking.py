"""Connections that died without a word: a device that slept, a request that is never answered, a program that was away
while another language was chosen. A browser's own clock is turned on, as a lid that is closed and opened does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from host.app.club import ClubOptions, RunningClub
from host.club.tournament.events import Opened
from host.messages import catalogue
from tests.end_to_end.page_checks import listened, until, wait_until
from tests.end_to_end.served_table import DESKTOP, LIMIT, PHONE, Served, served
from tests.host.conftest import Played, lay

pytestmark = pytest.mark.needs_browser

_MAY_DIE = """
window.streams = [];
window.EventSource = class extends EventSource {
  constructor(url) { super(url); window.streams.push(this); }
  addEventListener(name, told) { super.addEventListener(name, (event) => { if (!this.dead) told(event); }); }
};
"""
_DIE = "() => { for (const one of streams) one.dead = true; }"
"""From now on nothing more comes through the streams that are open, and none of them says so."""


@pytest.fixture
def table(game: Played) -> Iterator[Served]:
    lay(game)
    with served(game) as one:
        yield one


def seat(table: Served, browser: Any, role: str = "near", path: str = "/") -> Any:
    """A page whose clock the test turns on, with the view drawn."""
    page = browser.new_context(viewport=PHONE).new_page()
    page.clock.install()
    page.add_init_script(_MAY_DIE)
    page.goto(f"{table.address}/join?k={table.access.tokens[role]}")  # type: ignore[index]
    page.goto(table.address + path)
    page.wait_for_selector('body[data-wait="no"]', timeout=LIMIT)
    return page


def stopped(page: Any) -> None:
    """The page's clock stands, until the test turns it on."""
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 2)


@pytest.mark.parametrize("path", ["/", "/tv"])
def test_a_browser_that_tells_nothing_of_having_slept_asks_again_at_once(
    game: Played, table: Served, browser: Any, path: str
) -> None:
    page = seat(table, browser, path=path)
    complaints = listened(page)
    # Given a phone that sleeps while a card is played, and whose connection dies in that sleep,
    stopped(page)
    page.evaluate(_DIE)
    lay(game, An="A6")
    # when it wakes, then the card is there, though no event told the page of waking.
    page.clock.fast_forward(5000)
    page.wait_for_selector("[data-tells='A6']", timeout=LIMIT)
    assert complaints == []


def test_a_window_that_is_come_back_to_does_not_trust_a_quiet_connection(
    game: Played, table: Served, browser: Any
) -> None:
    page = seat(table, browser)
    # Given a window in which everything is well, when it gets the focus, then it goes on with its connection.
    page.evaluate("() => window.dispatchEvent(new Event('focus'))")
    assert page.evaluate("streams.length") == 1
    # Given that its connection has died and nothing was heard for longer than a heart beats,
    stopped(page)
    page.evaluate(_DIE)
    lay(game, An="A6")
    for _ in range(3):
        page.clock.fast_forward(2500)
    assert page.locator("[data-tells='A6']").count() == 0
    # when it gets the focus, then the card is there.
    page.evaluate("() => window.dispatchEvent(new Event('focus'))")
    page.wait_for_selector("[data-tells='A6']", timeout=LIMIT)


def test_several_signs_of_waking_ask_once(table: Served, browser: Any) -> None:
    page = seat(table, browser)
    stopped(page)
    page.evaluate("""() => {
      for (const sign of ["visibilitychange", "resume"]) document.dispatchEvent(new Event(sign));
      window.dispatchEvent(new Event("online"));
    }""")
    until(page, lambda: page.evaluate("streams.length") > 1)
    assert page.evaluate("streams.length") == 2


def test_a_request_that_is_never_answered_does_not_keep_the_page_away(
    game: Played, table: Served, browser: Any
) -> None:
    page = seat(table, browser)
    # Given a page whose streams are refused three times, and that then asks through a connection that is dead,
    refused: list[Any] = []
    asked: list[Any] = []

    def refuse(route: Any) -> None:
        refused.append(route)
        if len(refused) <= 3:
            route.abort()
        else:
            route.continue_()

    page.route("**/stream*", refuse)
    page.route("**/view?*", lambda route: asked.append(route))
    page.evaluate("() => { for (const one of streams) one.onerror(); }")
    until(page, lambda: len(asked) == 1)
    lay(game, An="A6")
    # when that goes on, then it does not wait for ever.
    page.clock.fast_forward(13_000)
    page.wait_for_selector("[data-tells='A6']", timeout=LIMIT)
    page.wait_for_selector('#pulse[data-state="here"]', timeout=LIMIT)


def test_a_language_that_is_chosen_while_the_program_is_away_comes_with_it(table: Served, browser: Any) -> None:
    page = seat(table, browser)
    complaints = listened(page)
    page.route("**/texts*", lambda route: route.abort())
    page.select_option("#language", "pl")
    page.wait_for_selector('#pulse[data-state="away"]', timeout=LIMIT)
    page.unroute("**/texts*")
    page.wait_for_selector('#pulse[data-state="here"]', timeout=LIMIT)
    page.wait_for_selector("#battle:has-text('Bitwa')", timeout=LIMIT)
    history = catalogue("pl")["page"]["history"]
    wait_until(page, "(text) => document.querySelector('[data-text=history]').textContent === text", history)
    assert [one for one in complaints if "ERR_" not in one] == []


def test_a_deed_that_is_never_answered_is_told(table: Served, browser: Any) -> None:
    page = seat(table, browser)
    asked: list[Any] = []
    page.route("**/do/*", lambda route: asked.append(route))
    page.click("#now button[aria-pressed=false] >> nth=0")
    until(page, lambda: len(asked) == 1)
    page.clock.fast_forward(13_000)
    page.wait_for_selector(f"#now .error:has-text('{catalogue('en')['page']['reconnecting']}')", timeout=LIMIT)


@pytest.fixture
def night(tmp_path: Path) -> Iterator[RunningClub]:
    made = RunningClub(ClubOptions(tmp_path / "club", with_broker=False, http_port=0), lambda line: None)
    made.desk.act(Opened("Thursday club"))
    made.desk.enter("Anna", checked_in=True)
    yield made
    made.close()


@pytest.mark.parametrize("path", ["", "screen"])
def test_a_desks_pages_wake_to_what_happened(night: RunningClub, browser: Any, path: str) -> None:
    page = browser.new_context(viewport=DESKTOP).new_page()
    complaints = listened(page)
    page.clock.install()
    page.add_init_script(_MAY_DIE)
    page.goto(f"{night.base}/players" if not path else f"{night.base}/{path}")
    until(page, lambda: page.evaluate("streams.length") == 1)
    page.wait_for_selector("text=Anna", timeout=LIMIT)
    stopped(page)
    page.evaluate(_DIE)
    night.desk.enter("Bela", checked_in=True)
    # Once the device has slept, the timers that look for what is new go on as well.
    page.clock.fast_forward(5000)
    page.clock.resume()
    page.wait_for_selector("text=Bela", timeout=10_000)
    assert complaints == []
