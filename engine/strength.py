"""Strength as a sum of named parts, and who holds each theater and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from engine.cards import COVER_FIRE, ESCALATION, SUPPORT
from engine.editions import FACE_DOWN_STRENGTH, SET_STRENGTH, SUPPORT_STRENGTH
from engine.legality import neighbours
from engine.names import THEATERS, Card, Seat, Theater, other, strength_of
from engine.places import PLACES, Place
from engine.state import PILE_INDEX, SEAT_INDEX, UP, Order, Pile, State

PartName = Literal["printed", "face-down", "cover-fire", "escalation", "support"]

_SUPPORT = UP[SUPPORT]
_ESCALATION = UP[ESCALATION]
_COVER_FIRE = UP[COVER_FIRE]
_PRINTED = {slot: strength_of(card) for card, slot in UP.items()}


class Part(NamedTuple):
    """One summand of a strength."""

    name: PartName
    value: int
    nth: int | None
    """The card in the stack, from the bottom; None for what comes from another theater."""
    card: Card | None = None
    """The card counted (None if it is unknown); for Support, the card that helps."""
    source: Theater | None = None
    """Support: where the card that helps lies."""


class Strength(NamedTuple):
    """One seat's strength in one theater."""

    total: int
    parts: tuple[Part, ...]


class Held(NamedTuple):
    """Who holds a theater and why."""

    theater: Theater
    seat: Seat
    lead: int
    """By how much; 0 for a tie."""
    why: Literal["stronger", "tie-first-player", "empty-first-player"]


def _pile_total(pile: Pile, face_down: int) -> int:
    total = 0
    covered_by_fire = False
    for slot in reversed(pile):
        if covered_by_fire:
            total += SET_STRENGTH
        elif slot.up:
            total += _PRINTED[slot]
            covered_by_fire = slot is _COVER_FIRE or slot == _COVER_FIRE
        else:
            total += face_down
    return total


def totals(order: Order, piles: tuple[Pile, ...]) -> list[int]:
    """The strength of every place, in the order of `engine.sight.PLACES`."""
    sums = [0] * len(PLACES)
    for side in (0, 1):
        mine = piles[side::2]
        down = SET_STRENGTH if any(_ESCALATION in pile for pile in mine) else FACE_DOWN_STRENGTH
        for i, pile in enumerate(mine):
            if pile:
                sums[2 * i + side] += _pile_total(pile, down)
                if _SUPPORT in pile:
                    for theater in neighbours(order, THEATERS[i]):
                        sums[PILE_INDEX[theater] + side] += SUPPORT_STRENGTH
    return sums


def winner(order: Order, piles: tuple[Pile, ...], first: Seat) -> Seat:
    """The seat that holds most theaters of a table; a tie is the 1st player's (every rulebook, end of a battle)."""
    sums = totals(order, piles)
    mine = SEAT_INDEX[first]
    held = sum(sums[i + mine] >= sums[i + 1 - mine] for i in PILE_INDEX.values())
    return first if held >= 2 else other(first)


def control(state: State) -> dict[Theater, Seat]:
    """Who holds each theater."""
    sums = totals(state.order, state.piles)
    mine = SEAT_INDEX[state.first]
    rival = other(state.first)
    return {
        theater: state.first if sums[i + mine] >= sums[i + 1 - mine] else rival for theater, i in PILE_INDEX.items()
    }


def strengths(state: State) -> Mapping[Place, Strength]:
    """Every place's strength and its parts: the cards from bottom to top, then Support from next door."""
    found: dict[Place, Strength] = {}
    for place in PLACES:
        parts = _parts(state, *place)
        found[place] = Strength(sum(part.value for part in parts), parts)
    return found


def _parts(state: State, theater: Theater, seat: Seat) -> tuple[Part, ...]:
    side = SEAT_INDEX[seat]
    pile = state.piles[PILE_INDEX[theater] + side]
    escalated = any(_ESCALATION in p for p in state.piles[side::2])
    fire = pile.index(_COVER_FIRE) if _COVER_FIRE in pile else -1
    parts: list[Part] = []
    for i, slot in enumerate(pile):
        if i < fire:
            parts.append(Part("cover-fire", SET_STRENGTH, i, slot.card))
        elif slot.up:
            parts.append(Part("printed", _PRINTED[slot], i, slot.card))
        elif escalated:
            parts.append(Part("escalation", SET_STRENGTH, i, slot.card))
        else:
            parts.append(Part("face-down", FACE_DOWN_STRENGTH, i, slot.card))
    for neighbour in neighbours(state.order, theater):
        if _SUPPORT in state.piles[PILE_INDEX[neighbour] + side]:
            parts.append(Part("support", SUPPORT_STRENGTH, None, _SUPPORT.card, neighbour))
    return tuple(parts)


def holders(state: State) -> tuple[Held, ...]:
    """Who holds each theater, by how much, and why, in the order of the row."""
    sums = totals(state.order, state.piles)
    found: list[Held] = []
    for theater in state.order:
        i = PILE_INDEX[theater]
        near, far = sums[i], sums[i + 1]
        if near != far:
            found.append(Held(theater, "near" if near > far else "far", abs(near - far), "stronger"))
        else:
            empty = not state.piles[i] and not state.piles[i + 1]
            found.append(Held(theater, state.first, 0, "empty-first-player" if empty else "tie-first-player"))
    return tuple(found)
