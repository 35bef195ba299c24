"""A back with next to no print is told by its outline and how dark it is, another on it by the edge between them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.names import FACE_DOWN
from tests.vision.cards.drawn_column import as_column
from vision.cards.column import LENGTH, WIDTH, Column
from vision.cards.discontent import CLEAR_MARGIN
from vision.cards.plain_back import seam_within
from vision.cards.read_column import read_column
from vision.cards.templates import CARD_H, CARD_W, FINE, Bank
from vision.geometry.align import Placed
from vision.geometry.table import CARD
from vision.profile import FACES, DeckProfile
from vision.types import Picture

LEFT, TOP = 60, 44
"""Where the first card's upper left corner lies in its column's picture, px."""
BACK = FACES.index(FACE_DOWN)


def dark_back(height: int, width: int, bent: int = 10) -> Picture:
    """A back of one dark colour, darker by so many codes along its upper edge, where it is bent."""
    back: Picture = np.full((height, width, 3), (44, 50, 56), np.uint8)
    back[: round(2 * height / CARD[1])] -= np.uint8(bent)
    return back


@pytest.fixture(scope="module")
def plain(profile: DeckProfile) -> Bank:
    """A deck with such a back."""
    back = dark_back(*profile.faces[FACE_DOWN].shape[:2])
    return Bank(replace(profile, faces={**profile.faces, FACE_DOWN: back}))


def column_of(*downs: float, bent: int = 10) -> Column:
    """Such backs, so many mm below the first's place, on a light table."""
    patch: Picture = np.full((round(LENGTH * FINE), round(WIDTH * FINE), 3), 170, np.uint8)
    for down in downs:
        y = TOP + round(down * FINE)
        patch[y : y + CARD_H, LEFT : LEFT + CARD_W] = dark_back(CARD_H, CARD_W, bent)
    return photographed(patch, 1.0)


def photographed(patch: Picture, noise: float) -> Column:
    noisy = cv2.GaussianBlur(patch, (3, 3), 0) + np.random.default_rng(5).normal(0.0, noise, patch.shape)
    seen = np.clip(np.round(noisy), 0, 255).astype(np.uint8)
    return as_column(seen)


def test_a_back_without_print_is_told_as_one(plain: Bank, profile: DeckProfile) -> None:
    assert plain.plain_back
    assert not Bank(profile).plain_back


def test_dark_plain_backs_on_one_another_are_told_apart(plain: Bank) -> None:
    reading = read_column(plain, column_of(0.0, 24.0))
    assert [card.faces[0][0] for card in reading.cards] == [BACK, BACK]
    assert all(card.match > 0.6 and card.faces[1][1] > 6.0 for card in reading.cards)
    assert not reading.hidden


def test_a_dark_back_between_another_and_a_face_is_found_though_next_to_no_edge_of_it_is_seen(
    plain: Bank, profile: DeckProfile
) -> None:
    """Where it was not, the face on it lay beyond reach, or the first back for a longer way than people leave."""
    # Given an A6 on two such backs, on a table that is hardly lighter than they are dark,
    patch: Picture = np.full((round(LENGTH * FINE), round(WIDTH * FINE), 3), 120, np.uint8)
    face = cv2.resize(profile.faces["A6"], (CARD_W, CARD_H), interpolation=cv2.INTER_AREA)
    for down, card in ((0.0, dark_back(CARD_H, CARD_W)), (24.0, dark_back(CARD_H, CARD_W)), (46.0, face)):
        y = TOP + round(down * FINE)
        patch[y : y + CARD_H, LEFT : LEFT + CARD_W] = card
    # when the column is read,
    reading = read_column(plain, photographed(patch, 3.0))
    # then all three are there, and there is no doubt of their number.
    assert [FACES[card.faces[0][0]] for card in reading.cards] == [FACE_DOWN, FACE_DOWN, "A6"]
    assert reading.margin > CLEAR_MARGIN and not any(card.may_be_two for card in reading.cards)


def test_an_edge_within_what_shows_of_a_plain_back_tells_of_another_card() -> None:
    at = Placed(float(LEFT), float(TOP), 0.0)
    assert seam_within(column_of(0.0, 14.0), at, 28)
    assert not seam_within(column_of(0.0), at, 28)
    assert not seam_within(column_of(0.0), at, 14)


@pytest.mark.parametrize(("shows", "two"), [(28, True), (24, False)])
def test_a_faint_edge_tells_of_another_plain_back_where_there_is_much_room_for_it(shows: int, two: bool) -> None:
    """In a stack of nine cards two such backs were one, and the stack of eight certain."""
    assert seam_within(column_of(0.0, 14.0, bent=2), Placed(float(LEFT), float(TOP), 0.0), shows) is two
