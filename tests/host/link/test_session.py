"""One conversation, whatever comes over the line: it never fails, never floods, and never acts upon rubbish."""

from __future__ import annotations

import json
from collections import deque

from hypothesis import given, settings
from hypothesis import strategies as st

from host.lights.frame import Bar, LightFrame
from host.link.codec import Decoder, SerialFrame, encode
from host.link.health import LinkHealth
from host.link.messages import Button, Hello, Pong, Type
from host.link.session import Counts, LinkSession
from host.link.trouble import trouble

GAME = LightFrame("game", (Bar("near", 4), Bar("far", 0), Bar("far", 2)))
HELLO = encode(SerialFrame(Type.HELLO_EVENT, 0, Hello(firmware=(1, 0, 0), board=2, boot=7, uptime_ms=100).pack()))


def session(t: float = 0.0) -> LinkSession:
    fresh = LinkSession(t, deque(maxlen=64), Counts())
    fresh.frame = GAME
    return fresh


def requests(data: bytes) -> list[int]:
    return [frame.type for frame in Decoder().feed(data)]


frames = st.builds(
    SerialFrame,
    st.sampled_from([*Type, 0x81, 0x82, 0x83, 0x86, 0x89, 0x8A, 0x33]),
    st.integers(0, 255),
    st.one_of(st.binary(max_size=60), st.just(Hello(boot=3).pack()), st.just(Button(1, "far", 3, 5, 0, 3).pack())),
)
pieces = st.lists(st.one_of(st.binary(max_size=100), frames.map(encode), st.just(HELLO)), max_size=30)


@settings(deadline=None, max_examples=200, derandomize=True)
@given(pieces, st.floats(0.001, 0.4))
def test_no_bytes_make_it_fail_or_flood(stream: list[bytes], step: float) -> None:
    talk, t, sent = session(), 0.0, 0
    for piece in stream:
        t += step
        talk.feed(piece, t)
        sent += len(talk.tick(t))
        assert talk.due(t) >= 0
    # One request outstanding and an acknowledgement an event: what is sent is bounded by what was heard and by time.
    assert sent <= 40 * (len(stream) + 8 * t + 2) + sum(len(piece) for piece in stream)


def test_one_request_is_outstanding_and_asked_four_times() -> None:
    talk = session()
    talk.feed(HELLO, 0.0)
    asked = [(round(t * 0.05, 2), kind) for t in range(30) for kind in requests(talk.tick(t * 0.05))]
    lights = [t for t, kind in asked if kind == Type.LIGHTS]
    assert lights == [0.0, 0.25, 0.5, 0.75]
    assert talk.state == "asking"
    assert [kind for t, kind in asked if t > 0.75] == [Type.HELLO] * 2


def test_an_answer_of_another_number_does_not_count() -> None:
    talk = session()
    talk.feed(HELLO, 0.0)
    (request,) = Decoder().feed(talk.tick(0.0))
    talk.feed(encode(SerialFrame(request.type | 0x80, (request.seq + 1) & 0xFF, b"\x01\x00\xff")), 0.01)
    assert talk.shown is None
    talk.feed(encode(SerialFrame(request.type | 0x80, request.seq, b"\x01\x00\xff")), 0.02)
    assert talk.shown == GAME


def test_a_short_answer_is_none() -> None:
    talk = session()
    talk.feed(HELLO, 0.0)
    (request,) = Decoder().feed(talk.tick(0.0))
    talk.feed(encode(SerialFrame(request.type | 0x80, request.seq, b"\x01")), 0.01)
    assert talk.shown is None
    assert requests(talk.tick(0.26)) == [Type.LIGHTS]


def test_the_host_is_heard_at_least_twice_a_second() -> None:
    talk, last, longest = session(), 0.0, 0.0
    talk.feed(HELLO, 0.0)
    for ms in range(0, 30_000, 4):
        t = ms / 1000
        for frame in Decoder().feed(talk.tick(t)):
            longest, last = max(longest, t - last), t
            body = frame.body + (100).to_bytes(4, "little") + b"\x07\x00\x00" if frame.type == Type.PING else bytes(42)
            talk.feed(encode(SerialFrame(frame.type | 0x80, frame.seq, body)), t)
    assert talk.state == "up"
    assert longest <= 0.5


def test_another_boot_number_means_everything_again() -> None:
    talk = session()
    talk.feed(HELLO, 0.0)
    (request,) = Decoder().feed(talk.tick(0.0))
    talk.feed(encode(SerialFrame(request.type | 0x80, request.seq, b"\x01\x00\xff")), 0.01)
    (stats,) = Decoder().feed(talk.tick(0.5))
    talk.feed(encode(SerialFrame(Type.STATS | 0x80, stats.seq, bytes(42))), 0.5)
    (ping,) = Decoder().feed(talk.tick(0.95))
    talk.feed(encode(SerialFrame(0x82, ping.seq, ping.body + bytes(4) + b"\x08\x00\x00")), 0.96)
    assert talk.shown is None
    assert requests(talk.tick(0.97)) == [Type.LIGHTS]


def test_the_same_event_is_acted_upon_once_and_acknowledged_each_time() -> None:
    talk = session()
    talk.feed(HELLO, 0.0)
    talk.tick(0.0)
    event = encode(SerialFrame(Type.BUTTON, 1, Button(1, "near", 2, 100, 80, 7).pack()))
    for t in (0.1, 0.2):
        talk.feed(event, t)
        assert Type.EVENT_ACK in requests(talk.tick(t))
    assert [press.kind for press in talk.pressed] == ["short"]


def test_health_is_json() -> None:
    told = LinkHealth(
        state="looking", trouble=trouble("busy", "/dev/ttyUSB0", who="minicom (1)"), protocol=(1, 0)
    ).as_json()
    assert json.loads(json.dumps(told))["trouble"]["code"] == "busy"


def test_a_flag_of_a_newer_board_is_ignored_and_the_known_ones_bring_the_picture_back() -> None:
    for flags, again in ((Pong.HOST_WAS_LOST | 0x10, False), (Pong.RAW_PIXELS, True), (Pong.NO_LIGHTS_YET, True)):
        talk = session()
        talk.feed(HELLO, 0.0)
        talk.tick(0.0)
        talk.shown = talk.frame
        talk._outstanding = None
        talk._next_stats = 100.0
        (ping,) = Decoder().feed(talk.tick(1.0))
        talk.feed(
            encode(SerialFrame(0x82, ping.seq, Pong(int.from_bytes(ping.body, "little"), 1100, 7, flags).pack())), 1.01
        )
        assert (requests(talk.tick(1.02)) == [Type.LIGHTS]) is again
