"""Whether the photographs stand under the names of their own theaters, as far as colour tells.

Most decks print the header of a theater's cards in the colour that its board has at its top. Where the cards' colours
are plainly those of the boards in another order, photographs were exchanged; where they only go better with another
order, a person is asked to look; where the theaters differ too little, colour says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, permutations
from typing import Final, Literal, TypeAlias

import cv2
import numpy as np

from engine.names import THEATERS, Face, Theater
from vision.enrolment.advice import PhotographFailure
from vision.enrolment.likeness import PHOTO_OF
from vision.profile import SCALE
from vision.types import Floats, Picture

HEADER: Final = (3.0, 21.0)
"""Upper and lower end of the strip that has the header's colour, mm from the upper edge; its ends are as far from the
sides as from the upper edge."""
SAME_COLOUR: Final = 0.5
"""How far a header may lie off its board's colour and be the same, as a share of how far the two most alike theaters'
headers are apart: where decks print boards and cards in one colour it was 0.1 to 0.41, but for one."""
OTHER_COLOUR: Final = 4.5
"""How far a header must lie off the board of its own name to be of another colour, CIE a* and b*."""
COLOURS_DIFFER: Final = 2.5
"""Root of the sum of squares, in a* and b*, by which three colours must differ from their mean to be compared."""
GOES_ALONG: Final = 0.95
"""Correlation of the differences of the cards' colours with those of the boards' in some order from which they go with
it: of twenty-five path-traced decks twenty-two have 0.98 or more in the right order, none over 0.87 in a wrong one."""
PLAINER: Final = 0.1
"""By how much that must be more than in the order of the names."""
TRADED_APART: Final = 2.5
"""How far two theaters' headers must be apart for a card to be told by them, CIE a* and b*."""
TRADED: Final = 0.5
"""How far on the way from its own theater's colour to the other's both headers of two traded cards must lie: of 73
decks as they are the most is 0.17, of 1314 exchanges 1278 have more than this."""
NOT_TRADED: Final = 0.35
"""How far on that way each of the five others may lie: theaters whose headers differ as much among themselves say
nothing."""

TheaterColours: TypeAlias = Literal["own", "others", "untold"]
"""What colour says of the names: they are right, they seem exchanged, nothing."""
_ORDERS: Final = tuple(permutations(range(3)))


def check_theaters(faces: Mapping[Face, Picture], boards: Mapping[Theater, Picture]) -> TheaterColours:
    """What the headers' colours say of the photographs' names; raises `PhotographFailure` (`photographs-swapped`) where
    each theater's cards have plainly the colour of a board, and not of their own."""
    headers = np.array([[_colour(faces[f"{t}{k}"]) for k in range(1, 7)] for t in THEATERS])
    _check_traded(headers)
    cards = headers.mean(axis=1)
    tops = np.array([_colour(boards[t]) for t in THEATERS])
    apart = np.linalg.norm(cards[:, None] - tops[None], axis=2)
    alike = min(float(np.linalg.norm(cards[i] - cards[j])) for i in range(3) for j in range(i))
    own = float(np.diag(apart).max())
    for order in _ORDERS:
        off = float(apart[range(3), order].max())
        if own >= OTHER_COLOUR and off <= SAME_COLOUR * alike and off <= SAME_COLOUR * own:
            k = next(k for k in range(3) if order[k] != k)
            name, other = PHOTO_OF[THEATERS[k]], PHOTO_OF[THEATERS[order[k]]]
            raise PhotographFailure(
                "photographs-swapped",
                f"The cards of the {name} photograph have the colour of the {other} board.",
                "Give each photograph by the name of its own theater, and lay the boards air, land, sea from left to "
                "right.",
                name,
            )
    differ, tops_differ = cards - cards.mean(axis=0), tops - tops.mean(axis=0)
    sizes = float(np.linalg.norm(differ)), float(np.linalg.norm(tops_differ))
    if min(sizes) < COLOURS_DIFFER:
        return "untold"
    along = [float((differ * tops_differ[list(order)]).sum()) / (sizes[0] * sizes[1]) for order in _ORDERS]
    best = max(along)
    if best < GOES_ALONG:
        return "untold"
    if along[0] == best:
        return "own"
    return "others" if best - along[0] >= PLAINER else "untold"


def _check_traded(headers: Floats) -> None:
    """Raises `PhotographFailure` (`cards-traded`) where two cards of one strength have each more of the colour of the
    other theater's five others than of that of their own five. `headers`: (3, 6, 2)."""
    for i, j in combinations(range(3), 2):
        for k in range(6):
            others = np.arange(6) != k
            middles = [np.median(headers[t][others], axis=0) for t in (i, j)]
            way = middles[1] - middles[0]
            apart = float(np.linalg.norm(way))
            if apart < TRADED_APART:
                continue
            # How far each header lies on the way from its own theater's colour to the other's, 0 to 1.
            gone = [
                (headers[t] - middle) @ (sign * way) / apart**2
                for t, middle, sign in ((i, middles[0], 1), (j, middles[1], -1))
            ]
            if min(float(g[k]) for g in gone) >= TRADED and max(float(g[others].max()) for g in gone) <= NOT_TRADED:
                raise PhotographFailure(
                    "cards-traded",
                    f"{THEATERS[i]}{k + 1} and {THEATERS[j]}{k + 1} have each the colour of the other's theater.",
                    "Give for each theater the photograph of its own six cards.",
                )


def _colour(face: Picture) -> Floats:
    """Median of the header's a* and b*: print covers the lesser part of it."""
    upper, lower = (round(v * SCALE) for v in HEADER)
    strip = face[upper:lower, upper:-upper].astype(np.float32) / np.float32(255)
    lab = cv2.cvtColor(np.ascontiguousarray(strip), cv2.COLOR_BGR2LAB).reshape(-1, 3)
    middle: Floats = np.median(lab[:, 1:], axis=0)
    return middle


__all__ = ["TheaterColours", "check_theaters"]
