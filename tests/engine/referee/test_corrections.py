"""A person sets what no card shows: an open effect, a permission, an extra turn, a known hidden card."""

from __future__ import annotations

import pytest

from engine import could_hold
from engine.events import Correct, Corrected
from engine.failure import BadInput
from engine.names import Card
from engine.places import Spot
from engine.records.inputs_json import input_from_json, input_to_json
from engine.referee import best_state


def test_given_a_maneuver_that_was_passed_over_when_its_effect_is_set_then_its_owner_decides(evening):
    table = evening().two_cards()
    table.see(An="A6", Lf="L6", Sn="S3")
    table.say(Correct(turn="far"))
    assert best_state(table.belief).pending is None
    table.say(Correct(effect=Card("S3")))
    state = best_state(table.belief)
    assert (state.turn, state.pending) == ("near", "maneuver")
    assert table.moves_of(table.see(An="A6", Lf="-", Sn="S3")) == ["near flip far L"]


def test_given_a_permission_and_an_extra_turn_when_they_are_set_then_they_hold(evening):
    table = evening("first").two_cards()
    table.say(Correct(permits={"near": True}, extra={"far": 1}))
    state = best_state(table.belief)
    assert state.permits == (True, False) and state.extra == (0, 1)
    assert table.moves_of(table.see(An="A6 S6", Lf="L6")) == ["near deploy S6 A"]


def test_given_a_hidden_card_that_all_have_seen_when_it_is_set_then_nobody_else_can_hold_it(evening):
    table = evening().two_cards()
    table.see(An="A6 -", Lf="L6")
    table.say(Correct(hidden={Spot("A", "near", 1): Card("S6")}))
    assert "S6" not in could_hold(best_state(table.belief), "far")
    assert len([event for event in table.events if isinstance(event, Corrected)]) == 1


def test_given_a_card_that_lies_elsewhere_when_it_is_set_as_hidden_then_it_is_refused(evening):
    table = evening().two_cards()
    table.see(An="A6 -", Lf="L6")
    with pytest.raises(BadInput, match="L6 cannot lie face down at A/near/1"):
        table.say(Correct(hidden={Spot("A", "near", 1): Card("L6")}))


def test_given_a_card_without_an_effect_when_its_effect_is_set_then_it_is_refused(evening):
    table = evening().two_cards()
    with pytest.raises(BadInput, match="A6 has no effect"):
        table.say(Correct(effect=Card("A6")))


def test_given_such_a_correction_when_it_is_written_down_then_it_reads_back():
    given = Correct(
        effect=Card("L2"), permits={"near": True}, extra={"far": 2}, hidden={Spot("L", "far", 0): Card("A1")}
    )
    assert input_from_json(input_to_json(given)) == given
