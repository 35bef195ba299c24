"""Whether each card of the photographs lies in its own place: the figures of strength must agree between theaters.

Every deck prints its strengths in one place and one type, whatever else its faces show, so the 2 of Air, the 2 of Land
and the 2 of Sea look alike in one small window of the header. Where that window is, and which of the cards of a
photograph look alike in it, is found from the deck itself: no figure is read. A card that lies in another's place, or
upside down, is told by the two other theaters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.names import THEATERS, Face, Theater
from vision.enrolment.advice import PhotographFailure, spot_name
from vision.enrolment.likeness import PHOTO_OF
from vision.enrolment.placement import LAYOUT
from vision.geometry.align import grey
from vision.geometry.table import BOARD_SPOTS
from vision.profile import SCALE
from vision.types import Grey, Picture

FIGURE_SCALE: Final = 1.5
"""px/mm at which figures are compared."""
FIGURE_BAND: Final = 26.0
"""Height of the upper part of a card in which the figure is looked for, mm."""
FIGURE_WINDOW: Final = (12.0, 16.0)
"""Width and height of the window in which figures are compared, mm: figures of 8 to 17 mm were found with it."""
FIGURE_EVERY: Final = 3.0
"""Windows are tried this far apart, mm."""
FIGURE_SLACK: Final = 1.5
"""How far one figure may lie off another one's place, mm."""
FIGURES_LEAD: Final = 0.12
"""By how much cards of the two other theaters must look more alike in the window, in the mean, than any others do, to
say something of the third one's: of twenty-five path-traced decks, with a card of the third upside down, the least is
0.16."""
FIGURES_MATCH: Final = 0.6
"""Their correlation from which the window shows figures, in the median: of those decks the least is 0.64, of
forty-five drawn ones without figures, but for one whose lead is below zero, the most is 0.42."""
SAME_FIGURE: Final = 0.6
"""Correlation from which two figures are taken for the same one."""
OTHER_FIGURE: Final = 0.04
"""By how much a card must look more like those of another strength than like those of its place, in both other
theaters: in the deck whose figures differ least it is 0.1."""
TURNED_FIGURE: Final = 0.25
"""By how much it must look more like them upside down than as it lies: of 75 cards that lay so the least is 0.39, of
450 that lay as they should none looked more like them upside down."""

Alike: TypeAlias = NDArray[np.float64]
"""How much each of six cards looks like each of six others, (6, 6)."""
FigurePairs: TypeAlias = NDArray[np.intp]
PAIRS: Final[tuple[tuple[Theater, Theater], ...]] = (("A", "L"), ("A", "S"), ("L", "S"))
PLACES: Final = tuple(f"{BOARD_SPOTS[k]}/{seat}" for k, seat in LAYOUT)
"""Where the cards of strength 1 to 6 lie in a photograph (docs/contracts.md, 3.2)."""


@dataclass(frozen=True, slots=True)
class _Figures:
    """Where a deck's figures are, and which cards have the same."""

    window: tuple[float, float]
    same: Mapping[Theater, FigurePairs]
    """For each card of Air in turn the card of a theater that has its figure, 0 to 5."""


def check_strengths(faces: Mapping[Face, Picture]) -> None:
    """Raises `PhotographFailure` where a card lies upside down (`card-turned`) or in the place of one of another
    strength (`cards-swapped`).

    A deck without figures is passed, and one of which all eighteen cards lie upside down.
    """
    upright: dict[str, Grey] = {face: _detail(faces[face]) for face in _fronts()}
    found = _figures(upright)
    strengths = _strengths(found.same)
    for theater in THEATERS:
        one, two = (t for t in THEATERS if t != theater)
        if not _shows_figures(_alike(upright, one, upright, two, found.window)):
            continue
        turned = {
            f"{theater}{k}": _detail(np.ascontiguousarray(faces[f"{theater}{k}"][::-1, ::-1])) for k in range(1, 7)
        }
        as_laid = [_alike(upright, theater, upright, other, found.window) for other in (one, two)]
        other_way = [_alike(turned, theater, upright, other, found.window) for other in (one, two)]
        # Both other theaters must have a card of that figure.
        lies, turns = np.minimum(*as_laid).max(axis=1), np.minimum(*other_way).max(axis=1)
        for k in range(6):
            if turns[k] >= SAME_FIGURE and turns[k] - lies[k] >= TURNED_FIGURE:
                raise _turned(theater, k)
        for k in range(6):
            like = int(strengths[theater][k])
            mates = [int(np.flatnonzero(strengths[other] == like)[0]) for other in (one, two)]
            if like != k and all(
                rows[k, mate] >= SAME_FIGURE and rows[k, mate] - rows[k, k] >= OTHER_FIGURE
                for rows, mate in zip(as_laid, mates, strict=True)
            ):
                raise _swapped(theater, k, like)


def _shows_figures(alike: Alike) -> bool:
    """Whether the cards of two theaters pair off so plainly that they show the same six figures."""
    order = _paired(alike)
    match = float(np.median(alike[np.arange(6), order]))
    return match >= FIGURES_MATCH and _lead(alike, order) >= FIGURES_LEAD


