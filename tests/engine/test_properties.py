"""What holds in every battle, whatever is dealt and played."""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import (
    CARDS,
    SEATS,
    THEATERS,
    Edition,
    IllegalMove,
    Move,
    Seat,
    State,
    board,
    control,
    explain,
    holders,
    legal_moves,
    observer_state,
    play,
    position,
    redacted,
    state_from_json,
    state_to_json,
    strengths,
)
from engine.battle import Destruction, destruction
from engine.moves import MOVE_KINDS
from engine.names import EDITIONS
from engine.records.json_codec import ReplayStep, step_to_json
from engine.state import CardInPlay, Hand, cards_of, start
from engine.strength import totals

Line = Callable[..., Iterator[tuple[State, Move, State]]]
EDITION = st.sampled_from(EDITIONS)
SEED = st.integers(0, 2**32)
# The fixtures used here are functions without state, so hypothesis may call them again and again.
PURE = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def cards_in(state: State) -> list[str]:
    """Every card that a fully known state holds."""
    slots = itertools.chain(*state.piles, state.deck)
    hands = itertools.chain(*(cards_of(hand.known) for hand in state.hands))
    return [str(slot.card) for slot in slots] + [str(card) for card in hands]


@PURE
@given(seed=SEED, edition=EDITION)
def test_there_are_always_eighteen_cards(line_of_play: Line, seed: int, edition: str) -> None:
    for _, _, state in line_of_play(seed, edition):
        assert sorted(cards_in(state)) == sorted(CARDS)


@PURE
@given(seed=SEED, edition=EDITION)
def test_every_theater_is_held_and_strength_is_the_sum_of_its_parts(
    line_of_play: Line, seed: int, edition: str
) -> None:
    for _, _, state in line_of_play(seed, edition):
        held = control(state)
        assert set(held) == set(THEATERS)
        assert {h.theater: h.seat for h in holders(state)} == held
        found = strengths(state)
        assert [found[place].total for place in found] == totals(state.order, state.piles)
        for theater in THEATERS:
            sums = {seat: found[theater, seat].total for seat in SEATS}
            best = max(sums.values())
            winners = [seat for seat in SEATS if sums[seat] == best]
            assert held[theater] == (winners[0] if len(winners) == 1 else state.first)


@PURE
@given(seed=SEED, edition=EDITION)
def test_the_battle_goes_to_the_seat_with_most_theaters(line_of_play: Line, seed: int, edition: str) -> None:
    *_, (_, _, state) = line_of_play(seed, edition)
    assert state.result is not None
    assert state.hands[0].size == state.hands[1].size == 0
    assert list(control(state).values()).count(state.result.winner) >= 2
    assert (state.result.points, state.result.why) == (6, "played-out")


@PURE
@given(seed=SEED, edition=st.sampled_from(("revised", "critters")))
def test_a_revised_battle_without_withdrawal_has_exactly_twelve_turns(
    line_of_play: Line, seed: int, edition: str
) -> None:
    turns = [state.active for state, move, _ in line_of_play(seed, edition) if state.pending is None]
    assert len(turns) == 12
    assert all(a != b for a, b in itertools.pairwise(turns)), "seats take turns"


def every_move(state: State) -> Iterator[Move]:
    """Every move that has the form of one, legal or not."""
    theaters = (*THEATERS, None)
    for by in SEATS:
        for do in MOVE_KINDS:
            if do in ("withdraw", "decline"):
                yield Move(do, by)
            elif do in ("deploy", "improvise"):
                yield from (Move(do, by, card, to) for card in (*CARDS, None) for to in theaters)
            elif do == "flip":
                yield from (Move(do, by, side=side, at=at) for side in (*SEATS, None) for at in theaters)
            elif do == "move":
                spots = itertools.product(theaters, (-1, 0, 1, 2, 9, None), theaters)
                yield from (Move(do, by, origin=origin, nth=nth, to=to) for origin, nth, to in spots)
            elif do == "return":
                yield from (Move(do, by, at=at, nth=nth) for at in theaters for nth in (-1, 0, 1, 2, 9, None))
            else:
                yield from (Move(do, by, to=to) for to in theaters)


@settings(PURE, max_examples=12)
@given(seed=SEED, edition=EDITION)
def test_every_legal_move_is_accepted_and_nothing_else(line_of_play: Line, seed: int, edition: str) -> None:
    for state, _, after in line_of_play(seed, edition, withdraw=0.1):
        for checked in (state, after):
            legal = legal_moves(checked)
            assert len(set(legal)) == len(legal)
            accepted = {move for move in every_move(checked) if explain(checked, move) is None}
            short = {m for m in legal if m.nth is None or m.nth in (0, 1, 2, 9)}
            assert accepted == short
            for move in legal:
                play(checked, move)


def test_a_refused_move_raises_and_says_why(line_of_play: Line) -> None:
    for state, _, _ in line_of_play(7, "revised"):
        for move in every_move(state):
            why = explain(state, move)
            if why is not None:
                with pytest.raises(IllegalMove) as raised:
                    play(state, move)
                assert raised.value.refusal == why
                assert why.message.endswith(".")
                assert why.mend.endswith(".")
                assert why.rule
                assert "{" not in why.message + why.mend + why.rule


