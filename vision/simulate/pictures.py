"""The illustrations of our own deck: eighteen small posters, three boards and a back, drawn from simple shapes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.names import Theater
from vision.simulate.ink import InkColour, Sheet, SheetPoint, mix


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours of one theater's pictures."""

    sky: InkColour
    haze: InkColour
    ground: InkColour
    dark: InkColour
    light: InkColour
    accent: InkColour


@dataclass(frozen=True, slots=True)
class SheetPlace:
    """Where a picture goes on a sheet, mm."""

    left: float
    top: float
    right: float
    bottom: float

    def at(self, x: float, y: float) -> SheetPoint:
        """The point at a share of the frame, 0..1 each way."""
        return (self.left + (self.right - self.left) * x, self.top + (self.bottom - self.top) * y)

    @property
    def unit(self) -> float:
        return min(self.right - self.left, self.bottom - self.top)


Draw = Callable[[Sheet, SheetPlace, Palette, np.random.Generator], None]

_PLANE: Final[tuple[SheetPoint, ...]] = (
    (0, -0.5), (0.06, -0.38), (0.07, -0.14), (0.5, 0.06), (0.5, 0.16), (0.07, 0.08), (0.05, 0.34),
    (0.19, 0.43), (0.19, 0.5), (0, 0.46), (-0.19, 0.5), (-0.19, 0.43), (-0.05, 0.34), (-0.07, 0.08),
    (-0.5, 0.16), (-0.5, 0.06), (-0.07, -0.14), (-0.06, -0.38),
)  # fmt: skip
_BOMBER: Final[tuple[SheetPoint, ...]] = (
    (0, -0.36), (0.08, -0.24), (0.09, -0.06), (0.62, 0.02), (0.62, 0.12), (0.09, 0.14), (0.07, 0.38),
    (0.26, 0.46), (0.26, 0.54), (0, 0.5), (-0.26, 0.54), (-0.26, 0.46), (-0.07, 0.38), (-0.09, 0.14),
    (-0.62, 0.12), (-0.62, 0.02), (-0.09, -0.06), (-0.08, -0.24),
)  # fmt: skip
_HULL: Final[tuple[SheetPoint, ...]] = ((-0.55, 0), (0.62, 0), (0.46, 0.16), (-0.46, 0.16))
_TURRET: Final[tuple[SheetPoint, ...]] = ((-0.2, 0), (-0.14, -0.15), (0.12, -0.15), (0.18, 0))


def _sky(sheet: Sheet, f: SheetPlace, p: Palette) -> None:
    sheet.gradient(f.left, f.top, f.right, f.bottom, p.sky, p.haze)


def _cloud(sheet: Sheet, at: SheetPoint, size: float, colour: InkColour) -> None:
    for dx, dy, r in ((-0.5, 0.05, 0.28), (-0.15, -0.12, 0.38), (0.25, -0.02, 0.34), (0.6, 0.08, 0.22)):
        sheet.disc((at[0] + dx * size, at[1] + dy * size), r * size, colour)
    sheet.box(at[0] - 0.6 * size, at[1] + 0.05 * size, at[0] + 0.7 * size, at[1] + 0.3 * size, colour)


def _clouds(sheet: Sheet, f: SheetPlace, p: Palette, rng: np.random.Generator, n: int = 3) -> None:
    for k in range(n):
        at = f.at(float(rng.uniform(0.2, 0.8)), (k + 0.5) / n * 0.9 + float(rng.uniform(-0.05, 0.05)))
        _cloud(sheet, at, f.unit * float(rng.uniform(0.1, 0.17)), mix(p.haze, p.light, float(rng.uniform(0.4, 0.9))))


def _hills(sheet: Sheet, f: SheetPlace, p: Palette, rng: np.random.Generator, horizon: float = 0.45) -> None:
    for k in range(3):
        base = horizon + 0.16 * k
        phase, waves = float(rng.uniform(0, 6.28)), float(rng.uniform(0.7, 1.6))
        top = [
            f.at(x, base + 0.05 * math.sin(phase + waves * 6.28 * x) + 0.02 * math.sin(3 * phase + 14 * x))
            for x in np.linspace(0, 1, 30)
        ]
        sheet.polygon([*top, (f.right, f.bottom), (f.left, f.bottom)], mix(p.haze, p.ground, 0.45 + 0.27 * k))


