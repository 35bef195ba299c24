"""One column of the table, cut out: its picture at two scales, and how well the bare table explains it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.names import Seat
from vision import geometry
from vision.align import Grey, crispness, grey, structure
from vision.bank import FINE, MIDDLE
from vision.light import Tones
from vision.rectify import Frame

SIDE: Final = 30.0
"""How much is seen on both sides of a column's cards, mm. The outer part is bare table: columns lie 67 mm apart."""
ROOM: Final = 15.0
"""How far cards may stick out sideways from their column, mm."""
ABOVE: Final = 14.0
"""How much of the board belongs to the column's picture, mm: a card may lie over the board's edge."""
LENGTH: Final = 266.0
WIDTH: Final = geometry.CARD[0] + 2 * SIDE

SPREAD: Final = 0.075
"""Error in root of light that counts as a fair match."""
BARE_MOST: Final = 0.6
"""Worst cost of a pixel as bare table: an unknown thing must not be taken for whichever card fits it least badly."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column's picture, its first row nearest to the board's middle, its cards upright."""

    tones: Tones
    """Root of light at `MIDDLE`, (h, w, 3) float32, in the profile's light."""
    crisp: Grey
    """Detail of its brightness."""
    fine: Tones
    """Root of light at `FINE`."""
    fine_crisp: Grey
    """Detail of its brightness."""
    layers: NDArray[np.float32]
    """At `MIDDLE`, (h, w, 4): the tones, and the detail of their brightness."""
    table: NDArray[np.float32]
    """At `MIDDLE`, (h, w, 2). First, how much structure there is, 0..1: flat paper tells little, print and edges much.
    Then how badly the bare table explains the pixel, 0..`BARE_MOST`."""
    rows: float
    """How much of its length lies in the picture, mm."""
    spread: float

    @property
    def bare(self) -> Grey:
        """How badly the bare table explains each pixel at `MIDDLE`, 0..`BARE_MOST`."""
        return self.table[..., 1]


def column_frame(board: Frame, seat: Seat, zoom: float = 1.0) -> Frame:
    """The column of one seat at a board, its first row nearest to the board's middle, cards upright in it.

    `zoom`: how much larger than they are things appear there, where the registration is not exact.
    """
    half, wide, above = board.width / 2, WIDTH * zoom / 2, ABOVE * zoom
    if seat == "near":
        corner, turn = board.to_table(np.array([[half - wide, board.height - above]]))[0], board.turn
    else:
        corner, turn = board.to_table(np.array([[half + wide, above]]))[0], board.turn + float(np.pi)
    return Frame((float(corner[0]), float(corner[1])), turn, 2 * wide, (ABOVE + LENGTH) * zoom)


def prepare(tones: Tones, inside: NDArray[np.bool_], spread: float = SPREAD) -> Column:
    """Get a column's picture ready. `tones`: root of light at `FINE`; `inside`: where it lies in the picture."""
    shrink = MIDDLE / FINE
    small = np.asarray(cv2.resize(tones, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), dtype=np.float32)
    known, wide = _table(small, spread)
    bare = np.minimum(wrong_by(small - known, wide), np.float32(BARE_MOST))
    luma = grey(small)
    crisp = crispness(luma, round(7 * MIDDLE) | 1)
    return Column(
        small,
        crisp,
        tones,
        crispness(grey(tones), round(7 * FINE) | 1),
        np.dstack([small, crisp]),
        np.dstack([structure(luma, MIDDLE), bare]),
        float(inside[:, inside.shape[1] // 2].sum()) / FINE,
        spread,
    )


def _table(tones: Tones, spread: float) -> tuple[Tones, float]:
    """What the bare table would look like in a column, from its two sides, and how rough it is."""
    h, w = tones.shape[:2]
    margin = round((SIDE - ROOM - 1) * MIDDLE)
    step = 8
    sides, rough = [], []
    for part in (tones[:, :margin], tones[:, -margin:]):
        # Every other pixel both ways tells as much at a quarter of the time.
        blocks = part[: h // step * step : 2, ::2].reshape(h // step, -1, 3)
        middle = np.median(blocks, 1)
        rough.append(float(np.median(np.abs(blocks - middle[:, None]))))
        # Along the column by a running median: a token or the neighbour's card beside it is shorter than the window.
        padded = np.pad(middle, ((4, 4), (0, 0)), mode="edge")
        runs = np.median(np.lib.stride_tricks.sliding_window_view(padded, 9, axis=0), -1)
        sides.append(cv2.resize(runs.astype(np.float32).reshape(-1, 1, 3), (1, h)).reshape(h, 1, 3))
    ramp = np.linspace(0, 1, w, dtype=np.float32)[None, :, None]
    return sides[0] + (sides[1] - sides[0]) * ramp, max(spread, 3 * min(rough))


def wrong_by(d: Tones, spread: float) -> Grey:
    """How bad an error is, 0..1, (h, w)."""
    d2 = cv2.transform(d * d, np.full((1, 3), -0.5 / (3 * spread * spread), np.float32))
    return np.asarray(1 - cv2.exp(d2), dtype=np.float32)
