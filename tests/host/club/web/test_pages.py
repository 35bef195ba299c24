"""The desk's pages without a browser: who may open what, what is refused, and what is served to be saved or printed."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.lexicon import LANGUAGES
from host.club.desk import Desk
from host.club.screen import Feed
from host.club.store.opening import open_store
from host.club.tournament.events import Opened, Reported
from host.club.web.access import COOKIE, INVITATIONS, ClubInvitation, DeskAccess, load_access
from host.club.web.app import Site, make_club_app
from host.club.web.companions import Companions
from host.club.web.forms import FORMS
from host.messages import catalogue
from host.web.invitations import HELD_SECONDS

HOST = "127.0.0.1:8430"


class Pages:
    """The desk's application and the organiser at it."""

    def __init__(self, folder: Path, opened: bool = False) -> None:
        self.store = open_store(folder / "desk.db", "club")
        self.desk = Desk(self.store, Feed(time.monotonic), lambda: 1000.0)
        self.access: DeskAccess = load_access(folder / "access.json", opened)
        codes = {"t1": "mqtts://t1:secret@127.0.0.1:8883/club"}
        site = Site(
            self.access,
            lambda: frozenset({HOST}),
            lambda: f"http://{HOST}",
            companions=Companions(lambda: codes),
            now=lambda: 1000.0,
        )
        self.client: FlaskClient = make_club_app(self.desk, site).test_client()

    def get(self, path: str, **more: Any) -> Any:
        return self.client.get(path, headers={"Host": HOST, **more.pop("headers", {})}, **more)

    def post(self, action: str, **fields: Any) -> Any:
        sent = {"csrf": self.access.csrf("organiser"), **fields}
        return self.client.post(f"/do/{action}", data=sent, headers={"Host": HOST})

    def open(self, *players: str) -> None:
        self.desk.act(Opened("Club night"))
        for name in players:
            self.desk.enter(name, checked_in=True)


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[Pages]:
    made = Pages(tmp_path)
    yield made
    made.store.close()


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Pages]:
    """Opened to the network: nothing without an invitation."""
    made = Pages(tmp_path, opened=True)
    yield made
    made.store.close()


def test_a_whole_evening_in_forms(pages: Pages) -> None:
    settings = {"system": "swiss", "rounds": 2, "target": 12, "minutes": 30, "delay": 0, "tie1": "buchholz"}
    assert pages.post("open", name="Thursday", **settings).status_code == 303
    assert pages.post("enter", names="Anna\nBela\n\nChris\nDora", here="yes").status_code == 303
    assert pages.post("pair").status_code == 303
    for table in (1, 2):
        assert pages.post("report", round=1, table=table, near=12, far=7).status_code == 303
    assert pages.post("pair").status_code == 303
    for table in (1, 2):
        pages.post("report", round=2, table=table, near=0, far=12, how="walkover")
    assert pages.post("finish").status_code == 303

    assert pages.desk.state is not None and pages.desk.state.finished
    assert "Anna" in pages.get("/standings").text
    assert pages.get("/export/standings.csv").text.startswith("\ufeffrank,name,points,buchholz")
    assert "walkover" in pages.get("/export/results.csv").text
    assert pages.get("/export/tournament.trf").text.startswith("012 Thursday")
    assert "12:7" in pages.get("/trace").text


@pytest.mark.parametrize("action", sorted(FORMS))
def test_no_form_works_without_its_token_or_from_another_site(pages: Pages, action: str) -> None:
    pages.open("Anna", "Bela")
    before = len(pages.desk.records)

    assert pages.client.post(f"/do/{action}", headers={"Host": HOST}).status_code == 403
    token = pages.access.csrf("organiser")
    foreign = {"Host": HOST, "Origin": "http://evil.example"}
    assert pages.client.post(f"/do/{action}", data={"csrf": token}, headers=foreign).status_code == 403
    assert pages.get(f"/do/{action}").status_code in (404, 405)
    assert len(pages.desk.records) == before


@pytest.mark.parametrize("action", sorted(FORMS))
def test_no_form_breaks_on_nonsense(pages: Pages, action: str) -> None:
    pages.open("Anna", "Bela", "Chris")
    pages.post("pair")
    numbers = ("player", "round", "table", "near", "far", "one", "two", "sequence")
    settings = ("rounds", "target", "minutes", "delay")
    for value in ("", "-1", "x", "９", "999999999999", "\x00", "1" * 5000):
        sent = dict.fromkeys((*numbers, *settings, "name", "names", "system", "how", "account", "tie1", "text"), value)
        assert pages.post(action, **sent).status_code in (303, 409)
    assert pages.get("/").status_code == 200


