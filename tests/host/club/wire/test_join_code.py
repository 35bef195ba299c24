"""The code that a table joins with: what was written is read, and anything else is refused with the remedy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.failure import BadInput
from host.club.wire.join_code import JoinCode, parse_join_code
from host.club.wire.topics import Topics

NAMES = st.from_regex(r"\A[a-z0-9][a-z0-9-]{0,31}\Z")


@given(
    host=st.sampled_from(["192.168.1.5", "desk.lan", "::1", "127.0.0.1"]),
    port=st.integers(1, 65535),
    club=NAMES,
    account=NAMES,
    password=st.text(min_size=1, max_size=30).filter(lambda t: t.isprintable()),
    pinned=st.booleans(),
    tls=st.booleans(),
)
def test_a_code_is_read_as_it_was_written(
    host: str, port: int, club: str, account: str, password: str, pinned: bool, tls: bool
) -> None:
    code = JoinCode(host, port, club, account, password, tls, "A" * 43 if pinned else None)

    assert parse_join_code(str(code)) == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "WIFI:T:WPA;S:club;P:secret;;",
        "https://t1:pw@host/club",
        "mqtts://host/club",
        "mqtts://t1@host/club",
        "mqtts://t1:pw@host/",
        "mqtts://t1:pw@host/a/b",
        "mqtts://t1:pw@host:99999/club",
        "mqtts://T 1:pw@host/club",
        "mqtts://t1:pw@host/club#short",
        "mqtts://t1:pw@ho st/club",
        "mqtts://bridge-north:pw%0Aallow_anonymous%20true@host/club",
        "mqtts://bridge-north:pw%0D@host/club",
        "mqtts://t1:%00@host/club",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_join_code(text)

    assert caught.value.code == "bad-code"
    assert "mqtts://" in caught.value.remedy


def test_the_password_is_not_shown_where_a_code_is_printed_by_mistake() -> None:
    assert "secret" not in repr(parse_join_code("mqtts://t1:secret@host/club"))


@pytest.mark.parametrize(
    "topic",
    [
        "allfronts/club/t/t1",
        "allfronts/club/t/t1/entries/x",
        "allfronts/other/t/t1/state",
        "x",
        "allfronts/club/t/T!/state",
    ],
)
def test_a_topic_of_nobody_is_nobodys(topic: str) -> None:
    assert Topics("club").sender(topic) is None
