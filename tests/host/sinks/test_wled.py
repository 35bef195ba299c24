"""Lights on a WLED controller: pictures, brightness, going away and coming back, and handing back what was found."""

from __future__ import annotations

import argparse
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine.failure import BadInput
from host.commands import play
from host.lights.drawing import draw_still
from host.lights.frame import Bar, LightFrame
from host.lights.grammar import frame_of
from host.sinks.light_targets import LightOutput, check_lights, open_lights
from host.sinks.lights import LightsSink
from host.sinks.pictures import Placing
from host.sinks.wled import ddp_packets, parse_target

GAME = LightFrame("game", (Bar("near", 4), Bar("far", 0), Bar("far", 2)))
LATER = LightFrame("game", (Bar("far", 1), Bar("near", 3), Bar("far", 2)))


@pytest.fixture
def server(wled: Callable[..., Any]) -> Any:
    return wled()


@pytest.fixture
def opened() -> Iterator[Callable[[str], LightOutput]]:
    sinks: list[LightOutput] = []

    def make(address: str) -> LightOutput:
        sinks.append(open_lights(address))
        return sinks[-1]

    yield make
    for sink in sinks:
        sink.close()


def whole(frame: LightFrame, lights: int = 30, placing: Placing | None = None) -> bytes:
    return (placing or Placing()).picture(draw_still(frame)).ljust(3 * lights, b"\0")


def until(true: Callable[[], bool], limit_s: float = 10.0) -> bool:
    end = time.monotonic() + limit_s
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def test_the_battle_is_shown_on_the_strip(server: Any, opened: Callable[[str], LightOutput]) -> None:
    sink = opened(server.address)
    sink.show(GAME)
    assert server.wait_for(lambda: server.strip() == whole(GAME))
    sink.show(LATER)
    assert server.wait_for(lambda: server.strip() == whole(LATER))
    assert server.bad_packets == 0
    health = sink.health()
    assert (health.state, health.firmware) == ("up", "0.14.1")
    assert health.board == "WLED (table[31m lights)", "what could upset a terminal is left out"


def test_a_battle_at_the_table_is_followed_on_the_strip(
    server: Any, opened: Callable[[str], LightOutput], played: Callable[..., Any], battle: Callable[..., Any]
) -> None:
    game = played()
    game.session.subscribe(LightsSink(opened(server.address)))
    shown = 0
    for scene in battle(3):
        game.show(scene)
        frame = frame_of(game.session.standing)
        if frame.scene == "game" and all(bar.mood == "steady" for bar in frame.bars) and shown < 4:
            assert server.wait_for(lambda frame=frame: server.strip() == whole(frame))
            shown += 1
    assert shown == 4 and server.bad_packets == 0


def test_it_is_switched_on_and_only_a_brightness_that_was_asked_for_is_set(
    server: Any, opened: Callable[[str], LightOutput]
) -> None:
    opened(server.address).show(GAME)
    assert server.wait_for(lambda: server.state["on"] is True)
    assert server.state["bri"] == 90
    opened(server.address + "&brightness=40").show(GAME)
    assert server.wait_for(lambda: server.state["bri"] == 40)


def test_a_still_picture_is_sent_again_before_wled_forgets_it(
    server: Any, opened: Callable[[str], LightOutput]
) -> None:
    opened(server.address).show(GAME)
    assert server.wait_for(lambda: server.strip() == whole(GAME))
    shown = server.pictures
    assert server.wait_for(lambda: server.pictures >= shown + 4)
    assert server.strip() == whole(GAME)


def test_when_the_table_closes_it_is_dark_and_as_it_was_found(
    server: Any, opened: Callable[[str], LightOutput]
) -> None:
    sink = opened(server.address + "&brightness=200")
    sink.show(GAME)
    assert server.wait_for(lambda: server.strip() == whole(GAME))
    sink.close()
    assert (server.state["on"], server.state["bri"]) == (False, 90)
    # Pictures come by another way than commands: the last of them may arrive a moment after.
    assert server.wait_for(lambda: not server.live and server.strip() is None)


def test_gone_and_back_it_shows_what_is_wished_for_then(
    wled: Callable[..., Any], opened: Callable[[str], LightOutput]
) -> None:
    server = wled()
    sink = opened(server.address)
    sink.show(GAME)
    assert server.wait_for(lambda: server.strip() == whole(GAME))
    server.stop()
    assert until(lambda: sink.health().state != "up")
    trouble = sink.health().trouble
    assert trouble is not None and trouble.code == "wled-away"
    sink.show(LATER)
    back = wled(http_port=server.http_port, ddp_port=server.ddp_port)
    assert back.wait_for(lambda: back.strip() == whole(LATER))
    assert until(lambda: sink.health().state == "up")
    assert back.state["on"] is True


