"""Every numbered paragraph of the memo has its place, and what is computed, tracked or reminded of says so."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from engine.fog.actions import Begin, CorrectCamp, Launch, Reveal, Spend
from engine.fog.board import CUT_OFF, open_questions
from engine.fog.board_file import built_in
from engine.fog.checklist import ChecklistItem, checklist
from engine.fog.codec import action_from_json
from engine.fog.paragraphs import PARAGRAPHS
from engine.fog.play import play
from engine.fog.refusal import ForbiddenAction
from engine.fog.sentences import english_texts
from engine.fog.simulation import simulate
from engine.fog.state import start
from engine.fog.strength import FogCard, strengths

ROOT = Path(__file__).resolve().parents[3]
MEMO = ROOT.parent / "shared" / "rulebooks" / "ru-fog-of-war-memo.txt"
NUMBERED = (
    [f"1.{n}" for n in range(1, 14)]
    + ["2.1", "2.2", "2.3", "2.4", *(f"2.4.{n}" for n in range(1, 8)), *(f"2.{n}" for n in range(5, 10))]
    + ["2.10", "2.10.1", "2.10.2", "2.11", "3.1", "3.2", "3.3", "3.4", "3.5", *(f"3.5.{n}" for n in range(1, 6))]
    + [*(f"3.{n}" for n in range(6, 12)), "3.11.1", "3.11.2", "3.12"]
)
ACTIONS = ["act.1", "act.2", "act.3", "act.4", *(f"act.5.{n}" for n in range(1, 12)), "act.12"]
STRENGTH = [f"str.{n}" for n in range(1, 7)]
OUTCOMES = [
    f"{name}.{n}"
    for name, most in (("win", 7), ("quagmire", 4), ("defeat", 3), ("rout", 4))
    for n in range(1, most + 1)
]


def test_the_list_is_the_memos() -> None:
    assert set(PARAGRAPHS) == {"goal", "supply", "cards", *NUMBERED, *ACTIONS, *STRENGTH, *OUTCOMES}


@pytest.mark.needs_shared
def test_the_numbers_are_those_of_the_memo_itself() -> None:
    if not MEMO.exists():
        pytest.skip("../shared is not there")
    numbers = re.findall(r"^(\d\.\d+(?:\.\d)?)\. ", MEMO.read_text("utf-8"), re.M)
    # 1.5 is the one that the memo leaves out
    assert [*sorted(numbers), "1.5"] == [*sorted(n for n in NUMBERED if n != "1.5"), "1.5"]


def cited() -> set[str]:
    """Every paragraph that something said by the program carries, in games that are played to their end."""
    board = built_in("demo")
    found: set[str] = {question.paragraph for question in open_questions(built_in("memo"))}
    golden = (Path(__file__).parent / "golden" / "five-years.jsonl").read_text("utf-8").splitlines()
    scripts = [[action_from_json(json.loads(line)) for line in golden]]
    scripts += [simulate(start(board), Random(seed)) for seed in (578, 260, 7)]
    for actions in scripts:
        game = start(board)
        for action in actions:
            found |= {item.paragraph for item in checklist(game)}
            game, effects = play(game, action)
            found |= {effect.paragraph for effect in effects}
            battle = game.state.battle
            if battle is not None:
                sums = strengths(game, battle, (FogCard(3),), (FogCard(2, "fort"),), (1,), game.state.token)
                found |= {part.paragraph for summed in sums for part in summed.parts}
    return found


def seldom() -> set[str]:
    """What few games come to: a correction, production out of season, zeros only, the seventieth point bought."""
    game = play(start(built_in("demo")), Begin()).game
    found = {effect.paragraph for effect in play(game, CorrectCamp("axis", hand=2)).effects}
    with pytest.raises(ForbiddenAction) as refused:
        play(game, Spend("points"))
    found.add(refused.value.paragraph)
    axis = replace(game.state.axis, wheel=2, operations=(1, None, None, None, None, None))
    launched = play(game._replace(state=replace(game.state, axis=axis)), Launch(0, "lutta", "iron-vale")).game
    found |= {effect.paragraph for effect in play(launched, Reveal((FogCard(0),))).effects}
    rich = replace(game.state, phase="year-end", stage="3.4", budget=2, points=69)
    return found | {effect.paragraph for effect in play(game._replace(state=rich), Spend("points")).effects}


def test_every_paragraph_is_said_somewhere_in_a_game() -> None:
    assert set(PARAGRAPHS) - cited() - seldom() == set()


def test_what_the_memo_cuts_off_is_asked_for_and_never_assumed() -> None:
    asked = {question.paragraph for question in open_questions(built_in("memo"))}
    assert set(CUT_OFF) <= asked
    assert {paragraph for paragraph, kind in PARAGRAPHS.items() if kind == "asked"} <= asked
    assert {"win", "rout", "act.5.1", "3.8", "3.12"} <= asked


def codes(function: str, place: int) -> set[str]:
    """The texts that stand at this place of every call of `function` in the package."""
    found: set[str] = set()
    for path in (ROOT / "engine" / "fog").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == function and len(node.args) > place:
                given = node.args[place]
                ends = [given.body, given.orelse] if isinstance(given, ast.IfExp) else [given]
                found |= {end.value for end in ends if isinstance(end, ast.Constant) and isinstance(end.value, str)}
    return found


def test_every_code_that_can_be_said_has_its_sentence() -> None:
    texts = english_texts()
    refused = codes("ForbiddenAction", 0) | codes("need", 1) | {"from-your-box"}
    assert refused == set(texts["refused"]) == set(texts["remedy"])
    said = codes("done", 1) | codes("remind", 1)
    assert said <= set(texts["effect"]), said - set(texts["effect"])
    # Codes that are put together: what was bought, and how a battle or the objectives decided.
    made = {f"bought-{what}" for what in ("recover", "track", "intel", "points")} | {"objectives", "no-objectives"}
    made |= {"outcome", "rout-without-cards"}
    assert set(texts["effect"]) - said == made
    assert {item for _, item, _, _ in lines()} <= set(texts["check"]) | set(texts["effect"])
    assert {
        question.ask.rpartition(".")[2]
        for question in open_questions(built_in("memo"))
        if not question.ask.startswith("note")
    } <= set(texts["field"])


def lines() -> list[ChecklistItem]:
    game, found = start(built_in("demo")), []
    for action in simulate(game, Random(1)):
        found += checklist(game)
        game = play(game, action).game
    return found
