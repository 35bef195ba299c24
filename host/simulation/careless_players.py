"""Two players as people are: they read, tidy, drop, push over, forget, change their mind and gather in as they like.

An evening is a war, or its first battles, as tables that lie still for some seconds, one after the other. Which habits
come how often stands in `Rates`. What truly happened is known, so that a referee who sees only the tables can be held
against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from random import Random
from typing import Final, NamedTuple, TypeAlias

from engine.battle import destruction, play
from engine.legality import explain, legal_moves
from engine.moves import Move
from engine.names import FACE_DOWN, SEATS, THEATERS, EditionName, Face, other
from engine.places import PLACES
from engine.referee.belief import faces
from engine.referee.hypothesis import EMPTY, Faces
from engine.referee.search import destroyers_lie
from engine.state import PILE_INDEX, SEAT_INDEX, Order, Result, cards_of
from engine.war import rotated
from host.simulation.games import deal

Columns: TypeAlias = list[list[Face]]

BATTLES_MOST: Final = 4
"""An evening ends with the war or after so many battles."""
TARGET: Final = 12
SAID_AFTER: Final = frozenset({"wrong-place-in-stack", "return-without-effect", "move-without-effect"})
"""What may be told of a stack that is lifted or fanned for long."""


@dataclass(frozen=True, slots=True)
class Rates:
    """How often each habit comes: a turn, where nothing else is said."""

    peek: float = 0.05
    """An own hidden card is lifted and looked at."""
    read: float = 0.04
    """A face-up card is lifted and read."""
    square: float = 0.03
    """A whole stack is lifted and squared."""
    fan: float = 0.015
    """The upper cards of a stack lie in the next column for a moment."""
    drop: float = 0.02
    """A card falls into another column and is picked up."""
    flip: float = 0.015
    """A hidden card is turned up by accident and turned down again."""
    reorder: float = 0.015
    """A stack is put back in another order, and that is put right."""
    wrong_theater: float = 0.03
    """A card is laid face up where it may not lie, and that is put right."""
    second_card: float = 0.015
    """The seat that laid the last card lays another, and takes it back."""
    push: float = 0.05
    """Of cards played face down: laid in one column, then pushed over to another."""
    take_back: float = 0.03
    """Of cards played: laid, taken up again, and another move made."""
    squarely: float = 0.03
    """Of cards laid on others: so that the one below does not show for one to three tables."""
    gone: float = 0.01
    """Beside a move another card vanishes for some seconds."""
    hurry: float = 0.04
    """The next move follows before the table lies still."""
    forget: float = 0.5
    """Of cards that must be destroyed: left lying until the next move."""
    withdraw: float = 0.02
    """The player to move withdraws without a word, and the cards are gathered in."""
    show: float = 0.2
    """Of ends: hidden cards are turned up to be shown."""
    at_once: float = 0.2
    """Of ends: all cards are taken away at once."""
    own_side: float = 0.2
    """Of ends: each player takes up the own cards stack by stack."""
    heap: float = 0.1
    """Of ends: all cards are pushed into a heap."""
    rolling: float = 0.2
    """Of ends: the next battle's first card lies there before the last old one is gone."""
    not_rotated: float = 0.05
    """Of ends: the boards stay as they lie."""


POLITE: Final = replace(Rates(), **{entry.name: 0.0 for entry in fields(Rates)})
"""Players who make one clear move at a time, clear the table at once, and rotate the boards."""


class LyingTable(NamedTuple):
    """A table that lies still."""

    table: Faces
    order: Order
    seconds: float
    mistake: str = ""
    """The code of a mistake that lies there, which must be told."""
    may: frozenset[str] = frozenset()
    """Codes that may be told of it."""
    finished: tuple[Result, ...] = ()
    """How the battles so far have ended."""
    result: Result | None = None
    """How the battle on this table has ended, whose cards are being gathered in."""


