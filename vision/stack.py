"""Where cards may lie in one column, and how well each face explains what is seen there.

Single cards cannot be cut out where they overlap, and repeating back patterns fool key points. So: every enrolled
header is laid over the column, each likely place is refined and weighed row by row against the bare table. Where glare
or short strips leave no print, the edges of cards give the places. `vision.chain` then picks the cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.align import Placed
from vision.bank import CARD_W, FINE, Bank
from vision.column import ABOVE, Column
from vision.explain import Costs, row_costs
from vision.headers import fits_around, header_costs, search
from vision.outline import outlines
from vision.pose import Floats

FIRST: Final = (-9.0, 26.0)
"""Where the first card's top edge may lie, mm outside the board's edge."""
LEAST_FIT: Final = 0.33
"""Correlation below which no header lies there."""
GOOD_FIT: Final = 0.5
"""Correlation below which print is a worse guide to a card's place than its outline."""
FACES_HERE: Final = 4
STRIPS: Final = (7.0, 38.0)
"""How much of a covered card may show, mm."""
PER_CARD: Final = 4.0
"""What a card must explain, mm of rows, before it is believed."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A face laid somewhere in the column. `face`: number in the bank, from 19 on the wrong way round."""

    face: int
    place: Placed
    """In the column's picture at `FINE`."""
    match: float
    edge: float
    """How much of a card's outline is seen there, 0..1."""
    costs: Costs
    """Cost of each of the card's rows at `MIDDLE` against the bare table: below 0 where the card explains it better."""

    @property
    def top(self) -> float:
        """Middle of the card's top edge, mm below the column's upper end."""
        return float(self.place.points(np.array([[CARD_W / 2, 0.0]]))[0, 1]) / FINE

    @property
    def left(self) -> float:
        """Middle of the card's top edge, mm from the column's left."""
        return float(self.place.points(np.array([[CARD_W / 2, 0.0]]))[0, 0]) / FINE


def candidates(
    bank: Bank, column: Column, faces: int, by_outline: bool = False, glaring: bool = False, places: int = 12
) -> list[Candidate]:
    """Faces laid over the column where they may lie: at most `FACES_HERE` for each of at most `places` places.

    `by_outline`: look for the edges of cards too, where their print alone did not explain the column; `glaring`: take
    it that glare hides much of them.
    """
    out: list[Candidate] = []
    taken: dict[int, list[Floats]] = {}
    crisp = column.fine_crisp
    # From the board outwards: a card can only lie where a first card may, or on one that is there.
    reach = ABOVE + FIRST[1]
    for start, outlined in sorted(
        _starts(bank, column, faces, by_outline, places), key=lambda s: s[0].points(_HEADER)[0, 1]
    ):
        if start.points(_HEADER)[0, 1] / FINE - 8 > reach + 6:
            continue
        close = (2, (-1.5, 0.0, 1.5)) if outlined else (5, (-3.0, 0.0, 3.0))
        around = fits_around(bank, column, start, faces, *close)
        fits = around.best
        ranked = np.argsort(-fits)[:FACES_HERE].tolist()
        if fits[ranked[0]] >= LEAST_FIT:
            ranked = [f for k, f in enumerate(ranked) if fits[f] > fits[ranked[0]] - (0.2 if k < 2 else 0.12)]
            if bank.back not in ranked and fits[bank.back] > max(0.6 * LEAST_FIT, fits[ranked[0]] - 0.35):
                ranked.append(bank.back)
        elif outlined:
            # Print blotted out by glare: what there is of colour and detail picks a few faces, and the edges hold them.
            ranked = np.argsort(header_costs(column, bank, faces, start, 14.0))[:2].tolist()
            ranked = list(dict.fromkeys([*ranked, bank.back]))
        else:
            continue
        for face in ranked:
            place, match = bank.lay[face][1].lay(crisp, around.place(face), rounds=4)
            there = around.place(face)
            drift = np.hypot(*(place.points(_HEADER) - there.points(_HEADER))[0])
            if drift > 2.5 * FINE or abs(place.turn) > np.radians(14):
                place, match = there, float(fits[face])
            away = float(np.hypot(*(place.points(_HEADER) - start.points(_HEADER))[0]))
            if outlined and (match < GOOD_FIT or away > 1.5 * FINE):
                place, away = start, 0.0
            edge = outlined if away < 3 * FINE else 0.0
            at = place.points(_HEADER)[0]
            if any(np.abs(at - other).max() < FINE for other in taken.get(face, ())):
                continue
            taken.setdefault(face, []).append(at)
            card = Candidate(face, place, match, edge, row_costs(column, bank, face, place, glaring))
            out.append(card)
            if float(card.costs[:8].sum()) < 0.5:
                reach = max(reach, card.top + STRIPS[1])
    return out


def likely(bank: Bank, column: Column, places: int = 12) -> list[Candidate]:
    """The same where headers are plainly seen, in a third of the time: the face that fits best at each place."""
    out: list[Candidate] = []
    taken: list[Floats] = []
    crisp = column.fine_crisp
    reach = ABOVE + FIRST[1]
    for _, start in sorted(search(bank, column, bank.count, places), key=lambda s: s[1].points(_HEADER)[0, 1]):
        if start.points(_HEADER)[0, 1] / FINE - 8 > reach + 6:
            continue
        around = fits_around(bank, column, start, bank.count, 3, (-2.0, 0.0, 2.0))
        fits = around.best
        best = int(fits.argmax())
        if fits[best] < LEAST_FIT:
            continue
        place, match = bank.lay[best][1].lay(crisp, around.place(best), rounds=3)
        at = place.points(_HEADER)[0]
        if match < GOOD_FIT or any(np.abs(at - other).max() < FINE for other in taken):
            continue
        taken.append(at)
        # Headers of one theater are drawn alike: colour tells which it is, and their place is the same.
        ranked = np.argsort(header_costs(column, bank, bank.count, place, 14.0)).tolist()[:1]
        if ranked[0] != bank.back and fits[bank.back] > fits[best] - 0.25:
            ranked.append(bank.back)
        for face in ranked:
            spot = place
            if face == bank.back and best != bank.back:
                spot, match = bank.lay[face][1].lay(crisp, around.place(face), rounds=3)
            card = Candidate(face, spot, match, 0.0, row_costs(column, bank, face, spot))
            out.append(card)
            if float(card.costs[:8].sum()) < 0.5:
                reach = max(reach, card.top + STRIPS[1])
    return out


_HEADER: Final = np.array([[CARD_W / 2, 8 * FINE]])
"""A point in the middle of a header, for comparing places."""


def _starts(bank: Bank, column: Column, faces: int, by_outline: bool, places: int) -> list[tuple[Placed, float]]:
    """Where cards may lie, with how much of an outline is seen there: 0 where only the print tells."""
    found = [(place, edge) for edge, place in outlines(column.tones, places)] if by_outline else []
    known = np.array([place.points(_HEADER)[0] for place, _ in found]).reshape(-1, 2)
    for _, place in search(bank, column, faces, places):
        if not (np.abs(known - place.points(_HEADER)[0]).max(1) < 4 * FINE).any():
            found.append((place, 0.0))
    return found
