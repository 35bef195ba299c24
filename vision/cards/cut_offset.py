"""How far apart faces that share print lie in their cuts.

Each face was cut out of a photograph, up to a millimetre off, so the same print may lie two millimetres elsewhere in
another face's cut. Faces are only compared fairly where the print that they share lies at one place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import cv2
import numpy as np

from vision.types import Grey, Tones

SLACK: Final = 3
"""How far two faces may be shifted against each other, mm."""
ALIKE: Final = 0.8
"""Correlation of two headers, one moved over the other, from which they share most of their print."""
GAINED: Final = 0.05
"""By how much that must exceed their correlation in place for a face that lies right to be ruled out where the other
lies best. In a deck whose cuts differ by 1.4 mm it is 0.18 to 0.25; few faces of other decks have it."""
LEAST_OFFSET: Final = 0.4
"""Faces whose cuts differ by less, mm, are compared as they are."""


@dataclass(frozen=True, slots=True)
class CutOffset:
    """Where the print that two faces share lies in the second one's cut, from where it lies in the first one's."""

    right: float
    """mm."""
    down: float
    """mm."""
    alike: float
    """Correlation of detail there, -1..1."""
    in_place: float
    """The same where both cuts lie on each other."""

    @property
    def elsewhere(self) -> bool:
        """Whether most of their print is shared, but lies elsewhere."""
        return self.alike >= ALIKE and self.alike - self.in_place >= GAINED


def cut_offset(one: Grey, other: Grey) -> CutOffset:
    """Of two faces or their headers, detail (h, w) float32 at 1 px/mm; sought up to `SLACK` mm away."""
    match = cv2.matchTemplate(other, one[SLACK:-SLACK, SLACK:-SLACK], cv2.TM_CCOEFF_NORMED)
    row, column = (int(n) for n in np.unravel_index(int(match.argmax()), match.shape))
    down = row - SLACK + _between(match[:, column].tolist(), row)
    right = column - SLACK + _between(match[row].tolist(), column)
    return CutOffset(right, down, float(match[row, column]), float(match[SLACK, SLACK]))


def cut_elsewhere(headers: Sequence[Grey]) -> tuple[tuple[int, ...], ...]:
    """For each face, by its header as in `cut_offset`, those that share its print elsewhere in their cuts."""
    pairs = [(i, j) for i, j in combinations(range(len(headers)), 2) if cut_offset(headers[i], headers[j]).elsewhere]
    return tuple(tuple(sum(pair) - k for pair in pairs if k in pair) for k in range(len(headers)))


def moved(roots: Tones, offset: CutOffset, scale: float = 1.0, least: float = LEAST_OFFSET) -> Tones:
    """The second face of an offset, (h, w, 3) at `scale` px/mm, with the shared print where the first one has it; as it
    is where they lie less than `least` mm apart."""
    if max(abs(offset.right), abs(offset.down)) < least:
        return roots
    there = np.array([[1, 0, -offset.right * scale], [0, 1, -offset.down * scale]], np.float32)
    out = cv2.warpAffine(roots, there, (roots.shape[1], roots.shape[0]), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, dtype=np.float32)


def _between(values: Sequence[float], at: int) -> float:
    """By how much a parabola through the greatest value and its neighbours has its top beside it."""
    if not 0 < at < len(values) - 1:
        return 0.0
    before, here, after = values[at - 1 : at + 2]
    bend = before - 2 * here + after
    return 0.5 * (before - after) / bend if bend < 0 else 0.0
