"""One column from picture to cards with likelihoods, and what in it no card explains."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

from vision.cards.candidates import (
    Candidate,
    CandidatePlace,
    by_edges,
    by_end,
    by_faint_edges,
    by_print,
    likely,
    through_glare,
    turned_by_print,
    weighed,
)
from vision.cards.chain import NO_OTHER, same_cards
from vision.cards.classify import Judged, but_for_colour
from vision.cards.column import Column
from vision.cards.column_reading import PLAINER, ColumnReading, contradicted, either_way
from vision.cards.contested import contested
from vision.cards.discontent import (
    CLEAR_MARGIN,
    PLAIN_FACE,
    WRONG_WAY,
    best_explanation,
    card_begs,
    lead_of,
    least_begging,
    shape_begs,
)
from vision.cards.empty_place import as_when_empty, nothing_there
from vision.cards.explanation import UNWHOLE, Explanation, Explanations, discontent
from vision.cards.headers import HeaderSearch
from vision.cards.margin import margin_of
from vision.cards.table_beside import ABOVE
from vision.cards.templates import SEARCH_MM, Bank

LEAST_SEEN: Final = ABOVE + SEARCH_MM
"""Of a column less than this lies in the picture, mm, if no header could be seen in it."""
WORTH_A_LOOK: Final = 0.3
"""Doubts from which a column is read again without highlights: a card alone begs for so much at a lead of 4.2 nats,
which is sure."""
GOES_BADLY: Final = 0.65
"""Correlation of a card's print below which a highlight may be what it goes with: under a line that shone a back was an
L2 at 0.9993, by 0.62."""
OF_ANOTHER_HUE: Final = (0.4, 6.0)
"""Error of hue, squared and in spreads, beyond which that may be so of a card that leads by less than the second, nats:
a lamp's line over the short title of a grey S6 made it the A6 of wine red, whose title is long, at 0.993."""


_Search = Callable[[Bank, Column], list[CandidatePlace]]
_UNREAD: Final = ColumnReading((), 0.0, 0.0, True, True)
"""Something lies there, and no card was told."""


def read_column(bank: Bank, column: Column, printed: bool = False) -> ColumnReading:
    """Read a column. `printed`: on a table that is printed all over, where what has not its common colours is looked
    into no further."""
    if column.blank or column.rows < LEAST_SEEN:
        # A picture of nothing: neither a card nor the bare table is seen.
        return ColumnReading((), 0.0, 0.0, False, False, blown_out=column.as_light_as_can_be)
    if as_when_empty(column) or (not column.patterned and nothing_there(column)):
        # Most columns of most tables, and not worth a search.
        return ColumnReading((), 0.0, NO_OTHER, False, False)
    looks = _Looks(bank, column)
    if printed and looks.plain.plain.but_for_things:
        return looks.plain.plain.reading
    told = [looks]
    reading = _in_its_light(looks)
    begs = discontent(reading, bank.count)
    worth = begs >= WORTH_A_LOOK or any(map(_may_be_a_line, reading.cards))
    other = column.without_highlights() if worth and not _but_for_colour(bank, reading) else None
    if other is not None:
        told.append(_Looks(bank, other, looks))
        again = _in_its_light(told[1], begs)
        # What a highlight looks like may be a card's white border: without it no card may be missing.
        better = len(again.cards) >= max(1, len(reading.cards)) and discontent(again, bank.count) < begs
        reading = again if better else _with_places_of(told[1], reading, begs, looks)
    judged = (one.judged for looks in told for look in looks.taken for one in look.explain.judged)
    return replace(reading, cards=contested(bank, reading.cards, judged))


def _but_for_colour(bank: Bank, reading: ColumnReading) -> bool:
    """Whether nothing is in doubt but which of a few faces of equal print cards have, which is told by their hue."""
    if not reading.whole or shape_begs(reading.foreign and not reading.cards, reading.hidden, reading.margin):
        return False
    cards = [but_for_colour(bank, card) for card in reading.cards]
    return not any(card_begs(card, bank.count) or _may_be_a_line(card) for card in cards)


def _may_be_a_line(card: Judged) -> bool:
    """Whether a highlight may be what makes a card look like its face."""
    return card.match < GOES_BADLY or (card.hue_error > OF_ANOTHER_HUE[0] and lead_of(card) < OF_ANOTHER_HUE[1])


def _with_places_of(other: _Looks, reading: ColumnReading, begs: float, looks: _Looks) -> ColumnReading:
    """A reading, or a better one with cards where some are found in the column without its highlights, `other`: a back
    whose edge shines had not been found in a stack of five, and all that lay on it was no card."""
    if reading.whole and not shape_begs(reading.foreign, reading.hidden, reading.margin):
        return reading  # No card is missing.
    first = other.plain
    also = [*(card.spot for card in first.seen), *first.by_print]
    if not also:
        return reading
    again = _in_its_light(looks, begs, also)
    count = looks.bank.count
    better = len(again.cards) >= len(reading.cards) and discontent(again, count) < begs
    return again if better else reading


