"""What the record's holder may conclude: which card may be in which slot, exactly.

A deal of the unknown cards is possible when every loose card lies in a slot that is marked for it and every unseen
card in any unknown slot left over. There are as many unknown slots as unknown cards, so a card may be in a slot if,
with it there, the other loose cards still find places: a small matching. Without loose cards (nearly always) every
question is a mask.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from engine.failure import BadInput
from engine.moves import Move
from engine.names import SEATS, Card, Seat, Theater
from engine.places import PLACES
from engine.state import (
    ALL_CARDS,
    BIT,
    DOWN,
    PILE_INDEX,
    SEAT_INDEX,
    UNKNOWN,
    CardInPlay,
    CardMask,
    Hand,
    Pile,
    State,
    cards_of,
    mask_of,
)


class Slots(NamedTuple):
    """Every place of cards that can hold an unknown one."""

    piles: tuple[Pile, ...]
    hands: tuple[Hand, Hand]
    deck: Pile


def _rooms(slots: Slots) -> list[tuple[CardMask, int]]:
    """Each hand and each marked unknown slot: the loose cards it may hold, and its room for unknown cards."""
    rooms = [(hand.maybe, hand.unknown) for hand in slots.hands]
    rooms += [(card.maybe, 1) for pile in slots.piles for card in pile if card.maybe]
    rooms += [(card.maybe, 1) for card in slots.deck if card.maybe]
    return rooms


def _fits(loose: CardMask, rooms: list[tuple[CardMask, int]]) -> bool:
    """Whether every loose card finds a room of its own."""
    if not loose:
        return True
    bit = loose & -loose
    for i, (maybe, room) in enumerate(rooms):
        if room and maybe & bit:
            rooms[i] = (maybe, room - 1)
            if _fits(loose & ~bit, rooms):
                rooms[i] = (maybe, room)
                return True
            rooms[i] = (maybe, room)
    return False


def _candidates(state: State, maybe: CardMask, room: int) -> CardMask:
    """Cards that may be in one place that has `room` for unknown cards and the marks `maybe`."""
    if not room:
        return 0
    if not state.loose:
        return state.unseen
    rooms = _rooms(Slots(state.piles, state.hands, state.deck))
    if maybe:
        at = rooms.index((maybe, room))
        rooms[at] = (maybe, room - 1)
    found = state.unseen if _fits(state.loose, rooms) else 0
    for card in cards_of(maybe):
        if _fits(state.loose & ~BIT[card], rooms):
            found |= BIT[card]
    return found


def hand_candidates(state: State, seat: Seat) -> CardMask:
    """Every card that could be in that hand."""
    hand = state.hands[SEAT_INDEX[seat]]
    return hand.known | _candidates(state, hand.maybe, hand.unknown)


def slot_candidates(state: State, slot: CardInPlay) -> CardMask:
    """Every card that a card on the table or in the deck of this state could be."""
    if slot.card is not None:
        return BIT[slot.card]
    return _candidates(state, slot.maybe, 1)


def could_hold(state: State, seat: Seat) -> tuple[Card, ...]:
    """Every card that could be in that hand, in the order of `CARDS`."""
    return cards_of(hand_candidates(state, seat))


def must_hold(state: State, seat: Seat) -> tuple[Card, ...]:
    """Cards that are certainly in that hand, such as one taken back by Redeploy after it was seen."""
    return cards_of(state.hands[SEAT_INDEX[seat]].known)


def could_be(state: State, theater: Theater, seat: Seat, index: int) -> tuple[Card, ...]:
    """Every card that the one at `index` (from the bottom) of a stack could be."""
    return cards_of(slot_candidates(state, state.piles[PILE_INDEX[theater] + SEAT_INDEX[seat]][index]))


def _without(pile: Pile, bit: CardMask) -> Pile:
    if not any(card.maybe & bit for card in pile):
        return pile
    return tuple(card._replace(maybe=card.maybe & ~bit) if card.maybe & bit else card for card in pile)


def located(slots: Slots, bit: CardMask) -> Slots:
    """The slots once that loose card has come to light elsewhere: no mark for it remains."""
    near, far = slots.hands
    return Slots(
        tuple(_without(pile, bit) for pile in slots.piles),
        (near._replace(maybe=near.maybe & ~bit), far._replace(maybe=far.maybe & ~bit)),
        _without(slots.deck, bit),
    )


def _pinned(pile: Pile, card: Card) -> Pile:
    bit = BIT[card]
    return tuple(DOWN[card] if slot.maybe & bit else slot for slot in pile)


def deduced(slots: Slots, loose: CardMask) -> tuple[Slots, CardMask]:
    """The slots with every loose card named that can only be in one place any more, and the cards still loose."""
    changed = True
    while loose and changed:
        changed = False
        near, far = (hand if hand.unknown else hand._replace(maybe=0) for hand in slots.hands)
        slots = slots._replace(hands=(near, far))
        for card in cards_of(loose):
            bit = BIT[card]
            places = [maybe for maybe, room in _rooms(slots) if room and maybe & bit]
            if len(places) != 1:
                continue
            in_hand = [i for i, hand in enumerate(slots.hands) if hand.maybe & bit]
            if in_hand:
                hands = list(slots.hands)
                hand = hands[in_hand[0]]
                hands[in_hand[0]] = hand._replace(known=hand.known | bit)
                slots = slots._replace(hands=(hands[0], hands[1]))
            else:
                piles = tuple(_pinned(pile, card) for pile in slots.piles)
                slots = slots._replace(piles=piles, deck=_pinned(slots.deck, card))
            slots = located(slots, bit)
            loose &= ~bit
            changed = True
    return slots, loose


def redacted(state: State, move: Move, viewer: State) -> Move:
    """`move`, legal in the fully known `state`, as the record that `viewer` keeps of the same battle may have it.

    A face-down play or a reinforcement names its card only to a viewer who holds that hand, and a flip says what came
    to light where the viewer did not know it. A viewer's state that is played with such moves only knows nothing that
    the viewer could not know.
    """
    if move.do == "improvise":
        return move if viewer.hand(move.by).open else move._replace(card=None)
    if move.do == "reinforce":
        return move._replace(card=state.deck[0].card if viewer.hand(move.by).open else None)
    if move.do == "flip" and move.at is not None and move.side is not None:
        known = viewer.stack(move.at, move.side)[-1].card is not None
        return move._replace(reveals=None if known else state.stack(move.at, move.side)[-1].card)
    return move


def with_drawn_card(viewer: State, card: Card) -> State:
    """The viewer's state once it has looked at the card that its own Reinforce draws, before it decides (R8).

    The card stays known on top of the deck where its owner declines to play it. Raises `BadInput` (`bad-card`) where
    no Reinforce of the viewer's own waits or the top card cannot be `card`.
    """
    turn = viewer.turn
    if viewer.pending != "reinforce" or turn is None or not viewer.hand(turn).open:
        raise BadInput("bad-card", "No Reinforce of this viewer waits for a decision.", "Look when it draws its card.")
    bit, top = BIT[card], viewer.deck[0]
    if top.card == card:
        return viewer
    if not slot_candidates(viewer, top) & bit:
        raise BadInput("bad-card", f"The top card of the deck cannot be {card}.", "Correct what is known before.")
    slots = located(Slots(viewer.piles, viewer.hands, (DOWN[card], *viewer.deck[1:])), bit)
    slots, loose = deduced(slots, viewer.loose & ~bit)
    return viewer._replace(
        piles=slots.piles, hands=slots.hands, deck=slots.deck, unseen=viewer.unseen & ~bit, loose=loose
    )


def information_key(opening: State, moves: Sequence[Move]) -> str:
    """A key of what a viewer has seen: equal for equal records, and for no others.

    `opening` is the viewer's own state at the start (`observer_state`), `moves` the viewer's record since (`redacted`).
    Two records may lead to one state and still be two information sets.
    """
    seen = (opening.edition.name, opening.order, opening.first, opening.hands, [slot.card for slot in opening.deck])
    return sha256(repr((seen, [tuple(move) for move in moves])).encode()).hexdigest()


def observer_state(state: State, seat: Seat | None = None) -> State:
    """The battle as someone knows it who sees the table for the first time, with no memory of what was turned down.

    With a `seat`, that player's knowledge: the own hand, the own face-down cards and, while the own Reinforce waits,
    the card that it draws, as far as `state` knows them.
    """
    hidden = ALL_CARDS
    piles: list[Pile] = []
    for (_, side), pile in zip(PLACES, state.piles, strict=True):
        seen = tuple(slot if slot.up or (side == seat and slot.card is not None) else UNKNOWN for slot in pile)
        hidden &= ~mask_of([slot.card for slot in seen if slot.card is not None])
        piles.append(seen)
    hands: list[Hand] = []
    for side, hand in zip(SEATS, state.hands, strict=True):
        known = hand.known if side == seat else 0
        hidden &= ~known
        hands.append(Hand(hand.size, known, 0, side == seat))
    deck = [UNKNOWN] * len(state.deck)
    if seat is not None and state.turn == seat and state.pending == "reinforce" and state.deck[0].card is not None:
        # Whoever decides where the drawn card goes has looked at it.
        deck[0] = state.deck[0]
        hidden &= ~BIT[state.deck[0].card]
    return state._replace(
        piles=tuple(piles),
        hands=(hands[0], hands[1]),
        deck=tuple(deck),
        unseen=hidden,
        loose=0,
    )
