"""How the table's page looks: dark and light, with forced colours, with large text, on paper, with long words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.lexicon import LANGUAGES, card_name
from engine.names import CARDS
from host.archive.page import archive_pages
from host.archive.war_archive import WarArchive
from host.messages import say
from host.session.memory_log import MemoryLog
from host.session.session import Rules, Session
from host.session.shared_log import HeldLog
from host.web.access import Access
from host.web.app import make_app
from host.web.backend import TableBackend
from host.web.page_sink import PageSink
from host.web.stream import Broadcaster
from tests.end_to_end.page_checks import fits, in_order, listened
from tests.end_to_end.served_table import ServedApp, in_mid_battle

pytestmark = pytest.mark.needs_browser

LIMIT = 30_000
SIZES = {
    "phone": {"width": 360, "height": 740},
    "across": {"width": 740, "height": 360},
    "across-wide": {"width": 844, "height": 390},
    "tablet": {"width": 820, "height": 1180},
    "desk": {"width": 1280, "height": 800},
    "tv": {"width": 1920, "height": 1080},
}
PAGES = {"table": ("/", ".theater"), "cards": ("/cards", ".reference-card"), "games": ("/games/", ".war-card")}


class Table(ServedApp):
    """A table in the middle of a battle, with its pages."""

    def __init__(self) -> None:
        log = MemoryLog()
        session = Session(log, Rules(names=("Wladyslawa", "Boris")), lambda: 1_700_000_000.0, resume=False)
        page, access = PageSink(Broadcaster(), None, lambda: session.rules), Access()
        session.subscribe(page)
        in_mid_battle(session)
        archive = WarArchive(HeldLog(log))
        self._session, self.page = session, page
        backend = TableBackend(session, page, access, "x")
        super().__init__(
            lambda known: make_app(
                backend, access, known, pages=[lambda guard: archive_pages(archive, guard, lambda: "en")]
            )
        )

    def close(self) -> None:
        self._session.close()
        super().close()


@pytest.fixture(scope="module")
def table() -> Iterator[Table]:
    made = Table()
    yield made
    made.close()


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("name", PAGES)
def test_dark_or_light_as_the_reader_prefers_and_readable_in_both(
    table: Table, browser: Any, name: str, scheme: str
) -> None:
    page = browser.new_page(viewport=SIZES["phone"], color_scheme=scheme)
    complaints = listened(page)
    address, ready = PAGES[name]
    page.goto(table.address + address)
    page.wait_for_selector(ready, timeout=LIMIT)
    ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    brightness = sum(int(part) for part in ground.removeprefix("rgb(").removesuffix(")").split(","))
    assert (brightness > 384) == (scheme == "light")
    if name == "table":
        # A light that is off is seen too, and none is the colour of the ground.
        shades = page.eval_on_selector_all(".bar i", "(all) => all.map((one) => getComputedStyle(one).backgroundColor)")
        assert "rgba(0, 0, 0, 0)" not in shades
        assert len(set(shades)) >= 4
    # The check finds every text whose contrast is below 4.5.
    in_order(page, f"look-{name}-{scheme}")
    assert complaints == []
    page.close()


def test_forced_colours_tell_what_colour_told(table: Table, browser: Any) -> None:
    page = browser.new_page(viewport=SIZES["phone"], forced_colors="active")
    page.goto(table.address)
    page.wait_for_selector(".theater", timeout=LIMIT)
    shades = {
        on: page.evaluate('(on) => getComputedStyle(document.querySelector(`.bar i[data-on="${on}"]`)).background', on)
        for on in ("", "full")
    }
    assert shades[""] != shades["full"]
    holder = page.locator('.strength[data-holds="yes"]').first
    assert "underline" in holder.evaluate("(node) => getComputedStyle(node).textDecorationLine")
    # A background of the page's own is not drawn then: the dot of a page that is connected is a border.
    page.wait_for_selector('.pulse[data-state="here"]', timeout=LIMIT)
    assert page.locator(".pulse").evaluate("(node) => parseFloat(getComputedStyle(node).borderTopWidth)") >= 2
    fits(page, "look-forced")
    page.close()


@pytest.mark.parametrize("size", ["phone", "desk"])
def test_text_follows_the_readers_own_size(table: Table, browser: Any, size: str) -> None:
    page = browser.new_page(viewport=SIZES[size])
    page.goto(table.address)
    page.wait_for_selector(".theater", timeout=LIMIT)

    def height() -> float:
        return float(page.locator(".now .who").evaluate("(node) => parseFloat(getComputedStyle(node).fontSize)"))

    before = height()
    # What the browser's setting for the size of text does to a page whose sizes are relative.
    page.evaluate("document.documentElement.style.fontSize = '150%'")
    assert height() == pytest.approx(1.5 * before)
    fits(page, f"look-large-{size}")
    page.close()


def test_on_paper_there_are_no_buttons_and_no_dark_ground(table: Table, browser: Any) -> None:
    page = browser.new_page(viewport=SIZES["desk"], color_scheme="dark")
    page.goto(table.address)
    page.wait_for_selector(".theater", timeout=LIMIT)
    page.emulate_media(media="print")
    assert page.locator("#deeds").is_hidden()
    assert page.locator("#language").is_hidden()
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('.now .who')).color") == "rgb(0, 0, 0)"
    fits(page, "look-print")
    page.close()


def test_the_first_page_is_light(table: Table, browser: Any) -> None:
    page = browser.new_page(viewport=SIZES["phone"])
    answers: list[Any] = []
    page.on("requestfinished", lambda request: answers.append(request))
    # The language with the most letters of its own: what it needs is fetched as well.
    page.goto(table.address)
    page.select_option("#language", "pl")
    page.wait_for_selector("#battle:has-text('Bitwa')", timeout=LIMIT)
    page.evaluate("document.fonts.ready.then(() => document.fonts.size)")
    weight = {answer.url: answer.sizes()["responseBodySize"] for answer in answers}
    assert any(url.endswith(".woff2") for url in weight)
    assert 50_000 < sum(weight.values()) < 150_000, weight
    page.close()


def test_no_press_is_lost_to_a_redraw(table: Table, browser: Any) -> None:
    page = browser.new_page(viewport=SIZES["phone"])
    complaints = listened(page)
    page.goto(table.address)
    page.wait_for_selector(".theater", timeout=LIMIT)
    box = page.locator(".core").first.bounding_box()
    # Given a theater that is pressed, when the table changes before it is let go, then it opens all the same.
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.evaluate("() => { globalThis.pressed = document.querySelector('.core'); }")
    table.page.publish()
    page.wait_for_timeout(300)
    assert page.evaluate("globalThis.pressed.isConnected")
    page.mouse.up()
    page.wait_for_selector("dialog[open] .sum", timeout=LIMIT)
    page.keyboard.press("Escape")
    # What waited is drawn afterwards.
    for _ in range(200):
        if not page.evaluate("globalThis.pressed.isConnected"):
            break
        page.wait_for_timeout(50)
    assert not page.evaluate("globalThis.pressed.isConnected")
    assert complaints == []
    page.close()


_BROKEN = """() => [...document.querySelectorAll(".card-face span, .plaque b")].flatMap((node) => {
  const text = node.firstChild, range = document.createRange(), broken = [];
  for (const word of text.data.matchAll(/[^ ]+/g)) {
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
    const box = range.getBoundingClientRect(), room = node.parentElement.getBoundingClientRect();
    if (lines.size > 1 || box.right > room.right + 1) broken.push(word[0]);
  }
  return broken;
})"""

_COVERED = """() => [...document.querySelectorAll(".card[data-mark]")].flatMap((card) => {
  const sign = getComputedStyle(card, "::after"), box = card.getBoundingClientRect();
  const left = box.right - parseFloat(sign.width), bottom = box.top + parseFloat(sign.height);
  const text = card.querySelector(".card-face span").firstChild, range = document.createRange();
  range.selectNodeContents(text);
  const under = (line) => line.right > left + 1 && line.top + line.height / 4 < bottom;
  return [...range.getClientRects()].some(under) ? [text.data] : [];
})"""

_CUT = """() => [...document.querySelectorAll(".card[data-t]")].flatMap((card) => {
  const room = card.getBoundingClientRect(), range = document.createRange();
  const face = card.querySelector(".card-face span");
  return [card.querySelector("b"), face].flatMap((node) => {
    range.selectNodeContents(node);
    const letters = parseFloat(getComputedStyle(node).fontSize) * 0.7;
    const outside = (line) => {
      const middle = line.top + line.height / 2;
      return middle - letters / 2 < room.top || middle + letters / 2 > room.bottom;
    };
    const wide = face.scrollWidth > face.clientWidth + 1 && getComputedStyle(face).display !== "inline";
    return wide || [...range.getClientRects()].some(outside) ? [node.textContent] : [];
  });
})"""
"""Names and strengths whose capital letters are not whole within their card."""

_ALL_CARDS = (
    """async ([names, mark, most]) => {
  const view = await (await fetch("/view?lang=" + document.documentElement.lang)).json();
  const card = (face) => ({ face, strength: face[1], name: names[face], mark, mark_text: "", place: "" });
  for (const theater of view.theaters) {
    const cards = ["1", "2", "3", "4", "5", "6"].map((n) => card(theater.id + n));
    theater.near.stack = cards.slice(0, most);
    theater.far.stack = cards.slice(most);
  }
  const { drawField } = await import("/static/field.js");
  drawField(view, () => {});
  await document.fonts.ready;
  // Drawn and looked at in one go: the table's own next view does not come between.
  drawField(view, () => {});
  const texts = [...document.querySelectorAll(".card-face span, .plaque b, .held > span")];
  return {
    cards: document.querySelectorAll(".card-face").length,
    font: [...document.fonts].some((one) => one.family === "Condensed" && one.status === "loaded"),
    smallest: Math.min(...texts.map((node) => parseFloat(getComputedStyle(node).fontSize))),
    wide: document.documentElement.scrollWidth > innerWidth,
    broken: (BROKEN)(),
    cut: (CUT)(),
    covered: mark ? (COVERED)() : [],
    low: Math.min(...[...document.querySelectorAll(".card-face")].map((node) => node.getBoundingClientRect().height)),
  };
}""".replace("BROKEN", _BROKEN)
    .replace("COVERED", _COVERED)
    .replace("CUT", _CUT)
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_is_broken_or_cut_at_any_size(table: Table, browser: Any, language: str) -> None:
    page = browser.new_page(viewport=SIZES["desk"])
    complaints = listened(page)
    page.goto(table.address)
    page.wait_for_selector(".theater", timeout=LIMIT)
    page.select_option("#language", language)
    page.wait_for_selector(f"#battle:has-text('{say(language, 'view', 'battle', {'battle': 1})}')", timeout=LIMIT)
    page.wait_for_selector(".theater", timeout=LIMIT)
    for name, size in SIZES.items():
        page.set_viewport_size(size)
        fits(page, f"look-{language}-{name}")
        assert page.evaluate(_BROKEN) == [], name
    assert complaints == []
    page.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_cards_name_is_read_in_full(table: Table, browser: Any, language: str) -> None:
    page = browser.new_page(viewport=SIZES["phone"])
    complaints = listened(page)
    page.goto(table.address)
    page.wait_for_selector(".theater", timeout=LIMIT)
    page.select_option("#language", language)
    page.wait_for_selector(f"#battle:has-text('{say(language, 'view', 'battle', {'battle': 1})}')", timeout=LIMIT)
    names = {card: card_name(card, language).text for card in CARDS}
    # Given all eighteen cards on the table, also six in one place, then no name is smaller than 12 px, and none is
    # broken, cut or covered by the sign that its card may be chosen.
    for name, mark, most in (
        ("phone", "", 3), ("across", "", 3), ("phone", "choice", 3), ("across", "choice", 3), ("desk", "choice", 3),
        ("across-wide", "", 1), ("across-wide", "", 3), ("across-wide", "choice", 3), ("across-wide", "", 6),
        ("phone", "", 4), ("phone", "", 6), ("across", "", 6), ("tablet", "", 6), ("desk", "", 6), ("tv", "", 6),
    ):  # fmt: skip
        page.set_viewport_size(SIZES[name])
        told = page.evaluate(_ALL_CARDS, [names, mark, most])
        assert told.pop("smallest") >= 12, name
        # Each is a button that a finger hits: 24 px are the least (WCAG 2.5.8).
        assert told.pop("low") >= 24, (name, most)
        # A desk's stacks are wide enough for letters of common width.
        assert told.pop("font") or name not in ("phone", "across")
        expected = {"cards": len(CARDS), "wide": False, "broken": [], "cut": [], "covered": []}
        assert told == expected, (name, mark, most)
    assert complaints == []
    page.close()
