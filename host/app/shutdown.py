"""Ending in order: what a signal does to a running program."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final, NoReturn

CAMERA_THREAD: Final = "camera"
"""The name of the threads that read cameras (`vision/sources/live.py`)."""

AGAIN_SECONDS: Final = 0.05
"""A signal that came where no exception is heeded is sent again so much later."""
SIGNAL_SECONDS: Final = 0.5
"""A signal ends a wait this late at most."""


def wait_for(event: threading.Event, seconds: float | None = None) -> bool:
    """Waits for `event`, `seconds` at most, as `Event.wait` does; a signal is heeded whenever it comes.

    Python handles signals between two steps of the main thread, and one that comes after the last step before a wait
    wakes nobody: a wait without an end would then never end. So it is made of short ones.
    """
    left = seconds
    while left is None or left > SIGNAL_SECONDS:
        if event.wait(SIGNAL_SECONDS):
            return True
        left = None if left is None else left - SIGNAL_SECONDS
    return event.wait(left)


def wait_for_signal() -> NoReturn:
    """Waits until a signal ends the program."""
    while True:
        time.sleep(SIGNAL_SECONDS)


def leave(status: int) -> NoReturn:
    """Ends the process with `status`, after everything of ours was closed and written.

    A thread that is still inside a camera's driver cannot be stopped. Where the interpreter ended under it, the driver
    would abort the whole process (SIGABRT) as soon as it comes back, so the system ends the process instead.
    """
    if not any(thread.name == CAMERA_THREAD for thread in threading.enumerate()):
        sys.exit(status)
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        # Whoever read it has gone: there is nobody to tell.
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


@contextmanager
def stopped_by_signal() -> Iterator[None]:
    """SIGTERM ends the program as Ctrl-C does, and so does closing its terminal: everything is closed in order."""
    numbers: list[signal.Signals] = [signal.SIGTERM]
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        numbers.append(signal.SIGINT)
    # Who starts it with nohup wants it to live on.
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        numbers.append(signal.SIGHUP)
    before = {number: signal.signal(number, _stop) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(number: int, frame: FrameType | None) -> None:
    """Ends what the main thread does; a moment later where it tidies up after an import, for Python heeds no exception
    there: the program would go on as if nobody had asked."""
    if _tidies_up(frame):
        again = threading.Timer(AGAIN_SECONDS, signal.raise_signal, (number,))
        again.daemon = True
        again.start()
        return
    raise KeyboardInterrupt


def _tidies_up(frame: FrameType | None) -> bool:
    """Whether what is called is called, however far up, by what tidies up after an import: a machine may be so busy
    that the signal is back before the timer that sends it again is told to have started."""
    while frame is not None:
        if (frame.f_code.co_filename, frame.f_code.co_name) == ("<frozen importlib._bootstrap>", "cb"):
            return True
        frame = frame.f_back
    return False
