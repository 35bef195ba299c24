"""The real server under connections that are idle, slow, hostile or many: pages and streams of others go on."""

from __future__ import annotations

import http.client
import json
import random
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, suppress
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from host.web import connections
from host.web.access import COOKIE, CSRF_HEADER, Access, Role, hosts
from host.web.actions import ACTIONS, Refused
from host.web.app import make_app
from host.web.connections import LINGER_BYTES, ONLOOKER_PLACES_BEHIND, STREAM_PLACES, WAITING_MOST, Connection, Places
from host.web.front import LONGEST_BODY
from host.web.server import PageServer
from host.web.stream import Broadcaster, Numbered

LIMIT = 20.0
"""Seconds in which what is waited for has to come."""


class Table:
    def __init__(self) -> None:
        self.broadcaster = Broadcaster()
        self.broadcaster.publish("first")

    def localised(self, numbered: Numbered, language: str, role: Role) -> dict[str, Any]:
        return {"view": numbered.view, "role": role}

    def act(self, role: Role, action: str, body: Mapping[str, Any]) -> None:
        if action not in ACTIONS:
            raise Refused("unknown")

    def picture(self) -> bytes | None:
        return None


class Served:
    """A table opened to the network by invitation, on a real server at this machine."""

    def __init__(self) -> None:
        self.table, self.access = Table(), Access(opened=True)
        app = make_app(self.table, self.access, lambda: hosts(self.server.port, None))
        self.server = PageServer(app, ("127.0.0.1",), 0)
        self.server.start()

    def connected(self, source: str = "127.0.0.1") -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.server.port), timeout=LIMIT, source_address=(source, 0))

    def head(self, method: str, path: str, role: Role | None, **more: str) -> bytes:
        lines = {"Host": f"127.0.0.1:{self.server.port}", **{name.replace("_", "-"): v for name, v in more.items()}}
        if role is not None:
            lines["Cookie"] = f"{COOKIE}={self.access.tokens[role]}"
        return "\r\n".join([f"{method} {path} HTTP/1.1", *map(": ".join, lines.items()), "", ""]).encode()

    def asked(self, raw: bytes) -> tuple[int, bytes]:
        """Status and beginning of the answer."""
        with closing(self.connected()) as to:
            to.sendall(raw)
            answer = to.recv(65_536)
            return int(answer.split(b" ", 2)[1]), answer

    def status(self, path: str = "/view", role: Role | None = "owner") -> int:
        return self.asked(self.head("GET", path, role))[0]

    def streaming(self, role: Role, source: str = "127.0.0.1") -> socket.socket:
        to = self.connected(source)
        to.sendall(self.head("GET", "/stream", role))
        return to


def received(to: socket.socket, words: bytes) -> bool:
    """Whether `words` come on a connection before it ends."""
    got = b""
    with suppress(OSError):
        while words not in got:
            piece = to.recv(65_536)
            if not piece:
                return False
            got += piece
        return True
    return False


def ended(to: socket.socket) -> bool:
    """Whether the server has hung up, read to the end."""
    try:
        while to.recv(65_536):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


@pytest.fixture
def served() -> Iterator[Served]:
    made = Served()
    try:
        yield made
    finally:
        made.server.close()


def test_the_page_answers_beside_hundreds_of_idle_and_half_asked_connections(served: Served) -> None:
    with ExitStack() as kept:
        idle = [kept.enter_context(closing(served.connected())) for _ in range(WAITING_MOST + 100)]
        for to in idle[::2]:
            with suppress(OSError):
                to.sendall(b"GET / HTTP/1.1\r\nHost: ")

        assert [served.status() for _ in range(5)] == [200] * 5
        stream = kept.enter_context(closing(served.streaming("near")))
        assert received(stream, b'"first"')
        assert ended(idle[0]), "the oldest of those that ask nothing make room"


def test_a_connection_that_asks_nothing_is_ended(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.2)
    with closing(served.connected()) as silent, closing(served.connected()) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\n")
        assert ended(silent)
        assert ended(slow)


