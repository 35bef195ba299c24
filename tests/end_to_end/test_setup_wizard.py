"""From `allfronts` alone to a war in the archive, in a real browser, with a film as camera: each page is looked at on a
phone and on a desk; a deck is learnt once for both, which takes most of the time."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from engine.names import SEATS
from host.setup_wizard.choices import Choices, save_choices
from host.web.access import COOKIE
from tests.end_to_end.page_checks import fits, in_order, listened, until
from tests.end_to_end.scripted_battle import ScriptedBattle
from tests.end_to_end.table_camera import PHOTOGRAPHS, TableCamera, TableFilm
from tests.host.conftest import Played, one_battle

pytestmark = pytest.mark.needs_browser

LIMIT = 60_000
PHONE = {"width": 390, "height": 844}
SMALL = {"width": 320, "height": 568}
DESK = {"width": 1280, "height": 800}
SIZES = {"phone": PHONE, "desk": DESK}


class Started:
    """`allfronts --serial virtual` in a home of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._environment = os.environ | {
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_CACHE_HOME": str(home / "cache"),
            "XDG_STATE_HOME": str(home / "state"),
            "DISPLAY": "",
            "WAYLAND_DISPLAY": "",
        }
        home.mkdir(exist_ok=True)
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "host", "--http", "0", "--serial", "virtual"],
            env=self._environment | {"PYTHONPATH": str(Path(__file__).parents[2])},
            cwd=self.home,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+", self._process.stdout.readline())
        assert found is not None
        self.address = found.group()

    def choices(self) -> dict[str, Any]:
        read: dict[str, Any] = json.loads((self.home / "config" / "allfronts" / "setup.json").read_text("utf-8"))
        return read

    def invitation(self, seat: str) -> str:
        """The token of a seat's link."""
        kept = json.loads((self.home / "data" / "allfronts" / "keys.json").read_text("utf-8"))
        return str(kept["tokens"][seat])

    def kill(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()

    def stop(self) -> int:
        self._process.send_signal(signal.SIGTERM)
        said, _ = self._process.communicate(timeout=30)
        assert "What was played is kept" in said
        return self._process.returncode


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Started]:
    """The program, which does not outlive its test, whatever becomes of that."""
    made = Started(tmp_path / "home")
    yield made
    made.kill()


@pytest.fixture
def camera() -> Iterator[TableCamera]:
    made = TableCamera()
    yield made
    made.close()


@pytest.fixture
def film(tmp_path: Path) -> Iterator[TableFilm]:
    made = TableFilm(tmp_path / "table.avi")
    yield made
    made.close()


def heading(page: Any, text: str) -> None:
    page.wait_for_selector(f"h1:has-text('{text}')", timeout=LIMIT)


def look(page: Any, name: str) -> None:
    """Holds a page to what must hold everywhere, in both sizes; it goes on in the size that it had."""
    had = page.viewport_size
    for size, of in SIZES.items():
        page.set_viewport_size(of)
        in_order(page, f"wizard-{size}-{name}")
    page.set_viewport_size(had)


def learn(page: Any, camera: TableFilm) -> None:
    """The four photographs, as somebody takes them who does what the page says."""
    page.click("button:has-text('Begin to photograph')")
    page.wait_for_selector(".shots", timeout=LIMIT)
    for number, photograph in enumerate(PHOTOGRAPHS):
        camera.photograph(photograph)
        taken = number + 1
        until(page, lambda taken=taken: shots(page) >= taken or page.locator(".sheet:visible").count() > 0)  # type: ignore[misc]
        if number == 1:
            look(page, "learning")
    # What is still going on is told; then the cuts are shown, and what the rehearsal lets expect.
    page.wait_for_selector(".says:has-text('Rehearsing table')", timeout=LIMIT)
    page.wait_for_selector(".sheet:visible", timeout=2 * LIMIT)
    until(page, lambda: page.locator(".sheet li").count() == 19)
    page.wait_for_selector(".expected:has-text('Rehearsed 16 tables')", timeout=LIMIT)


def shots(page: Any) -> int:
    return int(page.locator(".shots li[data-taken=yes]").count())


