"""The bare table beside a column's cards, and where it begins."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.cards.appearance import row_costs
from vision.cards.column import LENGTH, WIDTH, Column
from vision.cards.read_column import read_column
from vision.cards.table_beside import ABOVE, LEFT_OVER, SIDE, common_colours, like_colours
from vision.cards.templates import FINE, MIDDLE, Bank
from vision.geometry.align import Placed
from vision.geometry.light import root_table
from vision.profile import FACES, SCALE, DeckProfile
from vision.types import Picture

BOARD, TABLE = 60, 200
"""Codes of a dark board and of the light table beside it."""


@pytest.fixture(scope="module")
def bank(profile: DeckProfile) -> Bank:
    return Bank(profile)


def at_a_board(card: Picture | None = None, top: float = 0.0) -> Picture:
    """A column of a printed board and a light table, and a card whose top edge lies `top` mm off the board's edge."""
    patch = np.full((round((ABOVE + LENGTH) * FINE), round(WIDTH * FINE), 3), TABLE, np.uint8)
    rng = np.random.default_rng(3)
    edge = round(ABOVE * FINE)
    print_of_it = cv2.GaussianBlur(rng.normal(BOARD, 90, (edge, patch.shape[1], 3)), (0, 0), 3)
    patch[:edge] = np.clip(print_of_it, 0, 120)
    patch[edge - 3 : edge] = 20
    if card is not None:
        small = cv2.resize(card, None, fx=FINE / SCALE, fy=FINE / SCALE, interpolation=cv2.INTER_AREA)
        at = round((ABOVE + top) * FINE), round(SIDE * FINE)
        patch[at[0] : at[0] + small.shape[0], at[1] : at[1] + small.shape[1]] = small
    return patch


def column(patch: Picture) -> Column:
    return Column(patch, np.ones(patch.shape[:2], np.bool_), root_table(np.ones(3)))


def test_the_table_is_bare_from_the_boards_edge_on() -> None:
    """Its colours were told by parts of 8 mm, of which one is board and table: a strip of bare table at a board was
    explained better by any light face, and an A1 was told to lie on an A2 that was not there."""
    bare = column(at_a_board()).bare
    assert float(bare[round((ABOVE + 1) * MIDDLE) :].max()) < LEFT_OVER


def test_what_a_board_shows_speaks_for_no_face(bank: Bank) -> None:
    """Nothing that is known here explains a board's print, and a face of its colours does so by chance."""
    shown = column(at_a_board())
    place = Placed(SIDE * FINE, (ABOVE - 6) * FINE, 0.0)
    for face in range(len(FACES)):
        costs, _ = row_costs(shown, bank, face, place)
        assert float(costs[: round(6 * MIDDLE)].min()) >= 0


@pytest.mark.parametrize("top", [-8.0, -4.0, 0.0, 10.0])
@pytest.mark.parametrize("face", ["A4", "L6", "S2", "-"])
def test_a_card_is_read_however_much_of_its_header_lies_over_the_board(
    bank: Bank, profile: DeckProfile, face: str, top: float
) -> None:
    reading = read_column(bank, column(at_a_board(profile.faces[face], top)))
    assert [FACES[card.faces[0][0]] for card in reading.cards] == [face] and reading.margin > 1


def test_a_card_of_another_hue_on_a_checked_mat_in_dim_light_is_none_of_its_colours() -> None:
    """A reddish S1 on a green mat was within what told one of the mat's colours: its place was empty for certain."""
    # Given the colours, roots of light, that a mat and a card on it had in a drawn picture
    rng = np.random.default_rng(1)
    mat = np.array([(0.30, 0.35, 0.33), (0.33, 0.37, 0.35), (0.34, 0.40, 0.37)], np.float32)
    tones = mat[np.kron(rng.integers(0, 3, (25, 16)), np.ones((8, 8), int))][:200, :124]
    tones[40:128, 30:93] = (0.317, 0.294, 0.397)
    tones = (tones + rng.normal(0, 0.01, tones.shape)).astype(np.float32)
    # Then the card's are none of the mat's, and the mat's own are
    like = like_colours(tones, common_colours(tones), 0.075)
    assert like[45:120, 35:88].mean() < 0.2
    assert like[140:].mean() > 0.98
