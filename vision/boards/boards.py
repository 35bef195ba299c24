"""Finds the three theater boards: which lies where, how far it slid and how it is turned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.names import THEATERS, Seat, Theater
from vision.boards.glare import board_under_glare
from vision.geometry import table as geometry
from vision.geometry.align import (
    Aligner,
    Placed,
    clamped,
)
from vision.geometry.light import brightest, gains_from_pairs, shrunk
from vision.geometry.rectangle import fit_rectangle
from vision.geometry.rectify import TableArea, cut, frame_around
from vision.geometry.registration import (
    Registration,
)
from vision.profile import DeckProfile
from vision.types import Grey, Picture, Tones

COARSE: Final = 0.5
"""px/mm of the first search."""
FINE: Final = 1.5
"""px/mm at which a board is laid over the picture."""
LIGHT: Final = 0.25
"""Points per mm at which a board's colours are compared with the enrolled ones."""
SLACK: Final = 16.0
"""How far a board may have slid, mm."""
TURNS: Final = (-4.0, 4.0, -8.0, 8.0, -12.0, 12.0)
"""Degrees by which a board is looked for turned, where it does not lie straight."""
STRAIGHT: Final = 0.65
"""Correlation at the coarse scale that leaves nothing to be gained from turning."""
RIM: Final = 8.0
"""A board's outermost mm are left out of the comparison: their surroundings belong to the mat."""
EVENED: Final = 24.0
"""mm around each point in which the contrast of a board's relief is made even. Of 441 boards on path-traced tables the
right one leads by less than 0.23 on 2 % (0.14 where contrast is left as it is); from 16 to 30 mm all serve."""
FAINT: Final = 0.025
"""Contrast of a relief, as a share of the light around, that is not made stronger than it is: noise has as much."""
STRONGEST: Final = 2.5
"""Most that a point differs from its surroundings, in their spreads."""
DARK: Final = 12
"""Codes that are added to all light, so that noise in the dark is no structure."""
LEAST: Final = 0.33
"""Correlation below which a board is not believed to lie there."""
EDGES: Final = 0.4
"""How well a board's outline must lie on edges where nothing of its face can be seen."""
PLAIN: Final = 0.5
"""Correlation from which a board is known whatever else its slot may show. Of 15 boards in 816 photographs that were
known by their outlines alone none goes with another one's print by more than 0.42; a board that is laid there twice by
0.6 and more."""
CLEAR: Final = 0.7
"""Correlation that leaves no doubt."""
TWICE: Final = 0.35
"""By how much more than the board that is left for a slot one that lies elsewhere, too, must fit there."""
LOST: Final = 0.1
"""Correlation that a board may lose from one picture to the next and count as where it lay."""
STAYS: Final = 3.0
"""mm by which it may have slid meanwhile."""
ROOM: Final = 6.0
"""mm around a board in which the alignment looks."""
ON_NO_EDGES: Final = 0.3
"""A board that is not plain and whose outline lies on edges no better than this, 0..1, lies elsewhere if an outline
does. Of 2,355 boards of path-traced tables 42 have a match of 0.55 or less; one of them, blown out, was found 16 mm
away: it had 0.20, the next 0.41."""
EDGE_SLACK: Final = 3.0
"""How far from where its print lays a board those edges may be, mm."""
OVERLAP: Final = 10.0
"""How far two boards may lie over each other, mm: beyond that one that is not plain lies elsewhere. Of a table of which
two tags in noise told little, two boards with correlations of 0.33 lay 16 mm over each other, and all columns with
cards beside them were empty for certain."""
OUTLINE_SLACK: Final = 9.0
"""How far from its nominal place the outline of a board without a face is looked for, mm."""


@dataclass(frozen=True, slots=True)
class FoundBoard:
    """A board on the table: `frame` is its rectangle, `match` the correlation with its enrolled picture."""

    theater: Theater
    slot: int
    """0, 1, 2 from left to right for the near seat."""
    frame: TableArea
    match: float

    @property
    def centre(self) -> tuple[float, float]:
        p = self.frame.to_table(np.array([[self.frame.width / 2, self.frame.height / 2]]))[0]
        return float(p[0]), float(p[1])


