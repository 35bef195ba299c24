"""Finds cards in a column by the print of their headers, which stay in sight whatever is laid on them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.appearance import laid, tones_under, under
from vision.cards.column import Column
from vision.cards.similarity import Look, product
from vision.cards.table_beside import ABOVE, SIDE
from vision.cards.templates import CARD_W, COARSE, FINE, MIDDLE, SEARCH_MM, Bank
from vision.geometry.align import (
    Placed,
)
from vision.types import Grey

TURNS: Final = (-5.5, 0.0, 5.5)
"""Turns at which headers are laid over a column at first, degrees."""
MORE_TURNS: Final = (-8.25, -5.5, -2.75, 0.0, 2.75, 5.5, 8.25)
"""The same where those do not explain it: thin lines that repeat go with the enrolled ones within a degree or two."""
REACH_X: Final = 12.0
"""How far sideways headers are searched, mm."""
NEXT: Final = 2
"""Headers no further apart up and down than this are in one row, px at `COARSE`."""
BESIDE: Final = 2
"""Headers no further apart sideways than this are one, px at `COARSE`."""
AS_WELL: Final = 0.08
"""Correlations that differ by less at `COARSE` may as well be the other way round."""
TURNED_APART: Final = 5.0
"""Headers at one place that are turned by more than this, degrees, are two: each is refined within 3 degrees."""
SEARCH_TO: Final = 215.0
"""How far from the board's edge headers are searched, mm: there the corner tags begin."""


class HeaderSearch:
    """Where the headers of some faces may lie in a column; what one turn gave is kept for when more are tried."""

    def __init__(self, bank: Bank, column: Column, faces: slice) -> None:
        self._bank, self._wrong_way = bank, faces.start > 0
        detail = column.detail
        side = round((SIDE - REACH_X) * MIDDLE)
        rows = round(min(column.rows, column.tops + SEARCH_MM, ABOVE + SEARCH_TO) * MIDDLE)
        detail = np.ascontiguousarray(detail[:rows, side:-side])
        self._size: Final = detail.shape[1] // 2, detail.shape[0] // 2
        self._smooth: Final = np.asarray(cv2.blur(detail, (2, 2)), dtype=np.float32)
        self._fits: dict[float, Grey] = {}

    def places(self, most: int, turns: tuple[float, ...] = TURNS) -> list[tuple[float, Placed]]:
        """(Correlation, place of a card there), best first, in at most `most` rows. `turns`: those that are tried,
        degrees."""
        (w, h), (sw, sh) = self._size, self._bank.strip_px
        if h <= sh:
            return []
        all_fits = np.stack([self._turned(turn) for turn in turns])
        turned = np.asarray(turns)[all_fits.argmax(0)]
        left = all_fits.max(0)
        found: list[tuple[float, Placed]] = []
        step = FINE / COARSE
        rows: set[int] = set()
        while len(rows) < most:
            row, x0 = divmod(int(left.argmax()), left.shape[1])
            value = float(left[row, x0])
            if value < 0.3:
                break
            turn = float(turned[row, x0])
            theta = math.radians(turn)
            # One place in a row, or two where a back repeats sideways, or fits turned otherwise, as well.
            first = next((known for known in rows if abs(known - row) <= NEXT), None)
            around = left[max(0, row - NEXT) : row + NEXT + 1]
            if first is None:
                rows.add(row)
                here = np.s_[max(0, row - NEXT) : row + NEXT + 1, max(0, x0 - BESIDE) : x0 + BESIDE + 1]
                left[here][np.abs(turned[here] - turn) < TURNED_APART] = -1
                around[around < value - AS_WELL] = -1
            else:
                left[max(0, first - NEXT) : first + NEXT + 1] = -1
            # The shear keeps the middle column of the picture where it is; the strip's own middle moves with the slope.
            mid_x = (x0 + sw / 2) * step
            mid_y = (row + sh / 2) * step + math.tan(theta) * (mid_x - w * step / 2)
            c, s = math.cos(theta), math.sin(theta)
            hx, hy = CARD_W / 2, SEARCH_MM * FINE / 2
            side = round((SIDE - REACH_X) * MIDDLE) * FINE / MIDDLE
            found.append((value, Placed(mid_x - c * hx + s * hy + side, mid_y - s * hx - c * hy, theta)))
        return found

    def _turned(self, turn: float) -> Grey:
        """Correlation of the header that fits best at each place at `COARSE`, where cards are turned so, degrees."""
        if turn not in self._fits:
            (w, h), (sw, sh) = self._size, self._bank.strip_px
            slope = np.tan(np.radians(turn))
            shear = np.array([[2, 0, 1], [2 * slope, 2, 1 - 2 * slope * (w - 1) / 2]])
            image = under(self._smooth, shear, (w, h))
            fit = _fits(self._bank.search(self._wrong_way), image, (sw, sh)).max(0)
            self._fits[turn] = np.asarray(fit / _strength(image, (sw, sh)), dtype=np.float32)
        return self._fits[turn]


def correlations(known: NDArray[np.float32], image: Grey, window: tuple[int, int]) -> NDArray[np.float32]:
    """Correlation of pictures (n, h * w), no mean and unit norm, with every window (w, h) of one, (n, ..., ...)."""
    return np.asarray(_fits(known, image, window) / _strength(image, window), dtype=np.float32)


