"""Whole nights against the real broker: whatever is killed or cut, in the end everything is there once."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import pytest

from host.bench.postgres_server import PostgresServer
from host.club.desk import Desk
from host.club.simulation.night import ClubNight, until
from host.club.simulation.tables import PlayedOut, SimulatedTable, Steady
from host.club.store.opening import open_store
from host.club.tournament.events import (
    Announced,
    ClockSet,
    Dropped,
    EventUndone,
    Finished,
    Opened,
    Reported,
    TablePlaced,
)
from host.club.tournament.state import TournamentRefused
from host.club.view import ClubTableView
from host.club.wire.connection import BrokerConnection, EntryListener, WireMessage, read_json

Night = Callable[[int], ClubNight]


def opened(desk: Desk, players: int, **settings: Any) -> Desk:
    desk.act(Opened("Club night", **settings))
    for number in range(1, players + 1):
        desk.enter(f"Player {number}", checked_in=True)
    return desk


def state(desk: Desk) -> Any:
    assert desk.state is not None
    return desk.state


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_broker_and_desk_killed_and_tables_cut_off_all_logs_equal_nothing_twice(
    club_night: Night, store: str, request: pytest.FixtureRequest, tmp_path: Any
) -> None:
    """The full counts (64 tables, 200 entries, 20 and 10 kills, 100 cuts) are the figure `club.chaos` of the bench."""
    address = request.getfixturevalue("postgres").address if store == "postgres" else tmp_path / "desk.db"
    night, rng = club_night(8), random.Random(5)
    desk = opened(night.open_desk(address), 16) if store == "sqlite" else night.open_desk(address)
    tables = [night.seat(n, Steady(n, 40, 0.05)) for n in range(1, 9)]
    fleet = night.play(tables)
    for step in range(6):
        progress = 40 * (step + 1) // 8
        until(lambda p=progress: min(t.outbox.head().sequence for t in tables) >= p, "the tables to play on")
        fleet.cut(rng.choice(tables), 0.5)
        if step % 2:
            night.broker.kill()
            night.broker.start()
        else:
            night.close_desk()
            desk = night.open_desk(address)

    until(lambda: all(t.outbox.head().sequence == 40 and t.finished for t in tables), "everything acknowledged")
    assert night.store is not None
    for number, table in enumerate(tables, 1):
        assert night.store.entries(f"log-{number}") == table.outbox.read(1, 100)
    assert night.store.refusals() == []
    assert len(desk.companions) == 8


def test_postgres_killed_in_mid_night(club_night: Night, postgres: PostgresServer) -> None:
    night = club_night(2)
    desk = night.open_desk(postgres.address)
    loads = [Steady(n, 10, 0.05) for n in (1, 2)]
    tables = [SimulatedTable(night.code(f"t{n}"), load, f"pg-t{n}", time.time) for n, load in enumerate(loads, 1)]
    night.play(tables)
    until(lambda: tables[0].sending.acknowledged > 3, "the first entries")

    postgres.kill()
    for load in loads:
        load.tell_more(20)
    until(lambda: any(n.code == "store-lost" for n in desk.notices), "the desk to say so")
    postgres.start()

    until(lambda: all(t.outbox.head().sequence == 30 and t.finished for t in tables), "everything acknowledged")
    assert night.store is not None
    assert night.store.entries("pg-t1") == tables[0].outbox.read(1, 100)


def test_a_round_plays_itself_and_results_arrive(club_night: Night) -> None:
    night = club_night(2)
    desk = opened(night.open_desk(), 4, target=6)
    tables = [night.seat(n, PlayedOut(n, 0.01)) for n in (1, 2)]
    night.play(tables)

    desk.pair()
    until(lambda: state(desk).current.complete, "both results")

    for number, table in enumerate(tables, 1):
        last = table.outbox.read(table.outbox.head().sequence, 1)[0].content
        result = state(desk).current.results[number]
        assert (result.near, result.far) == (last["near"], last["far"])
        assert max(result.near, result.far) >= 6
    pair = state(desk).current.pairs[0]
    told = tables[0].script.assignments[-1]
    assert (told["near"], told["far"], told["target"], told["round"]) == (
        state(desk).players[pair.near].name,
        state(desk).players[pair.far].name,
        6,
        1,
    )


def test_a_table_that_is_cut_off_plays_on_and_its_result_comes_later(club_night: Night) -> None:
    night = club_night(1)
    desk = opened(night.open_desk(), 2, target=6)
    table = night.seat(1, PlayedOut(1, 0.02))
    fleet = night.play([table])
    desk.pair()
    until(lambda: table.outbox.head().sequence > 5, "the war to begin")

    fleet.cut(table, 3.0)
    until(lambda: not desk.companions["t1"].here, "the desk to see that it is gone")
    until(lambda: table.outbox.read(table.outbox.head().sequence, 1)[0].content["winner"], "the war to end")

    until(lambda: state(desk).current.complete, "the result")
    until(lambda: desk.companions["t1"].here, "the table to be back")


def test_a_broken_companion_is_replaced_in_mid_round_and_the_spare_goes_on_from_its_score(club_night: Night) -> None:
    night = club_night(2)
    desk = opened(night.open_desk(), 2, target=12)
    broken, spare = night.seat(1, PlayedOut(3, 0.01)), night.seat(2, PlayedOut(4, 0.01))
    fleet = night.play([broken])
    desk.pair()
    until(lambda: max(_score(desk)) > 0, "a battle to be won")
    fleet.close()
    night.fleets.clear()
    before = _score(desk)
    assert not state(desk).current.complete

    night.play([spare])
    desk.place(1, "t2")
    until(lambda: state(desk).current.complete, "the spare to finish the match")

    first = spare.script.assignments[-1]
    assert (first["table"], tuple(first["score"])) == (1, before)
    assert spare.outbox.read(1, 1)[0].content["near"] >= before[0]


def _score(desk: Desk) -> tuple[int, int]:
    part = desk.feed.shown()["table 1"]
    return tuple(part["score"])  # type: ignore[return-value]


def test_a_spare_goes_on_from_what_the_broken_one_showed_before_it_could_tell(club_night: Night) -> None:
    night = club_night(3)
    desk = opened(night.open_desk(), 2)
    desk.pair()
    desk.table_played("t1", "log-1", 4, {"match": "1-1-2", "near": 3, "far": 0, "winner": None})
    desk.table_shows("t1", ClubTableView("1-1-2", battle=3, near=3, far=6, phase="playing"))
    desk.table_shows("t3", ClubTableView("1-7-8", battle=9, near=11, far=11, phase="playing"))
    desk.place(1, "t2")
    assert desk.assignment("t2")["score"] == [3, 6]


def test_what_the_replaced_companion_says_afterwards_is_told_and_not_counted(club_night: Night) -> None:
    night = club_night(2)
    desk = opened(night.open_desk(), 2)
    desk.pair()
    desk.place(1, "t2")

    desk.table_played("t1", "log-1", 9, {"match": "1-1-2", "near": 12, "far": 3, "winner": "near"})

    assert state(desk).current.results == {}
    assert desk.notices[0].code == "replaced-table"


def test_the_desk_that_was_killed_counts_what_it_had_stored_but_not_counted(club_night: Night, tmp_path: Any) -> None:
    night = club_night(1)
    desk = opened(night.open_desk(tmp_path / "desk.db"), 2, target=6)
    desk.pair()
    # The desk is killed between storing an entry and counting its result.
    desk.table_played = lambda *_: None  # type: ignore[method-assign]
    table = night.seat(1, PlayedOut(1, 0.0))
    night.play([table])
    until(
        lambda: (
            table.outbox.head().sequence > 5
            and table.outbox.read(table.outbox.head().sequence, 1)[0].content["winner"]
            and table.finished
        ),
        "the war stored",
    )
    night.close_desk()

    desk = night.open_desk(tmp_path / "desk.db")

    assert state(desk).current.complete
    records = len(desk.records)
    night.close_desk()
    assert len(night.open_desk(tmp_path / "desk.db").records) == records, "a second start counts nothing again"


def test_the_organisers_correction_stands_and_the_tables_word_is_kept_beside_it(club_night: Night) -> None:
    night = club_night(1)
    desk = opened(night.open_desk(), 2)
    desk.pair()
    desk.table_played("t1", "log-1", 9, {"match": "1-1-2", "near": 12, "far": 3, "winner": "near"})
    number = desk.act(Reported(1, 1, 3, 12, reason="they sat the other way round"))
    desk.table_played("t1", "log-1", 10, {"match": "1-1-2", "near": 12, "far": 4, "winner": "near"})

    assert state(desk).current.results[1].halves == (0, 2)
    assert (desk.notices[0].code, desk.notices[0].parts["round"]) == ("decided-by-hand", 1)
    desk.act(EventUndone(number))
    assert state(desk).current.results[1].halves == (2, 0)


def test_a_result_that_the_table_takes_back_is_open_again_until_it_comes_anew(club_night: Night) -> None:
    night = club_night(1)
    desk = opened(night.open_desk(), 2)
    desk.pair()
    desk.table_played("t1", "log-1", 9, {"match": "1-1-2", "near": 12, "far": 3, "winner": "near"})
    desk.table_played("t1", "log-1", 10, {"match": "1-1-2", "near": 8, "far": 3, "winner": None})
    assert state(desk).current.results == {}

    desk.table_played("t1", "log-1", 12, {"match": "1-1-2", "near": 8, "far": 12, "winner": "far"})

    assert state(desk).current.results[1].halves == (0, 2)


def test_clock_and_announcement_reach_every_table_also_one_that_comes_later(club_night: Night) -> None:
    night = club_night(1)
    desk = opened(night.open_desk(), 2)
    desk.act(Announced("Tea in ten minutes"))
    desk.act(ClockSet(2000.0))
    heard: list[WireMessage] = []
    late = BrokerConnection(night.code("t1"), ("allfronts/club/notice",), EntryListener(heard.append))
    late.prepare()
    late.start()

    until(
        lambda: heard and read_json(heard[-1].payload) == {"until": 2000.0, "text": "Tea in ten minutes"}, "the notice"
    )
    late.close()


def test_after_the_last_round_the_tables_are_their_owners_again(club_night: Night) -> None:
    night = club_night(1)
    desk = opened(night.open_desk(), 2, target=6, rounds=1)
    table = night.seat(1, PlayedOut(1, 0.0))
    night.play([table])
    desk.pair()
    until(lambda: state(desk).current.complete, "the result")

    desk.act(Finished())

    until(lambda: table.script.assignments[-1]["free"], "the table to be told")
    assert table.script.assignments[-1]["match"] is None


def test_several_desks_share_one_broker_and_one_database_and_do_not_mix(
    club_night: Night, postgres: PostgresServer
) -> None:
    """Two rooms: another club's name makes another set of topics, accounts rules and rows."""
    night = club_night(1)
    night.open_desk(postgres.address)
    other = open_store(postgres.address, "other-room")
    table = night.seat(1, Steady(1, 3, 0.01))
    table = SimulatedTable(table.code, table.script, "rooms-1", time.time)
    night.play([table])
    until(lambda: table.outbox.head().sequence == 3 and table.finished, "the entries")

    assert other.heads() == {}
    other.close()


