"""How much of a column's explanation begs for another one: what of its cards and of its shape is left in doubt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Protocol, TypeVar

from vision.cards.classify import Judged
from vision.cards.comparison import ODD_HUE

WEAK: Final = 0.45
"""A card whose print goes with its best face no better than this may be another one. What goes better is sure if its
lead is (`calibration.FITTED`): a card that would be in doubt does not end the search for what else is seen of it."""
CLEAR_MARGIN: Final = 1.5
"""Margin of a chain, mm, that leaves no doubt about how many cards there are."""
CLOSE_LEAD: Final = 1.0
"""Lead of a face, nats, below which another one is as good."""
PLAIN_PRINT: Final = 0.6
"""Match of a card whose print is plainly seen."""
CLEAR_LEAD: Final = 6.0
"""Lead of a face, nats, that leaves no doubt about which card it is."""
FAR_LEAD: Final = 15.0
"""Lead of a face, nats, that leaves no doubt about which card it is even if its colour is off."""
PLAIN_FACE: Final = 0.8
"""Match of a card in doubt whose print is plainly seen: what its face leaves open, no other place will tell."""
WRONG_WAY: Final = 0.5
"""Doubts that a card the wrong way round is worth: no explanation with one is better than what begs for less."""
TWO: Final = 1.0
"""Doubts that a card is worth in which another may lie."""


def lead_of(card: Judged) -> float:
    return card.faces[1][1] if len(card.faces) > 1 else 99.0


def is_close(card: Judged) -> bool:
    """Whether another face is nearly as good."""
    return lead_of(card) < (CLOSE_LEAD if card.match > PLAIN_PRINT else CLEAR_LEAD)


def is_plain(card: Judged) -> bool:
    """Whether a card's print is plainly seen, the more plainly if its face or its colour is in doubt."""
    lead = lead_of(card)
    # In an odd light no other place brings the colour right; print that leads far tells the face without it.
    odd = card.hue_error > ODD_HUE
    return card.match > (PLAIN_FACE if odd or lead < CLEAR_LEAD else WEAK) and not (odd and lead < FAR_LEAD)


def shape_begs(unread: bool, hidden: bool, margin: float) -> float:
    """How much of a column begs for another explanation whatever its cards are."""
    return 5.0 * unread + 3.0 * hidden + min(max(CLEAR_MARGIN - margin, 0.0), CLEAR_MARGIN) / CLEAR_MARGIN


def card_begs(card: Judged, upright: int) -> float:
    """How much of a card begs for another explanation: 0 where it is told apart."""
    close = min(max(CLEAR_LEAD - lead_of(card), 0.0), CLEAR_LEAD) / CLEAR_LEAD
    weak = 2.0 * min(max((WEAK - card.match) / WEAK, 0.0), 1.0)
    strange = min(max(card.hue_error / ODD_HUE - 1, 0.0), 1.0)
    return close + weak + strange + WRONG_WAY * (card.faces[0][0] >= upright) + TWO * card.may_be_two


class _Begging(Protocol):
    """An explanation, and how much of it begs for another."""

    @property
    def least(self) -> float:
        """What `begs` is at least."""

    def begs(self, most: float) -> float:
        """How much; something greater than `most` if it is more than that."""


_Tried = TypeVar("_Tried", bound=_Begging)


def best_explanation(tries: Sequence[_Tried]) -> _Tried:
    """The first of those that beg for another explanation least. What cannot be the one is not judged."""
    return least_begging(tries, math.inf) or tries[0]


def least_begging(tries: Sequence[_Tried], most: float) -> _Tried | None:
    """The same, of those that beg for less than `most`; None if all beg for more."""
    best, least = None, most
    for one in sorted(tries, key=lambda one: one.least):
        begs = one.begs(least)
        if begs < least or (best is not None and begs == least and tries.index(one) < tries.index(best)):
            best, least = one, begs
    return best


__all__ = [
    "CLEAR_LEAD",
    "CLEAR_MARGIN",
    "WEAK",
    "WRONG_WAY",
    "best_explanation",
    "card_begs",
    "is_close",
    "is_plain",
    "lead_of",
    "least_begging",
    "shape_begs",
]
