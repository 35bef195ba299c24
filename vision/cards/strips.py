"""What shows of a covered card, and whether it is that one card: where much shows, another may lie in it.

People leave 31 mm of a covered card at most. Where more shows there is room for two cards, and a back may lie on a back
unseen; so such a card counts for certain only where its own print goes on through all that shows of it, more plainly
than the print of any card that might lie there could look like it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.appearance import laid, tones_under
from vision.cards.candidates import STRIPS, Candidate
from vision.cards.column import Column
from vision.cards.plain_back import seam_within
from vision.cards.similarity import DETAIL_MM, Print, PrintMask
from vision.cards.templates import CARD_H, CARD_W, FINE, MIDDLE, Bank, card_px
from vision.geometry.align import Placed, Point, clamped, grey, local_contrast
from vision.types import Grey

ROOM_FOR_TWO: Final = (31.5, 70.0)
"""A covered card of which this much shows, mm, has room for two: people leave 31 mm at most, and a lamp can blow a
whole strip out."""
PART: Final = 8
"""Rows of print that are compared at a time, mm: a hidden card would show so much of itself and more."""
RIM: Final = 3
"""Of both sides left out, mm: the card may be laid a little off."""
PLAIN: Final = 0.6
"""Correlation of each part with the card's own print from which it is plainly seen there. Of 53 covered backs
of two path-traced decks, in all kinds of light, three in four reach 0.70; the three with room for two 0.84 to 0.93."""
TIMES_BETTER: Final = 1.5
"""So many times as much of what is seen, as a share of its variance, any other card's header laid there must leave
unexplained: an L6 has 2.4 where another reaches 0.86 in a part of little print. Of the 10 covered cards with room for
two of all path-traced photographs one through a strong lens has 1.6, a dark back 0.8, two backs read as one 0.2."""
BREAKS_OFF: Final = (18.0, 0.9)
"""A covered card of which more shows than this, mm, and whose print goes no better than this with what is seen, is
looked at for where its print breaks off: there is room for two strips of 9 mm."""
BEGINS_AGAIN: Final = ((6, 0.6, 0.2), (10, 0.6, 0.1))
"""So many rows of a back, mm, go so well with something further down in what shows of it, and so much better than with
anything there on the back itself, only if they are another one's: two backs that went as one at 0.83 by a figure 2
alone had 0.66 instead of 0.41. Of 1,192 covered backs of twenty-two path-traced decks none has 0.5 and 0.1 more. Ten
rows tell of a back that repeats, too: five pairs read as one had 0.66 to 0.82 and 0.24 to 0.53 more; of 583 that were
read rightly those with 0.55 have 0.01 more at most. What glare spares of two may go as one at 0.94."""
UNLIKE_ITSELF: Final = (26.0, 0.45)
"""A covered back of which more shows than this, mm, and whose print goes worse than this with it may be two. Pairs read
as one had 0.22 to 0.41; of 802 tables, read rightly, the worst such backs have 0.47 to 0.5, and three of which less
shows have less."""
PLAIN_HEADER: Final = 0.8
"""Correlation of a part from which a card's upper end is plainly seen."""
OPEN_STRIP: Final = 12.0
"""A covered card of which more shows than this, mm, is looked at for what shows beside a cover that lies askew."""
ASKEW_RIM: Final = 1.0
"""Of what shows there so much more is left out, mm: with a shine along its cover's edge an L6 went at 0.03, so at
0.21."""
ANOTHERS: Final = ((100, 0.15, 0.02), (250, 0.28, 0.02), (400, 0.42, 0.05))
"""A part of which so much shows there, mm², is another card's if it goes no better than this with a card's own print,
and has a detail that deviates by so much, root of light; the card itself need have no print there. Half the title of an
A6 under an askew back went with the S5 beneath by -0.27, backs between an A6 and an S5 with the A6 by 0.33 and 0.41. Of
753 covered cards of ten path-traced decks, read rightly, the worst have 0.21, 0.29 and 0.33, of 350 mm² 0.35, of strong
print and 464 mm² 0.45; one under a shine 0.33 of print of 0.036."""
NOT_ITS_OWN: Final = 0.3
"""Correlation of a part below which what is seen there is another card's print. An L6 with a back unseen on its lower
half reached 0.97 and -0.05; of the other covered cards of that stack none had a part below 0.8."""
ON_IT: Final = 0.15
"""Correlation, the middle one of its parts', below which what a card that nothing seems to cover shows further down is
another card's print. Under a back of the mat's own colour an A3 had -0.01. Of 433 path-traced and drawn tables none
lost its certainty by it, backs apart: blurred ones have 0.05 and more."""
PLAINLY_ALL: Final = 0.95
"""Match from which an uncovered card is not looked at for that: the A3 had 0.89; of 312 such cards of 96 drawn
tables 303 have more."""
SOME_PRINT: Final = 0.02
"""Deviation of detail, root of light, below which a part has no print to compare."""
FAINT_PRINT: Final = 0.015
"""The same, where many parts are taken together: at the shine of a sleeve's lower rim an A1's last two parts went with
it at -0.43 and 0.00, two fainter ones above them at 0.65 and 0.80."""
ASIDE: Final = 12
"""How far sideways another card may lie, mm."""
RIM_SEEN: Final = 1.0
"""Of what shows of a covered card so much more is left out where print is compared, mm: faces are cut out a millimetre
off, so the rim of what covers a card may show beyond where it is taken to lie. On a deck whose cuts differ by that, one
rim took an L6's correlation with itself from 0.98 to 0.77."""
RIM_SPARED: Final = 14.0
"""A card of which less shows than this, mm, cannot spare so much: on a path-traced S2 of 9 mm its print then went with
itself at 0.78 instead of 0.92."""
LOOSE_PRINT: Final = 0.9
"""Correlation below which print is a worse guide to how a card is turned than its edges."""


