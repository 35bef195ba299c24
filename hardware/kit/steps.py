"""The pictures of the assembly, one a step, drawn from the parts themselves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from manifold3d import Manifold

from kit import bought, parts
from kit import dimensions as d
from kit.bought import BLACK, BLUE, COPPER, GREEN, RED, SILVER, WHITE, YELLOW, moved, wire
from kit.parts import block, rod
from kit.render import Label, Picture, Thing, View, render

FOLDER: Final = Path(__file__).resolve().parents[1] / "pictures"
SHELL: Final = (168, 174, 184)
SCREEN: Final = (236, 238, 232)
BAY_X: Final = d.CHANNELS_WIDTH
_NEAR: Final = d.END + 2.0 + d.DUCT / 2
_FAR: Final = d.CONSOLE_LENGTH - _NEAR
_LOW: Final = d.FLOOR + 2.0


def comb_in_place(lane: int, up: float = 0.0) -> list[Thing]:
    """A lane's comb as it stands over its strip, or `up` mm above."""
    wide, long = d.CHANNEL - 2 * d.FIT, d.STRIP_LENGTH + d.RIB
    high = d.CONSOLE_HEIGHT - d.DIFFUSER_THICK - d.FLOOR
    solid = parts.comb().rotate((0, 180, 0)).translate((wide, 0, high))
    x, y = d.channel_x(lane) - wide / 2, (d.CONSOLE_LENGTH - long) / 2
    return [Thing(solid.translate((x, y, d.FLOOR + up)), BLACK)]


def diffuser_in_place(lane: int, up: float = 0.0) -> list[Thing]:
    """A lane's diffuser on its ledge, or `up` mm above."""
    wide = d.CHANNEL + 2 * d.LEDGE - 2 * d.FIT
    x, y = d.channel_x(lane) - wide / 2, d.END - d.LEDGE + d.FIT
    return [Thing(parts.diffuser().translate((x, y, d.CONSOLE_HEIGHT - d.DIFFUSER_THICK + up)), SCREEN)]


def _lid(up: float = 0.0) -> list[Thing]:
    at = (BAY_X + d.FIT, d.WALL + d.FIT, d.CONSOLE_HEIGHT - d.LID_THICK + up)
    return [Thing(parts.lid().translate(at), (196, 200, 208))]


def _console() -> list[Thing]:
    return [Thing(parts.console(), SHELL)]


def bar_wires() -> list[Thing]:
    """The wires in the channels: from the bay to the left bar, at the far end to the middle one, at the near end on."""
    things: list[Thing] = []
    ends = (
        (d.channel_x(0), BAY_X + 6.0, _NEAR - 1.6, d.END + d.POCKET + 1.0),
        (d.channel_x(0), d.channel_x(1), _FAR, d.CONSOLE_LENGTH - d.END - d.POCKET - 1.0),
        (d.channel_x(1), d.channel_x(2), _NEAR + 1.2, d.END + d.POCKET + 1.0),
    )
    for x0, x1, y, pad in ends:
        for k, colour in enumerate((RED, GREEN, BLACK)):
            side, high = (k - 1) * 3.2, _LOW + k * 1.5
            turn0 = side if x0 != d.channel_x(1) else -side
            far_end = x1 if x1 > d.channel_x(2) else x1 + (side if x1 != d.channel_x(1) else -side)
            last = [(far_end, y, high)] if x1 > d.channel_x(2) else [(far_end, y, high), (far_end, pad, d.FLOOR + 1)]
            things += wire([(x0 + turn0, pad, d.FLOOR + 1), (x0 + turn0, y, high), *last], colour)
    return things


