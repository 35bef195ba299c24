"""Pictures that tell nothing about the table: blank, blown out, pale, torn, out of focus, mere noise, or suddenly of
another size.

A sensor's rows always differ by noise; rows that repeat to the bit were never exposed: a decoder filled them in.
What counts is the change against the camera's own ordinary pictures: black bars above and below a picture, or a
bright window in it, are there from the beginning and do no harm.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import cv2
import numpy as np

from vision.types import Picture

Defect: TypeAlias = Literal[
    "picture-white", "picture-black", "picture-torn", "picture-resized", "picture-pale", "picture-blurred",
    "picture-noise",
]  # fmt: skip

WHITE_LEVEL: Final = 250
"""Grey level of the darkest channel from which a pixel is white."""
BLACK_LEVEL: Final = 14
"""Grey level that the brightest pixels of a black picture stay below."""
WHITE: Final = (0.6, 0.25)
"""Share of white pixels that makes a picture white, and how much more of them than usual does for a while."""
DEAD: Final = (0.5, 0.03)
"""Share of repeated rows that makes a picture torn, and how much more of them than usual does."""
PALE: Final = 0.66
"""Share of the usual contrast below which a picture is pale: fog on the lens, a lamp that shines into it."""
BLURRED: Final = (0.33, 0.66)
"""Sharpness below which a picture is out of focus, and what share of the usual it is below then. Pictures of tables in
thirteen kinds of room, smeared by cheap webcams too, and films with hands in them have 0.43 or more. Blurred with a
standard deviation of 2.7 px at 1280 they have 0.33; from there on tags are lost and boards found in wrong places."""
ALL_BLURRED: Final = 0.25
"""The same for a camera that has shown no sharper picture: 4 px, with which no table is found."""
NOISE: Final = 2.0
"""Sharpness above which a picture is noise: 3.6 where every pixel is on its own, 1.1 at most on any table."""
NOISE_STEP: Final = 60
"""And the steps between neighbours that noise has at least, grey levels: that of a covered lens' sensor is fainter."""
LEAST_STEP: Final = 16
"""Steps below which there is nothing in a picture that could be sharp, grey levels."""
SAME: Final = 0.98
"""Share of a row's pixels that repeat in the next row of a filled-in part."""
GETS_USED: Final = 5.0
"""Seconds after which more white or less contrast than usual is a lamp and part of the room."""
SMALLEST: Final = 64
"""Shorter side of a picture of which anything can be measured, px."""
SETTLED: Final = 2.0
"""Seconds for which another size has to last before it is the camera's."""
SETTLED_AGAIN: Final = 0.5
"""The same for the size that the camera had before: players wait for it to come back."""
USUAL: Final = 0.05
"""Weight of a new picture in what is usual."""


class DefectCheck:
    """One camera's pictures in order; says which of them are unfit to be read."""

    def __init__(self) -> None:
        self._white: float | None = None
        self._dead = 0.0
        self._contrast = 0.0
        self._sharpness: float | None = None
        self._odd_since: float | None = None
        self._size: tuple[int, int] | None = None
        self._before: tuple[int, int] | None = None
        self._other: tuple[tuple[int, int], float] | None = None

    def see(self, image: Picture, t: float) -> Defect | None:
        """What is wrong with a picture, (h, w, 3) or (h, w) uint8, at `t` seconds; None where it may be read."""
        if min(image.shape[:2]) < SMALLEST or self._resized(image, t):
            return "picture-resized"
        white, dead, brightest, darkest = _measures(image)
        contrast = (brightest - darkest) / (brightest + darkest + 1.0)
        if brightest < BLACK_LEVEL:
            return "picture-black"
        if white > WHITE[0]:
            return "picture-white"
        if dead > max(DEAD[0] if self._white is None else DEAD[1], self._dead + DEAD[1]):
            return "picture-torn"
        step, sharpness = sharpness_of(image)
        if step >= NOISE_STEP and sharpness > NOISE:
            return "picture-noise"
        if self._blurred(step, sharpness):
            return "picture-blurred"
        if self._white is not None:
            whiter, paler = white > self._white + WHITE[1], contrast < PALE * self._contrast
            if whiter or paler:
                self._odd_since = t if self._odd_since is None else self._odd_since
                if t - self._odd_since < GETS_USED:
                    return "picture-white" if whiter else "picture-pale"
                self._white, self._contrast = white, contrast
        self._odd_since = None
        if self._white is None:
            self._white, self._dead, self._contrast = white, dead, contrast
        else:
            self._white += USUAL * (white - self._white)
            self._dead += USUAL * (dead - self._dead)
            self._contrast += USUAL * (contrast - self._contrast)
        return None

    def _blurred(self, step: float, sharpness: float) -> bool:
        """Whether a picture with such steps is out of focus; what is not adds to what is usual."""
        if step < LEAST_STEP:
            return False
        usual = self._sharpness
        if sharpness < (ALL_BLURRED if usual is None else min(BLURRED[0], BLURRED[1] * usual)):
            return True
        # A camera that finds its focus is sharp from then on.
        self._sharpness = (
            sharpness if usual is None else usual + (0.5 if sharpness > usual else USUAL) * (sharpness - usual)
        )
        return False

    def _resized(self, image: Picture, t: float) -> bool:
        size = (int(image.shape[1]), int(image.shape[0]))
        if self._size is None or size == self._size:
            self._size, self._other = size, None
            return False
        if self._other is None or self._other[0] != size:
            self._other = (size, t)
        if t - self._other[1] < (SETTLED_AGAIN if size == self._before else SETTLED):
            return True
        self._before, self._size = self._size, size
        self._other = self._white = self._sharpness = None
        return False