def _swapped(theater: Theater, k: int, like: int) -> PhotographFailure:
    return PhotographFailure(
        "cards-swapped",
        f"In the {PHOTO_OF[theater]} photograph the card on the {spot_name(PLACES[k])} is a {like + 1}, "
        f"where the {k + 1} belongs.",
        "Lay 1, 2, 3 on the near side of the left, middle and right board and 4, 5, 6 on the far side, and "
        "photograph again.",
        PHOTO_OF[theater],
        PLACES[k],
    )


def _turned(theater: Theater, k: int) -> PhotographFailure:
    return PhotographFailure(
        "card-turned",
        f"In the {PHOTO_OF[theater]} photograph the card on the {spot_name(PLACES[k])} lies upside down.",
        "Lay each card with its top edge towards the board, and photograph again.",
        PHOTO_OF[theater],
        PLACES[k],
    )


def _fronts() -> list[Face]:
    return [f"{theater}{k}" for theater in THEATERS for k in range(1, 7)]


def _detail(face: Picture) -> Grey:
    """The edges in the upper part of a face, for figures may be light on dark in one theater and dark on light in
    another."""
    band = grey(face[: round(FIGURE_BAND * SCALE)].astype(np.float32) / np.float32(255))
    zoom = FIGURE_SCALE / SCALE
    small = cv2.resize(cv2.GaussianBlur(band, (0, 0), 0.8), None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
    return np.asarray(np.hypot(cv2.Sobel(small, cv2.CV_32F, 1, 0), cv2.Sobel(small, cv2.CV_32F, 0, 1)), np.float32)


def _alike(
    a: Mapping[str, Grey], first: Theater, b: Mapping[str, Grey], second: Theater, window: tuple[float, float]
) -> Alike:
    rows = [[_match(a[f"{first}{i}"], b[f"{second}{j}"], window) for j in range(1, 7)] for i in range(1, 7)]
    return np.array(rows)


def _match(a: Grey, b: Grey, window: tuple[float, float]) -> float:
    """Correlation of what `a` shows in the window with what `b` shows there or a little beside it."""
    x, y, wide, high, slack = (round(v * FIGURE_SCALE) for v in (*window, *FIGURE_WINDOW, FIGURE_SLACK))
    shown = a[y : y + high, x : x + wide]
    around = b[max(0, y - slack) : y + high + slack, max(0, x - slack) : x + wide + slack]
    if float(np.ptp(shown)) < 1e-4:
        return 0.0
    return float(cv2.matchTemplate(around, shown, cv2.TM_CCOEFF_NORMED).max())


def _figures(details: Mapping[str, Grey]) -> _Figures:
    """The window in which the theaters' cards pair off most plainly."""
    height, width = next(iter(details.values())).shape
    rim = FIGURE_SLACK
    best: tuple[float, _Figures] | None = None
    for y in np.arange(rim, height / FIGURE_SCALE - rim - FIGURE_WINDOW[1] + 0.1, FIGURE_EVERY):
        for x in np.arange(rim, width / FIGURE_SCALE - rim - FIGURE_WINDOW[0] + 0.1, FIGURE_EVERY):
            window = (float(x), float(y))
            al, as_, ls = (_alike(details, t, details, u, window) for t, u in PAIRS)
            land = _paired(al)
            sea = _paired(as_ + ls[land])
            land = _paired(al + ls[:, sea].T)
            sea = _paired(as_ + ls[land])
            leads = [_lead(al, land), _lead(as_, sea), _lead(ls[land], sea)]
            # Squares: where all cards of one photograph lie upside down, two theaters agree all the more plainly.
            plain = sum(max(0.0, lead) ** 2 for lead in leads)
            if best is None or plain > best[0]:
                best = plain, _Figures(window, {"A": np.arange(6), "L": land, "S": sea})
    assert best is not None  # a card is wider than the window
    return best[1]


@cache
def _orders() -> FigurePairs:
    return np.array(list(permutations(range(6))))


def _paired(alike: Alike) -> FigurePairs:
    """Which other card each card goes with where together they look most alike."""
    orders = _orders()
    found: FigurePairs = orders[alike[np.arange(6)[None], orders].sum(axis=1).argmax()]
    return found


def _lead(alike: Alike, order: FigurePairs) -> float:
    """By how much cards look more like those they go with than like any other, in the mean."""
    rows = np.arange(6)
    pairs = alike[rows, order]
    rest = alike.copy()
    rest[rows, order] = -1
    return float((pairs - np.maximum(rest.max(axis=1), rest.max(axis=0)[order])).mean())


def _strengths(same: Mapping[Theater, FigurePairs]) -> dict[Theater, FigurePairs]:
    """The strength less one of the card in each place: a figure is that of the place where most theaters show it."""
    found = {theater: np.arange(6) for theater in THEATERS}
    for k in range(6):
        places = [int(same[theater][k]) for theater in THEATERS]
        strength = max(places, key=places.count)
        for theater, place in zip(THEATERS, places, strict=True):
            found[theater][place] = strength
    return found


__all__ = ["check_strengths"]
