"""A war told moment by moment: what was concluded, from what and by which rule, and the table as it was shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from engine.events import Event, Mended, MoveMade, Reading, Revised, Undone, Violation
from engine.names import Seat
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
            _take_back(found, moves, event)
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
    return tuple(found)


def _take_back(found: list[Moment], moves: list[int], event: Event) -> None:
    """Marks the moves that an undo or a better reading takes back."""
    if isinstance(event, Undone | Revised):
        for _ in range(min(event.moves, len(moves))):
            index = moves.pop()
            found[index] = replace(found[index], taken_back=True)


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


def mistakes_of(replayed: Replayed) -> tuple[Mistake, ...]:
    """Every mistake of a war that was told."""
    found: list[Mistake] = []
    for _, events, after in replayed:
        for event in events:
            if isinstance(event, Violation):
                found.append(Mistake(len(after.before.fought) + 1, event.code, event.who, False))
            elif isinstance(event, Mended) and found and not found[-1].mended:
                found[-1] = replace(found[-1], mended=True)
    return tuple(found)
