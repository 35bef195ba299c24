"""Pictures of a stream that sends JPEG, decoded here and not by the stream's own decoder.

That one brings every picture to the size of the first, so that a telephone that is turned is squeezed for ever, and
fills what is missing of a picture from the one before. Here the header is looked at first: what is too large is not
unpacked, and what is cut short is told as such.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.decoder_output import unheard
from vision.picture_file import LEAST, header_size
from vision.sources.trouble import TroubleCode
from vision.types import Picture

MOST: Final = 5000
"""Longest side that is decoded, px: more than any camera for video sends."""
LONGEST: Final = 32 << 20
"""Bytes of a picture at most."""


@dataclass(frozen=True, slots=True)
class SpoiltPicture:
    """A picture came, and cannot be shown: `code` is the trouble that it is."""

    code: TroubleCode
    parts: Mapping[str, int] = field(default_factory=dict)


def decode_packet(packet: NDArray[np.uint8]) -> Picture | SpoiltPicture:
    """The picture of one JPEG packet, (h, w, 3) BGR."""
    data = packet.tobytes() if packet.size <= LONGEST else b""
    size = header_size(data) if data[:2] == b"\xff\xd8" else None
    if size is None or min(size) == 0:
        return SpoiltPicture("picture-torn")
    if max(size) > MOST:
        return SpoiltPicture("picture-resized")
    try:
        with unheard():
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    except cv2.error:
        image = None
    return SpoiltPicture("picture-torn") if image is None else np.asarray(image, np.uint8)


def large_enough(image: Picture) -> Picture | SpoiltPicture:
    """The picture, unless it is too small to hold a table."""
    height, width = image.shape[:2]
    if min(width, height) < min(LEAST) or max(width, height) < max(LEAST):
        return SpoiltPicture("picture-small", {"width": width, "height": height})
    return image
