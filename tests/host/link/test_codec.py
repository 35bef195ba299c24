"""Frames on the wire: the vectors that the firmware loads too, and everything that a bad line can bring."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.link.codec import BODY_MOST, WIRE_MOST, Decoder, SerialFrame, check1, check2, decode, encode, stuff, unstuff

VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[3] / "firmware" / "vectors.json").read_text())

frames = st.builds(SerialFrame, st.integers(0, 255), st.integers(0, 255), st.binary(max_size=BODY_MOST))
stable = settings(deadline=None, max_examples=150, derandomize=True)


def named(kind: str) -> list[Any]:
    return [pytest.param(v, id=v["name"]) for v in VECTORS[kind]]


def test_the_checks_are_the_ones_written_down() -> None:
    assert check1(b"123456789") == VECTORS["check1_of_123456789"] == 0x29B1
    assert check2(b"123456789") == VECTORS["check2_of_123456789"] == 0xBB3D


@pytest.mark.parametrize("vector", named("good"))
def test_good_vectors(vector: dict[str, Any]) -> None:
    frame = SerialFrame(vector["type"], vector["seq"], bytes.fromhex(vector["body"]))
    wire = bytes.fromhex(vector["wire"])
    assert encode(frame) == wire
    assert decode(wire[:-1]) == frame


@pytest.mark.parametrize("vector", named("bad"))
def test_bad_vectors(vector: dict[str, Any]) -> None:
    decoder = Decoder()
    assert decoder.feed(bytes.fromhex(vector["wire"])) == []
    assert decoder.faults == {vector["error"]: 1}


@pytest.mark.parametrize("vector", named("streams"))
@pytest.mark.parametrize("piece", [1, 3, 1000])
def test_streams_in_any_pieces(vector: dict[str, Any], piece: int) -> None:
    wire, decoder = bytes.fromhex(vector["wire"]), Decoder()
    got = [f for at in range(0, len(wire), piece) for f in decoder.feed(wire[at : at + piece])]
    assert [[f.type, f.seq, f.body.hex()] for f in got] == vector["frames"]
    if vector["errors"] is not None:
        assert list(decoder.faults.elements()) == vector["errors"]


@stable
@given(frames)
def test_what_is_encoded_is_decoded(frame: SerialFrame) -> None:
    wire = encode(frame)
    assert wire.count(0) == 1
    assert len(wire) - 1 <= WIRE_MOST
    assert decode(wire[:-1]) == frame


@stable
@given(st.binary(max_size=254))
def test_stuffing_takes_zeros_out_and_brings_them_back(data: bytes) -> None:
    assert 0 not in stuff(data)
    assert unstuff(stuff(data)) == data


@stable
@given(st.lists(frames, max_size=5), st.lists(st.binary(max_size=90), min_size=6, max_size=6), st.randoms())
def test_rubbish_between_zeros_costs_no_good_frame(sent: list[SerialFrame], rubbish: list[bytes], random: Any) -> None:
    stream = b"".join(r + b"\0" + encode(f) for f, r in zip(sent, rubbish, strict=False))
    decoder = Decoder()
    cut = random.randint(0, len(stream))
    assert [f for f in decoder.feed(stream[:cut]) + decoder.feed(stream[cut:]) if f in sent] == sent


@stable
@given(frames, st.data())
def test_a_changed_frame_is_never_taken_for_a_good_one(frame: SerialFrame, data: st.DataObject) -> None:
    wire = bytearray(encode(frame)[:-1])
    at = data.draw(st.integers(0, len(wire) - 1))
    wire[at] = data.draw(st.integers(1, 255).filter(lambda b: b != wire[at]))
    assert not isinstance(decode(bytes(wire)), SerialFrame)


def test_the_decoder_holds_no_more_than_a_frame_of_an_endless_stream() -> None:
    decoder = Decoder()
    for _ in range(1000):
        decoder.feed(b"\x55" * 997)
    assert decoder.faults.total() == 0
    assert len(decoder._held) == WIRE_MOST + 1
    assert decoder.feed(b"\0" + encode(SerialFrame(2, 1, b"abcd"))) == [SerialFrame(2, 1, b"abcd")]
    assert decoder.faults == {"long": 1}


def test_a_body_that_is_too_long_is_not_sent() -> None:
    with pytest.raises(ValueError, match="60 is the most"):
        encode(SerialFrame(1, 1, bytes(61)))
