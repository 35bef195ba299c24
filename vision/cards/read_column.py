"""One column from picture to cards with likelihoods, and what in it no card explains."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Protocol, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.candidates import (
    STRIPS,
    Candidate,
    by_edges,
    by_print,
    likely,
    through_glare,
    turned_by_print,
    weighed,
)
from vision.cards.chain import Chain, best_chain
from vision.cards.classify import HUE_RIGHT, Judged, Judgement, judge_card
from vision.cards.column import ABOVE, FIRST, LEFT_OVER, ROOM, SIDE, TO_TAGS, Column
from vision.cards.outline import lower_edge
from vision.cards.templates import CARD_H, CARD_W, FINE, MIDDLE, Bank
from vision.geometry import table as geometry
from vision.geometry.align import Placed

THIN: Final = 5
"""Things narrower than this many mm are shadows and edges."""
CARD_LIKE: Final = (7.0, 38.0)
"""A leftover at least this small and this long, mm, may be a card that was not read."""
CLEAR_OUTLINE: Final = 0.75
"""An outline this clear in a column without cards is one that was not read."""
OUTLINE: Final = 0.6
"""An outline this clear may be that of a card that was not read."""
REACH: Final = 25.0
"""How far beyond the last card something is looked for, mm."""
BARE_ENOUGH: Final = 100.0
"""A column with less than this to explain is empty, mm²: of 2,000 simulated tables' cards none came to less than 1,000,
and 99 of 100 empty places to less than this."""
SPECK: Final = 12.0
"""The same where the camera clips the bare table, mm²: a card there may show a single sign of its print."""
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
PLAIN_END: Final = 0.8
"""Match of an uppermost face from which its lower end need not be seen."""
BACK_PLAINER: Final = 0.15
"""By how much more than with its own print further on a back must match."""
EDGE_SEEN: Final = 0.7
"""A card's lower edge that is this clear ends a card."""
PRINT_THERE: Final = 0.65
"""Match of a header that a pattern of the table hardly reaches."""
UNREAD: Final = 300.0
"""A column in which more than this is no table, mm², is not empty if there is an outline in it this clear."""
UNREAD_EDGE: Final = 0.85
"""Clearness of that outline."""
SMALL: Final = 150.0
"""Leftovers below this area, mm², are nothing."""
RIM_LEFT: Final = (3, 70.0)
"""Width, mm, and area, mm², of what may be the rim of a card that was not read."""
UNWHOLE: Final = 2.0
"""Doubts that something unexplained is worth."""
WRONG_WAY: Final = 0.5
"""Doubts that a card the wrong way round is worth: no explanation with one is better than what begs for less."""
PLAIN_FACE: Final = 0.8
"""Match of a card in doubt whose print is plainly seen: what its face leaves open, no other place will tell."""
SAME_PLACE: Final = 1.5
"""Cards of two explanations whose top edges' middles lie no further apart than this are the same, mm."""
UNEXPLAINED: Final = 0.07
"""Mean cost of a few rows of a card against the bare table that tells of another card there: 97 of 100 lie below, and a
strip of 13 mm that no candidate had was seen at 0.095."""


