"""Cards that lie where no column reads them: between or beside the columns, over a board, or askew.

What came to lie on the table since it was last read, is as large as a card and no card of a column, is held against
every face of the deck. What lay there from the beginning, such as the draw pile, is not looked at.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.names import FACE_DOWN, Face
from engine.places import PLACES, Place, place_text
from engine.sight import MisplacedCode, Note, Sight
from vision.geometry.align import Aligner, Placed, grey, local_contrast
from vision.geometry.light import apply, root_table
from vision.geometry.pose import Pose
from vision.geometry.rectify import TableArea, cut, frame_around
from vision.geometry.registration import Registration
from vision.geometry.table import BOARD, BOARD_X, CARD, MAT
from vision.profile import FACES, DeckProfile
from vision.tracking.reader import TableReading
from vision.types import Floats, Grey, Picture, Tones

SCALE: Final = 1.0
"""px/mm at which the table is compared and cards are told."""
AREA: Final = frame_around((0.0, 0.0), 0.0, MAT[0], 560.0)
"""How much of the table is looked at: the mat without what lies at its ends."""
CHANGED: Final = 0.055
"""Step in root of light from which a point of the table has changed."""
AROUND_CARDS: Final = 7.0
"""How far from a card that was read its shadow and its edge may change the table, mm."""
STAYED: Final = 3.0
"""A card whose outline was found no further from where it was than this, mm, was not touched."""
CLOSED: Final = 9
"""Gaps in what has changed that print of the table's own colour leaves, px."""
SIZES: Final = (0.8, 1.25)
"""Sides of what has changed over those of a card: the table's colour may hide a rim, a shadow may add one."""
FILLED: Final = 0.6
"""Share of a card's area that must have changed."""
TURNS: Final = (-5.0, 0.0, 5.0)
"""Degrees tried around the direction in which it lies: the alignment finds what is left."""
ROOM: Final = 12
"""How much of the table around it is cut out for that, px."""
TRIED: Final = 4
"""Faces that are laid over it, of those that go with it best at first sight."""
IS_CARD: Final = 0.5
"""Correlation with a face from which it is that of a card."""
LEADS: Final = 0.12
"""Correlation by which a face must lead all others to be named."""
MOVED_MOST: Final = 4.0
"""Pixels at 1920 by which the camera may have moved for two pictures to be compared."""
IN_COLUMN: Final = 22.0
"""A card whose middle is no further from a column's than this, mm, was laid in it, but askew."""
OVER_BOARD: Final = 74.0
"""A card whose middle is nearer than this to the boards' line, mm, lies over a board: the first card of a column lies
further out even where its header covers the board's edge."""
LINE: Final = 25.0
"""Nearer than this to that line it belongs to neither side."""


@dataclass(frozen=True, slots=True)
class FoundMisplacedCard:
    """A card that lies where none is read."""

    code: MisplacedCode
    at: str
    """The column that is nearest on its side of the boards, such as `S/near`; a board, such as `S`, where it lies on
    neither side."""
    face: Face | None
    """What it shows; None where that is not certain."""
    middle: tuple[float, float]
    """Where it lies, mm, in the frame of `vision.geometry.table`."""
    corners: Floats
    """Its outline on the table, (4, 2) mm."""

    @property
    def note(self) -> Note:
        return Note(self.code, f"{self.at}/{self.face}" if self.face is not None else self.at)


