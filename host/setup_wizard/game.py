"""What setting up needs of the game that it leads to: what was played before, how to begin, and how it goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from engine.failure import Failure
from engine.names import EditionName, Seat

GamePhase: TypeAlias = Literal["none", "starting", "running", "failed"]


@dataclass(frozen=True, slots=True)
class UnfinishedWarChoice:
    """A war that can be gone on with. `at` is when it was last played, seconds since 1970."""

    at: float
    edition: EditionName
    battle: int
    score: Mapping[Seat, int]
    target: int
    beginner: bool
    names: Mapping[Seat, str]


@dataclass(frozen=True, slots=True)
class Beginning:
    """Everything that a game is begun with."""

    camera: str
    deck: Path
    with_lights: bool
    names: Mapping[Seat, str]
    edition: EditionName
    target: int
    beginner: bool
    first: Seat | None
    go_on: bool
    """Go on with the unfinished war, by its own rules, instead of beginning a new one."""


@dataclass(frozen=True, slots=True)
class GameStatus:
    """How the game stands. `failure` says why it could not begin or had to stop."""

    phase: GamePhase = "none"
    failure: Failure | None = None


class SetupGame(Protocol):
    """The game that is set up."""

    def status(self) -> GameStatus: ...

    def unfinished(self) -> UnfinishedWarChoice | None:
        """The war that was not finished, if there is one."""
        ...

    def begin(self, beginning: Beginning) -> None:
        """Begins in the background; `status` tells how it goes."""
        ...

    def begin_demo(self, edition: EditionName) -> None:
        """Begins, in the background, a demonstration: a simulated table that plays itself and touches no war."""
        ...

    def end(self) -> None:
        """Stops playing. The war stays as it is and can be gone on with."""
        ...