def test_a_game_begins_without_wled_and_goes_on_when_it_comes(
    wled: Callable[..., Any], opened: Callable[[str], LightOutput]
) -> None:
    with socket.socket() as free, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free_udp:
        free.bind(("127.0.0.1", 0))
        free_udp.bind(("127.0.0.1", 0))
        http_port, ddp_port = free.getsockname()[1], free_udp.getsockname()[1]
    sink = opened(f"wled://127.0.0.1:{http_port}?ddp={ddp_port}")
    sink.show(GAME)
    assert until(lambda: sink.health().trouble is not None)
    server = wled(http_port=http_port, ddp_port=ddp_port)
    assert server.wait_for(lambda: server.strip() == whole(GAME))


def test_what_is_not_wled_and_what_is_too_short_is_told(
    wled: Callable[..., Any], opened: Callable[[str], LightOutput]
) -> None:
    short, other = wled(lights=20), wled()
    other.brand = "Fritz"
    for server, code in ((short, "wled-too-few"), (other, "wled-other")):
        sink = opened(server.address)
        assert until(lambda sink=sink: sink.health().trouble is not None)  # type: ignore[misc]
        trouble = sink.health().trouble
        assert trouble is not None and trouble.code == code
        assert server.pictures == 0 and server.state["on"] is False, "nothing is changed there"


@pytest.mark.parametrize("rubbish", [b"<html>login</html>", b"[" * 5000, b'{"leds": 5}', b"x" * 100_000, b""])
def test_a_device_that_begins_to_answer_rubbish_is_told_and_found_again(
    wled: Callable[..., Any], opened: Callable[[str], LightOutput], rubbish: bytes
) -> None:
    server = wled()
    server.rubbish = rubbish
    sink = opened(server.address)
    sink.show(GAME)
    assert until(lambda: sink.health().trouble is not None)
    trouble = sink.health().trouble
    assert trouble is not None and trouble.code == "wled-other"
    server.rubbish = None
    assert server.wait_for(lambda: server.strip() == whole(GAME))


def test_bars_may_lie_anywhere_in_the_chain(server: Any, opened: Callable[[str], LightOutput]) -> None:
    opened(server.address + "&bars=20,0r,10").show(GAME)
    placing = Placing(((20, False), (0, True), (10, False)))
    assert server.wait_for(lambda: server.strip() == whole(GAME, 30, placing))


def test_a_long_picture_goes_in_several_packets_of_which_the_last_shows_it() -> None:
    packets = ddp_packets(bytes(range(250)) * 12, 15)
    assert [len(packet) for packet in packets] == [1450, 1450, 130]
    assert [packet[:2].hex() for packet in packets] == ["400f", "400f", "410f"]
    assert packets[2][2:10].hex() == "0b01" + "00000b40" + "0078"
    assert b"".join(packet[10:] for packet in packets) == bytes(range(250)) * 12


@pytest.mark.parametrize(
    "address",
    [
        "wled://", "wled:///x", "wled://host/path", "wled://host?colour=red", "wled://host:99999", "wled://u:p@host",
        "wled://host?brightness=0", "wled://host?brightness=٣", "wled://host?bars=0,5,18", "wled://host?bars=0,9",
        "wled://host?bars=0,9,99999", "wled://host?ddp=x", "wled://[abc", "wled://a..b", f"wled://{64 * 'a'}", "adalight://[abc",
    ],
)  # fmt: skip
def test_an_address_that_is_none_is_told_at_once(address: str) -> None:
    with pytest.raises(BadInput):
        open_lights(address)


def test_play_takes_lights_elsewhere_by_their_address() -> None:
    parser = argparse.ArgumentParser()
    play.add_arguments(parser)
    for address in ("wled://host?bars=1", "adalight://", "mqtt://host", "/dev/ttyUSB0"):
        with pytest.raises(BadInput) as caught:
            play.run(parser.parse_args(["--camera", "0", "--deck", "deck", "--lights", address]))
        assert caught.value.code in ("bad-lights", "bad-bars")
    check_lights("wled://host")
    check_lights("adalight:///dev/ttyUSB0")


def test_an_address_in_full() -> None:
    target = parse_target("wled://table.local:8080/?bars=0,9r,18&brightness=100")
    assert (target.host, target.http_port, target.ddp_port, target.brightness) == ("table.local", 8080, 4048, 100)
    assert target.placing.bars == ((0, False), (9, True), (18, False))
    assert parse_target("wled://[fe80::1]").host == "fe80::1"
