"""Examines one enrolment photograph: where boards and cards lie, their crops, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.enrolment.advice import Advice
from vision.enrolment.picture_quality import edge_width
from vision.enrolment.placement import LAYOUT, Layout, Placement, place_all
from vision.geometry import table as geometry
from vision.geometry.light import WHITE, apply, tag_whites, to_tone, tone_table
from vision.geometry.pose import Lens
from vision.geometry.rectify import TableArea, cut
from vision.geometry.registration import Registration, register
from vision.picture_file import as_picture
from vision.profile import BOARD_PX, CARD_PX, SCALE
from vision.types import Floats, Picture

DARK: Final = 0.2
"""Tone of white paper, 0..1, below which it is too dark to learn from."""
BLURRED: Final = 2.3
"""How wide the edge of a tag may be smeared, mm: sharp at 1280 x 720 is 1.3, small print is gone from 2.5 on."""
BRIGHT: Final = 0.995
"""Tone of white paper above which the picture may be clipped."""
COARSE: Final = 1.2
"""px/mm below which a card has too little detail: 1.3 reads every deck."""
WITHIN: Final = 0.98
"""Share of a card or board that must lie within the picture."""
BLOWN: Final = 252
"""Code of the darkest channel from which a pixel is blown out."""
SHINES: Final = 0.06
"""Share of a card that is blown out from which something shines on it."""
FILLED: Final = 1.0
"""Least mean log ratio of card to ground within a card or board; where none lies it is negative."""
LEAD: Final = 5.0
"""Nats by which a card's place must explain the picture better than one 3 mm away. The least of 312 cards of eleven
decks that were cut within a millimetre is 6."""
MOST_BLOWN: Final = 0.3
"""Share of a header that glare may blow out."""
MOST_BLOWN_PAPER: Final = 0.7
"""The same of a header that is white paper."""
PAPER: Final = 215
"""Code, of the channel that is least, of most of what is not blown out on white paper."""


@dataclass(frozen=True, slots=True)
class Examined:
    """What one photograph gave: crops in the order of the layout (1 to 6), boards left to right, and advice."""

    picture: Picture
    cards: tuple[Picture, ...]
    boards: tuple[Picture, ...]
    layout: Layout | None
    registration: Registration | None
    whites: Mapping[int, Floats]
    """The white of each corner tag, linear light."""
    advice: tuple[Advice, ...]

    @property
    def usable(self) -> bool:
        return not any(a.hard for a in self.advice)

    def crop(self, frame: TableArea, size: tuple[int, int]) -> Picture:
        """What lies at `frame`, `size` px (width, height), in the light in which the tags' paper is white.

        Raises `ValueError` without a registration.
        """
        if self.registration is None:
            raise ValueError("a photograph without the mat has no crops")
        return _crop(self.picture, self.registration, self.whites, frame, size)


def examine(image: object, name: str = "photograph", lens: Lens | None = None) -> Examined:
    """Find the boards and the six cards of one enrolment photograph; raises `BadInput` only where it is no picture.

    `lens` is the camera's, where it was calibrated.
    """
    picture = as_picture(image, name)
    reg = register(picture, lens=lens)
    if reg is None:
        dark = float(np.percentile(picture[::16, ::16].max(axis=2), 98)) / 255 < DARK
        advice = ((Advice("too-dark"),) if dark else ()) + (Advice("no-mat"),)
        return Examined(picture, (), (), None, None, {}, advice)
    found: list[Advice] = []
    if len(reg.tags) < 4:
        found.append(Advice("mat-cut-off", hard=len(reg.tags) < 3))
    whites = tag_whites(picture, reg)
    if not whites:
        return Examined(picture, (), (), None, reg, whites, (*found, Advice("too-dark")))
    paper = float(to_tone(np.median([w.mean() for w in whites.values()])))
    if paper < DARK:
        found.append(Advice("too-dark"))
    elif paper > BRIGHT:
        found.append(Advice("too-bright", hard=False))
    if reg.pose.scale < COARSE:
        found.append(Advice("too-far"))
    layout = place_all(picture, reg.pose)
    for spot, board in zip(geometry.BOARD_SPOTS, layout.boards, strict=True):
        if board.filled < FILLED or not _inside(picture, reg, board):
            found.append(Advice("board-missing", spot))
    cards: list[Picture] = []
    for (k, seat), card in zip(LAYOUT, layout.cards, strict=True):
        patch, _ = cut(picture, reg.pose, card.frame, SCALE)
        place = f"{geometry.BOARD_SPOTS[k]}/{seat}"
        if card.filled < FILLED or not _inside(picture, reg, card):
            found.append(Advice("card-missing", place))
        elif _shine(patch) > SHINES:
            found.append(Advice("glare", place, hard=print_hidden(patch[: CARD_PX[1] // 4])))
        elif card.lead < LEAD:
            found.append(Advice("outline-unclear", place))
        cards.append(_crop(picture, reg, whites, card.frame, CARD_PX))
    boards = tuple(_crop(picture, reg, whites, b.frame, BOARD_PX) for b in layout.boards)
    edge = edge_width(picture, reg)
    if edge is not None and edge > BLURRED:
        # First: a blurred table hides its cards and boards too.
        found.insert(0, Advice("blurred"))
    return Examined(picture, tuple(cards), boards, layout, reg, whites, tuple(found))


def _inside(picture: Picture, reg: Registration, placement: Placement) -> bool:
    _, inside = cut(picture, reg.pose, placement.frame, 1.0)
    return float(inside.mean()) >= WITHIN


def _crop(
    picture: Picture, reg: Registration, whites: Mapping[int, Floats], frame: TableArea, size: tuple[int, int]
) -> Picture:
    patch, _ = cut(picture, reg.pose, frame, SCALE, True)
    sized = np.asarray(cv2.resize(patch, size), dtype=np.uint8)
    middle = frame.to_table(np.array([[frame.width / 2, frame.height / 2]]))[0]
    return _whiten(sized, _local_gains(whites, (float(middle[0]), float(middle[1]))))


def _whiten(patch: Picture, gains: Floats) -> Picture:
    return np.asarray(np.clip(apply(patch, tone_table(gains)) * 255 + 0.5, 0, 255), dtype=np.uint8)


def _local_gains(whites: Mapping[int, Floats], at: tuple[float, float]) -> Floats:
    """Factors that make paper white at one place of the table: a plane through the logarithms at the tags."""
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


def _shine(patch: Picture) -> float:
    """Share of the patch that is blown out, 0..1."""
    return float((patch.min(2) >= BLOWN).mean())


def print_hidden(header: Picture) -> bool:
    """Whether glare hides much of a header's print, (h, w, 3). White paper that is blown out hides none: its ink is
    seen, and what of it is not is nearly as light."""
    blown = header.min(2) >= BLOWN
    share = float(blown.mean())
    if share <= MOST_BLOWN:
        return False
    return share > MOST_BLOWN_PAPER or float(np.median(header.min(2)[~blown])) < PAPER


__all__ = ["LAYOUT", "Examined", "examine", "print_hidden"]
