"""Settings: typed, and a slip of the keyboard is told with its mend."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.failure import BadInput
from host.cli import main
from host.settings import Settings, load_settings, settings_path


def test_without_a_file_everything_has_its_default(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "settings.toml") == Settings()


def test_a_language_is_asked_for_one_command_alone(tmp_path: Path) -> None:
    assert main(["--help", "--lang", "ru"]) == 0
    assert load_settings(tmp_path / "settings.toml").language == "en"


def test_what_is_set_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('language = "pl"\nport = 8500\nbeginner = true\n')
    assert load_settings(path) == Settings(language="pl", port=8500, beginner=True)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("langage = 'en'", "there is no setting 'langage'"),
        ("port = '8420'", "not of type int"),
        ("port = true", "not of type int"),
        ("port = 70000", "between 1 and 65535"),
        ("readings = -1", "readings must be 0 or more"),
        ("language = 'de'", "one of en, ru, uk, pl"),
        ("edition = 'second'", "one of first, revised, critters"),
        ("port = ", "cannot be read"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, line: str, says: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(line + "\n")
    with pytest.raises(BadInput, match=says) as caught:
        load_settings(path)
    assert caught.value.remedy


def test_the_file_lies_where_this_person_keeps_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert settings_path() == tmp_path / "allfronts" / "settings.toml"
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
    assert settings_path() == Path.home() / ".config" / "allfronts" / "settings.toml"
