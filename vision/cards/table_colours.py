"""How much of a patterned table's main colours is seen where a lone card may lie, against how much of them any card of
the deck has: where more is seen, none of them lies there, whatever else is; where next to none is, something does.

What is printed on a mat may be of any shape and colour, and squares of a cloth may be as large as what is seen of it
beside a column; but around a mat's print and between its squares the same few colours are seen, and a card hides them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.bare_table import TableLook
from vision.cards.column import FIRST, Column
from vision.cards.table_beside import ABOVE, LEFT_OVER, palette, table_beside
from vision.cards.templates import MIDDLE, Bank, card_px
from vision.types import Grey, Tones

MAIN: Final = 0.08
"""Colours that make up at least such a share of what is seen beside all columns are the table's main ones."""
POOLED: Final = 6000
"""So many pixels are grouped at most."""
SAME: Final = (0.03, 0.1)
"""A pixel has one of them if no channel is further off, root of light, than the first or that share of it."""
LIGHT: Final = 1.4
"""Factor of light, root of it, by which a card may be lighter or darker where it lies than it was learnt,"""
HUE: Final = 0.13
"""and the logarithm by which its channels may stand otherwise to each other."""
DARKEST: Final = 0.04
"""Root of light below which a channel is taken to be no darker there."""
FAR_OUT: Final = 70.0
"""How far from the board a lone card may lie, mm; aside, wherever the column is seen."""
MORE: Final = 0.1
"""Share of a card by which more of them must be seen than any of the deck has. On 560 path-traced and drawn tables on
patterned mats it came to 0.03 at most in 2,153 columns with cards, and to more than this in 793 of 1,112 without."""
BESIDE: Final = 0.55
"""Share of the table on both sides of a column that its main colours must explain for it to be covered"""
COVERED: Final = 0.15
"""where less than this of what some lone card may cover has one of them. On checked, printed, dotted and striped mats
it is so of 82 of 101 cards laid 20 mm and more aside or far out that had been no cards for certain, and of none of 592
places without cards."""


def main_colours(looks: Collection[TableLook], brightest: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    """The main colours of a table, root of light (3,), by how it looks beside all columns; none where that is not
    known. `brightest`: root of light of what is brightest in the picture, (3,)."""
    tones = [side.tones for look in looks for side in look.sides if side.tones is not None]
    if not tones:
        return []
    some = np.concatenate([part[::3, ::3].reshape(-1, 3) for part in tones]) * brightest
    return palette(np.asarray(some[:: max(1, len(some) // POOLED)], dtype=np.float32), MAIN)


def more_than_a_card_has(bank: Bank, column: Column, colours: Sequence[NDArray[np.float32]]) -> bool:
    """Whether more of the table's main colours is seen wherever a lone card may lie in a column than any card of the
    deck has of them."""
    seen = _least_of(_like(column, colours))
    upright = bank.patterns[MIDDLE][: bank.count]
    return seen > MORE and seen > MORE + max(_possible(pattern.roots, colours) for pattern in upright)


def as_if_covered(column: Column, colours: Sequence[NDArray[np.float32]]) -> bool:
    """Whether next to nothing of the table's main colours, nor of what was seen when nothing lay there, is seen where
    some lone card may lie in a column, though much of those is on both sides."""
    like = _like(column, colours)
    if column.against_empty is not None:
        like[column.against_empty.errors < LEFT_OVER] = 1
    return float(table_beside(like).mean()) > BESIDE and _least_of(like) < COVERED


def _like(column: Column, colours: Sequence[NDArray[np.float32]]) -> Grey:
    """Where some of the colours, root of light (3,), are seen in a column, (h, w) at `MIDDLE`, 0 or 1."""
    tones = np.asarray(cv2.blur(column.tones, (3, 3)), dtype=np.float32)
    like = np.zeros((tones.shape[0], tones.shape[1]), np.uint8)
    least, part = SAME
    for colour in colours:
        # Within bounds, channel by channel, in a thirtieth of the time that the largest difference takes.
        off, middle = max(least, part * float(colour.mean())), colour.astype(np.float64)
        like |= np.asarray(cv2.inRange(tones, middle - off, middle + off), dtype=np.uint8)
    return np.asarray(like > 0, dtype=np.float32)


def _least_of(like: Grey) -> float:
    """The least share of what is seen, (h, w) at `MIDDLE`, 0 or 1, in what a lone card may cover."""
    w, h = card_px(MIDDLE)
    covered: Grey = np.asarray(cv2.boxFilter(like, -1, (w, h), anchor=(0, 0)), dtype=np.float32)
    # Where its upper left corner may lie, as far as all of it is seen.
    rows = slice(round((ABOVE + FIRST[0]) * MIDDLE), min(round((ABOVE + FAR_OUT) * MIDDLE), like.shape[0] - h) + 1)
    places = covered[rows, : like.shape[1] - w + 1]
    return float(places.min()) if places.size else 0.0


def _possible(face: Tones, colours: Sequence[NDArray[np.float32]]) -> float:
    """Share of a face, root of light, (h, w, 3) at `MIDDLE`, that may look like one of some colours, (3,)."""
    tones = np.log(np.maximum(cv2.blur(face, (3, 3))[::2, ::2], DARKEST))
    light = tones.mean(2)
    hue = tones - light[..., None]
    like = np.zeros(light.shape, bool)
    for colour in colours:
        log = np.log(np.maximum(colour, DARKEST))
        same_hue = np.abs(hue - (log - log.mean())).max(2) < HUE
        like |= same_hue & (np.abs(light - log.mean()) < math.log(LIGHT))
    return float(like.mean())


__all__ = ["as_if_covered", "main_colours", "more_than_a_card_has"]
