"""Explanations of a column: a chain of cards, what is judged of each of them, and what of the column it leaves."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import Final

from vision.cards.candidates import Candidate, through_glare
from vision.cards.chain import Chain, best_chain, same_cards
from vision.cards.classify import Judged, but_for_colour
from vision.cards.column import Column
from vision.cards.column_reading import PLAINER, ColumnReading
from vision.cards.discontent import (
    CLEAR_LEAD,
    CLEAR_MARGIN,
    PLAIN_FACE,
    card_begs,
    is_close,
    is_plain,
    lead_of,
    shape_begs,
)
from vision.cards.empty_place import clearest_outline
from vision.cards.judgement import Judgement, judge_card, own_match
from vision.cards.lead import either
from vision.cards.margin import hardly_there, margin_by_end, margin_of
from vision.cards.outline import ends_there
from vision.cards.strips import covered_unseen
from vision.cards.templates import Bank
from vision.cards.unexplained import CLEAR_OUTLINE, Unexplained, unexplained
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


class Explanation:
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
        return unexplained(self._column, self.chain, self._found, self._bank.back_prints)

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
    def but_for_things(self) -> bool:
        """The same but for what has not the table's colours, which may be the table's own print: not so in an empty
        place with the outline of a card, of whose print nothing need be seen."""
        if not self.chain.cards and clearest_outline(self._column) > CLEAR_OUTLINE:
            return False
        shape = max(shape_begs(False, False, margin) for margin in (self._most_margin, self._margin))
        there = self._left.things_alone and shape == 0 and not hardly_there(self.chain, self._cards())
        return there and not self.faint_strip and all(card_begs(card, self._bank.count) == 0 for card in self._cards())

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
        """Another explanation may help: a card unread or hardly there, another shape nearly as good, or faces not told
        apart.

        A face whose print is plain and that leads its rivals a little will not lead them more in another explanation;
        that is for another look.
        """
        unread = self.hidden or not self.whole or self._most_margin < CLEAR_MARGIN
        close = self._margin < CLEAR_MARGIN or any(map(is_close, self._cards()))
        return unread or close or self._may_have_one_more or hardly_there(self.chain, self._cards())

    @cached_property
    def _may_have_one_more(self) -> bool:
        """Another card may lie in what shows of a covered one, which the search did not find: an L6 between two backs
        of 40 mm, or a back of 8 mm under an S3 that lies askew."""
        return any(self._judged(k).may_be_two for k in range(len(self.chain.cards) - 1))

    @property
    def all_plain(self) -> bool:
        """All that is seen is explained by cards whose print is plainly seen the right way up."""
        return self.whole and not self.hidden and all(card.match > PLAIN_FACE for card in self._cards())

    @property
    def faces_plain(self) -> bool:
        """Nothing is in doubt but which faces cards have whose print is plainly seen."""
        return self.all_plain and self._of_one_shape

    @property
    def faces_alone(self) -> bool:
        """Nothing is in doubt but which of a few faces cards have whose print is plainly seen: no other place of theirs
        will tell them apart. Mostly they share their print."""
        there = bool(self.chain.cards) and self.whole and not (self.hidden or self.foreign or self._may_have_one_more)
        # In an odd light no other place brings a hue right: what matters is by how much other prints trail.
        plain = (is_plain(card) or is_plain(but_for_colour(self._bank, card)) for card in self._cards())
        return there and self._of_one_shape and all(plain)


class Explanations:
    """Explanations of one column: what one of them has judged is not judged again by the next."""

    def __init__(self, bank: Bank, column: Column) -> None:
        self._bank, self._column = bank, column
        self.judged: Final[list[Judgement]] = []
        self._ends: dict[Placed, bool] = {}

    def by(self, found: Iterable[Candidate], faces: int | None = None) -> Explanation:
        """The best explanation by cards that may lie there. `faces`: how many are held against each, the upright ones
        if not given."""
        bank, column, count = self._bank, self._column, faces or self._bank.count
        found = list(found)
        chain = best_chain(found, column.rows, self._end_seen, bank.is_clipped, bank.back_prints, bank.plain_back)
        return Explanation(bank, column, chain, found, cache(lambda k: self._ended(chain, k, count, found)))

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
        here, told = cards[k], judge_card(self._bank, self._column, cards, k, faces, self.judged)
        if told.match > POOR or here.glaring:
            return told
        near = (c for c in found if c.face != here.face and math.hypot(c.top - here.top, c.left - here.left) < BESIDE)
        other = max(near, key=lambda one: one.match, default=here)
        if other.match < told.match + PLAINER or other.glaring:
            return told
        chain = (*cards[:k], other, *cards[k + 1 :])
        if own_match(self._bank, self._column, chain, k, self.judged) <= told.match:
            return told
        again = judge_card(self._bank, self._column, chain, k, faces, self.judged)
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

    def spared(self, explained: Explanation) -> ColumnReading:
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
        return min(reading, other, key=lambda one: discontent(one, bank.count))

    def but_for_hue(self, glare: Explanation, plain: Explanation) -> ColumnReading:
        """What glare spares of a column; its cards of equal print by all that is seen of them, if they lie there, too,
        and are told apart better so: what is left of a header is no fair sample of its hue."""
        reading, other = glare.reading, plain.reading
        if not same_cards(glare.chain, plain.chain, math.inf):
            return reading
        count = self._bank.count

        def told(card: Judged, seen: Judged) -> Judged:
            of_one_print = self._bank.of_one_print(card.faces[0][0], covered=True)
            alike = len(of_one_print) > 1 and seen.faces[0][0] in of_one_print
            return seen if alike and card_begs(seen, count) < card_begs(card, count) else card

        return replace(reading, cards=tuple(map(told, reading.cards, other.cards)))

    def _spared_card(self, card: Judged, spared: Judged) -> Judged:
        """A card by what glare spares; as it was where that is another face of its print: of a header that is taken
        for glare what looks least like it is left, which is no fair sample of its hue."""
        face, other = card.faces[0][0], spared.faces[0][0]
        if face != other and self._bank.same_header(face, other):
            return card
        return replace(spared, may_be_two=spared.may_be_two or card.may_be_two)


def discontent(reading: ColumnReading, upright: int) -> float:
    """How much of a reading begs for another: 0 where everything is explained and every card told apart."""
    total = shape_begs(reading.foreign and not reading.cards, reading.hidden, reading.margin)
    return total + sum(card_begs(card, upright) for card in reading.cards)


__all__ = ["UNWHOLE", "Explanation", "Explanations", "discontent"]
