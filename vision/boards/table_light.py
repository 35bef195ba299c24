"""The light on the table as the boards tell it: they lie among the cards and in their light."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine.names import SEATS, Theater
from engine.places import Place
from vision.boards.boards import Pairs
from vision.boards.shine import gains_under_shine
from vision.geometry.light import (
    NO_VEIL,
    VEILED,
    Veil,
    brightness,
    clipped_share,
    contrast,
    darkest,
    gains_from_pairs,
    gains_from_tags,
    saturation,
    unveiled,
    veil_over,
)
from vision.geometry.registration import Registration
from vision.types import Floats, Picture, Tones

LEAST_CONTRAST: Final = 0.3
"""Share of the boards' contrast below which nothing can be read: on 80 photographs in eight kinds of light the middle
board showed 0.6 or more, and the half of a board that showed least 0.35."""
LEAST_VEILED: Final = 0.1
"""The same where a veil was taken off: of 160 photographs of which veils left 0.1 to 0.3, 34 were read, none of them
wrong and sure."""
LIGHT_OFF: Final = 0.15
"""Mean error of tone, 0..1, from which the boards' light is not believed and the tags tell it."""
APART: Final = 0.2
"""Logarithm of a channel's gain by which the hues of light are apart, that boards by themselves tell, where something
shines on some of them: of 357 photographs of 25 decks 28 have more."""
EVEN: Final = 0.3
"""Share of the greatest shine on a half of a board that the least has where a veil lies over all of them."""
LEAST_POINTS: Final = 100
"""Points of a board's half that tell its contrast."""
VEILED_HALF: Final = 0.6
"""Share of the contrast that most halves of boards show below which a veil lies on one: it tells no light. Of 6,741
cards as many are read right with 0.5, two more with 0.7."""
HIDDEN_HALF: Final = 0.45
"""The same below which it lies in no more light than they do: what it is lighter is the veil.
By a lamp one showed 0.5 of it and lay in more light, under a sheet one showed 0.36."""
LEAST_HALVES: Final = 3
"""Halves that must be left then."""
CLIPPED_BOARD: Final = 0.08
"""Share of a board's half that must be clipped for the light to be such that a camera clips it: on 24 photographs of
near-white decks 0.09 to 0.92 where it does, 0.07 at most where it does not."""


@dataclass(frozen=True, slots=True)
class TableLight:
    """The light on a table, and how much of the boards is seen in it."""

    gains: Floats
    """Factors (3, BGR) that bring the picture to the profile's light."""
    veil: Veil
    """What is taken off before."""
    saturation: float
    """Share of colour that the camera leaves."""
    contrast: Mapping[Place, float]
    """How much of its contrast is seen of the board's half beside each place."""
    unveiled: Mapping[Place, float]
    """The same after the veil was taken off."""
    brightness: Mapping[Place, float]
    """How much brighter than after `gains` it is there."""
    clipped: bool
    """The camera clips what is light."""
    washed_out: bool
    """It clips nearly all of the boards, and what is left of their print is seen."""

    @property
    def visible(self) -> float:
        """How much of the boards' contrast is seen, 1 for all of it and where there are none."""
        return _middle(self.contrast.values()) if self.contrast else 1.0

    @property
    def colourless(self) -> bool:
        """The picture has no colour that tells anything."""
        return self.saturation == 0

    @property
    def legible(self) -> bool:
        """Enough of it is seen for cards to be read."""
        return self.washed_out or self.visible >= (LEAST_CONTRAST if self.veil is NO_VEIL else LEAST_VEILED)


def table_light(
    image: Picture, reg: Registration, pairs: Mapping[Theater, Pairs], small: Picture, full: Picture
) -> TableLight:
    """The light that two boards or more tell; the tags serve where they fail.

    `image`: the picture, (h, w, 3) uint8 BGR; `pairs`: points of each board that was found; `small`: the picture
    `shrunk`; `full`: its `brightest`.
    """
    boards = [(p.seen, p.known) for p in pairs.values()] if len(pairs) >= 2 else []
    points = _points_of_halves(pairs)
    fit = _fitted_under_shine(boards, points.values(), full)
    gains = fit.gains if fit.believed else gains_from_tags(image, reg)
    halves = _Halves(points, np.ones(3) if gains is None else gains, full)
    colour, veil = fit.saturation, NO_VEIL
    visible = halves.contrast()
    if boards and not fit.shone_upon and visible and _middle(visible.values()) < VEILED:
        added = veil_over(boards, full, darkest(small))
        if added is not None:
            clear = _fitted([(unveiled(seen, added), known) for seen, known in boards])
            if clear.believed:
                halves, colour, veil = halves.without(added, clear.gains), clear.saturation, added
    without = visible if veil is NO_VEIL else halves.contrast()
    level = halves.brightness()
    shares = {at: visible[at] / np.sqrt(level[at]) for at in level}
    usual = _middle(shares.values()) if shares else 0.0
    bare = [at for at, share in shares.items() if share >= VEILED_HALF * usual]
    if veil is NO_VEIL and not fit.shone_upon and LEAST_HALVES <= len(bare) < len(shares):
        # What shines on one board, or lies on it, is no light of the others.
        others = _fitted([halves.points[at] for at in bare], full, halves.gains)
        if others.believed:
            halves, colour = replace(halves, gains=others.gains), others.saturation
            visible = without = halves.contrast()
            level = halves.brightness()
        most = _middle(level[at] for at in bare)
        level = {at: min(one, most) if shares[at] < HIDDEN_HALF * usual else one for at, one in level.items()}
    clipped = max(halves.clipped(level), default=0.0) > CLIPPED_BOARD
    washed_out = False
    if clipped and veil is NO_VEIL and _middle(visible.values()) < LEAST_CONTRAST:
        washed_out = _middle(halves.contrast_of_clipped(level)) >= LEAST_CONTRAST
    return TableLight(halves.gains, veil, colour, visible, without, level, clipped, washed_out)


