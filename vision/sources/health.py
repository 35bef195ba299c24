"""Watches a live camera's pictures and says what is wrong with them. Pure: time is passed in."""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Iterator
from typing import Final

import numpy as np

from vision.sources.defects import WHITE_LEVEL, DefectCheck
from vision.sources.packets import SpoiltPicture
from vision.sources.trouble import (
    Trouble,
    TroubleCode,
    TroubleOver,
)
from vision.types import Picture

SILENCE: Final = 2.0
"""Seconds without a picture after which the camera counts as gone (the promise is 3)."""
FROZEN: Final = 2.0
"""Seconds of one and the same picture, to the byte: a living sensor has noise."""
LASTING: Final = 1.0
"""Seconds that a bad picture has to last: cameras take a moment to set their exposure."""
WELL_FOR: Final = (0.3, 3)
"""Seconds, and pictures in a row, without a fault after which it is over: where every other picture is bad, the good
ones in between do not end it."""
LOST_AGAIN: Final = 5.0
"""Seconds between two losses of the pictures within which the camera counts as unsteady."""
STEADY: Final = 1.0
"""Seconds of pictures after which such a camera counts as back; another one does with its first picture."""
RESIZED_FOR: Final = 1.5
"""Seconds without another change of size after which a picture counts as steady."""
SLOW_FPS: Final = 7.0
"""Pictures a second below which a camera is told to be slow."""
PACE_SPAN: Final = 1.5
"""Seconds of pictures from which that is told."""
DARK: Final = 28
"""Code that the brightest fiftieth of a picture that is too dark stays below."""
OVEREXPOSED: Final = 0.35
"""Share of white pixels from which a picture is too bright."""
SMALLEST: Final = (1280, 720)
"""Longer and shorter side of the smallest picture that is asked for, px."""


class Health:
    """The state of one camera. Each trouble is told when it begins and when it is over, and not in between."""

    def __init__(self, source: str, began: float) -> None:
        self._source = source
        self._last = began
        self._times: deque[float] = deque()
        self._digest: int | None = None
        self._same_since = began
        self._since: dict[TroubleCode, float] = {}
        self._told: set[TroubleCode] = set()
        self._well: dict[TroubleCode, tuple[float, int]] = {}
        """Of what was wrong: since when it is not, and for how many pictures."""
        self._lost_at: float | None = None
        self._back_since: float | None = began
        """Since when pictures come; None where they have broken off."""
        self._unsteady = False
        self._defects = DefectCheck()
        self._resized = -RESIZED_FOR

    @property
    def troubles(self) -> frozenset[TroubleCode]:
        """What is wrong now."""
        return frozenset(self._told)

    def picture(self, image: Picture, t: float) -> Iterator[Trouble | TroubleOver]:
        """A picture came at `t`."""
        yield from self._came(t)
        small = image[4::16, 4::16]
        digest = zlib.crc32(np.ascontiguousarray(small).tobytes())
        if digest != self._digest:
            self._digest, self._same_since = digest, t
        still = t - self._same_since
        yield from self._note("picture-frozen", still >= FROZEN, t, {"seconds": round(still)}, lasting=0.0)
        bright = small.max(axis=2)
        dark = float(np.percentile(bright, 98)) < DARK
        yield from self._note("too-dark", dark, t, {})
        white = float((small.min(axis=2) >= WHITE_LEVEL).mean())
        yield from self._note("overexposed", white > OVEREXPOSED, t, {"share": round(100 * white)})
        defect = self._defects.see(image, t)
        yield from self._note("picture-torn", defect == "picture-torn", t, {})
        yield from self._note("picture-blurred", defect == "picture-blurred", t, {})
        yield from self._note("picture-noise", defect == "picture-noise", t, {})
        if defect == "picture-resized":
            self._resized = t
        # A camera that changes back and forth is told once, not with every change.
        yield from self._note("picture-resized", t - self._resized < RESIZED_FOR, t, {})
        height, width = image.shape[:2]
        short, long = sorted((width, height))
        too_small = long < SMALLEST[0] or short < SMALLEST[1]
        yield from self._note("picture-small", too_small, t, {"width": width, "height": height})
        span = t - self._times[0]
        if span >= PACE_SPAN:
            fps = (len(self._times) - 1) / span
            yield from self._note("camera-slow", fps < SLOW_FPS, t, {"fps": round(fps, 1)}, lasting=0.0)

    def spoilt(self, picture: SpoiltPicture, t: float) -> Iterator[Trouble | TroubleOver]:
        """A picture came at `t` that cannot be shown."""
        yield from self._came(t)
        yield from self._note(picture.code, True, t, dict(picture.parts))

    def lost(self, t: float, why: str) -> Iterator[Trouble | TroubleOver]:
        """Pictures broke off before `t`, because of `why`; they may have come again by now."""
        if self._back_since is not None:
            self._unsteady = self._lost_at is not None and t - self._lost_at < LOST_AGAIN
            self._lost_at, self._back_since = t, None
        yield from self._note("camera-gone", True, t, {"why": why}, lasting=0.0)
        yield from self._over("camera-stuck", t)

    def _came(self, t: float) -> Iterator[TroubleOver]:
        self._last = t
        if self._back_since is None:
            self._back_since = t
        if self._unsteady and t - self._back_since >= STEADY:
            self._unsteady = False
        self._times.append(t)
        while self._times and self._times[0] < t - 3.0:
            self._times.popleft()
        if not self._unsteady:
            yield from self._over("camera-gone", t)
        yield from self._over("camera-stuck", t)

    def nothing(self, t: float, why: str | None) -> Iterator[Trouble | TroubleOver]:
        """No picture has come up to `t`; `why` is the cause where one is known, None while a read still waits."""
        silence = t - self._last
        if why is not None:
            yield from self.lost(t, why)
        elif silence >= SILENCE and "camera-gone" not in self._told:
            yield from self._note("camera-stuck", True, t, {"seconds": round(silence)}, lasting=0.0)
        if silence >= SILENCE:
            # A rate counted over the gap would be a second, wrong, complaint.
            self._times.clear()
            self._digest = None
            self._same_since = t

    def _note(
        self, code: TroubleCode, wrong: bool, t: float, parts: dict[str, str | int | float], lasting: float = LASTING
    ) -> Iterator[Trouble | TroubleOver]:
        if not wrong:
            if code in self._since and self._well_again(code, t, lasting):
                del self._since[code], self._well[code]
                yield from self._over(code, t)
            return
        self._well.pop(code, None)
        since = self._since.setdefault(code, t)
        if code not in self._told and t - since >= lasting:
            self._told.add(code)
            yield Trouble(code, t, {"source": self._source, **parts})

    def _well_again(self, code: TroubleCode, t: float, lasting: float) -> bool:
        """Whether one more picture without the fault ends it: at once what is told at once."""
        since, count = self._well.get(code, (t, 0))
        self._well[code] = since, count + 1
        return lasting == 0.0 or (t - since >= WELL_FOR[0] and count + 1 >= WELL_FOR[1])

    def _over(self, code: TroubleCode, t: float) -> Iterator[TroubleOver]:
        if code in self._told:
            self._told.discard(code)
            self._since.pop(code, None)
            yield TroubleOver(code, t)
