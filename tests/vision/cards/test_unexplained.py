"""What neither the table nor the cards of a column explain: a shadow is nothing, a thing may be a card."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.cards.column import ABOVE, Column, column_frame
from vision.cards.outline import outline_of
from vision.cards.read_column import ColumnReading, read_column
from vision.cards.templates import FINE, Bank
from vision.geometry.light import root_table
from vision.geometry.rectify import cut
from vision.profile import DeckProfile
from vision.simulate import EMPTY, Deck, SimulatedCamera
from vision.tracking.reader import Reader
from vision.types import Picture


@pytest.fixture(scope="module")
def bank(profile: DeckProfile) -> Bank:
    return Bank(profile)


@pytest.fixture(scope="module")
def one_card(deck: Deck, reader: Reader) -> Picture:
    """A column with an A4 by daylight and nothing else on an even mat."""
    table = {**EMPTY, ("A", "near"): ("A4",)}
    image = SimulatedCamera("bright", 5, condition="day", deck=deck).still(table, ("A", "L", "S"))
    reading = reader.read(image)
    board = next(b for b in reading.boards if b is not None and b.theater == "A")
    seen = cut(image, reading.registration.pose, column_frame(board.frame, "near"), FINE)[0]
    out = mat(seen.shape[0], seen.shape[1])
    out[: round(ABOVE * FINE)] = seen[: round(ABOVE * FINE)]
    corners = np.round(outline_of(reading.columns["A", "near"].cards[0].place) * FINE).astype(np.int32)
    card = cv2.fillConvexPoly(np.zeros(seen.shape[:2], np.uint8), corners, 1) > 0
    out[card] = seen[card]
    return out[: round(190 * FINE)]


def mat(rows: int, columns: int) -> Picture:
    noise = np.random.default_rng(4).normal(0, 2, (rows, columns, 3))
    return np.asarray(np.clip(noise + np.array([150, 160, 165]), 0, 255), np.uint8)


def read(bank: Bank, patch: Picture) -> ColumnReading:
    return read_column(bank, Column(patch, np.ones(patch.shape[:2], np.bool_), root_table(np.ones(3))))


@pytest.mark.parametrize(("at", "soft", "thing"), [(6.0, 20.0, False), (17.0, 1.0, True)])
def test_a_soft_shadow_beside_a_card_is_no_thing(
    bank: Bank, one_card: Picture, at: float, soft: float, thing: bool
) -> None:
    """A lamp's soft shadow left a card in doubt that was plainly read."""
    # Given light that falls by half towards the card's left side, softly or at an edge, and comes back over the card,
    x = np.arange(one_card.shape[1]) / FINE
    darker = np.minimum(np.clip((x - at) / soft, 0, 1), np.clip((95 - x) / 55, 0, 1))
    shaded = np.asarray(one_card * (1 - 0.5 * darker)[None, :, None], np.uint8)
    reading = read(bank, shaded)
    # then the card is read, and only an edge tells of something else.
    assert len(reading.cards) == 1
    assert (reading.foreign, reading.hidden) == (thing, thing)


@pytest.mark.parametrize("figure", [False, True])
def test_a_card_that_lies_far_from_its_board_may_lie_on_one_of_the_mats_colour(
    bank: Bank, one_card: Picture, figure: bool
) -> None:
    """A back of the mat's own colour under a card showed no more than its pale 2, and the table was sure without it."""
    # Given a card 18 mm further from its board than people lay a first one,
    at, rows = round((ABOVE + 2) * FINE), round(18 * FINE)
    patch = np.concatenate([one_card[:at], mat(rows, one_card.shape[1]), one_card[at:]])
    if figure:
        # and before it a figure on what looks like the bare table,
        patch[at + rows - 18 : at + rows, 70:86] = 225
    reading = read(bank, patch)
    # then the card alone is told for certain only where nothing is seen before it.
    assert len(reading.cards) == 1
    assert reading.hidden == figure
