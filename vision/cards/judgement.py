"""What was judged of a column's cards, kept for its next explanation."""

from __future__ import annotations

from dataclasses import dataclass

from vision.cards.candidates import Candidate
from vision.cards.classify import CLEAR_EDGE, CORNERS, SAME, Judged, judged
from vision.cards.column import Column
from vision.cards.templates import Bank
from vision.geometry.align import apart


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was judged of a card in one explanation of a column, for the next."""

    card: Candidate
    above: tuple[Candidate, ...]
    faces: int
    judged: Judged

    def serves(self, card: Candidate, above: tuple[Candidate, ...], faces: int) -> bool:
        """Whether the same is to be said of this card: it lies in the same place, as do those that cover it."""
        if card is self.card:
            same = True
        else:
            other = self.card
            same = card.face == other.face and card.glaring == other.glaring and _lie_alike(card, other)
            same = same and (card.edge > CLEAR_EDGE) == (other.edge > CLEAR_EDGE)
        return (
            same
            and faces == self.faces
            and len(above) == len(self.above)
            and all(one is other or _lie_alike(one, other) for one, other in zip(above, self.above, strict=True))
        )


def _lie_alike(one: Candidate, other: Candidate) -> bool:
    return all(apart(one.place.point(*at), other.place.point(*at)) < SAME for at in CORNERS)


def judge_card(
    bank: Bank, column: Column, chain: tuple[Candidate, ...], k: int, faces: int, before: list[Judgement]
) -> Judged:
    """Hold the first `faces` faces against card `k` of a chain. `before`: what another explanation of the same column
    has judged; it is added to."""
    card, above = chain[k], chain[k + 1 :]
    known = next((one.judged for one in before if one.serves(card, above, faces)), None)
    if known is None:
        known = judged(bank, column, card, above, faces)
        before.append(Judgement(card, above, faces, known))
    return known


__all__ = ["Judgement", "judge_card"]
