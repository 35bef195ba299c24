"""The line to the lights, on a game night: whatever happens to it, the lights are right again, and nobody waits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from host.bench.chaos import Chaos, strip_for
from host.lights.frame import Bar, LightFrame
from host.link.codec import Frame
from host.link.line import Line
from host.link.messages import Settings, Type
from host.link.ports import Port, PortMemory
from host.link.virtual.controller import VirtualController
from host.link.virtual.faults import MENU, Faults, faults_named

GAME = LightFrame("game", (Bar("near", 4), Bar("far", 0), Bar("far", 2)))
LATER = LightFrame("game", (Bar("near", 1), Bar("far", 3), Bar("near", 0)))


def test_lights_are_right_soon_after_the_start(table: Any) -> None:
    table.show(GAME)
    assert table.until(lambda: table.controller.strip() == strip_for(GAME)) < 3
    health = table.line.health(table.clock.t)
    assert (health.state, health.shown, health.trouble, health.firmware) == ("up", True, None, "1.1.0")


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

    line = Line("board", opened=lambda _: Listener(), present=lambda _: True, asked_ports=lambda: [])
    while clock.t < 4:
        line.step(clock.t)
        clock.t += 0.004
    assert min(written) >= boot_s
    assert line.connected


def test_a_board_that_does_not_restart_is_asked(clock: Any) -> None:
    controller = VirtualController(clock, reset_on_open=False)
    clock.t = 60.0
    line = Line("board", opened=controller.open, present=lambda _: True, asked_ports=lambda: [])
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


class Chatterer:
    """Some other USB device, that talks and does not listen."""

    in_waiting = 5

    def read(self, size: int = 1) -> bytes:
        return b"$GPS\n"

    def write(self, data: bytes) -> int:
        return len(data)

    def close(self) -> None: ...


class Machine:
    """A machine with several USB serial devices."""

    def __init__(self, clock: Any, controller: VirtualController, memory: Path | None = None) -> None:
        self.clock, self.controller = clock, controller
        self.at = "/dev/ttyUSB1"
        self.others = {"/dev/ttyUSB0": "1a86:7523:"}
        self.opens: list[tuple[float, str]] = []
        self.calls_itself = "GPS"
        self.own_name = "USB2.0-Serial"
        self.memory = PortMemory(memory)
        self.line = Line(None, memory=self.memory, asked_ports=self.ports, opened=self.open)
        self.line.frame = GAME

    def ports(self) -> list[Port]:
        here = [Port(self.at, self.own_name, "0403:6001:A50285BI")] if self.controller.plugged else []
        return [*(Port(device, self.calls_itself, usb) for device, usb in self.others.items()), *here]

    def open(self, device: str) -> Any:
        self.opens.append((self.clock.t, device))
        return self.controller.open() if device == self.at else Chatterer()

    def run(self, seconds: float) -> None:
        end = self.clock.t + seconds
        while self.clock.t < end:
            self.line.step(self.clock.t)
            self.clock.t += 0.01


def test_the_port_is_found_by_asking_and_remembered(clock: Any, tmp_path: Path) -> None:
    machine = Machine(clock, VirtualController(clock), tmp_path / "state" / "port.json")
    machine.run(3.0)
    assert machine.line.health(clock.t).port == "/dev/ttyUSB1"
    machine.line.close()
    again = Machine(clock, machine.controller, tmp_path / "state" / "port.json")
    again.at = "/dev/ttyUSB7"
    again.run(3.0)
    assert again.line.connected
    assert [device for _, device in again.opens] == ["/dev/ttyUSB7"]


def test_the_board_is_found_again_under_another_name(clock: Any) -> None:
    machine = Machine(clock, VirtualController(clock))
    machine.run(3.0)
    machine.controller.unplug()
    machine.run(2.0)
    machine.at = "/dev/ttyUSB4"
    machine.controller.plug()
    began = clock.t
    while machine.controller.showing != GAME:
        machine.run(0.01)
        assert clock.t - began < 3
    assert machine.line.health(clock.t).port == "/dev/ttyUSB4"


def test_what_calls_itself_something_else_is_never_opened(clock: Any) -> None:
    machine = Machine(clock, VirtualController(clock))
    machine.controller.unplug()
    machine.run(120.0)
    assert machine.opens == []
    assert machine.line.health(clock.t).trouble.code == "not-known"


def test_of_several_candidates_none_is_opened_and_the_person_is_asked(clock: Any, tmp_path: Path) -> None:
    machine = Machine(clock, VirtualController(clock), tmp_path / "port.json")
    machine.calls_itself = "USB Serial"
    machine.run(60.0)
    assert machine.opens == []
    trouble = machine.line.health(clock.t).trouble
    assert trouble.code == "which-port"
    assert "/dev/ttyUSB0" in trouble.message and "/dev/ttyUSB1" in trouble.message
    machine.line = Line(machine.at, memory=machine.memory, asked_ports=machine.ports, opened=machine.open, present=bool)
    machine.run(3.0)
    assert machine.line.connected, "named once"
    machine.line.close()
    machine.line = Line(None, memory=machine.memory, asked_ports=machine.ports, opened=machine.open)
    machine.run(3.0)
    assert machine.line.connected, "and remembered by its number"
    assert {device for _, device in machine.opens} == {machine.at}


def test_the_only_candidate_is_asked_three_times_and_then_left_alone(clock: Any) -> None:
    machine = Machine(clock, VirtualController(clock))
    machine.controller.unplug()
    machine.calls_itself = "USB Serial"
    machine.run(200.0)
    assert len(machine.opens) == 3
    assert machine.line.health(clock.t).trouble.code == "not-ours"
    machine.others = {}
    machine.run(1.0)
    machine.others = {"/dev/ttyUSB0": "1a86:7523:"}
    machine.run(1.0)
    assert len(machine.opens) == 4, "plugged in anew"


def test_while_a_known_board_is_away_no_other_is_opened(clock: Any, tmp_path: Path) -> None:
    machine = Machine(clock, VirtualController(clock), tmp_path / "port.json")
    machine.run(3.0)
    machine.controller.unplug()
    machine.calls_itself = "USB Serial"
    machine.run(60.0)
    machine.line.close()
    again = Machine(clock, machine.controller, tmp_path / "port.json")
    again.calls_itself = "USB Serial"
    again.run(60.0)
    assert {device for _, device in machine.opens + again.opens} == {machine.at}
    assert again.line.health(clock.t).trouble.code == "which-port"


def test_a_port_that_another_program_holds_is_never_opened(clock: Any, tmp_path: Path) -> None:
    port = tmp_path / "ttyUSB0"
    port.touch()
    held = ["octoprint (4711)"]
    controller = VirtualController(clock)
    opens: list[float] = []

    def opened(_: str) -> Any:
        opens.append(clock.t)
        return controller.open()

    line = Line(str(port), asked_ports=lambda: [], opened=opened, holders=lambda _: held)
    for _ in range(500):
        line.step(clock.t)
        clock.t += 0.01
    assert opens == []
    assert line.trouble is not None and line.trouble.code == "busy" and "octoprint" in line.trouble.message
    held.clear()
    for _ in range(300):
        line.step(clock.t)
        clock.t += 0.01
    assert line.connected


def test_a_board_that_calls_itself_ours_is_opened_among_others(clock: Any) -> None:
    machine = Machine(clock, VirtualController(clock))
    machine.calls_itself = "USB Serial"
    machine.own_name = "All Fronts lights"
    machine.run(3.0)
    assert machine.line.connected
    assert {device for _, device in machine.opens} == {machine.at}


def test_a_board_that_went_away_is_told_as_lost_though_strangers_are_there(clock: Any) -> None:
    machine = Machine(clock, VirtualController(clock))
    machine.run(3.0)
    machine.controller.unplug()
    machine.run(20.0)
    assert machine.line.health(clock.t).trouble.code == "lost"


def test_a_port_without_rights_is_told(clock: Any) -> None:
    machine = Machine(clock, VirtualController(clock))
    refused = machine.at

    def refuse(device: str) -> Any:
        if device == refused:
            raise PermissionError(13, "Permission denied")
        return Chatterer()

    machine.line = Line(None, asked_ports=machine.ports, opened=refuse)
    machine.run(10.0)
    trouble = machine.line.health(clock.t).trouble
    assert (trouble.code, trouble.port) == ("no-rights", refused)


def test_of_two_boards_that_look_alike_ours_is_found_at_once(clock: Any) -> None:
    machine = Machine(clock, VirtualController(clock))
    machine.others = {"/dev/ttyUSB0": "0403:6001:A50285BI"}
    machine.run(3.0)
    machine.controller.unplug()
    machine.others = {}
    machine.run(1.0)
    machine.at, machine.others = "/dev/ttyUSB0", {"/dev/ttyUSB1": "0403:6001:A50285BI"}
    machine.controller.plug()
    began = clock.t
    while machine.controller.showing != GAME:
        machine.run(0.01)
        assert clock.t - began < 3


def test_no_device_at_all(clock: Any) -> None:
    machine = Machine(clock, VirtualController(clock))
    machine.controller.unplug()
    machine.others = {}
    machine.run(5.0)
    assert machine.line.health(clock.t).trouble.code == "no-device"
    machine.controller.plug()
    began = clock.t
    while machine.controller.showing != GAME:
        machine.run(0.01)
        assert clock.t - began < 3


def test_requests_are_answered_beside_the_game(table: Any) -> None:
    table.run(2.5)
    replies: list[Frame | None] = []
    wished = Settings(brightness=40)
    table.line.ask(Type.SETTINGS_SET, wished.pack(), replies.append)
    table.line.ask(Type.SETTINGS_GET, b"", replies.append)
    table.show(GAME)
    table.run(0.5)
    assert [Settings.unpack(r.body) for r in replies if r] == [wished, wished]


def test_a_request_without_a_board_is_answered_with_nothing(virtual_table: Any) -> None:
    replies: list[Frame | None] = []
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

    def refuse(frame: Frame, t: float) -> None:
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
