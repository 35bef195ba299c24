"""The bare table on both sides of a column's cards: its colours there, and how badly they explain what is seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache, reduce
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.templates import MIDDLE
from vision.geometry.align import grey, structure
from vision.types import Grey, Tones

SIDE: Final = 30.0
"""How much is seen on both sides of a column's cards, mm. The outer part is bare table: columns lie 67 mm apart."""
ROOM: Final = 15.0
"""How far cards may stick out sideways from their column, mm."""
ABOVE: Final = 14.0
"""How much of the board belongs to the column's picture, mm: a card may lie over the board's edge."""
LEFT_OVER: Final = 0.35
"""A pixel that the bare table explains worse than this belongs to something."""
OFF_BOARD: Final = 10.0
"""How far beside a board's edge begins what is the table for certain, mm: boards are laid a little further out."""
TO_TAGS: Final = 205.0
"""From the board's edge to where the corner tags begin, mm."""
PATTERNED: Final = 0.06
"""Share of what lies beside a column that one colour a side does not explain, from which the table is patterned."""
PATTERNED_ALL: Final = 0.014
"""The same in the middle one of a table's columns, from which all of it is: where little light hardly tells a mat's
colours apart, some of its columns come to more than `PATTERNED` and some do not. Of 148 path-traced tables those of one
colour, bare wood among them, came to 0.011 at most and patterned ones to 0.056 and more; one with grain both ways, of
which two empty places were in doubt, to 0.016."""
STRIPED: Final = 0.12
"""Error that would count as a fair match of a table of one colour, root of light, from which it is one of several: on
340 path-traced tables two mats with stripes of 2.5 mm came to 0.15 and more, all others to 0.09 at most."""
BROAD_MM: Final = 5.0
"""Side of the parts of a table that are of one colour where its pattern is broad, mm."""
BROAD: Final = 1.8
"""How much more such a part tells than a pixel does."""
STEEPEST: Final = 0.9
"""Share of a patterned table that is less steep than what counts as print."""
MOST_OF_IT: Final = 0.9
"""Share of a patterned table that its colours explain well."""
LOOSE: Final = 2.0
"""Error that counts as a fair match of a patterned table, over the error that such a share stays below."""
TIGHTEST: Final = 0.04
"""Least error that counts as one, root of light."""
PALETTE: Final = 10
"""Colours of a patterned table."""
COMMON: Final = 0.03
"""Share of a colour below which it belongs to a thing that lies there."""
LIT: Final = 0.6
"""Root of light of a table in good light: on a darker one colours that differ by less are two."""
DARKEST: Final = np.float32(0.05)
"""Root of light below which a table is taken to be no darker where its light is compared with what it was."""
BARE_MOST: Final = 0.6
"""Worst cost of a pixel as bare table: an unknown thing must not be taken for whichever card fits it least badly."""
FIRST_ROWS: Final = slice(round((ABOVE + 8) * MIDDLE), round((ABOVE + 75) * MIDDLE))
FIRST_CARD: Final = FIRST_ROWS, slice(round(SIDE * MIDDLE), -round(SIDE * MIDDLE))
"""Where a first card would lie, in a column's pictures at `MIDDLE`."""
_MARGIN: Final = round((SIDE - ROOM - 1) * MIDDLE)
"""How wide the table on either side is where no card of the column lies, px at `MIDDLE`."""
_PART: Final = 8
"""Rows at `MIDDLE` that tell together what the bare table looks like."""
_ON_BOARD: Final = math.ceil(ABOVE * MIDDLE / _PART)
"""So many of these parts, the first of a column, show the board."""


