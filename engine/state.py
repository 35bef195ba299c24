"""A battle as one immutable value: what lies where, who must decide, and what the one who keeps the record knows.

One type serves full knowledge (a simulator) and an onlooker's (a referee). Every physical card lies in a slot: a hand,
the table or the deck. A slot whose card is not known holds `None`. Since eighteen cards fill eighteen slots, what an
onlooker may conclude is kept in three places:

* `unseen`: cards never located yet. Each may be in any unknown slot.
* `Hand.known`: cards that are certainly in that hand, such as one seen face up and later taken back by Redeploy.
* `maybe` marks, on unknown slots and on hands, for *loose* cards: known to be in one of a few slots. A card known to be
  in a hand becomes loose when that hand plays a card face down that the record does not know. `State.loose` lists them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.cards import EffectName
from engine.editions import DECK_SIZE, HAND_SIZE, Edition, edition_named
from engine.failure import BadInput
from engine.names import (
    CARDS,
    FACE_DOWN,
    SEATS,
    THEATERS,
    Card,
    Face,
    Seat,
    Theater,
    parse_card,
    parse_order,
    parse_seat,
)
from engine.places import PLACES, Board, Place

Order: TypeAlias = tuple[Theater, Theater, Theater]
CardMask: TypeAlias = int
"""A set of cards as bits, in the order of `CARDS`."""
Pending: TypeAlias = Literal["maneuver", "ambush", "disrupt", "transport", "reinforce", "redeploy", "play"]

BIT: Final[dict[Card, CardMask]] = {card: 1 << i for i, card in enumerate(CARDS)}
ALL_CARDS: Final[CardMask] = (1 << len(CARDS)) - 1
SEAT_INDEX: Final[dict[Seat, int]] = {"near": 0, "far": 1}
PILE_INDEX: Final[dict[Theater, int]] = {theater: 2 * i for i, theater in enumerate(THEATERS)}
"""Index of the near pile of a theater in `State.piles`; the far one follows it."""


class CardInPlay(NamedTuple):
    """One slot: a card on the table or in the deck."""

    card: Card | None
    """None where the record does not know it."""
    up: bool
    maybe: CardMask = 0
    """On an unknown card: the loose cards that it may be, besides every unseen one."""


class Hand(NamedTuple):
    """One seat's hand."""

    size: int
    known: CardMask
    """Cards that are certainly in it."""
    maybe: CardMask = 0
    """Loose cards that may be in it."""
    open: bool = False
    """True if the record was dealt this hand, so that its face-down plays are named."""

    @property
    def unknown(self) -> int:
        """How many of its cards the record does not know."""
        return self.size - self.known.bit_count()


class Effect(NamedTuple):
    """An instant that waits to be resolved, or is being resolved."""

    name: EffectName
    card: Card
    owner: Seat
    step: int
    """0, or 1 for the second flip of Disrupt and for the play of Redeploy."""
    place: Theater
    """Where its card lay when it was triggered or left the table; used only if it lies on the table no more (R2)."""


class Result(NamedTuple):
    """How a battle ended."""

    winner: Seat
    points: int
    why: Literal["played-out", "withdrew"]


Pile: TypeAlias = tuple[CardInPlay, ...]

UP: Final[dict[Card, CardInPlay]] = {card: CardInPlay(card, True) for card in CARDS}
DOWN: Final[dict[Card, CardInPlay]] = {card: CardInPlay(card, False) for card in CARDS}
UNKNOWN: Final = CardInPlay(None, False)


