"""Setting up, turns, winter, and intel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.fog.actions import (
    AnswerIntel,
    Begin,
    Defend,
    EndTurn,
    Intel,
    NewOperation,
    PlaceBeforehand,
    ReinforceOperation,
    ReminderDone,
)
from engine.fog.board import FogBoard
from engine.fog.board_file import built_in
from engine.fog.checklist import checklist
from engine.fog.play import play
from engine.fog.refusal import ForbiddenAction, FromYourBox
from engine.fog.state import Game, sector_of, start


def status(game: Game, paragraph: str) -> str:
    return next(item.status for item in checklist(game) if item.paragraph == paragraph)


# Setting up


def test_the_first_turn_begins_as_the_memo_sets_the_table(begun: Game) -> None:
    state = begun.state
    assert (state.year, state.points, state.turn, state.token) == (1940, 0, "axis", "axis")
    assert (state.axis.production, state.allies.production) == (8, 6)
    assert (state.axis.intel, state.allies.intel) == (5, 7)
    assert (state.axis.hand, state.allies.hand) == (3, 3)
    # 1.11 and 2.2: both wheels on Foxtrot, and the first turn's on Alpha
    assert (state.axis.wheel, state.allies.wheel) == (0, 5)


def test_the_set_up_is_a_list_to_tick(demo_board: FogBoard) -> None:
    game = start(demo_board)
    assert [item.paragraph for item in checklist(game)] == [f"1.{n}" for n in range(1, 14)]
    assert status(game, "1.3") == "open"
    assert status(play(game, ReminderDone("1.3")).game, "1.3") == "done"


def test_the_allies_lay_out_up_to_three_cards_in_different_provinces(demo_board: FogBoard) -> None:
    game = start(demo_board)
    placed = play(game, PlaceBeforehand(("lutta", "fjords"))).game
    assert placed.state.allies.deck == game.state.allies.deck - 2
    # placing again replaces
    again = play(placed, PlaceBeforehand(("white-isle",))).game
    assert (again.state.allies.deck, again.state.ground("lutta").allies) == (game.state.allies.deck - 1, 0)
    for keys in (("lutta", "lutta"), ("karst",), ("lutta", "fjords", "white-isle", "grey-sea")):
        with pytest.raises(ForbiddenAction):
            play(game, PlaceBeforehand(keys))


def test_a_board_that_lacks_something_asks_for_it_before_the_first_turn() -> None:
    with pytest.raises(FromYourBox) as asked:
        play(start(built_in("memo")), Begin())
    assert asked.value.ask == "province.ural.start"


def test_the_neutral_cards_must_have_their_areas(demo_board: FogBoard) -> None:
    board = replace(demo_board, neutral_areas=4)
    with pytest.raises(ForbiddenAction, match="5 provinces are marked"):
        play(start(board), Begin())


# Turns


def test_a_card_must_be_played_if_one_is_held(begun: Game) -> None:
    with pytest.raises(ForbiddenAction) as refused:
        play(begun, EndTurn())
    assert (refused.value.code, refused.value.paragraph) == ("must-play", "2.9")
    assert status(begun, "2.9") == "open"
    game = play(begun, Defend("karst", 1)).game
    assert status(game, "2.9") == "done"
    assert play(game, EndTurn()).game.state.turn == "allies"


def test_the_hand_is_filled_up_to_three_and_the_others_wheel_turns(begun: Game) -> None:
    game = play(play(begun, Defend("karst", 2)).game, EndTurn()).game
    assert (game.state.axis.hand, game.state.axis.deck) == (3, begun.state.axis.deck - 2)
    assert game.state.allies.wheel == 0


def test_defence_lies_in_own_and_neutral_provinces_only(begun: Game) -> None:
    play(begun, Defend("fjords", 1))
    with pytest.raises(ForbiddenAction, match="belongs to the opponent"):
        play(begun, Defend("lutta", 1))


def test_an_operation_grows_older_with_every_turn_of_the_wheel(begun: Game) -> None:
    game = play(begun, NewOperation(1)).game
    assert sector_of(game.state.axis, 0) == 0
    for _ in range(2):
        game = play(game, EndTurn()).game
        if game.state.turn == "allies":
            game = play(game, Defend("lutta", 1)).game
    assert game.state.turn == "axis"
    assert sector_of(game.state.axis, 0) == 1
    assert play(game, ReinforceOperation(0, 2)).game.state.axis.operations[0] == 3


def test_the_first_empty_deck_brings_winter_and_short_turns(begun: Game, changed: Callable[..., Game]) -> None:
    # given one card left in the deck of the Axis
    game = changed(begun, axis=replace(begun.state.axis, deck=1, discard=8))
    game = play(play(game, Defend("karst", 2)).game, EndTurn()).game
    assert game.state.winter
    game = play(play(game, Defend("lutta", 1)).game, EndTurn()).game
    # then the Axis may work on the wheel, but not defend, and need not play
    with pytest.raises(ForbiddenAction) as refused:
        play(game, Defend("karst", 1))
    assert refused.value.paragraph == "2.10.1"
    assert play(game, NewOperation(1)).game.state.axis.operations[game.state.axis.wheel] == 1
    assert play(game, EndTurn()).game.state.turn == "allies"


def test_both_decks_empty_end_the_year(begun: Game, changed: Callable[..., Game]) -> None:
    game = changed(begun, axis=replace(begun.state.axis, deck=1, hand=3), allies=replace(begun.state.allies, deck=0))
    game = play(play(game, Defend("karst", 1)).game, EndTurn()).game
    assert (game.state.phase, game.state.stage, game.state.turn) == ("year-end", "3.1", "allies")


# Intel


def test_intel_is_declared_cancelled_and_insisted_on(begun: Game) -> None:
    # given a card in Lutta; the Axis asks in the middle of its turn for two tokens
    game = begun._replace(state=begun.state.with_ground(replace(begun.state.ground("lutta"), allies=4)))
    game = play(game, Intel("lutta")).game
    assert (game.state.axis.intel, game.state.axis.intel_used) == (3, 2)
    # the Allies cancel for two, the Axis insists for one, the Allies let it be
    game = play(game, AnswerIntel(True)).game
    assert game.state.allies.intel == 5
    game = play(game, AnswerIntel(True)).game
    assert game.state.axis.intel == 2
    played = play(game, AnswerIntel(False))
    looked = next(effect for effect in played.effects if effect.code == "cards-looked-at")
    assert dict(looked.parts) == {"side": "axis", "n": 2, "pile": 4}
    assert played.game.state.bid is None


def test_intel_that_is_not_insisted_on_fails(begun: Game) -> None:
    game = begun._replace(state=begun.state.with_ground(replace(begun.state.ground("lutta"), allies=1)))
    game = play(play(game, Intel("lutta")).game, AnswerIntel(True)).game
    played = play(game, AnswerIntel(False))
    assert [effect.code for effect in played.effects] == ["intel-fails"]


def test_intel_for_one_token_closes_the_turn(begun: Game) -> None:
    game = begun._replace(state=begun.state.with_ground(replace(begun.state.ground("lutta"), allies=1)))
    with pytest.raises(ForbiddenAction, match="must play"):
        play(game, Intel("lutta", ends_turn=True))
    game = play(play(game, Defend("karst", 1)).game, Intel("lutta", ends_turn=True)).game
    game = play(game, AnswerIntel(False)).game
    assert game.state.axis.intel == 4
    with pytest.raises(ForbiddenAction, match="ends the turn"):
        play(game, Defend("karst", 1))
    assert play(game, EndTurn()).game.state.turn == "allies"


def test_the_newest_operation_cannot_be_looked_at(begun: Game, changed: Callable[..., Game]) -> None:
    rival = replace(begun.state.allies, wheel=1, operations=(2, 2, None, None, None, None))
    game = changed(begun, allies=rival)
    with pytest.raises(ForbiddenAction) as refused:
        play(game, Intel(slot=1))
    assert refused.value.code == "no-intel"
    assert play(game, Intel(slot=0)).game.state.bid is not None


def test_the_allies_look_freely_where_they_may_and_at_unchosen_objectives(
    begun: Game, changed: Callable[..., Game]
) -> None:
    allies = changed(begun, turn="allies")
    with pytest.raises(ForbiddenAction) as refused:
        play(allies, Intel("birch-march", "neutral"))
    assert (refused.value.code, refused.value.paragraph) == ("look-free", "1.13")
    assert play(allies, Intel()).game.state.bid is not None
    with pytest.raises(ForbiddenAction, match="Only the Allies"):
        play(begun, Intel())
    assert play(begun, Intel("birch-march", "neutral")).game.state.bid is not None


def test_a_side_that_cannot_pay_cannot_answer(begun: Game, changed: Callable[..., Game]) -> None:
    game = changed(begun, replace(begun.state.ground("lutta"), allies=1), allies=replace(begun.state.allies, intel=1))
    played = play(game, Intel("lutta"))
    assert "cannot-answer" in [effect.code for effect in played.effects]
    assert played.game.state.bid is None
