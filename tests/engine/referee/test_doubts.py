"""Given a sight with doubts, then rules and likelihood decide together, and nothing doubtful becomes history."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from engine.events import Answer, BattleOver, MoveMade, Notice, Revised, Unsure, Violation
from engine.referee import best_state, questions
from engine.sight import Note, Sight
from host.simulation.games import Habits, rehearse, war
from host.simulation.observation_noise import Eyesight


def test_a_legal_reading_a_little_less_likely_beats_an_impossible_one(evening):
    table = evening()
    table.see()
    sight = table.doubtful(table.sight(An="L6"), ("A", "near"), 0, 0.55, True, A6=0.44)
    table.see(sight)
    assert table.moves == [] and table.last.look_again, "held for a second look"
    table.see(sight)
    table.see(sight)
    assert table.moves in ([], ["near deploy A6 A"])
    assert not any(isinstance(event, Violation) for event in table.events)


def test_a_sure_reading_of_a_wrong_card_is_no_misreading(evening):
    table = evening()
    table.see()
    sight = table.doubtful(table.sight(An="L6"), ("A", "near"), 0, 0.995, True)
    assert [e.code for e in table.see(sight, wait=1)] == ["wrong-theater"]


def test_a_doubtful_card_is_held_until_a_second_look_confirms_it(evening):
    table = evening()
    table.see()
    unsure = table.doubtful(table.sight(An="A6"), ("A", "near"), 0, 0.7, False, A5=0.28)
    assert table.see(unsure) == []
    assert table.last.look_again
    assert table.moves_of(table.see(An="A6")) == ["near deploy A6 A"]


def test_a_second_look_may_say_otherwise(evening):
    table = evening()
    table.see()
    unsure = table.doubtful(table.sight(An="A5"), ("A", "near"), 0, 0.6, False, A6=0.38)
    table.see(unsure)
    sure = table.doubtful(table.sight(An="A6"), ("A", "near"), 0, 0.9995, True)
    table.see(sure)
    assert table.moves == ["near deploy A6 A"]


def test_cards_that_are_all_overlooked_are_no_cleared_table(evening):
    table = evening()
    table.see()
    table.see(An="A6")
    table.see(An="A6", Af="A2")
    notes = (Note("doubtful", "A/near"), Note("doubtful", "A/far"))
    table.see(replace(table.sight(), sure=False, notes=notes), wait=5)
    assert not any(isinstance(event, BattleOver) for event in table.events)
    table.see(An="A6", Af="A2", Sn="S1")
    assert len(table.moves) == 3
    assert not any(isinstance(event, BattleOver | Violation) for event in table.events)


def test_what_stays_doubtful_is_asked_once_and_the_answer_is_taken(evening):
    table = evening()
    table.see()
    unsure = table.doubtful(table.sight(An="A6"), ("A", "near"), 0, 0.52, False, A5=0.47)
    table.see(unsure, wait=6)
    asked = [event for event in table.events if isinstance(event, Unsure)]
    assert [a.question for a in asked] == ["which-card"]
    assert {option.key for option in asked[0].options} >= {"A5", "A6"}
    assert table.moves == []
    assert table.moves_of(table.say(Answer(asked[0].id, "A5"))) == ["near deploy A5 A"]
    assert questions(table.belief) == ()


def test_the_next_table_tells_what_the_doubtful_card_was(evening):
    table = evening()
    table.see()
    table.see(table.doubtful(table.sight(An="A6"), ("A", "near"), 0, 0.52, False, A5=0.47))
    table.see(table.doubtful(table.sight(An="A5", Lf="L6"), ("A", "near"), 0, 0.999, True))
    assert table.moves == ["near deploy A5 A", "far deploy L6 L"]


def test_a_card_read_wrongly_and_told_is_revised_when_it_keeps_reading_otherwise(evening):
    table = evening()
    table.see()
    table.see(An="A6")
    table.see(An="A6", Lf="L6")
    table.see(table.doubtful(table.sight(An="A4", Lf="L6"), ("A", "near"), 0, 0.95))
    events = table.see(table.doubtful(table.sight(An="A4", Lf="L6"), ("A", "near"), 0, 0.95), wait=3)
    assert [type(event) for event in events] == [Revised, MoveMade, MoveMade]
    assert (events[0].moves, table.moves) == (2, ["near deploy A4 A", "far deploy L6 L"])


def test_one_strange_look_at_an_old_card_changes_nothing(evening):
    table = evening()
    table.see()
    table.see(An="A6")
    table.see(An="A6", Lf="L6")
    table.see(table.doubtful(table.sight(An="A5", Lf="L6"), ("A", "near"), 0, 0.8, False))
    assert table.see(An="A6", Lf="L6", wait=5) == []
    assert table.moves == ["near deploy A6 A", "far deploy L6 L"]


def test_an_old_card_that_keeps_reading_otherwise_is_asked_about(evening):
    table = evening()
    table.see()
    table.see(An="A6")
    table.see(An="A6", Lf="L6")
    table.see(An="A6", Lf="L6", Ln="-")
    table.see(An="A5", Lf="L6", Ln="-")
    (asked,) = table.see(An="A5", Lf="L6", Ln="-", wait=5)
    assert (asked.question, {o.key for o in asked.options}) == (
        "different-card",
        {"A5", "A6", "none"},
    )
    table.say(Answer(asked.id, "A6"))
    assert table.moves_of(table.see(An="A5", Lf="L6 -", Ln="-")) == ["far improvise L"]
    assert best_state(table.belief).stack("A", "near")[0].card == "A6"


def test_given_a_card_misread_for_a_while_when_the_card_it_was_taken_for_is_laid_then_both_are_followed(evening):
    table = evening().two_cards()
    table.see(An="A6", Lf="L6", Ln="-")
    (asked,) = table.see(An="A4", Lf="L6", Ln="-", wait=6)
    table.say(Answer(asked.id, "A6"))
    table.see(An="A6", Lf="L6", Ln="-")
    table.see(An="A6", Lf="L6", Ln="-", Af="A4")
    table.see(An="A6", Lf="L6", Ln="- -", Af="A4")
    assert table.moves[-2:] == ["far deploy A4 A", "near improvise L"]


def test_a_card_seen_twice_is_a_misreading_and_no_violation(evening):
    table = evening()
    table.see()
    table.see(An="A6")
    table.see(An="A6", Af="A6", wait=6)
    assert not any(isinstance(event, Violation) for event in table.events)
    assert "seen-twice" in [event.code for event in table.events if isinstance(event, Notice)]
    assert table.moves == ["near deploy A6 A"]


def test_given_aerodrome_when_it_is_read_as_a_card_that_lies_elsewhere_then_no_card_lies_squarely_on_it(evening):
    """Aerodrome lets a Transport be laid on it, but the camera read no Transport."""
    table = evening(first="far")
    table.see(Af="A4")
    table.see(Af="A4", Sn="S5")
    table.see(Af="A4", Sn="S5", Lf="-")
    table.see(Af="A4", Sn="S5", Lf="-", An="-")
    lay = ["far deploy A4 A", "near deploy S5 S", "far improvise L", "near improvise A"]
    assert table.moves == lay
    twice = table.doubtful(table.sight(Af="S5", Sn="S5", Lf="-", An="-"), ("A", "far"), 0, 0.99, True)
    for _ in range(4):
        table.see(twice, wait=0.8)
    assert table.notices == ["seen-twice"] and table.moves == lay and table.of_kind(Revised) == []
    table.see(Af="A4", Sn="S5", Lf="-", An="-", wait=1)
    assert table.moves == lay and table.belief.differences == ()


def test_a_hidden_board_is_waited_for(evening):
    table = evening()
    table.see()
    table.see(An="A6")
    sight = table.sight(An="A6", Sf="S6")
    hidden = Sight(None, sight.stacks, False, (Note("board-missing", "L"),))
    assert table.see(hidden, wait=10) == []
    assert table.moves_of(table.see(sight)) == ["far deploy S6 S"]


@pytest.mark.parametrize(("error", "games"), [(0.002, 60), (0.01, 60)])
def test_reading_errors_do_not_become_history(error, games):
    for seed in range(games):
        edition = ("first", "revised", "critters")[seed % 3]
        rng = Random(1000 + seed)
        report, _ = rehearse(war(rng, edition, Habits()), rng, edition, Eyesight(error))
        assert report.invented == 0, (seed, report.notes)
        assert report.false_alarms == 0, (seed, report.notes)


def unread(sight, *places):
    return Sight(sight.order, sight.stacks, False, tuple(Note("foreign", place) for place in places))


def test_a_card_that_the_reader_cannot_read_is_no_reason_to_blame_the_next_player(evening):
    table = evening(first="far")
    table.see()
    for _ in range(3):
        table.see(unread(table.sight(), "S/far"))
    assert table.moves == []
    for _ in range(3):
        table.see(unread(table.sight(An="L1"), "S/far"), wait=0.5)
    assert [e.code for e in table.events if isinstance(e, Violation)] == ["wrong-theater"]
    for _ in range(3):
        table.see(unread(table.sight(Ln="L1"), "S/far"), wait=0.5)
    table.see(Ln="L1", Sf="-", Sn="-")
    assert table.moves == ["far improvise S", "near deploy L1 L", "near reinforce S"]
    assert len([e for e in table.events if isinstance(e, Violation)]) == 1


def test_a_thing_that_lies_beside_the_cards_is_got_used_to(evening):
    table = evening()
    table.see()
    table.see(unread(table.sight(An="A6"), "S/far"), wait=1)
    table.see(unread(table.sight(An="A6", Lf="L6"), "S/far"), wait=1)
    table.see(unread(table.sight(An="A6", Lf="L6", Sn="S6"), "S/far"), wait=1)
    assert table.moves == ["near deploy A6 A", "far deploy L6 L", "near deploy S6 S"]
    assert not any(isinstance(event, Violation) for event in table.events)


COVERED = {"An": "A6 A4", "Lf": "L6"}


def covered(evening):
    """A6 was seen before A4 covered it; far is to play."""
    table = evening()
    table.see()
    table.see(An="A6")
    table.see(An="A6", Lf="L6")
    table.see(**COVERED)
    return table


def badly_read(table, sight, p, **others):
    """The strip of the covered A6 reads badly: the reader says so in a note, as it does."""
    sight = table.doubtful(sight, ("A", "near"), 0, p, False, **others)
    return Sight(sight.order, sight.stacks, False, (Note("doubtful", "A/near/0"),))


@pytest.mark.parametrize(
    ("read", "p", "others"), [("A6", 0.55, {"A3": 0.4}), ("A3", 0.6, {"A6": 0.3}), ("A3", 0.7, {}), ("-", 0.6, {})]
)
def test_a_covered_card_that_is_known_is_neither_waited_for_nor_asked_about(evening, read, p, others):
    table = covered(evening)
    look = badly_read(table, table.sight(An=f"{read} A4", Lf="L6", Sf="S6"), p, **others)
    assert table.moves_of(table.see(look, wait=10)) == ["far deploy S6 S"]
    assert not any(isinstance(event, Unsure | Violation) for event in table.events)
    assert best_state(table.belief).stack("A", "near")[0].card == "A6"


def test_nor_does_it_hide_a_wrong_move(evening):
    table = covered(evening)
    look = badly_read(table, table.sight(An="A6 A4", Lf="L6", Sf="A1"), 0.5, A3=0.45)
    assert [e.code for e in table.see(look, wait=5) if isinstance(e, Violation)] == ["wrong-theater"]
    assert questions(table.belief) == ()


def test_where_the_new_card_is_in_doubt_too_that_one_is_asked_about(evening):
    table = covered(evening)
    look = badly_read(table, table.sight(An="A6 A4", Lf="L6 L5"), 0.5, A3=0.45)
    look = table.doubtful(look, ("L", "far"), 1, 0.5, False, L4=0.48)
    look = Sight(look.order, look.stacks, False, (Note("doubtful", "A/near/0"), Note("doubtful", "L/far/1")))
    table.see(look, wait=6)
    (asked,) = questions(table.belief)
    assert (asked.question, asked.parts["at"]) == ("which-card", "L/far/1")


def test_a_mistake_is_told_when_a_second_look_shows_it_too_or_none_comes(evening):
    table = evening()
    table.see()
    assert table.see(An="S4", wait=0.5) == []
    assert table.last.look_again
    assert [e.code for e in table.see(An="S4") if isinstance(e, Violation)] == ["wrong-theater"]
    alone = evening()
    alone.see()
    assert [e.code for e in alone.see(An="S4", wait=1.5) if isinstance(e, Violation)] == ["wrong-theater"]


def test_a_second_look_that_is_legal_tells_the_move_and_no_mistake(evening):
    table = evening()
    table.see()
    table.see(table.doubtful(table.sight(Sn="A3"), ("S", "near"), 0, 0.98, True), wait=0.5)
    assert table.moves_of(table.see(Sn="S4")) == ["near deploy S4 S"]
    assert not any(isinstance(event, Violation) for event in table.events)


def test_a_card_that_was_overlooked_beside_a_legal_move_is_no_mistake(evening):
    """Near's face-down card in air is not read while far lays one: it was not carried across the table."""
    table = evening()
    table.see()
    table.see(An="-")
    table.see(An="-", Lf="L6")
    table.see(An="-", Lf="L6", Ln="L4")
    for _ in range(3):
        table.see(Lf="L6", Ln="L4", Af="-", wait=0.2)
    assert table.moves[-1] == "far improvise A"
    table.see(An="-", Lf="L6", Ln="L4", Af="-", wait=3)
    assert not any(isinstance(event, Violation) for event in table.events)
    assert len(table.moves) == 4


