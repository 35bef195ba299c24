"""What people do at a real table, and what the referee makes of it: given, when, then."""

from __future__ import annotations

from engine.events import Answer, Corrected, LetStand, Mended, MoveMade, Notice, Undone, Unsure, Violation
from engine.referee import belief_from_json, belief_to_json, best_state, questions
from engine.sight import Note, SeenCard, Sight

# --- gathering in ----------------------------------------------------------------------------------------------------


def test_given_a_withdrawal_without_a_word_when_the_last_card_is_taken_up_first_then_the_seat_to_move_withdrew(evening):
    table = evening().two_cards()
    table.see(An="A6 A4", Lf="L6")
    table.see(An="A6", Lf="L6", wait=2.8)
    table.see(wait=1)
    assert table.ends == [("near", 2, "withdrew")], "far was to move before anybody gathered"
    assert table.mistakes == [] and table.of_kind(Unsure) == []


def test_given_a_card_taken_back_and_some_seconds_later_the_rest_then_it_is_asked_who_withdrew(evening):
    table = evening().two_cards()
    table.see(An="A6 A4", Lf="L6")
    table.see(An="A6", Lf="L6", wait=6)
    table.see(wait=1)
    assert [event.question for event in table.of_kind(Unsure)] == ["who-withdrew"] and table.ends == []


def test_given_a_battle_when_cards_are_gathered_one_by_one_then_nothing_is_told_but_the_end(evening):
    table = evening().two_cards()
    table.see(An="A6 A4", Lf="L6")
    table.see(An="A6 A4", Lf="L6", Sf="-")
    for columns in ({"An": "A6", "Lf": "L6", "Sf": "-"}, {"Lf": "L6", "Sf": "-"}, {"Sf": "-"}, {}):
        table.see(wait=1.5, **columns)
    assert table.ends == [("far", 2, "withdrew")]
    assert table.mistakes == [] and table.of_kind(Unsure, Undone) == []


def test_given_a_finished_battle_when_the_next_ones_first_card_lies_among_old_ones_then_both_are_followed(evening):
    table = evening()
    near, far = table.all_but_the_last_card()
    table.see(An=near, Af=far + " -", wait=1)
    table.order = "SAL"
    table.see(An="-", Sf="S6", wait=1)
    table.see(Sf="S6", wait=1)
    assert table.ends == [("near", 6, "played-out")]
    assert table.moves == ["far deploy S6 S"]


def test_given_a_silent_withdrawal_when_the_next_battle_begins_over_an_old_card_then_it_is_followed(evening):
    table = evening().two_cards()
    table.see(An="A6 A4", Lf="L6")
    table.see(An="A6 A4", Lf="L6", Sf="-")
    table.see(An="A6", wait=1)
    table.order = "SAL"
    table.see(An="A6", Lf="L4", wait=1)
    table.see(Lf="L4", wait=1)
    assert table.ends == [("far", 2, "withdrew")]
    assert table.moves == ["far deploy L4 L"]


# --- the last word ---------------------------------------------------------------------------------------------------


def test_given_the_last_card_when_it_is_pushed_over_then_the_points_go_to_whom_the_table_gives_them(evening):
    table = evening()
    near, far = table.all_but_the_last_card()
    table.see(An=near, Af=far + " -", wait=2)
    table.see(An=near, Af=far, Sf="-", wait=6)
    assert table.moves[-1] == "far improvise S"
    assert len(table.ends) == 1, "the end was told once, after the last word"


def test_given_an_end_when_hidden_cards_are_turned_up_to_be_shown_then_nothing_comes_of_it(evening):
    table = evening()
    near, far = table.all_but_the_last_card()
    table.see(An=near, Af=far + " -", wait=6)
    before = len(table.events)
    table.see(An=near, Af=far + " A1", wait=3)
    assert table.events[before:] == []


def test_given_an_end_when_a_thirteenth_card_is_laid_then_it_is_told(evening):
    table = evening()
    near, far = table.all_but_the_last_card()
    table.see(An=near, Af=far + " -", wait=6)
    table.see(An=near, Af=far + " -", Ln="-")
    table.see(An=near, Af=far + " -", Ln="-", wait=2)
    assert table.mistakes == ["too-many-cards"]


