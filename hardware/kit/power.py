"""The power budget: what draws current, and that every part of the way stands what the one before it lets through."""

from __future__ import annotations

import re
from typing import Final

from kit.check import Check, at_least, at_most
from kit.wiring import ROOT, read

BOARD_MA: Final = 50.0
"""Nano with its USB chip, or Pico with the level shifter (data sheets: 20 to 45 mA)."""
FUSE_HOLD: Final = 500.0
FUSE_TRIP: Final = 1000.0
"""mA at 20 degrees, of a 500 mA resettable fuse."""
FUSE_WARM: Final = 0.85
"""Share of its hold current that such a fuse still holds at 40 degrees."""
FUSE_OHM: Final = 1.17
"""Not more than, an hour after it has opened (data sheet of the MF-R050, R1 max.; a new one has 0.41 to 0.77)."""
FUSE_FAST_MA: Final = 2500.0
FUSE_FAST_S: Final = 4.0
"""At five times its hold current it opens within this time; at `FUSE_TRIP` in the end, which may take minutes."""
DIODE_MA: Final = 500.0
"""Of the small diode between USB and 5V on many clones (MBR0520); boards of Arduino's own carry more."""
DIODE_DROP: Final = 0.4
PORT_MA: Final = 500.0
"""A computer's USB 2.0 port, or a hub with its own supply."""
PORT_VOLTS: Final = 4.75
WIRE_MA: Final = {"0.25 mm2": 3000.0, "0.5 mm2": 5000.0}
"""What a wire in a bundle inside a housing carries without getting warm."""
WIRE_OHM_M: Final = {"0.25 mm2": 0.075}
LIGHT_VOLTS: Final = 3.7
"""Least supply at which a WS2812B is sure to work (data sheet)."""
OWN_BUDGET: Final = 1500.0
"""What power.md lets the lights draw from a supply of one's own, mA."""
OWN_FUSE: Final = 2000.0
SLOW_FUSE: Final = 1.5
"""Share of its rating that a slow glass fuse may carry for an hour without opening (IEC 60127)."""
CAPACITOR_UF: Final = 100.0
USB_UF: Final = 10.0
"""What a USB device may charge at once when it is plugged in (USB 2.0, 7.2.4.1)."""


def firmware_budget() -> float:
    """What the firmware lets the lights draw as it comes, mA."""
    text = (ROOT / "firmware" / "core" / "settings.c").read_text(encoding="utf-8")
    match = re.search(r"settings->budget_ma = (\d+);", text)
    if match is None:
        raise ValueError("firmware/core/settings.c states no budget_ma")
    return float(match.group(1))


def volts_at_the_lights() -> float:
    """Supply of the last light with everything on, from a port that gives the least a port may give."""
    amps, board = firmware_budget() / 1000, BOARD_MA / 1000
    metres = sum(float(cable["length"]) for name, cable in read("nano").cables.items() if name in ("W1", "W2", "W3"))
    wire = 2 * metres * WIRE_OHM_M["0.25 mm2"]
    return PORT_VOLTS - 0.1 * (amps + board) - DIODE_DROP - (FUSE_OHM + wire) * amps


def promised_volts() -> float:
    """What power.md says that the lights get at least."""
    text = (ROOT / "hardware" / "power.md").read_text(encoding="utf-8")
    match = re.search(r"The lights get at least ([0-9.]+) V", text)
    if match is None:
        raise ValueError("hardware/power.md promises the lights no volts")
    return float(match.group(1))


def power_checks() -> list[Check]:
    """Lights <= fuse <= wire, and lights and board <= diode and port."""
    lights = firmware_budget()
    checks = [
        at_most("the lights' budget, against the fuse on a warm day", lights, FUSE_HOLD * FUSE_WARM, "mA"),
        at_most("lights and board, against a clone's diode", lights + BOARD_MA, DIODE_MA, "mA"),
        at_most("lights and board, against a USB port", lights + BOARD_MA, PORT_MA, "mA"),
        at_least("volts at the last light, from the weakest port", volts_at_the_lights(), LIGHT_VOLTS, "V"),
        at_most("volts that power.md promises the lights", promised_volts(), volts_at_the_lights(), "V"),
    ]
    checks.append(at_most("own supply: the lights' budget, against its fuse", OWN_BUDGET, OWN_FUSE, "mA"))
    for name, cable in read("own-supply").cables.items():
        carries = WIRE_MA[str(cable["gauge"])]
        checks.append(at_most(f"own supply: the fuse opens before {name} is warm", OWN_FUSE * SLOW_FUSE, carries, "mA"))
    for board in ("nano", "pico"):
        for name, cable in read(board).cables.items():
            carries = WIRE_MA[str(cable["gauge"])]
            checks.append(at_most(f"{board}: the fuse opens before {name} is warm", FUSE_TRIP, carries, "mA"))
    return checks


def rows() -> list[tuple[str, str, str]]:
    """The budget as a table: what, milliamperes, where from."""
    lights = firmware_budget()
    return [
        ("27 lights, at most", f"{lights:.0f}", "the firmware works it out before each picture and dims to it"),
        ("board", f"{BOARD_MA:.0f}", "data sheets"),
        ("both", f"{lights + BOARD_MA:.0f}", "a USB port of a computer gives 500"),
        ("fuse holds, 20 / 40 degrees", f"{FUSE_HOLD:.0f} / {FUSE_HOLD * FUSE_WARM:.0f}", "data sheet, MF-R050"),
        ("fuse opens in the end", f"{FUSE_TRIP:.0f}", "data sheet; may take minutes"),
        ("fuse opens fast", f"{FUSE_FAST_MA:.0f}", f"data sheet; within {FUSE_FAST_S:.0f} s"),
        ("diode of a clone Nano", f"{DIODE_MA:.0f}", "MBR0520"),
        ("wire 0.25 mm2", f"{WIRE_MA['0.25 mm2']:.0f}", "in a bundle"),
    ]
