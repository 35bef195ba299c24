"""Standings and exports, checked by hand on small tournaments and read back by another program's parser."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

import pytest
from caissify_pairings.trf import parse_trf

from host.club.tournament.events import Changed, Entered, Opened, Pair, Paired, Repaired
from host.club.tournament.export import results_csv, standings_csv, trf
from host.club.tournament.standings import halves_text, shown, standings

Make = Callable[..., Any]


@pytest.fixture
def t(played: Make) -> Any:
    """Anna beats Bela 12-3 and draws with Chris 9-9; Chris beats Dora 12-10; Bela beats Dora 12-6; Emil has byes."""
    made = played(Opened("Club night", rounds=2))
    made.enter("Anna", "Bela", "Chris", "Dora", "Emil")
    made.happen(Paired(1, (Pair(1, 1, 2), Pair(2, 3, 4)), 5))
    made.report(1, 12, 3)
    made.report(2, 12, 10)
    made.happen(Paired(2, (Pair(1, 1, 3), Pair(2, 2, 4)), None))
    made.report(1, 9, 9)
    made.report(2, 12, 6)
    return made


def ranked(t: Any) -> list[tuple[int, str, int, tuple[int, ...]]]:
    return [(r.rank, t.state.players[r.player].name, r.halves, r.ties) for r in standings(t.state)]


def test_points_then_difference_then_buchholz_then_head_to_head(t: Any) -> None:
    assert ranked(t) == [
        (1, "Anna", 3, (9, 5, 0)),
        (2, "Chris", 3, (2, 3, 0)),
        (3, "Emil", 2, (0, 2, 0)),
        (4, "Bela", 2, (-3, 3, 0)),
        (5, "Dora", 0, (-8, 5, 0)),
    ]


def test_head_to_head_decides_between_two_who_met(played: Make) -> None:
    t = played(Opened("Club night", tie_breaks=("head-to-head",)))
    t.enter("Anna", "Bela", "Chris", "Dora")
    t.happen(Paired(1, (Pair(1, 1, 2), Pair(2, 3, 4)), None))
    t.report(1, 6, 12)
    t.report(2, 12, 6)
    t.happen(Paired(2, (Pair(1, 1, 3), Pair(2, 2, 4)), None))
    t.report(1, 12, 6)
    t.report(2, 6, 12)

    # All four have one win; each met only two of the others, so nothing is decided among four.
    assert [r.rank for r in standings(t.state)] == [1, 1, 1, 1]
    t.happen(Paired(3, (Pair(1, 1, 4), Pair(2, 2, 3)), None))
    t.report(1, 12, 6)
    t.report(2, 12, 6)

    # Two pairs are level on points, and in each the two have met.
    assert [t.state.players[r.player].name for r in standings(t.state)] == ["Bela", "Anna", "Chris", "Dora"]
    assert [r.rank for r in standings(t.state)] == [1, 2, 3, 4]


def test_equal_in_everything_shares_a_rank(played: Make) -> None:
    t = played()
    t.enter("Anna", "Bela", "Chris", "Dora")
    t.happen(Paired(1, (Pair(1, 1, 2), Pair(2, 3, 4)), None))
    t.report(1, 12, 6)
    t.report(2, 12, 6)

    assert [r.rank for r in standings(t.state)] == [1, 1, 3, 3]


def test_a_walkover_counts_a_win_and_no_war_points(played: Make) -> None:
    t = played()
    t.enter("Anna", "Bela")
    t.happen(Paired(1, (Pair(1, 1, 2),), None))
    t.report(1, 12, 0, how="walkover")

    row = standings(t.state)[0]

    assert (row.halves, row.ties[0], row.won, row.played) == (2, 0, 1, 0)


def test_other_tie_breaks(t: Any) -> None:
    t.happen(Changed(tie_breaks=("buchholz-cut", "sonneborn-berger", "wins", "points")))

    values = {t.state.players[r.player].name: r.ties for r in standings(t.state)}

    # Anna met Bela (1) and Chris (1½): without the lowest 1½; beat Bela (1) and drew with Chris (½ × 1½).
    assert values["Anna"] == (3, 2 * 2 + 1 * 3, 1, 21)
    assert [shown(tie, v) for tie, v in zip(t.state.settings.tie_breaks, values["Anna"], strict=True)] == [
        "1½",
        "1.75",
        "1",
        "21",
    ]


def test_the_csv_has_every_player_and_every_match(t: Any) -> None:
    rows = list(csv.DictReader(io.StringIO(standings_csv(t.state))))
    games = list(csv.DictReader(io.StringIO(results_csv(t.state))))

    assert [(r["rank"], r["name"], r["points"], r["buchholz"]) for r in rows[:2]] == [
        ("1", "Anna", "1.5", "2.5"),
        ("2", "Chris", "1.5", "1.5"),
    ]
    assert [(g["round"], g["near"], g["far"], g["near_points"], g["how"]) for g in games[:3]] == [
        ("1", "Anna", "Bela", "12", "played"),
        ("1", "Chris", "Dora", "12", "played"),
        ("1", "Emil", "", "", "bye"),
    ]


def test_a_name_that_a_spreadsheet_would_calculate_is_made_harmless(played: Make) -> None:
    t = played()
    t.enter("=HYPERLINK(1)", "+1", "@x", "-2")

    names = [row["name"] for row in csv.DictReader(io.StringIO(standings_csv(t.state)))]

    assert all(name.startswith("'") for name in names)


def test_who_was_paired_by_hand_and_never_checked_in_stands_with_the_others(played: Make) -> None:
    """The report of such a tournament ended in an error until the first result."""
    t = played(Opened("Club night"))
    t.enter("Anna", "Bela")
    t.happen(Entered(3, "Chris", "token"))
    t.happen(Paired(1, (Pair(1, 1, 2),), None))
    t.happen(Repaired(1, (Pair(1, 1, 3),), 2, "Chris came late"))
    assert {row.player for row in standings(t.state)} == {1, 2, 3}
    assert {p["name"].strip() for p in parse_trf(trf(t.state))["players"]} == {"Anna", "Bela", "Chris"}


def test_another_program_reads_the_trf(t: Any) -> None:
    read = parse_trf(trf(t.state))

    players = {p["name"].strip(): p for p in read["players"]}
    assert set(players) == {"Anna", "Bela", "Chris", "Dora", "Emil"}
    assert [players[n]["score"] for n in ("Anna", "Chris", "Emil")] == [1.5, 1.5, 1.0]


def test_a_trf_line_stands_in_the_columns_of_the_format(t: Any) -> None:
    line = next(x for x in trf(t.state).splitlines() if "Anna" in x)

    assert line[0:3] == "001"
    assert line[4:8] == "   1"
    assert line[14:47].rstrip() == "Anna"
    assert line[80:84] == " 1.5"
    assert line[85:89] == "   1"
    assert line[91:99] == "   2 w 1"
    assert line[101:109] == "   3 w ="
    emil = next(x for x in trf(t.state).splitlines() if "Emil" in x)
    assert (emil[91:99], emil[101:109]) == ("0000 - U", "0000 - Z")


def test_who_never_came_is_in_no_standings(t: Any) -> None:
    t.happen(Entered(9, "Frida", "token"))

    assert "Frida" not in standings_csv(t.state)


def test_match_points_as_text() -> None:
    assert [halves_text(n) for n in range(5)] == ["0", "½", "1", "1½", "2"]
