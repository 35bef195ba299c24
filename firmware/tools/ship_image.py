"""Builds the firmware of every board and puts the images, with their manifest, where the package carries them.

A board is a folder with a `board.json` and a Makefile that knows `sizes`. Writes sizes.txt, too. Run it after a change
of the firmware, and look at what it changes: all of it is reviewed, and a test builds it again. The deepest stack is
measured in the emulated chip (`allfronts bench firmware.memory`) and given by `--stack BYTES`; without it, sizes.txt
keeps the one that it has.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
from pathlib import Path
from typing import Any

FIRMWARE = Path(__file__).resolve().parents[1]
BUILT = FIRMWARE.parent / "build" / "firmware"
IMAGES = FIRMWARE.parent / "host" / "boards" / "firmware_image"
STACK_LIMIT = 1536


def numbers(header: Path, prefix: str) -> list[int]:
    """The values of an enum's constants that begin with `prefix`, in order."""
    return [int(value) for value in re.findall(rf"{prefix}_[A-Z]+ = (\d+)", header.read_text(encoding="utf-8"))]


def make(folder: Path, *targets: str) -> str:
    return subprocess.run(
        ["make", "-s", "-C", str(folder), *targets], check=True, capture_output=True, text=True
    ).stdout


def shipped(folder: Path) -> dict[str, Any]:
    """Build one board's image, copy it, and say what it is."""
    board = json.loads((folder / "board.json").read_text(encoding="utf-8"))
    make(folder)
    sizes = {name: int(size) for name, size in (line.split() for line in make(folder, "sizes").splitlines())}
    image = (BUILT / folder.name / board["image"]).read_bytes()
    target = IMAGES / f"allfronts-{board['name']}{Path(board['image']).suffix}"
    target.write_bytes(image)
    return {
        "name": board["name"],
        "title": board["title"],
        "number": board["number"],
        "writer": board["writer"],
        "file": target.name,
        "sha256": hashlib.sha256(image).hexdigest(),
        **sizes,
    }


def sizes_text(boards: list[dict[str, Any]], limits: dict[str, dict[str, int]], stack: int) -> str:
    """sizes.txt: what the programs take, and what they may take."""
    rows = [
        (f"{board['name']} {what}", board[what], limits[board["name"]][what])
        for board in boards
        for what in ("flash", "static_ram")
    ]
    nano = next(board for board in boards if board["name"] == "atmega328p")
    rows += [
        ("atmega328p stack", stack, STACK_LIMIT),
        ("atmega328p static_ram+stack", nano["static_ram"] + stack, STACK_LIMIT),
    ]
    head = "# bytes: taken, limit. By gcc-avr 5.4 and gcc-arm-none-eabi 12.2; stack: deepest in the emulated chip.\n"
    return head + "".join(f"{name:<29}{taken:>6}{limit:>8}\n" for name, taken, limit in rows)


def stack_before() -> int:
    found = re.search(r"^(?:atmega328p )?stack +(\d+)", (FIRMWARE / "sizes.txt").read_text(encoding="utf-8"), re.M)
    return int(found.group(1)) if found else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stack", type=int, help="bytes of the deepest stack on the ATmega328P")
    stack = parser.parse_args().stack or stack_before()
    folders = sorted(path.parent for path in FIRMWARE.glob("*/board.json"))
    boards = [shipped(folder) for folder in folders]
    limits = {
        board["name"]: json.loads((folder / "board.json").read_text(encoding="utf-8"))["limits"]
        for board, folder in zip(boards, folders, strict=True)
    }
    manifest = {
        "firmware": numbers(FIRMWARE / "core" / "version.h", "FIRMWARE"),
        "protocol": numbers(FIRMWARE / "core" / "controller.h", "PROTOCOL"),
        "boards": boards,
    }
    (IMAGES / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    (FIRMWARE / "sizes.txt").write_text(sizes_text(boards, limits, stack), encoding="utf-8")


if __name__ == "__main__":
    main()
