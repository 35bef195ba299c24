"""Games in which one habit of people comes at least once, everything else played politely: what `people_check` is made
of, with habits of our own.

A game is a list of tables that lie still, each for some seconds with hands over it afterwards, and what an onlooker
must hold at its end. Each habit is one function of `habits_of_hands`, `habits_of_ends`, `habits_of_both`,
`habits_of_play` or `habits_between_battles`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from engine.battle import destruction, play
from engine.legality import legal_moves
from engine.moves import Move, MoveKind
from engine.names import FACE_DOWN, EditionName, Face, Seat, other
from engine.places import PLACES
from engine.referee.belief import canonical, faces
from engine.referee.hypothesis import EMPTY, Faces
from engine.referee.search import destroyers_lie
from engine.sight import Note
from engine.state import Order, Pending, Result, State
from engine.war import rotated
from host.simulation.careless_players import Columns
from host.simulation.games import bare, deal


@dataclass(frozen=True, slots=True)
class HabitTable:
    """A table that lies still."""

    table: Faces
    order: Order | None
    """None while a board is hidden or lifted."""
    seconds: float
    hands: float
    """Seconds of hands over the table afterwards."""
    must: frozenset[str] | None = None
    """Codes one of which must be told of it; empty: any. None: nothing is wrong here."""
    may: frozenset[str] = frozenset()
    """Codes that may be told of it."""
    notes: tuple[Note, ...] = ()
    """What the reader sees that is no card of a column."""
    round_cards: frozenset[tuple[int, int]] = frozenset()
    """Cards that lie the wrong way round: the stack, and the card's place in it."""


