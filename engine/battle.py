"""Playing a battle: `play(state, move)` gives the next state, with every effect carried on to the next decision.

Instants wait in `State.queue`. What tells the editions apart is where a new one is put (R1): behind the others, or
before them where instants nest. Everything else is a switch read from `State.edition`.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.cards import AIR_DROP, BLOCKADE, CONTAINMENT, INSTANTS
from engine.editions import BATTLE_POINTS, BLOCKADE_LIMIT, Edition, withdraw_points
from engine.knowledge import Slots, deduced, located
from engine.legality import decider, explain, neighbours, targets
from engine.moves import Move
from engine.names import SEATS, Card, Seat, Theater, other
from engine.refusal import IllegalMove
from engine.state import (
    BIT,
    DOWN,
    PILE_INDEX,
    SEAT_INDEX,
    UNKNOWN,
    UP,
    CardInPlay,
    Effect,
    Hand,
    Pending,
    Pile,
    Result,
    State,
    cards_of,
)
from engine.strength import winner

_Piles = tuple[Pile, ...]
_CONTAINMENT = UP[CONTAINMENT]
_BLOCKADE = UP[BLOCKADE]


class Destruction(NamedTuple):
    """A card destroyed as it was played."""

    card: Card | None
    """None where the record does not know it."""
    by_card: Card
    """Blockade (`S5`) or Containment (`A5`)."""


class _Changes(NamedTuple):
    """What one move made of the table, before the turn is carried on."""

    piles: _Piles
    hands: tuple[Hand, Hand]
    deck: Pile
    unseen: int
    loose: int
    queue: tuple[Effect, ...]
    permits: tuple[bool, bool]
    extra: tuple[int, int]


def _destroyer(state: State, to: Theater, face_up: bool) -> Card | None:
    """The card that destroys one played to `to`: Blockade is named before Containment (R13)."""
    piles = state.piles
    at = PILE_INDEX[to]
    if len(piles[at]) + len(piles[at + 1]) >= BLOCKADE_LIMIT:
        for theater in neighbours(state.order, to):
            near = PILE_INDEX[theater]
            if _BLOCKADE in piles[near] or _BLOCKADE in piles[near + 1]:
                return _BLOCKADE.card
    if not face_up:
        for pile in piles:
            if _CONTAINMENT in pile:
                return _CONTAINMENT.card
    return None


def destruction(state: State, move: Move) -> Destruction | None:
    """The card that `move`, played in `state`, loses to Containment or Blockade; None if it stays or plays none."""
    if move.do not in ("deploy", "improvise", "reinforce") or move.to is None:
        return None
    by_card = _destroyer(state, move.to, move.do == "deploy")
    if by_card is None:
        return None
    if move.do == "reinforce":
        return Destruction(move.card or state.deck[0].card, by_card)
    return Destruction(move.card or _played_slot(state.hands[SEAT_INDEX[move.by]]).card, by_card)


def cut_off(state: State, move: Move) -> Card | None:
    """The card whose ability `move`, a flip in `state`, ends before it is done (R3); None if it ends none."""
    if move.do != "flip" or not state.edition.cut_off_when_turned_down or move.side is None or move.at is None:
        return None
    side = SEAT_INDEX[move.side]
    slot = state.piles[PILE_INDEX[move.at] + side][-1]
    waits = any(effect.card == slot.card for effect in _next_step(state))
    if slot.up and (waits or (slot.card == AIR_DROP and state.permits[side])):
        return slot.card
    return None


def play(state: State, move: Move) -> State:
    """The battle after `move`; raises `IllegalMove` with the refusal."""
    why = explain(state, move)
    if why is not None:
        raise IllegalMove(why)
    do = move.do
    if do == "deploy" or do == "improvise":
        return _carried_on(state, _play_from_hand(state, move))
    if do == "withdraw":
        left = state.hands[SEAT_INDEX[move.by]].size
        points = withdraw_points(left, move.by == state.first)
        return state._replace(turn=None, pending=None, result=Result(other(move.by), points, "withdrew"))
    if do == "flip":
        return _carried_on(state, _flip(state, move))
    if do == "move":
        return _carried_on(state, _transport(state, move))
    if do == "return":
        return _carried_on(state, _redeploy(state, move))
    if do == "reinforce":
        return _carried_on(state, _reinforce(state, move))
    return _carried_on(state, _unchanged(state)._replace(queue=state.queue[1:]))


def _unchanged(state: State) -> _Changes:
    return _Changes(
        state.piles, state.hands, state.deck, state.unseen, state.loose, state.queue, state.permits, state.extra
    )


def _with_pile(piles: _Piles, at: int, pile: Pile) -> _Piles:
    return (*piles[:at], pile, *piles[at + 1 :])


def _with(pair: tuple[Hand, Hand], side: int, hand: Hand) -> tuple[Hand, Hand]:
    return (pair[0], hand) if side else (hand, pair[1])


def _with_permit(permits: tuple[bool, bool], side: int, held: bool) -> tuple[bool, bool]:
    return (permits[0], held) if side else (held, permits[1])


def _triggered(
    edition: Edition, queue: tuple[Effect, ...], card: Card, owner: Seat, place: Theater
) -> tuple[Effect, ...]:
    """The queue after `card` came to lie face up (R1)."""
    name = INSTANTS.get(card)
    if name is None:
        return queue
    effect = Effect(name, card, owner, 0, place)
    return (effect, *queue) if edition.nested_instants else (*queue, effect)


def _come_to_light(changes: _Changes, card: Card) -> _Changes:
    """`card` was in an unknown slot, which the caller has emptied or named: nowhere else may it be any more."""
    bit = BIT[card]
    if changes.unseen & bit:
        changes = changes._replace(unseen=changes.unseen & ~bit)
    elif changes.loose & bit:
        slots = located(Slots(changes.piles, changes.hands, changes.deck), bit)
        changes = changes._replace(piles=slots.piles, hands=slots.hands, deck=slots.deck, loose=changes.loose & ~bit)
    return changes


def _concluded(changes: _Changes) -> _Changes:
    """Loose cards that can only be in one place are named there."""
    if not changes.loose:
        return changes
    slots, loose = deduced(Slots(changes.piles, changes.hands, changes.deck), changes.loose)
    return changes._replace(piles=slots.piles, hands=slots.hands, deck=slots.deck, loose=loose)


def _played_slot(hand: Hand) -> CardInPlay:
    """A card that this hand plays face down and the record does not name."""
    if hand.size == 1 and hand.known:
        return DOWN[cards_of(hand.known)[0]]
    maybe = hand.maybe | hand.known
    return CardInPlay(None, False, maybe) if maybe else UNKNOWN


def _play_from_hand(state: State, move: Move) -> _Changes:
    by, card, to = move.by, move.card, move.to
    assert to is not None
    side = SEAT_INDEX[by]
    hand = state.hands[side]
    queue = state.queue[1:] if state.pending == "play" else state.queue
    loose = state.loose
    if card is None:
        slot = _played_slot(hand)
        # Any card that was certainly in this hand may be the one now on the table.
        loose |= hand.known & slot.maybe
        left = Hand(hand.size - 1, 0, slot.maybe, hand.open)
    else:
        slot = UP[card] if move.do == "deploy" else DOWN[card]
        left = Hand(hand.size - 1, hand.known & ~BIT[card], hand.maybe, hand.open)
    destroyed = _destroyer(state, to, move.do == "deploy") is not None
    piles, deck = state.piles, state.deck
    # R5: the play from the hand uses the permission up, whatever it is.
    permits = _with_permit(state.permits, side, False) if state.permits[side] else state.permits
    if destroyed:
        deck = (*deck, DOWN[card] if card is not None else slot)
    else:
        at = PILE_INDEX[to] + side
        piles = _with_pile(piles, at, (*piles[at], slot))
        if card is not None and slot.up:
            if card == AIR_DROP:
                permits = _with_permit(permits, side, True)
            else:
                queue = _triggered(state.edition, queue, card, by, to)
    changes = _Changes(piles, _with(state.hands, side, left), deck, state.unseen, loose, queue, permits, state.extra)
    if card is not None and not hand.known & BIT[card]:
        changes = _come_to_light(changes, card)
    return _concluded(changes)


def _next_step(state: State) -> tuple[Effect, ...]:
    """The queue once the present decision of its first effect is made."""
    effect, *rest = state.queue
    if effect.step == 0 and (effect.name == "disrupt" or (effect.name == "redeploy" and state.edition.redeploy_plays)):
        return (effect._replace(step=1), *rest)
    return tuple(rest)


def _flip(state: State, move: Move) -> _Changes:
    side, place = move.side, move.at
    assert side is not None and place is not None
    at = PILE_INDEX[place] + SEAT_INDEX[side]
    pile = state.piles[at]
    slot = pile[-1]
    card = slot.card or move.reveals
    assert card is not None
    queue = _next_step(state)
    permits = state.permits
    if slot.up:
        turned = DOWN[card]
        if state.edition.cut_off_when_turned_down:
            queue = tuple(effect for effect in queue if effect.card != card)
            if card == AIR_DROP:
                permits = _with_permit(permits, SEAT_INDEX[side], False)
    else:
        turned = UP[card]
        if card == AIR_DROP:
            permits = _with_permit(permits, SEAT_INDEX[side], True)
        else:
            queue = _triggered(state.edition, queue, card, side, place)
    changes = _unchanged(state)._replace(
        piles=_with_pile(state.piles, at, (*pile[:-1], turned)), queue=queue, permits=permits
    )
    if slot.card is None:
        changes = _concluded(_come_to_light(changes, card))
    return changes


def _transport(state: State, move: Move) -> _Changes:
    origin, nth, to = move.origin, move.nth, move.to
    assert origin is not None and nth is not None and to is not None
    side = SEAT_INDEX[move.by]
    source, target = PILE_INDEX[origin] + side, PILE_INDEX[to] + side
    pile = state.piles[source]
    piles = _with_pile(state.piles, source, (*pile[:nth], *pile[nth + 1 :]))
    piles = _with_pile(piles, target, (*piles[target], pile[nth]))
    return _unchanged(state)._replace(piles=piles, queue=_next_step(state))


def _redeploy(state: State, move: Move) -> _Changes:
    place, nth = move.at, move.nth
    assert place is not None and nth is not None
    side = SEAT_INDEX[move.by]
    at = PILE_INDEX[place] + side
    pile = state.piles[at]
    slot = pile[nth]
    hand = state.hands[side]
    known = hand.known | BIT[slot.card] if slot.card is not None else hand.known
    hands = _with(state.hands, side, Hand(hand.size + 1, known, hand.maybe | slot.maybe, hand.open))
    queue = _next_step(state)
    if queue and slot.card is not None:
        queue = tuple(e._replace(place=place) if e.card == slot.card else e for e in queue)
    extra = state.extra
    if not state.edition.redeploy_plays:
        extra = (extra[0], extra[1] + 1) if side else (extra[0] + 1, extra[1])
    changes = _unchanged(state)._replace(
        piles=_with_pile(state.piles, at, (*pile[:nth], *pile[nth + 1 :])), hands=hands, queue=queue, extra=extra
    )
    return _concluded(changes)


def _reinforce(state: State, move: Move) -> _Changes:
    to = move.to
    assert to is not None
    slot, *rest = state.deck
    drawn = DOWN[move.card] if slot.card is None and move.card is not None else slot
    piles, deck = state.piles, tuple(rest)
    if _destroyer(state, to, False) is not None:
        deck = (*deck, drawn)
    else:
        at = PILE_INDEX[to] + SEAT_INDEX[move.by]
        piles = _with_pile(piles, at, (*piles[at], drawn))
    changes = _unchanged(state)._replace(piles=piles, deck=deck, queue=_next_step(state))
    if slot.card is None and drawn.card is not None:
        changes = _concluded(_come_to_light(changes, drawn.card))
    return changes


def _carried_on(state: State, changes: _Changes) -> State:
    """Go on to the next decision: the next effect that has a target, else the next turn, else the end."""
    edition, order = state.edition, state.order
    piles, hands, deck, unseen, loose, queue, permits, extra = changes
    active = state.active
    turn: Seat | None
    pending: Pending | None
    result: Result | None = None
    while queue:
        effect = queue[0]
        turn = decider(effect, edition.disrupt_owner_first)
        pending = effect.name
        if effect.name == "redeploy" and effect.step:
            pending = "play"
            break
        if targets(order, piles, deck, effect, turn):
            break
        if effect.name == "disrupt" and effect.step == 0:
            queue = (effect._replace(step=1), *queue[1:])
        else:
            queue = queue[1:]
    else:
        pending = None
        turn, extra = _next_turn(active, hands, extra)
        if turn is None:
            result = Result(winner(order, piles, state.first), BATTLE_POINTS, "played-out")
        else:
            active = turn
    return State(
        edition, order, state.first, active, turn, pending, result,
        piles, hands, deck, unseen, loose, queue, permits, extra,
    )  # fmt: skip


def _next_turn(active: Seat, hands: tuple[Hand, Hand], extra: tuple[int, int]) -> tuple[Seat | None, tuple[int, int]]:
    """Whose turn follows that of `active` (R7, R11), and the extra turns still owed."""
    mine = SEAT_INDEX[active]
    if extra[mine]:
        # R7: an extra turn is lost if the seat then holds no card.
        owed = extra[mine] - 1 if hands[mine].size else 0
        extra = (extra[0], owed) if mine else (owed, extra[1])
        if hands[mine].size:
            return active, extra
    # R11, asked of no switch: in the other editions only a table that a person set can have one empty hand.
    if hands[1 - mine].size:
        return SEATS[1 - mine], extra
    return (active if hands[mine].size else None), extra