def test_onlookers_whose_bodies_do_not_come_make_room_for_others(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 600.0)
    with ExitStack() as kept:
        slow: list[socket.socket] = []
        for _ in range(WAITING_MOST + 100):
            slow.append(kept.enter_context(closing(served.connected())))
            slow[-1].sendall(served.head("POST", "/do/undo", "viewer", Content_Length="100") + b"{")

        assert ended(slow[0]), "the oldest body that does not come makes room"
        assert [served.status(role=role) for role in ("owner", "near", "viewer")] == [200] * 3
        stream = kept.enter_context(closing(served.streaming("viewer")))
        assert received(stream, b'"first"')


def _waiting(front: Any) -> Connection:
    made = Connection.__new__(Connection)
    made._front, made.transport, made.loop = front, Mock(), Mock()
    made.lost, made.lingering, made._deadline = False, False, None
    made.wait_for_request()
    return made


def test_a_connection_that_was_hung_up_on_takes_nobodys_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given as many connections as may wait, when the oldest is hung up on for one more and only then the request is
    looked at that had come of it, then all others stay: in a burst each would have pushed out the next."""
    monkeypatch.setattr(connections, "WAITING_MOST", 3)
    front = SimpleNamespace(waiting={}, open=set())
    oldest, *others = [_waiting(front) for _ in range(4)]
    assert list(front.waiting) == others

    oldest.wait_for_request()
    assert list(front.waiting) == others


def test_a_body_that_does_not_come_ends_its_connection(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.2)
    with closing(served.connected()) as slow:
        slow.sendall(served.head("POST", "/do/undo", "owner", Content_Length="100") + b"{")
        assert ended(slow)


def test_onlookers_who_ask_on_without_reading_make_room_for_others(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "WAITING_MOST", 10)
    picture = b"x" * 1_000_000
    monkeypatch.setattr(served.table, "picture", lambda: picture)
    with ExitStack() as kept:
        asking: list[socket.socket] = []
        for _ in range(11):
            asking.append(kept.enter_context(closing(served.connected())))
            asking[-1].sendall(served.head("GET", "/picture.jpg", "viewer") * 2)
            assert asking[-1].recv(1), "the first answer is there"

        assert served.status() == 200
        got = 1
        with suppress(OSError):
            while piece := asking[0].recv(65_536):
                got += len(piece)
        assert got < 2 * len(picture), "the oldest makes room before both answers are read"


def test_a_crowd_that_was_answered_at_once_keeps_no_more_connections_than_may_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Given thirty onlookers whose requests wait for the table at the same moment, when all are answered, then of their
    connections only as many stay open as may ask nothing."""
    monkeypatch.setattr(connections, "WAITING_MOST", 20)
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 600.0)
    monkeypatch.setattr("host.web.server.IDLE_SECONDS", 600)
    served, free = Served(), threading.Event()
    monkeypatch.setattr(served.table, "picture", lambda: b"x" if free.wait(LIMIT) else None)
    with ExitStack() as kept:
        kept.callback(served.server.close)
        kept.callback(free.set)
        crowd: list[socket.socket] = []
        for _ in range(30):
            crowd.append(kept.enter_context(closing(served.connected())))
            crowd[-1].sendall(served.head("GET", "/picture.jpg", "viewer"))
            # Once the owner is answered beside it, it is heard and waits for the table.
            assert served.status() == 200
        free.set()

        assert all(received(to, b"200 OK") for to in crowd)
        kept_open, until = set(crowd), time.monotonic() + LIMIT
        while len(kept_open) > 20 and time.monotonic() < until:
            for to in select.select(list(kept_open), [], [], 1.0)[0]:
                if not to.recv(65_536):
                    kept_open.discard(to)
        assert len(kept_open) == 20


def test_a_body_without_an_invitation_is_not_taken_in(served: Served) -> None:
    head = served.head("POST", "/do/undo", None, Content_Length=str(LONGEST_BODY))

    status, answer = served.asked(head)  # the body is never sent

    assert status == 401
    assert b"connection: close" in answer


@pytest.mark.parametrize(
    ("more", "expected"),
    [({"Content_Length": "600000000"}, 413), ({"Transfer_Encoding": "chunked"}, 411), ({"Content_Length": "-1"}, 400)],
)
def test_a_body_that_is_too_long_or_has_no_length_is_refused_before_it_comes(
    served: Served, more: dict[str, str], expected: int
) -> None:
    assert served.asked(served.head("POST", "/do/undo", "owner", **more))[0] == expected


