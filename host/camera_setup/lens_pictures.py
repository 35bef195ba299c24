"""Takes the pictures from which a camera's lens is measured: the mat, lying still, in one place after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from vision.geometry.lens import INNER, LEAST_TAGS, OUTER, TagCorners
from vision.geometry.registration import find_tags, grey_of
from vision.types import Floats, Picture

LensWord: TypeAlias = Literal["show", "hold", "move", "middle", "corners", "done"]
"""What a person should do: show three corner tags, hold the mat still, lay it elsewhere, elsewhere so that a tag comes
near the picture's middle or its corners; `done` where all pictures are taken."""
WANTED: Final = 12
EVERY: Final = 0.3
"""Seconds between looks."""
STILL: Final = 0.0015
"""Picture widths that tags move from look to look at most while the mat lies still."""
ELSEWHERE: Final = 0.06
"""Picture widths by which the tags must have moved, root mean square, since every picture that was taken."""


@dataclass(frozen=True, slots=True)
class LensProgress:
    """How far it is."""

    taken: int
    wanted: int
    word: LensWord
    just_taken: bool = False


class LensPictures:
    """Give `see` every frame; it takes a picture by itself wherever the mat lies still in a new place."""

    def __init__(self, wanted: int = WANTED) -> None:
        self._wanted = wanted
        self._next = 0.0
        self._last: TagCorners = {}
        self._progress = LensProgress(0, wanted, "show")
        self.pictures: list[TagCorners] = []
        """The corner tags of the pictures that were taken."""
        self.size: tuple[int, int] | None = None
        """Width and height of the pictures, px."""

    def see(self, image: Picture, t: float) -> LensProgress:
        """One frame at `t` seconds, (h, w, 3) uint8 BGR. Raises nothing; pictures of another size begin afresh."""
        if t < self._next:
            return self._told(self._progress.word)
        self._next = t + EVERY
        size = (int(image.shape[1]), int(image.shape[0]))
        if size != self.size:
            self.size, self.pictures, self._last = size, [], {}
        before, self._last = self._last, find_tags(grey_of(image))
        if len(self.pictures) >= self._wanted:
            return self._told("done")
        if len(self._last) < LEAST_TAGS:
            return self._told("show")
        if not all(self._moved(self._last, taken) > ELSEWHERE for taken in self.pictures):
            return self._told(self._where())
        if self._moved(self._last, before) > STILL:
            return self._told("hold")
        self.pictures.append(self._last)
        done = len(self.pictures) >= self._wanted
        return self._told("done" if done else self._where(), just_taken=True)

    def _told(self, word: LensWord, just_taken: bool = False) -> LensProgress:
        self._progress = LensProgress(len(self.pictures), self._wanted, word, just_taken)
        return self._progress

    def _moved(self, one: TagCorners, two: TagCorners) -> float:
        """How far the tags lie apart that both show, root mean square, picture widths; 1 where they share too few."""
        both = one.keys() & two.keys()
        if len(both) < 2 or self.size is None:
            return 1.0
        off = np.concatenate([one[tag] - two[tag] for tag in both])
        return float(np.sqrt((off**2).sum(1).mean())) / self.size[0]

    def _where(self) -> LensWord:
        """Where a tag is still wanted."""
        if not self.pictures or self.size is None:
            return "move"
        half: Floats = np.array(self.size) / 2
        reach = [np.hypot(*((quad - half) / half[0]).T) for tags in self.pictures for quad in tags.values()]
        # Half of the pictures go wherever the mat is laid; then what is missing is asked for.
        if 2 * len(self.pictures) < self._wanted:
            return "move"
        if min(float(r.min()) for r in reach) > INNER:
            return "middle"
        return "corners" if max(float(r.max()) for r in reach) < OUTER else "move"
