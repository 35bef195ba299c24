"""Battles given up twice over, and cards that are taken off and laid back at once: given, when, then."""

from __future__ import annotations

from engine.events import BattleOver, Revised, Undone, Unsure, Withdraw
from engine.referee import belief_from_json, belief_to_json

# --- giving up, said twice -------------------------------------------------------------------------------------------


def test_given_a_table_cleared_by_who_gives_up_when_the_button_is_pressed_after_it_then_one_battle_is_lost(evening):
    table = evening().two_cards()
    table.see(An="A6 A4", Lf="L6", wait=2)
    table.see(wait=3)
    table.say(Withdraw("far"))
    assert table.ends == [("near", 2, "withdrew")] and table.notices[-1] == "not-now"
    assert belief_from_json(belief_to_json(table.belief)) == table.belief
    table.order = "SAL"
    table.see(wait=30)
    table.say(Withdraw("far"))
    assert len(table.of_kind(BattleOver)) == 2, "long after that it is the next battle"


def test_given_a_battle_given_up_by_the_button_when_it_is_pressed_again_over_the_cleared_table_then_nothing_changes(
    evening,
):
    table = evening().two_cards()
    table.see(An="A6 A4", Lf="L6", wait=2)
    table.say(Withdraw("far"))
    table.see(wait=2)
    table.say(Withdraw("far"))
    assert table.ends == [("near", 2, "withdrew")] and table.notices[-1] == "not-now"


# --- laid back at once -----------------------------------------------------------------------------------------------


def test_given_the_only_two_cards_taken_up_to_be_read_when_they_are_laid_back_then_the_battle_goes_on(evening):
    table = evening()
    table.see()
    table.see(Sn="-", wait=3)
    table.see(Sn="-", Sf="-", wait=2)
    table.see(wait=2)
    table.see(Sn="-", Sf="-", wait=1)
    assert len(table.of_kind(Undone)) == 1, "the withdrawal"
    table.see(Sn="- -", Sf="-", wait=1)
    assert table.moves == ["near improvise S", "far improvise S", "near improvise S"]
    assert table.of_kind(Unsure, Revised) == [] and table.belief.number == 1


def test_given_a_transport_when_cards_are_taken_off_to_move_the_one_below_then_no_next_battle_has_begun(evening):
    table = evening(first="far")
    for columns in ({}, {"Sf": "-"}, {"Sf": "-", "An": "-"}, {"Sf": "- S1", "An": "-"}):
        table.see(**columns, wait=2)
    table.see(Sf="-", An="-", wait=1)
    table.see(An="-", wait=1)
    table.see(An="-", Lf="-", wait=1)
    assert table.ends == []
    table.see(An="-", Lf="-", Sf="S1", wait=2)
    assert table.moves[3:] == ["far move S 0 L"]
