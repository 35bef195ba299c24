"""What is seen in a column that neither the bare table nor its cards explain: it may be a card that was not read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.names import FACE_DOWN
from vision.cards.appearance import lighter
from vision.cards.candidates import STRIPS, Candidate
from vision.cards.chain import Chain
from vision.cards.column import FIRST, Column
from vision.cards.lines import straight
from vision.cards.outline import lower_edge, outline_of
from vision.cards.table_beside import ABOVE, LEFT_OVER, ROOM, SIDE, TO_TAGS, table_beside
from vision.cards.templates import CARD_H, CARD_W, FINE, MIDDLE
from vision.geometry import table as geometry
from vision.geometry.align import Placed
from vision.profile import FACES

THIN: Final = 5
"""Things narrower than this many mm are shadows and edges."""
PRINT_WIDE: Final = 7
"""Print of the table's colour that is narrower than this, mm, does not part what may be a card that was not read."""
CARD_LIKE: Final = (7.0, 38.0)
"""A leftover at least this small and this long, mm, may be a card that was not read."""
REACH: Final = 25.0
"""How far beyond the last card something is looked for, mm."""
BELOW: Final = (3.0, 8.0)
"""How far beyond the end of an uppermost card what belongs to a card on it must begin, mm."""
OUT_WIDE: Final = 0.4
"""Share of a card's width that is seen there of one that sticks out."""
FAR_OUT: Final = (9.0, 14.0)
"""A first card further from its board than the second, mm, may lie on another one: people lay it 0 to 13 mm off. From
the first on it may where more is seen there: in dim light 11 mm of a dotted back were not read, and two on it sure."""
FAR_OUT_UNSEEN: Final = 18.0
"""The same on a patterned table, where a card of its colours shows nothing: of 2,017 columns of photographs no first
card lay further off than 11 mm, and the two that were read so lay on one that was not."""
UNREAD_PRINT: Final = (80.0, 25.0)
"""Area of what is no table there, mm², that tells of it from the first distance on, where haze and glare came to 42 and
an unread back to 147, and from the second: a card of the table's colour shows no more than its figure."""
UNLIKE_THERE: Final = 0.1
"""Cost against the bare table, in the median, of what lies there from the second distance on, that tells of a card: a
back of which no edge was clear came to 0.16, and of 22 first cards of photographs that lay 8 to 11 mm off the table
there to 0.055 at most."""
SMALL: Final = 150.0
"""Leftovers below this area, mm², are nothing."""
RIM_LEFT: Final = (3, 70.0)
"""Width, mm, and area, mm², of what may be the rim of a card that was not read."""
SHADOW: Final = 0.045
"""Step of light, root of light, that a soft shadow does not make (`Column.steps`): what is told from the table differs
from it by 0.07 or more, and a thing does so at its edge."""
OF_A_DARK_TABLE: Final = (0.15, 0.03)
"""The same as a share of the table's own light, root of light, and the least that it is: a shadow takes a share of
that. On wood of 0.17 a back differed by 0.1, and at its edges by 0.03 to 0.05; the grain made steps of 0.02."""
CARD_RIM: Final = 3.0
"""What lies nearer to a card than this is its own, mm: its bent edge, and its shadow."""
CARD_EDGE: Final = 1.0
"""What is nearer than this to that is no thing's edge either, mm: a bent card is laid so far off."""
EDGE_LEFT: Final = 8.0
"""Area of such steps that makes what is left over a thing, mm²."""
CAST_STEP: Final = 0.4
"""Share of what a shadow differs from the table around it by that the light changes within `STEP` mm at most if it is
cast by something far off: of window bars in sunlight, on three path-traced tables, 0.24 or less, of things 0.9 and
more."""
CAST_EDGE: Final = 21
"""Width, mm, of what is an edge of such a shadow, on both sides together: within it the light changes softly."""
CAST_TINT: Final = 0.06
"""By how much its factors may differ between the channels, root of light over the table's: it has the table's own hue,
but for the sky's. On those tables 0.04 or less."""
PRINT_THERE: Final = 0.65
"""Match of a header that a pattern of the table hardly reaches."""
HEADER: Final = 18.0
"""How much of a card, mm, the table must not explain better if its border lies over the board's edge: that edge is
print to it."""
AT_END: Final = 5.0
"""A header whose top edge lies no further than this from the lower end of the uppermost card, mm, is that end's border:
none could lie there."""
ON_BOARD: Final = (4.0, 0.45)
"""An outline whose top edge lies on the board, or less than this below its edge, mm, is the board's own unless its
lower edge is at least this clear: in noise alone it is 0.3."""
CLEAR_OUTLINE: Final = 0.75
"""An outline this clear in a column without cards is one that was not read."""
BARE_ENOUGH: Final = 100.0
"""A column with less than this to explain is empty, mm²: of 2,000 simulated tables' cards none came to less than 1,000,
and 99 of 100 empty places to less than this."""
FAINT_PRINT: Final = 60.0
"""More print than this, mm², is a card's or a thing's, whether the table's colour explains it or not: on photographs of
twenty-one decks columns without cards came to 0, those with cards to 500 or more."""
MAT_LINE: Final = (40, 9)
"""A dark straight line at least this long, mm, is one that is printed on the table: what lies around it, so wide, mm,
is no print of a card. The frames of the printed mat came to 400 to 633 mm² on a white one, and to 0 without it."""
AROUND_THING: Final = 15
"""Width, mm, of what an edge of a thing may make of detail around it."""
SPECK: Final = 12.0
"""The same where the camera clips the bare table, mm²: a card there may show a single sign of its print. On 209
photographs of twenty-one decks 13 such columns without cards came to 0, 54 with cards to 50 or more."""
SHONE_OVER: Final = (400.0, 0.7)
"""Area that glare blows out where a first card would lie, mm², which hides white cards, and the share of the brightest
root of light that a tenth of the table beside the column stays below if it is no white table: of 457 places without
cards on 360 photographs none is so."""
BLOWN_OUT: Final = 0.97
"""Share of what the camera gives at most from which a channel is blown out, root of light."""
UNREAD: Final = 300.0
"""A column in which more than this is no table, mm², is not empty if there is an outline in it this clear."""
UNREAD_EDGE: Final = 0.85
"""Clearness of that outline."""
PRINTED: Final = ((850.0, 25.0), (1800.0, 100.0))
"""A column in which more than this is no table and in which so much of that, mm², differs from it by a step of light
that no shadow makes is not empty, though the table may have each of these colours: on bare wood two dark backs, 987
and 37, were an empty place for certain, for their ink was as dark as its grain. Of 411 places without cards on
photographs of twenty-one decks and 145 in drawn rooms the first is so of five, with 16 of the second at most, the
second of two, with 630 and 760. The others where the table is patterned: three dark backs in dim light had 2,495 and
245 there; of 76 places without cards none has more than 1,600 of the first, and with more than 100 of the second
1,070."""
UNLIKE_ALL_OVER: Final = 1500.0
"""A place on a patterned table of which more than this, mm², is unlike it all over is not empty: of three dark backs
on a checked mat, plain to anybody, each pixel could be the mat's, and 1,922 and more were so, of 316 places without
cards on such tables 1,116 at most."""
ON_A_BACK: Final = (0.95, 75.0)
"""Clearness of an outline that is another card's, and how far below the upper edge of a back it may begin, mm: two
backs, an L1 and an L3 on a dark back in a room were glare on it. Of the uncovered backs of fourteen decks in all
kinds of light none has one clearer than 0.93."""
ASIDE: Final = 14.0
"""How far aside of it, mm."""
SHONE_ON: Final = 0.95
"""Share of a back that glare spares, from which on nothing that lies on it was taken for that: one deck's backs have a
frame within that is as clear as an outline."""
UNEXPLAINED: Final = 0.07
"""Mean cost of a few rows of a card against the bare table that tells of another card there: 97 of 100 lie below, and a
strip of 13 mm that no candidate had was seen at 0.095."""

