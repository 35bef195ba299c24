"""Which port the line opens, and which it leaves alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from host.lights.frame import Bar, LightFrame
from host.link.line import BoardLine
from host.link.ports import Port, PortMemory
from host.link.virtual.controller import VirtualController

GAME = LightFrame("game", (Bar("near", 4), Bar("far", 0), Bar("far", 2)))


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
        self.line = BoardLine(None, memory=self.memory, asked_ports=self.ports, opened=self.open)
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
    machine.line = BoardLine(
        machine.at, memory=machine.memory, asked_ports=machine.ports, opened=machine.open, present=bool
    )
    machine.run(3.0)
    assert machine.line.connected, "named once"
    machine.line.close()
    machine.line = BoardLine(None, memory=machine.memory, asked_ports=machine.ports, opened=machine.open)
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

    line = BoardLine(str(port), asked_ports=lambda: [], opened=opened, holders=lambda _: held)
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

    machine.line = BoardLine(None, asked_ports=machine.ports, opened=refuse)
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
