"""What the game lies on: the bare table top, and the mat with its corner tags, plain or patterned."""

from __future__ import annotations

import math
from typing import Final, Literal, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.table import BOARD, BOARD_X, CARD, FIRST_GAP, MAT, TAG_CENTRES, TAG_QUIET, TAG_SIDE
from vision.simulate.ink import InkColour, Sheet, SheetImage, mix, texture

MatPattern: TypeAlias = Literal["plain", "checked", "printed", "map", "picture", "places", "wood"]
"""`checked` and `printed` are cloths with the tags on them; `map` is a playmat with shapes as large as cards, `picture`
one with shapes and lines of all colours and sizes; `places` is one with a frame or a field where each first card
lies; `wood` is a wooden table with four paper tags on it."""

SURFACES: Final[dict[str, tuple[InkColour, InkColour]]] = {
    "oak": ((150, 108, 70), (112, 76, 46)),
    "walnut": ((92, 66, 48), (62, 44, 32)),
    "ash": ((196, 180, 156), (168, 150, 126)),
    "white": ((224, 222, 216), (212, 210, 204)),
    "cloth": ((132, 48, 52), (116, 40, 44)),
    "slate": ((74, 80, 86), (62, 68, 74)),
}
WOODS: Final = ("oak", "walnut", "ash")
MATS: Final[tuple[InkColour, ...]] = (
    (104, 116, 104), (98, 104, 112), (70, 92, 84), (128, 122, 110), (60, 64, 78), (192, 188, 180), (158, 154, 116),
)  # fmt: skip
PAPER: Final[InkColour] = (246, 246, 244)
"""Of the tags."""


