"""The line to the lights, on a game night: whatever happens to it, the lights are right again, and nobody waits."""

from __future__ import annotations

from typing import Any

import pytest

from host.bench.chaos import Chaos, strip_for
from host.lights.frame import Bar, LightFrame
from host.link.codec import SerialFrame
from host.link.line import BoardLine
from host.link.messages import ControllerSettings, Type
from host.link.virtual.controller import VirtualController
from host.link.virtual.faults import MENU, Faults, faults_named

GAME = LightFrame("game", (Bar("near", 4), Bar("far", 0), Bar("far", 2)))
LATER = LightFrame("game", (Bar("near", 1), Bar("far", 3), Bar("near", 0)))


def test_lights_are_right_soon_after_the_start(table: Any) -> None:
    table.show(GAME)
    assert table.until(lambda: table.controller.strip() == strip_for(GAME)) < 3
    health = table.line.health(table.clock.t)
    assert (health.state, health.shown, health.trouble, health.firmware) == ("up", True, None, "1.1.1")


def test_only_the_latest_wish_counts(table: Any) -> None:
    table.show(GAME)
    table.run(2.5)
    shown = table.line.health(table.clock.t).counts.frames_shown
    for frame in (LATER, GAME, LATER):
        table.show(frame)
    table.until(lambda: table.controller.strip() == strip_for(LATER))
    assert table.line.health(table.clock.t).counts.frames_shown == shown + 1


def test_a_frame_that_is_shown_is_not_sent_again(table: Any) -> None:
    table.show(GAME)
    table.run(8.0)
    assert table.line.health(table.clock.t).counts.frames_shown == 1


def test_unplugged_and_plugged_in_again(table: Any) -> None:
    table.show(GAME)
    table.run(2.5)
    table.controller.unplug()
    table.run(4.0)
    health = table.line.health(table.clock.t)
    assert (health.state, health.trouble.code) == ("looking", "lost")
    assert "Plug it in" in health.trouble.remedy
    table.show(LATER)
    table.controller.plug()
    assert table.until(lambda: table.controller.strip() == strip_for(LATER)) < 3
    health = table.line.health(table.clock.t)
    assert health.outages == 1
    assert 3.5 < health.longest_outage < 7.5


def test_a_frozen_board_is_noticed_and_taken_back(table: Any) -> None:
    table.show(GAME)
    table.run(2.5)
    table.controller.freeze()
    table.show(LATER)
    table.run(1.5)
    assert table.line.health(table.clock.t).trouble.code == "silent"
    table.run(20.0)
    table.controller.thaw()
    assert table.until(lambda: table.controller.strip() == strip_for(LATER)) < 3


def test_a_host_that_says_goodbye_leaves_the_lights_dark(table: Any) -> None:
    table.show(GAME)
    table.run(2.5)
    assert table.controller.strip() == strip_for(GAME)
    assert table.line.bye()
    assert table.until(lambda: table.line.gone) < 0.5
    table.line.close()
    assert not any(table.controller.strip())
    for _ in range(10):
        table.clock.t += 1.0
        assert not any(table.controller.strip())


def test_a_board_of_protocol_1_0_cannot_be_told_goodbye_and_nobody_waits_for_it(virtual_table: Any) -> None:
    table = virtual_table
    table.controller.faults = Faults(protocol=(1, 0))
    table.show(GAME)
    table.run(2.5)
    assert table.line.bye() and table.line.gone
    table.line.close()
    table.clock.t += 3.0
    assert table.controller.host_lost


def test_a_restart_of_the_board_is_normal(table: Any) -> None:
    table.show(GAME)
    table.run(2.5)
    table.controller.reset()
    assert table.until(lambda: table.controller.strip() != strip_for(GAME)) < 1
    assert table.until(lambda: table.controller.strip() == strip_for(GAME)) < 3
    # A board with USB of its own takes its port away while it restarts.
    own_usb = getattr(table.controller, "board", None) is not None and table.controller.board.chip.name == "rp2040"
    assert table.line.health(table.clock.t).outages == int(own_usb)