def _waves(
    sheet: Sheet, f: SheetPlace, p: Palette, rng: np.random.Generator, horizon: float = 0.5, steep: float = 1
) -> None:
    for k in range(5):
        base = horizon + (1 - horizon) * k / 5
        phase = float(rng.uniform(0, 6.28))
        top = [f.at(x, base + 0.016 * steep * math.sin(phase + 19 * x + k)) for x in np.linspace(0, 1, 40)]
        sheet.polygon([*top, (f.right, f.bottom), (f.left, f.bottom)], mix(p.haze, p.ground, 0.35 + 0.14 * k))
        sheet.line(top, 0.4, mix(p.ground, p.light, 0.35))


def _tree(sheet: Sheet, at: SheetPoint, size: float, colour: InkColour, trunk: InkColour) -> None:
    x, y = at
    sheet.box(x - 0.04 * size, y - 0.1 * size, x + 0.04 * size, y + 0.12 * size, trunk)
    for k in range(3):
        w, top = size * (0.2 + 0.1 * k), y - size * (0.9 - 0.26 * k)
        sheet.polygon([(x, top), (x + w, top + 0.36 * size), (x - w, top + 0.36 * size)], mix(colour, trunk, 0.12 * k))


def _parachute(sheet: Sheet, at: SheetPoint, size: float, canopy: InkColour, load: InkColour) -> None:
    x, y = at
    arc = [(x + size * math.cos(a), y - size * 0.8 * math.sin(a)) for a in np.linspace(0, math.pi, 16)]
    for k in (0, 5, 10, 15):
        sheet.line([arc[k], (x, y + size * 1.1)], 0.3, load)
    sheet.polygon(arc, canopy)
    sheet.polygon([*arc[5:11], (x, y)], mix(canopy, load, 0.35))
    sheet.box(x - 0.22 * size, y + 1.05 * size, x + 0.22 * size, y + 1.5 * size, load)


def _tank(sheet: Sheet, at: SheetPoint, size: float, p: Palette) -> None:
    x, y = at
    sheet.polygon(
        [(x - 0.5 * size, y), (x + 0.5 * size, y), (x + 0.4 * size, y + 0.2 * size), (x - 0.4 * size, y + 0.2 * size)],
        p.dark,
    )
    for k in range(5):
        sheet.disc((x + (k - 2) * 0.18 * size, y + 0.11 * size), 0.075 * size, mix(p.dark, p.light, 0.35))
    sheet.box(x - 0.46 * size, y - 0.13 * size, x + 0.46 * size, y + 0.01 * size, mix(p.dark, p.ground, 0.4))
    sheet.shape(_TURRET, (x - 0.04 * size, y - 0.12 * size), size * 1.1, 0, mix(p.dark, p.accent, 0.35))
    sheet.line([(x + 0.1 * size, y - 0.21 * size), (x + 0.66 * size, y - 0.28 * size)], 0.05 * size, p.dark)


def _ship(sheet: Sheet, at: SheetPoint, size: float, p: Palette, guns: int) -> None:
    x, y = at
    hull = mix(p.dark, p.haze, 0.15)
    sheet.box(x - 0.2 * size, y - 0.16 * size, x + 0.18 * size, y + 0.01 * size, mix(hull, p.light, 0.35))
    sheet.box(x - 0.1 * size, y - 0.28 * size, x + 0.06 * size, y - 0.15 * size, mix(hull, p.light, 0.55))
    sheet.line([(x, y - 0.28 * size), (x, y - 0.46 * size)], 0.02 * size, p.dark)
    for k in range(guns):
        gx = x + (0.26 + 0.12 * k) * size * (1 if k % 2 == 0 else -1)
        sheet.disc((gx, y - 0.02 * size), 0.06 * size, p.dark)
        sheet.line(
            [(gx, y - 0.05 * size), (gx + math.copysign(0.2, gx - x) * size, y - 0.1 * size)], 0.03 * size, p.dark
        )
    sheet.shape(_HULL, at, size, 0, hull)
    sheet.line([(x - 0.5 * size, y + 0.11 * size), (x + 0.5 * size, y + 0.11 * size)], 0.02 * size, p.accent)


def _trail(sheet: Sheet, f: SheetPlace, p: Palette) -> SheetPoint:
    """A bold S-curve through the picture; returns its end, where the one who made it is."""
    curve = [f.at(0.5 + 0.3 * math.sin(5.2 * t + 0.4), 0.95 - 0.74 * t) for t in np.linspace(0, 1, 40)]
    sheet.line(curve, f.unit * 0.055, mix(p.haze, p.light, 0.9))
    sheet.line(curve, f.unit * 0.02, p.accent)
    return curve[-1]


