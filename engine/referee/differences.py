"""What lies on the table otherwise than the state has it, and is known: play goes on in the state.

A card laid squarely on another hides it; a card may be gone that should lie there, or lie there although it was
destroyed. Such a difference is remembered with its mistake, set right in every later look before that is explained, and
ends when the table shows what the state has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, TypeAlias

from engine.events import Violation
from engine.names import Face
from engine.places import PLACES
from engine.referee.hypothesis import Faces
from engine.referee.observation import FAR, certain, fit
from engine.sight import SeenCard, Sight
from engine.state import Order

DifferenceKind: TypeAlias = Literal["hidden", "gone", "extra"]
"""hidden: the card lies there, covered completely by the one on it. gone: it should lie there and does not. extra: it
lies there and should not."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One card that lies otherwise than the state has it."""

    kind: DifferenceKind
    at: int
    """The stack, in the order of `engine.sight.PLACES`."""
    nth: int
    """The card's place in the state's stack (hidden, gone) or on the table (extra)."""
    face: Face
    since: float
    """Seconds: when the table was first seen so."""
    moves: int
    """How many moves of the battle had been told then."""
    told: bool = False
    violation: Violation | None = None
    """The mistake; None for a card that is hidden."""


@dataclass(frozen=True, slots=True)
class MovedBoards:
    """The boards lie in another order than at the start of the battle."""

    order: Order
    since: float
    moves: int
    """How many moves of the battle had been told then."""
    told: bool = False


def with_card(look: Sight, at: int, nth: int, face: Face) -> Sight:
    """The look with a card put into a stack."""
    place = PLACES[at]
    column = look.stacks.get(place, ())
    return _with_column(look, at, (*column[:nth], SeenCard(face), *column[nth:]))


def without_card(look: Sight, at: int, nth: int) -> Sight:
    """The look without a card of a stack."""
    column = look.stacks.get(PLACES[at], ())
    return _with_column(look, at, (*column[:nth], *column[nth + 1 :]))


def _with_column(look: Sight, at: int, column: tuple[SeenCard, ...]) -> Sight:
    return Sight(look.order, {**look.stacks, PLACES[at]: column}, look.sure, look.notes)


def set_right(look: Sight, differences: Sequence[Difference]) -> Sight:
    """The look as it would be without these differences."""
    for one in differences:
        if one.kind == "extra":
            look = without_card(look, one.at, one.nth)
        else:
            look = with_card(look, one.at, one.nth, one.face)
    return look


def still_there(differences: Sequence[Difference], table: Faces, believed: Faces) -> tuple[Difference, ...]:
    """The known differences that `table` still shows: those without which its stacks are nearest to `believed`.

    Where a stack has changed and is as near with them as without, they are still there.
    """
    kept: list[Difference] = []
    for at, column in enumerate(table):
        here = [one for one in differences if one.at == at]
        best: tuple[Difference, ...] = ()
        least = _weight(column, best, believed[at])
        for size in range(1, len(here) + 1):
            for way in combinations(here, size):
                weight = _weight(column, way, believed[at])
                if weight < least or (weight == least and not best and least > 0.0):
                    best, least = way, weight
        kept += best
    return tuple(kept)


def _weight(column: Sequence[Face], way: tuple[Difference, ...], pile: Sequence[Face]) -> float:
    righted = list(column)
    for one in way:
        if one.kind != "extra":
            righted.insert(min(one.nth, len(righted)), one.face)
        elif one.nth < len(righted) and righted[one.nth] == one.face:
            del righted[one.nth]
        else:
            return FAR
    return fit(pile, certain((righted,))[0]).weight


def differences_to_json(differences: Sequence[Difference], violation_to_json: Any) -> list[Any]:
    return [
        [d.kind, d.at, d.nth, d.face, d.since, d.moves, d.told, d.violation and violation_to_json(d.violation)]
        for d in differences
    ]


def differences_from_json(data: Any, violation_from_json: Any) -> tuple[Difference, ...]:
    return tuple(
        Difference(kind, at, nth, face, since, moves, told, violation and violation_from_json(violation))
        for kind, at, nth, face, since, moves, told, violation in data
    )
