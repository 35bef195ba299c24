"""What waits and is owed, as everybody at the table knows it: effects, Air Drop's permission, an extra turn."""

from __future__ import annotations

from engine.names import SEATS
from engine.state import SEAT_INDEX, State
from host.messages.message import Message
from host.web.hints import hint_message


def waiting(state: State) -> tuple[Message, ...]:
    """One line for each; nothing once the battle is over, and nothing that needs a card of a seat that holds none."""
    if state.result is not None:
        return ()
    lines = [hint_message("effect-waits", effect=effect.name, seat=effect.owner) for effect in state.queue[1:]]
    for seat in (one for one in SEATS if state.hand(one).size):
        if state.permits[SEAT_INDEX[seat]]:
            lines.append(hint_message("permission", seat=seat))
        if state.extra[SEAT_INDEX[seat]]:
            lines.append(hint_message("extra-turn", seat=seat))
    return tuple(lines)
