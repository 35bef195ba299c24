"""Finds a board of which glare hides so much that neither its face as a whole nor its outline is seen.

What is as bright as the camera shows tells nothing where the board is darker: something shines there. Where the board
would be as bright, it is what must be seen. All else is compared as it is (correlation with a mask that depends on both
pictures; by sums of products, as in Padfield, "Masked object registration in the Fourier domain", IEEE TIP 2012).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.names import Theater
from vision.geometry import table as geometry
from vision.geometry.light import apply, root_table
from vision.geometry.rectify import TableArea, cut, frame_around
from vision.geometry.registration import Registration
from vision.types import Floats, Grey, Picture, Tones

SCALES: Final = (0.5, 1.5)
"""px/mm of the first search, and of the second, which finds the exact place."""
SLACK: Final = (16.0, 3.0)
"""How far the board may lie from its place, and from where it was found first, mm."""
TURNS: Final = ((-4.0, -2.0, 0.0, 2.0, 4.0), (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5))
"""Degrees by which it is looked for turned, first and then."""
AS_BRIGHT: Final = 0.97
"""Root of light over the lightest that the camera shows from which it is full."""
SEEN: Final = 0.4
"""Share of the board's print, by its variance, that must be compared."""
GOES_WITH: Final = 0.6
"""Correlation of it from which the board is believed to lie there: on six tables of near-white decks of which the
camera clips most it was 0.55 to 0.92 where it lay, and on a clipped mat 0.59 at most where another did."""
THERE_ALONE: Final = 0.045
"""By how much it must go better with what is seen there than 2 mm away or further: of 17 boards over which a lamp was
drawn or shone, all with 0.05 or more were 0.4 mm off at most, of the ten others with 0.041 or less seven 4.7 mm or
more."""
AWAY: Final = 2.0
"""How far away that is, mm."""
BETTER: Final = 0.05
"""By how much it must go better with what is seen than the two other boards do, in the first search."""


@dataclass(frozen=True, slots=True)
class _Face:
    """A board as the camera shows it."""

    level: Grey
    """Root of light, clipped, (h, w)."""
    full: Grey
    """1 where it is as bright as the camera shows, (h, w)."""


@dataclass(frozen=True, slots=True)
class _Found:
    match: float
    middle: tuple[float, float]
    turn: float
    lead: float
    """By how much the match is greater than `AWAY` mm from there."""


def board_under_glare(
    image: Picture,
    reg: Registration,
    boards: Mapping[Theater, Picture],
    theater: Theater,
    slot: int,
    gains: Floats,
    brightest: Picture,
) -> tuple[TableArea, float] | None:
    """Where a board lies of which glare hides much, and how well what is seen goes with it, 0..1; None where it is not
    seen there, or another goes as well.

    `boards`: the enrolled pictures; `gains`: factors (3, BGR) that bring the picture to their light; `brightest`:
    `light.brightest` of the picture.
    """
    roots = root_table(gains)
    limit = roots[brightest, range(3)]

    def search(one: Theater, step: int, where: tuple[tuple[float, float], float]) -> _Found | None:
        scale = SCALES[step]
        face = _face(boards[one], scale, limit)
        return _search(image, reg, face, scale, SLACK[step], TURNS[step], where, roots, limit)

    found = {one: search(one, 0, ((geometry.BOARD_X[slot], 0.0), 0.0)) for one in boards}
    first = found.pop(theater)
    if first is None or first.match < GOES_WITH:
        return None
    if any(other is not None and other.match > first.match - BETTER for other in found.values()):
        return None
    exact = search(theater, 1, (first.middle, first.turn))
    if exact is None or exact.match < GOES_WITH or exact.lead < THERE_ALONE:
        return None
    return frame_around(exact.middle, exact.turn, *geometry.BOARD), exact.match


def _face(picture: Picture, scale: float, limit: NDArray[np.float32]) -> _Face:
    size = (round(geometry.BOARD[0] * scale), round(geometry.BOARD[1] * scale))
    small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return _shown(apply(small, root_table(np.ones(3))), limit)


def _shown(roots: Tones, limit: NDArray[np.float32]) -> _Face:
    """Roots of light, (h, w, 3), as a camera shows them that clips them at `limit`, (3,)."""
    level = np.minimum(roots, limit).mean(2)
    full = (roots >= AS_BRIGHT * limit).all(2)
    return _Face(np.ascontiguousarray(level, dtype=np.float32), np.asarray(full, dtype=np.float32))


def _search(
    image: Picture,
    reg: Registration,
    face: _Face,
    scale: float,
    slack: float,
    turns: Sequence[float],
    where: tuple[tuple[float, float], float],
    roots: Tones,
    limit: NDArray[np.float32],
) -> _Found | None:
    """The best place of a face within `slack` mm of a middle and `turns` degrees of a turn; None where too little of it
    is compared in any."""
    found: _Found | None = None
    h, w = face.level.shape
    for turn in turns:
        window = frame_around(
            where[0], where[1] + float(np.radians(turn)), geometry.BOARD[0] + 2 * slack, geometry.BOARD[1] + 2 * slack
        )
        # Cut at twice the scale and halved: every second pixel alone would be noise.
        patch = cv2.resize(
            cut(image, reg.pose, window, 2 * scale)[0], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA
        )
        seen = _shown(apply(np.asarray(patch, dtype=np.uint8), roots), limit)
        # The rim of what shines is half as bright, and no print.
        seen = _Face(seen.level, np.asarray(cv2.dilate(seen.full, np.ones((3, 3), np.uint8)), dtype=np.float32))
        match, share = _correlation(seen, face)
        match = np.where(share >= SEEN, match, -1.0)
        y, x = divmod(int(match.argmax()), match.shape[1])
        top = float(match[y, x])
        if top > (found.match if found is not None else 0.0):
            middle = window.to_table(np.array([[(x + w / 2) / scale, (y + h / 2) / scale]]))[0]
            rows, columns = np.indices(match.shape)
            away = match[np.hypot(rows - y, columns - x) > AWAY * scale].max(initial=-1.0)
            found = _Found(top, (float(middle[0]), float(middle[1])), window.turn, top - float(away))
    return found


def _correlation(seen: _Face, face: _Face) -> tuple[Grey, Grey]:
    """Correlation of a face with what is seen, and the share of its variance that is compared, for each place."""

    def product(one: Grey, other: Grey) -> Grey:
        free = cv2.matchTemplate((1 - seen.full) * one, other, cv2.TM_CCORR)
        # What is full in the picture counts only where the face would be, too.
        full = cv2.matchTemplate(seen.full * one, face.full * other, cv2.TM_CCORR)
        return np.asarray(cv2.add(free, full), dtype=np.float32)

    # Brought near to zero, so that squares stay exact in single precision.
    there, here = seen.level - face.level.mean(), face.level - face.level.mean()
    all_there, all_here = np.ones_like(there), np.ones_like(here)
    count = np.maximum(product(all_there, all_here), np.float32(1))
    sum_there, sum_here = product(there, all_here), product(all_there, here)
    both = product(there, here) - sum_there * sum_here / count
    power_there = np.maximum(product(there * there, all_here) - sum_there**2 / count, np.float32(1e-3))
    power_here = np.maximum(product(all_there, here * here) - sum_here**2 / count, np.float32(1e-3))
    share = power_here / max(float((here * here).sum()), 1e-3)
    return np.asarray(both / np.sqrt(power_there * power_here)), np.asarray(share)


__all__ = ["board_under_glare"]
