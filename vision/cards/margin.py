"""How surely a column has so many cards, once they were judged: how much more costs what else would explain it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from vision.cards.candidates import Candidate
from vision.cards.chain import Chain
from vision.cards.classify import Judged
from vision.cards.discontent import CLEAR_MARGIN, card_begs
from vision.cards.templates import Bank

PLAIN_END: Final = 0.8
"""Match of a face that is plainly seen just there: of an uppermost one the lower end need not be seen."""
BACK_PLAINER: Final = 0.15
"""By how much more than with its own print further on a back must match."""
HEADER_SEEN: Final = (0.7, 0.5)
"""Correlation of an uppermost back's header, and match of all that shows of it, that tell where it ends, if"""
HEADER_PLAINER: Final = 0.35
"""that header is this much less like anything further down on a back. Of four decks' photographs three backs under a
lamp were in doubt without it, all three rightly read; of repeating backs, of which it says nothing, two were wrong.
With 0.8 as the least correlation of the header three white backs on a white mat, whose rings are too faint to be seen,
were in doubt with 0.75 to 0.78; of 200 photographs of twelve decks no other place is told otherwise with 0.7."""

HARDLY_THERE: Final = (2.0, 0.7)
"""Cards that explain a column by no more than this better than the bare table does, mm each, lie there for certain only
if all of them match better than this: two backs nearly of a mat's colour, under a glare whose lower edge was taken for
a card's end, were one for certain, by 1.5 and at 0.65. Of 2,017 columns of photographs one has less than the first, two
backs of the mat's colour that match at 0.73."""


def margin_by_end(chain: Chain, top: Judged | None, bank: Bank) -> float:
    """How much more the best chain of another shape costs, mm. `top`: the uppermost card."""
    if not chain.endless or (top is not None and (_plain_print(top, bank) or _header_seen(chain.cards[-1], top, bank))):
        return chain.margin
    return 0.0


def hardly_there(chain: Chain, cards: Iterable[Judged]) -> bool:
    """Whether the cards of a chain explain hardly more than the bare table does (`HARDLY_THERE`)."""
    little = -chain.cost < HARDLY_THERE[0] * len(chain.cards)
    return little and any(card.match < HARDLY_THERE[1] for card in cards)


def margin_of(chain: Chain, cards: Sequence[Judged], bank: Bank) -> float:
    """The same where all cards of a chain were judged: those whose print is plainly seen lie there, whatever explains
    the column otherwise. 0 where they are hardly there (`HARDLY_THERE`)."""
    if hardly_there(chain, cards):
        return 0.0
    margin = margin_by_end(chain, cards[-1] if cards else None, bank)
    if margin >= CLEAR_MARGIN or margin < chain.margin:
        return margin
    there = [k for k, card in enumerate(cards) if _plain_print(card, bank) and card_begs(card, bank.count) == 0]
    return chain.margin_with(there)


def _plain_print(card: Judged, bank: Bank) -> bool:
    """Whether a card's print is plainly seen just there: a repeating back fits again one repeat further on; a face does
    not, nor does a back that goes with what is seen better than with itself further on."""
    back = card.faces[0][0] == bank.back
    return card.match - card.spared > (max(PLAIN_END, bank.back_repeats + BACK_PLAINER) if back else PLAIN_END)


def _header_seen(card: Candidate, judged: Judged, bank: Bank) -> bool:
    """Whether an uppermost back's header is plainly seen just there, and nothing further down on a back is like it:
    then its end lies where it must, even if glare leaves little of the print below."""
    plain = card.match > max(HEADER_SEEN[0], bank.back_repeats + HEADER_PLAINER)
    return card.face == bank.back == judged.faces[0][0] and plain and judged.match > HEADER_SEEN[1]


__all__ = ["hardly_there", "margin_by_end", "margin_of"]
