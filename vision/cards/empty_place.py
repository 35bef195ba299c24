"""Whether nothing lies in a place: the bare table must be seen there, for a card of its own colours shows little."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.appearance import lighter
from vision.cards.bare_table import hue_apart
from vision.cards.candidates import FAR_STRIP
from vision.cards.column import FIRST, Column
from vision.cards.empty_table import BLOWN_OUT
from vision.cards.lines import straight
from vision.cards.outline import lower_edge
from vision.cards.table_beside import ABOVE, FIRST_CARD, FIRST_ROWS, LEFT_OVER, ROOM, SIDE, table_beside
from vision.cards.templates import CARD_W, FINE, MIDDLE
from vision.geometry.align import Placed
from vision.types import Grey

SHADOW: Final = 0.045
"""Step of light, root of light, that a soft shadow does not make (`Column.steps`): what is told from the table differs
from it by 0.07 or more, and a thing does so at its edge."""
ON_BOARD: Final = (4.0, 0.45)
"""An outline whose top edge lies on the board, or less than this below its edge, mm, is the board's own unless its
lower edge is at least this clear: in noise alone it is 0.3."""
BARE_ENOUGH: Final = 100.0
"""A column with less than this to explain is empty, mm²: of 2,000 simulated tables' cards none came to less than 1,000,
and 99 of 100 empty places to less than this."""
FAINT_PRINT: Final = 60.0
"""More print than this, mm², is a card's or a thing's, whether the table's colour explains it or not: on photographs of
twenty-one decks columns without cards came to 0, those with cards to 500 or more."""
MAT_LINE: Final = (40, 9)
"""A dark straight line at least this long, mm, is one that is printed on the table: what lies around it, so wide, mm,
is no print of a card. The frames of the printed mat came to 400 to 633 mm² on a white one, and to 0 without it."""
OWN_INK: Final = 2.0
"""So many times as much print, by area, as both sides of the column show at least may be the table's own if it is"""
SAME_INK: Final = 0.06
"""no further from a colour of that print than this, root of light of the channel that differs most: on mats with dots
far apart empty places, with 87 to 170 mm², were in doubt."""
INKS: Final = 256
"""So many pixels of that print are looked at."""
AROUND_THING: Final = 15
"""Width, mm, of what an edge of a thing may make of detail around it."""
SPECK: Final = 12.0
"""`BARE_ENOUGH` where the camera clips the bare table, mm²: a card there may show a single sign of its print. On 209
photographs of twenty-one decks 13 such columns without cards came to 0, 54 with cards to 50 or more."""
SHONE_OVER: Final = (400.0, 0.7, 0.25)
"""Area that glare blows out where a first card would lie, mm², which hides white cards, and the share of the brightest
root of light that so much of the table beside the column stays below if it is no white table: of 457 places without
cards on 360 photographs none is so. A tenth of a white one may lie in a window bar's shadow."""
TABLE_BETWEEN: Final = 0.15
"""Share of each quarter of that place in which the table is seen that tells that no card lies there: between the white
squares of a cloth that the camera clips are its dark ones."""
PRINTED: Final = ((850.0, 25.0), (1800.0, 100.0))
"""A column in which more than this is no table and in which so much of that, mm², differs from it by a step of light
that no shadow makes is not empty, though the table may have each of these colours: on bare wood two dark backs, 987
and 37, were an empty place for certain, for their ink was as dark as its grain. Of 411 places without cards on
photographs of twenty-one decks and 145 in drawn rooms the first is so of five, with 16 of the second at most, the
second of two, with 630 and 760. The others where the table is patterned: three dark backs in dim light had 2,495 and
245 there; of 76 places without cards none has more than 1,600 of the first, and with more than 100 of the second
1,070."""
NO_TABLE: Final = (0.08, 0.033)
"""A place that the bare table explains worse than this nearly everywhere is not empty; the second where the table is
patterned. Of eight dark backs, plain to anybody, each pixel could be the table's: seven on checked mats came to 0.04
and more in three quarters of their place, one on a mat with rings to 0.10; of 426 places without cards on patterned
tables none to more than 0.026, of 14 that are not plainly empty on others none to more than 0.05."""
OUTLINE_THERE: Final = 0.5
"""On a table of one colour such a place has an outline at least this clear: in light with bands a table without cards
came to 0.2 without any;"""
HUE_THERE: Final = 0.03
"""or a hue that is so far off that on both of its sides all over (`hue_apart`): bands of light have the table's. In dim
light a dark brown back on a dark green mat came to 0.15, and the place was empty for certain; of 749 places without
cards on photographs and path-traced tables in rooms, those that the table explains so badly came to 0.004 or less."""

