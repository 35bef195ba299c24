"""Colour and brightness: brings a picture to the light in which white paper is white.

Work happens in "tone": sRGB code values over 255, after each channel was multiplied in linear light. A change of
lamp is a factor there, so one table of 256 entries a channel does it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.geometry import table as geometry
from vision.geometry.quantile import median
from vision.geometry.registration import (
    Registration,
)
from vision.types import Floats, Picture, Tones

WHITE: Final = 0.86
"""Where white paper is brought to, linear light: leaves room above for what lies nearer to the lamp."""
SATURATIONS: Final = (0.4, 1.1)
"""Shares of colour between which a camera's is believed to lie."""
COLOURLESS: Final = 0.12
"""Share of how far apart the boards' hues are as enrolled below which a picture has none: a camera that is set to grey,
or a night picture. Of 70 photographs it is 0.60 to 1.27, with a fifth of their colour 0.13 to 0.26, with a twentieth
0.03 to 0.11."""
SHRUNK: Final = 16
"""By how much a picture is shrunk to find what is brightest in it: noise is brighter still."""
BRIGHTEST: Final = (0.998, 0.9999)
"""Shares of the picture that are darker than what is bright, and than what is brightest."""
SPIKE: Final = 1.018
"""Light of the second over that of the first below which a channel is clipped: of 48 photographs of six decks those
that are came to 1.016 at most, all but a few others to 1.03 or more."""
SPIKE_BESIDE: Final = 1.045
"""The same of a channel where both others are clipped, for in the dark its noise is as large as that: of 241
photographs of 25 decks 16 are so, one read wrongly before. A blue that went as not clipped turned white cards pink."""
NOT_CLIPPED: Final = 0.88
"""Share of the light of what is brightest in the picture below which nothing is clipped."""
PLAINLY_LIGHTER: Final = 1.2
"""Light over the lightest that is shown from which it is clipped, whatever the light is over a part of a board."""
TELLING: Final = (0.01, 0.95)
"""Light between which a point tells the white balance: less is noise, more may be clipped."""
TELLING_HUE: Final = 0.004
"""Light of a seen point from which its hue tells how much colour the camera leaves."""
LEAST_WHITE: Final = 0.004
"""Light of a tag's white, in its darkest channel, below which it tells nothing."""
ENOUGH_POINTS: Final = 50
"""Points that tell a light."""
ENOUGH_RING: Final = 30
"""Points of the hundred around a tag that must lie within the picture."""
ENOUGH_FREE: Final = 60
"""Points that tell how bright it is."""
BRIGHTNESSES: Final = (0.6, 1.7)
"""Brightnesses of a board's half over that of all boards between which it is believed to lie."""
ROUNDS: Final = 3
"""Rounds in which points that do not go with the fit lose their weight."""
VEILED: Final = 0.85
"""Share of the boards' contrast from which no veil over the table is looked for."""
LEAST_VEIL: Final = 0.05
"""Light that a veil adds, over that of white, from which it is taken off, on the board that shows least of it: on 14
cameras in hazy rooms 0.07 or more, on 70 in others 0.03 or less."""
VEIL_ROUNDS: Final = 5
"""Rounds in which points that do not go with the fit of a veil lose their weight."""
DARKEST: Final = 0.001
"""Share of the picture that is darker than its darkest: the ink of one tag is more."""
OF_DARKEST: Final = 0.9
"""How much of the darkest light a veil may be: noise goes below it."""
VEIL_OFF: Final = 0.04
"""Error of a point, root of light, from which it counts less and less."""
CODES: Final = 2.2
"""Power of what is about a camera's codes that is light."""
IN_CODES: Final = 0.97
"""How far points may be off a veil that adds to codes, over how far they are off one that adds to light, for it to be
one: on 8 cameras in hazy rooms 0.39 to 0.94, on three photographs in the dark 0.99 to 1.02."""
HUE_OFF: Final = 0.03
"""Error of hue from which a point counts less and less: glare, and print a little off."""


def to_linear(tone: ArrayLike) -> Floats:
    """sRGB tone 0..1 to linear light 0..1 (IEC 61966-2-1)."""
    t = np.asarray(tone, dtype=np.float64)
    out: Floats = np.where(t <= 0.04045, t / 12.92, ((np.maximum(t, 0) + 0.055) / 1.055) ** 2.4)
    return out


