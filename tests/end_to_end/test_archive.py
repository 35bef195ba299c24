"""The archive in a real browser: wars, battles moment by moment, players, what is taken along, and deleting."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.lexicon import LANGUAGES
from host.app.switched_backend import SwitchedBackend
from host.archive.page import archive_pages
from host.archive.war_archive import WarArchive
from host.session.memory_log import MemoryLog
from host.session.picture_store import MEGABYTE, PictureStore
from host.session.shared_log import HeldLog
from host.web.access import Access
from host.web.app import make_app
from tests.end_to_end.page_checks import fits, in_order, listened, until
from tests.end_to_end.served_table import ServedApp
from tests.host.archive.played_wars import play_war

pytestmark = pytest.mark.needs_browser

LIMIT = 30_000
PHONE = {"width": 360, "height": 740}
ACROSS = {"width": 740, "height": 360}
TABLET = {"width": 820, "height": 1180}
DESK = {"width": 1280, "height": 800}
TELEVISION = {"width": 1920, "height": 1080}


class Served(ServedApp):
    """An archive with three wars, the newest of which is not over."""

    def __init__(self, folder: Path) -> None:
        log, pictures = MemoryLog(), PictureStore(folder, 50 * MEGABYTE)
        self.old = play_war(log, seed=5, names=("Anna", "Boris"), began=1_700_000_000.0)
        self.won = play_war(log, seed=7, names=("Boris", "Anna"), began=1_700_700_000.0, pictures=pictures)
        self.open = play_war(log, seed=2, names=("Anna", "Wladyslawa"), began=1_701_000_000.0, scenes_most=22)
        self.archive = WarArchive(HeldLog(log), pictures, lambda: self.open)
        self._backend = SwitchedBackend()
        super().__init__(
            lambda known: make_app(
                self._backend,
                Access(),
                known,
                pages=[lambda guard: archive_pages(self.archive, guard, lambda: "en")],
            )
        )

    def close(self) -> None:
        self._backend.close()
        super().close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    made = Served(tmp_path / "pictures")
    yield made
    made.close()


def remembering(browser: Any, language: str, size: dict[str, int]) -> Any:
    """A page of a device on which that language was chosen before."""
    page = browser.new_context(viewport=size).new_page()
    page.add_init_script(f"localStorage.setItem('language', '{language}')")
    return page


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_field_of_a_replay_is_as_on_the_table_on_a_small_phone(served: Served, browser: Any, language: str) -> None:
    page = remembering(browser, language, PHONE)
    page.goto(f"{served.address}/games/#/war/{served.won}/1/3")
    # A theater's name stands beside its sign in each: the three boards are of one height.
    beside = """(all) => all.map((one) => {
      const box = (what) => one.querySelector(what).getBoundingClientRect(), sign = box("svg"), name = box("b");
      return Math.abs(sign.top + sign.height / 2 - name.top - name.height / 2) < sign.height / 2;
    })"""
    # Once its narrow letters have been fetched.
    until(page, lambda: page.eval_on_selector_all(".plaque", beside) == [True, True, True])


@pytest.mark.parametrize("size", [{"width": 390, "height": 844}, DESK])
def test_nothing_jumps_while_a_battle_is_gone_through(served: Served, browser: Any, size: dict[str, int]) -> None:
    page = remembering(browser, "ru", size)
    complaints = listened(page)
    page.goto(f"{served.address}/games/#/war/{served.won}/1")
    page.wait_for_selector("h1:has-text('Битва')", timeout=LIMIT)
    # Given the slider, when every moment is gone through, mistakes with their mends among them, then field and slider
    # stay where they are.
    last = int(page.get_attribute("input[type=range]", "max"))
    places, kinds = set(), set()
    for moment in range(last + 1):
        page.wait_for_selector(f".place:has-text('{moment + 1} из')", timeout=LIMIT)
        tops = "(all) => all.map((node) => Math.round(node.getBoundingClientRect().top))"
        places.add(tuple(page.eval_on_selector_all(".replay .field, .replay-controls", tops)))
        kinds.add(page.get_attribute(".replay .now", "data-kind"))
        page.keyboard.press("ArrowRight")
    assert "violation" in kinds and len(places) == 1
    assert complaints == []


def test_a_war_is_found_watched_again_and_taken_along(served: Served, browser: Any) -> None:
    name, look = "phone", in_order
    page = browser.new_page(viewport=PHONE)
    complaints = listened(page)

    # Given three wars, when the archive is opened, then each is there with names and score, the newest first.
    page.goto(served.address + "/games/")
    page.wait_for_selector(".war-card", timeout=LIMIT)
    assert page.locator(".war-card .result").all_text_contents()[1] == score(served, served.won)
    assert "Not finished" in str(page.locator(".war-card").first.text_content())
    look(page, f"archive-{name}-list")

    # The war: every battle, what withdrawing cost, which rules were broken.
    page.click(".war-card >> nth=1")
    page.wait_for_selector(".battle-card", timeout=LIMIT)
    assert page.locator("text=that cost").count() >= 1
    assert page.locator("text=That card does not belong there").count() >= 1
    look(page, f"archive-{name}-war")

    # A battle again: by arrow keys, by the slider, by a line of what was said; each with its picture and its reason.
    page.click("text=Watch again >> nth=0")
    page.wait_for_selector(".replay .now .who:has-text('The battle begins')", timeout=LIMIT)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.wait_for_selector(".place:has-text('4 of')", timeout=LIMIT)
    page.wait_for_selector(".field [data-tells]", timeout=LIMIT)
    page.wait_for_selector(".still img", timeout=LIMIT)
    assert "Concluded from what lay on the table" in str(page.locator(".replay .now").text_content())
    look(page, f"archive-{name}-replay")
    page.locator(".moment:has-text('That card does not belong there')").first.click()
    page.wait_for_selector(".replay .now[data-kind=violation] .mend", timeout=LIMIT)
    assert page.locator('.theater[data-wrong="yes"]').count() >= 1
    look(page, f"archive-{name}-mistake")
    page.locator("input[type=range]").focus()
    page.keyboard.press("End")
    page.wait_for_selector(".replay .now[data-kind=end]", timeout=LIMIT)
    # Strengths and cards are explained here as at the table.
    page.click(".core >> nth=0")
    page.wait_for_selector("dialog[open] .sum", timeout=LIMIT)
    look(page, f"archive-{name}-strength")
    page.keyboard.press("Escape")
    page.click("text=This war")

    # Taken along: notation and log as files, the score sheet on paper, the picture.
    page.wait_for_selector(".battle-card", timeout=LIMIT)
    with page.expect_download() as notation:
        page.click("text=Notation (text)")
    assert "Battle 1" in Path(notation.value.path()).read_text("utf-8")
    with page.expect_download() as log:
        page.click("text=Log (JSON)")
    assert str(notation.value.suggested_filename).startswith("boris-anna-2023-11-23-")
    lines = Path(log.value.path()).read_text("utf-8").splitlines()
    assert json.loads(lines[0])["war"] == served.won
    page.click("text=Picture to share")
    page.wait_for_selector("dialog[open] .score-picture", timeout=LIMIT)
    look(page, f"archive-{name}-picture")
    with page.expect_download() as drawn:
        page.click("dialog >> text=Save (PNG)")
    assert Path(drawn.value.path()).read_bytes().startswith(b"\x89PNG")
    page.click("dialog >> text=Close")
    page.click("text=Score sheet to print")
    page.wait_for_selector("table tbody tr", timeout=LIMIT)
    look(page, f"archive-{name}-sheet")
    # The moves are numbered, what was said between them is not.
    moves = page.locator(".moves >> nth=0 >> li:not(.between)")
    assert moves.last.get_attribute("value") == str(moves.count())
    assert page.locator(
        ".moves >> nth=0 >> li.between:has-text('wins the battle'), .between:has-text('withdraws')"
    ).count()
    assert complaints == []
    page.close()


def test_a_war_that_is_not_over_keeps_its_record_to_itself(served: Served, browser: Any) -> None:
    page = browser.new_page(viewport=PHONE)
    complaints = listened(page)
    page.goto(f"{served.address}/games/#/war/{served.open}")
    page.wait_for_selector("text=can be taken along when the war is over", timeout=LIMIT)
    assert page.locator("text=Notation (text)").count() == 0
    # It is being played, so it cannot be deleted either.
    page.click("button:has-text('Delete this war')")
    page.click("dialog >> text=Delete for good")
    page.wait_for_selector("dialog .error:has-text('is being played')", timeout=LIMIT)
    assert complaints == []
    page.close()


def test_deleting_is_asked_twice_and_takes_the_pictures_along(served: Served, browser: Any) -> None:
    page = browser.new_page(viewport=PHONE)
    complaints = listened(page)
    page.goto(f"{served.address}/games/#/war/{served.won}")
    page.click("button:has-text('Delete this war')", timeout=LIMIT)
    page.wait_for_selector("dialog:has-text('cannot be brought back')", timeout=LIMIT)
    in_order(page, "archive-delete")
    assert served.archive.war(served.won).pictures
    # The browser's way back leaves the question behind, unanswered.
    page.evaluate("location.hash = '#/players'")
    page.wait_for_selector(".player", timeout=LIMIT)
    assert page.locator("dialog[open]").count() == 0
    page.go_back()
    page.click("button:has-text('Delete this war')", timeout=LIMIT)
    page.click("dialog >> text=Delete for good")
    page.wait_for_selector(".wars", timeout=LIMIT)
    assert page.locator(".war-card").count() == 2
    picture = page.request.get(f"{served.address}/games/war/{served.won}/picture/4.jpg")
    assert picture.status == 404
    assert complaints == []
    page.close()


def test_players_over_time(served: Served, browser: Any) -> None:
    page = browser.new_page(viewport=PHONE)
    complaints = listened(page)
    page.goto(f"{served.address}/games/#/players")
    page.wait_for_selector(".player", timeout=LIMIT)
    assert page.locator(".player h2").all_text_contents() == ["Anna", "Boris", "Wladyslawa"]
    assert page.locator(".player >> nth=0 >> tbody tr").count() == 3
    in_order(page, "archive-players")
    page.set_viewport_size(DESK)
    fits(page, "archive-players-desk")
    assert complaints == []
    page.close()


def test_every_view_in_every_language_and_size(served: Served, browser: Any) -> None:
    page = browser.new_page(viewport=PHONE)
    complaints = listened(page)
    views = {"list": "#/", "war": f"#/war/{served.won}", "replay": f"#/war/{served.won}/1/9", "players": "#/players"}
    ready = {"list": ".war-card", "war": ".battle-card", "replay": ".replay .theater", "players": ".player"}
    sizes = {"phone": PHONE, "across": ACROSS, "tablet": TABLET, "desk": DESK, "tv": TELEVISION}
    page.goto(served.address + "/games/")
    for language in LANGUAGES:
        page.select_option("#language", language)
        page.wait_for_selector(f"html[lang={language}]", timeout=LIMIT)
        for view, target in views.items():
            page.evaluate("(target) => { location.hash = target; }", target)
            page.wait_for_selector(f"main[data-view={view}] {ready[view]}", timeout=LIMIT)
            for name, size in sizes.items():
                page.set_viewport_size(size)
                fits(page, f"archive-{language}-{view}-{name}")
    assert complaints == []
    page.close()


def score(served: Served, war: str) -> str:
    score = served.archive.war(war).summary.score
    return f"{score['near']} : {score['far']}"


LONG = (
    "Maximilianalexandrinowitschhohenlohelangenburgschillingsfürst",
    "Krzysztofamariabrzęczyszczykiewiczówna-Nowakowska",
)

_OVER_THE_BORDER = """() => [...document.querySelectorAll(".panel, .theater, .seat, .now")].flatMap((part) => {
  const border = part.getBoundingClientRect(), range = document.createRange();
  const texts = [...part.querySelectorAll("*")].filter((node) => node.checkVisibility() && !node.children.length
    && node.textContent && !node.closest(".unseen") && !node.parentElement.closest(".held"));
  const right = (node) => { range.selectNodeContents(node); return range.getBoundingClientRect().right; };
  return texts.filter((node) => right(node) > border.right + 1).map((node) => node.textContent);
})"""


@pytest.mark.parametrize("size", [PHONE, ACROSS], ids=["phone", "across"])
def test_a_name_of_one_long_word_stays_within_its_border(tmp_path: Path, browser: Any, size: dict[str, int]) -> None:
    log = MemoryLog()
    war = play_war(log, seed=7, names=LONG, scenes_most=60)
    backend = SwitchedBackend()
    archive = WarArchive(HeldLog(log), PictureStore(tmp_path, MEGABYTE), lambda: None)
    pages = [lambda guard: archive_pages(archive, guard, lambda: "en")]
    served = ServedApp(lambda known: make_app(backend, Access(), known, pages=pages))
    try:
        page = browser.new_page(viewport=size)
        for view, ready in (("", ".war-card"), (f"war/{war}", ".battle-card"), (f"war/{war}/1", ".replay .now .who")):
            page.goto(f"{served.address}/games/#/{view}")
            page.wait_for_selector(ready, timeout=LIMIT)
            if ready.startswith(".replay"):
                for _ in range(12):
                    page.keyboard.press("ArrowRight")
                page.wait_for_selector(".place:has-text('13 of')", timeout=LIMIT)
                inside = page.locator(".theater .held").evaluate_all(
                    "(all) => all.every((one) => one.clientWidth <= one.closest('.theater').clientWidth)"
                )
                assert inside, "who holds a theater is told within it"
            assert page.evaluate(_OVER_THE_BORDER) == []
            fits(page, f"archive-long-{size['width']}-{ready.split()[0].strip('.')}")
        page.close()
    finally:
        served.close()
        backend.close()


@pytest.mark.parametrize("address", ["9", "0", "9" * 400])
def test_an_address_of_a_battle_that_is_not_there_is_told(served: Served, browser: Any, address: str) -> None:
    page = browser.new_page(viewport=PHONE)
    page.goto(f"{served.address}/games/#/war/{served.won}/{address}")
    page.wait_for_selector(".error:has-text('There is no such battle in this war.')", timeout=LIMIT)
    assert page.inner_text("#pulse") == ""
    page.click("text=All wars")
    page.wait_for_selector(".war-card", timeout=LIMIT)


def test_an_address_whose_moment_is_no_number_shows_the_first(served: Served, browser: Any) -> None:
    page = browser.new_page(viewport=PHONE)
    complaints = listened(page)
    page.goto(f"{served.address}/games/#/war/{served.won}/1/abc")
    page.wait_for_selector(".place:has-text('1 of')", timeout=LIMIT)
    assert complaints == []


def test_a_language_that_another_page_of_this_address_kept_is_not_taken_over(served: Served, browser: Any) -> None:
    page = remembering(browser, "en-US", PHONE)
    page.goto(f"{served.address}/games/")
    page.wait_for_selector(".war-card", timeout=LIMIT)
    assert page.eval_on_selector("#language", "(node) => node.value") == "en"
    assert page.eval_on_selector("html", "(node) => node.lang") == "en"
