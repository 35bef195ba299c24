"""Tables of the texts that a program works out: heights of cameras, power, parts to print, parts to buy."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from kit import camera, power, wiring
from kit.check import Check
from kit.parts import COUNT, PARTS

HARDWARE: Final = Path(__file__).resolve().parents[1]
DENSITY: Final = 1.27
"""Grams a cubic centimetre of PETG; PLA is 1.24."""
NOTES: Final[dict[str, tuple[str, str]]] = {
    "console": ("dark, opaque", "0.2 mm layers, 3 walls, 15 % infill, no support, as it lies in the file"),
    "comb": ("black", "0.2 mm layers, 2 walls, no support; the smooth side on the bed faces the diffuser"),
    "diffuser": ("white", "0.2 mm layers, 100 % infill, five layers"),
    "lid": ("dark or white", "0.2 mm layers, 3 walls, 15 % infill"),
    "button-box": ("any", "0.2 mm layers, 3 walls, 20 % infill, open side up"),
    "button-foot": ("any", "0.2 mm layers, 3 walls, 20 % infill"),
    "camera-plate": ("any", "0.2 mm layers, 5 walls, 40 % infill; only for a camera without a thread"),
}
"""Colour and settings of each printed part."""


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def _cameras() -> str:
    return _table(
        ("camera", "lens over the mat, cm", "pixels a millimetre, at a picture's width", "held by"), camera.table()
    )


def _power() -> str:
    return _table(("what", "mA", "from"), power.rows())


def _prints() -> str:
    rows = []
    for name, make in PARTS.items():
        low, high = make().bounding_box()[:3], make().bounding_box()[3:]
        size = " × ".join(f"{b - a:.0f}" for a, b in zip(low, high, strict=True))
        grams = f"{make().volume() / 1000 * DENSITY * COUNT[name]:.0f}"
        rows.append((f"`parts/{name}`", str(COUNT[name]), size, grams, *NOTES[name]))
    return _table(("part", "number", "size, mm", "g if solid", "colour", "settings"), rows)


def _bill() -> str:
    rows = wiring.bill().values()
    shown = [
        (r["id"], r["part"], r["what to order"], f"{r['needed']} {r['unit']}", f"{r['price EUR']} for {r['sold as']}",
         r["substitutes"] or "–", r["does not fit"] or "–")
        for r in rows
    ]  # fmt: skip
    return _table(("no.", "part", "what to order", "needed", "about EUR", "instead", "does not fit"), shown)


_COMMON: Final = (*(f"E{n:02}" for n in (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 17)), "M01", "M02")
GROUPS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("mat, without sleeves", ("M05",)),
    ("lights with a Nano, without filament", ("E01", *_COMMON)),
    ("lights with a Pico, without filament", ("E02", "E15", *_COMMON)),
    ("a supply of your own for more light", ("E18", "E19", "E20", "E21")),
    ("filament, both spools", ("M03", "M04")),
    ("camera, arm, cable", ("C01", "C02", "C03", "C05")),
    ("two lamps", ("C06",)),
    ("card sleeves", ("M06",)),
    ("tools, if you own none", ("T01", "T02", "T03", "T04")),
)
"""What belongs together, for the sums."""


def _totals() -> str:
    rows = wiring.bill()
    sums = [(what, f"{sum(float(rows[n]['price EUR']) for n in numbers):.0f}") for what, numbers in GROUPS]
    return _table(("what", "about EUR"), sums)


def _pins() -> str:
    """Where each wire goes, for every board that the firmware has pins for."""
    nano, pico, sketch = wiring.avr_pins(), wiring.pico_pins(), wiring.sketch_pins()
    others = [name for name in sketch if name != "other boards"]
    head = ("wire", "Nano", "Pico", *others)
    rows = [
        ("red, through F1", "5V", "VBUS", *["5V"] * len(others)),
        ("black", "GND", "GND", *["GND"] * len(others)),
    ]
    for what, name in (
        ("lights", "green, through R1"),
        ("near", "near button, through R3"),
        ("far", "far button, through R4"),
    ):
        rows.append((name, nano[what], pico[what], *(f"GPIO{sketch[other][what]}" for other in others)))
    rows.append(("74AHCT125 in the green wire", "no", "yes", *["yes"] * len(others)))
    return _table(head, rows)


TABLES: Final[dict[str, tuple[str, Callable[[], str]]]] = {
    "cameras": ("camera.md", _cameras),
    "power": ("power.md", _power),
    "prints": ("assembly.md", _prints),
    "pins": ("assembly.md", _pins),
    "bill": ("bom.md", _bill),
    "totals": ("bom.md", _totals),
}
"""Each table: the page that holds it, between two marks, and what works it out."""


def _with_table(text: str, name: str, table: str) -> str:
    begin, end = f"<!-- table: {name} -->", f"<!-- end of {name} -->"
    if begin not in text or end not in text:
        raise ValueError(f"the page has no marks for the table {name}")
    return f"{text[: text.index(begin)]}{begin}\n{table}\n{text[text.index(end) :]}"


def write_all() -> None:
    """Writes every table into its page anew."""
    for name, (page, make) in TABLES.items():
        path = HARDWARE / page
        path.write_text(_with_table(path.read_text(encoding="utf-8"), name, make()), encoding="utf-8")


def table_checks() -> list[Check]:
    """Every table in the pages is what the program works out."""
    checks = []
    for name, (page, make) in TABLES.items():
        text = (HARDWARE / page).read_text(encoding="utf-8")
        fresh = _with_table(text, name, make()) == text
        checks.append(Check(f"the table {name} in {page} is what is worked out", fresh, "build.py tables"))
    return checks
