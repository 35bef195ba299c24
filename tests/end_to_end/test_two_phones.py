"""Two players with a phone each, in a real browser: a battle with mistakes, undo and correction by consent, and a
withdrawal, also where the table cannot be seen. Nothing on the way breaks what holds on every page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.lexicon import LANGUAGES
from host.app.obstacles_shown import obstacle_shown
from host.messages import say
from host.session.source_events import SourceNotice
from tests.end_to_end.page_checks import fits, in_order, listened, wait_until
from tests.end_to_end.served_table import DESKTOP, LIMIT, PHONE, Served, served
from tests.host.conftest import Played, lay
from vision.tracking.obstacles import Obstacle

pytestmark = pytest.mark.needs_browser

SIZES = {
    "phone": PHONE,
    "small": {"width": 360, "height": 640},
    "across": {"width": 844, "height": 390},
    "tablet": {"width": 820, "height": 1180},
    "desktop": DESKTOP,
    "wide": {"width": 1920, "height": 1080},
}


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Played]:
    made = Played(tmp_path / "log.db", "revised")
    made.session.begin_war(replace(made.session.rules, names=("Анна", "Bob")))
    lay(made)
    yield made
    made.log.close()


@pytest.fixture
def table(game: Played) -> Iterator[Served]:
    with served(game) as one:
        yield one


def test_a_battle_on_two_phones(game: Played, table: Served, browser: Any) -> None:
    near, far = table.opened(browser, "near"), table.opened(browser, "far")
    complaints = [listened(near), listened(far)]
    near.wait_for_selector("#seat-bottom .name:has-text('Анна (you)')", timeout=LIMIT)
    far.wait_for_selector("#seat-bottom .name:has-text('Bob (you)')", timeout=LIMIT)

    # Who is first is said on a phone, before the first card.
    far.click("#now button:has-text('Анна is first')")
    near.wait_for_selector("#now button[aria-pressed=true]:has-text('You are first')", timeout=LIMIT)
    in_order(near, "battle-first")

    # Or the lot says it, for both, and how the boards are laid. This one falls on the first of each list.
    far.evaluate("() => { crypto.getRandomValues = (list) => list.fill(0); }")
    with far.expect_response(lambda answer: answer.request.method == "POST", timeout=LIMIT) as said:
        far.click("#now button[data-key=lots]")
    assert said.value.ok
    far.wait_for_selector("#drawn-boards:has-text('Boards from left to right: Air – Land – Sea')", timeout=LIMIT)
    near.wait_for_selector("#now button[aria-pressed=true]:has-text('You are first')", timeout=LIMIT)

    # Hints are off until a device asks for them.
    assert not far.is_visible("#hints")
    far.check("#device label:has-text('Hints') input")
    lay(game, An="A6")
    far.wait_for_selector("#hints:has-text('Play a card')", timeout=LIMIT)
    assert not near.is_visible("#hints")
    far.uncheck("#device label:has-text('Hints') input")

    # Given a mistake, the wrong card is drawn where it lies, with an arrow, on both phones; put right, it is gone.
    top = near.locator("#field").bounding_box()["y"]
    lay(game, An="A6", Sf="L6")
    for page in (near, far):
        page.wait_for_selector(".card[data-mark=wrong][data-place='S/far/0']", timeout=LIMIT)
        assert page.locator(".arrows path[marker-end]").count() == 1
    assert near.locator("#field").bounding_box()["y"] == top, "the field stays where it was"
    in_order(near, "battle-mistake")
    lay(game, An="A6", Lf="L6")
    near.wait_for_selector("#now[data-kind=turn]", timeout=LIMIT)
    assert near.locator(".card[data-mark]").count() == 0

    # Far would take it back: near declines, and is asked again.
    before = game.view
    far.click("#deeds [data-key=undo]")
    in_order(far, "battle-undo")
    # "Cancel" beside "undo" would be the same word twice in some languages.
    assert far.locator("dialog .foot button").all_inner_texts() == ["Close", "Undo"]
    far.click("dialog button.main")
    near.wait_for_selector("dialog[open] .heading:has-text('Bob asks')", timeout=LIMIT)
    in_order(near, "battle-asked")
    near.click("dialog button:has-text('Decline')")
    far.wait_for_selector("#consent:has-text('Declined: Анна')", timeout=LIMIT)
    in_order(far, "battle-declined")
    assert game.view == before
    far.click("#consent button")
    far.click("#deeds [data-key=undo]")
    far.click("dialog button.main")
    near.click("dialog button:has-text('Agree')", timeout=LIMIT)

    # The page says what comes off the table, on the card itself too, until the reading shows that it has.
    for page in (near, far):
        page.wait_for_selector(".card[data-mark=off][data-place='L/far/0']", timeout=LIMIT)
    assert "take Heavy Tanks (Land 6) back" in far.locator("#now .mend").inner_text()
    assert not any(page.evaluate(_TIP_OVER_WORDS) for page in (near, far))
    in_order(far, "battle-take-off")
    lay(game, An="A6")
    far.wait_for_selector("#now .mend", state="detached", timeout=LIMIT)
    assert far.locator(".card[data-mark]").count() == 0

    # A request that the table has left behind is settled by itself.
    near.click("#deeds [data-key=undo]")
    near.click("dialog button.main")
    far.wait_for_selector("dialog[open] .heading:has-text('Анна asks')", timeout=LIMIT)
    lay(game, An="A6", Lf="L2")
    far.wait_for_selector("dialog", state="hidden", timeout=LIMIT)
    near.wait_for_selector("#consent:has-text('moved on')", timeout=LIMIT)
    near.click("#consent button")

    # An open effect shows on the cards what may be chosen.
    far.wait_for_selector(".card[data-mark=choice][data-place='A/near/0']", timeout=LIMIT)
    in_order(far, "battle-choice")
    lay(game, An="-", Lf="L2")

    # A correction is told in words to the other, who agrees.
    far.click("#deeds [data-key=correct]")
    far.fill("dialog input[type=number] >> nth=0", "")
    far.click("dialog button:has-text('Save')")
    far.wait_for_selector("dialog .error:has-text('Every number')", timeout=LIMIT)
    far.fill("dialog input[type=number] >> nth=0", "3")
    in_order(far, "battle-correct")
    far.click("dialog button:has-text('Save')")
    near.wait_for_selector("dialog[open] li:has-text('Score: you 0, Bob 3')", timeout=LIMIT)
    in_order(near, "battle-correction-asked")
    near.click("dialog button:has-text('Agree')")
    near.wait_for_selector("#seat-top .points:has-text('3 / 12')", timeout=LIMIT)

    # Something in the way is said, and circled in the photograph.
    game.page.set_picture(1)
    cup_or_mat = Obstacle("not-a-card", "S/far", (130.5, 100.0), (100.0, 140.0), may_be_mat=True)
    game.page.set_obstacles((obstacle_shown(cup_or_mat),))
    near.wait_for_selector("#now .trouble:has-text('not read as a card of this deck: Sea, Bob')", timeout=LIMIT)
    ring, photograph = near.locator(".ring").bounding_box(), near.locator(".circled").bounding_box()
    assert photograph["x"] + photograph["width"] / 2 < ring["x"]
    assert photograph["y"] < ring["y"] < photograph["y"] + photograph["height"] / 2
    in_order(near, "battle-in-the-way")

    # A mat's own print is no card, once a player has said so.
    near.click("#now [data-key=empty]")
    near.wait_for_selector("dialog[open] .heading:has-text('That is the mat itself: Sea, Bob')", timeout=LIMIT)
    assert near.locator("dialog .circled .ring").count() == 1
    in_order(near, "battle-mat-itself")
    near.click("dialog button.main")
    near.wait_for_selector("dialog", state="hidden", timeout=LIMIT)
    assert game.said_empty == [{("S", "far")}]
    game.page.set_obstacles(())
    near.wait_for_selector("#things .ring", state="detached", timeout=LIMIT)

    # A referee who cannot see looks blind.
    game.session.source(SourceNotice("no-table"), game.t)
    near.wait_for_selector("#blind:has-text('nothing is being recorded')", timeout=LIMIT)
    in_order(near, "battle-blind")
    game.session.source(SourceNotice("table-found"), game.t)
    near.wait_for_selector("#blind", state="hidden", timeout=LIMIT)

    # Near withdraws; the war is then given up, and both are taken back with the score.
    near.click("#deeds [data-key=withdraw-near]")
    near.click("dialog button.main")
    far.wait_for_selector("#now[data-kind=end]:has-text('You win the battle')", timeout=LIMIT)
    in_order(far, "battle-won")
    near.click("#war button:has-text('Concede')")
    near.click("dialog button:has-text('whole war')")
    far.wait_for_selector("#now:has-text('You win the war')", timeout=LIMIT)
    in_order(far, "battle-war-won")
    near.click("#deeds [data-key=undo]")
    assert "The score is then" in near.locator("dialog").inner_text()
    near.click("dialog button.main")
    far.click("dialog button:has-text('Agree')", timeout=LIMIT)
    far.wait_for_selector("#seat-bottom .points:has-text('3 / 12')", timeout=LIMIT)
    assert game.view.war_winner is None
    assert complaints == [[], []]


_TIP_OVER_WORDS = """() => {
  const path = document.querySelector(".arrows path[marker-end]"), field = document.getElementById("field");
  const end = path.getPointAtLength(path.getTotalLength()), box = field.getBoundingClientRect();
  const [x, y] = [end.x + box.left, end.y + box.top], range = document.createRange();
  return [...field.querySelectorAll(".seat .name, .seat .hold span, .seat .score")].some((node) => {
    range.selectNodeContents(node);
    const words = range.getBoundingClientRect();
    return x > words.left && x < words.right && y > words.top && y < words.bottom;
  });
}"""
_NAMES_CUT = """() => [...document.querySelectorAll("dialog .who select")].flatMap((list) => {
  const drawn = document.createElement("canvas").getContext("2d"), style = getComputedStyle(list);
  drawn.font = style.font;
  const chosen = list.selectedOptions[0].textContent, arrow = 24;
  const room = list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
  return drawn.measureText(chosen).width > room ? [chosen] : [];
})"""


def test_a_correction_has_room_for_long_names(game: Played, table: Served, browser: Any) -> None:
    game.session.begin_war(replace(game.session.rules, names=("Катерина", "Wladyslawa")))
    lay(game)
    page = table.opened(browser, "near", SIZES["small"])
    page.wait_for_selector(".seat .name:has-text('Wladyslawa')", timeout=LIMIT)
    page.click("#deeds [data-key=correct]")
    # What stands side by side is of one height, however many lines its label has, and nobody's name is cut.
    heights = "(all) => all.map((one) => one.getBoundingClientRect().height)"
    assert len(set(page.eval_on_selector_all("dialog .pair input", heights))) == 1
    assert page.evaluate(_NAMES_CUT) == []
    fits(page, "battle-correct-names")


def test_an_answer_that_comes_late_closes_no_other_dialog(game: Played, table: Served, browser: Any) -> None:
    near, far = table.opened(browser, "near"), table.opened(browser, "far")
    complaints = [listened(near), listened(far)]
    lay(game, An="A6")
    lay(game, An="A6", Lf="L6")
    near.click("#deeds [data-key=undo]")
    near.click("dialog button.main")
    far.wait_for_selector("dialog[open] .heading:has-text('Анна asks')", timeout=LIMIT)
    # Given that far agrees, and sees the undo before the answer to it is back,
    held: list[Any] = []
    far.route("**/do/agree", lambda route: held.append((route, route.fetch())))
    far.click("dialog button:has-text('Agree')")
    far.wait_for_selector("#now .mend:has-text('back')", timeout=LIMIT)
    far.wait_for_selector("dialog", state="hidden", timeout=LIMIT)
    # when far opens the next dialog, and the answer comes now,
    far.click("#deeds [data-key=withdraw-far]")
    far.wait_for_selector("dialog[open] button.main:has-text('Withdraw')", timeout=LIMIT)
    ((route, answer),) = held
    with far.expect_event("requestfinished", timeout=LIMIT):
        route.fulfill(response=answer)
    far.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    # then that dialog stays and does what it says.
    far.click("dialog button.main")
    near.wait_for_selector("#now[data-kind=end]:has-text('You win the battle')", timeout=LIMIT)
    # And what was closed by the key Escape leaves no trace in the next one.
    far.click("#war button:has-text('Concede')")
    far.keyboard.press("Escape")
    far.wait_for_selector("dialog", state="hidden", timeout=LIMIT)
    far.click("#war button:has-text('Concede')")
    far.click("dialog button:has-text('whole war')")
    near.wait_for_selector("#now:has-text('You win the war')", timeout=LIMIT)
    assert complaints == [[], []]


_HELD = """() => {
  const panel = document.getElementById("blind").getBoundingClientRect();
  const parts = [...document.querySelectorAll("#blind p, #blind img, #blind figcaption")];
  const boxes = parts.map((node) => node.getBoundingClientRect());
  const within = (box) => box.height > 0 && box.top >= panel.top && box.bottom <= panel.bottom;
  return boxes.length === 5 && boxes.every(within);
}"""
"""Is everything that the panel says within it, with the last picture?"""


def test_a_phone_that_wakes_to_a_dead_connection_soon_asks_again(game: Played, table: Served, browser: Any) -> None:
    page = table.opened(browser, "near")
    complaints = listened(page)
    # Given a page whose first request after it wakes goes through a connection that has died, and is never answered,
    asked: list[Any] = []
    page.route("**/stream*", lambda route: asked.append(route) if not asked else route.continue_())
    # when it wakes, then it does not wait for that one as long as for a server that is merely quiet.
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    lay(game, An="A6")
    page.wait_for_selector("[data-tells='A6']", timeout=10_000)
    assert len(asked) == 1
    assert complaints == []


def test_that_nothing_is_seen_is_read_in_full_at_every_size_and_in_every_language(
    game: Played, table: Served, browser: Any
) -> None:
    page = table.opened(browser)
    game.page.set_picture(1)
    game.session.source(SourceNotice("no-table"), game.t)
    for language in LANGUAGES:
        page.select_option("#language", language)
        page.wait_for_selector(f"#blind .heading:has-text('{say(language, 'view', 'blind')}')", timeout=LIMIT)
        for name, size in SIZES.items():
            page.set_viewport_size(size)
            wait_until(page, "() => document.querySelector('#blind img').naturalWidth > 0")
            assert page.evaluate(_HELD), (language, name)


def _wrong(game: Played) -> None:
    lay(game, An="A6")
    lay(game, An="A6", Lf="L6")
    lay(game, An="A6 -", Lf="L6")
    lay(game, An="A6 -", Lf="L6 S6")


def _who_withdrew(game: Played) -> None:
    lay(game, An="A5")
    lay(game, An="A5", Lf="L6")
    lay(game, An="A5 A6", Lf="L6")
    lay(game, wait=40)


def _choice(game: Played) -> None:
    _wrong(game)
    lay(game, An="A6 -", Lf="L6 L2")


@pytest.mark.parametrize("scene", [_wrong, _who_withdrew, _choice])
def test_every_size_and_language_holds_what_is_said(
    game: Played, table: Served, browser: Any, scene: Callable[[Played], None]
) -> None:
    scene(game)
    page = table.opened(browser, "far")
    complaints = listened(page)
    for language in LANGUAGES:
        page.select_option("#language", language)
        page.wait_for_selector(f'html[lang="{language}"]', timeout=LIMIT)
        wait_until(page, "(l) => document.querySelector('#now').dataset.said.includes(l)", arg=f'"{language}"')
        for name, size in SIZES.items():
            page.set_viewport_size(size)
            fits(page, f"{scene.__name__[1:]}-{name}-{language}")
    assert complaints == []
