"""The war: score, commander cards, rotation, beginners, concession, correction, resumption."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import BadInput, Failure, IllegalMove, Move, State, War, legal_moves
from engine.editions import withdraw_points
from engine.names import CARDS, EDITIONS, Seat, other
from engine.records.war_json import war_from_json, war_to_json
from engine.war import rotated

PURE = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def withdrawn(war: War) -> War:
    """The seat whose turn it is withdraws."""
    assert war.state.turn is not None
    return war.play(Move("withdraw", war.state.turn))


def test_boards_rotate_and_commander_cards_change_hands() -> None:
    war = War.begin("revised", "SAL", "far")
    war = withdrawn(war).next_battle()
    assert "".join(war.state.order) == "LSA", "the board furthest right goes to the far left (R14)"
    assert war.state.first == war.state.turn == "near"
    war = withdrawn(war).next_battle()
    assert ("".join(war.state.order), war.state.first) == ("ALS", "far")


def test_three_rotations_come_back() -> None:
    assert rotated(rotated(rotated("SAL"))) == tuple("SAL")


def test_a_table_laid_otherwise_is_played_as_it_lies() -> None:
    war = withdrawn(War.begin(order="ALS")).next_battle(order="SLA", first="near")
    assert ("".join(war.state.order), war.state.first) == ("SLA", "near")


def test_withdrawals_score_by_the_commander_card() -> None:
    war = withdrawn(War.begin(first="near"))
    assert war.score == {"near": 0, "far": 2}
    war = withdrawn(war.next_battle())
    assert war.score == {"near": 2, "far": 2}


@pytest.mark.parametrize("target", [12, 18, 2, 31])
def test_the_war_goes_to_whoever_reaches_the_target(target: int) -> None:
    war = War.begin(target=target)
    battles = 1
    while (war := withdrawn(war)).winner is None:
        war = war.next_battle()
        battles += 1
    assert max(war.score.values()) >= target > max(war.before)
    assert len(war.fought) == battles - 1
    with pytest.raises(Failure, match="won by") as over:
        war.next_battle()
    assert over.value.code == "war-over"


def test_beginners_count_battles() -> None:
    war = War.begin(beginner=True)
    assert war.target == 3
    for _ in range(4):
        war = withdrawn(war).next_battle()
    war = withdrawn(war)
    assert sorted(war.score.values()) == [2, 3]
    assert war.winner is not None


def test_the_next_battle_waits_for_the_end_of_this_one() -> None:
    with pytest.raises(Failure) as early:
        War.begin().next_battle()
    assert early.value.code == "battle-not-over"


@pytest.mark.parametrize("target", [0, -1, 1001])
def test_an_odd_target_is_refused(target: int) -> None:
    with pytest.raises(BadInput, match="points"):
        War.begin(target=target)


def test_a_battle_may_be_conceded_at_any_moment(moves: Callable[[str], list[Move]]) -> None:
    war = War.begin()
    for move in moves("near deploy A6 A\nfar deploy L2 L"):
        war = war.play(move)
    assert war.state.pending == "ambush"
    conceded = war.concede("near")
    assert conceded.state.result == ("far", 2, "withdrew")
    assert legal_moves(conceded.state) == ()
    assert conceded.take_back() == war
    with pytest.raises(Failure):
        conceded.concede("far")


@pytest.mark.parametrize(("seat", "points"), [("near", 2), ("far", 3)])
def test_a_concession_counts_by_the_commander_card_of_the_one_who_concedes(
    moves: Callable[[str], list[Move]], seat: Seat, points: int
) -> None:
    war = War.begin(first="near")
    for move in moves("near improvise ? A\nfar improvise ? A\nnear improvise ? L\nfar improvise ? L"):
        war = war.play(move)
    assert war.concede(seat).state.result == (other(seat), points, "withdrew")


def test_a_move_can_be_taken_back_and_a_score_corrected() -> None:
    war = withdrawn(War.begin())
    assert war.take_back().score == {"near": 0, "far": 0}
    assert war.correct_score(4, 8).score == {"near": 4, "far": 8}
    assert war.correct_score(4, 8).take_back().score == {"near": 4, "far": 6}
    with pytest.raises(BadInput):
        war.correct_score(0, 1)
    with pytest.raises(Failure) as nothing:
        war.take_back(2)
    assert nothing.value.code == "nothing-to-take-back"


def test_a_person_may_set_the_state(table: Callable[..., State]) -> None:
    state = table("near deploy A6 A", "A6")
    war = War.begin().correct(state)
    assert war.state is state
    assert war.take_back().state == war.opening
    with pytest.raises(BadInput):
        War.begin("first").correct(state)


def test_an_illegal_move_leaves_the_war_alone() -> None:
    war = War.begin()
    with pytest.raises(IllegalMove):
        war.play(Move("withdraw", "far"))
    assert war.entries == ()


def played_on(war: War, rng: random.Random, moves: int) -> War:
    for _ in range(moves):
        if war.state.turn is None:
            if war.winner is not None:
                return war
            cards = rng.sample(CARDS, len(CARDS))
            war = war.next_battle(None, None, {"near": cards[:6], "far": cards[6:12]}, cards[12:])
            continue
        if rng.random() < 0.03:
            war = war.concede(rng.choice(["near", "far"]))
            continue
        before = war
        war = war.play(rng.choice(legal_moves(war.state)))
        assert war.take_back() == before, "taking a move back restores the war exactly"
    return war


@PURE
@given(seed=st.integers(0, 2**32), edition=st.sampled_from(EDITIONS), moves=st.integers(0, 90))
def test_a_war_written_and_read_goes_on_where_it_was(seed: int, edition: str, moves: int) -> None:
    rng = random.Random(seed)
    cards = rng.sample(CARDS, len(CARDS))
    begun = War.begin(edition, "LAS", "far", hands={"near": cards[:6], "far": cards[6:12]}, deck=cards[12:])
    war = played_on(begun, rng, moves)
    again = war_from_json(json.loads(json.dumps(war_to_json(war))))
    assert again == war
    assert played_on(again, random.Random(1), 20) == played_on(war, random.Random(1), 20)
    # Points only ever come from the battles that were fought.
    given_away = {"near": 0, "far": 0}
    for battle in war.fought:
        given_away[battle.result.winner] += battle.result.points
    assert (given_away["near"], given_away["far"]) == war.before
    firsts = [battle.first for battle in war.fought] + [war.opening.first]
    assert all(b == other(a) for a, b in pairwise(firsts))


@pytest.mark.parametrize("data", [None, [], {}, {"edition": "revised"}, {"opening": 3}])
def test_what_is_no_war_is_refused(data: object) -> None:
    with pytest.raises(BadInput):
        war_from_json(data)


@pytest.mark.parametrize(
    ("field", "value"),
    [("edition", "first"), ("before", {"near": -1, "far": 0}), ("before", {"near": 0, "far": "2"}), ("target", 0)],
)
def test_a_war_that_does_not_fit_is_refused(field: str, value: object) -> None:
    data = war_to_json(War.begin("revised"))
    data[field] = value
    with pytest.raises(BadInput):
        war_from_json(data)


def test_a_war_with_an_illegal_move_in_it_is_refused() -> None:
    data = war_to_json(War.begin())
    data["entries"] = [{"move": {"by": "far", "do": "withdraw"}}]
    with pytest.raises(BadInput, match="not a war"):
        war_from_json(data)


def test_withdrawing_counts_an_odd_record_s_hand_as_empty_or_full() -> None:
    for first in (True, False):
        assert withdraw_points(-9, first) == withdraw_points(0, first)
        assert withdraw_points(11, first) == withdraw_points(6, first)
