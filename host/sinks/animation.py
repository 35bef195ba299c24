"""The lights as a board would draw them, for lights that only take pictures: each frame in motion, with its soft
transition. Times are whole milliseconds of one clock."""

from __future__ import annotations

from host.lights.drawing import FADE_MS, OUT, Drawing, blend, draw
from host.lights.frame import DARK, LightFrame

DARKNESS: Drawing = (OUT,) * 27
MOVING_SCENES = ("battle-won", "war-won", "idle")


class Animation:
    """Begins dark. `show` wishes for a frame, `at` draws the wish at a moment."""

    def __init__(self) -> None:
        self.frame: LightFrame = DARK
        self._since = 0
        self._before: Drawing = DARKNESS
        self._fade_at = -FADE_MS

    def show(self, frame: LightFrame, now: int) -> None:
        """Wish for a frame from `now` on. The same frame again changes nothing."""
        if frame == self.frame:
            return
        self._before, self._fade_at = self.at(now), now
        # Only a new scene or winner starts its animation anew, as on the board.
        if (frame.scene, frame.winner) != (self.frame.scene, self.frame.winner):
            self._since = now
        self.frame = frame

    def at(self, now: int) -> Drawing:
        return blend(self._before, draw(self.frame, now, self._since), now - self._fade_at)

    def moves(self, now: int) -> bool:
        """May the next drawing differ from this one though nothing new is wished for?"""
        if now - self._fade_at < FADE_MS + 100 or self.frame.scene in MOVING_SCENES:
            return True
        return self.frame.scene == "game" and any(bar.mood != "steady" for bar in self.frame.bars)
