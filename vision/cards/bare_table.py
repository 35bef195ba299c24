"""How the bare table beside a column looks, and where its first card would lie, to be held against that beside the
others."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.places import Place
from vision.cards.column import Column
from vision.cards.table_beside import LEFT_OVER, PATTERNED_ALL, beside_cards, table_beside
from vision.cards.templates import MIDDLE
from vision.geometry.align import grey
from vision.types import Tones

AS_LIGHT: Final = 1.25
"""Factor of the table's root of light within which a veil lies over one place no more than over the others: one that
leaves 0.3 of the contrast makes it three times as much."""
SEEN_COLUMNS: Final = 2
"""So many columns must tell the table's light for another's to be held against theirs."""
PRINTED_ALL_OVER: Final = 0.03
"""Share of the table beside its columns that its common colours do not explain from which it is printed all over: of
sixteen path-traced tables on mats printed with shapes far apart it was 0.032 to 0.075, of 150 others, with mugs, arms
and cloths, 0.015 and less, but for dotted cloths, of 325 drawn ones in other rooms 0.012 and less."""
GRAIN_MM: Final = (5, 15)
"""A table's grain is what is coarser than the first and finer than the second, mm."""
DARKEST_HUE: Final = 0.02
"""Root of light below which a channel is taken to be no darker where its hue is taken."""
QUARTERS: Final = np.array([0.25, 0.5, 0.75])

Quartiles: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True)
class PartLook:
    """How a part of a column looks."""

    light: Quartiles
    """Of its root of light, over the lightest that the camera shows."""
    hues: tuple[Quartiles, ...]
    """Of the logarithm of each channel's, less the mean of the three."""
    middle: float = 0.0
    """Where it is, mm from the column's first row."""
    tones: Tones | None = field(default=None, compare=False, repr=False)
    """Its root of light, over that, (h, w, 3) at `MIDDLE`."""

    @cached_property
    def grain(self) -> tuple[float, ...]:
        """How much its light changes within a few millimetres, in each channel, as a share of what it is; asked for
        seldom. Nothing where its tones are not known."""
        if self.tones is None:
            return (0.0, 0.0, 0.0)
        light = np.square(self.tones)
        fine, coarse = (cv2.blur(light, (size, size)) for size in (round(mm * MIDDLE) for mm in GRAIN_MM))
        changes, level = (np.median(part[::2, ::2], axis=(0, 1)) for part in (np.abs(fine - coarse), light))
        return tuple((changes / np.maximum(level, DARKEST_HUE**2)).tolist())

    @cached_property
    def lightness(self) -> tuple[float, ...]:
        """Its light in each channel, over the most that the camera shows."""
        return (1.0,) * 3 if self.tones is None else tuple(np.median(np.square(self.tones), axis=(0, 1)).tolist())


@dataclass(frozen=True, slots=True)
class TableLook:
    """How the bare table beside a column looks."""

    sides: tuple[PartLook, PartLook]
    """On both sides of its cards."""
    colours: tuple[NDArray[np.float32], ...] = field(default=(), compare=False)
    """Its common colours, root of light (3,), where it is patterned."""
    unexplained: float = 0.0
    """Share of it that those do not explain."""
    several_colours: float = 0.0
    """Share of it that one colour a side does not explain."""

    @property
    def light(self) -> Quartiles:
        """Of its root of light, over the lightest that the camera shows."""
        low, middle, high = np.mean([side.light for side in self.sides], axis=0).tolist()
        return low, middle, high


def look_of(column: Column) -> TableLook:
    """How the table beside a column looks."""
    left, right = (_part(side / column.brightest) for side in np.hsplit(table_beside(column.tones), 2))
    unexplained = float((table_beside(column.bare) > LEFT_OVER).mean())
    return TableLook((left, right), tuple(column.colours), unexplained, column.several_colours)


def part_of(column: Column, rows: slice, across: slice) -> PartLook:
    """How a part of a column, px at `MIDDLE`, looks."""
    middle = (rows.start + rows.stop) / 2 / MIDDLE
    return replace(_part(column.tones[rows, across] / column.brightest), middle=middle)


def _part(tones: Tones) -> PartLook:
    """How a part of a column looks; `tones`: root of light over the lightest that the camera shows, (h, w, 3)."""
    *hues, light = _quartiles_of(tones[::2, ::2])
    return PartLook(light, tuple(hues), tones=tones)


def patterned_all_over(looks: Collection[TableLook]) -> bool:
    """Whether a table is patterned by how it looks beside all of its columns, also where one of them hardly tells."""
    return len(looks) >= SEEN_COLUMNS and float(np.median([look.several_colours for look in looks])) > PATTERNED_ALL


def printed_all_over(looks: Collection[TableLook]) -> bool:
    """Whether a table is printed all over, by how it looks beside its columns: its common colours leave much of it."""
    return bool(looks) and float(np.median([look.unexplained for look in looks])) >= PRINTED_ALL_OVER


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
    rows[3] = grey(tones).ravel()
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


__all__ = [
    "PartLook",
    "Quartiles",
    "TableLook",
    "as_light_as",
    "colours_elsewhere",
    "hue_apart",
    "look_of",
    "part_of",
    "patterned_all_over",
    "printed_all_over",
]
