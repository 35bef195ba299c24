"""An effect carried out before its card lies there: given, when, then."""

from __future__ import annotations

from engine.referee import best_state


def test_given_a_card_drawn_and_laid_when_reinforce_comes_after_it_then_it_was_that_effect(evening):
    table = evening()
    for columns in ({}, {"Sn": "-"}, {"Sn": "-", "Sf": "-"}, {"Sn": "-", "Sf": "-", "An": "-"}):
        table.see(**columns, wait=2)
    table.see(Sn="-", Sf="-", An="-", Ln="L1", wait=3)
    assert table.moves[2:] == ["near deploy L1 L", "near reinforce A"] and table.mistakes == []
    table.see(Sn="-", Sf="-", An="-", Ln="L1", Lf="-", wait=2)
    assert table.moves[4:] == ["far improvise L"]
    assert best_state(table.belief).hand_sizes == {"near": 4, "far": 4}


def test_given_a_card_read_as_a_back_when_it_shows_its_face_with_its_effect_done_then_both_are_told(evening):
    table = evening().two_cards()
    table.see(An="A6", Ln="-", Lf="L6", wait=1)
    table.see(An="-", Ln="L3", Lf="L6", wait=2)
    assert table.moves[2:] == ["near deploy L3 L", "near flip near A"] and table.mistakes == []


def test_given_a_card_turned_for_an_effect_when_the_card_of_that_effect_comes_after_it_then_nothing_was_wrong(evening):
    table = evening()
    for columns in ({}, {"Sn": "-"}, {"Sn": "-", "Af": "A4"}, {"Sn": "-", "Af": "A4", "An": "-"}):
        table.see(**columns, wait=2)
    table.see(Sn="-", Af="-", An="-", wait=1)
    table.see(Sn="-", Af="-", An="-", Lf="L3", wait=3)
    assert table.moves[3:] == ["far deploy L3 L", "far flip far A"]
    table.see(Sn="- S6", Af="-", An="-", Lf="L3", wait=3)
    assert table.moves[5:] == ["near deploy S6 S"] and table.mistakes == []


def test_given_a_card_drawn_and_laid_on_the_wrong_side_when_it_is_carried_over_then_no_card_was_squared_away(evening):
    table = evening("first")
    for columns in ({}, {"Sn": "-"}, {"Sn": "-", "Af": "-"}, {"Sn": "-", "Af": "-", "Ln": "L1"}):
        table.see(**columns, wait=2)
    table.see(Sn="-", Af="- -", Ln="L1", wait=2)
    table.see(Sn="-", Af="-", An="-", Ln="L1", wait=3)
    assert table.moves[2:] == ["near deploy L1 L", "near reinforce A"] and table.notices == []
    assert best_state(table.belief).hand_sizes == {"near": 4, "far": 5}


def test_given_such_a_card_turned_when_a_back_may_have_been_a_disrupt_then_it_was_that_effect_all_the_same(evening):
    table = evening(first="far")
    for columns in (
        {},
        {"Lf": "L4"},
        {"Lf": "L4", "An": "-"},
        {"Lf": "L4 L6", "An": "-"},
        {"Lf": "L4 L6", "An": "- -"},
    ):
        table.see(**columns, wait=2)
    table.see(Lf="L4 -", An="- -", wait=1)
    table.see(Lf="L4 -", An="- -", Af="A3", wait=3)
    assert table.moves[4:] == ["far deploy A3 A", "far flip far L"]
    table.see(Lf="L4 -", An="- -", Af="A3", Ln="-", wait=3)
    assert table.moves[6:] == ["near improvise L"] and table.mistakes == []
