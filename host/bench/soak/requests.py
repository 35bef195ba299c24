"""A served table under random requests, and every role at every action with every kind of body."""

from __future__ import annotations

import http.client
import json
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from engine.sight import sight_of
from host.bench.figure import Figure, Measured
from host.bench.soak.film import scenes
from host.session.memory_log import MemoryLog
from host.session.session import Rules, Session
from host.web.access import COOKIE, CSRF_HEADER, ROLES, Access, Role, hosts
from host.web.actions import ACTIONS
from host.web.app import make_app
from host.web.backend import TableBackend
from host.web.page_sink import PageSink
from host.web.server import PageServer
from host.web.stream import Broadcaster

RANDOM: Final = 10_000
BODIES: Final = 60
"""Of each role at each action."""
LIMIT_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class Table:
    """A table in the middle of a game, opened by invitation, on a real server at this machine."""

    session: Session
    access: Access
    server: PageServer

    def ask(
        self, talk: http.client.HTTPConnection, method: str, path: str, role: Role | None, body: bytes, kind: str
    ) -> int:
        """The status of the answer; 0 where the connection ended without one."""
        headers = {"Content-Type": kind}
        if role is not None:
            headers |= {"Cookie": f"{COOKIE}={self.access.tokens[role]}", CSRF_HEADER: self.access.csrf(role)}
        try:
            talk.request(method, path, body, headers)
            answer = talk.getresponse()
            if path.startswith("/stream") and answer.status == 200:
                talk.close()
                return 200
            answer.read()
            return answer.status
        except (OSError, http.client.HTTPException):
            talk.close()
            return 0

    def talk(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=LIMIT_S)


@contextmanager
def served() -> Iterator[Table]:
    session, access = Session(MemoryLog(), Rules(), time.time), Access(opened=True)
    page = PageSink(Broadcaster(), rules=lambda: session.rules)
    session.subscribe(page)
    for number, scene in enumerate(scenes(3, "revised", 1)[:9]):
        session.see(sight_of(dict(scene.board), scene.order), float(number * 3))
        session.tick(number * 3 + 2.4)
    backend = TableBackend(session, page, access, "soak")
    server = PageServer(make_app(backend, access, lambda: hosts(server.port, None)), ("127.0.0.1",), 0)
    server.start()
    try:
        yield Table(session, access, server)
    finally:
        server.close()


def _value(draw: random.Random, depth: int = 0) -> Any:
    """Anything that JSON can say, with a liking for what is at the edge."""
    plain: tuple[Any, ...] = (
        None, True, False, 0, -1, 1, 9, 2**31, 10**draw.randrange(1, 330), -1e308, 0.1, "", "near", "A/near", "X",
        "A1", "\ud800", "é" * draw.randrange(200), "9" * draw.randrange(900), [], {},
    )  # fmt: skip
    if depth > 3 or draw.random() < 0.6:
        return draw.choice(plain)
    if draw.random() < 0.5:
        return [_value(draw, depth + 1) for _ in range(draw.randrange(5))]
    return {str(_value(draw, 9)): _value(draw, depth + 1) for _ in range(draw.randrange(5))}


def _body(draw: random.Random, entry: int) -> bytes:
    """A body: sensible, nearly so, or nothing of the kind."""
    fields = sorted(set().union(*(action.fields for action in ACTIONS.values())) | {"at", "lang"})
    likely: dict[str, Any] = {field: _value(draw) for field in draw.sample(fields, draw.randrange(4))}
    if draw.random() < 0.7:
        likely["at"] = entry
    makers: tuple[Callable[[], bytes], ...] = (
        lambda: json.dumps(likely).encode(),
        lambda: json.dumps(likely | {"seat": draw.choice(("near", "far"))}).encode(),
        lambda: json.dumps(_value(draw)).encode(),
        lambda: b"[" * draw.randrange(1, 33_000),
        lambda: b'{"a":' * draw.randrange(1, 6_500),
        lambda: b'{"speed": ' + b"9" * draw.randrange(1, 6_000) + b"}",
        lambda: b'{"at": 1' + b" " * draw.randrange(40_000, 140_000) + b"}",
        lambda: draw.randbytes(draw.randrange(300)),
        lambda: b"",
    )
    return draw.choices(makers, (6, 4, 3, 1, 1, 1, 1, 2, 1))[0]()


def _path(draw: random.Random) -> str:
    known = [f"/do/{name}" for name in ACTIONS]
    others = [
        "/", "/view", "/stream", "/texts?lang=%ff", "/picture.jpg", "/join", "/join?k=%00", "/do/", "/do/look",
        "/%2e%2e/x", "/static/../x", "/static/page.js", "/do/" + "x" * 3000, "/?" + "a=b&" * 900, "/view?lang=uk",
    ]  # fmt: skip
    if draw.random() < 0.1:
        return "/" + "".join(f"%{draw.randrange(256):02x}" for _ in range(draw.randrange(1, 30)))
    return draw.choice(known if draw.random() < 0.6 else others)


def random_requests(count: int, seed: int = 1) -> tuple[int, int, dict[int, int]]:
    """Requests that were answered with a fault of ours, those without an answer, and how often each status came."""
    draw, found = random.Random(seed), dict[int, int]()
    with served() as table:
        talk = table.talk()
        for _ in range(count):
            body = _body(draw, table.session.said)
            role = draw.choice((*ROLES, "owner", "owner", None))
            method = draw.choice(("POST", "POST", "POST", "POST", "GET", "PUT", "HEAD", "OPTIONS", "DELETE"))
            kind = draw.choice(("application/json", "application/json", "text/plain", "application/json; charset=x"))
            status = table.ask(talk, method, _path(draw), role, body, kind)
            found[status] = found.get(status, 0) + 1
        alive = table.ask(table.talk(), "GET", "/view", "owner", b"", "text/plain")
    faults = sum(n for status, n in found.items() if status >= 500) + (alive != 200)
    return faults, found.get(0, 0), found


def beyond_rights(bodies: int, seed: int = 1) -> tuple[int, int]:
    """Tries of roles at what is not theirs that were not refused or changed something, and how many were made."""
    draw, failed, tried = random.Random(seed), 0, 0
    with served() as table:
        talk = table.talk()
        for role in ROLES:
            for name in (*ACTIONS, "look", "invite", "correction"):
                theirs = name in ACTIONS and role in ACTIONS[name].roles
                for _ in range(bodies):
                    seat = draw.choice(("near", "far"))
                    body = _body(draw, table.session.said)
                    if theirs and role in ("near", "far") and "seat" in ACTIONS[name].fields:
                        # A seat speaks for itself and for no other.
                        seat = "far" if role == "near" else "near"
                        body = json.dumps({"seat": seat, "at": table.session.said}).encode()
                    elif theirs:
                        continue
                    before = table.session.belief
                    status = table.ask(talk, "POST", f"/do/{name}", role, body, "application/json")
                    tried += 1
                    if status not in (0, 400, 403, 404, 409, 413) or table.session.belief is not before:
                        failed += 1
    return failed, tried


def _measured(scale: float) -> Iterator[Measured]:
    count = max(50, round(RANDOM * scale))
    faults, unanswered, _ = random_requests(count)
    yield Measured(faults, count, "random")
    yield Measured(unanswered, count, "random-without-answer")
    failed, tried = beyond_rights(max(3, round(BODIES * scale)))
    yield Measured(failed, tried, "beyond-rights")


FIGURE = Figure("soak.requests", "failed", "random requests, and roles at actions that are not theirs", _measured)