def table_errors(tones: Tones, spread: float, patterned: bool = False) -> tuple[Grey, list[NDArray[np.float32]], float]:
    """How badly the bare table, as it is seen on a column's two sides, explains each pixel, 0..`BARE_MOST`; its
    `common_colours` where it is patterned, else none; and the share of it that one colour a side does not explain.

    `patterned`: whether it is known to be, by what is seen beside other columns.
    """
    w = tones.shape[1]
    both, rough = _both_sides(tones)
    left, right = both[:, 0], both[:, 1]
    uneven = 3 * float(rough.min())
    # As the unevenness of one colour, fine stripes would explain every card.
    wide = max(spread, uneven) if uneven < STRIPED else spread
    table = _between(both, w)
    bare = wrong_by(np.asarray(cv2.subtract(tones, table), dtype=np.float32), wide)
    # Where the sides differ, something lies on one of them: either may be what the table looks like.
    differ = np.abs(left - right).max(1) > wide
    if differ.any():
        some, least = tones[differ], bare[differ]
        for side in (left, right):
            table = np.tile(side[differ], w).reshape(some.shape)
            least = np.minimum(least, wrong_by(np.asarray(cv2.subtract(some, table), dtype=np.float32), wide))
        bare[differ] = least
    unlike = table_beside(np.maximum(bare, BROAD * np.asarray(cv2.blur(bare, (round(BROAD_MM * MIDDLE),) * 2))))
    colours: list[NDArray[np.float32]] = []
    share = float((unlike > LEFT_OVER).mean())
    if patterned or share > PATTERNED:
        # A printed mat shows the same few colours everywhere, in places that cannot be told beforehand.
        colours = common_colours(tones)
        tight = fair_match(np.sqrt(_nearest(table_beside(tones), colours) / 3), wide)
        bare = np.minimum(bare, _unlike_all(tones, colours, tight))
        # Print of the table's own colours is still finer than the table's pattern.
        steep = structure(grey(tones), MIDDLE)
        usual = float(np.quantile(beside_cards(steep)[::2, ::2], STEEPEST))
        bare = np.maximum(bare, np.float32(BARE_MOST) * np.clip((steep - usual) / (1.1 - usual), 0, 1))
    return np.minimum(bare, np.float32(BARE_MOST)), colours, share


def light_beside(tones: Tones, before: Tones) -> Tones:
    """The light that lies over a column, over that which lay over it `before`, (h, w, 3): what its two sides tell."""
    both, _ = _both_sides(np.asarray(tones / np.maximum(before, DARKEST), dtype=np.float32))
    return _between(both, tones.shape[1])


def fair_match(off: NDArray[np.float32], wide: float) -> float:
    """The error that counts as a fair match of a patterned table, root of light, by what is `off` beside a column;
    `wide`: that of a table of one colour."""
    return float(np.clip(LOOSE * np.quantile(off, MOST_OF_IT), TIGHTEST, wide))


def like_colours(tones: Tones, colours: Sequence[NDArray[np.float32]], spread: float) -> NDArray[np.bool_]:
    """Where the colour of a column, (h, w, 3) at `MIDDLE`, is one of some colours of a table, (3,) each, (h, w)."""
    # Colours lie closer together where there is less light.
    spread *= min(max(float(np.median(table_beside(tones))), float(DARKEST)) / LIT, 1.0)
    return np.asarray(_unlike_all(tones, colours, spread) < LEFT_OVER)