def to_tone(linear: Floats) -> Floats:
    """Linear light to sRGB tone; the curve goes on above 1."""
    x = np.maximum(np.asarray(linear, dtype=np.float64), 0)
    out: Floats = np.where(x <= 0.0031308, x * 12.92, 1.055 * x ** (1 / 2.4) - 0.055)
    return out


def tone_table(gains: Floats) -> Tones:
    """Tone of each 8-bit code after `gains` (3, BGR, factors in linear light): (256, 3) float32."""
    linear = to_linear(np.arange(256) / 255.0)
    return to_tone(linear[:, None] * np.asarray(gains)[None, :]).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Veil:
    """What a hazy lens, a window that shines in it or a camera's own processing adds all over a picture."""

    light: Floats
    """Light of what is black under it (3, BGR, linear)."""
    power: float = 1.0
    """It is added to light ** (1 / power): to light itself before the camera, nearly to codes within it."""

    def off(self, linear: Floats) -> Floats:
        """Light (…, 3) as it would be without it, but for a factor."""
        without = np.maximum(linear ** (1 / self.power) - self.light ** (1 / self.power), 0.0)
        return np.asarray(without**self.power)


NO_VEIL: Final = Veil(np.zeros(3))


def root_table(gains: Floats, veil: Veil = NO_VEIL) -> Tones:
    """Square root of linear light of each 8-bit code, less `veil`, after `gains` (3, BGR): (256, 3) float32.

    The reader works in roots: noise is even there as in sRGB, and the square, which a veil of glare adds to, is cheap.
    """
    linear = veil.off(np.repeat(to_linear(np.arange(256) / 255.0)[:, None], 3, 1))
    return np.sqrt(linear * np.asarray(gains)[None, :]).astype(np.float32)


def apply(patch: Picture, table: Tones) -> Tones:
    """A uint8 patch (h, w, 3) through a tone table: (h, w, 3) float32."""
    return np.asarray(cv2.LUT(patch, table.reshape(1, 256, 3)), dtype=np.float32)


def shrunk(image: Picture) -> Picture:
    """A picture (h, w, 3) made small, for `brightest` and `darkest` to look for light and dark in it."""
    # In whole codes, which takes a tenth of the time, and by halves at first, which takes half of that.
    half = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return np.asarray(
        cv2.resize(half, None, fx=4 / SHRUNK, fy=4 / SHRUNK, interpolation=cv2.INTER_AREA), dtype=np.uint8
    )


def brightest(small: Picture) -> Picture:
    """Code at which each channel of a picture is full, (3,) uint8, by its `shrunk` picture: 255, or less where it was
    blown out before the camera set it darker, and all that is light has one code."""
    # Halved once more exactly, for one code is much in the dark.
    half = small.astype(np.float32)
    spots = cv2.resize(half, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).reshape(-1, 3)
    ordered = np.sort(np.ascontiguousarray(spots.T), axis=1)
    common, most = (ordered[:, round(share * (len(spots) - 1))] for share in BRIGHTEST)
    # Light that is not clipped has its brightest spots: a lamp's reflection, paper that lies right under it.
    spread = to_linear(most / 255.0) / np.maximum(to_linear(common / 255.0), 1e-6)
    clipped = spread < (SPIKE_BESIDE if np.count_nonzero(spread < SPIKE) == 2 else SPIKE)
    return np.asarray(np.where(clipped, np.rint(common), 255), dtype=np.uint8)


def tag_whites(image: Picture, reg: Registration) -> dict[int, Floats]:
    """Median colour (3, BGR, linear light) of the white around each tag that was seen and is not blown out."""
    whites: dict[int, Floats] = {}
    offset = geometry.TAG_SIDE / 2 + geometry.TAG_QUIET * 0.45
    along = np.linspace(-offset, offset, 25)
    ring = np.concatenate(
        [np.column_stack(p) for s in (-offset, offset) for p in ((along, np.full(25, s)), (np.full(25, s), along))]
    )
    for tag in reg.tags:
        px = reg.project(ring + np.array(geometry.TAG_CENTRES[tag])).astype(np.float32)
        inside = (px[:, 0] > 1) & (px[:, 1] > 1) & (px[:, 0] < image.shape[1] - 2) & (px[:, 1] < image.shape[0] - 2)
        if inside.sum() < ENOUGH_RING:
            continue
        vals = cv2.remap(image, px[inside, 0][:, None], px[inside, 1][:, None], cv2.INTER_LINEAR).reshape(-1, 3)
        white = to_linear(np.median(vals, 0) / 255.0)
        if white.min() > LEAST_WHITE:
            whites[tag] = white
    return whites


