"""Given that people change their minds, by hand or by word, then the record follows and nothing is lost."""

from __future__ import annotations

import pytest

from engine.events import (
    Answer,
    Concede,
    Correct,
    Corrected,
    Done,
    LetStand,
    MoveMade,
    Notice,
    Redo,
    Undo,
    Undone,
    Unsure,
)
from engine.failure import Failure
from engine.records.inputs_json import input_from_json, input_to_json
from engine.referee import (
    belief_from_json,
    belief_to_json,
    best_state,
    preview,
    preview_redo,
    preview_undo,
    questions,
    score,
    war_winner,
)


def test_the_last_card_taken_back_is_an_undo_after_a_moment(evening):
    table = evening().two_cards()
    assert table.see(An="A6", wait=0.4) == []
    (undone,) = table.pass_time(3)
    assert (undone.moves, undone.state.turn) == (1, "far")
    assert table.moves == ["near deploy A6 A"]


def test_taken_up_and_laid_elsewhere_is_an_undo_and_another_move(evening):
    table = evening().two_cards()
    events = table.see(An="A6", Sf="-", wait=1)
    assert [type(event) for event in events] == [Undone, MoveMade]
    assert table.moves == ["near deploy A6 A", "far improvise S"]


def test_what_came_to_light_is_not_taken_back_without_asking(evening):
    table = evening().two_cards()
    table.see(An="A6 -", Lf="L6")
    table.see(An="A6 -", Lf="L6 L2")
    table.see(An="A6 A5", Lf="L6 L2")
    (asked,) = table.see(An="A6 -", Lf="L6 L2", wait=9)
    assert (asked.question, asked.parts["moves"]) == ("undo", 1)
    assert len(table.moves) == 5
    (undone,) = table.say(Answer(asked.id, "yes"))
    assert undone.moves == 1 and len(table.moves) == 4
    assert questions(table.belief) == ()


def test_an_undo_by_word_shows_first_what_it_restores_and_waits_for_the_table(evening):
    table = evening().two_cards()
    shown = preview_undo(table.belief)
    assert [move.card for move in shown.moves] == ["L6"] and shown.state.turn == "far"
    (undone,) = table.say(Undo())
    assert undone.moves == 1 and best_state(table.belief).turn == "far"
    assert table.see(An="A6", Lf="L6", wait=30) == [], "the card that was taken back by word lies there still"
    table.see(An="A6")
    assert table.moves_of(table.see(An="A6", Sf="S6")) == ["far deploy S6 S"]


def test_a_redo_makes_the_same_moves_again(evening):
    table = evening().two_cards()
    before = table.moves
    table.say(Undo(2))
    assert table.moves == []
    assert [move.card for move in preview_redo(table.belief).moves] == ["A6", "L6"]
    table.say(Redo())
    assert table.moves == before
    assert preview_redo(table.belief) is None


def test_the_first_card_of_the_war_is_undone_and_made_again_also_after_a_stop(evening):
    """Nobody had said that far is first."""
    table = evening(first=None)
    table.see(Lf="L6")
    table.say(Undo())
    assert preview_redo(table.belief).state.turn == "near"
    table.belief = belief_from_json(belief_to_json(table.belief))
    table.say(Redo())
    assert table.moves == ["far deploy L6 L"]
    assert table.see(An="A6", Lf="L6") and table.moves[-1] == "near deploy A6 A"


def test_nothing_to_undo_or_redo_is_said_plainly(evening):
    table = evening()
    table.see()
    assert preview_undo(table.belief) is None
    for told in (Undo(), Redo()):
        with pytest.raises(Failure, match=r"There is no move|Nothing was undone"):
            table.say(told)
        with pytest.raises(Failure):
            preview(table.belief, told)


def test_a_correction_names_cards_turn_and_score(evening):
    table = evening().two_cards()
    board = table.board(An="A4", Lf="L6")
    events = table.say(Correct(board=board, turn="far", hands={"near": 5, "far": 5}, score={"near": 4, "far": 2}))
    assert [type(event) for event in events] == [Corrected]
    state = best_state(table.belief)
    assert (state.stack("A", "near")[0].card, state.turn, state.hand_sizes) == ("A4", "far", {"near": 5, "far": 5})
    assert table.belief.score == {"near": 4, "far": 2}
    table.see(An="A4", Lf="L6")
    assert table.moves_of(table.see(An="A4", Lf="L6 -")) == ["far improvise L"]


