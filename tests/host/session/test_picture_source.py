"""What the source of pictures tells of itself is written down and shown to everybody who is invited."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from engine.failure import BadInput
from host.session.archive import json_lines_of, war_named
from host.session.picture_source import follow_item
from host.session.tracker import StillTableWatcher, Tracker
from vision.sources.trouble import Trouble

ADDRESS = "192.168.1.9/video.cgi?user=admin&pwd=secret"


def tracker_of(game: Any) -> Tracker[Any]:
    return Tracker(StillTableWatcher(lambda picture: None), game.session)


def test_a_password_in_a_cameras_address_is_in_no_log_and_on_no_page(played: Callable[..., Any]) -> None:
    game = played()
    tracker = tracker_of(game)
    tracker.frame(object(), 0.0)
    follow_item(tracker, Trouble("camera-stuck", 1.0, {"source": ADDRESS, "seconds": 3}))
    written = json_lines_of(game.log, war_named(game.log, "1"))
    assert "192.168.1.9/video.cgi" in written and "secret" not in written
    assert game.shown.camera.code == "camera-stuck" and "secret" not in json.dumps(repr(game.shown))


def test_a_camera_that_never_came_is_told_without_its_password(played: Callable[..., Any]) -> None:
    with pytest.raises(BadInput, match=r"video\.cgi") as refused:
        follow_item(tracker_of(played()), Trouble("camera-gone", 1.0, {"source": ADDRESS, "why": "it is off"}))
    assert "secret" not in str(refused.value)
