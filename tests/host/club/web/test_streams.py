"""Screens on the real server: many at once cost no threads, players come in by their codes, strangers do not."""

from __future__ import annotations

import http.client
import json
import threading
import time
import urllib.parse
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from host.club.desk import Desk
from host.club.screen import Feed
from host.club.store.opening import open_store
from host.club.tournament.events import Opened
from host.club.web.access import COOKIE, DeskAccess, load_access
from host.club.web.app import Site, make_club_app
from host.web.access import hosts
from host.web.server import PageServer

LIMIT = 20.0
SCREENS = 60


@dataclass(frozen=True)
class Served:
    desk: Desk
    access: DeskAccess
    server: PageServer

    def talk(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=LIMIT)

    def screen(self, kept: ExitStack) -> http.client.HTTPResponse:
        talk = kept.enter_context(closing(self.talk()))
        talk.request("GET", "/screen/stream", headers={"Cookie": f"{COOKIE}={self.access.tokens['screen']}"})
        return talk.getresponse()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    store = open_store(tmp_path / "desk.db", "club")
    desk = Desk(store, Feed(time.monotonic), time.time)
    access = load_access(tmp_path / "access.json", True)
    site = Site(access, lambda: hosts(server.port, None), lambda: "http://127.0.0.1")
    server = PageServer(make_club_app(desk, site), ("127.0.0.1",), 0)
    server.start()
    try:
        yield Served(desk, access, server)
    finally:
        server.close()
        store.close()


def next_parts(stream: http.client.HTTPResponse) -> dict[str, Any]:
    while line := stream.readline():
        if line.startswith(b"data: "):
            parts: dict[str, Any] = json.loads(line[6:])["parts"]
            if parts:
                return parts
    raise AssertionError("the stream has ended")


def test_many_screens_see_a_change_and_take_no_thread_each(served: Served) -> None:
    served.desk.act(Opened("Thursday"))
    with ExitStack() as kept:
        streams = [served.screen(kept) for _ in range(SCREENS)]
        assert all("club" in next_parts(stream) for stream in streams)
        assert threading.active_count() < SCREENS / 2

        served.desk.feed.publish("table 1", {"n": 1})

        assert all(next_parts(stream) == {"table 1": {"n": 1}} for stream in streams)


def test_a_delayed_part_comes_when_it_is_due(served: Served) -> None:
    with ExitStack() as kept:
        stream = served.screen(kept)
        assert "club" in next_parts(stream)
        served.desk.feed.publish("later", {"n": 1}, delay=0.3)
        assert next_parts(stream) == {"later": {"n": 1}}


def test_a_players_code_lets_the_player_in_over_the_server_and_a_guess_does_not(served: Served) -> None:
    served.desk.act(Opened("Thursday"))
    body = urllib.parse.urlencode({"csrf": served.access.csrf(served.access.entrance), "name": "Ada"})
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    with closing(served.talk()) as talk:
        talk.request("POST", f"/enter/{served.access.entrance}", body, headers)
        answer = talk.getresponse()
        answer.read()
        assert answer.status == 303
        assert served.desk.state is not None
        assert [player.name for player in served.desk.state.players.values()] == ["Ada"]
        talk.request("GET", str(answer.headers["Location"]))
        assert talk.getresponse().status == 200
    with closing(served.talk()) as stranger:
        stranger.request("POST", "/enter/guessed", body, headers)
        assert stranger.getresponse().status == 404


def test_a_stranger_has_no_stream(served: Served) -> None:
    with closing(served.talk()) as stranger:
        stranger.request("GET", "/screen/stream")
        assert stranger.getresponse().status == 401