def bay_things() -> list[Thing]:
    """Board, resistors, capacitor, fuse and cables in the bay."""
    middle = BAY_X + d.BAY_WIDTH / 2
    board_y = d.CONSOLE_LENGTH - d.WALL - d.NANO[1]
    things = moved(bought.nano(), middle - d.NANO[0] / 2, board_y, d.FLOOR + 1)
    things += moved(bought.capacitor(), BAY_X + 9, 30, d.FLOOR)
    high = d.FLOOR + 3.2
    data = [(BAY_X + 6, _NEAR - 1.6, _LOW + 1.5), (BAY_X + 18, _NEAR + 4, high), (BAY_X + 18, 74, high)]
    things += wire(data, GREEN)
    left, corner = middle - d.NANO[0] / 2, high + 2
    pins = {name: (left + x, board_y + y, corner) for name in bought.NANO_PINS for x, y in [bought.nano_pin(name)]}
    things += _resistor((BAY_X + 18, 70, high))
    things += wire([(BAY_X + 18, 76, high), (middle + 3, board_y - 4, high), pins["D6"]], GREEN)
    # The pull-down lies over the board's row of holes.
    things += _resistor((pins["D6"][0] - 2.6, pins["GND, right"][1] + 3, corner + 1))
    beside = pins["D6"][0] - 2.6
    legs = [(beside, pins[name][1], corner + 1) for name in ("D6", "GND, right")]
    things += wire([pins["D6"], *legs, pins["GND, right"]], SILVER, 0.7)
    things += wire([(BAY_X + 6, _NEAR - 1.6, _LOW), (BAY_X + 6.5, 28, high), (BAY_X + 3.5, 60, high),
                    (BAY_X + 3.5, 98, high)], RED)  # fmt: skip
    fuse = block(BAY_X + 1.5, 98, d.FLOOR, 4, 9, 7)
    things += [Thing(fuse, YELLOW), *wire([(BAY_X + 3.5, 107, high), pins["5V"]], RED)]
    things += wire([(BAY_X + 6, _NEAR - 1.6, _LOW + 3), (BAY_X + 15, 28, high), (BAY_X + 13, 100, high), pins["GND"]],
                   BLACK)  # fmt: skip
    # The capacitor's legs: plus, at the left, to the red wire behind the fuse; minus to the black one.
    plus, minus = ((BAY_X + 9 + x, 30 + d.CAPACITOR[1] + 7, d.FLOOR + d.CAPACITOR[0] / 2) for x in (-2.5, 2.5))
    things += wire([plus, (BAY_X + 3.5, 62, high)], SILVER, 0.8) + wire([minus, (BAY_X + 14, 62, high)], SILVER, 0.8)
    out = BAY_X + d.BAY_WIDTH
    near_hole, _, far_hole = parts.cable_holes()
    for y, signal, by, aside in ((near_hole, "D2", 84.0, out - 8), (far_hole, "D3", far_hole + 3, out - 4)):
        things += wire([(out + 22, y, d.CONSOLE_HEIGHT / 2), (out - 2, y, d.CONSOLE_HEIGHT / 2), (aside, y, high + 2),
                        (aside, by, high + 2)], BLUE)  # fmt: skip
        things += _resistor((aside, by, high + 2))
        things += wire([(aside, by + 6, high + 2), pins[signal]], BLUE)
        things += wire([(out + 22, y, d.CONSOLE_HEIGHT / 2 - 1.6), (out - 2, y, d.CONSOLE_HEIGHT / 2 - 1.6),
                        (aside - 3, y + 3, high), (aside - 3, by + 6, high), pins["GND, right"]], BLACK)  # fmt: skip
    return things


def _resistor(at: tuple[float, float, float]) -> list[Thing]:
    """A resistor of a quarter watt, 6.5 mm long, from `at` towards +y."""
    return [Thing(Manifold.cylinder(6.5, 1.2, 1.2, 16).rotate((-90, 0, 0)).translate(at), COPPER)]


def printed_parts() -> Picture:
    solids = [parts.console(), parts.lid(), *[parts.diffuser()] * 3, *[parts.comb()] * 3]
    tops = [parts.button_box(), parts.button_box(), parts.button_foot(), parts.button_foot(), parts.camera_plate()]
    shades = [SHELL, (196, 200, 208), *[SCREEN] * 3, *[BLACK] * 3, *[SHELL] * 5]
    things: list[Thing] = []
    labels: list[Label] = []
    x = 15.0
    for k, solid in enumerate(solids):
        low = solid.bounding_box()
        things.append(Thing(solid.translate((x - low[0], 0, 0)), shades[k]))
        if k in (0, 1, 2, 5):
            labels.append(Label(str(len(labels) + 1), (x - low[0] + 5, 8, low[5]), (-24, 46)))
        x += low[3] - low[0] + 12
    y = 0.0
    for k, solid in enumerate(tops):
        low = solid.bounding_box()
        things.append(Thing(solid.translate((x, y, 0)), shades[8 + k]))
        if k in (0, 2, 4):
            labels.append(Label(str(len(labels) + 1), (x + 20, y + 20, low[5]), (40, -30)))
        y += low[4] + 10
        if k == 3:
            x, y = x + 54, 0.0
    return render(things, View(-20, 55), (1000, 560), labels)


