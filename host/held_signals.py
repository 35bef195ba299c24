"""Signals that wait until what must not be cut in two is done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

_ENDING: Final = (signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else []))


@contextmanager
def signals_held() -> Iterator[None]:
    """Holds Ctrl-C, SIGTERM and the end of the terminal until the block has ended, then does what they do.

    For a block in which a process or a file comes to be: where the signal came between its coming to be and the line
    that remembers it, nobody would end it. Handlers are exchanged instead of blocking the signals, for a process that
    is started within would keep them blocked. In other threads than the main one, in which Python handles no signal,
    nothing is held.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def hold(number: int, frame: FrameType | None) -> None:
        came.append(number)

    before = {number: signal.signal(number, hold) for number in _ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for arrived in came[:1]:
            signal.raise_signal(arrived)
