"""Pairing: properties over a thousand random tournaments with late entries and drops, and what a person would ask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest

from host.club.simulation.random_tournaments import BREACHES, tournament
from host.club.tournament.events import Opened, Repaired
from host.club.tournament.pairing import pair_next, proof
from host.club.tournament.state import TournamentRefused

Make = Callable[..., Any]


def names(count: int) -> list[str]:
    return [f"Player {n}" for n in range(1, count + 1)]


def test_random_tournaments_with_late_entries_and_drops() -> None:
    """The full thousand is the figure `club.pairing` of `allfronts bench`."""
    found = sum((tournament(seed) for seed in range(50)), Counter[str]())

    assert {name: found[name] for name in BREACHES} == dict.fromkeys(BREACHES, 0)
    assert found["rounds"] > 150 and found["late"] > 30 and found["dropped"] > 30 and found["byes"] > 50


def test_where_everybody_has_met_everybody_the_round_is_refused_and_not_invented(played: Make) -> None:
    t = played(Opened("Three friends", rounds=9))
    t.enter("Anna", "Bela", "Chris")
    for _ in range(3):
        t.play_round()

    with pytest.raises(TournamentRefused) as caught:
        t.pair()

    assert caught.value.code == "no-pairing"


def test_the_organiser_may_still_pair_them_again_by_hand_and_the_proof_says_so(played: Make) -> None:
    t = played()
    t.enter("Anna", "Bela", "Chris", "Dora")
    first = t.play_round()
    second = t.pair()
    t.happen(Repaired(second.round, first.pairs, None, "they asked for it"))

    codes = [code for code, _ in proof(t.state, t.state.rounds[1])]

    assert codes[0] == "rematch"
    assert codes.count("rematch-at") == 2


def test_the_proof_names_the_bye_and_that_nobody_meets_again(played: Make) -> None:
    t = played()
    t.enter("Anna", "Bela", "Chris", "Dora", "Emil")
    t.play_round()
    event = t.play_round()

    said = dict(proof(t.state, t.state.rounds[1]))

    assert said["no-rematch"] == {"n": 2}
    assert said["first-bye"] == {"name": t.state.players[event.bye].name}


@pytest.mark.parametrize("count", range(2, 12))
def test_a_round_robin_has_every_pair_once(played: Make, count: int) -> None:
    t = played(Opened("All against all", "round-robin"))
    t.enter(*names(count))
    while len(t.state.rounds) < t.state.rounds_planned:
        t.play_round()

    met = [frozenset((p.near, p.far)) for r in t.state.rounds for p in r.pairs]

    assert sorted(map(sorted, met)) == [list(c) for c in combinations(range(1, count + 1), 2)]
    with pytest.raises(TournamentRefused, match="all-rounds"):
        t.pair()


def test_a_late_player_takes_the_free_place_of_a_round_robin(played: Make) -> None:
    t = played(Opened("All against all", "round-robin"))
    t.enter("Anna", "Bela", "Chris")
    t.play_round()
    t.enter("Dora")

    while len(t.state.rounds) < t.state.rounds_planned:
        t.play_round()

    assert len(t.state.met) == 5, "Dora missed one match of six, and nobody met twice"
    with pytest.raises(TournamentRefused, match="late-round-robin"):
        t.enter("Emil")


def test_who_drops_out_of_a_round_robin_leaves_walkovers_and_the_others_play_on(played: Make) -> None:
    t = played(Opened("All against all", "round-robin"))
    t.enter("Anna", "Bela", "Chris", "Dora")
    t.play_round()
    t.drop(4)

    event = pair_next(t.state)

    assert any(4 in (p.near, p.far) for p in event.pairs), "the match stands, for the walkover to be credited"


def test_players_take_turns_at_the_near_side(played: Make) -> None:
    t = played(Opened("Club night", rounds=6))
    t.enter(*names(14))
    for _ in range(6):
        t.play_round()

    for number in t.state.players:
        near = sum(p.near == number for r in t.state.rounds for p in r.pairs)
        assert 1 <= near <= 5


def test_sixty_players_are_paired(played: Make) -> None:
    t = played()
    t.enter(*names(60))
    for _ in range(2):
        t.play_round()

    assert len(t.pair().pairs) == 30