def shown(column: Column, place: Placed, above: tuple[Candidate, ...]) -> NDArray[np.float32]:
    """1 where a card is not covered by those above it, (176, 127) float32, a millimetre's margin taken off.

    A card covers what lies under its edges, too, where its print laid it a little askew: of it nothing is another
    card's print.
    """
    mask = np.ones((CARD_H, CARD_W), np.float32)
    rim = 1.0 * FINE
    corners = np.array([[-rim, -rim], [CARD_W + rim, -rim], [CARD_W + rim, CARD_H], [-rim, CARD_H]])
    for card in above:
        for lies in (card.place, column.on_edges(card.place) if card.match < LOOSE_PRINT else None):
            if lies is not None:
                quad = place.points_within(lies.points(corners))
                cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 0.0)
    return mask


def beside_rims(shows: NDArray[np.float32]) -> NDArray[np.float32]:
    """What of a card surely is its own print where `shows`, at `FINE`, tells what is not covered."""
    if float(shows.sum()) < RIM_SPARED * FINE * CARD_W:
        return shows
    return np.asarray(cv2.erode(shows, _AROUND), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class OpenPart:
    """What of a card shows where it may lie."""

    mask: PrintMask
    shows: Grey
    """(rows, 127), 1 where no card covers it."""
    telling: Grey
    """The same, less what glare hides, weighted by how much the deck's faces differ there."""
    visible: float
    corners: tuple[Point, ...]
    turned: bool
    prints: dict[int, Print] = field(default_factory=dict)
    """What each face would show of itself there, as far as it was asked for; and the back that is blown out, as number
    `Bank.blown_out_face`."""


class OnStack(Protocol):
    """A face laid over a card."""

    @property
    def face(self) -> int: ...
    @property
    def place(self) -> Placed: ...
    @property
    def visible(self) -> float:
        """How much of the card shows, mm of rows."""

    @property
    def match(self) -> float:
        """Correlation of print with what is seen."""


def may_be_two(bank: Bank, column: Column, card: OnStack, above: tuple[Candidate, ...]) -> bool:
    """Whether another card may lie unseen in what shows of one that is covered by those above it."""
    if bank.plain_back and card.face == bank.back:
        rows = _uncovered_rows(shown(column, card.place, above))
        if seam_within(column, card.place, rows):
            return True
    back = card.face == bank.back
    if card.visible < OPEN_STRIP:
        return False
    shows = shown(column, card.place, above)
    own = beside_rims(shows)
    if beside_cover(bank, column, card.place, card.face, own):
        return True
    if ROOM_FOR_TWO[0] < card.visible < ROOM_FOR_TWO[1]:
        return not goes_on(bank, column, card.place, card.face, shows)
    if card.visible < BREAKS_OFF[0] or (card.match > BREAKS_OFF[1] and not back):
        return False
    if back and card.visible >= UNLIKE_ITSELF[0] and card.match < UNLIKE_ITSELF[1]:
        return True
    if back and begins_again(bank, column, card.place, shows):
        return True
    return card.match <= BREAKS_OFF[1] and breaks_off(bank, column, card.place, card.face, own)


def goes_on(bank: Bank, column: Column, place: Placed, face: int, shows: NDArray[np.float32]) -> bool:
    """Whether the print of `face` goes on through all that is seen of a card at `place`. `shows`: (176, 127) at `FINE`,
    1 where nothing covers it."""
    seen, first = _detail_seen(column, place, _uncovered_rows(shows)), round(STRIPS[0] * MIDDLE)
    parts = _parts(bank, seen, face, first)
    if min((part.alike for part in parts), default=-1.0) <= PLAIN:
        return False
    others = _others_alike(bank, seen[first:])
    return all(1 - other**2 > TIMES_BETTER * (1 - part.alike**2) for part, other in zip(parts, others, strict=True))


def begins_again(bank: Bank, column: Column, place: Placed, shows: NDArray[np.float32]) -> bool:
    """Whether in what shows of a back at `place` another one's upper end is seen, plainer than anything that is like it
    on the back itself. `shows`: (176, 127) at `FINE`, 1 where nothing covers it."""
    seen = _detail_seen(column, place, _uncovered_rows(shows))
    known = _detail(grey(bank.patterns[MIDDLE][bank.back].roots))
    for rows, least, more in BEGINS_AGAIN:
        if len(seen) < PART + rows:
            continue
        header = [known[:rows, RIM:-RIM]]
        there = float(_most_alike(header, seen[PART:]).max())
        if there > least and there > float(_most_alike(header, known[PART : len(seen)]).max()) + more:
            return True
    return False


def breaks_off(bank: Bank, column: Column, place: Placed, face: int, shows: NDArray[np.float32]) -> bool:
    """Whether the print of `face` is plainly seen at the upper end of a card at `place` and further down another: that
    is another card, unseen. `shows`: as `beside_rims` gives it."""
    parts = _parts(bank, _detail_seen(column, place, _uncovered_rows(shows)), face)
    # What lies before it is the card's own rim, which light may draw otherwise where it is bent.
    plain = next((k for k, part in enumerate(parts) if part.alike > PLAIN_HEADER), len(parts))
    return any(part.alike < NOT_ITS_OWN and min(part.seen, part.known) > SOME_PRINT for part in parts[plain + 1 :])


def beside_cover(bank: Bank, column: Column, place: Placed, face: int, shows: NDArray[np.float32]) -> bool:
    """Whether below the plain print of `face` something else's shows beside a cover that lies askew: another card lies
    between the two. `shows`: as `beside_rims` gives it."""
    area, alike, power = _open_parts(bank, column, place, face, shows)
    # Only below where the card's own print is plainly seen may another one's begin.
    below = np.maximum.accumulate((alike > PLAIN_HEADER) & (area >= ANOTHERS[0][0]))
    others = [(area >= least) & (alike < most) & (power > there) for least, most, there in ANOTHERS]
    return bool(np.any(np.any(others, axis=0) & below))


def covered_unseen(bank: Bank, column: Column, place: Placed, face: int) -> bool:
    """Whether a card lies unseen on one at `place` that nothing seems to cover, as one of the table's own colour may:
    the print of `face` is plainly seen at its upper end, and of what such a card would cover most is another's."""
    parts = _parts(bank, _detail_seen(column, place, round(CARD_H * MIDDLE / FINE)), face, step=PART // 2)
    below = -(-round((ROOM_FOR_TWO[0] + PART) * MIDDLE) // (PART // 2))
    lower = [part.alike for part in parts[below:] if part.known > FAINT_PRINT]
    return max(part.alike for part in parts[:below]) > PLAIN_HEADER and bool(lower) and float(np.median(lower)) < ON_IT


class _Rows(NamedTuple):
    """Some rows of a card beside those of a face."""

    alike: float
    """Correlation of detail, -1..1."""
    seen: float
    """Deviation of detail there, root of light."""
    known: float
    """The same of the face."""


def _uncovered_rows(shows: NDArray[np.float32]) -> int:
    """Rows at `MIDDLE`, from the card's upper end, that nothing covers."""
    whole = shows[:, RIM * round(FINE) : -RIM * round(FINE)].min(1) > 0
    return round((len(whole) if whole.all() else int(whole.argmin())) * MIDDLE / FINE)


def _parts(bank: Bank, seen: Grey, face: int, first: int = 0, step: int = 1) -> list[_Rows]:
    """Every `PART` rows of a card of which `_detail_seen` is given, from its row `first` on, `step` rows apart."""
    known = _detail(grey(bank.patterns[MIDDLE][face].roots)[: len(seen)])
    pairs = ((seen[at : at + PART], known[at : at + PART]) for at in range(first, len(seen) - PART + 1, step))
    return [_Rows(_alike(a, b), float(a.std()), float(b.std())) for a, b in pairs]


def _detail_seen(column: Column, place: Placed, rows: int) -> Grey:
    """Detail of the first `rows` of a card at `place`; cut off first, for what lies on it is no part of its light."""
    return _detail(grey(tones_under(column.wide, laid(place, MIDDLE), card_px(MIDDLE)))[:rows])


def _detail(luma: Grey) -> Grey:
    return local_contrast(np.ascontiguousarray(luma), _AROUND_DETAIL) if len(luma) else luma


def _detail_of(luma: Grey, shows: NDArray[np.bool_]) -> Grey:
    """Detail of what shows of a card, that of what covers it left out of its surroundings."""
    weight, window = shows.astype(np.float32), (_AROUND_DETAIL, _AROUND_DETAIL)
    around = cv2.blur(luma * weight, window) / np.maximum(cv2.blur(weight, window), 1e-3)
    return clamped(np.asarray(luma - around, np.float32), -0.25, 0.25)


class _OpenParts(NamedTuple):
    """Each `PART` rows of a card, and the fewer at its end, without what covers them; (rows,) each."""

    area: NDArray[np.float64]
    """How much of them shows, mm²."""
    alike: NDArray[np.float64]
    """Correlation of what is seen there with what is known."""
    power: NDArray[np.float64]
    """Deviation of what is seen, root of light."""


def _open_parts(bank: Bank, column: Column, place: Placed, face: int, shows: NDArray[np.float32]) -> _OpenParts:
    """What shows of a card beside those on it, next to the print of `face`. `shows`: as `beside_rims` gives it."""
    inner = cv2.erode(shows, _ASKEW)
    open_ = np.asarray(cv2.resize(inner, card_px(MIDDLE), interpolation=cv2.INTER_AREA)) > 0.99
    open_[:, :RIM] = open_[:, -RIM:] = False
    rows = int(np.flatnonzero(open_.any(1)).max(initial=-1)) + 1
    open_ = open_[:rows]
    seen = _detail_of(grey(tones_under(column.wide, laid(place, MIDDLE), card_px(MIDDLE)))[:rows], open_)
    known = _detail_of(grey(bank.patterns[MIDDLE][face].roots)[:rows], open_)
    of = open_.astype(np.float64)
    pieces = np.ones_like(of), seen, known, seen * seen, known * known, seen * known
    sums = np.array([(of * piece).sum(1) for piece in pieces])
    upto = np.concatenate([np.zeros((6, 1)), sums.cumsum(1)], 1)
    at = np.arange(len(seen))
    n, a, b, aa, bb, ab = upto[:, np.minimum(at + PART, len(seen))] - upto[:, at]
    per = np.maximum(n, 1)
    of_seen, of_known = np.maximum(aa - a * a / per, 0), np.maximum(bb - b * b / per, 0)
    alike = (ab - a * b / per) / (np.sqrt(of_seen * of_known) + 1e-6)
    return _OpenParts(n / MIDDLE**2, alike, np.sqrt(of_seen / per))


def _alike(one: Grey, other: Grey) -> float:
    """Correlation of two pieces of print."""
    a, b = one[:, RIM:-RIM].ravel(), other[:, RIM:-RIM].ravel()
    a, b = a - a.mean(), b - b.mean()
    return float(a @ b) / float(np.sqrt((a @ a) * (b @ b)) + 1e-6)


def _others_alike(bank: Bank, seen: Grey) -> Grey:
    """`_most_alike` of the upper `PART` rows of all cards."""
    return _most_alike((pattern.detail[:PART, RIM:-RIM] for pattern in bank.patterns[MIDDLE]), seen)


def _most_alike(tops: Iterable[Grey], seen: Grey) -> Grey:
    """Correlation of the one of some cards' upper ends that goes best with what is `seen` (by `_detail_seen`), laid on
    each row of it."""
    padded = cv2.copyMakeBorder(seen, 0, 0, ASIDE, ASIDE, cv2.BORDER_REFLECT)
    alike = [cv2.matchTemplate(padded, top, cv2.TM_CCOEFF_NORMED).max(1) for top in tops]
    return np.asarray(np.max(alike, axis=0), np.float32)


_AROUND: Final = np.ones((2 * round(RIM_SEEN * FINE) + 1,) * 2, np.uint8)
_ASKEW: Final = np.ones((2 * round(ASKEW_RIM * FINE) + 1,) * 2, np.uint8)
_AROUND_DETAIL: Final = round(DETAIL_MM * MIDDLE) | 1

__all__ = [
    "PLAINLY_ALL",
    "ROOM_FOR_TWO",
    "OpenPart",
    "begins_again",
    "beside_rims",
    "breaks_off",
    "covered_unseen",
    "goes_on",
    "may_be_two",
    "shown",
]
