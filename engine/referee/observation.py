"""A sight as something to be explained: what each seen card may be, and how dear each reading is.

Costs are nats, the negative logarithm of a likelihood, counted from the likeliest reading of that card (which costs
0). They add up over cards and over looks at the same still table.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Final, NamedTuple, TypeAlias

from engine.names import FACE_DOWN, Face
from engine.places import PLACES
from engine.sight import SeenCard, Sight
from engine.state import CardInPlay, Pile

FACES: Final = 19
"""Eighteen cards and the back."""
LEAST_LIKELIHOOD: Final = 1e-5
"""No reading is taken for impossible: a reader that says 1.0 has been wrong before."""
LEAST_OTHER: Final = 0.003
"""A reading less likely than this is part of the tail."""
SECOND_LOOK_WEIGHT: Final = 0.7
"""Two looks at one still table share light and shadow, so the second counts less than a new table would."""
EDIT: Final = 4.0
"""What one missing change weighs while a search asks whether it came nearer; larger than most doubts."""
SURE_TAIL: Final = 12.0
"""Nats against any other face of a card that is certain."""
FAR: Final = 1e6


class Slot(NamedTuple):
    """One card of a stack as seen."""

    costs: dict[Face, float]
    """Readings worth naming."""
    tail: float
    """The cost of any other face."""

    @property
    def best(self) -> Face:
        return min(self.costs, key=self.costs.__getitem__)

    def cost(self, face: Face) -> float:
        """What it costs to say that this card is `face`."""
        return self.costs.get(face, self.tail)


ReadColumn: TypeAlias = tuple[Slot, ...]
"""One stack as seen, bottom to top."""
ReadTable: TypeAlias = tuple[ReadColumn, ...]
"""The six stacks in the order of `engine.sight.PLACES`."""


def slot_of(seen: SeenCard) -> Slot:
    """The costs of one card as read once."""
    odds: dict[Face, float] = {seen.read: max(seen.p, LEAST_LIKELIHOOD)}
    for face, p in seen.others:
        if p >= LEAST_OTHER and face not in odds:
            odds[face] = p
    rest = max(1.0 - sum(odds.values()), 0.0) / (FACES - len(odds))
    top = max(odds.values())
    costs = {face: log(top / p) for face, p in odds.items()}
    return Slot(costs, log(top / max(rest, LEAST_LIKELIHOOD)))


def certain(table: Sequence[Sequence[Face]]) -> ReadTable:
    """A table without doubts as something to be explained."""
    return tuple(tuple(Slot({face: 0.0}, SURE_TAIL) for face in column) for column in table)


def both(first: Slot, second: Slot) -> Slot:
    """Two readings of one card as one."""
    costs = {
        face: first.cost(face) + SECOND_LOOK_WEIGHT * second.cost(face) for face in {**first.costs, **second.costs}
    }
    least = min(costs.values())
    tail = first.tail + SECOND_LOOK_WEIGHT * second.tail - least
    return Slot({face: cost - least for face, cost in costs.items()}, tail)


def heights(sight: Sight) -> tuple[int, ...]:
    """How many cards lie in each stack."""
    return tuple(len(sight.stacks.get(place, ())) for place in PLACES)


def face_of(card: CardInPlay) -> Face:
    """What an onlooker sees of a card on the table."""
    return card.card if card.up and card.card is not None else FACE_DOWN


def faces_of(pile: Pile) -> tuple[Face, ...]:
    return tuple([card.card if card.up and card.card is not None else FACE_DOWN for card in pile])


def best_faces(column: ReadColumn) -> tuple[Face, ...]:
    """The likeliest reading of each card of a stack."""
    return tuple(slot.best for slot in column)


class Fit(NamedTuple):
    """How far a stack is from a column."""

    edits: int
    """Cards to lay on top, to turn over, or to take out."""
    reading: float
    """What the readings cost that are taken for what already lies there."""

    @property
    def weight(self) -> float:
        return EDIT * self.edits + self.reading


def _matched(faces: Sequence[Face], column: ReadColumn) -> Fit:
    """A stack that is not higher than the column, card by card from the bottom; the rest is laid on top."""
    edits = len(column) - len(faces)
    reading = 0.0
    for face, slot in zip(faces, column, strict=False):
        cost = slot.costs.get(face)
        if cost is not None:
            reading += cost
        elif face != FACE_DOWN and FACE_DOWN not in slot.costs:
            # A card that lies there is rather misread than exchanged for another one.
            reading += min(slot.tail, 1.9 * EDIT)
        else:
            edits += 1
    return Fit(edits, reading)


def fit(faces: Sequence[Face], column: ReadColumn) -> Fit:
    """The cheapest way from a stack to a column with up to three cards taken out."""
    spare = len(faces) - len(column)
    if spare > 3:
        return Fit(spare, FAR)
    best = _matched(faces, column) if spare <= 0 else Fit(spare, FAR)
    if best.edits == 0 and best.reading < EDIT:
        return best
    if spare <= 1:
        for i in range(len(faces)):
            without = _matched([*faces[:i], *faces[i + 1 :]], column)
            tried = Fit(without.edits + 1, without.reading)
            if tried.weight < best.weight:
                best = tried
    elif spare == 2:
        for i in range(len(faces)):
            for j in range(i + 1, len(faces)):
                without = _matched([*faces[:i], *faces[i + 1 : j], *faces[j + 1 :]], column)
                tried = Fit(without.edits + 2, without.reading)
                if tried.weight < best.weight:
                    best = tried
    return best


def reading_cost(piles: Sequence[Pile], target: ReadTable) -> float | None:
    """What it costs to say that exactly these stacks were seen; None if the heights differ."""
    total = 0.0
    for pile, column in zip(piles, target, strict=True):
        if len(pile) != len(column):
            return None
        for card, slot in zip(pile, column, strict=True):
            total += slot.cost(face_of(card))
    return total
