"""Hands that drop, swap, heap up and change their mind, and what the referee makes of it: given, when, then."""

from __future__ import annotations

from engine.events import Corrected, Notice, Revised, Undone, Unsure, Violation
from engine.referee import best_state
from engine.sight import Note, Sight

# --- a withdrawal without a word ------------------------------------------------------------------------------------


def test_given_a_withdrawal_when_all_cards_are_pushed_into_a_heap_then_nothing_is_asked(evening):
    table = evening().two_cards()
    table.see(An="A6 A4", Lf="L6")
    table.see(An="A6 A4", Lf="L6", Sf="-")
    table.see(Ln="L6 A4", wait=1)
    table.see(wait=1)
    assert table.ends == [("far", 2, "withdrew")], "near was to move"
    assert table.mistakes == [] and table.of_kind(Unsure) == []


def test_given_an_open_redeploy_when_a_hidden_card_is_gathered_first_then_it_was_not_taken_back_by_it(evening):
    table = evening()
    table.see()
    table.see(Ln="-")
    table.see(Ln="-", Lf="L6")
    table.see(Ln="-", Lf="L6", Sn="S4")
    table.see(Lf="L6", Sn="S4", wait=2)
    table.see(Sn="S4", wait=1)
    table.see(wait=1)
    assert table.ends == [("near", 2, "withdrew")], "Redeploy was left out, and far was to move"
    assert table.mistakes == [] and table.of_kind(Unsure) == []


def test_given_cards_gathered_when_the_next_battle_begins_where_an_old_card_lay_then_it_is_a_new_card(evening):
    table = evening().two_cards()
    table.see(An="A6 A4", Lf="L6")
    table.see(An="A6 A4", Lf="L6", Sf="-")
    table.see(An="A6", wait=1)
    table.order = "SAL"
    table.see(An="A6", Sf="-", wait=1)
    table.see(Sf="-", wait=2)
    assert table.ends == [("far", 2, "withdrew")]
    assert table.moves == ["far improvise S"]


# --- after the end --------------------------------------------------------------------------------------------------


def test_given_an_end_when_hidden_cards_are_shown_one_by_one_and_gathered_then_no_battle_begins(evening):
    table = evening()
    near, far = table.all_but_the_last_card()
    table.see(An=near, Af=far + " -", wait=1)
    shown = "A6" + near[1:]
    table.see(An=shown, Af=far + " -", wait=1)
    table.see(An=shown, Af="S5" + far[1:] + " -", wait=6)
    table.see(An=shown, wait=1)
    table.see(An="A6", wait=2)
    assert table.ends == [("near", 6, "played-out")]
    assert table.of_kind(Undone, Unsure) == [] and table.mistakes == []
    assert "new-battle" not in [notice.code for notice in table.of_kind(Notice)]


# --- a change of mind -----------------------------------------------------------------------------------------------


def test_given_two_moves_taken_back_one_after_the_other_when_another_is_made_then_only_that_one_counts(evening):
    table = evening().two_cards()
    table.see(An="A6 A4", Lf="L6")
    table.see(An="A6 A4", Lf="L6", Sf="-")
    table.see(An="A6 A4", Lf="L6", wait=1)
    table.see(An="A6", Lf="L6", wait=1)
    table.see(An="A6", Lf="L6", Sn="-", wait=1)
    assert table.moves[2:] == ["near improvise S"] and table.mistakes == []


def test_given_a_card_dropped_in_the_wrong_column_when_it_is_picked_up_and_laid_right_then_only_that_counts(evening):
    table = evening().two_cards()
    table.see(An="A6", Lf="L6", Sn="-", wait=1)
    table.see(An="A6", Lf="L6", wait=1)
    table.see(An="A6 A4", Lf="L6", wait=1)
    assert table.moves[2:] == ["near deploy A4 A"]
    assert table.mistakes == [] and table.of_kind(Unsure) == []


def test_given_a_hidden_card_turned_up_by_accident_when_it_is_turned_down_then_nothing_stays_of_it(evening):
    table = evening().two_cards()
    table.see(An="A6", Lf="L6 -")
    table.see(An="A6 -", Lf="L6 -")
    table.see(An="A6 -", Lf="L6 S6", wait=1)
    table.see(An="A6 -", Lf="L6 -", wait=2)
    table.see(An="A6 -", Lf="L6 - -", wait=2)
    assert table.moves[-2:] == ["near improvise A", "far improvise L"]
    assert best_state(table.belief).turn == "near" and table.of_kind(Unsure) == []


# --- tidying --------------------------------------------------------------------------------------------------------


