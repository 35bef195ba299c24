"""Given a legal table, when somebody breaks a rule, then the referee says which rule, who, and how to put it right."""

from __future__ import annotations

from random import Random

import pytest

from engine.events import Corrected, LetStand, Mended, MoveMade, Violation
from engine.referee import best_state
from engine.sight import Note, SeenCard, Sight
from host.simulation.games import Habits, rehearse, war
from host.simulation.mistakes import MISTAKES
from host.simulation.observation_noise import Eyesight


def told(events):
    return [event.code for event in events if isinstance(event, Violation)]


def start(table, **columns):
    table.see()
    table.see(**columns)
    return table


def test_a_card_in_the_wrong_theater_is_told_once_with_its_mend(evening):
    table = start(evening(), An="A6")
    (wrong,) = table.see(An="A6", Sf="L2", wait=5)
    assert (wrong.code, wrong.who, wrong.move.card) == ("wrong-theater", "far", "L2")
    assert [(mend.code, mend.parts.get("to")) for mend in wrong.mend] == [("move-card", "L"), ("turn-over", None)]
    assert table.see(An="A6", Sf="L2", wait=5) == []
    assert table.belief.mistake.violation is not None


def test_put_right_is_mended_first_and_then_the_move(evening):
    table = start(evening(), An="A6")
    table.see(An="A6", Sf="L2", wait=2)
    events = table.see(An="A6", Lf="L2")
    assert [type(event) for event in events] == [Mended, MoveMade]
    assert table.belief.mistake.violation is None


def test_taken_back_is_mended_and_no_move(evening):
    table = start(evening(), An="A6")
    table.see(An="A6", Sf="L2", wait=2)
    assert [type(event) for event in table.see(An="A6", wait=5)] == [Mended]


def test_another_illegal_table_is_told_again(evening):
    table = start(evening(), An="A6")
    assert told(table.see(An="A6", Sf="L2", wait=2)) == ["wrong-theater"]
    assert told(table.see(An="A6", Af="L2", wait=2)) == ["wrong-theater"]


def test_the_first_card_laid_by_the_other_seat(evening):
    table = evening(first="near")
    table.see()
    (wrong,) = table.see(Sf="S6", wait=2)
    assert (wrong.code, wrong.who, wrong.mend[0].code) == ("out-of-turn", "far", "take-back")


def test_a_second_card_in_one_turn(evening):
    table = start(evening(), An="A6")
    assert told(table.see(An="A6", Ln="-", wait=2)) == ["second-card"]


def test_a_second_card_instead_of_the_effect(evening):
    table = start(evening(), Ln="-")
    table.see(Ln="-", Af="A6")
    table.see(Ln="- L3", Af="A6")
    (wrong,) = table.see(Ln="- L3", Af="A6", Sn="-", wait=2)
    assert wrong.code == "second-card"
    assert [mend.code for mend in wrong.mend] == ["take-back", "carry-out"]


def test_a_mandatory_effect_left_out(evening):
    table = start(evening(), Ln="-")
    table.see(Ln="-", Af="A6")
    table.see(Ln="- L3", Af="A6")
    (wrong,) = table.see(Ln="- L3", Af="A6 -", wait=2)
    assert (wrong.code, wrong.who, wrong.parts["effect"]) == ("effect-left-out", "near", "maneuver")
    events = table.see(Ln="- L3", Af="- -")
    assert [type(event) for event in events] == [Mended, MoveMade, MoveMade], "made up for under the other card"


def test_an_effect_made_up_for_afterwards(evening):
    table = start(evening(), Ln="-")
    table.see(Ln="-", Af="A6")
    table.see(Ln="- L3", Af="A6")
    table.see(Ln="- L3", Af="A6", Sf="-", wait=2)
    events = table.see(Ln="- L3", Af="-", Sf="-")
    assert [type(event) for event in events] == [Mended, MoveMade, MoveMade]
    assert table.moves[-2:] == ["near flip far A", "far improvise S"]


def test_a_card_that_must_be_destroyed_gets_a_moment(evening):
    table = start(evening(first="far"), Af="A5")
    assert table.see(Af="A5", Ln="-", wait=0.5) == []
    (wrong,) = table.pass_time(2)
    assert (wrong.code, wrong.parts["by_card"], wrong.rule) == (
        "should-be-destroyed",
        "A5",
        "revised: terms",
    )
    events = table.see(Af="A5")
    assert [type(event) for event in events] == [Mended, MoveMade]
    assert events[1].destroyed
    assert best_state(table.belief).hand_sizes == {"near": 5, "far": 5}


