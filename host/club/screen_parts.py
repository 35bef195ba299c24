"""What the room's screen shows of the whole tournament."""

from __future__ import annotations

from typing import Any

from host.club.tournament.standings import halves_text, shown, standings
from host.club.tournament.state import Tournament


def club_part(state: Tournament | None) -> dict[str, Any]:
    """The screen's part that is about the whole tournament."""
    if state is None:
        return {"name": "", "round": 0, "rounds": 0, "standings": [], "pairs": [], "bye": None, "until": None}
    name = {n: p.name for n, p in state.players.items()}
    current = state.current
    ties = state.settings.tie_breaks
    return {
        "name": state.settings.name,
        "round": current.number if current else 0,
        "rounds": state.rounds_planned,
        "finished": state.finished,
        "until": state.clock,
        "announcement": state.announcement,
        "ties": list(ties),
        "standings": [
            {
                "rank": row.rank,
                "name": name[row.player],
                "points": halves_text(row.halves),
                "ties": [shown(tie, value) for tie, value in zip(ties, row.ties, strict=True)],
                "dropped": state.players[row.player].dropped,
            }
            for row in standings(state)
        ],
        "pairs": [[p.table, name[p.near], name[p.far]] for p in current.pairs] if current else [],
        "bye": name[current.bye] if current and current.bye is not None else None,
    }
