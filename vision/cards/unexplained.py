"""What is seen in a column that neither the bare table nor its cards explain: it may be a card that was not read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.names import FACE_DOWN
from vision.cards.bare_table import hue_apart
from vision.cards.candidates import STRIPS, Candidate
from vision.cards.chain import Chain
from vision.cards.column import Column
from vision.cards.empty_place import (
    ASIDE_OF_CARDS,
    BARE_ENOUGH,
    FAINT_PRINT,
    HUE_THERE,
    NO_TABLE,
    REACHED,
    SHADOW,
    clearest_outline,
    faint_print,
    ink_seen,
    printed,
    sharp,
    shone_over,
    unlike_all_over,
    unlike_table,
)
from vision.cards.outline import around, outline_of
from vision.cards.table_beside import ABOVE, FIRST_CARD, LEFT_OVER, SIDE, TO_TAGS, table_beside
from vision.cards.templates import CARD_H, CARD_W, FINE, MIDDLE
from vision.geometry import table as geometry
from vision.geometry.align import Placed
from vision.geometry.quantile import quantile
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
BEYOND_END: Final = (3.0, 12.0, 0.15)
"""What from the first to the second distance beyond it, mm, the bare table explains worse than the third nearly
everywhere is a card that lies on it, too: two dark backs whose upper one was not seen were one for certain, with 0.18
and 0.21 there. One that came to 0.149 differed from the table in hue, by 0.19: that tells, too (`HUE_THERE`)."""
SIDES_SEEN: Final = (6.5, 3.0)
"""So near to where its sides would be, mm, the light must change by so many times as much as it mostly does on the
table within `STEP`: in light with bands, and in a lamp's, by 1.4 to 2 times, at those backs' sides by 6 and 13."""
SHINES: Final = 1.15
"""What is so many times as light as the table there, root of light, is a lamp's shine on it: one came to 1.36, those
backs to 1.05."""
SHADED: Final = 0.85
"""Light there over the table's, root of light, from which it is none that something far off keeps off: a window bar's
shadow came to 0.8, and how soft the edges of what is lighter are cannot be told."""
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
UNLIKE_THERE: Final = ((10.0, 0.2), (14.0, 0.1))
"""Cost against the bare table, in the median, of what lies there from a distance on, mm, that tells of a card: a back
of which no edge was clear came to 0.16, a strip of 12 mm of one to 0.34, and of 22 first cards of photographs that lay
8 to 11 mm off the table there to 0.055 at most. Less than 10 mm nobody leaves of a card, and a mat may have a field."""
SMALL: Final = 150.0
"""Leftovers below this area, mm², are nothing."""
RIM_LEFT: Final = (3, 70.0)
"""Width, mm, and area, mm², of what may be the rim of a card that was not read."""
OF_A_DARK_TABLE: Final = (0.15, 0.03)
"""`SHADOW` as a share of the table's own light, root of light, and the least that it is: a shadow takes a share of
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
CAST_IN_WARM_LIGHT: Final = (0.2, 0.25, 0.75)
"""The same where what lights the shadow is warmer or colder than what it keeps off, and between which shares of the way
from red's factor to blue's green's then lies, as between the hues of two lights: in a room with a warm lamp sunlight's
shadow had 0.88, 0.80 and 0.70, and left a stack in doubt."""
PRINT_THERE: Final = 0.65
"""Match of a header that a pattern of the table hardly reaches."""
HEADER: Final = 18.0
"""How much of a card, mm, the table must not explain better if its border lies over the board's edge: that edge is
print to it."""
ON_TOP: Final = 6.0
"""By how much more a header on the uppermost card must explain than that card does there to be another's, mm: an A3
whose header was plainly seen and the dark back on it, which was not, lay on an S1, and that was certain. It came to
10."""
AT_END: Final = 5.0
"""A header whose top edge lies no further than this from the lower end of the uppermost card, mm, is that end's border:
none could lie there."""
CLEAR_OUTLINE: Final = 0.75
"""An outline this clear in a column without cards is one that was not read."""
UNREAD: Final = 300.0
"""A column in which more than this is no table, mm², is not empty if there is an outline in it this clear."""
UNREAD_EDGE: Final = 0.85
"""Clearness of that outline."""
BARE_BEFORE: Final = 0.02
"""Share of what lies before a first card that may be unlike what was seen there when nothing lay there."""
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
    things_alone: bool
    """Nothing else tells of a card there than what has not the table's colours, in an empty place or beyond the end of
    a card whose print would tell whether another lies on it."""


