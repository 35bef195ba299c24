"""The wiring that people solder from is the wiring that the firmware uses."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_wiring_table_names_the_pins_of_the_firmware() -> None:
    pins = (ROOT / "firmware" / "avr" / "pins.h").read_text(encoding="utf-8")
    bits = {name: int(bit) for name, bit in re.findall(r"#define (\w+)_BIT (\d+)", pins)}
    table = (ROOT / "hardware" / "README.md").read_text(encoding="utf-8")
    assert f"| D{bits['LIGHTS']} | 330 Ω" in table
    assert f"| D{bits['BUTTON_NEAR']} | the other leg of the near seat's button |" in table
    assert f"| D{bits['BUTTON_FAR']} | the other leg of the far seat's button |" in table