def cut_strip() -> Picture:
    things = []
    for k in range(3):
        things += moved(bought.strip(), 0, k * (d.STRIP_LENGTH + 9), 0)
    labels = [Label("A", (0, 2, 2), (0, -50)), Label("B", (0, d.STRIP_LENGTH + 4.5, 1), (0, 50)),
              Label("B", (0, 2 * d.STRIP_LENGTH + 13.5, 1), (0, 50))]  # fmt: skip
    return render(things, View(90, 55), (1200, 220), labels)


def wired_bars() -> Picture:
    things = _console() + bought.strips_in_place() + bar_wires()
    near, far = d.END + 4, d.CONSOLE_LENGTH - d.END - 4
    labels = [
        Label("1", (d.channel_x(0), near + 12, 3), (-46, 26)),
        Label("2", (d.channel_x(0) + 8, far, 4), (-60, -34)),
        Label("3", (d.channel_x(1) + 8, near, 4), (-40, 60)),
        Label("4", (BAY_X + 5, _NEAR, 4), (60, 40)),
    ]
    return render(things, View(0, 80), (600, 900), labels)


def combs_and_diffusers() -> Picture:
    things = _console() + bought.strips_in_place()
    for lane in range(3):
        things += comb_in_place(lane, 40 if lane else 0) + diffuser_in_place(lane, 80 if lane else 30)
    labels = [Label("1", (d.channel_x(2), 20, 59), (70, 30)), Label("2", (d.channel_x(2), 20, 100), (70, -10))]
    return render(things, View(-35, 32), (900, 640), labels)


def wired_bay() -> Picture:
    things = _console() + bought.strips_in_place() + bar_wires() + bay_things()
    middle = BAY_X + d.BAY_WIDTH / 2
    labels = [
        Label("1", (middle, d.CONSOLE_LENGTH - 25, 6), (110, -20)),
        Label("2", (BAY_X + 18, 73, 6), (120, -6)),
        Label("3", (BAY_X + 9, 38, 12), (130, 20)),
        Label("4", (BAY_X + 3.5, 102, 8), (-170, -10)),
        Label("5", (BAY_X + d.BAY_WIDTH + 14, parts.cable_holes()[0], 10), (40, 46)),
        Label("6", (BAY_X + d.BAY_WIDTH + 14, parts.cable_holes()[2], 10), (40, -46)),
    ]
    return render(things, View(0, 80), (700, 900), labels)


def button_boxes() -> Picture:
    wide, long, high = d.BOX
    box = parts.button_box().rotate((180, 0, 0)).translate((0, long, high + 26))
    things = [Thing(box, SHELL)]
    things += moved(bought.button(), wide / 2, long / 2, high + 26 + 44)
    foot = parts.button_foot().translate((d.BOX_WALL + d.FIT, d.BOX_WALL + d.FIT, 0))
    things += [Thing(foot, SHELL)]
    things += wire([(-40, long / 2, 36), (4, long / 2, 36), (16, long / 2, 44)], BLACK, 3.5)
    labels = [Label("1", (wide / 2, long / 2, high + 76), (70, -10)), Label("2", (wide, 4, high), (70, 0)),
              Label("3", (-34, long / 2, 36), (-10, 50)), Label("4", (wide - 4, 6, 2), (70, 20))]  # fmt: skip
    return render(things, View(-35, 25), (720, 640), labels)


def first_power() -> Picture:
    things = _console() + bought.strips_in_place() + bar_wires() + bay_things()
    x, y, z = BAY_X + d.BAY_WIDTH / 2, d.CONSOLE_LENGTH, d.FLOOR + 5
    things += [Thing(block(x - 6, y + 3, z - 4, 12, 20, 8), BLACK)]
    things += wire([(x, y + 23, z), (x, y + 60, z)], BLACK, 4)
    things += [
        Thing(block(x - 14, y + 60, z - 7, 28, 50, 14), WHITE),
        Thing(block(x - 9, y + 70, z + 7, 18, 26, 1), BLUE),
    ]
    things += [Thing(block(x - 6, y + 110, z - 2.5, 12, 14, 5), SILVER)]
    things += [Thing(block(x - 60, y + 138, z - 14, 120, 46, 24), (120, 126, 136))]
    labels = [Label("1", (x, y + 83, z + 8), (70, -20)), Label("2", (x - 40, y + 160, z + 10), (-40, -40)),
              Label("3", (x, y + 12, z + 4), (80, 20))]  # fmt: skip
    return render(things, View(-58, 38), (1000, 560), labels)


