"""What an onlooker may conclude, and what stays open."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

import pytest

from engine import (
    CARDS,
    Card,
    IllegalMove,
    Move,
    State,
    could_be,
    could_hold,
    destruction,
    explain,
    legal_moves,
    must_hold,
    play,
    start,
)
from engine.names import EDITIONS

Moves = Callable[[str], list[Move]]


@pytest.fixture
def seen(moves: Moves) -> Callable[..., State]:
    """An onlooker's state after the given moves."""

    def after(text: str, edition: str = "revised", order: str = "ALS") -> State:
        state = start(edition, order, "near")
        for move in moves(text):
            state = play(state, move)
        return state

    return after


Seen = Callable[..., State]


def code(state: State, move: Move) -> str | None:
    why = explain(state, move)
    return None if why is None else why.code


@pytest.mark.parametrize("edition", EDITIONS)
def test_at_the_start_every_card_could_be_anywhere(edition: str) -> None:
    state = start(edition)
    assert could_hold(state, "near") == could_hold(state, "far") == CARDS
    legal = legal_moves(state)
    assert [m.card for m in legal if m.do == "improvise"] == [None, None, None]
    assert {(m.card, m.to) for m in legal if m.do == "deploy"} == {(c, c[0]) for c in CARDS}
    assert len(legal) == 18 + 3 + 1


def test_a_card_seen_is_in_no_hand(seen: Seen) -> None:
    state = seen("near deploy A6 A")
    assert "A6" not in could_hold(state, "far")
    assert code(state, Move("deploy", "far", Card("A6"), "A")) == "not-in-hand"


def test_a_flip_of_an_unknown_card_must_say_what_came_to_light(seen: Seen) -> None:
    state = seen("near improvise ? A\nfar deploy L2 L")
    flip = Move("flip", "far", side="near", at="A")
    assert flip in legal_moves(state)
    assert code(state, flip) == "reveal-missing"
    assert code(state, flip._replace(reveals=Card("L2"))) == "reveal-impossible"
    assert code(state, flip._replace(reveals=Card("Z9"))) == "unknown-card"
    after = play(state, flip._replace(reveals=Card("S6")))
    assert after.stack("A", "near")[0] == (Card("S6"), True, 0)


def test_a_card_turned_down_before_everyones_eyes_stays_known(seen: Seen) -> None:
    state = seen("near deploy A6 A\nfar deploy L2 L\nfar flip near A")
    assert could_be(state, "A", "near", 0) == ("A6",)
    state = play(play(state, Move("deploy", "near", Card("L3"), "L")), Move("flip", "near", side="near", at="A"))
    assert state.stack("A", "near")[0].card == "A6", "no reveals is needed for a card that everyone knows"


def test_a_reveal_must_agree_with_what_is_known(seen: Seen) -> None:
    state = seen("near deploy A6 A\nfar deploy L2 L\nfar flip near A\nnear deploy L3 L")
    flip = Move("flip", "near", side="near", at="A")
    assert code(state, flip._replace(reveals=Card("A6"))) is None
    assert code(state, flip._replace(reveals=Card("A5"))) == "reveal-impossible"


TAKEN_BACK = "near deploy A6 A\nfar deploy L2 L\nfar flip near A\nnear deploy S4 S\nnear return A:0"


def test_redeploy_puts_a_known_card_into_a_hand(seen: Seen) -> None:
    state = seen(TAKEN_BACK)
    assert must_hold(state, "near") == ("A6",)
    assert "A6" in could_hold(state, "near")
    assert "A6" not in could_hold(state, "far")
    assert Move("deploy", "near", Card("A6"), "A") in legal_moves(state)


def test_a_card_taken_back_may_be_the_next_one_laid_face_down(seen: Seen) -> None:
    state = seen(TAKEN_BACK + "\nnear improvise ? S")
    assert must_hold(state, "near") == ()
    assert "A6" in could_be(state, "S", "near", 1)
    assert "A6" in could_hold(state, "near")
    assert "A6" not in could_hold(state, "far"), "it is in near's hand or under that back, nowhere else"


def test_it_cannot_be_a_card_that_lay_there_before(seen: Seen) -> None:
    state = seen("near improvise ? L\nfar deploy L4 L\n" + TAKEN_BACK + "\nnear improvise ? S")
    assert "A6" not in could_be(state, "L", "near", 0)
    assert "A6" in could_be(state, "S", "near", 1)


def test_when_it_comes_to_light_elsewhere_the_back_is_another_card(seen: Seen) -> None:
    state = seen(TAKEN_BACK + "\nnear improvise ? S\nfar deploy L4 L\nnear deploy A6 A")
    assert "A6" not in could_be(state, "S", "near", 1)
    assert state.loose == 0


def test_when_the_back_is_another_card_it_is_certainly_in_the_hand(seen: Seen) -> None:
    moves = TAKEN_BACK + "\nnear improvise ? S\nfar deploy S3 S"
    state = seen(moves.replace("far deploy S3 S", "far improvise ? A") + "\nnear deploy L3 L")
    flip = Move("flip", "near", side="near", at="S", reveals=Card("S6"))
    assert must_hold(play(state, flip), "near") == ("A6",)


