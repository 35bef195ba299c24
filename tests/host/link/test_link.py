"""The link in its own thread, in real time: over a pseudo-terminal, through pyserial, as on a table."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.failure import Failure
from host.bench.chaos import strip_for
from host.lights.frame import Bar, LightFrame
from host.link.link import Link
from host.link.messages import ControllerSettings, Type
from host.link.ports import open_port
from host.link.session import ButtonEvent
from host.link.virtual.controller import VirtualController, VirtualLine
from host.link.virtual.port import VirtualPort

GAME = LightFrame("game", (Bar("near", 4), Bar("far", 0), Bar("far", 2)))
LATER = LightFrame("game", (Bar("near", 1), Bar("far", 3), Bar("near", 0)))


def wait_for(true: Callable[[], bool], limit: float = 15.0) -> None:
    end = time.monotonic() + limit
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


@pytest.fixture
def port(tmp_path: Path) -> Any:
    with VirtualPort(VirtualController(time.monotonic), tmp_path / "board") as port:
        yield port


def test_a_link_without_lights_takes_everything_and_does_nothing() -> None:
    link = Link.start("none")
    link.show(GAME)
    assert link.health().state == "off"
    assert link.ask(Type.STATS).result(timeout=1) is None
    link.close()


def test_the_virtual_controller_is_there_at_once() -> None:
    link = Link.start("virtual")
    assert link.virtual is not None
    link.show(GAME)
    wait_for(lambda: link.virtual.showing == GAME and link.health().shown)  # type: ignore[union-attr]
    link.virtual.press("far")
    link.virtual.release("far")
    assert [link.buttons.get(timeout=10).kind for _ in range(2)] == ["down", "short"]
    link.close()
    assert link.health().state in ("up", "looking")


def test_whoever_hears_the_buttons_may_think_and_may_fail() -> None:
    heard: list[str] = []

    def think(event: ButtonEvent) -> None:
        heard.append(event.kind)
        if len(heard) == 1:
            slow.wait(10)
            raise RuntimeError("thought too hard")

    slow = threading.Event()
    link = Link.start("virtual", on_button=think)
    assert link.virtual is not None
    wait_for(lambda: link.health().state == "up")
    link.virtual.press("near")
    link.virtual.release("near")
    wait_for(lambda: heard == ["down"])
    link.show(GAME)
    wait_for(lambda: link.virtual.showing == GAME)  # type: ignore[union-attr]
    slow.set()
    wait_for(lambda: heard == ["down", "short"])
    link.close()


def test_a_game_that_is_over_is_let_go_of_with_its_lights() -> None:
    """Each game that was begun from the page stayed in the memory with all that was played, and a thread with it."""

    class Game:
        def press(self, event: ButtonEvent) -> None:
            """Nothing is pressed."""

    game = Game()
    gone = weakref.ref(game)
    link = Link.start("virtual", on_button=game.press)
    link.close()
    del game, link
    wait_for(lambda: gone() is None)


def test_a_press_that_the_game_refuses_is_told_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    def full(event: ButtonEvent) -> None:
        raise Failure("log-lost", "The game log cannot be written any more.", "Make room.")

    link = Link.start("virtual", on_button=full)
    assert link.virtual is not None
    wait_for(lambda: link.health().state == "up")
    link.virtual.press("near")
    wait_for(lambda: bool(caplog.records))
    link.close()
    assert caplog.records[0].exc_info is None
    assert "Make room." in caplog.records[0].getMessage()


def test_over_a_pseudo_terminal(port: VirtualPort, tmp_path: Path) -> None:
    link = Link.start(port.port, memory=tmp_path / "port.json")
    link.show(GAME)
    wait_for(lambda: port.controller.showing == GAME)
    reply = link.ask(Type.SETTINGS_GET).result(timeout=10)
    assert reply is not None
    assert ControllerSettings.unpack(reply.body) == ControllerSettings()
    link.close()


def test_a_port_that_vanishes_and_comes_back(port: VirtualPort, tmp_path: Path) -> None:
    link = Link.start(port.port, memory=tmp_path / "port.json")
    link.show(GAME)
    wait_for(lambda: port.controller.showing == GAME)
    port.stop()
    wait_for(lambda: link.health().state == "looking")
    link.show(LATER)
    port.start()
    wait_for(lambda: port.controller.showing == LATER)
    assert link.health().outages == 1
    link.close()


def test_a_port_closed_in_the_moment_of_its_opening_can_be_opened_again(tmp_path: Path) -> None:
    opened, go_on = threading.Semaphore(0), threading.Semaphore(0)

    class SlowToOpen(VirtualController):
        def open(self, device: str = "virtual") -> VirtualLine:
            line = super().open(device)
            opened.release()
            assert go_on.acquire(timeout=15)
            return line

    with VirtualPort(SlowToOpen(time.monotonic), tmp_path / "board") as port:
        first = open_port(port.port)
        assert opened.acquire(timeout=15)
        first.close()
        go_on.release(1000)
        link = Link.start(port.port, memory=tmp_path / "port.json")
        link.show(GAME)
        wait_for(lambda: port.controller.showing == GAME)
        link.close()


def test_a_port_that_is_in_use_is_told_with_who_uses_it(port: VirtualPort, tmp_path: Path) -> None:
    other = open_port(port.port)
    link = Link.start(port.port, memory=tmp_path / "port.json")
    link.show(GAME)
    wait_for(lambda: (why := link.health().trouble) is not None and why.code == "busy")
    other.close()
    wait_for(lambda: port.controller.showing == GAME)
    link.close()


def test_show_never_waits_for_a_board_that_does_not_take_bytes() -> None:
    writing, free = threading.Event(), threading.Event()

    class Stuck:
        in_waiting = 0

        def read(self, size: int = 1) -> bytes:
            return b""

        def write(self, data: bytes) -> int:
            writing.set()
            free.wait(60)
            raise OSError("write timeout")

        def close(self) -> None: ...

    from host.link.line import BoardLine

    line = BoardLine("board", opened=lambda _: Stuck(), present=lambda _: True, asked_ports=lambda: [])
    link = Link(line)
    assert writing.wait(20)

    def show_often() -> None:
        for _ in range(1000):
            link.show(GAME)
            link.health()

    shown = threading.Thread(target=show_often, daemon=True)
    shown.start()
    shown.join(20)
    waited = shown.is_alive()
    free.set()
    link.close()
    assert not waited
    assert line.frame == GAME


def test_a_fault_of_our_own_does_not_end_the_link(monkeypatch: pytest.MonkeyPatch) -> None:
    from host.link.line import BoardLine

    board = VirtualController(time.monotonic)
    line = BoardLine("virtual", opened=board.open, present=lambda _: True)
    step, stumbles = line.step, [RuntimeError("a fault of ours")]

    def stumble(t: float) -> None:
        if line.connected and stumbles:
            raise stumbles.pop()
        step(t)

    monkeypatch.setattr(line, "step", stumble)
    link = Link(line)
    link.show(GAME)
    wait_for(lambda: board.showing == GAME)
    assert not stumbles
    link.close()
    assert link.ask(Type.STATS).result(timeout=10) is None


@pytest.mark.needs_emulator
def test_the_real_firmware_on_a_pseudo_terminal_is_killed_frozen_and_started_again(tmp_path: Path) -> None:
    from host.link.emulated.controller import EmulatedPort

    board = EmulatedPort(link=tmp_path / "board").start()
    link = Link.start(board.port, memory=tmp_path / "port.json")
    try:
        link.show(GAME)
        assert board.wait_for(lambda strip: strip == strip_for(GAME), 20)
        board.freeze()
        link.show(LATER)
        wait_for(lambda: (why := link.health().trouble) is not None and why.code == "silent")
        board.thaw()
        assert board.wait_for(lambda strip: strip == strip_for(LATER), 20)
        board.kill()
        wait_for(lambda: link.health().state == "looking")
        link.show(GAME)
        board.start()
        assert board.wait_for(lambda strip: strip == strip_for(GAME), 20)
    finally:
        link.close()
        board.stop()
