"""Decks whose very design is drawn at random: what a reader must cope with is any deck that people own.

Border or none, square corners or round ones, header tone from white to black and its colour from grey to bright, print
at the left, the right or on both sides, a dark foot with a bright line above the lower edge, backs plain, repeating or
with a large 2, and three Maneuvers that share picture and words and differ in the header's hue alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np

from engine.names import CARDS, FACE_DOWN, THEATERS, Face, Theater, strength_of
from vision.geometry.table import BOARD, CARD
from vision.simulate.deck import ART_SCALE, BOARD_NAMES, NAMES, Deck
from vision.simulate.ink import InkColour, Sheet, SheetImage, mix, texture
from vision.simulate.pictures import ILLUSTRATIONS, Palette, SheetPlace, draw_board_scene

PrintSide = Literal["left", "right", "both"]
BackKind = Literal["plain", "repeating", "figure"]
MOTTLE: Final = 5.0
"""Most by which the paper's tone varies, standard deviation in grey levels."""


@dataclass(frozen=True, slots=True)
class Design:
    """How a deck looks. Lengths in mm, colours red, green, blue."""

    border: float
    border_colour: InkColour
    header: dict[Theater, InkColour]
    header_mm: float
    ink: InkColour
    rule: bool
    """A pale rule under the header."""
    side: PrintSide
    """Where the strength stands."""
    figure_mm: float
    foot: float
    """Height of a dark foot with a bright line above it; 0 is none."""
    mottle: float
    back: BackKind
    back_colour: InkColour
    back_ink: InkColour
    equal_maneuvers: bool
    corner: float
    """Radius of the corners: square ones or round ones."""


def draw_design(seed: int) -> Design:
    """The design with that seed."""
    rng = np.random.default_rng([seed, 1871])
    lightness = float(rng.uniform(8, 96))
    chroma = float(rng.choice((rng.uniform(4, 12), rng.uniform(12, 45))))
    # Nearly white and nearly black paper has little room for colour.
    chroma = min(chroma, 0.9 * min(lightness, 104 - lightness))
    first = float(rng.uniform(0, 360))
    hues = {t: first + 120 * k + float(rng.uniform(-25, 25)) for k, t in enumerate(THEATERS)}
    header = {t: _lab(lightness + float(rng.uniform(-4, 4)), chroma, hue) for t, hue in hues.items()}
    pale = lightness < 55
    border = 0.0 if rng.random() < 0.5 else float(rng.uniform(1.2, 3.0))
    back_light = float(rng.uniform(12, 92))
    return Design(
        border,
        _lab(float(rng.choice((12, 95))) + float(rng.uniform(-4, 4)), 3, first),
        header,
        float(rng.uniform(21, 25)),
        _lab(93 if pale else 18, 4, first + 60),
        bool(rng.random() < 0.5),
        ("left", "right", "both")[int(rng.integers(3))],
        float(rng.uniform(13, 19)),
        float(rng.uniform(5, 8)) if rng.random() < 0.35 else 0.0,
        float(rng.uniform(0, MOTTLE)),
        ("plain", "repeating", "figure")[int(rng.integers(3))],
        _lab(back_light, float(rng.uniform(2, 30)), float(rng.uniform(0, 360))),
        _lab(90 if back_light < 50 else 25, 12, first),
        bool(rng.random() < 0.5),
        float(rng.choice((0.3, rng.uniform(2, 4.5)))),
    )


def design_deck(seed: int, scale: float = ART_SCALE) -> Deck:
    """The printed deck of the design with that seed, at `scale` px/mm."""
    design = draw_design(seed)
    faces: dict[Face, SheetImage] = {card: _face(card, design, seed, scale) for card in CARDS}
    faces[FACE_DOWN] = _back(design, seed, scale)
    boards = {t: _board(t, design, seed, scale) for t in THEATERS}
    return Deck(f"design-{seed}", scale, faces, boards, design.corner)


def _lab(lightness: float, chroma: float, hue: float) -> InkColour:
    """CIE L*, C*, h (degrees) as red, green, blue."""
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    pixel = np.array([[[np.clip(lightness, 0, 100), a, b]]], np.float32)
    bgr = np.clip(cv2.cvtColor(pixel, cv2.COLOR_Lab2BGR)[0, 0] * 255, 0, 255)
    return (round(float(bgr[2])), round(float(bgr[1])), round(float(bgr[0])))


def _stream(seed: int, name: str) -> np.random.Generator:
    return np.random.default_rng([seed, *map(ord, name)])


def _palette(rng: np.random.Generator) -> Palette:
    """A picture in any colours, for a theater's colour need not be its pictures'."""
    hue, tone = float(rng.uniform(0, 360)), float(rng.uniform(45, 90))
    colours = [
        _lab(tone, float(rng.uniform(4, 45)), hue),
        _lab(min(95, tone + 12), float(rng.uniform(2, 25)), hue + 30),
        _lab(float(rng.uniform(20, 65)), float(rng.uniform(4, 40)), hue + 150),
        _lab(float(rng.uniform(8, 25)), 8, hue + 200),
        _lab(float(rng.uniform(85, 98)), 4, hue),
        _lab(55, 60, hue + 180),
    ]
    return Palette(*colours)


