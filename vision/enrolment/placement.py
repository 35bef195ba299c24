"""Finds where the three boards and the six cards of an enrolment photograph lie, each a rectangle of known size.

Two kinds of evidence add up. Over a rectangle's area: what lies inside must not look like the ground, and what lies
outside must (`ground`); a line in a card's picture therefore never serves as its edge, for beyond it the card goes on.
Along its four sides: there must be an edge. The boards are placed first, and what belongs to a board is no card's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.names import Seat
from vision.enrolment.ground import MOST_LOG_RATIO, GroundMap, GroundModel, learn_ground
from vision.geometry import table as geometry
from vision.geometry.pose import Pose
from vision.geometry.rectangle import summit
from vision.geometry.rectify import TableArea, cut, frame_around
from vision.types import Picture

LAYOUT: Final[tuple[tuple[int, Seat], ...]] = (
    (0, "near"),
    (1, "near"),
    (2, "near"),
    (0, "far"),
    (1, "far"),
    (2, "far"),
)
"""Where strengths 1 to 6 lie: the board's index from the left, and the side."""
BOARD_SLACK: Final = 9.0
"""How far a board may lie from its nominal place, mm."""
CARD_SLACK: Final = 11.0
"""The same for a card, from where it should lie at its board."""
AREA_WEIGHT: Final = 0.06
"""Nats that a mm² of area counts for, of those that `GroundModel.log_ratio` gives it: neighbours repeat each other."""
EDGE_WEIGHT: Final = 1.0
"""Nats that a mm of plain edge counts for."""
OTHERS_ROOM: Final = 1.2
"""Edges this near to a board that is already placed, mm, are that board's: no edge is used twice."""
OTHERS: Final = -2.0
"""Nats of a pixel that belongs to a board that is already placed: cards seldom lie on boards."""
SHARE: Final = 0.9
"""Share of each side that is asked for an edge: corners are round."""
BORDERS: Final = (0.0, 1.5, 2.0, 2.5, 3.0)
"""Widths of a printed border, mm, that may look like the ground, so that the edge that shows is the one inside it. One
of a millimetre explained nothing but an edge and the shadow beside it: of 36 photographs of nine drawn decks in which
it was chosen, none has such a border."""
BORDER_COST: Final = 90.0
"""Nats for each card by which such a border must explain the picture better than none: where it is not the ground's
colour the cards of 32 drawn decks are cut best from 85 to 100, and white borders on a white mat lead by 102 and more.
At 42 shadows were taken for the outer part of borders, and cards cut up to 2.7 mm off."""
BORDER_LIKELY: Final = (50.0, 8.0)
"""The same nats that are enough where a border explains the cards by so many more, each, if its outer edge is hardly
seen than if it is plainly seen: then it has the ground's colour. White borders on light grey mats led by 73 to 139, and
by 16 to 45 more than seen ones; borders of other colours, and decks without any, trailed by 13 to 60."""
BOARD_BORDERS: Final = (0.0, 1.0, 1.5, 2.0, 2.5, 3.0)
"""The same widths for boards: their edges lie a little higher than the table and are bent, and what is seen of them is
the line a millimetre inside. Without it boards of path-traced decks were cut 0.3 to 0.6 mm further off."""
BOARD_BORDER_COST: Final = 42.0
"""The same nats for each board: that line leads by 63 to 167 on path-traced boards."""
BORDER_DOUBT: Final = 0.2
"""Nats of a pixel of it: it looks like the ground or like a card, whichever it is, on all cards of a photograph."""
OUTER_EDGE: Final = 0.5
"""What the other edge of a border counts for: beyond one of the ground's colour, where it is seen, it may be that of
the card's shadow."""
COARSE_TURNS: Final = np.radians(np.arange(-9, 9.1, 1.5))
"""Turns of a card or board tried in the coarse search."""
FINE_TURNS: Final = np.radians(np.arange(-2.0, 2.01, 0.4))
"""Turns tried around its best place in the fine one."""
CARD_SCALE: Final = 3.0
"""px/mm of the exact search for cards."""
BOARD_SCALE: Final = 2.0
"""px/mm of the exact search for boards, which are larger."""
FINE_ROOM: Final = 3.0
"""mm on each side in which the fine search looks."""
ELSEWHERE: Final = 3.0
"""Another place this far from the best one, mm, is another explanation."""
CLOSE: Final = 5.0
"""Nats by which another place may trail in the coarse search and be looked at again in the fine one: a card that lies
askew between two of the coarse turns has blunt edges there."""
ASKEW: Final = 0.05
"""Turn up to which edges along the patch's own rows and columns will do, radians."""
RIM: Final = 1
"""Pixels around the window that is searched."""
BAND: Final = 1.5
"""Width of the strips inside and outside each side whose contrast tells how clear that side is, mm."""


