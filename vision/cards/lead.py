"""By how much one face leads another where both were held against a card, and what speaks against that."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.cards.column import Column
from vision.cards.headers import header_costs
from vision.cards.similarity import DETAIL_WEIGHT, ENOUGH, HUE_WEIGHT, MOST_ALIKE
from vision.cards.templates import Bank
from vision.geometry.align import Placed
from vision.profile import FACES

NOISE: Final = 2.0
"""How much more a nat counts between two faces that noise alone keeps from matching."""
CLEAR_RHO: Final = 0.9
"""Correlation of a card with its own face in good light."""
CLEAR_LOG: Final = float(-np.log(1 - CLEAR_RHO**2))
MOST_LIFT: Final = 6.0
"""Nats by which that may add to a lead, at most: a veil has edges and shapes of its own."""
CELLS: Final = 1.5
"""Independent comparisons in a mm² of print."""
LED_PLAINLY: Final = 25.0
"""Nats from which a lead is not asked about further: it saves the time, and no face that was wrong led by more on the
thousands of drawn tables whose failures were looked at."""
SURELY_ITS_OWN: Final = 4.0
"""What of a strip is left out at its lower end, mm: what covers a card may lie that much higher than was thought."""
HEADER_ROWS: Final = (8.0, 20.0)
"""Least and most rows of a header that are compared by themselves, mm."""

FAR_CLEAR: Final = 14.0
"""Nats by which a header may trail and still be held against the card in full, where nothing shines and the card was
found by that very header: in full it would trail by twice that, mostly."""
LED_BY_HEADER: Final = (0.95, 20.0)
"""A card that goes worse than this with the best face is held against the next ones, too, unless their headers trail
by so many nats: through a poor webcam an A2's header, laid where an L2's goes best, trailed that by 16, and it was an
L2 at 0.93 for certain; held itself, it went with the card at 0.97. Of 1,374 cards on photographs 68 are so."""

HUE_FREE: Final = 0.2
"""How much more the best face's hue may be off than another's, squared and in spreads."""
OTHER_HUE: Final = 20.0
"""Nats that its lead loses for each spread more, if nothing shines. Of 6,300 cards read rightly (770 photographs and
path-traced tables in rooms) those whose hue was further off than that of a face of another print led it by 18 nats or
more then; an S6 through whose title a line shone had been an A6 at 0.996 with 8, by 0.36 spreads more."""

GLARING: Final = 0.55
"""What a nat counts at least where glare hides much of a back."""
GLARING_FACE: Final = (0.3, 0.7)
"""The same of a face whose print goes no better than the first of `GLARING_PRINT`, and better than the second: blown
out, one face looks like another. On photographs of 25 decks and 186 drawn tables full of glare 7 of 13 faces below the
first were wrong, and 1 of 91 above the second. Such a card takes 8 nats to be acted upon."""
GLARING_PRINT: Final = (0.45, 0.7)
"""Correlations of detail: of a card that is told by how bright it is alone, and of one whose print is seen, too. With
0.6 as the second an L6 of which a lamp spared half of the title, too dark for more, was an A6 at 0.95, by 0.58."""
WELL_SPARED: Final = 0.9
"""Unless what is spared matches so well: of 8 such cards with a lead of 4 to 12 nats none was read wrong."""
HUE_AGAINST: Final = (0.45, 0.75, 1500.0, 0.2)
"""Squared error of hue from which the best face is hardly the card's under such glare, where its print goes no better
than the second and no more of it is seen, mm², than the third; and what a nat counts then. Of an L6 a lamp had left the
rim, whose shapes went with an L4 at 0.72: it was certain, by 10 nats. Of six cards on 1,300 photographs and path-traced
tables that were so, and whose header was not plain, four were another face."""
SIXES: Final = tuple(k for k, face in enumerate(FACES) if face.endswith("6"))
"""The faces that bear no text in any edition."""
BADLY_SIX: Final = (0.75, 0.62)
"""Correlations with one of them below which a card may be another, and where it lies clear and something shines on it:
an uppermost back under glare, seen through a cheap camera, was an A6 at 0.997 that it went with by 0.56, and an S3 of
which a lamp on its sleeve left the rim an S6 at 0.954, by 0.41. Of seven so that were a 6 one led by less than 10 nats
and is in doubt for it."""
TEXT_HIDDEN: Final = 10.0
"""Nats by which one of them may lead there by chance. Of 8,300 cards, half of them through cheap cameras, five that
were told for certain to be a 6 and went with it worse than the first of these were none: they led by 4 to 9.9 nats, as
six that were one did."""
HIDDEN_COUNTS: Final = 0.2
"""What a nat of such a lead counts."""
HUE_HIDDEN_COUNTS: Final = 0.5
"""The same of a lead over a face of the same print, where too little is seen for their hues to be compared. Of 4,160
cards of sixteen decks, half of them through cheap cameras, two Maneuvers were so: an A3 under glare was an S3 at 0.947,
by 3.6 nats."""
HUE_RIGHT: Final = 2.0
"""Squared error of hue, in spreads, that the right face stays below."""
PLAIN_RHO: Final = (0.8, 0.95)
"""Correlation of detail from which no other card than this, or one of the same print, can be meant; and surely."""
HUE_ROOM: Final = 6.0
"""How much more an error of hue may then be, squared and in spreads."""
LEAST_WEIGHT: Final = 1e-40
"""Likelihoods below this are as good as none."""


@dataclass(frozen=True, slots=True)
class HeldFace:
    """A face held against a card."""

    face: int
    nats: float
    """How unlike they are."""
    place: Placed
    """Where the face lies best."""
    visible: float
    rho: float
    """Correlation of detail."""
    match: float
    """The same, with what glare spares."""
    hue_error: float
    area: float
    """Print that was compared, mm²."""


def trails_in_print(tried: Sequence[HeldFace]) -> list[tuple[int, float]]:
    """Held faces of one card on which nothing shines, with the nats by which they trail in print, their hues apart."""
    nats = [held.nats - HUE_WEIGHT * min(1.0, held.area / ENOUGH) * held.hue_error for held in tried]
    best = tried[nats.index(min(nats))]
    surer = _surer(best) if best.rho > 0.45 else 1.0
    return [(held.face, surer * (its - min(nats))) for held, its in zip(tried, nats, strict=True)]


def lead(best: HeldFace, other: HeldFace, veiled: bool) -> float:
    """Nats by which the best face leads another: in doubt where print is for the one and hue for the other, unless a
    veil over them has a hue of its own."""
    led = _lead(best, other, veiled)
    off = best.hue_error - other.hue_error - HUE_FREE
    return max(led - OTHER_HUE * off, 0.0) if off > 0 and not veiled else led


def _lead(best: HeldFace, other: HeldFace, veiled: bool) -> float:
    """The same by how unlike each of them and the card are, print and hue together."""
    led = other.nats - best.nats
    # Where nothing shines, what stays unexplained is noise, and noise is independent from pixel to pixel: a difference
    # in correlation then tells more than where it is print badly matched.
    if best.rho > 0.45 and best.hue_error < 2.0 and not veiled:
        return _surer(best) * led
    if best.rho <= 0:
        return led
    if other.rho >= best.rho:
        # Part by part the one goes better with the card, all of it together the other one: neither is certain.
        against = np.log((1 - min(best.rho, MOST_ALIKE) ** 2) / (1 - min(other.rho, MOST_ALIKE) ** 2))
        return max(led - DETAIL_WEIGHT * float(against), 0.0)
    # A veil or noise lowers all correlations alike (Spearman's attenuation, 1904): they count as if the best one's were
    # what it is in good light, as far as chance cannot explain by how much it leads.
    lift = max(CLEAR_RHO / best.rho, 1.0)
    there = np.log((1 - (lift * other.rho) ** 2) / (1 - (lift * best.rho) ** 2)) if other.rho > 0 else CLEAR_LOG
    here = np.log((1 - max(other.rho, 0) ** 2) / (1 - best.rho**2))
    chance = 0.5 * (best.rho - max(other.rho, 0)) ** 2 * min(best.area, other.area) * CELLS
    return led + float(min(max(DETAIL_WEIGHT * (there - here), 0.0), chance, MOST_LIFT))


def _surer(best: HeldFace) -> float:
    """How many times more a lead tells where what stays unexplained is noise."""
    return 1 + NOISE * (1 - best.rho * best.rho)


def counts_under_glare(best: HeldFace, back: bool) -> float:
    """What a nat of the best face's lead counts where glare hides much of the card. `back`: that face is the back."""
    if best.match >= WELL_SPARED:
        return 1.0
    counts = float(np.interp(best.rho, GLARING_PRINT, GLARING_FACE))
    hue, print_goes, area, less = HUE_AGAINST
    if best.hue_error > hue and best.rho < print_goes and best.area < area:
        counts *= less
    return max(counts, GLARING) if back else counts


