"""Chooses the chain of cards that explains a column best, by dynamic programming over where cards may lie."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.names import FACE_DOWN
from vision.cards.candidates import FAR_STRIP, PER_CARD, STRIPS, Candidate
from vision.cards.column import FIRST
from vision.cards.table_beside import ABOVE
from vision.cards.templates import MIDDLE, card_px
from vision.profile import FACES
from vision.types import Floats

NO_OTHER: Final = 99.0
"""Margin, mm, where nothing else explains a column."""
EDGE_WORTH: Final = 2.4
"""How much of that a clear outline stands for."""
PRINT_WORTH: Final = 1.2
"""How much of that plain print stands for: a dark back on a dark table explains hardly more than the table does."""
FACE_PRINT_WORTH: Final = 3.6
"""The same of an upright face, whose print does not repeat as a back's does: a brown card on wood, on which a lamp
shines, explains hardly more than the table does. On some 130 path-traced tables of seventeen decks no face went better
than at 0.72 with what was none, while 63 backs went at 0.75 to 0.9."""
PRINTS: Final = (0.7, 0.85)
"""Correlation of a header that may be chance, and that is plain."""
CLIPPED_PRINT_WORTH: Final = 3.6
"""What plain print is worth where the camera clips, in the unit of `PRINT_WORTH`."""
CLIPPED_PRINTS: Final = (0.55, 0.75)
"""Both where the camera clips what is light of the cards: a few dark signs are all that is seen of some."""
LEAST_COST: Final = 0.4
"""What a card must explain at least, mm."""
CERTAIN_PRINTS: Final = (0.85, 0.92)
"""Correlation of a header from which print together with a clear outline makes a card, and makes it surely."""
CERTAIN_WORTH: Final = 2.0
"""What both together are worth besides, mm: a card of the table's colour, a white one on a white mat, explains nothing
better than the table does."""
EDGES: Final = (0.5, 0.75)
"""Share of an outline that is chance, and that is clear."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Cards from the board outwards, and what the explanation costs compared with an empty column (mm, negative)."""

    cards: tuple[Candidate, ...]
    cost: float
    margin: float
    """How much more the best chain with a card more, a card less or a card elsewhere costs, mm; 0 where a card more
    would explain what is seen much better than one of those told (`BETWEEN`)."""
    endless: bool = False
    """No end is seen of the uppermost card."""
    worst: float = 0.0
    """Mean cost of the worst `FEW` mm of what shows of covered cards: above 0 another card may lie there."""
    others: Callable[[Sequence[int]], float] | None = field(default=None, compare=False, repr=False)
    """How much more the best chain of another shape costs, mm, that has some cards of this one, too."""

    def margin_with(self, there: Sequence[int]) -> float:
        """`margin` where some of the cards, numbered from the board outwards, are known to lie there: what explains the
        column otherwise must have them, too."""
        return max(self.margin, self.others(there)) if there and self.others is not None else self.margin


END: Final = 14.0
"""How much of an uppermost card's lower end is looked at by itself, mm."""
END_WRONG: Final = -0.22
"""Mean cost of it that a card which truly lies there seldom reaches."""
ENDLESS: Final = 4.0
"""Cost of an uppermost card whose end is not seen, mm."""
FEW: Final = 6.0
"""How much of a card must go unexplained together to tell of another one, mm of rows."""
BETWEEN: Final = (1.0, 2.0)
"""A card that explains this much more of a strip, mm, than the one that was taken to show there may lie there, whatever
believing in it costs; the second where neither its print nor an outline is seen there (`BETWEEN_SEEN`). Of 60 tables
with wide strips, read right, none reached 0.1; three backs read as two, 3.3; faces that were not there, 1.3."""
BETWEEN_SEEN: Final = (0.6, 0.6)
"""Correlation of its header, and clearness of an outline, from which something of it is seen."""
ELSEWHERE: Final = 3.5
"""Cards whose top edges lie less than this apart are at one place, mm."""