def _support(s: Sheet, f: SheetPlace, p: Palette, rng: np.random.Generator) -> None:
    _sky(s, f, p)
    _clouds(s, f, p, rng)
    for x, y in ((0.5, 0.3), (0.28, 0.55), (0.72, 0.55)):
        s.shape(_PLANE, f.at(x, y), f.unit * 0.34, 0, p.dark)
        s.disc(f.at(x, y - 0.03), f.unit * 0.02, p.accent)


def _air_drop(s: Sheet, f: SheetPlace, p: Palette, rng: np.random.Generator) -> None:
    _sky(s, f, p)
    _clouds(s, f, p, rng, 2)
    for x, y, size in ((0.3, 0.3, 0.15), (0.68, 0.42, 0.19), (0.38, 0.68, 0.12), (0.82, 0.14, 0.09)):
        _parachute(s, f.at(x, y), f.unit * size, p.accent, p.dark)


def _maneuver_air(s: Sheet, f: SheetPlace, p: Palette, rng: np.random.Generator) -> None:
    _sky(s, f, p)
    _clouds(s, f, p, rng, 2)
    s.shape(_PLANE, _trail(s, f, p), f.unit * 0.34, -0.5, p.dark)


def _aerodrome(s: Sheet, f: SheetPlace, p: Palette, rng: np.random.Generator) -> None:
    _sky(s, f, p)
    _hills(s, f, p, rng, 0.5)
    s.polygon([f.at(0.46, 0.5), f.at(0.54, 0.5), f.at(0.82, 1), f.at(0.18, 1)], p.dark)
    for k in range(4):
        y = 0.56 + 0.12 * k
        s.polygon([f.at(0.5 - 0.006 * (k + 1), y), f.at(0.5 + 0.006 * (k + 1), y), f.at(0.5, y + 0.07)], p.light)
    s.box(*f.at(0.08, 0.32), *f.at(0.26, 0.54), mix(p.dark, p.light, 0.4))
    s.box(*f.at(0.05, 0.24), *f.at(0.29, 0.33), p.accent)
    s.shape(_PLANE, f.at(0.66, 0.24), f.unit * 0.3, 0.9, p.dark)


def _containment(s: Sheet, f: SheetPlace, p: Palette, rng: np.random.Generator) -> None:
    _sky(s, f, p)
    for x in (0.2, 0.5, 0.8):
        s.polygon([f.at(x, 1), f.at(x - 0.16, 0), f.at(x + 0.1, 0)], mix(p.haze, p.light, 0.55))
    for x, y in ((0.26, 0.35), (0.7, 0.24), (0.56, 0.62)):
        cx, cy = f.at(x, y)
        s.line([(cx, cy), (cx + f.unit * 0.03, f.bottom)], 0.4, p.dark)
        s.ellipse((cx, cy), f.unit * 0.17, f.unit * 0.085, p.accent, -0.15)
        s.shape(((0, 0), (0.1, -0.08), (0.1, 0.08)), (cx + f.unit * 0.13, cy - f.unit * 0.02), f.unit, 0, p.dark)


def _heavy_bombers(s: Sheet, f: SheetPlace, p: Palette, rng: np.random.Generator) -> None:
    _sky(s, f, p)
    _clouds(s, f, p, rng, 2)
    s.shape(_BOMBER, f.at(0.5, 0.45), f.unit * 0.74, 0, p.dark)
    for x in (-0.34, -0.2, 0.2, 0.34):
        s.disc((f.at(0.5, 0)[0] + x * f.unit * 0.74, f.at(0, 0.48)[1]), f.unit * 0.035, p.accent)


def _reinforce(s: Sheet, f: SheetPlace, p: Palette, rng: np.random.Generator) -> None:
    _sky(s, f, p)
    _hills(s, f, p, rng, 0.4)
    for x, y, w in ((0.3, 0.62, 0.24), (0.68, 0.72, 0.28), (0.42, 0.9, 0.24)):
        s.polygon([f.at(x, y - 0.16), f.at(x + w / 1.6, y), f.at(x - w / 1.6, y)], mix(p.light, p.ground, 0.3))
        s.polygon([f.at(x, y - 0.16), f.at(x + 0.04, y), f.at(x - 0.04, y)], p.dark)
    s.line([f.at(0.5, 0.5), f.at(0.5, 0.1)], 0.7, p.dark)
    s.polygon([f.at(0.5, 0.1), f.at(0.8, 0.16), f.at(0.5, 0.24)], p.accent)