_CORNERS: Final = np.array([[0, 0], [CARD_W, 0], [CARD_W, CARD_H], [0, CARD_H]], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class ColumnReading:
    """What lies in one column, bottom to top."""

    cards: tuple[Judged, ...]
    cost: float
    """What the chain leaves unexplained against an empty column, mm; negative."""
    margin: float
    """How much more the best chain of another shape costs, mm."""
    foreign: bool
    """Something lies there that is no card."""
    hidden: bool
    """Something lies there that may be a card, or covers one: the reading should not be acted upon."""
    whole: bool = True
    """Nothing that is seen goes unexplained, be it as thin as the rim of a card under another."""


def read_column(bank: Bank, column: Column, patient: bool = True) -> ColumnReading:
    """Read a column.

    `patient`: try other explanations also where only a face is in doubt; seldom of use and five times the time.
    """
    if column.blank:
        # A picture of nothing: neither a card nor the bare table is seen.
        return ColumnReading((), 0.0, 0.0, False, False)
    if not column.patterned and _unlike_table(column) < (SPECK if column.clipped else BARE_ENOUGH):
        # Most columns of most tables, and not worth a search.
        return ColumnReading((), 0.0, 99.0, False, False)
    if column.limit is None:
        return _best(bank, column, patient)
    if column.clipped:
        return _best(bank.clipped(column.limit), column, patient)
    plain = _best(bank, column, patient)
    if _discontent(plain, bank.count) == 0:
        return plain
    # Where the light is clipped, faces look otherwise.
    clipped = _best(bank.clipped(column.limit), column, patient)
    return min(plain, clipped, key=lambda reading: _discontent(reading, bank.count))


def _best(bank: Bank, column: Column, patient: bool) -> ColumnReading:
    explain = _Explaining(bank, column)
    plain = explain.by(likely(bank, column))
    if plain.settled and not plain.foreign and plain.whole:
        return plain.reading
    if plain.faces_alone:
        return explain.spared(plain)
    found = by_print(bank, column)
    cards = weighed(bank, column, found, {})
    full = explain.by(cards.values())
    if plain.settled and not plain.foreign and _same_places(plain.chain, full.chain):
        # Every place was tried, and what stays unexplained is no card.
        top = plain.reading.cards[-1] if plain.reading.cards else None
        return replace(plain.reading, cost=full.chain.cost, margin=_margin(full.chain, top, bank))
    if full.settled or not (patient or full.open):
        return full.reading
    if full.faces_alone:
        return explain.spared(full)
    # Glare and short strips leave print nowhere, but cards have edges; those cost time and mislead in plain cases.
    found += by_edges(bank, column)
    cards = weighed(bank, column, found, cards)
    edged = explain.by(cards.values())
    if edged.settled:
        return edged.reading
    if edged.faces_alone:
        return explain.spared(edged)
    tries = [plain, full, edged]
    if any(card.trust is not None for card in cards.values()):
        tries.append(explain.by(through_glare(bank, column, cards.values())))
        if tries[-1].settled:
            return tries[-1].reading
    best = best_explanation(tries)
    if best.begs() > WRONG_WAY:
        # The wrong way round is rare, so it is only tried where nothing else explains a column.
        found += turned_by_print(bank, column)
        cards = weighed(bank, column, found, cards)
        other = explain.by(cards.values(), 2 * bank.count)
        if any(card.face >= bank.count for card in other.chain.cards):
            best = best_explanation([best, other])
    return best.reading


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
    best, least = tries[0], math.inf
    for one in sorted(tries, key=lambda one: one.least):
        begs = one.begs(least)
        if begs < least or (begs == least and tries.index(one) < tries.index(best)):
            best, least = one, begs
    return best


class _Explanation:
    """A chain and what it leaves unexplained; each of its cards is judged when it is asked for."""

    def __init__(
        self,
        bank: Bank,
        column: Column,
        chain: Chain,
        found: Sequence[Candidate],
        judged: Callable[[int], Judged],
    ) -> None:
        self.chain: Final = chain
        self._bank, self._judged = bank, judged
        rest = _left_over(column, chain)
        left = _things(rest, THIN, SMALL)
        self.whole: Final = chain.worst < UNEXPLAINED and not _things(rest, *RIM_LEFT)
        """Nothing that is seen goes unexplained."""
        hidden = _card_like(left) and (not column.patterned or _outlined(column, rest))
        # A header is seen that the table's own colours explain as well: a white card on a white mat.
        beside = _print_beside(chain, found)
        clear = 0.0
        if not chain.cards and not column.patterned and _unlike_table(column) > BARE_ENOUGH:
            clear = max((clear for clear, place in column.outlines if _reached(place)), default=0.0)
        # What has the outline of a card is there, read or not.
        unread = clear > UNREAD_EDGE and _unlike_table(column) > UNREAD
        self.hidden: Final = hidden or beside or unread
        """Something lies there that may be a card."""
        self.foreign: Final = bool(left) or beside or unread
        """Something lies there that is none."""
        # Something with edges is there, and what it is was not read: no empty place.
        self._most_margin = 0.0 if clear > CLEAR_OUTLINE else chain.margin

    @cached_property
    def reading(self) -> ColumnReading:
        """The column as this explains it."""
        cards = tuple(self._judged(k) for k in range(len(self.chain.cards)))
        return ColumnReading(cards, self.chain.cost, self._margin, self.foreign, self.hidden, self.whole)

    def _cards(self) -> Iterator[Judged]:
        """The cards, the uppermost first."""
        return (self._judged(k) for k in reversed(range(len(self.chain.cards))))

    @cached_property
    def _margin(self) -> float:
        return min(self._most_margin, _margin(self.chain, next(self._cards(), None), self._bank))

    def _shape(self, margin: float) -> float:
        """How much of it begs for another explanation whatever its cards are."""
        return _shape_begs(self.foreign and not self.chain.cards, self.hidden, margin)

    @property
    def least(self) -> float:
        """What `begs` is at least."""
        return self._shape(self._most_margin) + UNWHOLE * (not self.whole)

    def begs(self, most: float = math.inf) -> float:
        """How much of it begs for another explanation: 0 where every card is told apart and nothing left; something
        greater than `most` if it is more than that."""
        total = self.least
        if total <= most:
            total = self._shape(self._margin) + UNWHOLE * (not self.whole)
            for card in self._cards():
                if total > most:
                    break
                total += _card_begs(card, self._bank.count)
        return total

    @cached_property
    def settled(self) -> bool:
        """Its cards and their number are in no doubt."""
        return self._of_one_shape and all(_card_begs(card, self._bank.count) == 0 for card in self._cards())

    @cached_property
    def _of_one_shape(self) -> bool:
        """How many cards there are is in no doubt."""
        return self._shape(self._most_margin) == 0 and self._shape(self._margin) == 0

    @property
    def open(self) -> bool:
        """Another explanation may help: a card unread, another shape nearly as good, or faces not told apart.

        A face whose print is plain and that leads its rivals a little will not lead them more in another explanation;
        that is for another look.
        """
        unread = self.hidden or not self.whole or self._most_margin < CLEAR_MARGIN
        return unread or self._margin < CLEAR_MARGIN or any(map(_close, self._cards()))

    @property
    def faces_alone(self) -> bool:
        """Nothing is in doubt but which of a few faces cards have whose print is plainly seen: no other place of theirs
        will tell them apart. Mostly they share their print."""
        there = bool(self.chain.cards) and self.whole and not (self.hidden or self.foreign)
        return there and self._of_one_shape and all(map(_plain, self._cards()))


class _Explaining:
    """Explanations of one column: what one of them has judged is not judged again by the next."""

    def __init__(self, bank: Bank, column: Column) -> None:
        self._bank, self._column = bank, column
        self._judged: list[Judgement] = []
        self._ends: dict[Placed, bool] = {}

    def by(self, found: Iterable[Candidate], faces: int | None = None) -> _Explanation:
        """The best explanation by cards that may lie there. `faces`: how many are held against each, the upright ones
        if not given."""
        bank, column, count = self._bank, self._column, faces or self._bank.count
        found = list(found)
        chain = best_chain(found, column.rows, self._end_seen, bank.is_clipped)
        return _Explanation(
            bank, column, chain, found, lambda k: judge_card(bank, column, chain.cards, k, count, self._judged)
        )

    def _end_seen(self, card: Candidate) -> bool:
        place = card.place
        if self._column.clipped and self._bank.blank_end[card.face]:
            return True
        if place not in self._ends:
            self._ends[place] = lower_edge(self._column.tones, place) >= EDGE_SEEN
        return self._ends[place]

    def spared(self, explained: _Explanation) -> ColumnReading:
        """The same cards; those whose face is in doubt and on which something shines by what glare spares, if that
        tells them better."""
        reading = explained.reading
        again: list[Candidate] = []
        for card, judged in zip(explained.chain.cards, reading.cards, strict=True):
            doubtful = _lead(judged) < CLEAR_LEAD
            again += (doubtful and through_glare(self._bank, self._column, [card])) or [card]
        cards, bank = tuple(again), self._bank
        told = (judge_card(bank, self._column, cards, k, bank.count, self._judged) for k in range(len(cards)))
        other = replace(reading, cards=tuple(told))
        return min(reading, other, key=lambda one: _discontent(one, self._bank.count))


def _margin(chain: Chain, top: Judged | None, bank: Bank) -> float:
    """How much more the best chain of another shape costs, mm. `top`: the uppermost card."""
    # A repeating back fits again one repeat further on, where no end is seen; print that is plainly a face's does not,
    # nor does that of a back which goes with what is seen better than with itself further on.
    plain_end = False
    if top is not None:
        back = top.faces[0][0] == bank.back
        plain_end = top.match > (max(PLAIN_END, bank.back_repeats + BACK_PLAINER) if back else PLAIN_END)
    return 0.0 if chain.endless and not plain_end else chain.margin


def _reached(place: Placed) -> bool:
    """Whether a card may lie there in a column without known cards: as its first, or on a first that was not read."""
    return place.point(CARD_W / 2, 0.0)[1] / FINE < ABOVE + FIRST[1] + STRIPS[1]


def _same_places(one: Chain, other: Chain) -> bool:
    """Whether two chains have as many cards, and in the same places."""
    return len(one.cards) == len(other.cards) and all(
        abs(a.top - b.top) < SAME_PLACE and abs(a.left - b.left) < SAME_PLACE
        for a, b in zip(one.cards, other.cards, strict=True)
    )


def _lead(card: Judged) -> float:
    return card.faces[1][1] if len(card.faces) > 1 else 99.0


def _close(card: Judged) -> bool:
    """Whether another face is nearly as good."""
    return _lead(card) < (CLOSE_LEAD if card.match > PLAIN_PRINT else CLEAR_LEAD)


def _plain(card: Judged) -> bool:
    """Whether a card's print is plainly seen, the more plainly if its face is in doubt."""
    return card.hue_error <= HUE_RIGHT and card.match > (PLAIN_FACE if _lead(card) < CLEAR_LEAD else WEAK)


def _shape_begs(unread: bool, hidden: bool, margin: float) -> float:
    """How much of a column begs for another explanation whatever its cards are."""
    return 5.0 * unread + 3.0 * hidden + min(max(CLEAR_MARGIN - margin, 0.0), CLEAR_MARGIN) / CLEAR_MARGIN


def _discontent(reading: ColumnReading, upright: int) -> float:
    """How much of a reading begs for another: 0 where everything is explained and every card told apart."""
    total = _shape_begs(reading.foreign and not reading.cards, reading.hidden, reading.margin)
    return total + sum(_card_begs(card, upright) for card in reading.cards)


def _card_begs(card: Judged, upright: int) -> float:
    """How much of a card begs for another explanation: 0 where it is told apart."""
    close = min(max(CLEAR_LEAD - _lead(card), 0.0), CLEAR_LEAD) / CLEAR_LEAD
    weak = 2.0 * min(max((WEAK - card.match) / WEAK, 0.0), 1.0)
    strange = min(max(card.hue_error / HUE_RIGHT - 1, 0.0), 1.0)
    return close + weak + strange + WRONG_WAY * (card.faces[0][0] >= upright)


def _unlike_table(column: Column) -> float:
    """How much there is where a first card would lie that the bare table does not explain, mm²."""
    first = column.bare[round((ABOVE + 8) * MIDDLE) : round((ABOVE + 75) * MIDDLE)]
    edge = round((SIDE - ROOM * 0.5) * MIDDLE)
    # Noise stands alone; of a card's pixels and their neighbours most are unlike the table.
    unlike = (first[:, edge:-edge] > LEFT_OVER * 0.6).astype(np.uint8)
    return float(np.count_nonzero(cv2.boxFilter(unlike, -1, (3, 3), normalize=False) > 4)) / MIDDLE**2


def _left_over(column: Column, chain: Chain) -> NDArray[np.uint8]:
    """Where neither the bare table nor the chain's cards explain what is seen, (h, w) at `MIDDLE`, 0 or 1."""
    bare = column.bare
    mask = (bare > LEFT_OVER).astype(np.uint8)
    edge = round((SIDE - ROOM * 0.5) * MIDDLE)
    mask[:, :edge] = 0
    mask[:, -edge:] = 0
    mask[: round((ABOVE + 3) * MIDDLE)] = 0
    # What was not read can only lie before the chain, in it, or as its next card.
    end = chain.cards[-1].top + geometry.CARD[1] + REACH if chain.cards else ABOVE + geometry.CARD[1]
    mask[max(0, round(min(column.rows - 2, end, ABOVE + TO_TAGS) * MIDDLE)) :] = 0
    rim = 3.0 * FINE
    corners = np.array([[-rim, -rim], [CARD_W + rim, -rim], [CARD_W + rim, CARD_H + rim], [-rim, CARD_H + rim]])
    for card in chain.cards:
        quad = card.place.points(corners) * MIDDLE / FINE
        cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 0)
    if not chain.cards and np.count_nonzero(mask) > SMALL * MIDDLE**2:
        # A mat's pattern is no thing that lies there; within a stack it may be a card of the same colours.
        mask[column.like_the_sides] = 0
    return mask


