"""Given stacks whose height the reader does not know, then a card it overlooked is neither taken back nor destroyed,
the next player is not blamed, and what was played is told once it is seen."""

from __future__ import annotations

from engine.events import Answer, BattleOver, Mended, MoveMade, Notice, Revised, Undo, Undone, Unsure, Violation
from engine.referee import belief_from_json, belief_to_json, best_state, questions
from engine.sight import Note, Sight


def in_doubt(table, *stacks, **columns):
    """A look that does not know the height of these stacks (`A/near`)."""
    sight = table.sight(**columns)
    return Sight(sight.order, sight.stacks, False, tuple(Note("doubtful", at) for at in stacks))


def test_a_card_overlooked_again_and_again_was_not_taken_back(evening):
    table = evening().two_cards()
    for _ in range(4):
        table.see(in_doubt(table, "L/far", An="A6"), wait=2)
    assert table.moves == ["near deploy A6 A", "far deploy L6 L"]
    assert not table.of_kind(Undone, Unsure, Violation)
    table.see(An="A6", Lf="L6", Ln="L4")
    assert table.moves[-1] == "near deploy L4 L"


def test_a_card_taken_back_is_told_as_soon_as_its_stack_is_seen_clearly(evening):
    table = evening().two_cards()
    table.see(in_doubt(table, "L/far", An="A6"), wait=2)
    assert table.moves == ["near deploy A6 A", "far deploy L6 L"]
    table.see(An="A6", wait=2)
    assert table.moves == ["near deploy A6 A"]


def test_a_table_that_reads_as_before_with_a_stack_in_doubt_is_looked_at_again(evening):
    table = evening().two_cards()
    table.see(in_doubt(table, "A/near", An="A6", Lf="L6"), wait=1)
    assert table.last.look_again and len(table.moves) == 2
    assert table.moves_of(table.see(An="A6 A3", Lf="L6")) == ["near deploy A3 A"]
    assert not table.last.look_again


def test_the_next_player_is_not_blamed_for_a_move_that_was_overlooked(evening):
    """Near's second card in air is never seen alone; far's card is no second one."""
    table = evening().two_cards()
    for _ in range(3):
        table.see(in_doubt(table, "A/near", An="A6", Lf="L6"), wait=1)
    for _ in range(3):
        table.see(in_doubt(table, "A/near", An="A6", Lf="L6 -"), wait=1)
    assert not table.of_kind(Violation) and len(table.moves) == 2
    table.see(An="A6 -", Lf="L6 -")
    assert table.moves[2:] == ["near improvise A", "far improvise L"]
    assert not table.of_kind(Violation, Revised)


def test_a_second_card_of_the_same_seat_is_a_mistake_where_nothing_is_in_doubt(evening):
    table = evening().two_cards()
    for _ in range(3):
        table.see(An="A6", Lf="L6 -", wait=1)
    assert [event.code for event in table.of_kind(Violation)] == ["second-card"]


def test_what_is_seen_clearly_is_told_whatever_another_stack_may_hold(evening):
    table = evening().two_cards()
    assert table.moves_of(table.see(in_doubt(table, "S/far", An="A6 -", Lf="L6"))) == ["near improvise A"]
    assert table.last.look_again, "far may have laid one in sea since"
    assert table.moves_of(table.see(An="A6 -", Lf="L6", Sf="S4")) == ["far deploy S4 S"]


def test_a_card_overlooked_is_likelier_than_one_destroyed_unseen(evening):
    """Under Containment far may play twice if near's card was destroyed; but near's stack is in doubt."""
    table = evening(first="far")
    table.see()
    table.see(Af="A5")
    table.see(Af="A5", Sn="S4", wait=1)
    table.see(Af="A5", Sn="S4", Lf="L6")
    for _ in range(3):
        table.see(in_doubt(table, "S/near", Af="A5", Sn="S4", Lf="L6 L4"), wait=1)
    assert table.moves[-1] == "far deploy L6 L", "held"
    table.see(Af="A5", Sn="S4 S6", Lf="L6 L4")
    assert table.moves[-2:] == ["near deploy S6 S", "far deploy L4 L"]
    assert not [event for event in table.of_kind(Notice) if event.code == "destroyed-unseen"]


def test_a_card_missing_in_doubt_was_not_returned_and_laid_again(evening):
    """Redeploy lies open while near's card in land is overlooked; then it lies there as before, and far has played."""
    table = evening()
    table.see()
    table.see(Ln="-")
    table.see(Ln="-", Sf="-")
    for _ in range(3):
        table.see(in_doubt(table, "L/near", Sn="S4", Sf="-"), wait=1)
    table.see(Ln="-", Lf="-", Sn="S4", Sf="-")
    assert [move for move in table.moves if "return" in move] == []
    assert table.moves[-1] == "far improvise L"


