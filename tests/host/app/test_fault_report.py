"""Given a fault of the program, then its place is kept for whoever mends it, and nothing of the game."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.failure import Failure
from host.app.fault_report import fault_report, keep_fault
from host.app.runner import Runner

SECRETS = ("near holds A6", "Wd93Kf02mQxTokenOfTheOwner", "\xff\xd8\xff\xe0JFIF")


def fault(words: str) -> Exception:
    def look_at(table: str) -> None:
        try:
            raise KeyError(table)
        except KeyError as error:
            raise ValueError(f"cannot use {table}") from error

    try:
        look_at(words)
    except ValueError as error:
        return error
    raise AssertionError


@pytest.mark.parametrize("words", SECRETS)
def test_a_report_tells_where_and_never_what(words: str) -> None:
    said = fault_report(fault(words))
    assert words not in said
    assert "builtins.KeyError" in said and "builtins.ValueError" in said
    assert "test_fault_report.py" in said and "look_at" in said
    assert str(Path.home()) not in said


def test_a_report_is_readable_by_this_person_only(tmp_path: Path) -> None:
    path = tmp_path / "data" / "fault.txt"
    path.parent.mkdir()
    path.write_text("from before")
    path.chmod(0o644)
    keep_fault(path, fault("x"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "ValueError" in path.read_text("utf-8")
    assert [one.name for one in path.parent.iterdir()] == ["fault.txt"]


class _Faulty:
    """A source that holds a secret while it fails."""

    def __iter__(self) -> Iterator[Any]:
        raise ZeroDivisionError(SECRETS[0])

    def close(self) -> None:
        pass


def test_a_table_that_stops_over_a_fault_prints_and_keeps_nothing_of_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    tracker: Any = None
    runner = Runner(tracker, _Faulty())
    runner.start()
    with pytest.raises(Failure, match="ZeroDivisionError") as raised:
        runner.wait(10)
    kept = (tmp_path / "allfronts" / "fault.txt").read_text("utf-8")
    assert "ZeroDivisionError" in kept
    assert SECRETS[0] not in kept + str(raised.value)
