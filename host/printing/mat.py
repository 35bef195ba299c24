"""The mat: four corner tags, places for boards and cards, lane marks, rulers; on one sheet or on several.

Shapes of the mat are in the table frame (vision.geometry.table): millimetres, origin at the middle board's centre.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from engine.failure import BadInput
from host.printing.page import Disc, Page, Rectangle, Shape, Stroke, Text, Window
from host.printing.paper import Sheets, Spans, spans
from host.printing.words import words
from vision.geometry.bars import LANE_MARK, console
from vision.geometry.table import BOARD, BOARD_X, CARD, FIRST_GAP, MAT, STRIP, TAG_CENTRES, TAG_QUIET, TAG_SIDE

STACK: Final = CARD[1] + 4 * STRIP
"""How far the guide of a stack reaches: five cards, each header in sight, mm."""
RULER: Final = 100.0
LETTERS: Final = 4.2
"""Size of the mat's letters, mm."""


@dataclass(frozen=True, slots=True)
class MatColours:
    """The mat's colours; `paper` is None where the paper's own white is left."""

    paper: str | None
    line: str
    ink: str


GROUNDS: Final[dict[str, MatColours]] = {
    "light": MatColours("#d9d5c8", "#b3ad9b", "#3b3a36"),
    "white": MatColours(None, "#b9b9b4", "#3b3a36"),
    "dark": MatColours("#3d4441", "#5f6965", "#c9d0cc"),
}


def ground(name: str) -> MatColours:
    """Colours by name; raises `BadInput` (`unknown-ground`)."""
    if name not in GROUNDS:
        raise BadInput("unknown-ground", f"{name!r} is not a ground for the mat.", f"One of {', '.join(GROUNDS)}.")
    return GROUNDS[name]


def tag(number: int, x: float, y: float) -> list[Shape]:
    """Corner tag `number` upright around (x, y), with its white zone.

    AprilTag 36h11 (Olson, ICRA 2011), as OpenCV holds it.
    """
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    cells = family.markerSize + 2
    bits = np.asarray(family.generateImageMarker(number, cells)) > 127
    cell, half, white = TAG_SIDE / cells, TAG_SIDE / 2, TAG_SIDE + 2 * TAG_QUIET
    shapes: list[Shape] = [
        Rectangle(x - half - TAG_QUIET, y - half - TAG_QUIET, white, white, fill="#ffffff"),
        Rectangle(x - half, y - half, TAG_SIDE, TAG_SIDE, fill="#000000"),
    ]
    # Runs both ways: single cells would show hairlines between them in viewers and on some printers.
    for k in range(cells):
        for start, end in _runs(bits[k]):
            left, low = x - half + start * cell, y + half - (k + 1) * cell
            shapes.append(Rectangle(left, low, (end - start) * cell, cell, fill="#ffffff"))
        for start, end in _runs(bits[:, k]):
            left, low = x - half + k * cell, y + half - end * cell
            shapes.append(Rectangle(left, low, cell, (end - start) * cell, fill="#ffffff"))
    return shapes


