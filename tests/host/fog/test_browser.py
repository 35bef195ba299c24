"""A whole year on a phone's screen: a new player with the memo in hand, who only taps what the page offers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine.fog.actions import CorrectProvince
from engine.fog.board import Box
from engine.fog.board_file import built_in
from host.fog.table import FogTable
from host.web.access import Role
from tests.end_to_end.page_checks import wait_until

pytestmark = pytest.mark.needs_browser

PHONE = {"width": 390, "height": 844}
PATIENCE_MS = 15_000


class Player:
    """Taps on the page, and waits until the page has shown what came of it."""

    def __init__(self, page: Any, table: FogTable) -> None:
        self.page, self.table = page, table
        self.page.set_default_timeout(PATIENCE_MS)

    def entry(self) -> int:
        return self.table.change.entry

    def after(self, tap: Callable[[], None]) -> None:
        """Does `tap` and waits until the log has one more entry and the page shows it."""
        before = self.entry()
        tap()
        wait_until(
            self.page,
            "before => fetch('/view').then((answer) => answer.json()).then((view) => view.entry > before)",
            arg=before,
        )
        wait_until(self.page, "entry => document.body.dataset.entry === String(entry)", arg=self.entry())

    def line(self, paragraph: str) -> Any:
        """The line of the list with this paragraph."""
        return self.page.locator("#turn .checklist .row", has=self.page.get_by_text(paragraph, exact=True))

    def tap(self, name: str) -> None:
        self.after(lambda: self.page.locator("#turn").get_by_role("button", name=name, exact=True).click())

    def fill_in(self, paragraph: str, *, cards: int = 1, **chosen: str) -> None:
        """Opens the form of a line, chooses, and sends it."""
        self.line(paragraph).click()
        dialog = self.page.locator("#dialog")
        for label, value in chosen.items():
            dialog.get_by_label(label.replace("_", " ")).select_option(label=value)
        for _ in range(cards - 1):
            dialog.get_by_role("button", name="Cards +").click()
        self.after(lambda: dialog.get_by_role("button", name="OK", exact=True).click())
        assert not dialog.is_visible()

    def fits(self) -> None:
        """Nothing on the page is wider than the phone."""
        wide = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"the page is {wide} px wider than the screen"

    def end_turn(self) -> None:
        self.tap("End the turn")


def test_a_year_on_a_phone(phone: Any, table: FogTable) -> None:
    player = Player(phone, table)
    set_up(player)
    an_operation_and_a_defence(player)
    play_until_the_axis_can_launch(player)
    a_battle_that_is_won(player)
    intel_that_is_cancelled_and_insisted_on(player)
    play_until_the_year_ends(player)
    through_the_years_end(player)
    assert table.change.history.game.state.year == 1941


def set_up(player: Player) -> None:
    page = player.page
    assert "Setting up" in page.locator(".now").inner_text()
    for paragraph in ("1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "1.8", "1.10", "1.11", "1.12", "1.13"):
        player.after(lambda paragraph=paragraph: player.line(paragraph).click())  # type: ignore[misc]
    player.line("1.9").click()
    page.locator("#dialog").get_by_label("Grey Sea").check()
    player.after(lambda: page.locator("#dialog").get_by_role("button", name="OK", exact=True).click())
    assert page.locator('#turn .checklist li[data-status="open"]').count() == 0
    player.fits()
    player.tap("Begin the war")
    assert "Axis" in page.locator(".now").inner_text()


def an_operation_and_a_defence(player: Player) -> None:
    page = player.page
    # The end of the turn is not offered before a card was played (2.9).
    assert page.get_by_role("button", name="End the turn", exact=True).count() == 0
    player.fill_in("action 2", cards=3)
    assert "new operation on Alpha, battle cards: 3" in page.locator(".last-step").inner_text()
    player.end_turn()
    player.fill_in("action 1", cards=2, Province="Lutta")
    player.end_turn()


def play_until_the_axis_can_launch(player: Player) -> None:
    """One turn of the wheel on, the operation is ready, under D+1; one more and it is under none."""
    for province in ("Karst", "White Isle"):
        player.fill_in("action 1", Province=province)
        player.end_turn()
    player.page.locator("#tabs [data-tab=wheel]").click()
    assert "Alpha · Cards 3 · ready" in player.page.locator("#wheel").inner_text()
    player.fits()
    player.page.locator("#tabs [data-tab=turn]").click()


def a_battle_that_is_won(player: Player) -> None:
    page = player.page
    player.fill_in("action 5", Target="Lutta", Attack_from="Iron Vale")
    said = page.locator(".last-step").inner_text()
    assert "Supply: Iron Vale → Lutta" in said and "show the province card: Lutta" in said
    # Three cards of 3 against two of 1: 9 against 2.
    attack = page.locator('.strength-part[data-side="axis"] .card-row')
    for n in range(3):
        for _ in range(2):
            attack.nth(n).get_by_role("button").nth(1).click()
    assert page.locator("#sum-attack").inner_text() == "9"
    assert page.locator("#sum-defence").inner_text() == "2"
    player.fits()
    player.tap("Find the outcome")
    assert "9 against 2: Win." in page.locator(".last-step").inner_text()
    assert page.evaluate("window.scrollY") == 0, "what the battle led to is seen at once"
    player.after(lambda: page.locator(".pile").get_by_role("button").first.click())
    said = page.locator(".last-step").inner_text()
    assert "Lutta falls for the first time" in said
    state = player.table.change.history.game.state
    assert state.ground("old-vineyard").control == "axis"


def intel_that_is_cancelled_and_insisted_on(player: Player) -> None:
    page = player.page
    player.fill_in("action 1", Province="Lutta")
    player.line("2.4").click()
    page.locator("#dialog").get_by_label("Where to look").select_option(label="White Isle: the opponent's cards (1)")
    page.locator("#dialog").get_by_role("button", name="At the end of the turn (1)").click()
    player.after(lambda: page.locator("#dialog").get_by_role("button", name="OK", exact=True).click())
    assert "Cancel it for 2?" in page.locator(".now").inner_text()
    player.tap("Cancel it (2)")
    player.tap("Insist (1)")
    player.tap("Let them look")
    assert "cards to look at without showing them: 1 of 1" in page.locator(".last-step").inner_text()
    assert "End your turn now." in page.locator(".now").inner_text()
    player.end_turn()


def play_until_the_year_ends(player: Player) -> None:
    home = {"axis": "Karst", "allies": "White Isle"}
    for _ in range(40):
        state = player.table.change.history.game.state
        if state.phase != "turn":
            break
        camp = state.camp(state.turn)
        if camp.deck and camp.hand:
            player.fill_in("action 1", cards=camp.hand, Province=home[state.turn])
        player.end_turn()
    assert "❄" in player.page.locator("#clock").inner_text()
    assert "The end of 1940" in player.page.locator(".now").inner_text()


def through_the_years_end(player: Player) -> None:
    page = player.page
    player.tap("Do it and go on")
    assert re.search(r"victory points .*Lutta \+3", page.locator(".last-step").inner_text())
    player.tap("Do it and go on")
    player.tap("Do it and go on")
    for side in ("Allies", "Axis"):
        assert side in page.locator(".year-end").inner_text()
        player.after(lambda: page.locator(".year-end").get_by_role("button", name="2 new intel tokens").click())
        player.tap(f"{side}: done")
    # 3.6: take cards back
    page.locator(".year-end").get_by_role("button", name=re.compile("White Isle")).click()
    player.after(lambda: page.locator("#dialog").get_by_role("button", name="OK", exact=True).click())
    player.tap("Allies: done")
    player.tap("Axis: done")
    for _ in range(4):
        player.fits()
        player.tap("Do it and go on")
    assert "1941" in page.locator("#clock").inner_text()
    assert "your deck" not in page.locator(".now").inner_text()


def test_the_keyboards_place_is_kept_when_the_page_is_drawn_anew(phone: Any, table: FogTable) -> None:
    player = Player(phone, table)
    player.line("1.3").focus()
    player.after(lambda: phone.keyboard.press("Enter"))
    assert phone.evaluate("document.activeElement.tagName") == "BUTTON"
    assert "neutrality tokens" in phone.evaluate("document.activeElement.textContent")


def test_undo_says_what_it_takes_back(phone: Any, table: FogTable) -> None:
    player = Player(phone, table)
    player.tap("Begin the war")
    player.fill_in("action 1", Province="Karst")
    phone.get_by_role("button", name="Undo", exact=True).click()
    dialog = phone.locator("#dialog")
    assert "cards laid face down in Karst: 1" in dialog.inner_text()
    player.after(lambda: dialog.get_by_role("button", name="Undo", exact=True).click())
    assert table.change.history.game.state.axis.hand == 3
    player.tap("Redo")
    assert table.change.history.game.state.axis.hand == 2


def test_a_refusal_says_why_with_its_paragraph_and_what_to_do(phone: Any, table: FogTable) -> None:
    player = Player(phone, table)
    player.tap("Begin the war")
    player.fill_in("action 2", cards=1)
    player.line("action 5").click()
    dialog = phone.locator("#dialog")
    dialog.get_by_role("button", name="OK", exact=True).click()
    dialog.get_by_text("is not ready").wait_for()
    assert "(action 5.1)" in dialog.inner_text()
    assert "Wait until your wheel has turned on." in dialog.inner_text()


@pytest.mark.parametrize(("language", "words"), [("ru", "Ось"), ("uk", "Вісь"), ("pl", "Oś"), ("en", "Axis")])
def test_every_language_says_all_of_it(phone: Any, table: FogTable, language: str, words: str) -> None:
    phone.locator("#language").select_option(language)
    player = Player(phone, table)
    wait_until(phone, "language => document.documentElement.lang === language", arg=language)
    phone.locator(".now .main").wait_for()
    player.after(lambda: phone.locator(".now .main").click())
    phone.locator(".now", has_text=words).wait_for()
    for tab in ("turn", "wheel", "map", "box", "log"):
        phone.locator(f"#tabs [data-tab={tab}]").click()
        player.fits()
        text = phone.locator(f"#{tab}").inner_text()
        assert text.strip() and "undefined" not in text and "{" not in text


def test_a_new_player_fills_in_the_board_and_is_asked_only_once(
    phone_of_own_board: Any, table_of_own_board: FogTable
) -> None:
    """The memo's board lacks what the box has: the page leads there, and every answer is kept."""
    page, table = phone_of_own_board, table_of_own_board
    player = Player(page, table)
    assert "Still missing" in page.locator(".now").inner_text()
    page.get_by_role("button", name="Fill in your board").click()
    page.locator("#box").get_by_role("button", name=re.compile("How many cards the Axis deck has")).click()
    page.locator("#dialog input").fill("21")
    player.after(lambda: page.locator("#dialog").get_by_role("button", name="Save").click())
    page.locator("#box").get_by_role("button", name=re.compile("What the attack must reach")).click()
    page.locator("#dialog").get_by_role("button", name="Save").click()
    page.locator("#dialog").get_by_text("Answer every line.").wait_for()
    page.locator("#dialog").get_by_label("times the other's strength").fill("1.5")
    player.after(lambda: page.locator("#dialog").get_by_role("button", name="Save").click())
    page.locator("#box").get_by_role("button", name=re.compile("^● Berlin|Berlin")).first.click()
    page.locator("#dialog").get_by_label("Poland").check()
    page.locator("#dialog").get_by_label("Victory points").fill("5")
    player.after(lambda: page.locator("#dialog").get_by_role("button", name="Save").click())
    board = table.change.history.game.board
    assert (board.box.axis_deck, str(board.box.win.times if board.box.win else "")) == (21, "3/2")
    assert "berlin" in board.province("poland").neighbours
    assert board.province("berlin").points == 5
    assert board.province("berlin").name == ""
    player.fits()


