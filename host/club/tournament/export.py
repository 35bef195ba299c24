"""Exports: standings and results as CSV, and the whole tournament as TRF (FIDE's tournament report file, 2016)."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from host.club.tournament.standings import shown, standings
from host.club.tournament.state import Round, Tournament

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the start of a formula (OWASP, CSV injection)."""


def standings_csv(state: Tournament) -> str:
    """One line a player, best first; columns are named in English, as other programs read them."""
    ties = state.settings.tie_breaks
    rows: list[Sequence[object]] = [
        ("rank", "name", "points", *ties, "played", "won", "drawn", "lost", "byes", "dropped")
    ]
    for row in standings(state):
        player = state.players[row.player]
        values = [shown(tie, value).lstrip("+") for tie, value in zip(ties, row.ties, strict=True)]
        rows.append(
            (
                row.rank,
                _text(player.name),
                row.halves / 2,
                *(v.replace("½", ".5") if v != "½" else "0.5" for v in values),
                row.played,
                row.won,
                row.drawn,
                row.lost,
                row.byes,
                "yes" if player.dropped else "no",
            )
        )
    return _csv(rows)


def results_csv(state: Tournament) -> str:
    """One line a match and a bye, in the order of rounds and tables; a match without a result has empty points."""
    rows: list[Sequence[object]] = [("round", "table", "near", "far", "near_points", "far_points", "how", "by")]
    for round_ in state.rounds:
        for pair in round_.pairs:
            near, far = (_text(state.players[n].name) for n in (pair.near, pair.far))
            result = round_.results.get(pair.table)
            told = ("", "", "", "")
            if result is not None:
                told = (str(result.near), str(result.far), result.how, "organiser" if result.by_hand else "table")
            rows.append((round_.number, pair.table, near, far, *told))
        if round_.bye is not None:
            rows.append((round_.number, "", _text(state.players[round_.bye].name), "", "", "", "bye", ""))
    return _csv(rows)


def _csv(rows: Sequence[Sequence[object]]) -> str:
    written = io.StringIO()
    csv.writer(written).writerows(rows)
    return written.getvalue()


def _text(name: str) -> str:
    return f"'{name}" if name.startswith(_FORMULA) else name


def trf(state: Tournament) -> str:
    """The tournament as a TRF16 report. Near players stand as white, since the format wants a colour."""
    table = standings(state)
    rank = {row.player: row.rank for row in table}
    halves = {row.player: row.halves for row in table}
    numbers = sorted(rank)
    place = {number: at for at, number in enumerate(numbers, 1)}
    lines = [f"012 {_line(state.settings.name)}", f"062 {len(numbers)}"]
    kind = "Swiss system (FIDE Dutch)" if state.settings.system == "swiss" else "Round robin"
    lines += [
        f"092 {kind}",
        f"142 {max(state.rounds_planned, len(state.rounds))}",
        f"XXR {max(state.rounds_planned, 1)}",
    ]
    for number in numbers:
        name = _line(state.players[number].name)[:33]
        line = f"001 {place[number]:>4} {'':1}{'':>3} {name:<33} {'':>4} {'':>3} {'':>11} {'':>10} "
        line += f"{halves[number] / 2:>4.1f} {rank[number]:>4}"
        line += "".join(f"  {_game(round_, number, place)}" for round_ in state.rounds)
        lines.append(line.rstrip())
    return "\n".join(lines) + "\n"


def _game(round_: Round, number: int, place: dict[int, int]) -> str:
    if round_.bye == number:
        return "0000 - U"
    pair = next((p for p in round_.pairs if number in (p.near, p.far)), None)
    if pair is None:
        return "0000 - Z"
    near = pair.near == number
    opponent = place[pair.far if near else pair.near]
    result = round_.results.get(pair.table)
    told = " "
    if result is not None:
        mine = result.halves[0 if near else 1]
        told = "-=+"[mine] if result.how != "played" else "0=1"[mine]
    return f"{opponent:>4} {'w' if near else 'b'} {told}"


def _line(text: str) -> str:
    return " ".join(text.split())
