"""Standings: match points, then the declared tie-breaks one after another; what they leave equal shares a rank.

Definitions follow FIDE's Handbook C.07 (tie-break regulations), with this game's war points in place of games: a bye
counts as a win without war points, and as an opponent with the player's own score; a missed round counts nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from host.club.tournament.events import TieBreak
from host.club.tournament.state import Round, Tournament

BYE_HALVES: Final = 2


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One player in the standings. `halves` are match points in halves; `ties` one value a declared tie-break.

    Tie-breaks that are sums of match points are in halves (`buchholz`, `buchholz-cut`, `head-to-head`) or quarters
    (`sonneborn-berger`); `shown` gives them as text.
    """

    rank: int
    player: int
    halves: int
    ties: tuple[int, ...]
    played: int
    won: int
    drawn: int
    lost: int
    byes: int


@dataclass(frozen=True, slots=True)
class _Game:
    opponent: int
    halves: int
    mine: int
    theirs: int
    played: bool


def halves_of(round_: Round) -> dict[int, int]:
    """Match points that a round gives, in halves: its results so far and its bye."""
    found: dict[int, int] = {}
    for pair in round_.pairs:
        result = round_.results.get(pair.table)
        if result is not None:
            found[pair.near], found[pair.far] = result.halves
    if round_.bye is not None:
        found[round_.bye] = BYE_HALVES
    return found


def standings(state: Tournament) -> tuple[StandingsRow, ...]:
    """Everybody who was ever paired or checked in, best first."""
    games, byes = _games(state)
    paired = {n for round_ in state.rounds for pair in round_.pairs for n in (pair.near, pair.far)}
    involved = [n for n, p in state.players.items() if p.checked_in or n in paired or byes[n]]
    total = {n: sum(g.halves for g in games[n]) + BYE_HALVES * byes[n] for n in state.players}
    values: dict[int, list[int]] = {n: [] for n in involved}
    groups: list[list[int]] = _split(involved, lambda n: total[n])
    for tie_break in state.settings.tie_breaks:
        refined: list[list[int]] = []
        for group in groups:
            among = frozenset(group)
            measured = {n: _value(tie_break, n, games, byes, total, among) for n in group}
            for number, value in measured.items():
                values[number].append(value)
            refined += _split(group, measured.__getitem__)
        groups = refined
    rows: list[StandingsRow] = []
    rank = 1
    for group in groups:
        for number in group:
            mine = games[number]
            rows.append(
                StandingsRow(
                    rank,
                    number,
                    total[number],
                    tuple(values[number]),
                    played=sum(g.played for g in mine),
                    won=sum(g.halves == 2 for g in mine),
                    drawn=sum(g.halves == 1 for g in mine),
                    lost=sum(g.halves == 0 for g in mine),
                    byes=byes[number],
                )
            )
        rank += len(group)
    return tuple(rows)


def shown(tie_break: TieBreak, value: int) -> str:
    """A tie-break's value as it is printed."""
    if tie_break in ("buchholz", "buchholz-cut", "head-to-head"):
        return halves_text(value)
    if tie_break == "sonneborn-berger":
        return f"{value / 4:g}"
    return f"{value:+d}" if tie_break == "difference" else str(value)


def halves_text(halves: int) -> str:
    """Match points as text: 3 halves are `1½`."""
    whole, half = divmod(halves, 2)
    return f"{whole or ('' if half else 0)}{'½' if half else ''}"


def _games(state: Tournament) -> tuple[dict[int, list[_Game]], dict[int, int]]:
    games: dict[int, list[_Game]] = {n: [] for n in state.players}
    byes = dict.fromkeys(state.players, 0)
    for round_ in state.rounds:
        if round_.bye is not None:
            byes[round_.bye] += 1
        for pair in round_.pairs:
            result = round_.results.get(pair.table)
            if result is None:
                continue
            near, far = result.halves
            played = result.how == "played"
            # A walkover's points were not fought for, so they weigh in no tie-break of war points.
            a, b = (result.near, result.far) if played else (0, 0)
            games[pair.near].append(_Game(pair.far, near, a, b, played))
            games[pair.far].append(_Game(pair.near, far, b, a, played))
    return games, byes


def _split(group: Sequence[int], value: Callable[[int], int]) -> list[list[int]]:
    found: dict[int, list[int]] = {}
    for number in group:
        found.setdefault(value(number), []).append(number)
    return [found[v] for v in sorted(found, reverse=True)]


def _value(
    tie_break: TieBreak,
    number: int,
    games: Mapping[int, Sequence[_Game]],
    byes: Mapping[int, int],
    total: Mapping[int, int],
    among: frozenset[int],
) -> int:
    mine = games[number]
    met = [total[g.opponent] for g in mine] + [total[number]] * byes[number]
    if tie_break == "difference":
        return sum(g.mine - g.theirs for g in mine)
    if tie_break == "points":
        return sum(g.mine for g in mine)
    if tie_break == "wins":
        return sum(g.halves == 2 and g.played for g in mine)
    if tie_break == "buchholz":
        return sum(met)
    if tie_break == "buchholz-cut":
        return sum(met) - min(met, default=0)
    if tie_break == "sonneborn-berger":
        return sum(g.halves * total[g.opponent] for g in mine)
    return _head_to_head(number, games, among)


def _head_to_head(number: int, games: Mapping[int, Sequence[_Game]], among: frozenset[int]) -> int:
    """Match points against those who are still level, where each of them has met each other; else nothing."""
    for player in among:
        if among - {player} - {g.opponent for g in games[player]}:
            return 0
    return sum(g.halves for g in games[number] if g.opponent in among)
