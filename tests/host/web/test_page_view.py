"""The page's scripts and the program agree on what a view holds."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_type_hints

from host.web.page_view import PageView, SeatText, TheaterText

STATIC = Path(__file__).parents[3] / "host" / "web" / "static"
SCRIPTS = [*STATIC.glob("*.js"), *STATIC.glob("panels/*.js")]
"""The scripts of the table's page; other games' pages have views of their own."""
ELSEWHERE = frozenset({"name"})
"""Fields of things that are also called `view` in a script: none of them is a view of the table."""


def test_a_script_reads_no_field_that_a_view_does_not_have() -> None:
    declared = set(get_type_hints(PageView))
    read: dict[str, set[str]] = {}
    for script in SCRIPTS:
        for name in re.findall(r"\b(?:view|shown)\.([a-z_]+)\b(?!\()", script.read_text("utf-8")):
            read.setdefault(name, set()).add(script.name)
    assert {"theaters", "seats", "now"} <= set(read)
    assert {name: files for name, files in read.items() if name not in declared | ELSEWHERE} == {}


def test_a_script_reads_no_field_that_a_seat_or_theater_does_not_have() -> None:
    seats, theaters = set(get_type_hints(SeatText)), set(get_type_hints(TheaterText))
    for script in SCRIPTS:
        text = script.read_text("utf-8")
        assert set(re.findall(r"\bview\.seats\[\w+\]\.([a-z_]+)", text)) <= seats, script.name
        assert set(re.findall(r"\bview\.seats\.(?:near|far)\.([a-z_]+)", text)) <= seats, script.name
        assert set(re.findall(r"\bview\.theaters\[\w+\]\.([a-z_]+)", text)) <= theaters, script.name
