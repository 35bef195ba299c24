"""All checks of the kit, and everything that a program writes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from kit import mesh_files, plan, steps, tables, wiring
from kit.check import Check, same
from kit.clearances import clearances
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


def all_checks() -> list[Check]:
    """The whole kit."""
    return [
        *clearances(),
        *wiring.wiring_checks(),
        *wiring.drawing_checks(),
        *power_checks(),
        *mesh_files.part_checks(),
        *picture_checks(),
        *tables.table_checks(),
        *print_checks(),
    ]
