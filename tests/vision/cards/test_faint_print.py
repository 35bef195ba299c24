"""White cards on a white table: faint print on an even table tells as much as strong print does on wood."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.names import FACE_DOWN
from vision.cards.column import NEAR, WIDTH, Column
from vision.cards.column_reading import ColumnReading
from vision.cards.read_column import read_column
from vision.cards.table_beside import ABOVE
from vision.cards.templates import FINE, Bank
from vision.geometry import table as geometry
from vision.geometry.light import root_table
from vision.profile import SCALE, DeckProfile
from vision.types import Picture

PAPER = 236
"""Code of the white table, and of the cards' paper."""
FIGURE, LINES = 34, 18
"""Codes by which the number and the lines that are printed on them are darker."""


def white_back(rings: int = 14) -> Picture:
    """A white back with a number in its corner and rings of thin lines below, at `SCALE` px/mm."""
    width, height = (round(side * SCALE) for side in geometry.CARD)
    back = np.full((height, width, 3), PAPER, np.uint8)
    ink = (PAPER - FIGURE,) * 3
    cv2.putText(back, "2", (round(4 * SCALE), round(15 * SCALE)), cv2.FONT_HERSHEY_DUPLEX, 1.1 * SCALE / 3, ink, 3)
    ink = (PAPER - LINES,) * 3
    rng = np.random.default_rng(5)
    for _ in range(rings):
        at = (rng.uniform(6, 57), rng.uniform(28, 82))
        middle = (round(at[0] * SCALE), round(at[1] * SCALE))
        cv2.circle(back, middle, round(3.5 * SCALE), ink, round(0.9 * SCALE), cv2.LINE_AA)
    return back


def column_with(back: Picture, cards: list[tuple[float, float, float]], noise: float = 1.0) -> Column:
    """A white table with backs on it: how far below the board, how far aside, mm, and how turned, degrees, each is."""
    h, w = round((ABOVE + NEAR) * FINE), round(WIDTH * FINE)
    seen = np.full((h, w, 3), PAPER, np.float32)
    seen[: round(ABOVE * FINE)] = 90
    for down, aside, turn in cards:
        x, y = (WIDTH - geometry.CARD[0]) / 2 + aside, ABOVE + down
        c, s = np.cos(np.radians(turn)) * FINE / SCALE, np.sin(np.radians(turn)) * FINE / SCALE
        there = np.array([[c, -s, x * FINE], [s, c, y * FINE]])
        lies = cv2.warpAffine(np.ones(back.shape[:2], np.float32), there, (w, h))[..., None]
        seen = lies * cv2.warpAffine(back.astype(np.float32), there, (w, h), flags=cv2.INTER_AREA) + (1 - lies) * seen
    seen = cv2.GaussianBlur(seen, (0, 0), 0.7) + np.random.default_rng(7).normal(0, noise, seen.shape)
    patch = np.asarray(np.rint(seen).clip(0, 255), dtype=np.uint8)
    return Column(patch, np.ones((h, w), np.bool_), root_table(np.ones(3)))


@pytest.fixture(scope="module")
def bank(profile: DeckProfile) -> Bank:
    """A deck with such a back."""
    old = profile.faces[FACE_DOWN]
    back = cv2.resize(white_back(), (old.shape[1], old.shape[0]), interpolation=cv2.INTER_AREA)
    return Bank(replace(profile, faces={**profile.faces, FACE_DOWN: np.asarray(back, dtype=np.uint8)}))


def backs(bank: Bank, reading: ColumnReading) -> list[bool]:
    """Which of the cards that were read are backs."""
    return [card.faces[0][0] == bank.back for card in reading.cards]


def test_a_white_back_on_a_white_table_is_read_by_its_faint_print(bank: Bank) -> None:
    reading = read_column(bank, column_with(white_back(), [(6, 1, 0)]))
    assert (backs(bank, reading), reading.hidden) == ([True], False)


def test_a_second_back_on_it_is_read_too(bank: Bank) -> None:
    reading = read_column(bank, column_with(white_back(), [(6, 1, 0), (29, -2, 1.5)]))
    assert (backs(bank, reading), reading.hidden) == ([True, True], False)


def test_a_back_with_a_number_in_its_corner_is_laid_straight_by_what_is_printed_below(bank: Bank) -> None:
    reading = read_column(bank, column_with(white_back(), [(6, 1, 0)]))
    assert abs(np.degrees(reading.cards[0].place.turn)) < 1.0


def test_no_card_is_told_on_a_white_table_with_nothing_but_noise_on_it(bank: Bank) -> None:
    reading = read_column(bank, column_with(white_back(), [], noise=3.0))
    assert (reading.cards, reading.foreign) == ((), False)
