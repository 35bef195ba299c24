"""How things stand: what the referee holds for true at one moment, without a word in any language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.events import Assumption, Unsure, Violation
from engine.legality import legal_moves
from engine.moves import Move
from engine.names import THEATERS, Seat, Theater
from engine.places import PLACES, Board
from engine.referee import Belief, UndoPreview, assumptions, best_state, preview_redo, preview_undo, score, war_winner
from engine.referee.hypothesis import Faces
from engine.referee.lasting import lasting_mistakes
from engine.state import State

Departure: TypeAlias = Literal["mistake", "taken-back", "unexplained"]
"""mistake: it breaks a rule. taken-back: what was taken back by word still lies there. unexplained: nobody knows."""
UNEXPLAINED: Final = ("unexplained", "cards-missing")
"""Questions about a table whose history is not known."""


class ToldMove(NamedTuple):
    """A move with the state after it and the effect that was open before it."""

    move: Move
    state: State
    effect: str | None


@dataclass(frozen=True, slots=True)
class Standing:
    """The belief's public side. The state may know cards that lie face down: a view leaves them out."""

    state: State
    score: Mapping[Seat, int]
    target: int
    battle: int
    """Which battle of the war this is, from 1."""
    begun: bool
    """A card has been laid in this battle, or the first player is otherwise certain."""
    beginner: bool = False
    war_winner: Seat | None = None
    violation: Violation | None = None
    question: Unsure | None = None
    assumptions: tuple[Assumption, ...] = ()
    undo: UndoPreview | None = None
    redo: UndoPreview | None = None
    lying: Board | None = None
    """The table as it was read, where it lies otherwise than the state has it."""
    departure: Departure | None = None
    """Why it does."""
    stories: Mapping[str, tuple[ToldMove, ...]] = field(default_factory=dict)
    """What each answer to an open question of lines means, by its key: the moves in which the lines differ."""
    lasting: tuple[Violation, ...] = ()
    """Mistakes beside which play goes on: they lie there until they are put right or let stand."""


def standing_of(belief: Belief) -> Standing:
    """The standing that a belief gives."""
    departure, lying = _departure(belief)
    return Standing(
        state=best_state(belief),
        score=score(belief),
        target=belief.war.target,
        battle=belief.number,
        begun=belief.phase != "setup",
        beginner=belief.war.beginner,
        war_winner=war_winner(belief),
        violation=belief.mistake.violation,
        question=belief.questions[0] if belief.questions else None,
        assumptions=assumptions(belief),
        undo=preview_undo(belief),
        redo=preview_redo(belief),
        lying=None if lying is None else dict(zip(PLACES, lying, strict=True)),
        departure=departure,
        stories=_stories(belief),
        lasting=lasting_mistakes(belief),
    )


def _stories(belief: Belief) -> dict[str, tuple[ToldMove, ...]]:
    """For the question which line was played: the steps of each line after those that all have."""
    asked = next((one for one in belief.questions if one.question == "which-line"), None)
    if asked is None:
        return {}
    lines = {o.key: belief.hyps[int(o.key)] for o in asked.options if int(o.key) < len(belief.hyps)}
    paths = [line.path for line in lines.values()]
    same = 0
    while paths and all(len(path) > same and path[same] == paths[0][same] for path in paths):
        same += 1
    stories: dict[str, tuple[ToldMove, ...]] = {}
    for key, line in lines.items():
        before = line.path[same - 1].state if same else line.base
        told = []
        for step in line.path[same:]:
            if step.move is not None:
                told.append(ToldMove(step.move, step.state, before.pending))
            before = step.state
        stories[key] = tuple(told)
    return stories


def _departure(belief: Belief) -> tuple[Departure | None, Faces | None]:
    """Why the table lies otherwise than the state has it, and how it lies."""
    if belief.mistake.violation is not None and belief.mistake.illegal is not None:
        return "mistake", belief.mistake.illegal
    stale, path = belief.present.stale, belief.hyps[0].path
    if stale is not None and (belief.undone or (path and path[-1].move is not None)):
        # After a correction the person is right, and not the reading.
        return "taken-back", stale
    if belief.seen is not None and any(one.told and one.violation is not None for one in belief.differences):
        return "mistake", belief.seen
    if belief.seen is not None and any(q.question in UNEXPLAINED for q in belief.questions):
        return "unexplained", belief.seen
    return None, None


def violated_theaters(violation: Violation | None) -> frozenset[Theater]:
    """The theaters in which something has to be put right."""
    if violation is None:
        return frozenset()
    places: list[object] = [violation.parts.get("at"), *(mend.parts.get("at") for mend in violation.mend)]
    if violation.move is not None:
        places += [violation.move.to, violation.move.at]
    named = {place.partition("/")[0] for place in places if isinstance(place, str)}
    return frozenset(theater for theater in THEATERS if theater in named)


def eligible_theaters(state: State) -> frozenset[Theater]:
    """The theaters that the open effect may choose; none where a card is played from the hand."""
    if state.pending in (None, "play") or state.turn is None:
        return frozenset()
    return frozenset(theater for move in legal_moves(state) for theater in (move.at, move.to) if theater is not None)
