"""Which packages a command is given on a fresh machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from host import bootstrap


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "allfronts" / "settings.toml"


@pytest.mark.parametrize(
    ("typed", "club"),
    [
        ("", False),
        ("demo", False),
        ("club --new Night", True),
        ("--lang uk club", True),
        ("bench --list", True),
        ("play --camera 0", False),
        ("play --club CODE", True),
        ("play --home-assistant=mqtt://home", True),
        ("--home-assistant mqtt://home", True),
    ],
)
def test_a_broker_needs_the_club_packages(typed: str, club: bool) -> None:
    assert bootstrap.needs_club(bootstrap.without_language(typed.split())) is club


@pytest.mark.parametrize(
    ("text", "club"), [('home_assistant = "mqtt://home"', True), ("port = 8421", False), ("home_assistant = ", False)]
)
def test_so_does_one_in_the_settings_where_a_table_is_opened(settings: Path, text: str, club: bool) -> None:
    settings.parent.mkdir()
    settings.write_text(text, "utf-8")
    for typed in ([], ["--lan"], ["play", "--camera", "0"]):
        assert bootstrap.needs_club(typed) is club
    assert not bootstrap.needs_club(["judge"])
