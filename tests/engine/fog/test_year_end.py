"""The end of a year step by step, politics, and the end of the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fog.actions import CancelOperation, Launch, Next, Objectives, Recall, Spend
from engine.fog.checklist import checklist
from engine.fog.play import play
from engine.fog.refusal import ForbiddenAction, FromYourBox
from engine.fog.scoring import budget, score, split
from engine.fog.state import Camp, Game, cards_of
from engine.fog.year_end import ending_year


@pytest.fixture
def ended(begun: Game, changed: Callable[..., Game]) -> Game:
    """The end of 1940: both decks are empty, the Axis has the +1."""
    axis = Camp(hand=1, discard=5, wins=3, losses=4, intel=2, intel_used=3, production=8)
    allies = Camp(hand=0, discard=4, wins=2, losses=6, intel=7, production=6, wheel=3)
    return changed(begun, phase="year-end", stage="3.1", turn="allies", axis=axis, allies=allies, winter=True)


def to(game: Game, stage: str) -> Game:
    while game.state.stage != stage:
        game = play(game, Next()).game
    return game


def test_the_steps_of_the_year_follow_the_memo(ended: Game) -> None:
    assert [item.paragraph for item in checklist(ended)] == [
        "3.1",
        "3.2",
        "3.3",
        "3.4",
        "3.6",
        "3.7",
        "3.10",
        "3.11",
        "3.12",
    ]


def test_the_last_step_still_belongs_to_the_year_that_ends(ended: Game) -> None:
    """The marker stands at 1941 already, but the steps are those of 1940."""
    last = to(ended, "3.12")
    assert last.state.year == 1941
    assert ending_year(last.state) == 1940
    lines = [(item.paragraph, item.status) for item in checklist(last)]
    assert ("3.7", "done") in lines and lines[-1] == ("3.12", "open")
    assert "3.8" not in dict(lines)


def test_the_axis_scores_the_points_printed_on_its_provinces(ended: Game) -> None:
    found = score(ended)
    assert found.total == sum(part.value for part in found.parts) == 7
    assert play(ended, Next()).game.state.points == 7


@given(st.integers(0, 60))
def test_a_win_pile_is_dealt_out_one_by_one_beginning_with_the_discard_pile(n: int) -> None:
    dealt = ["discard" if i % 2 == 0 else "losses" for i in range(n)]
    assert split(n) == (dealt.count("discard"), dealt.count("losses"))


def test_piles_and_tokens_go_back(ended: Game) -> None:
    state = to(ended, "3.4").state
    assert (state.axis.discard, state.axis.losses, state.axis.wins) == (7, 5, 0)
    assert (state.axis.intel, state.axis.intel_used) == (5, 0)


def test_production_is_the_smaller_of_resources_and_track_and_the_side_without_the_token_begins(ended: Game) -> None:
    game = to(ended, "3.4")
    found = budget(game, "allies")
    assert (found.total, found.track, found.resources.total) == (6, 6, 12)
    assert (game.state.turn, game.state.budget) == ("allies", 6)
    game = play(play(game, Spend("recover", 5)).game, Spend("intel")).game
    assert (game.state.allies.losses, game.state.allies.intel, game.state.budget) == (2, 9, 0)
    with pytest.raises(ForbiddenAction, match="this costs 1"):
        play(game, Spend("track"))
    game = play(game, Next()).game
    # Axis: 8 on the track, 9 from provinces
    assert (game.state.turn, game.state.budget) == ("axis", 8)
    game = play(play(game, Spend("points", 3)).game, Spend("track", 2)).game
    assert (game.state.points, game.state.axis.production, game.state.budget) == (10, 10, 0)


def test_only_the_axis_buys_points_and_the_track_has_an_end(ended: Game) -> None:
    game = to(ended, "3.4")
    with pytest.raises(ForbiddenAction, match="Only the Axis"):
        play(game, Spend("points"))
    short = game._replace(board=replace(game.board, box=replace(game.board.box, track_end=6)))
    with pytest.raises(ForbiddenAction, match="ends at 6"):
        play(short, Spend("track"))


def test_allied_production_does_not_count_after_1944(ended: Game, changed: Callable[..., Game]) -> None:
    game = to(changed(ended, year=1944), "3.4")
    assert (game.state.turn, game.state.budget) == ("allies", 0)


def test_cards_are_recalled_from_field_and_wheel_but_not_from_a_quagmire(
    ended: Game, changed: Callable[..., Game]
) -> None:
    game = changed(to(ended, "3.6"), turn="axis")
    mired = replace(game.state.ground("fjords"), axis=1, quagmire="axis")
    wheel = replace(game.state.axis, operations=(2, 3, None, None, None, None))
    game = changed(game, replace(game.state.ground("karst"), axis=2), mired, axis=wheel)
    owned = cards_of(game.state, "axis")
    game = play(game, Recall(2, province="karst")).game
    game = play(game, Recall(1, slot=0)).game
    game = play(game, CancelOperation(1)).game
    assert game.state.axis.operations == (1, None, None, None, None, None)
    assert game.state.axis.discard == wheel.discard + 6
    assert cards_of(game.state, "axis") == owned
    with pytest.raises(ForbiddenAction, match="cannot be recalled from the quagmire"):
        play(game, Recall(1, province="fjords"))


def test_the_next_year_begins_with_the_larger_deck(ended: Game) -> None:
    game = to(ended, "3.12")
    assert (game.state.year, game.state.winter) == (1941, False)
    # 3.10: one card was still in the Axis' hand, and the box says: up to three
    assert (game.state.axis.hand, game.state.axis.deck) == (3, 5)
    assert (game.state.allies.hand, game.state.allies.deck) == (3, 2)
    game = play(game, Next()).game
    # 3.12: reinforcements of 1941; 2.1: the larger deck begins
    assert (game.state.axis.losses, game.state.allies.losses) == (7, 8)
    assert (game.state.phase, game.state.turn, game.state.axis.wheel) == ("turn", "axis", 0)


def test_equal_decks_leave_the_first_turn_to_the_axis(ended: Game, changed: Callable[..., Game]) -> None:
    game = to(ended, "3.12")
    for axis, allies, first in ((4, 4, "axis"), (4, 5, "allies"), (5, 4, "axis")):
        decks = changed(game, axis=replace(game.state.axis, deck=axis), allies=replace(game.state.allies, deck=allies))
        assert play(decks, Next()).game.state.turn == first


def test_what_happens_to_a_hand_at_the_years_end_is_asked_only_if_there_is_one(
    ended: Game, changed: Callable[..., Game]
) -> None:
    silent = ended._replace(board=replace(ended.board, box=replace(ended.board.box, hand_at_year_end=None)))
    with pytest.raises(FromYourBox) as asked:
        to(silent, "3.12")
    assert asked.value.ask == "box.hand_at_year_end"
    empty = changed(silent, axis=replace(silent.state.axis, hand=0))
    assert to(empty, "3.12").state.axis.hand == 3


# Politics


def test_the_balkans_join_the_axis_unless_it_attacked_them(ended: Game, changed: Callable[..., Game]) -> None:
    assert to(ended, "3.10").state.ground("three-rivers").control == "axis"
    assert to(ended, "3.10").state.ground("three-rivers").neutral == 1
    attacked = changed(ended, happened=("balkans-attacked",))
    assert to(attacked, "3.10").state.ground("three-rivers").control == "allies"


def test_the_usa_enters_after_1941_and_the_ussr_after_1942(ended: Game, changed: Callable[..., Game]) -> None:
    game = to(changed(ended, year=1941), "3.10")
    assert "usa" in game.state.happened and game.state.allies.deck == 4
    game = to(changed(ended, year=1942), "3.10")
    assert "ussr" in game.state.happened
    assert game.state.ground("black-steppe").control == "allies"
    # if the Axis attacked before, nothing happens a second time
    game = changed(ended, year=1942, happened=("ussr",))
    assert "3.9" not in [item.paragraph for item in checklist(game)]


def test_an_attack_on_the_ussr_brings_it_into_the_war_before_the_battle(
    begun: Game, changed: Callable[..., Game]
) -> None:
    camp = replace(begun.state.axis, wheel=2, operations=(2, None, None, None, None, None))
    game = play(changed(begun, axis=camp), Launch(0, "birch-march", "midland")).game
    assert game.state.ground("far-ridge").control == "allies"
    assert game.state.allies.deck == begun.state.allies.deck + 4


def test_an_attack_on_the_balkans_is_remembered_in_1940_only(begun: Game, changed: Callable[..., Game]) -> None:
    camp = replace(begun.state.axis, wheel=2, operations=(2, None, None, None, None, None))
    for year, remembered in ((1940, True), (1941, False)):
        game = play(changed(begun, axis=camp, year=year), Launch(0, "three-rivers", "midland")).game
        assert ("balkans-attacked" in game.state.happened) is remembered


# The end of the game


def test_seventy_points_win_scored_or_bought(ended: Game, changed: Callable[..., Game]) -> None:
    game = play(changed(ended, points=63), Next()).game
    assert game.state.result is not None and (game.state.result.winner, game.state.phase) == ("axis", "over")
    game = changed(to(ended, "3.4"), turn="axis", budget=4, points=69)
    game = play(game, Spend("points")).game
    assert game.state.result is not None and game.state.result.why == "points"
    with pytest.raises(ForbiddenAction, match="The game is over"):
        play(game, Next())


def test_both_capitals_win_for_the_allies_at_once(begun: Game, changed: Callable[..., Game]) -> None:
    from engine.fog.actions import Reveal
    from engine.fog.strength import FogCard

    camp = Camp(hand=1, deck=3, wheel=2, operations=(1, None, None, None, None, None))
    held = replace(begun.state.ground("karst"), control="allies")
    game = play(changed(begun, held, allies=camp, turn="allies"), Launch(0, "iron-vale", "lutta")).game
    game = play(game, Reveal((FogCard(4),))).game
    assert game.state.result is not None
    assert (game.state.result.winner, game.state.result.why) == ("allies", "capitals")


@pytest.mark.parametrize(("held", "winner"), [(("fjords", "white-isle"), "axis"), (("fjords",), "allies")])
def test_after_1944_the_objectives_decide(
    ended: Game, changed: Callable[..., Game], held: tuple[str, ...], winner: str
) -> None:
    game = changed(ended, *(replace(ended.state.ground(key), control="axis") for key in held), year=1944)
    game = to(game, "3.11")
    with pytest.raises(ForbiddenAction, match="turns up its two objective cards"):
        play(game, Next())
    with pytest.raises(ForbiddenAction, match="on none of the six"):
        play(game, Objectives(("fjords", "karst")))
    game = play(game, Objectives(("fjords", "white-isle"))).game
    assert game.state.result is not None and game.state.result.winner == winner
