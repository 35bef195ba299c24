"""Whole games: counts against piles that exist, undo, JSON, and the five years as text."""

from __future__ import annotations

import doctest
import json
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.failure import BadInput
from engine.fog.actions import CorrectCamp, CorrectProvince, Defend, FogAction, NewOperation, Spend
from engine.fog.board import FogBoard
from engine.fog.board_file import built_in
from engine.fog.codec import (
    action_from_json,
    action_to_json,
    board_from_json,
    state_from_json,
    to_json,
)
from engine.fog.names import SIDES
from engine.fog.play import History, play
from engine.fog.refusal import ForbiddenAction
from engine.fog.report import report
from engine.fog.sentences import english
from engine.fog.simulation import Simulation, simulate
from engine.fog.state import Bid, Camp, FogState, Game, cards_of, start

GOLDEN = Path(__file__).parent / "golden"
SEEDS = st.integers(0, 10_000)


def golden_actions() -> list[FogAction]:
    lines = (GOLDEN / "five-years.jsonl").read_text("utf-8").splitlines()
    return [action_from_json(json.loads(line)) for line in lines]


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_every_count_is_that_of_a_pile_that_exists(seed: int) -> None:
    board = built_in("demo")
    game, players = start(board), Simulation(board, Random(seed))
    while game.state.phase != "over":
        action = players.choose(game)
        after = play(game, action).game
        players.follow(game, action, after)
        for side in SIDES:
            camp, piles = after.state.camp(side), players.piles[side]
            counted = (camp.deck, camp.hand, camp.discard, camp.wins, camp.losses)
            assert counted == tuple(map(len, (piles.deck, piles.hand, piles.discard, piles.wins, piles.losses)))
            for slot, n in enumerate(camp.operations):
                assert (n is None) == (slot not in piles.operations)
                assert n is None or n == len(piles.operations[slot][1])
            for ground in after.state.grounds:
                assert ground.cards(side) == len(piles.provinces.get(ground.key, []))
        game = after


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_cards_come_and_go_only_where_the_memo_says_so(seed: int) -> None:
    game = start(built_in("demo"))
    entering = ("2.6", "3.8", "3.9", "3.12")
    for action in simulate(game, Random(seed)):
        before = {side: cards_of(game.state, side) for side in SIDES}
        game, effects = play(game, action)
        came = {side: cards_of(game.state, side) - before[side] for side in SIDES}
        told = dict.fromkeys(SIDES, 0)
        for effect in effects:
            if effect.paragraph in entering and isinstance(effect.parts.get("n"), int):
                told["axis" if effect.parts.get("side") == "axis" else "allies"] += int(str(effect.parts["n"]))
        assert came == told


@settings(max_examples=10, deadline=None)
@given(SEEDS, st.integers(1, 30))
def test_undo_restores_what_was_and_redo_what_became(seed: int, back: int) -> None:
    begun = start(built_in("demo"))
    history = History(begun)
    games = [begun]
    for action in simulate(begun, Random(seed), most=60):
        history = history.played(action)
        games.append(history.game)
    back = min(back, len(games) - 1)
    for n in range(1, back + 1):
        history = history.back()
        assert history.game == games[-1 - n]
    for n in range(back, 0, -1):
        history = history.again()
        assert history.game == games[-n]
    with pytest.raises(ForbiddenAction, match="nothing to do again"):
        history.again()


@settings(max_examples=10, deadline=None)
@given(SEEDS)
def test_a_game_that_is_written_and_read_is_the_same(seed: int) -> None:
    game = start(built_in("demo"))
    for action in simulate(game, Random(seed), most=120):
        assert action_from_json(json.loads(json.dumps(action_to_json(action)))) == action
        game = play(game, action).game
        assert state_from_json(json.loads(json.dumps(to_json(game.state)))) == game.state
    assert board_from_json(json.loads(json.dumps(to_json(game.board)))) == game.board


