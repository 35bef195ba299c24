"""Every dimension of the kit in one place: the table, the console with the bars, buttons, camera plate.

Millimetres. Table frame: origin at the centre of the middle board, +x to the right, +y away from the near seat, +z up
from the table. Console frame: origin at its lower left corner seen from above, z = 0 on the table, same directions;
`CONSOLE_AT` brings it to the table frame. Change a number here, run `python hardware/check.py`, then
`python hardware/build.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

VERSION: Final = "1.0"
"""Of the hardware files; changes are listed in hardware/README.md."""

# The table (the same numbers as vision/geometry, compared in tests/hardware).
MAT: Final = (420.0, 594.0)
BOARD: Final = (127.4, 87.8)
BOARD_X: Final = (-130.5, 0.0, 130.5)
CARD: Final = (63.5, 88.0)
WATCHED: Final = 12.0
"""The reader watches the mat and this much around it."""
SLACK: Final = 3.0
"""The least distance from the watched area to anything of the console that stands up from the table."""

# The strip of lights: WS2812B, 60 a metre.
LIGHTS: Final = 9
LIGHT_PITCH: Final = 1000.0 / 60
STRIP_LENGTH: Final = LIGHTS * LIGHT_PITCH
STRIP_WIDTH: Final = 10.0
STRIP_THICK: Final = 2.4
"""Circuit board and light together, of a strip without a sleeve (IP20 or IP30)."""
SLEEVED: Final = (12.0, 4.2)
"""Width and height of an IP65 strip in its silicone; it does not fit and is checked not to be promised."""

# The console: three channels side by side, then the bay of the controller.
WALL: Final = 2.0
FLOOR: Final = 2.0
CHANNEL: Final = 12.6
"""Inner width of a channel: a strip of 10 mm and the comb's two rails."""
CHANNEL_PITCH: Final = 18.0
FIRST_CHANNEL: Final = 10.0
"""Centre line of the left channel, from the console's left side."""
POCKET: Final = 9.0
"""Room at both ends of a channel for the solder joints and the wires."""
END: Final = 9.0
"""Solid end of the console, which carries the lane marks."""
CONSOLE_HEIGHT: Final = 20.0
DIFFUSER_THICK: Final = 1.0
LEDGE: Final = 1.2
"""How far the ledge that carries a diffuser reaches in."""
FIT: Final = 0.2
"""Play on each side between two printed parts that go into one another."""
DUCT: Final = 5.0
"""Width of the slots, open at the top, that lead wires from channel to channel and to the bay, one at each end."""
DUCT_USED: Final = 6.0
"""Height of a slot that wires may fill, so that they stay under the diffusers."""
BAY_WIDTH: Final = 36.0
LID_THICK: Final = 2.0
CONSOLE_LENGTH: Final = STRIP_LENGTH + 2 * POCKET + 2 * END
CHANNELS_WIDTH: Final = FIRST_CHANNEL + 2 * CHANNEL_PITCH + FIRST_CHANNEL
CONSOLE_WIDTH: Final = CHANNELS_WIDTH + BAY_WIDTH + WALL
TONGUE: Final = (60.0, 1.2)
"""Length along the mat's edge and thickness of the flat tongue that keeps the console at its distance from the mat."""
CONSOLE_GAP: Final = WATCHED + SLACK
"""From the mat's edge to the console."""
CONSOLE_AT: Final = (MAT[0] / 2 + CONSOLE_GAP, -CONSOLE_LENGTH / 2)
"""Lower left corner of the console in the table frame; the tongue reaches from there to the mat's edge."""
LANE_MARK: Final = 3.2
"""Diameter of a lane mark's dot; one, two and three dots for the left, middle and right lane."""
LANE_MARK_PITCH: Final = 4.6

# The comb that parts the lights of a bar: two rails and ten ribs, laid over the strip.
RAIL: Final = 0.9
RIB: Final = 1.2
RIB_ABOVE: Final = 3.4
"""Free height under a rib, for the strip with its solder joints."""
MAT_LANE_MARK: Final = (56.0, 56.0)
"""The same marks on the mat: from the lane's middle line and from the boards' middle line to the outermost dot."""
MAT_LANE_MARK_DOT: Final = 5.0
MAT_LANE_MARK_PITCH: Final = 8.0

# What goes into the bay.
NANO: Final = (18.5, 45.0, 8.0)
"""Arduino Nano without pin headers: width, length, height with its USB socket."""
PICO: Final = (21.0, 51.3, 5.0)
CAPACITOR: Final = (10.0, 17.0)
"""1000 uF, 10 V, lying: diameter and length."""
USB_OPENING: Final = (13.0, 9.0)
"""Width and height, so that the moulded plug of a Mini, Micro or C cable goes in."""
CABLE_HOLE: Final = 5.0
CABLE: Final = 4.5
"""Thickest button cable that is promised to fit."""
WIRE: Final = 1.6
"""Outer diameter of a 0.25 mm2 wire."""
SCREW: Final = (3.0, 2.5)
"""Outer diameter of the self-tapping screws and the hole that they cut into."""
POST: Final = 7.0
"""Side of a square post that takes a screw."""

# Button box: one for each seat.
BUTTON_HOLE: Final = 16.2
BUTTON_DEPTH: Final = 28.0
"""Of a 16 mm push button behind its panel, with the soldered wires."""
BUTTON_NUT: Final = 22.0
"""Across the corners of its nut."""
BOX: Final = (42.0, 42.0, 34.0)
BOX_WALL: Final = 2.4
FOOT_THICK: Final = 3.0

# Camera plate: for a webcam that has a clip and no thread.
PLATE: Final = (60.0, 40.0, 8.0)
THREAD: Final = 6.6
"""Hole for a 1/4-20 screw (6.35 mm)."""
NUT: Final = (11.3, 5.6)
"""1/4-20 hexagon nut: width across flats and thickness, with play."""

BED: Final = 220.0
"""Side of the printer's bed that every part must fit."""


@dataclass(frozen=True, slots=True)
class Rectangle:
    """An upright rectangle on the table, mm."""

    left: float
    near: float
    right: float
    far: float

    def apart(self, other: Rectangle) -> float:
        """The least distance between two rectangles; negative where they overlap."""
        across = max(other.left - self.right, self.left - other.right)
        along = max(other.near - self.far, self.near - other.far)
        return max(across, along)


def channel_x(number: int) -> float:
    """Centre line of channel 0, 1 or 2 in the console frame."""
    return FIRST_CHANNEL + CHANNEL_PITCH * number


def bars() -> tuple[Rectangle, ...]:
    """What of each bar can shine, in the table frame: the left, middle and right lane's."""
    half = CHANNEL / 2
    return tuple(
        Rectangle(
            CONSOLE_AT[0] + channel_x(k) - half,
            -STRIP_LENGTH / 2,
            CONSOLE_AT[0] + channel_x(k) + half,
            STRIP_LENGTH / 2,
        )
        for k in range(3)
    )


def console() -> Rectangle:
    """The console's outline on the table, without its flat tongue."""
    x, y = CONSOLE_AT
    return Rectangle(x, y, x + CONSOLE_WIDTH, y + CONSOLE_LENGTH)


def mat(margin: float = 0.0) -> Rectangle:
    """The mat and `margin` around it."""
    return Rectangle(-MAT[0] / 2 - margin, -MAT[1] / 2 - margin, MAT[0] / 2 + margin, MAT[1] / 2 + margin)