def test_a_refusal_is_said_in_the_organisers_language(pages: Pages) -> None:
    pages.open("Anna")
    pages.client.set_cookie("allfronts_language", "pl", domain="127.0.0.1")

    answer = pages.post("enter", names="anna")

    assert answer.status_code == 409
    assert "Dodaj literę" in answer.text


def test_a_list_with_a_name_that_is_refused_enters_nobody_and_is_still_there_to_be_mended(pages: Pages) -> None:
    pages.open("Anna")

    answer = pages.post("enter", names="Bela\nanna\n<Chris>", here="yes", page="players")

    assert answer.status_code == 409
    assert pages.desk.state is not None and [p.name for p in pages.desk.state.players.values()] == ["Anna"]
    assert "Bela\nanna\n&lt;Chris&gt;</textarea>" in answer.text and " checked>" in answer.text
    assert pages.post("enter", names="Bela\nAnna II\nChris", here="yes").status_code == 303
    assert [p.plays for p in pages.desk.state.players.values()] == [True] * 4


def test_names_are_text_and_never_mark_up(pages: Pages) -> None:
    pages.open("<script>alert(1)</script>", '"><img src=x>')
    pages.post("pair")

    for path in ("/", "/players", "/tables", "/standings", "/settings", "/trace", "/print/matches", "/print/codes"):
        assert "<script>alert" not in pages.get(path).text
        assert "<img src=x" not in pages.get(path).text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_in_every_language_and_no_code_is_left_unsaid(pages: Pages, language: str) -> None:
    pages.open("Anna", "Bela", "Chris")
    pages.post("pair")
    pages.post("report", round=1, table=1, near=12, far=3)
    pages.post("announce", text="x")
    pages.post("drop", player=2)
    codes = {code for group in ("club", "club-tie", "club-proof") for code in catalogue("en")[group] if "-" in code} - {
        "check-in"
    }

    for path in ("/", "/players", "/tables", "/standings", "/settings", "/trace", "/print/codes", "/print/cards"):
        answer = pages.get(f"{path}?lang={language}")
        shown = re.sub(r"<[^>]*>", " ", answer.text)
        assert f'<html lang="{language}">' in answer.text
        assert not codes & set(re.findall(r"[a-z]+(?:-[a-z]+)+", shown)), path


def test_opened_to_the_network_nothing_is_served_without_an_invitation(opened: Pages) -> None:
    opened.open("Anna", "Bela")
    for path in ("/", "/players", "/screen", "/screen/now", "/changes", "/print/companions", "/export/results.csv"):
        assert opened.get(path).status_code == 401
    assert opened.get("/join?k=guessed").status_code == 401
    assert opened.post("pair").status_code == 401


def test_a_screen_sees_the_screen_and_nothing_else(opened: Pages) -> None:
    opened.open("Anna", "Bela")
    assert opened.get(f"/join?k={opened.access.tokens['screen']}").headers["Location"] == "/screen"

    assert opened.get("/screen").status_code == 200
    assert opened.get("/screen/now").status_code == 200
    for path in ("/", "/players", "/trace", "/print/companions", "/print/codes", "/export/results.csv", "/changes"):
        assert opened.get(path).status_code == 403
    assert opened.post("pair").status_code == 403
    assert "secret" not in opened.get("/screen").text


def test_a_link_from_elsewhere_does_not_make_a_screen_of_the_organiser(opened: Pages) -> None:
    opened.open("Anna", "Bela")
    opened.get(f"/join?k={opened.access.tokens['organiser']}")
    opened.get(f"/join?k={opened.access.tokens['screen']}")
    assert opened.get("/players").status_code == 200


def test_another_sites_name_pointed_at_the_desk_is_refused(pages: Pages) -> None:
    assert pages.client.get("/", headers={"Host": "evil.example"}).status_code == 400