@pytest.mark.parametrize(
    ("role", "length", "expected"),
    [("owner", LONGEST_BODY + 9_000, 413), ("owner", LINGER_BYTES, 413), (None, LONGEST_BODY, 401), (None, 300, 401)],
)
def test_whoever_sends_a_refused_body_to_its_end_reads_why_it_was_refused(
    served: Served, monkeypatch: pytest.MonkeyPatch, role: Role | None, length: int, expected: int
) -> None:
    # A busy machine takes longer for the longest body than a sender is waited for.
    monkeypatch.setattr(connections, "LINGER_SECONDS", 60.0)
    for _ in range(5):
        with closing(served.connected()) as to:
            # A small one: the sender is still at it when the answer has long been written.
            to.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
            to.sendall(served.head("POST", "/do/undo", role, Content_Length=str(length)))
            assert select.select([to], [], [], LIMIT)[0], "refused before the body came"
            for sent in range(0, length, 500):
                to.sendall(b"x" * min(500, length - sent))
            assert received(to, b" %d " % expected)


def test_a_refused_body_without_an_end_is_not_taken_for_ever(served: Served) -> None:
    with closing(served.connected()) as to:
        to.sendall(served.head("POST", "/do/undo", "owner", Content_Length="600000000"))
        sent = 0
        with suppress(OSError):
            while sent < 100 * LINGER_BYTES:
                sent += to.send(b"x" * 65_536)
        assert sent < 100 * LINGER_BYTES


def test_a_refused_body_that_stops_coming_ends_its_connection(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "LINGER_SECONDS", 0.2)
    with closing(served.connected()) as to:
        to.sendall(served.head("POST", "/do/undo", "owner", Content_Length="600000"))
        assert ended(to)


def phone(number: int) -> str:
    """Addresses of this machine, two phones each, in the place of those on a home network."""
    return f"127.0.1.{1 + number // 2}"


def test_one_address_cannot_take_all_the_places_of_onlookers_not_even_a_proxy(served: Served) -> None:
    with ExitStack() as kept:
        for _ in range(ONLOOKER_PLACES_BEHIND):
            assert received(kept.enter_context(closing(served.streaming("viewer"))), b"200 OK")
        assert received(kept.enter_context(closing(served.streaming("viewer"))), b"503")

        players: tuple[Role, ...] = ("owner", "near", "far")
        for role in players:
            assert received(kept.enter_context(closing(served.streaming(role))), b'"first"')
        assert received(kept.enter_context(closing(served.streaming("viewer", phone(0)))), b'"first"')


def test_onlookers_cannot_take_the_places_of_the_owner_and_the_seats(served: Served) -> None:
    with ExitStack() as kept:
        for n in range(STREAM_PLACES["viewer"]):
            assert received(kept.enter_context(closing(served.streaming("viewer", phone(n)))), b"200 OK")
        assert received(kept.enter_context(closing(served.streaming("viewer", phone(0)))), b"503")

        players: tuple[Role, ...] = ("owner", "near", "far")
        for role in players:
            assert received(kept.enter_context(closing(served.streaming(role))), b'"first"')
        assert served.status("/view", "viewer") == 200


def test_many_pages_all_hear_the_next_view(served: Served) -> None:
    with ExitStack() as kept:
        pages = [kept.enter_context(closing(served.streaming("viewer", phone(n)))) for n in range(200)]
        assert all(received(page, b'"first"') for page in pages)

        served.table.broadcaster.publish("second")

        assert all(received(page, b'"second"') for page in pages)


