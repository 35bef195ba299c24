"""Figures of the link: how soon lights are right again after every kind of mishap, and what the codec costs."""

from __future__ import annotations

import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from engine.failure import Failure
from host.bench.chaos import HARMS, Chaos, ChaosController, Harm, Mishap
from host.bench.figure import Figure, Measured, seconds
from host.lights.frame import Bar, LightFrame
from host.link.codec import Decoder, SerialFrame, encode
from host.link.link import Link
from host.link.virtual.controller import VirtualController

if TYPE_CHECKING:
    from host.link.emulated.chip import Bootloader

EACH = 500
"""Mishaps of each kind."""

Make = Callable[[Callable[[], float]], ChaosController]


def _virtual(boot_s: float, reset_on_open: bool) -> Make:
    return lambda clock: VirtualController(clock, boot_s=boot_s, reset_on_open=reset_on_open)


def _emulated(reset_on_open: bool, bootloader: Bootloader | None = None) -> Make:
    def make(clock: Callable[[], float]) -> ChaosController:
        from host.link.emulated.controller import EmulatedController

        return EmulatedController(clock, reset_on_open=reset_on_open, bootloader=bootloader)

    return make


def _emulated_pico(clock: Callable[[], float]) -> ChaosController:
    from host.link.emulated.chip import RP2040
    from host.link.emulated.controller import EmulatedController

    return EmulatedController(clock, chip=RP2040)


def _boards() -> dict[str, Make]:
    from host.link.emulated.chip import RP2040, available

    boards = {"virtual": _virtual(0.0, False), "virtual-boot": _virtual(1.4, True)}
    if available():
        boards |= {"emulated": _emulated(False), "emulated-dtr": _emulated(True)}
        for loader in _loaders():
            boards[f"emulated-{loader}"] = _emulated(True, loader)
    if RP2040.available():
        boards["emulated-pico"] = _emulated_pico
    return boards


def _loaders() -> Iterator[Bootloader]:
    """The boot loaders that are here; they come with a package of their own."""
    from host.link.emulated.chip import bootloader_hex

    loaders: tuple[Bootloader, ...] = ("old", "optiboot")
    for loader in loaders:
        try:
            bootloader_hex(loader)
        except Failure:
            continue
        yield loader


@cache
def _mishaps(name: str, scale: float) -> tuple[Mishap, ...]:
    """Two figures read the same run."""
    count = max(1, round(EACH * scale)) * len(HARMS)
    return tuple(Chaos(_boards()[name], seed=6).run(count))


def _worst(scale: float) -> Iterator[Measured]:
    for name in _boards():
        worst: dict[Harm, float] = defaultdict(float)
        mishaps = _mishaps(name, scale)
        for mishap in mishaps:
            worst[mishap.harm] = max(worst[mishap.harm], mishap.right_after or float("inf"))
        for harm in HARMS:
            yield Measured(round(worst[harm], 3), len(mishaps) // len(HARMS), f"{name}/{harm}")
        lost = [mishap.lost_after for mishap in mishaps if mishap.lost_after is not None]
        yield Measured(round(max(lost, default=0.0), 3), len(lost), f"{name}/host-lost-pattern")


def _failures(scale: float) -> Iterator[Measured]:
    for name in _boards():
        mishaps = _mishaps(name, scale)
        yield Measured(sum(not mishap.good for mishap in mishaps), len(mishaps), name)


def _decode(scale: float) -> Iterator[Measured]:
    """Bytes a second that the decoder takes, good frames and noise mixed."""
    chance = random.Random(6)
    parts = []
    for _ in range(2000):
        parts.append(encode(SerialFrame(3, chance.randrange(256), chance.randbytes(12))))
        if chance.random() < 0.2:
            parts.append(chance.randbytes(30))
    stream = b"".join(parts)
    runs = max(3, round(20 * scale))
    yield Measured(round(len(stream) / seconds(lambda: Decoder().feed(stream), runs)), runs)


def _latency(scale: float) -> Iterator[Measured]:
    """A frame sent to its confirmation that the strip shows it, over a pseudo-terminal, in real time."""
    from host.link.emulated.chip import available
    from host.link.emulated.controller import EmulatedPort

    if not available():
        return
    frames = max(20, round(400 * scale))
    with tempfile.TemporaryDirectory() as folder, EmulatedPort() as board:
        link = Link.start(board.port, memory=Path(folder) / "port.json")
        try:
            for number in range(frames):
                bar = Bar("near" if number % 2 else "far", number % 5)
                link.show(LightFrame("game", (bar, bar, bar)))
                time.sleep(0.05)
            time.sleep(0.5)
            health = link.health()
        finally:
            link.close()
    shown = health.counts.frames_shown
    yield Measured(health.latency_p50_ms or float("inf"), shown, "p50")
    yield Measured(health.latency_p99_ms or float("inf"), shown, "p99")


FIGURES = (
    Figure("link.chaos", "s", "worst time until the lights are right after a mishap, by board and harm", _worst),
    Figure(
        "link.chaos-failures",
        "mishaps",
        "mishaps after which lights were not right in 3 s, or not lost in 2.5 s",
        _failures,
    ),
    Figure("link.latency", "ms", "LIGHTS sent to LIGHTS confirmed, emulated board on a pseudo-terminal", _latency),
    Figure("link.decode", "B/s", "bytes that the Python decoder takes in a second (the line brings 11,765)", _decode),
)