@dataclass(frozen=True, slots=True)
class Placement:
    """A rectangle that was found. `frame`: its place on the table."""

    frame: TableArea
    filled: float
    """Mean log ratio of card to ground inside it; negative where only the ground is seen."""
    lead: float
    """Nats by which it explains the picture better than the best place more than `ELSEWHERE` away."""
    sides: tuple[float, float, float, float]
    """How clear its top, bottom, left and right sides are, 0..1."""

    @property
    def centre(self) -> tuple[float, float]:
        """Its middle on the table, mm."""
        at = self.frame.to_table(np.array([[self.frame.width / 2, self.frame.height / 2]]))[0]
        return float(at[0]), float(at[1])


@dataclass(frozen=True, slots=True)
class Layout:
    """The boards from left to right and the cards in the order of `LAYOUT`."""

    boards: tuple[Placement, ...]
    cards: tuple[Placement, ...]
    ground: GroundModel


def place_all(image: Picture, pose: Pose) -> Layout:
    """Where the three boards and the six cards lie. `image`: (h, w, 3) uint8 BGR. Always answers: the caller judges."""
    coarse, ground, patch, area = learn_ground(image, pose)
    ratio = coarse.log_ratio(patch, area, 1.0)
    nominal = [(x, 0.0) for x in geometry.BOARD_X]
    search = _Search(image, pose, ground, area, ratio, _Steps(patch))
    boards = search.place(nominal, [0.0] * 3, geometry.BOARD, BOARD_SLACK)
    # Once more with the others known: boards may touch, and what is one's is not its neighbour's.
    boards = [
        search.place([b.centre], [b.frame.turn], geometry.BOARD, 4.0, [o.frame for o in boards if o is not b])[0]
        for b in boards
    ]
    starts, turns = [], []
    for k, seat in LAYOUT:
        side = geometry.outward(seat)
        away = side * (geometry.BOARD[1] / 2 + geometry.FIRST_GAP + geometry.CARD[1] / 2)
        x, y = boards[k].centre
        starts.append((x, y + away))
        turns.append(float(np.radians(geometry.card_turn(seat))))
    cards = search.place(starts, turns, geometry.CARD, CARD_SLACK, [b.frame for b in boards])
    return Layout(tuple(boards), tuple(cards), ground)


