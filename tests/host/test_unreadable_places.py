"""Files and folders that the system does not let the program look at: one line with the reason, and no traceback.

Whoever may do everything, as many who run tests may, is kept out of nothing. A name that is too long gives the same
kind of error from the same calls as a folder of somebody else.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from host.cli import main
from host.demo.deck import demo_camera, demo_deck
from host.link.ports import why_not
from host.settings import log_path, settings_path
from tests.learnt_deck import learnt_once
from vision.simulate import SimulatedCamera

LONG = "x" * 300


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("deck")
    learnt_once(tmp_path_factory, "bright-4", SimulatedCamera("bright", 4).enrolment_photos).save(folder)
    return str(folder)


@pytest.mark.parametrize(
    "words",
    [
        ("watch", LONG, "--deck", "DECK"),
        ("watch", f"/dev/video{LONG}", "--deck", "DECK"),
        ("watch", f"{LONG}.jsonl"),
        ("camera", LONG, "--no-page"),
        ("camera", LONG, "--calibrate"),
        ("play", "--camera", LONG, "--deck", "DECK"),
        ("play", "--camera", "0", "--deck", LONG),
        ("look", "--deck", "DECK", "--out", LONG, "PICTURE"),
        ("look", "--deck", LONG, "PICTURE"),
        ("games", "--log", LONG),
        ("games", "rescue", LONG),
        ("judge", LONG),
        ("fog", "--board", LONG),
        ("flash", "--port", LONG),
        ("print", "tags", "--out", LONG),
    ],
    ids=lambda words: " ".join(words).replace(LONG, "LONG"),
)
def test_what_may_not_be_looked_at_is_one_line(
    words: tuple[str, ...], deck: str, capsys: pytest.CaptureFixture[str]
) -> None:
    known = {"DECK": deck, "PICTURE": f"{deck}/sheet.png"}
    # A sheet of a deck is no table, but it is not come to.
    assert main([known.get(word, word) for word in words]) == 2
    refused = capsys.readouterr().err
    assert refused.count("\n") == 1
    assert "File name too long" in refused or words[0] == "flash" or "/dev/video" in refused


def test_settings_that_may_not_be_looked_at_are_refused_by_name(
    played: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = played()
    game.log.close()
    monkeypatch.setenv("XDG_CONFIG_HOME", f"/{LONG}")
    assert main(["games", "--log", str(game.path)]) == 2
    refused = capsys.readouterr().err
    assert refused.count("\n") == 1
    assert str(settings_path()) in refused


def test_a_log_that_may_not_be_looked_at_is_not_said_to_be_absent(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", f"/{LONG}")
    assert main(["games"]) == 2
    refused = capsys.readouterr().err
    assert f"{log_path()} cannot be opened: File name too long." in refused


def test_a_cache_that_may_not_be_looked_at_costs_the_demonstration_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", f"/{LONG}")
    assert len(demo_deck(demo_camera()).faces) == 19


def test_a_port_that_may_not_be_looked_at_is_a_trouble() -> None:
    assert why_not(LONG, OSError(36, "File name too long")).code == "lost"


def test_a_script_whose_variable_is_empty_learns_no_deck_into_the_current_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    photographs = [word for name in ("air", "land", "sea", "back") for word in (f"--{name}", "none.png")]
    assert main(["enrol", "--deck", "", *photographs]) == 2
    assert "No deck is given." in capsys.readouterr().err


@pytest.mark.parametrize("source", ["", " ", "''", "http://", "rtsp:///"])
def test_a_script_whose_variable_is_empty_follows_no_folder_and_waits_for_no_address(
    source: str, deck: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(deck)
    assert main(["watch", source, "--deck", deck]) == 2
    assert "is neither a camera nor a file" in capsys.readouterr().err
