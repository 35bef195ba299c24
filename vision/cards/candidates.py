"""Where cards may lie in one column, and how well each face explains what is seen there.

Single cards cannot be cut out where they overlap, and repeating back patterns fool key points. So: every enrolled
header is laid over the column, each likely place is refined and weighed row by row against the bare table. Where glare
or short strips leave no print, the edges of cards give the places. `vision.cards.chain` then picks the cards.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.cards.appearance import Costs, at_fine, at_middle, row_costs, under_card
from vision.cards.column import FIRST, Column
from vision.cards.headers import MORE_TURNS, HeaderSearch, fits_around, header_costs
from vision.cards.outline import cards_by_end, ends_there, faint_cards
from vision.cards.table_beside import ABOVE
from vision.cards.templates import CARD_W, FINE, HEAD_MM, LAY_MM, MIDDLE, Bank
from vision.geometry.align import (
    Placed,
    Point,
    apart,
)
from vision.geometry.table import CARD
from vision.types import Grey

LEAST_FIT: Final = 0.33
"""Correlation below which no header lies there."""
PLAIN_FIT: Final = 0.45
"""Correlation around a place of the coarse search below which no header is plainly seen there: of 1,107 cards that were
read on 100 photographs none had less than 0.47, of what was none four of ten had."""
GOOD_FIT: Final = 0.5
"""Correlation below which print is a worse guide to a card's place than its outline."""
EDGE_NEAR: Final = 3.0
"""An outline further away from a card's print than this is not its own, mm."""
CERTAIN_FIT: Final = 0.85
"""Correlation from which print is the better guide wherever an outline lies, as far as `EDGE_NEAR`."""
SHORT_FIT: Final = 0.75
"""Correlation of a header below which it is laid by what a short strip shows of it, too, and from which it then lies
there."""
SHORT_BETTER: Final = 0.1
"""By how much better that must go with it."""
HOPELESS: Final = (0.15, 0.3)
"""Correlations of a header where it is laid first, and after one step, below which it is laid no further: of 415 that
came to `SEEN_PRINT` or more none had less than 0.22 and 0.34."""
HOPELESS_SHORT: Final = (0.3, 0.5)
"""The same of what a short strip shows of it: of 56 that then lay there none had less than 0.41 and 0.59."""
HERE: Final = 5.0
"""Places of headers no further apart than this are one card's, mm: another card on it is 7 mm away at least."""
PLAIN: Final = 0.44
"""Correlation of the coarse search that plain headers reach: 99 of 100 do, half of what is none does not."""
PLAIN_MATCH: Final = 0.8
"""Correlation with its own face of a card that is plainly seen."""
PLAIN_COST: Final = -12.0
"""Nats below which its header goes with no other face lying elsewhere."""
PLAIN_TURNS: Final = (-1.5, 1.5)
"""Turns tried around a place of the coarse search, degrees: what is left is for the alignment."""
NEARLY_FIRST: Final = 2
"""Faces besides the first whose headers are laid too where glare seems to lie on the first."""
NEARLY_AS_WELL: Final = 0.1
"""By how much their correlation around the place may trail for that."""
OWN: Final = 0.85
"""Correlation of a face's print where a header would lie from which it is the face's own that is seen there."""
OWN_PRINT: Final = 0.0004
"""Mean square of detail that a face must have there."""
ASIDE: Final = 12.0
"""How far aside of the middle of that face it may lie, mm."""
UNLIKE: Final = -4.0
"""Nats above which what is seen is no plain header: 98 of 100 cards in good light lie below."""
FACES_HERE: Final = 4
"""Faces that are weighed at one place at most."""
STRIPS: Final = (7.0, 78.0)
"""How much of a covered card may show, mm: of 117 cards pasted 39 to 72 mm further out than the one below, 98 are read
for certain; with 38 none was, and seven were read wrong, three of them bridged by a back that was not there."""
FAR_STRIP: Final = 38.0
"""A covered card of which more shows than this, mm, may have one on it that was not read: people leave less."""
SEEN_EDGE: Final = 0.5
"""Clearness of an outline from which a card is believed there whatever its print."""
SEEN_PRINT: Final = 0.45
"""A face whose print goes no better than this with a place that has no outline as clear as that is not weighed there:
on 67 photographs of hard tables none of the cards that were read was so, and half of all candidates are."""
SEEN_PLAIN_BACK: Final = 0.2
"""The same of a back with next to no print, of which only texture is compared: a dark one on another had 0.39, next to
no edge, and without it neither that column's next back nor the face on it was within reach. Of a back with print what
goes no better is something else, and put other cards in doubt."""
WHOLE_FIT: Final = 0.45
"""Correlation of all of a back from which its print below the header tells where it lies."""
WHOLE_HOPELESS: Final = (0.2, 0.3)
"""Correlations of it where it is laid first, and after one step, below which it is laid no further: cards cover it."""
WHOLE_WORSE: Final = 0.08
"""By how much less its header may go with what is seen where all of it lies best, or"""
WHOLE_PLAIN: Final = 0.7
"""from this correlation of all of it, which no card covers then, less than all of it gains: of a bent back a header
came up 0.5 degrees askew, and a repeating back's stripes went better one repeat further on."""
PIVOT_FIT: Final = 0.6
"""Correlation of a back's header from which, where all of the back is not seen there, its figure is held fast and the
back is turned about it."""
PIVOT_TURNS: Final = (-6.0, -3.0, 3.0, 6.0)
"""By how much it is turned so, degrees."""
PIVOT_WHOLE: Final = (0.4, 0.05)
"""Correlation of all of a back so turned, and how much more than before that is, from which it lies so: a white back
turned by 9 degrees on a white mat, with thin rings, was laid at 5 by its figure, and then was no back."""
TURNED: Final = 8
"""Places at which cards may lie the wrong way round: they are looked for by plain print alone."""
MAYBE_EDGE: Final = 0.65
"""Of 30 cards that only this explained, each had an outline clearer than this or print that went better than"""
MAYBE_PRINT: Final = 0.6
"""this, and their headers cost less than"""
MAYBE_COST: Final = 2.5
"""this against the bare table when nothing was taken to be hidden, mm. Of all candidates a third does."""
FAINT_OUTLINES: Final = 24
"""Outlines with faint edges that are looked for: most of them are those of cards with clear edges, turned a little."""
ENDS: Final = 6
"""Lower edges that are looked for: below the last of them is nothing but table."""
PER_CARD: Final = 4.0
"""What a card must explain, mm of rows, before it is believed."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A face laid somewhere in the column. `face`: number in the bank, from 19 on the wrong way round."""

    face: int
    place: Placed
    """In the column's picture at `FINE`."""
    match: float
    edge: float
    """How much of a card's outline is seen there, 0..1."""
    costs: Costs
    """Cost of each of the card's rows at `MIDDLE` against the bare table: below 0 where the card explains it better."""
    trust: Grey | None
    """How far glare lets what is seen be trusted, (88, 64), 0..1; None where nothing shines."""
    glaring: bool = False
    """Weighed as if glare hid much of it."""
    header: NDArray[np.float64] | None = None
    """How unlike each upright face its first `HEAD_MM` are, nats, where that was looked at."""

    @property
    def spot(self) -> CandidatePlace:
        """The same before it was weighed."""
        return CandidatePlace(self.face, self.place, self.match, self.edge)

    @property
    def top(self) -> float:
        """Middle of the card's top edge, mm below the column's upper end."""
        return self.place.point(CARD_W / 2, 0.0)[1] / FINE

    @property
    def left(self) -> float:
        """Middle of the card's top edge, mm from the column's left."""
        return self.place.point(CARD_W / 2, 0.0)[0] / FINE

    def spared(self, strip: float) -> float:
        """How much of its first `strip` mm glare spares, 0..1. What covers the rest of it is lighter or darker than
        the card, and no glare."""
        return 1.0 if self.trust is None else float(self.trust[: max(round(strip * MIDDLE), 1)].mean())


