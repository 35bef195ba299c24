"""Chaos in real time, with real processes: the emulated board killed and frozen, the host killed outright.

What virtual time cannot show: pseudo-terminals that vanish, pyserial's own failures, the scheduler.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from host.bench.chaos import is_host_lost, strip_for
from host.bench.figure import Figure, Measured
from host.lights.frame import Bar, LightFrame
from host.link.emulated.chip import available
from host.link.emulated.controller import EmulatedPort
from host.link.link import Link

EACH: Final = 50
LIMIT_S: Final = 15.0

_HOST: Final = """
import sys, time
from pathlib import Path
from host.lights.frame import Bar, LightFrame
from host.link.link import Link
link = Link.start(sys.argv[1], memory=Path(sys.argv[2]))
link.show(LightFrame("game", (Bar("near", int(sys.argv[3])), Bar("far", 1), Bar("far", 0))))
time.sleep(600)
"""


def _frame(lead: int) -> LightFrame:
    return LightFrame("game", (Bar("near", lead), Bar("far", 1), Bar("far", 0)))


def _until(board: EmulatedPort, frame: LightFrame) -> float:
    """Seconds until the strip shows the frame; infinite if it does not."""
    began, wanted = time.monotonic(), strip_for(frame)
    return time.monotonic() - began if board.wait_for(lambda strip: strip == wanted, LIMIT_S) else float("inf")


def _killed(board: EmulatedPort, link: Link, chance: random.Random) -> float:
    board.kill()
    frame = _frame(chance.randint(1, 4))
    link.show(frame)
    time.sleep(chance.uniform(0.1, 2.5))
    board.start()
    return _until(board, frame)


def _frozen(board: EmulatedPort, link: Link, chance: random.Random) -> float:
    board.freeze()
    frame = _frame(chance.randint(1, 4))
    link.show(frame)
    time.sleep(chance.uniform(0.1, 5.0))
    board.thaw()
    return _until(board, frame)


def _board_harmed(scale: float) -> Iterator[Measured]:
    chance = random.Random(6)
    count = max(2, round(EACH * scale))
    with tempfile.TemporaryDirectory() as folder:
        board = EmulatedPort(link=Path(folder) / "board").start()
        link = Link.start(board.port, memory=Path(folder) / "port.json")
        try:
            link.show(_frame(1))
            _until(board, _frame(1))
            for name, harm in (("board-killed", _killed), ("board-frozen", _frozen)):
                yield Measured(round(max(harm(board, link, chance) for _ in range(count)), 3), count, name)
        finally:
            link.close()
            board.stop()


def _host_harmed(scale: float) -> Iterator[Measured]:
    chance = random.Random(6)
    count = max(2, round(EACH * scale))
    right: list[float] = []
    lost: list[float] = []
    with tempfile.TemporaryDirectory() as folder, EmulatedPort() as board:
        for _ in range(count):
            lead = chance.randint(1, 4)
            host = subprocess.Popen([sys.executable, "-c", _HOST, board.port, f"{folder}/port.json", str(lead)])
            right.append(_until(board, _frame(lead)))
            time.sleep(chance.uniform(0.0, 1.0))
            host.send_signal(signal.SIGKILL)
            host.wait()
            began = time.monotonic()
            seen = board.wait_for(is_host_lost, LIMIT_S)
            lost.append(time.monotonic() - began if seen else float("inf"))
    yield Measured(round(max(right), 3), count, "host-killed")
    yield Measured(round(max(lost), 3), count, "host-lost-pattern")


def _worst(scale: float) -> Iterator[Measured]:
    if available():
        yield from _board_harmed(scale)
        yield from _host_harmed(scale)


FIGURES = (
    Figure(
        "link.chaos-real", "s", "worst time until the lights are right, real processes and pseudo-terminals", _worst
    ),
)
