"""Play that goes on from mistakes, and ends that nobody makes clear: given, when, then."""

from __future__ import annotations

import pytest

from engine.events import Mended, Notice, Undone, Unsure, Violation, Withdraw
from engine.referee import belief_from_json, belief_to_json, best_state

# --- play goes on ----------------------------------------------------------------------------------------------------


def test_given_two_cards_of_one_seat_when_nobody_minds_then_it_is_told_once_and_play_goes_on(evening):
    table = evening()
    for columns in ({}, {"An": "-"}, {"An": "- -"}, {"An": "- -"}):
        table.see(wait=1, **columns)
    table.see(An="- -", Lf="L6", wait=1)
    assert belief_from_json(belief_to_json(table.belief)) == table.belief
    table.see(An="- -", Lf="L6", Sn="S6", wait=1)
    table.see(An="- -", Lf="L6 L4", Sn="S6", wait=1)
    assert table.mistakes == ["second-card"]
    assert [event.parts["mistake"] for event in table.of_kind(Notice) if event.code == "let-stand"] == ["second-card"]
    assert best_state(table.belief).hand_sizes == {"near": 3, "far": 4}


def test_given_a_card_laid_beneath_its_stack_when_the_other_plays_on_then_it_is_told_once(evening):
    table = evening().two_cards()
    table.see(An="A4 A6", Lf="L6", wait=3)
    table.see(An="A4 A6", Lf="L6 -", wait=4)
    assert table.mistakes == ["wrong-place-in-stack"]
    table.see(An="A6 A4", Lf="L6 -", wait=3)
    assert table.moves[2:] == ["near deploy A4 A", "far improvise L"]


def test_given_a_card_taken_home_when_its_player_lays_another_in_its_place_then_the_first_is_still_missing(evening):
    table = evening().two_cards()
    table.see(An="A6 -", Lf="L6")
    for _ in range(6):
        table.see(An="A6 -")
    for _ in range(6):
        table.see(An="A6 -", Lf="L4")
    assert table.mistakes == ["return-without-effect"] and table.of_kind(Mended) == []
    assert table.moves[-1] == "far deploy L4 L" and "header-hidden" not in table.notices
    for _ in range(4):
        table.see(An="A6 -", Lf="L4", Sn="-")
    for _ in range(4):
        table.see(An="A6 -", Lf="L4", Sn="-", Sf="-", wait=3)
    assert table.notices == ["let-stand"], "nobody put it back"
    assert best_state(table.belief).hand_sizes == {"near": 3, "far": 4}, "it is in far's hand again"


def test_given_a_card_in_the_wrong_theater_when_an_ambush_turns_it_down_then_no_effect_was_left_out(evening):
    table = evening()
    table.see()
    table.see(Ln="A6", wait=2)
    table.see(Ln="A6", Lf="L2", wait=1)
    table.see(Ln="-", Lf="L2", wait=1)
    table.see(Ln="- L4", Lf="L2", wait=2)
    assert table.mistakes == ["wrong-theater"] and best_state(table.belief).turn == "far"


def test_given_a_card_laid_on_the_other_side_when_it_is_pushed_over_then_nothing_was_destroyed_unseen(evening):
    table = evening()
    for columns in ({}, {"An": "A5"}, {"An": "A5", "Sf": "S6"}, {"An": "A5", "Sf": "S6", "Sn": "S1"}):
        table.see(**columns)
    table.see(An="A5", Sf="S6", Sn="S1", Ln="L6", wait=1)
    table.see(An="A5", Sf="S6", Sn="S1", Lf="L6", wait=2)
    assert table.moves[-1] == "far deploy L6 L"
    assert best_state(table.belief).hand_sizes == {"near": 4, "far": 4}


def test_given_a_card_carried_off_though_nothing_destroys_it_when_the_other_plays_then_it_belongs_back(evening):
    table = evening().two_cards()
    table.see(An="A6 A4", Lf="L6", wait=1)
    table.see(An="A6", Lf="L6", wait=3)
    for _ in range(5):
        table.see(An="A6", Lf="L6 L4")
    assert table.moves[2:] == ["near deploy A4 A", "far deploy L4 L"]
    (wrong,) = table.of_kind(Violation)
    assert (wrong.code, wrong.who, [(m.code, m.parts["card"]) for m in wrong.mend]) == (
        "return-without-effect",
        "near",
        [("put-back", "A4")],
    )
    table.see(An="A6 A4", Lf="L6 L4", wait=1)
    assert [event.code for event in table.of_kind(Mended)] == ["return-without-effect"]