# --- hands that read and tidy ----------------------------------------------------------------------------------------


def test_given_ones_own_hidden_card_when_it_is_looked_at_then_nothing_is_told(evening):
    table = evening()
    table.see()
    table.see(An="-")
    table.see(An="-", Lf="L6")
    table.see(Lf="L6", wait=3)
    table.see(An="-", Lf="L6", wait=1)
    assert table.mistakes == [] and table.of_kind(Undone) == []


def test_given_a_card_when_another_is_laid_squarely_on_it_then_play_goes_on_with_a_hint(evening):
    table = evening().two_cards()
    table.see(An="A4", Lf="L6", wait=2)
    assert table.moves[-1] == "near deploy A4 A" and table.notices == ["header-hidden"]
    table.see(An="A4", Lf="L6", Sf="S6")
    table.see(An="A6 A4", Lf="L6", Sf="S6", wait=2)
    assert table.moves[-1] == "far deploy S6 S" and table.mistakes == []
    assert best_state(table.belief).turn == "near"


def test_given_a_hidden_card_when_the_program_is_killed_then_it_is_still_known(evening):
    table = evening().two_cards()
    table.see(An="A4", Lf="L6")
    assert belief_from_json(belief_to_json(table.belief)) == table.belief
    assert table.belief.differences[0].face == "A6"


def test_given_a_stack_when_it_is_squared_up_then_at_most_a_hint_is_given(evening):
    table = evening().two_cards()
    table.see(An="A6 A4", Lf="L6")
    table.see(An="A4", Lf="L6", wait=3)
    table.see(An="A4", Lf="L6 -", wait=1)
    assert table.moves[-1] == "far improvise L"
    assert table.mistakes == [] and table.notices == ["header-hidden"]


def test_given_a_legal_move_when_another_card_vanishes_beside_it_then_both_are_told(evening):
    table = evening().two_cards()
    for _ in range(5):
        table.see(An="A6", Sn="S6")
    assert table.moves[-1] == "near deploy S6 S"
    assert table.mistakes == ["return-without-effect"]
    table.see(An="A6", Sn="S6", Lf="L6")
    assert [event.code for event in table.of_kind(Mended)] == ["return-without-effect"]


def test_given_a_card_that_stays_away_when_play_goes_on_then_it_is_let_stand(evening):
    table = evening().two_cards()
    for _ in range(5):
        table.see(An="A6", Sn="S6")
    table.see(An="A6", Sn="S6", Sf="-", wait=9)
    table.see(An="A6", Sn="S6", Sf="-", Ln="L4", wait=12)
    assert table.moves[-1] == "near deploy L4 L"
    assert table.notices == ["let-stand"] and len(table.of_kind(Corrected)) == 1
    assert best_state(table.belief).stack("L", "far") == ()


# --- mistakes told as what they are ----------------------------------------------------------------------------------


def test_given_a_forgotten_containment_when_play_goes_on_then_no_card_is_invented(evening):
    table = evening()
    table.see()
    table.see(An="A5")
    table.see(An="A5", Lf="-", wait=3)
    table.see(An="A5", Lf="-", Ln="L6", wait=3)
    assert table.moves[1:] == ["far improvise L", "near deploy L6 L"]
    assert table.mistakes == ["should-be-destroyed"]
    table.see(An="A5", Ln="L6")
    assert [event.code for event in table.of_kind(Mended)] == ["should-be-destroyed"]
    assert [event.by_card for event in table.of_kind(MoveMade) if event.destroyed] == ["A5"]


def test_given_a_stack_in_another_order_then_the_card_that_belongs_on_top_is_named(evening):
    table = evening().two_cards()
    table.see(An="A6 A4", Lf="L6")
    table.see(An="A4 A6", Lf="L6")
    table.see(An="A4 A6", Lf="L6", wait=2)
    (wrong,) = table.of_kind(Violation)
    assert wrong.code == "wrong-place-in-stack"
    assert [(mend.code, mend.parts["card"]) for mend in wrong.mend] == [("put-on-top", "A4")]


