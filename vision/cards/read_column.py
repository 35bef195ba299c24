"""One column from picture to cards with likelihoods, and what in it no card explains."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, cached_property
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
from vision.cards.chain import Chain, best_chain, same_cards
from vision.cards.classify import Judged
from vision.cards.column import Column
from vision.cards.column_reading import PLAINER, ColumnReading, contradicted, either_way
from vision.cards.contested import contested
from vision.cards.discontent import (
    CLEAR_LEAD,
    CLEAR_MARGIN,
    PLAIN_FACE,
    WRONG_WAY,
    best_explanation,
    card_begs,
    is_close,
    is_plain,
    lead_of,
    least_begging,
    shape_begs,
)
from vision.cards.empty_place import as_when_empty, nothing_there
from vision.cards.headers import HeaderSearch
from vision.cards.judgement import Judgement, judge_card
from vision.cards.lead import either
from vision.cards.margin import hardly_there, margin_by_end, margin_of
from vision.cards.outline import ends_there
from vision.cards.strips import covered_unseen
from vision.cards.table_beside import ABOVE
from vision.cards.templates import SEARCH_MM, Bank
from vision.cards.unexplained import Unexplained, unexplained
from vision.geometry.align import Placed
from vision.geometry.table import CARD

UNWHOLE: Final = 2.0
"""Doubts that something unexplained is worth."""
POOR: Final = 0.6
"""Match of a card from which on it lies where it was taken to lie: of some 2,800 cards of 340 photographs that are
right and sure 29 have less, 23 of them backs."""
BESIDE: Final = 5.0
"""Other faces found no further from it than this, mm, are tried there as they were found: a figure 2 that a back and an
A2 share, 2.5 mm further aside on one of them, had made the back an A2 at 0.99."""
FAINT_STRIP: Final = (20.0, 0.7)
"""A covered card of which more shows than this, mm, and whose print goes no better than this with what is seen, may be
two: every place is tried. In dim light two backs of 20 and 12 mm went as one with one back at 0.57."""
ALL_SPARED: Final = 0.95
"""Share of an uppermost card that glare spares at least where its print is asked whether another one lies on it."""
MOST_SPARED: Final = 0.6
"""Share of an uppermost face that glare spares below which, where no end of it is seen, another card may lie on it: on
a white mat a white back on an L4 was taken for a shine that lies on its picture. Of 280 path-traced tables none has
another such card."""
LEAST_SEEN: Final = ABOVE + SEARCH_MM
"""Of a column less than this lies in the picture, mm, if no header could be seen in it."""
WORTH_A_LOOK: Final = 0.3
"""Doubts from which a column is read again without highlights: a card alone begs for so much at a lead of 4.2 nats,
which is sure."""


_UNREAD: Final = ColumnReading((), 0.0, 0.0, True, True)
"""Something lies there, and no card was told."""


def read_column(bank: Bank, column: Column, patient: bool = True) -> ColumnReading:
    """Read a column.

    `patient`: try other explanations also where only a face is in doubt; seldom of use and five times the time.
    """
    if column.blank or column.rows < LEAST_SEEN:
        # A picture of nothing: neither a card nor the bare table is seen.
        return ColumnReading((), 0.0, 0.0, False, False, blown_out=column.as_light_as_can_be)
    if as_when_empty(column) or (not column.patterned and nothing_there(column)):
        # Most columns of most tables, and not worth a search.
        return ColumnReading((), 0.0, 99.0, False, False)
    told: list[list[Judgement]] = []
    reading = _in_its_light(bank, column, patient, told)
    begs = _discontent(reading, bank.count)
    other = column.without_highlights() if begs >= WORTH_A_LOOK else None
    if other is not None:
        again = _in_its_light(bank, other, patient, told, begs)
        # What a highlight looks like may be a card's white border: without it no card may be missing.
        better = len(again.cards) >= max(1, len(reading.cards)) and _discontent(again, bank.count) < begs
        reading = again if better else _with_places_of(other, reading, begs, bank, column, patient, told)
    return replace(reading, cards=contested(bank, reading.cards, told))


def _with_places_of(
    other: Column,
    reading: ColumnReading,
    begs: float,
    bank: Bank,
    column: Column,
    patient: bool,
    told: list[list[Judgement]],
) -> ColumnReading:
    """A reading, or a better one with cards where some are found in the column without its highlights, `other`: a back
    whose edge shines had not been found in a stack of five, and all that lay on it was no card."""
    search = HeaderSearch(bank, other, slice(0, bank.count))
    also = [*(card.spot for card in likely(bank, other, search)), *by_print(bank, other, search)]
    if not also:
        return reading
    again = _in_its_light(bank, column, patient, told, begs, also)
    better = len(again.cards) >= len(reading.cards) and _discontent(again, bank.count) < begs
    return again if better else reading


def _in_its_light(
    bank: Bank,
    column: Column,
    patient: bool,
    told: list[list[Judgement]],
    most: float = math.inf,
    also: Sequence[CandidatePlace] = (),
) -> ColumnReading:
    """The best reading by the faces as they are, or as they are where the camera clips what is light. `told`: gets what
    was judged of the column's cards; `most`: as in `_best`; `also`: where cards may lie, beside where they are found.
    """
    far = most + UNWHOLE
    if column.limit is None:
        return _best(_FirstLook(bank, column, told, also), patient, most, far)
    if column.clipped:
        clipped = _best(_FirstLook(bank.clipped(column.limit), column, told, also), patient, most, far)
        if not clipped.cards or _discontent(clipped, bank.count) == 0:
            return clipped
        # Of dark cards on a light table the camera may clip nothing.
        plain = _best(_FirstLook(bank, column, told, also), patient, min(most, _discontent(clipped, bank.count)), far)
        if len(plain.cards) != len(clipped.cards) or _discontent(plain, bank.count) > 0:
            return clipped
        return either_way(plain, clipped)
    first = _FirstLook(bank, column, told, also)
    if first.reading is not None and _discontent(first.reading, bank.count) == 0:
        return first.reading
    # Where the light is clipped, faces look otherwise. What is plain then needs no search by faces that it is not like.
    other = _FirstLook(bank.clipped(column.limit), column, told, also)
    if other.reading is not None and _discontent(other.reading, bank.count) == 0:
        return other.reading
    plain = _best(first, patient, most, far)
    if _discontent(plain, bank.count) == 0:
        return plain
    clipped = _best(other, patient, min(most, _discontent(plain, bank.count)), far)
    if contradicted(clipped, plain):
        return plain
    explained = min(plain.cost, clipped.cost) < -CLEAR_MARGIN

    def begs(reading: ColumnReading) -> tuple[bool, float]:
        # As in `_but_bare_tables`.
        return explained and not reading.cards, _discontent(reading, bank.count)

    return either_way(*sorted((plain, clipped), key=begs))


class _FirstLook:
    """A column as the best face at each place explains it."""

    def __init__(
        self, bank: Bank, column: Column, told: list[list[Judgement]], also: Sequence[CandidatePlace] = ()
    ) -> None:
        self.bank: Final = bank
        self.column: Final = column
        self.also: Final = also
        """Where cards may lie, beside where they are found."""
        self.search: Final = HeaderSearch(bank, column, slice(0, bank.count))
        self.explain: Final = Explanations(bank, column)
        told.append(self.explain.judged)
        self._seen = likely(bank, column, self.search)
        self.plain: Final = self.explain.by(self._seen)

    @cached_property
    def reading(self) -> ColumnReading | None:
        """The column, if no search will tell it better; None where more places are to be tried."""
        if self.also:
            return None
        plain = self.plain
        if plain.settled and not plain.foreign and not plain.faint_strip:
            told = plain.reading if plain.whole else self._but_for_a_rim()
            if told is not None:
                return told
        return self.explain.spared(plain) if plain.faces_alone and not plain.faint_strip else None

    def _but_for_a_rim(self) -> ColumnReading | None:
        """The same cards where only a rim is left and no card that lies elsewhere explains it."""
        bank, column, plain = self.bank, self.column, self.plain
        known = {card.spot: card for card in self._seen}
        others = by_print(bank, column, self.search, but=plain.chain.cards)
        return self.confirmed_by(self.explain.by(weighed(bank, column, [*known, *others], known).values()))

    def confirmed_by(self, full: _Explanation) -> ColumnReading | None:
        """The same cards, with how surely no others lie there, where a search that tried every place has them, too."""
        plain = self.plain
        if not plain.settled or plain.foreign or not same_cards(plain.chain, full.chain, PLAINER):
            return None
        margin = margin_of(full.chain, plain.reading.cards, self.bank)
        return replace(plain.reading, cost=full.chain.cost, margin=margin)


def _best(first: _FirstLook, patient: bool, most: float, far: float) -> ColumnReading:
    """The best reading after a first look. `most`: how much another reading of the column begs for one, if there is
    one; `_UNREAD` where the plainer ways of explaining it lead to none that begs for less, and at once where the first
    look begs for more than `far`."""
    if first.reading is not None:
        return first.reading
    bank, column, explain, plain = first.bank, first.column, first.explain, first.plain
    if far < math.inf and not first.also and plain.begs(far) > far:
        return _UNREAD
    found = [*by_print(bank, column, first.search), *first.also]
    cards = weighed(bank, column, found, {})
    full = explain.by(cards.values())
    confirmed = first.confirmed_by(full)
    if confirmed is not None:
        return confirmed  # What stays unexplained is no card.
    if full.settled or not (patient or full.open):
        return full.reading
    if full.faces_alone:
        return explain.spared(full)
    if most < math.inf and least_begging([plain, full], most) is None:
        # Where highlights hid something, print tells more without them, before edges are looked for: of 52 columns on
        # photographs the one that its edges then told was so.
        return _UNREAD
    # Glare and short strips leave print nowhere, but cards have edges; those cost time and mislead in plain cases.
    found += by_edges(bank, column)
    cards = weighed(bank, column, found, cards)
    edged = explain.by(cards.values())
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
        more = search(bank, column)
        if more:
            found += more
            cards = weighed(bank, column, found, cards)
            tries.append(explain.by(cards.values()))
            if tries[-1].settled:
                return tries[-1].reading
    if most < math.inf:
        # Of 52 columns of photographs that were read again so, glare and cards the wrong way round told one better, and
        # it stayed in doubt.
        told = least_begging(_but_bare_tables(tries), most + UNWHOLE)
        return _UNREAD if told is None else told.reading
    if any(card.trust is not None for card in cards.values()):
        tries.append(explain.by(through_glare(bank, column, cards.values())))
        if tries[-1].settled:
            return tries[-1].reading
    best = best_explanation(_but_bare_tables(tries))
    if best.begs() > WRONG_WAY and not best.all_plain:
        # The wrong way round is rare, so it is only tried where nothing else explains a column.
        found += turned_by_print(bank, column)
        cards = weighed(bank, column, found, cards)
        other = explain.by(cards.values(), 2 * bank.count)
        if any(card.face >= bank.count for card in other.chain.cards):
            best = best_explanation([best, other])
    return best.reading


def _but_bare_tables(tries: list[_Explanation]) -> list[_Explanation]:
    """Those with cards, if any of them tells its cards: what cards explain is no bare table, however little of that
    begs for another explanation."""
    told = any(one.chain.cost < -CLEAR_MARGIN for one in tries)
    return [one for one in tries if one.chain.cards] if told else tries


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
        self._bank, self._column, self._found, self._judged = bank, column, found, judged

    @cached_property
    def _left(self) -> Unexplained:
        return unexplained(self._column, self.chain, self._found)

    @property
    def whole(self) -> bool:
        """Nothing that is seen goes unexplained."""
        return self._left.whole

    @property
    def endless(self) -> bool:
        """No end is seen of the uppermost card, nor is it told by its print."""
        return self.chain.endless and self._margin < self.chain.margin

    @property
    def hidden(self) -> bool:
        """Something lies there that may be a card."""
        return self._left.hidden

    @property
    def foreign(self) -> bool:
        """Something lies there that is none."""
        return self._left.foreign

    @property
    def _most_margin(self) -> float:
        # Something with edges is there, and what it is was not read: no empty place.
        return 0.0 if self._left.outlined else self.chain.margin

    @cached_property
    def reading(self) -> ColumnReading:
        """The column as this explains it."""
        cards = tuple(self._judged(k) for k in range(len(self.chain.cards)))
        margin = margin_of(self.chain, cards, self._bank) if cards else self._margin
        left = self._left
        return ColumnReading(cards, self.chain.cost, margin, self.foreign, self.hidden, self.whole, left.things_alone)

    def _cards(self) -> Iterator[Judged]:
        """The cards, the uppermost first."""
        return (self._judged(k) for k in reversed(range(len(self.chain.cards))))

    @cached_property
    def _margin(self) -> float:
        return min(self._most_margin, margin_by_end(self.chain, next(self._cards(), None), self._bank))

    def _shape(self, margin: float) -> float:
        """How much of it begs for another explanation whatever its cards are."""
        return shape_begs(self.foreign and not self.chain.cards, self.hidden, margin)

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
                total += card_begs(card, self._bank.count)
        return total

    @cached_property
    def settled(self) -> bool:
        """Its cards and their number are in no doubt."""
        return self._of_one_shape and all(card_begs(card, self._bank.count) == 0 for card in self._cards())

    @cached_property
    def faint_strip(self) -> bool:
        """A covered card shows so much, and its print so faintly, that it may be two."""
        covered = (self._judged(k) for k in range(len(self.chain.cards) - 1))
        return any(card.visible > FAINT_STRIP[0] and card.match < FAINT_STRIP[1] for card in covered)

    @cached_property
    def _of_one_shape(self) -> bool:
        """How many cards there are is in no doubt."""
        one = self._shape(self._most_margin) == 0 and self._shape(self._margin) == 0
        return one and not hardly_there(self.chain, self._cards())

    @property
    def open(self) -> bool:
        """Another explanation may help: a card unread, another shape nearly as good, or faces not told apart.

        A face whose print is plain and that leads its rivals a little will not lead them more in another explanation;
        that is for another look.
        """
        unread = self.hidden or not self.whole or self._most_margin < CLEAR_MARGIN
        return unread or self._margin < CLEAR_MARGIN or any(map(is_close, self._cards()))

    @property
    def all_plain(self) -> bool:
        """All that is seen is explained by cards whose print is plainly seen the right way up."""
        return self.whole and not self.hidden and all(card.match > PLAIN_FACE for card in self._cards())

    @property
    def faces_alone(self) -> bool:
        """Nothing is in doubt but which of a few faces cards have whose print is plainly seen: no other place of theirs
        will tell them apart. Mostly they share their print."""
        there = bool(self.chain.cards) and self.whole and not (self.hidden or self.foreign)
        return there and self._of_one_shape and all(map(is_plain, self._cards()))


class Explanations:
    """Explanations of one column: what one of them has judged is not judged again by the next."""

    def __init__(self, bank: Bank, column: Column) -> None:
        self._bank, self._column = bank, column
        self.judged: Final[list[Judgement]] = []
        self._ends: dict[Placed, bool] = {}

    def by(self, found: Iterable[Candidate], faces: int | None = None) -> _Explanation:
        """The best explanation by cards that may lie there. `faces`: how many are held against each, the upright ones
        if not given."""
        bank, column, count = self._bank, self._column, faces or self._bank.count
        found = list(found)
        chain = best_chain(found, column.rows, self._end_seen, bank.is_clipped, bank.back_prints)
        return _Explanation(bank, column, chain, found, cache(lambda k: self._ended(chain, k, count, found)))

    def _ended(self, chain: Chain, k: int, faces: int, found: Sequence[Candidate]) -> Judged:
        """Card `k` of a chain. An uppermost face of which no end is seen, and not its own print further down, may have
        a card on it: a back of the table's own colour, nearly, lay on an A3."""
        told, here = self._card(chain.cards, k, faces, found), chain.cards[k]
        face = told.faces[0][0]
        if not chain.endless or here is not chain.cards[-1] or face % self._bank.count == self._bank.back:
            return told
        spared = here.spared(CARD[1])
        if told.may_be_two or MOST_SPARED <= spared < ALL_SPARED:
            return told
        two = spared < MOST_SPARED or covered_unseen(self._bank, self._column, told.place, face)
        return replace(told, may_be_two=two)

    def _card(self, cards: tuple[Candidate, ...], k: int, faces: int, found: Sequence[Candidate]) -> Judged:
        """Card `k` of a chain: laid as another face's own print was found there, if it then goes better with it."""

        def laid(card: Candidate) -> Judged:
            return judge_card(self._bank, self._column, (*cards[:k], card, *cards[k + 1 :]), k, faces, self.judged)

        here, told = cards[k], laid(cards[k])
        if told.match > POOR or here.glaring:
            return told
        near = (c for c in found if c.face != here.face and math.hypot(c.top - here.top, c.left - here.left) < BESIDE)
        other = max(near, key=lambda one: one.match, default=here)
        if other.match < told.match + PLAINER or other.glaring:
            return told
        again = laid(other)
        if again.match <= told.match:
            return told
        if again.match > POOR:
            return again
        # Laid so it goes badly with its face, too: where it lies is not known, nor then which face goes with it.
        return replace(again, faces=either(told.faces, again.faces))

    def _end_seen(self, card: Candidate) -> bool:
        place = card.place
        if self._column.clipped and self._bank.blank_end[card.face]:
            return True
        if place not in self._ends:
            self._ends[place] = ends_there(self._column.tones, place)
        return self._ends[place]

    def spared(self, explained: _Explanation) -> ColumnReading:
        """The same cards; those whose face is in doubt and on which something shines by what glare spares, if that
        tells them better."""
        reading, chain = explained.reading, explained.chain.cards
        again: list[Candidate] = []
        for card, above, judged in zip(chain, (*chain[1:], None), reading.cards, strict=True):
            shines = card.spared(CARD[1] if above is None else above.top - card.top) < 1.0
            doubtful = shines and lead_of(judged) < CLEAR_LEAD
            again += (doubtful and through_glare(self._bank, self._column, [card])) or [card]
        cards, bank = tuple(again), self._bank
        told = (judge_card(bank, self._column, cards, k, bank.count, self.judged) for k in range(len(cards)))
        other = replace(reading, cards=tuple(map(self._spared_card, reading.cards, told)))
        return min(reading, other, key=lambda one: _discontent(one, bank.count))

    def _spared_card(self, card: Judged, spared: Judged) -> Judged:
        """A card by what glare spares; as it was where that is another face of its print: of a header that is taken
        for glare what looks least like it is left, which is no fair sample of its hue."""
        face, other = card.faces[0][0], spared.faces[0][0]
        if face != other and self._bank.same_header(face, other):
            return card
        return replace(spared, may_be_two=spared.may_be_two or card.may_be_two)


def _discontent(reading: ColumnReading, upright: int) -> float:
    """How much of a reading begs for another: 0 where everything is explained and every card told apart."""
    total = shape_begs(reading.foreign and not reading.cards, reading.hidden, reading.margin)
    return total + sum(card_begs(card, upright) for card in reading.cards)


__all__ = ["read_column"]
