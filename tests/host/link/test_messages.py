"""Bodies as typed values, by the fields written in the shared vectors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.lights.frame import Bar, Colour, LightFrame
from host.link.messages import (
    BadValue,
    Button,
    ControllerSettings,
    Hello,
    Pong,
    Shown,
    Stats,
    Type,
    pack_lights,
    unpack_lights,
)

VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[3] / "firmware" / "vectors.json").read_text())


def vectors(*types: int) -> list[Any]:
    return [pytest.param(v, id=v["name"]) for v in VECTORS["good"] if v["type"] in types]


def body(vector: dict[str, Any]) -> bytes:
    return bytes.fromhex(vector["body"])


@pytest.mark.parametrize("vector", vectors(0x41, 0x81))
def test_hello(vector: dict[str, Any]) -> None:
    hello, fields = Hello.unpack(body(vector)), vector["fields"]
    assert list(hello.protocol) == fields["protocol"]
    assert list(hello.firmware) == fields["firmware"]
    if hello.protocol[0] == 1:
        assert hello.pack() == body(vector)
        assert (hello.board, hello.cause, hello.boot) == (fields["board"], fields["cause"], fields["boot"])
        assert (hello.uptime_ms, hello.chain) == (fields["uptime_ms"], fields["chain"])


def test_of_another_major_version_only_the_versions_are_read() -> None:
    assert Hello.unpack(b"AF\x02\x03\x02\x00\x01") == Hello((2, 3), (2, 0, 1))
    with pytest.raises(ValueError, match="magic"):
        Hello.unpack(b"XX" + bytes(20))


@pytest.mark.parametrize("vector", vectors(0x03))
def test_lights(vector: dict[str, Any]) -> None:
    frame, fields = unpack_lights(body(vector)), vector["fields"]
    assert pack_lights(frame, cut=bool(fields["options"])) == body(vector)
    assert (list(frame.near), list(frame.far)) == (fields["near"], fields["far"])
    for bar, told in zip(frame.bars, fields["bars"], strict=True):
        assert bar.lead == told["steps"]
        assert (bar.holder is not None and bar.lead == 0) == bool(told["tie"])


colours = st.builds(Colour, *[st.integers(0, 255)] * 3)
bars = st.builds(
    Bar, st.sampled_from(["near", "far"]), st.integers(0, 4), st.sampled_from(["steady", "blink", "breathe"])
)


@settings(deadline=None, max_examples=100, derandomize=True)
@given(
    st.sampled_from([("dark", None), ("game", None), ("idle", None), ("battle-won", "far"), ("war-won", "near")]),
    st.tuples(bars, bars, bars),
    colours,
    colours,
)
def test_every_frame_survives_the_wire(scene: Any, three: Any, near: Colour, far: Colour) -> None:
    frame = LightFrame(scene[0], three, near, far, scene[1])
    assert unpack_lights(pack_lights(frame)) == frame


@pytest.mark.parametrize(("at", "value"), [(0, 5), (1, 2), (2, 0), (9, 0x80), (10, 0x60), (11, 5), (9, 0x11)])
def test_lights_outside_their_range_are_told_by_offset(at: int, value: int) -> None:
    bad = bytearray(pack_lights(LightFrame("game")))
    bad[at] = value
    with pytest.raises(BadValue) as caught:
        unpack_lights(bytes(bad))
    assert caught.value.offset == at


@pytest.mark.parametrize("vector", vectors(0x86, 0x07, 0x87))
def test_settings(vector: dict[str, Any]) -> None:
    found, fields = ControllerSettings.unpack(body(vector)), vector["fields"]
    assert found.pack() == body(vector)
    assert [found.brightness, found.order, found.chain, found.budget_ma] == [
        fields[name] for name in ("brightness", "order", "chain", "budget_ma")
    ]
    assert [list(bar) for bar in found.bars] == [[b["first"], bool(b["reversed"])] for b in fields["bars"]]


@pytest.mark.parametrize(
    ("at", "value"), [(0, 2), (1, 0), (2, 6), (3, 8), (3, 37), (4, 10), (6, 28), (8, 3), (10, 9), (7, 2), (12, 2)]
)
def test_settings_outside_their_range_are_told_by_offset(at: int, value: int) -> None:
    bad = bytearray(ControllerSettings().pack())
    bad[at] = value
    if at == 4:
        bad[5] = 0
    with pytest.raises(BadValue) as caught:
        ControllerSettings.unpack(bytes(bad))
    assert caught.value.offset == at


@pytest.mark.parametrize("vector", vectors(0x82))
def test_pong(vector: dict[str, Any]) -> None:
    pong, fields = Pong.unpack(body(vector)), vector["fields"]
    assert {name: getattr(pong, name) for name in fields} == fields
    assert pong.pack() == body(vector)


@pytest.mark.parametrize("vector", vectors(0x83, 0x85, 0x8A))
def test_shown(vector: dict[str, Any]) -> None:
    assert Shown.unpack(body(vector)) == Shown(vector["fields"]["shows"], vector["fields"]["limit"])


@pytest.mark.parametrize("vector", vectors(0x89))
def test_stats(vector: dict[str, Any]) -> None:
    stats = Stats.unpack(body(vector))
    assert {name: getattr(stats, name) for name in vector["fields"]} == vector["fields"]
    assert stats.pack() == body(vector)


@pytest.mark.parametrize("vector", vectors(0x42))
def test_button(vector: dict[str, Any]) -> None:
    button, fields = Button.unpack(body(vector)), vector["fields"]
    assert button.seat == ("near", "far")[fields["seat"]]
    assert [getattr(button, name) for name in ("number", "kind", "at_ms", "held_ms", "boot")] == [
        fields[name] for name in ("number", "kind", "at_ms", "held_ms", "boot")
    ]
    assert button.pack() == body(vector)


def test_types_have_the_numbers_of_the_vectors() -> None:
    for vector in VECTORS["good"]:
        assert vector["type"] & 0x7F in {t & 0x7F for t in Type}


@pytest.mark.parametrize("reader", [Hello, Pong, Shown, ControllerSettings, Button, Stats])
def test_a_short_body_is_refused_and_a_longer_one_taken(reader: Any) -> None:
    whole = {
        Hello: Hello(),
        Pong: Pong(1, 2, 3, 4),
        Shown: Shown(5, 255),
        ControllerSettings: ControllerSettings(),
        Button: Button(1, "near", 1, 0, 0, 0),
        Stats: Stats(),
    }[reader]
    assert reader.unpack(whole.pack() + b"new") == whole
    with pytest.raises(ValueError, match="bytes"):
        reader.unpack(whole.pack()[: {Hello: 6, Stats: 41}.get(reader, -1)])