def test_from_the_first_command_to_the_archive(started: Started, film: TableFilm, browser: Any) -> None:
    page = browser.new_page(viewport=PHONE)
    complaints = listened(page)

    # Given a machine on which nothing was ever set up, when its address is opened, then it leads on from there.
    page.goto(started.address)
    heading(page, "Welcome to the table")
    look(page, "start")
    page.click("button:has-text('Begin')")

    # The camera: an address that is none is told, the right one shows its picture.
    heading(page, "Which camera")
    page.fill("input", "nothing-of-that-name")
    page.click("button:has-text('Show its picture')")
    page.wait_for_selector(".error:has-text('neither a camera nor a file')", timeout=LIMIT)
    page.fill("input", film.address)
    page.click("button:has-text('Show its picture')")
    page.wait_for_selector(".live img:not([hidden])", timeout=LIMIT)
    look(page, "camera")
    page.click("#next")

    # The mat: its tags are seen, and their size fits.
    heading(page, "Print the mat")
    page.wait_for_selector("text=The camera sees 4 of 4 tags", timeout=LIMIT)
    page.wait_for_selector("text=30 mm.", timeout=LIMIT)
    page.check("input[type=checkbox]")
    look(page, "mat")
    page.click("#next")

    # Aiming: in the dark it says so and what to do; in the light it is good, with the seats' names in the picture.
    heading(page, "Aim the camera")
    film.dark()
    page.wait_for_selector(".finding:has-text('dark')", timeout=LIMIT)
    assert page.locator("#next").text_content() == "Take it as it is"
    look(page, "dark")
    film.clear()
    page.wait_for_selector(".verdict[data-verdict=good]", timeout=LIMIT)
    until(page, lambda: page.locator(".live text").all_text_contents() == ["Near seat", "Far seat"])
    look(page, "aim")
    page.click("#next")

    # The deck: going on without one is told; four photographs; one is taken again; the sheet is confirmed by eye.
    heading(page, "Your cards")
    page.click("#next")
    page.wait_for_selector(".error:has-text('Choose a deck first')", timeout=LIMIT)
    page.fill(".field-label input", "Anna's")
    look(page, "deck")
    learn(page, film)
    look(page, "sheet")
    page.click("button:has-text('Yes, keep this deck')")

    # The lights: found, lit, confirmed.
    heading(page, "Lights")
    page.click("button:has-text('Look for the lights')")
    page.click("button:has-text('Light them up')", timeout=LIMIT)
    page.wait_for_selector("text=Left bar", timeout=LIMIT)
    look(page, "lights")
    page.click("button:has-text('They shine like that')")

    # Names, rules, and the lot for the first player.
    heading(page, "Who plays")
    page.fill(".pair input >> nth=0", "Anna")
    page.fill(".pair input >> nth=1", "Boris")
    page.click("label:has-text('18 points')")
    page.click("button:has-text('Draw lots')")
    page.wait_for_selector("text=The lot fell on", timeout=LIMIT)
    look(page, "players")
    page.click("#next")

    # A step that was left can be come back to, and everything is as it was.
    heading(page, "Ready to play?")
    page.click(".steps a[href='#players']")
    heading(page, "Who plays")
    assert page.input_value(".pair input >> nth=1") == "Boris"
    page.click("#next")
    heading(page, "Ready to play?")
    assert "Anna's" in str(page.locator(".summary").text_content())
    # Every line of the summary has a name of its own.
    assert page.locator(".summary dt").all_text_contents()[-3:] == ["Players", "Edition", "First player"]
    look(page, "play")
    # The film of the game: the boards are laid, the first player's card, the other's in the wrong theater, put right.
    first = started.choices()["first"]
    played = ScriptedBattle(first)
    film.play(*played.tables)
    page.click("button:has-text('Play')")

    # It ends with a read card, and with lights.
    page.wait_for_selector('body[data-wait="no"]', timeout=LIMIT)
    page.wait_for_selector('[data-tells="L6"]', timeout=LIMIT)
    until(page, lambda: page.locator(".thing[data-ok=yes]").count() == 2)
    page.wait_for_selector('.bar i[data-on="full"]', timeout=LIMIT)

    # Two phones follow it: the mistake, undo and correction by consent, the withdrawal.
    phones = {seat: browser.new_context(viewport=PHONE).new_page() for seat in SEATS}
    heard = [complaints, *(listened(phone) for phone in phones.values())]
    for seat, phone in phones.items():
        # What an invitation leaves on a phone; that its link is followed is tried where the page is open to a network.
        phone.context.add_cookies([{"name": COOKIE, "value": started.invitation(seat), "url": started.address}])
        phone.goto(started.address)
    played.walk(phones, look)

    # What does this card do? It says so at a tap.
    page.click('[data-tells="L6"]')
    page.wait_for_selector("dialog[open] :text('no card is stronger')", timeout=LIMIT)
    page.keyboard.press("Escape")
    assert heard == [[], [], []]
    assert started.stop() == 0
    for phone in phones.values():
        phone.context.close()

    # Next week, on a desk: the deck and the war are there, nothing was overwritten, and one press goes on with it.
    film.lay({})
    started.start()
    page = browser.new_page(viewport=DESK)
    complaints = listened(page)
    page.goto(started.address)
    page.wait_for_selector("text=An unfinished war", timeout=LIMIT)
    page.wait_for_selector("text=Anna's, learnt", timeout=LIMIT)
    look(page, "again")
    page.click("button:has-text('Go on with it')")
    page.wait_for_selector(f"[data-seat={first}] .points:has-text('{played.points} / 18')", timeout=LIMIT)
    # The browser's way back leads to setting up again, and not round to the table.
    page.go_back()
    page.wait_for_selector("text=A game is being played", timeout=LIMIT)
    look(page, "running")

    # The war is given up, and what stands open at the table does not go on showing what is over.
    beside = browser.new_page(viewport=DESK)
    beside.goto(started.address)
    beside.click("#war button:has-text('Concede')", timeout=LIMIT)
    beside.select_option("dialog select", played.other)
    beside.click("dialog button:has-text('whole war')")
    beside.wait_for_selector("#now[data-kind=end]:has-text('the war')", timeout=LIMIT)
    page.click("button:has-text('Stop playing')")
    page.wait_for_selector("text=Anna's, learnt", timeout=LIMIT)
    beside.wait_for_selector("text=Anna's, learnt", timeout=LIMIT)

    # It is in the archive: told battle by battle, watched again with its pictures, taken along.
    page.goto(started.address + "/games/")
    page.click(".war-card:has-text('Anna')", timeout=LIMIT)
    page.wait_for_selector("text=That card does not belong there", timeout=LIMIT)
    look(page, "archive")
    page.click("text=Watch again >> nth=0")
    page.wait_for_selector(".replay .now .who", timeout=LIMIT)
    page.locator(".moment:has-text('That card does not belong there')").first.click()
    page.wait_for_selector(".replay .now[data-kind=violation] .mend", timeout=LIMIT)
    page.wait_for_selector(".still img", timeout=LIMIT)
    look(page, "replay")
    page.click("text=This war")
    with page.expect_download() as notation:
        page.click("text=Notation (text)", timeout=LIMIT)
    assert "Heavy Tanks" in (told := Path(notation.value.path()).read_text("utf-8")) or "L6" in told
    assert complaints == []
    assert started.stop() == 0