def gains_from_tags(image: Picture, reg: Registration) -> Floats | None:
    """Factors (3, BGR) that bring the tags' white to `WHITE`; None without a usable tag."""
    whites = tag_whites(image, reg)
    if not whites:
        return None
    typical = np.exp(np.mean(np.log(list(whites.values())), 0))
    gains: Floats = WHITE / typical
    return gains


def gains_from_pairs(seen: Tones, known: Tones, most: Picture | None = None) -> tuple[Floats, float]:
    """Factors that bring `seen` tones (N, 3) to `known` ones (N, 3), robustly; and the tone error that remains.

    `most`: `brightest` of the picture: what is as bright may be clipped and tells no factor.
    """
    a, b = _quick_linear(seen), _quick_linear(known)
    use = (_least(a) > TELLING[0]) & (_most(a) < TELLING[1]) & (_least(b) > TELLING[0])
    if most is not None:
        full = (NOT_CLIPPED * _CODES.take(most)).astype(np.float32)
        # What should be as bright is left out, too: else what happens to be seen darker would tell more than the rest.
        level = _level(a[use], b[use], np.broadcast_to(full, (3,)))
        free = use & _below(a, full) & _below(b * level, full)
        use = free if free.sum() >= ENOUGH_FREE else use
    if use.sum() < ENOUGH_POINTS:
        return np.ones(3), 1.0
    a, b = a[use], b[use]
    ratio = np.log(b / a)
    weight = _sum(np.minimum(a, b)) / np.float32(3)
    # Weighted median: glare and a token on the board sit in the tails.
    gains = np.empty(3)
    for c in range(3):
        gains[c] = np.exp(weighted_middle(ratio[:, c], weight))
    some, other = (np.asarray(light[::4], dtype=np.float64) for light in (a, b))
    left = np.abs(to_tone(some * gains) - to_tone(other)).mean()
    return gains, float(left)


def weighted_middle(values: NDArray[np.floating], weights: NDArray[np.floating]) -> float:
    """The median of values of which each counts its weight."""
    order = np.argsort(values)
    total = np.cumsum(weights[order])
    return float(values[order[np.searchsorted(total, total[-1] / 2)]])


def brightness(seen: Tones, known: Tones, gains: Floats, most: Picture) -> float:
    """How much brighter than `known` tones (N, 3) the `seen` ones are after `gains`, by those that are not clipped.

    `most`: `brightest` of the picture.
    """
    a, b = _quick_linear(seen) * gains.astype(np.float32), _quick_linear(known)
    full = (NOT_CLIPPED * _CODES.take(most) * gains).astype(np.float32)
    lit = _least(b) > TELLING[0]
    return min(max(_level(a[lit], b[lit], full), BRIGHTNESSES[0]), BRIGHTNESSES[1])


def clipped_share(known: Tones, gains: Floats, brightness: float, most: Picture) -> float:
    """Share of `known` tones (N, 3) that would be plainly lighter than the picture's `brightest`, `most`, in a light of
    that `brightness` after `gains`: it is clipped there."""
    full = (PLAINLY_LIGHTER * _CODES.take(most) * gains / brightness).astype(np.float32)
    light = _quick_linear(known)
    lighter = (light[:, 0] > full[0]) | (light[:, 1] > full[1]) | (light[:, 2] > full[2])
    return float(lighter.mean())


def _level(seen: Tones, known: Tones, full: Tones) -> float:
    """How much brighter `seen` light (N, 3) is than `known`, by the points that stay below `full`, (3,), in both."""
    free = below = _below(seen, full)
    ratio = _sum(seen) / _sum(known)
    level = 1.0
    for _ in range(ROUNDS):
        if np.count_nonzero(free) < ENOUGH_FREE:
            break
        level = median(ratio[free])
        free = below & _below(known * level, full)
    return level


def darkest(small: Picture) -> Floats:
    """Light (3, BGR, linear) of what is darkest in a picture, by its `shrunk` picture."""
    return to_linear(np.quantile(small.reshape(-1, 3), DARKEST, axis=0) / 255.0)


