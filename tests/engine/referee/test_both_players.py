"""Both players at once, or with each other's cards, and what the referee makes of it: given, when, then."""

from __future__ import annotations

from dataclasses import replace

from engine.events import Mended, Undone, Unsure, Violation


def test_given_a_stack_held_in_one_hand_when_the_other_lays_a_card_then_both_are_understood(evening):
    table = evening().two_cards()
    table.see(Lf="L6", Sn="-", wait=1.5)
    table.see(An="A6", Lf="L6", Sn="-", wait=2)
    assert table.moves[-1] == "near improvise S" and table.mistakes == [] and table.of_kind(Unsure, Undone) == []


def test_given_a_hidden_card_in_its_owner_s_hand_when_the_other_plays_then_only_the_play_is_told(evening):
    table = evening()
    table.see(An="-", wait=1)
    table.see(wait=0.8)
    table.see(Lf="L6", wait=1.5)
    table.see(An="-", Lf="L6", wait=2)
    assert table.moves == ["near improvise A", "far deploy L6 L"] and table.mistakes == []


def test_given_a_card_handed_across_the_table_when_it_comes_back_then_nothing_has_happened(evening):
    table = evening().two_cards()
    table.see(Lf="L6", Af="A6", wait=0.6)
    table.see(An="A6", Lf="L6", wait=2)
    assert table.moves == ["near deploy A6 A", "far deploy L6 L"] and table.of_kind(Unsure) == []


def test_given_a_card_in_the_wrong_theater_when_the_other_player_turns_it_down_then_it_was_improvised(evening):
    table = evening().two_cards()
    table.see(An="A6", Lf="L6 S6", wait=2)
    table.see(An="A6 S6", Lf="L6", wait=2)
    assert table.mistakes[-1] == "wrong-theater"
    table.see(An="A6 -", Lf="L6", wait=2)
    assert table.moves[-1] == "near improvise A" and isinstance(table.of_kind(Mended, Violation)[-1], Mended)


def test_given_both_stacks_in_another_order_for_a_moment_when_they_lie_right_again_then_no_move_is_told(evening):
    table = evening().two_cards()
    table.see(An="A6 A4", Lf="L6", wait=1)
    table.see(An="A6 A4", Lf="L6 -", wait=1)
    table.see(An="A4 A6", Lf="- L6", wait=3)
    table.see(An="A6 A4", Lf="L6 -", wait=2)
    assert len(table.moves) == 4 and table.of_kind(Unsure, Undone) == []


def test_given_a_card_laid_upside_down_when_it_is_turned_round_then_that_was_told_and_it_is_played(evening):
    table = evening().two_cards()
    lies = table.sight(An="A6", Lf="L6", Sn="S6")
    (card,) = lies.stacks["S", "near"]
    upside_down = {**lies.stacks, ("S", "near"): (replace(card, wrong_way=True),)}
    table.see(replace(lies, stacks=upside_down), wait=2)
    assert table.mistakes == ["wrong-way-round"]
    table.see(lies, wait=1)
    assert table.moves[-1] == "near deploy S6 S" and [event.code for event in table.of_kind(Mended)] == table.mistakes


def test_given_a_hidden_card_just_laid_when_it_is_pushed_over_while_the_other_answers_then_both_moves_hold(evening):
    table = evening().two_cards()
    table.see(An="A6 -", Lf="L6", wait=1)
    table.see(An="A6", Lf="L6", Sn="-", Sf="-", wait=2)
    assert table.moves[-2:] == ["near improvise S", "far improvise S"] and table.mistakes == []


def test_given_a_side_counted_stack_by_stack_when_all_lies_there_again_then_nothing_has_happened(evening):
    table = evening().two_cards()
    table.see(An="A6", Lf="L6", Sn="-", wait=1)
    table.see(Lf="L6", Sn="-", wait=1.5)
    table.see(An="A6", Lf="L6", wait=1.5)
    table.see(An="A6", Lf="L6", Sn="-", wait=1)
    assert len(table.moves) == 3 and table.mistakes == [] and table.of_kind(Unsure, Undone) == []
