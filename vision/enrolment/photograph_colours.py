"""Whether all four photographs show the boards' colours as strongly.

A phone's filter (black and white, vivid) or a faded picture changes how strongly everything in it is coloured. The
same three boards lie in all four photographs, so the odd one is told by them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import cv2
import numpy as np

from vision.enrolment.advice import PhotographFailure
from vision.types import Picture

COLOUR_SIZE: Final = (63, 44)
"""Width and height at which colours are compared, px: of fine print and noise little is left."""
COLOUR_RIM: Final = 3
"""What lies nearer to a board's edge is left out, px of that size."""
COLOURED: Final = 0.05
"""Least spread of the three boards' colours, in roots of light, to be compared: of nineteen path-traced decks the least
is 0.20, of a photograph without colours it is 0."""
FAR_LESS: Final = 0.5
"""Share of the others' spread below which a photograph has lost its colours, and its inverse above which they were
made stronger: in nineteen path-traced decks it is 0.99 to 1.01 in every photograph."""


def check_photograph_colours(boards: Mapping[str, Sequence[Picture]]) -> None:
    """Raises `PhotographFailure` (`colours-differ`) naming the photograph that shows its boards far less or far more
    coloured than the middle of all; `boards` are those of each photograph, (h, w, 3) uint8 BGR in white light."""
    spread = {name: sum(_spread(board) for board in three) for name, three in boards.items()}
    if max(spread.values()) < COLOURED:
        return
    usual = float(np.median(list(spread.values())))
    for name, own in spread.items():
        if own < FAR_LESS * usual or own * FAR_LESS > usual:
            raise PhotographFailure(
                "colours-differ",
                f"The {name} photograph shows far weaker colours than the others."
                if own < usual
                else f"The {name} photograph shows far stronger colours than the others.",
                "Switch off filters such as black and white or vivid, and photograph again.",
                name,
            )


def _spread(board: Picture) -> float:
    """How much red over green and blue over green vary over a board, in roots of light: a cast changes it little."""
    small = cv2.resize(board, COLOUR_SIZE, interpolation=cv2.INTER_AREA).astype(np.float32) / np.float32(255)
    roots = np.sqrt(small[COLOUR_RIM:-COLOUR_RIM, COLOUR_RIM:-COLOUR_RIM].reshape(-1, 3))
    return float((roots[:, [2, 0]] - roots[:, 1:2]).std(axis=0).sum())