class State(NamedTuple):
    """A battle between two decisions. Make one with `start`, go on with `engine.play`."""

    edition: Edition
    order: Order
    first: Seat
    active: Seat
    """Whose turn it is, while effects are resolved too."""
    turn: Seat | None
    """The seat that must decide now; None after the end."""
    pending: Pending | None
    """The effect it decides about; None for a turn's own action."""
    result: Result | None
    piles: tuple[Pile, ...]
    """The six stacks in the order of `engine.sight.PLACES`, each bottom to top."""
    hands: tuple[Hand, Hand]
    """Near and far."""
    deck: Pile
    """Top first."""
    unseen: CardMask
    loose: CardMask
    queue: tuple[Effect, ...]
    """Instants still to be resolved, the next one first."""
    permits: tuple[bool, bool]
    """Air Drop's permission, near and far (R5)."""
    extra: tuple[int, int]
    """Extra turns that are owed, near and far (R7, first edition)."""

    @property
    def stacks(self) -> Mapping[Place, Pile]:
        """The cards of every place, bottom to top."""
        return dict(zip(PLACES, self.piles, strict=True))

    def stack(self, theater: Theater, seat: Seat) -> Pile:
        """The cards of one place, bottom to top."""
        return self.piles[PILE_INDEX[theater] + SEAT_INDEX[seat]]

    def hand(self, seat: Seat) -> Hand:
        return self.hands[SEAT_INDEX[seat]]

    @property
    def hand_sizes(self) -> dict[Seat, int]:
        return {"near": self.hands[0].size, "far": self.hands[1].size}

    def in_turn_of(self, seat: Seat) -> State:
        """The same cards with a turn of that seat, and no effect open."""
        return self._replace(active=seat, turn=seat, pending=None, queue=())


def mask_of(cards: Sequence[Card]) -> CardMask:
    """Those cards as a set of bits."""
    mask = 0
    for card in cards:
        mask |= BIT[card]
    return mask


def cards_of(mask: CardMask) -> tuple[Card, ...]:
    """The cards of a set of bits, in the order of `CARDS`."""
    return tuple(card for card, bit in BIT.items() if mask & bit)


def start(
    edition: Edition | str = "revised",
    order: Sequence[Theater] | str = "ALS",
    first: Seat = "near",
    hands: Mapping[Seat, Sequence[Card]] | None = None,
    deck: Sequence[Card | None] | None = None,
) -> State:
    """The table before the first move.

    `hands` holds the six cards of both seats, or of one (a player's own view); None is an onlooker's. `deck` is the
    other six, top first. With both hands given and no deck, its cards are known and their order is not. Raises
    `BadInput` (`impossible-deal`, or what the names raise).
    """
    record = edition if isinstance(edition, Edition) else edition_named(edition)
    row = parse_order("".join(order))
    first = parse_seat(first)
    taken: list[Card] = []
    held: list[Hand] = []
    for seat in SEATS:
        cards = None if hands is None else hands.get(seat)
        if cards is None:
            held.append(Hand(HAND_SIZE, 0))
            continue
        cards = [parse_card(card) for card in cards]
        if len(cards) != HAND_SIZE:
            raise BadInput(
                "impossible-deal", f"The {seat} hand has {len(cards)} cards.", f"Give each hand {HAND_SIZE}."
            )
        taken += cards
        held.append(Hand(HAND_SIZE, mask_of(cards), 0, True))
    pile: Pile = (UNKNOWN,) * DECK_SIZE
    if deck is not None:
        if len(deck) != DECK_SIZE:
            raise BadInput("impossible-deal", f"The deck has {len(deck)} cards.", f"Give it {DECK_SIZE}, top first.")
        pile = tuple(UNKNOWN if card is None else DOWN[parse_card(card)] for card in deck)
        taken += [card.card for card in pile if card.card is not None]
    if len(set(taken)) != len(taken):
        twice = next(card for card in taken if taken.count(card) > 1)
        raise BadInput("impossible-deal", f"{twice} is dealt twice.", "Deal each of the eighteen cards once.")
    unseen = ALL_CARDS & ~mask_of(taken)
    return State(
        edition=record,
        order=row,
        first=first,
        active=first,
        turn=first,
        pending=None,
        result=None,
        piles=((),) * len(PLACES),
        hands=(held[0], held[1]),
        deck=pile,
        unseen=unseen,
        loose=0,
        queue=(),
        permits=(False, False),
        extra=(0, 0),
    )


def face(slot: CardInPlay) -> Face:
    """What an onlooker sees of a card."""
    return slot.card if slot.up and slot.card is not None else FACE_DOWN


def board(state: State) -> Board:
    """Every place's cards as an onlooker sees them, bottom to top."""
    return MappingProxyType({place: tuple(map(face, pile)) for place, pile in zip(PLACES, state.piles, strict=True)})