def test_a_reader_that_is_slow_holds_up_nobody_is_dropped_and_comes_back_right(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("host.web.front.ANSWER_SECONDS", 0.5)
    with closing(served.streaming("viewer")) as slow, closing(served.streaming("viewer")) as reading:
        assert received(slow, b'"first"')
        assert received(reading, b'"first"')
        large = "x" * 2_000_000
        until = time.monotonic() + LIMIT
        number = 0
        # It reads no more: the system's buffers fill, and the server lets go of it.
        while served.table.broadcaster.listening > 1 and time.monotonic() < until:
            number += 1
            served.table.broadcaster.publish(large + str(number))
            assert received(reading, f'x{number}"'.encode())
        assert served.table.broadcaster.listening == 1
        served.table.broadcaster.publish("newest")
        assert received(reading, b'"newest"')
    with closing(served.streaming("viewer")) as back:
        assert received(back, b'"newest"')


def test_a_revoked_invitation_ends_its_streams(served: Served) -> None:
    with closing(served.streaming("near")) as near:
        assert received(near, b'"first"')
        served.access.tokens.renew("near")
        served.table.broadcaster.publish("second")
        # The end of the answer, without the view.
        assert received(near, b"0\r\n\r\n")


def test_a_stream_whose_page_has_gone_is_forgotten(served: Served) -> None:
    with closing(served.streaming("viewer")) as page:
        assert received(page, b'"first"')
    until = time.monotonic() + LIMIT
    while served.table.broadcaster.listening and time.monotonic() < until:
        served.table.broadcaster.publish("again")
    assert served.table.broadcaster.listening == 0


def test_closing_hangs_up_on_everybody() -> None:
    served = Served()
    with closing(served.streaming("owner")) as stream, closing(served.connected()) as idle:
        assert received(stream, b'"first"')
        served.server.close()
        assert ended(stream)
        assert ended(idle)


def _place(address: str, aborted: list[str]) -> Connection:
    made = Connection.__new__(Connection)
    made.address = address
    made.abort = lambda: aborted.append(address)  # type: ignore[method-assign]
    return made


def test_where_all_places_are_taken_the_greediest_address_gives_one_up() -> None:
    aborted: list[str] = []
    places = Places({"viewer": 4}, onlooker=3)
    kept = [_place(address, aborted) for address in ("10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.2")]
    assert all(places.take("viewer", one) for one in kept)

    assert places.take("viewer", _place("10.0.0.3", aborted))
    assert aborted == ["10.0.0.1"]
    assert not places.take("viewer", _place("10.0.0.1", aborted)), "not at the cost of others"


def _odd_bodies(draw: random.Random) -> bytes:
    fields = ["at", "lang", "score", "board", "speed"]
    values: list[object] = [None, [], {}, "é", 1e308, -1, True]
    makers: tuple[Callable[[], bytes], ...] = (
        lambda: b"[" * draw.randrange(1, 20_000),
        lambda: b'{"a":' * draw.randrange(1, 5_000),
        lambda: json.dumps({"at": 10 ** draw.randrange(1, 400), "do": draw.choice(["speed", "", "end"])}).encode(),
        lambda: draw.randbytes(draw.randrange(0, 200)),
        lambda: json.dumps({draw.choice(fields): draw.choice(values)}).encode(),
        lambda: b'{"speed": ' + b"9" * draw.randrange(1, 6_000) + b"}",
        lambda: b'"\\ud800"',
    )  # fmt: skip
    return draw.choice(makers)()


def test_no_request_however_odd_is_answered_with_a_fault_of_ours(served: Served) -> None:
    draw = random.Random(17)
    paths = [f"/do/{name}" for name in ACTIONS] + [
        "/",
        "/view",
        "/texts?lang=%ff",
        "/join?k=%00",
        "/do/",
        "/%2e%2e/x",
        "/static/../x",
    ]
    answered: dict[int, int] = {}
    talk = http.client.HTTPConnection("127.0.0.1", served.server.port, timeout=LIMIT)
    for _ in range(250):
        role: Role = draw.choice(["viewer", "near", "far", "owner"])
        headers = {
            "Cookie": f"{COOKIE}={served.access.tokens[role]}",
            CSRF_HEADER: served.access.csrf(role),
            "Content-Type": draw.choice(["application/json", "text/plain", "application/json; charset=utf-16"]),
        }
        talk.request(
            draw.choice(["POST", "POST", "POST", "GET", "PUT"]), draw.choice(paths), _odd_bodies(draw), headers
        )
        answer = talk.getresponse()
        answer.read()
        answered[answer.status] = answered.get(answer.status, 0) + 1
    assert max(answered) < 500, answered
    assert {200, 400, 404} <= set(answered)
