"""Whether another card lies aside on the uppermost one of a column, so that it hides one half of that and reaches
beyond it, or cards lie so far aside that the table beside the column seems to be what they show."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.cards.appearance import laid, under
from vision.cards.column import Column
from vision.cards.column_reading import ColumnReading
from vision.cards.outline import around, outline_of
from vision.cards.printed_table import alike
from vision.cards.table_beside import ABOVE, FIRST_CARD, LEFT_OVER, TO_TAGS
from vision.cards.templates import MIDDLE, Bank

BELOW: Final = 22.0
"""Where what another card hides of one begins at the earliest, mm from its upper end: it leaves the header free."""
HALF: Final = 0.4
"""Share of a card's width, from its left and its right edge, that is compared by itself."""
BESIDE: Final = (3.0, 14.0)
"""From where to where what lies beside that half is asked whether it is the bare table, mm from the card's edge."""
ONE_HALF: Final = (0.5, 0.2)
"""Correlation of print from which one half is plainly the card's own, and below which the other is not."""
NOT_BARE: Final = 0.02
"""Share of what lies beside that other half that is not the bare table where another card reaches beyond it. Of 1,393
uppermost cards of tables that were told rightly one is so; of 22 on which another lay 17 to 42 mm aside, unread, 18.
Without it, and a correlation below 0.1, six of 802 tables were in doubt: what shines hides a half, too."""
PRINT: Final = 0.01
"""Deviation of detail, root of light, below which a half has no print to compare."""

PRINT_ASIDE: Final = (60.0, 800.0)
"""Print that is plainer than the texture of the calmer side of a column, mm², that tells of cards aside: in an empty
place, and where no card was read beside and beyond those that were. Of 992 pictures five empty places beside which an
arm lay had 0, six with cards 16 to 34 mm aside 1,400 and more; of 15 stacks beside arms the most was 480, and a stack
of which all but the first card lay 16 mm aside had 1,250."""
UNLIKE_SIDES: Final = 1.5
"""So many times as much detail, by power, as on the calmer side of a column shows on both together if something lies on
the other."""
BELOW_BOARD: Final = 3.0
"""What lies nearer to the board's edge than this is the board's, mm."""
BEYOND: Final = 40.0
"""How far beyond the end of the uppermost card such print is looked for, mm."""
CARD_RIM: Final = 5.0
"""What lies nearer to a card than this is its own, mm."""


def another_lies_aside(bank: Bank, column: Column, reading: ColumnReading) -> bool:
    """Whether one half of the uppermost card is plainly seen and the other is not: another card may lie there."""
    if not reading.cards:
        return False
    card = reading.cards[-1]
    face = bank.patterns[MIDDLE][card.faces[0][0]].detail
    height, width = face.shape
    there = laid(card.place, MIDDLE)
    seen = under(column.detail, there, (width, height))
    top, half = round(BELOW * MIDDLE), round(HALF * width)
    near, far = (round(at * MIDDLE) for at in BESIDE)
    left, right = (slice(top, None), slice(0, half)), (slice(top, None), slice(width - half, None))
    fits = {-1: alike(seen[left], face[left]), 1: alike(seen[right], face[right])}
    side = min(fits, key=lambda at: fits[at])
    plain, other = ONE_HALF
    if fits[-side] <= plain or fits[side] >= other or face[left if side < 0 else right].std() < PRINT:
        return False
    aside = np.array([[1.0, 0.0, -far if side < 0 else width + near], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    beside = under(column.bare, there @ aside, (far - near, height))[top:]
    return float((beside > LEFT_OVER).mean()) > NOT_BARE


def cards_lie_aside(column: Column, reading: ColumnReading) -> bool:
    """Whether there is print where no card was read, in a column one of whose sides shows much more of it than the
    other: cards that reach there pass for the table. Not to be asked where that is patterned all over."""
    if column.calm_power * UNLIKE_SIDES > column.plain_power:
        return False
    print_seen = (column.detail_power > column.calm_power).astype(np.uint8)
    if not reading.cards:
        return float(np.count_nonzero(print_seen[FIRST_CARD])) > PRINT_ASIDE[0] * MIDDLE**2
    for card in reading.cards:
        cv2.fillConvexPoly(print_seen, around(card.place, CARD_RIM), 0)
    first = round((ABOVE + BELOW_BOARD) * MIDDLE)
    end = float(outline_of(reading.cards[-1].place)[:, 1].max()) + BEYOND
    rows = slice(first, round(min(end, ABOVE + TO_TAGS, column.rows) * MIDDLE))
    return float(np.count_nonzero(print_seen[rows, FIRST_CARD[1]])) > PRINT_ASIDE[1] * MIDDLE**2


__all__ = ["another_lies_aside", "cards_lie_aside"]