@pytest.mark.parametrize(
    "read",
    [
        None,
        [],
        {"do": "fly"},
        {"do": "defend", "province": "karst"},
        {"do": "defend", "province": "karst", "cards": True},
        {"do": "defend", "province": "karst", "cards": 10**9},
        {"do": "defend", "province": "k" * 1000, "cards": 1},
        {"do": "defend", "province": "karst", "cards": 1, "secret": 1},
        {"do": "objectives", "provinces": ["karst"]},
        {"do": "tick", "paragraph": "1.1", "done": "yes"},
        {"do": "spend", "on": "rockets"},
        {"do": "set-box", "box": {"win": {"times": "1e9999"}}},
        {"do": "set-box", "box": {"win": {"times": "1/0"}}},
    ],
)
def test_what_is_no_action_is_refused_by_name(read: object) -> None:
    with pytest.raises(BadInput) as bad:
        action_from_json(read)
    assert bad.value.remedy


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=9), lambda inner: st.lists(inner)))
def test_nothing_that_is_sent_breaks_the_reader(value: object) -> None:
    for kind in get_args(FogAction):
        with pytest.raises(BadInput):
            action_from_json({"do": kind.do, "nonsense": value})


def test_impossible_numbers_change_nothing(begun: Game) -> None:
    for cards in (0, -1, 4):
        with pytest.raises(ForbiddenAction):
            play(begun, Defend("karst", cards))
    with pytest.raises(ForbiddenAction):
        play(begun, Spend("recover"))
    with pytest.raises(ForbiddenAction):
        play(begun, CorrectCamp("axis", wheel=6))


def test_slips_are_put_right(begun: Game) -> None:
    game = play(begun, CorrectCamp("allies", hand=1, intel=4, token=True, points=12)).game
    assert (game.state.allies.hand, game.state.allies.intel, game.state.token, game.state.points) == (
        1,
        4,
        "allies",
        12,
    )
    game = play(game, CorrectProvince("fjords", "axis", 2, 0, 0)).game
    assert (game.state.ground("fjords").control, game.state.ground("fjords").neutral) == ("axis", 0)


def test_what_lies_face_down_has_no_place_in_the_record() -> None:
    """An operation is a number of cards until it is launched; intel and objectives are never written down."""
    assert [item.name for item in fields(NewOperation)] == ["cards"]
    assert [item.name for item in fields(Defend)] == ["province", "cards"]
    assert get_type_hints(Camp)["operations"] == tuple[int | None, ...]
    assert not {"objectives", "seen", "target"} & {
        item.name for item in (*fields(FogState), *fields(Camp), *fields(Bid))
    }


def test_five_years_as_text(demo_board: FogBoard) -> None:
    """Write it anew after a change of words: the report of golden/five-years.jsonl, read before it is committed."""
    assert report(start(demo_board), golden_actions()) == (GOLDEN / "five-years.md").read_text("utf-8")


def test_five_years_end_with_the_objectives(demo_board: FogBoard) -> None:
    history = History(start(demo_board))
    for action in golden_actions():
        history = history.played(action)
    result: Any = history.game.state.result
    assert (history.game.state.year, result.winner, result.why) == (1944, "axis", "objectives")


def test_a_list_of_nothing_is_not_led_to() -> None:
    """Where nothing falls with a province, and where there is no quagmire, nobody speaks of any."""
    fell = {"target": "britain", "passed": None}
    assert english("effect", "falls-with", fell) == "Britain falls for the first time."
    cut = {"target": "kiev", "quagmire": None, "foreign": None, "cut": ["odessa"]}
    assert english("refused", "no-supply", cut) == "Supply does not reach Kiev. Not supplied: Odessa."
    assert english("effect", "scored", {"n": 0, "parts": None, "total": 4}) == "Axis: victory points 0. Together 4."


def test_the_example_of_the_documentation_runs() -> None:
    text = (Path(__file__).resolve().parents[3] / "docs" / "fog.md").read_text("utf-8")
    example = doctest.DocTestParser().get_doctest(text, {}, "fog.md", None, 0)
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0
