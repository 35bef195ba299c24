"""What a table's page says of the club: conditions of the page, as texts of the catalogue's group `condition`."""

from __future__ import annotations

import time

from host.club.table.membership import ClubShown
from host.messages.message import MessagePart
from host.web.page_state import Condition


def club_conditions(shown: ClubShown) -> tuple[Condition, ...]:
    """The conditions that a page shows, the match first."""
    found: list[Condition] = []
    match = shown.match
    if match is not None:
        parts: dict[str, MessagePart] = {"round": match.round, "rounds": match.rounds, "table": match.table}
        found.append(Condition(True, "club-match", {**parts, "near": match.near, "far": match.far}))
    elif shown.club:
        found.append(Condition(True, "club-free" if shown.free else "club-waiting", {"club": shown.club}))
    if shown.until is not None and not shown.free:
        ends = time.strftime("%H:%M", time.localtime(shown.until))
        found.append(Condition(True, "club-clock", {"time": ends}))
    if shown.text and not shown.free:
        found.append(Condition(True, "club-text", {"text": shown.text}))
    if shown.refused:
        found.append(Condition(False, "club-refused"))
    elif shown.forked:
        found.append(Condition(False, "club-forked"))
    elif not shown.connected:
        found.append(Condition(False, "club-connecting"))
    return tuple(found)
