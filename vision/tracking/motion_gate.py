"""The gate: frames in, still tables out. It costs a few milliseconds and decides when the reader has to look.

Small grey pictures are compared after one was brought to the other's light, place by place, so that a lamp that is
switched on, automatic exposure or the shadow of a head are not taken for a change of the table. An arm is
recognised by what no card does: it reaches from the edge of the picture to where cards lie. A table with an arm over it
is in between, even while the hand holds still.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Grey, Picture

"""A small grey picture, 0..255."""
MotionMask: TypeAlias = NDArray[np.uint8]

WIDTH: Final = 240
"""Columns of the small picture; a card is about 36 px long in it."""
STILL_FOR: Final = 0.33
"""Seconds without motion before a table counts as still."""
STILL_LOOKS: Final = 3
"""And at least so many pictures, for cameras of few frames a second."""
PATIENCE: Final = 4.0
"""Seconds after which something that reaches in from the edge and does not stir is taken for part of the table, though
cards are laid elsewhere meanwhile."""
ALL_OF_IT: Final = 0.4
"""Share of the picture beyond which a change is no arm: the camera moved, or another table is seen."""

FROM_ALL_SIDES: Final = 0.2
"""The same for a change along all four edges of the picture, which no two players' arms make."""

LEAST_MOTION: Final = 0.0012
"""Share of the table that differs from which something moves; of a whole picture of 16:9 these are 39 pixels."""
LEAST_CHANGE: Final = 14
"""Pixels of the small picture, in one piece, that make a still table another one; a card has some 900."""
LEAST_ARM: Final = (60, 250)
"""Pixels of a piece that reaches in from the picture's edge from which it is an arm: within the table, and in all
where it is not known where the table lies."""
LEAST_OVER_CARDS: Final = 12
"""The same over where cards lie or may be laid next, where that is known: some 90 mm² on a table that fills the
picture. An arm that rests beside the cards hides none."""
DIFFERS: Final = (0.075, 4.0)
"""Step in the logarithm of light that is a change, and how many times the noise it must be."""
NOISE: Final = (0.02, 0.06)
"""Noise, in the logarithm of light, at first and at most: more than that is motion."""
NOISE_FOLLOWS: Final = (1.05, 0.1)
"""Noise over the median step between two pictures, and the weight of a new picture in it."""
RESTING: Final = (0.25, 0.05)
"""Weight of a new picture in the table at rest, and of that in the table that was read: slow light is followed."""
AT_EDGE: Final = 0.05
"""Share of an edge of the picture that changes where a change lies along it."""
WOBBLES: Final = (5.0, 0.5, 0.95)
"""By how much of an edge's step a picture may differ there because the camera wobbles, over the middle one of what all
edges differ by; at most; and what is left of it with each picture. Pictures of tables shifted by 0.5 to 2 px of 1920
differ along edges by 0.1 to 0.3 of their steps."""
EDGE_STEP: Final = 0.3
"""Step in the logarithm of light, within three pixels, that is an edge."""
_FLOOR: Final = 12.0
"""Added to grey levels before the logarithm: dark parts are mostly noise."""
_SLOW: Final = 2.3
"""Standard deviation of what counts as light and not as thing, in quarters of the small picture's pixels."""
_WHITE: Final = 244.0
"""Grey level from which on a pixel may be blown out and tells nothing."""
_EDGE: Final = 3
"""Rows and columns at the border that count as the picture's edge."""


@dataclass(frozen=True, slots=True)
class Stillness:
    """What the gate makes of one frame."""

    still: bool
    """Nothing has moved for a while and no hand is over the table."""
    fresh: bool
    """The table is still, and differs from the last still table (or is the first)."""
    changed: MotionMask | None = None
    """Where it differs, white on black, at the small size; None where there is nothing to compare with."""
    moving: float = 0.0
    """Share of the table in motion."""
    hand: bool = False
    """Something reaches in from the picture's edge."""
    since: float = 0.0
    """When the table came to rest, seconds into the source."""


