"""A real table in a club: session, log and page, over the real broker, with the desk on the other side."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.failure import Failure
from engine.lexicon import LANGUAGES
from host.club.desk import Desk
from host.club.simulation.night import ClubNight, until
from host.club.table.membership import Assignment, assignment_from_json
from host.club.table.page_conditions import club_conditions
from host.club.tournament.events import Announced, ClockSet, Finished, Opened
from host.club.wire.join_code import JoinCode
from host.demo.club_table import SimulatedClubTable
from host.session.session import Rules
from host.web.view_serializer import localised

Night = Callable[[int], ClubNight]
Seat = Callable[..., SimulatedClubTable]


@pytest.fixture
def seat(tmp_path: Path) -> Iterator[Seat]:
    """Starts tables that join with the code of an account."""
    made: list[SimulatedClubTable] = []

    def start(code: JoinCode, seed: int = 3, owner: Rules | None = None) -> SimulatedClubTable:
        made.append(SimulatedClubTable(tmp_path / f"table-{len(made)}", code, seed, owner))
        return made[-1]

    yield start
    for table in made:
        table.close()


def opened(desk: Desk, *names: str, target: int = 6) -> Desk:
    desk.act(Opened("Thursday club", target=target, rounds=2))
    for name in names or ("Anna", "Bela"):
        desk.enter(name, checked_in=True)
    return desk


def state(desk: Desk) -> Any:
    assert desk.state is not None
    return desk.state


def shown(table: SimulatedClubTable, language: str = "en") -> dict[str, Any]:
    newest = table.page.broadcaster.newest
    assert newest is not None
    return localised(newest.view, language, "owner", "x")


def in_match(table: SimulatedClubTable) -> bool:
    return table.session.rules.names != ("", "")


def test_names_round_and_target_come_by_themselves_and_the_result_goes_by_itself(club_night: Night, seat: Seat) -> None:
    night = club_night(1)
    desk = opened(night.open_desk())
    table = seat(night.code("t1"))
    desk.pair()
    until(lambda: in_match(table), "the match at the table")

    pair = state(desk).current.pairs[0]
    near, far = state(desk).players[pair.near].name, state(desk).players[pair.far].name
    page = shown(table)
    assert page["seats"]["near"]["name"].startswith(near) and page["seats"]["far"]["name"].startswith(far)
    assert page["battle_text"].startswith("Round 1, table 1")
    assert page["target"] == 6
    table.play()
    score = dict(table.session.standing.score)

    until(lambda: state(desk).current.complete, "the result at the desk")
    result = state(desk).current.results[1]
    assert (result.near, result.far, result.by_hand) == (score["near"], score["far"], False)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_the_match_in_every_language(club_night: Night, seat: Seat, language: str) -> None:
    night = club_night(1)
    desk = opened(night.open_desk(), "Анна", "Żaneta")
    table = seat(night.code("t1"))
    desk.pair()
    desk.act(Announced("Чай"))
    desk.act(ClockSet(2_000_000_000.0))
    until(lambda: in_match(table) and len(shown(table, language)["things"]) == 5, "what the desk says")

    said = " ".join(str(thing) for thing in shown(table, language)["things"])

    assert "Анна" in said and "Żaneta" in said and "Чай" in said
    assert "club-" not in said and "{" not in json.dumps([c.code for c in table.page.broadcaster.newest.view.club])


def test_what_was_played_before_joining_and_between_matches_is_nobodys_business(club_night: Night, seat: Seat) -> None:
    night = club_night(1)
    desk = opened(night.open_desk())
    table = seat(night.code("t1"), owner=Rules(target=6))
    until(lambda: desk.companions.get("t1") is not None and desk.companions["t1"].here, "the table at the desk")
    table.play(until=lambda: table.session.said > 5)
    home = table.session.war
    assert desk.companions["t1"].view.theaters == (), "a game at home shows nothing but its troubles"

    desk.pair()
    until(lambda: in_match(table), "the match")
    table.play()
    until(lambda: state(desk).current.complete and table.membership.waiting == 0, "the result")

    assert night.store is not None
    (log,) = night.store.heads()
    bodies = [entry.content for entry in night.store.entries(log)]
    assert {body["match"] for body in bodies} == {"1-1-2"}
    assert len(bodies) == sum(e.war == table.session.war for e in table.log.entries()) != 0
    assert sum(e.war == home for e in table.log.entries()) > 3


def test_no_entry_at_the_desk_names_a_card_that_lay_face_down(club_night: Night, seat: Seat) -> None:
    night = club_night(1)
    desk = opened(night.open_desk(), target=18)
    table = seat(night.code("t1"))
    desk.pair()
    until(lambda: in_match(table), "the match")
    table.play()
    until(lambda: state(desk).current.complete, "the result")

    assert night.store is not None
    (log,) = night.store.heads()
    moves = [
        event["move"] for e in night.store.entries(log) for event in e.content["events"] if event["event"] == "move"
    ]
    hidden = [m for m in moves if m["do"] in ("improvise", "reinforce", "return")]
    assert len(hidden) > 3 and all(m.get("card") is None for m in hidden)
    assert all("state" not in e.content and "hand" not in e.body for e in night.store.entries(log))


def test_without_a_broker_the_table_plays_on_and_everything_comes_later(club_night: Night, seat: Seat) -> None:
    night = club_night(1)
    desk = opened(night.open_desk())
    table = seat(night.code("t1"))
    desk.pair()
    until(lambda: in_match(table), "the match")
    night.broker.kill()
    until(lambda: not table.membership.shown.connected, "the table to see it")

    table.play()
    assert table.session.standing.war_winner is not None
    assert any("Play on" in str(thing) for thing in shown(table)["things"])
    night.broker.start()

    until(lambda: state(desk).current.complete and table.membership.waiting == 0, "the result")


def test_a_table_that_is_started_again_goes_on_with_its_match_and_nothing_is_there_twice(
    club_night: Night, seat: Seat
) -> None:
    night = club_night(1)
    desk = opened(night.open_desk(), target=12)
    table = seat(night.code("t1"))
    desk.pair()
    until(lambda: in_match(table), "the match")
    war = table.session.war
    table.play(until=lambda: table.session.standing.battle > 1)

    table.restart()
    until(lambda: table.membership.shown.connected, "the connection")
    assert table.session.war == war
    table.play()

    until(lambda: state(desk).current.complete and table.membership.waiting == 0, "the result")
    assert night.store is not None
    (log,) = night.store.heads()
    assert night.store.refusals() == []
    assert [e.sequence for e in night.store.entries(log)] == list(range(1, night.store.heads()[log].sequence + 1))


def test_killed_between_the_log_and_the_outbox_the_entry_is_taken_over_at_the_next_start(
    club_night: Night, seat: Seat
) -> None:
    night = club_night(1)
    desk = opened(night.open_desk())
    table = seat(night.code("t1"))
    desk.pair()
    until(lambda: in_match(table), "the match")
    # What is handed over is lost with the program; the log has it.
    table.membership._keep = lambda *_: None  # type: ignore[method-assign]
    table.play()
    assert not state(desk).current.complete

    table.restart()

    until(lambda: table.membership.waiting == 0, "what was missing")
    assert night.store is not None and night.store.heads()


def test_after_the_evening_the_table_is_its_owners_again(club_night: Night, seat: Seat) -> None:
    night = club_night(1)
    desk = opened(night.open_desk())
    table = seat(night.code("t1"), owner=Rules(edition="critters", target=18))
    desk.pair()
    until(lambda: in_match(table), "the match")
    assert table.session.standing.target == 6
    table.play()
    until(lambda: state(desk).current.complete, "the result")

    desk.act(Finished())

    until(lambda: not in_match(table), "the owner's rules")
    assert (table.session.standing.target, table.session.rules.edition) == (18, "critters")
    assert any("yours again" in str(thing) for thing in shown(table)["things"])


def test_a_replacement_begins_at_the_score_of_the_broken_one(club_night: Night, seat: Seat) -> None:
    night = club_night(2)
    desk = opened(night.open_desk(), target=18)
    broken, spare = seat(night.code("t1")), seat(night.code("t2"), seed=5)
    desk.pair()
    until(lambda: in_match(broken), "the match")
    broken.play(until=lambda: max(broken.session.standing.score.values()) > 0)
    until(lambda: broken.membership.waiting == 0, "the score at the desk")
    before = dict(broken.session.standing.score)

    desk.place(1, "t2")

    until(lambda: in_match(spare) and dict(spare.session.standing.score) == before, "the score at the spare")


def test_a_code_that_is_no_good_is_said_on_the_page(club_night: Night, seat: Seat) -> None:
    night = club_night(1)
    table = seat(night.code("t1", password="guessed"))

    until(lambda: table.membership.shown.refused, "the refusal")

    assert any("does not know this code" in str(thing) for thing in shown(table)["things"])


@pytest.mark.parametrize(
    "read",
    [
        {"match": 7},
        {"match": "1-1-2"},
        {"match": "1-1-2", "near": "A", "far": "B", "table": 1, "round": 1, "rounds": 3, "target": 0},
        {"match": "1-1-2", "near": "A", "far": 7, "table": 1, "round": 1, "rounds": 3, "target": 12},
        {"match": "1-1-2", "near": "A", "far": "B", "table": 1, "round": 1, "rounds": 3, "target": 12, "score": [1]},
        {"match": "1-1-2", "near": "A" * 99, "far": "B", "table": 1, "round": 1, "rounds": 3, "target": 12},
    ],
)
def test_an_assignment_that_is_none_is_refused(read: dict[str, Any]) -> None:
    with pytest.raises(Failure) as caught:
        assignment_from_json(read)

    assert caught.value.code == "bad-message"


def test_an_assignment_is_read(club_night: Night) -> None:
    desk = opened(club_night(1).open_desk())
    desk.pair()

    found = assignment_from_json(desk.assignment("t1"))

    assert found == Assignment("1-1-2", 1, 1, 2, "Anna", "Bela", 6)
    from host.club.table.membership import ClubShown

    assert [c.code for c in club_conditions(ClubShown(connected=True, club="x", match=found))] == ["club-match"]
