"""What the three bars show: one frozen value, small enough to send whole and compared to tell whether to send it.

A frame says what each theater shows, not which pixel has which colour: the controller draws it (docs/lights.md),
so that animation goes on while the host thinks and a bar needs no more than a byte on the wire.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.names import Seat

Mood: TypeAlias = Literal["steady", "blink", "breathe"]
"""How a bar moves: steady; blinking for a violation; breathing where an effect may choose this theater."""

LightScene: TypeAlias = Literal["dark", "game", "battle-won", "war-won", "idle"]
"""What the bars show together: nothing, the theaters, one of the two closing shows, or a table without a battle."""

MOST_LEAD: Final = 4
"""Lights on one side of the middle; a lead above this shows as this."""


class Colour(NamedTuple):
    """Red, green and blue, each 0..255, before gamma and brightness."""

    red: int
    green: int
    blue: int


RED: Final = Colour(255, 20, 8)
BLUE: Final = Colour(10, 50, 255)
WHITE: Final = Colour(225, 225, 225)
AMBER: Final = Colour(255, 120, 0)


@dataclass(frozen=True, slots=True)
class Bar:
    """One theater. `lead` is the holder's lead in strength, 0..4; 0 with a holder is a tie that the holder wins."""

    holder: Seat | None = None
    lead: int = 0
    mood: Mood = "steady"

    def __post_init__(self) -> None:
        if not 0 <= self.lead <= MOST_LEAD or (self.holder is None and self.lead):
            raise ValueError(f"no such bar: {self.holder} by {self.lead}")


DARK_BAR: Final = Bar()


@dataclass(frozen=True, slots=True)
class LightFrame:
    """All lights. `bars` run from left to right as the near seat sees them; `near` and `far` are the seats' colours.

    `winner` is the seat that a closing show is for; None in the other scenes.
    """

    scene: LightScene = "dark"
    bars: tuple[Bar, Bar, Bar] = (DARK_BAR, DARK_BAR, DARK_BAR)
    near: Colour = RED
    far: Colour = BLUE
    winner: Seat | None = None

    def __post_init__(self) -> None:
        if (self.winner is not None) != (self.scene in ("battle-won", "war-won")):
            raise ValueError(f"scene {self.scene} with winner {self.winner}")

    def colour(self, seat: Seat) -> Colour:
        return self.near if seat == "near" else self.far


DARK: Final = LightFrame()
"""All lights out: before a table is there."""

IDLE: Final = LightFrame("idle")
"""A table is there and no battle runs."""
