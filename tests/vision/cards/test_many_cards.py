"""Stacks of six to nine cards: as high as a battle can build them, each card a strip under the next."""

from __future__ import annotations

import numpy as np
import pytest

from engine.names import CARDS, FACE_DOWN, Face, Theater
from engine.places import Place
from vision.simulate import EMPTY, Deck, SimulatedCamera
from vision.tracking.reader import Reader

ORDER: tuple[Theater, Theater, Theater] = ("L", "S", "A")


def tall(place: Place, count: int) -> dict[Place, tuple[Face, ...]]:
    """`count` cards in one place, every third face down, and three single cards elsewhere."""
    cards = [str(card) for card in np.random.default_rng(count).permutation(list(CARDS))]
    stack = tuple(FACE_DOWN if k % 3 == 1 else cards[k] for k in range(count))
    return {**EMPTY, ("A", "near"): (cards[-1],), ("L", "far"): (cards[-2],), ("L", "near"): (FACE_DOWN,), place: stack}


@pytest.mark.parametrize(
    ("count", "place", "condition"),
    [(6, ("A", "far"), "day"), (7, ("S", "near"), "lamp"), (8, ("L", "far"), "hd720"), (9, ("S", "far"), "day")],
)
def test_a_high_stack_is_read_card_by_card(
    deck: Deck, reader: Reader, count: int, place: Place, condition: str
) -> None:
    table = tall(place, count)
    sight = reader.read(SimulatedCamera("bright", 30 + count, condition=condition, deck=deck).still(table, ORDER)).sight
    assert dict(sight.board) == table
    assert sight.sure


def test_nine_cards_face_down_are_nine(deck: Deck, reader: Reader) -> None:
    table = {**EMPTY, ("A", "near"): (FACE_DOWN,) * 9}
    sight = reader.read(SimulatedCamera("bright", 41, condition="day", deck=deck).still(table, ORDER)).sight
    assert dict(sight.board) == table or not sight.sure


def test_a_thin_strip_in_a_stack_of_nine_is_not_left_out(deck: Deck, reader: Reader) -> None:
    """Repeating backs fit in many places; none of them may take the place of a card that is there."""
    stack = ("S4", FACE_DOWN, FACE_DOWN, FACE_DOWN, FACE_DOWN, "A4", "S6", FACE_DOWN, "A6")
    for seed in (3, 7):
        table = {**EMPTY, ("S", "far"): stack}
        sight = reader.read(SimulatedCamera("bright", seed, condition="messy", deck=deck).still(table, ORDER)).sight
        assert dict(sight.board) == table or not sight.sure