def test_given_boards_in_another_order_in_mid_battle_then_it_is_told_once_and_then_played_as_they_lie(evening):
    table = evening().two_cards()
    table.order = "LAS"
    table.see(An="A6", Lf="L6", wait=2)
    assert table.mistakes == ["boards-moved"]
    table.see(An="A6 A4", Lf="L6", wait=10)
    table.see(An="A6 A4", Lf="L6 L4", wait=12)
    assert table.mistakes == ["boards-moved"] and table.notices == ["let-stand"]
    assert best_state(table.belief).order == ("L", "A", "S")


def test_given_boards_put_back_then_it_is_told(evening):
    table = evening().two_cards()
    table.order = "LAS"
    table.see(An="A6", Lf="L6", wait=2)
    table.order = "ALS"
    table.see(An="A6", Lf="L6", wait=1)
    assert [event.code for event in table.of_kind(Mended)] == ["boards-moved"]


def test_given_a_maneuver_when_it_turns_itself_over_then_it_is_out_of_reach_and_no_change_of_mind(evening):
    table = evening().two_cards()
    table.see(An="A6 A3", Lf="L6")
    table.see(An="A6 -", Lf="L6")
    table.see(An="A6 -", Lf="L6", wait=2)
    assert table.mistakes == ["flip-out-of-reach"]


def test_given_a_card_in_the_wrong_theater_when_play_goes_on_then_it_is_let_stand(evening):
    table = evening().two_cards()
    table.see(An="A6", Sn="L4", Lf="L6", wait=2)
    table.see(An="A6", Sn="L4", Lf="L6 -", wait=8)
    assert table.mistakes == ["wrong-theater"] and table.notices == ["let-stand"]
    assert table.moves[-1] == "far improvise L"
    assert best_state(table.belief).turn == "near"


# --- doubt and questions ---------------------------------------------------------------------------------------------


def in_doubt(table, place, nth, faces, **columns):
    """A look at a table with one card of which the reader says that it is one of `faces`."""
    sight = table.sight(**columns)
    column = list(sight.stacks[place])
    share = (1 - 0.5) / (len(faces) - 1)
    column[nth] = SeenCard(faces[0], 0.5, tuple((face, share) for face in faces[1:]))
    at = "/".join((*place, str(nth)))
    return Sight(sight.order, {**sight.stacks, place: tuple(column)}, False, (Note("doubtful", at),))


def test_given_a_card_in_doubt_when_play_goes_on_then_the_rest_is_told_and_it_is_asked_once(evening):
    table = evening().two_cards()
    table.see(An="A6 -", Lf="L6")
    table.see(An="A6 -", Lf="L6 L2")
    faces = ("S6", "S5", "A4")
    for _ in range(5):
        table.see(in_doubt(table, ("A", "near"), 1, faces, An="A6 S6", Lf="L6 L2"))
    for _ in range(4):
        table.see(in_doubt(table, ("A", "near"), 1, faces, An="A6 S6", Lf="L6 L2", Ln="L4"))
    assert table.moves[-1] == "near deploy L4 L", "all readings agree on that"
    assert [event.question for event in table.of_kind(Unsure)] == ["which-card"]
    assert len(questions(table.belief)) == 1
    table.see(An="A6 S6", Lf="L6 L2", Ln="L4", wait=1)
    assert table.moves[-2:] == ["far flip near A", "near deploy L4 L"]
    assert questions(table.belief) == ()


def test_given_a_maneuver_in_doubt_when_the_rules_leave_one_then_it_is_told(evening):
    table = evening().two_cards()
    for _ in range(5):
        table.see(in_doubt(table, ("A", "near"), 1, ("A3", "L3", "S3"), An="A6 A3", Lf="L6"))
    assert table.moves[-1] == "near deploy A3 A"
    assert table.of_kind(MoveMade)[-1].state.pending == "maneuver" and table.of_kind(Unsure) == []


