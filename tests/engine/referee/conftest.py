"""A table to play at: say what lies there, and see what the referee makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.events import BattleOver, Event, Input, MoveMade, Notice, Reading, Tick, Violation
from engine.names import parse_order
from engine.places import PLACES, Place
from engine.referee import Belief, new_belief, observe, tell
from engine.referee.update import Verdict
from engine.sight import SeenCard, Sight, sight_of


class Evening:
    """Keeps a belief and the time. `An="A6 -"` in calls means: theater A, near side, bottom to top."""

    def __init__(self, edition: str = "revised", first: str | None = "near", order: str = "ALS", **more: Any) -> None:
        self.order = order
        self.belief: Belief = new_belief(edition, first, **more)
        self.t = 0.0
        self.events: list[Event] = []
        self.last: Verdict | None = None

    def board(self, **columns: str) -> dict[Place, tuple[str, ...]]:
        side = {"n": "near", "f": "far"}
        laid = {(name[0], side[name[1]]): tuple(column.split()) for name, column in columns.items()}
        return {place: laid.get(place, ()) for place in PLACES}

    def sight(self, **columns: str) -> Sight:
        return sight_of(self.board(**columns), parse_order(self.order))

    def take(self, verdict: Verdict) -> list[Event]:
        self.belief, self.last = verdict.belief, verdict
        new = [event for event in verdict.events if not isinstance(event, Reading)]
        self.events += new
        return new

    def see(self, sight: Sight | None = None, wait: float = 0.0, **columns: str) -> list[Event]:
        """Shows a table and lets it lie for `wait` seconds; the events that came of it."""
        self.t += 1.0
        new = self.take(observe(self.belief, sight or self.sight(**columns), self.t))
        return new + self.pass_time(wait)

    def two_cards(self) -> Evening:
        """Near has laid A6, far L6; near is to play."""
        self.see()
        self.see(An="A6")
        self.see(An="A6", Lf="L6")
        return self

    def all_but_the_last_card(self) -> tuple[str, str]:
        """Both play face down into Air until far holds one card and near none; how their stacks lie then."""
        pile = ["- " * high for high in range(7)]
        self.see()
        for nth in range(5):
            self.see(An=pile[nth + 1], Af=pile[nth])
            self.see(An=pile[nth + 1], Af=pile[nth + 1])
        self.see(An=pile[6], Af=pile[5])
        return pile[6], pile[5]

    def pass_time(self, seconds: float) -> list[Event]:
        new: list[Event] = []
        until = self.t + seconds
        while self.t < until:
            self.t = min(self.t + 0.2, until)
            new += self.take(tell(self.belief, Tick(), self.t))
        return new

    def say(self, told: Input) -> list[Event]:
        self.t += 0.1
        return self.take(tell(self.belief, told, self.t))

    def of_kind(self, *kinds: type[Event]) -> list[Any]:
        """What was told so far of these kinds."""
        return [event for event in self.events if isinstance(event, kinds)]

    @property
    def mistakes(self) -> list[str]:
        """The codes of the mistakes that were told."""
        return [event.code for event in self.of_kind(Violation)]

    @property
    def notices(self) -> list[str]:
        return [event.code for event in self.of_kind(Notice)]

    @property
    def ends(self) -> list[tuple[str, int, str]]:
        """How each battle ended: winner, points and why."""
        return [(event.winner, event.points, event.why) for event in self.of_kind(BattleOver)]

    @staticmethod
    def moves_of(events: list[Event]) -> list[str]:
        return [words(event.move) for event in events if isinstance(event, MoveMade)]

    @staticmethod
    def doubtful(sight: Sight, place: Place, nth: int, p: float, sure: bool = False, **others: float) -> Sight:
        """The sight with one card read with likelihood `p`; other readings by name, `down` for the back."""
        column = list(sight.stacks[place])
        readings = tuple(("-" if face == "down" else face, q) for face, q in others.items())
        column[nth] = SeenCard(column[nth].read, p, readings)
        return Sight(sight.order, {**sight.stacks, place: tuple(column)}, sure, ())

    @property
    def moves(self) -> list[str]:
        """What was told and holds, short: `near deploy A6 A`."""
        return [words(move) for move in self.belief.told]


def words(move: Any) -> str:
    parts = (move.by, move.do, move.card, move.side, move.at, move.origin, move.nth, move.to)
    return " ".join(str(part) for part in parts if part is not None)


@pytest.fixture
def evening() -> Iterator[type[Evening]]:
    yield Evening