def test_a_photograph_with_two_cards_exchanged_is_taken_again_alone(
    started: Started, film: TableFilm, browser: Any
) -> None:
    page = browser.new_page(viewport=DESK)
    complaints = listened(page)
    page.goto(started.address + "/setup/#camera")
    page.fill("input", film.address)
    page.click("button:has-text('Show its picture')")
    page.wait_for_selector(".live img:not([hidden])", timeout=LIMIT)
    page.evaluate("location.hash = 'deck'")
    page.fill(".field-label input", "Anna's")
    page.click("button:has-text('Begin to photograph')")
    page.wait_for_selector(".shots", timeout=LIMIT)

    # Given four photographs, of which that of the land cards has two in each other's place ...
    for number, photograph in enumerate(PHOTOGRAPHS):
        film.photograph(photograph, exchanged=photograph == "land")
        taken = number + 1
        until(page, lambda taken=taken: shots(page) >= taken)  # type: ignore[misc]

    # ... then it is said which card lies where, and one press takes that photograph again and keeps the other three.
    page.wait_for_selector("h2:has-text('Not learnt yet')", timeout=LIMIT)
    page.wait_for_selector(".error:has-text('the middle board is a 5, where the 2 belongs')", timeout=LIMIT)
    look(page, "mend-refused")
    page.click("button:has-text('Photograph land again')")
    until(page, lambda: shots(page) == 3)
    look(page, "mend-wanted")
    film.photograph("land")
    page.wait_for_selector(".sheet:visible", timeout=2 * LIMIT)
    # A phone whose screen was off loads the page again: the name that was typed is still there, and is the deck's.
    page.reload()
    page.wait_for_selector(".sheet:visible", timeout=LIMIT)
    assert page.input_value(".sheet ~ .field-label input") == "Anna's"
    until(page, lambda: page.locator(".sheet li").count() == 19)
    page.click("button:has-text('Yes, keep this deck')")
    heading(page, "Lights")
    page.goto(started.address + "/setup/")
    page.wait_for_selector("text=Anna's, learnt", timeout=LIMIT)
    assert complaints == []
    assert started.stop() == 0


