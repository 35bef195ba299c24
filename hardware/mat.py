"""Draws what has to be printed: the A2 mat and, for those who have a cloth already, an A4 sheet of its four tags.

    python hardware/mat.py            writes hardware/print/*.svg and *.pdf anew

Everything is a list of shapes in millimetres, so that the SVG, the PDF and the test that looks for the tags all come
from the same numbers. Origin at the lower left of the sheet, +y up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PRINT: Final = Path(__file__).resolve().parent / "print"

# AprilTag 36h11 (Wang and Olson 2016), ids 0 to 3, rows from the top, 1 = white; the outer ring is the black border.
TAGS: Final[tuple[tuple[str, ...], ...]] = (
    ("00000000", "00010000", "00110100", "00001010", "00001100", "01011100", "01010110", "00000000"),
    ("00000000", "01001000", "01011010", "00001100", "00011110", "01110100", "00110110", "00000000"),
    ("00000000", "00111000", "00010000", "01001000", "00000010", "00100100", "01110110", "00000000"),
    ("00000000", "00001100", "00100110", "01001010", "01110010", "01110000", "01001110", "00000000"),
)
TAG: Final = 30.0
QUIET: Final = 3.75
TAG_CENTRES: Final = ((-185.0, 272.0), (185.0, 272.0), (185.0, -272.0), (-185.0, -272.0))
CORNERS: Final = ("far left", "far right", "near right", "near left")

A2: Final = (420.0, 594.0)
A4: Final = (210.0, 297.0)
BOARD: Final = (127.4, 87.8)
BOARD_X: Final = (-130.5, 0.0, 130.5)
CARD_WIDTH: Final = 63.5
STACK: Final = 88.0 + 4 * 23.0
FIRST_GAP: Final = 6.0

GROUND: Final = "#d9d5c8"
LINE: Final = "#b3ad9b"
INK: Final = "#3b3a36"
WHITE: Final = "#ffffff"
BLACK: Final = "#000000"


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle in mm: lower left corner, size, fill or outline colour."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None = None
    stroke: str | None = None


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text in mm: centre of its base line, height of a capital's line, quarter turns to the left."""

    x: float
    y: float
    size: float
    text: str


@dataclass(frozen=True, slots=True)
class Sheet:
    width: float
    height: float
    shapes: tuple[Rect | Words, ...]


def runs(bits: str) -> list[tuple[int, int]]:
    """Where the ones stand together: start and end (exclusive) of each run."""
    return [match.span() for match in re.finditer("1+", bits)]


def tag(number: int, x: float, y: float) -> list[Rect]:
    """Tag `number` upright around the centre (x, y), with its white quiet zone."""
    cell = TAG / 8
    half = TAG / 2
    shapes = [
        Rect(x - half - QUIET, y - half - QUIET, TAG + 2 * QUIET, TAG + 2 * QUIET, fill=WHITE),
        Rect(x - half, y - half, TAG, TAG, fill=BLACK),
    ]
    bits = TAGS[number]
    # Runs in both directions: single cells would show hairlines between them in viewers and some printers.
    for line in range(8):
        for start, end in runs(bits[line]):
            shapes.append(
                Rect(x - half + start * cell, y + half - (line + 1) * cell, (end - start) * cell, cell, WHITE)
            )
        for start, end in runs("".join(row[line] for row in bits)):
            shapes.append(Rect(x - half + line * cell, y + half - end * cell, cell, (end - start) * cell, WHITE))
    return shapes


def mat() -> Sheet:
    """The A2 mat, upright as the near seat sees it: four tags, places for the boards, light lines for the stacks."""
    width, height = A2
    cx, cy = width / 2, height / 2
    shapes: list[Rect | Words] = [Rect(0, 0, width, height, fill=GROUND)]
    for x in BOARD_X:
        left = cx + x
        for sign in (1, -1):
            # The outermost columns reach under the tags' rows, so the guide stops short of them.
            start = BOARD[1] / 2 + FIRST_GAP
            length = min(STACK, 272.0 - TAG / 2 - QUIET - 4.0 - start) if x else STACK
            y = cy + start if sign > 0 else cy - start - length
            shapes.append(Rect(left - CARD_WIDTH / 2, y, CARD_WIDTH, length, stroke=LINE))
        shapes.append(Rect(left - BOARD[0] / 2, cy - BOARD[1] / 2, *BOARD, stroke=LINE))
    for number, (x, y) in enumerate(TAG_CENTRES):
        shapes += tag(number, cx + x, cy + y)
    shapes.append(Words(cx, 8, 5, "ALL FRONTS · near seat · print at 100 % · the tags' black squares measure 30 mm"))
    return Sheet(width, height, tuple(shapes))


