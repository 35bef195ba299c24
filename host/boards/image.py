"""The firmware that this package carries: its Intel HEX file, and the manifest that says what it must be."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.failure import Failure

FOLDER: Final = Path(__file__).resolve().parent / "firmware_image"
MANIFEST: Final = "manifest.json"

_MEND: Final = "The installation is damaged: get it anew (git checkout host/boards/firmware_image, or install again)."


@dataclass(frozen=True, slots=True)
class Image:
    """A checked firmware image."""

    path: Path
    sha256: str
    firmware: tuple[int, int, int]
    protocol: tuple[int, int]
    size: int
    """Bytes of flash that it fills."""

    @property
    def version(self) -> str:
        return ".".join(map(str, self.firmware))


def load_image(folder: Path = FOLDER) -> Image:
    """The image after every check; raises Failure (`image-missing`, `image-damaged`)."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        path = folder / str(manifest["file"])
        data = path.read_bytes()
        wanted = str(manifest["sha256"])
        firmware, protocol = tuple(manifest["firmware"]), tuple(manifest["protocol"])
    except FileNotFoundError as error:
        raise Failure("image-missing", "The firmware image is not there.", _MEND) from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Failure("image-damaged", "The firmware image's manifest cannot be read.", _MEND) from error
    found = hashlib.sha256(data).hexdigest()
    if found != wanted:
        raise Failure("image-damaged", f"The firmware image has hash {found[:12]}…, not {wanted[:12]}….", _MEND)
    return Image(path, found, firmware, protocol, hex_size(data.decode("ascii", "replace")))


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
