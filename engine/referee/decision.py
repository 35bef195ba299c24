"""A decision about the table that lies there, before anything is done about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.events import Violation
from engine.names import Face
from engine.referee.differences import Difference
from engine.referee.hypothesis import Hypothesis
from engine.referee.violations import Wrong

DecisionKind: TypeAlias = Literal[
    "same",
    "moves",
    "undo",
    "cleared",
    "wrong",
    "lifted",
    "clearing",
    "tidying",
    "seen-twice",
    "different",
    "unexplained",
]


@dataclass(frozen=True, slots=True)
class Decision:
    """One reading of the situation. `wait` seconds from the first look, `ready` if no further look is needed."""

    kind: DecisionKind
    wait: float = 0.0
    ready: bool = True
    hyps: tuple[Hypothesis, ...] = ()
    """The lines, if this is acted upon: same, moves, undo, cleared; unexplained: those that go on from the table."""
    wrong: Wrong | None = None
    moves_back: int = 0
    """Steps of the likeliest line that an undo takes back."""
    reveals: bool = False
    at: str = ""
    """A place that a question is about."""
    options: tuple[Face, ...] = ()
    differences: tuple[Difference, ...] = ()
    """What lies there otherwise than the lines have it, once this is acted upon."""
    let_stand: bool = False
    """moves: the mistake that was told is let stand, for play goes on from it."""
    complete: bool = True
    doubted: tuple[Hypothesis, ...] = ()
    """moves: the lines of every reading, for the time when another table tells which it was. wrong: less likely legal
    lines. unexplained: those that go on from the table, if play does."""
    in_doubted: Violation | None = None
    """moves: the mistake that `doubted` lets stand."""
    likely: bool = True
    """moves: if nothing more will come, this is told all the same."""
    agreed: bool = True
    """cleared: whether all likely ends have one result."""
    overlooked: bool = False
    """A stack may hold a card more than was seen, whatever is made of the rest: another look is wanted."""
    patient: bool = False
    """Not ready for that reason: nobody is asked before `Policy.overlooked`."""