@pytest.mark.parametrize("boot_s", [0.0, 1.11, 1.4])
def test_nothing_is_said_to_a_boot_loader(clock: Any, boot_s: float) -> None:
    controller = VirtualController(clock, boot_s=boot_s)
    written: list[float] = []

    class Listener:
        def __init__(self) -> None:
            self.line = controller.open()

        def __getattr__(self, name: str) -> Any:
            return getattr(self.line, name)

        def write(self, data: bytes) -> int:
            written.append(clock.t)
            return self.line.write(data)

    line = BoardLine("board", opened=lambda _: Listener(), present=lambda _: True, asked_ports=lambda: [])
    while clock.t < 4:
        line.step(clock.t)
        clock.t += 0.004
    assert min(written) >= boot_s
    assert line.connected


def test_a_board_that_does_not_restart_is_asked(clock: Any) -> None:
    controller = VirtualController(clock, reset_on_open=False)
    clock.t = 60.0
    line = BoardLine("board", opened=controller.open, present=lambda _: True, asked_ports=lambda: [])
    line.frame = GAME
    while controller.showing != GAME:
        line.step(clock.t)
        clock.t += 0.004
        assert clock.t < 63


def test_buttons_are_told_once_with_the_time_they_were_pressed(table: Any) -> None:
    table.run(2.5)
    pressed_at = table.clock.t
    table.controller.press("near")
    table.run(0.2)
    table.controller.release("near")
    table.run(1.0)
    assert [(e.seat, e.kind) for e in table.pressed] == [("near", "down"), ("near", "short")]
    assert table.pressed[0].at == pytest.approx(pressed_at, abs=0.05)
    assert table.pressed[1].at == pytest.approx(pressed_at + 0.2, abs=0.06)


def test_a_hold_is_told_when_it_is_reached(table: Any) -> None:
    table.run(2.5)
    table.controller.press("far")
    table.run(2.2)
    assert [(e.seat, e.kind) for e in table.pressed] == [("far", "down"), ("far", "hold")]


def test_a_press_while_the_host_was_away_is_not_acted_upon_later(virtual_table: Any) -> None:
    table = virtual_table
    table.controller._reset_on_open = False
    table.run(3.0)
    table.line.close()
    table.controller.press("near")
    table.clock.t += 3.0
    table.controller.release("near")
    table.clock.t += 8.0
    table.line = table.new_line()
    table.run(4.0)
    assert table.line.connected
    assert table.pressed == []
    assert table.line.health(table.clock.t).counts.buttons_stale == 3


@pytest.mark.parametrize("fault", ["slow", "garbage", "mangled", "drops", "half-frames"])
def test_a_bad_line_shows_what_it_can_and_is_right_when_it_mends(virtual_table: Any, fault: str) -> None:
    table = virtual_table
    table.controller.faults = faults_named(fault)
    table.show(GAME)
    table.until(lambda: table.controller.showing == GAME, limit=30)
    table.show(LATER)
    table.run(10.0)
    table.controller.faults = MENU["none"]
    assert table.until(lambda: table.controller.showing == LATER) < 3


def test_a_board_that_restarts_again_and_again_is_right_in_between(virtual_table: Any) -> None:
    table = virtual_table
    table.controller.faults = faults_named("resets")
    table.show(GAME)
    right = 0
    for _ in range(200):
        table.run(0.1)
        right += table.controller.showing == GAME
    assert right > 170


@pytest.mark.parametrize(
    ("fault", "code", "words"),
    [
        ("silent", "silent", "reset button"),
        ("old-version", "old-firmware", "Update the controller: ./allfronts flash"),
        ("new-version", "new-firmware", "Update this program"),
    ],
)
def test_what_is_wrong_is_told_with_its_remedy(virtual_table: Any, fault: str, code: str, words: str) -> None:
    virtual_table.controller.faults = faults_named(fault)
    virtual_table.run(6.0)
    trouble = virtual_table.line.health(virtual_table.clock.t).trouble
    assert trouble.code == code
    assert words in trouble.remedy


