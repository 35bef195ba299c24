"""From what was measured of each card to likelihoods, with the one rule of every deck: each card exists once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Final, TypeAlias

import numpy as np

from engine.names import FACE_DOWN, Face
from engine.places import Place, place_text
from engine.sight import SeenCard
from vision.cards.classify import Judged
from vision.cards.column_reading import ColumnReading
from vision.profile import FACES, Likelihoods
from vision.types import Floats


@dataclass(frozen=True, slots=True)
class Doubt:
    """How measurements become belief."""

    temperature: float
    """Nats of the measure that make one nat of belief."""
    hue: float
    """Error of hue beyond `HUE_FREE` that doubles the temperature: where even the best face is of another colour, its
    lead counts less."""
    border: float
    """A card whose print goes with its best face no better than this is probably none of those known."""
    soft: float
    """How soft that border is."""
    colour: float = 1.0
    """The temperature between faces of equal print, which colour alone tells apart: on 7,583 Maneuvers of 29
    path-traced decks, four fifths of them on spoilt pictures, and of three seeds of drawn ones, 1.0 has 145.6 nats (1.2
    has 148.8, 0.85 has 146.1) and leaves 32 less in doubt than 1.2; five are wrong for certain with either."""


FITTED: Final = Doubt(temperature=1.0, hue=1.0, border=0.25, soft=0.05)
"""The temperature has the least logarithmic loss on 10,977 cards of photographs and drawn tables (71.4 nats; 1.3 has
73.2, 0.7 has 72.8); but for Maneuvers no card that was read as another led by 3 nats. On 14,334 cards of 2,000
simulated tables 1.3 has 18.2 nats and 1.0 has 18.5, and none of ten wrong cards comes to 0.86; with other games' cards
among them `./allfronts bench reader.doubts` finds 1.5 and a border of 0.35. The others are by that bench on an earlier
reader, and as good as any on the 10,977 cards."""
HUE_FREE: Final = 1.5
"""Error of hue, squared and in spreads, that cards of the very face have in ordinary light."""
ALONE: Final = 0.5
"""How likely a card is one where another may lie in it unseen."""
HUE_COSTS: Final = 0.04
"""What of the print's match a unit of error beyond that takes away at the border."""
BACKS_OFTEN: Final = 2.0
"""Nats by which a card is a back sooner than any one face: people play a third of their cards face down, and one in
twenty-five as any one face. Of 10,977 cards no face was read as a back, four backs were read as faces, and 14 more
were in doubt."""
STRANGE: Final = (0.1, 0.5)
"""Cards less likely to be known than this are none; the second where they leave something unexplained."""
ELSEWHERE_COUNTS: Final = 0.3
"""What a nat between a card's faces counts where its likeliest one, of another print, lies elsewhere for certain: an A1
under a smeared shine went best as an A6, and then as an L1, by 9 nats."""
PLAIN_WRONG_WAY: Final = 0.7
"""Match of a back from which it is said to lie the wrong way round: a strip of a dark one with next to no print, under
a shine, went with it turned by 0.59, and upright not at all."""
CERTAIN: Final = 8.0
"""Nats by which a card must lead to keep its face from all others."""
MOST_JOINT: Final = 4
"""Most faces of one print whose cards are told apart together: more have too many ways to be given out."""
WORTH: Final = 0.003
"""Likelihoods below this are not kept."""


def doubt_of(likelihoods: Likelihoods | None) -> Doubt:
    """What a deck's own likelihoods make of `FITTED`."""
    if likelihoods is None:
        return FITTED
    return replace(FITTED, temperature=likelihoods.print_temperature, colour=likelihoods.colour_temperature)


@dataclass(frozen=True, slots=True)
class Weighed:
    """What was measured of one card before it becomes likelihoods."""

    faces: Mapping[Face, float]
    """Nats that each face which is still free costs; the least is the face that is read."""
    match: float
    """How well the print goes with the best face, -1..1 (`Judged.match`)."""
    hue_error: float
    """`Judged.hue_error`."""
    wrong_way: bool = False
    may_be_two: bool = False
    """`Judged.may_be_two`."""
    equal: frozenset[Face] = frozenset()
    """Faces whose print is that of the face that is read."""


EqualPrint: TypeAlias = Mapping[Face, frozenset[Face]]
"""For each face that shares its print with others, those others."""


