"""Where the lights are: our own board on a serial port, a WLED controller, or an Adalight board, by one word."""

from __future__ import annotations

from collections.abc import Callable

from engine.failure import BadInput
from host.link.session import ButtonEvent
from host.sinks.lights import LightOutput


def check_lights(target: str) -> None:
    """Raises BadInput (`bad-lights`, `bad-bars`) for lights elsewhere whose address cannot be."""
    from host.sinks.adalight import SCHEME as ADALIGHT
    from host.sinks.adalight import parse_port
    from host.sinks.wled import SCHEME as WLED
    from host.sinks.wled import parse_target

    scheme = target.partition("://")[0]
    if scheme == WLED:
        parse_target(target)
    elif scheme == ADALIGHT:
        parse_port(target)
    else:
        raise BadInput(
            "bad-lights",
            f"There are no lights at {target}.",
            "Such as wled://192.168.1.40 or adalight:///dev/ttyUSB0; our own board is named by --serial.",
        )


def open_lights(target: str | None, on_button: Callable[[ButtonEvent], None] | None = None) -> LightOutput:
    """The lights at `target`: a serial port, None to find our board, `virtual`, `none`, `wled://HOST`, or
    `adalight:///dev/ttyUSB0`. Buttons are our board's alone; with the others, the phones have them.

    Raises BadInput for a target that cannot be.
    """
    scheme = (target or "").partition("://")[0]
    if scheme == "wled":
        from host.sinks.wled import open_wled

        return open_wled(target or "")
    if scheme == "adalight":
        from host.sinks.adalight import open_adalight

        return open_adalight(target or "")
    from host.link.link import Link

    return Link.start(target, on_button=on_button)
