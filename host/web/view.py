"""What the table shows: one frozen value that the page, the lights and the tests all read. Nothing hidden is in it.

The referee's state may know a card that lies face down, because it was seen before it was turned. This is where it is
left behind: a card that lies face down is `"-"` from here on, on every channel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from engine.editions import EDITIONS
from engine.events import Mend, Option, Unsure, Violation
from engine.legality import legal_moves
from engine.names import FACE_DOWN, SEATS, EditionName, Face, Seat, Theater, other
from engine.places import Board
from engine.referee import UndoPreview as Foreseen
from engine.state import CardInPlay, Order, State, board
from engine.strength import holders, strengths
from host.lights.grammar import frame_of
from host.messages.message import (
    EITHER,
    Message,
    assumption_message,
    in_edition,
    mend_message,
    mistake_message,
    move_message,
    option_message,
    rule_message,
)
from host.session.standing import Standing, violated_theaters
from host.web.hints import hints, withdrawal_worth
from host.web.marks import Arrow, MarkedCard, arrows, drawn, targets, ways_back
from host.web.waiting import waiting

Dot: TypeAlias = Literal["", "mid", "full", "dim"]

MIDDLE: Final = 4
DOTS: Final = 9


@dataclass(frozen=True, slots=True)
class Summand:
    """One part of a strength. `name` is a code of the catalogue's group `part`; `card` is set where it is face up."""

    name: str
    value: int
    card: Face | None = None
    source: Theater | None = None


@dataclass(frozen=True, slots=True)
class SideView:
    """One seat's side of a theater: faces from the board outwards, and the strength with its parts."""

    faces: tuple[Face, ...]
    total: int
    parts: tuple[Summand, ...]
    drawn: tuple[MarkedCard, ...] = ()
    """The stack as it lies, with what is amiss and what may be chosen."""


@dataclass(frozen=True, slots=True)
class TheaterView:
    """One theater. `dots` are its bar's nine lights from near to far; `why` is a code of the group `view`."""

    theater: Theater
    sides: Mapping[Seat, SideView]
    holder: Seat
    lead: int
    why: str
    wrong: bool
    choice: bool
    dots: tuple[Dot, ...]
    mood: str


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat: its score, its hand's size, and what a withdrawal now would give the other."""

    score: int
    hand: int
    withdrawal: int | None
    """None where the seat cannot withdraw now or ever (the battle is over)."""
    may_withdraw: bool
    """It is this seat's turn and no effect waits (R12)."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What an undo or redo restores: the moves it takes back or makes, and the decision that is then due."""

    moves: tuple[Message, ...]
    turn: Seat | None
    asks: bool = False
    """It goes beyond something that was revealed, so both players should agree."""
    pending: str | None = None
    """The effect that is then open."""
    score: Mapping[Seat, int] | None = None
    """The points that are then the war's, where they are others than now."""


