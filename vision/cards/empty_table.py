"""How the table looked where nothing lay, once that is known: on a mat that is printed all over nothing in one picture
tells a rectangle of its print from a card that was not read, and what was seen there before does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.table_beside import fair_match, light_beside, table_beside, wrong_by
from vision.cards.templates import MIDDLE
from vision.geometry.light import apply
from vision.geometry.pose import Pose
from vision.geometry.rectify import TableArea, cut
from vision.geometry.table import MAT
from vision.types import Floats, Grey, Picture, Tones

AROUND: Final = 70.0
"""How far beyond the mat's edges the table is kept, mm: columns reach as far."""
SHIFTED: Final = 3
"""Side of the surroundings, px at `MIDDLE`, within which the same point of the table may be seen again: two pictures
are laid over each other to a millimetre."""
BLOWN_OUT: Final = 0.97
"""Share of what the camera gives at most from which a channel is blown out, root of light."""
SHADE: Final = 5.0
"""How far around a card or a board its shadow and what it hides by lying a little off are no bare table, mm."""
WHOLLY: Final = 0.9999
"""Share of what a point is made of that must have been seen: a rim of 1 % black shifts what is known there."""

_WHOLE: Final = TableArea((-MAT[0] / 2 - AROUND, MAT[1] / 2 + AROUND), 0.0, MAT[0] + 2 * AROUND, MAT[1] + 2 * AROUND)

SHAPE: Final = round(_WHOLE.height * MIDDLE), round(_WHOLE.width * MIDDLE)
"""Rows and columns of a table from above, px at `MIDDLE`."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenEmpty:
    """What was seen in one column's frame when nothing lay there, its first row nearest to the board's middle."""

    tones: Tones
    """Root of light at `MIDDLE`, (h, w, 3), in the profile's light."""
    clipped: NDArray[np.bool_]
    """Where the camera cut a channel off then, (h, w, 3): there was more of it."""
    known: NDArray[np.bool_]
    """Where the table was seen then, (h, w)."""

    def against(self, tones: Tones, spread: float, brightest: NDArray[np.float32]) -> AgainstEmpty:
        """What is seen in that column now, (h, w, 3) root of light, held against it. `spread`: error that counts as a
        fair match of a table of one colour; `brightest`: root of light that the camera shows at most now, (3,)."""
        light = light_beside(tones, self.tones)
        window = np.ones((SHIFTED, SHIFTED), np.uint8)
        low = cv2.multiply(cv2.erode(self.tones, window), light)
        high = cv2.multiply(cv2.dilate(self.tones, window), light)
        low = np.minimum(low, BLOWN_OUT * brightest)
        high[self.clipped] = np.inf
        off = np.asarray(cv2.subtract(tones, cv2.min(cv2.max(tones, low), high)), dtype=np.float32)
        beside = np.sqrt(np.square(table_beside(off)[::2, ::2]).mean(2))
        wrong = wrong_by(off, fair_match(beside, spread))
        wrong[~self.known] = 1.0
        return AgainstEmpty(wrong, off)


@dataclass(frozen=True, slots=True, eq=False)
class AgainstEmpty:
    """A column, held against what was seen there when it was empty."""

    errors: Grey
    """How badly that explains each pixel, 0..1, (h, w); 1 where it is not known."""
    left: Tones
    """What it leaves, root of light, (h, w, 3)."""


@dataclass(frozen=True, slots=True, eq=False)
class EmptyTable:
    """The table from above where nothing lay."""

    tones: Tones
    """Root of light at `MIDDLE`, (*`SHAPE`, 3), in the profile's light."""
    clipped: NDArray[np.bool_]
    """Where the camera cut a channel off, (h, w, 3)."""
    known: NDArray[np.bool_]
    """Where it was seen empty, (h, w)."""

    def in_column(self, frame: TableArea) -> SeenEmpty | None:
        """What was seen in a column's frame; None where next to nothing was."""
        size = round(frame.width * MIDDLE), round(frame.height * MIDDLE)
        at = np.array([[0.5, 0.5], [size[0] - 0.5, 0.5], [0.5, size[1] - 0.5]])
        there = _WHOLE.from_table(frame.to_table(at / MIDDLE)) * MIDDLE - 0.5
        matrix = cv2.getAffineTransform((at - 0.5).astype(np.float32), there.astype(np.float32))
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        tones = cv2.warpAffine(self.tones, matrix, size, flags=how)
        known = cv2.warpAffine(self.known.astype(np.float32), matrix, size, flags=how) > WHOLLY
        if not known.any():
            return None
        clipped = cv2.warpAffine(self.clipped.astype(np.float32), matrix, size, flags=how) > 0.01
        return SeenEmpty(np.asarray(tones, dtype=np.float32), clipped, known)

    def and_then(self, later: EmptyTable) -> EmptyTable:
        """This, and what was seen later, which counts where both tell."""
        newer = later.known[..., None]
        tones, clipped = np.where(newer, later.tones, self.tones), np.where(newer, later.clipped, self.clipped)
        return EmptyTable(tones, clipped, self.known | later.known)


def seen_empty(
    image: Picture,
    pose: Pose,
    roots: Tones,
    brightest: Picture,
    columns: Iterable[TableArea],
    lying: Iterable[Floats],
) -> EmptyTable:
    """The table in a picture, (h, w, 3) uint8 BGR, in whose `columns` nothing lies but the boards and cards that are
    known to: their corners on the table, (4, 2) mm each. `roots`: `root_table`; `brightest`: the picture's."""
    patch, inside = cut(image, pose, _WHOLE, MIDDLE)
    known = np.zeros(inside.shape, np.uint8)
    for frame in columns:
        cv2.fillConvexPoly(known, _in_table(frame.corners), 1)
    known &= inside.view(np.uint8)
    for corners in lying:
        at = _in_table(corners)
        cv2.fillConvexPoly(known, at, 0)
        cv2.polylines(known, [at], True, 0, round(2 * SHADE * MIDDLE))
    tones = apply(patch, roots)
    clipped = tones >= BLOWN_OUT * roots[brightest, range(3)]
    # Of what is cut off in all channels nothing is known.
    return EmptyTable(tones, clipped, (known > 0) & ~clipped.all(2))


def _in_table(corners: Floats) -> NDArray[np.int32]:
    """Points of the table, (n, 2) mm, as pixels of the table from above."""
    return np.round(_WHOLE.from_table(corners) * MIDDLE - 0.5).astype(np.int32)


__all__ = ["SHAPE", "EmptyTable", "SeenEmpty", "seen_empty"]
