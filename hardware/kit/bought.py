"""Bought parts as simple solids for the pictures and for checks of what collides; console frame unless said."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from manifold3d import CrossSection, Manifold

from kit import dimensions as d
from kit.parts import block, rod
from kit.render import Colour, Thing

COPPER: Final[Colour] = (214, 152, 92)
BLACK: Final[Colour] = (52, 52, 56)
WHITE: Final[Colour] = (244, 244, 240)
RED: Final[Colour] = (206, 62, 54)
GREEN: Final[Colour] = (66, 150, 86)
BLUE: Final[Colour] = (62, 104, 176)
SILVER: Final[Colour] = (190, 192, 196)
GREY: Final[Colour] = (150, 154, 160)
YELLOW: Final[Colour] = (236, 186, 60)

Point = tuple[float, float, float]


def strip(lights: int = d.LIGHTS) -> list[Thing]:
    """A piece of strip, its first light's end at y = 0, centred on x = 0, its arrow towards +y."""
    long = lights * d.LIGHT_PITCH
    things = [Thing(block(-d.STRIP_WIDTH / 2, 0, 0, d.STRIP_WIDTH, long, 0.5), WHITE)]
    for k in range(lights):
        y = (k + 0.5) * d.LIGHT_PITCH
        things.append(Thing(block(-2.5, y - 2.5, 0.5, 5, 5, 1.7), SILVER))
        things.append(Thing(rod(0, y, 2.2, 3.8, 0.2), YELLOW))
    for k in range(1, lights):
        # The arrow printed on the strip: from DIN to DOUT.
        y = k * d.LIGHT_PITCH + 3.6
        arrow = Manifold.extrude(CrossSection([[(-1.6, 0.0), (1.6, 0.0), (0.0, 2.6)]]), 0.2)
        things.append(Thing(arrow.translate((0, y - 1.0, 0.5)), BLACK))
    for k in range(lights + 1):
        for x in (-3.2, 0.0, 3.2):
            y = min(max(k * d.LIGHT_PITCH - 1.5, 0), long - 3)
            things.append(Thing(block(x - 0.9, y, 0.5, 1.8, 3, 0.15), COPPER))
    return things


def moved(things: Sequence[Thing], x: float, y: float, z: float, turn: float = 0.0) -> list[Thing]:
    """The things turned about the upright axis (degrees) and then shifted."""
    return [Thing(t.solid.rotate((0, 0, turn)).translate((x, y, z)), t.colour) for t in things]


def strips_in_place(up: float = 0.0) -> list[Thing]:
    """The three pieces in their channels: the chain runs up the left one, down the middle one, up the right one."""
    things: list[Thing] = []
    for lane in range(3):
        y = d.END + d.POCKET
        placed = (
            moved(strip(), d.channel_x(lane), y, d.FLOOR + up)
            if lane != 1
            else moved(strip(), d.channel_x(lane), y + d.STRIP_LENGTH, d.FLOOR + up, 180)
        )
        things += placed
    return things


def wire(points: Sequence[Point], colour: Colour, thick: float = 1.3) -> list[Thing]:
    """A wire along straight pieces."""
    things: list[Thing] = []
    for a, b in pairwise(points):
        along = np.array(b) - np.array(a)
        long = float(np.linalg.norm(along))
        lean = math.degrees(math.acos(along[2] / long))
        round_ = math.degrees(math.atan2(along[1], along[0]))
        piece = Manifold.cylinder(long, thick / 2, thick / 2, 10).rotate((0, lean, round_)).translate(a)
        things += [Thing(piece, colour), Thing(Manifold.sphere(thick / 2, 10).translate(b), colour)]
    return things


NANO_PINS: Final[dict[str, tuple[int, int]]] = {
    "VIN": (-1, 0), "GND": (-1, 1), "5V": (-1, 3), "GND, right": (1, 3), "D2": (1, 4), "D3": (1, 5), "D6": (1, 8),
}  # fmt: skip
"""Row (-1 left, 1 right, the USB socket towards the far end) and hole, counted from the end opposite to the socket."""


def nano_pin(name: str) -> tuple[float, float]:
    """Where a hole of the Nano is, from the board's lower left corner."""
    row, hole = NANO_PINS[name]
    return d.NANO[0] / 2 + row * (d.NANO[0] / 2 - 1.4), 3 + 2.54 * hole


def nano() -> list[Thing]:
    """An Arduino Nano without headers, its USB socket towards +y, lower left corner at the origin."""
    wide, long, _ = d.NANO
    board = Thing(block(0, 0, 0, wide, long - 1.5, 1.6), BLUE)
    things = [board, Thing(block(wide / 2 - 3.9, long - 9, 1.6, 7.8, 9, 4), SILVER)]
    things.append(Thing(block(wide / 2 - 3.5, 16, 1.6, 7, 7, 1), BLACK))
    for k in range(15):
        for x in (1.4, wide - 1.4):
            things.append(Thing(rod(x, 3 + 2.54 * k, 1.6, 1.6, 0.3), COPPER))
    return things


def capacitor() -> list[Thing]:
    """An electrolytic capacitor lying along y, its leads towards +y; the pale stripe marks the minus lead."""
    wide, long = d.CAPACITOR
    can = Manifold.cylinder(long, wide / 2, wide / 2, 32).rotate((-90, 0, 0)).translate((0, 0, wide / 2))
    stripe = block(wide / 2 - 1.0, 0.5, wide / 2 - 1.5, 1.2, long - 1, 3)
    things = [Thing(can, BLACK), Thing(stripe, WHITE)]
    for x in (-2.5, 2.5):
        things += wire([(x, long, wide / 2), (x, long + 7, wide / 2)], SILVER, 0.8)
    return things


def button() -> list[Thing]:
    """A 16 mm push button, its panel's outside at z = 0, looking up."""
    return [
        Thing(rod(0, 0, 0, 18, 2), BLACK),
        Thing(rod(0, 0, 2, 11, 5), RED),
        Thing(rod(0, 0, -d.BUTTON_DEPTH + 8, 15.8, d.BUTTON_DEPTH - 8), BLACK),
        Thing(Manifold.cylinder(3, d.BUTTON_NUT / 2, d.BUTTON_NUT / 2, 6).translate((0, 0, -6)), SILVER),
        Thing(block(-3, -0.4, -d.BUTTON_DEPTH, 2, 0.8, 8), COPPER),
        Thing(block(1, -0.4, -d.BUTTON_DEPTH, 2, 0.8, 8), COPPER),
    ]
