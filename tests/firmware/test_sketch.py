"""The Arduino sketch: the same core, unchanged, with Arduino's serial port, run on the emulated Nano.

The NeoPixel library is stood in for (firmware/arduino/check): what is proven is core and sketch, not that library.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.failure import Failure
from host.bench.firmware import saturate
from host.lights.drawing import draw
from host.lights.frame import Bar, Colour, LightFrame
from host.link.emulated.chip import BUILT, bootloader_hex
from host.link.emulated.controller import EmulatedController
from host.link.messages import Button, ControllerSettings, Hello, Pong, Type, pack_lights
from host.link.strip import chain_of, wire_bytes

pytestmark = pytest.mark.needs_emulator

GAME = LightFrame(
    "game", (Bar("near", 3), Bar("far", 0), Bar("far", 2)), Colour(220, 30, 20), Colour(30, 60, 230), None
)


@pytest.fixture(scope="module")
def sketch(firmware: Path) -> Path:
    try:
        bootloader_hex("old")
    except Failure as failure:
        pytest.skip(f"no Arduino core: {failure.message}")
    done = subprocess.run(
        ["make", "-s", "-C", str(firmware / "arduino"), "check", f"ARDUINO={BUILT / 'boot' / 'arduino'}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return BUILT / "arduino" / "allfronts.elf"


@pytest.fixture
def talk(sketch: Path, talk_with: Callable[..., Any]) -> Any:
    opened = talk_with(lambda clock: EmulatedController(clock, program=sketch))
    opened.hello = Hello.unpack(opened.greeted().body)
    return opened


def test_the_sketch_says_what_it_is_and_refuses_what_it_cannot(talk: Any) -> None:
    assert (talk.hello.board, talk.hello.capabilities, talk.hello.cause) == (4, 15, 0)
    refused = talk.ask(Type.HANG, b"HANG")
    assert (refused.type, refused.body) == (0xFF, bytes((1, Type.HANG, 0)))


def test_the_sketch_shows_the_same_bytes_as_the_nano(talk: Any) -> None:
    talk.ask(Type.LIGHTS, pack_lights(GAME, cut=True))
    assert talk.controller.strip() == wire_bytes(chain_of(draw(GAME, 0), ControllerSettings()), ControllerSettings())[0]
    assert talk.controller.board.timing().bad_bits == 0
    for number in range(100):
        assert Pong.unpack(talk.ask(Type.PING, number.to_bytes(4, "little")).body).token == number


def test_the_sketch_keeps_its_settings_and_tells_a_press(talk: Any) -> None:
    talk.ask(Type.SETTINGS_SET, ControllerSettings(brightness=9).pack())
    assert talk.ask(Type.SETTINGS_SAVE).type == 0x88
    talk.controller.press("near")
    down = Button.unpack(talk.until(lambda f: f.type == Type.BUTTON).body)
    assert (down.seat, down.kind) == ("near", 1)
    talk.controller.release("near")
    talk.controller.unplug()
    talk.controller.plug()
    talk.reopen()
    assert Hello.unpack(talk.greeted().body).settings == 1
    assert ControllerSettings.unpack(talk.ask(Type.SETTINGS_GET).body).brightness == 9


def test_the_sketch_misses_its_host(talk: Any) -> None:
    talk.ask(Type.LIGHTS, pack_lights(GAME, cut=True))
    talk.wait(2.5)
    strip = talk.controller.strip()
    assert [at for at in range(27) if any(strip[3 * at : 3 * at + 3])] == [3, 4, 5, 12, 13, 14, 21, 22, 23]


def test_the_check_on_the_check_a_strip_written_without_looking_at_the_line_loses_bytes(sketch: Path) -> None:
    """The sketch keeps interrupts off for the whole strip, as its library does: the emulated UART shows the loss."""
    found = saturate(200, program=sketch)
    assert found.bytes_lost > 100 and found.answered < found.sent
