"""Given a table, when another one lies there, then these moves were made."""

from __future__ import annotations

import pytest

from engine.events import Answer, Closed, Done, Notice, Unsure
from engine.referee import assumptions, best_state, states


def test_a_card_face_up_and_one_face_down(evening):
    table = evening()
    table.see()
    assert table.moves_of(table.see(An="A6")) == ["near deploy A6 A"]
    assert table.moves_of(table.see(An="A6", Lf="-")) == ["far improvise L"]
    assert best_state(table.belief).turn == "near"


def test_who_lays_the_first_card_is_first_where_nobody_said(evening):
    table = evening(first=None)
    table.see()
    events = table.see(Sf="S6")
    assert [e.parts["seat"] for e in events if isinstance(e, Notice) and e.code == "first-assumed"] == ["far"]
    assert best_state(table.belief).first == "far"
    assert table.moves == ["far deploy S6 S"]


def test_three_moves_between_two_still_tables(evening):
    table = evening()
    table.see()
    table.see(An="A3", Ln="-", Lf="L6")
    assert table.moves in (
        ["near deploy A3 A", "far deploy L6 L", "near improvise L"],
        ["near improvise L", "far deploy L6 L", "near deploy A3 A"],
    )


def test_an_effect_and_its_card_at_once(evening):
    table = evening()
    table.see()
    table.see(An="A6")
    table.see(An="A6", Lf="-")
    table.see(An="A6 A3", Lf="L6")
    assert table.moves[2:] == ["near deploy A3 A", "near flip far L"]


def test_reinforce_is_not_an_improvised_card(evening):
    table = evening()
    table.see()
    table.see(Ln="L1")
    assert table.moves_of(table.see(Ln="L1", An="-")) == ["near reinforce A"]
    assert best_state(table.belief).hand_sizes == {"near": 5, "far": 6}


def test_in_the_first_edition_reinforce_may_be_declined_and_that_shows_later(evening):
    table = evening("first")
    table.see()
    table.see(Ln="L1")
    assert table.moves == ["near deploy L1 L"]
    assert table.moves_of(table.see(Ln="L1", Sf="-")) == ["near decline", "far improvise S"]


def test_transport_is_a_move_and_not_a_card_taken_back_and_laid(evening):
    table = evening()
    table.see()
    table.see(Ln="-")
    table.see(Ln="-", Lf="-")
    table.see(Ln="-", Lf="-", Sn="S1")
    assert table.moves_of(table.see(Lf="-", Sn="S1", An="-")) == ["near move L 0 A"]


def test_one_of_two_equal_cards_is_told_as_the_lowest_and_the_doubt_stays(evening):
    table = evening()
    table.see()
    table.see(Sn="-")
    table.see(Sn="-", Lf="-")
    table.see(Sn="- -", Lf="-")
    table.see(Sn="- -", Lf="- -")
    table.see(Sn="- - S4", Lf="- -")
    assert table.moves_of(table.see(Sn="- S4", Lf="- -")) == ["near return S 0"]
    assert len(states(table.belief)) >= 1


def test_a_card_seen_before_it_was_turned_down_is_kept_apart_from_the_unknown_one_beside_it(evening):
    table = evening(first="far")
    table.see()
    for laid in (
        {"Lf": "-"},
        {"Lf": "-", "Sn": "S2"},
        {"Lf": "- L3", "Sn": "S2"},
        {"Lf": "- L3", "Sn": "-"},
        {"Lf": "- L3", "Sn": "- -"},
        {"Lf": "- L3 -", "Sn": "- -"},
        {"Lf": "- L3 -", "Sn": "- - S4"},
        {"Lf": "- L3 -", "Sn": "- S4"},
    ):
        table.see(**laid)
    held = {state.piles[4][0].card for state in states(table.belief)}
    assert held == {"S2", None}, "either the known Escalation or the unknown card was taken back"


def test_what_was_declined_is_assumed_until_it_shows(evening):
    table = evening()
    table.see()
    table.see(Ln="-")
    table.see(Ln="-", Af="-")
    table.see(Ln="-", Af="-", Sn="S1")
    assert best_state(table.belief).pending == "transport"
    table.see(Ln="-", Af="- -", Sn="S1")
    assert table.moves[-2:] == ["near decline", "far improvise A"]
    assert [a.code for a in assumptions(table.belief)] == ["declined"]


def test_a_button_makes_a_decline_certain(evening):
    table = evening()
    table.see()
    table.see(Ln="-")
    table.see(Ln="-", Af="-")
    table.see(Ln="-", Af="-", Sn="S1")
    assert table.moves_of(table.say(Done("near"))) == ["near decline"]
    assert assumptions(table.belief) == ()
    assert [e.code for e in table.say(Done("far"))] == ["not-now"]


def test_a_card_destroyed_before_anybody_saw_it_is_a_notice_and_no_move(evening):
    table = evening(first="far")
    table.see()
    table.see(Af="A5")
    events = table.see(Af="A5 A6")
    assert [e.code for e in events if isinstance(e, Notice)] == ["destroyed-unseen"]
    assert table.moves == ["far deploy A5 A", "far deploy A6 A"]
    assert best_state(table.belief).hand_sizes == {"near": 5, "far": 4}


def test_more_than_two_silent_moves_between_two_tables_are_not_taken_for_granted(evening):
    """Far lays three cards, so near must have lost three to Containment. All lines are kept, and it is asked."""
    table = evening(first="far")
    table.see()
    table.see(Af="A5")
    events = table.see(Af="A5 A6", Lf="L6", Sf="S6", wait=13)
    assert len(table.moves) == 4
    (asked,) = [e for e in events if isinstance(e, Unsure)]
    assert asked.question == "which-line"
    assert asked.options[0].parts == {"turn": "near", "near": 3, "far": 2}
    table.say(Answer(asked.id, asked.options[0].key))
    assert table.belief.questions == () and len(table.belief.hyps) == 1


def test_an_extra_turn_of_the_first_edition(evening):
    table = evening("first")
    table.see()
    table.see(Sn="-")
    table.see(Sn="-", Lf="-")
    table.see(Sn="- S4", Lf="-")
    table.see(Sn="S4", Lf="-")
    assert best_state(table.belief).turn == "near"
    assert table.moves_of(table.see(Sn="S4", Lf="-", An="A6")) == ["near deploy A6 A"]
    assert best_state(table.belief).turn == "far"


@pytest.mark.parametrize(("edition", "who"), [("revised", "near"), ("first", "far")])
def test_disrupt_asks_the_seat_that_the_edition_names(evening, edition, who):
    table = evening(edition)
    table.see()
    table.see(Ln="-")
    table.see(Ln="-", Af="-")
    table.see(Ln="- L5", Af="-")
    assert best_state(table.belief).turn == who


def test_the_same_table_again_changes_nothing(evening):
    table = evening()
    table.see()
    table.see(An="A6")
    assert table.see(An="A6", wait=30) == []


def test_an_effect_open_at_the_end_of_the_source_is_declined(evening):
    table = evening()
    table.see()
    table.see(Ln="-")
    table.see(Ln="-", Af="-")
    table.see(Ln="-", Af="-", Sn="S1")
    assert table.moves_of(table.say(Closed())) == ["near decline"]
