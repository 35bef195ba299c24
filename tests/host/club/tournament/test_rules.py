"""The organiser's evening in events: what counts, what is refused, and what an undo takes back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.failure import BadInput
from host.club.tournament.events import (
    Announced,
    Changed,
    CheckedIn,
    Entered,
    EventUndone,
    Finished,
    Opened,
    Pair,
    Paired,
    Renamed,
    Repaired,
    Reported,
    Returned,
    TablePlaced,
    Withdrawn,
    event_from_json,
)
from host.club.tournament.state import TournamentRefused
from host.player_name import NAME_LONGEST

Make = Callable[..., Any]


@pytest.fixture
def t(played: Make) -> Any:
    """Four players, round 1 paired."""
    made = played()
    made.enter("Anna", "Bela", "Chris", "Dora")
    made.pair()
    return made


def refused(code: str) -> Any:
    return pytest.raises(TournamentRefused, match=f"^{code}$")


def test_who_is_entered_and_not_checked_in_is_not_paired(played: Make) -> None:
    made = played()
    made.enter("Anna", "Bela")
    made.happen(Entered(3, "Chris", "token"))

    event = made.pair()

    assert (len(event.pairs), event.bye) == (1, None)


def test_two_players_of_one_name_are_refused_however_it_is_spelt(t: Any) -> None:
    with refused("name-taken"):
        t.happen(Entered(9, "  anna ", "token"))
    t.happen(Renamed(1, "Anna K."))
    t.happen(Entered(9, "anna", "token"))


@pytest.mark.parametrize("name", ["", "   ", "x" * (NAME_LONGEST + 1), "Anna\x1b[2J", "\u202eannA"])
def test_a_name_that_is_none_is_refused(t: Any, name: str) -> None:
    with refused("bad-name"):
        t.happen(Entered(9, name, "token"))


def test_checking_in_twice_is_refused(t: Any) -> None:
    with refused("checked-in-already"):
        t.happen(CheckedIn(1))


def test_the_next_round_waits_for_every_result(t: Any) -> None:
    t.report(1, 12, 4)

    with refused("round-on"):
        t.pair()
    t.report(2, 12, 4)

    assert t.pair().round == 2


def test_who_drops_out_is_not_paired_and_keeps_the_result_of_the_round_that_is_on(t: Any) -> None:
    pair = t.state.current.pairs[0]
    t.drop(pair.near)
    t.report(1, 12, 4)
    t.report(2, 12, 4)
    event = t.pair()

    assert pair.near not in {n for p in event.pairs for n in (p.near, p.far)}
    assert t.state.rounds[0].results[1].halves == (2, 0)


def test_a_drop_can_be_undone_and_so_can_the_undoing(t: Any) -> None:
    number = t.happen(EventUndone(t.happen(_dropped(2))))
    assert not t.state.players[2].dropped

    t.happen(EventUndone(number))

    assert t.state.players[2].dropped
    t.happen(Returned(2))
    assert t.state.players[2].plays


def _dropped(number: int) -> Any:
    from host.club.tournament.events import Dropped

    return Dropped(number)


def test_a_pairing_is_undone_with_the_walkovers_that_it_brought_and_both_come_back(t: Any) -> None:
    t.report(1, 12, 4)
    t.report(2, 12, 4)
    before = t.state
    number = t.happen(Paired(2, (Pair(1, 1, 3), Pair(2, 2, 4))))
    t.happen(Reported(2, 1, 12, 0, "walkover", "dropped"), "desk")
    t.happen(Reported(2, 2, 0, 12, "walkover", "dropped"), "desk")
    paired = t.state

    undoing = t.happen(EventUndone(number))
    assert t.state == before
    t.happen(EventUndone(undoing))

    assert t.state == paired


def test_a_pairing_mended_by_hand_and_back_again(t: Any) -> None:
    before = t.state.current
    (a, b) = before.pairs
    mended = (Pair(1, a.near, b.far), Pair(2, b.near, a.far))

    number = t.happen(Repaired(1, mended, None, "brothers"))
    assert t.state.current.pairs == mended
    t.happen(EventUndone(number))

    assert t.state.current == before


def test_a_repair_keeps_the_results_of_matches_that_stay_and_tears_none_that_are_played(t: Any) -> None:
    (a, b) = t.state.current.pairs
    t.report(1, 12, 4)

    with refused("repair-result"):
        t.happen(Repaired(1, (Pair(1, a.near, b.far), Pair(2, b.near, a.far))))
    t.happen(Repaired(1, (Pair(7, a.near, a.far), Pair(2, b.near, b.far))))

    assert t.state.current.results[7].near == 12


def test_nobody_sits_at_two_tables(t: Any) -> None:
    (a, b) = t.state.current.pairs
    with refused("paired-twice"):
        t.happen(Repaired(1, (Pair(1, a.near, a.far), Pair(2, a.near, b.far))))
    with refused("bad-tables"):
        t.happen(Repaired(1, (Pair(1, a.near, a.far), Pair(1, b.near, b.far))))


def test_what_others_build_on_is_not_undone(t: Any) -> None:
    paired = next(h.sequence for h in t.records if type(h.event).__name__ == "Paired")
    t.report(1, 12, 4)

    with refused("undo-blocked"):
        t.happen(EventUndone(paired))


def test_the_tables_result_is_corrected_with_a_trace_and_the_table_does_not_overrule_it(t: Any) -> None:
    t.report(1, 12, 4, log="log-1", sequence=9)
    t.report(1, 4, 12, reason="the sides were taken for each other")

    with refused("decided-by-hand"):
        t.report(1, 12, 4, log="log-1", sequence=10)

    assert t.state.current.results[1].halves == (0, 2)
    reported = [h.event for h in t.records if isinstance(h.event, Reported)]
    assert [(e.near, e.far, e.log) for e in reported] == [(12, 4, "log-1"), (4, 12, "")]


def test_a_result_that_its_table_took_back_is_open_again(t: Any) -> None:
    t.report(1, 12, 4, log="log-1", sequence=9)
    t.happen(Withdrawn(1, 1), by="t1")

    assert 1 not in t.state.current.results


def test_a_result_of_an_earlier_round_can_be_corrected_but_not_left_open(t: Any) -> None:
    t.report(1, 12, 4)
    t.report(2, 12, 4)
    t.pair()

    t.happen(Reported(1, 1, 6, 12))
    with refused("later-round"):
        t.happen(Withdrawn(1, 1))

    assert t.state.rounds[0].results[1].halves == (0, 2)


@pytest.mark.parametrize(("near", "far"), [(-1, 3), (3, 1001)])
def test_points_that_no_war_has_are_refused(t: Any, near: int, far: int) -> None:
    with refused("bad-points"):
        t.report(1, near, far)


def test_a_walkover_has_a_winner_and_a_double_walkover_none(t: Any) -> None:
    with refused("bad-points"):
        t.report(1, 0, 0, how="walkover")
    t.report(1, 12, 0, how="walkover")
    t.report(2, 0, 0, how="double-walkover")

    assert [r.halves for r in t.state.current.results.values()] == [(2, 0), (0, 0)]


def test_a_result_for_a_match_that_is_not_paired_is_refused(t: Any) -> None:
    with refused("no-match"):
        t.report(3, 12, 4)


def test_tie_breaks_that_change_after_the_first_pairing_are_remembered(t: Any) -> None:
    assert not t.state.tie_breaks_changed

    t.happen(Changed(tie_breaks=("buchholz", "wins")))

    assert t.state.tie_breaks_changed


@pytest.mark.parametrize("breaks", [(), ("buchholz", "buchholz"), ("colour",)])
def test_tie_breaks_that_are_none_are_refused(t: Any, breaks: Any) -> None:
    with refused("bad-tie-breaks"):
        t.happen(Changed(tie_breaks=breaks))


def test_the_system_is_fixed_once_round_1_is_paired(t: Any) -> None:
    with refused("system-fixed"):
        t.happen(Changed(system="round-robin"))


def test_a_companion_serves_one_table_and_a_spare_takes_its_place(t: Any) -> None:
    t.happen(TablePlaced(1, "t1"))
    t.happen(TablePlaced(1, "spare"))
    t.happen(TablePlaced(4, "spare"))

    assert dict(t.state.places) == {4: "spare"}


def test_after_the_end_nothing_is_paired(t: Any) -> None:
    with refused("round-on"):
        t.happen(Finished())
    t.report(1, 12, 4)
    t.report(2, 12, 4)
    t.happen(Finished())

    with refused("finished"):
        t.pair()


def test_a_long_announcement_is_refused(t: Any) -> None:
    with refused("long-text"):
        t.happen(Announced("x" * 301))


def test_a_second_opening_is_refused(t: Any) -> None:
    with refused("opened-already"):
        t.happen(Opened("Another"))


@pytest.mark.parametrize(
    "text", ["", "[]", "null", '{"what":"teleported"}', '{"what":"entered","player":1}', '{"what":"finished","x":1}']
)
def test_an_event_of_a_newer_program_is_refused_and_not_guessed(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        event_from_json(text)

    assert caught.value.code == "bad-event"
