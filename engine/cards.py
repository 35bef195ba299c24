"""The eighteen cards by their English names, and what their abilities are: the one file with card literals.

The names are those of the first and second edition; the critters' cards have the same places and abilities.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from engine.names import Card

EffectName: TypeAlias = Literal["maneuver", "ambush", "disrupt", "transport", "reinforce", "redeploy"]
"""An ability that asks for a decision when its card comes to lie face up."""

SUPPORT: Final = Card("A1")
AIR_DROP: Final = Card("A2")
MANEUVER_AIR: Final = Card("A3")
AERODROME: Final = Card("A4")
CONTAINMENT: Final = Card("A5")
HEAVY_BOMBERS: Final = Card("A6")
REINFORCE: Final = Card("L1")
AMBUSH: Final = Card("L2")
MANEUVER_LAND: Final = Card("L3")
COVER_FIRE: Final = Card("L4")
DISRUPT: Final = Card("L5")
HEAVY_TANKS: Final = Card("L6")
TRANSPORT: Final = Card("S1")
ESCALATION: Final = Card("S2")
MANEUVER_SEA: Final = Card("S3")
REDEPLOY: Final = Card("S4")
BLOCKADE: Final = Card("S5")
SUPER_BATTLESHIP: Final = Card("S6")

INSTANTS: Final[dict[Card, EffectName]] = {
    MANEUVER_AIR: "maneuver",
    MANEUVER_LAND: "maneuver",
    MANEUVER_SEA: "maneuver",
    REINFORCE: "reinforce",
    AMBUSH: "ambush",
    DISRUPT: "disrupt",
    TRANSPORT: "transport",
    REDEPLOY: "redeploy",
}
"""Cards that ask for a decision when they come to lie face up. Air Drop asks for none: it is a permission."""
CARRIERS: Final = frozenset(
    (AIR_DROP, MANEUVER_AIR, AERODROME, AMBUSH, MANEUVER_LAND, DISRUPT, TRANSPORT, MANEUVER_SEA)
)
"""Cards that can bring another face up to a theater that is not its own: permissions, flips, Transport."""
DESTROYERS: Final = (CONTAINMENT, BLOCKADE)
"""Cards that destroy a card as it is played."""
