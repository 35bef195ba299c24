"""What a page says of its camera: one condition at a time, and in the words of the catalogue."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from host.session.source_events import SourceNotice
from host.sinks.event_lines import source_line


@pytest.mark.parametrize(("first", "then"), [("low-contrast", "no-table"), ("no-table", "low-contrast")])
def test_a_table_that_cannot_be_read_has_one_reason(played: Callable[..., Any], first: str, then: str) -> None:
    table = played()
    table.session.source(SourceNotice(first), 0.0)
    assert (table.shown.camera.ok, table.shown.camera.code) == (False, first)
    table.session.source(SourceNotice(then), 1.0)
    assert table.shown.camera.code == then
    table.session.source(SourceNotice("table-found"), 2.0)
    assert table.shown.camera.ok


def test_a_pale_picture_is_told_as_one() -> None:
    line = source_line(SourceNotice("low-contrast"), 1.0)
    assert line is not None
    assert line["code"] == "low-contrast"
    assert line["message"].startswith("The picture is pale: ")