def _fits(known: NDArray[np.float32], image: Grey, window: tuple[int, int]) -> NDArray[np.float32]:
    """Product of some pictures (n, h * w) with every window (w, h) of one, (n, ..., ...)."""
    w, h = window
    ny, nx = image.shape[0] - h + 1, image.shape[1] - w + 1
    # Row by row of the pictures: every window whole would be eight times as much to copy.
    image = np.ascontiguousarray(image)
    shape, strides = (image.shape[0], nx, w), (image.strides[0], image.strides[1], image.strides[1])
    seen = np.ndarray(shape, np.float32, image, strides=strides).reshape(-1, w)
    rows = product(known.reshape(-1, w), seen).reshape(len(known), h, image.shape[0], nx)
    out = rows[:, 0, :ny].copy()
    for row in range(1, h):
        out += rows[:, row, row : row + ny]
    return out


def _strength(image: Grey, window: tuple[int, int]) -> Grey:
    """`_norm` of each window (w, h) of a picture."""
    w, h = window
    ny, nx = image.shape[0] - h + 1, image.shape[1] - w + 1
    total = cv2.boxFilter(image, -1, window, anchor=(0, 0), normalize=False)[:ny, :nx]
    return _norm(np.asarray(total), _powers(image, window), float(w * h))


def _powers(image: Grey, window: tuple[int, int]) -> Grey:
    """Sum of the squares in each window (w, h) of a picture."""
    w, h = window
    ny, nx = image.shape[0] - h + 1, image.shape[1] - w + 1
    power = cv2.sqrBoxFilter(image, -1, window, anchor=(0, 0), normalize=False)[:ny, :nx]
    return np.asarray(power, dtype=np.float32)


def _norm(total: NDArray[np.float32], power: NDArray[np.float32], n: float) -> NDArray[np.float32]:
    """Norm of the detail in windows of `n` pixels by its sum and the sum of its squares, and a little: what is flat
    must not look like print."""
    return np.asarray(np.sqrt(np.maximum(power - total * total * (1 / n), 0) + n * 0.008**2), dtype=np.float32)


def header_costs(column: Column, bank: Bank, faces: slice, place: Placed, mm: float) -> NDArray[np.float64]:
    """How unlike the first `mm` of each face and what lies at a place are, in nats, (faces,)."""
    rows = round(mm * MIDDLE)
    seen = tones_under(column.wide, laid(place, MIDDLE), (bank.head_px[0], rows))
    look = Look(bank.headers(rows, False).mask, seen, column.most, column.saturation)
    ways = (turned for turned in (False, True) if (faces.stop > bank.count if turned else faces.start < bank.count))
    return np.concatenate(
        [look.against_all(known.details, known.hues) for known in (bank.headers(rows, w) for w in ways)]
    )


@dataclass(frozen=True, slots=True)
class Fits:
    """How well each header fits around a place."""

    best: NDArray[np.float32]
    """Correlation of each face, (faces,)."""
    at: NDArray[np.intp]
    """In which window each fits best, (faces,): turn by turn, row by row."""
    corners: tuple[tuple[float, float, float], ...]
    """For each turn where its first window lies in the column's picture at `MIDDLE`: x, y, turn."""
    side: int
    """Windows in a row, as in a column."""

    def place(self, face: int) -> Placed:
        """Where a face fits best, in the column's picture at `FINE`."""
        turned, at = divmod(int(self.at[face]), self.side**2)
        down, across = divmod(at, self.side)
        there = Placed(*self.corners[turned])
        x, y = there.point(across, down)
        return Placed(FINE / MIDDLE * x, FINE / MIDDLE * y, there.turn)


def fits_around(bank: Bank, column: Column, start: Placed, faces: slice, room: int, turns: tuple[float, ...]) -> Fits:
    """Correlation of every header within `room` mm of a place, at `MIDDLE`.

    Repeating back patterns need every millimetre tried.
    """
    w, h = bank.head_px
    step = FINE / MIDDLE
    cx, cy = start.point(CARD_W / 2, h * step / 2)
    across, down = w + 2 * room, h + 2 * room
    patches = np.empty((len(turns), down, across), np.float32)
    corners: list[tuple[float, float, float]] = []
    power = np.empty((len(turns), (2 * room + 1) ** 2), np.float32)
    for k, extra in enumerate(turns):
        theta = start.turn + math.radians(extra)
        c, s = math.cos(theta), math.sin(theta)
        # Top left of the header in column pixels at MIDDLE, `room` further out on both sides.
        ox = cx / step - c * (w / 2 + room) + s * (h / 2 + room)
        oy = cy / step - s * (w / 2 + room) - c * (h / 2 + room)
        corners.append((ox, oy, theta))
        patches[k] = under(column.detail, np.array([[c, -s, ox], [s, c, oy]]), (across, down))
        power[k] = _powers(patches[k], (w, h)).ravel()
    # One product of matrices for all turns, which sums the windows up, too.
    seen = _windows(patches, w, h)
    sums = product(seen, bank.heads(faces.start > 0))
    fits = sums[:, :-1] / _norm(sums[:, -1], power.ravel(), w * h)[:, None]
    return Fits(fits.max(0), fits.argmax(0), tuple(corners), 2 * room + 1)


def _windows(images: NDArray[np.float32], w: int, h: int) -> NDArray[np.float32]:
    """Every window of some pictures (k, ..., ...), picture by picture and row by row, (n, h * w)."""
    k, ny, nx = images.shape[0], images.shape[1] - h + 1, images.shape[2] - w + 1
    images = np.ascontiguousarray(images)
    by_picture, by_row, by_pixel = images.strides
    strides = by_picture, by_row, by_pixel, by_row, by_pixel
    return np.ndarray((k, ny, nx, h, w), np.float32, images, strides=strides).reshape(k * ny * nx, h * w)
