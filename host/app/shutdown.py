"""Ending in order: what a signal does to a running program."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def stopped_by_signal() -> Iterator[None]:
    """SIGTERM ends the program as Ctrl-C does: everything is closed in order."""

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