def test_given_a_table_that_nobody_understands_when_a_new_battle_has_begun_then_that_can_be_said(evening):
    table = evening().two_cards()
    table.see(An="A6 A4", Lf="L6")
    table.see(An="A6 A4", Lf="L6", Sf="-")
    table.see(Lf="L4", Sn="S3 L1", wait=6)
    (asked,) = questions(table.belief)
    assert [option.key for option in asked.options] == ["let-stand", "new-battle", "none"]
    table.see(Lf="L4", wait=6)
    asked = questions(table.belief)[-1]
    table.say(Answer(asked.id, "new-battle"))
    assert table.ends == [("far", 2, "withdrew")]
    assert table.moves == ["far deploy L4 L"]


def test_given_a_mistake_that_was_told_when_another_table_is_let_stand_then_that_one_counts(evening):
    table = evening().two_cards()
    table.see(An="A6", Sn="L4", Lf="L6", wait=2)
    table.see(An="A6", Sn="L4", Lf="L6 L3 L1")
    table.say(LetStand())
    assert best_state(table.belief).stack("L", "far")[-1].card == "L1"


def test_given_a_maneuver_with_nothing_in_reach_then_it_is_said_that_it_is_ignored(evening):
    table = evening()
    table.see()
    table.see(An="A3")
    assert table.moves == ["near deploy A3 A"] and table.notices == ["effect-ignored"]


def test_given_a_disrupt_of_the_first_edition_when_it_is_turned_down_before_it_is_done_then_its_rest_is_said_to_be_lost(
    evening,
):
    table = evening("first")
    for columns in ({}, {"An": "-"}, {"An": "-", "Af": "-"}, {"An": "-", "Af": "-", "Ln": "L5"}):
        table.see(**columns)
    table.see(An="-", Af="A3", Ln="L5")
    table.see(An="-", Af="A3", Ln="-")
    assert table.moves[-2:] == ["far flip far A", "far flip near L"]
    assert [dict(said.parts) for said in table.of_kind(Notice) if said.code == "effect-cut-off"] == [
        {"card": "L5", "seat": "near"}
    ]
    assert best_state(table.belief).turn == "far", "near may not turn a card with it any more"


def test_given_a_permission_of_the_first_edition_when_air_drop_is_turned_down_then_it_is_said_to_be_lost(evening):
    table = evening("first")
    for columns in ({}, {"An": "A2"}, {"An": "A2", "Lf": "L3"}, {"An": "-", "Lf": "L3"}):
        table.see(**columns)
    assert table.notices == ["effect-cut-off"]


def test_given_an_extra_turn_of_the_first_edition_when_it_is_forgotten_then_the_other_seat_is_out_of_turn(evening):
    table = evening("first")
    for columns in ({}, {"Sn": "-"}, {"Sn": "-", "Lf": "-"}, {"Sn": "- S4", "Lf": "-"}, {"Sn": "S4", "Lf": "-"}):
        table.see(**columns)
    table.see(Sn="S4", Lf="- -")
    table.see(Sn="S4", Lf="- -", wait=2)
    assert table.mistakes == ["out-of-turn"]
    assert table.of_kind(Violation)[0].parts["extra"] == "near"


def test_given_a_card_destroyed_unseen_when_the_next_lies_in_the_wrong_theater_then_that_is_the_mistake(evening):
    table = evening()
    table.see()
    table.see(An="A5")
    table.see(An="A5", Ln="S6")
    table.see(An="A5", Ln="S6", wait=2)
    assert table.mistakes == ["wrong-theater"]


def test_given_a_card_pushed_over_while_another_is_away_then_the_push_is_told_and_nobody_is_asked(evening):
    table = evening()
    table.see(Sn="-", wait=1)
    table.see(Sn="-", Sf="-", wait=1)
    seen = table.sight(Lf="-")
    for _ in range(3):
        table.see(seen, wait=0.6)
    table.see(Lf="-", wait=8)
    assert table.moves == ["near improvise S", "far improvise L"] and table.of_kind(Unsure) == []
    assert [event.code for event in table.of_kind(Violation)] == ["return-without-effect"]
    table.see(Sn="-", Lf="-", wait=1)
    assert [event.code for event in table.of_kind(Mended)] == ["return-without-effect"]