def test_placing_a_companion_that_there_is_not_is_refused(club_night: Night) -> None:
    desk = opened(club_night(1).open_desk(), 2)
    with pytest.raises(TournamentRefused, match="no-account"):
        desk.place(1, "t99")
    desk.act(TablePlaced(5, "t1"))
    assert desk.table_of("t1") == 5


def test_whoever_meets_a_player_who_has_left_a_round_robin_wins_without_playing(club_night: Night) -> None:
    desk = opened(club_night(1).open_desk(), 4, system="round-robin")
    desk.pair()
    for table in (1, 2):
        desk.act(Reported(1, table, 12, 3))
    desk.act(Dropped(4))

    desk.pair()

    current = state(desk).current
    (pair,) = [p for p in current.pairs if 4 in (p.near, p.far)]
    result = current.results[pair.table]
    assert (result.how, {result.near, result.far}) == ("walkover", {12, 0})
    assert result.halves[0 if pair.far == 4 else 1] == 2


def test_the_pairing_of_a_round_robin_that_somebody_has_left_is_undone_as_any_other(club_night: Night) -> None:
    desk = opened(club_night(1).open_desk(), 4, system="round-robin")
    desk.pair()
    for table in (1, 2):
        desk.act(Reported(1, table, 12, 3))
    desk.act(Dropped(4))
    before = state(desk)
    desk.pair()

    desk.undo()

    assert state(desk) == before
    desk.undo()
    assert state(desk).players[4].plays
    desk.pair()
    assert state(desk).current.results == {}, "who is back plays"