def led_by_first(tried: Sequence[HeldFace]) -> list[tuple[int, float]]:
    """Faces that were held against a veiled card with the nats by which they trail the first of them."""
    return [(held.face, lead(tried[0], held, True)) for held in tried]


def unless_text_is_hidden(
    led: Sequence[tuple[int, float]], best: int, match: float, shone_on: bool
) -> list[tuple[int, float]]:
    """Faces with the nats by which they trail the best one on a card that goes with it badly, by `match`, where that
    bears a title and no text: where print is hidden or washed out, a card goes well with a face that has little, and a
    line that shines is as good as a title. `shone_on`: something shines on the card, and none covers it; `match` is
    then of its print alone, for of a face that has little, what glare spares looks like others'."""
    certain = best not in SIXES or len(led) < 2 or led[1][1] >= TEXT_HIDDEN
    if certain or match >= BADLY_SIX[shone_on]:
        return list(led)
    return [(face, HIDDEN_COUNTS * trails) for face, trails in led]


def unless_hue_is_hidden(led: Sequence[tuple[int, float]], alike: Collection[int]) -> list[tuple[int, float]]:
    """Faces with the nats by which they trail on a card of which too little is seen to compare the hues of faces of one
    print: those, `alike`, are told apart by half. `led`: the likeliest, one of them, first."""
    return less_apart(led, alike, HUE_HIDDEN_COUNTS) if len(alike) > 1 else list(led)