def unexplained(
    column: Column, chain: Chain, found: Iterable[Candidate], back_prints: tuple[float, float] | None = None
) -> Unexplained:
    """What a chain leaves unexplained. `found`: all cards that were weighed for it; `back_prints`: correlations from
    which a back's header tells of a back, and surely, if this deck's does."""
    rest, no_print = _left_over(column, chain)
    left = _things(rest, THIN, SMALL)
    solid = cv2.morphologyEx(rest, cv2.MORPH_CLOSE, np.ones((PRINT_WIDE, PRINT_WIDE), np.uint8)) if left else rest
    hidden = _card_like(_things(np.asarray(solid), THIN, SMALL))
    # A header is seen that the table's own colours explain as well: a white card on a white mat.
    beside = _print_beside(chain, found) or _header_on_top(chain, found, back_prints)
    beneath = _beneath_first(column, chain)
    clear = 0.0
    if not chain.cards and not column.patterned and unlike_table(column) > BARE_ENOUGH:
        clear = clearest_outline(column)
    # Where no end is seen of the uppermost card, what lies beyond is what covers it, whatever its shape: of a back of
    # the table's own colour in the shade only its dots and its rim are seen.
    covering = chain.endless and bool(np.count_nonzero(rest) > SMALL * MIDDLE**2)
    covering = covering or _on_a_back(column, chain)
    on_a_back = covering and chain.cards[-1].face == _BACK
    covering = covering or _beyond_end(column, chain)
    # What has the outline of a card is there, read or not.
    unread = clear > UNREAD_EDGE and unlike_table(column) > UNREAD
    unread = unread or (not chain.cards and (printed(column, no_print) or unlike_all_over(column)))
    # A card of the table's own colour lies unseen but for its ink.
    # What is too little to be a thing hides no print: it may be a figure's.
    things = rest | no_print if left else no_print
    ink = not chain.cards and ((not column.patterned and ink_seen(column, things)) or shone_over(column))
    return Unexplained(
        bool(left) or beside or unread or beneath or covering or ink,
        hidden or beside or unread or beneath or covering or ink,
        chain.worst < UNEXPLAINED and not _things(rest, *RIM_LEFT) and not beneath and not covering,
        clear > CLEAR_OUTLINE,
        not (beside or beneath or ink or on_a_back),
    )


def _beneath_first(column: Column, chain: Chain) -> bool:
    """Whether a first card that lies far from its board may lie on another one: print or an outline is seen there."""
    gap = chain.cards[0].top - ABOVE if chain.cards else 0.0
    if gap < FAR_OUT[0]:
        return False
    if column.patterned and gap >= FAR_OUT_UNSEEN and not _bare_before(column, chain.cards[0].top):
        return True
    far = gap >= FAR_OUT[1]
    first, top = round((ABOVE + 3) * MIDDLE), chain.cards[0].top
    if not column.patterned:
        between = slice(first, round((top - 3) * MIDDLE))
        if np.count_nonzero(sharp(column, between)) > UNREAD_PRINT[far] * MIDDLE**2:
            return True
        unlike = float(np.median(column.bare[between, FIRST_CARD[1]]))
        if any(gap >= least and unlike > tells for least, tells in UNLIKE_THERE):
            return True
        if far and faint_print(column, place=(between, FIRST_CARD[1])) > FAINT_PRINT:
            return True
    tops = ((clear, place.point(CARD_W / 2, 0.0)[1] / FINE) for clear, place in column.outlines) if far else ()
    return any(clear > CLEAR_OUTLINE and at < top - STRIPS[0] for clear, at in tops)


