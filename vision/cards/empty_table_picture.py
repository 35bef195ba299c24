"""The table where nothing lay as a picture file, and back: 16 bits a channel, so that nothing is lost that counts."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.failure import BadInput
from vision.cards.empty_table import SHAPE, EmptyTable
from vision.decoder_output import unheard
from vision.picture_file import header_size

SCALE: Final = np.float32(40_000)
"""Of root of light: lamps reach 1.3, 16 bits 1.6."""
KNOWN: Final = np.uint16(1 << 15)
"""What the fourth channel has where the table was seen, besides the bits of the channels that were clipped."""
_CLIPPED: Final = np.array([1, 2, 4], np.uint16)


def as_picture_file(table: EmptyTable) -> bytes:
    """A PNG with the table from above and, in its fourth channel, what of it is known and what was clipped."""
    # Where something lay it is not the table's looks: no card or hand is kept.
    seen = np.where(table.known[..., None], table.tones * SCALE, np.float32(0))
    tones = np.clip(np.round(seen), 0, np.iinfo(np.uint16).max).astype(np.uint16)
    about = table.known * KNOWN + (table.clipped * _CLIPPED).sum(2, dtype=np.uint16)
    picture: NDArray[np.uint16] = np.dstack([tones, about])
    done, data = cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    if not done:
        raise OSError("a picture cannot be written")
    return bytes(data)


def of_picture_file(data: bytes) -> EmptyTable:
    """What `as_picture_file` made; raises `BadInput` (`damaged-file`) for anything else."""
    picture = None
    # The header is asked before anything is unpacked.
    if header_size(data) == SHAPE[::-1]:
        try:
            with unheard():
                picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
        except cv2.error as error:
            raise _damaged() from error
    if picture is None or picture.shape != (*SHAPE, 4) or picture.dtype != np.uint16:
        raise _damaged()
    about = np.asarray(picture[..., 3], dtype=np.uint16)
    return EmptyTable(
        tones=(picture[..., :3] / SCALE).astype(np.float32),
        clipped=(about[..., None] & _CLIPPED) > 0,
        known=about >= KNOWN,
    )


def _damaged() -> BadInput:
    return BadInput("damaged-file", "This is no picture of an empty table.", "Remove the file.")


__all__ = ["as_picture_file", "of_picture_file"]
