"""A photograph of backs on one of which a lamp shines."""

from __future__ import annotations

import cv2
import numpy as np

from vision.enrolment.examine import examine
from vision.types import Picture


def shone_on(photograph: Picture, number: int) -> Picture:
    """The photograph with most of one of its six cards blown out, though not its header."""
    found = examine(photograph)
    assert found.layout is not None and found.registration is not None
    frame = found.layout.cards[number].frame
    part = frame.to_table(np.array([[4.0, 26.0], [frame.width - 4, 26.0], [frame.width - 4, 84.0], [4.0, 84.0]]))
    picture = photograph.copy()
    cv2.fillPoly(picture, [found.registration.project(part).round().astype(np.int32)], (250, 252, 255))
    return picture
