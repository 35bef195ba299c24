"""The desk's store over SQLite and over a real PostgreSQL: what continues a log is kept once, all else is refused."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.failure import BadInput, Failure
from host.bench.postgres_server import PostgresServer
from host.club.entry import ClubEntry, Head, canonical, digest_of, following
from host.club.store.base import Batch, Record, Store
from host.club.store.opening import open_store

Opened = Callable[[], Store]


@pytest.fixture(params=["sqlite", "postgres"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    """Opens the same club's store, any number of times one after the other."""
    address: Any = tmp_path / "desk.db"
    if request.param == "postgres":
        server: PostgresServer = request.getfixturevalue("postgres")
        address = server.address
    club = f"club-{tmp_path.name}"
    made: list[Store] = []

    def open_it() -> Store:
        made.append(open_store(address, club))
        return made[-1]

    yield open_it
    for store in made:
        store.close()


def a_log(length: int, log: str = "log-7") -> list[ClubEntry]:
    entries: list[ClubEntry] = []
    head = Head()
    for number in range(1, length + 1):
        entries.append(following(log, head, {"event": "move", "number": number}))
        head = Head(number, entries[-1].digest)
    return entries


def batch(entries: list[ClubEntry], account: str = "t7", log: str = "log-7") -> Batch:
    return Batch(account, log, tuple(entries), 100.0)


def test_a_log_that_arrives_in_pieces_twice_and_over_again_is_kept_once(opened: Opened) -> None:
    store, log = opened(), a_log(9)

    first, second, again = store.append([batch(log[:4]), batch(log[2:9]), batch(log)])

    assert [len(o.stored) for o in (first, second, again)] == [4, 5, 0]
    assert again.repeated == 9
    assert again.head == Head(9, log[-1].digest)
    assert store.entries("log-7") == log
    assert store.entries("log-7", first=8) == log[7:]
    assert store.heads() == {"log-7": Head(9, log[-1].digest)}


def test_a_gap_is_refused_and_the_head_says_where_to_go_on(opened: Opened) -> None:
    store, log = opened(), a_log(6)
    store.append([batch(log[:2])])

    (outcome,) = store.append([batch(log[4:])])

    assert (outcome.refused, outcome.refused_at, outcome.head.sequence) == ("gap", 5, 2)
    assert store.refusals() == [], "a gap heals by itself and is nobody's fault"


def test_another_history_under_the_same_number_is_a_fork_and_is_written_down(opened: Opened) -> None:
    store, log = opened(), a_log(3)
    store.append([batch(log)])
    other = following("log-7", Head(1, log[0].digest), {"event": "move", "number": "another"})

    (outcome,) = store.append([batch([other])])

    assert (outcome.refused, outcome.refused_at) == ("fork", 2)
    assert [(r.account, r.sequence, r.code) for r in store.refusals()] == [("t7", 2, "fork")]
    assert store.entries("log-7") == log


def test_an_entry_that_continues_another_history_is_a_fork(opened: Opened) -> None:
    store, log = opened(), a_log(2)
    store.append([batch(log[:1])])
    elsewhere = following("log-7", Head(1, digest_of("log-7", 1, "0" * 64, "{}")), {"event": "move"})

    (outcome,) = store.append([batch([elsewhere])])

    assert (outcome.refused, outcome.refused_at) == ("fork", 2)


def test_a_changed_body_is_forged(opened: Opened) -> None:
    store, log = opened(), a_log(2)

    (outcome,) = store.append([batch([log[0], replace(log[1], body=canonical({"event": "battle"}))])])

    assert (outcome.refused, outcome.refused_at) == ("forged", 2)
    assert store.entries("log-7") == log[:1]
    assert [r.code for r in store.refusals()] == ["forged"]


def test_another_account_cannot_continue_a_log(opened: Opened) -> None:
    store, log = opened(), a_log(2)
    store.append([batch(log[:1])])

    (outcome,) = store.append([batch(log[1:], account="t8")])

    assert outcome.refused == "foreign"
    assert store.owners() == {"log-7": "t7"}
    assert [(r.account, r.code) for r in store.refusals()] == [("t8", "foreign")]


def test_what_was_stored_is_there_after_the_store_was_opened_anew(opened: Opened) -> None:
    store, log = opened(), a_log(5)
    store.append([batch(log[:3])])
    store.record(Record(1, 5.0, "organiser", '{"what":"opened"}'))
    store.close()

    store = opened()
    store.append([batch(log)])

    assert store.entries("log-7") == log
    assert store.records() == [Record(1, 5.0, "organiser", '{"what":"opened"}')]
    assert store.records(after=1) == []


def test_two_desks_of_one_club_cannot_both_write_on(opened: Opened) -> None:
    store = opened()
    store.record(Record(1, 5.0, "organiser", "{}"))

    with pytest.raises(Failure) as caught:
        store.record(Record(1, 6.0, "organiser", "{}"))

    assert caught.value.code == "two-desks"


def test_clubs_in_one_database_do_not_see_each_other(postgres: PostgresServer) -> None:
    north, south = open_store(postgres.address, "north"), open_store(postgres.address, "south")

    north.append([batch(a_log(2))])

    assert south.heads() == {}
    assert [o.head.sequence for o in south.append([batch(a_log(1))])] == [1]
    north.close()
    south.close()


def test_a_postgres_that_was_killed_loses_nothing_and_is_found_again(postgres: PostgresServer) -> None:
    store, log = open_store(postgres.address, "killed"), a_log(4)
    store.append([batch(log[:2])])
    postgres.kill()

    with pytest.raises(Failure) as caught:
        store.append([batch(log[2:])])
    postgres.start()
    store.append([batch(log[2:])])

    assert caught.value.code == "store-lost"
    assert store.entries("log-7") == log
    store.close()


def test_a_file_that_another_desk_uses_is_refused_with_the_remedy(tmp_path: Path) -> None:
    first = open_store(tmp_path / "desk.db", "club")

    with pytest.raises(BadInput) as caught:
        open_store(tmp_path / "desk.db", "club")

    assert caught.value.code == "store-busy"
    first.close()


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "desk.db").write_bytes(b"a shopping list, long enough to be looked at " * 30)

    with pytest.raises(BadInput) as caught:
        open_store(tmp_path / "desk.db", "club")

    assert caught.value.code == "no-store"


def test_a_full_disk_is_told_and_nothing_is_half_stored(tmp_path: Path) -> None:
    store = open_store(tmp_path / "desk.db", "club")
    store._db.execute("PRAGMA max_page_count = 20")  # type: ignore[attr-defined]

    with pytest.raises(Failure) as caught:
        store.append([batch(a_log(4000))])

    assert caught.value.code == "store-lost"
    assert store.heads() == {}
    store.close()
    assert sqlite3.connect(tmp_path / "desk.db").execute("SELECT COUNT(*) FROM entry").fetchone() == (0,)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    cuts=st.lists(st.tuples(st.integers(0, 12), st.integers(1, 12)), max_size=25),
    grouped=st.integers(1, 4),
)
def test_whatever_is_lost_repeated_or_late_the_end_is_the_log_itself(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[tuple[int, int]], grouped: int
) -> None:
    log = a_log(12)
    store = open_store(tmp_path_factory.mktemp("any") / "desk.db", "club")
    sent = [batch(log[start : start + length]) for start, length in cuts if log[start : start + length]]
    for at in range(0, len(sent), grouped):
        for outcome in store.append(sent[at : at + grouped]):
            assert outcome.refused in (None, "gap")
    store.append([batch(log[store.heads().get("log-7", Head()).sequence :])])

    assert store.entries("log-7") == log
    store.close()
