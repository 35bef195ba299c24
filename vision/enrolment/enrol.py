"""Learns a deck from four photographs (contracts, section 3.2), and says what is wrong with one that will not do.

The same examination serves live enrolment: `examine` one picture after the other, show its advice, keep the good ones,
and `assemble` the four.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import cv2
import numpy as np

from engine.failure import BadInput, Failure
from engine.names import FACE_DOWN, Face, Seat, Theater
from vision.enrolment.picture_quality import edge_width
from vision.geometry import table as geometry
from vision.geometry.align import Aligner, Placed, grey
from vision.geometry.light import (
    apply,
    tag_whites,
    to_tone,
    tone_table,
)
from vision.geometry.rectangle import fit_rectangle
from vision.geometry.rectify import cut
from vision.geometry.registration import (
    Registration,
    register,
)
from vision.picture_file import as_picture
from vision.profile import BOARD_PX, CARD_PX, SCALE, DeckProfile
from vision.types import Floats, Picture, Tones

Photo: TypeAlias = Literal["air", "land", "sea", "back"]
PHOTOS: Final[tuple[Photo, ...]] = ("air", "land", "sea", "back")

AdviceCode: TypeAlias = Literal[
    "no-mat", "mat-cut-off", "too-dark", "too-bright", "blurred", "too-far", "card-missing", "board-missing", "glare"
]

REMEDIES: Final[Mapping[AdviceCode, str]] = {
    "no-mat": "Lay the mat so that its four corner tags are in the picture.",
    "mat-cut-off": "Move the camera until all four corner tags are in the picture.",
    "too-dark": "Give it more light.",
    "too-bright": "Lower the camera's exposure or move the lamp.",
    "blurred": "Hold the camera still and let it focus on the table.",
    "too-far": "Bring the camera nearer, or set it to 1280 x 720 or more.",
    "card-missing": "Lay one card there, its top edge towards the board.",
    "board-missing": "Lay the boards air, land, sea from left to right.",
    "glare": "Move the lamp or the camera until nothing shines there.",
}


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to mend before a photograph will do. `at` names the place, such as `left/near`, or is empty."""

    code: AdviceCode
    at: str = ""
    hard: bool = True
    """The photograph cannot be used as it is; otherwise it could be better."""

    @property
    def remedy(self) -> str:
        return REMEDIES[self.code]


@dataclass(frozen=True, slots=True)
class Examined:
    """What one photograph gave: crops in the order of the layout (1 to 6), boards left to right, and advice."""

    cards: tuple[Picture, ...]
    boards: tuple[Picture, ...]
    fits: tuple[float, ...]
    registration: Registration | None
    advice: tuple[Advice, ...]

    @property
    def usable(self) -> bool:
        return not any(a.hard for a in self.advice)


LAYOUT: Final[tuple[tuple[int, Seat], ...]] = (
    (0, "near"),
    (1, "near"),
    (2, "near"),
    (0, "far"),
    (1, "far"),
    (2, "far"),
)
"""Where strengths 1 to 6 lie: the board's index from the left, and the side."""

DARK: Final = 0.2
"""Tone of white paper, 0..1, below which it is too dark to learn from."""
BLURRED: Final = 2.3
"""How wide the edge of a tag may be smeared, mm: sharp at 1280 x 720 is 1.3, small print is gone from 2.5 on."""

_SPOT: Final = ("left", "middle", "right")


def _sized(patch: Picture, size: tuple[int, int]) -> Picture:
    return np.asarray(cv2.resize(patch, size), dtype=np.uint8)


def _whiten(patch: Picture, gains: Floats) -> Picture:
    return np.asarray(np.clip(apply(patch, tone_table(gains)) * 255 + 0.5, 0, 255), dtype=np.uint8)


