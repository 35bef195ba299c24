"""A player's hand: a forearm with a sleeve, a palm and fingers, drawn once and then carried through the picture."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulate.ink import InkColour, Sheet, SheetImage, mix
from vision.simulate.optics import Light, Optics

SKINS: Final[tuple[InkColour, ...]] = ((232, 190, 164), (204, 152, 118), (150, 100, 70), (98, 64, 46))
SLEEVES: Final[tuple[InkColour, ...]] = ((52, 66, 96), (122, 44, 48), (70, 72, 70), (200, 196, 186))

_SCALE: Final = 1.5
_WIDTH, _LENGTH = 130.0, 520.0
_TIP: Final = (62.0, 34.0)
"""Where the finger tips are on the sprite, mm from its top left corner."""


@dataclass(frozen=True, slots=True)
class Sprite:
    """A picture with its cover: `ink` is already multiplied by `cover` (both rows × columns × 3)."""

    ink: SheetImage
    cover: SheetImage
    shade: SheetImage
    """What its shadow takes away, white where darkest."""


def draw_arm(rng: np.random.Generator) -> Sprite:
    """A right hand seen from above, fingers up. The arm runs down off the sprite."""
    skin = SKINS[int(rng.integers(len(SKINS)))]
    cloth = SLEEVES[int(rng.integers(len(SLEEVES)))]
    x, y = _TIP
    pad = 10.0
    paint = Sheet(_WIDTH, _LENGTH, _SCALE, skin)
    cover = Sheet(_WIDTH, _LENGTH, _SCALE, (0, 0, 0))
    white: InkColour = (255, 255, 255)
    fingers = (
        ((x + 20, y + 16), (x + 24, y + 56), 7.5),
        ((x + 9, y + 6), (x + 11, y + 56), 8.0),
        ((x - 3, y + 3), (x - 2, y + 56), 8.2),
        ((x - 14, y + 9), (x - 12, y + 58), 7.8),
        ((x - 30, y + 42), (x - 12, y + 78), 9.0),
    )
    palm = [
        (x - 18, y + 48),
        (x + 30, y + 46),
        (x + 30, y + 88),
        (x + 20, y + 120),
        (x - 12, y + 120),
        (x - 22, y + 84),
    ]
    wrist = [(x - 12, y + 112), (x + 20, y + 112), (x + 32, _LENGTH), (x - 24, _LENGTH)]
    sleeve = [(x - 22, y + 210), (x + 28, y + 210), (x + 42, _LENGTH), (x - 36, _LENGTH)]
    for tip, root, r in fingers:
        for sheet, colour in ((cover, white), (paint, skin)):
            sheet.disc(tip, r, colour)
            sheet.line([tip, root], 2 * r, colour)
    for outline in (palm, wrist, sleeve):
        cover.polygon(outline, white)
    rounded = cv2.GaussianBlur(cover.image[..., 0], (0, 0), 2.2 * _SCALE)
    mask = cv2.threshold(rounded, 120, 255, cv2.THRESH_BINARY)[1]
    paint.polygon(sleeve, cloth)
    for k in range(5):
        fold = y + 240 + 48 * k
        paint.line([(x - 26 - k, fold), (x + 10, fold + 9), (x + 34, fold - 4)], 2.0, mix(cloth, (0, 0, 0), 0.22))
    for tip, _root, r in fingers[:4]:
        paint.ellipse((tip[0], tip[1] - r * 0.35), r * 0.5, r * 0.55, mix(skin, (255, 236, 228), 0.5))
    for tip, root, _r in fingers[:3]:
        side = (tip[0] - 6.6, tip[1] + 16), (root[0] - 6.4, root[1])
        paint.line(side, 1.2, mix(skin, (70, 30, 20), 0.42))
    # Round it off: the nearer to the outline, the darker.
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3) / (13.0 * _SCALE)
    light = 0.62 + 0.42 * np.sqrt(np.clip(depth, 0, 1))
    soft = cv2.GaussianBlur(mask, (0, 0), 0.8 * _SCALE)
    body = np.clip(cv2.GaussianBlur(paint.image, (0, 0), 0.7 * _SCALE) * light[..., None], 0, 255)
    cover3 = cv2.merge((soft, soft, soft))
    ink = (body * (cover3 / 255.0)).astype(np.uint8)
    margin = round(pad * _SCALE)
    shade = cv2.GaussianBlur(cv2.copyMakeBorder(mask, margin, 0, margin, margin, cv2.BORDER_CONSTANT), (0, 0), 6.0)
    shade = shade[margin:, margin:-margin]
    return Sprite(ink, np.asarray(cover3, np.uint8), np.asarray(cv2.merge((shade, shade, shade)), np.uint8))


def card_sprite(art: SheetImage, mask: NDArray[np.uint8]) -> Sprite:
    """A card as something that can be carried."""
    cover = cv2.merge((mask, mask, mask))
    ink = cv2.multiply(art, cover, scale=1 / 255)
    shade = cv2.GaussianBlur(cover, (0, 0), 3)
    return Sprite(np.asarray(ink, np.uint8), np.asarray(cover, np.uint8), np.asarray(shade, np.uint8))


class Carrier:
    """Puts sprites into finished pictures of the table, at a height over it."""

    def __init__(self, optics: Optics, light: Light) -> None:
        self._optics, self._light = optics, light

    def _corners(
        self, place: tuple[float, float], turn: float, box: tuple[float, ...], z: float
    ) -> NDArray[np.float32]:
        """Picture places of a box (left, top, right, bottom, mm around its anchor, y down) turned anticlockwise."""
        left, top, right, bottom = box
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        points = [
            (place[0] + x * c + y * s, place[1] + x * s - y * c, z)
            for x, y in ((left, top), (right, top), (right, bottom), (left, bottom))
        ]
        return self._optics.project(np.array(points)).astype(np.float32)

    def arm(self, image: SheetImage, sprite: Sprite, tip: tuple[float, float], turn: float, z: float) -> None:
        """Draws the arm into `image` with its finger tips over `tip` (mm), pointing along `turn` (0 = to +y)."""
        x, y = _TIP
        self._draw(image, sprite, tip, turn, (-x, -y, _WIDTH - x, _LENGTH - y), z)

    def card(
        self,
        image: SheetImage,
        sprite: Sprite,
        at: tuple[float, float],
        turn: float,
        size: tuple[float, float],
        z: float,
    ) -> None:
        """Draws a carried card of `size` mm with its centre over `at`."""
        w, h = size[0] / 2, size[1] / 2
        self._draw(image, sprite, at, turn, (-w, -h, w, h), z)

    def _draw(
        self, image: SheetImage, sprite: Sprite, at: tuple[float, float], turn: float, box: tuple[float, ...], z: float
    ) -> None:
        h, w = sprite.ink.shape[:2]
        source = np.array(((0, 0), (w - 1, 0), (w - 1, h - 1), (0, h - 1)), np.float32)
        if self._light.shadow > 0:
            angle, throw = math.radians(self._light.shadow_turn), 0.35 * z + 2
            under = (at[0] + throw * math.cos(angle), at[1] - throw * math.sin(angle))
            ground = self._corners(under, turn, box, 0.0)
            self._shade(image, sprite.shade, source, ground)
        self._blend(image, sprite, source, self._corners(at, turn, box, z))

    @staticmethod
    def _window(image: SheetImage, corners: NDArray[np.float32]) -> tuple[slice, slice] | None:
        height, width = image.shape[:2]
        x0, y0 = np.floor(corners.min(0)).astype(int)
        x1, y1 = np.ceil(corners.max(0)).astype(int) + 1
        x0, y0, x1, y1 = max(0, int(x0)), max(0, int(y0)), min(width, int(x1)), min(height, int(y1))
        return (slice(y0, y1), slice(x0, x1)) if x0 < x1 and y0 < y1 else None

    def _shade(
        self, image: SheetImage, shade: SheetImage, source: NDArray[np.float32], corners: NDArray[np.float32]
    ) -> None:
        window = self._window(image, corners)
        if window is None:
            return
        part = image[window]
        moved = corners - np.array((window[1].start, window[0].start), np.float32)
        matrix = cv2.getPerspectiveTransform(source, moved)
        dark = cv2.warpPerspective(shade, matrix, (part.shape[1], part.shape[0]))
        part[:] = cv2.multiply(
            part, cv2.bitwise_not(cv2.convertScaleAbs(dark, alpha=min(0.6, self._light.shadow * 1.2))), scale=1 / 255
        )

    def _blend(
        self, image: SheetImage, sprite: Sprite, source: NDArray[np.float32], corners: NDArray[np.float32]
    ) -> None:
        window = self._window(image, corners)
        if window is None:
            return
        part = image[window]
        moved = corners - np.array((window[1].start, window[0].start), np.float32)
        matrix = cv2.getPerspectiveTransform(source, moved)
        size = (part.shape[1], part.shape[0])
        cover = cv2.warpPerspective(sprite.cover, matrix, size)
        ink = cv2.warpPerspective(sprite.ink, matrix, size)
        level = self._light.level
        gain = np.clip(np.array((*self._light.cast, 1.0)) * level, 0, 1.6)
        lit = cv2.multiply(ink, gain)
        part[:] = cv2.add(cv2.multiply(part, cv2.bitwise_not(cover), scale=1 / 255), lit)
