"""Whether all four photographs show the boards' colours as strongly.

A phone's filter (black and white, vivid) or a faded picture changes how strongly everything in it is coloured. The
same three boards lie in all four photographs, so the odd one is told by them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from vision.boards.boards import sized
from vision.enrolment.advice import PhotographFailure
from vision.geometry.light import apply, root_table
from vision.types import Picture

COLOUR_SCALE: Final = 0.5
"""px/mm at which colours are compared: of fine print and noise little is left."""
COLOUR_RIM: Final = 3
"""What lies nearer to a board's edge is left out, px at that scale."""
COLOURED: Final = 0.05
"""Least spread of the three boards' colours, in roots of light, to be compared: of 27 path-traced decks the least
is 0.26, of a photograph without colours it is 0."""
FAR_LESS: Final = 0.5
"""Share of the others' spread below which a photograph has lost its colours, and its inverse above which they were
made stronger: in 27 path-traced decks it is 0.98 to 1.02 in every photograph."""
_ROOTS: Final = root_table(np.ones(3))


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
    roots = apply(sized(board, COLOUR_SCALE), _ROOTS)[COLOUR_RIM:-COLOUR_RIM, COLOUR_RIM:-COLOUR_RIM].reshape(-1, 3)
    return float((roots[:, [2, 0]] - roots[:, 1:2]).std(axis=0).sum())