def test_an_impossible_correction_is_refused_and_changes_nothing(evening):
    table = evening().two_cards()
    before = table.belief
    with pytest.raises(Failure, match="twice"):
        table.say(Correct(board=table.board(An="A6", Af="A6")))
    assert table.belief is before


def test_a_question_answered_no_leaves_the_moves(evening):
    table = evening().two_cards()
    table.see(An="A6 -", Lf="L6")
    table.see(An="A6 -", Lf="L6 L2")
    table.see(An="A6 A5", Lf="L6 L2")
    asked = next(e for e in table.see(An="A6 -", Lf="L6 L2", wait=9) if isinstance(e, Unsure))
    assert table.say(Answer(asked.id, "no")) == []
    assert table.see(An="A6 A5", Lf="L6 L2", wait=3) == []
    assert len(table.moves) == 5


def test_the_first_card_taken_back_no_longer_tells_who_is_first(evening):
    """Near laid first by mistake; nobody had said who is first."""
    table = evening(first=None)
    table.see()
    table.see(An="A4")
    assert table.belief.first == "near"
    table.see(wait=1)
    table.see(Lf="L6", wait=2)
    table.see(An="A4", Lf="L6")
    assert table.belief.first == "far"
    assert table.moves == ["far deploy L6 L", "near deploy A4 A"]


def test_also_where_the_other_seat_lays_before_the_table_lay_still(evening):
    table = evening(first=None)
    table.see()
    table.see(An="A4")
    table.see(Lf="L6", wait=2)
    assert (table.belief.first, table.moves) == ("far", ["far deploy L6 L"])


def test_of_two_moves_taken_back_by_word_one_card_taken_off_is_not_played_again(evening):
    table = evening().two_cards()
    table.see(An="A6 -", Lf="L6")
    table.say(Undo())
    table.say(Undo())
    assert table.see(An="A6", Lf="L6", wait=10) == [], "of what was taken back, one card lies there still"
    assert best_state(table.belief).turn == "far"
    assert table.see(An="A6", wait=10) == []
    assert table.belief.present.stale is None
    assert table.moves_of(table.see(An="A6", Sf="S6")) == ["far deploy S6 S"]


def test_an_effect_that_was_left_out_by_mistake_is_carried_out_once_that_is_taken_back(evening):
    table = evening().two_cards()
    table.see(An="A6", Lf="L6", Sn="S1")
    table.say(Done("near"))
    table.see(Ln="A6", Lf="L6", Sn="S1", wait=3)
    assert table.belief.mistake.violation is not None, "nothing moves a card any more"
    events = table.say(Undo()) + table.pass_time(3)
    assert table.moves_of(events) == ["near move A 0 L"]
    assert table.belief.mistake.violation is None


@pytest.mark.parametrize("resumed", [False, True])
def test_a_war_that_was_given_up_is_taken_up_again_with_its_score(evening, resumed):
    table = evening().two_cards()
    table.say(Correct(score={"near": 3, "far": 4}))
    table.say(input_from_json(input_to_json(Concede("near", war=True))))
    assert (war_winner(table.belief), score(table.belief)) == ("far", {"near": 3, "far": 12})
    assert preview_undo(table.belief).score == {"near": 3, "far": 4}
    if resumed:
        table.belief = belief_from_json(belief_to_json(table.belief))
    events = table.say(Undo())
    assert [type(event) for event in events] == [Undone, Corrected]
    assert (war_winner(table.belief), score(table.belief)) == (None, {"near": 3, "far": 4})