def _print_beside(chain: Chain, found: Iterable[Candidate]) -> bool:
    """Whether plain print of a header is seen where no card of the chain lies."""
    middle = CARD_W / 2, 9.0 * FINE
    quads = [card.place.points(_CORNERS).astype(np.float32).reshape(-1, 1, 2) for card in chain.cards]
    return any(
        card.match > PRINT_THERE
        and all(cv2.pointPolygonTest(quad, card.place.point(*middle), False) < 0 for quad in quads)
        for card in found
    )


def _outlined(column: Column, rest: NDArray[np.uint8]) -> bool:
    """Whether the outline of a card lies around what nothing explains: a patterned table has things of its own."""
    for clear, place in column.outlines:
        if clear < OUTLINE or lower_edge(column.tones, place) < EDGE_SEEN:
            continue
        inside = np.zeros_like(rest)
        cv2.fillConvexPoly(inside, np.round(place.points(_CORNERS) * MIDDLE / FINE).astype(np.int32), 1)
        if np.count_nonzero(inside & rest) > CARD_LIKE[0] * CARD_LIKE[1] * MIDDLE**2:
            return True
    return False


def _things(mask: NDArray[np.uint8], thin: int, small: float) -> list[tuple[float, float, float]]:
    """Things at least `thin` mm wide and `small` mm² large: area mm², and the shorter and longer side, mm."""
    if np.count_nonzero(mask) < small * MIDDLE**2:
        return []
    thick = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((thin, thin), np.uint8))
    if np.count_nonzero(thick) < small * MIDDLE**2:
        return []
    count, _, stats, _ = cv2.connectedComponentsWithStats(thick)
    out: list[tuple[float, float, float]] = []
    for k in range(1, count):
        area = float(stats[k, cv2.CC_STAT_AREA]) / MIDDLE**2
        if area >= small:
            w, h = float(stats[k, cv2.CC_STAT_WIDTH]) / MIDDLE, float(stats[k, cv2.CC_STAT_HEIGHT]) / MIDDLE
            out.append((area, min(w, h), max(w, h)))
    return out


def _card_like(left: list[tuple[float, float, float]]) -> bool:
    return any(short >= CARD_LIKE[0] and long >= CARD_LIKE[1] for _, short, long in left)


def outline_of(place: Placed) -> NDArray[np.float64]:
    """A placed card's corners in its column, mm from the column's top left, (4, 2)."""
    return place.points(_CORNERS) / FINE


__all__ = ["ColumnReading", "best_explanation", "outline_of", "read_column"]
