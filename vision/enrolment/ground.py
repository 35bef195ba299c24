"""Tells the ground (mat, cloth or wood) from what lies on it, by a statistical model learnt from one photograph.

Most of an enrolment photograph shows the bare ground between the places of cards and boards. Its light is a smooth
surface over the table; what is left after that is divided out has a distribution of colour and of roughness, and so has
what surely is a card. The logarithm of the ratio of the two densities says of each pixel which it belongs to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import table as geometry
from vision.geometry.light import apply, root_table
from vision.geometry.pose import Pose
from vision.geometry.rectify import TableArea, cut, frame_around
from vision.types import Floats, Picture

GroundMap = NDArray[np.float32]

AREA: Final = (400.0, 396.0)
"""Width and height of the part of the table that is modelled, mm: boards and cards with the ground around them."""
BOARD_ROOM: Final = 11.0
"""How far from its nominal place a board may reach, mm."""
CARD_ROOM: Final = 13.0
"""The same for a card, sideways and away from its board."""
CORE: Final = (19.0, 20.0, 76.0)
"""What surely is a card: half its width, and how far from the board's edge it begins and ends, mm."""
BINS: Final = 22
"""Bins of each of the three dimensions of colour."""
REACH: Final = 3.4
"""Colour differences are kept as asinh(z / 2) of their robust score z; this is where the last bin ends."""
LEAST_SPREAD: Final = (0.012, 0.006, 0.006)
"""Least spread of brightness and of the two colour differences, natural logarithms: what compression leaves."""
SHADOW_SHARE: Final = 0.1
"""Share of ground near cards that lies in their shadow."""
SHADOW_TINTS: Final = 4
"""How often the colour of shadows is smoothed by a bin: what falls into them comes from other lights."""
STRANGE_SHARE: Final = 0.02
"""Share of ground that looks like anything at all."""
UNKNOWN_SHARE: Final = 0.35
"""Share of a card's pixels that may look like nothing seen in the cards' cores."""
MOST_LOG_RATIO: Final = 4.0
"""Neighbouring pixels say the same: none counts for more than this."""
ROUGH_WEIGHT: Final = 0.5
"""What the roughness adds to colour, of which it is partly a repetition."""
ROUGH_MM: Final = 3.0
"""Size of the window in which roughness is measured."""
SOFT_MM: Final = (0.7, 0.35)
"""How far pictures are smoothed, mm: for the search of the whole table, and for edges to be found exactly."""
ONE_SPOT: Final = 60.0
"""A colour whose pixels lie no further apart than this (standard deviation, mm) is that of one thing on the ground: a
mug has 31, a phone 48, the mat's own colours some 160. At 35 a phone was learnt as ground, and the card under its edge
was cut 7 mm off."""
SCALES: Final = (1.0, 2.0)
"""px/mm of the two overviews that the models are learnt from."""
DARK: Final = 0.03
"""Added to the square root of light before the logarithm: noise rules below."""
FIT_ROUNDS: Final = 6
"""Rounds in which the surface of light is fitted again to what lies near it."""
ROUGH_STRANGE: Final = (0.05, 0.2)
"""Share of ground and of cards whose roughness may be any at all."""
LEAST_ROUGH_SPREAD: Final = 0.15
"""Least spread of roughness on the ground, natural logarithm of its standard deviation."""


@dataclass(frozen=True, slots=True)
class GroundModel:
    """What the ground and the cards of one photograph look like."""

    fine: bool
    """For exact edges: little smoothed, and by colour alone, for roughness is measured over several mm."""
    surface: NDArray[np.float64]
    """(6, 3): the light on the ground, coefficients of a quadratic in x, y (units of 200 mm) of its logarithm."""
    spread: NDArray[np.float64]
    """(3,): robust spread of brightness and of two colour differences on the ground."""
    rough_at: tuple[float, float]
    """Median and spread of the ground's log roughness."""
    colour: GroundMap
    """(BINS, BINS, BINS): log of the densities' ratio, card over ground, by colour."""
    rough: GroundMap
    """(BINS,): the same by roughness."""

    def log_ratio(self, patch: Picture, frame: TableArea, scale: float) -> GroundMap:
        """Log of p(card) / p(ground) for each pixel of a patch cut out along `frame` at `scale` px/mm, (h, w)."""
        colour = _colour(patch, frame, scale, self.surface, self.fine)
        value = self.colour.ravel()[_colour_bins(colour, self.spread)]
        if not self.fine:
            value = value + np.float32(ROUGH_WEIGHT) * self.rough[_rough_bins(_rough(colour, scale), self.rough_at)]
        return np.asarray(np.clip(value, -MOST_LOG_RATIO, MOST_LOG_RATIO), dtype=np.float32)


