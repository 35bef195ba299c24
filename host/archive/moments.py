"""A war told moment by moment: what was concluded, from what and by which rule, and the table as it was shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from engine.events import BattleOver, Corrected, Event, Mended, MoveMade, Reading, Revised, Undone, Violation
from engine.moves import Move
from engine.names import Seat, other
from engine.records.timeline import Timeline
from engine.state import State, board
from host.messages.message import Message, mend_message, message_of, rule_message, winner_by_concession
from host.session.game_log import Entry, JsonMapping
from host.session.session import Rules
from host.session.standing import Standing

Concluded: TypeAlias = Literal["opening", "camera", "time", "page", "button", "source", "club", "other"]
"""From what a moment was concluded: a reading of the table, its lying still, or what somebody said."""

_SAYS_WHO: Final = ("near", "far", "owner")

Replayed: TypeAlias = Sequence[tuple[Entry, tuple[Event, ...], Timeline]]


@dataclass(frozen=True, slots=True)
class Moment:
    """One thing that was said of a war. The standing may know cards that lie face down: a view leaves them out."""

    battle: int
    """From 1."""
    entry: int
    """Of the log; 0 before its first."""
    at: float
    """Seconds since 1970."""
    concluded: Concluded
    who: str | None
    """The role or seat that said it, where somebody did."""
    said: Message | None
    why: tuple[Message, ...]
    """The rule that was broken, and what puts the table right."""
    standing: Standing
    taken_back: bool = False
    """It was undone later, or turned out to be misread."""


def moments_of(rules: Rules, began: float, replayed: Replayed) -> tuple[Moment, ...]:
    """Every moment of a war, in the order in which it was told."""
    timeline = rules.timeline()
    found = [Moment(1, 0, began, "opening", None, None, (), _standing(timeline, timeline.shown))]
    moves: list[int] = []
    for entry, events, after in replayed:
        concluded, who = _cause(entry.cause)
        for number, event in enumerate(events):
            before, timeline = timeline, timeline.after(event)
            _take_back(found, moves, events, number)
            state = after.shown if number == len(events) - 1 else timeline.state
            if isinstance(event, Reading):
                continue
            said = message_of(event, board(timeline.state), before.shown.pending, winner_by_concession(events))
            if said is None:
                continue
            if isinstance(event, MoveMade):
                moves.append(len(found))
            why: tuple[Message, ...] = ()
            violation = event if isinstance(event, Violation) else None
            if violation is not None:
                why = (rule_message(violation), *(mend_message(mend, violation) for mend in violation.mend))
            standing = _standing(timeline, state, violation)
            found.append(Moment(standing.battle, entry.sequence, entry.at, concluded, who, said, why, standing))
        timeline = after
    return _on_the_boards_of_their_battle(found)


def _on_the_boards_of_their_battle(moments: Sequence[Moment]) -> tuple[Moment, ...]:
    """The moments before a battle's first move with its boards as they lie: until then they were only expected."""
    order = {moment.battle: moment.standing.state.order for moment in moments if moment.standing.begun}
    shown = []
    for moment in moments:
        standing = moment.standing
        if not standing.begun and moment.battle in order:
            lying = standing.state._replace(order=order[moment.battle])
            moment = replace(moment, standing=replace(standing, state=lying))
        shown.append(moment)
    return tuple(shown)


def _take_back(found: list[Moment], moves: list[int], events: Sequence[Event], number: int) -> None:
    """Marks what the `number`-th event, an undo or a better reading, takes back: moves, and mistakes that were none."""
    event = events[number]
    if not isinstance(event, Undone | Revised):
        return
    for _ in range(min(event.moves, len(moves))):
        index = moves.pop()
        found[index] = replace(found[index], taken_back=True)
    if isinstance(event, Revised):
        acquitted = _moves_told(events[number + 1 :])
        for index in range(moves[-1] + 1 if moves else 0, len(found)):
            broken = found[index].standing.violation
            if broken is not None and broken.move is not None and _same_step(broken.move, acquitted):
                found[index] = replace(found[index], taken_back=True)


def _moves_told(events: Sequence[Event]) -> tuple[Move, ...]:
    return tuple(event.move for event in events if isinstance(event, MoveMade))


def _same_step(tried: Move, told: Sequence[Move]) -> bool:
    """Whether a move that was called a mistake is among moves that turned out to have been made by the rules."""
    bare = tried._replace(nth=None, reveals=None)
    return any(bare == move._replace(nth=None, reveals=None) for move in told)


def _standing(timeline: Timeline, state: State, violation: Violation | None = None) -> Standing:
    war = timeline.war
    return Standing(
        state=state,
        score=war.score,
        target=war.target,
        battle=len(timeline.before.fought) + 1,
        begun=bool(timeline.steps),
        beginner=war.beginner,
        war_winner=war.winner if timeline.over else None,
        violation=violation,
    )


def _cause(cause: JsonMapping) -> tuple[Concluded, str | None]:
    by: Any = cause.get("by")
    who = cause.get("role", cause.get("seat"))
    named = str(who) if who in _SAYS_WHO else None
    for known in ("camera", "time", "page", "button", "source", "club"):
        if by == known:
            return known, named
    return "other", named


@dataclass(frozen=True, slots=True)
class Mistake:
    """A rule that was broken: its code (`ViolationCode`), by whom, in which battle, and whether it was put right."""

    battle: int
    code: str
    who: Seat
    mended: bool


def mistakes_of(replayed: Replayed, moments: Sequence[Moment]) -> tuple[Mistake, ...]:
    """Every mistake of a war that was told, without those that a better reading showed to be none."""
    none = [moment.standing.violation for moment in moments if moment.taken_back]
    found: list[tuple[Mistake, Violation]] = []
    for _, events, after in replayed:
        for event in events:
            if isinstance(event, Violation):
                found.append((Mistake(len(after.before.fought) + 1, event.code, event.who, False), event))
            elif isinstance(event, Mended) and found and not found[-1][0].mended:
                found[-1] = (replace(found[-1][0], mended=True), found[-1][1])
    return tuple(mistake for mistake, told in found if not any(told is one for one in none))


@dataclass(frozen=True, slots=True)
class Concession:
    """The war as it was given up: by whom, and the score until then."""

    who: Seat
    score: Mapping[Seat, int]


def concession_of(replayed: Replayed) -> Concession | None:
    """How the war was given up, if it was and nobody took that back."""
    found: Concession | None = None
    score: Mapping[Seat, int] = {"near": 0, "far": 0}
    for _, events, after in replayed:
        winner = winner_by_concession(events)
        # Who gives up in the middle of a battle withdraws from it first.
        score = next((dict(event.score) for event in events if isinstance(event, BattleOver)), score)
        if winner is not None:
            found = Concession(other(winner), score)
        elif any(isinstance(event, Undone | Corrected) for event in events):
            found = None
        score = after.war.score
    return found