@dataclass(frozen=True, slots=True)
class Pairs:
    """Points of a board in two lights."""

    seen: Tones
    """As seen, (N, 3), 0..1."""
    known: Tones
    """The same as enrolled."""
    far: NDArray[np.bool_]
    """Which of them lie in the half towards the far seat, (N,)."""

    def half(self, seat: Seat) -> tuple[Tones, Tones]:
        """The points of the half towards a seat, as seen and as enrolled."""
        use = self.far if seat == "far" else ~self.far
        return self.seen[use], self.known[use]


Boards: TypeAlias = tuple[FoundBoard | None, FoundBoard | None, FoundBoard | None]
"""The board in each slot, from left to right for the near seat; None where none was found."""


class BoardFinder:
    """Knows the deck's boards at the scales of the search."""

    def __init__(self, profile: DeckProfile) -> None:
        self._pictures = profile.boards
        self._coarse: dict[Theater, Grey] = {}
        self._fine: dict[Theater, Aligner] = {}
        self._tones: dict[Theater, Tones] = {}
        for theater in THEATERS:
            picture = profile.boards[theater]
            self._coarse[theater] = _inner(relief(sized(picture, COARSE), COARSE), COARSE)
            self._fine[theater] = Aligner(_inner(relief(sized(picture, FINE), FINE), FINE))
            self._tones[theater] = sized(picture, LIGHT).astype(np.float32) / np.float32(255)

    def find(
        self,
        image: Picture,
        reg: Registration,
        previous: tuple[FoundBoard | None, ...] = (),
        by_edges: bool = True,
    ) -> Boards:
        """The board in each slot, or None. `image`: (h, w, 3) uint8 BGR.

        `previous`: the boards of an earlier picture; where they still lie so, nothing is searched. `by_edges`: a board
        whose face is hidden is known by its outline and the two others, and one that is not plain lies on edges.
        """
        if len(previous) == 3:
            still = tuple(None if b is None else self._again(image, reg, b) for b in previous)
            if all(still):
                return still[0], still[1], still[2]
        slots = self._search(image, reg)
        # Each board exists once: the likeliest way to deal three to three places, unless one plainly lies twice.
        deal = max(permutations(THEATERS), key=lambda p: sum(slots[k][t][0] for k, t in enumerate(p)))
        out: list[FoundBoard | None] = []
        for slot, theater in enumerate(deal):
            here = slots[slot]
            best = max(here, key=lambda t: here[t][0])
            if here[best][0] > max(CLEAR, here[theater][0] + TWICE):
                theater = best
            found = self._refined(image, reg, theater, slot, here[theater][1])
            out.append(_on_edges(image, reg, found) if by_edges and found is not None else found)
        gone = [k for k, b in enumerate(out) if b is None]
        seen = [b for b in out if b is not None]
        if (
            by_edges
            and len(seen) == 2
            and not doubled(tuple(out))
            and all(self._known(image, reg, b, slots[b.slot]) for b in seen)
        ):
            out[gone[0]] = self._third(image, reg, gone[0], seen, slots[gone[0]])
        left, middle, right = _without_overlapping(out)
        return left, middle, right

    def _third(
        self,
        image: Picture,
        reg: Registration,
        slot: int,
        seen: list[FoundBoard],
        here: Mapping[Theater, tuple[float, TableArea]],
    ) -> FoundBoard | None:
        """What lies in the slot whose own board is not seen. `seen`: the two others; `here`: where each board would lie
        in that slot."""
        again = (self._refined(image, reg, board.theater, slot, here[board.theater][1]) for board in seen)
        twice = next((board for board in again if board is not None and board.match > PLAIN), None)
        if twice is not None:
            return twice
        # Glare may hide a board's whole face: what has its size and edges between two known ones is the third.
        theater = next(t for t in THEATERS if t not in {b.theater for b in seen})
        frame, edges = _outline(image, reg, slot)
        if edges > EDGES:
            return FoundBoard(theater, slot, frame, LEAST)
        return self._under_glare(image, reg, theater, slot, seen)

    def _under_glare(
        self, image: Picture, reg: Registration, theater: Theater, slot: int, seen: list[FoundBoard]
    ) -> FoundBoard | None:
        """A board whose outline is not seen either, on a white mat in its own white border, by what glare spares of its
        print. `seen`: the two others, which tell the light."""
        pairs = [self.pairs(image, reg, board) for board in seen]
        full = brightest(shrunk(image))
        there, here = np.concatenate([p.seen for p in pairs]), np.concatenate([p.known for p in pairs])
        gains, _ = gains_from_pairs(there, here, full)
        found = board_under_glare(image, reg, self._pictures, theater, slot, gains, full)
        return None if found is None else FoundBoard(theater, slot, *found)

    def _known(
        self, image: Picture, reg: Registration, board: FoundBoard, here: Mapping[Theater, tuple[float, TableArea]]
    ) -> bool:
        """Whether it is this board that lies there: its print is plain, or no other's is seen there at all. `here`:
        where each board would lie in its slot."""
        others = (self._refined(image, reg, t, board.slot, here[t][1]) for t in THEATERS if t != board.theater)
        return board.match > PLAIN or not any(others)

    def _again(self, image: Picture, reg: Registration, board: FoundBoard) -> FoundBoard | None:
        """A board where it lay before, perhaps a millimetre off; None where it does not lie there as plainly."""
        found = self._refined(image, reg, board.theater, board.slot, board.frame)
        if found is None or board.match < CLEAR or found.match < board.match - LOST:
            return None
        off = np.hypot(found.frame.origin[0] - board.frame.origin[0], found.frame.origin[1] - board.frame.origin[1])
        return found if off < STAYS else None

    def _search(self, image: Picture, reg: Registration) -> list[dict[Theater, tuple[float, TableArea]]]:
        """For each slot and each board how well it fits there at best, and where."""
        reach = np.hypot(*geometry.BOARD) / 2 + SLACK * 1.4
        row = frame_around((0.0, 0.0), 0.0, 2 * (geometry.BOARD_X[2] + reach), 2 * reach)
        # The boards' row is cut out once, at twice the scale and then halved: every second pixel alone would be noise.
        strip = cv2.resize(cut(image, reg.pose, row, 2 * COARSE)[0], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        fine = relief(np.asarray(strip, dtype=np.uint8), COARSE)
        width, height = geometry.BOARD[0] + 2 * SLACK, geometry.BOARD[1] + 2 * SLACK
        slots: list[dict[Theater, tuple[float, TableArea]]] = []
        for x in geometry.BOARD_X:
            scored: dict[Theater, tuple[float, TableArea]] = {}
            for turn in (0.0, *TURNS):
                if scored and max(top for top, _ in scored.values()) > STRAIGHT:
                    break
                window = frame_around((x, 0.0), np.radians(turn), width, height)
                patch = _window(fine, row, window)
                for theater, board in self._coarse.items():
                    _, top, _, at = cv2.minMaxLoc(cv2.matchTemplate(patch, board, cv2.TM_CCOEFF_NORMED))
                    if theater not in scored or top > scored[theater][0]:
                        corner = window.to_table(np.array([[at[0] / COARSE - RIM, at[1] / COARSE - RIM]]))[0]
                        scored[theater] = (
                            top,
                            TableArea((float(corner[0]), float(corner[1])), window.turn, *geometry.BOARD),
                        )
            slots.append(scored)
        return slots

    def _refined(
        self, image: Picture, reg: Registration, theater: Theater, slot: int, frame: TableArea
    ) -> FoundBoard | None:
        c, s = np.cos(frame.turn), np.sin(frame.turn)
        start = (frame.origin[0] - c * ROOM - s * ROOM, frame.origin[1] - s * ROOM + c * ROOM)
        window = TableArea(start, frame.turn, frame.width + 2 * ROOM, frame.height + 2 * ROOM)
        patch, _ = cut(image, reg.pose, window, FINE)
        placed, match = self._fine[theater].lay(
            relief(patch, FINE), Placed((ROOM + RIM) * FINE, (ROOM + RIM) * FINE, 0.0), rounds=10
        )
        if match < LEAST:
            return None
        corner = window.to_table(placed.points(np.array([[-RIM * FINE, -RIM * FINE]])) / FINE)[0]
        exact = TableArea((float(corner[0]), float(corner[1])), frame.turn - placed.turn, *geometry.BOARD)
        return FoundBoard(theater, slot, exact, match)

    def pairs(self, image: Picture, reg: Registration, board: FoundBoard) -> Pairs:
        """A board's tones as seen and as enrolled, point by point, to learn the light from."""
        known = self._tones[board.theater]
        height, width = known.shape[:2]
        patch, inside = cut(image, reg.pose, board.frame, 3 * LIGHT)
        seen = cv2.resize(patch, (width, height), interpolation=cv2.INTER_AREA).reshape(-1, 3).astype(np.float32)
        seen /= np.float32(255)
        flat, far = known.reshape(-1, 3), np.arange(height * width) < height // 2 * width
        if inside.all():
            return Pairs(seen, flat, far)
        use = cv2.resize(inside.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST).ravel() > 0
        return Pairs(seen[use], flat[use], far[use])


def sized(picture: Picture, scale: float) -> Picture:
    """A board's picture at `scale` px/mm."""
    size = (round(geometry.BOARD[0] * scale), round(geometry.BOARD[1] * scale))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _window(strip: Grey, row: TableArea, window: TableArea) -> Grey:
    """A window cut out of the strip that was cut along `row`, both at `COARSE`."""
    size = (round(window.width * COARSE), round(window.height * COARSE))
    # Pixel middles lie half a pixel inside.
    half = 0.5 / COARSE
    ends = window.to_table(np.array([[half, half], [half + 1, half], [half, half + 1]]))
    at = row.from_table(ends) * COARSE - 0.5
    m = np.column_stack([(at[1] - at[0]) / COARSE, (at[2] - at[0]) / COARSE, at[0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(strip, m, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), dtype=np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Bare:
    """What of a board counts in `relief`."""

    counts: NDArray[np.uint8]
    """(h, w), 0 or 1."""
    weight: NDArray[np.uint8]
    """The same for three channels, (h, w, 3),"""
    per_share: NDArray[np.float32]
    """and one over the share of each pixel's surroundings that counts."""
    per_even_share: Grey
    """The same of the wider surroundings in which contrast is made even, (h, w)."""


def bare(counts: NDArray[np.uint8], scale: float) -> Bare:
    """`counts`: (h, w), 1 where a board's pixels count, at `scale` px/mm."""
    share = np.maximum(_around(counts, scale), np.float32(1e-3))
    weight = np.asarray(cv2.merge([counts] * 3), dtype=np.uint8)
    size = (round(EVENED * scale) | 1,) * 2
    wide = cv2.boxFilter(counts, cv2.CV_32F, size, borderType=cv2.BORDER_REPLICATE)
    per_even_share = np.asarray(1 / np.maximum(wide, np.float32(1e-3)), dtype=np.float32)
    return Bare(counts, weight, np.asarray(cv2.merge([1 / share] * 3), dtype=np.float32), per_even_share)


def _around(part: Picture, scale: float) -> NDArray[np.float32]:
    """Mean over the surroundings of each pixel."""
    size = round(2 * RIM * scale) | 1
    # Whole codes are summed up in half the time of fractions.
    around = cv2.boxFilter(part, cv2.CV_32F, (size, size), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(around, dtype=np.float32)


def relief(patch: Picture, scale: float, counts: Bare | None = None) -> Grey:
    """The fine structure of a patch (h, w, 3), (h, w): ratio to its surroundings, so that lamps, veils and shadows
    drop out. Mean of the three channels' ratios, so that the lamp's colour drops out too. What does not count is none
    of the surroundings. Its contrast is then made even (`_evened`)."""
    around = _around(patch if counts is None else np.asarray(cv2.multiply(patch, counts.weight)), scale)
    if counts is not None:
        around *= counts.per_share
    here = patch.astype(np.float32)
    here += np.float32(DARK)
    around += np.float32(DARK)
    ratio = np.divide(here, around, out=here)
    np.clip(ratio, np.float32(0.6), np.float32(1.4), out=ratio)
    return _evened(np.asarray(cv2.transform(ratio, _RELIEF), dtype=np.float32), scale, counts)


def _evened(part: Grey, scale: float, counts: Bare | None) -> Grey:
    """A relief (h, w) with the same contrast everywhere: print under a lamp's shine, of which little is left, tells as
    much as print beside it, and the shine's own edges no more than a line of print. What does not count is none of the
    surroundings."""
    size = (round(EVENED * scale) | 1,) * 2
    used = part if counts is None else np.asarray(part * counts.counts, dtype=np.float32)
    mean: Grey = np.asarray(cv2.boxFilter(used, cv2.CV_32F, size, borderType=cv2.BORDER_REPLICATE), np.float32)
    power: Grey = np.asarray(cv2.sqrBoxFilter(used, cv2.CV_32F, size, borderType=cv2.BORDER_REPLICATE), np.float32)
    if counts is not None:
        mean *= counts.per_even_share
        power *= counts.per_even_share
    spread = cv2.sqrt(np.maximum(power - mean * mean, 0) + np.float32(FAINT**2))
    return clamped(np.asarray((part - mean) / spread, dtype=np.float32), -STRONGEST, STRONGEST)


_RELIEF: Final = np.array([[1 / 3, 1 / 3, 1 / 3, -1]], np.float32)
"""Mean of three channels, less 1."""


def _inner(patch: Grey, scale: float) -> Grey:
    rim = round(RIM * scale)
    return np.ascontiguousarray(patch[rim:-rim, rim:-rim])


def _on_edges(image: Picture, reg: Registration, board: FoundBoard) -> FoundBoard:
    """A board that is not plain, of which glare may have left a little print that goes better elsewhere, where its
    outline is if there is none where it was found."""
    if board.match > PLAIN:
        return board
    _, there = fit_rectangle(image, reg, board.centre, board.frame.turn, geometry.BOARD, EDGE_SLACK)
    if there > ON_NO_EDGES:
        return board
    frame, edges = _outline(image, reg, board.slot)
    return FoundBoard(board.theater, board.slot, frame, LEAST) if edges > EDGES else board


def _without_overlapping(boards: list[FoundBoard | None]) -> list[FoundBoard | None]:
    """The boards of the three slots without those that are not plain and would lie on another one."""
    out = list(boards)
    for k in (0, 1):
        here, there = out[k], out[k + 1]
        if here is None or there is None:
            continue
        between = np.hypot(here.centre[0] - there.centre[0], here.centre[1] - there.centre[1])
        less = k if here.match < there.match else k + 1
        if between < geometry.BOARD[0] - OVERLAP and min(here.match, there.match) < PLAIN:
            out[less] = None
    return out


def _outline(image: Picture, reg: Registration, slot: int) -> tuple[TableArea, float]:
    """The outline that a board may have in its slot, and how well it lies on edges, 0..1."""
    return fit_rectangle(image, reg, (geometry.BOARD_X[slot], 0.0), 0.0, geometry.BOARD, OUTLINE_SLACK)


def order_of(boards: tuple[FoundBoard | None, ...]) -> tuple[Theater, Theater, Theater] | None:
    """The boards from left to right, or None if one is missing or lies there twice."""
    names = [b.theater for b in boards if b is not None]
    return (names[0], names[1], names[2]) if len(names) == 3 and len(set(names)) == 3 else None


def doubled(boards: tuple[FoundBoard | None, ...]) -> set[Theater]:
    """Theaters whose board lies in two places."""
    count: Mapping[Theater, int] = {t: sum(b is not None and b.theater == t for b in boards) for t in THEATERS}
    return {t for t, n in count.items() if n > 1}
