"""Whether something lies over a place that seems to be empty, or over what is not seen of a stack: a sheet, a leaflet
or a cloth hides cards, and where it reaches beyond the column on both sides, it explains all that is seen there as the
table would."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.names import other
from engine.places import Place
from vision.cards.bare_table import PartLook, TableLook, part_of, patterned_all_over, printed_all_over
from vision.cards.column import Column
from vision.cards.column_reading import ColumnReading
from vision.cards.outline import outline_of
from vision.cards.table_beside import ABOVE, FIRST_CARD, SIDE, TO_TAGS
from vision.cards.templates import MIDDLE
from vision.geometry.rectify import TableArea
from vision.types import Floats

DARKEST: Final = 0.01
"""Root of light below which a table is taken to be no darker."""
LIGHT_APART: Final = 0.15
"""Logarithm of root of light by which a place is off a side of another column at one step;"""
HUE_APART: Final = 0.03
"""and that of a channel, less the mean of the three."""
APART: Final = 2.0
"""So many steps off, the one may not be the table that the other is."""
BY_LAMP: Final = (0.8, 4.2)
"""Of the steps that a lamp makes across the table, the share by which a place may be off, for they are not quite even,
and how many at most;"""
FAR_APART: Final = (3.5, 6.0)
"""so many off, besides those of the lamp and at most, it is none whatever the lamp does. Of 1,026 empty places in drawn
rooms and on path-traced photographs, without grain and with nothing over them, one is told to be covered; of 385
under a sheet, 359."""
PLAINLY_SEEN: Final = 0.4
"""How well an uppermost card's lower part goes with what is seen if nothing lies over it: of 1,448 on path-traced
photographs one in twenty goes worse, of 19 over which sheets hid cards none better than 0.23."""
FAR_OUT: Final = 11.0
"""How far from its board a first card lies, mm, that may lie on another one under something: of 1,341 stacks on
path-traced photographs none does, and before the L4 of a stack a phone hid a back."""
BEYOND: Final = (3.0, 40.0, 5.0)
"""From so far beyond a card on, over so much and at least over so much the table must be seen, mm."""
LIKE_SIDES: Final = 4
"""An empty place must be like so many sides of other columns: one sheet lies over three of them at most, for over two
places it reaches to a third."""
LEAST_SIDES: Final = 6
"""So many of them must be seen."""
NEAREST: Final = 0.8
"""Share of the sides that tell what a lamp does, those that it explains best."""
STEEP: Final = 0.15
"""What a slope costs for all that it makes across the table, against the sum of what it leaves unexplained: a sheet
that reaches to the columns on both sides of its own leaves as many sides on a steep plane as on a level one, and was
the table in such a lamp's light. Of 300 tables with a sheet of the mat's hue over cards 32 instead of 46 are certain,
and none of 802 without one is in doubt for it; with 0.5 two of those are."""
GRAIN: Final = 0.03
"""Share of a channel's light from which its changes are a table's grain: bare wood comes to 0.03 to 0.06, noise in dim
light to 0.017."""
AS_GRAINED: Final = (0.7, 2.0)
"""The grain of a place over that of the sides of all other columns, of which nothing covers the table: light that the
table throws back adds to its light and takes nothing of its grain away, as a sheet does."""
_SIDE_MIDDLE: Final = (SIDE / 4, ABOVE + 90.0)
"""The middle of a side, mm from the column's edge and from its first row."""
_NOT_IN_LINE: Final = 0.3
"""Twice the area between three points, square decimetres, from which they tell how light changes both ways."""


