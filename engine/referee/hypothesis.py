"""A line of play that agrees with everything seen: one hypothesis of multiple-hypothesis tracking (Reid 1979)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.names import Face
from engine.places import PLACES
from engine.referee.search import Line, Step
from engine.state import State

Faces: TypeAlias = tuple[tuple[Face, ...], ...]
"""The six stacks as read, in the order of `engine.sight.PLACES`."""

EMPTY: Final[Faces] = ((),) * len(PLACES)


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One line of play that agrees with everything seen in this battle."""

    cost: float
    """Nats above the likeliest."""
    base: State
    path: tuple[Step, ...] = ()

    @property
    def state(self) -> State:
        return self.path[-1].state if self.path else self.base

    def followed_by(self, line: Line) -> Hypothesis:
        """This line of play with one on that a search found from its state."""
        return Hypothesis(line.total, self.base, self.path + line.steps)


@dataclass(frozen=True, slots=True)
class TakenUp:
    """The lines before cards were taken up, while that may turn out to have been the beginning of gathering in."""

    lines: tuple[Hypothesis, ...]
    since: float
    """Seconds: when the first of these cards was seen gone."""
    more: bool = False
    """Another card has been taken up since."""
    soon: bool = False
    """That was so soon after that nobody can have changed his mind in between."""
