"""The page in a real browser during a demonstration: it shows the game, says no error, and heals itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from host.app.page_server import program_id
from host.archive.page import archive_pages
from host.archive.war_archive import WarArchive
from host.demo.show import DemoShow
from host.session.memory_log import MemoryLog
from host.session.shared_log import HeldLog
from host.session.source_events import SourceNotice
from host.web.access import Access, hosts
from host.web.app import make_app
from host.web.server import PageServer
from tests.end_to_end.page_checks import until

pytestmark = pytest.mark.needs_browser

OUT = Path(__file__).parents[2] / "out"
LIMIT = 60_000
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}


class Running:
    """A demonstration and its page, whose server can be taken away and brought back."""

    def __init__(self) -> None:
        self.access = Access()
        log = MemoryLog()
        self.show = DemoShow("revised", 7, self.access, program_id(), log=log)
        self.archive = WarArchive(HeldLog(log))
        self.port = 0
        self.serve()
        self.show.start("virtual")
        self.show.director.do("speed", 4.0)

    def serve(self) -> None:
        app = make_app(
            self.show.table.backend,
            self.access,
            lambda: hosts(self.port, None),
            pages=[lambda guard: archive_pages(self.archive, guard, lambda: "en")],
        )
        self.server = PageServer(app, ("127.0.0.1",), self.port)
        self.port = self.server.port
        self.server.start()

    def close(self) -> None:
        self.show.table.page.broadcaster.close()
        self.server.close()
        self.show.close()


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the demonstration keeps its deck: learnt once for all tests here."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def running(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    made = Running()
    yield made
    made.close()


def opened(browser: Any, running: Running, size: dict[str, int]) -> tuple[Any, list[str]]:
    page = browser.new_page(viewport=size)
    errors: list[str] = []
    page.on("console", lambda said: errors.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"http://127.0.0.1:{running.port}/")
    page.wait_for_selector('body[data-wait="no"]', timeout=LIMIT)
    return page, errors


def text(page: Any, selector: str) -> str:
    return str(page.locator(selector).first.text_content() or "")


def kept(page: Any, name: str) -> None:
    OUT.mkdir(exist_ok=True)
    page.screenshot(path=str(OUT / f"{name}.png"))


def test_a_demonstration_on_a_phone(running: Running, browser: Any) -> None:
    page, errors = opened(browser, running, PHONE)
    until(page, lambda: any(n != "0" for n in page.locator(".strength").all_text_contents()))
    kept(page, "phone-playing")

    # The mistake of this game is told with its rule and its mend, and then put right.
    page.wait_for_selector('#now[data-kind="violation"]', timeout=LIMIT)
    running.show.director.do("pause", None)
    assert page.locator("#now .mend").count() >= 1
    assert page.locator('.theater[data-wrong="yes"]').count() >= 1
    kept(page, "phone-mistake")
    running.show.director.do("go", None)
    page.wait_for_selector('#now:not([data-kind="violation"])', timeout=LIMIT)

    # What a theater's strength is made of is said on a tap.
    page.click(".core >> nth=0")
    assert page.locator("dialog .sum").count() == 2
    kept(page, "phone-strength")
    page.keyboard.press("Escape")

    # A referee who cannot see the table looks blind.
    session = running.show.session
    session.source(SourceNotice("no-table"), 0.0)
    page.wait_for_selector("#blind:has-text('I cannot see the table')", timeout=LIMIT)
    kept(page, "phone-camera")
    session.source(SourceNotice("table-found"), 0.0)
    page.wait_for_selector("#blind", state="hidden", timeout=LIMIT)

    # The smallest phone, upright and lying: nothing is cut off in any language.
    for size in ({"width": 360, "height": 640}, {"width": 640, "height": 360}):
        page.set_viewport_size(size)
        for language, name in (("ru", "Дальний"), ("uk", "Дальній"), ("pl", "Dalszy"), ("en", "Far")):
            page.select_option("#language", language)
            until(page, lambda name=name: text(page, ".seat .name") == name)  # type: ignore[misc]
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
            box = page.locator("#language").bounding_box()
            assert box is not None and box["x"] + box["width"] <= size["width"]
    page.set_viewport_size(PHONE)

    # Another language, without loading the page again.
    page.select_option("#language", "uk")
    page.wait_for_selector('html[lang="uk"]', timeout=LIMIT)
    until(page, lambda: text(page, ".seat .name") == "Дальній")
    kept(page, "phone-ukrainian")
    page.select_option("#language", "en")
    until(page, lambda: text(page, ".seat .name") == "Far")
    assert errors == []

    # The server goes and comes back; the page says so, finds it, and shows what has happened since.
    running.server.close()
    page.wait_for_selector('#pulse[data-state="away"]', timeout=LIMIT)
    kept(page, "phone-away")
    history = page.locator("#history li").count()
    before = running.show.session.said
    until(page, lambda: running.show.session.said != before)
    running.serve()
    page.wait_for_selector('#pulse[data-state="here"]', timeout=LIMIT)
    until(page, lambda: page.locator("#history li").count() > history)
    # While the server is away the browser itself notes that it is; nothing else may be noted.
    assert [e for e in errors if "Failed to load resource" not in e and "ERR_" not in e] == []


def test_a_demonstration_on_a_desk_is_paused_stepped_and_played_again(running: Running, browser: Any) -> None:
    page, errors = opened(browser, running, DESKTOP)
    page.wait_for_selector("#history li", timeout=LIMIT)
    page.click("#demo button >> nth=0")
    until(page, lambda: text(page, "#demo p").startswith("Paused"))
    kept(page, "desk-paused")

    played = len(running.show.director.played)
    page.click('[data-key="demo-step"]')
    until(page, lambda: len(running.show.director.played) > played)

    # It plays by itself: nothing is offered that would come between.
    assert page.locator("#deeds button, #war button").count() == 0

    page.click('[data-key="demo-replay"]')
    until(page, lambda: page.locator("#history li").count() < 3)
    assert errors == []


def test_the_demonstration_is_stepped_back_through(running: Running, browser: Any) -> None:
    page, errors = opened(browser, running, PHONE)
    page.wait_for_selector("[data-tells]", timeout=LIMIT)
    # Given a demonstration, when somebody steps back, then it pauses and the battle stands at its last moment.
    page.click("#demo button:has-text('Step back')")
    page.wait_for_selector("input[type=range]", timeout=LIMIT)
    until(page, lambda: running.show.director.state.paused)
    last = int(page.locator("input[type=range]").input_value())
    assert last > 0
    page.keyboard.press("ArrowLeft")
    until(page, lambda: int(page.locator("input[type=range]").input_value()) == last - 1)
    assert errors == []
    page.close()