class MotionGate:
    """One camera's gate. `see` takes every frame in order, with its time in seconds.

    `watch_only` narrows it to the table: whatever moves outside (a curtain, a dog, the players' feet) does not count,
    and a hand that rests or fidgets beside the cards keeps nobody from seeing them.
    """

    def __init__(self, still_for: float = STILL_FOR, patience: float = PATIENCE) -> None:
        self._still_for, self._patience = still_for, patience
        self._size: tuple[int, int] | None = None
        self._inside: MotionMask | None = None
        self._cards: MotionMask | None = None
        self._ring: MotionMask | None = None
        self._recent: deque[Grey] = deque(maxlen=3)
        self._rest: Grey | None = None
        self._rest_since = 0.0
        self._rest_looks = 0
        self._beside_since = 0.0
        self._accepted: Grey | None = None
        self._without_hand: Grey | None = None
        self._with_hand: Grey | None = None
        self._hand_since = 0.0
        self._noise = NOISE[0]
        self._wobble = 0.0

    def watch_only(
        self,
        outline: NDArray[np.float64] | None,
        size: tuple[int, int],
        cards: Sequence[NDArray[np.float64]] = (),
    ) -> None:
        """The table's outline in the picture (n × 2 px; None for all of it); `size` is the picture's width, height;
        `cards`: outlines of where cards and boards lie or may be laid next, if that is known: only what moves or lies
        over them is waited for."""
        self._inside = None if outline is None else filled([outline], size)
        self._cards = filled(cards, size) if outline is not None and cards else self._inside

    def forget(self) -> None:
        """The next still table is fresh, whatever it looks like: the reader wants another look."""
        self._accepted = self._without_hand = self._with_hand = None

    def interrupt(self) -> None:
        """Pictures were left out: the table has to come to rest anew. What was accepted stays accepted."""
        self._recent.clear()
        self._rest = None

    def see(self, image: Picture, t: float) -> Stillness:
        """What this frame adds. `image` is BGR or grey, uint8, any size (the same for one camera)."""
        grey = self._small(image)
        if self._size != grey.shape:
            self._size = (grey.shape[0], grey.shape[1])
            self._recent.clear()
            self._rest = self._accepted = self._without_hand = self._with_hand = None
            self._ring = np.zeros(grey.shape, np.uint8)
            self._ring[:_EDGE] = self._ring[-_EDGE:] = 255
            self._ring[:, :_EDGE] = self._ring[:, -_EDGE:] = 255
            if self._inside is not None and self._inside.shape != grey.shape:
                self._inside = self._cards = None
        moved = self._motion(grey)
        moving = 1.0 if moved is None else self._share(moved, self._cards)
        self._recent.append(grey)
        # What moves over the cards moves on the table, too.
        unlike = self._differs(grey, self._rest) if self._rest is not None and moving < LEAST_MOTION else None
        if self._in_motion(moved, self._inside) or self._in_motion(unlike, self._inside):
            self._beside_since = t
        if self._rest is not None and not self._in_motion(unlike, self._cards):
            self._rest_looks += 1
            # Follow slow light: the grey of the table at rest is a running mean.
            cv2.accumulateWeighted(grey, self._rest, RESTING[0])
        else:
            self._rest, self._rest_since, self._rest_looks = grey.copy(), t, 1
            return Stillness(False, False, None, moving, False, t)
        rested = t - self._rest_since
        if rested < self._still_for or self._rest_looks < STILL_LOOKS:
            return Stillness(False, False, None, moving, False, self._rest_since)
        if self._accepted is None:
            self._accepted = self._rest.copy()
            return Stillness(True, True, None, moving, False, self._rest_since)
        changed = self._differs(self._rest, self._accepted)
        hand = self._reaches_in(changed)
        if hand and self._without_hand is not None:
            # A hand that had rested for so long that it was taken for part of the table has gone.
            before = self._differs(self._rest, self._without_hand)
            if not self._reaches_in(before):
                hand, changed = False, np.asarray(cv2.bitwise_or(changed, before), np.uint8)
        if not hand:
            self._with_hand = None
        elif t - self._reaching_since(self._rest) < self._patience:
            return Stillness(False, False, changed, moving, True, self._rest_since)
        # What still moves beside the cards is looked at when it rests.
        within = self._inside if t - self._beside_since >= self._still_for else self._cards
        if within is not None:
            changed = np.asarray(cv2.bitwise_and(changed, within), np.uint8)
        fresh = self._largest(changed) >= LEAST_CHANGE
        if fresh:
            if self._without_hand is None:
                self._without_hand = self._accepted if hand else None
            elif not hand and not self._reaches_in(self._differs(self._rest, self._without_hand)):
                self._without_hand = None
            self._accepted = self._rest.copy()
        else:
            cv2.accumulateWeighted(self._rest, self._accepted, RESTING[1])
        return Stillness(True, fresh, changed if fresh else None, moving, hand, self._rest_since)

    def _reaching_since(self, rest: Grey) -> float:
        """When what reaches in came to rest where it lies, seconds into the source: since then only something else may
        have moved."""
        if self._with_hand is None or self._reaches_in(self._differs(rest, self._with_hand)):
            self._with_hand, self._hand_since = rest.copy(), self._rest_since
        return self._hand_since

    def _in_motion(self, mask: MotionMask | None, within: MotionMask | None) -> bool:
        """Whether something moves there; True where there was nothing to compare with."""
        return mask is None or self._share(mask, within) >= LEAST_MOTION

    def _small(self, image: Picture) -> Grey:
        height, width = image.shape[:2]
        rows = max(8, round(WIDTH * height / width))
        # Made smaller by skipping, then averaged: reading every pixel of a large frame would cost the most of all.
        # OpenCV skips in a fifth of the time that numpy takes for pixels of three bytes.
        step = max(1, width // (WIDTH * 4))
        whole = image[: height // step * step, : width // step * step]
        part = (
            cv2.resize(whole, (width // step, height // step), interpolation=cv2.INTER_NEAREST) if step > 1 else image
        )
        small = cv2.resize(part, (WIDTH, rows), interpolation=cv2.INTER_AREA)
        grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY) if small.ndim == 3 else small
        return np.asarray(grey, np.float32)

    def _differs(self, a: Grey, b: Grey) -> MotionMask:
        """Where two pictures differ by more than noise and light can do; single pixels do not count."""
        told = ((a < _WHITE) & (b < _WHITE)).astype(np.float32)
        here = np.log(a + _FLOOR)
        slack = self._wobble * _edges(here) if self._wobble > 0 else None
        mask = self._differs_where(a, b, told, told, here, slack)
        if cv2.countNonZero(mask):
            # A thing that came changes the mean around it, and so what its surroundings are compared with: the light
            # is measured again from what did not change.
            mask = self._differs_where(a, b, told, told * (mask == 0), here, slack)
        return mask

    def _differs_where(self, a: Grey, b: Grey, told: Grey, steady: Grey, here: Grey, slack: Grey | None) -> MotionMask:
        """`told`: weight of pixels that can be compared; `steady`: of those that the light is measured from; `here`:
        the logarithm of `a`; `slack`: by how much of it each pixel may differ because the camera wobbles."""
        total = float(steady.sum())
        mean_a, mean_b = (cv2.mean(x, (steady > 0).astype(np.uint8))[0] if total > 0 else 1.0 for x in (a, b))
        light = (_slow(a * steady) + 1e-3 * mean_a) / (_slow(b * steady) + 1e-3 * max(mean_b, 1e-3))
        gain = cv2.resize(np.clip(light, 0.1, 10), (a.shape[1], a.shape[0]), interpolation=cv2.INTER_LINEAR)
        there = b * gain
        differ = np.abs(here - np.log(there + _FLOOR))
        if slack is not None:
            differ = np.maximum(differ - slack, 0.0)
        mask = cv2.blur(differ * told * (there <= _WHITE), (3, 3)) > max(DIFFERS[0], DIFFERS[1] * self._noise)
        return np.asarray(mask, np.uint8) * np.uint8(255)

    def _share(self, mask: MotionMask, within: MotionMask | None) -> float:
        """How much of a mask lies within a part of the table, as a share of the whole table."""
        if self._inside is None or within is None:
            return cv2.countNonZero(mask) / mask.size
        return cv2.countNonZero(cv2.bitwise_and(mask, within)) / max(1, cv2.countNonZero(self._inside))

    def _motion(self, grey: Grey) -> MotionMask | None:
        """What moved since three frames ago: slow hands show, and noise is followed on the way; None at first."""
        if not self._recent:
            return None
        last = self._recent[-1]
        spread = float(np.median(cv2.absdiff(grey, last) / (last + _FLOOR)))
        self._noise += NOISE_FOLLOWS[1] * (min(spread * NOISE_FOLLOWS[0], NOISE[1]) - self._noise)
        times, most, stays = WOBBLES
        self._wobble = max(min(times * self._wobbled(grey, self._recent[0]), most), stays * self._wobble)
        return self._differs(grey, self._recent[0])

    def _wobbled(self, a: Grey, b: Grey) -> float:
        """By how much of an edge's step two pictures differ at the middle one of all edges: a hand covers few."""
        here = np.log(a + _FLOOR)
        steps = _edges(here)
        there = steps > EDGE_STEP
        if not there.any():
            return 0.0
        by = (here - np.log(b + _FLOOR))[there]
        return float(np.median(np.maximum(np.abs(by - np.median(by)) - self._noise, 0.0) / steps[there]))

    def _reaches_in(self, changed: MotionMask) -> bool:
        """Whether one piece of the change touches the picture's edge and reaches well into the table."""
        share = cv2.countNonZero(changed) / changed.size
        if share > ALL_OF_IT or (share > FROM_ALL_SIDES and self._on_all_sides(changed)):
            return False
        if self._ring is None or not cv2.countNonZero(cv2.bitwise_and(changed, self._ring)):
            return False
        joined = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        _, labels = cv2.connectedComponents(joined, connectivity=8)
        at_edge = np.unique(labels[(self._ring > 0) & (joined > 0)])
        for label in at_edge[at_edge > 0]:
            piece = labels == label
            if self._cards is not None:
                least = LEAST_ARM[0] if self._cards is self._inside else LEAST_OVER_CARDS
                if int((piece & (self._cards > 0)).sum()) > least:
                    return True
            elif int(piece.sum()) > LEAST_ARM[1]:
                return True
        return False

    @staticmethod
    def _on_all_sides(changed: MotionMask) -> bool:
        sides = (changed[:_EDGE], changed[-_EDGE:], changed[:, :_EDGE], changed[:, -_EDGE:])
        return all(cv2.countNonZero(np.ascontiguousarray(side)) > AT_EDGE * side.size for side in sides)

    @staticmethod
    def _largest(mask: MotionMask) -> int:
        if not cv2.countNonZero(mask):
            return 0
        _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        return int(stats[1:, cv2.CC_STAT_AREA].max())


_AROUND: Final = np.ones((3, 3), np.uint8)


def filled(outlines: Sequence[NDArray[np.float64]], size: tuple[int, int]) -> MotionMask:
    """What lies within some outlines of a picture, n × 2 px, white on black in the small one. `size`: width, height."""
    mask = np.zeros((round(WIDTH * size[1] / size[0]), WIDTH), np.uint8)
    for outline in outlines:
        cv2.fillPoly(mask, [np.round(np.asarray(outline, np.float64) * (WIDTH / size[0])).astype(np.int32)], 255)
    return mask


def _edges(luma: Grey) -> Grey:
    """By how much a picture changes within three pixels around each of its own, (h, w)."""
    return np.asarray(cv2.morphologyEx(luma, cv2.MORPH_GRADIENT, _AROUND), np.float32)


def _slow(a: Grey) -> Grey:
    """The slow part of a small picture, at a quarter of its size."""
    quarter = cv2.resize(a, (a.shape[1] // 4, a.shape[0] // 4), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(quarter, (0, 0), _SLOW), np.float32)