@dataclass(frozen=True, slots=True)
class CandidatePlace:
    """A face and where it may lie, before it is weighed."""

    face: int
    place: Placed
    match: float
    edge: float


def by_print(
    bank: Bank, column: Column, search: HeaderSearch, places: int = 18, but: Sequence[Candidate] = ()
) -> list[CandidatePlace]:
    """Where each face may lie by the print of its header: `FACES_HERE` for each of `places` places, at most.

    `search`: for the upright faces' headers; `but`: cards that lie there for certain, at whose places and in whose own
    print none is looked for.
    """
    found = [place for _, place in search.places(places, MORE_TURNS)]
    if but:
        there = [card.place.point(*_HEADER) for card in but]
        found = [place for place in found if not any(apart(place.point(*_HEADER), at) < HERE * FINE for at in there)]
        found = [place for place in found if not any(_within(bank, column, card, place) for card in but)]
    return _spots(bank, column, slice(0, bank.count), [(place, 0.0) for place in found])


def turned_by_print(bank: Bank, column: Column) -> list[CandidatePlace]:
    """The same for faces the wrong way round."""
    turned = slice(bank.count, 2 * bank.count)
    found = HeaderSearch(bank, column, turned).places(TURNED)
    return _spots(bank, column, turned, [(place, 0.0) for plain, place in found if plain > PLAIN])


