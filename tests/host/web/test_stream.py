"""The event stream: the newest view at once, slow listeners held back, none forgotten."""

from __future__ import annotations

import threading

import pytest

from host.web.stream import LISTENERS_AT_MOST, QUEUE_LENGTH, Broadcaster, TooManyListeners


def test_a_new_listener_gets_the_newest_view_first() -> None:
    broadcaster = Broadcaster()
    broadcaster.publish("one")
    broadcaster.publish("two")
    first = next(iter(broadcaster.listen()))
    assert first is not None
    assert (first.number, first.view) == (2, "two")


def test_every_view_comes_to_everybody_in_order() -> None:
    broadcaster = Broadcaster()
    listeners = [iter(broadcaster.listen()) for _ in range(3)]
    for view in ("one", "two"):
        broadcaster.publish(view)
    for listener in listeners:
        assert [item.view for item in (next(listener), next(listener)) if item] == ["one", "two"]


def test_a_slow_listener_loses_what_is_old_and_never_the_newest() -> None:
    broadcaster = Broadcaster()
    slow = iter(broadcaster.listen())
    for number in range(100):
        broadcaster.publish(number)
    got = [next(slow) for _ in range(QUEUE_LENGTH)]
    assert [item.view for item in got if item] == list(range(100 - QUEUE_LENGTH, 100))


def test_silence_is_a_heartbeat() -> None:
    broadcaster = Broadcaster()
    assert next(iter(broadcaster.listen(patience=0.0))) is None


def test_a_listener_that_goes_is_forgotten() -> None:
    broadcaster = Broadcaster()
    broadcaster.publish("view")
    listener = broadcaster.listen()
    next(iter(listener))
    assert broadcaster.listening == 1
    listener.close()
    assert broadcaster.listening == 0


def test_there_are_no_more_listeners_than_threads() -> None:
    broadcaster = Broadcaster()
    kept = [broadcaster.listen() for _ in range(LISTENERS_AT_MOST)]
    with pytest.raises(TooManyListeners):
        broadcaster.listen()
    assert len(kept) == LISTENERS_AT_MOST


def test_the_end_reaches_a_listener_that_waits() -> None:
    broadcaster = Broadcaster()
    ended = threading.Event()

    def listen() -> None:
        list(broadcaster.listen(patience=30))
        ended.set()

    threading.Thread(target=listen, daemon=True).start()
    broadcaster.close()
    assert ended.wait(10)
