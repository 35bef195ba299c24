"""The console with the bars of lights as the camera sees it: beside the mat, shining, with a halo on the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.bars import HEIGHT, LIGHT_PITCH, LIGHTS, BarOutline, BarSide, bars, console, light_centres
from vision.simulate.ink import InkColour, SheetImage
from vision.simulate.optics import Optics

DARK: Final[tuple[InkColour, ...]] = ((0, 0, 0),) * (3 * LIGHTS)
"""All 27 lights out."""
BODY: Final[InkColour] = (46, 48, 52)
WINDOW: Final[InkColour] = (150, 150, 146)
"""A diffuser without light behind it."""
HALO: Final = 14.0
"""How far light spreads over console and table, mm (standard deviation)."""
HALO_SHARE: Final = 0.8
"""Of a light's own brightness, what the halo's middle has where many lights join."""


class LightBars:
    """Draws the console into pictures of one camera."""

    def __init__(self, optics: Optics, side: BarSide = "right") -> None:
        self._body = cv2.convexHull(
            np.concatenate((_seen(optics, console(side), 0.0), _seen(optics, console(side), HEIGHT)))
        )
        self._bars = [_seen(optics, bar, HEIGHT) for bar in bars(side)]
        half = (bars(side)[0].right - bars(side)[0].left) / 2 - 0.9, LIGHT_PITCH / 2 - 0.6
        self._windows = [
            _seen(optics, BarOutline(x - half[0], y - half[1], x + half[0], y + half[1]), HEIGHT)
            for bar in bars(side)
            for x, y in light_centres(bar)
        ]
        self._spread = HALO * optics.scale()

    def draw(self, picture: SheetImage, colours: Sequence[InkColour]) -> None:
        """Draws console and lights; `colours` are the 27 lights, left bar first, each from near to far."""
        cv2.fillConvexPoly(picture, self._body, BODY[::-1], cv2.LINE_AA)
        for bar in self._bars:
            cv2.fillConvexPoly(picture, bar, WINDOW[::-1], cv2.LINE_AA)
        reach = round(3 * self._spread)
        x, y, wide, tall = cv2.boundingRect(self._body)
        x0, y0 = max(0, x - reach), max(0, y - reach)
        x1, y1 = min(picture.shape[1], x + wide + reach), min(picture.shape[0], y + tall + reach)
        if x0 >= x1 or y0 >= y1 or not any(map(any, colours)):
            return
        glow = np.zeros((y1 - y0, x1 - x0, 3), np.uint8)
        shift = np.array((x0, y0), np.int32)
        for window, colour in zip(self._windows, colours, strict=True):
            cv2.fillConvexPoly(glow, window - shift, colour[::-1], cv2.LINE_AA)
        # The halo is soft, so an eighth of the pixels draws it as well.
        small = cv2.resize(glow, None, fx=1 / 8, fy=1 / 8, interpolation=cv2.INTER_AREA)
        halo = cv2.resize(cv2.GaussianBlur(small, (0, 0), max(0.5, self._spread / 8)), (x1 - x0, y1 - y0))
        part = picture[y0:y1, x0:x1]
        part[:] = cv2.add(part, cv2.addWeighted(glow, 1.0, halo, HALO_SHARE, 0))


def _seen(optics: Optics, outline: BarOutline, high: float) -> NDArray[np.int32]:
    """The corners of an outline `high` mm over the table, in the picture."""
    corners = np.array([(x, y, high) for x, y in outline.corners])
    return np.round(optics.project(corners)).astype(np.int32)
