"""Scoring and production as sums of named parts (3.1, 3.2, 3.4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from engine.fog.board import need_points, need_resources
from engine.fog.names import LAST_YEAR, Side
from engine.fog.state import Game


class Yield(NamedTuple):
    """What one province brings: victory points or resources."""

    province: str
    value: int


class YearScore(NamedTuple):
    total: int
    parts: tuple[Yield, ...]


class Budget(NamedTuple):
    """Production points: the smaller of what the provinces bring and the level on the track."""

    total: int
    resources: YearScore
    track: int
    counts: bool
    """False for the Allies at the end of 1944 (3.5.5)."""


class PileSplit(NamedTuple):
    """A win pile dealt out card by card, beginning with the discard pile (3.2)."""

    discard: int
    losses: int


def score(game: Game) -> YearScore:
    """The points of the provinces that the Axis controls (3.1). Raises `FromYourBox`."""
    return _sum(Yield(key, need_points(game.board, key)) for key in game.state.held("axis"))


def budget(game: Game, side: Side) -> Budget:
    """A side's production points at the end of the year (3.4, 3.5.5). Raises `FromYourBox`."""
    track = game.state.camp(side).production
    if side == "allies" and game.state.year == LAST_YEAR:
        return Budget(0, YearScore(0, ()), track, False)
    resources = _sum(Yield(key, need_resources(game.board, key)) for key in game.state.held(side))
    return Budget(min(resources.total, track), resources, track, True)


def split(wins: int) -> PileSplit:
    return PileSplit(wins - wins // 2, wins // 2)


def _sum(found: Iterable[Yield]) -> YearScore:
    parts = tuple(found)
    return YearScore(sum(part.value for part in parts), tuple(part for part in parts if part.value))
