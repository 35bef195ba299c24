"""Places for cards that are printed on a mat: a frame, a field or a word that is seen alike at several places.

An outline where a first card would lie may be a card of the mat's own colour, or a thing that hides one. Where three
places show the same to the millimetre and nothing else, it is neither: nobody lays three cards down as straight as
print lies. Where fewer places are free, the mat must have been seen empty (`empty_table`).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Final

import cv2
import numpy as np

from engine.places import Place
from vision.cards.column import Column
from vision.cards.empty_place import BARE_ENOUGH, FAINT_PRINT, MAY_BE_A_CARDS, REACHED
from vision.cards.pattern import power_around, softened
from vision.cards.printed_table import best_fit
from vision.cards.table_beside import ABOVE, FIRST_CARD
from vision.cards.templates import MIDDLE, Bank
from vision.types import Grey

END: Final = ABOVE + 104.0
"""Where the print of a place for a first card ends at most, mm along its column."""
ROWS: Final = slice(round((ABOVE + 12.0) * MIDDLE), round(END * MIDDLE))
"""The rows in which it is compared, px at `MIDDLE`: nearer to the board its own edge and shadow lie."""
SHIFT: Final = 6
"""By how much more a board may lie off its place on the mat than another one does, px at `MIDDLE`."""
ALIKE: Final = 0.75
"""Correlation from which two places show the same print."""
OTHERS: Final = 2
"""So many other places must show it, one of the other seat's among them."""
SOFT: Final = 1.5
"""How much their details are softened before, px: a camera's noise is as strong as thin lines in dim light."""
LIKE_A_CARD: Final = 0.65
"""Correlation from which what is seen is like a card of the deck: on those mats what lay nowhere came to 0.55 at most,
and backs that are seen come to 0.8."""
PRINT_LEAST: Final = 100.0
"""Area of that print, mm²: beside their boards all places of a plain mat look alike, a sheet that lies there, too."""
LINE: Final = 5
"""How wide what belongs to a thin line is, px at `MIDDLE`."""


def printed_alike(
    bank: Bank, columns: Mapping[Place, Column], turns: Mapping[Place, float], doubted: Collection[Place]
) -> frozenset[Place]:
    """Those of the `doubted` places that show what others show, too, and nothing else. `columns`: all in which no card
    was read; `turns`: how they are turned on the table, radians.

    On a table that the camera clips none is told: of white cards there only their ink is seen, which may be the same.
    """
    asked = {at: column for at, column in columns.items() if not column.clipped}
    if len(asked) <= OTHERS:
        return frozenset()
    return frozenset(
        at
        for at, column in asked.items()
        if at in doubted
        and _told(column, [(other, turns[where] - turns[at]) for where, other in asked.items() if where != at])
        and best_fit(bank, column) < LIKE_A_CARD
    )


def _told(column: Column, others: list[tuple[Column, float]]) -> bool:
    """Whether what enough of some other columns show explains all that is seen in one; how much each is turned."""
    if column.last > END:
        return False
    same = [(_laid_over(column, other, turn), math.cos(turn) < 0) for other, turn in others]
    laid = [each for each, _ in same if each is not None]
    # A sheet that reaches over one seat's places shows the same edge at each.
    if len(laid) < OTHERS or not any(each is not None and opposite for each, opposite in same):
        return False
    shown = [detail for detail, _ in laid]
    # Two places are laid over each other to a pixel.
    window = np.ones((3, 3), np.uint8)
    low = np.minimum.reduce([cv2.erode(each, window) for each in shown])
    high = np.maximum.reduce([cv2.dilate(each, window) for each in shown])
    left = column.detail - np.clip(column.detail, low, high)
    new = power_around(softened(left))[FIRST_CARD] > column.plain_power
    if np.count_nonzero(new) >= FAINT_PRINT * MIDDLE**2:
        return False
    lines = (np.maximum(high, -low) > np.sqrt(column.plain_power)).astype(np.uint8)
    if np.count_nonzero(lines[ROWS, REACHED]) < PRINT_LEAST * MIDDLE**2:
        return False
    unlike = (column.bare > MAY_BE_A_CARDS) & (cv2.dilate(lines, np.ones((LINE, LINE), np.uint8)) == 0)
    # A field that is printed there is no bare table at the others either.
    unlike &= np.maximum.reduce([bare for _, bare in laid]) <= MAY_BE_A_CARDS
    return bool(np.count_nonzero(unlike[ROWS, REACHED]) < BARE_ENOUGH * MIDDLE**2)


def _laid_over(column: Column, other: Column, turn: float) -> tuple[Grey, Grey] | None:
    """Another column where it shows the same print as one: its detail, in the light of that one, and how badly the
    bare table explains it, (h, w) at `MIDDLE`; None where it does not. `turn`: how much further it is turned on the
    table, radians; the two seats' by half a turn."""
    h, w = column.detail.shape
    degrees = math.degrees((turn + math.pi / 2) % math.pi - math.pi / 2)
    matrix = cv2.getRotationMatrix2D((w / 2, (ROWS.start + ROWS.stop) / 2), degrees, 1.0)
    turned = cv2.warpAffine(other.detail, matrix, (w, h), borderMode=cv2.BORDER_REPLICATE)
    seen, there = (cv2.GaussianBlur(each, (0, 0), SOFT)[ROWS, REACHED] for each in (column.detail, turned))
    inner = np.ascontiguousarray(seen[SHIFT:-SHIFT, SHIFT:-SHIFT])
    fit = np.asarray(cv2.matchTemplate(there, inner, cv2.TM_CCOEFF_NORMED))
    y, x = divmod(int(fit.argmax()), fit.shape[1])
    if fit[y, x] < ALIKE:
        return None
    same = there[y : y + inner.shape[0], x : x + inner.shape[1]]
    light = float((inner * same).sum()) / max(float((same * same).sum()), 1e-12)
    matrix[:, 2] += SHIFT - x, SHIFT - y
    detail, bare = (
        cv2.warpAffine(each, matrix, (w, h), borderMode=cv2.BORDER_REPLICATE) for each in (other.detail, other.bare)
    )
    return np.asarray(detail * np.float32(light), dtype=np.float32), np.asarray(bare, dtype=np.float32)


__all__ = ["printed_alike"]
