"""Tables seen sooner after each other than a hand can have changed them: given, when, then."""

from __future__ import annotations

from engine.events import Revised, Undone


def at_once(table, wait=0.0, **columns):
    """Another table, three tenths of a second after the one before was first seen."""
    table.t -= 0.7
    return table.see(wait=wait, **columns)


def test_given_a_card_beside_a_move_when_it_is_not_there_a_moment_later_then_only_the_move_was_made(evening):
    table = evening().two_cards()
    table.see(An="A6 A4", Lf="L6 -")
    at_once(table, An="A6 A4", Lf="L6", wait=1)
    assert table.moves[2:] == ["near deploy A4 A"]
    table.see(An="A6 A4", Lf="L6", Sf="S6", wait=1)
    assert table.moves[3:] == ["far deploy S6 S"] and table.of_kind(Undone) == [] and len(table.of_kind(Revised)) == 1


def test_given_a_card_read_as_a_back_for_a_moment_then_it_was_laid_face_up(evening):
    table = evening().two_cards()
    table.see(An="A6 -", Lf="L6")
    at_once(table, An="A6 A4", Lf="L6", wait=1)
    table.see(An="A6 A4", Lf="L6 -", wait=1)
    assert table.moves[2:] == ["near deploy A4 A", "far improvise L"] and table.of_kind(Undone) == []


def test_given_a_card_that_is_not_read_for_a_moment_when_it_is_there_again_then_nothing_is_said(evening):
    table = evening().two_cards()
    table.see(An="A6 A4", Lf="L6")
    told = len(table.events)
    at_once(table, An="A6", Lf="L6")
    at_once(table, An="A6 A4", Lf="L6", wait=5)
    assert table.events[told:] == []


def test_given_a_card_taken_for_another_when_it_turns_up_elsewhere_then_that_one_was_not_laid(evening):
    table = evening().two_cards()
    table.see(An="A6 A4", Lf="L6")
    at_once(table, An="A6", Lf="L6", Sn="-", wait=1)
    assert table.moves[2:] == ["near improvise S"] and table.mistakes == []


def test_given_cards_gathered_in_when_one_is_not_read_for_a_moment_then_it_begins_no_battle(evening):
    table = evening()
    near, far = table.all_but_the_last_card()
    table.see(An=near, Af=far + " A6", wait=6)
    table.see(An="-", Af="-", wait=1)
    table.see(An="-")
    at_once(table, An="-", Af="-", wait=1)
    table.see(Af="-", wait=2)
    assert table.moves[-1] == "far deploy A6 A" and "new-battle" not in table.notices
    table.see(wait=20)
    assert len(table.ends) == 1 and table.belief.number == 2


def test_given_a_cleared_table_when_a_card_is_seen_on_it_for_a_moment_then_nobody_withdrew_from_the_next_battle(
    evening,
):
    table = evening()
    near, far = table.all_but_the_last_card()
    table.see(An=near, Af=far + " A6", wait=6)
    table.see(An="- -", Af="-", wait=1)
    table.see(Sf="-")
    at_once(table, wait=30)
    assert len(table.ends) == 1 and table.moves == [] and table.belief.number == 2


def test_given_a_card_misread_beside_a_move_when_the_answer_must_be_destroyed_then_the_move_still_came_first(evening):
    table = evening().two_cards()
    table.see(An="A6", Ln="-", Lf="L6", wait=1)
    table.see(An="A6", Ln="-", Lf="L6 -", wait=1)
    table.see(An="A4", Ln="-", Lf="L6 -", Sn="S5")
    at_once(table, An="A6", Ln="-", Lf="L6 -", Sn="S5", wait=2)
    table.see(An="A6", Ln="-", Lf="L6 - -", Sn="S5", wait=0.8)
    table.see(An="A6", Ln="-", Lf="L6 -", Sn="S5", wait=2)
    assert table.moves[4:] == ["near deploy S5 S", "far improvise L"]