# --- how a battle ended ----------------------------------------------------------------------------------------------


def test_given_a_last_card_told_as_one_to_destroy_when_all_is_gathered_in_then_it_was_played(evening):
    table = evening()
    hidden = "- - - - -"
    table.see()
    for nth in range(1, 6):
        table.see(An=hidden[: 2 * nth - 1], Af=hidden[: 2 * nth - 3] if nth > 1 else "")
        table.see(An=hidden[: 2 * nth - 1], Af=hidden[: 2 * nth - 1])
    table.see(An=hidden + " A5", Af=hidden)
    table.see(An=hidden + " A5", Af=hidden, Sf="-", wait=2)
    table.see(An=hidden + " A5", wait=1)
    table.see(wait=1)
    assert table.mistakes == ["should-be-destroyed"] and table.of_kind(Unsure) == []
    assert table.ends == [("near", 6, "played-out")]


def test_given_an_end_when_the_cards_are_turned_down_before_they_are_taken_up_then_no_battle_begins(evening):
    table = evening()
    near, far = table.all_but_the_last_card()
    table.see(An=near, Af=far + " A1", wait=6)
    assert len(table.ends) == 1
    before = len(table.events)
    table.see(An=near, Af=far + " -", wait=2)
    table.see(Af=far + " -", wait=2)
    assert table.events[before:] == []


def test_given_an_end_when_stacks_are_lifted_and_laid_back_to_be_counted_then_no_battle_begins(evening):
    table = evening()
    near, far = table.all_but_the_last_card()
    table.see(An=near, Af=far + " -", wait=6)
    before = len(table.events)
    for columns in ({"An": near}, {"An": near, "Af": far + " -"}, {"Af": far + " -"}, {"An": near, "Af": far + " -"}):
        table.see(wait=1, **columns)
    assert table.events[before:] == []


def test_given_a_silent_withdrawal_when_the_next_battle_is_dealt_before_anybody_looks_then_both_are_followed(evening):
    table = evening().two_cards()
    table.see(An="A6 A4", Lf="L6")
    table.order = "SAL"
    table.see(Sf="-", wait=1)
    assert table.ends == [("near", 2, "withdrew")] and table.moves == ["far improvise S"]


def test_given_a_deck_on_a_board_when_the_boards_are_rotated_then_it_was_no_first_card(evening):
    table = evening()
    near, far = table.all_but_the_last_card()
    table.see(An=near, Af=far + " -", wait=6)
    table.see(wait=1)
    table.see(Lf="-", wait=3)
    table.see(wait=6)
    table.order = "SAL"
    table.see(wait=1)
    table.see(Lf="L6", wait=1)
    assert len(table.ends) == 1 and table.moves == ["far deploy L6 L"] and len(table.of_kind(Undone)) == 1


@pytest.mark.parametrize("shown", ["A1", "L6"])
def test_given_an_optional_effect_after_the_last_card_when_hidden_cards_are_shown_then_nothing_is_told(evening, shown):
    table = evening()
    near, far = table.all_but_the_last_card()
    table.see(An=near, Af=far, Sf="S1", wait=2)
    table.see(An=near.rstrip()[:-1] + shown, Af=far, Sf="S1", wait=2)
    table.order = "SAL"
    table.see(An=near.rstrip()[:-1] + shown, Af=far, Sf="S1", wait=2)
    table.see(wait=1)
    assert table.mistakes == [] and table.of_kind(Unsure) == []
    assert len(table.ends) == 1


def test_given_a_withdrawal_before_the_first_card_when_the_next_battle_begins_then_it_is_followed(evening):
    table = evening()
    table.see()
    table.say(Withdraw("near"))
    assert table.ends == [("far", 2, "withdrew")]
    table.see(Af="A1", wait=1)
    table.see(Af="A1", Ln="L6", wait=1)
    assert table.moves == ["far deploy A1 A", "near deploy L6 L"]
