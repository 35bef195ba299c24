"""A deck's faces at the scales at which columns are searched and explained."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import geometry
from vision.align import Aligner, grey, structure
from vision.light import Tones
from vision.profile import FACES, SCALE, DeckProfile
from vision.registration import Picture

COARSE: Final = 0.5
"""px/mm of the search for headers."""
FINE: Final = 2.0
"""px/mm at which a card is laid over the picture and explained."""
CARD_W: Final = round(geometry.CARD[0] * FINE)
CARD_H: Final = round(geometry.CARD[1] * FINE)
SEARCH_MM: Final = 16.0
"""How much of a header the search uses: even a short strip shows most of it."""
LAY_MM: Final = 20.0
"""How much of a header alignment uses."""


class Bank:
    """Templates of the nineteen faces. A face's number is its place in `FACES`, plus 19 for the wrong way round."""

    def __init__(self, profile: DeckProfile) -> None:
        faces = [profile.faces[f] for f in FACES]
        faces += [np.ascontiguousarray(f[::-1, ::-1]) for f in faces]
        self.count = len(FACES)
        self.fine: list[Tones] = [_scaled(f, FINE, 0.45) for f in faces]
        """(176, 127, 3) float32 tone of each face."""
        self.steep = [structure(grey(t)) for t in self.fine]
        """How much structure each face's pixels have, (176, 127), 0..1."""
        self.lay = [Aligner(grey(t[: round(LAY_MM * FINE)])) for t in self.fine]
        self.strip_px = (round(geometry.CARD[0] * COARSE), round(SEARCH_MM * COARSE))
        rows = []
        for t in self.fine:
            part = t[: round(SEARCH_MM * FINE)]
            small = cv2.resize(part, self.strip_px, interpolation=cv2.INTER_AREA).ravel()
            small = small - small.mean()
            rows.append(small / (np.linalg.norm(small) + 1e-6))
        self.search: NDArray[np.float32] = np.stack(rows).astype(np.float32)
        """(38, 8 * 32 * 3): headers with mean removed and unit norm, all channels together, so that hue counts."""


def _scaled(face: Picture, scale: float, blur: float) -> Tones:
    size = (round(geometry.CARD[0] * scale), round(geometry.CARD[1] * scale))
    smooth = cv2.GaussianBlur(face, (0, 0), max(0.3, blur * SCALE / scale))
    small = cv2.resize(smooth, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small.astype(np.float32) / np.float32(255))
