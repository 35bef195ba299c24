"""Builds the firmware and puts its image, with its manifest, where the package carries it; writes sizes.txt.

Run it after a change of the firmware, and look at what it changes: both are reviewed, and a test builds them again.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from host.bench.firmware import Memory, memory
from host.link.emulated.controller import build

FIRMWARE = Path(__file__).resolve().parents[1]
IMAGE_FOLDER = FIRMWARE.parent / "host" / "firmware_image"
IMAGE = "allfronts-atmega328p.hex"


def numbers(header: Path, prefix: str) -> list[int]:
    """The values of an enum's constants that begin with `prefix`, in order."""
    return [int(value) for value in re.findall(rf"{prefix}_[A-Z]+ = (\d+)", header.read_text(encoding="utf-8"))]


def manifest(hex_text: bytes, found: Memory) -> dict[str, object]:
    return {
        "file": IMAGE,
        "sha256": hashlib.sha256(hex_text).hexdigest(),
        "firmware": numbers(FIRMWARE / "core" / "version.h", "FIRMWARE"),
        "protocol": numbers(FIRMWARE / "core" / "controller.h", "PROTOCOL"),
        "board": "ATmega328P, 16 MHz (Arduino Nano, Uno)",
        "flash": found.flash,
        "static_ram": found.static,
    }


def sizes_text(found: Memory) -> str:
    """sizes.txt: what the program takes, and what it may take."""
    rows = (
        ("flash", found.flash, 16_384),
        ("static_ram", found.static, 1_536),
        ("stack", found.stack, 1_536),
        ("static_ram+stack", found.static + found.stack, 1_536),
    )
    head = "# bytes on the ATmega328P, by gcc-avr 5.4: taken, limit. The stack is the deepest in the emulated chip.\n"
    return head + "".join(f"{name:<18}{taken:>6}{limit:>8}\n" for name, taken, limit in rows)


def main() -> None:
    built = build()
    hex_text = built.hex.read_bytes()
    found = memory()
    IMAGE_FOLDER.mkdir(exist_ok=True)
    (IMAGE_FOLDER / IMAGE).write_bytes(hex_text)
    (IMAGE_FOLDER / "manifest.json").write_text(
        json.dumps(manifest(hex_text, found), indent=1) + "\n", encoding="utf-8"
    )
    (FIRMWARE / "sizes.txt").write_text(sizes_text(found), encoding="utf-8")


if __name__ == "__main__":
    main()
