"""A sheet with the four corner tags, for a cloth of one's own: what is needed stays on each piece that is cut out."""

from __future__ import annotations

from typing import Final

from host.printing.mat import ruler, tag
from host.printing.page import Page, Rectangle, Shape, Text, width_of
from host.printing.words import words
from vision.geometry.table import TAG_CENTRES, TAG_QUIET, TAG_SIDE

PIECE: Final = TAG_SIDE + 4 * TAG_QUIET
"""Side of the square that is cut out, mm: white all round, number and arrow in its far rim."""
PITCH: Final = 66.0


def tag_page(size: tuple[float, float], language: str = "en") -> Page:
    """The four tags in the order in which they lie on the table: 0 1 on the far side, 3 2 on the near side."""
    wide, tall = size
    centre_x, centre_y = wide / 2, tall - 100.0
    shapes: list[Shape] = []
    for number, (x, y) in enumerate(TAG_CENTRES):
        at_x = centre_x + (PITCH / 2 if x > 0 else -PITCH / 2)
        at_y = centre_y + (PITCH / 2 if y > 0 else -PITCH / 2)
        shapes += tag(number, at_x, at_y)
        shapes.append(Rectangle(at_x - PIECE / 2, at_y - PIECE / 2, PIECE, PIECE, stroke="#9a9a9a", line=0.2))
        rim = at_y + TAG_SIDE / 2 + TAG_QUIET + 0.7
        name, up = f"{number} · {words(language, f'corner-{number}')}", f"↑ {words(language, 'up')}"
        # Both stand in one line, whatever the language needs for them.
        height = min(2.4, TAG_SIDE / width_of(f"{name}   {up}", 1.0))
        shapes += [
            Text(at_x - TAG_SIDE / 2, rim, height, name, align="left"),
            Text(at_x + TAG_SIDE / 2, rim, height, up, align="right"),
        ]
    shapes += ruler(centre_x - 50, centre_y - 92, False, "#000000", words(language, "ruler"))
    for k, code in enumerate(("at-100", "tags-cut", "tags-how", "diagonal")):
        shapes.append(Text(centre_x, centre_y - 106 - 7 * k, 3.2, words(language, code)))
    return Page(wide, tall, tuple(shapes))
