"""The documentation's examples run, and its lists are whole."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from engine.position import FLAGS
from engine.records.notation import read, write
from engine.records.replay import IllegalStep, ResultDiffers, replay_war
from engine.refusal import REASONS

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("name", ["engine.md"])
def test_examples_give_what_they_say(name: str) -> None:
    found = doctest.testfile(str(DOCS / name), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert found.attempted > 30
    assert found.failed == 0


def test_the_docstring_of_the_package_is_true() -> None:
    import engine

    found = doctest.testmod(engine)
    assert (found.attempted > 0, found.failed) == (True, 0)


def test_every_code_of_refusal_is_documented_and_no_other() -> None:
    section = (DOCS / "engine.md").read_text("utf-8").partition("## Codes of refusal")[2].partition("## Speed")[0]
    listed = re.findall(r"`([a-z-]+)`", "\n".join(line.split("|")[1] for line in section.splitlines() if "|" in line))
    assert sorted(listed) == sorted(REASONS)


def test_every_flag_is_documented() -> None:
    text = (DOCS / "engine.md").read_text("utf-8")
    assert all(f"`{code}`" in text for code in FLAGS)


def test_every_error_of_the_notation_is_documented() -> None:
    source = (DOCS.parent / "engine" / "records" / "notation_reader.py").read_text("utf-8")
    codes = set(re.findall(r'line\.error\(\s*"([a-z-]+)"', source)) | set(
        re.findall(r'self\.error\(\s*"([a-z-]+)"', source)
    )
    assert len(codes) > 15
    errors = (DOCS / "notation.md").read_text("utf-8").partition("## Errors")[2]
    assert {code for code in codes if f"`{code}`" not in errors} == set()


def test_the_annotated_game_is_played_to_its_result() -> None:
    [text] = re.findall(r"```war\n(.*?)```", (DOCS / "notation.md").read_text("utf-8"), re.DOTALL)
    record = read(text)
    assert write(record) == text
    turns = list(replay_war(record))
    assert not [t for t in turns if isinstance(t, IllegalStep | ResultDiffers)], turns[-1]
    assert turns[-1].war.score == {"near": 6, "far": 3}
    assert turns[-1].war.winner == "near"


def test_every_ruling_is_documented() -> None:
    text = (DOCS / "engine-rulings.md").read_text("utf-8")
    assert [f"R{n}" for n in range(1, 17) if f"| R{n} |" not in text] == []