def test_a_version_mismatch_names_both_versions(virtual_table: Any) -> None:
    virtual_table.controller.faults = faults_named("old-version")
    virtual_table.run(1.0)
    message = virtual_table.line.health(virtual_table.clock.t).trouble.message
    assert "protocol 0.9" in message
    assert "speaks 1.1" in message


def test_requests_are_answered_beside_the_game(table: Any) -> None:
    table.run(2.5)
    replies: list[SerialFrame | None] = []
    wished = ControllerSettings(brightness=40)
    table.line.ask(Type.SETTINGS_SET, wished.pack(), replies.append)
    table.line.ask(Type.SETTINGS_GET, b"", replies.append)
    table.show(GAME)
    table.run(0.5)
    assert [ControllerSettings.unpack(r.body) for r in replies if r] == [wished, wished]


def test_a_request_without_a_board_is_answered_with_nothing(virtual_table: Any) -> None:
    replies: list[SerialFrame | None] = []
    virtual_table.line.ask(Type.STATS, b"", replies.append)
    assert replies == [None]
    virtual_table.run(2.5)
    virtual_table.controller.unplug()
    virtual_table.line.ask(Type.STATS, b"", replies.append)
    virtual_table.run(1.0)
    assert replies == [None, None]


def test_a_test_of_the_lights_is_left_alone_and_the_game_comes_back(table: Any) -> None:
    table.show(GAME)
    table.run(2.5)
    table.line.hold_frame(True)
    table.line.ask(Type.SELF_TEST, bytes((3, 0)), lambda _: None)
    table.run(2.0)
    test = table.controller.strip()
    assert test != strip_for(GAME)
    table.show(LATER)
    table.run(2.0)
    assert table.controller.strip() == test
    table.line.hold_frame(False)
    assert table.until(lambda: table.controller.strip() == strip_for(LATER)) < 1


def test_board_that_refuses_a_frame_is_not_asked_for_ever(virtual_table: Any) -> None:
    table = virtual_table
    table.run(2.5)
    table.controller._answer = _refusing(table.controller)
    table.show(GAME)
    table.run(5.0)
    health = table.line.health(table.clock.t)
    assert (health.state, health.counts.errors) == ("up", 1)


def _refusing(controller: VirtualController) -> Any:
    from host.link.messages import BadValue

    answer = controller._answer

    def refuse(frame: SerialFrame, t: float) -> None:
        if frame.type == Type.LIGHTS:
            raise BadValue(9)
        answer(frame, t)

    return refuse


@pytest.mark.parametrize("boot_s", [0.0, 1.4])
def test_chaos_on_the_virtual_board(boot_s: float) -> None:
    mishaps = list(Chaos(lambda clock: VirtualController(clock, boot_s=boot_s), seed=11).run(60))
    assert [m for m in mishaps if not m.good] == []


@pytest.mark.needs_pico
def test_chaos_on_the_emulated_pico() -> None:
    from host.link.emulated.chip import RP2040
    from host.link.emulated.controller import EmulatedController

    mishaps = list(Chaos(lambda clock: EmulatedController(clock, chip=RP2040), seed=13).run(36))
    assert [m for m in mishaps if not m.good] == []


@pytest.mark.needs_emulator
@pytest.mark.parametrize("reset_on_open", [False, True])
def test_chaos_on_the_emulated_board(reset_on_open: bool) -> None:
    from host.link.emulated.controller import EmulatedController

    mishaps = list(Chaos(lambda clock: EmulatedController(clock, reset_on_open=reset_on_open), seed=12).run(36))
    assert [m for m in mishaps if not m.good] == []
