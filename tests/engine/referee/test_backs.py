"""Given equal backs in one stack, when one of them shows no more while the other player lays a card, then nobody has
taken anything."""

from __future__ import annotations

from engine.events import Unsure


def backs(evening):
    """Near has two hidden cards in Air, far two in Land; near is to play."""
    table = evening()
    table.see()
    table.see(An="-")
    table.see(An="-", Lf="-")
    table.see(An="- -", Lf="-")
    table.see(An="- -", Lf="- -")
    return table


def test_given_two_backs_when_they_are_pushed_together_while_the_other_plays_then_only_the_move_is_told(evening):
    table = backs(evening)
    table.see(An="- -", Lf="-", Sn="S6", wait=12)
    assert table.moves[-1] == "near deploy S6 S" and table.mistakes == [] and table.notices[-1] == "header-hidden"
    table.see(An="- -", Lf="-", Sn="S6", Sf="S3", wait=2)
    table.see(An="- -", Lf="- -", Sn="S6", Sf="S3", wait=2)
    assert table.moves[-2:] == ["near deploy S6 S", "far deploy S3 S"] and len(table.moves) == 6
    assert table.mistakes == [] and table.of_kind(Unsure) == []


def test_given_a_hidden_card_alone_when_it_is_read_while_the_other_plays_then_it_is_told_later(
    evening,
):
    table = evening()
    table.see()
    table.see(An="-")
    table.see(An="-", Lf="L6")
    table.see(An="-", Lf="L6", Sn="S6")
    for _ in range(3):
        table.see(Lf="L6 L4", Sn="S6")
    table.pass_time(1.8)
    assert table.moves[-1] == "far deploy L4 L" and table.mistakes == []
    table.pass_time(3)
    assert table.mistakes == ["return-without-effect"]


def test_given_a_back_that_seems_pushed_over_when_it_lies_there_again_then_another_one_was_laid(evening):
    table = evening()
    table.see()
    table.see(An="-")
    table.see(An="-", Lf="L6")
    table.see(Sn="-", Lf="L6", wait=2.8)
    assert table.mistakes == [] and len(table.moves) == 2
    table.see(An="-", Sn="-", Lf="L6", wait=2)
    assert table.moves[-1] == "near improvise S" and len(table.moves) == 3 and table.mistakes == []


def test_given_a_back_that_is_pushed_over_without_an_effect_and_stays_there_then_it_is_told(evening):
    table = evening()
    table.see()
    table.see(An="-")
    table.see(An="-", Lf="L6")
    table.see(Sn="-", Lf="L6", wait=4)
    assert table.mistakes == ["move-without-effect"]


def test_given_a_back_just_laid_that_is_carried_off_when_the_other_plays_then_it_is_told(
    evening,
):
    """It was gone before the other played, so it is not covered."""
    table = backs(evening)
    table.see(An="- -", Lf="- -", Sn="S6", wait=2)
    table.see(An="- -", Lf="- - -", Sn="S6", wait=2)
    table.see(An="- -", Lf="- -", Sn="S6", wait=2)
    for _ in range(3):
        table.see(An="- -", Lf="- -", Sn="S6 -")
    table.pass_time(5)
    assert table.mistakes == ["return-without-effect"] and table.moves[-1] == "near improvise S"