def by_edges(bank: Bank, column: Column) -> list[CandidatePlace]:
    """The same by the edges of cards alone."""
    return _spots(bank, column, slice(0, bank.count), [(place, edge) for edge, place in column.outlines])


def by_faint_edges(bank: Bank, column: Column) -> list[CandidatePlace]:
    """The same by the edges of dark cards on dark ones, where `by_edges` has none."""
    found = faint_cards(column.tones, FAINT_OUTLINES, [place for _, place in column.outlines])
    return _spots(bank, column, slice(0, bank.count), [(place, edge) for edge, place in found])


def by_end(bank: Bank, column: Column) -> list[CandidatePlace]:
    """The same by the lower edges of cards, where `by_edges` has none that ends where it must: a dark back's upper edge
    on a dark picture is fainter than that picture's own upper end, 3 mm away."""
    found = cards_by_end(column.tones, ENDS, [place for _, place in column.outlines if ends_there(column.tones, place)])
    return _spots(bank, column, slice(0, bank.count), [(place, edge) for edge, place in found])


def _spots(bank: Bank, column: Column, faces: slice, starts: list[tuple[Placed, float]]) -> list[CandidatePlace]:
    out: list[CandidatePlace] = []
    taken: dict[int, list[Point]] = {}
    detail = column.fine_detail
    upright = faces.start == 0
    for start, outlined in starts:
        if start.point(*_HEADER)[1] / FINE - 8 > column.tops:
            continue
        around = fits_around(
            bank, column, start, faces, *((2, (-1.5, 0.0, 1.5)) if outlined else (5, (-3.0, 0.0, 3.0)))
        )
        fits = around.best
        ranked = np.argsort(-fits)[:FACES_HERE].tolist()
        if fits[ranked[0]] >= LEAST_FIT:
            ranked = [f for k, f in enumerate(ranked) if fits[f] > fits[ranked[0]] - (0.2 if k < 2 else 0.12)]
            least = max(0.6 * LEAST_FIT, fits[ranked[0]] - 0.35)
            if upright and bank.back not in ranked and (outlined or fits[bank.back] > least):
                ranked.append(bank.back)
        elif outlined:
            # Print blotted out by glare: what there is of colour and detail picks a few faces, and the edges hold them.
            ranked = np.argsort(header_costs(column, bank, faces, start, HEAD_MM))[:2].tolist()
            if upright and bank.back not in ranked:
                ranked.append(bank.back)
        else:
            continue
        for k in ranked:
            face = faces.start + k
            there = around.place(k)
            place, match = bank.aligner(face, LAY_MM[1]).lay(detail, there, 4, HOPELESS)
            if match < SHORT_FIT:
                # Of a short strip the next card covers what is below: it draws the header aside.
                short, short_match = bank.aligner(face, LAY_MM[0]).lay(detail, there, 4, HOPELESS_SHORT)
                if short_match > max(SHORT_FIT, match + SHORT_BETTER):
                    place, match = short, short_match
            drift = math.dist(place.point(*_HEADER), there.point(*_HEADER))
            if drift > 2.5 * FINE or abs(place.turn) > np.radians(14):
                place, match = there, float(fits[k])
            away = math.dist(place.point(*_HEADER), start.point(*_HEADER))
            # What is seen of a white card on a white mat may be the edge of its shadow: plain print knows better.
            if outlined and (match < GOOD_FIT or (away > 1.5 * FINE and match < CERTAIN_FIT)):
                place, away = start, 0.0
            if k == bank.back:
                place, match = _by_all_of_back(bank, column, face, place, match)
                away = math.dist(place.point(*_HEADER), start.point(*_HEADER))
            at = place.point(*_HEADER)
            if any(apart(at, other) < FINE for other in taken.get(face, ())):
                continue
            taken.setdefault(face, []).append(at)
            out.append(CandidatePlace(face, place, match, outlined if away < EDGE_NEAR * FINE else 0.0))
    return out