def learn_ground(image: Picture, pose: Pose) -> tuple[GroundModel, GroundModel, Picture, TableArea]:
    """Learn the model of one photograph, coarse and fine; also the table from above at 1 px/mm and its frame."""
    frame = frame_around((0.0, 0.0), 0.0, *AREA)
    large, _ = cut(image, pose, frame, SCALES[1])
    small = np.asarray(
        cv2.resize(large, (round(AREA[0]), round(AREA[1])), interpolation=cv2.INTER_AREA), dtype=np.uint8
    )
    ground, _ = _known(frame, *small.shape[:2])
    logs = np.log(_roots(small, 1.0, False) + np.float32(DARK))
    surface = _fit_surface(_basis(frame, *small.shape[:2])[ground][::3], logs[ground][::3])
    return (
        _learn(small, frame, SCALES[0], surface, False),
        _learn(large, frame, SCALES[1], surface, True),
        small,
        frame,
    )


def _learn(patch: Picture, frame: TableArea, scale: float, surface: NDArray[np.float64], fine: bool) -> GroundModel:
    ground, core = _known(frame, *patch.shape[:2])
    colour = _colour(patch, frame, scale, surface, fine)
    rough = _rough(colour, scale)
    there = colour[ground]
    spread = np.maximum(1.4826 * np.median(np.abs(there), axis=0), LEAST_SPREAD)
    quiet = rough[ground]
    middle = float(np.median(quiet))
    rough_at = middle, max(1.4826 * float(np.median(np.abs(quiet - middle))), LEAST_ROUGH_SPREAD)
    bins = _colour_bins(colour, spread)
    bare = _density(bins[ground & _widespread(bins, ground, scale)], BINS**3, (BINS, BINS, BINS))
    bare = (1 - SHADOW_SHARE - STRANGE_SHARE) * bare + SHADOW_SHARE * _shaded(bare) + STRANGE_SHARE / BINS**3
    cards = _density(bins[core], BINS**3, (BINS, BINS, BINS))
    cards = (1 - UNKNOWN_SHARE) * cards + UNKNOWN_SHARE / BINS**3
    rough_bins = _rough_bins(rough, rough_at)
    rough_bare = (1 - ROUGH_STRANGE[0]) * _density(rough_bins[ground], BINS, (BINS,)) + ROUGH_STRANGE[0] / BINS
    rough_cards = (1 - ROUGH_STRANGE[1]) * _density(rough_bins[core], BINS, (BINS,)) + ROUGH_STRANGE[1] / BINS
    return GroundModel(
        fine,
        surface,
        spread,
        rough_at,
        np.asarray(np.log(cards / bare), dtype=np.float32),
        np.asarray(np.log(rough_cards / rough_bare), dtype=np.float32),
    )


def _widespread(bins: NDArray[np.int32], ground: NDArray[np.bool_], scale: float) -> NDArray[np.bool_]:
    """Pixels whose colour the ground has in more than one spot, (h, w): a token or a mug beside the cards is no ground,
    and a board of its colour would be taken for ground."""
    ys, xs = np.nonzero(ground)
    there = bins[ground]
    count = np.maximum(np.bincount(there, minlength=BINS**3), 1)
    variance = np.zeros(BINS**3)
    for at in (xs / scale, ys / scale):
        mean = np.bincount(there, at, BINS**3) / count
        variance += np.bincount(there, at**2, BINS**3) / count - mean**2
    return np.asarray(variance[bins] > ONE_SPOT**2)


def _roots(patch: Picture, scale: float, fine: bool) -> GroundMap:
    roots = apply(patch, root_table(np.ones(3)))
    return np.asarray(cv2.GaussianBlur(roots, (0, 0), SOFT_MM[fine] * scale), dtype=np.float32)


def _basis(frame: TableArea, height: int, width: int) -> NDArray[np.float64]:
    xs = (np.arange(width) + 0.5) * frame.width / width
    ys = (np.arange(height) + 0.5) * frame.height / height
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    x, y = (frame.to_table(grid) / 200).T
    out = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)
    return np.asarray(out.reshape(height, width, 6), dtype=np.float64)


def _fit_surface(basis: NDArray[np.float64], logs: GroundMap) -> NDArray[np.float64]:
    """A quadratic through the logarithms, robust: what lies on the ground and patterns in it sit in the tails."""
    weights: Floats = np.ones(len(basis))
    solution: Floats = np.zeros((6, 3))
    for _ in range(FIT_ROUNDS):
        scaled = basis * weights[:, None]
        # A little stiffness keeps corners that are not seen from running away.
        stiff = np.diag([0.0, 1, 1, 4, 4, 4]) * 1e-3 * len(basis)
        solution = np.asarray(np.linalg.solve(scaled.T @ basis + stiff, scaled.T @ logs), dtype=np.float64)
        off = np.abs(logs - basis @ solution).max(axis=1)
        soft = max(float(np.median(off)), 0.01)
        weights = 1 / (1 + (off / (2 * soft)) ** 2)
    return np.asarray(solution, dtype=np.float64)


