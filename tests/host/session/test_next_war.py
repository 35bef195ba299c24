"""Given a table on which cards lie, when another war is begun, then the old cards are none of its moves and no new one
is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.events import BattleOver, Concede, Event, MoveMade, Notice, Unsure, Violation
from engine.names import Seat, parse_order
from engine.places import PLACES, Place
from engine.sight import sight_of
from host.session.memory_log import MemoryLog
from host.session.session import Rules, Session
from host.session.sqlite_log import SqliteLog

Log = SqliteLog | MemoryLog


class Players:
    """A table before one session. `An="A6 -"`: theater A, near side, bottom to top."""

    def __init__(self, log: Log, first: Seat | None = "near") -> None:
        self.log, self.wall, self.order = log, 1_700_000_000.0, "ALS"
        self.first = first
        self.start()

    def start(self) -> None:
        """The program starts, perhaps once more."""
        self.t = 0.0
        self.session = Session(self.log, Rules(first=self.first), lambda: self.wall)

    def see(self, wait: float = 3.0, **columns: str) -> list[Event]:
        side: dict[str, Seat] = {"n": "near", "f": "far"}
        laid = {(name[0], side[name[1]]): tuple(column.split()) for name, column in columns.items()}
        board: dict[Place, tuple[str, ...]] = {place: laid.get(place, ()) for place in PLACES}
        self.t += 1.0
        self.wall += 1.0
        events = list(self.session.see(sight_of(board, parse_order(self.order)), self.t))
        for _ in range(round(wait / 0.2)):
            self.t += 0.2
            self.wall += 0.2
            events += self.session.tick(self.t)
        return events

    @property
    def moves(self) -> list[str]:
        return [f"{move.by} {move.do} {move.card or '-'} {move.to}" for move in self.session.belief.told]

    @property
    def score(self) -> dict[Seat, int]:
        return dict(self.session.standing.score)


@pytest.fixture
def players(tmp_path: Path) -> Iterator[Players]:
    log = SqliteLog(tmp_path / "log.db")
    yield Players(log)
    log.close()


def said(events: list[Event]) -> list[Event]:
    return [e for e in events if isinstance(e, MoveMade | BattleOver | Violation | Unsure | Notice)]


def some_cards(table: Players) -> None:
    table.see()
    table.see(An="A6")
    table.see(An="A6", Lf="L6")
    table.see(An="A6 -", Lf="L6")
    table.see(An="A6 -", Lf="L6", Sf="S5")


def begin(table: Players, first: Seat | None = "near") -> None:
    table.session.begin_war(Rules(first=first), {"by": "page"})


def test_the_cards_of_a_war_that_is_thrown_away_are_no_moves_of_the_next(players: Players) -> None:
    some_cards(players)
    begin(players, None)
    assert said(players.see(An="A6 -", Lf="L6")) == []
    assert said(players.see(An="-", Lf="L6")) == [], "its upper card was drawn out from above"
    assert said(players.see(Lf="L6", wait=20.0)) == []
    assert said(players.see()) == []
    assert players.score == {"near": 0, "far": 0}
    players.see(Lf="L6")
    players.see(Lf="L6", Sn="-")
    assert players.moves == ["far deploy L6 L", "near improvise - S"]


def test_the_cards_of_a_war_that_is_won_are_no_moves_of_the_next(players: Players) -> None:
    some_cards(players)
    players.session.apply(Concede("near", war=True), {"by": "page"})
    begin(players, "far")
    assert said(players.see(An="A6 -")) == []
    assert said(players.see()) == []
    players.see(Sf="S1")
    assert players.moves == ["far deploy S1 S"]


def test_the_next_wars_first_card_counts_although_the_war_is_begun_after_it(players: Players) -> None:
    some_cards(players)
    players.session.apply(Concede("near", war=True), {"by": "page"})
    players.see()
    players.see(Af="-")
    begin(players, None)
    assert players.moves == ["far improvise - A"], "though the table lies as it lay"
    players.see(Af="-", An="A6")
    assert players.moves == ["far improvise - A", "near deploy A6 A"]


def test_a_war_that_is_begun_by_other_rules_after_its_first_cards_goes_on_from_them(players: Players) -> None:
    players.see()
    players.see(An="A6")
    begin(players)
    assert players.moves == [], "it may also be gathered in"
    players.see(An="A6", Lf="L6")
    assert players.moves == ["near deploy A6 A", "far deploy L6 L"]


def test_a_card_that_is_left_of_the_old_war_is_pointed_out(players: Players) -> None:
    some_cards(players)
    begin(players)
    players.see(An="A6 -")
    players.see(An="A6")
    (left,) = said(players.see(An="A6", Sn="S6", wait=12.0))
    assert isinstance(left, Notice)
    assert left.code == "cards-left"
    players.see(Sn="S6")
    assert players.moves == ["near deploy S6 S"]


def test_a_program_started_after_the_end_of_a_war_knows_the_cards_that_lie_there(players: Players) -> None:
    some_cards(players)
    players.session.apply(Concede("near", war=True), {"by": "page"})
    players.start()
    assert said(players.see(An="A6 -", Lf="L6", Sf="S5", wait=20.0)) == []
    assert said(players.see(Lf="L6", Sf="S5")) == []
    assert said(players.see()) == []
    players.see(Ln="L6")
    assert players.moves == ["near deploy L6 L"]


def test_a_card_that_lies_alone_when_the_program_starts_is_a_new_wars_first(players: Players) -> None:
    some_cards(players)
    players.session.apply(Concede("near", war=True), {"by": "page"})
    players.start()
    players.see(An="A6")
    assert players.moves == ["near deploy A6 A"]


def test_who_is_first_stays_open_after_a_restart_without_the_beliefs_copy() -> None:
    table = Players(MemoryLog(), None)
    some_cards(table)
    begin(table, None)
    table.order = "LAS"
    table.see()
    table.start()
    assert said(table.see(Af="-"))[0] == Notice("first-assumed", {"seat": "far"})
    assert table.moves == ["far improvise - A"]