MAY_BE_A_CARDS: Final = LEFT_OVER * 0.6
"""A pixel that the bare table explains worse than this may be a card's."""

ASIDE_OF_CARDS: Final = round((SIDE - ROOM * 0.5) * MIDDLE)
REACHED: Final = slice(ASIDE_OF_CARDS, -ASIDE_OF_CARDS)
"""How far aside cards reach, in a column's pictures at `MIDDLE`."""


def nothing_there(column: Column) -> bool:
    """Whether a table of one colour explains all that is seen where a first card would lie."""
    return unlike_table(column) < BARE_ENOUGH and not ink_seen(column) and not shone_over(column)


def as_when_empty(column: Column) -> bool:
    """Whether what was seen when nothing lay there explains all that is seen where a first card would lie, and there is
    no print that there was not then: a card of the table's own colour has some."""
    if column.against_empty is None or column.clipped or shone_over(column):
        return False
    errors = column.against_empty.errors
    if float(np.quantile(errors[FIRST_CARD], 0.25)) >= NO_TABLE[True] or _joined(_unlike(errors)) >= BARE_ENOUGH:
        return False
    return float(np.count_nonzero(column.new_print[FIRST_CARD])) / MIDDLE**2 < FAINT_PRINT


def unlike_table(column: Column) -> float:
    """How much there is where a first card would lie that the bare table does not explain, mm²."""
    unlike = _unlike(column.bare)
    unlike[column.like_elsewhere[FIRST_ROWS, REACHED]] = 0
    return _joined(unlike)


def _unlike(errors: Grey) -> NDArray[np.uint8]:
    """Where something explains a column, (h, w) at `MIDDLE`, 0..1, so badly where a first card would lie that it may be
    a card's, (h, w), 0 or 1."""
    return (errors[FIRST_ROWS, REACHED] > MAY_BE_A_CARDS).astype(np.uint8)


def _joined(unlike: NDArray[np.uint8]) -> float:
    """Area of what is unlike the table, (h, w), 0 or 1, with most of what lies around it, mm²."""
    # Noise stands alone; of a card's pixels and their neighbours most are unlike the table.
    return float(np.count_nonzero(cv2.boxFilter(unlike, -1, (3, 3), normalize=False) > 4)) / MIDDLE**2


def faint_print(column: Column, but: NDArray[np.uint8] | None = None, place: tuple[slice, slice] = FIRST_CARD) -> float:
    """How much there is in a place, rows and columns at `MIDDLE`, that has more detail than the bare table, mm²: print
    of its colour, but for what may be the table's own. `but`: (h, w) at `MIDDLE`, things that are not looked at, nor
    what lies around them."""
    print_seen = column.detail_power[place] > column.plain_power
    if print_seen.any():
        around = cv2.dilate(_long_lines(column), np.ones((MAT_LINE[1],) * 2, np.uint8))
        print_seen &= around[place] == 0
    if but is not None:
        print_seen &= cv2.dilate(but, np.ones((AROUND_THING, AROUND_THING), np.uint8))[place] == 0
    return float(np.count_nonzero(print_seen) - _own_ink(column, print_seen, place)) / MIDDLE**2


