"""Given two moves and more between two still tables, then all of them are told, or what is told first is put right."""

from __future__ import annotations

from random import Random

from engine.events import BattleOver, Mended, Unsure, Violation
from engine.names import EDITIONS
from engine.referee import score
from host.simulation.games import Habits, rehearse, war
from host.simulation.observation_noise import Eyesight


def laid(evening, *tables, **more):
    table = evening(**more)
    table.see()
    for columns in tables:
        table.see(**columns)
    return table


def wrongs(table):
    return [event.code for event in table.events if isinstance(event, Violation)]


def test_a_disrupt_that_turned_over_itself_shows_when_the_other_seat_plays_on(evening):
    """A card turned down looks like one laid squarely on it, until the same seat plays again."""
    table = laid(evening, {"Sn": "S6"}, {"Sn": "S6", "Lf": "-"})
    assert table.moves == ["near deploy S6 S", "far improvise L"], "nothing speaks for more"
    table.see(Sn="-", Lf="-", wait=1)
    assert table.moves[2:] == ["near improvise S"]
    table.see(Sn="-", Lf="-", Ln="L6", wait=3)
    assert table.moves[1:] == ["far deploy L5 L", "far flip far L", "near flip near S", "near deploy L6 L"]
    assert wrongs(table) == []


def test_a_card_turned_over_after_a_card_that_is_no_disrupt_is_a_mistake(evening):
    table = laid(evening, {"Sn": "S6"}, {"Sn": "S6", "Sf": "-"})
    table.see(Sn="S6", Sf="L3", wait=3)
    assert wrongs(table) == ["flip-without-effect"]


def test_transport_takes_the_card_from_below_itself(evening):
    table = laid(evening, {"Sn": "-"}, {"Sn": "-", "Lf": "-"}, {"Sn": "S1", "An": "-", "Lf": "-"})
    assert table.moves[2:] == ["near deploy S1 S", "near move S 0 A"]


def test_also_where_a_card_lies_face_up_below_it(evening):
    table = laid(evening, {"Sn": "S6"}, {"Sn": "S6", "Lf": "L4"}, {"Sn": "S1", "An": "S6", "Lf": "L4"})
    assert table.moves[-2:] == ["near deploy S1 S", "near move S 0 A"]


def test_redeploy_takes_the_card_from_below_itself(evening):
    table = laid(evening, {"Sn": "-"}, {"Sn": "-", "Lf": "-"}, {"Sn": "S4", "Lf": "-"})
    assert table.moves[2:] == ["near deploy S4 S", "near return S 0"]
    assert wrongs(table) == []


def test_a_card_taken_back_and_another_laid_where_it_lay(evening):
    table = laid(evening, {"An": "-"}, {"An": "-", "Lf": "-"}, {"An": "-", "Lf": "-", "Sn": "S4"})
    table.see(An="A3", Lf="-", Sn="S4")
    assert table.moves[3:] == ["near return A 0", "near deploy A3 A"]
    assert wrongs(table) == []


def test_a_transport_that_carried_itself_off_looks_like_a_mistake_until_play_goes_on(evening):
    table = laid(evening, {"An": "A6"}, {"An": "A6", "Lf": "L6"})
    table.see(An="A6 S1", Lf="L6", wait=2)
    assert wrongs(table) == ["wrong-theater"]
    events = table.see(An="A6 S1", Lf="L6 -", wait=3)
    assert isinstance(events[0], Mended)
    assert table.moves[2:] == ["near deploy S1 S", "near move S 0 A", "far improvise L"]
    assert wrongs(table) == ["wrong-theater"]


def test_a_card_in_the_wrong_theater_put_right_is_no_transport(evening):
    table = laid(evening, {"An": "A6"}, {"An": "A6", "Lf": "L6"})
    table.see(An="A6 S1", Lf="L6", wait=2)
    table.see(An="A6", Lf="L6", Sn="S1", wait=2)
    assert table.moves[2:] == ["near deploy S1 S"]


def test_a_card_left_lying_under_containment_is_no_ambush_that_turned_itself_over(evening):
    table = laid(evening, {"An": "A5"}, {"An": "A5", "Lf": "-"})
    table.pass_time(3)
    assert wrongs(table) == ["should-be-destroyed"]
    table.see(An="A5", Lf="-", Ln="L6", wait=3)
    assert table.moves[1:] == ["far improvise L", "near deploy L6 L"]
    assert wrongs(table) == ["should-be-destroyed"], "it is told once"
    assert Mended in [type(event) for event in table.see(An="A5", Ln="L6")]


def test_an_end_that_was_none_because_the_last_card_was_a_disrupt(evening):
    table = evening()
    near, far = table.all_but_the_last_card()
    events = table.see(An=near, Af=far, Lf="-", wait=6)
    assert [e.winner for e in events if isinstance(e, BattleOver)] == ["near"]
    table.see(An="- - - - - L6", Af=far, Lf="-", wait=3)
    assert table.moves[-3:] == ["far deploy L5 L", "far flip far L", "near flip near A"]
    assert score(table.belief) == {"near": 6, "far": 0}


def test_quick_players_never_leave_a_wrong_move_in_the_record():
    for seed in range(150):
        rng = Random(30000 + seed)
        edition = list(EDITIONS)[seed % 3]
        stills = list(war(rng, edition, Habits(quick=0.25)))
        report, _ = rehearse(iter(stills), rng, edition, Eyesight(), first=stills[0].truth.first)
        assert (report.invented, report.lost) == (0, 0), (seed, report.notes)


def test_given_disrupt_when_far_flips_two_own_cards_at_once_then_no_card_is_taken_for_laid_there(evening):
    table = evening()
    table.see(An="-", wait=1)
    table.see(An="-", Lf="-", wait=1)
    table.see(An="-", Lf="-", Sn="-", wait=1)
    table.see(An="-", Lf="-", Sn="-", Sf="S6", wait=1)
    table.see(An="-", Lf="-", Sn="-", Sf="S6", Ln="L5", wait=1)
    for _ in range(3):
        table.see(An="-", Lf="L6", Sn="-", Sf="-", Ln="L5", wait=2)
    assert "far deploy L6 L" not in table.moves
    assert table.mistakes or table.of_kind(Unsure)
