"""What was judged of a column's cards, kept for its next explanation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.cards.candidates import Candidate
from vision.cards.classify import Judged, judged
from vision.cards.column import Column
from vision.cards.comparison import CLEAR_EDGE, CORNERS, SAME, CardComparison
from vision.cards.templates import CARD_H, CARD_W, FINE, Bank
from vision.geometry.align import apart

AROUND: Final = 3.0 * FINE
"""How far around a card what is seen there tells of it, px at `FINE`."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was judged of a card in one explanation of a column, for the next."""

    case: CardComparison
    faces: int
    judged: Judged

    def of_the_same(self, card: Candidate, above: tuple[Candidate, ...]) -> bool:
        """Whether it is of a card that lies in the same place, as do those that cover it."""
        mine, covers = self.case.card, self.case.above
        if card is not mine:
            same = card.face == mine.face and card.glaring == mine.glaring and _lie_alike(card, mine)
            if not same:
                return False
        return len(above) == len(covers) and all(
            one is other or _lie_alike(one, other) for one, other in zip(above, covers, strict=True)
        )

    def beside(self, filled_in: NDArray[np.bool_]) -> bool:
        """Whether nothing of what is seen of the card, and of what is just around it, was filled in, (h, w) at `FINE`:
        then the same is to be said of it without highlights."""
        length = min(self.case.strip * FINE + 2 * AROUND, float(CARD_H))
        corners = ((x, y) for x in (0.0, float(CARD_W)) for y in (0.0, length))
        xs, ys = zip(*(self.case.card.place.point(*corner) for corner in corners), strict=True)
        rows, columns = (slice(max(round(min(at) - AROUND), 0), round(max(at) + AROUND)) for at in (ys, xs))
        return not filled_in[rows, columns].any()

    def serves(self, card: Candidate, faces: int) -> bool:
        """Whether all of it is to be said of the same card found otherwise."""
        return faces == self.faces and (card.edge > CLEAR_EDGE) == (self.case.card.edge > CLEAR_EDGE)


def _lie_alike(one: Candidate, other: Candidate) -> bool:
    return all(apart(one.place.point(*at), other.place.point(*at)) < SAME for at in CORNERS)


def judge_card(
    bank: Bank, column: Column, chain: Sequence[Candidate], k: int, faces: int, before: list[Judgement]
) -> Judged:
    """Hold the first `faces` faces against card `k` of a chain. `before`: what another explanation of the same column
    has judged; it is added to."""
    same = _of_the_same(chain, k, before)
    known = next((one.judged for one in same if one.serves(chain[k], faces)), None)
    if known is None:
        case = _case(bank, column, chain, k, same)
        known = judged(case, faces)
        before.append(Judgement(case, faces, known))
    return known


def own_match(bank: Bank, column: Column, chain: Sequence[Candidate], k: int, before: list[Judgement]) -> float:
    """How well the face that card `k` of a chain was found by goes with what is seen of it, -1..1."""
    return _case(bank, column, chain, k, _of_the_same(chain, k, before)).held(chain[k].face).match


def _case(bank: Bank, column: Column, chain: Sequence[Candidate], k: int, same: Sequence[Judgement]) -> CardComparison:
    """Card `k` of a chain, ready for faces. `same`: what was judged of it: what was held then is not held again."""
    if same:
        return same[-1].case.with_edge_of(chain[k])
    return CardComparison(bank, column, chain[k], tuple(chain[k + 1 :]))


def _of_the_same(chain: Sequence[Candidate], k: int, before: list[Judgement]) -> list[Judgement]:
    return [one for one in before if one.of_the_same(chain[k], tuple(chain[k + 1 :]))]


__all__ = ["Judgement", "judge_card", "own_match"]