@dataclass(frozen=True, slots=True)
class _Fit:
    """What points of boards tell of the light."""

    gains: Floats
    off: float
    """Mean error of tone that remains, 0..1."""
    saturation: float
    shone_upon: bool = False
    """Boards tell it so differently that something shines on them, and that was told apart from it."""

    @property
    def believed(self) -> bool:
        return self.off < LIGHT_OFF


def _fitted(boards: list[tuple[Tones, Tones]], full: Picture | None = None, others: Floats | None = None) -> _Fit:
    """The light that points tell, as seen and as enrolled, each (N, 3); as bright as the gains `others` if they are
    given. `full`: `brightest` of the picture, where something may be clipped."""
    if not boards:
        return _Fit(np.ones(3), np.inf, 1.0)
    seen, known = (np.concatenate(tones) for tones in zip(*boards, strict=True))
    gains, off = gains_from_pairs(seen, known, full)
    if others is not None:
        gains = gains * np.exp(np.log(others / gains).mean())
    return _Fit(gains, off, saturation(seen, known, gains, full))


def _fitted_under_shine(
    boards: list[tuple[Tones, Tones]], halves: Iterable[tuple[Tones, Tones]], full: Picture
) -> _Fit:
    """The same, by their `halves` where the boards by themselves tell of different lights: something shines on them."""
    fit = _fitted(boards, full)
    each = [gains_from_pairs(*board, full) for board in boards] if fit.believed else []
    told = np.array([np.log(gains) - np.log(gains).mean() for gains, off in each if off < LIGHT_OFF])
    if len(told) < 2 or np.ptp(told, axis=0).max() <= APART:
        return fit
    gains, shines = gains_under_shine(list(halves), full, fit.gains)
    # What adds as much light to all of them is a veil.
    uneven = min(shines, default=0.0) < EVEN * max(shines, default=0.0)
    return replace(fit, gains=gains, shone_upon=True) if uneven else fit


@dataclass(frozen=True, slots=True)
class _Halves:
    """The halves of the boards in one light."""

    points: Mapping[Place, tuple[Tones, Tones]]
    """Points of each half, as seen and as enrolled, each (N, 3)."""
    gains: Floats
    full: Picture
    """`brightest` of the picture."""

    def without(self, veil: Veil, gains: Floats) -> _Halves:
        """The same in another light after a veil was taken off."""
        points = {at: (unveiled(seen, veil), known) for at, (seen, known) in self.points.items()}
        return _Halves(points, gains, self.full)

    def contrast(self) -> dict[Place, float]:
        """How much of its contrast is seen of each."""
        return {at: contrast(*half, self.gains) for at, half in self.points.items()}

    def brightness(self) -> dict[Place, float]:
        """How much brighter than after the gains each is."""
        return {at: brightness(*half, self.gains, self.full) for at, half in self.points.items()}

    def clipped(self, level: Mapping[Place, float]) -> list[float]:
        """Share of each that the camera clips in a light of that `level`."""
        return [clipped_share(known, self.gains, level[at], self.full) for at, (_, known) in self.points.items()]

    def contrast_of_clipped(self, level: Mapping[Place, float]) -> list[float]:
        """How much is seen of the contrast that the camera leaves where it clips what is light."""
        return [contrast(*half, self.gains, level[at], self.full) for at, half in self.points.items()]


def _points_of_halves(pairs: Mapping[Theater, Pairs]) -> dict[Place, tuple[Tones, Tones]]:
    """The points of each half of a board that has enough of them."""
    halves: dict[Place, tuple[Tones, Tones]] = {(t, seat): p.half(seat) for t, p in pairs.items() for seat in SEATS}
    return {at: half for at, half in halves.items() if len(half[0]) >= LEAST_POINTS}


def _middle(values: Iterable[float]) -> float:
    return float(np.median(list(values)))


__all__ = ["LEAST_CONTRAST", "TableLight", "table_light"]