@PURE
@given(seed=SEED, edition=EDITION)
def test_playing_leaves_the_state_before_as_it_was(line_of_play: Line, seed: int, edition: str) -> None:
    written = []
    states = []
    for state, _, _ in line_of_play(seed, edition, withdraw=0.05):
        states.append(state)
        written.append(json.dumps(state_to_json(state)))
    # Undo is keeping the old state: nothing that was played since has changed it.
    assert [json.dumps(state_to_json(state)) for state in states] == written


@PURE
@given(seed=SEED, edition=EDITION)
def test_a_state_written_and_read_is_the_same_state(line_of_play: Line, seed: int, edition: str) -> None:
    for _, _, state in line_of_play(seed, edition, withdraw=0.05):
        again = state_from_json(json.loads(json.dumps(state_to_json(state))))
        assert again == state
        assert hash(again) == hash(state)
        assert legal_moves(again) == legal_moves(state)


def public(state: State, lost: Destruction | None = None) -> dict[str, object]:
    answer = step_to_json(ReplayStep(state, None, lost))
    answer.pop("destroyed", None)
    return answer


@PURE
@given(seed=SEED, edition=EDITION)
def test_the_public_part_is_the_same_for_an_onlooker(line_of_play: Line, seed: int, edition: str) -> None:
    onlooker: State | None = None
    for state, move, after in line_of_play(seed, edition, withdraw=0.05):
        if onlooker is None:
            onlooker = start(edition, state.order, state.first)
        possible = legal_moves(onlooker)
        for legal in legal_moves(state):
            seen = legal._replace(card=None) if legal.do == "improvise" else legal
            assert seen in possible, "what is legal with full knowledge is possible to an onlooker"
        seen = redacted(state, move, onlooker)
        lost, seen_lost = destruction(state, move), destruction(onlooker, seen)
        assert (lost is None) is (seen_lost is None)
        onlooker = play(onlooker, seen)
        assert public(onlooker, seen_lost) == public(after, lost)
        assert board(onlooker) == board(after)
        for known, real in zip(itertools.chain(*onlooker.piles), itertools.chain(*after.piles), strict=True):
            assert known.card is None or known.card == real.card, "an onlooker is never wrong"
        again = state_from_json(json.loads(json.dumps(state_to_json(onlooker))))
        assert again == onlooker


@PURE
@given(seed=SEED, edition=EDITION)
def test_no_legal_table_has_a_flag(line_of_play: Line, seed: int, edition: str) -> None:
    for _, _, state in line_of_play(seed, edition, withdraw=0.05):
        assert position.state_flags(state) == ()


@PURE
@given(seed=SEED, edition=EDITION, seat=st.sampled_from(SEATS))
def test_a_players_own_view_holds_the_own_cards_and_no_other(
    line_of_play: Line, seed: int, edition: str, seat: Seat
) -> None:
    own: State | None = None
    for state, move, after in line_of_play(seed, edition, withdraw=0.05):
        if own is None:
            own = observer_state(state, seat)
        mine = redacted(state, move, own)
        if move.by == seat:
            assert set(legal_moves(own)) == set(legal_moves(state)), "a player knows what the own hand allows"
        own = play(own, mine)
        assert own.hand(seat).known == after.hand(seat).known
        assert public(own) == public(after)
        fresh = observer_state(after, seat)
        assert public(fresh) == public(after)
        for stranger in (observer_state(after), fresh):
            assert state_from_json(state_to_json(stranger)) == stranger
            for place, pile in stranger.stacks.items():
                assert all(slot.up or slot.card is None or place[1] == seat for slot in pile)
            hidden = [
                hand
                for side, hand in zip(SEATS, stranger.hands, strict=True)
                if not (stranger is fresh and side == seat)
            ]
            assert not any(hand.known for hand in hidden)
            drawing = stranger is fresh and after.pending == "reinforce" and after.turn == seat
            seen = [slot.card for slot in stranger.deck if slot.card is not None]
            assert seen == ([after.deck[0].card] if drawing else []), "only who draws has looked at the card"


def size_of(value: object, seen: set[int]) -> int:
    """Bytes of a value and all it holds; an edition is one object for all states, and so is a card in play."""
    if id(value) in seen or isinstance(value, Edition | CardInPlay | str | bool | None):
        return 0
    seen.add(id(value))
    inner = sum(size_of(part, seen) for part in value) if isinstance(value, tuple) else 0
    return sys.getsizeof(value) + inner


@PURE
@given(seed=SEED, edition=EDITION)
def test_a_state_is_smaller_than_two_kibibytes(line_of_play: Line, seed: int, edition: str) -> None:
    for _, _, state in line_of_play(seed, edition):
        assert size_of(state, set()) < 2048


def test_hands_say_how_many_cards_are_unknown() -> None:
    assert Hand(6, 0b11).unknown == 4
