"""Reads one column: explains it by a chain of cards, from the board outwards, each covering the one before.

Single cards cannot be cut out where they overlap, and repeating back patterns fool key points. So: every enrolled
header is laid over the column, each likely place is refined, and the chain of cards that explains the whole column
best, row by row, is found by dynamic programming. The uppermost card must show its whole face.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.names import Seat
from vision import geometry
from vision.align import Grey, Placed, grey, structure
from vision.bank import CARD_H, CARD_W, COARSE, FINE, LAY_MM, SEARCH_MM, Bank
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

TURNS: Final = (-8.0, -4.0, 0.0, 4.0, 8.0)
FIRST: Final = (-9.0, 26.0)
"""Where the first card's top edge may lie, mm outside the board's edge."""
STRIPS: Final = (7.0, 38.0)
"""How much of a covered card may show, mm."""
FLAT: Final = 0.25
"""Weight of a pixel without structure; print and edges weigh 1."""
SPREAD: Final = 0.075
"""Tone error that counts as a fair match."""
BARE_MOST: Final = 0.6
"""Worst cost of a pixel as bare table: an unknown thing there must not be taken for whichever card fits it least badly."""
PER_CARD: Final = 2.0
"""What a card must explain, mm of rows, before it is believed."""

Costs = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Column:
    """One column's picture at `FINE`, in the profile's light, and what the bare table would look like there."""

    tones: Tones
    """(560, 247, 3) float32."""
    luma: Grey
    steep: Grey
    """How much structure there is at each pixel, 0..1: flat paper tells little, print and edges much."""
    bare: Grey
    """How badly the bare table explains each pixel, 0..`BARE_MOST`."""
    rows: int
    """How many rows lie in the picture."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A face laid somewhere in the column. `face`: number in the bank, from 19 on the wrong way round."""

    face: int
    place: Placed
    """In the column's picture at `FINE`."""
    match: float
    costs: Costs
    """Cost of each of the card's rows against the bare table, (176,): below 0 where the card explains it better."""

    @property
    def top(self) -> float:
        """Row of the middle of the card's top edge, px."""
        return float(self.place.points(np.array([[CARD_W / 2, 0.0]]))[0, 1])

    @property
    def left(self) -> float:
        """Column of the middle of the card's top edge, px."""
        return float(self.place.points(np.array([[CARD_W / 2, 0.0]]))[0, 0])


def column_frame(board: Frame, seat: Seat) -> Frame:
    """The column of one seat at a board, its first row nearest to the board's middle, cards upright in it."""
    half = board.width / 2
    if seat == "near":
        corner = board.to_table(np.array([[half - WIDTH / 2, board.height - ABOVE]]))[0]
        return Frame((float(corner[0]), float(corner[1])), board.turn, WIDTH, ABOVE + LENGTH)
    corner = board.to_table(np.array([[half + WIDTH / 2, ABOVE]]))[0]
    return Frame((float(corner[0]), float(corner[1])), board.turn + np.pi, WIDTH, ABOVE + LENGTH)


