"""Hints for learners: what may be done now and what withdrawing costs, from what everybody at the table can see."""

from __future__ import annotations

from typing import Final

from engine.editions import withdraw_points
from engine.names import SEATS, Card, Seat, other
from engine.places import PLACES
from engine.state import SEAT_INDEX, State
from host.messages.message import Message, MessagePart, in_edition
from host.session.standing import Standing

CROWDED: Final = 3
"""Cards in a theater from which on Blockade destroys what is played there next to it."""


def hints(standing: Standing) -> tuple[Message, ...]:
    """What the seat that decides may do; nothing where nobody decides."""
    state, seat = standing.state, standing.state.turn
    if seat is None or standing.war_winner is not None or standing.violation is not None:
        return ()
    if state.pending is not None and state.pending != "play":
        return (hint_message("marked"),)
    told = [hint_message("play", seat=seat)]
    remove = {"remove": state.edition.remove_word}
    if state.permits[SEAT_INDEX[seat]]:
        told.append(hint_message("air-drop"))
    if _face_up(state, Card("A4"), seat):
        told.append(hint_message("aerodrome"))
    if any(_face_up(state, Card("A5"), one) for one in SEATS):
        told.append(hint_message(in_edition("containment", remove)))
    if any(_face_up(state, Card("S5"), one) for one in SEATS) and _crowded(state):
        told.append(hint_message(in_edition("blockade", remove)))
    if state.pending is None:
        told += _withdrawal(standing, seat)
    return tuple(told)


def hint_message(code: str, **parts: MessagePart) -> Message:
    """A sentence of the group `hint`."""
    return Message("hint", "hint", code, parts)


def _face_up(state: State, card: Card, seat: Seat) -> bool:
    return any(slot.up and slot.card == card for place in PLACES if place[1] == seat for slot in state.stacks[place])


def _crowded(state: State) -> bool:
    return any(sum(len(state.stacks[theater, seat]) for seat in SEATS) >= CROWDED for theater in state.order)


def withdrawal_worth(standing: Standing, cards: int, seat: Seat) -> int:
    """What the other seat scores when `seat` withdraws with so many cards in hand; one point for beginners."""
    return 1 if standing.beginner else withdraw_points(cards, seat == standing.state.first)


def _withdrawal(standing: Standing, seat: Seat) -> list[Message]:
    """What withdrawing costs now, and after one more card where that is another number."""
    cards = standing.state.hand_sizes[seat]
    now = withdrawal_worth(standing, cards, seat)
    told = [hint_message("withdraw", seat=seat, other=other(seat), n=now)]
    later = withdrawal_worth(standing, cards - 1, seat) if cards else now
    return [*told, hint_message("withdraw-later", n=later)] if later != now else told
