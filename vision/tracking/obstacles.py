"""What is in the way of a sure reading, and where on the table it is, so that whoever shows it can circle it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import cv2
import numpy as np

from engine.names import THEATERS, Face
from engine.places import PLACES, Place, place_text
from engine.sight import SeenCard
from vision.cards.templates import HEAD_MM
from vision.geometry.light import brightest, shrunk, tag_whites, to_tone
from vision.geometry.registration import grey_of, shows_tag
from vision.geometry.table import (
    BOARD,
    BOARD_X,
    CARD,
    FIRST_GAP,
    STRIP,
    TAG_NAMES,
    TAG_QUIET,
    TAG_SIDE,
    outward,
    tag_corners,
)
from vision.tracking.reader import Outline, TableReading
from vision.types import Floats, Picture

ObstacleCode: TypeAlias = Literal[
    "tag-covered", "hand-over", "not-a-card", "board-unseen", "no-boards", "shine", "alike", "alike-dark",
    "alike-bright", "unread",
]  # fmt: skip

DARK: Final = 0.36
"""Tone of white paper, 0 to 1, below which more light is what helps."""
SHINE: Final = 0.03
"""Share of a card that is blown out from which on the lamp is what disturbs."""
BLOWN: Final = 5
"""Codes below the brightest of a picture in each channel (`light.brightest`) from which a pixel is blown out."""
BRIGHT_HEADER: Final = (0.5, 0.4)
"""Share of a card's header that is blown out from which its hue is lost, and of the rest, below which that is not for
the shine of a lamp that lies over all of it: the whole picture is too bright then."""
BLANK_PLACE: Final = 0.5
"""Share of where a first card lies that is blown out from which nothing would be seen of a white one."""
_ROW: Final = (3 * BOARD[0], BOARD[1] + 20)
"""A ring around the three boards, mm."""
HARDLY_KNOWN: Final = 0.1
"""How likely a card must be for what is seen there to be one: on a mat with shapes as large as cards a back was told
with 0.02 where none lay, and that the mat may be shown without cards was not said."""
LIKELY: Final = 0.05
"""How likely another reading must be to count as one that the card may be."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One thing that keeps the table from being read for certain."""

    code: ObstacleCode
    at: str
    """A place like `A/near`, a board like `A`, one of `TAG_NAMES`, or empty for the boards as a whole."""
    middle: tuple[float, float]
    """Where it is on the table, mm, in the frame of `vision.geometry.table`."""
    size: tuple[float, float]
    """How wide and how high a ring around it is, mm."""
    card: Face | None = None
    """What the card was read as, where the obstacle is that it may be another."""
    may_be_mat: bool = False
    """It may be the mat's own print: who sees that nothing else lies there may say so."""


def obstacles(image: Picture, reading: TableReading) -> tuple[Obstacle, ...]:
    """What is in the way in a picture, (h, w, 3) uint8 BGR, that was read; the gravest first."""
    sight = reading.sight
    noted: dict[str, set[str]] = {}
    for note in sight.notes:
        noted.setdefault(note.code, set()).add(note.at)
    found: list[Obstacle] = []
    strange = noted.get("foreign", set())
    for place in PLACES:
        if place_text(place) in strange:
            found.append(_at_place("not-a-card", place, reading))
    unseen = _unseen_boards(reading)
    if len(unseen) == len(THEATERS):
        # None is laid yet, or those that lie there are another deck's.
        return (Obstacle("no-boards", "", (0.0, 0.0), _ROW), *_covered_tags(image, reading))
    for number, theater in enumerate(unseen):
        if theater in noted.get("board-missing", set()):
            middle = _board_middles(reading)[number]
            found.append(Obstacle("board-unseen", theater, middle, (BOARD[0] + 20, BOARD[1] + 20)))
    if not sight.sure:
        doubtful, full = noted.get("doubtful", set()), brightest(shrunk(image))
        for place in PLACES:
            text = place_text(place)
            if text not in strange and any(at == text or at.startswith(f"{text}/") for at in doubtful):
                over = place in reading.under_things
                found.append(_at_place("not-a-card", place, reading) if over else _doubt(image, full, reading, place))
    return (*found, *_covered_tags(image, reading))


def hand_over(place: Place | None, reading: TableReading) -> Obstacle:
    """A hand or an arm that lies over a place, or over the boards (None), and does not stir."""
    if place is None:
        return Obstacle("hand-over", "", (0.0, 0.0), _ROW)
    return _at_place("hand-over", place, reading)


def _covered_tags(image: Picture, reading: TableReading) -> list[Obstacle]:
    """Tags that lie within the picture and are not seen, on a table of which at least two are."""
    registration, grey = reading.registration, grey_of(image)
    if len(registration.tags) < 2:
        return []
    height, width = grey.shape[:2]
    covered: list[Obstacle] = []
    for tag, corner in enumerate(TAG_NAMES):
        on_table = np.array(tag_corners(tag))
        expected = registration.project(on_table)
        if expected.min() < 0 or expected[:, 0].max() >= width or expected[:, 1].max() >= height:
            continue
        if shows_tag(grey, tag, registration.tags.get(tag, expected)):
            continue
        ring, middle = TAG_SIDE + 4 * TAG_QUIET, on_table.mean(0)
        covered.append(Obstacle("tag-covered", corner, (float(middle[0]), float(middle[1])), (ring, ring)))
    return covered if len(covered) <= len(TAG_NAMES) - 2 else []