def _own_ink(column: Column, print_seen: NDArray[np.bool_], place: tuple[slice, slice]) -> float:
    """How many pixels of what is printed in a place, (h, w) of it, may be the table's own: print of the same colour
    lies beside the column."""
    detailed = table_beside(column.detail_power) > column.plain_power
    # A thing that lies beside the column lies on one side of it.
    most = OWN_INK * min(float(side.mean()) for side in np.hsplit(detailed, 2)) * print_seen.size
    there = column.tones[place][print_seen]
    if not len(there) or most < 1:
        return 0.0
    inks = table_beside(column.tones)[detailed]
    inks = inks[:: -(-len(inks) // INKS)]
    nearest = np.abs(there[:, None] - inks).max(2).min(1)
    return min(most, float(np.count_nonzero(nearest < SAME_INK)))


def _long_lines(column: Column) -> NDArray[np.uint8]:
    """Where long straight lines are darker than the table, along the column or across it, (h, w) at `MIDDLE`, 0 or
    1."""
    dark = (column.detail < -np.sqrt(column.plain_power)).astype(np.uint8)
    long = round(MAT_LINE[0] * MIDDLE)
    lines = np.zeros(dark.shape, np.uint8)
    for upright in (False, True):
        # A line that lies a little aslant goes from one row to the next.
        thick = cv2.dilate(dark, np.ones((1, 3) if upright else (3, 1), np.uint8))
        lines |= straight(np.asarray(thick, dtype=np.uint8), long, upright)
    return lines


def ink_seen(column: Column, but: NDArray[np.uint8] | None = None) -> bool:
    """Whether something is printed there, beside things (`faint_print`), though its paper may look like the table."""
    return (column.clipped and unlike_table(column) > SPECK) or faint_print(column, but) > FAINT_PRINT


def shone_over(column: Column) -> bool:
    """Whether glare hides much of where a first card would lie on a table that is not white: of a white card there
    nothing is seen, and the table's own colour is that of the glare."""
    blown = lighter(column.tones[FIRST_CARD], BLOWN_OUT * column.brightest)
    if np.count_nonzero(blown) < SHONE_OVER[0] * MIDDLE**2:
        return False
    beside = (table_beside(column.tones) / column.brightest).mean(2)
    if float(np.quantile(beside[::2, ::2], SHONE_OVER[2])) >= SHONE_OVER[1]:
        return False
    table = (column.bare[FIRST_CARD] < MAY_BE_A_CARDS) & ~blown
    quarters = (part for half in np.array_split(table, 2) for part in np.array_split(half, 2, axis=1))
    return any(float(quarter.mean()) < TABLE_BETWEEN for quarter in quarters)


def printed(column: Column, but: NDArray[np.uint8]) -> bool:
    """Whether much of where a first card would lie is no table, with edges of its own (`PRINTED`). `but`: (h, w) at
    `MIDDLE`, what is no print (`_left_over`)."""
    unlike, steps = PRINTED[column.patterned]
    if unlike_table(column) < unlike:
        return False
    edges = sharp(column, FIRST_ROWS) & (but[FIRST_ROWS, REACHED] == 0)
    return bool(np.count_nonzero(edges) > steps * MIDDLE**2)


def unlike_all_over(column: Column) -> bool:
    """Whether much of where a first card would lie differs a little from the table all over (`NO_TABLE`)."""
    if float(np.quantile(column.bare[FIRST_CARD], 0.25)) < NO_TABLE[column.patterned]:
        return False
    return column.patterned or clearest_outline(column) > OUTLINE_THERE or hue_apart(column, *FIRST_CARD) > HUE_THERE


def sharp(column: Column, rows: slice) -> NDArray[np.bool_]:
    """What in some rows, px at `MIDDLE`, and as far aside as cards reach is no table and differs from what lies around
    it by a step of light that no shadow makes, (h, w)."""
    return (column.bare[rows, REACHED] > LEFT_OVER) & (column.steps[rows, REACHED] > SHADOW)


def clearest_outline(column: Column) -> float:
    """How clear the clearest outline is that may be a first card's, or that of one on a first that was not read, 0..1;
    0 where there is none."""
    return max((clear for clear, place in column.outlines if _reached(column, place)), default=0.0)


def _reached(column: Column, place: Placed) -> bool:
    """Whether an outline may be a card's in a column without known cards: its first's, or that of one on a first that
    was not read."""
    top = place.point(CARD_W / 2, 0.0)[1] / FINE
    if top < ABOVE + ON_BOARD[0] and not column.clipped and lower_edge(column.tones, place) < ON_BOARD[1]:
        return False
    return top < ABOVE + FIRST[1] + FAR_STRIP


__all__ = [
    "ASIDE_OF_CARDS",
    "BARE_ENOUGH",
    "FAINT_PRINT",
    "HUE_THERE",
    "MAY_BE_A_CARDS",
    "NO_TABLE",
    "REACHED",
    "SHADOW",
    "as_when_empty",
    "clearest_outline",
    "faint_print",
    "ink_seen",
    "nothing_there",
    "printed",
    "sharp",
    "shone_over",
    "unlike_all_over",
    "unlike_table",
]
