"""What was chosen while setting up: kept, and never believed blindly."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.failure import BadInput
from host.player_name import NAME_LONGEST
from host.setup_wizard.choices import Choices, load_choices, person_name, save_choices


def test_choices_are_kept_for_this_person_only(tmp_path: Path) -> None:
    path = tmp_path / "settings" / "setup.json"
    chosen = Choices().with_changes(
        {"camera": "http://user:word@cam/video", "names": {"near": "Anna", "far": "Борис"}, "first": "far"}
    )
    save_choices(chosen, path)
    assert load_choices(path) == chosen
    assert path.stat().st_mode & 0o077 == 0
    assert [p.name for p in path.parent.iterdir()] == ["setup.json"]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"camera": 7, "target": -1, "nothing": true}'])
def test_what_cannot_be_read_is_asked_for_again(tmp_path: Path, text: str) -> None:
    path = tmp_path / "setup.json"
    path.write_text(text)
    assert load_choices(path) == Choices()


@pytest.mark.parametrize(
    "change",
    [
        {"camera": ""},
        {"camera": "x" * 501},
        {"camera": "\ud800"},
        {"deck": "\udfff"},
        {"target": 0},
        {"target": True},
        {"edition": "fifth"},
        {"first": "left"},
        {"lights": "many"},
        {"names": 7},
        {"aimed": 1},
        {"password": "x"},
    ],
)
def test_what_cannot_be_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        Choices().with_changes(change)


def test_the_pages_fields_take_as_many_letters_as_a_name_may_have() -> None:
    page = resources.files("host.setup_wizard").joinpath("static/steps/players.js").read_text("utf-8")
    assert set(re.findall(r"field\(choices\.names\.\w+, (\d+)\)", page)) == {str(NAME_LONGEST)}


@settings(deadline=None)
@given(st.text())
def test_a_name_is_one_short_line_whatever_was_typed(text: str) -> None:
    name = person_name(text)
    assert len(name) <= NAME_LONGEST
    assert name == " ".join(name.split())
    assert all(c.isprintable() for c in name)


def test_a_long_name_stays_whole() -> None:
    name = "Wilhelmina-Alexandra von und zu Hohenlohe-Langenburg"
    assert person_name(name) == name
