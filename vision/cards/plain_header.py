"""Cards whose header is plainly seen, whatever glare hides of the rest: it tells which they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.cards.column import Column
from vision.cards.headers import header_costs
from vision.cards.lead import HeldFace, unless_text_is_hidden
from vision.cards.templates import FINE, LAY_MM, TITLE_MM, Bank
from vision.geometry.align import Placed

PLAIN_HEADER: Final = (0.75, 0.85)
"""Correlations of detail from which a header is seen, and seen plainly."""
NO_OTHERS: Final = (0.1, 0.05)
"""How much less than that any other print must go with what is seen there. On 328 photographs of twenty decks, 2,764
cards, of all of which headers were compared, none that went so was another card's, of 1,822 and 1,680."""
HEADER_LEADS: Final = 8.0
"""Nats by which one that is not plainly seen must lead besides, print and hue together: an A2 and an S3 under a shine
went as 6s, which bear no text, with 0.76 and 0.77, and these led by less than 7."""
HEADER_TELLS: Final = 10.0
"""Nats by which other print trails then at least."""
TITLE: Final = ((0.85, 0.08), (0.7, 0.15))
"""Correlations of a title from which it is read where glare hides what is below it, and how much less any other print
must go with what is seen there. Of 786 cards under glare on 360 photographs of ten decks 449 went at 0.7 or more, and
on none of them another one's title went better."""
TITLE_PRINT: Final = 0.002
"""Mean square of detail that a face must have there to be read by it."""
ROUNDS: Final = 2
"""Steps in which each header is laid on what is seen: none is cut quite alike."""


def plain_header(bank: Bank, column: Column, held: HeldFace, strip: float) -> float:
    """Correlation of a face's header, or of its title alone, where it was held against a card of which `strip` mm show,
    if that is plainly seen and no other face's print is; else 0."""
    if held.face >= bank.count:
        return 0.0
    return _whole_header(bank, column, held, strip) or _title(bank, column, held)


def _title(bank: Bank, column: Column, held: HeldFace) -> float:
    """The same by the title alone; 0 for a back, which bears none: its figure is a face's, too."""
    if held.face == bank.back:
        return 0.0
    above, below = (round(mm * FINE) for mm in TITLE_MM)
    if float(np.square(bank.patterns[FINE][held.face].detail[above:below]).mean()) < TITLE_PRINT:
        return 0.0
    there = Placed(*held.place.point(0.0, above), held.place.turn)

    def goes(face: int) -> float:
        return bank.title_aligner(face).lay(column.fine_detail, there, ROUNDS)[1]

    match = goes(held.face)
    by = next((lead for least, lead in TITLE if match >= least), None)
    if by is None:
        return 0.0
    others = (face for face in range(bank.count) if not bank.equal_headers[held.face][face])
    return 0.0 if any(goes(face) > match - by for face in others) else match


def _whole_header(bank: Bank, column: Column, held: HeldFace, strip: float) -> float:
    """The same by all of the header."""
    length = LAY_MM[1] if strip >= LAY_MM[1] - 1 else LAY_MM[0]
    match = _goes(bank, column, held.face, held, length)
    if match < PLAIN_HEADER[0]:
        return 0.0
    plain = match >= PLAIN_HEADER[1]
    others = [face for face in range(bank.count) if not bank.equal_headers[held.face][face]]
    if any(_goes(bank, column, face, held, length) > match - NO_OTHERS[plain] for face in others):
        return 0.0
    if plain:
        return match
    costs = header_costs(column, bank, slice(0, bank.count), held.place, length)
    return match if min(costs[others]) - costs[held.face] >= HEADER_LEADS else 0.0


def by_plain_header(
    bank: Bank, column: Column, led: Sequence[tuple[int, float]], tried: Sequence[HeldFace], strip: float
) -> tuple[list[tuple[int, float]], HeldFace, float]:
    """Faces with the nats by which they trail, likeliest first; the best of those `tried`, which were held against a
    card of which `strip` mm show; and `plain_header` of that one.

    Where another one's header is plainly seen, and that of the first is not, the card is that: what was taken for glare
    had hidden an L6's title, and an A6 led by 14 nats, though anybody could read it.
    """
    best = tried[0]
    header = plain_header(bank, column, best, strip)
    if header or best.face >= bank.count:
        return list(led), best, header
    for held in tried[1:]:
        if held.face >= bank.count or bank.equal_headers[best.face][held.face]:
            continue
        header = plain_header(bank, column, held, strip)
        if header >= PLAIN_HEADER[1]:
            first = dict(led).get(held.face, 0.0)
            return sorted(((face, max(nats - first, 0.0)) for face, nats in led), key=_trails), held, header
    return list(led), best, 0.0


def _trails(one: tuple[int, float]) -> float:
    return one[1]


def _goes(bank: Bank, column: Column, face: int, held: HeldFace, length: float) -> float:
    return bank.aligner(face, length).lay(column.fine_detail, held.place, ROUNDS)[1]


def told_by_header(
    bank: Bank, led: Sequence[tuple[int, float]], best: HeldFace, header: float, shone_on: bool
) -> list[tuple[int, float]]:
    """Faces with the nats by which they trail the best one, likeliest first, of a card whose header is plainly seen if
    `header`, its correlation, is above 0; otherwise a face that bears no text is in doubt. `shone_on`: as in
    `lead.unless_text_is_hidden`."""
    if header <= 0:
        return unless_text_is_hidden(led, best.face % bank.count, best.rho if shone_on else best.match, shone_on)
    alike = bank.equal_headers[best.face % bank.count]
    told = [(face, nats if alike[face % bank.count] else max(nats, HEADER_TELLS)) for face, nats in led]
    return sorted(told, key=_trails)


__all__ = ["by_plain_header", "told_by_header"]
