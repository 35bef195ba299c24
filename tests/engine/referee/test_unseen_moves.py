"""Given that somebody stood before the camera while play went on, then the battle goes on from what lies there."""

from __future__ import annotations

import pytest

from engine.events import Answer, Corrected, Unsure
from engine.referee import belief_from_json, belief_to_json, best_state
from engine.sight import Note, SeenCard, Sight

SIX_LATER = {"An": "A6 -", "Af": "-", "Ln": "- L4", "Lf": "L6 -", "Sf": "S5"}
"""Six cards more than on the table of two: three of each player."""


def lies_still(table, seconds, **columns):
    """The table is looked at twice and lies there for so long."""
    table.see(**columns)
    table.see(wait=seconds, **columns)


def long_after(table):
    """The camera has seen nothing for some seconds, in which the players have laid cards in turn."""
    table.t += 10.0
    return table


def questions_of(table):
    return [event.question for event in table.of_kind(Unsure)]


def test_six_cards_were_laid_unseen_and_the_table_lies_still(evening):
    table = long_after(evening().two_cards())
    lies_still(table, 0.5, **SIX_LATER)
    assert table.notices == []
    table.pass_time(1.0)
    assert table.notices == ["moves-unseen"] and table.mistakes == [] and questions_of(table) == []
    state = best_state(table.belief)
    assert state.hand_sizes == {"near": 2, "far": 2} and state.turn == "near"
    assert table.moves_of(table.see(**SIX_LATER, Sn="-")) == ["near improvise S"]


def test_play_goes_on_at_once(evening):
    table = long_after(evening().two_cards())
    assert table.see(**SIX_LATER) == []
    assert table.moves_of(table.see(**SIX_LATER, Sn="S6")) == ["near deploy S6 S"]
    assert table.notices == ["moves-unseen"] and table.mistakes == []
    assert [event.state.turn for event in table.of_kind(Corrected)] == ["near"]
    assert best_state(table.belief).hand_sizes == {"near": 1, "far": 2}


def test_a_belief_that_is_written_and_read_in_between_goes_on_as_well(evening):
    table = long_after(evening().two_cards())
    table.see(**SIX_LATER)
    table.belief = belief_from_json(belief_to_json(table.belief))
    assert table.moves_of(table.see(**SIX_LATER, Sn="S6")) == ["near deploy S6 S"]


def test_the_last_unseen_card_asks_for_a_flip(evening):
    table = long_after(evening().two_cards())
    table.see(An="A6 -", Af="- -", Ln="L4", Lf="L6 L3")
    assert table.moves_of(table.see(An="A6 -", Af="- S2", Ln="L4", Lf="L6 L3")) == ["far flip far A"]
    assert table.mistakes == [] and best_state(table.belief).turn == "near"


def test_a_card_from_the_deck_was_laid_unseen(evening):
    table = long_after(evening().two_cards())
    lies_still(table, 3.0, An="A6 -", Af="- -", Ln="L1 -", Lf="L6")
    assert best_state(table.belief).hand_sizes == {"near": 3, "far": 3}
    assert best_state(table.belief).turn == "near"


def test_air_drop_was_laid_unseen_and_lets_the_next_card_lie_anywhere(evening):
    table = long_after(evening().two_cards())
    before = {"An": "A6 A2", "Af": "- -", "Ln": "L4 -", "Lf": "L6 -"}
    table.see(**before)
    assert table.moves_of(table.see(**before, Sn="L5")) == ["near deploy L5 S"]
    assert table.mistakes == []


def test_of_many_moves_none_is_told_as_a_mistake(evening):
    """The order in which they were made is not known: a card may have lain where its effect was used rightly."""
    table = long_after(evening().two_cards())
    table.see(wait=6.0, An="A6 -", Af="A3 -", Ln="-", Lf="-", Sn="S3")
    assert table.mistakes == []


def test_cards_that_both_players_show_in_a_column_are_no_play(evening):
    """Each puts a card down to show it, in theaters where they may not lie; then both take them up again."""
    table = long_after(evening().two_cards())
    lies_still(table, 3.0, An="A6", Lf="L6", Sn="L4", Sf="A3")
    table.see(wait=2.0, An="A6", Lf="L6")
    assert table.notices == [] and table.mistakes == [] and best_state(table.belief).turn == "near"


def test_two_cards_in_wrong_theaters_are_put_right_one_after_the_other(evening):
    table = long_after(evening().two_cards())
    lies_still(table, 2.0, An="A6 L4", Lf="L6")
    assert table.mistakes == ["wrong-theater"]
    lies_still(table, 3.0, An="A6 L4", Lf="L6 A3")
    table.see(wait=2.0, An="A6", Lf="L6 A3", Ln="L4")
    table.see(wait=2.0, An="A6", Lf="L6", Ln="L4", Af="A3")
    assert table.moves == ["near deploy A6 A", "far deploy L6 L", "near deploy L4 L", "far deploy A3 A"]
    assert "moves-unseen" not in table.notices


def test_of_unseen_cards_that_lay_still_one_is_taken_off_and_laid_otherwise(evening):
    table = long_after(evening().two_cards())
    lies_still(table, 3.0, **SIX_LATER)
    assert table.notices == ["moves-unseen"]
    table.see(wait=3.0, **{**SIX_LATER, "Sf": "", "Sn": ""})
    table.see(wait=1.0, **{**SIX_LATER, "Sf": "-"})
    assert table.mistakes == [] and best_state(table.belief).turn == "near"