def prepare(tones: Tones, inside: NDArray[np.bool_], spread: float) -> Column:
    """Get a column's picture ready: structure, and the bare table as its two sides show it."""
    luma = grey(tones)
    rows = int(inside[:, inside.shape[1] // 2].sum())
    return Column(tones, luma, structure(luma), _bare(tones, spread), rows)


def _bare(tones: Tones, spread: float) -> Grey:
    h, w = tones.shape[:2]
    margin = round((SIDE - ROOM - 1) * FINE)
    step = 16
    sides = []
    rough = []
    for part in (tones[:, :margin], tones[:, -margin:]):
        blocks = part[: h // step * step].reshape(h // step, -1, 3)
        middle = np.median(blocks, 1)
        rough.append(float(np.median(np.abs(blocks - middle[:, None]))))
        # Along the column by a running median: a token or the neighbour's card beside it is shorter than the window.
        padded = np.pad(middle, ((4, 4), (0, 0)), mode="edge")
        runs = np.lib.stride_tricks.sliding_window_view(padded, 9, axis=0)
        sides.append(np.median(runs, -1))
    left, right = (cv2.resize(x.astype(np.float32).reshape(-1, 1, 3), (1, h)) for x in sides)
    left, right = left.reshape(h, 1, 3), right.reshape(h, 1, 3)
    ramp = np.linspace(0, 1, w, dtype=np.float32)[None, :, None]
    table = left + (right - left) * ramp
    wide = max(spread, 3 * min(rough))
    return np.minimum(error_of(tones, table, 1.0, 0.0, wide), np.float32(BARE_MOST))


def _search(bank: Bank, column: Tones, faces: int) -> list[tuple[float, int, Placed]]:
    """Likely headers: (correlation, face, place), best first."""
    side = round((SIDE - ROOM) * FINE)
    column = column[:, side:-side]
    half = cv2.resize(column, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    h, w = half.shape[0] // 2, half.shape[1] // 2
    sw, sh = bank.strip_px
    n = sw * sh * 3
    best = np.full((faces, h - sh + 1), -1.0, np.float32)
    where = np.zeros((faces, h - sh + 1, 2), np.float32)
    for turn in TURNS:
        slope = np.tan(np.radians(turn))
        shear = np.array([[2, 0, 0.5], [2 * slope, 2, 0.5 - 2 * slope * (w - 1) / 2]])
        image = cv2.warpAffine(
            half, shear, (w, h), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
        )
        view = np.lib.stride_tricks.sliding_window_view(image, (sh, sw), axis=(0, 1))
        ny, nx = view.shape[:2]
        windows = np.ascontiguousarray(view.transpose(0, 1, 3, 4, 2)).reshape(ny * nx, n)
        total = windows.sum(1)
        power = np.einsum("ij,ij->i", windows, windows) - total * total / n
        fit = (windows @ bank.search[:faces].T) / np.sqrt(np.maximum(power, 0) + n * 0.02**2)[:, None]
        fit = fit.reshape(ny, nx, faces)
        x = fit.argmax(1)
        value = np.take_along_axis(fit, x[:, None, :], 1)[:, 0, :].T
        better = value > best
        best[better] = value[better]
        where[better] = np.stack([x.T[better], np.full(int(better.sum()), turn, np.int64)], -1)
    spread = cv2.dilate(best, np.ones((1, 5), np.uint8))
    top_here = spread.max(0)
    found: list[tuple[float, int, Placed]] = []
    for face, row in np.argwhere((best >= spread - 1e-6) & (best > 0.3)):
        value = float(best[face, row])
        if value < top_here[row] - 0.22:
            continue
        x0, turn = where[face, row]
        step = FINE / COARSE
        theta = float(np.radians(turn))
        # The shear keeps the middle column of the picture where it is; the strip's own middle moves with the slope.
        mid_x = (x0 + sw / 2) * step
        mid_y = (row + sh / 2) * step + np.tan(theta) * (mid_x - column.shape[1] / 2)
        c, s = np.cos(theta), np.sin(theta)
        hx, hy = CARD_W / 2, SEARCH_MM * FINE / 2
        found.append((value, int(face), Placed(mid_x - c * hx + s * hy, mid_y - s * hx - c * hy, theta)))
    found.sort(key=lambda f: -f[0])
    return [(v, f, Placed(p.x + side, p.y, p.turn)) for v, f, p in found]


def _seen_under(column: NDArray[np.float32], place: Placed) -> NDArray[np.float32]:
    m = place.matrix()
    return np.asarray(
        cv2.warpAffine(
            column, m, (CARD_W, CARD_H), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
        )
    )


def brightness(seen: Tones, known: Tones, weight: NDArray[np.float32] | None = None) -> tuple[float, float]:
    """Gain and offset that bring `known` to `seen`, drawn towards 1 and 0; all channels share them, so hue counts."""
    s, k = seen.reshape(-1), known.reshape(-1)
    if weight is not None:
        w = np.repeat(weight.reshape(-1), seen.shape[-1])
        total = float(w.sum())
        if total < 30:
            return 1.0, 0.0
        sw, kw = float(s @ w), float(k @ w)
        sk, kk = float((s * w) @ k), float((k * w) @ k)
    else:
        total = float(s.size)
        sw, kw, sk, kk = float(s.sum()), float(k.sum()), float(s @ k), float(k @ k)
    lg, lo = total * 0.0015, total * 0.25
    a = np.array([[kk + lg, kw], [kw, total + lo]])
    gain, offset = np.linalg.solve(a, np.array([sk + lg, sw]))
    return float(np.clip(gain, 0.45, 1.8)), float(np.clip(offset, -0.12, 0.25))


def error_of(seen: Tones, known: Tones, gain: float, offset: float, spread: float) -> NDArray[np.float32]:
    """How badly each pixel is explained, 0..1, (h, w)."""
    d = seen - known * np.float32(gain) - np.float32(offset)
    d2 = cv2.transform(d * d, np.full((1, 3), 1 / (3 * spread * spread), np.float32))
    return np.asarray(1 - np.exp(-0.5 * d2), dtype=np.float32)


_BANDS: Final = tuple((round(a * FINE), round(b * FINE)) for a, b in ((0, 22), (22, 44), (44, 66), (66, 88)))


def row_costs(column: Column, bank: Bank, face: int, place: Placed, spread: float) -> Costs:
    """Cost of each row of a card against the bare table, (176,), mm per mm: brightness follows the card in bands."""
    seen, known = _seen_under(column.tones, place), bank.fine[face]
    wrong = np.empty((CARD_H, CARD_W), np.float32)
    for k, (a, b) in enumerate(_BANDS):
        fit = slice(a + 3, min(b, round(14 * FINE))) if k == 0 else slice(a, b)
        gain, offset = brightness(seen[fit], known[fit])
        wrong[a:b] = error_of(seen[a:b], known[a:b], gain, offset, spread)
    weight = FLAT + (1 - FLAT) * np.maximum(bank.steep[face], _seen_under(column.steep, place))
    return np.asarray((weight * (wrong - _seen_under(column.bare, place))).mean(1), dtype=np.float32)


def candidates(bank: Bank, column: Column, spread: float, faces: int, most: int = 28) -> list[Candidate]:
    """Faces laid over the column where they may lie, best first, at most `most`."""
    out: list[Candidate] = []
    limit = (round(ABOVE + LENGTH - LAY_MM) * FINE) + 20
    for value, face, start in _search(bank, column.tones, faces)[:most]:
        place, match = bank.lay[face].lay(column.luma, start, rounds=5)
        middle = np.array([[CARD_W / 2, 20.0]])
        drift = np.hypot(*(place.points(middle) - start.points(middle))[0])
        if match < 0.3 or drift > 14 or abs(place.turn) > np.radians(14) or place.y > limit:
            place, match = start, min(match, value * 0.5)
        out.append(Candidate(face, place, match, row_costs(column, bank, face, place, spread)))
    return out


@dataclass(frozen=True, slots=True)
class Chain:
    """Cards from the board outwards, and what the explanation costs compared with an empty column (mm, negative)."""

    cards: tuple[Candidate, ...]
    gain: float


def best_chain(found: list[Candidate], inside_rows: int) -> Chain:
    """The chain that explains the column best. `inside_rows`: how many of its rows lie in the picture."""
    nodes = sorted(found, key=lambda c: c.top)
    n = len(nodes)
    sums = [np.concatenate([[0.0], np.cumsum(c.costs)]) / FINE for c in nodes]
    tops = np.array([c.top for c in nodes])
    edge = ABOVE * FINE
    total = np.full(n, np.inf)
    before = np.full(n, -1)
    for i, c in enumerate(nodes):
        gap = (c.top - edge) / FINE
        if FIRST[0] <= gap <= FIRST[1]:
            # Hands lay the first card about 6 mm off the board; 0 to 13 is common, more costs a little.
            total[i] = PER_CARD + 0.12 * max(0.0, gap - 14) + 0.3 * max(0.0, -3 - gap)
        for j in range(i):
            step = (tops[i] - tops[j]) / FINE
            if not STRIPS[0] <= step <= STRIPS[1] or abs(c.left - nodes[j].left) > 15 * FINE:
                continue
            if abs(c.place.turn - nodes[j].place.turn) > 0.3:
                continue
            rows = min(round(step * FINE), CARD_H)
            cost = total[j] + sums[j][rows] + PER_CARD + 0.15 * max(0.0, 12 - step) + 0.1 * max(0.0, step - 31)
            if cost < total[i]:
                total[i], before[i] = cost, j
    best, last = 0.0, -1
    for i in range(n):
        rows = int(np.clip(inside_rows - tops[i], 20 * FINE, CARD_H))
        end = total[i] + sums[i][rows]
        if end < best:
            best, last = float(end), i
    chain: list[Candidate] = []
    while last >= 0:
        chain.append(nodes[last])
        last = int(before[last])
    return Chain(tuple(reversed(chain)), best)
