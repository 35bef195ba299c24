"""Waiting for what a signal may end."""

from __future__ import annotations

import functools
import signal
import threading
import weakref
from collections.abc import Callable

import pytest

from host.app.shutdown import SIGNAL_SECONDS, stopped_by_signal, wait_for, wait_for_signal


class Waits(threading.Event):
    """An event that takes no time, keeps how long it was waited for and comes true in the wait with number `true_in`;
    SIGTERM comes between the waits `signal_after` and the next, and wakes nobody."""

    def __init__(self, true_in: int | None = None, signal_after: int | None = None) -> None:
        super().__init__()
        self.waits: list[float | None] = []
        self._true_in, self._signal_after = true_in, signal_after

    def wait(self, timeout: float | None = None) -> bool:
        self.waits.append(timeout)
        if len(self.waits) == self._true_in:
            return True
        if timeout is None:
            pytest.fail("a wait without an end: a signal that came just before it would be lost")
        if len(self.waits) == self._signal_after:
            signal.raise_signal(signal.SIGTERM)
        return False


def test_a_wait_without_an_end_is_made_of_short_ones() -> None:
    event = Waits(true_in=4)
    assert wait_for(event)
    assert event.waits == [SIGNAL_SECONDS] * 4


def test_a_wait_with_an_end_lasts_as_long_as_was_asked() -> None:
    event = Waits()
    assert not wait_for(event, 1.75)
    assert sum(wait or 0.0 for wait in event.waits) == 1.75


def test_an_event_that_is_true_needs_no_time() -> None:
    event = threading.Event()
    event.set()
    assert wait_for(event, 0.0)
    assert wait_for(event)


def test_a_signal_between_two_waits_is_heeded() -> None:
    event = Waits(signal_after=3)
    with stopped_by_signal(), pytest.raises(KeyboardInterrupt):
        wait_for(event)
    assert len(event.waits) == 3


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=["stopped", "its terminal is closed"])
def test_a_program_that_waits_for_a_signal_ends_with_it(number: signal.Signals) -> None:
    timer = threading.Timer(0.0, signal.raise_signal, [number])
    with stopped_by_signal(), pytest.raises(KeyboardInterrupt):
        timer.start()
        wait_for_signal()
    timer.join()


def test_a_program_that_shall_outlive_its_terminal_does() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with stopped_by_signal():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("within", [False, True], ids=["in it", "in what it calls"])
def test_a_signal_where_python_heeds_no_exception_ends_the_program_a_moment_later(
    number: signal.Signals, within: bool
) -> None:
    """It came while an import was tidied up after: the exception was written down and forgotten, and the program went
    on for ever. On a busy machine it came again in there, while it was seen to that it would be sent again."""
    # Given what Python calls then, in which the signal comes
    told: dict[str, Callable[[object], None]] = {}
    come = functools.partial(signal.raise_signal, number)
    exec(
        compile("def cb(_):\n    come()\n", "<frozen importlib._bootstrap>", "exec"),
        {"come": (lambda: come()) if within else come},
        told,
    )
    lock = threading.Event()
    gone = weakref.ref(lock, told["cb"])
    # When that happens, then the wait after it ends
    with stopped_by_signal(), pytest.raises(KeyboardInterrupt):
        del lock
        assert gone() is None
        assert not wait_for(threading.Event(), 10)
