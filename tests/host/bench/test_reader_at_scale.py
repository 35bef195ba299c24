"""The bench's simulated tables: always the same under a seed, counted fairly, gone on with where a run stopped."""

from __future__ import annotations

import json
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from engine.names import FACE_DOWN, THEATERS
from engine.places import PLACES, Place
from engine.sight import SeenCard, Sight, sight_of
from host.bench.doubt_fit import doubts_with, fitted
from host.bench.drawn import Facts, draw, random_table, which
from host.bench.reliability import calibration_error, draw_curve, log_loss, points
from host.bench.scores import by_condition
from host.bench.tables import read_before, table_row

ORDER = ("S", "A", "L")
NOTHING: dict[Place, tuple[str, ...]] = dict.fromkeys(PLACES, ())
FACTS = {
    "kind": "day", "look": "bright", "deck": 0, "tilt": 3.0, "scale": 2.3, "noise": 2.0, "strip": 21.0, "turn": 2.0,
    "cards": 2, "highest": 2, "left": 1.0,
}  # fmt: skip
LIES = {**NOTHING, ("A", "near"): ("A1", FACE_DOWN)}


def row(seen: list[list[Any]], sure: bool = True, **facts: Any) -> dict[str, Any]:
    """A table with `A1` and a back in `A/near`, of which `seen` was read."""
    stack = tuple(SeenCard(face, p, (), False) for face, p in seen)
    sight = Sight(ORDER, MappingProxyType({**NOTHING, ("A", "near"): stack}), sure, ())  # type: ignore[arg-type]
    counts = table_row(LIES, ORDER, sight)  # type: ignore[arg-type]
    return {**counts, "table": 0, "seen": {"A/near": seen}, "truth": {"A/near": list(LIES["A", "near"])}} | {
        "facts": FACTS | facts
    }


def test_a_table_read_as_it_lies_is_right() -> None:
    sight = sight_of({**NOTHING, ("A", "near"): ("A1", FACE_DOWN)}, ORDER)  # type: ignore[arg-type]
    assert table_row(LIES, ORDER, sight)["right"]  # type: ignore[arg-type]
    assert not table_row(LIES, ("A", "S", "L"), sight)["right"]  # type: ignore[arg-type]


def test_a_card_too_many_or_too_few_makes_a_table_wrong() -> None:
    assert not row([["A1", 1.0]])["right"]
    more = row([["A1", 1.0], [FACE_DOWN, 1.0], [FACE_DOWN, 1.0]])
    assert not more["right"] and (more["cards"], more["cards_right"]) == (3, 2)


def test_a_picture_without_a_sight_is_unsure_and_all_its_cards_are_missed() -> None:
    counts = table_row(LIES, ORDER, None)  # type: ignore[arg-type]
    assert counts == {"right": False, "sure": False, "cards": 2, "cards_right": 0}


def test_scores_are_told_by_condition() -> None:
    right, wrong = [["A1", 1.0], [FACE_DOWN, 1.0]], [["A2", 1.0], [FACE_DOWN, 1.0]]
    rows = [row(right, kind="lamp"), row(wrong, kind="dim"), row(wrong, sure=False, kind="dim", strip=12.0)]
    scores = by_condition(rows)
    assert (scores["all"]["all"].right_and_sure, scores["all"]["all"].wrong_and_sure) == (1, 1)
    assert scores["light"]["dim"].wrong_unsure == 1
    assert scores["beyond what is asked"]["a strip below 15 mm"].tables == 1


def test_doubts_that_come_true_as_often_as_said_have_no_error() -> None:
    doubts = [(0.75, k % 4 != 0) for k in range(400)]
    assert calibration_error(doubts) == pytest.approx(0)
    assert calibration_error([(0.75, True)] * 9) == pytest.approx(0.25)
    assert log_loss([(1.0, True)]) == 0 and log_loss([(1.0, False)]) > 9
    assert sum(n for _, _, n in points(doubts)) == 400


def test_the_fit_doubts_as_much_as_the_cards_were_wrong() -> None:
    nats = {"A1": 0.0, "L1": 2.0}
    often, seldom = (
        [{"table": k, "doubts": [["A1" if k % every else "L1", True, 0.9, nats, {"hue": 0.0}]]} for k in range(60)]
        for every in (3, 30)
    )
    assert fitted(often).temperature > fitted(seldom).temperature
    said = [p for p, _ in doubts_with(often, fitted(often))]
    assert sum(said) / len(said) == pytest.approx(2 / 3, abs=0.08)


def test_the_curve_is_drawn(tmp_path: Path) -> None:
    draw_curve([row([["A1", 0.99], [FACE_DOWN, 0.6]])], tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_a_table_is_the_same_every_time_and_kept_for_the_next(tmp_path: Path) -> None:
    one, two = draw(3, 6), draw(3, 6, tmp_path)
    assert one == two == draw(3, 6, tmp_path)
    assert one.facts.kind == "hd720"
    assert one.facts.cards == sum(map(len, one.truth.values()))


def test_every_light_and_deck_takes_its_turn() -> None:
    assert len({which(index) for index in range(96)}) == 96


def test_a_tall_table_has_a_stack_of_six_to_nine() -> None:
    import numpy as np

    highest = [max(map(len, random_table(np.random.default_rng(k), tall=True).values())) for k in range(40)]
    assert min(highest) >= 6 and max(highest) == 9


def test_a_run_that_was_killed_goes_on_with_the_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"table": 4}) + "\n" + '{"table": 5, "ri')
    assert list(read_before(path)) == [4]


def test_facts_name_a_theater_order() -> None:
    assert set(draw(3, 0).order) == set(THEATERS)
    assert isinstance(draw(3, 0).facts, Facts)