def tags() -> Sheet:
    """An A4 sheet with the four tags to cut out, and a ruler that shows whether the printer kept the scale."""
    width, height = A4
    shapes: list[Rect | Words] = [Rect(0, 0, width, height, fill=WHITE)]
    for number, corner in enumerate(CORNERS):
        x, y = 60.0 + 90.0 * (number % 2), 235.0 - 75.0 * (number // 2)
        shapes += tag(number, x, y)
        outline = TAG + 4 * QUIET
        shapes.append(Rect(x - outline / 2, y - outline / 2, outline, outline, stroke=LINE))
        shapes.append(Words(x, y - outline / 2 - 7, 4.5, f"tag {number}: {corner}, this way up"))
    shapes.append(Rect(55, 92, 100, 4, fill=BLACK))
    shapes.append(
        Words(width / 2, 82, 4.5, "This bar is 100 mm long. If not: print again at 100 %, no fitting to the page.")
    )
    shapes.append(
        Words(width / 2, 68, 4.5, "Centres of the tags: 370 mm apart from left to right, 544 mm from near to far.")
    )
    shapes.append(Words(width / 2, 60, 4.5, "All four stand upright for the same player: that seat is near."))
    return Sheet(width, height, tuple(shapes))


def svg(sheet: Sheet) -> str:
    """The sheet as SVG at its true size."""
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{sheet.width:g}mm" height="{sheet.height:g}mm" '
        f'viewBox="0 0 {sheet.width:g} {sheet.height:g}" shape-rendering="geometricPrecision">'
    ]
    for shape in sheet.shapes:
        if isinstance(shape, Words):
            out.append(
                f'<text x="{shape.x:g}" y="{sheet.height - shape.y:g}" font-size="{shape.size:g}" fill="{INK}" '
                f'font-family="sans-serif" text-anchor="middle">{shape.text}</text>'
            )
            continue
        paint = f'fill="{shape.fill}"' if shape.fill else f'fill="none" stroke="{shape.stroke}" stroke-width="0.4"'
        top = sheet.height - shape.y - shape.height
        out.append(f'<rect x="{shape.x:g}" y="{top:g}" width="{shape.width:g}" height="{shape.height:g}" {paint}/>')
    return "\n".join([*out, "</svg>", ""])


def pdf(sheet: Sheet) -> bytes:
    """The sheet as PDF at its true size; the same bytes each time."""
    import io

    from reportlab.lib.colors import HexColor
    from reportlab.lib.units import mm
    from reportlab.pdfgen.canvas import Canvas

    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(sheet.width * mm, sheet.height * mm), invariant=1, pageCompression=0)
    canvas.setTitle("All Fronts")
    for shape in sheet.shapes:
        if isinstance(shape, Words):
            canvas.setFillColor(HexColor(INK))
            canvas.setFont("Helvetica", shape.size * mm)
            canvas.drawCentredString(shape.x * mm, shape.y * mm, shape.text)
            continue
        if shape.fill:
            canvas.setFillColor(HexColor(shape.fill))
        else:
            canvas.setStrokeColor(HexColor(shape.stroke or LINE))
            canvas.setLineWidth(0.4 * mm)
        canvas.rect(
            shape.x * mm,
            shape.y * mm,
            shape.width * mm,
            shape.height * mm,
            stroke=0 if shape.fill else 1,
            fill=1 if shape.fill else 0,
        )
    canvas.save()
    return file.getvalue()


def main() -> None:
    PRINT.mkdir(exist_ok=True)
    for name, sheet in (("mat-a2", mat()), ("tags-a4", tags())):
        (PRINT / f"{name}.svg").write_text(svg(sheet), encoding="utf-8")
        (PRINT / f"{name}.pdf").write_bytes(pdf(sheet))


if __name__ == "__main__":
    main()