def _local_gains(whites: Mapping[int, Floats], at: tuple[float, float]) -> Floats:
    """Factors that make paper white at one place of the table: a plane through the logarithms at the tags."""
    from vision.geometry.light import WHITE

    tags = list(whites)
    logs = np.log(np.array([whites[t] for t in tags]))
    if len(tags) < 3:
        out: Floats = WHITE / np.exp(logs.mean(0))
        return out
    xy = np.array([geometry.TAG_CENTRES[t] for t in tags]) / 300
    basis = np.column_stack([np.ones(len(tags)), xy])
    plane, *_ = np.linalg.lstsq(basis, logs, rcond=None)
    local: Floats = WHITE / np.exp(np.array([1, at[0] / 300, at[1] / 300]) @ plane)
    return local


def examine(image: object, name: str = "photograph") -> Examined:
    """Find the boards and the six cards of one enrolment photograph; raises `BadInput` only where it is no picture."""
    picture = as_picture(image, name)
    reg = register(picture)
    if reg is None:
        dark = float(np.percentile(picture[::16, ::16].max(axis=2), 98)) / 255 < DARK
        return Examined((), (), (), None, ((Advice("too-dark"),) if dark else ()) + (Advice("no-mat"),))
    advice: list[Advice] = []
    if len(reg.tags) < 4:
        advice.append(Advice("mat-cut-off", hard=len(reg.tags) < 3))
    whites = tag_whites(picture, reg)
    if not whites:
        return Examined((), (), (), reg, (*advice, Advice("too-dark")))
    paper = float(to_tone(np.median([w.mean() for w in whites.values()])))
    if paper < DARK:
        advice.append(Advice("too-dark"))
    elif paper > 0.995:
        advice.append(Advice("too-bright", hard=False))
    if reg.pose.scale < 1.2:
        advice.append(Advice("too-far"))
    boards: list[Picture] = []
    cards: list[Picture] = []
    fits: list[float] = []
    middles: list[tuple[float, float]] = []
    for k, x in enumerate(geometry.BOARD_X):
        frame, fit = fit_rectangle(picture, reg, (x, 0.0), 0.0, geometry.BOARD, 9.0)
        patch, inside = cut(picture, reg.pose, frame, SCALE)
        middle = frame.to_table(np.array([[frame.width / 2, frame.height / 2]]))[0]
        middles.append((float(middle[0]), float(middle[1])))
        boards.append(_whiten(_sized(patch, BOARD_PX), _local_gains(whites, middles[-1])))
        if fit < 0.3 or inside.mean() < 0.98:
            advice.append(Advice("board-missing", _SPOT[k]))
    for k, seat in LAYOUT:
        side = geometry.outward(seat)
        centre = (
            middles[k][0],
            middles[k][1] + side * (geometry.BOARD[1] / 2 + geometry.FIRST_GAP + geometry.CARD[1] / 2),
        )
        frame, fit = fit_rectangle(picture, reg, centre, np.radians(geometry.card_turn(seat)), geometry.CARD, 11.0)
        patch, inside = cut(picture, reg.pose, frame, SCALE)
        there = frame.to_table(np.array([[frame.width / 2, frame.height / 2]]))[0]
        place = f"{_SPOT[k]}/{seat}"
        if fit < 0.3 or inside.mean() < 0.98:
            advice.append(Advice("card-missing", place))
        elif _shine(patch) > 0.06:
            advice.append(Advice("glare", place, hard=_shine(patch[: CARD_PX[1] // 4]) > 0.3))
        cards.append(_whiten(_sized(patch, CARD_PX), _local_gains(whites, (float(there[0]), float(there[1])))))
        fits.append(fit)
    edge = edge_width(picture, reg)
    if edge is not None and edge > BLURRED:
        # First: a blurred table hides its cards and boards too.
        advice.insert(0, Advice("blurred"))
    return Examined(tuple(cards), tuple(boards), tuple(fits), reg, tuple(advice))


def _shine(patch: Picture) -> float:
    """Share of the patch that is blown out, 0..1."""
    return float((patch.min(2) >= 252).mean())


def _typical(crops: tuple[Picture, ...]) -> Picture:
    """The crop that is most like all the others: sharper than their mean, and never the odd one out."""
    small = [cv2.resize(c, (48, 66), interpolation=cv2.INTER_AREA).astype(np.float32) for c in crops]
    far = [sum(float(np.abs(a - b).mean()) for b in small) for a in small]
    return crops[int(np.argmin(far))]


def assemble(photos: Mapping[Photo, Examined]) -> DeckProfile:
    """Make a profile of four examined photographs; raises `Failure` with the first thing to mend."""
    for name in PHOTOS:
        for advice in photos[name].advice:
            if advice.hard:
                where = f" ({advice.at})" if advice.at else ""
                raise Failure(
                    advice.code, f"The {name} photograph will not do: {_SAID[advice.code]}{where}.", advice.remedy
                )
    faces: dict[Face, Picture] = {}
    of: Mapping[Photo, Theater] = {"air": "A", "land": "L", "sea": "S"}
    for name, theater in of.items():
        for k, crop in enumerate(photos[name].cards):
            faces[f"{theater}{k + 1}"] = crop
    faces[FACE_DOWN] = _typical(photos["back"].cards)
    boards: dict[Theater, Picture] = {}
    order: tuple[Theater, ...] = ("A", "L", "S")
    for k, board in enumerate(order):
        boards[board] = _typical(tuple(photos[name].boards[k] for name in PHOTOS))
    reg = photos["air"].registration
    assert reg is not None  # a photograph without registration carries hard advice
    profile = DeckProfile(faces, boards, reg.pose.scale, reg.pose.focal / reg.pose.size[0])
    check_apart(profile)
    return profile


_SAID: Final[Mapping[AdviceCode, str]] = {
    "no-mat": "the mat's corner tags are not seen",
    "mat-cut-off": "corner tags are hidden or cut off",
    "too-dark": "it is too dark",
    "too-bright": "it is too bright",
    "blurred": "it is blurred",
    "too-far": "the cards are too small in it",
    "card-missing": "a card is not seen",
    "board-missing": "a board is not seen",
    "glare": "a card's header is blown out by glare",
}


def enrol(air: object, land: object, sea: object, back: object) -> DeckProfile:
    """Learn a deck from four pictures, (h, w, 3) uint8 BGR each.

    Raises `BadInput` where one is no picture, `Failure` with the code of the advice where one will not do, and
    `Failure` (`cards-alike`) where two cards cannot be told apart.
    """
    pictures: dict[Photo, object] = {"air": air, "land": land, "sea": sea, "back": back}
    return assemble({name: examine(image, f"the {name} photograph") for name, image in pictures.items()})


HEADER_MM: Final = 22.0
HEADER_SCALE: Final = 2.0
"""px/mm at which headers are compared."""
SHIFT_MM: Final = 1.5
"""How far one crop may lie off the other, mm."""
LEAST_APART: Final = 0.017
"""Least distance of two headers, root mean square in tone. One and the same print lies below 0.008 in one place, below
0.011 in two places by day and up to 0.023 by a single lamp; the most alike cards of the known decks lie 0.025 apart."""


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
    if max(abs(placed.x - rim), abs(placed.y - rim)) > rim or abs(placed.turn) > 0.03:
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
    gains = np.clip(gains, [0.75, -0.15, -0.15], [1.3, 0.15, 0.15])
    off = (parts @ gains).reshape(height, width, 3) - known
    return float(np.sqrt((cv2.blur(off, (3, 3)) ** 2).mean()))


def check_apart(profile: DeckProfile) -> None:
    """Raises `Failure` (`cards-alike`) naming the two faces of a profile whose headers are too much alike."""
    names = list(profile.faces)
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            if apart(profile.faces[a], profile.faces[b]) < LEAST_APART:
                said = [("the back" if n == FACE_DOWN else n) for n in (a, b)]
                raise Failure(
                    "cards-alike",
                    f"{said[0]} and {said[1]} look too much alike to be told apart.",
                    "Check that each card lay in its own place in the photographs; photograph them in better light.",
                )


__all__ = [
    "PHOTOS", "Advice", "BadInput", "Examined", "apart", "assemble", "check_apart", "enrol", "examine",
]  # fmt: skip
