"""The watcher on films of real tables: every table that lay still is told once, soon, and nothing else is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.names import SEATS, THEATERS
from vision.enrolment.enrol import enrol
from vision.picture_file import open_picture
from vision.sources import Frame, open_source
from vision.tracking.table_watcher import TableWatcher

SECONDS = 17.0


@pytest.mark.needs_shared
def test_the_beginning_of_a_film_in_glare(shared: Path) -> None:
    photos = [open_picture(shared / f"pictures/dunes/enroll-{n}.jpg") for n in ("air", "land", "sea", "back")]
    watcher = TableWatcher(enrol(*photos))
    lines = (shared / "recordings/dunes-sleeve-first.jsonl").read_text().splitlines()[1:]
    spans = [s for s in map(json.loads, lines) if s["t1"] < SECONDS]
    told = []
    for item in open_source(str(shared / "recordings/dunes-sleeve-first.mp4")):
        if isinstance(item, Frame):
            if item.t > SECONDS:
                break
            sight = watcher.see(item.image, item.t)
            if sight is not None:
                told.append((item.t, sight))
    assert len(told) == len(spans)
    for (t, sight), span in zip(told, spans, strict=True):
        assert span["t0"] <= t <= span["t0"] + 0.6, "no sooner than the hand is out, and soon"
        assert "".join(sight.order or ()) == span["order"]
        assert {p: list(sight.board[p]) for p in sight.board} == {
            (th, seat): span["board"][th][seat] for th in THEATERS for seat in SEATS
        }