def test_given_a_stack_when_its_upper_cards_are_fanned_into_the_next_column_then_nothing_is_asked(evening):
    table = evening().two_cards()
    table.see(An="A6 A4", Lf="L6")
    table.see(An="A6 A4", Lf="L6 L4")
    table.see(An="A6 A4 -", Lf="L6 L4")
    table.see(An="A6", Ln="A4 -", Lf="L6 L4", wait=3)
    table.see(An="A6 A4 -", Lf="L6 L4", wait=1)
    assert table.of_kind(Unsure, Undone) == [] and table.mistakes == []


def test_given_two_players_who_tidy_at_once_then_nothing_is_told(evening):
    table = evening().two_cards()
    table.see(An="A6 A4", Lf="L6")
    table.see(An="A6 A4", Lf="L6", Sf="-")
    before = len(table.events)
    table.see(Sf="-", wait=4)
    table.see(An="A6 A4", Lf="L6", Sf="-", wait=2)
    assert table.events[before:] == []


def test_given_two_cards_that_change_places_while_tidying_when_they_are_put_back_then_no_card_is_invented(evening):
    table = evening()
    table.see()
    table.see(An="A1")
    table.see(An="A1", Lf="-")
    table.see(An="A1 A6", Lf="-")
    table.see(An="A1 A6", Af="A4", Lf="-")
    table.see(An="A1 A6", Af="-", Lf="A4", wait=3)
    table.see(An="A1 A6", Af="A4", Lf="-", wait=2)
    assert table.moves[-1] == "far deploy A4 A" and table.of_kind(Unsure) == []


def test_given_a_board_that_is_lifted_for_a_moment_then_nothing_is_told(evening):
    table = evening().two_cards()
    before = len(table.events)
    lifted = Sight(None, table.sight(An="A6", Lf="L6").stacks, False, (Note("board-missing", ""),))
    table.see(lifted, wait=3)
    table.see(An="A6", Lf="L6", wait=1)
    assert table.events[before:] == []


# --- mistakes from which play goes on -------------------------------------------------------------------------------


def test_given_commander_cards_not_exchanged_when_play_goes_on_then_the_seat_that_began_is_first(evening):
    table = evening()
    near, far = table.all_but_the_last_card()
    table.see(An=near, Af=far + " -", wait=6)
    table.order = "SAL"
    table.see(wait=1)
    table.see(An="-", wait=1)
    (wrong,) = table.of_kind(Violation)
    assert wrong.code == "out-of-turn" and wrong.mend[-1].code == "exchange-commanders"
    table.see(An="-", Lf="-", wait=1)
    table.see(An="-", Lf="-", Sn="S6", wait=1)
    assert table.moves == ["near improvise A", "far improvise L", "near deploy S6 S"]
    assert best_state(table.belief).first == "near" and table.mistakes == ["out-of-turn"]
    assert len(table.of_kind(Revised)) == 1


def test_given_a_first_card_out_of_turn_when_it_is_taken_back_then_the_right_seat_is_first(evening):
    table = evening()
    near, far = table.all_but_the_last_card()
    table.see(An=near, Af=far + " -", wait=6)
    table.order = "SAL"
    table.see(wait=1)
    table.see(An="-", wait=1)
    table.see(wait=1)
    table.see(Lf="-", wait=1)
    assert table.moves == ["far improvise L"] and best_state(table.belief).first == "far"


def test_given_a_mistake_when_an_effect_is_used_after_it_then_card_and_effect_are_both_told(evening):
    table = evening().two_cards()
    table.see(An="A6", Sn="L4", Lf="L6", wait=2)
    table.see(An="A6", Sn="L4", Lf="L6 L2", wait=2)
    table.see(An="A6", Sn="L4", Lf="L6 -", wait=2)
    assert table.mistakes == ["wrong-theater"] and len(table.of_kind(Corrected)) == 1
    assert table.moves[-2:] == ["far deploy L2 L", "far flip far L"]


def test_given_a_flip_that_brought_an_ambush_to_light_when_that_turns_two_cards_then_it_is_a_mistake(evening):
    table = evening()
    for columns in ({}, {"An": "A1"}, {"An": "A1", "Af": "-"}, {"An": "A1", "Af": "-", "Ln": "L3"}):
        table.see(**columns)
    table.see(An="A1", Af="L2", Ln="L3")
    table.see(An="-", Af="-", Ln="L3")
    table.see(An="-", Af="-", Ln="L3", wait=2)
    assert table.mistakes == ["flip-without-effect"] and table.of_kind(Undone) == []