def surface(rows: int, columns: int, scale: float, kind: str, rng: np.random.Generator) -> SheetImage:
    """A bare table top, one of `SURFACES`, rows × columns px at `scale` px/mm."""
    light, dark = SURFACES[kind]
    if kind in WOODS:
        grain = texture(rows, max(8, columns // 24), 2.2 * scale, rng)
        streaks = cv2.resize(grain, (columns, rows), interpolation=cv2.INTER_CUBIC) * 0.5
        share: NDArray[np.floating] = 0.5 + 0.22 * (streaks + texture(rows, columns, 60 * scale, rng) * 0.7)
    elif kind == "cloth":
        weave = np.indices((rows, columns)).sum(0) // max(1, round(scale * 1.5)) % 2
        share = 0.5 + 0.2 * texture(rows, columns, 40 * scale, rng) + 0.25 * weave
    else:
        share = 0.5 + 0.25 * texture(rows, columns, 50 * scale, rng)
    steps = np.linspace(0, 1, 256)[:, None]
    tones = np.rint(np.array(light[::-1]) * steps + np.array(dark[::-1]) * (1 - steps)).astype(np.uint8)[None]
    step = cv2.convertScaleAbs(np.maximum(share, 0), alpha=255)
    return np.asarray(cv2.LUT(cv2.merge((step, step, step)), tones), np.uint8)


def mat_sheet(scale: float, pattern: MatPattern, rng: np.random.Generator) -> tuple[SheetImage, NDArray[np.uint8]]:
    """The mat from above at `scale` px/mm, and its mask: white where the mat is, of `wood` only the tags."""
    colour = MATS[int(rng.integers(len(MATS)))]
    sheet = Sheet(*MAT, scale, colour)
    mask = np.full(sheet.image.shape[:2], 255, np.uint8)
    if pattern == "checked":
        _checks(sheet, colour, rng)
    elif pattern == "printed":
        _motifs(sheet, colour, rng)
    elif pattern == "map":
        _shapes(sheet, colour, rng)
    elif pattern == "picture":
        _picture(sheet, colour, rng)
    elif pattern == "places":
        _places(sheet, colour, rng)
    elif pattern == "wood":
        mask[:] = 0
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    for tag, (x, y) in enumerate(TAG_CENTRES):
        cx, cy, white = x + MAT[0] / 2, MAT[1] / 2 - y, TAG_SIDE / 2 + TAG_QUIET + 1
        sheet.box(cx - white, cy - white, cx + white, cy + white, PAPER)
        rows, columns = (slice(round((c - white) * scale), round((c + white) * scale)) for c in (cy, cx))
        mask[rows, columns] = 255
        side = round(TAG_SIDE * scale)
        marker = cv2.aruco.generateImageMarker(dictionary, tag, 8 * 16)
        marker = cv2.resize(marker, (side, side), interpolation=cv2.INTER_AREA)
        top, left = round(cy * scale - side / 2), round(cx * scale - side / 2)
        sheet.image[top : top + side, left : left + side] = np.clip(marker[..., None], 18, 246)
    grain = texture(sheet.image.shape[0], sheet.image.shape[1], 2.0, rng)[..., None] * 1.8
    return np.clip(sheet.image + grain, 0, 255).astype(np.uint8), mask


def _second(colour: InkColour, rng: np.random.Generator) -> InkColour:
    """Another colour that a cloth of `colour` may have, of any hue, lighter or darker."""
    tint: InkColour = tuple(int(v) for v in rng.integers(20, 236, 3))  # type: ignore[assignment]
    return mix(colour, tint, float(rng.uniform(0.35, 0.9)))


def _checks(sheet: Sheet, colour: InkColour, rng: np.random.Generator) -> None:
    """Stripes along and across, half as strong where only one of them lies, as woven checks are."""
    other, pitch = _second(colour, rng), float(rng.uniform(14, 46))
    wide, turn = float(rng.uniform(0.3, 0.6)), float(rng.choice((0.0, 0.0, rng.uniform(0, math.pi / 2))))
    rows, columns = np.indices(sheet.image.shape[:2], np.float32) / np.float32(sheet.scale)
    c, s = math.cos(turn), math.sin(turn)
    share = np.zeros(sheet.image.shape[:2], np.float32)
    for along in (c * columns + s * rows, c * rows - s * columns):
        share += 0.5 * (np.mod(along, pitch) < wide * pitch)
    soft = cv2.GaussianBlur(share, (0, 0), 0.4 * sheet.scale)[..., None]
    first = np.array(colour[::-1], np.float32)
    sheet.image[:] = np.clip(first + (np.array(other[::-1], np.float32) - first) * soft, 0, 255).astype(np.uint8)


def _shapes(sheet: Sheet, colour: InkColour, rng: np.random.Generator) -> None:
    """Fields, lakes and frames of any size up to two cards', one over the other, as a map or a playmat shows them."""
    inks = [_second(colour, rng) for _ in range(6)]
    for number in range(int(rng.integers(50, 90))):
        x, y = float(rng.uniform(0, sheet.width)), float(rng.uniform(0, sheet.height))
        w, h = (float(side) for side in rng.uniform(12, 90, 2))
        ink = inks[number % len(inks)]
        if number % 3 == 0:
            sheet.ellipse((x, y), w / 2, h / 2, ink, float(rng.uniform(0, math.pi)))
            continue
        sheet.box(x - w / 2, y - h / 2, x + w / 2, y + h / 2, ink)
        if number % 3 == 1:
            sheet.box(x - w / 2 + 4, y - h / 2 + 4, x + w / 2 - 4, y + h / 2 - 4, colour)


def _picture(sheet: Sheet, colour: InkColour, rng: np.random.Generator) -> None:
    """Discs, boxes and lines, each of a colour of its own, one over the other, as a child's carpet shows them."""
    for number in range(int(rng.integers(150, 260))):
        x, y = float(rng.uniform(0, sheet.width)), float(rng.uniform(0, sheet.height))
        ink, size, turn = _second(colour, rng), float(rng.uniform(4, 45)), float(rng.uniform(0, math.pi))
        if number % 3 == 0:
            sheet.ellipse((x, y), size, size * float(rng.uniform(0.4, 1)), ink, turn)
        elif number % 3 == 1:
            sheet.shape(((-1, -1), (1, -1), (1, 1), (-1, 1)), (x, y), size, turn, ink, float(rng.uniform(0.4, 1)))
        else:
            thin = float(rng.uniform(0.02, 0.1))
            sheet.shape(((-1, -thin), (1, -thin), (1, thin), (-1, thin)), (x, y), 4 * size, turn, ink)


def _places(sheet: Sheet, colour: InkColour, rng: np.random.Generator) -> None:
    """A frame, solid or dashed, or a field with a frame, at each place for a first card and around each board."""
    ink = _second(colour, rng)
    line, dash = float(rng.uniform(0.5, 2.0)), float(rng.choice((0.0, 0.0, rng.uniform(3, 8))))
    room, field = float(rng.uniform(1, 3)), mix(colour, ink, 0.25) if rng.random() < 0.4 else None
    for across in BOARD_X:
        x, y = MAT[0] / 2 + across, MAT[1] / 2
        _frame(sheet, (x, y), (BOARD[0] / 2 + 1, BOARD[1] / 2 + 1), line, dash, ink)
        for seat in (-1, 1):
            at = x, y + seat * (BOARD[1] / 2 + FIRST_GAP + CARD[1] / 2)
            half = CARD[0] / 2 + room, CARD[1] / 2 + room
            if field is not None:
                sheet.box(at[0] - half[0], at[1] - half[1], at[0] + half[0], at[1] + half[1], field)
            _frame(sheet, at, half, line, dash, ink)


def _frame(
    sheet: Sheet, at: tuple[float, float], half: tuple[float, float], line: float, dash: float, ink: InkColour
) -> None:
    """Lines around a rectangle, `half` as wide and high, mm; `dash`: how long each dash is, 0 for none."""
    (x, y), (w, h) = at, half
    for sign in (-1, 1):
        for along in _dashes(w, dash):
            sheet.box(x + along[0], y + sign * h - line / 2, x + along[1], y + sign * h + line / 2, ink)
        for along in _dashes(h, dash):
            sheet.box(x + sign * w - line / 2, y + along[0], x + sign * w + line / 2, y + along[1], ink)


def _dashes(half: float, dash: float) -> list[tuple[float, float]]:
    """Where the dashes of a line from -`half` to `half` begin and end."""
    if not dash:
        return [(-half, half)]
    return [(start, min(start + dash, half)) for start in np.arange(-half, half, 2 * dash).tolist()]


def _motifs(sheet: Sheet, colour: InkColour, rng: np.random.Generator) -> None:
    """Flowers, leaves, dots and rings, repeated in a grid with every other row shifted."""
    pitch = float(rng.uniform(18, 55))
    inks = [_second(colour, rng) for _ in range(3)]
    petals, size = int(rng.integers(4, 8)), float(rng.uniform(0.16, 0.3)) * pitch
    kind = ("flower", "dot", "ring", "leaf")[int(rng.integers(4))]
    for row in range(math.ceil(sheet.height / pitch) + 1):
        for column in range(math.ceil(sheet.width / pitch) + 1):
            x, y = (column + row % 2 / 2) * pitch, row * pitch
            if kind == "flower":
                for petal in range(petals):
                    a = 2 * math.pi * petal / petals
                    at = x + 0.7 * size * math.cos(a), y + 0.7 * size * math.sin(a)
                    sheet.ellipse(at, 0.55 * size, 0.3 * size, inks[0], a)
                sheet.disc((x, y), 0.35 * size, inks[1])
            elif kind == "leaf":
                sheet.ellipse((x, y), size, 0.35 * size, inks[0], 0.7 if (row + column) % 2 else -0.7)
                sheet.disc((x + pitch / 2, y), 0.2 * size, inks[1])
            else:
                sheet.disc((x, y), size, inks[0])
                if kind == "ring":
                    sheet.disc((x, y), 0.7 * size, colour)
                    sheet.disc((x, y), 0.3 * size, inks[2])
