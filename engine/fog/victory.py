"""The end of the game (memo, goal; 2.5, 3.1, 3.11)."""

from __future__ import annotations

from engine.fog.names import POINTS_TO_WIN
from engine.fog.state import FogResult, Game


def by_capitals(game: Game) -> FogResult | None:
    """The Allies win as soon as they hold every capital (2.5)."""
    capitals = game.board.roles.capitals
    if capitals and all(game.state.ground(key).control == "allies" for key in capitals):
        return FogResult("allies", "capitals")
    return None


def by_points(game: Game) -> FogResult | None:
    """The Axis wins with 70 victory points (goal, 3.1)."""
    return FogResult("axis", "points") if game.state.points >= POINTS_TO_WIN else None


def by_objectives(game: Game, objectives: tuple[str, str]) -> FogResult:
    """After 1944 the Axis wins if it controls both of its objectives, else the Allies (3.11.2)."""
    if all(game.state.ground(key).control == "axis" for key in objectives):
        return FogResult("axis", "objectives")
    return FogResult("allies", "no-objectives")
