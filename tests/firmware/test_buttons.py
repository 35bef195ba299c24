"""Buttons: a press is one press however it bounces, a hold is told after two seconds, nothing is lost on the way."""

from __future__ import annotations

from typing import Any

from host.link.codec import SerialFrame, encode
from host.link.messages import Button, ControllerSettings, Type

DOWN, SHORT, HOLD, RELEASED = 1, 2, 3, 4


def told(core: Any) -> list[Button]:
    """Every button event that the board has to tell, each once, acknowledged as it comes."""
    events: dict[int, Button] = {}
    quiet = 0
    while quiet < 2:
        fresh = said(core)
        events |= {event.number: event for event in fresh}
        for event in fresh:
            core.hear(encode(SerialFrame(Type.EVENT_ACK, event.number)))
        quiet = 0 if fresh else quiet + 1
        core.advance(1 if fresh else 260)
    return list(events.values())


def said(core: Any) -> list[Button]:
    return [Button.unpack(frame.body) for frame in core.said() if frame.type == Type.BUTTON]


def held(core: Any, ms: int, **which: bool) -> None:
    core.press(**which)
    core.advance(ms)
    core.press()


def test_a_short_press_is_told_down_and_up_with_its_times(core: Any) -> None:
    core.advance(100)
    held(core, 300, near=True)
    core.advance(50)
    down, up = told(core)
    assert (down.seat, down.kind, down.at_ms, down.held_ms) == ("near", DOWN, 101, 0)
    assert (up.seat, up.kind, up.at_ms, up.held_ms) == ("near", SHORT, 401, 300)


def test_bounces_make_no_second_press(core: Any) -> None:
    core.advance(50)
    for ms in (1, 2, 1, 3, 2):
        held(core, ms, far=True)
        core.advance(2)
    held(core, 200, far=True)
    for ms in (1, 3, 2):
        core.advance(1)
        held(core, ms, far=True)
    core.advance(50)
    assert [(e.seat, e.kind) for e in told(core)] == [("far", DOWN), ("far", SHORT)]


def test_a_spike_is_no_press(core: Any) -> None:
    core.advance(50)
    held(core, 9, near=True)
    core.advance(100)
    assert told(core) == []


def test_two_seconds_are_a_hold_and_a_moment_less_is_a_press(core: Any) -> None:
    core.advance(50)
    held(core, 1990, near=True)
    core.advance(50)
    assert [e.kind for e in told(core)] == [DOWN, SHORT]
    held(core, 2011, near=True)
    core.advance(50)
    events = told(core)
    assert [e.kind for e in events] == [DOWN, HOLD, RELEASED]
    assert events[1].held_ms == 2000 and events[1].at_ms == events[0].at_ms + 2000


def test_a_hold_fills_four_lights_at_that_seats_end_of_every_bar(core: Any) -> None:
    core.set(ControllerSettings(brightness=255, budget_ma=3000))
    core.advance(1600)
    core.press(far=True)
    lit = []
    for _ in range(2200 // 20):
        core.hear(encode(SerialFrame(Type.PING, 1, bytes(4))))
        core.advance(20)
        pixels = [core.wire[3 * at : 3 * at + 3] for at in range(27)]
        bars = [pixels[9 * bar : 9 * bar + 9] for bar in range(3)]
        assert bars[0] == bars[1] == bars[2]
        full = [at for at, pixel in enumerate(bars[0]) if pixel == b"\xff\xff\xff"]
        assert full == list(range(9 - len(full), 9))
        lit.append(len(full))
    assert lit[:14] == [0] * 14, "a short press must not flash"
    assert lit == sorted(lit) and set(lit) == {0, 1, 2, 3, 4} and lit[-1] == 4
    assert 1980 <= 20 * lit.index(4) <= 2020, "four lights tell that it is a hold now, not before"
    core.press()
    core.advance(40)
    assert core.wire == bytes(81)


def test_a_button_down_at_the_start_counts_only_after_it_was_let_go(core: Any) -> None:
    core.press(near=True)
    core.advance(3000)
    core.press()
    core.advance(100)
    assert told(core) == []
    held(core, 100, near=True)
    core.advance(100)
    assert [e.kind for e in told(core)] == [DOWN, SHORT]


def test_an_event_is_said_again_until_it_is_acknowledged(core: Any) -> None:
    core.advance(50)
    held(core, 100, near=True)
    core.advance(1000)
    again = said(core)
    assert len(again) >= 4 and {e.kind for e in again} == {DOWN}
    core.hear(encode(SerialFrame(Type.EVENT_ACK, again[0].number + 7)))
    core.advance(260)
    assert {e.kind for e in said(core)} == {DOWN}
    core.hear(encode(SerialFrame(Type.EVENT_ACK, again[0].number)))
    core.advance(5)
    assert {e.kind for e in said(core)} == {SHORT}
    assert [e.kind for e in told(core)] == [SHORT]
    core.advance(1000)
    assert said(core) == []


def test_a_ninth_event_is_dropped_and_counted(core: Any) -> None:
    core.advance(50)
    for _ in range(6):
        held(core, 50, near=True)
        core.advance(50)
    stats = core.ask(Type.STATS).body
    assert int.from_bytes(stats[32:34], "little") == 12 - 8
    assert len({e.number for e in told(core)}) == 8


def test_numbers_go_round_without_a_zero(core: Any) -> None:
    numbers = []
    for _ in range(140):
        core.advance(30)
        held(core, 30, near=True)
        core.advance(30)
        numbers += [e.number for e in told(core)]
    assert numbers == [1 + at % 255 for at in range(280)]


def test_swapped_buttons_are_each_others(core: Any) -> None:
    core.set(ControllerSettings(swapped=True))
    core.advance(50)
    held(core, 100, near=True)
    core.advance(50)
    assert {e.seat for e in told(core)} == {"far"}