def _bare_before(column: Column, top: float) -> bool:
    """Whether what was seen when nothing lay there explains nearly all that is seen between the board and a first card,
    whose upper edge lies at `top`, mm, so that no card of the table's own colours lies beneath it."""
    if column.against_empty is None:
        return False
    between = slice(round((ABOVE + 3) * MIDDLE), round((top - 3) * MIDDLE)), FIRST_CARD[1]
    unlike = np.count_nonzero(column.against_empty.errors[between] > LEFT_OVER)
    return bool(unlike < BARE_BEFORE * column.bare[between].size) and not column.new_print[between].any()


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
        cv2.fillConvexPoly(mask, around(card.place, CARD_RIM), 0)
        cv2.fillConvexPoly(beside_cards, around(card.place, CARD_RIM + CARD_EDGE), 1)
    if chain.cards and not chain.endless:
        # A card on the uppermost one that sticks out beyond its end does so over nearly all of its width.
        below = slice(*(round((chain.cards[-1].top + geometry.CARD[1] + gap) * MIDDLE) for gap in BELOW))
        aside = round(SIDE * MIDDLE)
        if np.count_nonzero(mask[below, aside:-aside].any(0)) < OUT_WIDE * geometry.CARD[0] * MIDDLE:
            mask[below.stop :] = 0
    if chain.cards and np.count_nonzero(mask[:, REACHED]) < min(SMALL, RIM_LEFT[1]) * MIDDLE**2:
        # So little is nothing.
        mask[:] = 0
        return mask, mask
    # A thing's edge may lie further aside than a card does.
    mask, shadows = _without_shadows(mask, column, beside_cards)
    beside = shadows | _reaching_out(mask, ASIDE_OF_CARDS)
    mask[:, :ASIDE_OF_CARDS] = 0
    mask[:, -ASIDE_OF_CARDS:] = 0
    if not chain.cards and np.count_nonzero(mask) > SMALL * MIDDLE**2:
        # A mat's pattern is no thing that lies there; within a stack it may be a card of the same colours.
        mask[column.like_the_sides] = 0
    if column.elsewhere and not _covered_all_over(column, chain):
        # Nor is what has colours of that pattern that are seen beside other columns alone.
        free = slice(_just_beyond(chain.cards[-1].place)[0].start, None) if chain.cards else slice(None)
        mask[free][column.like_elsewhere[free]] = 0
    return mask, beside


def _covered_all_over(column: Column, chain: Chain) -> bool:
    """Whether a card may lie where a chain leaves a patterned table free: what is beside the column explains hardly
    anything there, or the end of the uppermost card is not seen."""
    if not chain.cards:
        return unlike_all_over(column)
    if chain.endless:
        return True
    beyond = column.bare[_just_beyond(chain.cards[-1].place)]
    return not beyond.size or float(np.quantile(beyond, 0.25)) >= NO_TABLE[1]


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


def _beyond_end(column: Column, chain: Chain) -> bool:
    """Whether no bare table is seen just beyond the end of the uppermost card (`BEYOND_END`)."""
    if not chain.cards:
        return False
    place = chain.cards[-1].place
    rows, across = _just_beyond(place)
    if rows.stop > min(column.rows, ABOVE + TO_TAGS) * MIDDLE:
        return False
    left, right = _sides_at_end(place)
    if abs((left + right) / 2 - column.bare.shape[1] / 2 / MIDDLE) > SIDE - SIDES_SEEN[0]:
        return False  # It lies askew, and leads out of the picture.
    unlike = quantile(column.bare[rows, across], 0.25)
    if unlike < BEYOND_END[2] and (
        # A patterned table has several hues.
        column.patterned or unlike < NO_TABLE[0] or hue_apart(column, rows, across) <= HUE_THERE
    ):
        return False
    level = float(np.median(column.tones[rows, across].mean(2))) / max(_light_of_table(column), 1e-6)
    if level > SHINES:
        return False
    # Light that is uneven all over the table has no edges where a card's sides would be.
    least = SIDES_SEEN[1] * float(np.median(table_beside(column.steps)))
    sides = (_from_to(side - SIDES_SEEN[0], side + SIDES_SEEN[0]) for side in (left, right))
    if not all(float(np.median(column.steps[rows, side].max(1))) > least for side in sides):
        return False
    # A window bar's shadow has edges there, too, but soft ones, and is plainly darker.
    return level > SHADED or not _cast_from(column, rows, across)


