"""A board of which glare hides face and outline is known by what it spares, where the two others tell the light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.names import Theater
from vision.boards.boards import BoardFinder, FoundBoard
from vision.boards.glare import board_under_glare
from vision.geometry.light import gains_from_pairs
from vision.geometry.registration import Registration, register
from vision.geometry.table import BOARD
from vision.profile import DeckProfile
from vision.simulate import EMPTY, Deck, SimulatedCamera
from vision.types import Floats, Picture

ORDER: tuple[Theater, Theater, Theater] = ("S", "A", "L")
FULL = np.full(3, 255, np.uint8)
Table = tuple[Picture, Registration, FoundBoard, Floats]


@pytest.fixture(scope="module")
def table(deck: Deck, profile: DeckProfile) -> Table:
    """An empty table, the board in the middle, and the light that another board tells."""
    image = SimulatedCamera("bright", 8, condition="day", deck=deck).still(EMPTY, ORDER)
    reg = register(image)
    assert reg is not None
    finder = BoardFinder(profile)
    other, board, _ = finder.find(image, reg)
    assert board is not None and other is not None
    pairs = finder.pairs(image, reg, other)
    return image, reg, board, gains_from_pairs(pairs.seen, pairs.known, FULL)[0]


def shone_on(table: Table, left: float, right: float) -> Picture:
    """The table with a lamp's reflection over the middle board, between two shares of its width, and over its rims."""
    image, reg, board, _ = table
    w, h = BOARD
    shine = [(left * w, right * w, -6.0, h + 6), (-6.0, w + 6, -6.0, 1.0), (-6.0, w + 6, h - 1, h + 6)]
    shine += [(-6.0, 1.0, -6.0, h + 6), (w - 1, w + 6, -6.0, h + 6)]
    out = image.copy()
    for x, x2, y, y2 in shine:
        corners = board.frame.to_table(np.array([[x, y], [x2, y], [x2, y2], [x, y2]]))
        cv2.fillConvexPoly(out, np.round(reg.project(corners)).astype(np.int32), (255, 255, 255))
    return out


def test_a_board_is_known_by_what_a_lamp_spares_of_its_print(table: Table, profile: DeckProfile) -> None:
    _, reg, board, gains = table
    found = board_under_glare(shone_on(table, 0.1, 0.4), reg, profile.boards, "A", 1, gains, FULL)
    assert found is not None
    corners = found[0].to_table(np.array([[0.0, 0.0], [BOARD[0], 0.0]]))
    lies = board.frame.to_table(np.array([[0.0, 0.0], [BOARD[0], 0.0]]))
    assert np.hypot(*(corners - lies).T).max() < 1.5


@pytest.mark.parametrize(("theater", "left", "right"), [("L", 0.1, 0.4), ("A", 0.0, 1.0), ("A", 0.0, 0.9)])
def test_another_board_or_one_that_is_hidden_is_not_believed_there(
    table: Table, profile: DeckProfile, theater: Theater, left: float, right: float
) -> None:
    _, reg, _, gains = table
    seen = shone_on(table, left, right)
    assert board_under_glare(seen, reg, profile.boards, theater, 1, gains, FULL) is None
