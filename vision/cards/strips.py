"""What shows of a covered card, and whether it is that one card: where much shows, another may lie in it.

People leave 31 mm of a covered card at most. Where more shows there is room for two cards, and a back may lie on a back
unseen; so such a card counts for certain only where its own print goes on through all that shows of it, more plainly
than the print of any card that might lie there could look like it.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.appearance import laid, tones_under
from vision.cards.candidates import STRIPS, Candidate
from vision.cards.column import Column
from vision.cards.templates import CARD_H, CARD_W, FINE, MIDDLE, Bank, card_px
from vision.geometry.align import Placed, grey, local_contrast
from vision.types import Grey

ROOM_FOR_TWO: Final = (31.5, 70.0)
"""A covered card of which this much shows, mm, has room for two: people leave 31 mm at most, and a lamp can blow a
whole strip out."""
PART: Final = 8
"""Rows of print that are compared at a time, mm: a hidden card would show so much of itself and more."""
RIM: Final = 3
"""Of both sides left out, mm: the card may be laid a little off."""
PLAIN: Final = 0.6
"""Correlation of each part with the card's own print from which it is plainly seen there. Of 53 covered backs
of two path-traced decks, in all kinds of light, three in four reach 0.70; the three with room for two 0.84 to 0.93."""
BETTER: Final = 0.1
"""By how much it must be more than what the header of another card reaches there: backs of chevrons that repeat,
with a number in their corner, reach 0.69 on each other."""
ASIDE: Final = 12
"""How far sideways another card may lie, mm."""
LOOSE_PRINT: Final = 0.9
"""Correlation below which print is a worse guide to how a card is turned than its edges."""


def shown(column: Column, place: Placed, above: tuple[Candidate, ...]) -> NDArray[np.float32]:
    """1 where a card is not covered by those above it, (176, 127) float32, a millimetre's margin taken off.

    A card covers what lies under its edges, too, where its print laid it a little askew: of it nothing is another
    card's print.
    """
    mask = np.ones((CARD_H, CARD_W), np.float32)
    rim = 1.0 * FINE
    corners = np.array([[-rim, -rim], [CARD_W + rim, -rim], [CARD_W + rim, CARD_H], [-rim, CARD_H]])
    for card in above:
        for lies in (card.place, column.on_edges(card.place) if card.match < LOOSE_PRINT else None):
            if lies is not None:
                quad = place.points_within(lies.points(corners))
                cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 0.0)
    return mask


def goes_on(bank: Bank, column: Column, place: Placed, face: int, shows: NDArray[np.float32]) -> bool:
    """Whether the print of `face` goes on through all that is seen of a card at `place`. `shows`: (176, 127) at `FINE`,
    1 where nothing covers it."""
    whole = shows[:, RIM * round(FINE) : -RIM * round(FINE)].min(1) > 0
    rows = round((len(whole) if whole.all() else int(whole.argmin())) * MIDDLE / FINE)
    first = round(STRIPS[0] * MIDDLE)
    if rows < first + PART:
        return False
    seen = tones_under(column.wide, laid(place, MIDDLE), card_px(MIDDLE))
    # Cut off before their detail is taken, for what lies on the card is none of its surroundings.
    detail, known = _detail(grey(seen)[:rows]), _detail(grey(bank.patterns[MIDDLE][face].roots)[:rows])
    parts = [_alike(detail[at : at + PART], known[at : at + PART]) for at in range(first, rows - PART + 1)]
    least = min(parts)
    return least > PLAIN and least > _most_like(bank, face, rows, least - BETTER) + BETTER


def _detail(luma: Grey) -> Grey:
    return local_contrast(np.ascontiguousarray(luma), round(7 * MIDDLE) | 1)


def _alike(one: Grey, other: Grey) -> float:
    """Correlation of two pieces of print."""
    a, b = one[:, RIM:-RIM].ravel(), other[:, RIM:-RIM].ravel()
    a, b = a - a.mean(), b - b.mean()
    return float(a @ b) / float(np.sqrt((a @ a) * (b @ b)) + 1e-6)


def _most_like(bank: Bank, face: int, rows: int, enough: float) -> float:
    """The most that the upper end of any card laid on a face looks like the face's own print there, -1..1; once it is
    `enough`, no more of them are tried."""
    own = bank.patterns[MIDDLE][face].detail[round(STRIPS[0] * MIDDLE) : rows]
    padded = cv2.copyMakeBorder(own, 0, 0, ASIDE, ASIDE, cv2.BORDER_REFLECT)
    tops = (pattern.detail[:PART, RIM:-RIM] for pattern in bank.patterns[MIDDLE])
    most = -1.0
    for top in tops:
        most = max(most, float(cv2.matchTemplate(padded, top, cv2.TM_CCOEFF_NORMED).max()))
        if most >= enough:
            break
    return most


__all__ = ["ROOM_FOR_TWO", "goes_on", "shown"]
