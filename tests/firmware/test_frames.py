"""Frames: the vectors on the C side, and two decoders that must never differ."""

from __future__ import annotations

import ctypes
import random
import runpy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.bench.firmware import agreement, core, decode_in_c
from host.link.codec import Decoder, SerialFrame, encode

pytestmark = pytest.mark.usefixtures("_compiled")  # skipped by name where there is no C compiler


def encode_in_c(frame: SerialFrame) -> bytes:
    out = (ctypes.c_uint8 * 80)()
    plain = bytes((frame.type, frame.seq)) + frame.body
    return bytes(out[: core().pc_encode(plain, len(plain), out)])


def test_every_good_vector_is_read_and_written_by_the_core(vectors: dict[str, Any]) -> None:
    for good in vectors["good"]:
        frame = SerialFrame(good["type"], good["seq"], bytes.fromhex(good["body"]))
        wire = bytes.fromhex(good["wire"])
        assert decode_in_c(wire) == ([frame], []), good["name"]
        assert encode_in_c(frame) == wire, good["name"]


def test_every_bad_vector_is_refused_for_the_reason_given(vectors: dict[str, Any]) -> None:
    for bad in vectors["bad"]:
        assert decode_in_c(bytes.fromhex(bad["wire"])) == ([], [bad["error"]]), bad["name"]


def test_streams_are_cut_into_frames_as_written_down(vectors: dict[str, Any]) -> None:
    for stream in vectors["streams"]:
        frames, errors = decode_in_c(bytes.fromhex(stream["wire"]))
        assert [[f.type, f.seq, f.body.hex()] for f in frames] == stream["frames"], stream["name"]
        if stream["errors"] is not None:
            assert errors == stream["errors"], stream["name"]


def test_the_vectors_are_what_their_maker_makes(vectors: dict[str, Any], firmware: Path) -> None:
    made = runpy.run_path(str(firmware / "tools" / "make_vectors.py"))
    for part in ("good", "bad", "streams"):
        assert made[part]() == vectors[part]


def test_both_decoders_agree_on_mangled_streams_and_accept_nothing_that_was_not_sent() -> None:
    found = agreement(20_000)
    assert found.frames > 5_000 and found.faults > 5_000
    assert (found.disagreed, found.wrong) == (0, 0)


@given(st.binary(max_size=400))
def test_both_decoders_agree_on_any_bytes(stream: bytes) -> None:
    frames, faults = decode_in_c(stream)
    decoder = Decoder()
    assert decoder.feed(stream) == frames
    assert sum(decoder.faults.values()) == len(faults)


@given(st.binary(max_size=60), st.integers(0, 255), st.integers(0, 255))
def test_a_frame_comes_back_as_it_went(body: bytes, kind: int, seq: int) -> None:
    frame = SerialFrame(kind, seq, body)
    assert encode_in_c(frame) == encode(frame)
    assert decode_in_c(encode(frame)) == ([frame], [])


def test_no_single_wrong_bit_and_no_short_burst_passes() -> None:
    chance = random.Random(7)
    wire = encode(SerialFrame(3, 9, bytes(range(12))))
    for at in range(8 * (len(wire) - 1)):
        for width in (1, 2, 16):
            burst = (chance.getrandbits(width) | 1 | 1 << width - 1) << at
            hurt = (int.from_bytes(wire, "little") ^ burst & (1 << 8 * (len(wire) - 1)) - 1).to_bytes(
                len(wire), "little"
            )
            if hurt != wire:
                assert decode_in_c(hurt)[0] == []