_BACK: Final = FACES.index(FACE_DOWN)
_EDGE: Final = round((SIDE - ROOM * 0.5) * MIDDLE)
_REACHED: Final = slice(_EDGE, -_EDGE)
"""How far aside cards reach, in a column's pictures at `MIDDLE`."""
_FIRST_ROWS: Final = slice(round((ABOVE + 8) * MIDDLE), round((ABOVE + 75) * MIDDLE))
_FIRST_CARD: Final = _FIRST_ROWS, slice(round(SIDE * MIDDLE), -round(SIDE * MIDDLE))
"""Where a first card would lie, in a column's pictures at `MIDDLE`."""
_CAST_EDGE: Final = np.ones((round(CAST_EDGE * MIDDLE),) * 2, np.uint8)
_CAST_AROUND: Final = np.ones((round(2 * CAST_EDGE * MIDDLE) | 1,) * 2, np.uint8)


@dataclass(frozen=True, slots=True)
class Unexplained:
    """What a chain of cards leaves unexplained in its column."""

    foreign: bool
    """Something lies there that is no card of the chain."""
    hidden: bool
    """It may be a card."""
    whole: bool
    """Nothing that is seen goes unexplained, be it as thin as the rim of a card under another."""
    outlined: bool
    """No card is told, and there is the outline of one."""


