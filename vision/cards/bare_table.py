"""How the bare table beside a column looks, held against that beside the others: what covers a column, or shines on it,
has a light and a hue of its own, and what is seen there does not tell that the place is empty."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.names import THEATERS, other
from engine.places import Place
from vision.cards.column import Column
from vision.cards.table_beside import LEFT_OVER, PATTERNED_ALL, beside_cards, table_beside
from vision.types import Tones

AS_LIGHT: Final = 1.25
"""Factor of the table's root of light within which a veil lies over one place no more than over the others: one that
leaves 0.3 of the contrast makes it three times as much."""
SEEN_COLUMNS: Final = 2
"""So many columns must tell the table's light for another's to be held against theirs."""
LIGHTER: Final = 1.15
"""Factor of the root of light by which each quartile of an empty column's table may be above that of all others;"""
DARKER: Final = 0.8
"""and below. Of 836 empty columns on 673 photographs, none of them covered, the lightest came to 1.12 and the darkest
to 0.88; of four whose cards a sheet of one light colour hid three came to 1.33 and more. Beside a lamp one came to 1.25
on six of 104 drawn tables: so what the others tell of such a lamp counts as one of them."""
DARKEST: Final = 0.01
"""Root of light below which a table is taken to be no darker."""
OTHER_HUE: Final = 0.03
"""Logarithm of a channel's root of light by which each quartile of it, less the mean of the three, may be off those of
all others, and the share of how far their middle ones are apart that adds to it: of 1,231 empty columns on 1,025
photographs none is further off, of 40 whose cards a sheet as light as the table hid, 24."""
HUES_APART: Final = 0.5
"""That share. Without it seven of the empty ones are further off, most of them on printed mats."""
DARKEST_HUE: Final = 0.02
"""Root of light below which a channel is taken to be no darker where its hue is taken."""
QUARTERS: Final = np.array([0.25, 0.5, 0.75])

Quartiles: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class TableLook:
    """How the bare table beside a column looks."""

    light: Quartiles
    """Of its root of light, over the lightest that the camera shows."""
    hues: tuple[Quartiles, ...]
    """Of the logarithm of each channel's, less the mean of the three."""
    colours: tuple[NDArray[np.float32], ...] = field(default=(), compare=False)
    """Its common colours, root of light (3,), where it is patterned."""
    unexplained: float = 0.0
    """Share of it that those do not explain."""
    several_colours: float = 0.0
    """Share of it that one colour a side does not explain."""


def look_of(column: Column) -> TableLook:
    """How the table beside a column looks."""
    *hues, light = _quartiles_of(table_beside(column.tones)[::2, ::2] / column.brightest)
    unexplained = float((table_beside(column.bare) > LEFT_OVER).mean())
    return TableLook(light, tuple(hues), tuple(column.colours), unexplained, column.several_colours)


def patterned_all_over(looks: Collection[TableLook]) -> bool:
    """Whether a table is patterned by how it looks beside all of its columns, also where one of them hardly tells."""
    return len(looks) >= SEEN_COLUMNS and float(np.median([look.several_colours for look in looks])) > PATTERNED_ALL


def hue_apart(column: Column, rows: slice, across: slice) -> float:
    """By how much the hue of a part of a column, px at `MIDDLE`, is off that of the table on both of its sides all
    over: logarithm of a channel's root of light, less the mean of the three, of that channel in which each quartile of
    it is furthest off."""
    beside = beside_cards(column.tones)[rows]
    half = beside.shape[1] // 2
    parts = (column.tones[rows, across], beside[:, :half], beside[:, half:])
    here, *sides = (np.array(_quartiles_of(part / column.brightest)[:3]) for part in parts)
    above, below = (np.minimum(*(sign * (here - side) for side in sides)) for sign in (1, -1))
    return float(max(above.min(1).max(), below.min(1).max()))


def _quartiles_of(tones: Tones) -> list[Quartiles]:
    """Those of the hue in each channel, and of the light, of roots of light over the lightest that the camera shows,
    (h, w, 3)."""
    flat = tones.reshape(-1, 3)
    rows = np.empty((4, len(flat)), dtype=np.float32)
    rows[:3] = cv2.log(np.maximum(flat, np.float32(DARKEST_HUE))).T
    rows[:3] -= rows[:3].mean(0)
    rows[3] = flat.mean(1)
    return _quartiles(rows)