def _paper(sheet: Sheet, design: Design, rng: np.random.Generator) -> SheetImage:
    mottle = texture(sheet.image.shape[0], sheet.image.shape[1], 3 * sheet.scale, rng)[..., None]
    return np.asarray(np.clip(sheet.image + mottle * np.float32(design.mottle), 0, 255), dtype=np.uint8)


def _face(card: str, design: Design, seed: int, scale: float) -> SheetImage:
    width, height = CARD
    theater: Theater = card[0]  # type: ignore[assignment]
    picture = "A3" if design.equal_maneuvers and card[1] == "3" else card
    rng = _stream(seed, picture)
    sheet = Sheet(width, height, scale, design.border_colour)
    edge, band = design.border, design.header_mm
    frame = SheetPlace(edge, band, width - edge, height - edge)
    ILLUSTRATIONS[picture](sheet, frame, _palette(rng), rng)
    if design.foot:
        low = sheet.image[round((height - design.foot) * scale) :]
        low[:] = (low * 0.4).astype(np.uint8)
        sheet.box(edge, height - design.foot - 0.6, width - edge, height - design.foot, (235, 232, 224))
    header = design.header[theater]
    sheet.gradient(0, 0, width, band, mix(header, (255, 255, 255), 0.04), mix(header, (0, 0, 0), 0.05))
    if design.rule:
        sheet.box(edge, band - 0.3, width - edge, band + 0.3, (222, 218, 208))
    figure = str(strength_of(card))  # type: ignore[arg-type]
    left, right = 9.5, width - 9.5
    for x in {"left": (left,), "right": (right,), "both": (left, right)}[design.side]:
        sheet.word(figure, (x, 2.5 + design.figure_mm), design.figure_mm * 0.9, design.ink, 850, "middle")
        if figure == "6":
            sheet.box(x - 4, 3.1 + design.figure_mm, x + 4, 3.8 + design.figure_mm, design.ink)
    start, end = {"left": (19.0, width - 4), "right": (4.0, width - 19), "both": (19.0, width - 19)}[design.side]
    name = NAMES[picture].upper()
    size = min(3.2, 3.2 * (end - start) / max(1.0, 2.5 * len(name)))
    sheet.word(name, (start, 7.5), size, design.ink, 800)
    words = np.random.default_rng(sum(map(ord, picture)))
    soft = mix(header, design.ink, 0.65)
    for line in range(4 if figure != "6" else 1):
        x, stop = start, end - float(words.uniform(0, 9))
        while x < stop:
            wide = float(words.uniform(1.2, 5))
            sheet.box(x, 10.4 + 2.4 * line, min(x + wide, stop), 11.5 + 2.4 * line, soft)
            x += wide + 0.8
    if edge:
        sheet.box(0, 0, width, edge, design.border_colour)
        sheet.box(0, height - edge, width, height, design.border_colour)
        sheet.box(0, 0, edge, height, design.border_colour)
        sheet.box(width - edge, 0, width, height, design.border_colour)
    return _paper(sheet, design, _stream(seed, picture + "p"))


def _back(design: Design, seed: int, scale: float) -> SheetImage:
    width, height = CARD
    sheet = Sheet(width, height, scale, design.border_colour)
    edge = design.border
    sheet.box(edge, edge, width - edge, height - edge, design.back_colour)
    soft = mix(design.back_colour, design.back_ink, 0.4)
    if design.back == "repeating":
        for row in range(math.ceil(height / 7)):
            for column in range(math.ceil(width / 7)):
                at = (3.5 + 7 * column + (3.5 if row % 2 else 0), 3.5 + 7 * row)
                if at[0] < width - 3 and at[1] < height - 3:
                    sheet.disc(at, 1.8, soft)
    elif design.back == "plain":
        sheet.ellipse((width / 2, height / 2), 16, 22, soft)
    sheet.word("2", (9.5, 20), 14, design.back_ink, 850, "middle")
    if design.back == "figure":
        sheet.word("2", (width / 2, height - 16), 34, soft, 850, "middle")
    return _paper(sheet, design, _stream(seed, "back"))


def _board(theater: Theater, design: Design, seed: int, scale: float) -> SheetImage:
    width, height = BOARD
    rng = _stream(seed, "board" + theater)
    sheet = Sheet(width, height, scale, design.border_colour)
    draw_board_scene(theater, sheet, SheetPlace(0, 0, width, height), _palette(rng), rng)
    sheet.box(0, 0, width, 20, design.header[theater])
    sheet.word(BOARD_NAMES[theater], (width / 2, 15), 10, design.ink, 900, "middle")
    return _paper(sheet, design, rng)


__all__ = ["Design", "design_deck", "draw_design"]