def _in_its_light(looks: _Looks, most: float = math.inf, also: Sequence[CandidatePlace] = ()) -> ColumnReading:
    """The best reading by the faces as they are, or as they are where the camera clips what is light. `most`: as in
    `_best`; `also`: where cards may lie, beside where they are found."""
    bank, column = looks.bank, looks.column
    if column.limit is None:
        return _best(looks.plain, most, also)
    if column.clipped:
        clipped = _best(looks.clipped, most, also)
        if not clipped.cards or discontent(clipped, bank.count) == 0:
            return clipped
        # Of dark cards on a light table the camera may clip nothing.
        plain = _best(looks.plain, min(most, discontent(clipped, bank.count)), also)
        if discontent(plain, bank.count) > 0:
            return clipped
        if len(plain.cards) > len(clipped.cards) and plain.cost < clipped.cost and _all_plain(plain):
            return plain
        return either_way(plain, clipped) if len(plain.cards) == len(clipped.cards) else clipped
    first = looks.plain
    if not also and first.reading is not None and discontent(first.reading, bank.count) == 0:
        return first.reading
    # Where the light is clipped, faces look otherwise. What is plain then needs no search by faces that it is not like.
    other = looks.clipped
    if not also and other.reading is not None and discontent(other.reading, bank.count) == 0:
        return other.reading
    plain = _best(first, most, also)
    if discontent(plain, bank.count) == 0:
        return plain
    clipped = _best(other, min(most, discontent(plain, bank.count)), also)
    if contradicted(clipped, plain):
        return plain
    explained = min(plain.cost, clipped.cost) < -CLEAR_MARGIN

    def begs(reading: ColumnReading) -> tuple[bool, float]:
        # As in `_but_bare_tables`.
        return explained and not reading.cards, discontent(reading, bank.count)

    return either_way(*sorted((plain, clipped), key=begs))


def _all_plain(reading: ColumnReading) -> bool:
    """Whether all cards of a reading are plainly seen: what a camera clips of white cards on a white table may hide one
    of a stack of them that goes well with its face as it is."""
    return all(card.match > PLAIN_FACE for card in reading.cards)


class _Looks:
    """What was looked for in a column, kept for when it is read again."""

    def __init__(self, bank: Bank, column: Column, before: _Looks | None = None) -> None:
        """`before`: what was looked for before highlights were filled in."""
        self.bank: Final = bank
        self.column: Final = column
        self._before = before
        self.taken: Final[list[_FirstLook]] = []
        """Those that were asked for."""

    @cached_property
    def plain(self) -> _FirstLook:
        """By the faces as they are."""
        return self._taken(self.bank)

    @cached_property
    def clipped(self) -> _FirstLook:
        """As they are where the camera clips what is light."""
        limit = self.column.limit
        return self.plain if limit is None else self._taken(self.bank.clipped(limit))

    def _taken(self, bank: Bank) -> _FirstLook:
        first, filled_in = _FirstLook(bank, self.column), self.column.filled_in
        if self._before is not None and filled_in is not None:
            known = (one for look in self._before.taken if look.bank is bank for one in look.explain.judged)
            first.explain.judged.extend(one for one in known if one.beside(filled_in))
        self.taken.append(first)
        return first


