"""Deals that agree with a record, counted and drawn; moves by chance; keys of what was seen; what a score is worth."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

import engine
from engine import Move, Prospect
from engine.failure import BadInput
from engine.state import cards_of
from host.simulation.games import deal


def onlooker_after(moves: int, seed: int) -> tuple[engine.State, engine.State]:
    """A battle after some moves at random, and an onlooker's record of it."""
    rng = Random(seed)
    state = deal(rng, "revised")
    viewer = engine.observer_state(state)
    for _ in range(moves):
        if state.turn is None:
            break
        move = rng.choice(engine.plays(state))
        viewer = engine.play(viewer, engine.redacted(state, move, viewer))
        state = engine.play(state, move)
    return state, viewer


def test_before_the_first_card_there_are_as_many_deals_as_ways_to_deal() -> None:
    assert engine.deal_count(engine.start()) == 18564 * 924 * 720, "6 of 18, 6 of 12, and the deck in order"


def test_where_all_is_known_there_is_one_deal() -> None:
    state, _ = onlooker_after(4, 1)
    assert engine.deal_count(state) == 1
    (only,) = engine.deals(state, Random(1), 1)
    assert [slot.card for slot in only.deck] == [slot.card for slot in state.deck]


@pytest.mark.parametrize("seed", range(12))
def test_every_deal_drawn_agrees_with_the_record_and_can_be_played_on(seed: int) -> None:
    _, viewer = onlooker_after(seed, seed)
    for dealt in engine.deals(viewer, Random(seed), 5):
        everything = [slot.card for pile in (*dealt.piles, dealt.deck) for slot in pile]
        for hand in dealt.hands:
            everything += cards_of(hand.known)
        assert sorted(everything) == sorted(engine.CARDS)
        for seat in engine.SEATS:
            held = cards_of(dealt.hand(seat).known)
            assert set(engine.must_hold(viewer, seat)) <= set(held) <= set(engine.could_hold(viewer, seat))
        if dealt.turn is not None:
            engine.play(dealt, engine.legal_moves(dealt)[0])


def test_a_card_in_one_of_two_places_is_dealt_to_each_as_often_as_there_are_deals() -> None:
    """A4 was turned down and taken back by Redeploy; then that hand played a card face down: it is one of the two."""
    state = engine.start("revised", "ALS", "near")
    for move in (
        Move("deploy", "near", card="A1", to="A"),
        Move("deploy", "far", card="A4", to="A"),
        Move("deploy", "near", card="L2", to="L"),
        Move("flip", "near", side="far", at="A"),
        Move("deploy", "far", card="S4", to="S"),
        Move("return", "far", at="A", nth=0),
        Move("improvise", "far", to="L"),
    ):
        state = engine.play(state, move)
    assert state.loose
    hidden = engine.could_be(state, "L", "far", 0)
    drawn = Counter(one.stack("L", "far")[0].card for one in engine.deals(state, Random(5), 1600))
    assert set(drawn) == set(hidden)
    laid = engine.chance_moves(state, Move("flip", "near", side="far", at="L"))
    total = engine.deal_count(state)
    for one in laid:
        assert abs(drawn[one.move.reveals] / 1600 - one.deals / total) < 0.05


def test_a_flip_of_an_unknown_card_is_a_move_by_chance_and_its_counts_add_up() -> None:
    state = engine.start("revised", "ALS", "near")
    state = engine.play(state, Move("improvise", "near", to="A"))
    state = engine.play(state, Move("deploy", "far", card="L2", to="L"))
    found = engine.chance_moves(state, Move("flip", "far", side="near", at="A"))
    assert sum(one.deals for one in found) == engine.deal_count(state)
    assert {one.move.reveals for one in found} == set(engine.could_be(state, "A", "near", 0))
    for one in found:
        engine.play(state, one.move)


def test_whoever_owns_reinforce_has_looked_at_the_card_that_it_draws() -> None:
    hands = {"near": ["L1", "A2", "A3", "A4", "A5", "A6"], "far": ["L2", "L3", "L4", "L5", "L6", "S1"]}
    state = engine.start("revised", "ALS", "near", hands=hands, deck=["S6", "A1", "S2", "S3", "S4", "S5"])
    state = engine.play(state, Move("deploy", "near", card="L1", to="L"))
    assert engine.observer_state(state, "near").deck[0].card == "S6"
    assert engine.observer_state(state, "far").deck[0].card is None


def test_whoever_declines_reinforce_in_the_first_edition_still_knows_the_card_on_the_deck() -> None:
    near = ["L1", "A2", "A3", "A4", "A5", "A6"]
    own = engine.start("first", "ALS", "near", hands={"near": near})
    own = engine.play(own, Move("deploy", "near", card="L1", to="L"))
    own = engine.with_drawn_card(own, engine.Card("S6"))
    after = engine.play(own, Move("decline", "near"))
    assert after.deck[0].card == "S6" and "S6" not in engine.could_hold(after, "far")
    with pytest.raises(BadInput):
        engine.with_drawn_card(after, engine.Card("S5"))


@pytest.mark.parametrize("card", ["A2", "L1"])
def test_a_card_in_the_own_hand_or_on_the_table_cannot_be_drawn(card: str) -> None:
    near = ["L1", "A2", "A3", "A4", "A5", "A6"]
    own = engine.play(engine.start(hands={"near": near}), Move("deploy", "near", card="L1", to="L"))
    with pytest.raises(BadInput):
        engine.with_drawn_card(own, engine.Card(card))


def test_the_plays_are_the_legal_moves_without_the_withdrawal() -> None:
    state = engine.start()
    assert [move.do for move in set(engine.legal_moves(state)) - set(engine.plays(state))] == ["withdraw"]


def test_two_records_have_one_key_only_if_they_are_the_same() -> None:
    opening = engine.start()
    one = [Move("improvise", "near", to="A"), Move("improvise", "far", to="L")]
    two = [Move("improvise", "near", to="A"), Move("improvise", "far", to="S")]
    assert engine.information_key(opening, one) == engine.information_key(engine.start(), list(one))
    assert engine.information_key(opening, one) != engine.information_key(opening, two)


def test_a_score_is_worth_more_the_nearer_it_is_to_the_target() -> None:
    prospects = [Prospect("near", 6, 0.3), Prospect("near", 3, 0.2), Prospect("far", 6, 0.3), Prospect("far", 3, 0.2)]
    worth = engine.equities(12, prospects)
    assert worth[0, 0] == pytest.approx(0.5) and worth[9, 9] == pytest.approx(0.5)
    assert all(worth[a, 5] <= worth[b, 5] for a, b in pairwise(range(12)))
    assert len(worth) == 144
    assert engine.withdrawal_value(9, 8, "far", 3, 12, prospects) == 0.0
    assert engine.withdrawal_value(9, 8, "near", 2, 12, prospects) == pytest.approx(worth[9, 10])


def test_results_that_are_none_are_refused() -> None:
    with pytest.raises(BadInput):
        engine.equities(12, [Prospect("near", 6, 0.4)])
