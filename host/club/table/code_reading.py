"""Reading a join code: as text, from a picture of its QR code, or by the table's own camera."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from engine.failure import BadInput, Failure
from host.club.wire.join_code import JoinCode, parse_join_code

PICTURES_AT_MOST: Final = 900
"""Half a minute of a usual camera."""
CODE_LEAST: Final = (40, 40)
"""Smallest picture that may show a whole code, px."""


def read_join_code(text: str) -> JoinCode:
    """The code in `text`: the code itself, or the name of a picture that shows it. Raises `BadInput`."""
    if "://" in text:
        return parse_join_code(text)
    from vision.picture_file import open_picture

    try:
        image = open_picture(text, CODE_LEAST)
    except BadInput as failure:
        if failure.code == "too-large":
            raise
        raise BadInput(
            "bad-code",
            f"{text!r} is neither a club's code nor a picture of one.",
            "Give the text under the QR code, a photograph of it, or: --club camera",
        ) from failure
    found = code_in([image])
    if found is None:
        raise BadInput("bad-code", f"No QR code is to be read in {text}.", "Photograph it larger and sharper.")
    return found


def code_in(pictures: Iterable[Any]) -> JoinCode | None:
    """The first join code that one of the pictures, (h, w, 3) uint8 each, shows; other QR codes are passed over."""
    import cv2

    # Each of OpenCV's two readers misses some two codes of a hundred, however well they are seen; not the same ones.
    readers: tuple[Any, ...] = (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco())
    for number, picture in enumerate(pictures):
        if number >= PICTURES_AT_MOST:
            return None
        for reader in readers:
            found, texts, _, _ = reader.detectAndDecodeMulti(picture)
            for text in texts if found else ():
                try:
                    return parse_join_code(text)
                except Failure:
                    continue
    return None
