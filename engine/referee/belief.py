"""What the referee believes: an immutable value with everything that decides what it says next.

A belief goes to JSON and back, so that a program that was killed goes on where it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.battle import cut_off, destruction
from engine.events import Assumption, MoveMade, Unsure, UnsureCode, Violation
from engine.moves import Move
from engine.names import SEATS, Card, EditionName, Face, Seat, Theater, parse_edition, parse_order, parse_seat
from engine.referee.belief_parts import (
    NO_END,
    NO_MISTAKE,
    NOTHING_OPEN,
    BattleEnd,
    LineQuestion,
    MisplacedCard,
    PresentTable,
    PreviousBattle,
    ToldMistake,
)
from engine.referee.differences import Difference, MovedBoards
from engine.referee.hypothesis import Faces, Hypothesis, TakenUp
from engine.referee.observation import faces_of
from engine.referee.policy import Policy
from engine.referee.search import Step, closure
from engine.sight import Sight
from engine.state import PILE_INDEX, SEAT_INDEX, State, start
from engine.war import War

BattlePhase: TypeAlias = Literal["setup", "battle", "over", "won"]
"""setup: no card of this battle has been laid. battle. over: ended, the table not yet cleared. won: the war is over."""
AGREED_WITHIN: Final = 2.5
"""Nats: lines that are less likely than this beside the likeliest have no say in what is told."""


@dataclass(frozen=True, slots=True)
class Belief:
    """All that the referee knows and remembers. Make one with `new_belief`; it never changes."""

    war: War
    """The war at the opening of this battle: it alone knows target, rotation, first player and score."""
    policy: Policy
    phase: BattlePhase
    first: Seat | None
    """None in the first battle until somebody lays a card."""
    expected_order: tuple[Theater, Theater, Theater] | None
    hyps: tuple[Hypothesis, ...]
    """Likeliest first."""
    told: tuple[Move, ...] = ()
    """Moves of this battle that were told and hold."""
    present: PresentTable = NOTHING_OPEN
    mistake: ToldMistake = NO_MISTAKE
    ending: BattleEnd = NO_END
    previous: PreviousBattle | None = None
    first_assumed: bool = False
    """Nobody said who is first in this battle: it is the seat that laid the first card."""
    seen: Faces | None = None
    """The last table that was told as a reading."""
    seen_order: tuple[Theater, Theater, Theater] | None = None
    questions: tuple[Unsure, ...] = ()
    next_id: int = 1
    foreign: tuple[str, ...] = ()
    """Stacks at which the last understood table had something that is no card."""
    conceded: tuple[int, int] | None = None
    """Where the war was conceded: the points before this battle as they were until then, for an undo."""
    undone: Hypothesis | None = None
    """The moves of the last undo, from the state that it led to, as long as that is the likeliest one."""
    undone_before: tuple[Hypothesis, ...] = ()
    """The moves of the undos before it, the oldest first: each may be made again once those after it were."""
    taken_back: Hypothesis | None = None
    """The line before an undo by word, as long as the table may still show it: the undo may have been a mistake."""
    misread: tuple[tuple[Face, Face], ...] = ()
    """Readings that a person has said are another card, in this battle."""
    taken_up: TakenUp | None = None
    """The lines before cards were taken up, while that may have been the beginning of gathering in."""
    differences: tuple[Difference, ...] = ()
    """What lies there otherwise than the state has it, and is known."""
    boards: MovedBoards | None = None
    """The boards, if they lie in another order than that of this battle."""
    misplaced: tuple[MisplacedCard, ...] = ()
    """Cards that lie beside the columns, over a board or askew."""
    touched: bool = False
    """A hand was over the table since the last move and left it as it was."""
    dealt: float | None = None
    """Seconds: when a hidden card of each seat was first seen, both at once on empty boards; they may be the hands."""
    line_question: LineQuestion | None = None
    returned: bool = False
    """The war is gone on with after a while, and since then neither were its cards seen nor was a word said: how they
    were gathered in nobody watched."""
    glimpse: Glimpse | None = field(default=None, compare=False, repr=False)
    """The table that was seen last; not written down."""
    complete: bool = True
    """False once lines had to be dropped: the set of states may lack the true one, and the state says `unsure`."""
    time: float = 0.0

    @property
    def edition(self) -> EditionName:
        return self.war.edition.name

    @property
    def number(self) -> int:
        """Which battle of the war this is, from 1."""
        return len(self.war.fought) + 1

    @property
    def current_war(self) -> War:
        """The war with the likeliest line of this battle in it."""
        best = self.hyps[0]
        return self.war.with_line(
            best.base, [step.state if step.move is None else step.move for step in best.path], best.state
        )

    @property
    def score(self) -> dict[Seat, int]:
        """Points so far; those of this battle count once its end was told."""
        return (self.current_war if self.phase in ("over", "won") else self.war).score

    def is_asked(self, question: UnsureCode) -> bool:
        """Whether that question is open."""
        return any(asked.question == question for asked in self.questions)

    def with_looks(self, looks: Iterable[Sight]) -> Belief:
        """The same belief with these readings of the table that lies there."""
        return replace(self, present=replace(self.present, looks=tuple(looks)))

    def with_rivals(self, rivals: tuple[Hypothesis, ...], in_rivals: Violation | None = None) -> Belief:
        """The same belief with these lines beside what was told; `in_rivals` is the mistake that they let stand."""
        return replace(self, mistake=replace(self.mistake, rivals=rivals, in_rivals=in_rivals))

    def without_violation(self) -> Belief:
        """Play goes on from the mistake that was told, though it is still there."""
        return replace(self, mistake=replace(self.mistake, violation=None))


@dataclass(frozen=True, slots=True)
class Glimpse:
    """The table that was seen last, and what was believed before it."""

    table: Faces
    since: float
    """Seconds."""
    before: Belief
    after: float = 0.0
    """Seconds from when the table before was first seen until this one was: more than was had for all that is new."""
    doubted: bool = False
    """Another table had lain there just before, so that one of the two was misread: `before` is older than both."""


class TellableMove(NamedTuple):
    """A move that can be told, with the state after it."""

    move: Move
    state: State
    destroyed: bool
    by_card: Card | None = None
    """What destroyed it."""
    cut_off: Card | None = None
    """The card whose ability it ended before that was done."""

    @property
    def event(self) -> MoveMade:
        """The event that tells it."""
        return MoveMade(self.move, self.state, self.destroyed, self.by_card)


class UndoPreview(NamedTuple):
    """What an undo or redo would do."""

    moves: tuple[Move, ...]
    state: State
    reveals: bool
    """Taking these moves back goes beyond something that came to light."""
    score: Mapping[Seat, int]
    """The war's points after it."""