@pytest.mark.parametrize("war", [False, True], ids=["the battle", "the war"])
@pytest.mark.parametrize("by", ["near", "far"])
def test_a_concession_in_the_middle_of_an_effect_is_taken_back_with_the_effect(evening, by, war):
    """Far is to turn a card by its Disrupt; somebody gives up by mistake and takes that back."""
    table = evening(first="far")
    table.see()
    table.see(Sf="S6")
    table.see(An="A6", Sf="S6")
    table.see(An="A6", Lf="L5", Sf="S6", wait=3)
    before, told = best_state(table.belief), table.belief.told
    assert before.pending is not None
    table.say(Concede(by, war=war))
    assert best_state(table.belief).result is not None
    foreseen = preview_undo(table.belief)
    assert [move.do for move in foreseen.moves] == ["withdraw"] and foreseen.state == before
    table.say(Undo())
    assert (best_state(table.belief), table.belief.told) == (before, told)
    assert preview_redo(table.belief).state.result is not None
    # Play goes on where it was.
    assert table.moves_of(table.see(An="A6", Lf="-", Sf="S6", wait=9)) == ["far flip far L"]
    assert table.mistakes == []


def test_what_an_undo_gives_back_of_the_score_is_foreseen(evening):
    table = evening().two_cards()
    table.say(Concede("near"))
    assert score(table.belief) == {"near": 0, "far": 2}
    assert preview_undo(table.belief).score == {"near": 0, "far": 0}
    table.say(Undo())
    assert preview_redo(table.belief).score == {"near": 0, "far": 2}


def test_nothing_is_let_stand_where_nothing_is_against_the_rules(evening):
    table = evening().two_cards()
    before = table.belief
    with pytest.raises(Failure, match="against the rules"):
        table.say(LetStand())
    assert table.belief is before


# --- an undo that nobody meant ---------------------------------------------------------------------------------------


def test_given_an_undo_that_nobody_meant_when_the_card_turns_itself_then_it_counts_again(evening):
    """Far lays Disrupt and somebody presses Undo, but the card stays: far turns it over itself, then near turns one."""
    table = evening(first="far")
    table.see()
    table.see(Sf="S6")
    table.see(An="A6", Sf="S6")
    table.see(An="A6", Lf="L5", Sf="S6")
    table.say(Undo())
    assert table.see(An="A6", Lf="L5", Sf="S6", wait=20) == []
    table.see(An="A6", Lf="-", Sf="S6", wait=20)
    table.see(An="-", Lf="-", Sf="S6", wait=20)
    assert table.moves[2:] == ["far deploy L5 L", "far flip far L", "near flip near A"]
    assert table.notices == ["counts-again"] and table.mistakes == [] and questions(table.belief) == ()


def test_given_three_moves_taken_back_by_mistake_when_play_goes_on_then_all_count_again(evening):
    table = evening().two_cards()
    table.see(An="A6 -", Lf="L6")
    before = table.moves
    for _ in range(3):
        table.say(Undo())
    assert table.moves == []
    table.belief = belief_from_json(belief_to_json(table.belief))
    table.see(An="A6 -", Lf="L6", Sf="S6", wait=20)
    assert table.moves == [*before, "far deploy S6 S"]
    (said,) = [event for event in table.of_kind(Notice) if event.code == "counts-again"]
    assert said.parts == {"moves": 3}


def test_given_two_presses_for_one_when_only_the_last_card_is_taken_off_then_the_other_counts_again(evening):
    table = evening().two_cards()
    table.say(Undo(2))
    table.see(An="A6", wait=20)
    assert table.moves == []
    table.see(An="A6", Sf="S6", wait=20)
    assert table.moves == ["near deploy A6 A", "far deploy S6 S"]


def test_given_an_undo_in_order_to_lay_the_card_face_down_then_it_is_laid_face_down(evening):
    table = evening().two_cards()
    table.say(Undo())
    table.see(An="A6", Lf="-", wait=20)
    assert table.moves[1:] == ["far improvise L"]
    table.see(An="A6 -", Lf="-", wait=20)
    assert table.moves[2:] == ["near improvise A"] and table.notices == [] and table.mistakes == []