def seen_cards(
    columns: Mapping[Place, ColumnReading], doubt: Doubt | None = None, equal: EqualPrint | None = None
) -> tuple[dict[Place, tuple[SeenCard, ...]], list[str]]:
    """Each place's cards with likelihoods, and the places (`A/near/1`) of cards that are seen twice.

    `doubt`: this deck's, `FITTED` if not given; `equal`: this deck's faces of equal print. A place where no card is
    likely known (`STRANGE`) holds something else: no card is told there.
    """
    doubt = doubt or FITTED
    weighed, twice = weigh(columns, equal)
    strange = {
        place
        for place, cards in weighed.items()
        if all(_known(card, doubt) < STRANGE[columns[place].hidden] for card in cards)
    }
    seen: dict[Place, tuple[SeenCard, ...]] = {
        place: () if place in strange else tuple(believed(card, doubt) for card in cards)
        for place, cards in weighed.items()
    }
    return seen, [at for at in twice if not any(at.startswith(place_text(place)) for place in strange)]


def weigh(
    columns: Mapping[Place, ColumnReading], equal: EqualPrint | None = None
) -> tuple[dict[Place, tuple[Weighed, ...]], list[str]]:
    """Each place's cards with what every face that is free for them costs, and the places of cards seen twice."""
    count = len(FACES)
    keys = [(place, k) for place, column in columns.items() for k in range(len(column.cards))]
    costs: dict[tuple[Place, int], dict[Face, float]] = {}
    turned: dict[tuple[Place, int], bool] = {}
    looks_like: dict[tuple[Place, int], Face] = {}
    for place, k in keys:
        judged = columns[place].cards[k]
        table: dict[Face, float] = {}
        for number, nats in judged.faces:
            face = FACES[number % count]
            often = BACKS_OFTEN if face == FACE_DOWN else 0.0
            table[face] = min(nats - often, table.get(face, np.inf))
        costs[place, k] = table
        likeliest = judged.faces[0][0]
        looks_like[place, k] = FACES[likeliest % count]
        seen_plainly = looks_like[place, k] != FACE_DOWN or judged.match >= PLAIN_WRONG_WAY
        turned[place, k] = likeliest >= count and seen_plainly
    done = {key for key in keys if columns[key[0]].cards[key[1]].together}
    together = _joint(costs, equal or {}, done)
    lead = {key: _lead(table, columns[key[0]].cards[key[1]]) for key, table in costs.items()}
    held = {min(costs[key], key=costs[key].__getitem__): key for key in keys if lead[key] >= CERTAIN}
    twice: list[str] = []
    taken: dict[Face, tuple[Place, int]] = {}
    chosen: dict[tuple[Place, int], Weighed] = {}
    for key in sorted(keys, key=lambda key: -lead[key]):
        table = costs[key]
        free = {
            face: nats
            for face, nats in table.items()
            if face == FACE_DOWN
            or face in together.get(key, ())
            or (held.get(face, key) == key and taken.get(face, key) == key)
        }
        best = min(table.values())
        if not free or min(free.values()) > best + 4:
            # Better an honest double than a face that does not fit.
            free = table
        read = min(free, key=free.__getitem__)
        # By what is seen alone: that backs are played often tells no more of this one.
        first = looks_like[key]
        if first not in free and first not in (equal or {}).get(read, ()):
            # What it looks like most lies elsewhere: of what is seen here the rest tells no more than that either.
            free = {face: free[read] + ELSEWHERE_COUNTS * (nats - free[read]) for face, nats in free.items()}
        if read != FACE_DOWN and read in taken:
            twice += [_at(key), _at(taken[read])]
        taken.setdefault(read, key)
        judged = columns[key[0]].cards[key[1]]
        alike = (equal or {}).get(read, frozenset())
        chosen[key] = Weighed(free, judged.match, judged.hue_error, turned[key], judged.may_be_two, alike)
    return {
        place: tuple(chosen[place, k] for k in range(len(column.cards))) for place, column in columns.items()
    }, sorted(set(twice))


def _joint(
    costs: Mapping[tuple[Place, int], dict[Face, float]],
    equal: EqualPrint,
    done: Collection[tuple[Place, int]],
) -> dict[tuple[Place, int], frozenset[Face]]:
    """Cards that are taken for faces of one print, and those faces; each costs there, in `costs`, what the cheapest
    way costs of giving all these cards different faces so (a max-marginal), for none of them tells on its own which of
    them lies elsewhere. `done`: cards whose costs are such already."""
    told: dict[tuple[Place, int], frozenset[Face]] = {}
    for group in {frozenset({face, *others}) for face, others in equal.items()}:
        of = [key for key, table in costs.items() if min(table, key=table.__getitem__) in group]
        if not 2 <= len(of) <= len(group) <= MOST_JOINT or any(key in told for key in of):
            continue
        if all(key in done for key in of):
            told |= dict.fromkeys(of, group)
            continue
        least = {key: dict.fromkeys(group, np.inf) for key in of}
        for faces in permutations(group, len(of)):
            total = sum(costs[key].get(face, np.inf) for key, face in zip(of, faces, strict=True))
            for key, face in zip(of, faces, strict=True):
                least[key][face] = min(least[key][face], total)
        best = min(least[of[0]].values())
        if not np.isfinite(best):
            continue
        for key in of:
            costs[key].update({face: nats - best for face, nats in least[key].items() if np.isfinite(nats)})
            told[key] = group
    return told


