"""What a virtual controller shows, as firmware/core/picture.c: frames, raw pixels, self-tests, and its own patterns.

Times are milliseconds since the controller's start.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from engine.names import Seat
from host.lights.drawing import (
    BALANCE,
    BAR_LIGHTS,
    BARS,
    FULL_WHITE,
    OUT,
    Drawing,
    blend,
    draw,
    draw_greeting,
    draw_hold,
    draw_host_lost,
)
from host.lights.frame import DARK, Colour, LightFrame
from host.link.messages import BadValue, ControllerSettings, pack_lights, unpack_lights
from host.link.strip import chain_of, wire_bytes

CHAIN_MOST: Final = 36
PATTERNS: Final = 7
WALKS: Final = 255
WALK_MS: Final = 500

Mode: TypeAlias = Literal["greeting", "lights", "raw", "test"]

_PLAIN: Final = {2: FULL_WHITE, 3: Colour(255, 0, 0), 4: Colour(0, 255, 0), 5: Colour(0, 0, 255)}


def _test_bars() -> Drawing:
    out = [OUT] * (BARS * BAR_LIGHTS)
    for bar in range(BARS):
        at = bar * BAR_LIGHTS
        out[at], out[at + BALANCE], out[at + BAR_LIGHTS - 1] = _PLAIN[3], FULL_WHITE, _PLAIN[5]
        for count in range(bar + 1):
            out[at + BALANCE - 1 - count] = _PLAIN[4]
    return tuple(out)


TEST_BARS: Final = _test_bars()
"""The pattern that shows which bar is which, and which end is near."""


class VirtualPicture:
    """Begins with the greeting."""

    def __init__(self) -> None:
        self.mode: Mode = "greeting"
        self.frame: LightFrame = DARK
        self.lost_at: int | None = None
        """When the host was missed; None while it is there."""
        self._body = b""
        self._since = 0
        self._before: Drawing | None = None
        self._fade_at = 0
        self._raw = [OUT] * CHAIN_MOST
        self._test = (0, 0)

    def take_lights(self, body: bytes, now: int) -> None:
        """LIGHTS; raises BadValue."""
        wished = unpack_lights(body)
        if self.mode == "lights" and body == self._body:
            return
        self._begin_fade(now)
        if body[1] & 1:
            self._before = None
        # Only a new show or winner starts its animation anew.
        if self.mode != "lights" or (wished.scene, wished.winner) != (self.frame.scene, self.frame.winner):
            self._since = now
        self.mode, self.frame, self._body = "lights", wished, body

    def take_pixels(self, body: bytes) -> None:
        """PIXELS; raises BadValue."""
        count = len(body) // 3
        if body[0] >= CHAIN_MOST or body[0] + count > CHAIN_MOST:
            raise BadValue(0)
        for i in range(count):
            self._raw[body[0] + i] = Colour(*body[1 + 3 * i : 4 + 3 * i])

    def show_pixels(self) -> None:
        """SHOW."""
        self.mode, self._before = "raw", None

    def take_test(self, body: bytes, chain: int, now: int) -> None:
        """SELF_TEST; raises BadValue."""
        pattern, index = body
        if pattern >= PATTERNS:
            raise BadValue(0)
        if (index != WALKS and index >= chain) if pattern == 1 else index:
            raise BadValue(1)
        if pattern == 0:
            if self.mode == "test":
                self.mode, self._since = "lights", now
            return
        self.mode, self._test, self._since, self._before = "test", (pattern, index), now, None

    def go_dark(self, now: int) -> None:
        """BYE: dark at once."""
        self.take_lights(pack_lights(DARK, cut=True), now)

    def lose(self, now: int) -> None:
        """The host has not been heard for two seconds."""
        self.lost_at = now

    def find(self, now: int) -> None:
        """The host is heard."""
        if self.lost_at is not None:
            self._begin_fade(now)
            self.lost_at = None

    def lights(self, settings: ControllerSettings, held: Mapping[Seat, int], now: int) -> Drawing:
        """The 27 lights, as a screen has them. `held`: for how long which button has been down."""
        if not self._plain:
            return draw_hold(self._game(now), dict(held))
        chain = self._chain(settings, now)
        places = (
            first + (BAR_LIGHTS - 1 - light if back else light)
            for first, back in settings.bars
            for light in range(BAR_LIGHTS)
        )
        return tuple(chain[at] if at < len(chain) else OUT for at in places)

    def wire(self, settings: ControllerSettings, held: Mapping[Seat, int], now: int) -> tuple[bytes, int]:
        """The strip's bytes and the limit of the current budget."""
        if self._plain:
            return wire_bytes(self._chain(settings, now), settings, raw=self.mode == "raw")
        return wire_bytes(chain_of(self.lights(settings, held, now), settings), settings)

    @property
    def _plain(self) -> bool:
        """Is the chain shown as it is, without bars?"""
        return self.lost_at is None and self.mode in ("raw", "test")

    def _begin_fade(self, now: int) -> None:
        if self._before is not None and self._fade_at == now:
            return  # LIGHTS that ended the host's absence: nothing was shown in between
        self._before = self._game(now)
        self._fade_at = now

    def _game(self, now: int) -> Drawing:
        if self.lost_at is not None:
            return draw_host_lost(now - self.lost_at)
        if self.mode == "greeting":
            return draw_greeting(now)
        if self._plain:
            return (OUT,) * (BARS * BAR_LIGHTS)
        drawing = draw(self.frame, now, self._since)
        return drawing if self._before is None else blend(self._before, drawing, now - self._fade_at)

    def _chain(self, settings: ControllerSettings, now: int) -> list[Colour]:
        if self.mode == "raw":
            return self._raw[: settings.chain]
        pattern, index = self._test
        if pattern == 1:
            lit = index if index != WALKS else (now - self._since) // WALK_MS % settings.chain
            return [FULL_WHITE if at == lit else OUT for at in range(settings.chain)]
        if pattern == 6:
            return chain_of(TEST_BARS, settings)
        return [_PLAIN[pattern]] * settings.chain
