"""Ctrl-C waits until what it must not cut in two is done."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from host.app.shutdown import stopped_by_signal
from host.held_signals import signals_held


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_what_begins_within_the_block_is_done_before_the_signal_ends_the_program(number: signal.Signals) -> None:
    done: list[str] = []
    with stopped_by_signal(), pytest.raises(KeyboardInterrupt):
        with signals_held():
            os.kill(os.getpid(), number)
            done.append("remembered")
        done.append("gone on with")
    assert done == ["remembered"]


def test_afterwards_signals_do_what_they_did_before() -> None:
    with stopped_by_signal():
        with signals_held():
            pass
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)


def test_in_another_thread_the_block_runs_as_it_is() -> None:
    done: list[bool] = []

    def begin() -> None:
        with signals_held():
            done.append(True)

    thread = threading.Thread(target=begin)
    thread.start()
    thread.join(10)
    assert done == [True]