def test_given_an_undo_of_a_disrupt_in_order_to_lay_it_face_down_then_it_is_laid_face_down(evening):
    table = evening().two_cards()
    table.see(An="A6 -", Lf="L6")
    table.see(An="A6 -", Lf="L6 L5")
    table.say(Undo())
    table.see(An="A6 -", Lf="L6 -", wait=20)
    table.see(An="A6 -", Lf="L6 -", Sn="S6", wait=20)
    assert table.moves[3:] == ["far improvise L", "near deploy S6 S"] and table.mistakes == []


def test_given_an_undo_in_order_to_lay_the_card_elsewhere_then_it_lies_there(evening):
    table = evening().two_cards()
    table.say(Undo())
    table.see(An="A6", Sf="-", wait=20)
    assert table.moves[1:] == ["far improvise S"] and table.notices == []


def test_given_a_battle_whose_last_move_is_taken_back_by_mistake_when_all_is_gathered_in_then_it_was_played_out(
    evening,
):
    table = evening()
    near, far = table.all_but_the_last_card()
    table.see(An=near, Af=f"{far} -", wait=8)
    assert len(table.ends) == 1
    table.say(Undo())
    table.pass_time(5)
    table.see(An=near, wait=1)
    table.see(wait=3)
    assert [why for _, _, why in table.ends] == ["played-out", "played-out"] and questions(table.belief) == ()


def test_given_an_undo_by_mistake_while_the_cards_are_gathered_in_then_the_battle_was_played_out(evening):
    table = evening()
    near, far = table.all_but_the_last_card()
    table.see(An=near, Af=f"{far} -", wait=8)
    table.see(An="- - -", Af=f"{far} -", wait=2)
    table.say(Undo())
    table.see(Af=f"{far} -", wait=2)
    table.see(wait=3)
    assert [why for _, _, why in table.ends] == ["played-out", "played-out"] and questions(table.belief) == ()


def test_given_a_card_that_redeploy_took_and_that_was_laid_back_when_another_is_taken_then_only_that_one_counts(
    evening,
):
    table = evening()
    table.see()
    table.see(An="-")
    table.see(An="-", Lf="L6")
    table.see(An="-", Ln="-", Lf="L6")
    table.see(An="-", Ln="-", Lf="L6 L4")
    table.see(An="-", Ln="-", Sn="S4", Lf="L6 L4", wait=2)
    table.see(Ln="-", Sn="S4", Lf="L6 L4", wait=2)
    table.see(An="-", Ln="-", Sn="S4", Lf="L6 L4", wait=2)
    table.see(An="-", Sn="S4", Lf="L6 L4", wait=2)
    table.see(An="- A1", Sn="S4", Lf="L6 L4", wait=2)
    assert table.moves[-2:] == ["near return L 0", "near deploy A1 A"] and len(table.moves) == 7
    assert table.mistakes == []


def test_given_a_card_turned_back_while_they_talk_when_another_is_turned_then_that_one_counts_and_nobody_is_asked(
    evening,
):
    """What the other card's own effect does may look like a card laid squarely on it."""
    table = evening()
    table.see()
    table.see(Ln="-")
    table.see(Ln="-", Lf="-")
    table.see(Ln="- -", Lf="-", wait=2)
    table.see(Ln="- -", Lf="-", Sf="S3", wait=2)
    table.see(Ln="- -", Lf="A1", Sf="S3", wait=6)
    table.see(Ln="- -", Lf="-", Sf="S3", wait=5)
    table.see(Ln="- L5", Lf="-", Sf="S3", wait=2)
    assert table.moves[-1] == "far flip L5 near L" or table.moves[-1] == "far flip near L", table.moves
    assert len(table.moves) == 5 and best_state(table.belief).pending == "disrupt"
    assert table.mistakes == [] and table.of_kind(Unsure) == []


def test_given_an_answer_when_the_card_before_it_is_exchanged_by_leave_then_both_moves_hold_as_they_lie(evening):
    table = evening().two_cards()
    table.see(An="A6 A4", Lf="L6", wait=2)
    table.see(An="A6 A4", Lf="L6 -", wait=2)
    table.see(An="A6", Lf="L6 -", wait=2)
    table.see(An="A6", Ln="-", Lf="L6 -", wait=2)
    assert table.moves[2:] == ["near improvise L", "far improvise L"] and table.mistakes == []
    table.see(An="A6", Ln="-", Sn="S6", Lf="L6 -", wait=2)
    assert table.moves[4:] == ["near deploy S6 S"] and table.mistakes == []


