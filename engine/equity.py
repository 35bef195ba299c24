"""What a score is worth: how likely each seat is to win the war from there.

The rules say nothing of how battles end, so the caller does: a list of results with their likelihoods, for instance
counted from games played. With that the value is exact, computed from the target backwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.failure import BadInput
from engine.names import Seat


class Prospect(NamedTuple):
    """A result that a battle may have, and how likely it is."""

    winner: Seat
    points: int
    likelihood: float


def equities(target: int, prospects: Sequence[Prospect]) -> dict[tuple[int, int], float]:
    """The likelihood that near wins the war, for every score (near, far) below `target`.

    Every battle has one of the `prospects`, whose likelihoods sum to 1. Raises `BadInput` (`bad-prospects`) where they
    do not, or where a battle may end without a point.
    """
    total = sum(one.likelihood for one in prospects)
    if abs(total - 1.0) > 1e-6 or any(one.points < 1 or one.likelihood < 0.0 for one in prospects):
        raise BadInput(
            "bad-prospects", "These are no results of a battle.", "Likelihoods sum to 1, points are above 0."
        )
    found: dict[tuple[int, int], float] = {}

    def value(near: int, far: int) -> float:
        if near >= target or far >= target:
            return 1.0 if near >= target else 0.0
        return found[near, far]

    for both in range(2 * (target - 1), -1, -1):
        for near in range(min(both, target - 1), max(both - target, -1), -1):
            far = both - near
            found[near, far] = sum(
                one.likelihood
                * (value(near + one.points, far) if one.winner == "near" else value(near, far + one.points))
                for one in prospects
            )
    return found


def withdrawal_value(near: int, far: int, seat: Seat, points: int, target: int, prospects: Sequence[Prospect]) -> float:
    """How likely `seat` is to win the war after withdrawing at this score for so many points."""
    after = (near, far + points) if seat == "near" else (near + points, far)
    if after[0] >= target or after[1] >= target:
        return 0.0
    wins = equities(target, prospects)[after]
    return wins if seat == "near" else 1.0 - wins
