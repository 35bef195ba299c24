"""A whole evening in a real browser: the organiser, two tables, the room's screen; the broker and the desk are real."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from host.app.club import ClubOptions, RunningClub
from host.app.page_server import open_page as serve_page
from host.club.simulation.night import free_port, until
from host.club.simulation.tables import Fleet, PlayedOut, SimulatedTable
from host.club.tournament.events import Opened, Pair, Paired
from host.club.wire.broker import mosquitto_program
from host.demo.club_table import SimulatedClubTable
from host.web.access import Access
from host.web.backend import TableBackend
from tests.end_to_end.page_checks import chromium

pytestmark = pytest.mark.needs_browser

OUT = Path(__file__).parents[4] / "out"
LIMIT = 30_000
SCREEN = {"width": 1920, "height": 1080}
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def night(tmp_path: Path) -> Iterator[RunningClub]:
    if mosquitto_program() is None:
        pytest.skip("needs mosquitto")
    options = ClubOptions(tmp_path / "club", broker_port=free_port(), http_port=0, tables=3)
    made = RunningClub(options, lambda line: None)
    yield made
    made.close()


@pytest.fixture
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.fixture
def open_page(browser: Any) -> Iterator[Any]:
    """Opens a page of a size and language; a page that says an error fails the test."""
    errors: list[str] = []

    def make(address: str, size: dict[str, int], locale: str = "en") -> Any:
        page = browser.new_context(viewport=size, locale=locale).new_page()
        page.set_default_timeout(LIMIT)
        page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda e: errors.append(str(e)))
        page.goto(address)
        return page

    yield make
    assert errors == []


def seat(night: RunningClub, number: int, pause: float) -> SimulatedTable:
    """A companion that joins anew, so its log has a name of its own."""
    log = f"log-{number}-{time.monotonic_ns()}"
    return SimulatedTable(night.join_code(f"t{number}"), PlayedOut(number, pause), log, time.time)


def shot(page: Any, name: str) -> None:
    OUT.mkdir(exist_ok=True)
    page.screenshot(path=OUT / f"club-{name}.png")


def test_an_evening_from_check_in_to_the_last_standings(night: RunningClub, open_page: Any) -> None:
    desk = open_page(night.base, DESKTOP)
    screen = open_page(f"{night.base}/screen", SCREEN)

    # The organiser opens the evening and enters five players; one of them checks in with the own phone.
    desk.get_by_label("Name of the evening").fill("Thursday club")
    desk.get_by_label("Rounds").fill("2")
    desk.get_by_label("Points that win a war").fill("6")
    desk.get_by_role("button", name="Open the evening").click()
    desk.get_by_label("One name a line").fill("Anna\nBela\nChris\nDora")
    desk.get_by_label("Is here already").check()
    desk.get_by_role("button", name="Enter a player").click()
    desk.get_by_label("One name a line").fill("Emil")
    desk.get_by_role("button", name="Enter a player").click()
    desk.get_by_text("Not here yet").wait_for()
    assert night.desk.state is not None
    phone = open_page(f"{night.base}/check-in/{night.desk.state.players[5].token}", PHONE)
    phone.get_by_role("button", name="Check in").click()
    phone.get_by_text("You are checked in").wait_for()
    desk.get_by_role("cell", name="Not here yet").wait_for(state="detached")

    # Two companions are there. Round 1 is paired; names appear on the screen, results arrive by themselves.
    fleet = Fleet([seat(night, 1, 0.02), seat(night, 2, 0.02)])
    fleet.start()
    try:
        until(lambda: sum(c.here for c in night.desk.companions.values()) == 2, "both companions")
        desk.get_by_role("link", name="Round", exact=True).click()
        desk.get_by_role("button", name="Pair round 1").click()
        desk.get_by_role("heading", name="Round 1 of 2").wait_for()
        screen.get_by_text("Round 1 of 2").wait_for()
        bye = desk.get_by_text("Bye: ").first.inner_text().removeprefix("Bye: ")
        for name in {"Anna", "Bela", "Chris", "Dora", "Emil"} - {bye}:
            screen.locator("#tables").get_by_text(name, exact=True).wait_for()
        desk.get_by_role("button", name="Start the clock").click()
        screen.locator("#clock", has_text=re.compile(r"\d+:\d\d")).wait_for()
        screen.locator(".card.over").nth(1).wait_for()
        assert screen.locator(".card .won").count() == 2
        shot(screen, "screen")

        # The organiser sees both results come without reloading, and corrects one, with a reason.
        desk.get_by_role("button", name="Pair round 2").wait_for()
        shot(desk, "organiser")
        assert desk.get_by_role("cell", name="The table", exact=True).count() == 2
        first = desk.locator("tr", has=desk.get_by_role("rowheader", name="1", exact=True))
        first.locator("input[name=near]").fill("2")
        first.locator("input[name=far]").fill("6")
        first.get_by_label("Reason").fill("The sides were mixed up")
        first.get_by_role("button", name="Save").click()
        desk.get_by_role("cell", name="The organiser", exact=True).wait_for()
        screen.locator(".card", has_text="2").first.wait_for()

        # One player leaves, one comes late; round 2 is paired, mended by hand, and the mending undone.
        desk.get_by_role("link", name="Players").click()
        desk.get_by_role("button", name="Drops out: Dora").click()
        desk.get_by_text("Has left").wait_for()
        desk.get_by_label("One name a line").fill("Fred")
        desk.get_by_label("Is here already").check()
        desk.get_by_role("button", name="Enter a player").click()
        desk.get_by_role("rowheader", name="Fred").wait_for()
        fleet.close()
        desk.get_by_role("link", name="Round", exact=True).click()
        desk.get_by_role("button", name="Pair round 2").click()
        desk.get_by_role("heading", name="Round 2 of 2").wait_for()
        desk.get_by_text("Why this pairing is right").click()
        desk.get_by_text("Nobody meets anybody again").wait_for()
        before = night.desk.state.current
        desk.get_by_text("Mend the pairing by hand").click()
        assert before is not None
        desk.locator("select[name=one]").first.select_option(value=str(before.pairs[0].near))
        desk.locator("select[name=two]").first.select_option(value=str(before.pairs[1].near))
        desk.get_by_role("button", name="Swap").click()
        until(lambda: night.desk.state and night.desk.state.current != before, "the mended pairing")
        desk.get_by_role("button", name="Undo the last step").click()
        until(lambda: night.desk.state and night.desk.state.current == before, "the pairing as it was")
        phone.reload()
        phone.get_by_text(re.compile("Round 2: ")).wait_for()
        shot(phone, "phone")
    finally:
        if fleet._thread.is_alive():
            fleet.close()

    # A companion is broken: a spare takes its place in mid-round and finishes the match.
    desk.get_by_role("link", name="Tables", exact=True).click()
    row = desk.locator("tr", has=desk.get_by_role("rowheader", name="t3"))
    row.locator("input[name=table]").fill("1")
    row.get_by_role("button", name="Put there").click()
    until(lambda: night.desk.table_of("t3") == 1, "the spare at table 1")
    spares = Fleet([seat(night, 3, 0.02), seat(night, 2, 0.02)])
    spares.start()
    try:
        until(lambda: night.desk.state and night.desk.state.current and night.desk.state.current.complete, "round 2")
    finally:
        spares.close()

    # The end: standings on the screen in the language that it is opened in, and files to keep.
    desk.get_by_role("link", name="Round", exact=True).click()
    desk.get_by_role("button", name="End the tournament").click()
    desk.get_by_role("heading", name="Standings").wait_for()
    shot(desk, "standings")
    screen.get_by_text("The tournament is over").wait_for()
    polish = open_page(f"{night.base}/screen", SCREEN, "pl")
    polish.get_by_text("Turniej zakończony").wait_for()
    desk.get_by_role("link", name="What happened").click()
    desk.get_by_text("The sides were mixed up").wait_for()
    with desk.expect_download() as saved:
        desk.goto(f"{night.base}/standings")
        desk.get_by_role("link", name="standings.csv").click()
    assert "Anna" in Path(saved.value.path()).read_text("utf-8")


def test_two_tables_with_their_own_pages_play_a_round(night: RunningClub, open_page: Any, tmp_path: Path) -> None:
    """The organiser's page, the screen, and at each table all that `play --club` has but the camera."""
    night.desk.act(Opened("Thursday club", rounds=1, target=6))
    for name in ("Anna", "Bela", "Chris", "Dora"):
        night.desk.enter(name, checked_in=True)
    tables = [SimulatedClubTable(tmp_path / f"t{n}", night.join_code(f"t{n}"), 2 + n) for n in (1, 2)]
    served = []
    try:
        phones = []
        for table, language in zip(tables, ("en", "uk"), strict=True):
            access = Access()
            page = serve_page(TableBackend(table.session, table.page, access, "x"), access, 0, language)
            served.append(page)
            phones.append(open_page(page.base, PHONE, language))
        desk = open_page(night.base, DESKTOP)
        screen = open_page(f"{night.base}/screen", SCREEN)
        desk.get_by_role("button", name="Pair round 1").click()

        # Names, round and table come by themselves, in each phone's language.
        assert night.desk.state is not None
        until(lambda: night.desk.state and night.desk.state.current, "the pairing")
        current = night.desk.state.current
        assert current is not None
        phones[0].get_by_text("Round 1, table 1").first.wait_for()
        phones[1].get_by_text("Тур 1, стіл 2").first.wait_for()
        for phone, pair in zip(phones, current.pairs, strict=True):
            for number in (pair.near, pair.far):
                phone.get_by_text(night.desk.state.players[number].name).first.wait_for()

        # The organiser's announcement is on both pages; both wars are played; both results arrive.
        desk.get_by_label("Announcement to all tables").fill("Tea is ready")
        desk.get_by_role("button", name="Send").click()
        phones[0].get_by_text("From the desk: Tea is ready").wait_for()
        phones[1].get_by_text("Від суддівського столу: Tea is ready").wait_for()
        screen.get_by_text("Tea is ready").wait_for()
        for table in tables:
            table.play()
        screen.locator(".card.over").nth(1).wait_for()
        shot(phones[0], "table-page")
        desk.get_by_role("button", name="End the tournament").click()
        desk.get_by_role("heading", name="Standings").wait_for()

        # Afterwards each table is its owner's again.
        phones[0].get_by_text("this table is yours again").wait_for()
        until(lambda: all(t.session.standing.target == 12 for t in tables), "the owners' rules")
    finally:
        for page, table in zip(served, tables, strict=False):
            table.page.broadcaster.close()
            page.server.close()
        for table in tables:
            table.close()