@dataclass(slots=True)
class HabitGame:
    """A game as it is played: a habit's function calls its methods."""

    rng: Random
    edition: EditionName
    first: Seat = field(init=False)
    state: State = field(init=False)
    order: Order | None = field(init=False)
    """The boards as they lie; None while one is lifted."""
    tables: list[HabitTable] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    """The moves that an onlooker must hold at the end, silent ones left out."""
    results: list[Result] = field(default_factory=list)
    ask: bool = False
    """Whether a question may be asked."""
    known: bool = True
    """Whether an onlooker can know which moves were made."""
    shown: bool = False
    """Whether the habit came; without it the game is drawn anew."""

    def __post_init__(self) -> None:
        self.state = deal(self.rng, self.edition)
        self.first = self.state.first
        self.order = self.state.order
        self.show(EMPTY)

    # --- tables ------------------------------------------------------------------------------------------------------

    def show(
        self,
        table: Faces | Columns | None = None,
        seconds: tuple[float, float] = (0.8, 4.0),
        *,
        must: frozenset[str] | None = None,
        may: frozenset[str] = frozenset(),
        notes: tuple[Note, ...] = (),
        round_cards: frozenset[tuple[int, int]] = frozenset(),
    ) -> None:
        """Lets a table lie still, the true one unless another is given, between so many seconds."""
        lies = self.table if table is None else tuple(map(tuple, table))
        hands = self.rng.uniform(0.9, 2.0)
        long = self.rng.uniform(*seconds)
        self.tables.append(HabitTable(lies, self.order, long, hands, must, may, notes, round_cards))

    @property
    def table(self) -> Faces:
        return faces(self.state)

    @property
    def columns(self) -> Columns:
        return [list(column) for column in self.table]

    def laid(self, theater: str | None, seat: Seat, face: Face) -> Columns:
        """The table with that card on top of one of its stacks."""
        columns = self.columns
        columns[self.at(theater, seat)].append(face)
        return columns

    def tops(self, up: bool | None = None) -> list[int]:
        """The stacks whose uppermost card lies that way up."""
        return [at for at, pile in enumerate(self.state.piles) if pile and up in (None, pile[-1].up)]

    def at(self, theater: str | None, seat: Seat) -> int:
        return PLACES.index((theater, seat))

    # --- moves -------------------------------------------------------------------------------------------------------

    @property
    def free(self) -> bool:
        """Whether somebody is about to play a card, and no effect is open."""
        return self.state.turn is not None and self.state.pending is None

    @property
    def destroyers(self) -> bool:
        """Whether a card may be lost as it is played."""
        return destroyers_lie(self.state.piles)

    def choices(self, wanted: Callable[[Move], bool] = lambda move: True) -> list[Move]:
        """Moves of the seat that decides that leave a trace and lose no card."""
        return [
            move
            for move in legal_moves(self.state)
            if move.do != "withdraw" and wanted(move) and not self.lost(move) and not self.traceless(move)
        ]

    def lost(self, move: Move) -> bool:
        return move.do in ("deploy", "improvise", "reinforce") and destruction(self.state, move) is not None

    def traceless(self, move: Move) -> bool:
        return move.do != "decline" and faces(play(self.state, move)) == self.table

    def pick(self, wanted: Callable[[Move], bool]) -> Move | None:
        """One that is wanted, where somebody is about to play a card; None where there is none."""
        moves = self.choices(wanted) if self.free else []
        return self.rng.choice(moves) if moves else None

    def make(self, move: Move) -> None:
        """Makes a move without showing the table."""
        after = play(self.state, move)
        if move.do not in ("decline", "withdraw") and faces(after) != self.table:
            self.moves.append(bare(canonical(self.state, move)))
        self.state = after

    def step(self, wanted: Callable[[Move], bool] = lambda move: True, show: bool = True) -> bool:
        """One random move that is wanted; False where there is none."""
        moves = self.choices(wanted)
        if not moves:
            return False
        before = self.table
        self.make(self.rng.choice(moves))
        if show and self.table != before:
            self.show()
        return True

    def polite(self, moves: int = 99, until: Callable[[], bool] = lambda: False) -> bool:
        """Plays until `until` holds between two turns, or for so many turns; whether somebody is to play then."""
        while self.state.turn is not None:
            if self.free:
                if until() or moves == 0:
                    return True
                moves -= 1
            self.any_move()
        return False

    def while_open(self, do: MoveKind, *effects: Pending) -> Iterator[list[Move]]:
        """The moves `do` each time one of those effects is open, until the habit was shown; play goes on in between."""
        while self.state.turn is not None and not self.shown:
            moves = self.choices(lambda m: m.do == do) if self.state.pending in effects else []
            if moves:
                yield moves
            if not self.shown:
                self.any_move()

    def any_move(self) -> None:
        """One random move, which leaves a trace and loses no card where there is such a one."""
        if not self.step():
            self.forced()

    def forced(self) -> None:
        """A move where all that are left lose a card or leave no trace. A lost card lies there shortly."""
        move = self.rng.choice([m for m in legal_moves(self.state) if m.do != "withdraw"])
        if self.lost(move) and move.to is not None:
            columns = self.laid(move.to, move.by, shown_by(move))
            self.show(columns, (0.7, 1.4), may=frozenset({"should-be-destroyed"}))
            self.make(move)
            if self.state.result is None or self.rng.random() < 0.5:
                self.show()
        else:
            self.make(move)

    def some(self, least: int = 1, most: int = 8) -> bool:
        """Plays some turns; whether the battle goes on and the table is not empty."""
        return self.polite(self.rng.randint(least, most)) and any(self.table)

    # --- ends --------------------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Plays the battle out and clears the table."""
        self.play_out()
        self.clear()

    def play_out(self) -> None:
        """Plays the battle until its end, with all cards on the table."""
        self.polite()
        self.ended()

    def ended(self) -> None:
        """Notes how the battle ended."""
        assert self.state.result is not None
        self.results.append(self.state.result)

    def withdraw(self) -> None:
        """The seat to move withdraws without a word."""
        assert self.state.turn is not None
        self.state = play(self.state, Move("withdraw", self.state.turn))
        self.ended()

    def clear(self) -> None:
        """The cards are gathered in, stack by stack or at once."""
        if self.rng.random() < 0.6:
            self.gather(self.columns, (0.5, 2.0))
        else:
            self.show(EMPTY, (2.5, 4.0))

    def gather(self, columns: Columns, seconds: tuple[float, float]) -> None:
        """The cards of `columns` are taken up stack by stack, in any order, with so many seconds after each."""
        while sum(map(bool, columns)) > 1:
            columns[self.rng.choice([at for at, column in enumerate(columns) if column])] = []
            self.show(columns, seconds)
        self.show(EMPTY, (2.5, 4.0))

    def deal_again(self, order: Order | None = None) -> None:
        """The next battle is dealt: boards rotated, commander cards exchanged."""
        self.order = order or rotated(self.state.order)
        self.state = deal(self.rng, self.edition, self.order, other(self.state.first))


def shown_by(move: Move) -> Face:
    """The face that a played card shows."""
    return str(move.card) if move.do == "deploy" else FACE_DOWN


def side_of(at: int) -> Seat:
    return PLACES[at][1]


def same_side(at: int) -> list[int]:
    """The other stacks of that seat."""
    return [n for n in range(len(PLACES)) if n != at and n % 2 == at % 2]
