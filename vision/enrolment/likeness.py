"""Whether two faces of a deck differ enough to be told apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final, Literal, TypeAlias

import cv2
import numpy as np

from engine.names import FACE_DOWN, Face
from vision.enrolment.advice import PhotographFailure
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
HEADER_ROUNDS: Final = 8
"""Steps in which one header is laid over another."""
MOST_OF_SIX: Final = 4
"""So many of six cards that look as those of another photograph are no chance."""
BACKS_APART: Final = 0.04
"""Distance of the headers of six backs in one photograph: by a single lamp it is 0.036 at most."""
LEAST_APART: Final = 0.017
"""Least distance of two headers, root mean square in tone. One and the same print lies below 0.008 in one place, below
0.011 in two places by day and up to 0.023 by a single lamp; the most alike cards of the known decks lie 0.025 apart."""

Photo: TypeAlias = Literal["air", "land", "sea", "back"]
PHOTO_OF: Final[Mapping[str, Photo]] = {"A": "air", "L": "land", "S": "sea", FACE_DOWN: "back"}
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
    placed, _ = Aligner(grey(known)).lay(grey(first), start, rounds=HEADER_ROUNDS)
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


def _alike(profile: DeckProfile, a: Face, b: Face, most: float = LEAST_APART) -> bool:
    return apart(profile.faces[a], profile.faces[b]) < most


def alike_faces(profile: DeckProfile) -> list[tuple[Face, Face]]:
    """The pairs of faces whose headers are too much alike to be told apart."""
    return [(a, b) for a, b in combinations(profile.faces, 2) if _alike(profile, a, b)]


def photograph_of_backs(name: str) -> PhotographFailure:
    """What is wrong with the photograph of a theater that shows six backs."""
    return PhotographFailure(
        "photograph-of-backs",
        f"In the {name} photograph all cards look the same, as they do face down.",
        "Give in its place the photograph of the six cards of that theater, face up.",
        name,
    )


def check_photographs(profile: DeckProfile, alike: Sequence[tuple[Face, Face]]) -> None:
    """Raises `PhotographFailure` where faces are alike because a photograph was given in another's place:
    `photographs-alike` or `photograph-of-backs`."""
    for a, b in alike:
        first, second = PHOTO_OF[a[0]], PHOTO_OF[b[0]]
        if FACE_DOWN in (a, b) or a[0] == b[0]:
            others: list[Face] = [face for face in profile.faces if face[0] == a[0] and face != a]
            if all(_alike(profile, a, face, BACKS_APART) for face in others):
                raise photograph_of_backs(first)
        elif sum((f"{a[0]}{k}", f"{b[0]}{k}") in alike for k in range(1, 7)) >= MOST_OF_SIX:
            raise PhotographFailure(
                "photographs-alike",
                f"The {first} photograph and the {second} photograph show the same cards.",
                "Give for each theater the photograph of its own six cards.",
            )


def check_apart(alike: Sequence[tuple[Face, Face]]) -> None:
    """Raises `PhotographFailure` (`cards-alike`) naming the first two faces that are too much alike."""
    for a, b in alike:
        said = [("the back" if n == FACE_DOWN else n) for n in (a, b)]
        shown = list(dict.fromkeys(PHOTO_OF[n[0]] for n in (a, b)))
        which = f"the {' and '.join(shown)} photograph{'s' if len(shown) > 1 else ''}"
        raise PhotographFailure(
            "cards-alike",
            f"{said[0]} and {said[1]} look too much alike in {which} to be told apart.",
            f"Check that each card lay in its own place in {which}; photograph again in better light.",
            shown[0] if len(shown) == 1 else "",
        )


__all__ = ["PHOTO_OF", "Photo", "alike_faces", "apart", "check_apart", "check_photographs", "photograph_of_backs"]
