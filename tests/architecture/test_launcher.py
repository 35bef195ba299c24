"""`./allfronts` as a person types it: help, a wrong word, and no traceback."""

from __future__ import annotations

import importlib.util
import os
import pty
import re
import socket
import subprocess
from pathlib import Path

import pytest

from host.cli import COMMANDS, main

ROOT = Path(__file__).resolve().parents[2]


def allfronts(*words: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run([ROOT / "allfronts", *words], capture_output=True, text=True, cwd=cwd, check=False)


def test_help_lists_every_command() -> None:
    run = allfronts("--help")
    assert run.returncode == 0
    assert all(re.search(rf"^  {name} +\w", run.stdout, re.M) for name in COMMANDS)


def test_a_wrong_word_says_where_to_look() -> None:
    run = allfronts("jugde")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.count("\n") == 1
    assert "jugde" in run.stderr
    assert "--help" in run.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_tells_what_it_takes(name: str) -> None:
    run = allfronts(name, "--help")
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith(f"usage: allfronts {name}")
    assert run.stderr == ""


def test_it_runs_from_any_folder(tmp_path: Path) -> None:
    assert allfronts("--version", cwd=tmp_path).stdout.startswith("allfronts ")


def test_alone_it_opens_the_page_that_leads_to_the_first_card(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = tmp_path / "config" / "allfronts" / "settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f"port = {port}\n", "utf-8")
    folders = {f"XDG_{name.upper()}_HOME": str(tmp_path / name) for name in ("config", "data", "cache", "state")}
    environment = os.environ | folders | {"DISPLAY": "", "WAYLAND_DISPLAY": ""}
    with subprocess.Popen([ROOT / "allfronts"], stdout=subprocess.PIPE, text=True, env=environment) as started:
        assert started.stdout is not None
        try:
            said = started.stdout.readline()
        finally:
            started.terminate()
    assert f"http://127.0.0.1:{port}" in said
    assert started.returncode == 0


def test_a_person_at_a_terminal_hears_at_once_that_the_page_is_starting(tmp_path: Path) -> None:
    folders = {f"XDG_{name.upper()}_HOME": str(tmp_path / name) for name in ("config", "data", "cache", "state")}
    environment = os.environ | folders | {"DISPLAY": "", "WAYLAND_DISPLAY": ""}
    terminal, its_end = pty.openpty()
    command = [ROOT / "allfronts", "--http", "0", "--lang", "pl"]
    with subprocess.Popen(command, stdout=its_end, stderr=its_end, env=environment) as started:
        os.close(its_end)
        try:
            said = b""
            while b"127.0.0.1" not in said:
                said += os.read(terminal, 4096)
        finally:
            started.terminate()
            started.wait()
            os.close(terminal)
    assert said.decode().splitlines()[0] == "Uruchamianie …"
    assert said.decode().splitlines()[1].startswith("Strona")


def test_the_readme_names_commands_that_exist() -> None:
    named = set(re.findall(r"\./allfronts ([a-z]+)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert {"demo", "test"} <= named <= set(COMMANDS)


@pytest.mark.parametrize(
    ("typed", "extra"),
    [
        ("", "table"),
        ("demo --until-end", "table"),
        ("look a.png --deck d", "vision"),
        ("doctor", "table"),
        ("bench --list", "club"),
    ],
)
def test_a_command_says_which_packages_it_lacks(
    typed: str, extra: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main(typed.split()) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.endswith(f"pip install 'allfronts[{extra}]'\n")


def test_the_rules_need_no_packages(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main(["judge", "no-such-file"]) == 2
    assert "no-such-file" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [("watch",), ("watch", "--deck", "d", "--edition", "revized", "film.mp4"), ("look", "--nope")]
)
def test_wrong_words_after_a_command_are_told_in_one_line(words: tuple[str, ...]) -> None:
    run = allfronts(*words)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith(f"allfronts {words[0]}: ")
    assert run.stderr.count("\n") == 1
    assert f"./allfronts {words[0]} --help" in run.stderr
