"""A page that is opened before the table stands waits, and is let in by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from host.web.access import Access, Action, Role, hosts
from host.web.app import make_app
from host.web.startup_page import Porch
from host.web.stream import Broadcaster, Numbered

HOST = {"Host": "127.0.0.1:8420"}


class Backend:
    def __init__(self) -> None:
        self.broadcaster = Broadcaster()
        self.broadcaster.publish("the table")
        self.asked: list[Action] = []

    def localised(self, numbered: Numbered, language: str, role: Role) -> dict[str, Any]:
        return {"view": numbered.view}

    def act(self, role: Role, deed: Action, body: Mapping[str, Any]) -> None:
        self.asked.append(deed)

    def picture(self) -> bytes | None:
        return b"picture"


def test_whoever_comes_early_waits_and_is_let_in() -> None:
    porch, access, desk = Porch(), Access(), Backend()
    client = make_app(porch, access, lambda: hosts(8420, None)).test_client()
    sent = {**HOST, "X-Table-Token": access.csrf("owner")}

    assert client.get("/", headers=HOST).status_code == 200
    assert client.get("/view", headers=HOST).status_code == 503
    assert client.get("/picture.jpg", headers=HOST).status_code == 404
    assert client.post("/do/undo", json={}, headers=sent).status_code == 409
    early = porch.broadcaster.listen(patience=0.0)
    assert next(early) is None

    porch.enter(desk)
    # The early stream ends, whereupon a page connects again and finds the table.
    assert list(early) == []
    assert client.get("/view", headers=HOST).json == {"view": "the table"}
    assert client.get("/picture.jpg", headers=HOST).data == b"picture"
    assert client.post("/do/undo", json={}, headers=sent).status_code == 200
    assert desk.asked == ["undo"]
    assert next(porch.broadcaster.listen()).view == "the table"  # type: ignore[union-attr]


def test_a_porch_that_closes_sends_everybody_home() -> None:
    porch = Porch()
    waiting = porch.broadcaster.listen()
    porch.close()
    assert list(waiting) == []
    desk = Backend()
    porch.enter(desk)
    porch.close()
    # What was published last is still told, and then it is over.
    assert [item for item in desk.broadcaster.listen() if item is not None][1:] == []
