"""The bench of random decks in rooms: every pair is tried, seeds share nothing, a stopped run goes on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.places import PLACES
from host.bench import rooms
from host.bench.drawn import Drawn, Facts
from host.bench.figure import Wish
from host.bench.rooms import DECKS, PER_CAMERA, Enrolled, axes, design_of, room_and_deck
from host.bench.scores import by_condition
from vision.simulate import ROOMS

ORDER = ("A", "L", "S")
TRUTH = {**dict.fromkeys(PLACES, ()), ("A", "near"): ("A1",)}


def facts(table: int) -> Facts:
    room, deck = room_and_deck(table)
    return Facts(room, "design", design_of(1, deck), 3.0, 2.3, 2.0, 99.0, 1.0, 1, 1, 1.0, "day")


def test_every_deck_is_read_in_every_room() -> None:
    pairs = {room_and_deck(k * PER_CAMERA) for k in range(len(ROOMS) * DECKS)}
    assert len(pairs) == len(ROOMS) * DECKS


def test_no_two_seeds_share_a_design() -> None:
    designs = [design_of(seed, deck) for seed in range(20) for deck in range(DECKS)]
    assert len(set(designs)) == len(designs)


def test_a_table_falls_into_one_part_of_every_condition() -> None:
    row = {"right": True, "sure": True, "seen": {}, "cards": 1, "cards_right": 1}
    rows = [{**row, "facts": {k: getattr(facts(n), k) for k in Facts.__slots__}} for n in range(0, 400, 40)]
    scores = by_condition(rows, axes())
    assert all(sum(part.tables for part in parts.values()) == len(rows) for parts in scores.values())
    assert set(scores["header"]) <= {"black", "dark", "middling", "pale"}


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a run of twelve tables that was stopped in its tenth, when it is started again, it reads three."""
    read: list[int] = []

    def reads(index: int, drawn: Drawn, reader: object, keep: object, always: bool = False) -> dict[str, Any]:
        if index == 9 and len(read) < 10:
            raise KeyboardInterrupt
        read.append(index)
        row = {"table": index, "right": True, "sure": True, "cards": 1, "cards_right": 1, "seen": {}}
        return {**row, "facts": {k: getattr(drawn.facts, k) for k in Facts.__slots__}}

    def draws(seed: int, block: int, deck: object, design: int) -> Any:
        return (Drawn(TRUTH, ORDER, facts(block * PER_CAMERA + k), b"") for k in range(PER_CAMERA))  # type: ignore[arg-type]

    def learns(seed: int, number: int, folder: Path) -> Enrolled:
        profile = None if number == 5 else object()
        return Enrolled(design_of(seed, number), object(), profile, ("no-mat",) * 4, (0, 0, 0))  # type: ignore[arg-type]

    monkeypatch.setattr(rooms, "OUT", tmp_path)
    monkeypatch.setattr(rooms, "row_of", reads)
    monkeypatch.setattr(rooms, "draw_block", draws)
    monkeypatch.setattr(rooms, "enrolled", learns)
    monkeypatch.setattr("vision.tracking.reader.Reader", lambda profile: profile)
    with pytest.raises(KeyboardInterrupt):
        rooms.run(Wish(tables=12))
    (lines,) = (tmp_path / "bench").glob("rooms-*.jsonl")
    assert [json.loads(line)["table"] for line in lines.read_text().splitlines()] == list(range(9))
    read.extend([-1])
    rows, _ = rooms.run(Wish(tables=12))
    assert read[10:] == [9, 10, 11]
    assert [row["table"] for row in rows] == list(range(12))