def test_a_players_code_checks_in_that_player_and_opens_nothing_else(opened: Pages) -> None:
    opened.desk.act(Opened("Club night"))
    opened.desk.enter("Anna")
    opened.desk.enter("Bela")
    assert opened.desk.state is not None
    token = opened.desk.state.players[1].token

    page = opened.get(f"/check-in/{token}").text
    csrf = re.search(r'name="csrf" value="(\w+)"', page)
    assert csrf is not None and "Anna" in page and "Bela" not in page
    other = opened.desk.state.players[2].token
    sent = {"data": {"csrf": csrf[1]}, "headers": {"Host": HOST}}
    assert opened.client.post(f"/check-in/{other}", **sent).status_code == 403
    assert opened.client.post(f"/check-in/{token}", **sent).status_code == 303

    assert [p.checked_in for p in opened.desk.state.players.values()] == [True, False]
    assert opened.get("/").status_code == 401
    assert opened.get("/check-in/guessed").status_code == 404


def test_a_player_sees_the_table_of_the_round_on_the_own_phone(opened: Pages) -> None:
    opened.open("Anna", "Bela", "Chris")
    opened.desk.pair()
    assert opened.desk.state is not None and opened.desk.state.current is not None

    shown = {p.name: opened.get(f"/check-in/{p.token}").text for p in opened.desk.state.players.values()}

    current = opened.desk.state.current
    near = opened.desk.state.players[current.pairs[0].near].name
    far = opened.desk.state.players[current.pairs[0].far].name
    assert f"Round 1: table 1, against {far}" in shown[near]
    assert "bye" in shown[opened.desk.state.players[current.bye or 0].name]


def test_late_people_enter_themselves_at_the_entrance(opened: Pages) -> None:
    opened.open("Anna", "Bela")
    path = f"/enter/{opened.access.entrance}"
    csrf = re.search(r'name="csrf" value="(\w+)"', opened.get(path).text)
    assert csrf is not None

    def enter(name: str) -> Any:
        return opened.client.post(path, data={"csrf": csrf[1], "name": name}, headers={"Host": HOST})

    assert enter("Chris").status_code == 303
    assert enter("anna").status_code == 409
    assert opened.desk.state is not None and opened.desk.state.players[3].plays
    assert opened.get("/enter/guessed").status_code == 404


