"""From a drawing to the bytes that the strip is sent: gamma, brightness, colour order, current budget, bars' places.

Exactly what firmware/core/picture.c does, so that the controller without hardware and the emulated one can be
compared byte by byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from host.lights.drawing import BAR_LIGHTS, BARS, Drawing, scale
from host.lights.frame import Colour
from host.link.messages import ORDERS, ControllerSettings

LIGHT_MA: Final = 1
"""What a dark light draws."""
CHANNEL_MA: Final = 20
"""What one channel of one light draws at full."""

GAMMA: Final = tuple(round(65535 * (i / 255) ** 2.2) for i in range(256))
MEANT_FROM: Final = 24
"""A light drawn at this level or above keeps its strong channels at every brightness."""

_PLACES: Final = tuple(tuple(order.index(channel) for channel in "RGB") for order in ORDERS)


def chain_of(drawing: Drawing, settings: ControllerSettings) -> list[Colour]:
    """The 27 lights of a drawing at their places in the chain; spares and what lies beyond the chain are dark."""
    chain = [Colour(0, 0, 0)] * settings.chain
    for bar, (first, backwards) in enumerate(settings.bars):
        for light in range(BAR_LIGHTS):
            at = first + (BAR_LIGHTS - 1 - light if backwards else light)
            if at < settings.chain:
                chain[at] = drawing[bar * BAR_LIGHTS + light]
    return chain


def wire_bytes(chain: Sequence[Colour], settings: ControllerSettings, *, raw: bool = False) -> tuple[bytes, int]:
    """The strip's bytes, three a light in its colour order, and the limit that the current budget set (255: none).

    `raw` leaves gamma out.
    """
    place = _PLACES[settings.order]
    out = bytearray(3 * len(chain))
    for at, colour in enumerate(chain):
        for channel, value in enumerate(light_bytes(colour, settings.brightness, raw=raw)):
            out[3 * at + place[channel]] = value
    total = sum(out)
    spare = settings.budget_ma - len(chain) * LIGHT_MA
    allowed = spare * 255 // CHANNEL_MA if spare > 0 else 0
    if total <= allowed:
        return bytes(out), 255
    parts = allowed * 256 // total
    if parts == 0:
        return bytes(len(out)), 0
    return bytes(scale(value, parts - 1) for value in out), parts - 1


def light_bytes(colour: Colour, brightness: int, *, raw: bool = False) -> tuple[int, ...]:
    """One light's channels after gamma and brightness, worked out in 16 bits and rounded down once.

    A light that means something (`MEANT_FROM`) keeps every channel at 1 at least that is half as strong as its
    strongest: it neither goes dark nor takes another hue (soft white with red alone left would look like the red seat).
    """
    if raw:
        return tuple(scale(value, brightness) for value in colour)
    strongest = max(colour)
    kept = (strongest + 1) // 2 if strongest >= MEANT_FROM else 256
    return tuple(max(GAMMA[value] * (brightness + 1) >> 16, int(value >= kept)) for value in colour)


def current_ma(wire: bytes) -> int:
    """Milliamperes that a chain draws with these bytes, rounded up."""
    return len(wire) // 3 * LIGHT_MA + (sum(wire) * CHANNEL_MA + 254) // 255


def lights_from_wire(wire: bytes, settings: ControllerSettings) -> list[Colour]:
    """The 27 lights as they shine (after gamma), in a drawing's order: what an eye, or a decoder at the pin, sees."""
    place = _PLACES[settings.order]
    out: list[Colour] = []
    for bar in range(BARS):
        first, backwards = settings.bars[bar]
        for light in range(BAR_LIGHTS):
            at = first + (BAR_LIGHTS - 1 - light if backwards else light)
            pixel = wire[3 * at : 3 * at + 3]
            out.append(Colour(*(pixel[p] for p in place)) if len(pixel) == 3 else Colour(0, 0, 0))
    return out