def _by_all_of_back(bank: Bank, column: Column, back: int, place: Placed, match: float) -> tuple[Placed, float]:
    """Where a back lies by the print of all of it, if that is seen, and how well its header goes with what is seen
    there; `match`: the same at `place`. Of a single number in its corner a header is laid some degrees askew."""
    aligner = bank.aligner_of_all(back)
    found, whole = aligner.lay(column.detail, at_middle(place), 4, WHOLE_HOPELESS)
    least = WHOLE_FIT
    if whole < WHOLE_FIT and match > PIVOT_FIT and bank.back_prints is not None:
        about, least = bank.middle_of_print, max(PIVOT_WHOLE[0], whole + PIVOT_WHOLE[1])
        pivoted = [at_middle(_turned_about(place, about, turn)) for turn in PIVOT_TURNS]
        tries = [aligner.lay(column.detail, there, 4, WHOLE_HOPELESS) for there in pivoted]
        found, whole = max(((found, whole), *tries), key=lambda one: one[1])
    if whole < least:
        return place, match
    there = at_fine(found)
    _, header = bank.aligner(back, LAY_MM[1]).lay(column.fine_detail, there, 0)
    better = header > match - WHOLE_WORSE
    if not better and whole > WHOLE_PLAIN:
        _, as_found = bank.aligner_of_all(back).lay(column.detail, at_middle(place), 0)
        better = whole - as_found > match - header
    return (there, header) if better else (place, match)


def _turned_about(place: Placed, about: Point, degrees: float) -> Placed:
    """A place turned about a point of the card, px at `FINE`, which stays where it is."""
    there, turn = place.point(*about), place.turn + math.radians(degrees)
    x, y = Placed(0.0, 0.0, turn).point(*about)
    return Placed(there[0] - x, there[1] - y, turn)


def weighed(
    bank: Bank, column: Column, found: list[CandidatePlace], known: Mapping[CandidatePlace, Candidate]
) -> dict[CandidatePlace, Candidate]:
    """What each face explains of the column where it may lie; from the board outwards, as far as cards can reach.

    `known`: those that were weighed before.
    """
    out: dict[CandidatePlace, Candidate] = {}
    # A card can only lie where a first card may, or on one that is there.
    reach = ABOVE + FIRST[1]
    for spot in sorted(found, key=lambda spot: spot.place.point(*_HEADER)[1]):
        if spot.place.point(*_HEADER)[1] / FINE - 8 > reach + 6:
            continue
        plain = bank.plain_back and spot.face % bank.count == bank.back
        if spot.edge < SEEN_EDGE and spot.match < (SEEN_PLAIN_BACK if plain else SEEN_PRINT):
            continue
        if spot in known:
            card = known[spot]
        else:
            costs, trust = row_costs(column, bank, spot.face, spot.place)
            card = Candidate(spot.face, spot.place, spot.match, spot.edge, costs, trust)
        out[spot] = card
        if float(card.costs[:8].sum()) < 0.5:
            reach = max(reach, card.top + STRIPS[1])
    return out


def through_glare(bank: Bank, column: Column, found: Iterable[Candidate]) -> list[Candidate]:
    """The same candidates; those on which something shines, if they may be cards, weighed as if glare hid much."""
    out: list[Candidate] = []
    for card in found:
        if card.trust is None:
            out.append(card)
        elif _maybe(card):
            costs, trust = row_costs(column, bank, card.face, card.place, True)
            out.append(replace(card, costs=costs, trust=trust, glaring=True))
    return out


def _maybe(card: Candidate) -> bool:
    """Whether enough is seen of a candidate for it to be a card that glare hides."""
    plain = card.edge > MAYBE_EDGE or card.match > MAYBE_PRINT
    return plain and float(card.costs[: round(HEAD_MM * MIDDLE)].sum()) < MAYBE_COST