def _ambush(s: Sheet, f: SheetPlace, p: Palette, rng: np.random.Generator) -> None:
    _sky(s, f, p)
    _hills(s, f, p, rng, 0.55)
    for k in range(9):
        row = k // 3
        at = f.at(0.14 + 0.33 * (k % 3) + 0.05 * row, 0.5 + 0.2 * row + float(rng.uniform(-0.03, 0.03)))
        _tree(s, at, f.unit * (0.36 + 0.07 * row), mix(p.ground, p.dark, 0.45), p.dark)
    for x in (0.36, 0.44):
        s.ellipse(f.at(x, 0.74), f.unit * 0.026, f.unit * 0.016, p.accent)


def _maneuver_land(s: Sheet, f: SheetPlace, p: Palette, rng: np.random.Generator) -> None:
    _sky(s, f, p)
    _hills(s, f, p, rng, 0.32)
    x, y = _trail(s, f, p)
    u = f.unit
    s.box(x - 0.14 * u, y - 0.12 * u, x + 0.06 * u, y + 0.04 * u, p.dark)
    s.box(x + 0.07 * u, y - 0.06 * u, x + 0.16 * u, y + 0.04 * u, p.accent)
    for dx in (-0.09, 0.1):
        s.disc((x + dx * u, y + 0.05 * u), 0.035 * u, p.dark)


def _cover_fire(s: Sheet, f: SheetPlace, p: Palette, rng: np.random.Generator) -> None:
    _sky(s, f, p)
    _hills(s, f, p, rng, 0.6)
    for k in range(3):
        arc = [
            f.at(0.3 + 0.7 * t, 0.66 - (0.9 + 0.28 * k) * t + (0.75 + 0.2 * k) * t * t) for t in np.linspace(0, 1, 20)
        ]
        s.line(arc, 0.9, p.accent)
    s.polygon([f.at(0.06, 0.86), f.at(0.14, 0.62), f.at(0.52, 0.62), f.at(0.62, 0.86)], mix(p.dark, p.light, 0.3))
    s.box(*f.at(0.2, 0.68), *f.at(0.5, 0.74), p.dark)


def _disrupt(s: Sheet, f: SheetPlace, p: Palette, rng: np.random.Generator) -> None:
    _sky(s, f, p)
    _hills(s, f, p, rng, 0.7)
    cx, cy = f.at(0.5, 0.5)
    for size, colour in ((0.44, p.accent), (0.3, mix(p.accent, p.light, 0.6)), (0.15, p.light)):
        star = [
            (
                cx + f.unit * size * (1 if k % 2 else 0.55) * math.cos(k * 0.393),
                cy + f.unit * size * (1 if k % 2 else 0.55) * math.sin(k * 0.393),
            )
            for k in range(16)
        ]
        s.polygon(star, colour)
    for k in range(8):
        a = 0.6 + k * 0.785
        s.shape(
            ((-0.05, -0.02), (0.06, -0.03), (0.02, 0.05)),
            (cx + f.unit * 0.5 * math.cos(a), cy + f.unit * 0.5 * math.sin(a)),
            f.unit,
            a,
            p.dark,
        )


def _heavy_tanks(s: Sheet, f: SheetPlace, p: Palette, rng: np.random.Generator) -> None:
    _sky(s, f, p)
    _hills(s, f, p, rng, 0.42)
    _tank(s, f.at(0.42, 0.68), f.unit * 0.82, p)


def _transport(s: Sheet, f: SheetPlace, p: Palette, rng: np.random.Generator) -> None:
    _sky(s, f, p)
    _waves(s, f, p, rng, 0.5)
    x, y = f.at(0.5, 0.6)
    u = f.unit
    for k in range(4):
        s.box(
            x + (-0.36 + 0.17 * k) * u,
            y - (0.12 + 0.06 * (k % 2)) * u,
            x + (-0.21 + 0.17 * k) * u,
            y,
            p.accent if k % 2 else p.light,
        )
    s.shape(_HULL, (x, y), u * 0.8, 0, p.dark)


def _escalation(s: Sheet, f: SheetPlace, p: Palette, rng: np.random.Generator) -> None:
    _sky(s, f, p)
    x, y = f.at(0.36, 0.62)
    u = f.unit
    s.polygon([f.at(0.44, 0.22), f.at(1, 0.02), f.at(1, 0.34)], mix(p.haze, p.light, 0.8))
    s.polygon(
        [(x - 0.12 * u, y), (x - 0.06 * u, y - 0.46 * u), (x + 0.06 * u, y - 0.46 * u), (x + 0.12 * u, y)], p.light
    )
    for k in range(3):
        s.box(x - 0.09 * u, y - (0.4 - 0.14 * k) * u, x + 0.09 * u, y - (0.34 - 0.14 * k) * u, p.accent)
    s.polygon([(x - 0.08 * u, y - 0.46 * u), (x, y - 0.6 * u), (x + 0.08 * u, y - 0.46 * u)], p.dark)
    _waves(s, f, p, rng, 0.64, 2.4)