def test_the_printed_codes_can_be_scanned(night: RunningClub, open_page: Any) -> None:
    night.desk.act(Opened("Club night"))
    night.desk.enter("Anna")
    assert night.desk.state is not None

    def scanned(path: str) -> set[str]:
        page = open_page(f"{night.base}{path}", DESKTOP)
        page.emulate_media(media="print")
        found: set[str] = set()
        for code in page.locator("svg").all():
            image = cv2.imdecode(np.frombuffer(code.screenshot(), np.uint8), cv2.IMREAD_COLOR)
            assert image is not None
            # A margin and finer points, as a phone's camera has them.
            image = cv2.copyMakeBorder(image, 30, 30, 30, 30, cv2.BORDER_CONSTANT, value=(255, 255, 255))
            image = cv2.resize(image, None, fx=4, fy=4, interpolation=cv2.INTER_CUBIC)
            readers: tuple[Any, ...] = (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco())
            # As a phone does: what one reader cannot read, the other can.
            found.add(next((text for reader in readers if (text := reader.detectAndDecode(image)[0])), ""))
        return found

    token = night.desk.state.players[1].token
    assert scanned("/print/codes") == {
        f"{night.base}/check-in/{token}",
        f"{night.base}/enter/{night.access.entrance}",
    }
    assert scanned("/print/companions") == {str(night.join_code(f"t{n}")) for n in (1, 2, 3)}


