"""Given any moment of any game, then the referee holds the true state and, stopped, goes on as before."""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import pairwise
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.events import Concede, Done, LetStand, Redo, Tick, Undo, Withdraw
from engine.failure import BadInput, Failure
from engine.names import EDITIONS
from engine.places import PLACES
from engine.referee import assumptions, belief_from_json, belief_to_json, new_belief, observe, states, tell, unsure
from engine.referee.observation import slot_of
from engine.referee.search import Root, search
from host.simulation.games import Habits, glance, public, war
from host.simulation.observation_noise import Eyesight

settings.register_profile("referee", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("referee")


def shown(stills, rng, edition):
    """What is believed after each of these tables, with what is true then."""
    belief, t = new_belief(edition), 0.0
    for still in stills:
        belief = observe(belief, glance(rng, still, Eyesight()), t).belief
        t += 1.0
        if still.truth.result is None:
            yield belief, still.truth


def holds(belief, truth):
    return public(truth) in {public(state) for state in states(belief)}


UNSEEN = st.sampled_from([0.0, 0.3, 0.9])
"""How gladly the players lose cards to Containment and Blockade."""


@given(st.integers(0, 10**9), st.sampled_from(EDITIONS), UNSEEN)
def test_the_set_of_states_always_holds_the_true_one(seed, edition, unseen):
    """A legal game with full information, shown as one public table after every move, also one that changes nothing."""
    rng = Random(seed)
    for belief, truth in shown(war(rng, edition, Habits(withdraw=0.0, unseen=unseen, every=True)), rng, edition):
        assert holds(belief, truth) and not unsure(belief)


@given(st.integers(0, 10**9), st.sampled_from(EDITIONS), UNSEEN)
def test_it_holds_the_true_one_also_where_silent_moves_lie_between_two_different_tables(seed, edition, unseen):
    """Up to two are asked for; more are followed too, or the state says that it is unsure."""
    rng = Random(seed)
    stills = list(war(rng, edition, Habits(withdraw=0.0, unseen=unseen)))
    assert all(one.table != two.table for one, two in pairwise(stills[:-2]))
    for still, (belief, truth) in zip(stills, shown(stills, rng, edition), strict=False):
        assert holds(belief, truth) or (not still.followable and unsure(belief))


def test_those_games_have_many_silent_moves_in_a_row():
    games = [list(war(Random(seed), "revised", Habits(withdraw=0.0, unseen=0.9))) for seed in range(60)]
    assert sum(not game[-1].followable for game in games) > 10


@given(st.integers(0, 10**9), st.sampled_from(EDITIONS), st.sampled_from([0.0, 0.9]))
def test_where_lines_must_be_dropped_the_state_says_unsure(seed, edition, unseen):
    """With room for a single line only, the true one may be lost, but never without a word."""
    rng = Random(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engine.referee.update.HYPOTHESES_MOST", 1)
        for belief, truth in shown(war(rng, edition, Habits(withdraw=0.0, unseen=unseen)), rng, edition):
            assert holds(belief, truth) or unsure(belief)
            assert unsure(belief) == any(taken.code == "unsure" for taken in assumptions(belief))


@settings(max_examples=18)
@example(308, "critters")
@given(st.integers(0, 10**9), st.sampled_from(EDITIONS))
def test_stopped_at_any_instant_it_goes_on_the_same(seed, edition):
    rng = Random(seed)
    habits, eyesight = Habits(wrong=0.15, undo=0.1, quick=0.1), Eyesight(0.01)
    belief = resumed = new_belief(edition)
    t = 0.0
    for still in war(rng, edition, habits, 2):
        sight = glance(rng, still, eyesight)
        for step in range(4):
            t += 0.7
            before = belief_from_json(json.loads(json.dumps(belief_to_json(resumed))))
            assert before == resumed
            one = observe(belief, sight, t) if step == 0 else tell(belief, Tick(), t)
            two = observe(before, sight, t) if step == 0 else tell(before, Tick(), t)
            assert one == two
            belief, resumed = one.belief, two.belief


WORDS = (Undo(), Undo(2), Redo(), LetStand(), Done("near"), Done("far"), Withdraw("near"), Concede("far"))


@settings(max_examples=25)
@example(seed=2, edition="revised")
@example(seed=32, edition="revised")
@given(seed=st.integers(0, 10**9), edition=st.sampled_from(EDITIONS))
def test_it_stands_as_it_stood_after_a_stop_whatever_the_players_say(seed, edition):
    """Undo, redo and the buttons, at every stage of a war: the belief that is kept is the belief that was held."""
    rng, t = Random(seed), 0.0
    belief = new_belief(edition)
    for still in war(rng, edition, Habits()):
        belief = observe(belief, glance(rng, still, Eyesight()), t).belief
        for _ in range(3):
            t += 1.0
            belief = tell(belief, Tick(), t).belief
            if rng.random() < 0.3:
                with suppress(Failure):
                    belief = tell(belief, rng.choice(WORDS), t).belief
            assert belief_from_json(json.loads(json.dumps(belief_to_json(belief)))) == belief


@given(st.integers(0, 10**9))
def test_nothing_that_is_told_names_a_card_that_lies_face_down(seed):
    rng = Random(seed)
    belief, t = new_belief("revised"), 0.0
    for still in war(rng, "revised", Habits(wrong=0.1, undo=0.05)):
        belief = observe(belief, glance(rng, still, Eyesight()), t).belief
        t += 5.0
        belief = tell(belief, Tick(), t).belief
        for move in belief.told:
            assert move.card is None or move.do == "deploy"


@given(st.integers(0, 10**9), st.sampled_from(EDITIONS))
def test_a_search_tries_a_bounded_number_of_positions(seed, edition):
    """However strange the table: cards from another game altogether."""
    rng = Random(seed)
    here, there = (list(war(Random(n), edition, Habits(withdraw=0.0))) for n in (seed, seed + 1))
    state, sight = rng.choice(here).truth, glance(rng, rng.choice(there), Eyesight(0.1))
    target = tuple(tuple(map(slot_of, sight.stacks.get(place, ()))) for place in PLACES)
    found = search([Root(state, 0.0, 0)], target, budget=2500)
    assert len(found.nodes) <= 2501


@pytest.mark.parametrize("spoilt", [{}, {"edition": "revised"}, {"edition": "fifth"}, []])
def test_what_is_no_belief_is_refused(spoilt):
    with pytest.raises(BadInput, match="no referee's belief"):
        belief_from_json(spoilt)
