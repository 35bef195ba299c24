"""The names of Fog of War: sides, sectors, years, and the numbers that its memo gives."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Side: TypeAlias = Literal["axis", "allies"]
FogPhase: TypeAlias = Literal["setup", "turn", "year-end", "over"]

SIDES: Final[tuple[Side, ...]] = ("axis", "allies")
SECTORS: Final = ("Alpha", "Bravo", "Charlie", "Delta", "Echo", "Foxtrot")
"""The wheel's six slots. The memo names the first and the last (1.11, 2.2); the others follow the alphabet."""

FIRST_YEAR: Final = 1940
LAST_YEAR: Final = 1944
POINTS_TO_WIN: Final = 70
HAND: Final = 3
"""Cards in hand after drawing (1.10, 2.10, 3.10)."""
FIRST_PRODUCTION: Final[dict[Side, int]] = {"axis": 8, "allies": 6}
FIRST_INTEL: Final[dict[Side, int]] = {"axis": 5, "allies": 7}
PLACED_BEFOREHAND: Final = 3
"""Cards that the Allies may lay out before the first turn (1.9)."""
OBJECTIVES: Final = 6
UNCHOSEN_OBJECTIVES: Final = 3
LANDING_BONUS: Final = 4
"""The defender's bonus against an attack on land from the sea."""
WINTER_BONUS: Final[dict[str, int]] = {"sun": 0, "snow": 2, "other": 1}


def other(side: Side) -> Side:
    """The opponent."""
    return "allies" if side == "axis" else "axis"
