"""Dealing, discussing, a card left lying, and mistakes that both players forgive: given, when, then."""

from __future__ import annotations

from engine.events import Notice, Undone, Unsure
from engine.referee import belief_from_json, belief_to_json, best_state

# --- between battles -------------------------------------------------------------------------------------------------


def test_given_two_hands_dealt_on_the_boards_when_they_are_taken_up_then_no_battle_was_withdrawn_from(evening):
    table = evening()
    table.see()
    table.see(Ln="-", Lf="-", wait=2)
    assert belief_from_json(belief_to_json(table.belief)) == table.belief
    table.see(wait=2)
    assert table.ends == [] and table.moves == []
    table.see(An="A6", wait=1)
    assert table.moves == ["near deploy A6 A"] and table.of_kind(Unsure) == []


def test_given_two_first_cards_seen_at_once_when_they_are_gathered_and_the_boards_rotated_then_somebody_withdrew(
    evening,
):
    table = evening()
    table.see()
    table.see(An="-", Lf="-", wait=3)
    table.order = "SAL"
    table.see(wait=6)
    assert table.ends == [("far", 2, "withdrew")]


def test_given_first_cards_of_both_seats_at_once_when_all_is_cleared_much_later_then_near_withdrew(evening):
    table = evening()
    table.see()
    table.see(Ln="-", Lf="-", wait=25)
    table.see(wait=2)
    assert table.ends == [("far", 2, "withdrew")]


def test_given_an_old_card_left_lying_when_the_next_battle_begins_then_it_is_followed_and_pointed_out(evening):
    table = evening()
    near, far = table.all_but_the_last_card()
    table.see(An=near, Af=far + " A6", wait=6)
    table.see(Af="A6", wait=1)
    table.order = "SAL"
    table.see(Af="A6", wait=1)
    table.see(Af="A6", Lf="L6", wait=2)
    table.see(Af="A6", Lf="L6", Sn="S6", wait=2)
    table.see(Lf="L6", Sn="S6", wait=1)
    assert table.moves == ["far deploy L6 L", "near deploy S6 S"] and table.mistakes == []


def test_given_an_end_when_cards_are_pushed_about_to_show_what_might_have_been_then_it_stays(evening):
    table = evening()
    near, far = table.all_but_the_last_card()
    table.see(An=near, Af=far + " A6", wait=6)
    table.see(An=near, Af=far, Sf="A6", wait=4)
    table.see(An="- - - - -", Sn="-", Af=far, Sf="A6", wait=4)
    table.see(An="- - - - -", Sn="-", wait=1)
    table.see(wait=1)
    assert len(table.ends) == 1 and table.ends[0][2] == "played-out" and table.of_kind(Unsure) == []


def test_given_cards_pushed_about_after_the_end_when_some_are_gathered_then_the_rest_is_no_new_battle(evening):
    table = evening()
    near, far = table.all_but_the_last_card()
    table.see(An=near, Af=far + " A6", wait=6)
    table.see(An="- - - - -", Sn="-", Af=far + " A6", wait=3)
    table.see(An="-", Sn="-", Af="- A6", wait=3)
    table.see(wait=1)
    assert len(table.ends) == 1 and table.moves == []


def test_given_one_side_cleared_when_the_other_follows_before_the_next_battle_then_that_seat_withdrew(evening):
    table = evening()
    columns = {"An": "A6", "Sn": "S6", "Lf": "L6 L4", "Sf": "-"}
    for shown in ({}, {"An": "A6"}, {"An": "A6", "Lf": "L6"}, {"An": "A6", "Sn": "S6", "Lf": "L6"}):
        table.see(**shown)
    table.see(**{**columns, "Sf": ""})
    table.see(**{**columns, "Sf": "", "An": "A6 A4"})
    table.see(**{**columns, "An": "A6 A4"}, wait=1)
    table.see(Lf="L6 L4", Sf="-", wait=3)
    table.see(Lf="L6 L4", wait=2)
    table.see(wait=1)
    assert table.ends == [("far", 3, "withdrew")]


# --- mistakes that both forgive --------------------------------------------------------------------------------------


def test_given_a_forgotten_effect_when_nobody_carries_it_out_then_no_other_moves_are_invented(evening):
    table = evening(order="ASL")
    for shown in ({}, {"Sn": "-"}, {"Sn": "-", "Sf": "-"}, {"An": "-", "Sn": "-", "Sf": "-"}):
        table.see(**shown)
    table.see(An="-", Sn="-", Sf="- S3")
    table.see(An="-", Sn="- S2", Sf="- S3", wait=4)
    for _ in range(9):
        table.see(An="-", Sn="- S2", Sf="- S3 -")
    assert table.mistakes == ["effect-left-out"] and table.notices == ["let-stand"]
    assert table.moves[-1] == "far improvise S" and best_state(table.belief).turn == "near"


