"""A person sets what no card shows: an open effect, a permission, an extra turn, a known hidden card."""

from __future__ import annotations

import pytest

from engine import IllegalMove, Move, could_hold, play
from engine.events import Correct, Corrected
from engine.failure import BadInput
from engine.names import Card
from engine.places import Spot
from engine.records.inputs_json import input_from_json, input_to_json
from engine.records.json_codec import state_from_json, state_to_json
from engine.referee import best_state, states, tell
from engine.state import UNKNOWN, start


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


def test_given_a_seat_without_cards_when_the_turn_is_given_to_it_then_that_is_refused(evening):
    table = evening().two_cards()
    table.say(Correct(hands={"near": 5, "far": 0}))
    assert best_state(table.belief).turn == "near"
    with pytest.raises(BadInput, match="no card in hand") as caught:
        tell(table.belief, Correct(turn="far"), 30.0)
    assert caught.value.code == "impossible-table" and caught.value.remedy


def test_given_a_hand_counted_too_small_when_it_is_played_from_then_the_record_can_be_read_back(evening):
    # Near holds one card by a wrong correction, and lays two.
    table = evening().two_cards()
    table.say(Correct(hands={"near": 1, "far": 1}))
    for stacks in ({"An": "A6 A5", "Lf": "L6"}, {"An": "A6 A5", "Lf": "L6 L5"}, {"An": "A6 A5 -", "Lf": "L6 L5"}):
        table.see(**stacks)
        for state in states(table.belief):
            assert state_from_json(state_to_json(state)) == state
    with pytest.raises(IllegalMove) as caught:
        play(laid_out_of_cards(), Move("improvise", "near", to="A"))
    assert caught.value.refusal.code == "empty-hand"


def laid_out_of_cards():
    """A state in which it is the turn of a seat that has no card, as an older record may have it."""
    state = start("revised", ("A", "L", "S"), "near")
    hands = (state.hands[0]._replace(size=0), state.hands[1])
    return state._replace(hands=hands, deck=(*state.deck, *(UNKNOWN,) * 6))


def test_given_an_open_effect_when_the_cards_in_hand_are_counted_anew_then_it_stays_open(evening):
    table = evening().two_cards()
    table.see(An="A6", Lf="L6", Ln="L2")
    before = best_state(table.belief)
    assert before.pending is not None
    table.say(Correct(hands={"near": 3, "far": 5}))
    after = best_state(table.belief)
    assert (after.turn, after.pending, after.queue) == (before.turn, before.pending, before.queue)
    assert after.hand_sizes == {"near": 3, "far": 5}