def test_cards_are_added_to_a_quagmire_and_it_is_fought_on(phone: Any, table: FogTable) -> None:
    player = Player(phone, table)
    player.tap("Begin the war")
    table.apply(CorrectProvince("fjords", "neutral", 2, 1, 1, quagmire="axis"), {"by": "page", "role": "owner"})
    wait_until(phone, "entry => document.body.dataset.entry === String(entry)", arg=player.entry())
    player.line("action 12").click()
    dialog = phone.locator("#dialog")
    player.after(lambda: dialog.get_by_role("button", name="Add cards", exact=True).click())
    assert "cards added to the quagmire of Fjords: 1" in phone.locator(".last-step").inner_text()
    player.line("action 12").click()
    player.after(lambda: dialog.get_by_role("button", name="Fight on: Fjords", exact=True).click())
    # Three of the Axis against one of the Allies and a neutral card, all of value 1.
    assert (phone.locator("#sum-attack").inner_text(), phone.locator("#sum-defence").inner_text()) == ("3", "2")
    player.fits()
    player.tap("Find the outcome")
    assert "3 against 2: Quagmire." in phone.locator(".last-step").inner_text()


def test_two_phones_each_act_for_their_own_side(
    chromium: Any, table_for_phones: tuple[FogTable, Callable[[Role], str]]
) -> None:
    table, invitation = table_for_phones
    roles: tuple[Role, ...] = ("near", "far", "viewer")
    phones = {role: chromium.new_context(viewport=PHONE, locale="en-GB").new_page() for role in roles}
    for role, page in phones.items():
        page.goto(invitation(role))
        page.wait_for_selector("body[data-wait=no]")
    axis, allies = Player(phones["near"], table), Player(phones["far"], table)
    allies.tap("Begin the war")
    phones["viewer"].locator(".now", has_text="Axis").wait_for()
    # The board is the owner's, and whose turn it is not has nothing to tap.
    assert phones["near"].locator("#tabs [data-tab=box]").is_hidden()
    for page in (phones["far"], phones["viewer"]):
        assert page.locator("#turn .checklist button").count() == 0
    axis.fill_in("action 1", Province="Karst")
    axis.end_turn()
    allies.fill_in("action 1", Province="Lutta")
    allies.line("2.4").click()
    phones["far"].locator("#dialog").get_by_label("Where to look").select_option(
        label="Karst: the opponent's cards (1)"
    )
    allies.after(lambda: phones["far"].locator("#dialog").get_by_role("button", name="OK", exact=True).click())
    # The side that is looked at answers, on its own phone.
    assert phones["far"].get_by_role("button", name="Let them look").count() == 0
    axis.tap("Let them look")
    assert "look at without showing them" in phones["near"].locator(".last-step").inner_text()
    for page in phones.values():
        page.context.close()


