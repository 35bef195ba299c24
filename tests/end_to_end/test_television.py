"""The big screen: everything at once, without scrolling, and a code for phones that want to look on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine.lexicon import LANGUAGES
from host.app.obstacles_shown import obstacle_shown
from host.invitations.page import invitation_pages
from host.messages import say
from host.session.memory_log import MemoryLog
from host.session.session import Rules, Session
from host.web.access import Access
from host.web.app import make_app
from host.web.backend import TableBackend
from host.web.page_sink import PageSink
from host.web.stream import Broadcaster
from tests.end_to_end.page_checks import fits, in_order, listened, wait_until
from tests.end_to_end.served_table import ServedApp, in_mid_battle
from tests.host.archive.played_wars import a_picture
from vision.tracking.obstacles import Obstacle

pytestmark = pytest.mark.needs_browser

LIMIT = 30_000
SCREENS = {"hd": {"width": 1280, "height": 720}, "full": {"width": 1920, "height": 1080}}
NETWORK = "http://192.0.2.7:8420"


_LOWEST = """() => Math.max(...[...document.querySelectorAll("main > *")]
  .map((one) => one.getBoundingClientRect().bottom))"""


class Network:
    """A table that is open to the network, or not."""

    base: str | None = None
    secure_base = None
    certificate = None

    def open(self) -> None:
        self.base = NETWORK

    def open_secure(self) -> None:
        self.open()

    def close(self) -> None:
        self.base = None


class Table(ServedApp):
    """A table in the middle of a battle."""

    def __init__(self) -> None:
        rules = Rules(names=("Wladyslawa", "Boris"))
        self.session = Session(MemoryLog(), rules, lambda: 1_700_000_000.0, resume=False)
        self.access, self.network = Access(), Network()
        sink = PageSink(Broadcaster(), None, lambda: rules)
        self.session.subscribe(sink)
        sink.set_picture(1)
        self.sink = sink
        in_mid_battle(self.session)
        backend = TableBackend(self.session, sink, self.access, "x", picture=lambda: a_picture(1))
        super().__init__(
            lambda known: make_app(
                backend,
                self.access,
                known,
                pages=[lambda guard: invitation_pages(self.access.tokens, self.network, guard, lambda: "en")],
            )
        )

    def close(self) -> None:
        self.session.close()
        super().close()


@pytest.fixture
def table() -> Iterator[Table]:
    made = Table()
    yield made
    made.close()


def test_field_photograph_names_last_move_and_code_fit_on_one_screen(table: Table, browser: Any) -> None:
    table.network.open()
    page = browser.new_page(viewport=SCREENS["full"], color_scheme="dark")
    complaints = listened(page)
    page.goto(table.address + "/tv")
    page.wait_for_selector(".join:not([hidden]) img", timeout=LIMIT)
    page.wait_for_selector(".photograph img", timeout=LIMIT)
    assert page.locator(".seat .name").all_text_contents() == ["Boris", "Wladyslawa"]
    assert page.locator("#now .last").text_content() == "Boris turns Wladyslawa's card in Land face down."
    in_order(page, "tv-full-dark")
    for name, size in SCREENS.items():
        page.set_viewport_size(size)
        for language in LANGUAGES:
            page.select_option("#language", language)
            page.wait_for_selector(
                f"#battle:has-text('{say(language, 'view', 'battle', {'battle': 1})}')", timeout=LIMIT
            )
            fits(page, f"tv-{name}-{language}")
            lowest = page.evaluate(_LOWEST)
            assert lowest <= size["height"]
    # From across the room: a card's name is larger than on the desk.
    page.set_viewport_size(SCREENS["full"])
    name = page.locator(".card.upper .card-face span").first
    assert float(name.evaluate("(node) => parseFloat(getComputedStyle(node).fontSize)")) > 20
    assert complaints == []
    page.close()


_CIRCLED = """() => {
  const box = (one) => document.querySelector(one).getBoundingClientRect();
  const [ring, over] = [box(".ring"), box(".photograph .circled")];
  const picture = document.querySelector(".photograph img");
  const onPicture = Math.abs(over.width / over.height - picture.naturalWidth / picture.naturalHeight) < 0.02;
  return onPicture && ring.left > over.left + over.width / 2 && ring.left < over.right
    && ring.top > over.top && ring.top < over.top + over.height / 2;
}"""
"""Is the ring in the right far quarter of the picture itself?"""


def test_what_is_in_the_way_is_said_and_circled_on_the_photograph(table: Table, browser: Any) -> None:
    page = browser.new_page(viewport=SCREENS["full"])
    complaints = listened(page)
    page.goto(table.address + "/tv")
    page.wait_for_selector(".photograph img", timeout=LIMIT)
    wait_until(page, "() => document.querySelector('.photograph img').naturalWidth > 0")
    table.sink.set_obstacles((obstacle_shown(Obstacle("not-a-card", "S/far", (130.5, 100.0), (100.0, 140.0))),))
    page.wait_for_selector("#now .trouble:has-text('not read as a card of this deck: Sea')", timeout=LIMIT)
    page.wait_for_selector(".photograph .ring", timeout=LIMIT)
    wait_until(page, _CIRCLED)
    in_order(page, "tv-in-the-way")
    table.sink.set_obstacles(())
    page.wait_for_selector(".ring", state="detached", timeout=LIMIT)
    assert complaints == []
    page.close()


def test_a_photograph_whose_loading_broke_off_is_asked_for_again(table: Table, browser: Any) -> None:
    page = browser.new_page(viewport=SCREENS["full"])
    broken: list[str] = []

    def breaks_off(route: Any) -> None:
        broken.append(route.request.url)
        route.abort() if len(broken) == 1 else route.continue_()

    page.route("**/picture.jpg*", breaks_off)
    page.goto(table.address + "/tv")
    wait_until(page, "() => { const i = document.querySelector('.photograph img'); return i && i.naturalWidth > 0; }")
    assert len(broken) == 2


def test_without_a_network_there_is_no_code_and_a_phone_scrolls_down(table: Table, browser: Any) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    complaints = listened(page)
    page.goto(table.address + "/tv")
    page.wait_for_selector(".photograph img", timeout=LIMIT)
    assert page.locator(".join").is_hidden()
    in_order(page, "tv-phone")
    assert complaints == []
    page.close()


def test_the_code_invites_to_look_on_and_to_nothing_else(table: Table, browser: Any) -> None:
    page = browser.new_page()
    table.network.open()
    answer = page.request.get(table.address + "/join-code.json").json()
    assert answer["address"] == NETWORK
    tokens: Callable[[Any], str] = table.access.tokens.__getitem__
    for role in ("near", "far", "owner", "viewer"):
        assert tokens(role) not in str(answer)
    assert re.search("<svg", page.request.get(table.address + "/join-code.svg").text())
    page.close()
