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
    (asked,) = table.see(An="A6 -", Lf="L6 L2", wait=3)
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
    asked = next(e for e in table.see(An="A6 -", Lf="L6 L2", wait=3) if isinstance(e, Unsure))
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