def _colour(patch: Picture, frame: TableArea, scale: float, surface: NDArray[np.float64], fine: bool) -> GroundMap:
    """Brightness and two colour differences against the ground, natural logarithms, (h, w, 3)."""
    height, width = patch.shape[:2]
    step = max(1, round(6 * scale))
    knots = (_basis(frame, -(-height // step), -(-width // step)) @ surface).astype(np.float32)
    off = np.log(_roots(patch, scale, fine) + np.float32(DARK))
    off = off - cv2.resize(knots, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.transform(off, _OPPONENT), dtype=np.float32)


_OPPONENT: Final = np.array([[1 / 3, 1 / 3, 1 / 3], [1, -1, 0], [0, -1, 1]], np.float32)


def _rough(colour: GroundMap, scale: float) -> GroundMap:
    """Log of how much the brightness varies around each pixel, (h, w)."""
    light = np.ascontiguousarray(colour[..., 0])
    window = (max(3, round(ROUGH_MM * scale) | 1),) * 2
    mean = cv2.blur(light, window)
    variance = np.maximum(cv2.blur(light * light, window) - mean * mean, 0)
    return np.asarray(0.5 * np.log(variance + 1e-5), dtype=np.float32)


def _binned(score: GroundMap) -> NDArray[np.int32]:
    # The inverse hyperbolic sine of half the score, in a third of the time that numpy's takes.
    half = np.abs(score) * np.float32(0.5)
    far = np.copysign(np.log(half + np.sqrt(half * half + 1)), score)
    return np.asarray(np.clip(far * np.float32(BINS / 2 / REACH) + np.float32(BINS / 2), 0, BINS - 1), dtype=np.int32)


def _colour_bins(colour: GroundMap, spread: NDArray[np.float64]) -> NDArray[np.int32]:
    b = _binned(np.asarray(colour * (1 / spread).astype(np.float32), dtype=np.float32))
    return np.asarray((b[..., 0] * BINS + b[..., 1]) * BINS + b[..., 2], dtype=np.int32)


def _rough_bins(rough: GroundMap, at: tuple[float, float]) -> NDArray[np.int32]:
    return _binned(np.asarray((rough - at[0]) / at[1], dtype=np.float32))


def _density(bins: NDArray[np.int32], count: int, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """A smoothed histogram that sums to one."""
    found = np.bincount(bins.ravel(), minlength=count).astype(np.float64).reshape(shape)
    for axis in range(len(shape)):
        found = _smooth(found, axis)
    return np.asarray(found / max(found.sum(), 1), dtype=np.float64)


def _smooth(values: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    before, after = np.roll(values, 1, axis), np.roll(values, -1, axis)
    _edge(before, axis, 0)
    _edge(after, axis, -1)
    return np.asarray(0.5 * values + 0.25 * (before + after), dtype=np.float64)


def _edge(values: NDArray[np.float64], axis: int, at: int) -> None:
    index: list[slice | int] = [slice(None)] * values.ndim
    index[axis] = at
    values[tuple(index)] = 0


def _shaded(density: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same ground in shadow: darker by anything up to the last bin, of a colour that the other lights give."""
    out = np.zeros_like(density)
    deepest = BINS // 2
    for darker in range(1, deepest):
        out[:-darker] += density[darker:] / deepest
    for _ in range(SHADOW_TINTS):
        out = _smooth(_smooth(out, 1), 2)
    return out


def _known(frame: TableArea, height: int, width: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Where an overview surely shows ground, and where it surely shows cards, (h, w) each."""
    xs = frame.origin[0] + (np.arange(width) + 0.5) * frame.width / width
    ys = np.abs(frame.origin[1] - (np.arange(height) + 0.5) * frame.height / height)
    edge = geometry.BOARD[1] / 2
    beside = np.min(np.abs(xs[:, None] - np.array(geometry.BOARD_X)), axis=1)
    card_wide = beside < geometry.CARD[0] / 2 + CARD_ROOM
    card_high = ys < edge + geometry.FIRST_GAP + geometry.CARD[1] + CARD_ROOM
    boards = (ys < edge + BOARD_ROOM)[:, None] & (np.abs(xs) < geometry.BOARD_X[2] + 64 + BOARD_ROOM)[None]
    cards = card_high[:, None] & card_wide[None]
    core = ((ys > edge + CORE[1]) & (ys < edge + CORE[2]))[:, None] & (beside < CORE[0])[None]
    return ~boards & ~cards, core


__all__ = ["GroundModel", "learn_ground"]
