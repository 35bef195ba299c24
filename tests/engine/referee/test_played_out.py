"""Given that all cards are played, when the cards are gathered in at any pace, then nothing but the end is told."""

from __future__ import annotations

from engine.events import Unsure


def test_given_a_redeploy_that_nobody_uses_when_cards_are_gathered_with_long_pauses_then_nothing_is_missed(evening):
    table = evening()
    near, far = table.all_but_the_last_card()
    table.see(An=near, Af=far, Sf="S4", wait=4)
    assert table.ends == []
    fewer = far[:-2]
    table.see(An=near, Af=fewer, wait=2)
    table.see(An=near, wait=40)
    table.see(An="-", wait=2)
    table.see(wait=2)
    assert [why for _, _, why in table.ends] == ["played-out"] and table.mistakes == []
    assert table.of_kind(Unsure) == []


def test_given_the_last_card_shortly_seen_that_is_destroyed_when_all_is_gathered_then_the_battle_was_played_out(
    evening,
):
    """Three cards lie in Land, next to a Blockade."""
    table = evening()
    table.see()
    rows = [("Sn", "S5"), ("Lf", "-"), ("Ln", "-"), ("Lf", "- -"), ("An", "-"), ("Af", "-"), ("An", "- -")]
    rows += [("Af", "- -"), ("An", "- - -"), ("Af", "- - -"), ("An", "- - - -")]
    lies = {}
    for column, cards in rows:
        lies[column] = cards
        table.see(**lies, wait=1.5)
    table.see(**{**lies, "Lf": "- - L6"}, wait=0.8)
    lies["Lf"] = "- - L6"
    del lies["Sn"]
    table.see(**lies, wait=1.5)
    del lies["An"]
    table.see(**lies, wait=1.5)
    del lies["Ln"]
    table.see(**lies, wait=1.5)
    table.see(wait=4)
    assert [why for _, _, why in table.ends] == ["played-out"] and table.of_kind(Unsure) == []


def test_given_cards_that_are_missing_when_the_table_changes_and_they_stay_away_then_it_is_asked_once(evening):
    table = evening().two_cards()
    table.see(An="A6", Ln="-", Lf="L6", wait=2)
    table.see(An="A6", Ln="-", Lf="L6 -", wait=2)
    table.see(An="A6", Ln="- -", Lf="L6 -", wait=2)
    table.see(Ln="- -", wait=20)
    table.see(Ln="-", wait=20)
    assert [asked.question for asked in table.of_kind(Unsure)] == ["cards-missing"]


def test_given_two_old_cards_on_rotated_boards_when_they_lie_where_they_lay_then_they_are_no_first_cards(evening):
    table = evening()
    table.see()
    lies = {}
    rows = [("An", "-"), ("Lf", "-"), ("An", "- A5"), ("Lf", "- L6"), ("Ln", "-"), ("Sf", "-"), ("Ln", "- L4")]
    rows += [("Sf", "- S4")]
    for column, cards in rows:
        lies[column] = cards
        table.see(**lies, wait=1)
    before = table.moves
    table.see(An="A5", Sf="S4", wait=2)
    table.order = "SAL"
    table.see(An="A5", Sf="S4", wait=3)
    assert table.moves == before and table.belief.number == 1