def colours_elsewhere(at: Place, looks: Mapping[Place, TableLook]) -> list[NDArray[np.float32]]:
    """The common colours, (3,), of a patterned table beside all columns but one; none where that is not patterned.
    `looks`: of each column."""
    if not looks[at].colours:
        return []
    return [colour for place, look in looks.items() if place != at for colour in look.colours]


def _quartiles(rows: NDArray[np.float32]) -> list[Quartiles]:
    # In order, all rows at once: numpy's quantiles take ten times as long for so few values (0.8 to 0.15 ms a column).
    rows.sort(axis=1)
    at = QUARTERS * (rows.shape[1] - 1)
    below = at.astype(int)
    low = rows[:, below]
    between = low + (rows[:, np.minimum(below + 1, rows.shape[1] - 1)] - low) * (at - below)
    return [(row[0], row[1], row[2]) for row in between.tolist()]


def of_another_hue(at: Place, looks: Mapping[Place, TableLook]) -> bool:
    """Whether a column's table is all over of another hue than that of every other column: a sheet may lie over it that
    is as light as the table. False where too few tell. `looks`: of each column."""
    others = np.array([look.hues for place, look in looks.items() if place != at])
    if len(others) < SEEN_COLUMNS:
        return False
    here, middles = np.array(looks[at].hues), others[:, :, 1]
    far = OTHER_HUE + HUES_APART * (middles.max(0) - middles.min(0))
    off = np.maximum((here - others.max(0)).min(1), (others.min(0) - here).min(1))
    return bool((off > far).any())


def as_light_as(column: Quartiles, seen: Sequence[Quartiles]) -> bool:
    """Whether a column's table is as light as that beside boards whose print is `seen`, or beside two of them, for a
    lamp may stand at one end of the table; False where too few tell.

    Where 0.3 of the contrast is left, a veil has made the root of light about three times as much, darkness a third.
    """
    if len(seen) < SEEN_COLUMNS:
        return False
    usual: Quartiles = tuple(np.median(np.array(seen), axis=0).tolist())
    return _alike(column, usual) or sum(_alike(column, light) for light in seen) >= SEEN_COLUMNS


def _alike(one: Quartiles, another: Quartiles) -> bool:
    # Multiplied, not divided: a black table is 0 light.
    return all(here < AS_LIGHT * there and there < AS_LIGHT * here for here, there in zip(one, another, strict=True))


def unlike_others(at: Place, tables: Mapping[Place, Quartiles]) -> bool:
    """Whether a column's table is lighter or darker all over than that of every other column by more than a lamp makes
    it: a sheet or a cloth may lie over it. False where too few tell. `tables`: of each column."""
    others = [light for place, light in tables.items() if place != at]
    if len(others) < SEEN_COLUMNS:
        return False
    by_lamp = _by_the_others(at, tables)
    if by_lamp is not None:
        others.append(by_lamp)
    by_quartile = list(zip(tables[at], zip(*others, strict=True), strict=True))
    return all(here > LIGHTER * max(there) for here, there in by_quartile) or all(
        here < DARKER * min(there) for here, there in by_quartile
    )


def _by_the_others(at: Place, tables: Mapping[Place, Quartiles]) -> Quartiles | None:
    """How light a column's table would be if it were to that across its board as the others' are to each other: a lamp
    beside one end of the table makes the place next to it lighter than all others. None where too few tell."""
    theater, seat = at
    across = other(seat)
    told = [t for t in THEATERS if (t, seat) in tables and (t, across) in tables and t != theater]
    if not told or (theater, across) not in tables:
        return None
    here, there = (np.maximum([tables[t, side] for t in told], DARKEST) for side in (seat, across))
    steps = np.exp(np.log(here / there).mean(axis=0))
    low, middle, high = (np.array(tables[theater, across]) * steps).tolist()
    return low, middle, high


__all__ = [
    "Quartiles",
    "TableLook",
    "as_light_as",
    "colours_elsewhere",
    "hue_apart",
    "look_of",
    "of_another_hue",
    "patterned_all_over",
    "unlike_others",
]