def test_a_card_carried_away_from_a_stack_in_doubt_is_no_new_card(evening):
    """Transport: near's lower card in sea is overlooked while the upper one goes to air."""
    table = evening()
    table.see()
    table.see(Sn="-")
    table.see(Sn="-", Lf="L6")
    table.see(Sn="- -", Lf="L6")
    table.see(Sn="- -", Lf="L6 -")
    table.see(Sn="- - S1", Lf="L6 -", wait=1)
    before = list(table.moves)
    table.see(in_doubt(table, "S/near", An="-", Sn="S1", Lf="L6 -"), wait=1)
    assert table.moves == before
    table.see(An="-", Sn="- S1", Lf="L6 -")
    assert table.moves[len(before) :] == ["near move S 0 A"]
    assert not table.of_kind(Violation, Revised)


def test_a_card_that_turned_itself_over_after_a_look_in_doubt_was_not_laid_face_down(evening):
    """Near's Ambush reads fairly well, in a stack in doubt; then it lies face down."""
    table = evening()
    table.see()
    table.see(Ln="-")
    table.see(Ln="-", Lf="L4")
    for _ in range(3):
        look = table.doubtful(table.sight(Ln="- L2", Lf="L4"), ("L", "near"), 1, 0.95, False)
        table.see(Sight(look.order, look.stacks, False, (Note("doubtful", "L/near"), Note("doubtful", "L/near/1"))))
    table.see(Ln="- -", Lf="L4", wait=1)
    assert table.moves[2:] == ["near deploy L2 L", "near flip near L"]


def test_the_last_card_may_have_been_overlooked_before_the_table_was_cleared(evening):
    table = evening().two_cards()
    for _ in range(3):
        table.see(in_doubt(table, "A/near", An="A6", Lf="L6"), wait=1)
    table.see(wait=6)
    assert [asked.question for asked in questions(table.belief)] == ["who-withdrew"]
    assert not table.of_kind(BattleOver)


def test_a_table_that_is_cleared_stack_by_stack_in_doubt_does_not_hide_what_lay_there(evening):
    """Air and sea were in doubt before the table was cleared; every look at the empty table doubts another stack."""
    table = evening().two_cards()
    for _ in range(3):
        table.see(in_doubt(table, "A/near", "S/near", An="A6", Lf="L6"), wait=1)
    for at in ("L/far", "L/near", "A/near"):
        table.see(in_doubt(table, at), wait=0.5)
    table.see(wait=6)
    assert [asked.question for asked in questions(table.belief)] == ["who-withdrew"]
    assert not table.of_kind(BattleOver, Violation)


def test_after_a_battle_cards_that_are_all_overlooked_begin_no_other_one(evening):
    table = evening()
    six, five = table.all_but_the_last_card()
    table.see(An=six, Af=five + "-", wait=6)
    assert len(table.of_kind(BattleOver)) == 1
    table.see(in_doubt(table, "A/near", "A/far"), wait=5)
    table.see(An=six, Af=five + "-", wait=2)
    table.see(wait=2)
    table.see(wait=2)
    assert [event.code for event in table.of_kind(Notice)].count("new-battle") == 1
    assert len(table.belief.war.fought) == 1 and table.moves == []


def test_the_same_doubtful_wrong_card_three_times_over_is_no_mistake(evening):
    table = evening().two_cards()
    for _ in range(4):
        look = table.doubtful(table.sight(An="A6", Lf="L6", Ln="S3"), ("L", "near"), 0, 0.86, False)
        table.see(Sight(look.order, look.stacks, False, (Note("doubtful", "L/near/0"),)), wait=0.4)
    assert not table.of_kind(Violation) and len(table.moves) == 2
    table.see(An="A6", Lf="L6", Ln="L4")
    assert table.moves[-1] == "near deploy L4 L"


def test_a_mistake_is_not_told_twice_while_other_stacks_are_in_doubt(evening):
    table = evening().two_cards()
    wrong = {"An": "A6", "Lf": "L6", "Ln": "S3"}
    table.see(**wrong, wait=0.5)
    table.see(**wrong, wait=1)
    table.see(in_doubt(table, "A/near", Lf="L6", Ln="S3"), wait=2)
    table.see(in_doubt(table, "L/far", An="A6", Ln="S3"), wait=2)
    table.see(**wrong, wait=2)
    assert [event.code for event in table.of_kind(Violation)] == ["wrong-theater"]


