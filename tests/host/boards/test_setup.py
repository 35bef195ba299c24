"""Setting up by sight: whoever answers what they see ends with lights that are right, however they were wired."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from engine.failure import BadInput
from host.boards.setup import TESTS, order_seen, walk_through
from host.commands.lights import _Board
from host.lights.drawing import BALANCE, BAR_LIGHTS
from host.lights.frame import Colour
from host.link.codec import SerialFrame
from host.link.messages import ORDERS, REPLY, ControllerSettings
from host.link.strip import chain_of, wire_bytes
from host.link.virtual.controller import VirtualController
from host.link.virtual.picture import TEST_BARS
from host.link.virtual.port import VirtualPort


@dataclass
class Wiring:
    """A strip as somebody soldered it: its colour order, its length, and where each bar lies, seen from near."""

    order: str
    length: int
    bars: tuple[tuple[int, bool], ...]
    sent: ControllerSettings = field(default_factory=ControllerSettings)
    chain: list[Colour] = field(default_factory=list)
    pattern: int = 0

    # The controller's side.

    def settle(self, settings: ControllerSettings) -> None:
        self.sent = ControllerSettings.unpack(settings.pack())

    def test(self, pattern: int, index: int = 0) -> None:
        self.pattern = pattern
        n = self.sent.chain
        white, off = Colour(255, 255, 255), Colour(0, 0, 0)
        plain = {2: white, 3: Colour(255, 0, 0), 4: Colour(0, 255, 0), 5: Colour(0, 0, 255)}
        if pattern == 1:
            chain = [white if i == index else off for i in range(n)]
        elif pattern == 6:
            chain = chain_of(TEST_BARS, self.sent)
        else:
            chain = [plain.get(pattern, off)] * n
        wire = wire_bytes(chain, self.sent)[0]
        pixels = [wire[3 * i : 3 * i + 3] for i in range(min(n, self.length))]
        # The eye: the strip takes its bytes in its own order.
        self.chain = [Colour(*(p[self.order.index(c)] for c in "RGB")) for p in pixels]
        self.chain += [off] * (self.length - len(self.chain))

    # The person's side.

    def lit(self) -> list[int]:
        return [i for i, c in enumerate(self.chain) if any(c)]

    def bar(self, which: int) -> list[Colour]:
        """Nine lights from near to far as this person sees that bar."""
        first, back = self.bars[which]
        lights = self.chain[first : first + BAR_LIGHTS]
        return lights[::-1] if back else lights

    def ask(self, question: str, answers: str) -> str:
        if "How many lights" in question:
            return str(len(self.lit()))
        if "last light" in question:
            return "y" if self.lit() == [self.length - 1] else "n"
        if answers == "rgb":
            return "rgb"[max(range(3), key=lambda c: self.chain[0][c])]
        for which, name in enumerate(("left", "middle", "right")):
            if f"has the {name} bar" in question:
                return str(sum(self._is(c, 1) for c in self.bar(which)))
            if f"end of the {name} bar" in question:
                return "y" if self._is(self.bar(which)[0], 0) else "n"
        if "From left to right" in question:
            counts = [sum(self._is(c, 1) for c in self.bar(which)) for which in range(3)]
            near = all(self._is(self.bar(which)[0], 0) for which in range(3))
            return "y" if counts == [1, 2, 3] and near else "n"
        assert "Brightness" in question
        wire = wire_bytes(chain_of(TEST_BARS, self.sent), self.sent)
        assert self.pattern == TESTS["bars"] and wire[1] == 255, "a dimmed picture looks the same however bright"
        return "y" if self.sent.brightness < 80 else "-"

    @staticmethod
    def _is(colour: Colour, channel: int) -> bool:
        return colour[channel] > 0 and sum(v > 0 for v in colour) == 1

    def say(self, line: str) -> None: ...


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    ("length", "bars"),
    [
        (27, ((0, False), (9, False), (18, False))),
        (30, ((18, False), (9, True), (0, False))),
        (36, ((9, True), (0, True), (18, False))),
    ],
)
def test_any_wiring_is_put_right(order: str, length: int, bars: Any) -> None:
    wiring = Wiring(order, length, bars)
    found = walk_through(ControllerSettings(), wiring, wiring)
    assert (ORDERS[found.order], found.chain, found.bars) == (order, length, bars)
    assert found.brightness < 80
    wiring.settle(found)
    wiring.test(TESTS["bars"])
    assert wiring.bar(1)[BALANCE] == Colour(*(wiring.bar(0)[BALANCE]))


@pytest.mark.parametrize(("wired", "present"), list(itertools.product(ORDERS, range(6))))
def test_the_colour_order_follows_from_two_looks(wired: str, present: int) -> None:
    sent = ORDERS[present]
    red, green = wired[sent.index("R")], wired[sent.index("G")]
    assert ORDERS[order_seen(present, red, green)] == wired  # type: ignore[arg-type]


def test_the_same_colour_twice_is_no_answer() -> None:
    with pytest.raises(ValueError, match="same"):
        order_seen(0, "R", "R")


def lights(*arguments: str, said: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "host", "lights", "--port", "virtual", *arguments],
        input=said,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def test_settings_on_the_command_line() -> None:
    done = lights("--json", "--order", "rgb", "--count", "30", "--bars", "0,9r,20", "--brightness", "77")
    assert done.returncode == 0, done.stderr
    row = json.loads(done.stdout)
    assert (row["found"], row["board"]) == (True, "virtual")
    assert row["settings"]["order"] == "RGB"
    assert row["settings"]["bars"] == [[0, False], [9, True], [20, False]]
    assert (row["settings"]["chain"], row["settings"]["brightness"]) == (30, 77)


def test_a_test_pattern_on_the_command_line() -> None:
    assert lights("--test", "bars", "--seconds", "0").returncode == 0
    assert lights("--test", "26", "--seconds", "0").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--order", "XYZ"), "Orders are GRB"),
        (("--count", "8"), "the count is out of range"),
        (("--brightness", "0"), "the brightness is out of range"),
        (("--brightness", "999"), "out of range"),
        (("--bars", "0,5,18"), "do not overlap"),
        (("--bars", "left"), "three numbers"),
        (("--test", "purple"), "Tests are game, walk"),
        (("--test", "27"), "The chain has 0 to 26"),
        (("--budget", "9"), "the budget is out of range"),
        (("--seconds", "nan"), "--seconds nan cannot be"),
        (("--seconds", "inf"), "--seconds inf cannot be"),
        (("--port", "none"), "a game without lights"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(arguments: tuple[str, ...], words: str) -> None:
    done = lights("--seconds", "0", "--json", *arguments)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert words in done.stderr


@pytest.mark.parametrize(("fault", "words"), [("silent", "reset button"), ("old-version", "allfronts flash")])
def test_a_controller_that_cannot_be_talked_with_is_told_with_its_remedy(fault: str, words: str) -> None:
    done = lights("--port", f"virtual:{fault}", "--show")
    assert done.returncode == 1
    assert words in done.stderr
    assert lights("--port", "virtual:gremlins").returncode == 2


def test_questions_and_answers_in_a_terminal() -> None:
    # An answer of two letters is none, though it is a part of those that are offered.
    done = lights(said="27\nyn\ny\nrg\nr\ng\n12\n1\ny\n2\nmaybe\ny\n3\ny\ny\ny\n")
    assert done.returncode == 0, done.stderr
    assert "27 lights, colour order GRB" in done.stdout
    assert "Please answer with" in done.stderr


class OddSettings:
    """A controller that answers with settings of a form that is not known."""

    def ask(self, type_: int, body: bytes = b"") -> Future[SerialFrame | None]:
        answer: Future[SerialFrame | None] = Future()
        answer.set_result(SerialFrame(type_ | REPLY, 1, b"\2" + ControllerSettings().pack()[1:]))
        return answer

    def hold_frame(self, held: bool) -> None: ...


def test_settings_of_an_unknown_form_are_told_with_their_remedy() -> None:
    with pytest.raises(BadInput) as told:
        _Board(OddSettings()).read()  # type: ignore[arg-type]
    assert told.value.code == "unread-settings"
    assert "flash" in told.value.remedy


def test_nobody_there_to_answer_changes_nothing() -> None:
    done = lights(said="27\n")
    assert done.returncode == 2
    assert "nothing was changed" in done.stderr


@pytest.fixture
def board(tmp_path: Path) -> Any:
    with VirtualPort(VirtualController(time.monotonic), tmp_path / "board") as port:
        yield port


def settings_of(board: VirtualPort) -> ControllerSettings:
    row = json.loads(lights("--port", board.port, "--json").stdout)
    return ControllerSettings(chain=row["settings"]["chain"], brightness=row["settings"]["brightness"])


def test_a_test_that_is_not_there_changes_no_setting(board: VirtualPort) -> None:
    assert lights("--port", board.port, "--brightness", "9", "--test", "purple").returncode == 2
    assert settings_of(board) == ControllerSettings()


def test_broken_off_amid_the_questions_all_is_as_before(board: VirtualPort) -> None:
    asked = subprocess.Popen(
        [sys.executable, "-m", "host", "lights", "--port", board.port],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert asked.stderr is not None
    said = b""
    while b"How many lights" not in said:
        piece = os.read(asked.stderr.fileno(), 1000)
        assert piece, said
        said += piece
    asked.send_signal(signal.SIGINT)
    assert b"Traceback" not in asked.communicate(timeout=30)[1]
    assert asked.returncode == 130
    assert settings_of(board) == ControllerSettings(), "36 lights were tried, and are not left in force"


@pytest.mark.needs_emulator
def test_the_real_firmware_keeps_its_settings_without_power() -> None:
    from host.link.emulated.controller import EmulatedPort

    with EmulatedPort() as board:
        assert lights("--port", board.port, "--brightness", "60", "--order", "BGR", "--json").returncode == 0
        assert lights("--port", board.port, "--brightness", "90", "--try").returncode == 0
        board.power_cycle()
        shown = lights("--port", board.port, "--show", "--json")
    row = json.loads(shown.stdout)
    assert (row["board"], row["settings"]["brightness"], row["settings"]["order"]) == ("ATmega328P", 60, "BGR")