def unexplained(column: Column, chain: Chain, found: Iterable[Candidate]) -> Unexplained:
    """What a chain leaves unexplained. `found`: all cards that were weighed for it."""
    rest, no_print = _left_over(column, chain)
    left = _things(rest, THIN, SMALL)
    solid = cv2.morphologyEx(rest, cv2.MORPH_CLOSE, np.ones((PRINT_WIDE, PRINT_WIDE), np.uint8)) if left else rest
    hidden = _card_like(_things(np.asarray(solid), THIN, SMALL))
    # A header is seen that the table's own colours explain as well: a white card on a white mat.
    beside = _print_beside(chain, found)
    beneath = _beneath_first(column, chain)
    clear = 0.0
    if not chain.cards and not column.patterned and unlike_table(column) > BARE_ENOUGH:
        clear = max((clear for clear, place in column.outlines if _reached(column, place)), default=0.0)
    # Where no end is seen of the uppermost card, what lies beyond is what covers it, whatever its shape: of a back of
    # the table's own colour in the shade only its dots and its rim are seen.
    covering = chain.endless and bool(np.count_nonzero(rest) > SMALL * MIDDLE**2)
    covering = covering or _on_a_back(column, chain)
    # What has the outline of a card is there, read or not.
    unread = clear > UNREAD_EDGE and unlike_table(column) > UNREAD
    unread = unread or (not chain.cards and (_printed(column, no_print) or _unlike_all_over(column)))
    # A card of the table's own colour lies unseen but for its ink.
    # What is too little to be a thing hides no print: it may be a figure's.
    things = rest | no_print if left else no_print
    ink = not chain.cards and ((not column.patterned and _ink_seen(column, things)) or _shone_over(column))
    return Unexplained(
        bool(left) or beside or unread or beneath or covering or ink,
        hidden or beside or unread or beneath or covering or ink,
        chain.worst < UNEXPLAINED and not _things(rest, *RIM_LEFT) and not beneath and not covering,
        clear > CLEAR_OUTLINE,
    )


def unlike_table(column: Column) -> float:
    """How much there is where a first card would lie that the bare table does not explain, mm²."""
    first = column.bare[_FIRST_ROWS]
    # Noise stands alone; of a card's pixels and their neighbours most are unlike the table.
    unlike = (first[:, _REACHED] > LEFT_OVER * 0.6).astype(np.uint8)
    return float(np.count_nonzero(cv2.boxFilter(unlike, -1, (3, 3), normalize=False) > 4)) / MIDDLE**2


def faint_print(column: Column, but: NDArray[np.uint8] | None = None) -> float:
    """How much there is in the same place that has more detail than the bare table, mm²: print of its colour. `but`:
    (h, w) at `MIDDLE`, things that are not looked at, nor what lies around them."""
    print_seen = column.detail_power[_FIRST_CARD] > column.plain_power
    if print_seen.any():
        around = cv2.dilate(_long_lines(column), np.ones((MAT_LINE[1],) * 2, np.uint8))
        print_seen &= around[_FIRST_CARD] == 0
    if but is not None:
        print_seen &= cv2.dilate(but, np.ones((AROUND_THING, AROUND_THING), np.uint8))[_FIRST_CARD] == 0
    return float(np.count_nonzero(print_seen)) / MIDDLE**2


