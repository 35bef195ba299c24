"""What a host may rely on, from any controller: the one without hardware and the emulated one alike."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from typing import Any

import pytest

from host.lights.drawing import draw
from host.lights.frame import Bar, Colour, LightFrame
from host.link.codec import SerialFrame, encode
from host.link.emulated.chip import CHIPS
from host.link.emulated.controller import EmulatedController
from host.link.messages import Button, ControllerSettings, Hello, Pong, Shown, Stats, Type, pack_lights
from host.link.strip import chain_of, wire_bytes
from host.link.virtual.controller import VirtualController

GAME = LightFrame(
    "game", (Bar("near", 3), Bar("far", 0), Bar("far", 2)), Colour(220, 30, 20), Colour(30, 60, 230), None
)
DARK = LightFrame("dark", (Bar(None, 0),) * 3, Colour(0, 0, 0), Colour(0, 0, 0), None)


@pytest.fixture(
    params=[
        "virtual",
        pytest.param("atmega328p", marks=pytest.mark.needs_emulator),
        pytest.param("rp2040", marks=pytest.mark.needs_pico),
    ]
)
def talk(request: pytest.FixtureRequest, talk_with: Callable[..., Any]) -> Any:
    """A talk with a controller that has greeted."""
    chip = CHIPS.get(request.param)
    opened = talk_with(VirtualController if chip is None else lambda clock: EmulatedController(clock, chip=chip))
    opened.greeting = opened.greeted()
    return opened


def still(frame: LightFrame, how: ControllerSettings | None = None) -> bytes:
    how = how or ControllerSettings()
    return wire_bytes(chain_of(draw(frame, 0), how), how)[0]


def test_opening_resets_the_board_and_it_says_who_it_is(talk: Any) -> None:
    hello = Hello.unpack(talk.greeting.body)
    assert talk.greeting.seq == 0
    assert (hello.protocol, hello.chain_max, hello.buttons, hello.body_max) == ((1, 1), 36, 2, 60)
    own_usb = hello.board == 3
    assert hello.cause == (1 if own_usb else 2), "a board with USB of its own is not reset by opening its port"
    assert hello.capabilities & 31 == 31 and hello.uptime_ms < 100


def test_hello_is_answered_whatever_its_body(talk: Any) -> None:
    for body in (b"", b"\x01\x00", b"\x63\x07", bytes(60)):
        answer = talk.ask(Type.HELLO, body)
        assert answer.type == 0x81 and Hello.unpack(answer.body).boot == Hello.unpack(talk.greeting.body).boot


def test_ping_gives_its_token_back_and_tells_the_time(talk: Any) -> None:
    first = Pong.unpack(talk.ask(Type.PING, b"\x00\x01\xff\x00").body)
    talk.wait(0.5)
    second = Pong.unpack(talk.ask(Type.PING, b"\x00\x01\xff\x00").body)
    assert first.token == 0x00FF0100
    assert first.flags == 8 and 480 <= second.uptime_ms - first.uptime_ms <= 520


def test_lights_are_shown_before_the_answer_comes(talk: Any) -> None:
    answer = talk.ask(Type.LIGHTS, pack_lights(GAME, cut=True))
    assert answer.type == 0x83 and Shown.unpack(answer.body).limit == 255
    assert talk.controller.strip() == still(GAME)
    assert Pong.unpack(talk.ask(Type.PING, bytes(4)).body).flags == 0


def test_every_reply_carries_its_requests_number_and_a_request_may_be_repeated(talk: Any) -> None:
    for seq in (0, 1, 255, 255):
        talk.send(Type.LIGHTS, pack_lights(GAME, cut=True), seq)
        assert talk.until(lambda f: f.type == 0x83, 0.25).seq == seq
    assert talk.controller.strip() == still(GAME)


def test_raw_pixels_are_shown_on_show_and_not_before(talk: Any) -> None:
    talk.ask(Type.LIGHTS, pack_lights(DARK, cut=True))
    talk.wait(0.3)
    assert talk.ask(Type.PIXELS, bytes((0, 255, 0, 0, 0, 255, 0))).body == b""
    talk.ask(Type.PIXELS, bytes((26, 1, 2, 255)))
    assert not any(talk.controller.strip())
    assert talk.ask(Type.SHOW).type == 0x85
    strip = talk.controller.strip()
    assert strip[:6] == bytes((0, 128, 0, 128, 0, 0)) and strip[78:] == bytes((1, 0, 128))
    assert Pong.unpack(talk.ask(Type.PING, bytes(4)).body).flags == 2


def test_settings_are_told_set_and_refused(talk: Any) -> None:
    assert ControllerSettings.unpack(talk.ask(Type.SETTINGS_GET).body) == ControllerSettings()
    mine = ControllerSettings(
        brightness=40, order=1, chain=36, budget_ma=800, bars=((27, True), (0, False), (9, False))
    )
    assert ControllerSettings.unpack(talk.ask(Type.SETTINGS_SET, mine.pack()).body) == mine
    talk.ask(Type.LIGHTS, pack_lights(GAME, cut=True))
    assert talk.controller.strip() == still(GAME, mine)
    refused = talk.ask(
        Type.SETTINGS_SET, ControllerSettings(chain=36, bars=((0, False), (8, False), (18, False))).pack()
    )
    assert (refused.type, refused.body) == (0xFF, bytes((3, 7, 8)))
    assert ControllerSettings.unpack(talk.ask(Type.SETTINGS_GET).body) == mine


def test_only_saved_settings_outlive_the_power(talk: Any) -> None:
    talk.ask(Type.SETTINGS_SET, ControllerSettings(brightness=10).pack())
    assert talk.ask(Type.SETTINGS_SAVE).type == 0x88
    talk.ask(Type.SETTINGS_SET, ControllerSettings(brightness=20).pack())
    talk.controller.unplug()
    talk.controller.plug()
    talk.reopen()
    hello = Hello.unpack(talk.greeted().body)
    assert hello.settings == 1
    assert ControllerSettings.unpack(talk.ask(Type.SETTINGS_GET).body).brightness == 10


def test_the_self_test_shows_which_bar_is_which(talk: Any) -> None:
    talk.ask(Type.SETTINGS_SET, ControllerSettings(brightness=255, budget_ma=3000, order=1).pack())
    assert talk.ask(Type.SELF_TEST, b"\x06\x00").type == 0x8A
    strip = talk.controller.strip()
    pixels = [strip[at : at + 3] for at in range(0, 81, 3)]
    for bar in range(3):
        near, balance, far = pixels[9 * bar], pixels[9 * bar + 4], pixels[9 * bar + 8]
        assert (near, balance, far) == (b"\xff\0\0", b"\xff\xff\xff", b"\0\0\xff")
        assert sum(p == b"\0\xff\0" for p in pixels[9 * bar : 9 * bar + 9]) == bar + 1
    assert Pong.unpack(talk.ask(Type.PING, bytes(4)).body).flags & 4
    talk.ask(Type.LIGHTS, pack_lights(DARK, cut=True))
    assert not Pong.unpack(talk.ask(Type.PING, bytes(4)).body).flags & 4


@pytest.mark.parametrize(
    ("kind", "body", "error"),
    [
        (0x33, b"", (1, 0x33, 0)),
        (0x7E, b"abc", (1, 0x7E, 0)),
        (Type.PING, b"", (2, Type.PING, 0)),
        (Type.LIGHTS, bytes(11), (2, Type.LIGHTS, 11)),
        (Type.PIXELS, bytes(3), (2, Type.PIXELS, 3)),
        (Type.PIXELS, bytes(6), (2, Type.PIXELS, 6)),
        (Type.PIXELS, bytes((36, 1, 1, 1)), (3, Type.PIXELS, 0)),
        (Type.PIXELS, bytes((35, 1, 1, 1, 1, 1, 1)), (3, Type.PIXELS, 0)),
        (Type.SHOW, b"\0", (2, Type.SHOW, 1)),
        (Type.LIGHTS, bytes((9, *bytes(11))), (3, Type.LIGHTS, 0)),
        (Type.SELF_TEST, b"\x07\x00", (3, Type.SELF_TEST, 0)),
        (Type.SELF_TEST, b"\x01\x1b", (3, Type.SELF_TEST, 1)),
        (Type.HANG, b"hang", (3, Type.HANG, 0)),
    ],
)
def test_what_cannot_be_done_is_refused_with_its_reason(
    talk: Any, kind: int, body: bytes, error: tuple[int, int, int]
) -> None:
    answer = talk.ask(kind, body)
    assert (answer.type, tuple(answer.body)) == (0xFF, error)
    assert talk.ask(Type.PING, bytes(4)).type == 0x82


def test_bad_frames_are_counted_and_the_next_good_one_is_answered(talk: Any) -> None:
    chance = random.Random(3)
    good = encode(SerialFrame(Type.PING, 7, b"abcd"))
    for number in range(40):
        hurt = bytearray(good)
        if number % 2:
            hurt[chance.randrange(len(hurt) - 1)] ^= 1 << chance.randrange(8)
        else:
            hurt = bytearray(chance.randbytes(chance.randint(1, 30)) + b"\0")
        talk.line.write(bytes(hurt))
        talk.wait(0.01)
        talk.line.write(b"\0")
        assert talk.ask(Type.PING, struct.pack("<I", number)).body[:4] == struct.pack("<I", number)
    stats = Stats.unpack(talk.ask(Type.STATS).body)
    assert stats.bad_long + stats.bad_cobs + stats.bad_short + stats.bad_check >= 35
    assert stats.uart_overrun == stats.ring_full == stats.replies_dropped == 0


def test_a_frame_cut_in_the_middle_costs_only_itself(talk: Any) -> None:
    frame = encode(SerialFrame(Type.LIGHTS, 1, pack_lights(GAME)))
    for cut in range(1, len(frame)):
        talk.line.write(frame[:cut] + b"\0")
        assert talk.ask(Type.PING, bytes(4)).type == 0x82


def test_a_press_comes_until_it_is_acknowledged(talk: Any) -> None:
    talk.wait(0.05)
    talk.controller.press("far")
    talk.wait(0.3)
    talk.controller.release("far")
    talk.wait(0.6)
    said = [Button.unpack(f.body) for f in talk.heard if f.type == Type.BUTTON]
    assert len(said) >= 3 and {(b.number, b.seat, b.kind) for b in said} == {(1, "far", 1)}
    talk.send(Type.EVENT_ACK, seq=1)
    up = Button.unpack(talk.until(lambda f: f.type == Type.BUTTON and f.seq == 2, 0.3).body)
    assert (up.seat, up.kind) == ("far", 2) and 290 <= up.held_ms <= 330
    assert up.boot == Hello.unpack(talk.greeting.body).boot
    talk.send(Type.EVENT_ACK, seq=2)
    talk.wait(0.05)
    assert not [f for f in talk.wait(0.6) if f.type == Type.BUTTON]


def test_a_hold_is_told_after_two_seconds_while_the_button_is_down(talk: Any) -> None:
    talk.wait(0.05)
    began = Pong.unpack(talk.ask(Type.PING, bytes(4)).body).uptime_ms
    talk.controller.press("near")
    talk.until(lambda f: f.type == Type.BUTTON and f.body[2] == 1)
    talk.send(Type.EVENT_ACK, seq=1)
    hold = Button.unpack(talk.until(lambda f: f.type == Type.BUTTON and f.body[2] == 3).body)
    assert (hold.number, hold.held_ms) == (2, 2000) and 1990 <= hold.at_ms - began <= 2030


def test_a_silent_host_is_missed_within_two_and_a_half_seconds_and_welcomed_back(talk: Any) -> None:
    talk.ask(Type.LIGHTS, pack_lights(GAME, cut=True))
    talk.wait(1.9)
    assert talk.controller.strip() == still(GAME)
    talk.wait(0.55)
    strip = talk.controller.strip()
    lit = [at for at in range(27) if any(strip[3 * at : 3 * at + 3])]
    assert lit == [3, 4, 5, 12, 13, 14, 21, 22, 23]
    assert Pong.unpack(talk.ask(Type.PING, bytes(4)).body).flags & 1
    talk.wait(0.4)
    assert talk.controller.strip() == still(GAME)
    assert Stats.unpack(talk.ask(Type.STATS).body).host_lost == 1


def test_a_hang_is_over_within_a_second_and_its_cause_is_told(talk: Any) -> None:
    talk.ask(Type.LIGHTS, pack_lights(GAME, cut=True))
    talk.wait(0.2)  # a start is counted once the supply has settled
    talk.send(Type.HANG, b"HANG")
    hello = Hello.unpack(talk.until(lambda f: f.type == Type.HELLO_EVENT, 1.0).body)
    before = Hello.unpack(talk.greeting.body)
    assert hello.cause == 4 and hello.boot == (before.boot + 1) & 0xFFFF
    assert Pong.unpack(talk.ask(Type.PING, bytes(4)).body).flags & 8


def test_the_core_on_a_pc_answers_every_vector_as_written_down(core: Any, vectors: dict[str, Any]) -> None:
    for good in vectors["good"]:
        if good["type"] >= 0x40 or good["name"] == "HANG":
            continue
        answer = core.ask(good["type"], bytes.fromhex(good["body"]))
        assert answer.type == good["type"] | 0x80, good["name"]
        model = next((g for g in vectors["good"] if g["type"] == answer.type), None)
        assert model is None or len(answer.body) == len(model["body"]) // 2, good["name"]
