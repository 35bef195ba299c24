"""From which score a companion begins its match: no companion of another table has a say in it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from host.club.desk import Desk, NoWire
from host.club.screen import Feed
from host.club.store.sqlite import SqliteStore
from host.club.table.membership import assignment_from_json
from host.club.tournament.events import Opened, Paired, Reported, TablePlaced
from host.club.tournament.pairing import pair_next
from host.club.tournament.state import Tournament, TournamentRefused
from host.club.view import ClubTableView

ACCOUNTS = ("t1", "t2", "t3", "t4")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """An evening with four players at tables 1 and 2; `t3` and `t4` serve none."""
    store = SqliteStore(tmp_path / "desk.db", "club")
    made = Desk(store, Feed(time.monotonic), time.time)
    made.connect(NoWire(), ACCOUNTS)
    made.act(Opened("Thursday club"))
    for name in ("Anna", "Bela", "Chris", "Dora"):
        made.enter(name, checked_in=True)
    yield made
    store.close()


def playing(desk: Desk, account: str, match: str, near: int, far: int) -> None:
    desk.table_played(account, f"log-{account}", 1, {"match": match, "near": near, "far": far, "winner": None})


def match_at(desk: Desk, account: str) -> str:
    return str(desk.assignment(account)["match"])


def test_who_names_every_match_before_it_is_paired_sets_no_score(desk: Desk) -> None:
    for near in range(1, 5):
        for far in range(1, 5):
            playing(desk, "t3", f"1-{near}-{far}", 11, 0)

    desk.pair()

    assert [desk.assignment(account)["score"] for account in ("t1", "t2")] == [[0, 0], [0, 0]]


def test_a_result_that_is_corrected_while_the_next_round_is_computed_is_paired_by(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large field takes seconds to pair, and another of the organiser's pages goes on meanwhile."""
    desk.pair()
    for table in (1, 2):
        desk.act(Reported(1, table, 12, 0, reason="typed"))

    def slow(state: Tournament) -> Paired:
        made = pair_next(state)
        desk.act(Reported(1, 1, 0, 12, reason="the other way round"))
        return made

    monkeypatch.setattr("host.club.desk.pair_next", slow)
    with pytest.raises(TournamentRefused, match="changed-meanwhile"):
        desk.pair()
    monkeypatch.undo()
    desk.pair()
    assert desk.state is not None
    first, second = desk.state.rounds
    winners = {first.pairs[0].far, first.pairs[1].near}
    assert winners in [{pair.near, pair.far} for pair in second.pairs]


def test_what_another_tables_companion_tells_or_shows_of_a_match_counts_for_nothing(desk: Desk) -> None:
    desk.pair()
    match = match_at(desk, "t1")

    playing(desk, "t3", match, 11, 0)
    playing(desk, "t2", match, 0, 11)
    desk.table_shows("t4", ClubTableView(match, battle=9, near=9, far=9, phase="playing"))

    assert desk.assignment("t1")["score"] == [0, 0]


def test_a_score_that_no_war_has_leaves_the_assignment_readable(desk: Desk) -> None:
    desk.pair()
    playing(desk, "t1", match_at(desk, "t1"), 10**9, 0)
    playing(desk, "t1", match_at(desk, "t1"), 0, -5)

    desk.act(TablePlaced(1, "t3"))

    assert assignment_from_json(desk.assignment("t3")) is not None
    assert desk.assignment("t3")["score"] == [0, 0]


def test_of_three_companions_in_turn_the_last_goes_on_from_the_furthest(desk: Desk) -> None:
    desk.pair()
    match = match_at(desk, "t1")
    playing(desk, "t1", match, 3, 0)
    desk.act(TablePlaced(1, "t3"))
    assert desk.assignment("t3")["score"] == [3, 0]
    playing(desk, "t3", match, 3, 6)
    desk.act(TablePlaced(1, "t4"))

    # The second one's last entry comes when it serves the table no more.
    playing(desk, "t3", match, 5, 6)

    assert desk.assignment("t4")["score"] == [5, 6]