def _just_beyond(place: Placed) -> tuple[slice, slice]:
    """Where the bare table is looked for just beyond the end of a card that lies there, px at `MIDDLE`: its rows, and
    how far across."""
    end = max(place.point(x, CARD_H)[1] / FINE for x in (0.0, CARD_W))
    left, right = _sides_at_end(place)
    rows = slice(*(round((end + away) * MIDDLE) for away in BEYOND_END[:2]))
    return rows, _from_to(left + CARD_RIM, right - CARD_RIM)


def _sides_at_end(place: Placed) -> tuple[float, float]:
    """How far from a column's left the sides of a card that lies there are at its end, mm, as if it lay straight."""
    middle = place.point(CARD_W / 2, CARD_H)[0] / FINE
    return middle - geometry.CARD[0] / 2, middle + geometry.CARD[0] / 2


def _cast_from(column: Column, rows: slice, across: slice) -> bool:
    """Whether what differs from the table in some rows and columns just beyond a card, px at `MIDDLE`, and some way
    further, is a shadow that something far off casts."""
    mask = (column.bare > BEYOND_END[2]).astype(np.uint8)
    mask[: rows.start] = 0
    mask[rows.start + round((REACH - BEYOND_END[0]) * MIDDLE) :] = 0
    parts = cv2.connectedComponents(mask)[1]
    largest = int(np.bincount(parts[rows, across].ravel(), minlength=2)[1:].argmax()) + 1
    return _cast(np.asarray(parts == largest, dtype=np.uint8), column)


def _from_to(left: float, right: float) -> slice:
    """From one distance to another, mm from a column's left, px at `MIDDLE`."""
    return slice(*(max(0, round(x * MIDDLE)) for x in (left, right)))


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
    if float(factors.max()) >= 1 or not _of_two_lights(factors):
        return False
    steps, most = column.steps, CAST_STEP * float((table - dark).max())
    few = EDGE_LEFT * MIDDLE**2
    near = cv2.dilate(part, np.ones((3, 3), np.uint8)) > 0
    inner = cv2.erode(part, _CAST_EDGE) > 0
    return bool(np.count_nonzero(steps[near] > most) < few and np.count_nonzero(steps[inner] > SHADOW) < few)


def _of_two_lights(factors: NDArray[np.float32]) -> bool:
    """Whether factors of what a shadow leaves (3, BGR) are those of light of nearly the same hue, or of a warmer or
    colder one."""
    blue, green, red = factors.tolist()
    tint, least, most = CAST_IN_WARM_LIGHT
    if float(np.ptp(factors)) <= CAST_TINT:
        return True
    way = (red - green) / (red - blue) if red != blue else 0.0
    return abs(red - blue) <= tint and least <= way <= most


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


def _header_on_top(chain: Chain, found: Iterable[Candidate], back_prints: tuple[float, float] | None) -> bool:
    """Whether plain print of a header is seen on the uppermost card of a chain, which explains it much worse; or that
    of a back which nothing but a back shows: where the camera clips the light paper, nothing explains anything better.
    """
    if not chain.cards:
        return False
    last, rows = chain.cards[-1], round(HEADER * MIDDLE)
    for card in found:
        if card.match > PRINT_THERE and STRIPS[0] < card.top - last.top < geometry.CARD[1] - HEADER:
            if card.face == _BACK and back_prints is not None and card.match > back_prints[0]:
                return True
            first = round((card.top - last.top) * MIDDLE)
            if float(last.costs[first : first + rows].sum() - card.costs[:rows].sum()) > ON_TOP * MIDDLE:
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


__all__ = ["Unexplained", "unexplained"]
