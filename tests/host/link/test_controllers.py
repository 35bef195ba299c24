"""The protocol, asked of the controller in Python and of the real firmware in the emulator: the same answers."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from host.bench.chaos import is_host_lost, strip_for
from host.lights.drawing import draw_still
from host.lights.frame import AMBER, BLUE, RED, WHITE, Bar, Colour, LightFrame
from host.link.codec import SerialFrame, encode
from host.link.messages import Button, ControllerSettings, Hello, Pong, Shown, Stats, Type, pack_lights
from host.link.strip import chain_of, current_ma, wire_bytes

GAME = LightFrame("game", (Bar("near", 4), Bar("far", 0), Bar("far", 2)), RED, BLUE)
OTHER = LightFrame("game", (Bar("far", 3), Bar("near", 1), Bar("near", 0)), WHITE, AMBER)


def still(frame: LightFrame, settings: ControllerSettings) -> bytes:
    return wire_bytes(chain_of(draw_still(frame), settings), settings)[0]


def test_it_says_hello_by_itself_after_a_start_and_when_asked(talk: Any) -> None:
    greeting = [f for f in talk.heard if f.type == Type.HELLO_EVENT]
    assert len(greeting) == 1
    first = Hello.unpack(greeting[0].body)
    assert (first.protocol, first.chain, first.buttons) == ((1, 1), 27, 2)
    asked = Hello.unpack(talk.ask(Type.HELLO, b"\x01\x00").body)
    assert asked.boot == first.boot
    assert asked.uptime_ms > first.uptime_ms


def test_each_start_counts_the_boot_up(talk: Any, controller: Any) -> None:
    before = Hello.unpack(talk.ask(Type.HELLO).body).boot
    controller.reset()
    again = [f for f in talk.wait(0.1) if f.type == Type.HELLO_EVENT]
    assert Hello.unpack(again[0].body).boot == before + 1
    assert Hello.unpack(again[0].body).cause == 2


def test_ping_brings_the_token_back_and_tells_what_was_missed(talk: Any) -> None:
    pong = Pong.unpack(talk.ask(Type.PING, b"\x01\x00\xff\x7f").body)
    assert pong.token == 0x7FFF0001
    assert pong.flags == Pong.NO_LIGHTS_YET
    talk.ask(Type.LIGHTS, pack_lights(GAME))
    assert Pong.unpack(talk.ask(Type.PING, bytes(4)).body).flags == 0
    talk.wait(2.2)
    assert Pong.unpack(talk.ask(Type.PING, bytes(4)).body).flags == Pong.HOST_WAS_LOST


@pytest.mark.parametrize("frame", [GAME, OTHER])
def test_lights_are_shown_as_the_drawing_says(talk: Any, controller: Any, frame: LightFrame) -> None:
    reply = talk.ask(Type.LIGHTS, pack_lights(frame))
    assert reply.type == Type.LIGHTS | 0x80
    assert Shown.unpack(reply.body).limit == 255
    talk.alive(0.6)
    assert controller.strip() == strip_for(frame)


def test_a_cut_shows_at_once(talk: Any, controller: Any) -> None:
    talk.ask(Type.LIGHTS, pack_lights(GAME, cut=True))
    assert controller.strip() == strip_for(GAME)


@pytest.mark.parametrize("scene", ["battle-won", "war-won"])
def test_a_won_show_ends_in_the_winners_light(talk: Any, controller: Any, scene: Any) -> None:
    frame = LightFrame(scene, winner="far")
    talk.ask(Type.LIGHTS, pack_lights(frame))
    full = still(frame, ControllerSettings())
    lit = {at // 3 for at, value in enumerate(full) if value}
    for _ in range(20):
        talk.alive(0.35)
    shown = controller.strip()
    assert {at // 3 for at, value in enumerate(shown) if value} == lit


def test_a_blinking_bar_is_lit_and_dark_in_turn(talk: Any, controller: Any) -> None:
    frame = LightFrame("game", (Bar("near", 3, "blink"), Bar("far", 1), Bar("far", 0)))
    talk.ask(Type.LIGHTS, pack_lights(frame))
    talk.alive(0.5)
    seen = set()
    for _ in range(40):
        talk.alive(0.03)
        seen.add(controller.strip()[:27])
    assert bytes(27) in seen
    assert strip_for(frame)[:27] in seen
    assert len(seen) == 2


def test_the_host_lost_pulse_comes_by_itself_and_goes_with_the_next_word(talk: Any, controller: Any) -> None:
    talk.ask(Type.LIGHTS, pack_lights(GAME))
    talk.wait(1.9)
    assert controller.strip() == strip_for(GAME)
    talk.wait(0.3)
    assert is_host_lost(controller.strip())
    talk.alive(1.0)
    assert controller.strip() == strip_for(GAME)
    assert Stats.unpack(talk.ask(Type.STATS).body).host_lost == 1


def test_after_a_goodbye_the_lights_are_dark_and_stay_dark(talk: Any, controller: Any) -> None:
    talk.ask(Type.LIGHTS, pack_lights(GAME))
    talk.alive(0.5)
    assert talk.ask(Type.BYE).type == Type.BYE | 0x80
    assert not any(controller.strip())
    for _ in range(12):
        talk.wait(0.5)
        assert not any(controller.strip()), "it does not pulse for a host that has said goodbye"
    assert Pong.unpack(talk.ask(Type.PING, bytes(4)).body).flags & Pong.NO_LIGHTS_YET
    talk.wait(2.3)
    assert is_host_lost(controller.strip()), "who speaks again and falls silent is missed again"
    talk.ask(Type.LIGHTS, pack_lights(GAME))
    talk.alive(0.6)
    assert controller.strip() == strip_for(GAME)


def test_settings_hold_and_saved_ones_survive_a_start(talk: Any, controller: Any, clock: Any) -> None:
    assert ControllerSettings.unpack(talk.ask(Type.SETTINGS_GET).body) == ControllerSettings()
    wished = ControllerSettings(60, 1, 30, 900, ((12, True), (0, False), (21, False)), True)
    assert ControllerSettings.unpack(talk.ask(Type.SETTINGS_SET, wished.pack()).body) == wished
    talk.ask(Type.LIGHTS, pack_lights(GAME))
    talk.alive(0.6)
    assert controller.strip() == still(GAME, wished)
    controller.reset()
    talk.wait(0.1)
    assert ControllerSettings.unpack(talk.ask(Type.SETTINGS_GET).body) == ControllerSettings()
    talk.ask(Type.SETTINGS_SET, wished.pack())
    assert talk.ask(Type.SETTINGS_SAVE).type == Type.SETTINGS_SAVE | 0x80
    controller.reset()
    hello = Hello.unpack(next(f for f in talk.wait(0.1) if f.type == Type.HELLO_EVENT).body)
    assert (hello.settings, hello.chain) == (1, 30)
    assert ControllerSettings.unpack(talk.ask(Type.SETTINGS_GET).body) == wished


@pytest.mark.parametrize("budget", [60, 150, 400])
def test_the_current_budget_is_never_exceeded(talk: Any, controller: Any, budget: int) -> None:
    wished = ControllerSettings(brightness=255, chain=36, budget_ma=budget)
    talk.ask(Type.SETTINGS_SET, wished.pack())
    reply = talk.ask(Type.SELF_TEST, bytes((2, 0)))
    assert Shown.unpack(reply.body).limit < 255
    assert current_ma(controller.strip()) <= budget
    assert controller.strip() == wire_bytes([Colour(255, 255, 255)] * 36, wished)[0]


@pytest.mark.parametrize("brightness", [1, 4, 8, 32])
def test_in_a_dim_room_every_light_that_means_something_can_be_seen(
    talk: Any, controller: Any, brightness: int
) -> None:
    tie = LightFrame("game", (Bar("near", 0), Bar("far", 0), Bar("near", 2)), RED, BLUE)
    talk.ask(Type.SETTINGS_SET, ControllerSettings(brightness=brightness).pack())
    talk.ask(Type.LIGHTS, pack_lights(tie, cut=True))
    strip = controller.strip()
    lit = {at // 3 for at, value in enumerate(strip) if value}
    assert lit == {4, 3, 13, 14, 22, 21, 20}
    assert strip == still(tie, ControllerSettings(brightness=brightness))


@pytest.mark.parametrize("order", range(6))
def test_colour_orders(talk: Any, controller: Any, order: int) -> None:
    wished = ControllerSettings(order=order)
    talk.ask(Type.SETTINGS_SET, wished.pack())
    talk.ask(Type.SELF_TEST, bytes((3, 0)))
    assert controller.strip() == wire_bytes([Colour(255, 0, 0)] * 27, wished)[0]


@pytest.mark.parametrize(("pattern", "index"), [(1, 26), (2, 0), (4, 0), (5, 0), (6, 0)])
def test_self_test_patterns(talk: Any, controller: Any, pattern: int, index: int) -> None:
    from host.link.virtual.controller import VirtualController

    talk.ask(Type.SELF_TEST, bytes((pattern, index)))
    model = VirtualController(talk.clock)
    model.open().write(encode(SerialFrame(Type.SELF_TEST, 1, bytes((pattern, index)))))
    talk.wait(0.05)
    assert any(controller.strip())
    assert controller.strip() == model.strip()
    talk.ask(Type.LIGHTS, pack_lights(GAME))
    talk.alive(0.5)
    assert controller.strip() == strip_for(GAME)


def test_raw_pixels_are_shown_without_gamma(talk: Any, controller: Any) -> None:
    pixels = [Colour(i, 2 * i, 255 - i) for i in range(27)]
    for at in (0, 18):
        part = pixels[at : at + 18]
        talk.ask(Type.PIXELS, bytes((at, *(c for p in part for c in p))))
    talk.ask(Type.SHOW)
    assert controller.strip() == wire_bytes(pixels, ControllerSettings(), raw=True)[0]


@pytest.mark.parametrize(
    ("type_", "body", "error"),
    [
        (0x3F, b"", (1, 0)),
        (Type.PING, b"abc", (2, 3)),
        (Type.LIGHTS, bytes(13), (2, 13)),
        (Type.LIGHTS, bytes(12), (3, 2)),
        (Type.LIGHTS, bytes((1, 0, 255, *bytes(8), 0x95)), (3, 11)),
        (Type.PIXELS, bytes((36, 1, 2, 3)), (3, 0)),
        (Type.PIXELS, bytes((0, 1, 2)), (2, 3)),
        (Type.SETTINGS_SET, bytes(13), (3, 0)),
        (Type.SETTINGS_SET, ControllerSettings(bars=((0, False), (5, False), (18, False))).pack(), (3, 8)),
        (Type.SELF_TEST, bytes((7, 0)), (3, 0)),
        (Type.SELF_TEST, bytes((1, 27)), (3, 1)),
        (Type.SELF_TEST, bytes((2, 1)), (3, 1)),
        (Type.HANG, b"HALT", (3, 0)),
    ],
)
def test_what_cannot_be_is_refused_by_name(talk: Any, type_: int, body: bytes, error: tuple[int, int]) -> None:
    reply = talk.ask(type_, body)
    assert reply.type == Type.ERROR
    assert tuple(reply.body) == (error[0], type_, error[1])
    assert talk.ask(Type.PING, bytes(4)).type == Type.PING | 0x80


def test_bad_frames_are_counted_and_never_answered(talk: Any) -> None:
    good = encode(SerialFrame(Type.PING, 9, b"abcd"))
    talk.write(b"\0\x02\x07\0" + b"\x09" * 80 + b"\0" + good[:5] + b"\0" + b"\x03\x02\x01\0")
    spoilt = bytearray(good)
    spoilt[2] ^= 0x40
    talk.write(bytes(spoilt))
    assert talk.wait(0.2) == []
    stats = Stats.unpack(talk.ask(Type.STATS).body)
    counted = (stats.bad_long, stats.bad_cobs, stats.bad_short, stats.bad_check)
    assert counted == (1, 1, 2, 1)
    assert (stats.uart_overrun, stats.ring_full) == (0, 0)


def test_a_short_press_and_a_hold_are_told_with_their_times(talk: Any, controller: Any) -> None:
    def events() -> list[Button]:
        found = [Button.unpack(f.body) for f in talk.alive(0.1) if f.type == Type.BUTTON]
        for button in found:
            talk.send(Type.EVENT_ACK, seq=button.number)
        return found

    def press(seat: str, seconds: float) -> list[Button]:
        got: list[Button] = []
        controller.press(seat)
        for _ in range(round(seconds / 0.1)):
            got += events()
        controller.release(seat)
        for _ in range(3):
            got += events()
        return [b for i, b in enumerate(got) if b.number not in {e.number for e in got[:i]}]

    short = press("far", 0.3)
    assert [(b.seat, b.kind) for b in short] == [("far", Button.DOWN), ("far", Button.SHORT)]
    assert short[1].at_ms - short[0].at_ms == pytest.approx(300, abs=60)
    assert short[1].held_ms == pytest.approx(300, abs=60)
    long = press("near", 2.4)
    assert [(b.seat, b.kind) for b in long] == [
        ("near", Button.DOWN),
        ("near", Button.HOLD),
        ("near", Button.RELEASED),
    ]
    assert long[1].at_ms - long[0].at_ms == 2000
    numbers = [b.number for b in short + long]
    assert numbers == list(range(numbers[0], numbers[0] + 5))


def test_an_event_comes_again_until_it_is_acknowledged(talk: Any, controller: Any) -> None:
    controller.press("near")
    told = [f for f in talk.alive(0.8) if f.type == Type.BUTTON]
    assert 3 <= len(told) <= 5
    assert len(set(told)) == 1
    talk.send(Type.EVENT_ACK, seq=told[0].seq)
    talk.wait(0.05)
    assert [f for f in talk.alive(0.8) if f.type == Type.BUTTON] == []


def test_a_held_button_fills_its_end_of_the_bars(talk: Any, controller: Any) -> None:
    talk.ask(Type.LIGHTS, pack_lights(LightFrame("dark")))
    talk.alive(0.4)
    controller.press("far")
    talk.alive(1.6)
    lit = {at // 3 % 9 for at, value in enumerate(controller.strip()) if value}
    assert lit == {8, 7, 6}
    talk.alive(0.6)
    assert {at // 3 % 9 for at, value in enumerate(controller.strip()) if value} == {8, 7, 6, 5}
    controller.release("far")
    talk.alive(0.6)
    assert not any(controller.strip())


def test_a_hung_program_is_restarted_and_says_so(talk: Any) -> None:
    talk.send(Type.HANG, b"HANG")
    again = [f for f in talk.wait(1.0) if f.type == Type.HELLO_EVENT]
    assert Hello.unpack(again[0].body).cause == 4


def test_numbers_go_round(talk: Any) -> None:
    for seq in (254, 255, 0, 1):
        talk.send(Type.PING, struct.pack("<I", seq), seq=seq)
        assert [f.seq for f in talk.wait(0.05)] == [seq]
