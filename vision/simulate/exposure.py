"""How much of each card's print a picture still shows: where a lamp blows it out, nobody can read it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.table import BOARD, CARD
from vision.simulate.ink import SheetImage

if TYPE_CHECKING:
    from vision.simulate.optics import Optics
    from vision.simulate.scene import Lying

LEFT: Final = 0.3
"""A pixel shows the print if at least this share of its contrast is left."""
FAINT: Final = 5.0
"""Where darker print would change a pixel by less than this many grey levels (three channels together) even in good
light, it tells nothing."""
RIM: Final = 4.5
"""mm."""
DIM: Final = 0.6
"""How much darker the second print is that the first is held against."""


def print_left(
    lying: Sequence[Lying], plate: SheetImage, dimmer: SheetImage, due: NDArray[np.float32], optics: Optics
) -> list[float]:
    """Share (0..1) of each card's visible part whose print is left, in the order of `lying`; 1 for what is no card.

    `plate` is the picture without noise, `dimmer` the same of cards printed `DIM` times as bright, `due` (rows ×
    columns) how many grey levels the two would differ by with no reflection and no pixel full.
    """
    found = np.abs(plate.astype(np.float32) - dimmer).sum(axis=2)
    tells = due >= FAINT
    kept = (found >= LEFT * due) & tells
    owner = np.full(plate.shape[:2], -1, np.int32)
    for number, thing in enumerate(lying):
        # The rim is the same on all cards, and a sleeve's edge seldom shines: it tells nothing of which card it is.
        cv2.fillConvexPoly(owner, _corners(thing, optics, 0.0), -1, cv2.LINE_8)
        cv2.fillConvexPoly(owner, _corners(thing, optics, RIM), number, cv2.LINE_8)
    shares: list[float] = []
    for number, thing in enumerate(lying):
        of = (owner == number) & tells
        seen = int(np.count_nonzero(of))
        card = thing.what not in ("A", "L", "S") and seen > 0
        shares.append(float(np.count_nonzero(kept & of)) / seen if card else 1.0)
    return shares


def _corners(thing: Lying, optics: Optics, inset: float) -> NDArray[np.int32]:
    w, h = (v / 2 - inset for v in (BOARD if thing.what in ("A", "L", "S") else CARD))
    c, s = math.cos(math.radians(thing.turn)), math.sin(math.radians(thing.turn))
    points = [(thing.x + x * c - y * s, thing.y + x * s + y * c, 0.0) for x, y in ((-w, h), (w, h), (w, -h), (-w, -h))]
    return np.rint(optics.project(np.array(points))).astype(np.int32)
