"""Opens picture files, and says in words what is wrong with one that cannot be read."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np

from engine.failure import BadInput
from vision.decoder_output import unheard
from vision.types import Picture

LEAST: Final = (320, 240)
"""Smallest width and height worth looking at, px; 1280 x 720 is what is asked for."""
MOST: Final = 8192
"""Longest side that is opened, px. Larger pictures are refused by their header, before they fill the memory."""
MOST_BYTES: Final = 64 << 20
"""Largest file that is opened, bytes."""
WORK: Final = 2560
"""Pictures wider than this are brought down to it: more pixels a card cost time and tell nothing."""


def header_size(data: bytes) -> tuple[int, int] | None:
    """Width and height as a PNG or JPEG header states them, or None for other formats."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if data[:2] == b"\xff\xd8":
        at = 2
        while at + 9 < len(data) and data[at] == 0xFF:
            marker = data[at + 1]
            if marker in range(0xC0, 0xD0) and marker not in (0xC4, 0xC8, 0xCC):
                return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def _cut_short(data: bytes) -> bool:
    if data[:2] == b"\xff\xd8":
        return b"\xff\xd9" not in data[-4096:]
    return data[:8] == b"\x89PNG\r\n\x1a\n" and b"IEND" not in data[-64:]


def as_picture(image: object, name: str = "picture", least: tuple[int, int] = LEAST) -> Picture:
    """Any array that a camera or decoder may hand over as (h, w, 3) uint8 BGR; raises `BadInput` with the reason.

    `least`: the smallest width and height, px.
    """
    if not isinstance(image, np.ndarray) or image.size == 0 or image.ndim not in (2, 3):
        raise BadInput("not-a-picture", f"{name} holds no picture.", "Give a JPEG or PNG photograph of the table.")
    if image.dtype == np.uint16:
        image = (image >> 8).astype(np.uint8)
    if image.dtype != np.uint8:
        raise BadInput("not-a-picture", f"{name} has {image.dtype} pixels.", "Save it with 8 bits a channel.")
    if image.ndim == 2 or image.shape[2] == 1:
        image = cv2.cvtColor(np.ascontiguousarray(image), cv2.COLOR_GRAY2BGR)
    elif image.shape[2] == 4:
        image = cv2.cvtColor(np.ascontiguousarray(image), cv2.COLOR_BGRA2BGR)
    elif image.shape[2] != 3:
        raise BadInput("not-a-picture", f"{name} has {image.shape[2]} channels.", "Save it as a colour picture.")
    h, w = image.shape[:2]
    if w < least[0] or h < least[1]:
        raise BadInput("too-small", f"{name} is {w} x {h} pixels.", "Use 1280 x 720 or more.")
    if max(w, h) > MOST:
        raise BadInput("too-large", f"{name} is {w} x {h} pixels.", f"Bring it below {MOST} pixels a side.")
    if w > WORK:
        image = cv2.resize(image, (WORK, round(h * WORK / w)), interpolation=cv2.INTER_AREA)
    return np.asarray(image, dtype=np.uint8)


def open_picture(path: str | Path, least: tuple[int, int] = LEAST) -> Picture:
    """The picture in a file as (h, w, 3) uint8 BGR, at least `least` px wide and high.

    Raises `BadInput`: `no-file`, `empty-file`, `not-a-picture`, `cut-short`, `too-small` or `too-large`.
    A 16-bit or grey picture is brought to 8 bits and three channels.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            # A device or a file without end must not fill the memory.
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BadInput("no-file", f"{path} cannot be opened: {why}.", "Check the path.") from error
    if not data:
        raise BadInput("empty-file", f"{path} is empty.", "Take the photograph again.")
    if len(data) > MOST_BYTES:
        raise BadInput("too-large", f"{path} is larger than {MOST_BYTES >> 20} MB.", "Give a JPEG or PNG photograph.")
    size = header_size(data)
    if size is not None and max(size) > MOST:
        raise BadInput("too-large", f"{path} is {size[0]} x {size[1]} pixels.", f"Bring it below {MOST} pixels a side.")
    if size is None and data[:2] == b"\xff\xd8":
        raise BadInput("not-a-picture", f"{path} is a damaged JPEG.", "Copy it again or take it again.")
    if _cut_short(data):
        raise BadInput("cut-short", f"{path} breaks off before its end.", "Copy it again or take it again.")
    how = cv2.IMREAD_UNCHANGED | cv2.IMREAD_IGNORE_ORIENTATION
    if data[:2] == b"\xff\xd8" and size is not None and size[0] >= 2 * WORK:
        # Halved while it is decoded: a quarter of the memory and time, and still more than `WORK` pixels wide.
        how = cv2.IMREAD_REDUCED_COLOR_2 | cv2.IMREAD_IGNORE_ORIENTATION
    try:
        with unheard():
            image = cv2.imdecode(np.frombuffer(data, np.uint8), how)
    except cv2.error as error:
        raise BadInput("not-a-picture", f"{path} cannot be decoded.", "Give a JPEG or PNG photograph.") from error
    if image is None:
        raise BadInput("not-a-picture", f"{path} is not a picture.", "Give a JPEG or PNG photograph of the table.")
    return as_picture(image, str(path), least)