def test_a_card_that_lies_the_wrong_way_round(evening):
    table = start(evening(), An="A6")
    sight = table.sight(An="A6", Lf="L6")
    turned = dict(sight.stacks)
    turned["L", "far"] = (SeenCard("L6", 0.99, (), True),)
    sight = Sight(sight.order, turned, False, (Note("wrong-way-round", "L/far/0"),))
    (wrong,) = table.see(sight, wait=2)
    assert (wrong.code, wrong.who, wrong.mend[0].code) == ("wrong-way-round", "far", "turn-round")
    assert [type(event) for event in table.see(An="A6", Lf="L6")] == [Mended, MoveMade]


def test_let_it_stand_makes_the_table_the_state(evening):
    table = start(evening(), An="A6")
    table.see(An="A6", Sf="L2", wait=2)
    events = table.say(LetStand())
    assert [type(event) for event in events] == [Corrected]
    state = best_state(table.belief)
    assert state.stack("S", "far")[-1].card == "L2"
    assert (state.turn, state.pending) == ("far", "ambush"), "laid face up, so its effect is open"
    assert table.moves_of(table.see(An="-", Sf="L2")) == ["far flip near A"]


@pytest.mark.parametrize("kind", [*sorted(MISTAKES), "wrong-way-round"])
def test_every_kind_of_mistake_is_found_and_none_invented(kind):
    planted = 0
    for seed in range(60):
        edition = ("first", "revised", "critters")[seed % 3]
        rng = Random(seed)
        tables = list(war(rng, edition, Habits(wrong=0.35, kinds=(kind,))))
        report, _ = rehearse(iter(tables), rng, edition, Eyesight(), first=tables[0].truth.first)
        assert (report.found, report.false_alarms, report.invented) == (report.planted, 0, 0), (seed, report.notes)
        planted += report.planted
        if planted >= 15:
            return
    assert planted > 0


def test_a_mistake_put_right_in_two_steps_is_no_second_mistake(evening):
    table = evening()
    table.see()
    assert told(table.see(An="L5", wait=1)) == ["wrong-theater"]
    # The card is laid where it may lie, and the other one taken away a moment later.
    assert table.see(An="L5", Sn="-", wait=1.4) == []
    table.see(Sn="-")
    assert table.moves == ["near improvise S"]


def test_a_mistake_mended_by_another_one_is_told_after_a_moment(evening):
    table = evening()
    table.see()
    table.see(An="L5", wait=1)
    assert told(table.see(Sn="L5", wait=1)) == []
    assert told(table.pass_time(2)) == ["wrong-theater"]


def test_a_card_destroyed_unseen_long_ago_makes_no_later_mistake_legal(evening):
    """Near lost a card to Containment; Transport laid in air is a mistake, and none that carried itself off."""
    table = evening(first="far")
    table.see()
    table.see(Af="-")
    table.see(Af="-", An="A5")
    table.see(Af="- A3", An="A5", wait=1)
    table.see(Af="- A3 A6", An="A5", wait=2)
    table.see(Af="- A3 A6", An="A5 A2", wait=1)
    table.see(Af="- A3 A6 S1", An="A5 A2", wait=0.5)
    table.see(Af="- A3 A6 S1", An="A5 A2", wait=2)
    assert [event.code for event in table.events if isinstance(event, Violation)] == ["wrong-theater"]


@pytest.mark.parametrize(
    ("edition", "rule", "remove"),
    [
        ("first", "first: terms", "discard"),
        ("revised", "revised: terms", "destroy"),
        ("critters", "critters: terms", "destroy"),
    ],
)
def test_a_mistake_cites_the_editions_own_rulebook_and_its_word_for_destroying(evening, edition, rule, remove):
    table = start(evening(edition, first="far"), Af="A5")
    table.see(Af="A5", Ln="-", wait=2)
    (wrong,) = [event for event in table.events if isinstance(event, Violation)]
    assert (wrong.rule, wrong.parts["remove"]) == (rule, remove)
