"""Deals that agree with what a record knows: their exact number, and samples, each as likely as any other.

A deal says which unknown card lies in each unknown slot. Two deals are the same if every hand holds the same cards: a
hand has no order, the deck has. What a seat would rather have played or kept is no part of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import factorial
from random import Random
from typing import NamedTuple

from engine.moves import Move
from engine.names import Card
from engine.state import BIT, DOWN, PILE_INDEX, SEAT_INDEX, CardInPlay, CardMask, Hand, Pile, State, cards_of


class Chance(NamedTuple):
    """One way that a move may turn out, and in how many deals it does."""

    move: Move
    deals: int


def deal_count(state: State) -> int:
    """How many deals agree with the record; 1 where everything is known."""
    return sum(ways for _, ways in _settled(state))


def deals(state: State, rng: Random, count: int) -> Iterator[State]:
    """So many deals of the record, drawn uniformly and independently, each as a state in which every card is known."""
    layouts = _settled(state)
    weights = [ways for _, ways in layouts]
    for _ in range(count):
        (layout,) = rng.choices([layout for layout, _ in layouts], weights)
        cards = list(cards_of(layout.unseen))
        rng.shuffle(cards)
        yield _filled(layout, cards)


def chance_moves(state: State, move: Move) -> tuple[Chance, ...]:
    """The ways that a legal move may turn out for the holder of this record.

    A flip of a card that the record does not know has one for each card that it could be, named in `reveals`; any other
    move has one. The counts add up to `deal_count`.
    """
    if move.do != "flip" or move.at is None or move.side is None:
        return (Chance(move, deal_count(state)),)
    at = PILE_INDEX[move.at] + SEAT_INDEX[move.side]
    top = state.piles[at][-1]
    if top.card is not None:
        return (Chance(move, deal_count(state)),)
    found = []
    for card in cards_of(state.unseen | top.maybe):
        bit = BIT[card]
        pile = (*state.piles[at][:-1], DOWN[card])
        piles = (*state.piles[:at], pile, *state.piles[at + 1 :])
        ways = deal_count(_without(state._replace(piles=piles), bit))
        if ways:
            found.append(Chance(move._replace(reveals=card), ways))
    return tuple(found)


def _without(state: State, bit: CardMask) -> State:
    """The state once that card has its place: no mark for it remains."""
    return state._replace(
        piles=tuple(_unmarked(pile, bit) for pile in state.piles),
        hands=(_unmarked_hand(state.hands[0], bit), _unmarked_hand(state.hands[1], bit)),
        deck=_unmarked(state.deck, bit),
        unseen=state.unseen & ~bit,
        loose=state.loose & ~bit,
    )


def _unmarked(pile: Pile, bit: CardMask) -> Pile:
    return tuple(slot._replace(maybe=slot.maybe & ~bit) for slot in pile)


def _unmarked_hand(hand: Hand, bit: CardMask) -> Hand:
    return hand._replace(maybe=hand.maybe & ~bit)


def _settled(state: State) -> list[tuple[State, int]]:
    """Every way to place the loose cards, with the number of ways to place the unseen ones then."""
    if state.loose:
        card = cards_of(state.loose)[0]
        return [entry for placed in _placed(state, card) for entry in _settled(placed)]
    rooms = [hand.unknown for hand in state.hands]
    singles = sum(slot.card is None for pile in (*state.piles, state.deck) for slot in pile)
    unseen = state.unseen.bit_count()
    if min(rooms) < 0 or sum(rooms) + singles != unseen:
        return []
    return [(state, factorial(unseen) // (factorial(rooms[0]) * factorial(rooms[1])))]


def _placed(state: State, card: Card) -> Iterator[State]:
    """The states with a loose card in each place that it may have."""
    bit = BIT[card]
    rest = _without(state, bit)
    for side, hand in enumerate(state.hands):
        if hand.maybe & bit and hand.unknown > 0:
            hands = list(rest.hands)
            hands[side] = hands[side]._replace(known=hands[side].known | bit)
            yield rest._replace(hands=(hands[0], hands[1]))
    for at, pile in enumerate(state.piles):
        for nth, slot in enumerate(pile):
            if slot.card is None and slot.maybe & bit:
                filled = _put(rest.piles[at], nth, card)
                yield rest._replace(piles=(*rest.piles[:at], filled, *rest.piles[at + 1 :]))
    for nth, slot in enumerate(state.deck):
        if slot.card is None and slot.maybe & bit:
            yield rest._replace(deck=_put(rest.deck, nth, card))


def _put(pile: Pile, nth: int, card: Card) -> Pile:
    return (*pile[:nth], DOWN[card], *pile[nth + 1 :])


def _filled(state: State, cards: list[Card]) -> State:
    """Every unknown slot filled from the list, and both hands open."""
    rest = iter(cards)

    def known(slot: CardInPlay) -> CardInPlay:
        return slot if slot.card is not None else DOWN[next(rest)]

    piles = tuple(tuple(known(slot) for slot in pile) for pile in state.piles)
    deck = tuple(known(slot) for slot in state.deck)
    hands = []
    for hand in state.hands:
        held = hand.known
        for _ in range(hand.unknown):
            held |= BIT[next(rest)]
        hands.append(Hand(hand.size, held, 0, True))
    return state._replace(piles=piles, hands=(hands[0], hands[1]), deck=deck, unseen=0, loose=0)
