"""One column of the table, cut out: its picture at two scales, and how well the bare table explains it."""

from __future__ import annotations

from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.names import Seat
from vision import geometry
from vision.align import Grey, Placed, crispness, grey, structure
from vision.bank import FINE, MIDDLE
from vision.light import Tones, apply
from vision.likeness import sharpened
from vision.outline import cards
from vision.rectify import Frame
from vision.registration import Picture

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
LEFT_OVER: Final = 0.35
"""A pixel that the bare table explains worse than this belongs to something."""
BEYOND: Final = 12.0
"""How much bare table belongs to what lies before it, mm."""
MOST_OUTLINES: Final = 14
"""Outlines that are looked at in a column: nearly all cards are among them."""
BARE_MOST: Final = 0.6
"""Worst cost of a pixel as bare table: an unknown thing must not be taken for whichever card fits it least badly."""


class Column:
    """One column's picture, its first row nearest to the board's middle, its cards upright."""

    def __init__(self, patch: Picture, inside: NDArray[np.bool_], gains: Tones, spread: float = SPREAD) -> None:
        """`patch`: (h, w, 3) uint8 at `FINE`; `inside`: (h, w), where it lies in the picture; `gains`: `root_table`."""
        self._patch, self._gains = patch, gains
        self.rows: Final = float(inside[:, inside.shape[1] // 2].sum()) / FINE
        """How much of its length lies in the picture, mm."""
        self.spread: Final = spread
        size = round(patch.shape[1] * MIDDLE / FINE), round(patch.shape[0] * MIDDLE / FINE)
        small = cv2.resize(patch, size, interpolation=cv2.INTER_AREA)
        self.tones: Final = apply(np.asarray(small, dtype=np.uint8), gains)
        """Root of light at `MIDDLE`, (h, w, 3) float32, in the profile's light."""
        self.bare: Final = _bare(self.tones, spread)
        """How badly the bare table explains each pixel at `MIDDLE`, 0..`BARE_MOST`."""
        self.end: Final = self._end()
        """Beyond this is nothing but table, mm."""

    def _end(self) -> float:
        edge = round((SIDE - ROOM) * MIDDLE)
        used = np.flatnonzero((self.bare[:, edge:-edge] > LEFT_OVER).sum(1) >= round(4 * MIDDLE))
        last = float(used[-1]) / MIDDLE if len(used) else 0.0
        return float(np.clip(last + BEYOND, ABOVE + geometry.CARD[1] + BEYOND, ABOVE + LENGTH))

    @cached_property
    def crisp(self) -> Grey:
        """Detail of its brightness at `MIDDLE`."""
        return crispness(self._luma, round(7 * MIDDLE) | 1)

    @cached_property
    def fine(self) -> Tones:
        """Root of light at `FINE`, down to `end`."""
        return apply(self._patch[: round(self.end * FINE)], self._gains)

    @cached_property
    def fine_crisp(self) -> Grey:
        """Detail of its brightness."""
        return crispness(grey(self.fine), round(7 * FINE) | 1)

    @cached_property
    def noise(self) -> float:
        """The camera's noise in a pixel's detail at `FINE`, root of light over three channels."""
        part = sharpened(self.fine, FINE)
        fine = part - cv2.blur(part, (15, 15))
        power = cv2.blur(cv2.transform(fine * fine, np.ones((1, 3), np.float32)), (15, 15))[7::8, 7::8]
        return float(np.sqrt(np.quantile(power, 0.1)))

    @cached_property
    def layers(self) -> NDArray[np.float32]:
        """At `MIDDLE`, (h, w, 4): detail of its brightness; how much structure there is, 0..1, as flat paper tells
        little, print and edges much; `bare`; and brightness.
        """
        layers = [self.crisp, structure(self._luma, MIDDLE), self.bare, self._luma]
        return np.asarray(cv2.merge(layers), dtype=np.float32)

    @cached_property
    def outlines(self) -> list[tuple[float, Placed]]:
        """Likely cards by their edges alone, best first."""
        return cards(self.tones, MOST_OUTLINES)

    @cached_property
    def _luma(self) -> Grey:
        return grey(self.tones)


def column_frame(board: Frame, seat: Seat) -> Frame:
    """The column of one seat at a board, its first row nearest to the board's middle, cards upright in it."""
    half, wide = board.width / 2, WIDTH / 2
    if seat == "near":
        corner, turn = board.to_table(np.array([[half - wide, board.height - ABOVE]]))[0], board.turn
    else:
        corner, turn = board.to_table(np.array([[half + wide, ABOVE]]))[0], board.turn + float(np.pi)
    return Frame((float(corner[0]), float(corner[1])), turn, WIDTH, ABOVE + LENGTH)


def _bare(tones: Tones, spread: float) -> Grey:
    """How badly the bare table, as it is seen on a column's two sides, explains each pixel, 0..`BARE_MOST`."""
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
    wide = max(spread, 3 * min(rough))
    ramp = np.linspace(0, 1, w, dtype=np.float32)[None, :, None]
    left, right = sides
    bare = wrong_by(tones - (left + (right - left) * ramp), wide)
    # Where the sides differ, something lies on one of them: either may be what the table looks like.
    differ = np.abs(left - right).max((1, 2)) > wide
    if differ.any():
        for side in sides:
            bare[differ] = np.minimum(bare[differ], wrong_by(tones[differ] - side[differ], wide))
    return np.minimum(bare, np.float32(BARE_MOST))


def wrong_by(d: Tones, spread: float) -> Grey:
    """How bad an error is, 0..1, (h, w)."""
    d2 = cv2.transform(d * d, np.full((1, 3), -0.5 / (3 * spread * spread), np.float32))
    return np.asarray(1 - cv2.exp(d2), dtype=np.float32)