def test_without_a_camera_a_demonstration_is_one_press_away(started: Started, browser: Any) -> None:
    page = browser.new_page(viewport=PHONE)
    complaints = listened(page)
    page.goto(started.address)
    page.click("button:has-text('Watch a demonstration')")
    page.wait_for_selector("#demo button:has-text('Pause')", timeout=LIMIT)
    page.wait_for_selector("[data-tells]", timeout=LIMIT)
    # It is stepped back through as one that was started by its own command, and is none of the games that were played.
    page.click("#demo button:has-text('Step back')")
    page.wait_for_selector("input[type=range]", timeout=LIMIT)
    page.wait_for_selector("[data-tells]", timeout=LIMIT)
    page.goto(started.address + "/games/")
    page.wait_for_selector("main p", timeout=LIMIT)
    assert page.locator(".war-card").count() == 0
    page.goto(started.address + "/setup/")
    page.click("button:has-text('Stop playing')")
    page.wait_for_selector("button:has-text('Watch a demonstration')", timeout=LIMIT)
    assert page.locator("text=An unfinished war").count() == 0
    assert complaints == []
    assert started.stop() == 0


def test_every_step_in_every_language_on_the_smallest_phone(
    started: Started, camera: TableCamera, browser: Any
) -> None:
    page = browser.new_page(viewport=SMALL)
    complaints = listened(page)
    page.goto(started.address + "/setup/#camera")
    page.fill("input", camera.address)
    page.keyboard.press("Enter")
    page.wait_for_selector(".live img:not([hidden])", timeout=LIMIT)
    for language in ("ru", "uk", "pl", "en"):
        page.select_option("#language", language)
        page.wait_for_selector(f"html[lang={language}]", timeout=LIMIT)
        for step in ("start", "camera", "mat", "aim", "deck", "lights", "players", "play"):
            page.evaluate("(step) => { location.hash = step; }", step)
            if step != "start":
                page.wait_for_selector(f".steps a[href='#{step}'][aria-current]", timeout=LIMIT)
            fits(page, f"wizard-small-{language}-{step}")
    assert complaints == []
    assert started.stop() == 0


def crashed(started: Started, camera: str, deck_chosen: bool) -> None:
    """The program, started again after a crash in the middle of a war; the camera was not aimed."""
    started.kill()
    data = started.home / "data" / "allfronts"
    deck = data / "decks" / "annas"
    deck.mkdir(parents=True, exist_ok=True)
    (deck / "profile.json").write_text('{"format": "allfronts-deck", "version": 1}', "utf-8")
    for log in data.glob("games.db*"):
        log.unlink()
    game = Played(data / "games.db", "revised")
    for scene in one_battle(7)[:3]:
        game.show(scene)
    game.log.close()
    chosen = Choices(camera=camera, deck=str(deck) if deck_chosen else None)
    save_choices(chosen, started.home / "config" / "allfronts" / "setup.json")
    started.start()


def test_after_a_crash_the_war_goes_on_with_the_camera_and_the_deck_that_were_chosen(
    started: Started, browser: Any
) -> None:
    page = browser.new_page(viewport=PHONE)
    # Given a camera that was not aimed, with a password in its address,
    crashed(started, "http://joe:geheim@127.0.0.1:9/video", deck_chosen=True)
    page.goto(started.address + "/setup/")
    # then going on is offered, and the password stands nowhere on the page;
    page.wait_for_selector("button:has-text('Go on with it')", timeout=LIMIT)
    said = page.inner_text("body")
    assert "http://joe:…@127.0.0.1:9/video" in said and "geheim" not in said
    assert "choose a camera" not in said
    # and where one of both is missing, that one alone is asked for.
    crashed(started, "0", deck_chosen=False)
    page.goto(started.address + "/setup/")
    page.wait_for_selector("text=To go on, choose a deck first.", timeout=LIMIT)
    assert started.stop() == 0


def test_next_takes_the_address_that_was_typed(started: Started, film: TableFilm, browser: Any) -> None:
    old = started.home / "old.png"
    cv2.imwrite(str(old), np.full((360, 640, 3), 90, np.uint8))
    page = browser.new_page(viewport=PHONE)
    complaints = listened(page)
    page.goto(started.address + "/setup/#camera")
    page.fill("input", str(old))
    page.click("button:has-text('Show its picture')")
    page.wait_for_selector(".live img:not([hidden])", timeout=LIMIT)
    # Given another address that is none, when Next is pressed, then it says so and stays;
    page.fill("input", "nothing-of-that-name")
    page.click("#next")
    page.wait_for_selector(".error:has-text('neither a camera nor a file')", timeout=LIMIT)
    assert started.choices()["camera"] == str(old)
    # and one that is right is the camera from then on.
    page.fill("input", film.address)
    page.click("#next")
    heading(page, "Print the mat")
    page.wait_for_selector("text=The camera sees 4 of 4 tags", timeout=LIMIT)
    assert started.choices()["camera"] == film.address
    assert complaints == []
    assert started.stop() == 0