def test_the_screen_shows_trouble_and_finds_back_after_the_desk_was_away(night: RunningClub, open_page: Any) -> None:
    night.desk.act(Opened("Club night", rounds=1))
    for name in ("Anna", "Bela"):
        night.desk.enter(name, checked_in=True)
    night.desk.pair()
    table = seat(night, 1, 0.3)
    fleet = Fleet([table])
    fleet.start()
    try:
        screen = open_page(f"{night.base}/screen", SCREEN)
        desk = open_page(night.base, DESKTOP)
        until(lambda: table.outbox.head().sequence > 1, "the war to begin")
        table.trouble = ("too-dark",)
        screen.locator(".card.bad .trouble", has_text="camera dark").wait_for()
        desk.get_by_text("Table 1: Camera dark").wait_for()
        table.trouble = ()
        screen.locator(".card.bad").wait_for(state="detached")
        desk.get_by_text("Nothing needs you.").wait_for()
        # It goes with a trouble of its camera: what it saw last is no trouble of now.
        table.trouble = ("too-dark",)
        screen.locator(".card.bad .trouble", has_text="camera dark").wait_for()
    finally:
        fleet.close()
    screen.locator(".card.bad .trouble", has_text=re.compile("^not connected$")).wait_for()
    desk.get_by_text("Table 1: Not connected").wait_for()


@pytest.mark.parametrize("count", [2, 9, 30, 64])
def test_the_screen_has_room_for_that_many_tables(night: RunningClub, open_page: Any, count: int) -> None:
    night.desk.act(Opened("A name that is as long as an evening of many rounds"))
    for n in range(2 * count):
        night.desk.enter(f"Maximiliane the {n}th", checked_in=True)
    night.desk.act(Paired(1, tuple(Pair(n + 1, 2 * n + 1, 2 * n + 2) for n in range(count))))

    screen = open_page(f"{night.base}/screen", SCREEN)

    screen.locator(".card").nth(count - 1).wait_for()
    outside = screen.evaluate(
        "() => [...document.querySelectorAll('.card, .card .points, .card .number')]"
        ".filter(e => { const r = e.getBoundingClientRect(); const c = e.closest('.card').getBoundingClientRect();"
        "return r.bottom > innerHeight || r.right > innerWidth || r.bottom > c.bottom + 1 || r.right > c.right + 1 })"
        ".map(e => e.className)"
    )
    shot(screen, f"screen-{count}")
    assert outside == []