class MisplacedCardFinder:
    """Finds them in one table's pictures, one after the other. Not safe for several threads."""

    def __init__(self, profile: DeckProfile) -> None:
        size = (round(CARD[0] * SCALE), round(CARD[1] * SCALE))
        table = root_table(np.ones(3))
        upright = []
        for face in FACES:
            small = cv2.resize(profile.faces[face], size, interpolation=cv2.INTER_AREA)
            upright.append(_detail(apply(np.asarray(small, np.uint8), table)))
        self._faces: Final = upright
        self._aligners: Final = [Aligner(face) for face in upright]
        self._flat: Final = np.stack([_unit(face) for face in upright])
        self._before: _Table | None = None

    def see(self, image: Picture, reading: TableReading) -> tuple[FoundMisplacedCard, ...]:
        """Cards that came to lie in a wrong place since the first picture, (h, w, 3) uint8 BGR, that was read."""
        if reading.sight.order is None:
            return ()
        now = _Table.of(image, reading)
        before = self._before
        if before is None or not before.comparable(now):
            self._before = now
            return ()
        changed = _changed(before, now)
        found: list[FoundMisplacedCard] = []
        for centre, turn in _card_sized(changed):
            card = self._told(image, now, centre, turn)
            if card is not None:
                found.append(card)
        if reading.sight.sure:
            self._before = now.with_kept(before, [card.corners for card in found])
        return tuple(found)

    def _told(self, image: Picture, now: _Table, centre: tuple[float, float], turn: float) -> FoundMisplacedCard | None:
        """The card that lies there, if one does."""
        w, h = self._faces[0].shape[1] + 2 * ROOM, self._faces[0].shape[0] + 2 * ROOM
        best: list[tuple[float, int, TableArea, Placed]] = []
        for way in (turn, turn + math.pi):
            frame = frame_around(centre, way, w / SCALE, h / SCALE)
            patch = _detail(apply(cut(image, now.pose, frame, SCALE)[0], now.roots))
            middle = patch[ROOM:-ROOM, ROOM:-ROOM]
            # Somewhat smoothed, so that a few millimetres and degrees matter little at first sight.
            first = self._flat @ _unit(np.asarray(cv2.blur(middle, (3, 3)), np.float32))
            likely = np.argsort(first)[::-1][:TRIED].tolist()
            for face in {*likely, FACES.index(FACE_DOWN)}:
                for off in TURNS:
                    start = _turned_about_middle(self._faces[face].shape, math.radians(off))
                    place, fit = self._aligners[face].lay(patch, start)
                    best.append((fit, face, frame, place))
        fit, face, frame, place = max(best, key=lambda one: one[0])
        if fit < IS_CARD:
            return None
        other = max((one[0] for one in best if one[1] != face), default=0.0)
        size = np.array([[0, 0], [CARD[0], 0], [CARD[0], CARD[1]], [0, CARD[1]]])
        corners = frame.to_table(place.points(size * SCALE) / SCALE)
        x, y = corners.mean(0).tolist()
        code, at = where_it_lies(x, y, now.order)
        named = FACES[face] if fit - other >= LEADS or FACES[face] == FACE_DOWN else None
        return FoundMisplacedCard(code, at, named, (x, y), corners)


def where_it_lies(x: float, y: float, order: Iterable[str]) -> tuple[MisplacedCode, str]:
    """How a card whose middle lies there, mm, is misplaced, and the column or board that is nearest."""
    away, theater = min((abs(x - middle), theater) for middle, theater in zip(BOARD_X, order, strict=True))
    at = theater if abs(y) < LINE else f"{theater}/{'far' if y > 0 else 'near'}"
    if abs(y) < OVER_BOARD:
        return "on-board", at
    return ("askew" if away < IN_COLUMN else "beside-columns"), at


def with_misplaced(sight: Sight, found: Iterable[FoundMisplacedCard], before: Sight | None) -> Sight:
    """The sight with misplaced cards among its notes, and without the doubts about columns that they explain.

    `before`: what was told last. A column that reads as it did then is in no doubt because a card lies beside it.
    """
    cards = tuple(found)
    if not cards:
        return sight
    explained = {
        place_text(place)
        for place in PLACES
        if any(_reaches(card, place, sight.order or ()) for card in cards)
        and (before is None or before.board[place] == sight.board[place])
    }
    notes = tuple(n for n in sight.notes if not (n.code in ("foreign", "doubtful") and n.at in explained))
    # Whatever keeps a sight from being sure has a note.
    sure = sight.sure or (sight.order is not None and not notes)
    return replace(sight, sure=sure, notes=(*notes, *(card.note for card in cards)))


def _reaches(card: FoundMisplacedCard, place: Place, order: Iterable[str]) -> bool:
    """Whether a card lies over some of a column's picture."""
    theater, seat = place
    x = next((x for x, there in zip(BOARD_X, order, strict=False) if there == theater), None)
    if x is None or (card.at.endswith(("near", "far")) and not card.at.endswith(seat)):
        return False
    return bool((np.abs(card.corners[:, 0] - x) < BOARD[0] / 2).any())