def place_of(column: Column) -> tuple[PartLook, ...]:
    """How a column looks where a first card would lie: all of that, its left half and its right one."""
    rows, across = FIRST_CARD
    first, last, _ = across.indices(column.tones.shape[1])
    parts = (across, slice(first, (first + last) // 2), slice((first + last) // 2, last))
    return tuple(part_of(column, rows, part) for part in parts)


def beside_stack(column: Column, reading: ColumnReading) -> tuple[tuple[PartLook, ...], ...]:
    """How a column looks where cards of a stack that were not read may lie under something: before a first card that
    lies far from its board, and beyond the end of an uppermost one whose lower part is not seen, for on one that is
    seen whole no other card lies. `reading`: with its `uppermost_fit`."""
    if not reading.cards or reading.uppermost_fit is None:
        return ()
    top = float(outline_of(reading.cards[0].place)[:, 1].min())
    end = float(outline_of(reading.cards[-1].place)[:, 1].max())
    spans: list[tuple[float, float]] = []
    if top >= ABOVE + FAR_OUT:
        spans.append((ABOVE + BEYOND[0], top - BEYOND[0]))
    if reading.uppermost_fit[1] < PLAINLY_SEEN:
        first = end + BEYOND[0]
        spans.append((first, min(first + BEYOND[1], ABOVE + TO_TAGS, column.rows)))
    rows = [slice(round(first * MIDDLE), round(last * MIDDLE)) for first, last in spans if last - first >= BEYOND[2]]
    return tuple((part_of(column, span, FIRST_CARD[1]),) for span in rows)


def covered(
    at: Place, parts: Sequence[PartLook], looks: Mapping[Place, TableLook], areas: Mapping[Place, TableArea]
) -> bool:
    """Whether something lies over parts of a column that seem to be bare table, by how the table looks on the sides of
    all others; False where too few tell.

    `parts`: how they look, all of them together first, which alone is asked about where the table is patterned;
    `looks`: how the table looks at each column; `areas`: where each lies (`column_frame`). What a lamp shines on is
    lighter, of another hue, and the table all the same: that goes evenly across the table, or leaves its grain.
    """
    others = [place for place in looks if place != at]
    # What is printed all over looks another way everywhere.
    if 2 * len(others) < LEAST_SIDES or printed_all_over(list(looks.values())):
        return False
    plain = not patterned_all_over([looks[place] for place in others])
    return any(_unlike_others(at, part, others, looks, areas, plain) for part in (parts if plain else parts[:1]))


def _unlike_others(
    at: Place,
    part: PartLook,
    others: Sequence[Place],
    looks: Mapping[Place, TableLook],
    areas: Mapping[Place, TableArea],
    plain: bool,
) -> bool:
    """The same of one part; `others`: the other columns; `plain`: whether the table is of one colour."""
    sides = [side for place in others for side in looks[place].sides]
    here, there = _look(part), np.array([_look(side) for side in sides])
    theater, seat = at
    across = looks.get((theater, other(seat)))
    if across is not None and _steps(here - [_look(side) for side in across.sides], plain, 1) < APART:
        # A mat may have a field for each board; what lies over a place does not lie across the board.
        return False
    apart = _steps(here - there, plain)
    if apart <= APART or _same_grain(part, sides):
        return False
    points = np.concatenate([_side_middles(areas[place]) for place in others])
    middle = areas[at].to_table(np.array([[areas[at].width / 2, part.middle]]))[0]
    slopes = _slopes(points, there[:, :, 1])
    lamp = float(_in_steps(np.ptp(points @ slopes, axis=0)))
    if apart > min(FAR_APART[0] + lamp, FAR_APART[1]):
        return True
    apart = _steps(here - there - ((middle - points) @ slopes)[:, :, None], plain)
    return apart > min(max(APART, BY_LAMP[0] * lamp), BY_LAMP[1])


def _look(part: PartLook) -> Floats:
    """The quartiles of a part's hues and the logarithms of those of its light, (4, 3)."""
    return np.array([*part.hues, np.log(np.maximum(part.light, DARKEST))])


def _steps(off: Floats, plain: bool, like: int = LIKE_SIDES) -> float:
    """How many steps a place is off the nearest of some sides but so many, `like` less one; `off`: by how much each
    quartile of its hues and its light is, (n, 4, 3); `plain`: whether the table is of one colour, so that two of three
    quartiles tell."""
    least = np.sort(off, -1)[..., [1, 1] if plain else [0, 2]]
    one_way = np.maximum(least[..., 0], 0) + np.maximum(-least[..., 1], 0)
    return float(np.sort(_in_steps(one_way))[like - 1])


def _in_steps(off: Floats) -> Floats:
    """How many steps hues and light are off, (..., 4): those of the channel that is furthest off and of the light."""
    return np.asarray(off[..., :3].max(-1) / HUE_APART + off[..., 3] / LIGHT_APART)


def _side_middles(area: TableArea) -> Floats:
    """The middles of a column's two sides on the table, mm, (2, 2)."""
    across, down = _SIDE_MIDDLE
    return area.to_table(np.array([[across, down], [area.width - across, down]]))


def _slopes(points: Floats, seen: Floats) -> Floats:
    """How hues and light change along the table, by each mm, (2, 4), as most of some points tell, mm, (n, 2), at which
    they are `seen`, (n, 4): by the plane through three of them from which the nearest are least off in sum, for what
    lies over some of them tells nothing of the lamp (least trimmed absolute deviations)."""
    planes = np.column_stack([np.ones(len(points)), points / 100])
    threes = np.array(list(combinations(range(len(points)), 3)))
    threes = threes[np.abs(np.linalg.det(planes[threes])) > _NOT_IN_LINE]
    if not len(threes):
        return np.zeros((2, seen.shape[1]))
    through: NDArray[np.float64] = np.linalg.solve(planes[threes], seen[threes])
    off = np.sort(np.abs(planes @ through - seen), 1)
    steep = np.ptp(np.einsum("nk,tkc->tnc", planes[:, 1:], through[:, 1:]), axis=1)
    best = (off[:, : round(NEAREST * len(points))].sum(1) + STEEP * steep).argmin(0)
    return np.asarray(through[best, 1:, range(seen.shape[1])].T / 100)


def _same_grain(part: PartLook, sides: Sequence[PartLook]) -> bool:
    """Whether a part has the grain that a table has on the sides of other columns; False where that has none."""
    grain = np.median([side.grain for side in sides], axis=0)
    if (grain < GRAIN).any():
        return False
    lightness = np.median([side.lightness for side in sides], axis=0)
    if (lightness <= 0).any():
        return False  # What lies beside one of them is black.
    share = np.array(part.grain) * part.lightness / (grain * lightness)
    return bool(AS_GRAINED[0] <= share.min() and share.max() <= AS_GRAINED[1])


__all__ = ["beside_stack", "covered", "place_of"]