def _long_lines(column: Column) -> NDArray[np.uint8]:
    """Where long straight lines are darker than the table, along the column or across it, (h, w) at `MIDDLE`, 0 or
    1."""
    dark = (column.detail < -np.sqrt(column.plain_power)).astype(np.uint8)
    long = round(MAT_LINE[0] * MIDDLE)
    lines = np.zeros(dark.shape, np.uint8)
    for upright in (False, True):
        # A line that lies a little aslant goes from one row to the next.
        thick = cv2.dilate(dark, np.ones((1, 3) if upright else (3, 1), np.uint8))
        lines |= straight(np.asarray(thick, dtype=np.uint8), long, upright)
    return lines


def nothing_there(column: Column) -> bool:
    """Whether a table of one colour explains all that is seen where a first card would lie."""
    return unlike_table(column) < BARE_ENOUGH and not _ink_seen(column) and not _shone_over(column)


def _shone_over(column: Column) -> bool:
    """Whether glare hides much of where a first card would lie on a table that is not white: of a white card there
    nothing is seen, and the table's own colour is that of the glare."""
    blown = lighter(column.tones[_FIRST_CARD], BLOWN_OUT * column.brightest)
    if np.count_nonzero(blown) < SHONE_OVER[0] * MIDDLE**2:
        return False
    beside = (table_beside(column.tones) / column.brightest).mean(2)
    return float(np.quantile(beside[::2, ::2], 0.1)) < SHONE_OVER[1]


def _ink_seen(column: Column, but: NDArray[np.uint8] | None = None) -> bool:
    """Whether something is printed there, beside things (`faint_print`), though its paper may look like the table."""
    return (column.clipped and unlike_table(column) > SPECK) or faint_print(column, but) > FAINT_PRINT


def _printed(column: Column, but: NDArray[np.uint8]) -> bool:
    """Whether much of where a first card would lie is no table, with edges of its own (`PRINTED`). `but`: (h, w) at
    `MIDDLE`, what is no print (`_left_over`)."""
    unlike, steps = PRINTED[column.patterned]
    if unlike_table(column) < unlike:
        return False
    sharp = _sharp(column, _FIRST_ROWS) & (but[_FIRST_ROWS, _REACHED] == 0)
    return bool(np.count_nonzero(sharp) > steps * MIDDLE**2)


def _unlike_all_over(column: Column) -> bool:
    """Whether much of where a first card would lie on a patterned table differs a little from it all over."""
    if not column.patterned:
        return False
    return bool(np.count_nonzero(column.unlike_all_over[_FIRST_CARD]) > UNLIKE_ALL_OVER * MIDDLE**2)


def _sharp(column: Column, rows: slice) -> NDArray[np.bool_]:
    """What in some rows, px at `MIDDLE`, and as far aside as cards reach is no table and differs from what lies around
    it by a step of light that no shadow makes, (h, w)."""
    return (column.bare[rows, _REACHED] > LEFT_OVER) & (column.steps[rows, _REACHED] > SHADOW)


def _beneath_first(column: Column, chain: Chain) -> bool:
    """Whether a first card that lies far from its board may lie on another one: print or an outline is seen there."""
    gap = chain.cards[0].top - ABOVE if chain.cards else 0.0
    if gap < FAR_OUT[0]:
        return False
    if column.patterned and gap >= FAR_OUT_UNSEEN:
        return True
    far = gap >= FAR_OUT[1]
    first, top = round((ABOVE + 3) * MIDDLE), chain.cards[0].top
    if not column.patterned:
        between = slice(first, round((top - 3) * MIDDLE))
        if np.count_nonzero(_sharp(column, between)) > UNREAD_PRINT[far] * MIDDLE**2:
            return True
        if far and float(np.median(column.bare[between, _FIRST_CARD[1]])) > UNLIKE_THERE:
            return True
    tops = ((clear, place.point(CARD_W / 2, 0.0)[1] / FINE) for clear, place in column.outlines) if far else ()
    return any(clear > CLEAR_OUTLINE and at < top - STRIPS[0] for clear, at in tops)


