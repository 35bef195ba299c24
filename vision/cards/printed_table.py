"""On a table that is printed all over: whether what is left over in a column is the table's own print.

Nothing in a rectangle that is printed on a mat tells that it is no card, but this deck's cards are known: where none of
them goes with what is seen as the cards do that were read in the same picture, none of them lies there. On a table that
is not printed so, what is left over is a thing, which may hide a card that lies there alone; beside an uppermost card
that is seen whole it hides none on any patterned table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from engine.places import Place
from vision.cards.appearance import laid, under
from vision.cards.bare_table import printed_all_over
from vision.cards.column import Column
from vision.cards.column_reading import ColumnReading
from vision.cards.headers import correlations
from vision.cards.table_beside import ABOVE, SIDE
from vision.cards.table_colours import as_if_covered, main_colours, more_than_a_card_has
from vision.cards.templates import COARSE, MIDDLE, Bank, card_px
from vision.geometry.align import Placed
from vision.types import Grey

LEAST_CARDS: Final = 2
"""So many uppermost cards that are known must tell how well a card's print goes with what is seen."""
AS_CARDS_DO: Final = 0.65
"""Share of the correlation of that one of them that goes worst, from which what is seen may be a card;"""
MAY_BE: Final = 0.4
"""and the correlation from which it may be one however well those go. Of 4,109 columns with cards, on photographs and
path-traced tables of forty decks, seven came to less than both, had their cards not been read; of 21 places without
cards on printed mats 19 did."""
LIKE_A_CARD: Final = 0.55
"""Correlation below which it is none where more of the table's colours is seen than a card leaves (`table_colours`)."""
ASIDE: Final = 14.0
"""How far aside of where they lie straight cards are looked for, mm."""
BEFORE: Final = 12.0
"""How far before the board's edge, mm."""
TURNS: Final = (-8.0, -4.0, 0.0, 4.0, 8.0)
"""Turns at which they are, degrees."""
REFINED: Final = 12
"""So many faces and turns of all that go best at first are laid exactly."""
OTHER_UPPERMOST: Final = (0.3, 0.25, 0.6)
"""Below the first its lower part goes badly with what is seen, and from the second more than it does, and the third,
another card goes well: of two olive backs on an olive checked cloth the lower one was the uppermost for certain, by
0.55 and -0.01, where a back went with what was seen by 0.96 further down. Of 182 stacks on patterned tables of
path-traced photographs none is so; on others, of which three of 1,444 are, nothing but a card explains one."""
END: Final = 44.0
"""Where the lower part of a card begins, mm, which the next card would cover."""


def of_the_table(
    bank: Bank,
    shown: Mapping[Place, Column],
    readings: Mapping[Place, ColumnReading],
    certain: Callable[[Mapping[Place, ColumnReading]], Collection[tuple[Place, int]]],
) -> dict[Place, ColumnReading]:
    """The readings, without what is the table's own print, and with a doubt where a patterned table looks as if covered
    (`table_colours`). `shown`: the columns that were read now; `certain`: gives the cards that are known for certain,
    by place and number in the stack; it is asked only where it matters."""
    tables = [reading.table for reading in readings.values() if reading.table is not None]
    empty = [at for at, column in shown.items() if _on_its_pattern(column, readings[at])]
    colours = main_colours(tables, shown[empty[0]].brightest) if empty else []
    out = dict(readings)
    for at in empty:
        if colours and not readings[at].hidden and as_if_covered(shown[at], colours):
            out[at] = replace(out[at], foreign=True, hidden=True)
    asked = [place for place in shown if readings[place].things_alone and readings[place].foreign]
    if not asked:
        return out
    printed = printed_all_over(tables)
    if printed:
        # What has no card's shape needs no card to tell it.
        out |= {place: replace(out[place], foreign=False) for place in asked if not out[place].hidden}
    known = certain(readings)
    fits = [
        reading.uppermost_fit[0]
        for place, reading in readings.items()
        if reading.uppermost_fit is not None and (place, len(reading.cards) - 1) in known
    ]
    # Where too few cards tell how well they go, nothing goes too badly for one.
    least = min(MAY_BE, AS_CARDS_DO * min(fits)) if len(fits) >= LEAST_CARDS else None
    for place in asked:
        reading = readings[place]
        if not reading.hidden:
            continue
        if reading.cards:
            uppermost = place, len(reading.cards) - 1
            free = least is not None and uppermost in known and _nothing_on_it(bank, reading, least)
        else:
            below = least if printed and not bank.plain_back else None
            if place in empty and colours and more_than_a_card_has(bank, shown[place], colours):
                below = max(below or 0.0, LIKE_A_CARD)
            free = below is not None and best_fit(bank, shown[place]) < below
        if free:
            out[place] = replace(reading, foreign=not printed, hidden=False)
    return out