def fresh(edition: EditionName, order: tuple[Theater, ...] | None, first: Seat | None) -> tuple[Hypothesis, ...]:
    """The lines at the start of a battle: one for each seat that could be first."""
    row = order or ("A", "L", "S")
    seats = (first,) if first is not None else SEATS
    return tuple(Hypothesis(0.0, start(edition, row, seat)) for seat in seats)


def new_belief(
    edition: str = "revised",
    first: str | None = None,
    order: str | None = None,
    *,
    target: int | None = None,
    beginner: bool = False,
    policy: Policy | None = None,
) -> Belief:
    """A war before its first card. What is None the table will show or the rules say; raises `BadInput`."""
    name = parse_edition(edition)
    seat = parse_seat(first) if first is not None else None
    row = parse_order(order) if order is not None else None
    return Belief(
        war=War.begin(name, row or "ALS", seat or "near", target=target, beginner=beginner),
        policy=policy or Policy(),
        phase="setup",
        first=seat,
        expected_order=row,
        hyps=fresh(name, row, seat),
    )


def best_state(belief: Belief) -> State:
    """The likeliest state: what page and lights show."""
    return belief.hyps[0].state


def states(belief: Belief) -> frozenset[State]:
    """All states that agree with everything seen, silent moves since the last table included.

    The true state is one of them, unless `unsure` says otherwise.
    """
    return frozenset(state for hyp in belief.hyps + belief.mistake.rivals for _, state in closure(hyp.state))


def unsure(belief: Belief) -> bool:
    """Whether more may have happened than could be followed, so that the true state may not be among `states`."""
    return not belief.complete


def score(belief: Belief) -> dict[Seat, int]:
    return belief.score


def war_winner(belief: Belief) -> Seat | None:
    """The seat that has won the war, or None while it goes on."""
    return belief.current_war.winner if belief.phase in ("over", "won") else belief.war.winner


def questions(belief: Belief) -> tuple[Unsure, ...]:
    return belief.questions