def test_the_only_card_of_a_known_hand_is_known_when_it_is_laid_face_down(seen: Seen) -> None:
    state = seen(
        """near deploy A6 A
        far deploy L2 L
        far flip near A
        near improvise ? L
        far improvise ? A
        near improvise ? L
        far improvise ? A
        near improvise ? L
        far improvise ? A
        near improvise ? L
        far improvise ? A
        near deploy S4 S
        near return A:0"""
    )
    assert (state.hand("near").size, must_hold(state, "near")) == (1, ("A6",))
    assert could_hold(state, "near") == ("A6",)
    assert {m.card for m in legal_moves(state) if m.do == "deploy"} == {Card("A6")}
    assert {m.card for m in legal_moves(state) if m.do == "improvise"} == {None}
    state = play(state, Move("improvise", "near", None, "S"))
    assert could_be(state, "S", "near", 1) == ("A6",)


def test_two_known_cards_and_one_back(seen: Seen) -> None:
    # Both of near's last two cards are known, and one of them is laid face down: each is here or there.
    state = seen(
        """near deploy A6 A
        far deploy L2 L
        far flip near A
        near improvise ? L
        far improvise ? A
        near improvise ? L
        far improvise ? A
        near improvise ? L
        far improvise ? A
        near deploy S4 S
        near return A:0""",
        "first",
    )
    known = state.hands[0]._replace(known=state.hands[0].known | state.unseen & -state.unseen)
    state = state._replace(hands=(known, state.hands[1]), unseen=state.unseen & (state.unseen - 1))
    both = could_hold(state, "near")
    assert len(both) == state.hand("near").size == 2
    state = play(state, Move("improvise", "near", None, "S"))
    assert could_be(state, "S", "near", 1) == both
    assert could_hold(state, "near") == both
    assert not set(both) & set(could_hold(state, "far"))


def test_a_destroyed_back_is_not_revealed(seen: Seen) -> None:
    state = seen("near deploy A5 A")
    move = Move("improvise", "far", None, "L")
    lost = destruction(state, move)
    assert lost == (None, "A5")
    assert play(state, move).deck[-1].card is None


def test_a_card_destroyed_face_up_is_known_at_the_bottom_of_the_deck(seen: Seen) -> None:
    state = seen("near deploy S5 S\nfar deploy L6 L\nnear improvise ? L\nfar improvise ? L\nnear deploy L2 L")
    assert state.deck[-1].card == "L2"
    assert "L2" not in could_hold(state, "near")


def test_reinforce_may_name_its_card_or_not(seen: Seen) -> None:
    state = seen("near deploy L1 L")
    assert legal_moves(state) == (Move("reinforce", "near", to="A"), Move("reinforce", "near", to="S"))
    assert play(state, Move("reinforce", "near", to="A")).stack("A", "near")[0].card is None
    named = play(state, Move("reinforce", "near", to="A", card=Card("S6")))
    assert named.stack("A", "near")[0] == (Card("S6"), False, 0)
    assert code(state, Move("reinforce", "near", to="A", card=Card("L1"))) == "card-contradicts"


def test_a_players_own_view_knows_one_hand() -> None:
    mine = [Card(c) for c in ("A1", "A2", "A3", "L4", "S5", "S6")]
    state = start("revised", "ALS", "near", {"near": mine})
    assert set(mine).isdisjoint(could_hold(state, "far"))
    assert {m.card for m in legal_moves(state) if m.do == "improvise"} == set(mine)
    state = play(state, Move("improvise", "near", Card("L4"), "A"))
    assert {m.card for m in legal_moves(state) if m.do == "improvise"} == {None}
    assert state.stack("A", "near")[0].card == "L4"


def test_with_a_deal_a_face_down_play_must_be_named(table: Callable[..., State]) -> None:
    assert code(table(), Move("improvise", "near", None, "A")) == "card-missing"


def test_a_card_that_contradicts_the_deal_is_refused(table: Callable[..., State]) -> None:
    state = table("near deploy L1 L", "L1", deck="S6")
    assert code(state, Move("reinforce", "near", to="A", card=Card("S6"))) is None
    assert code(state, Move("reinforce", "near", to="A", card=Card("S5"))) == "card-contradicts"
    state = table("near improvise A6 A\nfar deploy L2 L", "A6", "L2")
    with pytest.raises(IllegalMove, match="cannot be A5"):
        play(state, Move("flip", "far", side="near", at="A", reveals=Card("A5")))


def test_unknown_cards_and_slots_always_balance(line_of_play: Callable[..., object]) -> None:
    state = start("first")
    for move in legal_moves(state):
        after = play(state, move)
        slots = [s for s in chain(*after.piles, after.deck) if s.card is None]
        unknown = len(slots) + sum(hand.unknown for hand in after.hands)
        assert unknown == after.unseen.bit_count() + after.loose.bit_count()
