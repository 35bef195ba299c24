"""Proves a deck before it is called learnt: its photographs are read back, and tables of it are rehearsed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

import cv2
import numpy as np

from engine.names import FACE_DOWN, THEATERS, Face, Theater
from vision.enrolment.advice import PhotographFailure, spot_name
from vision.enrolment.enrol import PHOTOS, Photo, assembled
from vision.enrolment.examine import LAYOUT, Examined
from vision.enrolment.ground import AREA
from vision.enrolment.rehearsal import Rehearsal, rehearse
from vision.enrolment.theater_colours import TheaterColours
from vision.geometry.rectify import TableArea, cut, frame_around
from vision.geometry.table import BOARD_SPOTS
from vision.profile import DeckProfile
from vision.tracking.reader import Reader
from vision.types import Picture

ProofStage: TypeAlias = Literal["cut", "read-back", "rehearsal"]
Progress: TypeAlias = Callable[[ProofStage, int, int], None]
"""Told the stage, and how many of how many steps of it are done."""
SHEET_SCALE: Final = 1.5
"""px/mm of the photographs on the sheet."""
OF: Final[Mapping[Photo, Theater]] = {"air": "A", "land": "L", "sea": "S"}


@dataclass(frozen=True, slots=True)
class Learnt:
    """A deck that was learnt and proved."""

    profile: DeckProfile
    rehearsal: Rehearsal
    sheet: Picture
    """To look at: each cut's outline on the photographs, and what was cut out."""
    theaters: TheaterColours
    """Whether colour tells that the photographs stand under the names of their own theaters."""


def learn(photos: Mapping[Photo, Examined], progress: Progress | None = None) -> Learnt:
    """Make a profile of four examined photographs, read them back and rehearse the deck.

    Raises `Failure`: those of `assemble`, and `not-read-back` where a photograph does not show what it was learnt from.
    """
    profile, theaters = _read_back(photos, progress)
    told = None if progress is None else lambda done, of: progress("rehearsal", done, of)
    rehearsal = rehearse(profile, told)
    proved = replace(profile, likelihoods=rehearsal.likelihoods)
    return Learnt(proved, rehearsal, draw_sheet(photos, proved), theaters)


def _read_back(photos: Mapping[Photo, Examined], progress: Progress | None) -> tuple[DeckProfile, TheaterColours]:
    """Make a profile of four examined photographs and read them back with it; raises `Failure` as `learn` does."""
    profile, theaters = assembled(photos)
    if progress is not None:
        progress("cut", 1, 1)
    reader = Reader(profile)
    for number, name in enumerate(PHOTOS):
        _read_photo(reader, name, photos[name])
        if progress is not None:
            progress("read-back", number + 1, len(PHOTOS))
    return profile, theaters


def _read_photo(reader: Reader, name: Photo, photo: Examined) -> None:
    sight = reader.read(photo.picture).sight
    if sight.order != THEATERS:
        raise PhotographFailure(
            "not-read-back",
            f"Read with what was just learnt, the {name} photograph does not show the boards air, land, sea.",
            "Photograph again with the boards air, land, sea from left to right, in even light.",
            name,
        )
    for number, (k, seat) in enumerate(LAYOUT):
        due = face_at(name, number)
        seen = sight.board[THEATERS[k], seat]
        if seen != (due,):
            said = " and ".join(_word(face) for face in seen) or "no card"
            at = f"{BOARD_SPOTS[k]}/{seat}"
            raise PhotographFailure(
                "not-read-back",
                f"Read with what was just learnt, the {name} photograph shows {said} on the {spot_name(at)}, "
                f"where {_word(due)} lay.",
                f"Photograph {name} again in even light, nothing else on the mat; if that does not help, use a mat of "
                "another colour.",
                name,
                at,
            )


def face_at(name: Photo, number: int) -> Face:
    """The face that a photograph shows in the place of that number in `LAYOUT`."""
    return FACE_DOWN if name == "back" else f"{OF[name]}{number + 1}"


def _word(face: Face) -> str:
    return "a card face down" if face == FACE_DOWN else face


def draw_sheet(photos: Mapping[Photo, Examined], profile: DeckProfile) -> Picture:
    """The four photographs from above with the outline of each cut, and the faces that were cut out below them."""
    area = frame_around((0.0, 0.0), 0.0, *AREA)
    views: list[Picture] = []
    for name in PHOTOS:
        photo = photos[name]
        if photo.registration is None or photo.layout is None:
            continue
        view = cut(photo.picture, photo.registration.pose, area, SHEET_SCALE)[0].copy()
        marks: list[tuple[TableArea, str]] = [(b.frame, t) for b, t in zip(photo.layout.boards, THEATERS, strict=True)]
        marks += [(card.frame, face_at(name, n)) for n, card in enumerate(photo.layout.cards)]
        for frame, label in marks:
            px = area.from_table(frame.corners) * SHEET_SCALE
            cv2.polylines(view, [np.round(px * 8).astype(np.int32)], True, (60, 230, 255), 1, cv2.LINE_AA, shift=3)
            _label(view, "back" if label == FACE_DOWN else label, *np.round(px.mean(axis=0)).astype(int).tolist())
        views.append(np.asarray(view, dtype=np.uint8))
    faces = profile.sheet()
    rows = [np.hstack(views[k : k + 2]) for k in range(0, len(views) - 1, 2)]
    width = max([faces.shape[1], *(row.shape[1] for row in rows)])
    padded = [np.pad(p, ((0, 0), (0, width - p.shape[1]), (0, 0))) for p in (*rows, faces)]
    return np.asarray(np.vstack(padded), dtype=np.uint8)


def _label(view: Picture, text: str, x: int, y: int) -> None:
    """Writes in the middle of a cut, where no other's is, on a dark ground."""
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.42, 1)
    left, low = x - wide // 2, y + high // 2
    cv2.rectangle(view, (left - 3, low - high - 3), (left + wide + 3, low + 4), (16, 16, 16), cv2.FILLED)
    cv2.putText(view, text, (left, low), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (60, 230, 255), 1, cv2.LINE_AA)


__all__ = ["Learnt", "Progress", "ProofStage", "draw_sheet", "face_at", "learn"]