class Evening:
    """One evening of two players under a seed. `tables` gives what lies there, and `results` what truly happened."""

    def __init__(self, rng: Random, edition: EditionName, rates: Rates) -> None:
        self._rng, self._rates = rng, rates
        self.edition = edition
        self.state = deal(rng, edition)
        self.first = self.state.first
        self.results: list[Result] = []
        self._order = self.state.order
        self._hidden: tuple[int, int, int] | None = None
        """A card that does not show: stack, place in it, and for how many tables."""
        self._hurried = False
        """The last move was made so fast that its table never lay still."""
        self._left: tuple[int, Face] | None = None
        """A card that should have been destroyed and lies there still."""

    def tables(self) -> Iterator[LyingTable]:
        """The tables of the whole evening, in order."""
        yield self._lies(EMPTY, 2.0)
        points = dict.fromkeys(SEATS, 0)
        for number in range(BATTLES_MOST):
            yield from self._battle()
            assert self.state.result is not None
            self.results.append(self.state.result)
            points[self.state.result.winner] += self.state.result.points
            last = number == BATTLES_MOST - 1 or max(points.values()) >= TARGET
            yield from self._gathered_in(last)
            if last:
                return

    # --- a battle ----------------------------------------------------------------------------------------------------

    def _battle(self) -> Iterator[LyingTable]:
        while self.state.turn is not None:
            if self.state.pending is None and any(self.state.piles) and not self._hurried:
                if self._does("withdraw") and self.state.extra == (0, 0):
                    self.state = play(self.state, Move("withdraw", self.state.turn))
                    return
                if self._hidden is None and self._left is None:
                    yield from self._interlude()
            move = self._chosen()
            yield from self._made(move)

    def _made(self, move: Move) -> Iterator[LyingTable]:
        before, after = self.state, play(self.state, move)
        laid = move.do in ("deploy", "improvise")
        plain = before.pending is None and self._hidden is None and self._left is None
        if after.piles == before.piles:
            self.state = after
            if laid and plain and destruction(before, move) is not None and after.pending is None:
                yield from self._destroyed(move)
            return
        if laid and plain and after.result is None and any(before.piles):
            yield from self._before_it_lies(move)
        self.state = after
        hurried = after.pending is None and after.result is None and plain and self._does("hurry")
        self._hurried = hurried
        if hurried or faces(after) == faces(before):
            return
        if laid and plain and after.result is None and after.pending is None:
            at = PILE_INDEX[move.to or "A"] + SEAT_INDEX[move.by]
            column = faces(after)[at]
            if len(column) > 1 and column[-1] != column[-2] and self._does("squarely"):
                self._hidden = (at, len(column) - 2, self._rng.randint(1, 3))
            elif self._does("gone") and (table := self._without_another(at)) is not None:
                yield self._lies(table, 5.0, "return-without-effect")
        yield self._now()

    def _destroyed(self, move: Move) -> Iterator[LyingTable]:
        """A card that Containment or Blockade destroys: taken away at once, or left lying."""
        at = PILE_INDEX[move.to or "A"] + SEAT_INDEX[move.by]
        face = FACE_DOWN if move.do == "improvise" or move.card is None else move.card
        table = self._with(at, face)
        if self._does("forget") and self.state.result is None:
            yield self._lies(table, self._rng.uniform(2.5, 4.0), "should-be-destroyed")
            self._left = (at, face)
        elif self._rng.random() < 0.5:
            yield self._lies(table, self._rng.uniform(0.6, 1.2), may=frozenset({"should-be-destroyed"}))
            yield self._now()

    def _before_it_lies(self, move: Move) -> Iterator[LyingTable]:
        """What comes before a card lies where it belongs: it is pushed over, or another one is taken back."""
        if move.do == "improvise" and self._does("push"):
            elsewhere = self._rng.choice([t for t in THEATERS if t != move.to])
            wrong = move._replace(to=elsewhere)
            if explain(self.state, wrong) is None and play(self.state, wrong).piles != self.state.piles:
                yield self._lies(faces(play(self.state, wrong)), self._rng.uniform(1.0, 3.0))
        elif self._does("take_back"):
            other_move = self._chosen()
            tried = play(self.state, other_move)
            if tried.piles != self.state.piles and tried.result is None and tried.pending is None:
                yield self._lies(faces(tried), self._rng.uniform(1.5, 3.5))
                yield self._lies(faces(self.state), self._rng.uniform(0.8, 5.0))

    def _chosen(self) -> Move:
        moves = [move for move in legal_moves(self.state) if move.do != "withdraw"]
        kept = [move for move in moves if not self._wasted(move)]
        return self._rng.choice(kept if kept and self._rng.random() > 0.1 else moves)

    def _wasted(self, move: Move) -> bool:
        return move.do in ("deploy", "improvise") and destruction(self.state, move) is not None

    # --- between the moves -------------------------------------------------------------------------------------------

    def _interlude(self) -> Iterator[LyingTable]:
        """Hands that read, tidy or err between two moves; the table lies as before after it."""
        habits: dict[str, Callable[[], LyingTable | None]] = {
            "peek": self._peek,
            "read": self._read,
            "square": self._square,
            "fan": self._fan,
            "drop": self._drop,
            "flip": self._flip,
            "reorder": self._reorder,
            "wrong_theater": self._wrong_theater,
            "second_card": self._second_card,
        }
        for name, habit in habits.items():
            shown = habit() if self._does(name) else None
            if shown is not None and any(shown.table):
                yield shown
                yield self._now()
                return

    def _tops(self, up: bool) -> list[int]:
        return [at for at, pile in enumerate(self.state.piles) if pile and pile[-1].up == up]

    def _peek(self) -> LyingTable | None:
        return self._lifted(self._tops(up=False), 1)

    def _read(self) -> LyingTable | None:
        return self._lifted(self._tops(up=True), 1)

    def _square(self) -> LyingTable | None:
        return self._lifted([at for at, pile in enumerate(self.state.piles) if len(pile) > 1], 9)

    def _lifted(self, stacks: list[int], cards: int) -> LyingTable | None:
        if not stacks:
            return None
        columns = self._columns()
        at = self._rng.choice(stacks)
        columns[at] = columns[at][:-cards]
        return self._lies(_table(columns), self._rng.uniform(0.6, 3.0))

    def _fan(self) -> LyingTable | None:
        stacks = [at for at, pile in enumerate(self.state.piles) if len(pile) > 1]
        if not stacks:
            return None
        columns, at = self._columns(), self._rng.choice(stacks)
        theater, seat = PLACES[at]
        place = self._order.index(theater)
        aside = self._order[self._rng.choice([n for n in (place - 1, place + 1) if 0 <= n < len(self._order)])]
        kept = self._rng.randint(1, len(columns[at]) - 1)
        columns[PILE_INDEX[aside] + SEAT_INDEX[seat]] += columns[at][kept:]
        columns[at] = columns[at][:kept]
        return self._lies(_table(columns), self._rng.uniform(1.0, 3.5), may=SAID_AFTER)

    def _drop(self) -> LyingTable | None:
        assert self.state.turn is not None
        if destroyers_lie(self.state.piles):
            # Nobody could tell it from a card that was played and destroyed.
            return None
        at = PILE_INDEX[self._rng.choice(THEATERS)] + SEAT_INDEX[self.state.turn]
        return self._lies(self._with(at, FACE_DOWN), self._rng.uniform(0.6, 1.8))

    def _flip(self) -> LyingTable | None:
        stacks = self._tops(up=False)
        if not stacks:
            return None
        columns, at = self._columns(), self._rng.choice(stacks)
        columns[at][-1] = self.state.piles[at][-1].card or FACE_DOWN
        said = frozenset({"flip-without-effect", "should-be-destroyed", "wrong-theater"})
        return self._lies(_table(columns), self._rng.uniform(0.6, 2.0), may=said)

    def _reorder(self) -> LyingTable | None:
        stacks = [at for at, column in enumerate(faces(self.state)) if len(set(column)) > 1]
        if not stacks:
            return None
        columns, at = self._columns(), self._rng.choice(stacks)
        columns[at].reverse()
        if columns[at] == self._columns()[at]:
            return None
        said = frozenset({"wrong-place-in-stack", "flip-without-effect", "covered-flip"})
        return self._lies(_table(columns), 4.0, "wrong-place-in-stack", said)

    def _wrong_theater(self) -> LyingTable | None:
        seat = self.state.turn
        assert seat is not None
        tries = [
            (card, to)
            for card in cards_of(self.state.hand(seat).known)
            for to in THEATERS
            if (why := explain(self.state, Move("deploy", seat, card, to))) is not None and why.code == "wrong-theater"
        ]
        if not tries:
            return None
        card, to = self._rng.choice(tries)
        return self._lies(self._with(PILE_INDEX[to] + SEAT_INDEX[seat], card), 3.0, "wrong-theater")

    def _second_card(self) -> LyingTable | None:
        seat = other(self.state.turn or "near")
        held = cards_of(self.state.hand(seat).known)
        if not held or destroyers_lie(self.state.piles):
            return None
        at = PILE_INDEX[self._rng.choice(THEATERS)] + SEAT_INDEX[seat]
        return self._lies(self._with(at, FACE_DOWN), 3.5, "second-card", frozenset({"out-of-turn"}))

    # --- after a battle ----------------------------------------------------------------------------------------------

    def _gathered_in(self, last: bool) -> Iterator[LyingTable]:
        self._hidden = self._left = None
        result = self.state.result
        assert result is not None
        columns = self._columns()
        if result.why == "played-out":
            yield self._lies(_table(columns), self._rng.uniform(1.5, 4.0), result=result)
        if result.why == "played-out" and self._does("show"):
            for at in self._tops(up=False)[:2]:
                columns[at][-1] = self.state.piles[at][-1].card or FACE_DOWN
                yield self._lies(_table(columns), self._rng.uniform(0.8, 3.0), result=result)
        rolling = not last and self._does("rolling")
        how = "at_once" if self._does("at_once") else "heap" if self._does("heap") else "stacks"
        if self._rates == POLITE:
            how = "at_once"
        if how == "heap":
            lying = [face for column in columns for face in column]
            columns = [[] for _ in PLACES]
            columns[self._rng.randrange(len(PLACES))] = lying[:2]
            yield self._lies(_table(columns), self._rng.uniform(0.5, 1.5), result=result)
        elif how == "stacks":
            own = self._does("own_side")
            while sum(map(bool, columns)) > (1 if rolling else 0):
                full = [at for at, column in enumerate(columns) if column]
                side = [at for at in full if at % 2 == SEAT_INDEX["near"]] if own else full
                columns[self._rng.choice(side or full)] = []
                if any(columns):
                    yield self._lies(_table(columns), self._rng.uniform(0.4, 1.6), result=result)
        if last:
            yield self._lies(EMPTY, 3.0)
            return
        order = self._order if self._does("not_rotated") else rotated(self._order)
        self.state, self._order = deal(self._rng, self.edition, order, other(self.state.first)), order
        if how == "stacks" and rolling:
            yield from self._rolling(columns)
        else:
            yield self._lies(EMPTY, 3.0)

    def _rolling(self, old: Columns) -> Iterator[LyingTable]:
        """The first card of the next battle, beside the last stack of the one before."""
        at = next(at for at, column in enumerate(old) if column)
        move = self._chosen()
        after = play(self.state, move)
        table = [list(column) for column in faces(after)]
        up = {face for column in table for face in column if face != FACE_DOWN}
        if table[at] or after.piles == self.state.piles or up & set(old[at]):
            yield self._lies(EMPTY, 3.0)
            return
        self.state = after
        table[at] = old[at][:1]
        yield self._lies(_table(table), 2.5)
        yield self._now()

    # --- how it looks ------------------------------------------------------------------------------------------------

    def _does(self, habit: str) -> bool:
        rate: float = getattr(self._rates, habit)
        return self._rng.random() < rate

    def _columns(self) -> Columns:
        return [list(column) for column in faces(self.state)]

    def _with(self, at: int, face: Face) -> Faces:
        columns = self._columns()
        columns[at].append(face)
        return _table(columns)

    def _without_another(self, laid: int) -> Faces | None:
        columns = self._columns()
        stacks = [at for at, column in enumerate(columns) if column and at != laid]
        if not stacks:
            return None
        columns[self._rng.choice(stacks)].pop()
        return _table(columns)

    def _now(self) -> LyingTable:
        """The table as it lies now, with what does not show and what was left lying."""
        columns = self._columns()
        seconds = self._rng.uniform(1.5, 4.0)
        if self._left is not None:
            at, face = self._left
            height = len(columns[at])
            self._left = None
            columns[at].insert(height, face)
            return self._lies(_table(columns), 3.0, may=frozenset({"should-be-destroyed"}))
        if self._hidden is not None:
            at, nth, tables = self._hidden
            self._hidden = (at, nth, tables - 1) if tables > 1 else None
            if len(columns[at]) > nth + 1:
                del columns[at][nth]
        return self._lies(_table(columns), seconds)

    def _lies(
        self,
        table: Faces,
        seconds: float,
        mistake: str = "",
        may: frozenset[str] = frozenset(),
        result: Result | None = None,
    ) -> LyingTable:
        return LyingTable(table, self._order, seconds, mistake, may, tuple(self.results), result)


def _table(columns: Columns) -> Faces:
    return tuple(map(tuple, columns))