FAR_FIRST: Final = (-3.0, 14.0)
"""How far from its board a first card usually lies at least and at most, mm: 0 to 13 is common."""
FAR_FIRST_COSTS: Final = (0.3, 0.12)
"""What a mm less and a mm more than that costs, mm."""
USUAL_STRIP: Final = (12.0, 31.0)
"""How much of a covered card people leave at least and at most, mm."""
STRIP_COSTS: Final = (0.15, 0.1)
"""What a mm less and a mm more than that costs, mm."""
FAR_STRIP_COSTS: Final = (2.5, 6.0)
"""What a strip of more than `FAR_STRIP` costs besides, mm, and where it is a back's with next to no print, on which
another one is hardly seen. Of five such strips a back that is not there explains one better with 6 for all, three with
8; with 1 one of 802 tables is in doubt for it."""
ASIDE: Final = (12.0, 34.0)
"""How far aside of the one below a card usually lies at most, and how far it may, mm: with 24 of 61 cards pasted 10 to
42 mm aside six less are read."""
ASIDE_COSTS: Final = 0.2
"""What a mm between them costs, mm."""
MOST_TURNED: Final = 0.3
"""How far it may be turned against the one below, radians."""

SAME_PLACE: Final = 1.5
"""Cards of two explanations whose top edges' middles lie no further apart than this are the same, mm."""

_BACK: Final = FACES.index(FACE_DOWN)
_ROWS: Final = card_px(MIDDLE)[1]
_END: Final = round(END * MIDDLE)
_MEAN: Final = np.full(_END, 1 / _END, np.float32)


def best_chain(
    found: Iterable[Candidate],
    rows: float,
    ends: Callable[[Candidate], bool] = lambda card: True,
    clipped: bool = False,
    back_prints: tuple[float, float] | None = None,
    plain_back: bool = False,
) -> Chain:
    """The chain that explains the column best. `rows`: how much of its length lies in the picture, mm.

    `ends`: tells whether the lower edge of a card is seen where it must lie if nothing covers it, or cannot be seen;
    `clipped`: the camera clips the bare table, so the light parts of cards cannot be told from it; `back_prints`: what
    `PRINTS` are of a back that is worth what a face's print is, if this deck's is; `plain_back`: the deck's back has
    next to no print.
    """
    nodes = sorted(found, key=lambda c: c.top)
    if not nodes:
        return Chain((), 0.0, NO_OTHER)
    start, step, end = _costs(nodes, rows, clipped, back_prints, plain_back)
    # A repeating back fits again one repeat further on, but there its end lies on the bare table.
    endless = np.array([_beyond(card, rows) > END_WRONG and not ends(card) for card in nodes])
    plain = math.inf if back_prints is None else back_prints[1]
    end = end + ENDLESS * (endless & ~np.array([card.face == _BACK and card.match >= plain for card in nodes]))
    best, path = _shortest(start, step, end)
    same = _same_card(nodes, path)

    def others(there: Sequence[int]) -> float:
        return min(_otherwise(start, step, end, same, there) - best, NO_OTHER)

    cards = tuple(nodes[i] for i in path)
    ended = bool(endless[path[-1]]) if path else False
    if _between(nodes, path, step):
        return Chain(cards, best, 0.0, ended, _worst(cards))
    return Chain(cards, best, others(()), ended, _worst(cards), others)


def same_cards(plain: Chain, full: Chain, plainer: float) -> bool:
    """Whether a chain found by a full search has as many cards as one found at once, in the same places, and none with
    another face that goes much better with it where it was found: a 6 that an A6 and an L6 share had drawn the L6 2
    degrees askew, where it went better with what is seen than an A6 laid so. `plainer`: by how much better, as
    correlation."""
    return len(plain.cards) == len(full.cards) and all(
        abs(a.top - b.top) < SAME_PLACE
        and abs(a.left - b.left) < SAME_PLACE
        and (a.face == b.face or b.match < a.match + plainer)
        for a, b in zip(plain.cards, full.cards, strict=True)
    )