def likely(bank: Bank, column: Column, search: HeaderSearch, places: int = 16) -> list[Candidate]:
    """The same where headers are plainly seen, in a third of the time: the face that fits best at each place."""
    out: list[Candidate] = []
    taken: list[Point] = []
    upright = slice(0, bank.count)
    detail = column.fine_detail
    reach = ABOVE + FIRST[1]
    found = (at for plain, at in search.places(places) if plain > PLAIN)
    for start in sorted(found, key=lambda at: at.point(*_HEADER)[1]):
        if start.point(*_HEADER)[1] / FINE - 8 > reach + 6:
            continue
        if any(_within(bank, column, card, start) for card in out):
            continue
        around = fits_around(bank, column, start, upright, 3, PLAIN_TURNS)
        fits = around.best
        first = int(fits.argmax())
        if fits[first] < PLAIN_FIT:
            continue
        # Headers drawn alike fit on each other a little off: where the next best lies elsewhere, colour decides.
        tried: list[tuple[float, int, Placed, float, NDArray[np.float64]]] = []
        for face in np.argsort(-fits)[:3].tolist():
            there = around.place(face)
            moved = (np.hypot(there.x - at.x, there.y - at.y) > 1.5 * FINE for _, _, at, _, _ in tried)
            if fits[face] < fits[first] - 0.1 or (tried and not all(moved)):
                continue
            place, match = bank.aligner(face, LAY_MM[1]).lay(detail, there, 3, HOPELESS)
            if match >= GOOD_FIT:
                costs = header_costs(column, bank, upright, place, HEAD_MM)
                tried.append((float(costs.min()), face, place, match, costs))
                if match > PLAIN_MATCH and tried[-1][0] < PLAIN_COST:
                    break
        if not tried or min(t[0] for t in tried) > UNLIKE:
            continue
        _, best, place, match, costs = min(tried, key=lambda t: t[0])
        at = place.point(*_HEADER)
        if any(apart(at, other) < FINE for other in taken):
            continue
        taken.append(at)
        # Headers of one theater are drawn alike: colour tells which it is, and their place is the same.
        ranked = [int(costs.argmin())]
        if ranked[0] != bank.back and fits[bank.back] > fits[first] - 0.15:
            ranked.append(bank.back)
        shines = False
        for face in ranked:
            spot = place
            if face == bank.back and best != bank.back:
                spot, match = bank.aligner(face, LAY_MM[1]).lay(detail, around.place(face), rounds=3)
            if face == bank.back:
                spot, match = _by_all_of_back(bank, column, face, spot, match)
            header = costs if spot is place else None
            card = Candidate(face, spot, match, 0.0, *row_costs(column, bank, face, spot), header=header)
            out.append(card)
            shines = shines or card.spared(HEAD_MM) < 1.0
            if float(card.costs[:8].sum()) < 0.5:
                reach = max(reach, card.top + STRIPS[1])
        # Under a wrong face what is lighter than it looks like glare. Its colours were compared where the first face
        # lies: one that is drawn a millimetre otherwise lies elsewhere, and may need no glare.
        others = np.argsort(-fits)[: NEARLY_FIRST + 1].tolist() if shines else []
        for face in others:
            if face not in (*ranked, best) and fits[face] > fits[first] - NEARLY_AS_WELL:
                spot, match = bank.aligner(face, LAY_MM[1]).lay(detail, around.place(face), rounds=3)
                if match >= GOOD_FIT:
                    out.append(Candidate(face, spot, match, 0.0, *row_costs(column, bank, face, spot)))
    return out


def _within(bank: Bank, column: Column, card: Candidate, start: Placed) -> bool:
    """Whether a header would lie where a face's own print is plainly seen, which nothing can cover then. Where a back
    repeats, another one that lies on it shows the same."""
    if card.face == bank.back or card.match < PLAIN_MATCH:
        return False
    x, y = (card.place.points_within(np.array([start.point(*_HEADER)]))[0] / FINE).tolist()
    if not (HEAD_MM < y < CARD[1] and abs(x - CARD[0] / 2) < ASIDE):
        return False
    rows = slice(round((y - 8) * MIDDLE), round((y + 8) * MIDDLE))
    known = bank.patterns[MIDDLE][card.face].soft[rows].ravel()
    seen = under_card(column, card.place).detail[rows].ravel()
    power = float(known @ known)
    return power > OWN_PRINT * known.size and float(known @ seen) > OWN * math.sqrt(power * float(seen @ seen))


_HEADER: Final = (CARD_W / 2, 8 * FINE)
"""A point in the middle of a header, for comparing places."""
