"""A card beside the columns, over a board or askew: its player is told where it belongs, and it is waited for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.events import Mended, Notice, Undone, Unsure, Violation
from engine.referee import belief_from_json, belief_to_json
from engine.sight import Note, Sight


def beside(sight: Sight, at: str = "S/far/S4", code: str = "beside-columns") -> Sight:
    return replace(sight, notes=(Note(code, at),))


def told(table) -> list[tuple[str, str, dict[str, str | int]]]:
    """Each mistake: what, whose, and what puts it right."""
    return [(event.code, event.who, dict(event.mend[0].parts)) for event in table.of_kind(Violation)]


@pytest.fixture
def table(evening):
    """Near has laid A6; far is to play."""
    table = evening()
    table.see()
    table.see(An="A6", wait=1)
    return table


def test_given_far_to_play_when_a_card_lies_beside_the_columns_then_far_is_told_where_it_belongs(table):
    table.see(beside(table.sight(An="A6")), wait=2)
    assert told(table) == [], "it may be on its way"
    table.see(beside(table.sight(An="A6")), wait=4)
    assert told(table) == [("beside-columns", "far", {"card": "S4", "to": "S", "seat": "far"})]
    assert table.moves == ["near deploy A6 A"]


def test_given_that_was_told_when_the_card_is_slid_into_its_column_then_it_is_right_and_played(table):
    table.see(beside(table.sight(An="A6")), wait=4)
    table.see(An="A6", Sf="S6", wait=2)
    assert [type(event) for event in table.events].index(Mended) > 0
    assert table.moves[-1] == "far deploy S6 S" and table.of_kind(Unsure, Undone) == []


def test_given_a_card_nearest_to_a_theater_that_it_may_not_be_laid_in_then_its_own_is_named(table):
    table.see(beside(table.sight(An="A6"), "L/far/S4"), wait=4)
    assert told(table)[0][2]["to"] == "S"


def test_given_a_card_face_down_between_two_columns_then_the_nearest_is_named(table):
    table.see(beside(table.sight(An="A6"), "L/far/-"), wait=4)
    assert told(table) == [("beside-columns", "far", {"card": "-", "to": "L", "seat": "far"})]


def test_given_a_card_over_a_board_then_the_seat_to_play_is_told(table):
    table.see(beside(table.sight(An="A6"), "L/L6", "on-board"), wait=4)
    assert told(table) == [("on-board", "far", {"card": "L6", "to": "L", "seat": "far"})]


def test_given_a_card_askew_that_nobody_can_name_then_it_is_told_without_a_name(table):
    table.see(beside(table.sight(An="A6"), "L/far", "askew"), wait=4)
    assert told(table) == [("askew", "far", {"to": "L", "seat": "far"})]


def test_given_a_card_beside_the_columns_of_the_seat_that_has_just_played_then_nothing_is_told(table):
    table.see(beside(table.sight(An="A6"), "L/near/-"), wait=20)
    assert told(table) == [], "a pile, or a card put aside"


def test_given_a_face_up_card_beside_the_columns_of_the_seat_that_has_just_played_then_it_belongs_back(table):
    table.see(beside(table.sight(An="A6"), "S/near/S4"), wait=5)
    assert told(table) == [], "it may only be shown to the other player"
    table.pass_time(5)
    assert told(table) == [("beside-columns", "near", {"at": "S/near/0", "card": "S4", "seat": "near"})]
    table.see(An="A6", wait=1)
    assert [event.code for event in table.of_kind(Mended)] == ["beside-columns"]


def test_given_the_pile_laid_between_the_columns_before_the_first_card_then_nothing_is_ever_told_of_it(evening):
    table = evening()
    table.see(beside(table.sight(), "L/near/-"), wait=10)
    table.see(beside(table.sight(An="A6"), "L/near/-"), wait=4)
    table.see(beside(table.sight(An="A6", Lf="L6"), "L/near/-"), wait=20)
    assert told(table) == [] and table.moves == ["near deploy A6 A", "far deploy L6 L"]


def test_given_the_first_card_of_all_lies_between_the_columns_face_up_then_its_owner_is_told(evening):
    table = evening(first=None)
    table.see()
    table.see(beside(table.sight(), "A/near/A6"), wait=4)
    assert told(table) == [("beside-columns", "near", {"card": "A6", "to": "A", "seat": "near"})]
    table.see(An="A6", wait=1)
    assert table.moves == ["near deploy A6 A"]


def test_given_containment_when_a_hidden_card_is_put_aside_then_it_was_destroyed_and_no_card_is_missing(evening):
    table = evening()
    table.see()
    table.see(An="A5", wait=1)
    table.see(beside(table.sight(An="A5"), "L/far/-"), wait=10)
    assert told(table) == []


def test_given_play_goes_on_when_the_card_lies_there_still_then_that_is_let_stand_once(table):
    table.see(beside(table.sight(An="A6")), wait=4)
    table.see(beside(table.sight(An="A6", Lf="L6")), wait=2)
    table.see(beside(table.sight(An="A6 -", Lf="L6")), wait=20)
    assert [code for code, _, _ in told(table)] == ["beside-columns"]
    assert table.notices == ["let-stand"] and len(table.moves) == 3


def test_given_a_card_beside_the_columns_when_the_program_is_killed_then_it_is_known_again(table):
    table.see(beside(table.sight(An="A6")), wait=4)
    assert belief_from_json(belief_to_json(table.belief)) == table.belief


def test_given_a_card_over_a_board_was_told_to_far_when_play_goes_on_then_it_is_far_that_let_it_stand(table):
    table.see(beside(table.sight(An="A6"), "L/L6", "on-board"), wait=4)
    table.see(beside(table.sight(An="A6", Lf="-"), "L/L6", "on-board"), wait=2)
    assert [(event.code, event.parts["seat"]) for event in table.of_kind(Notice)] == [("let-stand", "far")]
