"""Cards put down, shown, carried, turned round and gathered in too early, as people do: given, when, then."""

from __future__ import annotations

from dataclasses import replace

from engine.events import Mended, Undone, Unsure
from engine.referee import best_state, questions
from engine.sight import Note, Sight


def shown(table, seconds: int, sight: Sight | None = None, **columns: str) -> None:
    """Lets a table lie for so many seconds, looked at every second."""
    for _ in range(seconds):
        table.see(sight, **columns)


def turned_round(sight: Sight, theater: str, seat: str, nth: int = 0) -> Sight:
    """The table with one card the wrong way round."""
    column = list(sight.stacks[theater, seat])
    column[nth] = replace(column[nth], wrong_way=True)
    return replace(sight, stacks={**sight.stacks, (theater, seat): tuple(column)})


# --- put down, shown, turned round -----------------------------------------------------------------------------------


def test_given_a_hand_put_down_in_a_column_when_it_is_taken_up_again_then_no_card_was_played(evening):
    table = evening().two_cards()
    shown(table, 3, An="A6", Lf="L6", Sf="-")
    shown(table, 3, An="A6", Lf="L6")
    table.see(An="A6", Lf="L6", Sn="S6", wait=1)
    assert table.moves == ["near deploy A6 A", "far deploy L6 L", "near deploy S6 S"]
    assert table.of_kind(Unsure) == []


def test_given_a_card_of_the_hand_shown_to_the_other_when_it_is_taken_back_then_no_card_was_played(evening):
    table = evening().two_cards()
    shown(table, 3, An="A6", Lf="L6 L4")
    shown(table, 3, An="A6", Lf="L6")
    assert len(table.moves) == 2 and best_state(table.belief).turn == "near"
    assert [event.code for event in table.of_kind(Mended)] == table.mistakes


def test_given_a_card_turned_round_to_be_read_when_it_is_turned_back_then_nothing_has_happened(evening):
    table = evening().two_cards()
    lies = table.sight(An="A6", Lf="L6")
    shown(table, 3, turned_round(lies, "A", "near"))
    shown(table, 2, lies)
    assert len(table.moves) == 2 and set(table.mistakes) <= {"wrong-way-round"}


def test_given_a_card_laid_the_wrong_way_round_when_play_goes_on_then_it_was_told_once_and_is_followed(evening):
    table = evening().two_cards()
    shown(table, 3, turned_round(table.sight(An="A6", Lf="L6", Sn="S6"), "S", "near"))
    shown(table, 3, turned_round(table.sight(An="A6", Lf="L6 -", Sn="S6"), "S", "near"))
    assert table.mistakes == ["wrong-way-round"]
    assert table.moves[2:] == ["near deploy S6 S", "far improvise L"]


def test_given_a_player_who_lays_every_card_beneath_when_each_is_put_on_top_then_both_are_told_and_played(evening):
    table = evening().two_cards()
    shown(table, 3, An="- A6", Lf="L6")
    shown(table, 2, An="A6 -", Lf="L6")
    shown(table, 2, An="A6 -", Lf="L6 -")
    shown(table, 3, An="A4 A6 -", Lf="L6 -")
    shown(table, 2, An="A6 - A4", Lf="L6 -")
    assert table.mistakes == ["wrong-place-in-stack"] * 2
    assert table.moves[2:] == ["near improvise A", "far improvise L", "near deploy A4 A"]


def test_given_a_glass_in_an_empty_column_when_play_goes_on_elsewhere_then_it_is_followed(evening):
    table = evening().two_cards()
    glass = (Note("foreign", "S/far"),)
    shown(table, 2, replace(table.sight(An="A6", Lf="L6"), sure=False, notes=glass))
    shown(table, 4, replace(table.sight(An="A6 A4", Lf="L6"), sure=False, notes=glass))
    shown(table, 4, replace(table.sight(An="A6 A4", Lf="L6 -"), sure=False, notes=glass))
    shown(table, 2, An="A6 A4", Lf="L6 -")
    assert table.moves[2:] == ["near deploy A4 A", "far improvise L"] and table.mistakes == []