@dataclass(frozen=True, slots=True)
class AnswerView:
    """One answer: its key, what it means, and the seat that it is about where several answers are about that seat."""

    key: str
    said: tuple[Message, ...]
    about: Seat | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the players with its answers."""

    id: int
    text: Message
    options: tuple[AnswerView, ...]


@dataclass(frozen=True, slots=True)
class ViolationView:
    """A table that breaks a rule: what is wrong, which rule, and the steps that put it right."""

    title: Message
    rule: Message
    mend: tuple[Message, ...]
    either: bool
    """Each step mends it by itself; otherwise they are taken one after another."""
    theaters: frozenset[Theater]


@dataclass(frozen=True, slots=True)
class GameView:
    """Everything that is shown of the game itself."""

    edition: EditionName
    order: Order
    first: Seat
    battle: int
    target: int
    beginner: bool
    """A battle counts one point."""
    begun: bool
    turn: Seat | None
    pending: str | None
    optional: bool
    """What is pending may be left out."""
    winner: Seat | None
    points: int | None
    war_winner: Seat | None
    theaters: tuple[TheaterView, ...]
    seats: Mapping[Seat, SeatView]
    violation: ViolationView | None
    question: Question | None
    assumptions: tuple[Message, ...]
    undo: Preview | None
    redo: Preview | None
    arrows: tuple[Arrow, ...] = ()
    """From cards that lie wrongly to where they belong."""
    bring_back: tuple[Message, ...] = ()
    """What is to be taken off or turned over since an undo, until the table shows that it was."""
    hints: tuple[Message, ...] = ()
    """For learners: what may be done now."""
    lasting: tuple[Message, ...] = ()
    """Mistakes beside which play goes on, each with what puts it right; and what waits or is owed."""


def faces_of(state: State) -> Board:
    """The table as an onlooker sees it."""
    return {place: tuple(_face(slot) for slot in pile) for place, pile in state.stacks.items()}


def game_view(standing: Standing) -> GameView:
    """The view of a standing."""
    state = standing.state
    edition = state.edition
    faces = faces_of(state)
    sums = strengths(state)
    moves = legal_moves(state) if state.pending and state.turn else ()
    choices = targets(state)
    stacks = drawn(standing, faces)
    violation = _violation(standing.violation) if standing.violation else None
    wrong = violation.theaters if violation else frozenset()
    winner = state.result.winner if state.result else None
    held = {h.theater: h for h in holders(state)}
    frame = frame_of(standing)
    theaters: list[TheaterView] = []
    for theater, bar in zip(state.order, frame.bars, strict=True):
        sides: dict[Seat, SideView] = {}
        for seat in SEATS:
            pile = faces[(theater, seat)]
            parts = tuple(
                Summand(p.name, p.value, _shown(p.card, p.nth, pile), p.source) for p in sums[(theater, seat)].parts
            )
            sides[seat] = SideView(pile, sums[(theater, seat)].total, parts, stacks[(theater, seat)])
        h = held[theater]
        theaters.append(
            TheaterView(
                theater,
                sides,
                h.seat,
                h.lead,
                {"stronger": "why", "tie-first-player": "why-tie", "empty-first-player": "why-empty"}[h.why],
                theater in wrong,
                theater in choices,
                dots(bar.holder, bar.lead),
                bar.mood,
            )
        )
    return GameView(
        edition=edition.name,
        order=state.order,
        first=state.first,
        battle=standing.battle,
        target=standing.target,
        beginner=standing.beginner,
        begun=standing.begun,
        turn=state.turn,
        pending=state.pending,
        optional=any(m.do == "decline" for m in moves),
        winner=winner,
        points=(1 if standing.beginner else state.result.points) if state.result else None,
        war_winner=standing.war_winner,
        theaters=tuple(theaters),
        seats={seat: _seat(standing, seat) for seat in SEATS},
        violation=violation,
        question=_question(standing, standing.question) if standing.question else None,
        assumptions=tuple(assumption_message(a) for a in standing.assumptions),
        # Each move is told as the table lay after it: what an undo takes back still lies there, a redo's does not yet.
        undo=_preview(standing, standing.undo, state),
        redo=_preview(standing, standing.redo, standing.redo.state if standing.redo else None),
        arrows=arrows(standing, stacks),
        bring_back=tuple(map(_step_back, ways_back(stacks))) if standing.departure == "taken-back" else (),
        hints=hints(standing),
        lasting=(*(message for one in standing.lasting for message in _lasting(one)), *waiting(state)),
    )


def _step_back(step: Mend) -> Message:
    return mend_message(step, None)


def _lasting(violation: Violation) -> tuple[Message, ...]:
    return (mistake_message(violation), *(mend_message(mend, violation) for mend in violation.mend))


def dots(holder: Seat | None, lead: int) -> tuple[Dot, ...]:
    """A bar's nine lights from near to far, as the controller shows them (docs/lights.md)."""
    row: list[Dot] = [""] * DOTS
    if holder is None:
        return tuple(row)
    row[MIDDLE] = "mid"
    towards = -1 if holder == "near" else 1
    if lead == 0:
        row[MIDDLE + towards] = "dim"
    for step in range(1, lead + 1):
        row[MIDDLE + towards * step] = "full"
    return tuple(row)


def _face(slot: CardInPlay) -> Face:
    return slot.card if slot.up and slot.card is not None else FACE_DOWN


def _shown(card: Face | None, index: int | None, pile: tuple[Face, ...]) -> Face | None:
    """A summand's card, if it lies face up; Support, which lies next door, always does."""
    if index is None:
        return card
    return None if pile[index] == FACE_DOWN else pile[index]


def _seat(standing: Standing, seat: Seat) -> SeatView:
    state = standing.state
    cards = state.hand_sizes[seat]
    over = state.result is not None
    return SeatView(
        score=standing.score[seat],
        hand=cards,
        withdrawal=None if over else withdrawal_worth(standing, cards, seat),
        may_withdraw=not over and state.turn == seat and state.pending is None,
    )


def _violation(violation: Violation) -> ViolationView:
    steps = tuple(mend_message(mend, violation) for mend in violation.mend)
    code = in_edition(violation.code, violation.parts)
    title = Message("violation", "violation", code, {"who": violation.who})
    where = violated_theaters(violation)
    return ViolationView(title, rule_message(violation), steps, violation.code in EITHER, where)


def _preview(standing: Standing, found: Foreseen | None, after: State | None) -> Preview | None:
    if found is None or after is None:
        return None
    told = tuple(move_message(move, board(after), found.state.pending) for move in found.moves)
    score = None if dict(found.score) == dict(standing.score) else found.score
    return Preview(told, found.state.turn, found.reveals, found.state.pending, score)


def _question(standing: Standing, unsure: Unsure) -> Question:
    text = Message("unsure", "question", unsure.question, dict(unsure.parts))
    return Question(unsure.id, text, tuple(_answer(standing, unsure, option) for option in unsure.options))


def _answer(standing: Standing, unsure: Unsure, option: Option) -> AnswerView:
    story = standing.stories.get(option.key)
    if unsure.question == "which-line" and story is not None:
        told = tuple(move_message(one.move, board(one.state), one.effect) for one in story)
        return AnswerView(option.key, told or (Message("unsure", "option", "which-line-same", {}),))
    seat = option.parts.get("seat")
    if standing.beginner and "points" in option.parts:
        option = Option(option.key, {**option.parts, "points": 1})
    about = next((one for one in SEATS if one == seat), None)
    return AnswerView(option.key, (option_message(unsure, option),), about)


def edition_colours(view: GameView) -> dict[Seat, str]:
    """The seats' colours by name: those of the commander cards that they hold in this battle."""
    one, two = EDITIONS[view.edition].commander_colours
    return {view.first: one, other(view.first): two}