def test_a_mistake_put_right_is_not_told_again_where_the_card_hardly_reads(evening):
    """Near turned a covered card over and back; then its strip reads badly."""
    table = evening().two_cards()
    table.see(An="A6 A5", Lf="L6")
    for _ in range(2):
        table.see(An="- A5", Lf="L6", wait=0.5)
    for _ in range(3):
        look = table.doubtful(table.sight(An="A6 A5", Lf="L6"), ("A", "near"), 0, 0.45, False)
        notes = (Note("doubtful", "A/near/0"), Note("doubtful", "L/near"))
        table.see(Sight(look.order, look.stacks, False, notes), wait=1)
    table.see(An="A6 A5", Lf="L6", wait=2)
    assert [event.code for event in table.of_kind(Violation)] == ["covered-flip"]
    assert table.belief.mistake.violation is None


def test_a_wrong_card_that_is_overlooked_is_not_put_right(evening):
    table = evening().two_cards()
    wrong = {"An": "A6", "Lf": "L6", "Ln": "S3"}
    table.see(**wrong, wait=0.5)
    table.see(**wrong, wait=1)
    table.see(in_doubt(table, "L/near", An="A6", Lf="L6"), wait=3)
    assert table.belief.mistake.violation is not None and not table.of_kind(Mended)
    table.see(An="A6", Lf="L6", wait=3)
    assert table.belief.mistake.violation is None and len(table.of_kind(Mended)) == 1


def test_a_card_that_was_carried_along_is_told_by_a_sure_look_only(evening):
    """Far's card in sea may lie there; a look that hardly reads it does not make it so."""
    table = evening().two_cards()
    table.see(An="A6 -", Lf="L6")
    table.see(in_doubt(table, "S/far", An="A6 -", Lf="L6"), wait=1)
    look = table.doubtful(table.sight(An="A6 -", Lf="L6", Sf="S4"), ("S", "far"), 0, 0.45, False)
    table.see(Sight(look.order, look.stacks, False, (Note("doubtful", "S/far/0"),)), wait=1)
    assert len(table.moves) == 3
    assert table.moves_of(table.see(An="A6 -", Lf="L6", Sf="S4")) == ["far deploy S4 S"]


def test_an_answer_about_one_card_does_not_make_other_stacks_certain(evening):
    table = evening().two_cards()
    look = table.doubtful(table.sight(An="A6 A5"), ("A", "near"), 1, 0.5, False, A4=0.45)
    notes = (Note("doubtful", "A/near/1"), Note("doubtful", "L/far"))
    for _ in range(3):
        table.see(Sight(look.order, look.stacks, False, notes), wait=1)
    (asked,) = questions(table.belief)
    assert (asked.question, asked.parts["at"]) == ("which-card", "A/near/1")
    table.say(Answer(asked.id, "A4"))
    assert table.moves == ["near deploy A6 A", "far deploy L6 L", "near deploy A4 A"]
    assert not table.of_kind(Undone, Violation)


def test_what_was_taken_back_by_word_does_not_come_back_with_a_look_in_doubt(evening):
    table = evening().two_cards()
    table.say(Undo())
    table.see(in_doubt(table, "A/near", Lf="L6"), wait=1)
    table.see(An="A6", Lf="L6", wait=1)
    assert table.moves == ["near deploy A6 A"]


def test_a_referee_stopped_while_a_stack_is_in_doubt_goes_on_as_if_nothing_had_happened(evening):
    table = evening().two_cards()
    table.see(in_doubt(table, "A/near", An="A6", Lf="L6"), wait=1)
    again = belief_from_json(belief_to_json(table.belief))
    assert again == table.belief
    table.belief = again
    table.see(in_doubt(table, "A/near", An="A6", Lf="L6 -"), wait=1)
    table.see(An="A6 -", Lf="L6 -")
    assert table.moves_of(table.events)[2:] == ["near improvise A", "far improvise L"]


def test_a_stack_that_stays_in_doubt_is_asked_about_after_a_while_if_all_rests_on_it(evening):
    table = evening().two_cards()
    look = in_doubt(table, "A/near", An="A6", Lf="L6 -")
    table.see(look, wait=3)
    assert not table.of_kind(Unsure)
    table.see(look, wait=table.belief.policy.overlooked)
    (asked,) = table.of_kind(Unsure)
    assert (asked.question, asked.parts["at"]) == ("which-card", "A/near/1")
    table.say(Answer(asked.id, "-"))
    assert table.moves[2:] == ["near improvise A", "far improvise L"]
    assert best_state(table.belief).turn == "near"
    assert len([event for event in table.events if isinstance(event, MoveMade)]) == 4