def test_what_the_box_says_is_asked_when_it_is_needed_and_only_once(phone: Any, table: FogTable) -> None:
    # given a board of one's own, of which nothing but the map and the decks was typed in
    demo = built_in("demo")
    table.begin(replace(demo, name="mine", box=Box(axis_deck=12, allied_deck=13)))
    wait_until(phone, "entry => document.body.dataset.entry === String(entry)", arg=table.change.entry)
    phone.locator("#box").get_by_text("Asked for later: 19").wait_for(state="attached")
    player = Player(phone, table)
    dialog = phone.locator("#dialog")

    def save() -> None:
        dialog.get_by_role("button", name="Save", exact=True).click()

    player.tap("Begin the war")
    player.fill_in("action 2", cards=2)
    for _ in range(2):
        player.end_turn()
        player.fill_in("action 1", Province="White Isle")
        player.end_turn()
        player.fill_in("action 1", Province="Karst")
    # when the operation is launched, the wheel's marks are asked for, then what supply needs
    player.line("action 5").click()
    dialog.get_by_label("Target").select_option(label="Lutta")
    dialog.get_by_label("Attack from").select_option(label="Iron Vale")
    dialog.get_by_role("button", name="OK", exact=True).click()
    dialog.get_by_text("The memo does not say this, your box does").wait_for()
    for ready in dialog.get_by_role("button", name="ready", exact=True).all():
        ready.click()
    save()
    for question in ("provinces that carry supply must be", "a source of supply must be"):
        dialog.get_by_text(re.compile(question)).first.wait_for()
        dialog.get_by_role("button", name="yes", exact=True).click()
        save()
    # then the launch that was typed in once is played
    phone.locator(".now", has_text="Battle: Lutta").wait_for()
    # and in the battle it is asked what a win takes, once; the cards that were typed in stay
    cards = phone.locator('.strength-part[data-side="axis"] .card-row')
    for n in range(2):
        for _ in range(3):
            cards.nth(n).get_by_role("button").nth(1).click()
    assert phone.locator("#sum-attack").inner_text() == "8"
    phone.locator("#turn").get_by_role("button", name="Find the outcome").click()
    dialog.get_by_label("times the other's strength").fill("2")
    save()
    phone.locator(".last-step", has_text="8 against 0: Win.").wait_for()
    assert table.change.history.game.state.ground("lutta").control == "axis"


