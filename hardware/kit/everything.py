"""All checks of the kit, and everything that a program writes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from kit import mesh_files, plan, steps, tables, wiring
from kit.check import Check, at_least, same
from kit.clearances import clearances
from kit.dimensions import VERSION
from kit.parts import COUNT, PARTS, button_screws, lid_screws
from kit.power import power_checks
from kit.print_files import print_checks

HARDWARE: Final = Path(__file__).resolve().parents[1]
DRAWN_FROM: Final = ("dimensions", "parts", "bought", "render", "steps")
"""Sources of the assembly's pictures."""
STAMP: Final = "drawn-from.txt"


def picture_stamp() -> str:
    """Changes with every source of the pictures."""
    digest = hashlib.sha256()
    for name in DRAWN_FROM:
        digest.update((HARDWARE / "kit" / f"{name}.py").read_bytes())
    return digest.hexdigest()[:16] + "\n"


def write_pictures() -> None:
    """Draws the pictures of the assembly and the two drawings to scale."""
    plan.write_all()
    steps.write_all()
    (steps.FOLDER / STAMP).write_text(picture_stamp(), "utf-8")


WRITERS: Final[dict[str, Callable[[], None]]] = {
    "parts": mesh_files.write_all,
    "pictures": write_pictures,
    "wiring": wiring.write_all,
    "tables": tables.write_all,
}


def picture_checks() -> list[Check]:
    """The drawings are what their sources make, and each step of the assembly has its picture."""
    checks = []
    for name, draw in plan.DRAWINGS.items():
        path = plan.FOLDER / name
        fresh = path.is_file() and path.read_text(encoding="utf-8") == draw()
        checks.append(Check(f"{name} is what the source draws", fresh, "python hardware/build.py pictures"))
    stamp = steps.FOLDER / STAMP
    fresh = stamp.is_file() and stamp.read_text(encoding="utf-8") == picture_stamp()
    checks.append(Check("the assembly's pictures are drawn from the sources as they are", fresh, "build.py pictures"))
    text = (HARDWARE / "assembly.md").read_text(encoding="utf-8")
    shown = [name for name in steps.PICTURES if f"pictures/{name}.png" in text]
    there = [name for name in steps.PICTURES if (steps.FOLDER / f"{name}.png").is_file()]
    checks.append(same("assembly.md shows every picture", shown, list(steps.PICTURES)))
    checks.append(same("every picture is there", there, list(steps.PICTURES)))
    headings = [line for line in text.splitlines() if line.startswith("## ") and line[3].isdigit()]
    checks.append(same("a picture for each step", len(headings), len(steps.PICTURES)))
    return checks


def order_checks() -> list[Check]:
    """What is ordered covers what is built, and the texts name this version."""
    rows = wiring.bill()
    screws = len(lid_screws()) + COUNT["button-box"] * len(button_screws())
    dark, white = (
        sum(
            PARTS[name]().volume() / 1000 * tables.DENSITY * COUNT[name]
            for name in PARTS
            if (name == "diffuser") is pale
        )
        for pale in (False, True)
    )
    readme = (HARDWARE / "README.md").read_text(encoding="utf-8")
    return [
        same("screws in bom.csv", int(rows["M01"]["needed"]), screws),
        # Parts are printed with 15 to 40 % infill: solid weight is more than enough.
        at_least("filament in bom.csv, g", float(rows["M03"]["sold as"]), dark, "g"),
        at_least("white filament in bom.csv, g", float(rows["M04"]["needed"]), white, "g"),
        Check("README.md names the version", f"Hardware files {VERSION}." in readme, VERSION),
        Check("README.md tells what changed in it", f"| {VERSION} |" in readme, VERSION),
    ]


def all_checks() -> list[Check]:
    """The whole kit."""
    return [
        *clearances(),
        *wiring.wiring_checks(),
        *wiring.drawing_checks(),
        *power_checks(),
        *order_checks(),
        *mesh_files.part_checks(),
        *picture_checks(),
        *tables.table_checks(),
        *print_checks(),
    ]
