"""Whether each card of the photographs lies in its own place: the figures of strength must agree between theaters.

Every deck prints its strengths in one place and one type, whatever else its faces show, so the 2 of Air, the 2 of Land
and the 2 of Sea look alike in one small window of the header. Where that window is, and which of the cards of a
photograph look alike in it, is found from the deck itself: no figure is read. A card that lies in another's place, or
upside down, is told by the two other theaters; many cards that lie upside down, by all theaters' figures being the same
only once they are turned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations, product
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
ALL_FIGURES: Final = 0.85
"""Least correlation of two cards that go together from which no cards lie upside down: with half of the cards so it was
0.77 at most in forty-one decks."""
CLEARER_TURNED: Final = 1.25
"""By how many times more clearly the cards must show their figures with those of some photographs turned, or those on
one side of the boards, than as they lie: of forty-one decks, eight of them path-traced, the least was 1.5."""

Alike: TypeAlias = NDArray[np.float64]
"""How much each of some cards looks like each of others, (6, 6) or (12, 12)."""
FigurePairs: TypeAlias = NDArray[np.intp]
FigureTables: TypeAlias = dict[tuple[float, float], list[Alike]]
"""Those of each pair of theaters, for each window."""
PAIRS: Final[tuple[tuple[Theater, Theater], ...]] = (("A", "L"), ("A", "S"), ("L", "S"))
PLACES: Final = tuple(f"{BOARD_SPOTS[k]}/{seat}" for k, seat in LAYOUT)
"""Where the cards of strength 1 to 6 lie in a photograph (docs/contracts.md, 3.2)."""


@dataclass(frozen=True, slots=True)
class _Figures:
    """Where a deck's figures are, and which cards have the same."""

    window: tuple[float, float]
    same: Mapping[Theater, FigurePairs]
    """For each card of Air in turn the card of a theater that has its figure, 0 to 5."""
    plain: float
    """How plainly the theaters' cards pair off there: the sum of squares of the leads."""
    shown: bool
    """Whether the cards of each two theaters show the same six figures there."""
    least: float
    """Least correlation of two cards that go together."""

    @property
    def clear(self) -> float:
        """How clearly all cards show their figures there: where some lie upside down, these do not go together."""
        return self.plain * max(0.0, self.least)


def check_upright(faces: Mapping[Face, Picture]) -> None:
    """Raises `PhotographFailure` (`cards-turned`) where all cards of one or more photographs lie upside down, or
    all on one side of the boards."""
    _upright(faces)


def check_strengths(faces: Mapping[Face, Picture]) -> tuple[float, float]:
    """Where the figures are, mm from a card's upper left corner. Raises `PhotographFailure` where a card lies upside
    down (`card-turned`) or in the place of one of another strength (`cards-swapped`), and as `check_upright` does.

    A deck without figures is passed.
    """
    upright, found = _upright(faces)
    strengths = _strengths(found.same)
    for theater in THEATERS:
        one, two = (t for t in THEATERS if t != theater)
        if not _shows_figures(_alike(upright, one, upright, two, found.window)):
            continue
        turned = {f"{theater}{k}": detail_of(_turn(faces[f"{theater}{k}"])) for k in range(1, 7)}
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
    return found.window


def _upright(faces: Mapping[Face, Picture]) -> tuple[dict[str, Grey], _Figures]:
    """The upper parts of the faces, and their figures; raises `PhotographFailure` where the theaters show the same
    figures only once all cards of photographs, or all on one side of the boards, are turned."""
    upright: dict[str, Grey] = {face: detail_of(faces[face]) for face in _fronts()}
    found = _figures(_tables(upright), dict.fromkeys(THEATERS, np.arange(6)))
    if found.shown and found.least >= ALL_FIGURES:
        return upright, found
    tables = _tables(upright, {face: detail_of(_turn(faces[face])) for face in upright})
    clear, turned = CLEARER_TURNED * found.clear, None
    for side, count in product(("", "near", "far"), (1, 2, 3)):
        other_way = np.array([k + 6 * (side in ("", seat)) for k, (_, seat) in enumerate(LAYOUT)])
        for theaters in combinations(THEATERS, count):
            rows = {theater: other_way if theater in theaters else np.arange(6) for theater in THEATERS}
            figures = _figures(tables, rows)
            if figures.shown and figures.least >= SAME_FIGURE and figures.clear > clear:
                clear, turned = figures.clear, (theaters, side)
    if turned is not None:
        raise _all_turned(*turned)
    return upright, found


def _all_turned(theaters: Sequence[Theater], side: str) -> PhotographFailure:
    names = [PHOTO_OF[theater] for theater in theaters]
    which = f"the {' and '.join(', '.join(names).rsplit(', ', 1))} photograph{'s' if len(names) > 1 else ''}"
    where = f" on the {side} side" if side else ""
    return PhotographFailure(
        "cards-turned",
        f"All cards{where} lie upside down in {which}.",
        "Lay each card with its top edge towards its board, on the near side as on the far side, and photograph again.",
        names[0] if len(names) == 1 else "",
    )


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


def _turn(face: Picture) -> Picture:
    """A face as it would have been cut if its card had lain the other way round."""
    return np.ascontiguousarray(face[::-1, ::-1])


def detail_of(face: Picture) -> Grey:
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


def _tables(upright: Mapping[str, Grey], turned: Mapping[str, Grey] | None = None) -> FigureTables:
    """For each window how much the cards of each two theaters look alike in it; with `turned` the rows and columns 6 to
    11 are those of the cards the other way round."""
    height, width = next(iter(upright.values())).shape
    rim = FIGURE_SLACK
    ways = (upright,) if turned is None else (upright, turned)
    tables: FigureTables = {}
    for y in np.arange(rim, height / FIGURE_SCALE - rim - FIGURE_WINDOW[1] + 0.1, FIGURE_EVERY):
        for x in np.arange(rim, width / FIGURE_SCALE - rim - FIGURE_WINDOW[0] + 0.1, FIGURE_EVERY):
            window = (float(x), float(y))
            tables[window] = [np.block([[_alike(a, t, b, u, window) for b in ways] for a in ways]) for t, u in PAIRS]
    return tables


def _figures(tables: FigureTables, rows: Mapping[Theater, FigurePairs]) -> _Figures:
    """The window in which the theaters' cards pair off most plainly, each card being that of its row in the tables."""
    best: _Figures | None = None
    for window, whole in tables.items():
        al, as_, ls = (table[np.ix_(rows[t], rows[u])] for table, (t, u) in zip(whole, PAIRS, strict=True))
        land = _paired(al)
        sea = _paired(as_ + ls[land])
        land = _paired(al + ls[:, sea].T)
        sea = _paired(as_ + ls[land])
        leads = [_lead(al, land), _lead(as_, sea), _lead(ls[land], sea)]
        # Squares: where all cards of one photograph lie upside down, two theaters agree all the more plainly.
        plain = sum(max(0.0, lead) ** 2 for lead in leads)
        if best is None or plain > best.plain:
            shown = all(_shows_figures(alike) for alike in (al, as_, ls))
            least = min(al[np.arange(6), land].min(), as_[np.arange(6), sea].min(), ls[land, sea].min())
            best = _Figures(window, {"A": np.arange(6), "L": land, "S": sea}, plain, shown, float(least))
    assert best is not None  # a card is wider than the window
    return best


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


__all__ = ["check_strengths", "check_upright", "detail_of"]