def closed_console() -> Picture:
    things = _console() + _lid()
    for lane in range(3):
        things += diffuser_in_place(lane, 0)
    for x, y in parts.lid_screws():
        things.append(Thing(rod(x, y, d.CONSOLE_HEIGHT, 5.4, 1.6), SILVER))
    labels = [Label("1", (d.channel_x(0), 4.5, 20), (-30, 50)), Label("2", (-10, d.CONSOLE_LENGTH / 2, 1), (-50, 30)),
              Label("3", (*parts.lid_screws()[1], 21), (50, 30))]  # fmt: skip
    return render(things, View(-35, 40), (900, 600), labels)


def _table() -> list[Thing]:
    """The mat with boards and some cards, the console and the button boxes, in the table frame."""
    wide, long = d.MAT
    things = [Thing(block(-330, -420, -12, 720, 840, 12), (176, 142, 106))]
    things.append(Thing(block(-wide / 2, -long / 2, 0, wide, long, 0.8), (214, 208, 192)))
    for x, colour in zip(d.BOARD_X, ((150, 186, 214), (160, 182, 120), (112, 156, 176)), strict=True):
        things.append(Thing(block(x - d.BOARD[0] / 2, -d.BOARD[1] / 2, 0.8, *d.BOARD, 1.5), colour))
        for side in (-1, 1):
            for k in range(2):
                y = side * (d.BOARD[1] / 2 + 6 + 23 * k)
                low = y if side > 0 else y - d.CARD[1]
                things.append(Thing(block(x - d.CARD[0] / 2, low, 0.8 + 1.1 * k, *d.CARD, 1), WHITE))
    for x in (-185, 185):
        for y in (-272, 272):
            things.append(Thing(block(x - 19, y - 19, 0.8, 38, 38, 0.3), WHITE))
            things.append(Thing(block(x - 15, y - 15, 1.1, 30, 30, 1), BLACK))
    console = _console() + _lid()
    for lane in range(3):
        console += diffuser_in_place(lane, 0)
    things += moved(console, *d.CONSOLE_AT, 0)
    for side in (-1, 1):
        box = parts.button_box().rotate((180, 0, 0)).translate((-d.BOX[0] / 2, d.BOX[1] / 2, d.BOX[2]))
        place = (255.0, side * 250.0, 0.0)
        things.append(Thing(box.translate(place), SHELL))
        things += [Thing(t.solid.translate((255.0, side * 250.0, d.BOX[2])), t.colour) for t in bought.button()[:2]]
    return things


def console_in_place() -> Picture:
    labels = [Label("1", (217, 0, 2), (-80, -60)), Label("2", (255, -250, 42), (60, 30)),
              Label("3", (255, 250, 42), (60, -30)), Label("4", (302, -60, 20), (90, 10))]  # fmt: skip
    return render(_table(), View(-14, 52), (1000, 760), labels)


def camera_over_the_table() -> Picture:
    high = 550.0
    things = _table()
    pole_x = -300.0
    things += [Thing(block(pole_x - 25, -25, -30, 50, 50, 42), BLACK)]
    things += wire([(pole_x, 0, 10), (pole_x, 0, 420), (-150, 0, high + 60), (0, 0, high + 50)], BLACK, 16)
    things += [Thing(block(-45, -15, high, 90, 30, 28), (70, 70, 76)), Thing(rod(0, 0, high - 6, 18, 6), BLACK)]
    labels = [Label("1", (0, 0, high - 4), (90, 10)), Label("2", (pole_x, 0, 300), (-70, -20)),
              Label("3", (pole_x, 0, 0), (-70, 30))]  # fmt: skip
    return render(things, View(-22, 24), (900, 760), labels)


PICTURES: Final[dict[str, Callable[[], Picture]]] = {
    "step-01-print": printed_parts,
    "step-02-cut": cut_strip,
    "step-03-bars": wired_bars,
    "step-04-bay": wired_bay,
    "step-05-first-power": first_power,
    "step-06-combs": combs_and_diffusers,
    "step-07-buttons": button_boxes,
    "step-08-close": closed_console,
    "step-09-place": console_in_place,
    "step-10-camera": camera_over_the_table,
}
"""Every picture of the assembly by its file's name."""


def packed(picture: Picture) -> bytes:
    """The picture as PNG with few colours: drawn areas are flat, so 64 tones lose nothing that is seen."""
    levels = np.round(picture.astype(np.float32) / 255 * 31) / 31 * 255
    return bytes(cv2.imencode(".png", levels.astype(np.uint8), (cv2.IMWRITE_PNG_COMPRESSION, 9))[1])


def write_all(folder: Path = FOLDER) -> None:
    """Draws every picture anew."""
    folder.mkdir(exist_ok=True)
    for name, draw in PICTURES.items():
        (folder / f"{name}.png").write_bytes(packed(draw()))
