"""Does everything on the table have room: the console beside the mat, the strips, the board and the buttons."""

from __future__ import annotations

from kit import camera
from kit import dimensions as d
from kit.check import Check, at_least, at_most


def clearances() -> list[Check]:
    """Every distance on the table and in the console, measured."""
    console, watched = d.console(), d.mat(d.WATCHED)
    boards = d.Rectangle(d.BOARD_X[0] - d.BOARD[0] / 2, -d.BOARD[1] / 2, d.BOARD_X[2] + d.BOARD[0] / 2, d.BOARD[1] / 2)
    bars = d.bars()
    inner = d.CHANNEL - 2 * d.FIT - 2 * d.RAIL
    channel_depth = d.CONSOLE_HEIGHT - d.DIFFUSER_THICK - d.FLOOR
    bay_depth = d.CONSOLE_HEIGHT - d.LID_THICK - d.FLOOR
    return [
        at_least("console to the watched area", console.apart(watched), d.SLACK),
        at_least("console to the right board", console.apart(boards), 20.0),
        at_least("bars to the watched area", min(bar.apart(watched) for bar in bars), d.SLACK),
        at_least(
            f"console as seen by any camera up to {camera.TILT:g} degrees off the vertical, to the watched area",
            camera.nearest_sight_of_the_console() - watched.right,
            1.0,
        ),
        at_least(
            "lines of sight to the mat over the console", camera.least_sight_over_the_console(), d.CONSOLE_HEIGHT + 10
        ),
        at_least("a strip in its sleeve is too wide for the comb, as the texts say", d.SLEEVED[0] - inner, 0.5),
        at_least("bar to bar", min(bars[k].apart(bars[k + 1]) for k in range(2)), 2 * d.LEDGE + 2 * d.FIT + 2.0),
        at_most("bars' middle lights off the boards' middle line", max(abs(b.near + b.far) / 2 for b in bars), 0.01),
        at_least("strip between the comb's rails", inner - d.STRIP_WIDTH, 0.3),
        at_least("strip under the comb's ribs", d.RIB_ABOVE - d.STRIP_THICK, 0.5),
        at_least("from light to diffuser, for an even window", channel_depth - d.STRIP_THICK, 10.0),
        at_least("pocket for solder joints at a strip's end", d.POCKET - d.RIB, 7.0),
        at_least("Nano between the lid's posts", d.BAY_WIDTH - 2 * d.POST - d.NANO[0], 1.0),
        at_least("Pico between the lid's posts", d.BAY_WIDTH - 2 * d.POST - d.PICO[0], 0.8),
        at_least("Nano under the lid", bay_depth - d.NANO[2], 3.0),
        at_least("capacitor under the lid", bay_depth - d.CAPACITOR[0], 2.0),
        at_least(
            "board and capacitor one behind the other in the bay",
            d.CONSOLE_LENGTH - 2 * d.WALL - d.PICO[1] - d.CAPACITOR[1] - d.POST,
            40.0,
        ),
        at_most(
            "six wires in a duct, share of its section", 6 * 3.1416 / 4 * d.WIRE**2 / (d.DUCT * d.DUCT_USED), 0.6, ""
        ),
        at_least("button's cable in its hole", d.CABLE_HOLE - d.CABLE, 0.4),
        at_least("wall between two diffusers", d.CHANNEL_PITCH - d.CHANNEL - 2 * d.LEDGE, 2.0),
        at_least("button in its box", d.BOX[2] - d.BOX_WALL - d.FOOT_THICK - d.BUTTON_DEPTH, 0.5),
        at_least(
            "button's nut to the box's screw posts",
            (d.BOX[0] / 2 - d.BOX_WALL - d.POST) * 2**0.5 - d.BUTTON_NUT / 2,
            3.0,
        ),
        at_least("plate under the nut of the camera's screw", d.PLATE[2] - d.NUT[1], 2.0),
    ]