@dataclass(frozen=True, slots=True)
class _Table:
    """The table from above in one picture."""

    tones: Tones
    """Root of light at `SCALE`, (h, w, 3)."""
    cards: tuple[tuple[Face, Floats], ...]
    """The cards that were read, each with its outline on the table, (4, 2) mm."""
    unseen: NDArray[np.uint8]
    """What lies outside of the picture, (h, w), 255 or 0."""
    order: tuple[str, ...]
    registration: Registration
    roots: Tones

    @classmethod
    def of(cls, image: Picture, reading: TableReading) -> _Table:
        registration = reading.registration
        patch, inside = cut(image, registration.pose, AREA, SCALE)
        tones = cv2.blur(apply(patch, reading.roots), (3, 3))
        lines = [line for line in reading.outlines if "/" in line.at]
        # All corners at once: each way back through the lens costs as much for one card as for all.
        corners = np.concatenate([np.zeros((0, 2)), *(line.corners for line in lines)])
        on_table = registration.to_table(corners).reshape(-1, 4, 2)
        cards = tuple((line.name, there) for line, there in zip(lines, on_table, strict=True))
        unseen = np.where(inside, np.uint8(0), np.uint8(255))
        order = tuple(reading.sight.order or ())
        return cls(np.asarray(tones, np.float32), cards, unseen, order, registration, reading.roots)

    @property
    def pose(self) -> Pose:
        return self.registration.pose

    def comparable(self, other: _Table) -> bool:
        """Whether what differs is something that came or went, and not the camera or the boards."""
        size = self.pose.size
        if self.order != other.order or size != other.pose.size:
            return False
        return self.registration.moved(other.registration) <= MOVED_MOST * size[0] / 1920

    def with_kept(self, before: _Table, outlines: Iterable[Floats]) -> _Table:
        """The table as the next picture is compared with it: what lies within these outlines as it was before."""
        there = np.zeros_like(self.unseen)
        for corners in outlines:
            _fill(there, corners, AROUND_CARDS)
        keep = there > 0
        return replace(self, tones=np.where(keep[..., None], before.tones, self.tones)) if keep.any() else self

    def lacks(self, card: tuple[Face, Floats]) -> bool:
        """Whether that card was not read here, or elsewhere."""
        face, corners = card
        return not any(name == face and np.abs(there - corners).max() <= STAYED for name, there in self.cards)


def _changed(before: _Table, now: _Table) -> NDArray[np.uint8]:
    """Where the table has changed otherwise than by cards that came, went or were pushed, (h, w), 255 or 0."""
    off = cv2.absdiff(before.tones, now.tones)
    same = np.asarray(cv2.inRange(off, (0.0, 0.0, 0.0), (CHANGED, CHANGED, CHANGED)), np.uint8)
    known = now.unseen | before.unseen
    for one, other in ((before, now), (now, before)):
        for card in one.cards:
            if other.lacks(card):
                _fill(known, card[1], AROUND_CARDS)
    changed = ~(same | known)
    changed = np.asarray(cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    return np.asarray(cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((CLOSED, CLOSED), np.uint8)), np.uint8)


def _card_sized(changed: NDArray[np.uint8]) -> Iterator[tuple[tuple[float, float], float]]:
    """Middle, mm, and turn, radians, of what has changed and is as large as a card."""
    outlines, _ = cv2.findContours(changed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for outline in outlines:
        if cv2.contourArea(outline) < FILLED * CARD[0] * CARD[1] * SCALE * SCALE:
            continue
        (x, y), (one, two), degrees = cv2.minAreaRect(outline)
        if one > two:
            # The long sides run down a card that lies upright.
            one, two, degrees = two, one, degrees - 90
        fits = (one / SCALE / CARD[0], two / SCALE / CARD[1])
        if not all(SIZES[0] <= fit <= SIZES[1] for fit in fits):
            continue
        middle = AREA.to_table(np.array([[x, y]]) / SCALE)[0]
        yield (float(middle[0]), float(middle[1])), -math.radians(degrees)


def _fill(mask: NDArray[np.uint8], corners: Floats, wider: float = 0.0) -> None:
    """Marks an outline on the table, (n, 2) mm, and what is no further than `wider` mm from it."""
    points = (AREA.from_table(corners) * SCALE).round().astype(np.int32)
    cv2.fillPoly(mask, [points], 255)
    if wider:
        cv2.polylines(mask, [points], True, 255, 2 * round(wider * SCALE))


def _detail(tones: Tones) -> Grey:
    return local_contrast(grey(tones), round(15 * SCALE) | 1)


def _unit(detail: Grey) -> NDArray[np.float32]:
    flat = np.asarray(cv2.blur(detail, (3, 3)), np.float32).ravel()
    flat = flat - flat.mean()
    return np.asarray(flat / (np.linalg.norm(flat) + 1e-6), np.float32)


def _turned_about_middle(shape: tuple[int, ...], turn: float) -> Placed:
    """A face in the middle of its patch, turned about its own middle."""
    h, w = shape[0] / 2, shape[1] / 2
    c, s = math.cos(turn), math.sin(turn)
    return Placed(ROOM + w - c * w + s * h, ROOM + h - s * w - c * h, turn)
