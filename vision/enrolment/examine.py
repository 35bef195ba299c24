"""Examines one enrolment photograph: where boards and cards lie, their crops, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.enrolment.advice import Advice
from vision.enrolment.ground import DARK as GROUND_DARK
from vision.enrolment.ground import MOST_LOG_RATIO
from vision.enrolment.picture_quality import edge_width
from vision.enrolment.placement import LAYOUT, Layout, Placement, place_all
from vision.geometry import table as geometry
from vision.geometry.light import WHITE, apply, tag_whites, to_linear, to_tone, tone_table
from vision.geometry.pose import Lens
from vision.geometry.rectify import TableArea, cut, frame_around
from vision.geometry.registration import Registration, is_mirrored, register
from vision.picture_file import as_picture
from vision.profile import BOARD_PX, CARD_PX, SCALE
from vision.sources import defects
from vision.sources.health import OVEREXPOSED
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
BESIDE: Final = (3.0, 10.0)
"""The strip around a card that must show the ground, mm from its edge: nearer may lie its shadow."""
BESIDE_SCALE: Final = 2.0
"""px/mm at which that is looked at."""
NO_GROUND: Final = 0.5
"""Mean log ratio of card to ground across that strip from which something else lies there."""
COLOURLESS: Final = 0.75
"""Light beyond the ground's, in its least channel over its most, from which it is the lamp's shine: skin has 0.6 or
less, a white thing is taken for it."""
AS_GROUND: Final = 0.15
"""What differs from the ground's light beside the card by less than this share of it in each channel is the ground: in
one photograph compression left blocks of a plain mat in codes of their own."""
MOST_COVERED: Final = 10.0
"""How long a piece of that strip may show something else, mm: on 754 cards of twenty-seven decks it was 1.5 at most,
and a finger is 12 wide."""
SHINES: Final = 0.06
"""Share of a card that is blown out from which something shines on it."""
MOST_SHINE: Final = 4
"""So many of a photograph's six cards are blown out where its camera was set too bright: one white deck's four
photographs had been advised seventeen times to move a lamp."""
FILLED: Final = 1.0
"""Least mean log ratio of card to ground within a card or board; where none lies it is negative."""
BARE_BESIDE: Final = 8.0
"""The ground beside a place that may be empty is looked at up to this far from it, mm."""
BARE_RIM: Final = 3.0
"""What lies nearer than this to the place's edge, within and beyond, is left out, mm: a card's edge and shadow."""
BARE_LIGHT: Final = 0.08
"""By how much the light within an empty place may differ from that beside it, natural logarithm of its root: of 52
empty places the most was 0.05; of 264 cards the least is 0.02."""
BARE_DETAIL: Final = 1.3
"""Times the detail beside it that an empty place may have: of 52 empty places on plain, checked, printed and wooden
ground the most was 1.04; of 264 cards the least is 1.36, of those of the ground's light 14."""
LEAD: Final = 5.0
"""Nats by which a card's place must explain the picture better than one 3 mm away. The least of 312 cards of eleven
decks that were cut within a millimetre is 6."""
MOST_BLOWN: Final = 0.3
"""Share of a header that glare may blow out."""
MOST_BLOWN_PAPER: Final = 0.7
"""The same of a header that is white paper."""
PAPER: Final = 215
"""Code, of the channel that is least, of most of what is not blown out on white paper."""

