"""What the table's own log holds of a match, as the outbox takes it over where it was not handed over when it happened:
the program was killed in between, or the disk was full."""

from __future__ import annotations

from typing import Any

from host.club.table.told import entry_body
from host.session.game_log import GameLog
from host.session.session import Rules, replayed


def entries_of_match(log: GameLog, war: str, match: str, after: int = 0) -> list[tuple[int, dict[str, Any]]]:
    """The entries of a war with a sequence number above `after`: that number, and the body for the desk.

    Raises `BadInput` where the log is damaged, `Failure` where it cannot be read.
    """
    options = next((info.options for info in log.wars() if info.id == war), None)
    if options is None:
        # Its owner has deleted it.
        return []
    found: list[tuple[int, dict[str, Any]]] = []
    for entry, events, timeline in replayed(log, war, Rules.from_json(options)):
        if entry.sequence > after:
            reached = timeline.war
            found.append((entry.sequence, entry_body(events, match, reached.score, reached.winner)))
    return found
