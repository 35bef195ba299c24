"""Finds cards in a column by their outline alone: a straight top edge as wide as a card, and sides going down from it.

Glare blots out print and a short strip hides it, but the edge of a card, on the table or on another card, stays.
Measured on 48 photographs of two decks in eight kinds of light: 387 of 391 cards have an outline among the first
fourteen of their column, within 3.5 mm, at 5 ms a column.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.templates import CARD_H, CARD_W, FINE, MIDDLE
from vision.geometry import table as geometry
from vision.geometry.align import (
    Placed,
    Point,
    apart,
    clamped,
)
from vision.types import Grey, Tones

TURNS: Final = tuple(float(t) for t in range(-10, 11, 2))
"""Turns at which edges are looked for, degrees."""
SIDES: Final = 11.0
"""How far down from the top edge its sides are looked for, mm: a short strip shows little more."""
SOFT: Final = 0.02
"""Step in root of light that makes half an edge; noise raises it."""
BESIDE: Final = 14
"""Pixels on both sides of a column, at `MIDDLE`, that are bare table."""
SNAP: Final = 2.0
"""How far an outline may be from the edges it is laid on, mm: borders have edges of their own further in."""
SNAPS: Final = 3
"""Rounds in which an outline is laid on them where print left the card askew: a back with nothing but a number in its
corner was turned by 5 degrees."""
ASKEW: Final = (8.0, 0.1)
"""How far away its edges may be then, px at `FINE`, and radians."""
SEEN: Final = 0.75
"""Clearness from which edges are a card's own."""
EDGE_SEEN: Final = 0.7
"""A card's lower edge that is this clear ends a card;"""
FAINT_END: Final = 0.5
"""and one that is this clear where both sides are seen down to it."""
AT_BOARD: Final = 1.0
"""An outline whose top edge lies nearer to the board's edge than this, mm, may be the board's."""
LEAST: Final = 0.4
"""Clearness below which an outline is none."""
APART: Final = (3.0, 6.0)
"""Outlines nearer than this to each other are one, mm down and aside."""
SHADED: Final = (7, 7)
"""Pixels around each that tell how light it is there: a dark card's edge on another is shade, a share of that light."""
FAINTEST: Final = 0.3
"""Share of `SOFT` that makes half an edge at least where faint edges are looked for; elsewhere it is as much of it as
the root of light there. A dark back with next to no print on another one made a step of 0.016 where its own texture
makes 0.003: nothing at `SOFT`, 0.85 of an edge at a third of it."""
LEAST_FAINT: Final = 0.5
"""Clearness below which an outline with faint edges is none."""
ELSEWHERE: Final = 5.0
"""Outlines with faint edges are told where no other one's top edge lies so near, mm: another card is 7 away."""
CORNER: Final = round(4 * MIDDLE)
"""Pixels of an edge that may be a round corner's."""
SIDE_SEEN: Final = (22.0, 11.0, 0.7)
"""Of an uncovered card that nothing lies on askew the edges are seen all along both sides, from so far below its top
edge on, mm, and along its lower edge: each piece of so many mm as clearly as this. Of seven cards of 190 path-traced
photographs under a shine that leaves hardly any of their print the least has 0.63; beneath a card that lies askew some
piece of them is hidden."""


_TOP: Final = (CARD_W / 2, 0.0)
_CORNERS: Final = np.array([[0, 0], [CARD_W, 0], [CARD_W, CARD_H], [0, CARD_H]], dtype=np.float64)


def outline_of(place: Placed) -> NDArray[np.float64]:
    """A placed card's corners in its column, mm from the column's top left, (4, 2)."""
    return place.points(_CORNERS) / FINE


def around(place: Placed, rim: float) -> NDArray[np.int32]:
    """The corners of a card that lies there and `rim` mm around it, (4, 2) px at `MIDDLE`."""
    off = rim * FINE
    corners = np.array([[-off, -off], [CARD_W + off, -off], [CARD_W + off, CARD_H + off], [-off, CARD_H + off]])
    return np.round(place.points(corners) * MIDDLE / FINE).astype(np.int32)