def _runs(bits: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> list[tuple[int, int]]:
    """Where ones stand together: start and end (exclusive) of each run."""
    steps = np.flatnonzero(np.diff(np.concatenate(([0], bits.astype(np.int8), [0]))))
    return [(int(a), int(b)) for a, b in zip(steps[::2], steps[1::2], strict=True)]


def ruler(x: float, y: float, upright: bool, colour: str, label: str) -> list[Shape]:
    """A ruler of 100 mm with a mark every 10, beginning at (x, y)."""

    def line(a: float, b: float, c: float, d: float, thick: float) -> Stroke:
        return (
            Stroke(x + b, y + a, x + d, y + c, colour, thick)
            if upright
            else Stroke(x + a, y + b, x + c, y + d, colour, thick)
        )

    shapes: list[Shape] = [line(0, 0, RULER, 0, 0.3)]
    shapes += [line(10.0 * k, 0, 10.0 * k, 3.0 if k % 5 == 0 else 1.8, 0.3) for k in range(11)]
    middle = (x + 5.2, y + RULER / 2) if upright else (x + RULER / 2, y + 4.2)
    shapes.append(Text(*middle, 3.0, label, colour, turn=-90 if upright else 0))
    return shapes


def mat_shapes(colours: MatColours, language: str) -> tuple[Shape, ...]:
    """Everything on the mat, in the table frame."""
    wide, long = MAT
    shapes: list[Shape] = []
    if colours.paper:
        shapes.append(Rectangle(-wide / 2, -long / 2, wide, long, fill=colours.paper))
    start = BOARD[1] / 2 + FIRST_GAP
    for lane, x in enumerate(BOARD_X):
        # The outermost columns reach under the tags' rows, so their guides stop short of them.
        length = min(STACK, TAG_CENTRES[0][1] - TAG_SIDE / 2 - TAG_QUIET - 4.0 - start) if x else STACK
        for out in (1, -1):
            low = start if out > 0 else -start - length
            shapes.append(Rectangle(x - CARD[0] / 2, low, CARD[0], length, stroke=colours.line))
            for dot in range(lane + 1):
                away = LANE_MARK.aside - dot * LANE_MARK.pitch
                shapes.append(Disc(x - out * away, out * LANE_MARK.out, LANE_MARK.diameter, fill=colours.line))
        shapes.append(Rectangle(x - BOARD[0] / 2, -BOARD[1] / 2, *BOARD, stroke=colours.line))
    for number, (x, y) in enumerate(TAG_CENTRES):
        shapes += tag(number, x, y)
    for side in (-1, 1):
        shapes += ruler(-203.0, side * 110.0 - RULER / 2, True, colours.line, words(language, "ruler"))
        shapes += ruler(-RULER / 2, side * 262.0, False, colours.line, words(language, "ruler"))
    shapes += _console_mark(colours, language)
    shapes += [
        Text(0, 279, LETTERS, words(language, "far-seat"), colours.ink, turn=180),
        Text(0, -279, LETTERS, f"ALL FRONTS · {words(language, 'near-seat')}", colours.ink),
        Text(0, -284, 3.0, f"{words(language, 'at-100')} {words(language, 'diagonal')}", colours.ink),
    ]
    return tuple(shapes)


def _console_mark(colours: MatColours, language: str) -> list[Shape]:
    """Where the console's tongue lies against the edge, and the boards' middle line."""
    edge, half = MAT[0] / 2, LANE_MARK.tongue / 2
    shapes: list[Shape] = [Stroke(edge - 12, 0, edge, 0, colours.line, 0.6)]
    shapes += [Stroke(edge - 6, y, edge, y, colours.line, 0.4) for y in (-half, half)]
    middle = console().far - 4
    shapes.append(Text(edge - 4.5, middle, 3.0, f"{words(language, 'bars')} →", colours.line, align="right", turn=90))
    return shapes


def mat_pages(sheets: Sheets, ground_name: str = "light", language: str = "en") -> list[Page]:
    """The mat on one page or several, each with cut marks where it is larger than the mat or joined to another."""
    colours = ground(ground_name)
    shapes = mat_shapes(colours, language)
    need = (TAG_CENTRES[1][0] + TAG_SIDE / 2 + 0.6) * 2, (TAG_CENTRES[0][1] + TAG_SIDE / 2 + 0.6) * 2
    across = spans(sheets.across, sheets.paper[0], sheets.margin, need[0], MAT[0] + 24)
    along = spans(sheets.along, sheets.paper[1], sheets.margin, need[1], MAT[1] + 24)
    pages = []
    for row in range(sheets.along):
        # The first sheet is the far left one; spans rise from near to far.
        k = sheets.along - 1 - row
        pages += [_page(sheets, across, along, column, k, shapes, language) for column in range(sheets.across)]
    return pages


def _page(
    sheets: Sheets, across: Spans, along: Spans, column: int, row: int, shapes: tuple[Shape, ...], language: str
) -> Page:
    wide, tall = sheets.paper
    (left, right), (low, high) = across.printed[column], along.printed[row]
    dx, dy = wide / 2 - (left + right) / 2, tall / 2 - (low + high) / 2
    window = Window(left + dx, low + dy, right - left, high - low, dx, dy, shapes)
    marks = _cut_marks(sheets, across, along, column, row)
    marks = [Window(left + dx, low + dy, right - left, high - low, dx, dy, tuple(marks))]
    if sheets.count > 1:
        number = (sheets.along - 1 - row) * sheets.across + column + 1
        place = words(language, "row", row=sheets.along - row, column=column + 1)
        label = words(language, "sheet", n=number, count=sheets.count, place=place)
        marks += _legend(label, words(language, "cut"), words(language, "ruler"), (left, right, low, high), (dx, dy))
    return Page(wide, tall, (window, *marks))


def _cut_marks(sheets: Sheets, across: Spans, along: Spans, column: int, row: int) -> list[Shape]:
    """Ticks at the mat's edges and at the seams, in the table frame: cut from one tick to its fellow."""
    (left, right), (low, high) = across.printed[column], along.printed[row]
    uprights = [*across.seams, -MAT[0] / 2, MAT[0] / 2]
    levels = [*along.seams, -MAT[1] / 2, MAT[1] / 2]
    shapes: list[Shape] = []
    edge_x = max(left, -MAT[0] / 2), min(right, MAT[0] / 2)
    edge_y = max(low, -MAT[1] / 2), min(high, MAT[1] / 2)
    for x in uprights:
        if left <= x <= right:
            shapes += [Stroke(x, y - 5, x, y + 5) for y in edge_y]
    for y in levels:
        if low <= y <= high:
            shapes += [Stroke(x - 5, y, x + 5, y) for x in edge_x]
    return shapes if sheets.count > 1 or right > MAT[0] / 2 + 1 else []


def _legend(
    label: str, cut: str, hundred: str, printed: tuple[float, float, float, float], shift: tuple[float, float]
) -> list[Shape]:
    """The sheet's number; beside the mat where there is room, with a ruler, else small on its rim."""
    left, right, low, high = printed
    dx, dy = shift
    if left < -MAT[0] / 2 - 30:
        x = (left - MAT[0] / 2) / 2 + dx
    elif right > MAT[0] / 2 + 30:
        x = (right + MAT[0] / 2) / 2 + dx
    else:
        return [Text(left + dx + 1.8, low + dy + 60, 2.2, f"{label}. {cut}", "#777777", align="left", turn=90)]
    middle = (low + high) / 2 + dy
    shapes: list[Shape] = [
        Text(x - 8, middle, 4.0, label, turn=90),
        Text(x - 2, middle, 3.2, cut, turn=90),
        *ruler(x + 6, middle - RULER / 2, True, "#000000", hundred),
    ]
    return shapes