def veil_over(boards: Sequence[tuple[Tones, Tones]], most: Picture, least: Floats) -> Veil | None:
    """The veil that lies over everything, whatever is there; None where there is hardly any.

    A hazy lens or a window that shines in it adds as much all over the picture, mostly of the room's colour, which no
    white balance takes off; what shines on one board alone is none. `boards`: tones of each as seen and as enrolled,
    both (N, 3), to which light and veil are fitted; `most`, `least`: `brightest` and `darkest` of the picture.
    """
    fitted = [_veil_on(seen, known, most, 1.0) for seen, known in boards]
    if min((one.share for one in fitted), default=0.0) <= LEAST_VEIL:
        return None
    power = 1.0
    in_codes = [_veil_on(seen, known, most, CODES) for seen, known in boards]
    if sum(one.off for one in in_codes) < IN_CODES * sum(one.off for one in fitted):
        fitted, power = in_codes, CODES
    # Nothing is darker than the veil: a camera's tone curve may bend the line that is fitted.
    return Veil(np.minimum(min(fitted, key=lambda one: one.share).veil, OF_DARKEST * least), power)


@dataclass(frozen=True, slots=True)
class _VeilOnBoard:
    """A veil as one board shows it."""

    share: float
    """Its light over that of white paper."""
    veil: Floats
    """Its light (3,)."""
    off: float
    """How far the board's points are off what it explains."""


def _veil_on(seen: Tones, known: Tones, most: Picture, power: float) -> _VeilOnBoard:
    """The veil that explains best how one board looks, if it is added to light ** (1 / power)."""
    a, b = _quick_linear(seen).astype(np.float64), _quick_linear(known).astype(np.float64)
    full = NOT_CLIPPED * _CODES.take(most)
    gain, veil, far = np.ones(3), np.zeros(3), 0.0
    half = power / 2
    for c in range(3):
        use = a[:, c] < full[c]
        if np.count_nonzero(use) < ENOUGH_FREE:
            return _VeilOnBoard(0.0, np.zeros(3), math.inf)
        there, here = a[use, c] ** (1 / power), b[use, c] ** (1 / power)
        level, added = float(np.median(there) / max(float(np.median(here)), 1e-3)), 0.0
        for _ in range(VEIL_ROUNDS):
            level, added = line_beside_strays(there, here, (level, added), (1e-3, 1e-3), power)
        gain[c], veil[c] = level**power, max(added, 0.0) ** power
        off = there**half - np.maximum(level * here + added, 0.0) ** half
        far += float(np.log1p(off * off / VEIL_OFF**2).mean())
    return _VeilOnBoard(float((veil / gain).mean()), veil, far)


def line_beside_strays(
    there: Floats, here: Floats, line: tuple[float, float], least: tuple[float, float], power: float = 1.0
) -> tuple[float, float]:
    """Level and offset of the line over what is known `here`, (n,), that what is seen `there`, (n,), goes with, where
    points far from the `line` before count less: one round of it.

    `least`: the least that the line gives, and its least level; `power`: of both that makes light of them.
    """
    half = power / 2
    shown = np.maximum(line[0] * here + line[1], least[0])
    off = there**half - shown**half
    # Errors of roots of light are even: what is fitted is weighed by how much it moves a root.
    weight = shown ** (power - 2) / (1 + off * off / VEIL_OFF**2)
    total = float(weight.sum())
    mean, seen_mean = float(weight @ here) / total, float(weight @ there) / total
    spread = float(weight @ (here - mean) ** 2)
    level = max(float(weight @ ((here - mean) * (there - seen_mean))) / max(spread, 1e-9), least[1])
    return level, seen_mean - level * mean


def unveiled(tones: Tones, veil: Veil) -> Tones:
    """Tones (N, 3) as they would be without a veil, but for a factor."""
    return to_tone(veil.off(to_linear(tones))).astype(np.float32)


