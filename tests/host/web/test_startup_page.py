"""A page that is opened before the table stands waits, and is let in by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from host.web.access import Access, Role, hosts
from host.web.app import make_app
from host.web.startup_page import StartupPage
from host.web.stream import Broadcaster, Numbered

HOST = {"Host": "127.0.0.1:8420"}


class RecordingBackend:
    def __init__(self) -> None:
        self.broadcaster = Broadcaster()
        self.broadcaster.publish("the table")
        self.asked: list[str] = []

    def localised(self, numbered: Numbered, language: str, role: Role) -> dict[str, Any]:
        return {"view": numbered.view}

    def act(self, role: Role, action: str, body: Mapping[str, Any]) -> None:
        self.asked.append(action)

    def picture(self) -> bytes | None:
        return b"picture"


def test_whoever_comes_early_waits_and_is_let_in() -> None:
    startup, access, backend = StartupPage(), Access(), RecordingBackend()
    client = make_app(startup, access, lambda: hosts(8420, None)).test_client()
    sent = {**HOST, "X-Table-Token": access.csrf("owner")}

    assert client.get("/", headers=HOST).status_code == 200
    assert client.get("/view", headers=HOST).status_code == 503
    assert client.get("/picture.jpg", headers=HOST).status_code == 404
    assert client.post("/do/undo", json={}, headers=sent).status_code == 409
    early = startup.broadcaster.listen(patience=0.0)
    assert next(early) is None

    startup.ready(backend)
    # The early stream ends, whereupon a page connects again and finds the table.
    assert list(early) == []
    assert client.get("/view", headers=HOST).json == {"view": "the table"}
    assert client.get("/picture.jpg", headers=HOST).data == b"picture"
    assert client.post("/do/undo", json={}, headers=sent).status_code == 200
    assert backend.asked == ["undo"]
    assert next(startup.broadcaster.listen()).view == "the table"  # type: ignore[union-attr]


def test_a_startup_page_that_closes_ends_every_stream() -> None:
    startup = StartupPage()
    waiting = startup.broadcaster.listen()
    startup.close()
    assert list(waiting) == []
    backend = RecordingBackend()
    startup.ready(backend)
    startup.close()
    # What was published last is still told, and then it is over.
    assert [item for item in backend.broadcaster.listen() if item is not None][1:] == []
