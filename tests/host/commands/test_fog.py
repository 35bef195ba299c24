"""`allfronts fog` as a person starts it: the page, the game that goes on, the demonstration, and wrong words."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from engine.fog.board_file import built_in, write_board

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 30


def started(tmp_path: Path, *words: str) -> subprocess.Popen[str]:
    environment = {
        **os.environ,
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "DISPLAY": "",
        "WAYLAND_DISPLAY": "",
    }
    return subprocess.Popen(
        [sys.executable, "-m", "host", "fog", *words],
        cwd=ROOT,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@contextmanager
def running(tmp_path: Path, *words: str) -> Iterator[tuple[int, str]]:
    """The port of the page and what was said before it."""
    process = started(tmp_path, "--http", "0", *words)
    assert process.stdout is not None
    said = ""
    for line in process.stdout:
        said += line
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        if found:
            break
    else:
        raise AssertionError(f"no page: {said} {process.communicate()[1]}")
    try:
        yield int(found[1]), said
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 130
        process.communicate()


def asked(port: int, path: str, body: Any = None, token: str = "") -> Any:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    headers = {"Content-Type": "application/json", "X-Table-Token": token} if body is not None else {}
    connection.request("GET" if body is None else "POST", path, json.dumps(body) if body is not None else None, headers)
    answer = connection.getresponse().read().decode()
    connection.close()
    return answer if path == "/" else json.loads(answer)


def token_of(port: int) -> str:
    found = re.search(r'name="table-token" content="(\w+)"', asked(port, "/"))
    assert found
    return found[1]


def test_a_game_goes_on_after_the_program_was_stopped(tmp_path: Path) -> None:
    with running(tmp_path, "--small-map") as (port, _):
        answer = asked(port, "/do/play", {"at": 0, "action": {"do": "begin"}}, token_of(port))
        assert answer == {"code": "done"}
        assert asked(port, "/texts?lang=ru")["end_turn"] == "Закончить ход"
    with running(tmp_path) as (port, said):
        assert "Going on with the game in the log" in said
        view = asked(port, "/view")
        assert (view["phase"], view["turn"], view["demo_board"]) == ("turn", "axis", True)
    with running(tmp_path, "--new") as (port, _):
        assert asked(port, "/view")["phase"] == "setup"


def test_a_board_of_ones_own_is_read_and_what_is_typed_in_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(write_board(built_in("memo")), "utf-8")
    with running(tmp_path, "--board", str(path)) as (port, _):
        box = asked(port, "/view")["board"]["box"] | {"axis_deck": 23}
        asked(port, "/do/play", {"at": 0, "action": {"do": "set-box", "box": box}}, token_of(port))
    assert "axis_deck = 23" in path.read_text("utf-8")


def test_the_demonstration_plays(tmp_path: Path) -> None:
    with running(tmp_path, "--demo", "--serial", "virtual") as (port, _):
        token = token_of(port)
        assert asked(port, "/do/demo", {"do": "step"}, token) == {"code": "done"}
        view = asked(port, "/view")
        assert view["demo"] == {"paused": True} and view["sides"] == []
        # Nobody plays between the simulated players.
        refused = asked(port, "/do/play", {"at": view["entry"], "action": {"do": "begin"}}, token)
        assert refused["code"] == "not-now"
    assert not (tmp_path / "data" / "allfronts" / "fog.db").exists()


def test_the_demonstrations_game_as_text(tmp_path: Path) -> None:
    process = started(tmp_path, "--demo", "--report")
    said, wrong = process.communicate(timeout=PATIENCE)
    assert (process.returncode, wrong) == (0, "")
    assert "## 1944" in said and "(3.11.2)" in said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--board", "bad.toml"), "bad.toml, line 2: province.a.points"),
        (("--report",), "Add --demo"),
        (("--http", "99999"), "99999 is not a port"),
        (("--serial", "virtual:nonsense"), "no fault 'nonsense'"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    (tmp_path / "bad.toml").write_text('name = "x"\nprovince.a.points = "two"\n', "utf-8")
    words = tuple(str(tmp_path / word) if word.endswith(".toml") else word for word in words)
    process = started(tmp_path, *words, *(() if "--http" in words else ("--http", "0")))
    _, wrong = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert says in wrong
    assert wrong.count("\n") == 1


def test_a_board_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(write_board(built_in("demo")), "utf-8")
    for name, told in (("mien.toml", True), ("mine.toml", False)):
        process = started(tmp_path, "--http", "0", "--board", str(tmp_path / name))
        assert process.stdout is not None
        while "http://" not in process.stdout.readline():
            pass
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=PATIENCE)[1]
        assert (f"no board file {tmp_path / name}" in said) == told
