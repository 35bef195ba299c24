"""The wiring: nets of the WireViz files, held against the firmware's pins and the list of parts; and its drawings."""

from __future__ import annotations

import csv
import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, TypeAlias

import yaml

from kit.check import Check, at_least, same

HARDWARE: Final = Path(__file__).resolve().parents[1]
ROOT: Final = HARDWARE.parent
FOLDER: Final = HARDWARE / "wiring"
BOARDS: Final = ("nano", "pico", "own-supply")
"""Every wiring: the two boards on USB alone, and a Nano with a supply of one's own for the lights."""
TOP_VIEW_ORDER: Final = ("BAR_LEFT", "BAR_MIDDLE", "BAR_RIGHT")
Pin: TypeAlias = tuple[str, str]
"""A part's designator and the label (or number) of its pin."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """One board's wiring: which pins are joined, and what each part and cable is."""

    nets: tuple[frozenset[Pin], ...]
    parts: Mapping[str, str]
    """Designator to the number in bom.csv, connectors only."""
    cables: Mapping[str, Mapping[str, Any]]

    def net(self, part: str, pin: str) -> frozenset[Pin]:
        """Everything joined to a pin, itself included."""
        return next((net for net in self.nets if (part, pin) in net), frozenset({(part, pin)}))

    def pin_behind(self, part: str, pin: str) -> str | None:
        """The board's signal pin that a pin leads to, through resistors and gates; None where there is none."""
        supply = {net for net in self.nets if net & {("BOARD", "GND"), ("BOARD", "5V"), ("BOARD", "VBUS")}}
        todo, seen = [self.net(part, pin)], set()
        while todo:
            net = todo.pop()
            if net in seen or net in supply:
                continue
            seen.add(net)
            for other, label in net:
                if other == "BOARD":
                    return label
                if other.startswith("R"):
                    todo.append(self.net(other, "2" if label == "1" else "1"))
                if other == "U1" and label.startswith("1Y"):
                    todo.append(self.net(other, "1A (pin 2)"))
        return None


def _pins(where: Mapping[str, Any], connectors: Mapping[str, Mapping[str, Any]]) -> Pin | None:
    (part, pin), *_ = where.items()
    if part not in connectors:
        return None
    labels = connectors[part].get("pinlabels")
    return part, str(labels[pin - 1]) if labels else str(pin)


def read(board: str, folder: Path = FOLDER) -> Wiring:
    """The wiring of `nano` or `pico`."""
    data = yaml.safe_load((folder / f"{board}.yml").read_text(encoding="utf-8"))
    connectors, cables = data["connectors"], data["cables"]
    group: dict[Pin, set[Pin]] = {}
    for line in data["connections"]:
        pins = [pin for item in line if isinstance(item, dict) and (pin := _pins(item, connectors)) is not None]
        joined = set(pins).union(*(group.get(pin, set()) for pin in pins))
        for pin in joined:
            group[pin] = joined
    nets = {frozenset(net) for net in group.values()}
    return Wiring(tuple(sorted(nets, key=sorted)), {n: c["pn"] for n, c in connectors.items()}, cables)


def lengths(wiring: Wiring) -> dict[str, float]:
    """Metres of each wire or cable by its number in bom.csv."""
    need: dict[str, float] = defaultdict(float)
    for cable in wiring.cables.values():
        numbers = cable["pn"] if isinstance(cable["pn"], list) else [cable["pn"]]
        for number in numbers:
            need[number] += float(cable["length"])
    return dict(need)