def outlines(tones: Tones, most: int, faint: bool = False) -> list[tuple[float, Placed]]:
    """Likely cards in a column's picture, best first: (score 0..1, place at `FINE`).

    `tones`: root of light at `MIDDLE`, (h, w, 3) float32. At most `most` are given. `faint`: edges
    of dark things on dark things, too, which are a share of the little light there.
    """
    h, w = tones.shape[:2]
    wide = round(geometry.CARD[0] * MIDDLE)
    if w <= wide + 2 or h <= 2 * SIDES:
        return []
    smooth = cv2.GaussianBlur(tones, (3, 3), 0.6)
    # Beside the cards, that their print is not taken for noise.
    beside = np.ascontiguousarray(np.concatenate([smooth[:, :BESIDE], smooth[:, -BESIDE:]], 1))
    noise = float(np.median(np.abs(cv2.Laplacian(beside, cv2.CV_32F)))) / 2
    softs = np.full((h, w), SOFT, np.float32)
    if faint:
        softs *= clamped(np.asarray(cv2.blur(most_of_three(tones), SHADED), dtype=np.float32), FAINTEST, 1.0)
    softs = np.square(softs + np.float32(2.0 * noise))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    cx, cy = (w - 1) / 2, (h - 1) / 2
    sides = round(SIDES * MIDDLE)
    # Four channels are turned in two thirds of the time of three.
    four = cv2.cvtColor(smooth, cv2.COLOR_BGR2BGRA)
    scores = np.zeros((len(TURNS), h, w - wide), np.float32)
    for k, turn in enumerate(TURNS):
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        matrix = np.array([[c, -s, cx - c * cx + s * cy], [s, c, cy - s * cx - c * cy]])
        image = cv2.warpAffine(four, matrix, (w, h), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        soft = softs
        if faint:
            soft = np.asarray(cv2.warpAffine(softs, matrix, (w, h), flags=flags, borderMode=cv2.BORDER_REPLICATE))
        image = cv2.cvtColor(image, cv2.COLOR_BGRA2BGR)
        # Smoothed along the edge first: what is straight stays, texture and noise fade.
        across, along = cv2.blur(image, (7, 1)), cv2.blur(image, (1, 5))
        down = np.zeros((h, w), np.float32)
        aside = np.zeros((h, w), np.float32)
        down[1:-1] = _steepest(across[2:], across[:-2], soft[1:-1])
        aside[:, 1:-1] = _steepest(along[:, 2:], along[:, :-2], soft[:, 1:-1])
        top = cv2.boxFilter(down, -1, (wide - 4, 1), anchor=(0, 0), borderType=cv2.BORDER_CONSTANT)[:, 2:]
        aside = np.maximum(aside[:, 1:], aside[:, :-1])
        side = cv2.boxFilter(aside, -1, (1, sides), anchor=(0, 0), borderType=cv2.BORDER_CONSTANT)
        n = w - wide
        both = 0.5 * (side[:, :n] + side[:, wide - 2 : wide - 2 + n])
        scores[k] = 0.6 * np.minimum(top[:, :n], both) + 0.4 * top[:, :n]
    # Edges are a few pixels wide and saturate: a little blur finds the middle of the plateau.
    best = cv2.blur(scores.max(0), (3, 3))
    out: list[tuple[float, Placed]] = []
    dy, dx = round(APART[0] * MIDDLE), round(APART[1] * MIDDLE)
    while len(out) < most:
        y, x = np.unravel_index(int(best.argmax()), best.shape)
        if best[y, x] < LEAST:
            break
        value = float(scores[:, y, x].max())
        turn = float(np.radians(TURNS[int(scores[:, y, x].argmax())]))
        best[max(0, y - dy) : y + dy + 1, max(0, x - dx) : x + dx + 1] = -1
        c, s = np.cos(turn), np.sin(turn)
        px, py = c * (x - cx) - s * (y - cy) + cx, s * (x - cx) + c * (y - cy) + cy
        # Pixel centres lie at half a pixel: the same point of the table has another coordinate at another scale.
        zoom = FINE / MIDDLE
        out.append((value, Placed(float((px + 0.5) * zoom - 0.5), float((py + 0.5) * zoom - 0.5), turn)))
    return out


def cards(tones: Tones, most: int, board: float) -> list[tuple[float, Placed]]:
    """`outlines`, laid on the edges and each only once. `board`: where the board's edge lies, mm."""
    out: list[tuple[float, Placed]] = []
    middle = CARD_W / 2, 10 * FINE
    found = [snapped(tones, place) for _, place in outlines(tones, most)]
    # The board's edge is straight and clear, too, and draws the outline of a card that lies near it onto itself.
    for k, (clear, place) in enumerate(found[:]):
        top = place.point(CARD_W / 2, 0.0)[1] / FINE
        if abs(top - board) < AT_BOARD:
            # Only its sides are surely a card's.
            found[k] = clear / 2, place
            x, y = place.point(0.0, (board + SNAP + 2 * AT_BOARD - top) * FINE)
            found.append(snapped(tones, Placed(x, y, place.turn)))
    known: list[tuple[Point, float]] = []
    for clear, place in sorted(found, key=lambda f: -f[0]):
        at = place.point(*middle)
        if all(apart(at, other) > FINE or abs(place.turn - turn) > 0.03 for other, turn in known):
            known.append((at, place.turn))
            out.append((clear, place))
    return out


def faint_cards(tones: Tones, most: int, known: Sequence[Placed]) -> list[tuple[float, Placed]]:
    """The same with faint edges, where none of those that are known lies. `most`: how many are looked for."""
    found = (snapped(tones, place) for _, place in outlines(tones, most, faint=True))
    return _elsewhere((one for one in found if one[0] > LEAST_FAINT), known)


def cards_by_end(tones: Tones, most: int, known: Sequence[Placed]) -> list[tuple[float, Placed]]:
    """The same by their lower edges and the sides going up from them, which are seen of every card that nothing covers.
    Of a white card on a white one no more is seen."""
    around = np.ascontiguousarray(tones[::-1, ::-1])
    found = (snapped(around, place) for _, place in outlines(around, most))
    return _elsewhere(((clear, _turned_round(place, tones)) for clear, place in found if clear > SEEN), known)


def _elsewhere(found: Iterable[tuple[float, Placed]], known: Sequence[Placed]) -> list[tuple[float, Placed]]:
    """Those cards near whose top edges none of the known ones' lies, nor one of those before."""
    tops = [place.point(*_TOP)[1] for place in known]
    out: list[tuple[float, Placed]] = []
    for clear, place in found:
        top = place.point(*_TOP)[1]
        if all(abs(top - other) > ELSEWHERE * FINE for other in tops):
            tops.append(top)
            out.append((clear, place))
    return out


def _turned_round(place: Placed, tones: Tones) -> Placed:
    """A card's place once it and its column are turned round, first row last."""
    h, w = (round(size * FINE / MIDDLE) - 1 for size in tones.shape[:2])
    x, y = place.point(CARD_W, CARD_H)
    return Placed(w - x, h - y, place.turn)


def ends_there(tones: Tones, place: Placed) -> bool:
    """Whether the lower edge of an uncovered card is seen where it should be, clearly or together with both sides down
    to it: beyond a card's end there are none. `tones`: root of light at `MIDDLE`."""
    clear = lower_edge(tones, place)
    if clear >= EDGE_SEEN or clear < FAINT_END:
        return clear >= EDGE_SEEN
    around = np.ascontiguousarray(tones[::-1, ::-1])
    return edges_of(around, _turned_round(place, tones)).both_sides >= SEEN


def lower_edge(tones: Tones, place: Placed) -> float:
    """How clear the lower edge of an uncovered card is where it should be, 0..1. `tones`: root of light at `MIDDLE`."""
    rim = round(SNAP * MIDDLE) + 2
    w, h = round(geometry.CARD[0] * MIDDLE), round(geometry.CARD[1] * MIDDLE)
    k = MIDDLE / FINE
    c, s, x, y = _corner(place)
    matrix = np.array([[c, -s, x - (h - rim) * s], [s, c, y + (h - rim) * c]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpAffine(tones, matrix, (w, 2 * rim), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    patch = cv2.blur(patch, (7, 1))
    down = _steepest(patch[2:], patch[:-2], np.float32(SOFT**2))
    return _peak(down[:, 3:-3].mean(1), rim - 1 - k / 2)[1]


def lies_bare(tones: Tones, place: Placed) -> bool:
    """Whether the edges of a card below its header are seen so wholly that no other card lies on it askew: one of its
    own size would reach beyond them. `tones`: root of light at `MIDDLE`."""
    header, step, clear = (SIDE_SEEN[0] * MIDDLE, round(SIDE_SEEN[1] * MIDDLE), SIDE_SEEN[2])
    rim = round(SNAP * MIDDLE) + 2
    w, h = round(geometry.CARD[0] * MIDDLE), round(geometry.CARD[1] * MIDDLE)
    patch = _patch(tones, place, (w, h), rim)
    soft = np.float32(SOFT**2)
    down = _steepest(patch[2:], patch[:-2], soft)[h - 1 : h + 2 * rim - 2, rim : rim + w]
    aside = _steepest(patch[:, 2:], patch[:, :-2], soft)[rim + round(header) : rim + h]
    sides = aside[:, : 2 * rim - 1], aside[:, w - 1 : w + 2 * rim - 2]
    for edge in (*(side.T for side in sides), down):
        pieces = (edge[:, at : at + step] for at in range(CORNER, edge.shape[1] - CORNER - step + 1, step))
        if any(float(piece.mean(1).max()) < clear for piece in pieces):
            return False
    return True


def _corner(place: Placed) -> tuple[float, float, float, float]:
    """Cosine and sine of a card's turn, and where its top left corner lies, px at `MIDDLE`."""
    k = MIDDLE / FINE
    return (
        float(np.cos(place.turn)), float(np.sin(place.turn)), (place.x + 0.5) * k - 0.5, (place.y + 0.5) * k - 0.5
    )  # fmt: skip


def _patch(tones: Tones, place: Placed, size: tuple[int, int], rim: int) -> Tones:
    """What lies at a card's place, upright, (h + 2 * rim, w + 2 * rim, 3). `size`: (w, h) px at `MIDDLE`, from its top
    left corner on."""
    c, s, x, y = _corner(place)
    matrix = np.array([[c, -s, x - rim * (c - s)], [s, c, y - rim * (s + c)]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpAffine(
        tones, matrix, (size[0] + 2 * rim, size[1] + 2 * rim), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(patch, dtype=np.float32)


def snapped(tones: Tones, place: Placed, shade: float = 1.0) -> tuple[float, Placed]:
    """A card's place with its outline laid on the edges seen there, up to `SNAP` mm away, and how clear they are, 0..1.

    Found in the first `SIDES` mm below its top edge: whatever covers a card leaves those. `shade`: share of `SOFT` that
    makes half an edge.
    """
    edges = edges_of(tones, place, shade)
    return edges.clear, edges.place


class Edges(NamedTuple):
    """The edges seen around a card's place, in the first `SIDES` mm below its top edge."""

    top: tuple[float, float]
    """How clear the left and the right half of the top edge are, 0..1."""
    both_sides: float
    """The same of both sides together, as far apart as they must be."""
    beside: tuple[Grey, Grey]
    """How much of an edge there is at each px to the left and the right, 0..1: (n,) each."""
    middle: float
    """Where in these the card's sides lie by its place, px."""
    place: Placed
    """The card's, laid on the edges (`snapped`)."""

    @property
    def clear(self) -> float:
        """How clear they are together, 0..1."""
        return 0.5 * self.both_sides + 0.25 * sum(self.top)

    @property
    def parts(self) -> tuple[float, ...]:
        """How clear each half of the top edge is, the left and the right side: each by itself, 0..1."""
        return (*self.top, *(_peak(profile, self.middle)[1] for profile in self.beside))


def edges_of(tones: Tones, place: Placed, shade: float = 1.0) -> Edges:
    """The edges seen around a card's place, up to `SNAP` mm away; `shade` as in `snapped`."""
    rim = round(SNAP * MIDDLE) + 2
    w, h = round(geometry.CARD[0] * MIDDLE), round(SIDES * MIDDLE)
    k = MIDDLE / FINE
    c, s, x, y = _corner(place)
    patch = _patch(tones, place, (w, h), rim)
    soft = np.float32((SOFT * shade) ** 2)
    down = _steepest(patch[2:], patch[:-2], soft)
    aside = _steepest(patch[:, 2:], patch[:, :-2], soft)
    # The card's edge lies half a pixel of `FINE` before the middle of its first row there; the differences lose one row
    # of their own. Both sides are averaged, and the card is no whole number of pixels wide.
    edge = rim - 1 - k / 2
    beside = edge + (CARD_W * k - w) / 2
    half = w // 2
    (one, left), (other, right) = (
        _peak(down[: 2 * rim, a : a + half - 3].mean(1), edge) for a in (rim + 2, rim + 1 + half)
    )
    sides = aside[rim + 3 : rim + h]
    beside_left, beside_right = sides[:, : 2 * rim - 2].mean(0), sides[:, w:].mean(0)
    dx, aside_clear = _peak(0.5 * (beside_left + beside_right), beside)
    dy, slope = (one + other) / 2, (other - one) / half
    turn = min(max(slope, -0.06), 0.06)
    # Turned about the middle of the top edge.
    mid = w / 2 - 0.5
    c2, s2 = float(np.cos(place.turn + turn)), float(np.sin(place.turn + turn))
    px, py = x + c * (mid + dx) - s * dy, y + s * (mid + dx) + c * dy
    there = Placed((px - c2 * mid + 0.5) / k - 0.5, (py - s2 * mid + 0.5) / k - 0.5, place.turn + turn)
    return Edges((left, right), aside_clear, (beside_left, beside_right), beside, there)


def on_edges(tones: Tones, place: Placed) -> Placed | None:
    """The same where print left a card askew: laid on its edges again and again; None where they are not clear, or lead
    too far away."""
    clear, there = 0.0, place
    for _ in range(SNAPS):
        clear, there = snapped(tones, there)
    middle = CARD_W / 2, 0.0
    astray = abs(there.turn - place.turn) > ASKEW[1] or apart(there.point(*middle), place.point(*middle)) > ASKEW[0]
    return None if astray or clear < SEEN else there


def _peak(profile: NDArray[np.floating], middle: float) -> tuple[float, float]:
    """Where a profile is highest within `SNAP` mm of its middle, px from there, and how high."""
    reach = SNAP * MIDDLE
    first, last = max(1, int(np.ceil(middle - reach))), min(len(profile) - 2, int(middle + reach))
    at = first + int(profile[first : last + 1].argmax())
    before, here, after = profile[at - 1 : at + 2].tolist()
    bend = before - 2 * here + after
    # At the end of that reach the highest is no peak, and the parabola's may lie anywhere.
    between = 0.5 * (before - after) / bend if bend < 0 else 0.0
    return at - middle + min(max(between, -0.5), 0.5), here


def _steepest(one: cv2.typing.MatLike, other: cv2.typing.MatLike, soft: np.float32 | Grey) -> Grey:
    """How much of an edge the step between two pictures is, 0..1: the channel that steps most decides."""
    most = most_of_three(np.asarray(cv2.absdiff(one, other), dtype=np.float32)) * np.float32(0.5)
    power = most * most
    return np.asarray(power / (power + soft), dtype=np.float32)


def most_of_three(picture: Tones) -> Grey:
    """The greatest channel of each pixel, (h, w): numpy takes ten times as long along three of them."""
    return np.asarray(cv2.max(cv2.max(picture[..., 0], picture[..., 1]), picture[..., 2]), dtype=np.float32)
