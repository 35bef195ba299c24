"""The table's geometry (docs/contracts.md, section 2): millimetres, origin at the centre of the middle board.

+x points to the right and +y away from the near seat. A picture's rows run the other way;
whoever draws or reads turns them. This module holds constants and nothing that reads or draws.
"""

from __future__ import annotations

from typing import Final

from engine.names import Seat

CARD: Final = (63.5, 88.0)
"""Width and height of a card, mm."""
CARD_CORNER: Final = 3.0
"""Radius of a card's rounded corners, mm."""

BOARD: Final = (127.4, 87.8)
"""Width and height of a theater board as it lies (landscape), mm."""
BOARD_X: Final = (-130.5, 0.0, 130.5)
"""Where the centres of the three boards lie, left to right for the near seat, mm; y = 0."""
BOARD_SPOTS: Final = ("left", "middle", "right")
"""What those places are called."""

MAT: Final = (420.0, 594.0)
"""Width (x) and height (y, from seat to seat) of the mat, mm."""
WATCHED: Final = 12.0
"""How far around the mat motion counts as motion on the table, mm; what moves further out is not looked at."""

TAG_SIDE: Final = 30.0
"""Side of a corner tag's black square, mm."""
TAG_QUIET: Final = 3.75
"""White zone around it, mm (at least)."""
TAG_CENTRES: Final = ((-185.0, 272.0), (185.0, 272.0), (185.0, -272.0), (-185.0, -272.0))
"""Centre of the tag with that id, mm; each tag stands upright for the near seat."""
TAG_NAMES: Final = ("far left", "far right", "near right", "near left")
"""What the tag with that id is called, by the corner of the mat in which the near seat sees it."""

FIRST_GAP: Final = 6.0
"""From the board's edge outwards to the top edge of the first card, mm (0 to 13 occurs)."""
STRIP: Final = 23.0
"""What stays visible of a covered card, mm: one whole header (17 to 28 meant, 10 to 31 occurs)."""


def outward(seat: Seat) -> int:
    """+1 or -1: the direction along y from the boards towards the seat that owns the cards."""
    return -1 if seat == "near" else 1


def card_turn(seat: Seat) -> float:
    """How far a seat's cards are turned, degrees: a near card's top edge points to +y, a far card's to -y."""
    return 0.0 if seat == "near" else 180.0


def tag_corners(tag: int) -> tuple[tuple[float, float], ...]:
    """Corners of a tag's black square, mm: top left, top right, bottom right, bottom left as the near seat sees it."""
    x, y = TAG_CENTRES[tag]
    h = TAG_SIDE / 2
    return ((x - h, y + h), (x + h, y + h), (x + h, y - h), (x - h, y - h))