def test_given_a_maneuver_out_of_reach_when_it_is_let_stand_then_the_other_player_is_next(evening):
    table = evening()
    for shown in ({}, {"An": "A1"}, {"An": "A1", "Lf": "L6"}, {"An": "A1", "Lf": "L6", "Sn": "S3"}):
        table.see(**shown)
    table.see(An="-", Lf="L6", Sn="S3", wait=2)
    for _ in range(9):
        table.see(An="-", Lf="L6", Sn="S3", Sf="S6")
    assert table.mistakes == ["flip-out-of-reach"] and table.notices == ["let-stand"]
    assert table.moves[-1] == "far deploy S6 S" and best_state(table.belief).turn == "near"


def test_given_a_card_drawn_by_reinforce_too_far_away_when_it_is_let_stand_then_no_hand_has_lost_a_card(evening):
    table = evening()
    for shown in ({}, {"An": "-"}, {"An": "-", "Lf": "L6"}, {"An": "-", "Lf": "L6", "Ln": "L1"}):
        table.see(**shown)
    table.see(An="-", Lf="L6", Ln="L1 -", wait=2)
    for _ in range(9):
        table.see(An="-", Lf="L6 L4", Ln="L1 -")
    assert table.mistakes == ["wrong-reinforcement"]
    assert best_state(table.belief).hand_sizes == {"near": 4, "far": 4}


def test_given_a_card_that_is_never_destroyed_when_it_is_let_stand_then_no_hand_loses_another_card(evening):
    table = evening()
    for shown in ({}, {"An": "A5"}, {"An": "A5", "Sf": "-"}, {"An": "A5", "Sf": "-"}):
        table.see(wait=1, **shown)
    for more in ({"Ln": "L6"}, {"Ln": "L6", "Lf": "L4"}, {"Ln": "L6", "Lf": "L4", "Sn": "S6"}):
        for _ in range(9):
            table.see(An="A5", Sf="-", **more)
    assert [said.parts["mistake"] for said in table.of_kind(Notice) if said.code == "let-stand"] == [
        "should-be-destroyed"
    ]
    assert best_state(table.belief).hand_sizes == {"near": 3, "far": 4}


# --- stacks ----------------------------------------------------------------------------------------------------------


def test_given_a_stack_pushed_together_when_play_goes_on_beside_it_then_all_its_cards_count(evening):
    table = evening().two_cards()
    table.see(An="A6 A4", Lf="L6")
    for _ in range(3):
        table.see(An="A4", Lf="L6")
    for _ in range(3):
        table.see(An="A4", Lf="L6 -")
    assert table.notices == ["header-hidden"] and table.mistakes == []
    assert [slot.card for slot in best_state(table.belief).stack("A", "near")] == ["A6", "A4"]


def test_given_two_stacks_laid_back_in_each_others_column_when_they_are_put_right_then_nothing_has_happened(evening):
    table = evening().two_cards()
    table.see(An="A6", Lf="L6", Sn="S6")
    table.see(An="A6", Lf="L6 -", Sn="S6")
    table.see(An="S6", Lf="L6 -", Sn="A6", wait=4)
    table.see(An="A6", Lf="L6 -", Sn="S6", wait=2)
    assert len(table.moves) == 4 and table.of_kind(Unsure, Undone) == []


def test_given_cards_gathered_in_when_a_card_lies_on_rotated_boards_among_the_last_of_them_then_it_is_the_next_ones(
    evening,
):
    table = evening()
    table.see()
    lies = {}
    for column, cards in [("An", "-"), ("Lf", "-"), ("Ln", "-"), ("Af", "A6"), ("An", "- -"), ("Af", "A6 -")]:
        lies[column] = cards
        table.see(**lies, wait=1.5)
    table.see(An="- -", Ln="-", Lf="-", wait=1)
    table.see(An="- -", Ln="-", wait=1)
    table.order = "SAL"
    table.see(An="- -", Ln="-", Sf="S6", wait=2.5)
    table.see(An="- -", Sf="S6", wait=1)
    table.see(Sf="S6", wait=2)
    assert table.mistakes == [] and table.ends[:1] == [("far", 3, "withdrew")] and table.moves == ["far deploy S6 S"]


def test_given_a_battle_given_up_when_the_boards_are_rotated_before_the_last_cards_are_gone_then_nobody_is_asked(
    evening,
):
    table = evening().two_cards()
    table.see(An="A6", Ln="-", Lf="L6", wait=2)
    table.see(An="A6", Ln="-", Lf="L6 -", wait=2)
    table.see(An="A6", Ln="-", Sn="-", Lf="L6 -", wait=2)
    table.see(Ln="-", Sn="-", wait=1)
    table.order = "SAL"
    table.see(Ln="-", Sn="-", wait=3)
    table.see(wait=3)
    assert [end[2] for end in table.ends] == ["withdrew"] and table.of_kind(Unsure) == []