def test_given_an_arm_over_a_board_when_a_card_is_laid_beside_it_then_it_is_told_once_the_arm_is_gone(evening):
    table = evening().two_cards()
    hidden = table.sight(An="A6", Lf="L6", Sn="-")
    shown(table, 3, replace(hidden, order=None, sure=False, notes=(Note("board-missing", "A"),)))
    assert len(table.moves) == 2
    table.see(hidden)
    assert table.moves[2:] == ["near improvise S"]


# --- effects carried out slowly --------------------------------------------------------------------------------------


def test_given_a_transport_when_it_carries_itself_slowly_then_it_was_not_taken_back(evening):
    table = evening().two_cards()
    table.see(An="A6", Lf="L6", Sn="S1")
    shown(table, 8, An="A6", Lf="L6")
    shown(table, 2, An="A6 S1", Lf="L6")
    assert table.moves[2:] == ["near deploy S1 S", "near move S 0 A"] and table.mistakes == []


def test_given_a_transport_when_a_covered_card_is_held_for_long_then_the_stack_was_not_pushed_together(evening):
    table = evening().two_cards()
    for columns in ({"Sn": "-"}, {"Sn": "-", "Af": "-"}, {"Sn": "- S1", "Af": "-"}):
        table.see(An="A6", Lf="L6", **columns)
    shown(table, 10, An="A6", Lf="L6", Sn="S1", Af="-")
    shown(table, 2, An="A6 -", Lf="L6", Sn="S1", Af="-")
    assert table.moves[-1] == "near move S 0 A" and table.notices == []


def test_given_a_maneuver_when_the_card_is_turned_in_the_hand_then_only_the_flip_is_told(evening):
    table = evening()
    for columns in ({}, {"Ln": "-"}, {"Ln": "-", "Lf": "-"}, {"Ln": "-", "Lf": "-", "An": "A3"}):
        table.see(**columns)
    shown(table, 3, Ln="-", An="A3")
    shown(table, 2, Ln="-", Lf="L6", An="A3")
    assert table.moves[-1] == "near flip far L" and table.mistakes == [] and table.of_kind(Undone) == []


def test_given_a_reinforcement_laid_face_up_when_it_is_turned_down_then_it_lies_as_it_should(evening):
    table = evening()
    for columns in ({}, {"Ln": "L1"}):
        table.see(**columns)
    shown(table, 3, Ln="L1", An="A6")
    shown(table, 2, Ln="L1", An="-")
    assert table.mistakes == ["wrong-reinforcement"] and table.moves[-1] == "near reinforce A"


# --- taken back, given up, gathered too early ------------------------------------------------------------------------


def test_given_a_card_laid_elsewhere_after_the_answer_when_both_play_on_then_no_other_moves_are_invented(evening):
    table = evening()
    for columns in ({}, {"An": "-"}, {"An": "-", "Lf": "-"}):
        table.see(**columns)
    shown(table, 9, Sn="-", Lf="-")
    shown(table, 9, Sn="-", Lf="-", An="A1")
    assert table.mistakes == ["move-without-effect"] and table.notices == ["let-stand"]
    assert table.moves[-1] == "near deploy A1 A" and best_state(table.belief).hand_sizes == {"near": 4, "far": 5}


def test_given_a_redeploy_when_the_other_player_reads_an_own_hidden_card_then_nothing_is_told(evening):
    table = evening()
    for columns in ({}, {"An": "-"}, {"An": "-", "Sf": "-"}, {"An": "- -", "Sf": "-"}, {"An": "- -", "Sf": "- S4"}):
        table.see(**columns)
    table.see(An="-", Sf="- S4", wait=1.5)
    table.see(An="- -", Sf="- S4", wait=1)
    assert table.mistakes == []


def test_given_stacks_gathered_too_early_when_they_are_laid_back_then_the_battle_goes_on(evening):
    table = evening().two_cards()
    table.see(An="A6 A4", Lf="L6")
    table.see(An="A6 A4", Lf="L6", Sf="-")
    shown(table, 2, An="A6 A4", Sf="-")
    shown(table, 2, An="A6 A4")
    shown(table, 2, An="A6 A4", Lf="L6", Sf="-")
    assert len(table.moves) == 4 and table.mistakes == [] and table.ends == []