def beside_cards(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """What lies on a column's two sides, where its cards do not reach, of a picture of it at `MIDDLE`, (h, w) or
    (h, w, 3)."""
    return np.concatenate([picture[:, :_MARGIN], picture[:, -_MARGIN:]], 1)


def table_beside(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """The same without the board, whose colours cards may have, and without the corner tags."""
    return beside_cards(picture)[round((ABOVE + OFF_BOARD) * MIDDLE) : round((ABOVE + TO_TAGS) * MIDDLE)]


def common_colours(tones: Tones) -> list[NDArray[np.float32]]:
    """The few colours, (3,), that make up a patterned table beside a column, (h, w, 3) at `MIDDLE`."""
    small = cv2.resize(table_beside(tones), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_NEAREST).reshape(-1, 3)
    return palette(np.asarray(small, dtype=np.float32), COMMON)


def palette(pixels: NDArray[np.float32], least: float) -> list[NDArray[np.float32]]:
    """The colours, (3,), that `PALETTE` groups of some pixels, (n, 3), have in the middle, but for those that make up
    less than a share `least` of them; none of fewer pixels than groups."""
    if len(pixels) < PALETTE:
        return []
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 10, 0.005)
    # Begun at evenly spaced brightnesses, so that the same picture gives the same palette.
    order = np.argsort(pixels.sum(1))
    labels = np.empty((len(pixels), 1), np.int32)
    labels[order, 0] = np.arange(len(pixels)) * PALETTE // len(pixels)
    start = cv2.KMEANS_USE_INITIAL_LABELS
    _, found, centres = cv2.kmeans(np.ascontiguousarray(pixels), PALETTE, labels, stop, 1, start)
    share = np.bincount(np.asarray(found).ravel(), minlength=PALETTE) / len(pixels)
    return [np.asarray(c, np.float32) for c, s in zip(centres, share, strict=True) if s >= least]


def _both_sides(tones: Tones) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """What is seen on a column's two sides in each row, (h, 2, 3), by running medians; and how rough each side is,
    (2,)."""
    h = len(tones)
    # Every other pixel both ways tells as much at a quarter of the time.
    few = tones[: h // _PART * _PART : 2]
    blocks = np.stack([few[:, :_MARGIN:2], few[:, -_MARGIN::2]]).reshape(2, h // _PART, -1, 3)
    blocks = np.ascontiguousarray(blocks.transpose(0, 1, 3, 2))
    # Sorted by hand, as there are no gaps to look for: a third of the time of `np.median`.
    middle = _middle(blocks)
    rough = _middle(np.abs(blocks - middle[..., None]).reshape(2, -1))
    # Along the column by a running median: a token or the neighbour's card beside it is shorter than the window.
    runs = _middle(middle[:, _runs(h // _PART, _ON_BOARD)].transpose(1, 0, 3, 2))
    # (n, 2, 3) to (h, 6): both sides beside each other. The table begins at the board's edge, and not gradually.
    both = np.empty((h, 2, 3), np.float32)
    both[: round(ABOVE * MIDDLE)] = runs[0]
    both[round(ABOVE * MIDDLE) :] = runs[_ON_BOARD]
    both[_ON_BOARD * _PART :] = cv2.resize(runs[_ON_BOARD:], (2, h - _ON_BOARD * _PART))
    return both, rough


def _middle(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Median along the last axis."""
    ordered = np.sort(values, axis=-1)
    n = ordered.shape[-1]
    return np.asarray((ordered[..., (n - 1) // 2] + ordered[..., n // 2]) * np.float32(0.5), dtype=np.float32)


@lru_cache(maxsize=4)
def _runs(count: int, first: int) -> NDArray[np.intp]:
    """The nine parts around each of `count` parts in a row, (count, 9): those around one before the `first` are
    itself, those around the others none of these; those at the ends count as those beyond."""
    parts = np.arange(count)[:, None]
    around = np.where(parts < first, parts, np.maximum(parts + np.arange(-4, 5), first))
    return np.asarray(np.minimum(around, count - 1), dtype=np.intp)


def _between(both: NDArray[np.float32], width: int) -> Tones:
    """What is seen on two sides, (h, 2, 3), in even steps from the one to the other, (h, width, 3)."""
    return np.asarray((both.reshape(-1, 6) @ _across(width)).reshape(-1, width, 3), dtype=np.float32)


@lru_cache(maxsize=4)
def _across(width: int) -> NDArray[np.float32]:
    """From the colours of a row's two ends, (6,), to all its pixels in even steps, (6, width * 3).

    A product of matrices costs a tenth of adding up row by row.
    """
    ramp = np.linspace(0, 1, width, dtype=np.float32)
    return np.concatenate([np.kron(part[None], np.eye(3, dtype=np.float32)) for part in (1 - ramp, ramp)], 0)


def _unlike_all(tones: Tones, colours: Sequence[NDArray[np.float32]], spread: float) -> Grey:
    """How badly the best of some colours, (3,) each, explains what is seen, 0..1, (h, w)."""
    d2 = _nearest(tones, colours) * np.float32(-0.5 / (3 * spread * spread))
    return np.asarray(1 - cv2.exp(d2), dtype=np.float32)


def _nearest(tones: Tones, colours: Sequence[NDArray[np.float32]]) -> Grey:
    """Squared distance of each pixel from the nearest of some colours, (h, w)."""
    # |t - c|² = |t|² - 2 t c + |c|²: what differs from colour to colour is one product of matrices, in a third of the
    # time that it takes picture by picture.
    some = np.stack(colours)
    linear = (-2 * some) @ tones.reshape(-1, 3).T
    linear += (some * some).sum(1)[:, None]
    least = np.asarray(reduce(cv2.min, list(linear))).reshape(tones.shape[:2])
    squares = cv2.transform(cv2.multiply(tones, tones), np.ones((1, 3), np.float32))
    return np.maximum(np.asarray(cv2.add(squares, least), dtype=np.float32), np.float32(0))


def wrong_by(d: Tones, spread: float) -> Grey:
    """How bad an error is, 0..1, (h, w)."""
    d2 = cv2.transform(d * d, np.full((1, 3), -0.5 / (3 * spread * spread), np.float32))
    return np.asarray(1 - cv2.exp(d2), dtype=np.float32)
