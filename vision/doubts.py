"""From what was measured of each card to likelihoods, with the one rule of every deck: each card exists once."""

from __future__ import annotations

from collections.abc import Mapping
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


def seen_cards(columns: Mapping[Place, ColumnReading]) -> tuple[dict[Place, tuple[SeenCard, ...]], list[str]]:
    """Each place's cards with likelihoods, and the places (`A/near/1`) of cards that are seen twice."""
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
    cards: dict[Place, list[SeenCard]] = {place: [] for place in columns}
    taken: dict[Face, tuple[Place, int]] = {}
    chosen: dict[tuple[Place, int], SeenCard] = {}
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
        card = _believed(free, columns[key[0]].cards[key[1]].match, turned[key])
        if card.read != FACE_DOWN and card.read in taken:
            twice += [_at(key), _at(taken[card.read])]
        taken.setdefault(card.read, key)
        chosen[key] = card
    for key in keys:
        cards[key[0]].append(chosen[key])
    return {place: tuple(seen) for place, seen in cards.items()}, sorted(set(twice))


def _at(key: tuple[Place, int]) -> str:
    (theater, seat), k = key
    return f"{theater}/{seat}/{k}"


def _lead(table: Mapping[Face, float]) -> float:
    ranked = sorted(table.values())
    return ranked[1] - ranked[0] if len(ranked) > 1 else 0.0


def _believed(table: Mapping[Face, float], match: float, wrong_way: bool) -> SeenCard:
    faces = sorted(table, key=table.__getitem__)
    weights = np.exp(-(np.array([table[f] for f in faces]) - table[faces[0]]) / TEMPERATURE)
    known = 1 / (1 + np.exp(-(match - UNKNOWN[0]) / UNKNOWN[1]))
    share = weights / weights.sum() * known
    others = tuple((f, float(p)) for f, p in zip(faces[1:], share[1:], strict=True) if p >= WORTH)
    return SeenCard(faces[0], float(share[0]), others, wrong_way)
