"""Given what happens at a table without anybody meaning it, or by mistake, then the battle is followed all the same."""

from __future__ import annotations

from engine.events import Undone, Unsure, Violation
from engine.referee import belief_from_json, belief_to_json, best_state


def test_given_a_table_that_is_turned_round_when_play_goes_on_then_it_is_followed_as_it_was_begun(evening):
    table = evening().two_cards()
    table.order = "SLA"
    table.see(Af="A6", Ln="L6", wait=5)
    table.see(Af="A6 -", Ln="L6", wait=2)
    assert table.moves == ["near deploy A6 A", "far deploy L6 L", "near improvise A"]
    table.order = "ALS"
    table.see(An="A6 -", Lf="L6", wait=5)
    assert table.mistakes == [] and table.of_kind(Unsure) == []


def test_given_a_first_card_taken_up_when_its_player_thinks_for_long_then_nobody_has_withdrawn(evening):
    table = evening()
    table.see()
    table.see(An="A6", wait=2)
    table.see(wait=9)
    assert table.ends == []
    table.see(An="A4", wait=2)
    assert table.moves == ["near deploy A4 A"] and table.mistakes == []


def test_given_a_first_card_taken_up_when_the_boards_are_rotated_then_near_has_withdrawn(evening):
    table = evening()
    table.see()
    table.see(An="A6", wait=2)
    table.order = "SAL"
    table.see(wait=2)
    assert [why for _, _, why in table.ends] == ["withdrew"]


def test_given_boards_that_are_rotated_after_the_first_card_then_the_battle_is_played_on_them_as_they_lie(evening):
    table = evening()
    near, far = table.all_but_the_last_card()
    table.see(An=near, Af=f"{far} -", wait=8)
    table.see(wait=3)
    table.see(Lf="L6", wait=2)
    table.order = "SAL"
    table.see(Lf="L6", wait=3)
    assert "".join(best_state(table.belief).order) == "SAL" and table.mistakes == []
    assert table.notices[-1] == "order-changed" and table.moves == ["far deploy L6 L"]


def test_given_the_other_player_begins_when_both_play_on_then_no_card_was_lost_unseen(evening):
    """Containment lies there, so that a card of near might have been destroyed between far's two."""
    table = evening()
    table.see()
    table.see(Sf="S2", wait=3)
    assert table.mistakes == ["out-of-turn"]
    table.see(An="A5", Sf="S2", wait=2)
    table.see(An="A5", Sf="S2 S6", wait=2)
    table.see(An="A5 A6", Sf="S2 S6", wait=2)
    assert table.moves == ["far deploy S2 S", "near deploy A5 A", "far deploy S6 S", "near deploy A6 A"]
    assert "destroyed-unseen" not in table.notices and table.mistakes == ["out-of-turn"]


def test_given_a_disrupt_when_its_two_cards_are_turned_in_the_other_order_then_both_flips_are_told(evening):
    """First edition: the opponent is first, but far turns its own card at once, which looks like a change of mind."""
    table = evening("first", first="near").two_cards()
    table.see(An="A6 -", Lf="L6", wait=2)
    table.see(An="A6 -", Ln="", Lf="L6 L5", wait=2)
    table.see(An="A6 -", Lf="L6 -", wait=2)
    table.see(An="A6 A2", Lf="L6 -", wait=2)
    assert table.moves[3:] == ["far deploy L5 L", "near flip near A", "far flip far L"] and table.mistakes == []


def test_given_a_drink_that_is_spilt_when_the_cards_are_laid_back_one_by_one_then_the_battle_goes_on(evening):
    table = evening().two_cards()
    table.see(An="A6 -", Lf="L6", wait=2)
    table.see(An="A6 -", Lf="L6 -", wait=2)
    before = table.moves
    table.see(wait=5)
    assert [why for _, _, why in table.ends] == ["withdrew"]
    table.see(Lf="L6", wait=1)
    table.belief = belief_from_json(belief_to_json(table.belief))
    table.see(Lf="L6 -", wait=1)
    events = table.see(An="A6 -", Lf="L6 -", wait=1)
    assert any(isinstance(event, Undone) for event in events)
    assert table.moves == before and table.belief.number == 1 and table.mistakes == []
    table.see(An="A6 -", Lf="L6 -", Sn="S6", wait=1)
    assert table.moves == [*before, "near deploy S6 S"]


def test_given_two_cards_left_lying_that_are_destroyed_then_each_is_told_and_play_goes_on(evening):
    table = evening()
    table.see()
    table.see(An="A5", wait=1)
    table.see(An="A5", Lf="-", wait=3)
    assert table.mistakes == ["should-be-destroyed"]
    table.see(An="A5", Lf="-", Sn="-", wait=3)
    assert [event.parts["at"] for event in table.of_kind(Violation)] == ["L/far/0", "S/near/0"]
    table.see(An="A5", wait=2)
    table.see(An="A5", Sf="S6", wait=2)
    assert table.moves_of(table.events)[-1] == "far deploy S6 S" and len(table.mistakes) == 2
    assert best_state(table.belief).hand_sizes == {"near": 4, "far": 4}


