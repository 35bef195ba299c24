"""Learns a deck from four photographs (contracts.md 3.2), and says what is wrong with one that will not do.

The same examination serves live enrolment: `examine` one picture after the other, show its advice, keep the good ones,
and `assemble` the four.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from engine.failure import BadInput
from engine.names import FACE_DOWN, THEATERS, Face
from vision.enrolment.advice import PROBLEMS, REMEDIES, Advice, AdviceCode, PhotographFailure, spot_name
from vision.enrolment.backs import but_for_shine, hidden_by_shine, without_shine
from vision.enrolment.examine import LAYOUT, Examined, examine
from vision.enrolment.figure_places import check_cuts, cut_offsets
from vision.enrolment.likeness import (
    BACKS_APART,
    PHOTO_OF,
    Photo,
    alike_faces,
    apart,
    check_apart,
    check_photographs,
    photograph_of_backs,
)
from vision.enrolment.photograph_colours import check_photograph_colours
from vision.enrolment.placement import BOARD_SLACK
from vision.enrolment.strengths import PLACES, check_strengths, check_upright
from vision.enrolment.theater_colours import TheaterColours, check_theaters
from vision.geometry.align import Aligner, Placed, grey, local_contrast
from vision.geometry.rectify import TableArea, frame_around
from vision.geometry.table import BOARD, BOARD_SPOTS, BOARD_X
from vision.profile import BOARD_PX, CARD_PX, SCALE, DeckProfile
from vision.types import Grey, Picture

PHOTOS: Final[tuple[Photo, ...]] = ("air", "land", "sea", "back")
RIM_MM: Final = 5.0
"""What lies nearer to the edge is left out where crops are compared: it is the ground if one was cut wrongly."""
DETAIL_MM: Final = 7.0
"""Crops are compared by what differs from its surroundings of this width, mm."""
LAID_ROUNDS: Final = 10
"""Steps in which one crop is laid over another."""
COMPARED_PX: Final = (48, 66)
"""Size at which the crop is found that is most like the others."""
THUMB_PX: Final = (32, 44)
"""Size at which faces are compared for sharing their picture: print a millimetre off is within one pixel."""
AGREE: Final = 0.55
"""Least correlation of detail between two pictures of one print in one light: of 66 pairs of boards and 165 pairs of
backs the least is 0.8; of different boards and backs the most is 0.3, of a back and 738 faces 0.49."""
ONE_PRINT: Final = 0.75
"""Correlation of detail from which two cards of one photograph show one print: on 45 photographs of backs each goes
with the one that is most like the others at 0.93 or more, and on 135 of six faces at most one other does at 0.75."""
BACK_HEADER: Final = 0.16
"""Distance of the headers of two backs, root mean square in tone: of 41 decks, a third of them learnt in bad light, it
was 0.11 at most."""
BOARD_SEARCH_SCALE: Final = 1.0
"""px/mm at which a board is looked for that does not lie where it was placed."""
BOARD_TURNS: Final = np.radians(np.arange(-6.0, 6.1, 1.5))
"""Turns at which it is looked for: boards lie straighter than cards."""
SAME_PICTURE: Final = 0.94
"""Correlation of two small pictures' detail from which faces share their picture: three Maneuvers of the path-traced
decks have 0.96 or more, other pairs 0.92 or less."""
_SIX_BACKS: Final = "Lay six cards of the deck face down, each with its top edge towards the board."
PLAIN: Final = 0.008
"""Detail, root mean square in tone, below which a back has too little print for its crops to be compared."""


def assemble(photos: Mapping[Photo, Examined]) -> DeckProfile:
    """Make a profile of four examined photographs; raises `PhotographFailure` with the first thing to mend."""
    return assembled(photos)[0]


def assembled(photos: Mapping[Photo, Examined]) -> tuple[DeckProfile, TheaterColours]:
    """The same with what the headers' colours say of the photographs' names."""
    for name in PHOTOS:
        for advice in photos[name].advice:
            if advice.hard:
                raise _refused(name, advice)
    faces, frames = _agreed_fronts(photos)
    faces[FACE_DOWN] = _agreed_back(photos)
    _check_face_up(photos, faces)
    boards = {theater: _agreed_board(photos, k) for k, theater in enumerate(THEATERS)}
    check_photograph_colours({name: photos[name].boards for name in PHOTOS})
    reg = photos["air"].registration
    assert reg is not None  # a photograph without registration carries hard advice
    profile = DeckProfile(faces, boards, reg.pose.scale, reg.pose.focal / reg.pose.size[0])
    alike = alike_faces(profile)
    check_photographs(profile, alike)
    if alike:
        # Where cards lie upside down, the lower ends of faces that share their picture are alike.
        check_upright(profile.faces)
    check_apart(alike)
    window = check_strengths(profile.faces)
    check_cuts(profile.faces, window)
    anew = _cut_anew(photos, frames, cut_offsets(profile.faces, window))
    profile = replace(profile, faces={**profile.faces, **anew})
    return profile, check_theaters(profile.faces, profile.boards)


def _cut_anew(
    photos: Mapping[Photo, Examined], frames: Mapping[Face, TableArea], off: Mapping[Face, tuple[float, float]]
) -> dict[Face, Picture]:
    """Faces that were cut a little off, by how far, mm to the right and down (`cut_offsets`). `frames`: where each was
    cut out of its photograph."""
    moved = {face: _moved(frames[face], Placed(-x, -y, 0.0)) for face, (x, y) in off.items() if face in frames}
    return {face: photos[PHOTO_OF[face[0]]].crop(frame, CARD_PX) for face, frame in moved.items()}


def _refused(name: Photo, advice: Advice) -> PhotographFailure:
    wrong = PROBLEMS[advice.code] + (f" ({spot_name(advice.at)})" if advice.at else "")
    return PhotographFailure(
        advice.code, f"The {name} photograph will not do: {wrong}.", advice.remedy, name, advice.at
    )


def enrol(air: object, land: object, sea: object, back: object) -> DeckProfile:
    """Learn a deck from four pictures, (h, w, 3) uint8 BGR each.

    Raises `BadInput` where one is no picture, `PhotographFailure` with the code of the advice where one will not do,
    and with `cards-alike`, `backs-differ`, `boards-differ`, `cards-swapped`, `cards-traded`, `card-turned`,
    `cards-turned`, `card-face-down`, `colours-differ` or `photographs-swapped` where the four do not make one deck.
    """
    pictures: dict[Photo, object] = {"air": air, "land": land, "sea": sea, "back": back}
    return assemble({name: examine(image, f"the {name} photograph") for name, image in pictures.items()})


def _agreed_fronts(photos: Mapping[Photo, Examined]) -> tuple[dict[Face, Picture], dict[Face, TableArea]]:
    """The eighteen faces, and where each was cut out of its photograph; those that share their picture are cut alike.

    Such faces differ in little, and half a millimetre between their cuts would outweigh it when they are told apart.
    """
    faces = {f"{t}{k + 1}": crop for t in THEATERS for k, crop in enumerate(photos[PHOTO_OF[t]].cards)}
    layouts = {t: photos[PHOTO_OF[t]].layout for t in THEATERS}
    frames = {f"{t}{k + 1}": card.frame for t, lay in layouts.items() if lay for k, card in enumerate(lay.cards)}
    thumbs = {face: _thumb(crop) for face, crop in faces.items()}
    left = list(faces)
    while left:
        first = left.pop(0)
        group = [first, *(other for other in left if float((thumbs[first] * thumbs[other]).sum()) > SAME_PICTURE)]
        left = [face for face in left if face not in group]
        if len(group) == 1:
            continue
        for face, away in zip(group, _offsets([faces[face] for face in group]), strict=True):
            if face in frames:
                frames[face] = _moved(frames[face], away)
                faces[face] = photos[PHOTO_OF[face[0]]].crop(frames[face], CARD_PX)
    return faces, frames


def _thumb(crop: Picture) -> Grey:
    """Detail of a small picture at unit power, blind to print laid a millimetre off."""
    small = cv2.resize(crop, THUMB_PX, interpolation=cv2.INTER_AREA).astype(np.float32) / np.float32(255)
    fine = cv2.GaussianBlur(local_contrast(grey(small), 11), (0, 0), 0.8)[2:-2, 2:-2]
    return np.asarray(fine / max(float(np.linalg.norm(fine)), 1e-6), dtype=np.float32)


def _offsets(crops: Sequence[Picture]) -> list[Placed]:
    """By how much each of some crops of one picture lies off the median of all, mm and radians clockwise."""
    best, match, _ = _compared(crops)
    if match is None:
        return [Placed(0.0, 0.0, 0.0)] * len(crops)
    shifts = np.array(_laid_over(crops, best)[1])
    median = np.median(shifts, axis=0)
    return [
        Placed(*(median - own).tolist()) if agreed >= AGREE else Placed(0.0, 0.0, 0.0)
        for own, agreed in zip(shifts, match, strict=True)
    ]


def _check_face_up(photos: Mapping[Photo, Examined], faces: Mapping[Face, Picture]) -> None:
    """Raises `PhotographFailure` (`card-face-down`) naming the photograph of a theater, and the place in it, where a
    back lies."""
    back = faces[FACE_DOWN]
    for name in PHOTOS[:3]:
        lying = [_is_back(card, back) for card in photos[name].cards]
        if all(lying):
            raise photograph_of_backs(name)
        for at, is_back in zip(PLACES, lying, strict=True):
            if is_back:
                raise PhotographFailure(
                    "card-face-down",
                    f"In the {name} photograph the card on the {spot_name(at)} lies face down.",
                    "Lay it face up, with its top edge towards the board, and photograph again.",
                    name,
                    at,
                )


def _is_back(card: Picture, back: Picture) -> bool:
    """Whether a card shows the back: its header and, where the back has print, all of it."""
    if apart(card, back) > BACK_HEADER:
        return False
    match, _ = _laid_over([back, card], 0)
    return match[1] >= AGREE if match else apart(card, back) < BACKS_APART


def of_one_print(cards: Sequence[Picture]) -> bool:
    """Whether the six cards of a photograph look the same, as they do face down."""
    _, match, _ = _compared(cards)
    if match is None:
        return max(apart(cards[0], card) for card in cards[1:]) < BACKS_APART
    return min(match) >= ONE_PRINT


@dataclass(frozen=True, slots=True)
class ComparedBacks:
    """Six cards of which all should lie face down."""

    odd: tuple[int, ...]
    """The numbers of those that do not look like the others, as backs do, though no shine hides them; of all where
    fewer than half look alike."""
    hidden: tuple[int, ...]
    """Those that a shine hides."""
    cards: Sequence[Picture]
    """All of them, without what shines on some where that made them look different."""


def compared_backs(cards: Sequence[Picture], least: float = ONE_PRINT) -> ComparedBacks:
    """Six cards held against each other, which look alike where their detail correlates by `least`, or, but for what
    shines on them, by `ONE_PRINT`; all do where there is no print to go by."""
    every = tuple(range(len(cards)))
    _, match, _ = _compared(cards)
    if match is None or min(match) >= least:
        return ComparedBacks((), (), cards)
    spared = without_shine(cards)
    _, again, _ = _compared(spared)
    unlike = tuple(n for n in every if match[n] < least and (again is None or again[n] < ONE_PRINT))
    if 2 * len(unlike) > len(cards):
        return ComparedBacks(every, (), cards)
    hides = hidden_by_shine(cards)
    hidden = tuple(n for n in unlike if hides[n])
    odd = tuple(n for n in unlike if not hides[n])
    return ComparedBacks(odd, hidden, cards if again is None else spared)


def _agreed_back(photos: Mapping[Photo, Examined]) -> Picture:
    """The back as all six show it; raises `PhotographFailure` naming the place of a card that is no back
    (`backs-differ`) or that a shine hides (`glare`), or the photograph that shows the backs instead
    (`photographs-swapped`)."""
    photo = photos["back"]
    layout = photo.layout
    assert layout is not None  # a photograph without a layout carries hard advice
    compared = compared_backs(photo.cards, AGREE)
    if len(compared.odd) == len(photo.cards):
        for name in PHOTOS[:3]:
            _, alike, _ = _compared(photos[name].cards)
            if alike is not None and min(alike) >= AGREE:
                raise PhotographFailure(
                    "photographs-swapped",
                    f"The {name} photograph shows cards face down, and the back photograph cards face up.",
                    "Exchange these two photographs.",
                )
        wrong = "In the back photograph the cards look different, as they do face up."
        raise PhotographFailure("backs-differ", wrong, _SIX_BACKS, "back")
    if compared.hidden:
        raise _refused("back", Advice("glare", PLACES[compared.hidden[0]]))
    if compared.odd:
        at = PLACES[compared.odd[0]]
        raise PhotographFailure(
            "backs-differ",
            f"In the back photograph the card on the {spot_name(at)} does not look like the other backs.",
            _SIX_BACKS,
            "back",
            at,
        )
    cuts = zip(layout.cards, _offsets(compared.cards), strict=True)
    return but_for_shine([photo.crop(_moved(card.frame, away), CARD_PX) for card, away in cuts])


def _agreed_board(photos: Mapping[Photo, Examined], k: int) -> Picture:
    """A board as all four photographs show it; raises `Failure` (`boards-differ`) naming the odd photograph."""
    boards = [photos[name].boards[k] for name in PHOTOS]
    best, match, away = _compared(boards)
    if match is not None:
        for name, agreed in zip(PHOTOS, match, strict=True):
            # Where boards touch, one may have been placed a few mm aside; what is cut out is another photograph's.
            if agreed < AGREE and _best_match(photos[name], k, boards[best]) < AGREE:
                raise PhotographFailure(
                    "boards-differ",
                    f"The {name} photograph does not show the board at the {BOARD_SPOTS[k]} as the other "
                    "photographs do.",
                    "Take everything off the boards, lay those of one deck each time, air, land, sea from left to "
                    "right, and photograph again.",
                    name,
                    BOARD_SPOTS[k],
                )
    photo = photos[PHOTOS[best]]
    layout = photo.layout
    assert layout is not None  # a photograph without a layout carries hard advice
    return photo.crop(_moved(layout.boards[k].frame, away), BOARD_PX)


def _best_match(photo: Examined, k: int, board: Picture) -> float:
    """How well a board's print goes with what a photograph shows anywhere about its place, at the best turn."""
    zoom = BOARD_SEARCH_SCALE / SCALE
    rim = round(RIM_MM * SCALE)
    wanted = cv2.resize(_detail(board)[rim:-rim, rim:-rim], None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
    wide, high = (side + 2 * BOARD_SLACK for side in BOARD)
    size = round(wide * SCALE), round(high * SCALE)
    best = -1.0
    for turn in BOARD_TURNS:
        seen = _detail(photo.crop(frame_around((BOARD_X[k], 0.0), float(turn), wide, high), size))
        small = cv2.resize(seen, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
        best = max(best, float(cv2.matchTemplate(small, wanted, cv2.TM_CCOEFF_NORMED).max()))
    return best


def _compared(crops: Sequence[Picture]) -> tuple[int, list[float] | None, Placed]:
    """Which crop is most like the others, how well each goes with it, and by how much it was cut off the others' mean.

    Each crop was cut by its own edges. Where one was cut a little off, what is printed on it lies beside the others'
    print; the median over all is where the print really lies. The matches are None where there is no print.
    """
    small = [cv2.resize(c, COMPARED_PX, interpolation=cv2.INTER_AREA).astype(np.float32) for c in crops]
    best = int(np.argmin([sum(float(np.abs(a - b).mean()) for b in small) for a in small]))
    match, shifts = _laid_over(crops, best)
    if not match:
        return best, None, Placed(0.0, 0.0, 0.0)
    good = [shift for shift, agreed in zip(shifts, match, strict=True) if agreed >= AGREE]
    x, y, turn = (float(v) for v in np.median(np.array(good), axis=0))
    return best, match, Placed(x, y, turn)


def _laid_over(crops: Sequence[Picture], best: int) -> tuple[list[float], list[tuple[float, float, float]]]:
    """How well each crop goes with the `best` one, and how far right, down (mm) and clockwise (radians) its print lies
    of that one's. Empty where there is no print."""
    rim = round(RIM_MM * SCALE)
    details = [_detail(crop) for crop in crops]
    if float(details[best][rim:-rim, rim:-rim].std()) < PLAIN:
        return [], []
    aligner = Aligner(details[best][rim:-rim, rim:-rim])
    start = Placed(float(rim), float(rim), 0.0)
    laid = [aligner.lay(detail, start, rounds=LAID_ROUNDS) for detail in details]
    height, width = details[best].shape
    middle = (width / 2 - rim, height / 2 - rim)
    shifts = []
    for place, _ in laid:
        x, y = place.point(*middle)
        shifts.append(((x - width / 2) / SCALE, (y - height / 2) / SCALE, place.turn))
    return [match for _, match in laid], shifts


def _detail(crop: Picture) -> Grey:
    return local_contrast(grey(crop.astype(np.float32) / np.float32(255)), round(DETAIL_MM * SCALE))


def _moved(frame: TableArea, away: Placed) -> TableArea:
    """A frame laid so that its print comes to lie `away` from where it lay: mm and radians clockwise."""
    c, s = np.cos(-away.turn), np.sin(-away.turn)
    middle = np.array([frame.width / 2, frame.height / 2])
    # Points of the new frame as points of the old one.
    matrix = np.array([[c, -s], [s, c]])
    corner = matrix @ (np.zeros(2) - middle - np.array([away.x, away.y])) + middle
    origin = frame.to_table(corner[None])[0]
    return TableArea((float(origin[0]), float(origin[1])), frame.turn + away.turn, frame.width, frame.height)


__all__ = [
    "LAYOUT", "PHOTOS", "REMEDIES", "Advice", "AdviceCode", "BadInput", "Examined", "Photo", "apart", "assemble",
    "assembled", "compared_backs", "enrol", "examine", "of_one_print",
]  # fmt: skip
