"""Cards that other explanations of a column tell otherwise where they lie.

What glare hides is told with a face in mind: where that face is light, a shine looks like its print. Each explanation
has faces of its own in mind, so that what they say of one card tells how far it hangs on that.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from vision.cards.classify import Judged
from vision.cards.discontent import lead_of
from vision.cards.lead import SIXES, either
from vision.cards.templates import CARD_W, FINE, Bank

GOES_TOO: Final = 0.55
"""Match from which another face that was told there leaves a card in doubt. On 320 photographs, 2,800 cards, another
explanation told another print so well of three: of an A1 whose header a shine hid, and that was an A6 for certain
because the A6's title lies where the shine's edge lay, and of two that were in doubt already."""
AS_WELL: Final = 0.05
"""By how much worse another face may go there to leave one in doubt that bears text."""
AS_LIKELY: Final = 1.0
"""Nats by which it must lead that one besides, where it was told. An S5 through whose title a line shone went at 0.79,
and as an A5 at 0.72; an A2 at 0.52, and at 0.75 as an L2 that led the A2 by 0.2. Of 496 photographs only those two, and
two 6s that were none, were in doubt by another explanation."""
SAME_PLACE: Final = 2.0
"""How far apart two places of one card may lie, mm."""
CROSSED: Final = (7.0, 9.5, 0.7)
"""Where another face was told less than the first of these further up or down than a card, mm, which leaves no room for
both, leads by the second, nats, and by more than the card's own, and goes with what is seen by the third, one of the
two is wrong: an L6 whose title was plain in one account was a back at 0.999 in the one that begged least, 6.6 mm higher
up, and the table was in doubt by a hair."""
SHOWS_ALIKE: Final = 6.0
"""By how much what shows of it may differ, mm: a card that is taken to lie clear shows what covers it."""


def contested(bank: Bank, cards: Iterable[Judged], told: Iterable[Judged]) -> tuple[Judged, ...]:
    """The cards of a column; one is told by both where something else was told of the same place, that has another
    print than its best face and goes with it, too. `told`: what was judged of the column, in all ways of explaining it.
    """
    others, cards = list(told), tuple(cards)
    # What lies elsewhere for certain contests nothing.
    here = {card.faces[0][0] for card in cards}
    crossing = [other for other in others if other.faces[0][0] not in here and _is_plain(other)]
    return tuple(_crossed(_contested(bank, card, others), crossing) for card in cards)


def _is_plain(card: Judged) -> bool:
    return card.match >= CROSSED[2] and lead_of(card) >= CROSSED[1]


def _crossed(card: Judged, others: Iterable[Judged]) -> Judged:
    """The card, told by both where another one was told more plainly so near that only one of them can lie there."""
    _, y = card.place.point(*_MIDDLE)
    for other in others:
        further = abs(other.place.point(*_MIDDLE)[1] - y)
        if further < CROSSED[0] * FINE and lead_of(other) > lead_of(card):
            return replace(card, faces=either(card.faces, other.faces))
    return card


def _contested(bank: Bank, card: Judged, others: Iterable[Judged]) -> Judged:
    face, count = card.faces[0][0], bank.count
    x, y = card.place.point(*_MIDDLE)
    for other in others:
        best = other.faces[0][0]
        if other.match < GOES_TOO or best == face or abs(other.visible - card.visible) > SHOWS_ALIKE:
            continue
        if bank.same_header(face, best):
            # Of one print: colour tells them apart, together with all cards of the table.
            continue
        if (face % count not in SIXES or best % count in SIXES) and _goes_worse(card, other):
            continue
        there = other.place.point(*_MIDDLE)
        if math.dist((x, y), there) < SAME_PLACE * FINE:
            return replace(card, faces=either(card.faces, other.faces))
    return card


def _goes_worse(card: Judged, other: Judged) -> bool:
    """Whether the other face goes plainly less well there, or is hardly told from this one. A 6 bears no text, so that
    whatever hides print makes a card go well with it; for other faces, and for one 6 against another, print speaks that
    is seen."""
    trails = dict(other.faces).get(card.faces[0][0], math.inf)
    return other.match < card.match - AS_WELL or trails < AS_LIKELY


_MIDDLE: Final = (CARD_W / 2, 10 * FINE)

__all__ = ["contested"]