def _on_its_pattern(column: Column, reading: ColumnReading) -> bool:
    """Whether no card was read on a patterned table of which it is not known how it looks there without any."""
    return column.patterned and not column.clipped and not reading.cards and not reading.as_learnt


def _nothing_on_it(bank: Bank, reading: ColumnReading, least: float) -> bool:
    """Whether all of the uppermost card is seen, so that none lies on it; `least`: as cards' print goes at least."""
    if reading.uppermost_fit is None or min(reading.uppermost_fit) <= least:
        return False
    # Another back on a repeating one may show the same print.
    return reading.cards[-1].faces[0][0] != bank.back or bank.back_prints is not None


def uppermost_fit(bank: Bank, column: Column, reading: ColumnReading) -> tuple[float, float] | None:
    """How well all of the uppermost card's print goes with what is seen of it, and its lower part alone, -1..1; None
    without cards."""
    if not reading.cards:
        return None
    card = reading.cards[-1]
    face = bank.patterns[MIDDLE][card.faces[0][0]].detail
    seen = under(column.detail, laid(card.place, MIDDLE), card_px(MIDDLE))
    end = round(END * MIDDLE)
    return alike(seen, face), alike(seen[end:], face[end:])


def another_is_whole(bank: Bank, column: Column, reading: ColumnReading) -> bool:
    """Whether on a patterned table some card of the deck goes so much better with all of what is seen somewhere in a
    column than its uppermost card does where that lies, and so badly does the lower part of that, that the uppermost
    one is another. `reading`: with its `uppermost_fit`."""
    if not column.patterned or reading.uppermost_fit is None:
        return False
    fit, lower = reading.uppermost_fit
    badly, better, least = OTHER_UPPERMOST
    return lower < badly and best_fit(bank, column) > max(fit + better, least)


def best_fit(bank: Bank, column: Column) -> float:
    """How well the print of that card of the deck that goes best goes with anything in a column, -1..1, either way
    round."""
    side, top = round((SIDE - ASIDE) * MIDDLE), max(0, round((ABOVE - BEFORE) * MIDDLE))
    window = card_px(COARSE)
    seen = np.asarray(cv2.blur(column.detail[top:, side:-side], (2, 2)), dtype=np.float32)
    h, w = seen.shape[0] // 2, seen.shape[1] // 2
    if h <= window[1] or w <= window[0]:
        return 1.0
    found: list[tuple[float, int, Placed]] = []
    for turn in TURNS:
        theta = math.radians(turn)
        c, s = math.cos(theta), math.sin(theta)
        # About the middle, and every second pixel.
        mx, my = (seen.shape[1] - 1) / 2, (seen.shape[0] - 1) / 2
        matrix = np.array(
            [[2 * c, -2 * s, mx - c * (w - 1) + s * (h - 1)], [2 * s, 2 * c, my - s * (w - 1) - c * (h - 1)]]
        )
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        image = cv2.warpAffine(seen, matrix, (w, h), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        for face, fit in enumerate(correlations(bank.whole_cards, np.asarray(image, dtype=np.float32), window)):
            y, x = divmod(int(fit.argmax()), fit.shape[1])
            px, py = (matrix @ (x, y, 1)).tolist()
            # The blur and the two pixels that became one lie half a pixel off each.
            place = Placed(px + side - 0.5 - 0.5 * (c - s), py + top - 0.5 - 0.5 * (s + c), theta)
            found.append((float(fit[y, x]), face, place))
    found.sort(key=lambda one: -one[0])
    laid = (bank.aligner_of_all(face).lay(column.detail, place) for _, face, place in found[:REFINED])
    return max(fit for _, fit in laid)


def alike(seen: cv2.typing.MatLike, face: Grey) -> float:
    """Correlation of two details of one size."""
    flat = np.asarray(seen).ravel()
    # Of one colour to the bit it is like nothing.
    if np.ptp(flat) == 0:
        return 0.0
    a, b = (each - each.mean() for each in (flat, face.ravel()))
    return float(a @ b) / max(math.sqrt(float(a @ a) * float(b @ b)), 1e-12)