def _measures(image: Picture) -> tuple[float, float, float, float]:
    """Shares of white pixels and of repeated rows, and how bright the brightest and the darkest pixels are."""
    picture = image if image.ndim == 3 else image[..., None]
    height, width = picture.shape[:2]
    down, along = max(1, height // 160), max(1, width // 480)
    rows, after = (_skipped(picture[first : height - 1 + first : down], along) for first in (0, 1))
    dead = (rows == after).all(0).mean(1) >= SAME
    least = rows.min(0)
    white = float((least >= WHITE_LEVEL).mean())
    return white, float(dead.mean()), percentile(rows.max(0), 98), percentile(least, 2)


def _skipped(rows: Picture, along: int) -> Picture:
    """Every so manieth pixel of a picture's rows, a plane for each channel: channels side by side are compared six
    times as slowly."""
    height, width, channels = rows.shape
    size = max(1, width // along), height
    few = cv2.resize(rows[:, : size[0] * along], size, interpolation=cv2.INTER_NEAREST)
    planes = [cv2.extractChannel(few, k) for k in range(channels)] if channels > 1 else [few]
    return np.asarray(np.stack(planes), dtype=np.uint8)


def sharpness_of(image: Picture) -> tuple[float, float]:
    """How large the largest steps within a hundredth of a picture's width are, in grey levels, and what share of them
    is done within a sixth of that way: 1 at a sharp edge, a sixth where nothing is sharp."""
    height, width = image.shape[:2]
    way = max(1, round(width / 640))
    tall = 4 * way
    # A third of the rows tells as much as all of them.
    rows = np.concatenate([image[y : y + tall] for y in range(0, max(1, height - tall + 1), 3 * tall)])
    grey = cv2.cvtColor(rows, cv2.COLOR_BGR2GRAY) if rows.ndim == 3 else rows
    fine = cv2.absdiff(grey[::2, way:], grey[::2, :-way])
    # Means of small squares: noise does not count as a step.
    small = cv2.resize(grey, (max(8, width // (2 * way)), max(1, len(grey) // (2 * way))), interpolation=cv2.INTER_AREA)
    coarse = cv2.absdiff(small[:, 3:], small[:, :-3])
    near, far = (percentile(steps, 99.5) for steps in (fine, coarse))
    return max(near, far), (near + 0.5) / (far + 0.5)


def percentile(codes: cv2.typing.MatLike, share: float) -> float:
    """The code that `share` per cent of 8-bit codes stay below, between two of them in proportion, as
    `np.percentile` has it: counting codes takes a tenth of the time of sorting them."""
    counts = cv2.calcHist([np.ascontiguousarray(codes)], [0], None, [256], [0, 256]).ravel()
    upto = np.cumsum(counts, dtype=np.int64)
    at = share / 100 * (codes.size - 1)
    below, above = np.searchsorted(upto, (int(at), min(int(at) + 1, codes.size - 1)), side="right").tolist()
    return float(below + (above - below) * (at - int(at)))