def _worst(cards: tuple[Candidate, ...]) -> float:
    """Mean cost of the worst `FEW` mm of what shows of the covered cards of a chain."""
    few = round(FEW * MIDDLE)
    out = 0.0
    for card, above in pairwise(cards):
        shown = card.costs[: round(max((above.top - card.top) * MIDDLE, few))]
        out = max(out, float(np.convolve(shown, np.ones(few) / few, "valid").max()))
    return out


def _between(nodes: Sequence[Candidate], path: Sequence[int], step: Floats) -> bool:
    """Whether a card more between two cards of a chain would explain its strip so much better that it may lie there:
    what it would cost to believe in that card is left out."""
    for i, j in pairwise(path):
        covered, above = nodes[i], nodes[j]
        for k in range(i + 1, j):
            if np.isfinite(step[i, k]) and np.isfinite(step[k, j]):
                other = nodes[k]
                begin, end = (round((at.top - covered.top) * MIDDLE) for at in (other, above))
                now = covered.costs[begin:end].sum()
                unseen = other.match < BETWEEN_SEEN[0] and other.edge < BETWEEN_SEEN[1]
                if float(now - other.costs[: end - begin].sum()) / MIDDLE > BETWEEN[unseen]:
                    return True
    return False


def _beyond(card: Candidate, rows: float) -> float:
    """Mean cost of the last rows of an uppermost card in the picture: above 0 the table explains them better."""
    end = int(min(max((rows - card.top) * MIDDLE, 20 * MIDDLE), _ROWS))
    return float(card.costs[end - _END : end] @ _MEAN)


def _costs(
    nodes: list[Candidate], rows: float, clipped: bool, back_prints: tuple[float, float] | None, plain_back: bool
) -> tuple[Floats, Floats, Floats]:
    """Cost of a chain to begin with each card, (n,), to lay one on another, (n, n), and to end with it, (n,); mm."""
    n, height = len(nodes), card_px(MIDDLE)[1]
    sums = np.stack([np.concatenate([[0.0], np.cumsum(c.costs)]) / MIDDLE for c in nodes])
    tops = np.array([c.top for c in nodes])
    lefts = np.array([c.left for c in nodes])
    turns = np.array([c.place.turn for c in nodes])
    gap = tops - ABOVE
    edges = np.array([c.edge for c in nodes])
    clear = _from_to(edges, EDGES)
    per_card = PER_CARD - EDGE_WORTH * clear
    prints = np.array([c.match for c in nodes])
    faces = np.array([c.face for c in nodes])
    per_card = per_card - _print_worth(faces, prints, clipped, back_prints)
    per_card = np.maximum(per_card, LEAST_COST)
    per_card = per_card - CERTAIN_WORTH * _from_to(prints, CERTAIN_PRINTS) * clear
    start = per_card + FAR_FIRST_COSTS[1] * np.maximum(0, gap - FAR_FIRST[1])
    start += FAR_FIRST_COSTS[0] * np.maximum(0, FAR_FIRST[0] - gap)
    start[(gap < FIRST[0]) | (gap > FIRST[1])] = np.inf
    strip = tops[None, :] - tops[:, None]
    aside = np.abs(lefts[None, :] - lefts[:, None])
    shown = np.minimum(np.maximum(np.rint(strip * MIDDLE), 0), height).astype(int)
    step = np.take_along_axis(sums, shown, 1) + per_card[None, :]
    step += STRIP_COSTS[0] * np.maximum(0, USUAL_STRIP[0] - strip) + STRIP_COSTS[1] * np.maximum(
        0, strip - USUAL_STRIP[1]
    )
    far = np.where(plain_back & (faces == _BACK), FAR_STRIP_COSTS[1], FAR_STRIP_COSTS[0])
    step += far[:, None] * (strip > FAR_STRIP)
    step += ASIDE_COSTS * np.maximum(0, aside - ASIDE[0])
    bad = (strip < STRIPS[0]) | (strip > STRIPS[1]) | (aside > ASIDE[1])
    bad |= np.abs(turns[None, :] - turns[:, None]) > MOST_TURNED
    step[bad] = np.inf
    last = np.minimum(np.maximum((rows - tops) * MIDDLE, 20 * MIDDLE), height).astype(int)
    return start, step, sums[np.arange(n), last]