PANEL_LINES: Final = 4.3
"""How far apart blown-out parts of one white panel may lie, mm: lines of text part them."""
PANEL_INK: Final = 0.08
"""Share of such a panel that is seen to be ink: of nine headers with white panels that a bright photograph blows out
0.09 or more, under 1,813 drawn glares that hide a header 0.08 or less but for four, on those panels too."""


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
        unseen = Advice("mirrored") if is_mirrored(picture) else Advice("no-mat")
        return Examined(picture, (), (), None, None, {}, (*_without_mat(picture), unseen))
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
    patches = [cut(picture, reg.pose, card.frame, SCALE)[0] for card in layout.cards]
    headers = [patch[: CARD_PX[1] // 4] for patch in patches]
    for strength, (k, seat), card, patch in zip(range(1, 7), LAYOUT, layout.cards, patches, strict=True):
        place = f"{geometry.BOARD_SPOTS[k]}/{seat}"
        if card.filled < FILLED or not _inside(picture, reg, card) or _bare(picture, reg, card):
            found.append(Advice("card-missing", place))
        elif _shine(patch) > SHINES:
            # A 6 bears a title and no text, which would part what is blown out of a white panel.
            others = headers[:-1] if strength == 6 else ()
            found.append(Advice("glare", place, hard=print_hidden(headers[strength - 1], others)))
        elif _covered(picture, reg, whites, card, layout) > MOST_COVERED:
            found.append(Advice("covered", place))
        elif card.lead < LEAD:
            found.append(Advice("outline-unclear", place))
        cards.append(_crop(picture, reg, whites, card.frame, CARD_PX))
    found = _told_at_once(found)
    boards = tuple(_crop(picture, reg, whites, b.frame, BOARD_PX) for b in layout.boards)
    edge = edge_width(picture, reg)
    blown_out = _blown_out(picture) and any(advice.hard for advice in found)
    if blown_out or (edge is not None and edge > BLURRED):
        # First: a table that is blurred or blown out hides its cards and boards too. Light that spills over makes edges
        # wide as well.
        found = [advice for advice in found if advice.code != "too-bright"]
        found.insert(0, Advice("too-bright" if blown_out or paper > BRIGHT else "blurred"))
    return Examined(picture, tuple(cards), boards, layout, reg, whites, tuple(found))


def _told_at_once(found: Sequence[Advice]) -> list[Advice]:
    """The same advice, with one for the whole photograph where white paper is blown out on most cards: that is no lamp
    that one could move, and a dark mat leads a camera to it."""
    shone_on = [advice for advice in found if advice.code == "glare" and not advice.hard]
    if len(shone_on) < MOST_SHINE:
        return list(found)
    rest = [advice for advice in found if advice not in shone_on and advice.code != "too-bright"]
    return [Advice("too-bright", hard=False), *rest]


def _without_mat(picture: Picture) -> tuple[Advice, ...]:
    """Why the mat may not be seen in a picture."""
    if float(np.percentile(picture[::16, ::16].max(axis=2), 98)) / 255 < DARK:
        return (Advice("too-dark"),)
    if _blown_out(picture):
        return (Advice("too-bright"),)
    step, sharpness = defects.sharpness_of(picture)
    return (Advice("blurred"),) if step > defects.LEAST_STEP and sharpness < defects.BLURRED[0] else ()


def _blown_out(picture: Picture) -> bool:
    """Whether so much of a picture is white that little is seen in it."""
    return float((picture[::16, ::16].min(axis=2) >= defects.WHITE_LEVEL).mean()) > OVEREXPOSED


def _covered(
    picture: Picture, reg: Registration, whites: Mapping[int, Floats], placed: Placement, layout: Layout
) -> float:
    """Length of the longest piece along a side of a card beside which something lies that is neither the ground nor a
    board nor the lamp's shine, mm: whatever covers a card comes over its edge."""
    near, far = BESIDE
    card = placed.frame
    around = frame_around(placed.centre, card.turn, card.width + 2 * far, card.height + 2 * far)
    patch, inside = cut(picture, reg.pose, around, BESIDE_SCALE)
    ratio = np.where(inside, layout.ground.log_ratio(patch, around, BESIDE_SCALE), np.float32(-MOST_LOG_RATIO))
    ground = inside & (ratio < 0)
    if ground.any():
        light = to_linear(patch / np.float32(255)) * _local_gains(whites, placed.centre)
        plain = np.median(light[ground], axis=0)
        more = light - plain
        ratio[(np.abs(more) < AS_GROUND * plain).all(axis=2)] = -MOST_LOG_RATIO
        ratio[(more.min(axis=2) > COLOURLESS * more.max(axis=2)) | (patch.min(axis=2) >= BLOWN)] = -MOST_LOG_RATIO
    for board in layout.boards:
        low, right, down = -near, board.frame.width + near, board.frame.height + near
        corners = board.frame.to_table(np.array([[low, low], [right, low], [right, down], [low, down]]))
        outline = np.round(around.from_table(corners) * BESIDE_SCALE - 0.5).astype(np.int32)
        cv2.fillConvexPoly(ratio, outline, (-MOST_LOG_RATIO,))
    wide = round((far - near) * BESIDE_SCALE)
    strips = (ratio[:wide], ratio[-wide:], ratio[:, :wide].T, ratio[:, -wide:].T)
    return max(_longest(strip.mean(axis=0) > NO_GROUND) for strip in strips) / BESIDE_SCALE


def _bare(picture: Picture, reg: Registration, placed: Placement) -> bool:
    """Whether a place shows what lies beside it: no print, and the ground's light. What the cards look like is learnt
    from their places, an empty one among them, and on a plain mat the mat was then taken for a card."""
    card, scale = placed.frame, BESIDE_SCALE
    around = frame_around(placed.centre, card.turn, card.width + 2 * BARE_BESIDE, card.height + 2 * BARE_BESIDE)
    patch, _ = cut(picture, reg.pose, around, scale)
    logs = np.log(np.sqrt(to_linear(patch / np.float32(255))) + np.float32(GROUND_DARK))
    inner, outer = round((BARE_BESIDE + BARE_RIM) * scale), round((BARE_BESIDE - BARE_RIM) * scale)
    core = logs[inner:-inner, inner:-inner]
    # Not the side at which the board lies.
    strips = (logs[inner:-inner, :outer], logs[inner:-inner, -outer:], logs[-outer:, inner:-inner])
    beside = np.median([_middle(strip) for strip in strips], axis=0)
    if float(np.abs(_middle(core) - beside).max()) > BARE_LIGHT:
        return False
    return _fine(core) <= BARE_DETAIL * float(np.median([_fine(strip) for strip in strips]))


def _middle(logs: Floats) -> Floats:
    middle: Floats = np.median(logs.reshape(-1, 3), axis=0)
    return middle


def _fine(logs: Floats) -> float:
    """Detail of less than a few mm, root mean square."""
    light = logs.mean(axis=2).astype(np.float32)
    return float((light - cv2.GaussianBlur(light, (0, 0), BARE_RIM * BESIDE_SCALE)).std())


def _longest(row: NDArray[np.bool_]) -> int:
    """Length of the longest run of True."""
    ends = np.flatnonzero(np.diff(np.concatenate([[False], row, [False]])))
    return int((ends[1::2] - ends[::2]).max(initial=0))


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


def print_hidden(header: Picture, others: Sequence[Picture] = ()) -> bool:
    """Whether glare hides much of a header's print, (h, w, 3) at `SCALE`. White paper that is blown out hides none: its
    ink is seen, and what of it is not is nearly as light. `others`: of a card that bears no text the headers of others:
    what is blown out is a white panel, where most of them have white paper, too."""
    least = header.min(2)
    blown = least >= BLOWN
    share = float(blown.mean())
    if share <= MOST_BLOWN:
        return False
    if share <= MOST_BLOWN_PAPER and float(np.median(least[~blown])) >= PAPER:
        return False
    # A white panel on a darker header: the lines of its text part what is blown out, and glare would hide them.
    apart = np.ones((round(PANEL_LINES * SCALE),) * 2, np.uint8)
    panel = cv2.morphologyEx(blown.astype(np.uint8), cv2.MORPH_CLOSE, apart) > 0
    if float((least[panel] < PAPER).mean()) >= PANEL_INK:
        return False
    white = sum(float(np.median(other.min(2)[blown])) >= PAPER for other in others)
    return share > MOST_BLOWN_PAPER or 2 * white <= len(others)


__all__ = ["LAYOUT", "Examined", "examine", "print_hidden"]