def bill() -> dict[str, dict[str, str]]:
    """bom.csv by number."""
    with (HARDWARE / "bom.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def avr_pins() -> dict[str, str]:
    """Lights and buttons of the Nano and Uno, as their boards print them."""
    text = (ROOT / "firmware" / "avr" / "pins.h").read_text(encoding="utf-8")
    bits = dict(re.findall(r"#define (\w+)_BIT (\d+)", text))
    return {"lights": f"D{bits['LIGHTS']}", "near": f"D{bits['BUTTON_NEAR']}", "far": f"D{bits['BUTTON_FAR']}"}


def pico_pins() -> dict[str, str]:
    """Lights and buttons of the Raspberry Pi Pico, as its board prints them."""
    text = (ROOT / "firmware" / "pico" / "pins.h").read_text(encoding="utf-8")
    pins = dict(re.findall(r"(\w+)_GPIO = (\d+)", text))
    return {"lights": f"GP{pins['LIGHTS']}", "near": f"GP{pins['BUTTON_NEAR']}", "far": f"GP{pins['BUTTON_FAR']}"}


SKETCH_BOARDS: Final[dict[str, tuple[str, frozenset[int]]]] = {
    "CONFIG_IDF_TARGET_ESP32C3": ("ESP32-C3", frozenset({2, 8, 9, *range(11, 18), 18, 19, 20, 21})),
    "ARDUINO_ARCH_ESP32": ("ESP32", frozenset({0, 1, 2, 3, 5, *range(6, 12), 12, 15, *range(34, 40)})),
    "ARDUINO_ARCH_ESP8266": ("ESP8266", frozenset({0, 1, 2, 3, *range(6, 12), 15, 16})),
    "": ("other boards", frozenset({0, 1})),
}
"""Boards that the Arduino sketch has pins for, by what its preprocessor asks; and pins that must stay free there.

Those of the flash memory, of the start-up, of the serial port and of USB, and inputs without a pull-up (data sheets).
"""


def sketch_pins() -> dict[str, dict[str, int]]:
    """The pins of the Arduino sketch by board, as the chip numbers them."""
    text = (ROOT / "firmware" / "arduino" / "allfronts.ino").read_text(encoding="utf-8")
    found: dict[str, dict[str, int]] = {}
    for asked, body in re.findall(
        r"#(?:if|elif|else)([^\n]*)\n((?:static const uint8_t \w+_PIN = \d+;[^\n]*\n)+)", text
    ):
        names = re.findall(r"defined\((\w+)\)", asked)
        name = SKETCH_BOARDS[names[-1] if names else ""][0]
        pins = dict(re.findall(r"(\w+)_PIN = (\d+);", body))
        found[name] = {"lights": int(pins["LIGHTS"]), "near": int(pins["NEAR"]), "far": int(pins["FAR"])}
    return found


def wired_pins(wiring: Wiring) -> dict[str, str | None]:
    """The board's pins that lights and buttons are wired to."""
    return {
        "lights": wiring.pin_behind("BAR_LEFT", "DIN"),
        "near": wiring.pin_behind("BUTTON_NEAR", "1"),
        "far": wiring.pin_behind("BUTTON_FAR", "1"),
    }


def _chain(wiring: Wiring, board: str) -> list[Check]:
    checks = []
    for one, two in pairwise(TOP_VIEW_ORDER):
        for out, into in (("DOUT", "DIN"), ("5V OUT", "5V IN"), ("GND OUT", "GND IN")):
            joined = (two, into) in wiring.net(one, out)
            checks.append(Check(f"{board}: {one} {out} goes to {two} {into}", joined, "one wire"))
    ground = wiring.net("BOARD", "GND")
    for part, pin in (("BAR_LEFT", "GND IN"), ("BUTTON_NEAR", "2"), ("BUTTON_FAR", "2"), ("C1", "-"), ("R2", "2")):
        checks.append(Check(f"{board}: {part} {pin} is on ground", (part, pin) in ground, "one net"))
    plus = wiring.net("BAR_LEFT", "5V IN")
    fuse = "F2" if "SUPPLY" in wiring.parts else "F1"
    fused = (fuse, "2") in plus and not any(part in ("BOARD", "SUPPLY") for part, _ in plus)
    checks.append(Check(f"{board}: the strip's plus comes through the fuse", fused, "no way around it"))
    if "U1" in wiring.parts:
        # An input that hangs in the air makes a CMOS chip oscillate and draw current.
        tied = {label for part, label in ground if part == "U1"}
        quiet = any(label.startswith("unused inputs") for label in tied) and any(
            label.startswith("1OE") for label in tied
        )
        checks.append(Check(f"{board}: no input of the level shifter hangs in the air", quiet, ", ".join(sorted(tied))))
    if "SUPPLY" in wiring.parts:
        free = len(wiring.net("BOARD", "5V")) == 1 and ("SUPPLY", "GND") in ground
        checks.append(Check(f"{board}: grounds are joined, the two 5 V are not", free, "no current back into USB"))
    return checks


def wiring_checks() -> list[Check]:
    """Nets against the pins of all boards, parts against bom.csv, both ways."""
    wirings = {board: read(board) for board in BOARDS}
    checks: list[Check] = []
    maps = [
        ("nano", "firmware/avr/pins.h", avr_pins()),
        ("pico", "firmware/pico/pins.h", pico_pins()),
        ("own-supply", "firmware/avr/pins.h", avr_pins()),
    ]
    for board, source, pins in maps:
        checks.append(same(f"{board}: the wiring's pins are those of {source}", wired_pins(wirings[board]), pins))
    sketch = sketch_pins()
    checks.append(
        same("the Arduino sketch has pins for each board", set(sketch), {n for n, _ in SKETCH_BOARDS.values()})
    )
    plain = {what: f"D{pin}" for what, pin in sketch["other boards"].items()}
    checks.append(same("nano: the wiring's pins are the Arduino sketch's", plain, wired_pins(wirings["nano"])))
    for name, taken in SKETCH_BOARDS.values():
        used = set(sketch.get(name, {}).values())
        free = len(used) == 3 and not used & taken
        checks.append(Check(f"{name}: the sketch's pins are three free ones", free, ", ".join(map(str, sorted(used)))))
    for board, wiring in wirings.items():
        checks += _chain(wiring, board)
    checks += _bill_checks(wirings.values())
    return checks


def _bill_checks(wirings: Iterable[Wiring]) -> list[Check]:
    rows = bill()
    soldered = {number for number, row in rows.items() if number.startswith("E")} - {"E16", "E17"}
    named: set[str] = set()
    checks = []
    for wiring in wirings:
        counts: dict[str, float] = defaultdict(float)
        for number in wiring.parts.values():
            counts[number] += 1
        need = counts | lengths(wiring)
        need["E03"] = counts["E03"] * 0.15
        named |= set(need)
        for number, amount in sorted(need.items()):
            known = float(rows[number]["needed"]) if number in rows else 0.0
            checks.append(at_least(f"{number} in bom.csv covers the wiring", known, round(amount, 3), "of it"))
    checks.append(same("the wiring and bom.csv name the same electrical parts", sorted(named), sorted(soldered)))
    for number, row in rows.items():
        priced = re.fullmatch(r"\d+\.\d\d", row["price EUR"]) is not None
        sold = float(row["sold as"]) >= float(row["needed"]) or number == "E03"
        checks.append(Check(f"{number} has a price and is sold in enough", priced and sold, row["part"]))
    return checks


def digest(board: str, folder: Path = FOLDER) -> str:
    """Of the wiring's source; it stands in what is drawn from it."""
    return hashlib.sha256((folder / f"{board}.yml").read_bytes()).hexdigest()[:16]


def write_all(folder: Path = FOLDER) -> None:
    """Draws every wiring as SVG and writes its list of parts; needs Graphviz."""
    from wireviz import wireviz

    for board in BOARDS:
        source = folder / f"{board}.yml"
        harness = wireviz.parse(source, return_types="harness")
        svg = harness.svg
        text = svg.decode("utf-8") if isinstance(svg, bytes) else str(svg)
        (folder / f"{board}.svg").write_text(f"{text}<!-- drawn from {board}.yml {digest(board)} -->\n", "utf-8")
        (folder / f"{board}.bom.tsv").write_text(parts_list(board), "utf-8")


def parts_list(board: str) -> str:
    """WireViz's list of parts of one wiring, tab separated."""
    from wireviz import wireviz
    from wireviz.wv_bom import bom_list
    from wireviz.wv_helper import tuplelist2tsv

    harness = wireviz.parse(FOLDER / f"{board}.yml", return_types="harness")
    return str(tuplelist2tsv(bom_list(harness.bom())))


def drawing_checks(folder: Path = FOLDER) -> list[Check]:
    """Drawings and lists of parts belong to the wiring as it is now."""
    checks = []
    for board in BOARDS:
        svg, tsv = folder / f"{board}.svg", folder / f"{board}.bom.tsv"
        fresh = svg.is_file() and digest(board) in svg.read_text(encoding="utf-8")
        checks.append(Check(f"{svg.name} is drawn from {board}.yml as it is", fresh, "python hardware/build.py wiring"))
        listed = tsv.is_file() and tsv.read_text(encoding="utf-8") == parts_list(board)
        checks.append(Check(f"{tsv.name} is the list of {board}.yml", listed, "python hardware/build.py wiring"))
    return checks