def test_a_card_that_the_reader_saw_and_could_not_read_can_be_named(evening):
    """It lies on top of what was read, so the question is about a place beyond the cards of the look."""
    table = evening()
    table.see()
    table.see(unread(table.sight(), "A/near"), wait=6)
    asked = [event for event in table.events if isinstance(event, Unsure) and event.question == "which-card"]
    assert [event.parts["at"] for event in asked] == ["A/near/0"]
    assert table.moves_of(table.say(Answer(asked[0].id, asked[0].options[0].key))) == ["near improvise A"]


@pytest.mark.parametrize("answer", ["S6", "S5"])
def test_the_answer_to_which_card_it_is_never_lays_a_card_twice(evening, answer):
    table = evening()
    table.see()
    table.see(An="A6")
    table.see(An="A6", Lf="L6")
    # It looks most like the A6, which lies elsewhere.
    twice = table.doubtful(table.sight(An="A6", Lf="L6", Sn="A6"), ("S", "near"), 0, 0.6, S6=0.2, S5=0.15)
    table.see(twice, wait=6)
    (asked,) = questions(table.belief)
    offered = {option.key for option in asked.options}
    assert answer in offered
    assert offered.isdisjoint({"A6", "L6"})
    table.say(Answer(asked.id, answer))
    assert table.moves == ["near deploy A6 A", "far deploy L6 L", f"near deploy {answer} S"]


