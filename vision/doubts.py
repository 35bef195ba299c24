"""From what was measured of each card to likelihoods, with the one rule of every deck: each card exists once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.names import FACE_DOWN, Face
from engine.sight import Place, SeenCard
from vision.columns import ColumnReading
from vision.profile import FACES

TEMPERATURE: Final = 1.3
"""Nats of the measure that make one nat of belief: fitted so that doubts come true as often as said."""
UNKNOWN: Final = (0.2, 0.06)
"""A card whose detail matches no better than this is probably none of those known; and how soft that border is."""
CERTAIN: Final = 8.0
"""Nats by which a card must lead to keep its face from all others."""
WORTH: Final = 0.003
"""Likelihoods below this are not kept."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What was measured of one card before it becomes likelihoods."""

    faces: Mapping[Face, float]
    """Nats that each face which is still free costs; the least is the face that is read."""
    match: float
    """How well the print goes with that face (`Judged.match`)."""
    wrong_way: bool


def seen_cards(columns: Mapping[Place, ColumnReading]) -> tuple[dict[Place, tuple[SeenCard, ...]], list[str]]:
    """Each place's cards with likelihoods, and the places (`A/near/1`) of cards that are seen twice."""
    weighed, twice = weigh(columns)
    return {place: tuple(believed(card) for card in cards) for place, cards in weighed.items()}, twice


def weigh(columns: Mapping[Place, ColumnReading]) -> tuple[dict[Place, tuple[Weighed, ...]], list[str]]:
    """Each place's cards with what every face that is free for them costs, and the places of cards seen twice."""
    count = len(FACES)
    keys = [(place, k) for place, column in columns.items() for k in range(len(column.cards))]
    costs: dict[tuple[Place, int], dict[Face, float]] = {}
    turned: dict[tuple[Place, int], bool] = {}
    for place, k in keys:
        judged = columns[place].cards[k]
        table: dict[Face, float] = {}
        for number, nats in judged.faces:
            face = FACES[number % count]
            table[face] = min(nats, table.get(face, np.inf))
        costs[place, k] = table
        turned[place, k] = judged.faces[0][0] >= count
    lead = {key: _lead(table) for key, table in costs.items()}
    held = {min(costs[key], key=costs[key].__getitem__): key for key in keys if lead[key] >= CERTAIN}
    twice: list[str] = []
    taken: dict[Face, tuple[Place, int]] = {}
    chosen: dict[tuple[Place, int], Weighed] = {}
    for key in sorted(keys, key=lambda key: -lead[key]):
        table = costs[key]
        free = {
            face: nats
            for face, nats in table.items()
            if face == FACE_DOWN or (held.get(face, key) == key and taken.get(face, key) == key)
        }
        best = min(table.values())
        if not free or min(free.values()) > best + 4:
            # Better an honest double than a face that does not fit.
            free = table
        read = min(free, key=free.__getitem__)
        if read != FACE_DOWN and read in taken:
            twice += [_at(key), _at(taken[read])]
        taken.setdefault(read, key)
        chosen[key] = Weighed(free, columns[key[0]].cards[key[1]].match, turned[key])
    return {
        place: tuple(chosen[place, k] for k in range(len(column.cards))) for place, column in columns.items()
    }, sorted(set(twice))


def believed(card: Weighed, temperature: float = TEMPERATURE, unknown: tuple[float, float] = UNKNOWN) -> SeenCard:
    """The likelihoods of one card; `temperature` and `unknown` are given where they are fitted."""
    table = card.faces
    faces = sorted(table, key=table.__getitem__)
    weights = np.exp(-(np.array([table[f] for f in faces]) - table[faces[0]]) / temperature)
    known = 1 / (1 + np.exp(-(card.match - unknown[0]) / unknown[1]))
    share = weights / weights.sum() * known
    others = tuple((f, float(p)) for f, p in zip(faces[1:], share[1:], strict=True) if p >= WORTH)
    return SeenCard(faces[0], float(share[0]), others, card.wrong_way)


def _at(key: tuple[Place, int]) -> str:
    (theater, seat), k = key
    return f"{theater}/{seat}/{k}"


def _lead(table: Mapping[Face, float]) -> float:
    ranked = sorted(table.values())
    return ranked[1] - ranked[0] if len(ranked) > 1 else 0.0
