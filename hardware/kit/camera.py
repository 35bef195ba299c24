"""Where the camera hangs: the height at which the whole mat fits the picture, and how fine the picture then is.

A pinhole camera over the mat's middle, the long side of its picture along the mat's long side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from kit import dimensions as d

ROUND_THE_MAT: Final = 10.0
"""mm that are seen on every side of the mat, so that a card's width of play is left when the camera is aimed."""
LEAST_SCALE: Final = 1.3
"""Pixels a millimetre that the reader asks for (docs/camera.md)."""
TILT: Final = 15.0
"""Degrees off the vertical that the reader accepts."""


@dataclass(frozen=True, slots=True)
class Camera:
    """One kind of camera: its field of view along the picture's long and short side (degrees), its pictures' widths."""

    name: str
    long_angle: float
    short_angle: float
    widths: tuple[int, ...]
    held: str
    source: str
    """Where the angles come from."""

    def height(self) -> float:
        """The least height of the lens over the mat at which the mat and its rim are seen, mm."""
        across, along = (side + 2 * ROUND_THE_MAT for side in d.MAT)
        return max(along / 2 / _slope(self.long_angle), across / 2 / _slope(self.short_angle))

    def scale(self, width: int, height: float | None = None) -> float:
        """Pixels a millimetre on the mat, in a picture of `width` px; from `height` mm, or as low as it may hang."""
        return width / (2 * (height or self.height()) * _slope(self.long_angle))


def _slope(angle: float) -> float:
    return math.tan(math.radians(angle / 2))


def _wide(name: str, diagonal: float, widths: tuple[int, ...], held: str, source: str) -> Camera:
    """A camera whose maker states the angle along the diagonal of a 16:9 picture."""
    half = _slope(diagonal) / math.hypot(16, 9)
    long_angle, short_angle = (math.degrees(2 * math.atan(half * side)) for side in (16, 9))
    return Camera(name, long_angle, short_angle, widths, held, source)


def _phone(lens: float) -> Camera:
    """A phone whose main camera is stated as a lens on 35 mm film: a film is the full width of its 4:3 picture."""
    half = math.hypot(36, 24) / 2 / lens * 0.8
    long_angle, short_angle = (math.degrees(2 * math.atan(half * side / 16)) for side in (16, 9))
    name = f"phone, main camera ({lens:g} mm)"
    return Camera(name, long_angle, short_angle, (1280, 1920), "phone holder", "lens as stated, films may be cropped")


_SHEET: Final = "maker's data sheet, diagonal"
_ANGLES: Final = "maker's data sheet, both sides"
CAMERAS: Final = (
    _wide("Logitech C270", 55.0, (1280,), "clip: camera plate", _SHEET),
    _wide("Logitech C310", 60.0, (1280,), "clip: camera plate", _SHEET),
    _wide("Logitech Brio 100", 58.0, (1280, 1920), "clip: camera plate", _SHEET),
    _wide("Logitech C920, C922", 78.0, (1280, 1920), "1/4-20 thread", _SHEET),
    _wide("Razer Kiyo", 81.6, (1280, 1920), "1/4-20 thread", _SHEET),
    Camera("Raspberry Pi Camera 2", 62.2, 48.8, (1640,), "M2 holes", _ANGLES),
    Camera("Raspberry Pi Camera 3", 66.0, 41.0, (1536, 2304), "M2 holes", _ANGLES),
    Camera("Raspberry Pi Camera 3 Wide", 102.0, 67.0, (1536, 2304), "M2 holes", _ANGLES),
    _phone(26.0),
    _phone(24.0),
)


def seen_on_the_table(x: float, high: float, lens_x: float, lens_high: float) -> float:
    """Where a point `high` mm over the table is seen, as if it lay flat on it: along x, mm."""
    return lens_x + (x - lens_x) * lens_high / (lens_high - high)


def nearest_sight_of_the_console() -> float:
    """The least x at which any camera of the table sees any part of the console that stands up, mm.

    The lens may hang up to `TILT` off the vertical over either side, aimed at the mat's middle.
    """
    least = math.inf
    for camera in CAMERAS:
        high = camera.height()
        for turn in (-TILT, 0.0, TILT):
            lens = math.tan(math.radians(turn)) * high
            for top in (0.0, d.CONSOLE_HEIGHT):
                least = min(least, seen_on_the_table(d.console().left, top, lens, high))
    return least


def least_sight_over_the_console() -> float:
    """The least height at which any camera's line of sight to the mat passes over the console, mm."""
    least = math.inf
    edge, near_side = d.MAT[0] / 2, d.console().left
    for camera in CAMERAS:
        high = camera.height()
        lens = math.tan(math.radians(TILT)) * high
        if lens > near_side:
            least = min(least, high * (near_side - edge) / (lens - edge))
    return least


def table() -> list[tuple[str, str, str, str]]:
    """Rows of the table of heights: camera, height in cm, pixels a millimetre by picture width, how it is held."""
    rows = []
    for camera in CAMERAS:
        scales = ", ".join(f"{camera.scale(w):.2f} at {w}" for w in camera.widths)
        rows.append((camera.name, f"{camera.height() / 10:.0f}", scales, camera.held))
    return rows
