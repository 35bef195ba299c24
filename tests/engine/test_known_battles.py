"""Battles with known answers: every step of every one, legal moves included."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.records.json_codec import ReplayStep, Stopped, battle_from_json, replay, result_to_json, step_to_json

ROOT = Path(__file__).resolve().parents[2]
FIELDS = ("board", "strength", "control", "turn", "pending", "hand")


def canonical(moves: list[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps({k: v for k, v in m.items() if v is not None}, sort_keys=True) for m in moves)


def test_every_step_agrees_with_the_known_answer(known_battles: list[dict[str, Any]]) -> None:
    assert len(known_battles) > 100
    for row in known_battles:
        what = row.get("source", row["input"])
        expected = row["expect"]
        told = list(replay(battle_from_json(row["input"])))
        steps = [s for s in told if isinstance(s, ReplayStep)]
        stopped = [s for s in told if isinstance(s, Stopped)]
        assert [s.at for s in stopped] == ([] if expected["error_at"] is None else [expected["error_at"]]), what
        for step, right in zip(steps, expected["steps"], strict=True):
            answer = step_to_json(step, legal=True)
            assert {f: answer[f] for f in FIELDS if f in right} == {f: right[f] for f in FIELDS if f in right}, what
            if row.get("fates", True):
                assert answer.get("destroyed") == right.get("destroyed"), what
                assert answer.get("by_card") == right.get("by_card"), what
            if "legal" in right:
                assert canonical(answer["legal"]) == canonical(right["legal"]), what
        if not stopped:
            assert result_to_json(steps[-1].state.result) == expected["result"], what


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", ["battles", "edges"])
def test_the_full_check_agrees(shared: Path, name: str) -> None:
    check = [sys.executable, str(shared / "check/judge_check.py"), str(shared / f"rules/{name}.jsonl.gz")]
    run = subprocess.run([*check, "--project", str(ROOT)], capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert " 0 wrong" in run.stdout
