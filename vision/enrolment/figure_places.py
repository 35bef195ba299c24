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


def check_cuts(faces: Mapping[Face, Picture], window: tuple[float, float]) -> None:
    """Raises `PhotographFailure` (`outline-unclear`) with the card whose figure lies elsewhere than those of the other
    theaters. `window`: where the figures are, mm from a card's upper left corner."""
    details = {face: detail_of(picture) for face, picture in faces.items()}
    for k in range(6):
        for theater in THEATERS:
            one, two = (t for t in THEATERS if t != theater)
            off = _apart(details, theater, one, k, window)
            if off.far < FIGURE_OFF or off.match < FIGURE_FOUND:
                continue
            also, others = _apart(details, theater, two, k, window), _apart(details, one, two, k, window)
            agree = float(np.hypot(off.x - also.x, off.y - also.y))
            if (
                min(also.match, others.match) >= FIGURE_FOUND
                and max(agree, others.far) <= FIGURES_AGREE
                and all(_one_place(details, theater, other, window) for other in (one, two))
            ):
                raise PhotographFailure(
                    "outline-unclear",
                    f"In the {PHOTO_OF[theater]} photograph the edges of the card on the {spot_name(PLACES[k])} are "
                    f"not seen plainly: its figure would lie {off.far:.0f} mm off its place.",
                    "Take away what lies beside it, or lay all on a cloth of another colour, and photograph again.",
                    PHOTO_OF[theater],
                    PLACES[k],
                )


def cut_offsets(faces: Mapping[Face, Picture], window: tuple[float, float]) -> dict[Face, tuple[float, float]]:
    """The faces whose figure lies a little elsewhere than those of both other theaters, and how far, mm to the right
    and down: so far they were cut off. `window`: as in `check_cuts`."""
    details = {face: detail_of(picture) for face, picture in faces.items()}
    placed = {(a, b): _one_place(details, a, b, window) for a in THEATERS for b in THEATERS if a != b}
    least, apart, match = CUT_OFF
    out: dict[Face, tuple[float, float]] = {}
    for theater in THEATERS:
        one, two = (t for t in THEATERS if t != theater)
        if not (placed[theater, one] and placed[theater, two]):
            continue
        for k in range(6):
            off, also = (_apart(details, theater, other, k, window) for other in (one, two))
            others = _apart(details, one, two, k, window)
            agree = max(float(np.hypot(off.x - also.x, off.y - also.y)), others.far) <= apart
            x, y = (off.x + also.x) / 2, (off.y + also.y) / 2
            if agree and min(off.match, also.match, others.match) >= match and float(np.hypot(x, y)) >= least:
                out[f"{theater}{k + 1}"] = x, y
    return out


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