class _Steps:
    """The steps of a patch's tones, in any direction."""

    def __init__(self, patch: Picture) -> None:
        tones = cv2.GaussianBlur(patch, (0, 0), 0.8).astype(np.float32)
        # Channels below each other: taken apart once, they are mixed and compared in half the time.
        self.gx, self.gy = (
            np.vstack(cv2.split(cv2.Sobel(tones, cv2.CV_32F, *way, ksize=1))) for way in ((1, 0), (0, 1))
        )
        # Saturated: a faint edge along the whole side tells more than a strong one along half of it.
        self._soft = np.float32(max(2.5, 0.1 * float(patch.mean())))

        self._straight = self._steep(self.gx), self._steep(self.gy)
        # Rectangles that lie alike are searched for in the same directions: worked out once, a photograph's nine
        # rectangles are placed in four fifths of the time.
        self._askew: dict[float, tuple[GroundMap, GroundMap]] = {}

    def across(self, turn: float) -> tuple[GroundMap, GroundMap]:
        """Steps across the rows' direction turned by `turn` radians and along it, each 0..1, in the patch's pixels."""
        away = float(np.remainder(turn + np.pi / 2, np.pi) - np.pi / 2)
        if abs(away) < ASKEW:
            return self._straight
        way = round(away, 6)
        if way not in self._askew:
            c, s = float(np.cos(turn)), float(np.sin(turn))
            self._askew[way] = (
                self._steep(cv2.addWeighted(self.gx, c, self.gy, -s, 0)),
                self._steep(cv2.addWeighted(self.gy, c, self.gx, s, 0)),
            )
        return self._askew[way]

    def without(self, frame: TableArea, scale: float, others: Sequence[TableArea]) -> _Steps:
        """The same without the edges of other rectangles, whose patch was cut along `frame` at `scale` px/mm."""
        if not others:
            return self
        out = copy(self)
        out.gx, out.gy = self.gx.copy(), self.gy.copy()
        for other in others:
            corners = _outline(frame, other, scale, OTHERS_ROOM)
            for channel in (*np.vsplit(out.gx, 3), *np.vsplit(out.gy, 3)):
                cv2.fillConvexPoly(channel, corners, (0.0,))
        out._straight = out._steep(out.gx), out._steep(out.gy)
        out._askew = {}
        return out

    def _steep(self, steps: cv2.typing.MatLike) -> GroundMap:
        first, second, third = np.vsplit(np.abs(steps), 3)
        steep = cv2.max(cv2.max(first, second), third)
        return np.asarray(cv2.divide(steep, steep + self._soft), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class _Fit:
    """The best place for one width of border: its middle and turn on the table, its nats, and those of the best place
    elsewhere."""

    x: float
    y: float
    turn: float
    nats: float
    elsewhere: float
    there: tuple[float, float]
    """The middle of that place, on the table."""


class _Search:
    """One photograph, ready to be searched for rectangles."""

    def __init__(
        self, image: Picture, pose: Pose, ground: GroundModel, area: TableArea, ratio: GroundMap, steps: _Steps
    ) -> None:
        self._image, self._pose, self._ground = image, pose, ground
        self._area, self._ratio, self._steps = area, ratio, steps

    def place(
        self,
        starts: Sequence[tuple[float, float]],
        turns: Sequence[float],
        size: tuple[float, float],
        slack: float,
        others: Sequence[TableArea] = (),
    ) -> list[Placement]:
        """A rectangle of `size` mm within `slack` mm of each start; all have the same printed border."""
        coarse_ratio = _without(self._ratio, self._area, 1.0, others)
        coarse_steps = self._steps.without(self._area, 1.0, others)
        of_boards = size[0] >= geometry.BOARD[0]
        borders, cost = (BOARD_BORDERS, BOARD_BORDER_COST) if of_boards else (BORDERS, BORDER_COST)
        fits: list[list[_Fit]] = []
        maps: list[tuple[GroundMap, TableArea]] = []
        coarse: list[_Fit] = []
        for start, turn in zip(starts, turns, strict=True):
            near = size, start, turn, slack
            found = _scan(coarse_ratio, coarse_steps, self._area, 1.0, *near, COARSE_TURNS, (0.0,))[0]
            coarse.append(found)
            fine, ratio, window = self._fine((found.x, found.y), found.turn, size, borders, others)
            fits.append(fine)
            maps.append((ratio, window))
        leads = _leads(fits)
        border = int(np.argmax([lead - (cost if width else 0.0) for lead, width in zip(leads, borders, strict=True)]))
        likely = int(np.argmax(leads))
        if border == 0 and not of_boards and leads[likely] > BORDER_LIKELY[0]:
            at = [((found.x, found.y), found.turn) for found in coarse]
            seen = _leads([self._fine(*there, size, borders, others, seen=True)[0] for there in at])
            border = likely if leads[likely] > max(seen) + BORDER_LIKELY[1] else 0
        return [
            _judged(fit[border], self._lead(first, fit[border], borders[border], size, others), ratio, window, size)
            for fit, first, (ratio, window) in zip(fits, coarse, maps, strict=True)
        ]

    def _fine(
        self,
        middle: tuple[float, float],
        turn: float,
        size: tuple[float, float],
        borders: Sequence[float],
        others: Sequence[TableArea],
        seen: bool = False,
    ) -> tuple[list[_Fit], GroundMap, TableArea]:
        """The exact search around a place: the best one for each width of border, and the log ratios of the window
        that was searched. `seen`: as in `_scan`."""
        room = 2 * FINE_ROOM + 4
        window = frame_around(middle, turn, size[0] + room, size[1] + room)
        scale = CARD_SCALE if size[0] < geometry.BOARD[0] else BOARD_SCALE
        patch, _ = cut(self._image, self._pose, window, scale)
        ratio = _without(self._ground.log_ratio(patch, window, scale), window, scale, others)
        steps = _Steps(patch).without(window, scale, others)
        fits = _scan(ratio, steps, window, scale, size, middle, turn, FINE_ROOM, FINE_TURNS, borders, seen)
        return fits, ratio, window

    def _lead(
        self, coarse: _Fit, fine: _Fit, border: float, size: tuple[float, float], others: Sequence[TableArea]
    ) -> float:
        """Nats by which a place leads the best one elsewhere."""
        lead = coarse.nats - coarse.elsewhere
        if lead >= CLOSE or not math.isfinite(lead):
            return lead
        [other], _, _ = self._fine(coarse.there, fine.turn, size, (border,), others)
        away = math.dist((other.x, other.y), (fine.x, fine.y)) > ELSEWHERE
        return fine.nats - max(other.nats if away else other.elsewhere, fine.elsewhere)


def _leads(fits: Sequence[Sequence[_Fit]]) -> list[float]:
    """Nats by which each width of border explains the cards better than the first one, none, in the mean."""
    return [float(np.mean([fit[b].nats - fit[0].nats for fit in fits])) for b in range(len(fits[0]))]


def _without(ratio: GroundMap, frame: TableArea, scale: float, others: Sequence[TableArea]) -> GroundMap:
    """The log ratios with what belongs to other rectangles taken out."""
    if not others:
        return ratio
    out = ratio.copy()
    for other in others:
        cv2.fillConvexPoly(out, _outline(frame, other, scale, 0.0), OTHERS)
    return out


def _outline(frame: TableArea, other: TableArea, scale: float, room: float) -> NDArray[np.int32]:
    """Another rectangle's corners, `room` mm further out, in a patch that was cut along `frame`, px."""
    right, low = other.width + room, other.height + room
    corners = other.to_table(np.array([[-room, -room], [right, -room], [right, low], [-room, low]]))
    return np.round(frame.from_table(corners) * scale - 0.5).astype(np.int32)


def _scan(
    ratio: GroundMap,
    steps: _Steps,
    frame: TableArea,
    scale: float,
    size: tuple[float, float],
    start: tuple[float, float],
    turn: float,
    slack: float,
    turns: NDArray[np.float64],
    borders: Sequence[float],
    seen: bool = False,
) -> list[_Fit]:
    """The best rectangle around `start`, for each width of border. `seen`: the border is seen as part of the card; if
    not, it may look like the ground."""
    width, height = round((size[0] + 2 * slack) * scale), round((size[1] + 2 * slack) * scale)
    rw, rh = round(size[0] * scale), round(size[1] * scale)
    nx, ny = width - rw + 1, height - rh + 1
    scores = np.empty((len(borders), len(turns), ny, nx), np.float32)
    full = width + 2 * RIM, height + 2 * RIM
    # Boxes of all turns are summed up at once: one turn has so few places that most of the time was the calls'.
    area, border_area, sums_x, sums_y = np.empty((4, len(turns), full[1] + 1, full[0] + 1))
    for n, extra in enumerate(turns):
        window = frame_around(start, turn + float(extra), full[0] / scale, full[1] / scale)
        # Pixels of the window to those of the patch; middles lie half a pixel inside.
        ends = window.to_table(np.array([[0.5, 0.5], [1.5, 0.5], [0.5, 1.5]]) / scale)
        at = frame.from_table(ends) * scale - 0.5
        m = np.column_stack([at[1] - at[0], at[2] - at[0], at[0]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        across, along = steps.across(window.turn - frame.turn)
        value, gx, gy = (
            cv2.warpAffine(p, m, full, flags=flags, borderMode=cv2.BORDER_REPLICATE) for p in (ratio, across, along)
        )
        area[n] = cv2.integral(value, sdepth=cv2.CV_64F)
        sums_x[n], sums_y[n] = cv2.integral(gx, sdepth=cv2.CV_64F), cv2.integral(gy, sdepth=cv2.CV_64F)
        if any(borders):
            border_area[n] = cv2.integral(_as_border(value), sdepth=cv2.CV_64F)
    for b, border in enumerate(borders):
        wide = round(border * scale)
        d = 0 if seen else wide
        inner = d + RIM, d + RIM, rw - 2 * d, rh - 2 * d, nx, ny
        inside = _boxes(area, *inner)
        if d:
            inside = inside + _boxes(border_area, RIM, RIM, rw, rh, nx, ny) - _boxes(border_area, *inner)
        inside = inside / scale**2
        sides = _sides(sums_x, sums_y, d, rw, rh, nx, ny) / scale
        if wide:
            sides = sides + OUTER_EDGE / scale * _sides(sums_x, sums_y, wide - d, rw, rh, nx, ny)
        scores[b] = AREA_WEIGHT * inside + EDGE_WEIGHT * sides
    return [_best(scores[b], scale, (width, height, rw, rh), start, turn, turns) for b in range(len(borders))]


def _as_border(value: cv2.typing.MatLike) -> GroundMap:
    """The log ratios of a border that may look like the ground."""
    # No log ratio is so large that its exponential would be (`MOST_LOG_RATIO`); `logaddexp` takes six times as long.
    return np.asarray(cv2.log(cv2.exp(value) + np.float32(1)) - np.float32(BORDER_DOUBT), dtype=np.float32)


def _boxes(sums: NDArray[np.float64], x: int, y: int, w: int, h: int, nx: int, ny: int) -> NDArray[np.float64]:
    """Sums over boxes of w × h px whose corners lie at x + 0..nx-1, y + 0..ny-1, from integral pictures, (n, H, W)."""
    a = sums[:, y : y + ny, x : x + nx]
    b = sums[:, y : y + ny, x + w : x + w + nx]
    c = sums[:, y + h : y + h + ny, x : x + nx]
    d = sums[:, y + h : y + h + ny, x + w : x + w + nx]
    return np.asarray(d - b - c + a, dtype=np.float64)


def _sides(
    sums_x: NDArray[np.float64], sums_y: NDArray[np.float64], d: int, rw: int, rh: int, nx: int, ny: int
) -> NDArray[np.float64]:
    """Edge along the four sides of rectangles that lie `d` px inside those of rw × rh px, sum over px, (n, ny, nx)."""
    cut_x, cut_y = round(rw * (1 - SHARE) / 2), round(rh * (1 - SHARE) / 2)
    out = np.zeros((len(sums_x), ny, nx))
    # An edge between two rows of pixels is seen in both; the first of them lies in the window's rim of one pixel.
    for row in (d, rh - d):
        out += _boxes(sums_y, cut_x + RIM, row - 1 + RIM, rw - 2 * cut_x, 2, nx, ny) / 2
    for column in (d, rw - d):
        out += _boxes(sums_x, column - 1 + RIM, cut_y + RIM, 2, rh - 2 * cut_y, nx, ny) / 2
    return out


def _best(
    scores: GroundMap,
    scale: float,
    shape: tuple[int, int, int, int],
    start: tuple[float, float],
    turn: float,
    turns: NDArray[np.float64],
) -> _Fit:
    width, height, rw, rh = shape
    n, y, x = (int(v) for v in np.unravel_index(int(scores.argmax()), scores.shape))
    top = scores.max(axis=0)
    ys, xs = np.mgrid[0 : top.shape[0], 0 : top.shape[1]]
    far = np.hypot(ys - y, xs - x) > ELSEWHERE * scale
    fine_x, fine_y = x + summit(scores[n, y], x), y + summit(scores[n, :, x], y)
    step = float(turns[1] - turns[0])
    extra = float(turns[n]) + step * summit(scores[:, y, x], n)
    window = frame_around(start, turn + extra, width / scale, height / scale)
    rest = np.where(far, top, -np.inf)
    y2, x2 = (int(v) for v in np.unravel_index(int(rest.argmax()), rest.shape))
    corners = np.array([[fine_x, fine_y], [float(x2), float(y2)]])
    middles = window.to_table((corners + np.array([rw / 2, rh / 2])) / scale)
    here, there = ((float(x), float(y)) for x, y in middles)
    return _Fit(*here, turn + extra, float(scores[n, y, x]), float(rest[y2, x2]), there)


def _judged(fit: _Fit, lead: float, ratio: GroundMap, window: TableArea, size: tuple[float, float]) -> Placement:
    """How plainly a rectangle is seen where it was found."""
    scale = ratio.shape[1] / window.width
    frame = frame_around((fit.x, fit.y), fit.turn, *size)
    room = BAND + 0.5
    around = frame_around((fit.x, fit.y), fit.turn, size[0] + 2 * room, size[1] + 2 * room)
    shape = round(around.width * scale), round(around.height * scale)
    ends = around.to_table(np.array([[0.5, 0.5], [1.5, 0.5], [0.5, 1.5]]) / scale)
    at = window.from_table(ends) * scale - 0.5
    m = np.column_stack([at[1] - at[0], at[2] - at[0], at[0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = np.asarray(cv2.warpAffine(ratio, m, shape, flags=flags, borderMode=cv2.BORDER_REPLICATE), dtype=np.float32)
    edge, band, skip = round(room * scale), round(BAND * scale), round(6 * scale)
    rim = max(1, round(0.4 * scale))

    def clear(first_row: GroundMap) -> float:
        """Contrast of the strips inside and outside the side along the first rows."""
        inner, outer = first_row[edge + rim : edge + band], first_row[edge - band : edge - rim]
        return float(np.clip((inner[:, skip:-skip].mean() - outer[:, skip:-skip].mean()) / (2 * MOST_LOG_RATIO), 0, 1))

    sides = (clear(seen), clear(seen[::-1]), clear(seen.T), clear(seen[:, ::-1].T))
    inner = seen[edge:-edge, edge:-edge]
    return Placement(frame, float(inner.mean()), lead, sides)


__all__ = ["LAYOUT", "Layout", "Placement", "place_all"]
