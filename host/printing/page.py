"""Pages of shapes in millimetres, and their PDF. Origin at the lower left of the page, +y up."""

from __future__ import annotations

import functools
import io
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final, Literal, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Raster: TypeAlias = NDArray[np.uint8]
"""Rows × columns × 3, blue green red."""
Align: TypeAlias = Literal["left", "middle", "right"]

PLAIN: Final = "DejaVuSansCondensed"
BOLD: Final = "DejaVuSansCondensed-Bold"
JPEG: Final = 90


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle from its lower left corner; filled, outlined or both. Colours are `#rrggbb`."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None = None
    stroke: str | None = None
    line: float = 0.4


@dataclass(frozen=True, slots=True)
class Disc:
    x: float
    y: float
    diameter: float
    fill: str | None = None
    stroke: str | None = None
    line: float = 0.4


@dataclass(frozen=True, slots=True)
class Stroke:
    x0: float
    y0: float
    x1: float
    y1: float
    colour: str = "#000000"
    line: float = 0.25


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text by its base line; `size` is the font's size in mm; `turn` in degrees anticlockwise."""

    x: float
    y: float
    size: float
    text: str
    colour: str = "#000000"
    align: Align = "middle"
    bold: bool = False
    turn: float = 0.0


@dataclass(frozen=True, eq=False)
class Art:
    """A picture stretched over a rectangle; upside down where `turned`."""

    x: float
    y: float
    width: float
    height: float
    image: Raster
    turned: bool = False


@dataclass(frozen=True, eq=False)
class Window:
    """Shapes shifted by (dx, dy), of which only what lies in the rectangle is printed."""

    x: float
    y: float
    width: float
    height: float
    dx: float
    dy: float
    shapes: tuple[Shape, ...]


Shape: TypeAlias = Rectangle | Disc | Stroke | Text | Art | Window


@dataclass(frozen=True, eq=False)
class Page:
    """A page of paper and what is on it."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


@functools.cache
def _fonts() -> None:
    """Makes the two fonts known to reportlab; letters that a page uses are embedded."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    for name in (PLAIN, BOLD):
        data = resources.files(__package__).joinpath("fonts", f"{name}.ttf").read_bytes()
        pdfmetrics.registerFont(TTFont(name, io.BytesIO(data)))


def width_of(text: str, size: float, bold: bool = False) -> float:
    """How wide a line of text is, mm."""
    from reportlab.pdfbase import pdfmetrics

    _fonts()
    return float(pdfmetrics.stringWidth(text, BOLD if bold else PLAIN, size))


def wrapped(text: str, size: float, width: float, bold: bool = False) -> list[str]:
    """The text in lines no wider than `width` mm; a word that is wider stands alone."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size, bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def fitted(
    text: str, width: float, height: float, largest: float, smallest: float, leading: float = 1.14, bold: bool = False
) -> tuple[float, list[str]]:
    """The largest font size (mm) at which the text fits a field, and its lines; raises `ValueError` if none does."""
    steps = round((largest - smallest) / 0.05)
    for size in (largest - 0.05 * k for k in range(steps + 1)):
        lines = wrapped(text, size, width, bold)
        fits = len(lines) * leading * size <= height + 1e-9
        if fits and all(width_of(line, size, bold) <= width for line in lines):
            return size, lines
    raise ValueError(f"{text!r} does not fit {width:g} × {height:g} mm at {smallest:g} mm")


def pdf(pages: Sequence[Page], title: str) -> bytes:
    """The pages as one PDF; the same bytes each time."""
    from reportlab.lib.units import mm
    from reportlab.pdfgen.canvas import Canvas

    _fonts()
    file = io.BytesIO()
    # The first font is ours too: reportlab would else name one that is not embedded.
    options: dict[str, Any] = {"invariant": 1, "pageCompression": 1, "initialFontName": PLAIN}
    canvas = Canvas(file, **options)
    canvas.setTitle(title)
    canvas.setAuthor("All Fronts")
    pictures: dict[int, Any] = {}
    for page in pages:
        canvas.setPageSize((page.width * mm, page.height * mm))
        canvas.scale(mm, mm)
        _draw(canvas, page.shapes, pictures)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def _draw(canvas: Any, shapes: Sequence[Shape], pictures: dict[int, Any]) -> None:
    for shape in shapes:
        match shape:
            case Rectangle():
                _pens(canvas, shape.fill, shape.stroke, shape.line)
                canvas.rect(
                    shape.x, shape.y, shape.width, shape.height, stroke=bool(shape.stroke), fill=bool(shape.fill)
                )
            case Disc():
                _pens(canvas, shape.fill, shape.stroke, shape.line)
                canvas.circle(shape.x, shape.y, shape.diameter / 2, stroke=bool(shape.stroke), fill=bool(shape.fill))
            case Stroke():
                _pens(canvas, None, shape.colour, shape.line)
                canvas.line(shape.x0, shape.y0, shape.x1, shape.y1)
            case Text():
                _write(canvas, shape)
            case Art():
                canvas.saveState()
                canvas.translate(shape.x + shape.width / 2, shape.y + shape.height / 2)
                canvas.rotate(180 if shape.turned else 0)
                canvas.drawImage(
                    _picture(shape.image, pictures), -shape.width / 2, -shape.height / 2, shape.width, shape.height
                )
                canvas.restoreState()
            case Window():
                canvas.saveState()
                path = canvas.beginPath()
                path.rect(shape.x, shape.y, shape.width, shape.height)
                canvas.clipPath(path, stroke=0, fill=0)
                canvas.translate(shape.dx, shape.dy)
                _draw(canvas, shape.shapes, pictures)
                canvas.restoreState()


def _pens(canvas: Any, fill: str | None, stroke: str | None, line: float) -> None:
    from reportlab.lib.colors import HexColor

    if fill:
        canvas.setFillColor(HexColor(fill))
    if stroke:
        canvas.setStrokeColor(HexColor(stroke))
        canvas.setLineWidth(line)


def _write(canvas: Any, text: Text) -> None:
    from reportlab.lib.colors import HexColor

    canvas.saveState()
    canvas.setFillColor(HexColor(text.colour))
    canvas.setFont(BOLD if text.bold else PLAIN, text.size)
    canvas.translate(text.x, text.y)
    canvas.rotate(text.turn)
    draw = {"left": canvas.drawString, "middle": canvas.drawCentredString, "right": canvas.drawRightString}
    draw[text.align](0, 0, text.text)
    canvas.restoreState()


def _picture(image: Raster, pictures: dict[int, Any]) -> Any:
    """The picture as JPEG, packed once however often it is printed."""
    from reportlab.lib.utils import ImageReader

    if id(image) not in pictures:
        packed = cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, JPEG))[1].tobytes()
        pictures[id(image)] = ImageReader(io.BytesIO(packed))
    return pictures[id(image)]
