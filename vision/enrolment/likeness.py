"""Whether two faces of a deck differ enough to be told apart."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from engine.failure import Failure
from engine.names import FACE_DOWN
from vision.geometry.align import Aligner, Placed, grey
from vision.profile import SCALE, DeckProfile
from vision.types import Picture, Tones

HEADER_MM: Final = 22.0
"""Height of a header, mm."""
HEADER_SCALE: Final = 2.0
"""px/mm at which headers are compared."""
MOST_TURN: Final = 0.03
"""How far one crop may be turned against the other, radians."""
GAINS: Final = (0.75, 1.3)
"""Brightness of one header over the other's, least and most."""
SLOPE: Final = 0.15
"""How far that may change from the header's middle to its edge."""
SHIFT_MM: Final = 1.5
"""How far one crop may lie off the other, mm."""
LEAST_APART: Final = 0.017
"""Least distance of two headers, root mean square in tone. One and the same print lies below 0.008 in one place, below
0.011 in two places by day and up to 0.023 by a single lamp; the most alike cards of the known decks lie 0.025 apart."""

PHOTO_OF: Final = {"A": "air", "L": "land", "S": "sea", FACE_DOWN: "back"}
"""The photograph that shows a theater's cards, and the backs."""


def _header(face: Picture) -> Tones:
    strip = cv2.GaussianBlur(face[: round(HEADER_MM * SCALE)], (0, 0), 1.0)
    zoom = HEADER_SCALE / SCALE
    small = cv2.resize(strip, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
    return small.astype(np.float32) / np.float32(255)


def apart(a: Picture, b: Picture) -> float:
    """How different two faces' headers are in tone, once one lies exactly over the other in the other's brightness.

    The brightness may change across the header, alike in all channels: colour may be all that tells two cards apart.
    """
    first, second = _header(a), _header(b)
    rim = round(SHIFT_MM * HEADER_SCALE)
    known = np.ascontiguousarray(second[rim:-rim, rim:-rim])
    height, width = known.shape[:2]
    start = Placed(float(rim), float(rim), 0.0)
    placed, _ = Aligner(grey(known)).lay(grey(first), start, rounds=8)
    if max(abs(placed.x - rim), abs(placed.y - rim)) > rim or abs(placed.turn) > MOST_TURN:
        placed = start
    seen = cv2.warpAffine(
        first,
        placed.matrix(),
        (width, height),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    ).reshape(-1, 3)
    ys, xs = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    plane = np.stack([np.ones_like(xs), xs, ys], -1).reshape(-1, 1, 3)
    parts = (plane * seen[..., None]).reshape(-1, 3)
    gains = np.linalg.lstsq(parts, known.ravel(), rcond=None)[0]
    gains = np.clip(gains, [GAINS[0], -SLOPE, -SLOPE], [GAINS[1], SLOPE, SLOPE])
    off = (parts @ gains).reshape(height, width, 3) - known
    return float(np.sqrt((cv2.blur(off, (3, 3)) ** 2).mean()))


def check_apart(profile: DeckProfile) -> None:
    """Raises `Failure` (`cards-alike`) naming the two faces of a profile whose headers are too much alike."""
    names = list(profile.faces)
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            if apart(profile.faces[a], profile.faces[b]) < LEAST_APART:
                said = [("the back" if n == FACE_DOWN else n) for n in (a, b)]
                shown = list(dict.fromkeys(PHOTO_OF[n[0]] for n in (a, b)))
                which = f"the {' and '.join(shown)} photograph{'s' if len(shown) > 1 else ''}"
                raise Failure(
                    "cards-alike",
                    f"{said[0]} and {said[1]} look too much alike in {which} to be told apart.",
                    f"Check that each card lay in its own place in {which}; photograph again in better light.",
                )


__all__ = ["apart", "check_apart"]