def contrast(seen: Tones, known: Tones, gains: Floats, level: float = 1.0, most: Picture | None = None) -> float:
    """How much of known print's contrast is seen, 1 for all of it: the slope of `seen` over `known` tones (N, 3).

    Measured in root of light after `gains`. A veil adds light to dark and bright parts alike and lowers it; so do
    saturation, and a picture too dark for gains to be found. Noise does not. `most`: `brightest` of the picture, where
    only what a camera shows of that print counts that clips it there; `level`: its `brightness`.
    """
    light, print_ = _quick_linear(seen) * gains.astype(np.float32), _quick_linear(known)
    if most is not None:
        full = (_CODES.take(most) * gains).astype(np.float32)
        light, print_ = np.minimum(light, full), np.minimum(print_ * np.float32(level), full)
    a, b = np.sqrt(light), np.sqrt(print_)
    a, b = a - a.mean(0), b - b.mean(0)
    return float((a * b).sum() / max(float((b * b).sum()), 1e-6))


def saturation(seen: Tones, known: Tones, gains: Floats, most: Picture | None = None) -> float:
    """Share of known colour that a camera leaves, 1 for all of it: cheap webcams thin colours; 0 where it shows none.

    The slope of the hues of `seen` tones over those of `known` ones (N, 3), robustly, after `gains`.
    """
    a, b = _quick_linear(seen), _quick_linear(known)
    use = (_least(a) > TELLING_HUE) & (_least(b) > TELLING[0]) & (_most(a) < TELLING[1])
    if most is not None:
        use &= _below(a, (NOT_CLIPPED * _CODES.take(most)).astype(np.float32))
    if use.sum() < ENOUGH_POINTS:
        return 1.0
    roots = np.sqrt(b[use])
    there, here = _hues(np.sqrt(a[use] * gains.astype(np.float32))), _hues(roots)
    if _spread(there) < COLOURLESS * _spread(here):
        return 0.0
    apart = there - here
    there = there - _middle(apart)
    level = _sum(roots) / np.float32(3)
    weight = level
    share = 1.0
    # Sums over three channels are slow one point at a time: the squares of all that is needed are taken once.
    both, own, far = (np.einsum("nc,nc->n", x, y) for x, y in ((there, here), (here, here), (there, there)))
    for _ in range(3):
        share = float(weight @ both) / max(float(weight @ own), 1e-9)
        off2 = far - 2 * share * both + share * share * own
        weight = level / (1 + off2 / HUE_OFF**2)
    return min(max(share, SATURATIONS[0]), SATURATIONS[1])


def _spread(hues: NDArray[np.float32]) -> float:
    """How far apart hues (N, 3) are, in the mean of how far each is from their middle."""
    return float(np.abs(hues - _middle(hues)).mean())


def _middle(hues: NDArray[np.float32]) -> NDArray[np.float32]:
    """The median of each channel of hues (N, 3), (3,)."""
    return np.array([median(hues[:, channel]) for channel in range(3)], np.float32)


def _least(tones: Tones) -> NDArray[np.float32]:
    """The least channel of each point (N, 3), (N,): along a row of three numpy takes five times as long."""
    return np.minimum(np.minimum(tones[:, 0], tones[:, 1]), tones[:, 2])


def _most(tones: Tones) -> NDArray[np.float32]:
    """The same of the greatest."""
    return np.maximum(np.maximum(tones[:, 0], tones[:, 1]), tones[:, 2])


def _below(light: Tones, full: Tones) -> NDArray[np.bool_]:
    """Which points (N, 3) stay below `full`, (3,), in all channels, (N,)."""
    return np.asarray((light[:, 0] < full[0]) & (light[:, 1] < full[1]) & (light[:, 2] < full[2]))


def _sum(light: Tones) -> NDArray[np.float32]:
    """Sum of the channels of each point (N, 3), (N,)."""
    return np.asarray(light[:, 0] + light[:, 1] + light[:, 2], dtype=np.float32)


def _hues(roots: Tones) -> Tones:
    """Each channel's share of the light, less a third, (N, 3)."""
    total = roots[:, 0] + roots[:, 1] + roots[:, 2]
    return np.asarray(roots / total[:, None] - np.float32(1 / 3), dtype=np.float32)


_CODES: Final = to_linear(np.arange(256) / 255.0)
"""Linear light of each code of a picture."""
_STEPS: Final = 1023
"""Steps of the table by which tones become light."""
_CURVE: Final = to_linear(np.arange(_STEPS + 1) / _STEPS).astype(np.float32)


def _quick_linear(tones: Tones) -> Tones:
    """`to_linear` by table, for tones 0..1, good to a thousandth of full light."""
    return np.asarray(_CURVE.take(np.rint(tones * _STEPS).astype(np.int32), mode="clip"), dtype=np.float32)