def believed(card: Weighed, doubt: Doubt = FITTED) -> SeenCard:
    """The likelihoods of one card; another `doubt` is given where it is fitted."""
    faces, share = _shares(card, doubt)
    alone = ALONE if card.may_be_two else 1.0
    share = share * _known(card, doubt) * alone
    others = tuple((f, float(p)) for f, p in zip(faces[1:], share[1:], strict=True) if p >= WORTH)
    return SeenCard(faces[0], float(share[0]), others, card.wrong_way)


class KnownCards:
    """Cards whose true faces are known, as arrays: a fit tries them a thousand times."""

    def __init__(self, cards: Sequence[tuple[Face, Weighed]], doubt: Doubt = FITTED) -> None:
        """`cards`: the true face of each, and what was measured; `doubt`: what is not fitted."""
        count, most = len(cards), max((len(card.faces) for _, card in cards), default=1)
        self._behind = np.full((count, most), np.inf)
        self._equal = np.zeros((count, most), np.bool_)
        self._truth = np.zeros(count, np.intp)
        self._unheld = np.zeros(count, np.bool_)
        self._warmth = np.array([_warmth(card.hue_error, doubt) for _, card in cards])
        self._known = np.array([_known(card, doubt) for _, card in cards])
        for k, (truth, card) in enumerate(cards):
            faces = sorted(card.faces, key=card.faces.__getitem__)
            self._behind[k, : len(faces)] = [card.faces[face] - card.faces[faces[0]] for face in faces]
            self._equal[k, : len(faces)] = [face in card.equal for face in faces]
            self._unheld[k] = truth not in card.faces
            self._truth[k] = len(faces) - 1 if self._unheld[k] else faces.index(truth)

    def log_likelihood(self, temperature: float, colour: float) -> float:
        """Logarithm of how likely they were all said to be the cards that they are: what a fit makes greatest.

        What is told to be hardly a known card was not told to be another: it does not speak against the temperature.
        """
        warm = np.where(self._equal, colour, temperature) * self._warmth[:, None]
        weights = np.exp(-self._behind / warm)
        said = weights[np.arange(len(weights)), self._truth] / weights.sum(1)
        # A face that was never held against the card trails the last of those that were.
        said *= np.where(self._unheld, np.exp(-1 / (temperature * self._warmth)), 1.0)
        return float(np.log(self._known * said + (1 - self._known) / len(FACES)).sum())


def _shares(card: Weighed, doubt: Doubt) -> tuple[list[Face], Floats]:
    """The faces of a card that is known, likeliest first, and how likely each is."""
    table = card.faces
    faces = sorted(table, key=table.__getitem__)
    warm = np.array([doubt.colour if f in card.equal else doubt.temperature for f in faces])
    warm *= _warmth(card.hue_error, doubt)
    weights = np.exp(-(np.array([table[f] for f in faces]) - table[faces[0]]) / warm)
    return faces, np.asarray(weights / weights.sum(), dtype=np.float64)


def _warmth(hue_error: float, doubt: Doubt) -> float:
    return 1 + max(0.0, hue_error - HUE_FREE) / doubt.hue


def _known(card: Weighed | Judged, doubt: Doubt) -> float:
    """How likely it is one of the cards that were learnt."""
    match = card.match - HUE_COSTS * max(0.0, card.hue_error - HUE_FREE)
    return float(1 / (1 + np.exp(-(match - doubt.border) / doubt.soft)))


def _at(key: tuple[Place, int]) -> str:
    (theater, seat), k = key
    return f"{theater}/{seat}/{k}"


def _lead(table: Mapping[Face, float], judged: Judged) -> float:
    """Nats that set the best face apart; what is hardly a known card takes no face from others."""
    ranked = sorted(table.values())
    lead = ranked[1] - ranked[0] if len(ranked) > 1 else 0.0
    return lead / _warmth(judged.hue_error, FITTED) * _known(judged, FITTED)
