"""What of a picture is watched for motion: the table, and on it where cards lie or may be laid next."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.names import SEATS
from engine.sight import Sight
from vision.geometry.registration import Registration
from vision.geometry.table import BOARD, BOARD_X, CARD, MAT, WATCHED, outward

BESIDE_BARS: Final = 2.0
"""How far within the mat's long edges the watched part ends, mm: the bars' light falls on the rim."""
FIRST_CARD: Final = 8.0
"""From a board's edge outwards to a first card, mm."""
NEXT_CARD: Final = 31.0
"""How much further out each card of a stack is laid, mm, at most of what people do."""
ASIDE: Final = 14.0
"""How far aside of its column's middle a card may lie, mm."""
BOARD_RIM: Final = 10.0
"""A board is known though so much of it is covered on one side, mm."""
UNKNOWN: Final = 2
"""Cards of a stack that was not read yet."""


def table_outline(registration: Registration) -> NDArray[np.float64]:
    """The table in the picture, (4, 2) px, within it."""
    x, y = MAT[0] / 2 - BESIDE_BARS, MAT[1] / 2 + WATCHED
    outline = registration.project(np.array(((-x, y), (x, y), (x, -y), (-x, -y))))
    return np.asarray(np.clip(outline, (0, 0), registration.pose.size), np.float64)


def card_outlines(registration: Registration, sight: Sight | None) -> list[NDArray[np.float64]]:
    """The boards, and the columns as far out as their next cards would reach, each (4, 2) px. `sight`: what lies there,
    if it is known."""

    def part(x: float, wide: float, near: float, far: float) -> NDArray[np.float64]:
        corners = ((x - wide, near), (x + wide, near), (x + wide, far), (x - wide, far))
        return np.asarray(registration.project(np.array(corners)), np.float64)

    order = None if sight is None else sight.order
    half = BOARD[1] / 2 - BOARD_RIM
    out = [part(x, BOARD[0] / 2 - BOARD_RIM, -half, half) for x in BOARD_X]
    for k, x in enumerate(BOARD_X):
        for seat in SEATS:
            cards = UNKNOWN if sight is None or order is None else len(sight.stacks.get((order[k], seat), ()))
            reach = min(BOARD[1] / 2 + FIRST_CARD + cards * NEXT_CARD + CARD[1], MAT[1] / 2)
            out.append(part(x, CARD[0] / 2 + ASIDE, 0.0, outward(seat) * reach))
    return out


__all__ = ["card_outlines", "table_outline"]