def _print_worth(
    faces: NDArray[np.intp], prints: Floats, clipped: bool, back_prints: tuple[float, float] | None
) -> Floats:
    """What the print of candidates is worth, mm, (n,). `prints`: correlations of their headers."""
    if clipped:
        return CLIPPED_PRINT_WORTH * _from_to(prints, CLIPPED_PRINTS)
    worth = np.where(faces < _BACK, FACE_PRINT_WORTH, PRINT_WORTH) * _from_to(prints, PRINTS)
    if back_prints is not None:
        worth = np.where(faces == _BACK, FACE_PRINT_WORTH * _from_to(prints, back_prints), worth)
    return worth


def _from_to(values: Floats, ends: tuple[float, float]) -> Floats:
    """How far values have come from the one end to the other, 0..1."""
    return np.minimum(np.maximum((values - ends[0]) / (ends[1] - ends[0]), 0), 1)


def _shortest(start: Floats, step: Floats, end: Floats) -> tuple[float, list[int]]:
    """Cheapest chain over the cards, which come in the order of their tops; an empty one costs 0."""
    n = len(start)
    total = start.copy()
    before = np.full(n, -1)
    for i in range(1, n):
        by = total[:i] + step[:i, i]
        j = int(by.argmin())
        if by[j] < total[i]:
            total[i], before[i] = by[j], j
    whole = total + end
    i = int(whole.argmin())
    if not whole[i] < 0:
        return 0.0, []
    best, path = float(whole[i]), []
    while i >= 0:
        path.append(i)
        i = int(before[i])
    return best, path[::-1]


def _same_card(nodes: Sequence[Candidate], path: Sequence[int]) -> NDArray[np.bool_]:
    """Which candidates would be which card of a chain, (n, len(path)): those at its place, whatever their face, for
    which face it is is told elsewhere; and those of its face so near that the two cannot be two cards."""
    tops, lefts = np.array([c.top for c in nodes]), np.array([c.left for c in nodes])
    faces = np.array([c.face for c in nodes])
    here = list(path)
    off = np.abs(tops[:, None] - tops[None, here])
    there = (off < ELSEWHERE) | ((off < STRIPS[0]) & (faces[:, None] == faces[None, here]))
    return np.asarray(there & (np.abs(lefts[:, None] - lefts[None, here]) < 3 * ELSEWHERE))


def _otherwise(start: Floats, step: Floats, end: Floats, same: NDArray[np.bool_], there: Sequence[int] = ()) -> float:
    """Cost of the cheapest chain that reads otherwise than the one of which `same` tells the cards: another number of
    cards, or one that is none of them. An empty chain costs 0. `there`: cards, in order, that it must have, too."""
    n, cards = same.shape
    # A chain is so many of those cards and nothing else, or reads otherwise already and has so many of `there`.
    has = np.searchsorted(there, np.arange(cards + 1))
    met = np.arange(len(there) + 1) + np.hstack([same[:, list(there)], np.zeros((n, 1), np.bool_)])
    other = cards + 1
    after = np.hstack([np.where(same, np.arange(1, cards + 1), other + met[:, has[:-1]]), other + met[:, has[-1:]]])
    after = np.hstack([after, other + met])
    total = np.full((n, after.shape[1]), np.inf)
    for i in range(n):
        by = (total[:i] + step[:i, i, None]).min(0, initial=np.inf)
        by[0] = start[i]
        np.minimum.at(total[i], after[i], by)
    allowed = np.append(has == len(there), np.arange(len(there) + 1) == len(there))
    allowed[cards] = False
    empty = 0.0 if cards and not len(there) else np.inf
    return min(float((total[:, allowed] + end[:, None]).min(initial=np.inf)), empty)