@pytest.mark.parametrize("cards", ["- - - -", "- - - A3 S2"])
def test_a_hand_that_is_put_down_in_a_column_is_no_play(evening, cards):
    table = long_after(evening().two_cards())
    lies_still(table, 6.0, An="A6", Lf="L6", Sn=cards)
    assert table.notices == [] and questions_of(table) == ["unexplained"]


def test_the_next_battle_is_no_going_on(evening):
    table = long_after(evening().two_cards())
    table.see(An="A6 A1", Lf="L6 L5", Sn="S6", Sf="S1")
    lies_still(table, 6.0, An="A5 L4", Lf="S2 L3", Ln="-", Sn="- -", Af="- - -")
    assert "moves-unseen" not in table.notices


def test_a_table_that_is_not_read_surely_is_not_gone_on_from(evening):
    table = long_after(evening().two_cards())
    board = table.board(**SIX_LATER)
    stacks = {place: tuple(SeenCard(face, 0.6) for face in column) for place, column in board.items()}
    notes = tuple(Note("doubtful", f"{theater}/{seat}") for (theater, seat), column in board.items() if column)
    doubtful = Sight(("A", "L", "S"), stacks, False, notes)
    table.see(doubtful, wait=3.0)
    assert table.notices == []


def next_battle_lies_there(evening):
    """Near has laid A6, far L6; then, unseen, that battle ended and six cards of the next one were laid."""
    table = long_after(evening().two_cards())
    for columns in ({"An": "A6 -"}, {"An": "A6 -", "Lf": "L6 L5"}, {"An": "A6 - -"}):
        table.see(**{"An": "A6", "Lf": "L6", **columns})
    table.order = "SAL"
    return table, {"Sn": "S6 -", "Af": "A5 L4", "Lf": "-", "Ln": "-"}


def test_the_end_of_a_battle_went_unseen_and_is_asked_about_while_the_next_one_goes_on(evening):
    table, lies = next_battle_lies_there(evening)
    lies_still(table, 2.0, **lies)
    assert questions_of(table) == ["who-withdrew"]
    table.see(**{**lies, "Ln": "- -"})
    assert table.belief.number == 2 and len(table.ends) == 1
    assert table.moves_of(table.see(**{**lies, "Ln": "- -", "Lf": "- L3"})) == ["far deploy L3 L"]
    assert questions_of(table) == ["who-withdrew"]


def test_the_players_say_how_the_unseen_battle_ended(evening):
    table, lies = next_battle_lies_there(evening)
    lies_still(table, 2.0, **lies)
    (asked,) = table.of_kind(Unsure)
    table.say(Answer(asked.id, "far"))
    assert [(winner, why) for winner, _, why in table.ends] == [("near", "withdrew")]
    assert table.belief.number == 2 and "moves-unseen" in table.notices
    assert best_state(table.belief).hand_sizes == {"near": 3, "far": 3}


def test_the_players_say_that_another_battle_lies_there(evening):
    table = long_after(evening().two_cards())
    lies_still(table, 4.2, An="A5 A1", Lf="L2 L3", Ln="-", Sn="- -", Af="- - -")
    (asked,) = table.of_kind(Unsure)
    table.say(Answer(asked.id, "new-battle"))
    assert table.belief.number == 2 and table.belief.phase == "battle"


def three_hidden_cards(evening):
    """Near has a hidden card in Land and one in Sea, far one in Air; far is to play."""
    table = evening()
    table.see()
    table.see(Ln="-")
    table.see(Ln="-", Af="-")
    table.see(Ln="-", Sn="-", Af="-", wait=2)
    return table


def test_given_a_hand_thrown_in_when_it_lies_there_for_long_then_its_cards_were_no_moves(evening):
    """Three cards of one seat and none of the other's are no moves, for both take turns."""
    table = three_hidden_cards(evening)
    table.see(Ln="-", Sn="-", Af="- -", Lf="- -", Sf="- -", wait=1)
    table.see(Ln="-", Sn="-", Af="- -", Lf="- -", Sf="- -", wait=3)
    assert "moves-unseen" not in table.notices and len(table.moves) == 3


def test_given_a_hand_thrown_in_when_all_is_gathered_then_what_is_left_meanwhile_is_no_move_and_no_mistake(evening):
    table = three_hidden_cards(evening)
    table.see(Ln="-", Sn="-", Af="- -", Lf="- -", Sf="- -", wait=1.2)
    table.see(Sn="-", Af="- -", Lf="- -", Sf="- -", wait=1.4)
    table.see(Sn="-", Af="- -", Sf="- -", wait=1.4)
    table.see(Af="- -", Sf="- -", wait=1)
    table.see(Af="- -", wait=1)
    assert table.mistakes == [] and len(table.moves) == 3


def test_both_hands_thrown_in_face_up_after_a_word_are_no_moves(evening):
    table = evening().two_cards()
    table.t += 2.0
    table.see(wait=3.0, An="A6 A1 A5", Af="A4", Ln="L3 L1", Lf="L6 L5 L2", Sn="S6", Sf="S1 S2")
    assert "moves-unseen" not in table.notices
    table.see(An="A6 A1 A5", Lf="L6 L5 L2", Sn="S6", Sf="S1 S2", wait=1.0)
    table.see(wait=1.0)
    assert [end[2] for end in table.ends] in ([], ["withdrew"]), "not played out"
