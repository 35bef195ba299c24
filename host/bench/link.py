"""Figures of the link: how soon lights are right again after every kind of mishap, and what the codec costs."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator

from host.bench.chaos import HARMS, Chaos, Controller, Harm
from host.bench.figure import Figure, Measured, seconds
from host.link.codec import Decoder, Frame, encode
from host.link.virtual import VirtualController

EACH = 500
"""Mishaps of each kind."""

Make = Callable[[Callable[[], float]], Controller]


def _virtual(boot_s: float, reset_on_open: bool) -> Make:
    return lambda clock: VirtualController(clock, boot_s=boot_s, reset_on_open=reset_on_open)


def _emulated(reset_on_open: bool) -> Make:
    def make(clock: Callable[[], float]) -> Controller:
        from host.link.emulated import EmulatedController

        return EmulatedController(clock, reset_on_open=reset_on_open)

    return make


def _boards() -> dict[str, Make]:
    from host.link.emulated import available

    boards = {"virtual": _virtual(0.0, False), "virtual-boot": _virtual(1.4, True)}
    if available():
        boards |= {"emulated": _emulated(False), "emulated-dtr": _emulated(True)}
    return boards


def _chaos(scale: float) -> Iterator[Measured]:
    """Worst and share of failures by board and kind of harm."""
    for name, make in _boards().items():
        worst: dict[Harm, float] = defaultdict(float)
        lost = 0.0
        failures = 0
        count = max(len(HARMS), round(EACH * len(HARMS) * scale))
        for mishap in Chaos(make, seed=6).run(count):
            failures += not mishap.good
            worst[mishap.harm] = max(worst[mishap.harm], mishap.right_after or float("inf"))
            lost = max(lost, mishap.lost_after or 0.0)
        for harm in HARMS:
            yield Measured(round(worst[harm], 3), count // len(HARMS), f"{name}/{harm}")
        yield Measured(round(lost, 3), count // len(HARMS), f"{name}/host-lost-pattern")
        yield Measured(failures, count, f"{name}/failures")


def _decode(scale: float) -> Iterator[Measured]:
    """Bytes a second that the decoder takes, good frames and noise mixed."""
    chance = random.Random(6)
    parts = []
    for _ in range(2000):
        parts.append(encode(Frame(3, chance.randrange(256), chance.randbytes(12))))
        if chance.random() < 0.2:
            parts.append(chance.randbytes(30))
    stream = b"".join(parts)
    runs = max(3, round(20 * scale))
    yield Measured(round(len(stream) / seconds(lambda: Decoder().feed(stream), runs)), runs)


FIGURES = (
    Figure("link.chaos", "s", "worst time until the lights are right after a mishap, by board and harm", _chaos),
    Figure("link.decode", "B/s", "bytes that the Python decoder takes in a second (the line brings 11,765)", _decode),
)