def _left_over(column: Column, chain: Chain) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Where neither the bare table nor the chain's cards explain what is seen, (h, w) at `MIDDLE`, 0 or 1; and what
    there is no print of a card: the edges of shadows, and lines that lead beyond where cards lie."""
    bare = column.bare
    mask = (bare > LEFT_OVER).astype(np.uint8)
    mask[: round((ABOVE + 3) * MIDDLE)] = 0
    # What was not read can only lie before the chain, in it, or as its next card; on cards that the light hides, if it
    # hides white cards on a white table.
    end = chain.cards[-1].top + geometry.CARD[1] + REACH if chain.cards else ABOVE + geometry.CARD[1]
    if column.clipped and not chain.cards:
        end = ABOVE + TO_TAGS
    mask[max(0, round(min(column.rows - 2, end, ABOVE + TO_TAGS) * MIDDLE)) :] = 0
    beside_cards = np.zeros_like(mask)
    for card in chain.cards:
        cv2.fillConvexPoly(mask, _around(card, CARD_RIM), 0)
        cv2.fillConvexPoly(beside_cards, _around(card, CARD_RIM + CARD_EDGE), 1)
    if chain.cards and not chain.endless:
        # A card on the uppermost one that sticks out beyond its end does so over nearly all of its width.
        below = slice(*(round((chain.cards[-1].top + geometry.CARD[1] + gap) * MIDDLE) for gap in BELOW))
        aside = round(SIDE * MIDDLE)
        if np.count_nonzero(mask[below, aside:-aside].any(0)) < OUT_WIDE * geometry.CARD[0] * MIDDLE:
            mask[below.stop :] = 0
    if chain.cards and np.count_nonzero(mask[:, _REACHED]) < min(SMALL, RIM_LEFT[1]) * MIDDLE**2:
        # So little is nothing.
        mask[:] = 0
        return mask, mask
    # A thing's edge may lie further aside than a card does.
    mask, shadows = _without_shadows(mask, column, beside_cards)
    beside = shadows | _reaching_out(mask, _EDGE)
    mask[:, :_EDGE] = 0
    mask[:, -_EDGE:] = 0
    if not chain.cards and np.count_nonzero(mask) > SMALL * MIDDLE**2:
        # A mat's pattern is no thing that lies there; within a stack it may be a card of the same colours.
        mask[column.like_the_sides] = 0
    return mask, beside


def _around(card: Candidate, rim: float) -> NDArray[np.int32]:
    """The corners of a card and `rim` mm around it, px at `MIDDLE`."""
    off = rim * FINE
    corners = np.array([[-off, -off], [CARD_W + off, -off], [CARD_W + off, CARD_H + off], [-off, CARD_H + off]])
    return np.round(card.place.points(corners) * MIDDLE / FINE).astype(np.int32)


def _on_a_back(column: Column, chain: Chain) -> bool:
    """Whether the outline of a card is plainly seen on an uppermost back: what lies on it was taken for glare."""
    if not chain.cards or chain.cards[-1].face != _BACK:
        return False
    last = chain.cards[-1]
    if last.spared(geometry.CARD[1]) > SHONE_ON:
        return False
    tops = ((clear, place.point(CARD_W / 2, 0.0)) for clear, place in column.outlines)
    return any(
        clear > ON_A_BACK[0] and STRIPS[0] < y / FINE - last.top < ON_A_BACK[1] and abs(x / FINE - last.left) < ASIDE
        for clear, (x, y) in tops
    )


def _without_shadows(
    mask: NDArray[np.uint8], column: Column, beside_cards: NDArray[np.uint8]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """What of a mask, (h, w) at `MIDDLE`, may be things: all but parts in which the light changes softly everywhere, or
    at their edges alone and less than at a thing's; and the edges of those. What is `beside_cards` may be the edge of
    one that is laid a little off, and is no thing's."""
    edges = np.zeros_like(mask)
    if not mask.any():
        return mask, edges
    count, parts = cv2.connectedComponents(mask)
    step = min(SHADOW, max(OF_A_DARK_TABLE[0] * _light_of_table(column), OF_A_DARK_TABLE[1]))
    edge = column.steps > step
    if step < SHADOW:  # Between the two, such an edge is unlike the table where its step is past.
        edge = cv2.dilate(edge.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    edge &= beside_cards == 0
    sharp = np.bincount(parts[edge], minlength=count) >= EDGE_LEFT * MIDDLE**2
    sharp[0] = False
    if not column.patterned:
        for k in np.flatnonzero(sharp):
            part = np.asarray(parts == k, dtype=np.uint8)
            if np.count_nonzero(part) >= SMALL * MIDDLE**2 and _cast(part, column):
                sharp[k] = False
                edges[(part > 0) & (cv2.erode(part, _CAST_EDGE) == 0)] = 1
    return np.asarray(sharp[parts], dtype=np.uint8), edges


def _light_of_table(column: Column) -> float:
    """How light the table beside a column is, root of light."""
    return float(np.median(table_beside(column.tones)[::2, ::2].mean(2)))


def _reaching_out(mask: NDArray[np.uint8], edge: int) -> NDArray[np.uint8]:
    """Parts of a mask, (h, w) at `MIDDLE`, that lead into its outermost columns, `edge` on either side, 0 or 1."""
    count, parts = cv2.connectedComponents(mask)
    out = np.zeros(count, np.uint8)
    for side in (parts[:, :edge], parts[:, -edge:]):
        out[side.reshape(-1)] = 1
    out[0] = 0
    return np.asarray(out[parts])


def _cast(part: NDArray[np.uint8], column: Column) -> bool:
    """Whether a part, (h, w) at `MIDDLE`, is a shadow that something far off casts: the table's hue, even within, its
    edge wider than that of a thing which lies there."""
    around = (cv2.dilate(part, _CAST_AROUND) > 0) & (column.bare < LEFT_OVER / 2)
    if np.count_nonzero(around) < SMALL * MIDDLE**2:
        return False
    table, shaded = np.median(column.tones[around], axis=0), column.tones[part > 0]
    # What is half lit, at its edges, is left out.
    level = shaded.mean(1)
    dark = np.median(shaded[level <= np.median(level)], axis=0)
    factors = dark / np.maximum(table, 1e-3)
    if float(factors.max()) >= 1 or float(np.ptp(factors)) > CAST_TINT:
        return False
    steps, most = column.steps, CAST_STEP * float((table - dark).max())
    few = EDGE_LEFT * MIDDLE**2
    near = cv2.dilate(part, np.ones((3, 3), np.uint8)) > 0
    inner = cv2.erode(part, _CAST_EDGE) > 0
    return bool(np.count_nonzero(steps[near] > most) < few and np.count_nonzero(steps[inner] > SHADOW) < few)


def _print_beside(chain: Chain, found: Iterable[Candidate]) -> bool:
    """Whether plain print of a header is seen where no card of the chain lies."""
    middle = CARD_W / 2, 9.0 * FINE
    quads = [(outline_of(card.place) * FINE).astype(np.float32).reshape(-1, 1, 2) for card in chain.cards]
    end = chain.cards[-1].top + geometry.CARD[1] if chain.cards else 0.0
    return any(
        card.match > PRINT_THERE
        and not (card.top < ABOVE and float(card.costs[: round(HEADER * MIDDLE)].sum()) > 0)
        and abs(card.top - end) > AT_END
        and all(cv2.pointPolygonTest(quad, card.place.point(*middle), False) < 0 for quad in quads)
        for card in found
    )


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


def _reached(column: Column, place: Placed) -> bool:
    """Whether an outline may be a card's in a column without known cards: its first's, or that of one on a first that
    was not read."""
    top = place.point(CARD_W / 2, 0.0)[1] / FINE
    if top < ABOVE + ON_BOARD[0] and not column.clipped and lower_edge(column.tones, place) < ON_BOARD[1]:
        return False
    return top < ABOVE + FIRST[1] + STRIPS[1]


__all__ = ["Unexplained", "faint_print", "nothing_there", "unexplained", "unlike_table"]