class _FirstLook:
    """A column as the best face at each place explains it, and where else cards may lie in it."""

    def __init__(self, bank: Bank, column: Column) -> None:
        self.bank: Final = bank
        self.column: Final = column
        self._search = HeaderSearch(bank, column, slice(0, bank.count))
        self.explain: Final = Explanations(bank, column)
        self.seen: Final = likely(bank, column, self._search)
        self.plain: Final = self.explain.by(self.seen)
        self._places: dict[_Search, list[CandidatePlace]] = {}
        self._weighed: dict[CandidatePlace, Candidate] = {}

    @cached_property
    def by_print(self) -> list[CandidatePlace]:
        """Where each face may lie by the print of its header."""
        return by_print(self.bank, self.column, self._search)

    def places(self, search: _Search) -> list[CandidatePlace]:
        """The same by edges, ends, or faces the wrong way round."""
        if search not in self._places:
            self._places[search] = search(self.bank, self.column)
        return self._places[search]

    def weighed(self, found: list[CandidatePlace]) -> list[Candidate]:
        """What each face explains of the column where it may lie."""
        cards = weighed(self.bank, self.column, found, self._weighed)
        self._weighed |= cards
        return list(cards.values())

    @cached_property
    def reading(self) -> ColumnReading | None:
        """The column, if no search will tell it better; None where more places are to be tried."""
        plain = self.plain
        if plain.settled and not plain.foreign and not plain.faint_strip:
            told = plain.reading if plain.whole else self._but_for_a_rim()
            if told is not None:
                return told
        return self.explain.spared(plain) if plain.faces_alone and not plain.faint_strip else None

    def _but_for_a_rim(self) -> ColumnReading | None:
        """The same cards where only a rim is left and no card that lies elsewhere explains it."""
        bank, column, plain = self.bank, self.column, self.plain
        known = {card.spot: card for card in self.seen}
        others = by_print(bank, column, self._search, but=plain.chain.cards)
        return self.confirmed_by(self.explain.by(weighed(bank, column, [*known, *others], known).values()))

    def confirmed_by(self, full: Explanation) -> ColumnReading | None:
        """The same cards, with how surely no others lie there, where a search that tried every place has them, too."""
        plain = self.plain
        if not plain.settled or plain.foreign or not same_cards(plain.chain, full.chain, PLAINER):
            return None
        margin = margin_of(full.chain, plain.reading.cards, self.bank)
        return replace(plain.reading, cost=full.chain.cost, margin=margin)


def _best(first: _FirstLook, most: float, also: Sequence[CandidatePlace] = ()) -> ColumnReading:
    """The best reading after a first look. `most`: how much another reading of the column begs for one, if there is
    one; `_UNREAD` where the plainer ways of explaining it lead to none that begs for less; `also`: where cards may lie,
    beside where they are found."""
    if not also and first.reading is not None:
        return first.reading
    bank, column, explain, plain = first.bank, first.column, first.explain, first.plain
    found = [*first.by_print, *also]
    cards = first.weighed(found)
    full = explain.by(cards)
    confirmed = first.confirmed_by(full)
    if confirmed is not None:
        return confirmed  # What stays unexplained is no card.
    if full.settled or not full.open:
        # What leads clearly, however weak its print, is told no otherwise by its edges.
        return full.reading
    if full.faces_alone:
        return explain.spared(full)
    if most < math.inf and least_begging([plain, full], most) is None:
        # Where highlights hid something, print tells more without them, before edges are looked for: of 52 columns on
        # photographs the one that its edges then told was so.
        return _UNREAD
    # Glare and short strips leave print nowhere, but cards have edges; those cost time and mislead in plain cases.
    found += first.places(by_edges)
    cards = first.weighed(found)
    edged = explain.by(cards)
    if edged.settled:
        return edged.reading
    if edged.faces_alone:
        return explain.spared(edged)
    tries = [plain, full, edged]
    # They cost as much as all others, and where nothing is left over they told nothing. A back on a back, both of one
    # dark colour, has an upper edge that is fainter than what makes an edge; a white card on a white one has none, and
    # next to no print in a light that shines on it.
    hidden = edged.hidden
    for search in ([by_faint_edges] if hidden or bank.plain_back else []) + (
        [by_end] if hidden or edged.endless else []
    ):
        more = first.places(search)
        if more:
            found += more
            cards = first.weighed(found)
            tries.append(explain.by(cards))
            if tries[-1].settled:
                return tries[-1].reading
    if most < math.inf:
        # Of 52 columns of photographs that were read again so, glare and cards the wrong way round told one better, and
        # it stayed in doubt.
        told = least_begging(_but_bare_tables(tries), most + UNWHOLE)
        return _UNREAD if told is None else told.reading
    # What glare spares tells no face better whose print is plainly seen.
    seen, glare = list(tries), None
    if any(card.trust is not None for card in cards) and not edged.faces_plain:
        glare = explain.by(through_glare(bank, column, cards))
        tries.append(glare)
        if glare.settled:
            return glare.reading
    best = best_explanation(_but_bare_tables(tries))
    if best.begs() > WRONG_WAY and not best.all_plain:
        # The wrong way round is rare, so it is only tried where nothing else explains a column.
        cards = first.weighed([*found, *first.places(turned_by_print)])
        other = explain.by(cards, 2 * bank.count)
        if any(card.face >= bank.count for card in other.chain.cards):
            best = best_explanation([best, other])
    return explain.but_for_hue(best, best_explanation(seen)) if best is glare else best.reading


def _but_bare_tables(tries: list[Explanation]) -> list[Explanation]:
    """Those with cards, if any of them tells its cards: what cards explain is no bare table, however little of that
    begs for another explanation."""
    told = any(one.chain.cost < -CLEAR_MARGIN for one in tries)
    return [one for one in tries if one.chain.cards] if told else tries


__all__ = ["read_column"]
