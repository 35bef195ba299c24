"""What is wrong with a table, as flags: a card twice, too many cards, a card that cannot lie so by any legal line.

`table_flags` looks at one table by itself, without the moves that led there, `state_flags` at a whole state, such as
one that a person set. No flag means "nothing certain", not "reachable"; a flag holds against every legal line.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from engine.cards import AIR_DROP, CARRIERS, REDEPLOY, REINFORCE, TRANSPORT
from engine.editions import HAND_SIZE
from engine.names import CARDS, FACE_DOWN, SEATS, Card, Face, Theater, theater_of
from engine.places import PLACES, Board, Place
from engine.state import BIT, SEAT_INDEX, State, board

FlagCode: TypeAlias = Literal[
    "unknown-face",
    "card-twice",
    "too-many-cards",
    "cannot-be-there",
    "cards-missing",
    "turn-without-card",
    "effect-without-card",
    "permit-without-air-drop",
]

FLAGS: Final[dict[FlagCode, str]] = {
    "unknown-face": "{face} at {at} is neither a card nor face down.",
    "card-twice": "{card} lies at {at} and again at {again}; there is one of each card.",
    "too-many-cards": "{count} cards lie on the table, and {limit} is the most there can be.",
    "cannot-be-there": "{card} lies face up in {theater}: no card on the table could have brought it there.",
    "cards-missing": "Table, hands and deck hold {count} cards and not eighteen.",
    "turn-without-card": "It is the turn of {seat}, who holds no card.",
    "effect-without-card": "{effect} waits, and {card} has never been played.",
    "permit-without-air-drop": "{seat} has Air Drop's permission, and Air Drop has never been played.",
}
"""Every flag and its English sentence."""

_HAND_CARDS: Final = 2 * HAND_SIZE


class Flag(NamedTuple):
    """One thing that is wrong."""

    code: FlagCode
    parts: tuple[tuple[str, str | int], ...]

    @property
    def message(self) -> str:
        """One English sentence."""
        return FLAGS[self.code].format_map(dict(self.parts))


def _flag(code: FlagCode, **parts: str | int) -> Flag:
    return Flag(code, tuple(parts.items()))


def _spot(place: Place, index: int) -> str:
    return f"{place[0]}/{place[1]}/{index}"


def table_flags(table: Board) -> tuple[Flag, ...]:
    """Everything certainly wrong with the visible cards of a table; missing places are empty."""
    flags: list[Flag] = []
    seen: dict[Face, str] = {}
    lying: list[tuple[Face, Theater]] = []
    for place in PLACES:
        for i, face in enumerate(table.get(place, ())):
            at = _spot(place, i)
            lying.append((face, place[0]))
            if face == FACE_DOWN:
                continue
            if face not in BIT:
                flags.append(_flag("unknown-face", face=face, at=at))
            elif face in seen:
                flags.append(_flag("card-twice", card=face, at=seen[face], again=at))
            else:
                seen[face] = at
    # A card that left the table did so by Redeploy, and whatever turned Redeploy up or down lies there still. With no
    # card face down and no Redeploy, every card that ever worked on this table is in sight.
    all_in_sight = not any(face == FACE_DOWN for face, _ in lying) and REDEPLOY not in seen
    limit = _HAND_CARDS if all_in_sight and REINFORCE not in seen else len(CARDS)
    if len(lying) > limit:
        flags.append(_flag("too-many-cards", count=len(lying), limit=limit))
    if all_in_sight:
        for face, theater in lying:
            if face in BIT and theater_of(Card(face)) != theater and not _could_be_brought(Card(face), seen):
                flags.append(_flag("cannot-be-there", card=face, theater=theater))
    return tuple(flags)


def _could_be_brought(card: Card, seen: dict[Face, str]) -> bool:
    # Transport may move itself; any other card needs help.
    return card == TRANSPORT or any(carrier in seen for carrier in CARRIERS if carrier != card)


def state_flags(state: State) -> tuple[Flag, ...]:
    """Everything certainly wrong with a state: its table, the count of cards, whose turn it is, what waits."""
    flags = list(table_flags(board(state)))
    count = sum(map(len, state.piles)) + len(state.deck) + state.hands[0].size + state.hands[1].size
    if count != len(CARDS):
        flags.append(_flag("cards-missing", count=count))
    if state.turn is not None and state.pending is None and not state.hand(state.turn).size:
        flags.append(_flag("turn-without-card", seat=state.turn))
    for effect in state.queue:
        if state.unseen & BIT[effect.card]:
            flags.append(_flag("effect-without-card", effect=effect.name, card=effect.card))
    for seat in SEATS:
        if state.permits[SEAT_INDEX[seat]] and state.unseen & BIT[AIR_DROP]:
            flags.append(_flag("permit-without-air-drop", seat=seat))
    return tuple(flags)
