"""A companion whose program is started again, and the desk's assignment, which the broker gives it once more."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from host.club.simulation.night import until
from host.club.table.membership import Assignment
from host.club.wire.join_code import JoinCode
from host.demo.club_table import SimulatedClubTable
from host.session.session import Rules

LIMIT = 10.0
NOWHERE = JoinCode("127.0.0.1", 1, "club", "t1", "none", tls=False)
MATCH = Assignment("1-1-2", 1, 1, 3, "Anna", "Bela", 6)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SimulatedClubTable]:
    """A table that the desk has given a match, and whose owner plays to 9."""
    made = SimulatedClubTable(tmp_path / "table", NOWHERE, 3, Rules(target=9))
    assigned(made)
    yield made
    made.close()


def assigned(table: SimulatedClubTable, match: Assignment = MATCH) -> None:
    """The desk's assignment comes, as it does with every connection."""
    table.membership._work.put(lambda: table.membership._assigned(match, "Thursday club", False))
    worked_off(table)


def worked_off(table: SimulatedClubTable) -> None:
    """Waits until everything is done that the membership was given."""
    done = threading.Event()
    table.membership._work.put(done.set)
    assert done.wait(LIMIT)


def told(table: SimulatedClubTable) -> list[str]:
    """The matches of the entries for the desk."""
    return [str(entry.content["match"]) for entry in table.membership._outbox.read(1, 10_000)]


def test_restarted_before_a_card_lies_it_goes_on_with_its_match(table: SimulatedClubTable) -> None:
    war = table.session.war

    table.restart()
    assigned(table)

    assert (table.session.war, table.session.rules.match, table.session.rules.names) == (war, "1-1-2", ("Anna", "Bela"))
    table.play()
    until(lambda: len(told(table)) > 5, "what is played to be told", LIMIT)


def test_restarted_with_another_war_it_begins_its_match_when_the_desk_gives_it_again(
    table: SimulatedClubTable,
) -> None:
    # As an earlier version began it: nothing of it is gone on with before a card lies.
    table.membership._begin("2-1-2", Rules(target=9), (0, 0))
    table.session.begin_war(Rules(target=9))
    until(lambda: table.session.war in (table.membership._outbox.remembered("match") or ""), "the match", LIMIT)
    table.restart()
    assert table.session.rules.match == ""

    assigned(table, Assignment("2-1-2", 1, 2, 3, "Anna", "Bela", 6))

    assert (table.session.rules.match, table.session.rules.names) == ("2-1-2", ("Anna", "Bela"))
    table.play(until=lambda: table.session.said > 3)
    until(lambda: "2-1-2" in told(table), "what is played to be told", LIMIT)


def test_restarted_after_its_match_is_won_it_neither_plays_it_again_nor_tells_of_its_owners_games(
    table: SimulatedClubTable,
) -> None:
    table.play()
    for _ in range(100):
        table._t += 0.2
        table.session.tick(table._t)
    match = table.session.war
    table.restart()
    before = told(table)

    assigned(table)
    table.session.begin_war(Rules(target=9), {"by": "page"})
    table.play(until=lambda: table.session.said > 5)
    worked_off(table)

    assert table.session.war != match and table.session.rules.names == ("", "")
    assert told(table) == before
