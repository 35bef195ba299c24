"""A war: battles one after another, commander cards that change hands, boards that rotate, and the score.

A `War` is a value like a `State`: every method gives a new one, so keeping the old one is the way to undo. It holds the
current battle as its opening and the entries since, and therefore can be written down and resumed at any moment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from engine.battle import play
from engine.editions import BEGINNER_TARGET, WAR_TARGETS, Edition, edition_named, withdraw_points
from engine.failure import BadInput, Failure
from engine.moves import Move
from engine.names import Card, Seat, Theater, other, parse_order
from engine.state import SEAT_INDEX, Order, Result, State, start

WarEntry: TypeAlias = Move | State
"""What carried a battle on: a move, or a state that a person set (a correction)."""

LONGEST_TARGET: Final = 1000
"""A target above this is a slip of the keyboard, and points would be counted for days."""


class Fought(NamedTuple):
    """A battle that is over."""

    order: Order
    first: Seat
    result: Result


def rotated(order: Sequence[Theater]) -> Order:
    """The next battle's boards: the one furthest right (for the near seat) goes to the far left (R14)."""
    row = parse_order("".join(order))
    return (row[2], row[0], row[1])


def next_orders(order: Sequence[Theater]) -> tuple[Order, Order]:
    """The next battle's boards, rotated as the near seat sees the figure and as the far seat does (R14)."""
    return rotated(order), rotated(rotated(order))


def conceded(state: State, seat: Seat) -> State:
    """The battle given up by `seat`, at any moment and by agreement: the points are those of a withdrawal.

    Unlike a withdrawal it is no move of the game (R12), so it is not in `legal_moves`. Raises `Failure`
    (`battle-over`).
    """
    if state.result is not None:
        raise Failure("battle-over", "The battle is over already.", "Correct its result instead.")
    points = withdraw_points(state.hand(seat).size, seat == state.first)
    return state._replace(turn=None, pending=None, queue=(), result=Result(other(seat), points, "withdrew"))


class War(NamedTuple):
    """The whole game: first to `target` points wins."""

    edition: Edition
    target: int
    beginner: bool
    """A battle counts one point, whatever the chart says, and three win (every edition: beginner mode)."""
    before: tuple[int, int]
    """Points of near and far before this battle."""
    fought: tuple[Fought, ...]
    opening: State
    """The current battle before its first move."""
    entries: tuple[WarEntry, ...]
    """What has happened in it since."""
    state: State
    """Where it stands."""

    @staticmethod
    def begin(
        edition: Edition | str = "revised",
        order: Sequence[Theater] | str = "ALS",
        first: Seat = "near",
        *,
        target: int | None = None,
        beginner: bool = False,
        hands: Mapping[Seat, Sequence[Card]] | None = None,
        deck: Sequence[Card | None] | None = None,
    ) -> War:
        """A new war at its first battle. `target` is 12 unless given, 3 for beginners; raises `BadInput`."""
        record = edition if isinstance(edition, Edition) else edition_named(edition)
        goal = target if target is not None else BEGINNER_TARGET if beginner else WAR_TARGETS[0]
        if not 1 <= goal <= LONGEST_TARGET:
            raise BadInput("bad-target", f"A war to {goal} points is none.", "12 and 18 are usual.")
        opening = start(record, order, first, hands, deck)
        return War(record, goal, beginner, (0, 0), (), opening, (), opening)

    @property
    def points(self) -> int:
        """What the current battle's result counts; 0 while it goes on."""
        result = self.state.result
        if result is None:
            return 0
        return 1 if self.beginner else result.points

    @property
    def result(self) -> Result | None:
        """The current battle's result as this war counts it (one point for beginners), or None while it goes on."""
        result = self.state.result
        return None if result is None else result._replace(points=self.points)

    @property
    def score(self) -> dict[Seat, int]:
        """Points so far, this battle's included once it is over."""
        near, far = self.before
        result = self.state.result
        if result is not None:
            near, far = (near + self.points, far) if result.winner == "near" else (near, far + self.points)
        return {"near": near, "far": far}

    @property
    def winner(self) -> Seat | None:
        """The seat that has won the war, or None while it goes on."""
        return next((seat for seat, points in self.score.items() if points >= self.target), None)

    def play(self, move: Move) -> War:
        """After a move; raises `IllegalMove`."""
        return self._replace(state=play(self.state, move), entries=(*self.entries, move))

    def with_line(self, opening: State, entries: Sequence[WarEntry], state: State) -> War:
        """With the current battle as somebody else followed it: its opening, its entries, and where they lead."""
        return self._replace(opening=opening, entries=tuple(entries), state=state)

    def take_back(self, count: int = 1) -> War:
        """Without the last entries of this battle; raises `Failure` (`nothing-to-take-back`)."""
        if not 1 <= count <= len(self.entries):
            raise Failure(
                "nothing-to-take-back",
                f"This battle has {len(self.entries)} entries, not {count}.",
                "An earlier battle is corrected by its score.",
            )
        kept = self.entries[: len(self.entries) - count]
        state = self.opening
        for entry in kept:
            state = play(state, entry) if isinstance(entry, Move) else entry
        return self._replace(entries=kept, state=state)

    def correct(self, state: State) -> War:
        """With the state that a person set; raises `BadInput` if it is of another edition."""
        if state.edition is not self.edition:
            raise BadInput("bad-state", "The state is of another edition.", f"This war is {self.edition.name}.")
        return self._replace(state=state, entries=(*self.entries, state))

    def concede(self, seat: Seat) -> War:
        """The battle given up by `seat` by agreement (see `conceded`)."""
        return self.correct(conceded(self.state, seat))

    def correct_score(self, near: int, far: int) -> War:
        """With that score, a finished battle's points included; raises `BadInput` (`bad-score`)."""
        points = [0, 0]
        if self.state.result is not None:
            points[SEAT_INDEX[self.state.result.winner]] = self.points
        before = (near - points[0], far - points[1])
        if min(before) < 0 or max(before) > LONGEST_TARGET:
            raise BadInput(
                "bad-score", f"The score cannot be {near} to {far}.", "It holds at least this battle's points."
            )
        return self._replace(before=before)

    def next_battle(
        self,
        order: Sequence[Theater] | str | None = None,
        first: Seat | None = None,
        hands: Mapping[Seat, Sequence[Card]] | None = None,
        deck: Sequence[Card | None] | None = None,
    ) -> War:
        """The next battle: boards rotated and commander cards exchanged, unless the table lies otherwise (R14).

        Raises `Failure` (`battle-not-over`, `war-over`), or `BadInput` for an impossible deal.
        """
        result = self.state.result
        if result is None:
            raise Failure("battle-not-over", "The battle is not over.", "Play it, or let a seat concede.")
        if self.winner is not None:
            raise Failure("war-over", f"The war is won by {self.winner}.", "Begin a new one.")
        opening = start(
            self.edition,
            rotated(self.state.order) if order is None else order,
            other(self.state.first) if first is None else first,
            hands,
            deck,
        )
        fought = (*self.fought, Fought(self.state.order, self.state.first, result))
        score = self.score
        return War(
            self.edition,
            self.target,
            self.beginner,
            (score["near"], score["far"]),
            fought,
            opening,
            (),
            opening,
        )