def test_given_an_ambush_when_its_player_turns_one_card_and_then_another_then_that_player_used_it_twice(evening):
    table = evening()
    for columns in ({}, {"An": "-"}, {"An": "-", "Lf": "L6"}, {"An": "-", "Lf": "L6", "Ln": "L2"}):
        table.see(**columns)
    table.see(An="-", Lf="-", Ln="L2")
    table.see(An="S6", Lf="-", Ln="L2")
    table.see(An="S6", Lf="-", Ln="L2", wait=2)
    (wrong,) = table.of_kind(Violation)
    assert (wrong.code, wrong.who, wrong.parts["times"]) == ("flip-without-effect", "near", 2)


def test_given_an_ambush_that_turns_two_cards_at_once_when_one_is_a_maneuver_then_its_player_used_it_twice(evening):
    table = evening()
    for columns in ({}, {"An": "-"}, {"An": "-", "Af": "-"}, {"An": "-", "Af": "-", "Ln": "L2"}):
        table.see(**columns)
    table.see(An="S6", Af="S3", Ln="L2")
    table.see(An="S6", Af="S3", Ln="L2", wait=2)
    (wrong,) = table.of_kind(Violation)
    assert (wrong.code, wrong.who) == ("flip-without-effect", "near")


# --- what a table that lay there briefly has shown ------------------------------------------------------------------


def test_given_a_card_that_must_be_destroyed_when_it_lay_there_for_a_moment_then_it_was_played(evening):
    table = evening()
    table.see()
    table.see(An="A5")
    table.see(An="A5", Lf="-")
    table.see(An="A5", wait=1)
    table.see(An="A5", Ln="L6", wait=1)
    assert table.moves[1:] == ["far improvise L", "near deploy L6 L"] and table.mistakes == []


def test_given_a_card_pushed_over_when_the_other_answers_at_once_then_nothing_is_wrong(evening):
    table = evening().two_cards()
    table.see(An="A6 -", Lf="L6", wait=1)
    table.see(An="A6", Sn="-", Lf="L6", Sf="S6", wait=2)
    assert table.moves[2:] == ["near improvise S", "far deploy S6 S"] and table.mistakes == []


def test_given_one_card_taken_up_when_the_boards_were_rotated_then_its_owners_opponent_withdrew(evening):
    table = evening()
    table.see()
    table.see(An="A6", wait=2)
    table.order = "SAL"
    table.see(wait=1)
    assert table.ends == [("near", 2, "withdrew")]


def test_given_one_card_and_boards_rotated_when_the_next_battle_begins_beside_it_then_it_is_followed(evening):
    table = evening()
    table.see()
    table.see(An="A6", wait=2)
    table.order = "SAL"
    table.see(An="A6", Lf="-", wait=0.5)
    table.see(Lf="-", wait=1)
    assert table.ends == [("near", 2, "withdrew")] and table.moves == ["far improvise L"]


def test_given_a_hidden_card_that_a_disrupt_might_have_turned_when_it_is_turned_down_then_it_was_an_accident(evening):
    table = evening()
    for columns in ({}, {"An": "-"}, {"An": "-", "Lf": "-"}, {"An": "-", "Lf": "-", "Sn": "-"}):
        table.see(**columns)
    table.see(An="-", Lf="- -", Sn="-", wait=2)
    table.see(An="L6", Lf="- -", Sn="-", wait=1)
    table.see(An="-", Lf="- -", Sn="-", wait=1)
    table.see(An="- -", Lf="- -", Sn="-", wait=1)
    assert table.moves[-2:] == ["far improvise L", "near improvise A"] and table.of_kind(Unsure) == []


def test_given_a_withdrawal_that_wins_the_war_when_cards_are_laid_among_the_old_ones_then_no_battle_begins(evening):
    table = evening(target=2).two_cards()
    table.see(An="A6 A4", Lf="L6")
    table.see(An="A6 A4", Lf="L6", Sf="-")
    table.see(An="A6", wait=1)
    table.order = "SAL"
    table.see(An="A6", Lf="L4", wait=1)
    assert "new-battle" not in [notice.code for notice in table.of_kind(Notice)]
    table.see(wait=1)
    assert [event.question for event in table.of_kind(Unsure)] == ["who-withdrew"]


def test_who_gives_up_takes_whole_stacks_away_while_the_other_lays_a_card(evening):
    """The card was laid, and it is the turn of the seat that gathers: that one withdraws."""
    table = evening().two_cards()
    table.see(An="A6", Ln="L4", Lf="L6")
    table.see(An="A6", Ln="L4", Lf="L6 -")
    table.see(An="A6", Ln="L4 -", Lf="L6 -")
    # Near takes its A6 and the stack in Land away, and meanwhile far lays a card.
    assert table.moves_of(table.see(wait=3.0, Lf="L6 -", Sf="S6")) == ["far deploy S6 S"]
    assert best_state(table.belief).turn == "near" and table.mistakes == []
    table.see(wait=2.0)
    assert all(winner == "far" for winner, _, _ in table.ends)
