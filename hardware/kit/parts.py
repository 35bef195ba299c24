"""The printed parts as solids, each as it is printed: its own frame in mm, standing on z = 0.

Built with manifold3d (Apache-2.0), whose results are watertight by construction; the check measures it all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from manifold3d import Manifold

from kit import dimensions as d

SEGMENTS: Final = 32
_OVER: Final = 1.0
"""How far a cut runs past a surface, so that no skin is left."""


def block(x: float, y: float, z: float, wide: float, long: float, high: float) -> Manifold:
    """A block from its lowest corner and its size."""
    return Manifold.cube((wide, long, high)).translate((x, y, z))


def rod(x: float, y: float, z: float, diameter: float, high: float) -> Manifold:
    """An upright cylinder from the centre of its foot."""
    return Manifold.cylinder(high, diameter / 2, diameter / 2, SEGMENTS).translate((x, y, z))


def _across(x: float, y: float, z: float, diameter: float, long: float) -> Manifold:
    """A cylinder that lies along x, from the centre of its left end."""
    return Manifold.cylinder(long, diameter / 2, diameter / 2, SEGMENTS).rotate((0, 90, 0)).translate((x, y, z))


def _together(pieces: list[Manifold]) -> Manifold:
    whole = Manifold()
    for piece in pieces:
        whole += piece
    return whole


def lid_screws() -> tuple[tuple[float, float], ...]:
    """Where the lid's four screws go, in the console frame."""
    left, right = d.CHANNELS_WIDTH + d.POST / 2, d.CHANNELS_WIDTH + d.BAY_WIDTH - d.POST / 2
    low, high = d.WALL + d.POST / 2, d.CONSOLE_LENGTH - d.WALL - d.POST / 2
    return ((left, low), (right, low), (left, high), (right, high))


def console() -> Manifold:
    """The body: three channels with a ledge for the diffusers, wire ducts, the controller's bay, the tongue."""
    length, height = d.CONSOLE_LENGTH, d.CONSOLE_HEIGHT
    body = block(0, 0, 0, d.CONSOLE_WIDTH, length, height)
    body += block(-d.CONSOLE_GAP, length / 2 - d.TONGUE[0] / 2, 0, d.CONSOLE_GAP + _OVER, *d.TONGUE)
    cuts: list[Manifold] = []
    for lane in range(3):
        x = d.channel_x(lane)
        cuts.append(block(x - d.CHANNEL / 2, d.END, d.FLOOR, d.CHANNEL, length - 2 * d.END, height))
        recess = d.CHANNEL / 2 + d.LEDGE
        cuts.append(
            block(
                x - recess, d.END - d.LEDGE, height - d.DIFFUSER_THICK, 2 * recess,
                length - 2 * d.END + 2 * d.LEDGE, height,
            )
        )  # fmt: skip
        for end in (d.END / 2 - d.LEDGE / 2, length - d.END / 2 + d.LEDGE / 2):
            for dot in range(lane + 1):
                at = x + (dot - lane / 2) * d.LANE_MARK_PITCH
                cuts.append(rod(at, end, height - 0.8, d.LANE_MARK, 0.8 + _OVER))
    bay_x, wide = d.CHANNELS_WIDTH, d.BAY_WIDTH
    cuts.append(block(bay_x, d.WALL, d.FLOOR, wide, length - 2 * d.WALL, height))
    first = d.channel_x(0)
    for y in (d.END + 2.0, length - d.END - 2.0 - d.DUCT):
        cuts.append(block(first, y, d.FLOOR, bay_x - first + _OVER, d.DUCT, height))
    cuts.append(
        block(bay_x + wide / 2 - d.USB_OPENING[0] / 2, length - d.WALL - _OVER, d.FLOOR + 0.5, d.USB_OPENING[0],
              d.WALL + 2 * _OVER, d.USB_OPENING[1])
    )  # fmt: skip
    for y in cable_holes():
        cuts.append(_across(bay_x + wide - _OVER, y, height / 2, d.CABLE_HOLE, d.WALL + 2 * _OVER))
    body -= _together(cuts)
    for x, y in lid_screws():
        post = block(x - d.POST / 2, y - d.POST / 2, d.FLOOR - 0.1, d.POST, d.POST, _post_top() - d.FLOOR + 0.1)
        body += post - rod(x, y, d.FLOOR + 4, d.SCREW[1], height)
    for side in (-1, 1):
        rail = bay_x + wide / 2 + side * (d.PICO[0] / 2 + d.FIT + 0.6)
        body += block(rail - 0.6, length - d.WALL - 46, d.FLOOR - 0.1, 1.2, 40, 3.1)
    return body


def _post_top() -> float:
    return d.CONSOLE_HEIGHT - d.LID_THICK


