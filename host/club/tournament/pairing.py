"""Pairing a round: Swiss after the FIDE Dutch system and round robin after Berger's tables, by caissify-pairings.

Colours mean nothing in this game, so the Dutch system is given players without colour histories. What the library
answers is checked here before anybody sees it, because it gives a second bye where no pairing is left: a matching of
largest size on the graph of possible pairs (Edmonds, 1965; networkx) says beforehand whether there is one at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

import networkx as nx
from caissify_pairings import generate_pairings
from caissify_pairings.engines.round_robin import berger_round

from host.club.tournament.events import Pair, Paired
from host.club.tournament.standings import halves_of
from host.club.tournament.state import Round, Tournament, TournamentRefused

PairingReason: TypeAlias = tuple[str, Mapping[str, Any]]
"""A code of the catalogue's group `club-proof`, and its parts."""

_BYE: Final = 0
"""The node that stands for the bye; players are numbered from 1."""


def pair_next(state: Tournament) -> Paired:
    """The next round's pairing.

    Raises `TournamentRefused`: `too-few` for fewer than two players, `no-pairing` where every complete pairing would
    have a rematch or a second bye, `all-rounds` where none is left to pair.
    """
    if state.rounds and len(state.rounds) >= state.rounds_planned:
        raise TournamentRefused("all-rounds")
    if sum(p.plays for p in state.players.values()) < 2:
        raise TournamentRefused("too-few")
    return _swiss(state) if state.settings.system == "swiss" else _round_robin(state)


def _swiss(state: Tournament) -> Paired:
    number = len(state.rounds) + 1
    players = [n for n, p in state.players.items() if p.plays]
    if not complete_pairing_exists(players, state.met, state.had_bye):
        raise TournamentRefused("no-pairing")
    histories = _histories(state)
    described = [
        {
            "id": n,
            "name": str(n),
            "score": histories[n].halves / 2,
            "rating": 0,
            "starting_number": n,
            "color_hist": ["none"] * len(state.rounds),
            "float_history": histories[n].floats,
            "bye_count": int(n in state.had_bye),
        }
        for n in players
    ]
    met = {(min(pair), max(pair)) for pair in state.met}
    answered = generate_pairings("dutch", described, met, number, max(state.settings.rounds, number))
    couples: list[tuple[int, int]] = []
    byes: list[int] = []
    for match in answered:
        one, two = match.get("white_id"), match.get("black_id")
        if one and two:
            couples.append((int(one), int(two)))
        else:
            byes.append(int(one or two))
    bye = byes[0] if len(byes) == 1 else None
    wrong = (
        len(byes) != len(players) % 2
        or sorted([n for couple in couples for n in couple] + byes) != sorted(players)
        or any(frozenset(couple) in state.met for couple in couples)
        or bye in state.had_bye
    )
    if wrong:
        raise TournamentRefused("no-pairing")
    score = {n: histories[n].halves for n in players}
    couples.sort(key=lambda c: (-max(score[c[0]], score[c[1]]), -score[c[0]] - score[c[1]], min(c)))
    return Paired(number, _seated(state, couples), bye)


def _round_robin(state: Tournament) -> Paired:
    number = len(state.rounds) + 1
    order = state.robin_order
    size = len(order) + len(order) % 2
    couples = []
    for one, two in berger_round(size, number):
        if max(one, two) <= len(order):
            near, far = order[one - 1], order[two - 1]
            # Of two who have both left nobody plays and nobody wins.
            if state.players[near].plays or state.players[far].plays:
                couples.append((near, far))
    if not couples:
        raise TournamentRefused("too-few")
    return Paired(number, _seated(state, couples), None)


def complete_pairing_exists(
    players: Sequence[int], met: frozenset[frozenset[int]], had_bye: frozenset[int] = frozenset()
) -> bool:
    """Whether all can be paired with no rematch and no second bye."""
    odd = len(players) % 2
    free = [n for n in players if n not in had_bye]
    if odd and not free:
        return False
    most_met = max((sum(n in pair for pair in met) for n in players), default=0)
    even = len(players) - odd
    if even - 1 - most_met >= even / 2:
        # Each could still meet half of the others, so a complete pairing exists (Dirac, 1952); no search is needed.
        return True
    graph = nx.Graph()
    graph.add_nodes_from(players)
    graph.add_edges_from(
        (a, b) for i, a in enumerate(players) for b in players[i + 1 :] if frozenset((a, b)) not in met
    )
    if odd:
        graph.add_edges_from((n, _BYE) for n in free)
    matched: set[Any] = nx.max_weight_matching(graph, maxcardinality=True)
    return 2 * len(matched) == len(players) + odd


class _History:
    """What the Dutch system asks of a player: match points so far, and in which rounds the opponent had others."""

    def __init__(self) -> None:
        self.halves = 0
        self.floats: list[str] = []


def _histories(state: Tournament) -> dict[int, _History]:
    found = {n: _History() for n in state.players}
    for round_ in state.rounds:
        before = {n: h.halves for n, h in found.items()}
        floats = dict.fromkeys(found, "none")
        for pair in round_.pairs:
            difference = before[pair.near] - before[pair.far]
            if difference:
                floats[pair.near], floats[pair.far] = ("down", "up") if difference > 0 else ("up", "down")
        if round_.bye is not None:
            floats[round_.bye] = "down"
        for number, gained in halves_of(round_).items():
            found[number].halves += gained
        for number, history in found.items():
            history.floats.append(floats[number])
    return found


def _seated(state: Tournament, couples: Sequence[tuple[int, int]]) -> tuple[Pair, ...]:
    """Tables from 1 on; the one who has sat at the near side less often sits there."""
    near = dict.fromkeys(state.players, 0)
    for round_ in state.rounds:
        for pair in round_.pairs:
            near[pair.near] += 1
    return tuple(
        Pair(table, one, two) if near[one] <= near[two] else Pair(table, two, one)
        for table, (one, two) in enumerate(couples, 1)
    )


def proof(state: Tournament, round_: Round) -> tuple[PairingReason, ...]:
    """Why a round's pairing is as it is, in sentences that anybody can check against the earlier rounds."""
    before = Tournament(state.settings, state.players, state.rounds[: round_.number - 1])
    score = {n: h.halves for n, h in _histories(before).items()}
    name = {n: p.name for n, p in state.players.items()}
    reasons: list[PairingReason] = []
    again = [p for p in round_.pairs if frozenset((p.near, p.far)) in before.met]
    reasons.append(("no-rematch", {"n": len(round_.pairs)}) if not again else ("rematch", {"n": len(again)}))
    for pair in again:
        reasons.append(("rematch-at", {"table": pair.table, "near": name[pair.near], "far": name[pair.far]}))
    if round_.bye is not None:
        had = round_.bye in before.had_bye
        reasons.append(("second-bye" if had else "first-bye", {"name": name[round_.bye]}))
        playing = {n for p in round_.pairs for n in (p.near, p.far)}
        lower = sorted(n for n in playing if score[n] < score[round_.bye])
        for number in lower:
            code = "bye-had" if number in before.had_bye else "bye-needed"
            reasons.append((code, {"name": name[number]}))
    same = sum(score[p.near] == score[p.far] for p in round_.pairs)
    if round_.number > 1 and state.settings.system == "swiss":
        reasons.append(("same-score", {"n": same, "all": len(round_.pairs)}))
    return tuple(reasons)