def test_values_that_were_typed_in_are_there_again_after_an_undo(phone: Any, table: FogTable) -> None:
    player = Player(phone, table)
    player.tap("Begin the war")
    an_operation_and_a_defence(player)
    play_until_the_axis_can_launch(player)
    player.fill_in("action 5", Target="Lutta", Attack_from="Iron Vale")
    for n in range(3):
        phone.locator('.strength-part[data-side="axis"] .card-row').nth(n).get_by_role("button").nth(1).click()
    player.tap("Find the outcome")
    phone.get_by_role("button", name="Undo", exact=True).click()
    player.after(lambda: phone.locator("#dialog").get_by_role("button", name="Undo", exact=True).click())
    assert phone.locator("#sum-attack").inner_text() == "6"


def test_one_question_of_the_whole_board_is_answered_in_one_form(phone: Any, table: FogTable) -> None:
    """At the year's end the Axis scores: nobody opens a form for each province."""
    demo = built_in("demo")
    table.begin(replace(demo, name="mine", provinces=tuple(replace(p, points=None) for p in demo.provinces)))
    wait_until(phone, "entry => document.body.dataset.entry === String(entry)", arg=table.change.entry)
    player = Player(phone, table)
    player.tap("Begin the war")
    play_until_the_year_ends(player)
    phone.locator("#turn").get_by_role("button", name="Do it and go on").click()
    dialog = phone.locator("#dialog")
    dialog.get_by_text("The memo does not say this, your box does").wait_for()
    held = table.change.history.game.state.held("axis")
    assert dialog.locator("input").count() == len(demo.provinces)
    # The province that is asked for comes first.
    assert demo.provinces[0].key == held[0] and "Karst" in dialog.locator("label").first.inner_text()
    for field in dialog.locator("input").all():
        field.fill("2")
    dialog.get_by_role("button", name="Save", exact=True).click()
    phone.locator(".last-step", has_text=f"victory points {2 * len(held)}").wait_for()
    dialog.wait_for(state="hidden")


def test_a_province_without_a_name_or_with_anothers_is_not_added(
    phone_of_own_board: Any, table_of_own_board: FogTable
) -> None:
    page, dialog = phone_of_own_board, phone_of_own_board.locator("#dialog")
    page.locator("#tabs [data-tab=box]").click()
    page.locator("#box").get_by_role("button", name="Add a province").click()
    dialog.get_by_role("button", name="Save", exact=True).click()
    dialog.get_by_text("The province has no name.").wait_for()
    dialog.get_by_label("Name").fill("berlin")
    dialog.get_by_role("button", name="Save", exact=True).click()
    dialog.get_by_text("There is a province of this name already.").wait_for()
    assert table_of_own_board.change.history.steps == ()


def test_a_tablet_shows_all_of_it_without_scrolling_sideways(phone: Any) -> None:
    for width in (768, 1024, 1180):
        phone.set_viewport_size({"width": width, "height": 800})
        wait_until(phone, "() => document.documentElement.scrollWidth <= document.documentElement.clientWidth")
