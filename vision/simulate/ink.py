"""Drawing in millimetres: a sheet of paper whose shapes are polygons, discs, lines and words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

SheetImage: TypeAlias = NDArray[np.uint8]
"""Rows × columns × 3, blue green red."""
InkColour: TypeAlias = tuple[int, int, int]
"""Red, green, blue: the order people write colours in; the sheet turns it for OpenCV."""
SheetPoint: TypeAlias = tuple[float, float]

_SHIFT: Final = 4
_BOLD: Final = cv2.FontFace("sans")
_PLAIN: Final = cv2.FontFace("uni")


def mix(a: InkColour, b: InkColour, share: float) -> InkColour:
    """Colour between `a` (share 0) and `b` (share 1)."""
    return (
        round(a[0] + (b[0] - a[0]) * share),
        round(a[1] + (b[1] - a[1]) * share),
        round(a[2] + (b[2] - a[2]) * share),
    )


class Sheet:
    """A sheet of `width` × `height` mm at `scale` px/mm, x to the right and y down, origin top left."""

    def __init__(self, width: float, height: float, scale: float, colour: InkColour) -> None:
        self.width, self.height, self.scale = width, height, scale
        self.image: SheetImage = np.empty((round(height * scale), round(width * scale), 3), np.uint8)
        self.image[:] = colour[::-1]

    def _fixed(self, points: Iterable[SheetPoint]) -> NDArray[np.int32]:
        factor = self.scale * (1 << _SHIFT)
        return np.array([(round(x * factor), round(y * factor)) for x, y in points], np.int32)

    def polygon(self, points: Sequence[SheetPoint], colour: InkColour) -> None:
        cv2.fillPoly(self.image, [self._fixed(points)], colour[::-1], cv2.LINE_AA, _SHIFT)

    def disc(self, centre: SheetPoint, radius: float, colour: InkColour) -> None:
        self.ellipse(centre, radius, radius, colour)

    def ellipse(self, centre: SheetPoint, rx: float, ry: float, colour: InkColour, turn: float = 0.0) -> None:
        steps = np.linspace(0, 2 * math.pi, 40, endpoint=False)
        c, s = math.cos(turn), math.sin(turn)
        self.polygon(
            [
                (
                    centre[0] + rx * math.cos(a) * c - ry * math.sin(a) * s,
                    centre[1] + rx * math.cos(a) * s + ry * math.sin(a) * c,
                )
                for a in steps
            ],
            colour,
        )

    def line(self, points: Sequence[SheetPoint], width: float, colour: InkColour) -> None:
        cv2.polylines(
            self.image,
            [self._fixed(points)],
            False,
            colour[::-1],
            max(1, round(width * self.scale)),
            cv2.LINE_AA,
            _SHIFT,
        )

    def box(self, left: float, top: float, right: float, bottom: float, colour: InkColour) -> None:
        s = self.scale
        self.image[round(top * s) : round(bottom * s), round(left * s) : round(right * s)] = colour[::-1]

    def gradient(
        self, left: float, top: float, right: float, bottom: float, upper: InkColour, lower: InkColour
    ) -> None:
        s = self.scale
        part = self.image[round(top * s) : round(bottom * s), round(left * s) : round(right * s)]
        share = np.linspace(0, 1, part.shape[0])[:, None, None]
        part[:] = np.array(upper[::-1]) * (1 - share) + np.array(lower[::-1]) * share

    def word(
        self, text: str, at: SheetPoint, height: float, colour: InkColour, weight: int = 800, align: str = "left"
    ) -> float:
        """Writes `text` with its baseline's start (or end, middle) at `at`; `height` is of a capital, mm. Returns
        the width, mm."""
        size = round(height * self.scale / 0.71)
        font = _PLAIN if weight < 500 else _BOLD
        (left, _top, width, _height) = cv2.getTextSize((1, 1), text, (0, 0), font, size, weight)
        x = at[0] * self.scale - left
        if align == "right":
            x -= width
        elif align == "middle":
            x -= width / 2
        cv2.putText(self.image, text, (round(x), round(at[1] * self.scale)), colour[::-1], font, size, weight)
        return float(width) / self.scale

    def shape(
        self,
        outline: Sequence[SheetPoint],
        centre: SheetPoint,
        size: float,
        turn: float,
        colour: InkColour,
        wide: float = 1.0,
    ) -> None:
        """A shape given in its own unit square, turned by `turn` radians, `size` mm a unit."""
        c, s = math.cos(turn), math.sin(turn)
        self.polygon(
            [
                (
                    centre[0] + size * (x * wide * c - y * s),
                    centre[1] + size * (x * wide * s + y * c),
                )
                for x, y in outline
            ],
            colour,
        )


def texture(rows: int, columns: int, grain: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """Smooth random field with mean 0 and standard deviation 1; `grain` is the size of its blots in px."""
    small = rng.standard_normal((max(2, math.ceil(rows / grain) + 2), max(2, math.ceil(columns / grain) + 2)))
    field = cv2.resize(small.astype(np.float32), (columns, rows), interpolation=cv2.INTER_CUBIC)
    return np.asarray((field - field.mean()) / (field.std() + 1e-6), np.float32)
