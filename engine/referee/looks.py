"""Several looks at one still table: whether they are of one, and what they show together.

Where the reader does not know how many cards a stack has, its look says little about that stack: it may have overlooked
one. A look that knows counts instead, whatever the others show there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce
from typing import Final

from engine.names import SEATS, Face, other, parse_seat
from engine.places import PLACES, place_text
from engine.referee.hypothesis import Faces
from engine.referee.observation import ReadColumn, both, slot_of
from engine.sight import SeenCard, Sight

LOOKS_MOST: Final = 4
"""Looks at one table that are kept."""
FAIRLY: Final = 0.9
"""Two readings of a card with this likelihood each, and not the same: it was turned over or exchanged between them."""
MISREAD_MOST: Final = 2
"""Cards of one table that two looks may read otherwise."""
SURELY: Final = 0.97
"""A card read with this likelihood in a stack of known height is no misreading."""


def place_of(at: int) -> str:
    """A stack's name in notes, such as `A/near`, by its index in the order of `engine.sight.PLACES`."""
    return place_text(PLACES[at])


def shapeless(look: Sight) -> frozenset[int]:
    """The stacks of which the reader does not know how many cards they have, by index."""
    names = {note.at for note in look.notes if note.code == "doubtful"}
    return frozenset(at for at in range(len(PLACES)) if place_of(at) in names)


def foreign_everywhere(looks: Sequence[Sight]) -> set[str]:
    """The stacks (`A/near`) in which each of these looks sees something that is no card of this deck."""
    seen = [{note.at for note in look.notes if note.code == "foreign" and note.at.count("/") == 1} for look in looks]
    return set.intersection(*seen) if seen else set()


def never_clear(looks: Sequence[Sight]) -> frozenset[int]:
    """The stacks whose height none of these looks knows, or which the last one doubts and shows otherwise."""
    if not looks:
        return frozenset()
    now = looks[-1].stacks
    changing = {
        at
        for at in shapeless(looks[-1])
        if [card.read for card in now.get(PLACES[at], ())] != [card.read for card in columns(looks, at)[-1]]
    }
    return frozenset.intersection(*map(shapeless, looks)) | changing


def clear(looks: Sequence[Sight], stacks: Iterable[str]) -> bool:
    """Whether of each of these stacks (`A/near`) some look knows the height."""
    return not {place_of(at) for at in never_clear(looks)} & set(stacks)


def columns(looks: Sequence[Sight], at: int) -> list[tuple[SeenCard, ...]]:
    """What counts for one stack, latest last: the looks that know its height, or else those that saw the most of it,
    for a card is rather overlooked than seen where none lies. All are of one height."""
    place = PLACES[at]
    knowing = [look for look in looks if at not in shapeless(look)]
    seen = [look.stacks.get(place, ()) for look in knowing or looks]
    most = max(map(len, seen))
    return [column for column in seen if len(column) == most]


def merged(looks: Sequence[Sight]) -> tuple[ReadColumn, ...]:
    """What several looks at one still table (`alike`) show, as one target."""
    return tuple(_column(columns(looks, at)) for at in range(len(PLACES)))


def _column(seen: Sequence[Sequence[SeenCard]]) -> ReadColumn:
    slots = []
    for cards in zip(*seen, strict=True):
        # However often a card was hardly read, one sure reading counts for more: the same light made the same slip.
        sure = [card for card in cards if card.p >= SURELY]
        first, *more = map(slot_of, sure or cards)
        slots.append(reduce(both, more, first))
    return tuple(slots)


def lying(looks: Sequence[Sight]) -> Faces:
    """The table as these looks show it, each card as it was read last, if not surely before."""
    return tuple(tuple(_last(cards) for cards in zip(*columns(looks, at), strict=True)) for at in range(len(PLACES)))


def _last(cards: Sequence[SeenCard]) -> Face:
    return ([card.read for card in cards if card.p >= SURELY] or [card.read for card in cards])[-1]


def alike(looks: Sequence[Sight], look: Sight, *, known: bool) -> bool:
    """Whether a look may be of the still table of the others: the same heights wherever both know them, and at most two
    cards read otherwise, none of those fairly surely both times. A stack in doubt may lack cards, not have more.

    Two such readings that differ are two tables: a card was turned over between them. Where the others are `known` to
    be right, every card that reads otherwise makes another table.
    """
    return all(_two_alike(one, look, 0 if known else MISREAD_MOST) for one in looks)


def _two_alike(one: Sight, two: Sight, most: int) -> bool:
    before, now = shapeless(one), shapeless(two)
    otherwise = 0
    for at, place in enumerate(PLACES):
        a, b = one.stacks.get(place, ()), two.stacks.get(place, ())
        doubted = at in before or at in now
        if (len(b) < len(a) and at not in now) or (len(b) > len(a) and at not in before):
            return False
        if len(a) != len(b):
            continue
        for first, second in zip(a, b, strict=True):
            if first.read != second.read:
                otherwise += not doubted
                if min(first.p, second.p) >= FAIRLY:
                    return False
    return otherwise <= most


def differ(looks: Sequence[Sight], one: Faces, two: Faces) -> bool:
    """Whether two tables are different where these looks know how many cards lie."""
    unknown = never_clear(looks)
    return any(a != b for at, (a, b) in enumerate(zip(one, two, strict=True)) if at not in unknown)


def kept(looks: Sequence[Sight]) -> tuple[Sight, ...]:
    """The looks worth keeping: without the oldest of those that know the fewest stacks' heights, and never the last."""
    left = list(looks)
    while len(left) > LOOKS_MOST:
        left.remove(max(left[:-1], key=lambda look: len(shapeless(look))))
    return tuple(left)


def turned_round(look: Sight) -> Sight:
    """The look as the other seat has it: the boards from the other end, and each stack on the other side."""
    order = None if look.order is None else (look.order[2], look.order[1], look.order[0])
    stacks = {(theater, seat): look.stacks.get((theater, other(seat)), ()) for theater, seat in PLACES}
    notes = tuple(replace(note, at="/".join(map(_across, note.at.split("/")))) for note in look.notes)
    return Sight(order, stacks, look.sure, notes)


def _across(part: str) -> str:
    return other(parse_seat(part)) if part in SEATS else part