def test_given_a_player_who_turns_all_own_cards_down_when_all_are_gathered_in_then_that_player_withdrew(evening):
    table = evening().two_cards()
    table.see(An="A6 A4", Lf="L6")
    table.see(An="A6 A4", Lf="L6 L4")
    shown(table, 2, An="- -", Lf="L6 L4")
    shown(table, 1, Lf="L6 L4")
    table.see(wait=1)
    assert table.ends == [("far", 2, "withdrew")] and table.of_kind(Unsure) == []


def test_given_a_player_who_sweeps_the_own_cards_together_when_all_are_gathered_in_then_that_player_withdrew(evening):
    table = evening().two_cards()
    table.see(An="A6", Sn="S6", Lf="L6")
    table.see(An="A6", Sn="S6", Lf="L6 L4")
    table.see(An="A6", Sn="S6", Lf="L6 L4", Ln="-")
    table.see(An="A6", Sn="S6", Lf="L6 L4", Ln="-", Af="-")
    shown(table, 2, An="A6 S6 -", Lf="L6 L4", Af="-")
    shown(table, 1, An="A6 S6 -")
    table.see(wait=1)
    assert table.ends == [("far", 3, "withdrew")] and table.of_kind(Unsure) == []


def test_given_cards_gathered_in_already_when_the_last_card_of_all_is_laid_then_the_battle_was_played_out(evening):
    table = evening()
    near, far = table.all_but_the_last_card()
    assert near == "- " * 6
    shown(table, 3, An="- - -", Af=far + " -")
    table.see(Af=far + " -", wait=1)
    table.see(wait=1)
    assert [end[1:] for end in table.ends] == [(6, "played-out")]
    assert table.mistakes == [] and table.of_kind(Unsure) == []


def test_given_both_last_cards_lost_one_after_the_other_when_all_is_gathered_in_then_nobody_is_asked(evening):
    """Each lies there for less than a second under Containment. Had near taken its own back, far was not to play."""
    table = evening()
    table.see()
    for high in range(4):
        table.see(Ln="- " * (high + 1), Lf="- " * high)
        table.see(Ln="- " * (high + 1), Lf="- " * (high + 1))
    lay = {"Ln": "- - - -", "Lf": "- - - -"}
    table.see(An="A5", **lay)
    table.see(An="A5", Sf="S6", **lay)
    table.see(An="A5", Sf="S6", Sn="-", **lay)
    table.see(An="A5", Sf="S6", wait=2, **lay)
    table.see(An="A5", Sf="S6 -", **lay)
    table.see(wait=3)
    assert [why for _, _, why in table.ends] == ["played-out"] and questions(table.belief) == ()


def test_given_a_hidden_card_turned_up_for_a_moment_when_one_card_is_left_then_it_was_not_the_last_one(evening):
    """It looks like the last card, laid squarely on the hidden one; turned down again, it was none."""
    table = evening()
    table.see()
    near, far = table.all_but_the_last_card()
    lay = {"An": near}
    table.see(Af="- - - - A6", wait=1, **lay)
    table.see(Af=far, wait=3, **lay)
    table.see(Af=far, Lf="L6", wait=8, **lay)
    assert table.moves[-1] == "far deploy L6 L" and len(table.moves) == 12
    assert [why for _, _, why in table.ends] == ["played-out"] and questions(table.belief) == ()


def test_given_an_ambush_when_the_upper_of_two_backs_is_held_for_long_then_it_may_be(evening):
    table = evening()
    for columns in (
        {},
        {"Sn": "-"},
        {"Sn": "-", "Af": "-"},
        {"Sn": "- -", "Af": "-"},
        {"Sn": "- -", "Af": "-", "Lf": "L2"},
    ):
        table.see(**columns, wait=1)
    for _ in range(12):
        table.see(Sn="-", Af="-", Lf="L2")
    assert table.mistakes == []
    table.see(Sn="- L6", Af="-", Lf="L2", wait=1)
    assert table.moves[-1] == "far flip near S"
