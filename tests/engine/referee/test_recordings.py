"""Given the still tables of the filmed games, then moves, mistakes and ends are those that were filmed."""

from __future__ import annotations

import json

import pytest

from engine.events import BattleOver, Closed, MoveMade, Tick, Violation
from engine.names import SEATS, THEATERS, parse_order
from engine.records.json_codec import move_to_json
from engine.referee import new_belief, observe, tell
from engine.sight import sight_of
from engine.strength import control, totals

KEYS = ("by", "do", "card", "to", "side", "at", "from", "index")


def bare(move, stacks):
    """What an onlooker can tell of a move, the lowest of equal cards."""
    kept = {key: move[key] for key in KEYS if key in move and not (key == "card" and move["do"] != "deploy")}
    if "index" in kept:
        column, nth = stacks[kept.get("from") or kept["at"]][kept["by"]], kept["index"]
        while nth > 0 and column[nth - 1] == column[nth]:
            nth -= 1
        kept["index"] = nth
    return kept


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", ["dunes-day", "dunes-sleeve-first", "tundra-lamp-mistakes"])
@pytest.mark.parametrize("known_first", [True, False])
def test_the_tables_of_a_film(shared, name, known_first):
    rows = [json.loads(line) for line in (shared / "recordings" / f"{name}.jsonl").read_text().splitlines()]
    game, steps = rows[0]["game"], rows[1:]
    belief = new_belief(game["edition"], game["first"] if known_first else None)
    told, wrongs, ends, true = [], [], [], []
    stacks = steps[0]["board"]
    for step in steps:
        board = {(t, s): tuple(step["board"][t][s]) for t in THEATERS for s in SEATS}
        t, events = step["t0"] + 0.4, []
        verdict = observe(belief, sight_of(board, parse_order(step["order"])), t)
        while True:
            belief = verdict.belief
            events += verdict.events
            if t >= step["t1"]:
                break
            t += 1 / 15
            verdict = tell(belief, Tick(), t)
        wrongs += [(event.code, step["violation"]["kind"]) for event in events if isinstance(event, Violation)]
        assert any(isinstance(event, Violation) for event in events) == ("violation" in step)
        for event in events:
            if isinstance(event, MoveMade) and event.move.do not in ("decline", "withdraw"):
                told.append(bare(move_to_json(event.move), stacks))
                last = event.state
        true += [bare(m, stacks) for m in step["moves"] if m["do"] not in ("decline", "withdraw")
                 and "destroyed_by" not in m]  # fmt: skip
        assert told == true
        if step["moves"] and told and "end" not in step:
            assert control(last) == step["after"]["control"]
            sums = iter(totals(last.order, last.piles))
            assert {t: {s: next(sums) for s in SEATS} for t in THEATERS} == step["after"]["strength"]
        if "violation" not in step:
            stacks = step["board"]
        ends += [event for event in events if isinstance(event, BattleOver)]
    ends += [event for event in tell(belief, Closed(), t).events if isinstance(event, BattleOver)]
    assert all(code == kind for code, kind in wrongs)
    end = steps[-1]["end"]
    assert [(e.winner, e.points, e.why) for e in ends] == [(end["winner"], end["points"], end["why"])]
