"""Whether each card was cut along its edges, as far as the figures of strength tell: a deck prints them in one place.

A thing beside a card, or a shadow on ground of its colour, may draw a plainer edge than the card has. Its cut then lies
aside, and so does the figure in it, where the cards of that strength in the two other theaters agree on its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from engine.names import THEATERS, Face, Theater
from vision.enrolment.advice import PhotographFailure, spot_name
from vision.enrolment.likeness import PHOTO_OF
from vision.enrolment.strengths import FIGURE_SCALE, FIGURE_WINDOW, PLACES, detail_of
from vision.geometry.rectangle import summit
from vision.types import Grey, Picture

FIGURE_REACH: Final = 9.0
"""How far a figure is looked for from where the other card of its strength has it, mm."""
FIGURE_FOUND: Final = 0.75
"""Correlation from which it is that figure: with a third of it out of the cut it was 0.85."""
FIGURES_AGREE: Final = 0.6
"""How far the figures of two cards that are cut alike may lie apart, mm."""
FIGURE_OFF: Final = 2.0
"""How far a figure must lie from where both other theaters have it, mm, for its card to be cut wrongly."""
CUT_OFF: Final = (0.4, 0.25, 0.9)
"""How far a figure must lie from where both other theaters have it, mm, for its card to be cut anew, how far these may
be apart on that, mm, and how well its figure must go with theirs. An S5 that was cut 0.9 mm aside of an L5, whose
header differs from its own by the text alone, was that L5 where the L5 lay, for certain."""
FIGURES_KEPT: Final = 4
"""So many strengths of a theater must agree with another theater on the figures' place for the deck to have one."""


@dataclass(frozen=True, slots=True)
class _Apart:
    """How far one card's figure lies from another's, mm to the right and down, and how well they go together."""

    x: float
    y: float
    match: float

    @property
    def far(self) -> float:
        return float(np.hypot(self.x, self.y))


@dataclass(frozen=True, slots=True)
class _BothOthers:
    """How far one card's figure lies from that of its strength in each of the two other theaters, and these from each
    other."""

    one: _Apart
    two: _Apart
    between: _Apart

    @property
    def agree(self) -> float:
        """How far they are apart on its place, mm."""
        return max(float(np.hypot(self.one.x - self.two.x, self.one.y - self.two.y)), self.between.far)

    @property
    def match(self) -> float:
        """How well they go together, the worst of all pairs."""
        return min(self.one.match, self.two.match, self.between.match)


def check_cuts(faces: Mapping[Face, Picture], window: tuple[float, float]) -> None:
    """Raises `PhotographFailure` (`outline-unclear`) with the card whose figure lies elsewhere than those of the other
    theaters. `window`: where the figures are, mm from a card's upper left corner."""
    details = {face: detail_of(picture) for face, picture in faces.items()}
    for k in range(6):
        for theater in THEATERS:
            seen = _from_both_others(details, theater, k, window)
            off = seen.one.far
            if off < FIGURE_OFF or seen.match < FIGURE_FOUND or seen.agree > FIGURES_AGREE:
                continue
            if _one_place_with_others(details, theater, window):
                raise PhotographFailure(
                    "outline-unclear",
                    f"In the {PHOTO_OF[theater]} photograph the edges of the card on the {spot_name(PLACES[k])} are "
                    f"not seen plainly: its figure would lie {off:.0f} mm off its place.",
                    "Take away what lies beside it, or lay all on a cloth of another colour, and photograph again.",
                    PHOTO_OF[theater],
                    PLACES[k],
                )


def cut_offsets(faces: Mapping[Face, Picture], window: tuple[float, float]) -> dict[Face, tuple[float, float]]:
    """The faces whose figure lies a little elsewhere than those of both other theaters, and how far, mm to the right
    and down: so far they were cut off. `window`: as in `check_cuts`."""
    details = {face: detail_of(picture) for face, picture in faces.items()}
    least, apart, match = CUT_OFF
    out: dict[Face, tuple[float, float]] = {}
    for theater in THEATERS:
        if not _one_place_with_others(details, theater, window):
            continue
        for k in range(6):
            seen = _from_both_others(details, theater, k, window)
            x, y = (seen.one.x + seen.two.x) / 2, (seen.one.y + seen.two.y) / 2
            if seen.agree <= apart and seen.match >= match and float(np.hypot(x, y)) >= least:
                out[f"{theater}{k + 1}"] = x, y
    return out


def _from_both_others(
    details: Mapping[Face, Grey], theater: Theater, k: int, window: tuple[float, float]
) -> _BothOthers:
    one, two = _others(theater)
    return _BothOthers(*(_apart(details, a, b, k, window) for a, b in ((theater, one), (theater, two), (one, two))))


def _one_place_with_others(details: Mapping[Face, Grey], theater: Theater, window: tuple[float, float]) -> bool:
    """Whether a theater's figures mostly have the place that they have in both others."""
    return all(_one_place(details, theater, other, window) for other in _others(theater))


def _others(theater: Theater) -> tuple[Theater, Theater]:
    one, two = (t for t in THEATERS if t != theater)
    return one, two


def _one_place(details: Mapping[Face, Grey], theater: Theater, other: Theater, window: tuple[float, float]) -> bool:
    """Whether most cards of two theaters have their figures in one place."""
    near = [_apart(details, theater, other, k, window) for k in range(6)]
    return sum(a.match >= FIGURE_FOUND and a.far <= FIGURES_AGREE for a in near) >= FIGURES_KEPT


def _apart(details: Mapping[Face, Grey], a: Theater, b: Theater, k: int, window: tuple[float, float]) -> _Apart:
    """How far the figure of theater `a` with strength `k` + 1 lies from that of `b`: either is looked for in the other,
    for the one may be cut off."""
    first, second = details[f"{a}{k + 1}"], details[f"{b}{k + 1}"]
    there, back = _found(second, first, window), _found(first, second, window)
    return there if there.match >= back.match else _Apart(-back.x, -back.y, back.match)


def _found(shown: Grey, searched: Grey, window: tuple[float, float]) -> _Apart:
    """Where what `shown` has in the window lies in `searched`, against the window."""
    x, y, wide, high, room = (round(v * FIGURE_SCALE) for v in (*window, *FIGURE_WINDOW, FIGURE_REACH))
    around = cv2.copyMakeBorder(searched, room, room, room, room, cv2.BORDER_CONSTANT, value=0.0)
    around = around[y : y + high + 2 * room, x : x + wide + 2 * room]
    sought = shown[y : y + high, x : x + wide]
    match = np.asarray(cv2.matchTemplate(around, sought, cv2.TM_CCOEFF_NORMED), dtype=np.float32)
    _, best, _, (left, top) = cv2.minMaxLoc(match)
    right, down = left + summit(match[top], left), top + summit(match[:, left], top)
    return _Apart((right - room) / FIGURE_SCALE, (down - room) / FIGURE_SCALE, float(best))


__all__ = ["check_cuts", "cut_offsets"]