def test_given_a_hidden_card_that_is_revealed_and_left_so_then_its_player_has_laid_no_card(evening):
    """Far is to play, so that it looks at first like a card of far, laid squarely on the hidden one."""
    table = evening()
    table.see()
    table.see(An="A4", wait=2)
    table.see(An="A4", Sf="-", wait=2)
    table.see(An="A4 -", Sf="-", wait=2)
    assert table.moves_of(table.see(An="A4 -", Sf="S6", wait=4)) == ["far deploy S6 S"]
    table.see(An="A4 -", Sf="S6", Lf="L6", wait=2)
    assert table.moves == ["near deploy A4 A", "far improvise S", "near improvise A", "far deploy L6 L"]
    assert "let-stand" in table.notices and table.mistakes == []
    assert best_state(table.belief).hand_sizes == {"near": 4, "far": 4}


def test_given_a_card_in_a_wrong_theater_when_it_is_pushed_to_another_wrong_one_then_that_is_told_as_well(evening):
    """It is a Transport, which might have carried itself there if the first place were let stand."""
    table = evening(first="far")
    table.see()
    table.see(Lf="S1", wait=4)
    table.see(Af="S1", wait=4)
    assert [event.parts["at"] for event in table.of_kind(Violation)] == ["L/far/0", "A/far/0"]


def test_given_the_last_card_destroyed_and_a_hidden_one_turned_up_to_be_shown_then_the_battle_was_played_out(evening):
    table = evening()
    table.see()
    for high in range(4):
        table.see(Ln="- " * (high + 1), Lf="- " * high)
        table.see(Ln="- " * (high + 1), Lf="- " * (high + 1))
    table.see(Ln="- - - -", Lf="- - - -", An="A5")
    lay = {"Ln": "- - - -", "Lf": "- - - -", "An": "A5"}
    table.see(Sf="S6", **lay)
    table.see(Sf="S6", **{**lay, "An": "A5 A6"})
    table.see(Sf="S6 -", wait=2, **{**lay, "An": "A5 A6"})
    assert table.mistakes == ["should-be-destroyed"]
    table.see(Sf="S6", **{**lay, "An": "A5 A6", "Lf": "- - - L6"}, wait=4)
    table.see(wait=3)
    assert table.mistakes == ["should-be-destroyed"] and table.of_kind(Unsure) == []
    assert [why for _, _, why in table.ends] == ["played-out"]


def test_given_boards_that_were_rotated_when_they_are_moved_after_the_first_card_then_that_is_told(evening):
    table = evening()
    near, far = table.all_but_the_last_card()
    table.see(An=near, Af=f"{far} -", wait=8)
    table.order = "SAL"
    table.see(wait=3)
    table.see(Lf="L6", wait=2)
    table.order = "LSA"
    table.see(Lf="L6", wait=3)
    assert table.mistakes == ["boards-moved"]


def test_a_card_laid_face_up_where_it_may_not_lie_is_not_one_that_containment_destroys(evening):
    """Far's card was destroyed without being seen. Near might have lost one, too; but what Containment destroys is
    played face down, and this card lies face up."""
    table = evening(first="far", order="LAS")
    table.see()
    there: dict[str, str] = {}
    for lay in (
        {"Lf": "L1"},
        {"Af": "-"},
        {"An": "-"},
        {"Af": "- S6"},
        {"Af": "-", "Sf": "S6"},
        {"Sn": "-"},
        {"Lf": "L1 -"},
        {"Sn": "A5"},
        {"Lf": "L1 - L3"},
        {"Af": "A4"},
        {"An": "- A6", "Sf": "S6 A2"},
        {"Sn": "A5 S1"},
    ):
        there |= lay
        table.see(**there, wait=3)
    before = len(table.mistakes)
    table.see(**{**there, "An": "- A6 S4", "Ln": "A5", "Sn": "S1"}, wait=3)
    assert table.mistakes[before:] == ["wrong-theater"]
    table.see(**{**there, "Ln": "A5", "Sn": "S1 S4"}, wait=3)
    assert table.moves[-2:] == ["near move S 0 L", "near deploy S4 S"]


def test_given_a_cleared_table_when_the_first_card_is_laid_back_by_the_seat_that_is_not_next_then_nothing_is_told(
    evening,
):
    table = evening().two_cards()
    table.see(An="A6 -", Lf="L6", wait=2)
    before = table.moves
    table.see(wait=3)
    assert [why for _, _, why in table.ends] == ["withdrew"]
    # Far is first in the next battle, and no board was rotated: near lays its card back.
    table.see(An="A6", wait=3)
    table.see(An="A6 -", wait=2)
    table.see(An="A6 -", Lf="L6", wait=2)
    assert table.mistakes == [] and table.moves == before


def test_given_a_card_laid_while_another_is_turned_up_by_accident_then_only_the_card_was_laid(evening):
    """It looks like a Disrupt that turned itself over and the other card."""
    table = evening()
    table.see()
    table.see(Sn="-", wait=2)
    table.see(Lf="-", Sn="L2", wait=1.5)
    table.see(Lf="-", Sn="-", wait=2)
    table.see(Lf="-", Sn="- S6", wait=2)
    assert table.moves == ["near improvise S", "far improvise L", "near deploy S6 S"] and table.mistakes == []
