"""The firmware that this package carries: an image for each board, and the manifest that says what they must be.

A board is added by its image and its entry in the manifest; `firmware/tools/ship_image.py` writes both. How it is
written is the entry's `writer`: `avrdude` through a serial boot loader, or `uf2` by copying to a USB drive.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias, cast

from engine.failure import Failure

FOLDER: Final = Path(__file__).resolve().parent / "firmware_image"
MANIFEST: Final = "manifest.json"
Writer: TypeAlias = Literal["avrdude", "uf2"]

_MEND: Final = "The installation is damaged: get it anew (git checkout host/boards/firmware_image, or install again)."


@dataclass(frozen=True, slots=True)
class FirmwareImage:
    """A checked firmware image for one kind of board."""

    name: str
    """The board's short name, such as rp2040."""
    title: str
    number: int
    """What the board calls itself in HELLO."""
    writer: Writer
    path: Path
    sha256: str
    firmware: tuple[int, int, int]
    protocol: tuple[int, int]
    size: int
    """Bytes of flash that it fills."""

    @property
    def version(self) -> str:
        return ".".join(map(str, self.firmware))


def load_images(folder: Path = FOLDER) -> dict[str, FirmwareImage]:
    """Every board's image by the board's name, after every check; raises Failure (`image-missing`, `image-damaged`)."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        firmware, protocol = tuple(manifest["firmware"]), tuple(manifest["protocol"])
        entries = [
            (str(e["name"]), str(e["title"]), int(e["number"]), str(e["writer"]), str(e["file"]), str(e["sha256"]))
            for e in manifest["boards"]
        ]
        data = {name: (folder / file).read_bytes() for name, _, _, _, file, _ in entries}
    except FileNotFoundError as error:
        raise Failure("image-missing", "The firmware image is not there.", _MEND) from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Failure("image-damaged", "The firmware image's manifest cannot be read.", _MEND) from error
    images: dict[str, FirmwareImage] = {}
    for name, title, number, writer, file, wanted in entries:
        found = hashlib.sha256(data[name]).hexdigest()
        if found != wanted:
            raise Failure("image-damaged", f"The firmware image has hash {found[:12]}…, not {wanted[:12]}….", _MEND)
        if writer not in ("avrdude", "uf2"):
            raise Failure("image-damaged", f"The manifest names no way to write {file}.", _MEND)
        size = hex_size(data[name].decode("ascii", "replace")) if writer == "avrdude" else uf2_size(data[name])
        images[name] = FirmwareImage(
            name, title, number, cast(Writer, writer), folder / file, found, firmware, protocol, size
        )
    return images


def load_image(folder: Path = FOLDER, board: str = "atmega328p") -> FirmwareImage:
    """One board's image. Raises Failure (`image-missing`, `image-damaged`)."""
    images = load_images(folder)
    if board not in images:
        raise Failure("image-missing", f"There is no firmware image for {board}.", f"There are {', '.join(images)}.")
    return images[board]


def hex_size(text: str) -> int:
    """Bytes of data in an Intel HEX file; raises Failure (`image-damaged`) for a line whose checksum is wrong."""
    size = 0
    for number, line in enumerate(text.split(), 1):
        try:
            record = bytes.fromhex(line[1:])
        except ValueError:
            record = b""
        if not line.startswith(":") or len(record) < 5 or len(record) != record[0] + 5 or sum(record) & 0xFF:
            raise Failure("image-damaged", f"The firmware image's line {number} is damaged.", _MEND)
        size += record[0] if record[3] == 0 else 0
    return size


UF2_BLOCK: Final = 512
_UF2_MAGIC: Final = ((0, b"UF2\n"), (4, b"WQ]\x9e"), (508, b"0o\xb1\x0a"))


def uf2_size(data: bytes) -> int:
    """Bytes of data in a UF2 file; raises Failure (`image-damaged`) for one that is not whole."""
    blocks = [data[at : at + UF2_BLOCK] for at in range(0, len(data), UF2_BLOCK)]
    size = 0
    for number, block in enumerate(blocks):
        whole = len(block) == UF2_BLOCK and all(block[at : at + 4] == magic for at, magic in _UF2_MAGIC)
        if not whole or int.from_bytes(block[20:24], "little") != number:
            raise Failure("image-damaged", f"The firmware image's block {number} is damaged.", _MEND)
        size += int.from_bytes(block[16:20], "little")
    if not blocks or int.from_bytes(blocks[0][24:28], "little") != len(blocks):
        raise Failure("image-damaged", "The firmware image is cut short.", _MEND)
    return size