def told_moves(belief: Belief) -> tuple[Move, ...]:
    return belief.told


def assumptions(belief: Belief) -> tuple[Assumption, ...]:
    """Silent things that the likeliest line takes for granted and nobody has confirmed."""
    found: list[Assumption] = []
    best = belief.hyps[0]
    if belief.first is None:
        found.append(Assumption("first", best.base.first))
    if unsure(belief):
        found.append(Assumption("unsure", best.state.turn or best.base.first))
    state = best.base
    for step in best.path:
        if step.kind == "silent" and step.move is not None:
            if step.move.do == "decline":
                found.append(Assumption("declined", step.move.by, {"effect": state.pending or ""}))
            elif step.move.do == "withdraw":
                found.append(Assumption("withdrew", step.move.by))
            else:
                found.append(Assumption("destroyed-unseen", step.move.by, {"remove": state.edition.remove_word}))
        state = step.state
    return tuple(found)


def canonical(state: State, move: Move) -> Move:
    """`move` as it is told: no hidden card, and the lowest of a run of equal visible cards."""
    if move.do in ("improvise", "reinforce"):
        return move._replace(card=None)
    place = move.origin if move.do == "move" else move.at
    if move.nth is None or place is None:
        return move
    faces = faces_of(state.piles[PILE_INDEX[place] + SEAT_INDEX[move.by]])
    nth = move.nth
    while nth > 0 and faces[nth - 1] == faces[nth]:
        nth -= 1
    return move._replace(nth=nth)


def tellable(hyp: Hypothesis) -> list[TellableMove]:
    """The moves of a line that can be told: all that left a trace, and what was declined before one of them."""
    found: list[TellableMove] = []
    waiting: list[TellableMove] = []
    state = hyp.base
    for step in hyp.path:
        if step.move is not None:
            destroyed = step.kind == "seen" and step.state.piles == state.piles
            lost = destruction(state, step.move) if destroyed else None
            ended = cut_off(state, step.move)
            told = TellableMove(canonical(state, step.move), step.state, destroyed, lost and lost.by_card, ended)
            if step.kind == "silent":
                if step.move.do == "decline":
                    waiting.append(told)
            else:
                found += [*waiting, told]
                waiting.clear()
        state = step.state
    return found


def disputed(hyps: Sequence[Hypothesis]) -> dict[tuple[int, int], frozenset[Face]]:
    """Cards that the lines take for different ones, by stack and place in it, with the faces they may have."""
    tables = {faces(hyp.state) for hyp in hyps}
    if len(tables) < 2:
        return {}
    found: dict[tuple[int, int], frozenset[Face]] = {}
    for at, columns in enumerate(zip(*tables, strict=True)):
        for nth in range(min(map(len, columns))):
            said = frozenset(column[nth] for column in columns)
            if len(said) > 1:
                found[at, nth] = said
    return found


def agreed(hyps: Sequence[Hypothesis]) -> list[TellableMove]:
    """The moves of the likeliest line that can be told: those that all lines have which are nearly as likely.

    Lines that lead to the same table differ in what nobody saw; there the likeliest is told.
    """
    best = hyps[0]
    table = faces(best.state)
    rivals = [hyp for hyp in hyps[1:] if hyp.cost - best.cost < AGREED_WITHIN and faces(hyp.state) != table]
    said = [{entry.move for entry in tellable(hyp)} for hyp in rivals]
    return [entry for entry in tellable(best) if all(entry.move in moves for moves in said)]


def faces(state: State) -> Faces:
    """The table of a state as the camera would see it."""
    return tuple(faces_of(pile) for pile in state.piles)


def earlier(hyp: Hypothesis) -> Iterator[tuple[int, State]]:
    """The states before the present one, latest first, each with the number of steps that led to it."""
    for length in range(len(hyp.path) - 1, -1, -1):
        yield length, hyp.path[length - 1].state if length else hyp.base


def revealing(steps: tuple[Step, ...]) -> bool:
    """Whether taking these moves back goes beyond information that came to light.

    A card turned up, a card drawn from the deck, or an answer face up of the other seat.
    """
    seats = set()
    for step in steps:
        if step.move is None:
            continue
        if step.move.reveals is not None or step.move.do == "reinforce":
            return True
        if step.move.do == "deploy":
            seats.add(step.move.by)
    return len(seats) > 1