def _maneuver_sea(s: Sheet, f: SheetPlace, p: Palette, rng: np.random.Generator) -> None:
    _sky(s, f, p)
    _waves(s, f, p, rng, 0.14)
    _ship(s, _trail(s, f, p), f.unit * 0.36, p, 0)


def _redeploy(s: Sheet, f: SheetPlace, p: Palette, rng: np.random.Generator) -> None:
    _sky(s, f, p)
    _waves(s, f, p, rng, 0.3)
    cx, cy = f.at(0.5, 0.62)
    u = f.unit
    s.box(cx - 0.08 * u, cy - 0.2 * u, cx + 0.1 * u, cy, p.dark)
    s.line(
        [(cx + 0.04 * u, cy - 0.18 * u), (cx + 0.04 * u, cy - 0.34 * u), (cx + 0.12 * u, cy - 0.34 * u)],
        0.03 * u,
        p.dark,
    )
    s.ellipse((cx, cy), 0.42 * u, 0.11 * u, p.dark)
    for k in range(3):
        s.disc((cx + (k - 1) * 0.18 * u, cy), 0.03 * u, p.accent)


def _blockade(s: Sheet, f: SheetPlace, p: Palette, rng: np.random.Generator) -> None:
    _sky(s, f, p)
    _waves(s, f, p, rng, 0.36)
    for x, y, r in ((0.2, 0.52, 0.08), (0.56, 0.6, 0.12), (0.84, 0.5, 0.07), (0.3, 0.82, 0.14)):
        cx, cy = f.at(x, y)
        for k in range(8):
            a = k * 0.785
            s.line(
                [(cx, cy), (cx + 1.45 * r * f.unit * math.cos(a), cy + 1.45 * r * f.unit * math.sin(a))], 0.9, p.dark
            )
        s.disc((cx, cy), r * f.unit, p.dark)
        s.disc((cx - 0.3 * r * f.unit, cy - 0.3 * r * f.unit), 0.28 * r * f.unit, p.accent)


def _super_battleship(s: Sheet, f: SheetPlace, p: Palette, rng: np.random.Generator) -> None:
    _sky(s, f, p)
    _clouds(s, f, p, rng, 2)
    _waves(s, f, p, rng, 0.62)
    _ship(s, f.at(0.5, 0.64), f.unit * 0.92, p, 4)


ILLUSTRATIONS: Final[dict[str, Draw]] = {
    "A1": _support, "A2": _air_drop, "A3": _maneuver_air, "A4": _aerodrome, "A5": _containment, "A6": _heavy_bombers,
    "L1": _reinforce, "L2": _ambush, "L3": _maneuver_land, "L4": _cover_fire, "L5": _disrupt, "L6": _heavy_tanks,
    "S1": _transport, "S2": _escalation, "S3": _maneuver_sea, "S4": _redeploy, "S5": _blockade,
    "S6": _super_battleship,
}  # fmt: skip
"""One picture a card."""


def draw_board_scene(theater: Theater, s: Sheet, f: SheetPlace, p: Palette, rng: np.random.Generator) -> None:
    """The wide picture of a theater board."""
    _sky(s, f, p)
    u = f.unit
    if theater == "A":
        _clouds(s, f, p, rng, 4)
        _clouds(s, SheetPlace(f.at(0.5, 0)[0], f.top, f.right, f.bottom), p, rng, 3)
        for x, y, size, turn in ((0.2, 0.34, 0.4, 0.9), (0.8, 0.28, 0.32, 1.1), (0.68, 0.76, 0.26, 0.8)):
            s.shape(_PLANE, f.at(x, y), u * size, turn, p.dark)
    elif theater == "L":
        _hills(s, f, p, rng, 0.4)
        for k in range(6):
            _tree(s, f.at(0.06 + 0.085 * k, 0.72 + 0.05 * (k % 3)), u * 0.3, mix(p.ground, p.dark, 0.4), p.dark)
        _tank(s, f.at(0.78, 0.78), u * 0.4, p)
    else:
        _clouds(s, f, p, rng, 2)
        _waves(s, f, p, rng, 0.5)
        _ship(s, f.at(0.24, 0.62), u * 0.55, p, 2)
        _ship(s, f.at(0.78, 0.54), u * 0.3, p, 0)