def less_apart(led: Sequence[tuple[int, float]], alike: Collection[int], counts: float) -> list[tuple[int, float]]:
    """Faces with the nats by which they trail, likeliest first, where a nat of some of them, `alike`, counts less."""
    told = [(face, counts * trails if face in alike else trails) for face, trails in led]
    return sorted(told, key=lambda one: one[1])


def match_by_hue(match: float, best: HeldFace) -> float:
    """How well the best face goes with a card, its hue told, too. `match`: how well its print does."""
    # Print that goes together on a card of another colour is another card's; but if it goes together wholly, the
    # light is odd: faces of the same print are then told apart by which is nearest in colour.
    plain = min(max((best.rho - PLAIN_RHO[0]) / (PLAIN_RHO[1] - PLAIN_RHO[0]), 0.0), 1.0)
    return match / (1 + max(0.0, best.hue_error - HUE_RIGHT - HUE_ROOM * plain) / HUE_RIGHT)


def either(one: Sequence[tuple[int, float]], other: Sequence[tuple[int, float]]) -> tuple[tuple[int, float], ...]:
    """Faces with their distance from the likeliest, nats, where either of two such lists may be right."""
    weights: dict[int, float] = {}
    for faces in (one, other):
        total = sum(math.exp(-nats) for _, nats in faces)
        for face, nats in faces:
            weights[face] = weights.get(face, 0.0) + math.exp(-nats) / total
    most = max(weights.values())
    ranked = sorted(weights.items(), key=lambda item: -item[1])
    return tuple((face, math.log(most / max(weight, LEAST_WEIGHT))) for face, weight in ranked)


def contradicted(
    bank: Bank, column: Column, led: Sequence[tuple[int, float]], tried: Sequence[HeldFace], strip: float
) -> tuple[list[tuple[int, float]], HeldFace]:
    """Faces with the nats by which they trail on a card of which `strip` mm show, likeliest first, and the first of
    them: where the upper rows of a card speak for another face than all that was taken to show of it, they take from
    the lead.

    What covers a card may lie a few millimetres higher than was thought: what is seen there is not the card's, and can
    go with the wrong face by chance. An S4 whose lower end was covered so went as an L4 by 9 nats, while its upper rows
    led by 17. Each face's rows are compared where that face lies best, so that none is favoured.
    """
    held = {one.face: one for one in tried}
    close = [held[face] for face, by in led if by < LED_PLAINLY and face in held]
    if len(close) < 2:
        return list(led), held[led[0][0]]
    rows = min(max(strip - SURELY_ITS_OWN, HEADER_ROWS[0]), HEADER_ROWS[1])
    upper = {one.face: _by_header(bank, column, one, rows) for one in close}
    first = upper[led[0][0]]
    told = [(face, by + min(upper.get(face, first) - first, 0.0)) for face, by in led]
    told.sort(key=lambda one: one[1])
    least = told[0][1]
    return [(face, by - least) for face, by in told], held[told[0][0]]


def _by_header(bank: Bank, column: Column, held: HeldFace, rows: float) -> float:
    """How unlike a face's first `rows` mm and what lies where it was held best are, nats."""
    way = held.face - held.face % bank.count
    return float(header_costs(column, bank, slice(way, way + bank.count), held.place, rows)[held.face - way])


__all__ = [
    "CLEAR_RHO",
    "FAR_CLEAR",
    "LED_BY_HEADER",
    "HeldFace",
    "contradicted",
    "counts_under_glare",
    "either",
    "lead",
    "led_by_first",
    "less_apart",
    "unless_hue_is_hidden",
    "unless_text_is_hidden",
]