def _unseen_boards(reading: TableReading) -> list[str]:
    return [t for t in THEATERS if not any(b is not None and b.theater == t for b in reading.boards)]


def _board_middles(reading: TableReading) -> list[tuple[float, float]]:
    """Where no board was found, left to right: that one of the unseen lies there is as much as can be said."""
    free = [x for x, board in zip(BOARD_X, reading.boards, strict=True) if board is None]
    return [(x, 0.0) for x in free] or [(0.0, 0.0)] * len(THEATERS)


def _at_place(code: ObstacleCode, place: Place, reading: TableReading, card: Face | None = None) -> Obstacle:
    """A ring around the first cards of a column."""
    theater, seat = place
    order = reading.sight.order or THEATERS
    x = BOARD_X[order.index(theater)] if theater in order else 0.0
    y = outward(seat) * (BOARD[1] / 2 + FIRST_GAP + (CARD[1] + STRIP) / 2)
    area = reading.frames.get(place)
    if area is not None:
        # The boards slide: the column lies where its board does.
        x = float(area.to_table(np.array([[area.width / 2, area.height / 2]]))[0, 0])
    size = CARD[0] + 40, CARD[1] + STRIP + 30
    told = any(card.p >= HARDLY_KNOWN for card in reading.sight.stacks.get(place, ()))
    mat = code == "not-a-card" or (code != "hand-over" and not told)
    return Obstacle(code, place_text(place), (x, y), size, card, mat)


def _doubt(image: Picture, full: Picture, reading: TableReading, place: Place) -> Obstacle:
    """Why a column's cards are in doubt: the lamp's shine, cards that only colour tells apart, or something else.
    `full`: the picture's `brightest`."""
    text = place_text(place)
    outlines = [line for line in reading.outlines if line.at.startswith(f"{text}/")]
    for card, line in zip(reading.sight.stacks.get(place, ()), outlines, strict=False):
        alike = _alike(card)
        if alike and _bright(image, full, line.corners):
            return _around("alike-bright", text, reading, line, card.read)
        if _blown(image, full, line.corners) > SHINE:
            return _around("shine", text, reading, line)
        if alike:
            return _around("alike-dark" if _dark(image, reading) else "alike", text, reading, line, card.read)
    unread = _at_place("unread", place, reading)
    if not outlines:
        (x, y), half = unread.middle, np.array(CARD) / 2
        corners = np.array([[x, y] + half * side for side in ((-1, 1), (1, 1), (1, -1), (-1, -1))])
        if _blown(image, full, reading.registration.project(corners)) > BLANK_PLACE:
            return _at_place("shine", place, reading)
    return unread


def _around(code: ObstacleCode, at: str, reading: TableReading, line: Outline, card: Face | None = None) -> Obstacle:
    middle = reading.registration.to_table(np.asarray(line.corners, np.float64)).mean(0)
    return Obstacle(code, at, (float(middle[0]), float(middle[1])), (CARD[0] + 30, CARD[1] + 30), card)


def _alike(card: SeenCard) -> bool:
    """Whether what the card may be differs from what it was read as in the theater alone, as the Maneuvers do."""
    others = [face for face, p in card.others if p >= LIKELY]
    return bool(others) and card.read[0] in THEATERS and all(f[1:] == card.read[1:] for f in others)


def _blown(image: Picture, full: Picture, corners: Floats) -> float:
    """Share of a card in the picture, (4, 2) px, that is blown out."""
    height, width = image.shape[:2]
    x, y, w, h = cv2.boundingRect(np.round(corners).astype(np.int32))
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + w, width), min(y + h, height)
    if x0 >= x1 or y0 >= y1:
        return 0.0
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillPoly(mask, [np.round(np.asarray(corners, np.float64) - (x0, y0)).astype(np.int32)], 255)
    least = full.astype(np.float64) - BLOWN
    blown = cv2.inRange(image[y0:y1, x0:x1], least, np.full(3, 255.0))
    return cv2.countNonZero(cv2.bitwise_and(blown, mask)) / max(1, cv2.countNonZero(mask))


def _bright(image: Picture, full: Picture, corners: Floats) -> bool:
    """Whether a card's header is blown out and the rest of it is not."""
    left, right = (corners[top] + HEAD_MM / CARD[1] * (corners[end] - corners[top]) for top, end in ((0, 3), (1, 2)))
    header = np.array([corners[0], corners[1], right, left])
    rest = np.array([left, right, corners[2], corners[3]])
    return _blown(image, full, header) > BRIGHT_HEADER[0] and _blown(image, full, rest) < BRIGHT_HEADER[1]


def _dark(image: Picture, reading: TableReading) -> bool:
    whites = tag_whites(image, reading.registration)
    if not whites:
        return False
    return float(to_tone(np.median(np.array(list(whites.values())).mean(1)))) < DARK
