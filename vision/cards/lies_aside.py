"""Whether another card lies aside on the uppermost one of a column, so that it hides one half of that and reaches
beyond it."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.cards.appearance import laid, under
from vision.cards.column import Column
from vision.cards.column_reading import ColumnReading
from vision.cards.printed_table import alike
from vision.cards.table_beside import LEFT_OVER
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


__all__ = ["another_lies_aside"]
