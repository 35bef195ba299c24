"""`allfronts bench`: options that cannot be are refused in one line, before anything is measured."""

from __future__ import annotations

import pytest

from host.cli import main


@pytest.mark.parametrize(
    "words",
    [
        ("--tables", "9" * 4000),
        ("--seed", "9" * 4000),
        ("--processes", "9" * 12),
        ("--only", "-1"),
        ("--only", "1,two"),
        ("--tables", "0"),
    ],
    ids=lambda words: " ".join(words)[:16],
)
def test_numbers_that_cannot_be_are_refused(words: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "reader.tables", *words]) == 2
    refused = capsys.readouterr().err
    assert refused.count("\n") == 1
    assert words[0] in refused
