"""Where the bars of lights stand: one console beside the mat, outside what the reader watches.

The three bars lie side by side in one console at the right edge of the mat (or turned by half a turn at its left
edge): the left lane's bar is the left one, and each runs from the near seat to the far seat with its middle light on
the boards' middle line. The numbers are those of `hardware/kit/dimensions.py`; a test compares them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

BarSide: TypeAlias = Literal["left", "right"]

LIGHTS: Final = 9
"""Lights of a bar, from the near seat to the far seat."""
LIGHT_PITCH: Final = 1000.0 / 60
"""From light to light, mm (60 a metre)."""
HEIGHT: Final = 20.0
"""Of the console's upper side with the diffusers above the table, mm."""


@dataclass(frozen=True, slots=True)
class BarOutline:
    """An upright rectangle in the table frame, mm: `left` < `right`, `near` < `far`."""

    left: float
    near: float
    right: float
    far: float

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """Far left, far right, near right, near left: clockwise as the near seat sees it."""
        return (
            (self.left, self.far),
            (self.right, self.far),
            (self.right, self.near),
            (self.left, self.near),
        )

    def grown(self, margin: float) -> BarOutline:
        """The outline with `margin` mm on each side."""
        return BarOutline(self.left - margin, self.near - margin, self.right + margin, self.far + margin)


@dataclass(frozen=True, slots=True)
class LaneMark:
    """Dots printed on the mat beside the boards: one in the left lane, two in the middle one, three in the right one,
    the same at each end of a bar; all mm."""

    aside: float
    """From the lane's middle line to the outermost dot's centre."""
    out: float
    """From the boards' middle line to the dots' centres."""
    diameter: float
    pitch: float
    tongue: float
    """Length along the mat's edge of the console's flat tongue, whose ends are marked there."""


LANE_MARK: Final = LaneMark(aside=56.0, out=56.0, diameter=5.0, pitch=8.0, tongue=60.0)

_BARS: Final = tuple(BarOutline(x - 6.3, -75.0, x + 6.3, 75.0) for x in (235.0, 253.0, 271.0))
_CONSOLE: Final = BarOutline(225.0, -93.0, 319.0, 93.0)


def bars(side: BarSide = "right") -> tuple[BarOutline, BarOutline, BarOutline]:
    """The shining part of the left, middle and right lane's bar on the table plane.

    The light leaves the console `HEIGHT` mm above the table. Seen by a camera that hangs H mm high over the point
    (x0, y0), a point at (x, y) appears further out by HEIGHT / (H - HEIGHT) of its distance from (x0, y0).
    """
    if side == "right":
        return _BARS[0], _BARS[1], _BARS[2]
    return _mirrored(_BARS[2]), _mirrored(_BARS[1]), _mirrored(_BARS[0])


def console(side: BarSide = "right") -> BarOutline:
    """The outline of the whole console on the table."""
    return _CONSOLE if side == "right" else _mirrored(_CONSOLE)


def light_centres(bar: BarOutline) -> tuple[tuple[float, float], ...]:
    """Centre of each of a bar's nine lights, near to far, mm."""
    x, y = (bar.left + bar.right) / 2, (bar.near + bar.far) / 2
    return tuple((x, y + (k - (LIGHTS - 1) / 2) * LIGHT_PITCH) for k in range(LIGHTS))


def _mirrored(outline: BarOutline) -> BarOutline:
    return BarOutline(-outline.right, outline.near, -outline.left, outline.far)
