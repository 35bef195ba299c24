"""A back with next to no print, told by its outline and by how dark it is all over.

Correlation of print says little of it: it is that of its texture, 0.2 to 0.6 where it lies. But faces are lighter, or
have print, and what is no card has no outline of one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from vision.cards.appearance import laid, tones_under, under
from vision.cards.column import Column
from vision.cards.lead import HeldFace
from vision.cards.outline import FAINTEST, lower_edge, snapped
from vision.cards.templates import MIDDLE, card_px
from vision.geometry.align import Placed, grey
from vision.types import Grey

GOES: Final = 0.85
"""How well its brightness must go with what is seen, 0..1: on path-traced tables it was 0.91 or more where nothing
shone on such a back, and 0.68 at most with a face there."""
BELIEVED: Final = 0.65
"""The match that such a back then has: of a known card, but not one whose print is plainly seen."""
OUTLINED: Final = 0.75
"""Clearness of its outline from which it is believed."""
SEAM: Final = (0.045, 0.012)
"""How much darker or lighter than its surroundings a line across a back is from which another may begin there, as a
share of the light, beyond what noise does; the second where `LONG` mm or more show. Of three path-traced decks in all
kinds of light, as they were photographed and through cheap cameras, upper edges of such backs on others had 0.052 to
0.107, and some 150 such backs no more than 0.011 within them but for one of 0.026, of which 27 mm show. A drawn one in
a stack of nine had 0.017 and was missed, 28 mm of two were one, and the stack of eight certain."""
LONG: Final = 28
"""So much of a covered back may well be two, mm: people mostly leave less."""
SEAMS: Final = (8, 7)
"""How far below a back's upper edge, and how far above the lower end of what shows of it, such an edge is looked for,
mm: a bent rim is shaded, and a card on another leaves 7 of it."""
TURNS: Final = tuple(float(turn) for turn in range(-8, 9, 2))
"""How far that edge may be turned against the back, degrees."""
LINE: Final = 3
"""Half the width of the line that such an edge is, mm: it lies in shade, or has a border. The edge of glare is none."""
PARTS: Final = 3
"""Parts of its length, in each of which it must be seen: a scratch or a highlight is shorter."""
ASIDE: Final = 4
"""Of both sides left out, mm."""
NOISE: Final = 2.0
"""So many times the middle step of all rows, which is noise, is taken off before."""
DARKEST: Final = 0.05
"""Light below which a step is no share of it, root of light."""


def told_by_darkness(
    column: Column,
    led: Sequence[tuple[int, float]],
    tried: Sequence[HeldFace],
    brightness: Callable[[HeldFace], tuple[float, float]],
    covered: bool,
) -> tuple[list[tuple[int, float]], float] | None:
    """Faces with the nats by which they trail the back on a card, and its match; None where its outline or its
    brightness does not tell it.

    `led`: the same by print and hue, the back first; `tried`: the faces that were held against the card; `brightness`:
    nats against a face for it, and how well it goes with the card, 0..1; `covered`: another card lies on it.
    """
    best = next(held for held in tried if held.face == led[0][0])
    clear = snapped(column.tones, best.place, FAINTEST)[0]
    if not covered:
        clear = max(clear, lower_edge(column.tones, best.place))
    own, goes = brightness(best)
    if clear < OUTLINED or goes < GOES:
        return None
    more = {held.face: max(0.0, brightness(held)[0] - own) for held in tried if held.face != best.face}
    told = sorted(((face, by + more.get(face, 0.0)) for face, by in led), key=lambda one: one[1])
    return told, BELIEVED


def seam_within(column: Column, place: Placed, rows: int) -> bool:
    """Whether the edge of another card crosses the first `rows` mm of a back at a place, of which that much shows."""
    first, last = round(SEAMS[0] * MIDDLE), round((rows - SEAMS[1]) * MIDDLE)
    if last <= first:
        return False
    size = card_px(MIDDLE)
    aside = round(ASIDE * MIDDLE)
    luma = np.ascontiguousarray(grey(tones_under(column.wide, laid(place, MIDDLE), size))[:, aside:-aside])
    light = max(float(luma[first:last].mean()), DARKEST)
    least = SEAM[rows >= LONG] * light
    return any(_plainest_line(luma, turn, slice(first, last)) > least for turn in TURNS)


def _plainest_line(luma: Grey, turn: float, rows: slice) -> float:
    """By how much a line across a picture, turned by so many degrees, is darker than what lies on both of its sides, or
    lighter: in the part of it where it is least so, and beyond what noise does there."""
    h, w = luma.shape
    slope = math.tan(math.radians(turn))
    sheared = under(luma, np.array([[1.0, 0.0, 0.0], [slope, 1.0, -slope * (w - 1) / 2]]), (w, h))
    parts = np.stack([part.mean(1) for part in np.array_split(sheared, PARTS, axis=1)])
    at, far = slice(rows.start, min(rows.stop, h - LINE)), LINE
    here = parts[:, at]
    before, after = (parts[:, at.start + off : at.stop + off] - here for off in (-far, far))
    dark, light = np.minimum(before, after).min(0), np.minimum(-before, -after).min(0)
    return float(max(dark.max(), light.max())) - NOISE * float(np.median(np.abs(np.diff(parts, axis=1)[:, at])))


__all__ = ["BELIEVED", "seam_within", "told_by_darkness"]