def test_of_a_card_that_is_seen_twice_nothing_is_laid(evening):
    table = evening()
    table.see()
    table.see(An="A6")
    table.see(An="A6", Lf="L6")
    table.see(An="A6", Lf="L6", Sn="S6")
    laid = list(table.moves)
    table.see(table.doubtful(table.sight(An="S6", Lf="L6", Sn="S6"), ("A", "near"), 0, 1.0, True), wait=6)
    assert [(asked.question, asked.options) for asked in questions(table.belief)] == [("seen-twice", ())]
    assert table.moves == laid


def test_a_covered_back_that_reads_badly_as_a_face_was_not_turned_over(evening):
    """Far lays face down where nothing destroys it: no mistake, however the strip below reads."""
    table = evening()
    table.see()
    table.see(An="-")
    table.see(An="-", Lf="L6")
    table.see(An="- -", Lf="L6")
    table.see(An="- -", Lf="L6 -")
    for _ in range(4):
        look = table.doubtful(table.sight(An="S5 - -", Lf="L6 -"), ("A", "near"), 0, 0.91, False)
        table.see(Sight(look.order, look.stacks, False, (Note("doubtful", "A/near/0"),)), wait=0.4)
    assert table.moves[-1] == "near improvise A"
    assert not any(isinstance(event, Unsure | Violation) for event in table.events)


def test_given_a_thing_that_hides_the_card_just_laid_then_it_was_not_taken_back(evening):
    table = evening().two_cards()
    table.see(An="A6 -", Lf="L6", wait=2)
    hidden = unread(table.sight(An="A6", Lf="L6"), "A/near")
    for _ in range(4):
        table.see(hidden)
    table.pass_time(8)
    assert len(table.moves) == 3 and table.mistakes == []
    table.see(An="A6 -", Lf="L6", wait=2)
    table.see(An="A6 -", Lf="L6 L4", wait=2)
    assert table.moves[2:] == ["near improvise A", "far deploy L4 L"] and table.of_kind(Unsure) == []


def test_given_a_card_read_beside_a_thing_in_its_stack_then_no_mistake_is_told_of_it(evening):
    table = evening().two_cards()
    table.see(An="A6 -", Lf="L6", wait=2)
    seen = unread(table.sight(An="A6 -", Ln="-", Lf="L6"), "L/near")
    for _ in range(4):
        table.see(seen)
    table.pass_time(4)
    assert table.mistakes == []
    table.see(An="A6 -", Ln="-", Lf="L6", wait=2)
    assert table.mistakes == ["second-card"]
