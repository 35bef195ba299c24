"""Works out how much a strip would flicker if its brightness were dithered in time: python firmware/tools/dithering.py

Dithering sends pictures by turns whose mean is the level that is meant. The strip's chips do not take a picture when it
comes: each has a pulse-width clock of its own, 400 to 460 Hz in a WS2812B, about 1.2 kHz in an SK6812, 2 kHz in newer
parts, and takes the latest picture when a cycle of that clock ends. So a pattern of pictures is sampled by a clock that
nobody can synchronise, and beats with it far below the pattern's own frequency.

Low risk in the words of IEEE Std 1789-2015 is, below 90 Hz a modulation of 0.025 % times the hertz.
"""

from __future__ import annotations

import cmath
import sys
from collections.abc import Sequence
from typing import Final

CLOCKS_HZ: Final[dict[str, tuple[int, ...]]] = {
    "WS2812B": tuple(range(400, 461, 6)),
    "SK6812": tuple(range(1100, 1301, 20)),
    "newer": tuple(range(1900, 2101, 20)),
}
"""Pulse-width clocks that a strip may have; chips of one reel differ by several percent."""
PATTERNS: Final[dict[str, tuple[float, tuple[int, ...]]]] = {
    "four pictures of 2 ms, one brighter": (2.0, (0, 0, 0, 1)),
    "four pictures of 2 ms, two brighter": (2.0, (0, 1, 0, 1)),
    "two pictures of 4 ms": (4.0, (0, 1)),
    "two pictures of 5 ms": (5.0, (0, 1)),
    "two pictures of 20 ms, as the firmware draws": (20.0, (0, 1)),
}
"""How long each picture stands, in ms, and by how much each is above the lower level. Two milliseconds is as often as
27 lights (0.81 ms) can be sent with their pause (0.3 ms) and time left for the serial line."""
SEEN_HZ: Final = range(2, 90)
SECONDS: Final = 1


def light(clock_hz: int, picture_ms: float, pattern: Sequence[int], level: int) -> list[int]:
    """What a chip shines in each cycle of its clock, for a second."""
    cycles = range(SECONDS * clock_hz)
    return [level + pattern[int(k * 1000 / clock_hz / picture_ms) % len(pattern)] for k in cycles]


def modulation(shone: Sequence[int], clock_hz: int, hertz: int) -> float:
    """Amplitude of one frequency in it, as a share of the mean."""
    turn = -2j * cmath.pi * hertz / clock_hz
    mean = sum(shone) / len(shone)
    return 2 * abs(sum((v - mean) * cmath.exp(turn * k) for k, v in enumerate(shone))) / len(shone) / mean


def worst(strip: str, name: str, level: int) -> tuple[float, int]:
    """How many times the limit is exceeded at the worst frequency and clock, and that frequency."""
    picture_ms, pattern = PATTERNS[name]
    return max(
        (modulation(light(clock, picture_ms, pattern, level), clock, hertz) / (0.00025 * hertz), hertz)
        for clock in CLOCKS_HZ[strip]
        for hertz in SEEN_HZ
    )


def main() -> int:
    for name in PATTERNS:
        for level in (1, 3):
            found = (
                f"{strip} {over:.0f} x at {hertz} Hz"
                for strip in CLOCKS_HZ
                for over, hertz in [worst(strip, name, level)]
            )
            sys.stdout.write(f"{name}, level {level} and up: {', '.join(found)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
