"""What a full disk or a killed program kept out of a table's outbox comes to it from the table's own log."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.failure import Failure
from host.club.simulation.night import until
from host.club.table.outbox import FileOutbox
from host.club.table.taking_over import entries_of_match
from host.club.wire.join_code import JoinCode
from host.demo.club_table import SimulatedClubTable
from host.session.session import Rules

LIMIT = 10.0
NOWHERE = JoinCode("127.0.0.1", 1, "club", "t1", "none", tls=False)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SimulatedClubTable]:
    """A table whose match has begun and whose desk is never reached."""
    made = SimulatedClubTable(tmp_path / "table", NOWHERE, 3, Rules(target=9))
    begin(made, "1-1-2")
    yield made
    made.close()


def begin(table: SimulatedClubTable, match: str) -> None:
    table.membership._begin(match, Rules(target=6, names=("Anna", "Bela"), match=match), (0, 0))


def outbox(table: SimulatedClubTable) -> FileOutbox:
    return table.membership._outbox


def bodies(table: SimulatedClubTable) -> list[Any]:
    return [entry.content for entry in outbox(table).read(1, 10_000)]


def logged(table: SimulatedClubTable, war: str) -> int:
    return sum(entry.war == war for entry in table.log.entries())


class Full:
    """A disk on which the outbox finds no room."""

    def __init__(self, table: SimulatedClubTable) -> None:
        self._outbox = outbox(table)
        with self._outbox._used() as db:
            for kept in ("entry", "about"):
                refusal = "BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END"
                db.execute(f"CREATE TEMP TRIGGER full_{kept} BEFORE INSERT ON {kept} {refusal}")

    def again_with_room(self) -> None:
        with self._outbox._used() as db:
            for kept in ("entry", "about"):
                db.execute(f"DROP TRIGGER full_{kept}")


def played_on_a_full_disk(table: SimulatedClubTable, monkeypatch: pytest.MonkeyPatch) -> tuple[Full, str]:
    """A match that was played while the outbox had no room, which was told; the disk, and the war."""
    monkeypatch.setattr("host.club.table.membership.RETRY_SECONDS", 0.1)
    disk = Full(table)
    table.play()
    war = table.session.war
    until(lambda: any("outbox" in line for line in table.told), "the failure to be told", LIMIT)
    return disk, war


def test_the_log_tells_of_a_match_what_was_told_when_it_happened(table: SimulatedClubTable) -> None:
    table.play()
    war = table.session.war
    until(lambda: len(bodies(table)) == logged(table, war), "everything in the outbox", LIMIT)

    found = entries_of_match(table.log, war, "1-1-2")

    assert [body for _, body in found] == bodies(table)
    assert found[-1][1]["winner"] == table.session.standing.war_winner is not None


def test_what_a_full_disk_kept_out_is_in_the_outbox_once_there_is_room_even_the_last_of_it(
    table: SimulatedClubTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, war = played_on_a_full_disk(table, monkeypatch)
    assert len(bodies(table)) < logged(table, war)

    disk.again_with_room()

    until(lambda: len(bodies(table)) == logged(table, war), "everything in the outbox", LIMIT)
    assert bodies(table)[-1]["winner"] == table.session.standing.war_winner is not None
    assert sum("outbox" in line for line in table.told) == 1, "told once, not at each attempt"


def test_a_match_that_began_while_the_disk_was_full_comes_after_the_one_before_it(
    table: SimulatedClubTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, first = played_on_a_full_disk(table, monkeypatch)
    begin(table, "2-2-1")
    table.play(until=lambda: table.session.said > 5)
    second = table.session.war

    disk.again_with_room()

    until(
        lambda: len(bodies(table)) == logged(table, first) + logged(table, second), "both matches in the outbox", LIMIT
    )
    assert [body["match"] for body in bodies(table)] == sorted(body["match"] for body in bodies(table))
    until(lambda: second in (outbox(table).remembered("match") or ""), "which match runs to be remembered", LIMIT)


def test_killed_after_the_last_move_of_a_match_its_result_is_taken_over_though_another_war_runs_now(
    table: SimulatedClubTable,
) -> None:
    table.membership._keep = lambda *_: None  # type: ignore[method-assign]
    table.play()
    for _ in range(100):
        table._t += 0.2
        table.session.tick(table._t)
    war, winner = table.session.war, table.session.standing.war_winner

    table.restart()

    assert table.session.war != war
    assert len(bodies(table)) == logged(table, war)
    assert bodies(table)[-1]["winner"] == winner is not None


def test_an_outbox_that_fails_says_so_in_every_method(tmp_path: Path) -> None:
    box = FileOutbox(tmp_path / "outbox.db", 0)
    box.add(1, {})
    box._db = sqlite3.connect(tmp_path / "empty.db", check_same_thread=False)
    uses: tuple[Callable[[], object], ...] = (
        lambda: box.log_sequence,
        box.head,
        lambda: box.digest_at(1),
        lambda: box.add(2, {}),
        lambda: box.read(1, 5),
        lambda: box.remember("match", "x"),
        lambda: box.remembered("match"),
    )
    for use in uses:
        with pytest.raises(Failure) as caught:
            use()
        assert caught.value.code == "outbox-lost"
    box.close()