def test_who_finds_no_free_place_at_the_entrance_is_not_in_the_list_and_may_ask_again(opened: Pages) -> None:
    opened.desk.act(Opened("Club night", system="round-robin"))
    for name in ("Anna", "Bela", "Chris", "Dora"):
        opened.desk.enter(name, checked_in=True)
    opened.desk.pair()
    path = f"/enter/{opened.access.entrance}"
    sent = {"csrf": opened.access.csrf(opened.access.entrance), "name": "Late"}

    answers = [opened.client.post(path, data=sent, headers={"Host": HOST}) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [409, 409]
    assert all("no free place" in answer.text for answer in answers)
    assert opened.desk.state is not None and len(opened.desk.state.players) == 4


def test_the_pairing_is_mended_by_swapping_two_players_and_undone(pages: Pages) -> None:
    pages.open("Anna", "Bela", "Chris", "Dora", "Emil")
    pages.post("pair")
    assert pages.desk.state is not None and pages.desk.state.current is not None
    before = pages.desk.state.current
    bye, one = before.bye, before.pairs[0].near

    pages.post("swap", one=one, two=bye, reason="Emil is still on the train")
    assert pages.desk.state.current.bye == one
    pages.post("undo")

    assert pages.desk.state.current == before
    assert "still on the train" in pages.get("/trace").text


def test_a_late_player_and_the_one_with_the_bye_play_each_other(pages: Pages) -> None:
    pages.open("Anna", "Bela", "Chris")
    pages.post("pair")
    pages.post("enter", names="Dora", here="yes")
    assert pages.desk.state is not None and pages.desk.state.current is not None
    bye = pages.desk.state.current.bye

    pages.post("add-match", one=bye, two=4)

    current = pages.desk.state.current
    assert current.bye is None
    assert {current.pairs[1].near, current.pairs[1].far} == {bye, 4}


def test_a_result_of_an_earlier_round_is_corrected_with_a_trace(pages: Pages) -> None:
    # given two rounds, the second of them running
    pages.open("Anna", "Bela", "Chris", "Dora")
    pages.post("pair")
    for table in (1, 2):
        pages.desk.act(Reported(1, table, 12, 3, log=f"log-{table}"), f"t{table}")
    pages.post("pair")
    # when the organiser opens the standings, each round's results can be typed over
    assert pages.get("/standings").text.count('name="reason"') == 2
    sent = {"round": 1, "table": 1, "near": 3, "far": 12, "reason": "the sides were mixed up", "page": "standings"}
    assert pages.post("report", **sent).headers["Location"].endswith("/standings")
    # then the standings follow, and the trace has both, with who and why
    assert pages.desk.state is not None
    assert (pages.desk.state.rounds[0].results[1].near, pages.desk.state.rounds[0].results[1].by_hand) == (3, True)
    trace = pages.get("/trace").text
    assert "12:3" in trace and "3:12" in trace and "the sides were mixed up" in trace
    assert "<td>t1</td>" in trace and "<td>The organiser</td>" in trace


def test_the_button_for_undo_says_what_it_takes_back(pages: Pages) -> None:
    pages.open()
    assert re.search(r"<button disabled>Undo the last step</button>", pages.get("/").text)
    pages.post("enter", names="Anna")
    assert "<button >Undo the last step: Anna was entered</button>" in pages.get("/").text
    # A second organiser's step between looking and tapping is not the one that is taken back.
    sequence = re.search(r'name="sequence" value="(\d+)"', pages.get("/").text)
    assert sequence
    pages.post("enter", names="Bela")
    pages.post("undo", sequence=sequence[1])
    assert pages.desk.state is not None
    assert [p.name for p in pages.desk.state.players.values()] == ["Bela"]


def test_the_headers_forbid_foreign_scripts_frames_and_forms(pages: Pages) -> None:
    pages.open("Anna")
    policy = pages.get("/").headers["Content-Security-Policy"]

    assert "default-src 'none'" in policy and "script-src 'self'" in policy and "form-action 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert pages.get("/").headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("name", INVITATIONS)
def test_a_revoked_invitation_opens_nothing_more_and_the_organiser_stays(opened: Pages, name: ClubInvitation) -> None:
    opened.open("Anna", "Bela")
    before = dict(opened.access.tokens)
    opened.get(f"/join?k={before['organiser']}")
    assert opened.client.post("/invitations/revoke", headers={"Host": HOST}).status_code == 403

    sent = {"csrf": opened.access.csrf("organiser"), "invitation": name}
    assert opened.client.post("/invitations/revoke", data=sent, headers={"Host": HOST}).status_code == 303

    after = dict(opened.access.tokens)
    assert {one for one in INVITATIONS if after[one] != before[one]} == {name}
    assert opened.get("/settings").status_code == 200
    path = f"/enter/{before[name]}" if name == "entrance" else f"/join?k={before[name]}"
    assert opened.get(path).status_code in (401, 404)
    opened.client.delete_cookie(COOKIE, domain="127.0.0.1")
    assert opened.get("/settings").status_code == 401
    opened.client.set_cookie(COOKIE, before[name], domain="127.0.0.1")
    assert opened.get("/screen").status_code == 401


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_settings_show_each_invitation_with_its_end_and_a_way_to_revoke_it(opened: Pages, language: str) -> None:
    opened.open("Anna", "Bela")
    opened.get(f"/join?k={opened.access.tokens['organiser']}")
    page = html.unescape(opened.get(f"/settings?lang={language}").text)
    words = catalogue(language)["club"]
    assert page.count(words["revoke"]) == len(INVITATIONS)
    for name in INVITATIONS:
        assert opened.access.tokens[name] in page
        assert words[f"invitation-{name}"] in page


def test_invitations_end_after_a_day_and_a_restart_on_another_day_makes_new_ones(tmp_path: Path) -> None:
    now, told = [1_800_000_000.0], list[str]()

    def load() -> DeskAccess:
        path = tmp_path / "access.json"
        return load_access(path, True, lambda: told.append("anew"), clock=lambda: now[0], wall=lambda: now[0])

    access = load()
    before = dict(access.tokens)
    now[0] += HELD_SECONDS - 1
    assert access.role_of(before["screen"]) == "screen"
    now[0] += 1
    assert access.role_of(before["screen"]) is None and access.role_of(before["organiser"]) is None
    assert not access.is_entrance(before["entrance"])
    assert told

    today = dict(access.tokens)
    assert dict(load().tokens) == today
    now[0] += HELD_SECONDS
    again = dict(load().tokens)
    assert not set(again.values()) & set(today.values())
    assert dict(load().tokens) == again


def test_invitations_are_kept_for_this_person_only_and_found_again(tmp_path: Path) -> None:
    first = load_access(tmp_path / "access.json", True)

    assert load_access(tmp_path / "access.json", True) == first
    assert (tmp_path / "access.json").stat().st_mode & 0o077 == 0
    (tmp_path / "access.json").write_text('{"organiser": "x"}')
    assert load_access(tmp_path / "access.json", True).tokens["organiser"] != "x"
    assert COOKIE not in str(first)