def cable_holes() -> tuple[float, float, float]:
    """Places along the console of the holes in its right side: near button, supply of one's own, far button."""
    return (24.0, d.CONSOLE_LENGTH / 2, d.CONSOLE_LENGTH - 62.0)


def comb() -> Manifold:
    """The walls between the lights of one bar, upside down as it is printed: the side that faces the diffuser on z = 0.

    Print it black or another dark colour, so that one light does not shine into the next.
    """
    high = d.CONSOLE_HEIGHT - d.DIFFUSER_THICK - d.FLOOR
    wide = d.CHANNEL - 2 * d.FIT
    long = d.STRIP_LENGTH + d.RIB
    pieces = [block(x, 0, 0, d.RAIL, long, high) for x in (0, wide - d.RAIL)]
    pieces += [block(0, k * d.LIGHT_PITCH, 0, wide, d.RIB, high - d.RIB_ABOVE) for k in range(d.LIGHTS + 1)]
    return _together(pieces)


def diffuser() -> Manifold:
    """The white window over one bar. Print it white and solid."""
    wide = d.CHANNEL + 2 * d.LEDGE - 2 * d.FIT
    long = d.CONSOLE_LENGTH - 2 * d.END + 2 * d.LEDGE - 2 * d.FIT
    return block(0, 0, 0, wide, long, d.DIFFUSER_THICK)


def lid() -> Manifold:
    """The cover of the controller's bay, held by four screws."""
    wide, long = d.BAY_WIDTH - 2 * d.FIT, d.CONSOLE_LENGTH - 2 * d.WALL - 2 * d.FIT
    plate = block(0, 0, 0, wide, long, d.LID_THICK)
    for x, y in lid_screws():
        plate -= rod(x - d.CHANNELS_WIDTH - d.FIT, y - d.WALL - d.FIT, -_OVER, d.SCREW[0] + 0.4, d.LID_THICK + 2)
    return plate


def button_screws() -> tuple[tuple[float, float], tuple[float, float]]:
    """Where the two screws of a button box's foot go, from the box's lower left corner."""
    at = d.BOX_WALL + d.POST / 2
    return ((at, at), (d.BOX[0] - at, d.BOX[1] - at))


def button_box() -> Manifold:
    """The housing of one push button, printed with its top on the bed, the open side up."""
    wide, long, high = d.BOX
    box = block(0, 0, 0, wide, long, high)
    box -= block(d.BOX_WALL, d.BOX_WALL, d.BOX_WALL, wide - 2 * d.BOX_WALL, long - 2 * d.BOX_WALL, high)
    box -= rod(wide / 2, long / 2, -_OVER, d.BUTTON_HOLE, d.BOX_WALL + 2 * _OVER)
    box -= _across(-_OVER, long / 2, high - 10, d.CABLE_HOLE, d.BOX_WALL + 2 * _OVER)
    for x, y in button_screws():
        post = block(x - d.POST / 2, y - d.POST / 2, 0, d.POST, d.POST, high - d.FOOT_THICK)
        box += post - rod(x, y, high - 15, d.SCREW[1], 20)
    return box


def button_foot() -> Manifold:
    """The bottom of a button box."""
    inner = d.BOX[0] - 2 * d.BOX_WALL - 2 * d.FIT
    foot = block(0, 0, 0, inner, inner, d.FOOT_THICK)
    for x, y in button_screws():
        inset = d.BOX_WALL + d.FIT
        foot -= rod(x - inset, y - inset, -_OVER, d.SCREW[0] + 0.4, d.FOOT_THICK + 2)
    return foot


def camera_plate() -> Manifold:
    """A plate for the clip of a webcam, with a 1/4-20 nut for the arm's screw and two slots for a strap."""
    wide, long, high = d.PLATE
    plate = block(0, 0, 0, wide, long, high)
    plate -= rod(wide / 2, long / 2, -_OVER, d.THREAD, high + 2 * _OVER)
    corners = d.NUT[0] / 2 / 0.8660254
    trap = Manifold.cylinder(d.NUT[1] + _OVER, corners, corners, 6)
    plate -= trap.translate((wide / 2, long / 2, high - d.NUT[1]))
    for x in (6.0, wide - 10.0):
        plate -= block(x, 8, -_OVER, 4, long - 16, high + 2 * _OVER)
    return plate


PARTS: Final[dict[str, Callable[[], Manifold]]] = {
    "console": console,
    "comb": comb,
    "diffuser": diffuser,
    "lid": lid,
    "button-box": button_box,
    "button-foot": button_foot,
    "camera-plate": camera_plate,
}
"""Every printed part by the name of its files."""

COUNT: Final[dict[str, int]] = {
    "console": 1,
    "comb": 3,
    "diffuser": 3,
    "lid": 1,
    "button-box": 2,
    "button-foot": 2,
    "camera-plate": 1,
}
"""How many of each are printed."""