def test_given_an_answer_when_the_back_before_it_lies_elsewhere_then_it_was_moved_against_the_rules(evening):
    table = evening().two_cards()
    table.see(An="A6 -", Lf="L6", wait=2)
    table.see(An="A6 -", Lf="L6 -", wait=2)
    table.see(An="A6", Ln="-", Lf="L6 -", wait=4)
    assert table.mistakes == ["move-without-effect"]


@pytest.mark.parametrize("turned", ["Af", "Lf"])
def test_given_two_backs_of_which_one_is_known_when_a_move_is_undone_and_redone_then_either_may_be_that_one(
    evening, turned
):
    table = evening()
    lies = {"An": "-"}
    table.see()
    for column, cards in [("An", "-"), ("Lf", "L5"), ("Lf", "-"), ("An", "A6"), ("An", "A6 A4"), ("Lf", "- -")]:
        lies[column] = cards
        table.see(**lies, wait=1)
    lies["Sn"] = "-"
    table.see(**lies, wait=1)
    lies["Sf"] = "S1"
    table.see(**lies, wait=1)
    lies |= {"Lf": "-", "Af": "-"}
    table.see(**lies, wait=1)
    lies["Ln"] = "L4"
    table.see(**lies, wait=3)
    table.say(Undo())
    table.say(Redo())
    for column, cards in [("Sf", "S1 S6"), ("Sn", "- L2"), (turned, "L5")]:
        lies[column] = cards
        table.see(**lies, wait=2)
    assert table.moves[-1] == f"near flip far {turned[0]}" and table.mistakes == []


def test_given_two_undos_when_redo_is_pressed_twice_then_both_moves_hold_again_also_after_a_stop(evening):
    table = evening().two_cards()
    table.see(An="A6", Lf="L6", Sn="-")
    before = table.moves
    table.say(Undo())
    table.say(Undo())
    table.belief = belief_from_json(belief_to_json(table.belief))
    table.say(Redo())
    assert table.moves == before[:-1]
    assert [move.by for move in preview_redo(table.belief).moves] == ["near"]
    table.say(Redo())
    assert table.moves == before
    assert preview_redo(table.belief) is None


def test_given_two_undos_when_another_card_is_laid_then_nothing_is_made_again(evening):
    table = evening().two_cards()
    table.say(Undo())
    table.say(Undo())
    table.see()
    table.see(Sn="-")
    assert table.moves == ["near improvise S"]
    assert preview_redo(table.belief) is None


def test_given_a_concession_by_who_is_not_to_move_when_it_is_taken_back_then_no_effect_was_declined(evening):
    table = evening()
    table.see(An="-")
    table.see(An="-", Lf="-")
    table.see(An="-", Lf="-", Sn="S1")
    before = best_state(table.belief)
    assert (before.turn, before.pending) == ("near", "transport")
    table.say(Concede("far"))
    table.say(Undo())
    assert best_state(table.belief) == before


def test_given_a_card_thought_destroyed_unseen_when_the_move_after_it_is_taken_back_then_its_owner_holds_it_again(
    evening,
):
    """Far lays a second card while Blockade lies there: near may have lost one in between, or not."""
    table = evening(edition="first", order="LSA")
    table.see(Ln="-")
    table.see(Ln="-", Lf="-")
    table.see(Ln="-", Lf="-", Sn="S5")
    table.see(Ln="-", Lf="- -", Sn="S5")
    table.see(Ln="-", Lf="- -", Sn="S5 -")
    table.see(Ln="-", Lf="- -", Sn="S5 -", Af="-", wait=3)
    before = best_state(table.belief)
    table.see(Ln="-", Lf="- -", Sn="S5 -", Af="- -", wait=3)
    assert best_state(table.belief).turn == "near"
    table.say(Undo())
    assert best_state(table.belief) == before
