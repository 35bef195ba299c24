"""Finds cards in a column by the print of their headers, which stay in sight whatever is laid on them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.align import Grey, Placed
from vision.bank import CARD_W, COARSE, FINE, MIDDLE, SEARCH_MM, Bank
from vision.column import ABOVE, SIDE, Column
from vision.explain import laid, under
from vision.likeness import Look, product
from vision.pose import Floats

TURNS: Final = (-5.5, 0.0, 5.5)
REACH_X: Final = 12.0
"""How far sideways headers are searched, mm."""
SEARCH_TO: Final = 215.0
"""How far from the board's edge headers are searched, mm: there the corner tags begin."""


def search(bank: Bank, column: Column, faces: slice, places: int) -> list[tuple[float, Placed]]:
    """Where headers may lie: (correlation, place of a card there), best first, at most `places`."""
    crisp = column.crisp
    side = round((SIDE - REACH_X) * MIDDLE)
    crisp = np.ascontiguousarray(crisp[: round(min(column.rows, ABOVE + SEARCH_TO) * MIDDLE), side:-side])
    h, w = crisp.shape[0] // 2, crisp.shape[1] // 2
    sw, sh = bank.strip_px
    if h <= sh:
        return []
    smooth = np.asarray(cv2.blur(crisp, (2, 2)), dtype=np.float32)
    best = np.full(h - sh + 1, -1.0, np.float32)
    where = np.zeros((h - sh + 1, 2), np.float32)
    for turn in TURNS:
        slope = np.tan(np.radians(turn))
        shear = np.array([[2, 0, 1], [2 * slope, 2, 1 - 2 * slope * (w - 1) / 2]])
        image = under(smooth, shear, (w, h))
        ny, nx = image.shape[0] - sh + 1, image.shape[1] - sw + 1
        fit = product(bank.search[faces], _windows(image, sw, sh)).max(0).reshape(ny, nx)
        fit /= _strength(image, (sw, sh))
        x = fit.argmax(1)
        value = fit[np.arange(ny), x]
        better = value > best
        best[better] = value[better]
        where[better, 0], where[better, 1] = x[better], turn
    found: list[tuple[float, Placed]] = []
    step = FINE / COARSE
    left = best.copy()
    while len(found) < places:
        row = int(left.argmax())
        value = float(left[row])
        if value < 0.3:
            break
        left[max(0, row - 2) : row + 3] = -1
        x0, turn = where[row].tolist()
        theta = float(np.radians(turn))
        # The shear keeps the middle column of the picture where it is; the strip's own middle moves with the slope.
        mid_x = (x0 + sw / 2) * step
        mid_y = (row + sh / 2) * step + np.tan(theta) * (mid_x - w * step / 2)
        c, s = np.cos(theta), np.sin(theta)
        hx, hy = CARD_W / 2, SEARCH_MM * FINE / 2
        place = Placed(mid_x - c * hx + s * hy + side * FINE / MIDDLE, mid_y - s * hx - c * hy, theta)
        found.append((value, place))
    return found


def _strength(image: Grey, window: tuple[int, int]) -> Grey:
    """Norm of the detail in each window (w, h) of a picture, and a little: what is flat must not look like print."""
    w, h = window
    n = float(w * h)
    half: dict[str, Any] = {"ddepth": -1, "ksize": window, "anchor": (0, 0), "normalize": False}
    ny, nx = image.shape[0] - h + 1, image.shape[1] - w + 1
    total = cv2.boxFilter(image, **half)[:ny, :nx]
    power = cv2.sqrBoxFilter(image, **half)[:ny, :nx]
    return np.asarray(np.sqrt(np.maximum(power - total * total * (1 / n), 0) + n * 0.008**2), dtype=np.float32)


def header_costs(column: Column, bank: Bank, faces: slice, place: Placed, mm: float) -> NDArray[np.float64]:
    """How unlike the first `mm` of each face and what lies at a place are, in nats, (faces,)."""
    rows = round(mm * MIDDLE)
    seen = under(column.tones, laid(place, MIDDLE), (bank.head_px[0], rows))
    look = Look(seen, bank.telling[MIDDLE][:rows], MIDDLE)
    details, hues = bank.headers(rows)
    return look.against_all(details[faces], hues[faces])


@dataclass(frozen=True, slots=True)
class Fits:
    """How well each header fits around a place."""

    best: NDArray[np.float32]
    """Correlation of each face, (faces,)."""
    at: Floats
    """Where each fits best, (faces, 3): x, y in the column's picture at `FINE`, turn."""

    def place(self, face: int) -> Placed:
        """Where a face fits best."""
        x, y, turn = self.at[face].tolist()
        return Placed(x, y, turn)


def fits_around(bank: Bank, column: Column, start: Placed, faces: slice, room: int, turns: tuple[float, ...]) -> Fits:
    """Correlation of every header within `room` mm of a place, at `MIDDLE`.

    Repeating back patterns need every millimetre tried.
    """
    w, h = bank.head_px
    step = FINE / MIDDLE
    cx, cy = start.points(np.array([[CARD_W / 2, h * step / 2]]))[0].tolist()
    which = np.arange(faces.stop - faces.start)
    fits = np.empty((len(turns), len(which)), np.float32)
    at = np.empty((len(turns), len(which)), np.intp)
    corners = np.empty((len(turns), 5))
    for k, extra in enumerate(turns):
        theta = start.turn + math.radians(extra)
        c, s = math.cos(theta), math.sin(theta)
        # Top left of the header in column pixels at MIDDLE, `room` further out on both sides.
        ox = cx / step - c * (w / 2 + room) + s * (h / 2 + room)
        oy = cy / step - s * (w / 2 + room) - c * (h / 2 + room)
        corners[k] = ox, oy, c, s, theta
        patch = under(column.crisp, np.array([[c, -s, ox], [s, c, oy]]), (w + 2 * room, h + 2 * room))
        fit = product(_windows(patch, w, h), bank.heads[faces]) / _strength(patch, (w, h)).reshape(-1, 1)
        at[k] = fit.argmax(0)
        fits[k] = fit[at[k], which]
    best = fits.argmax(0)
    y, x = np.divmod(at[best, which], 2 * room + 1)
    ox, oy, c, s, theta = corners[best].T
    places = np.stack([step * (ox + c * x - s * y), step * (oy + s * x + c * y), theta], 1)
    return Fits(fits[best, which], places)


def _windows(image: Grey, w: int, h: int) -> NDArray[np.float32]:
    """Every window of a picture, row by row, (n, h * w)."""
    ny, nx = image.shape[0] - h + 1, image.shape[1] - w + 1
    image = np.ascontiguousarray(image)
    view = np.lib.stride_tricks.as_strided(image, (ny, nx, h, w), image.strides * 2, writeable=False)
    return view.reshape(ny * nx, h * w)
