"""What the seat that decides may do (`legal_moves`), and why anything else is refused (`explain`).

Moves are made once, at import, and handed out from tables: making twenty of them anew for every state would cost more
than all the rest.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from engine.cards import AERODROME
from engine.editions import AERODROME_LIMIT
from engine.knowledge import hand_candidates, slot_candidates
from engine.moves import MOVE_KINDS, Move
from engine.names import CARDS, SEATS, THEATERS, Card, Seat, Theater, other, strength_of, theater_of
from engine.refusal import Refusal, refusal
from engine.state import BIT, PILE_INDEX, SEAT_INDEX, UP, CardMask, Effect, Hand, Order, Pile, State

_Moves = tuple[Move, ...]


@cache
def neighbours(order: Order, theater: Theater) -> tuple[Theater, ...]:
    """The theaters next to one in the row; the ends are not adjacent."""
    at = order.index(theater)
    return tuple(order[i] for i in (at - 1, at + 1) if 0 <= i < len(order))


def _deploys(seat: Seat, card: Card, anywhere: bool) -> _Moves:
    return tuple(Move("deploy", seat, card, t) for t in THEATERS if anywhere or t == theater_of(card))


def _improvises(seat: Seat, card: Card | None) -> _Moves:
    return tuple(Move("improvise", seat, card, t) for t in THEATERS)


_HOME: Final = {(s, c): _deploys(s, c, False) for s in SEATS for c in CARDS}
_ANYWHERE: Final = {(s, c): _deploys(s, c, True) for s in SEATS for c in CARDS}
_SMALL: Final = frozenset(card for card in CARDS if strength_of(card) <= AERODROME_LIMIT)
_BITS: Final = tuple((card, BIT[card], card in _SMALL) for card in CARDS)
_PLAY_HOME: Final = {s: tuple(_HOME[s, c] + _improvises(s, c) for c in CARDS) for s in SEATS}
_PLAY_ANYWHERE: Final = {s: tuple(_ANYWHERE[s, c] + _improvises(s, c) for c in CARDS) for s in SEATS}
_IMPROVISE_UNKNOWN: Final = {s: _improvises(s, None) for s in SEATS}
_WITHDRAW: Final = {s: Move("withdraw", s) for s in SEATS}
_DECLINE: Final = {s: Move("decline", s) for s in SEATS}
_FLIP: Final = {(by, t, s): Move("flip", by, side=s, at=t) for by in SEATS for t in THEATERS for s in SEATS}
_REINFORCE: Final = {(s, t): Move("reinforce", s, to=t) for s in SEATS for t in THEATERS}


@cache
def _return(seat: Seat, at: Theater, nth: int) -> Move:
    return Move("return", seat, at=at, nth=nth)


@cache
def _transports(seat: Seat, origin: Theater, nth: int) -> _Moves:
    return tuple(Move("move", seat, origin=origin, nth=nth, to=to) for to in THEATERS if to != origin)


def where_it_lies(piles: tuple[Pile, ...], effect: Effect) -> Theater:
    """The theater that an effect's card lies in now, or lay in if it has left the table (R2)."""
    card = effect.card
    side = SEAT_INDEX[effect.owner]
    for theater in THEATERS:
        for slot in piles[PILE_INDEX[theater] + side]:
            if slot.card == card:
                return theater
    return effect.place


def decider(effect: Effect, owner_first: bool) -> Seat:
    """The seat that decides about an effect at its present step (R6 for Disrupt)."""
    if effect.name == "disrupt" and (effect.step == 0) != owner_first:
        return other(effect.owner)
    return effect.owner


def targets(order: Order, piles: tuple[Pile, ...], deck: Pile, effect: Effect, by: Seat) -> list[Move]:
    """What `by` may choose for an effect, without declining. Empty: the effect passes (R10)."""
    name = effect.name
    moves: list[Move] = []
    if name == "maneuver" or name == "ambush":
        for theater in neighbours(order, where_it_lies(piles, effect)) if name == "maneuver" else THEATERS:
            at = PILE_INDEX[theater]
            if piles[at]:
                moves.append(_FLIP[by, theater, "near"])
            if piles[at + 1]:
                moves.append(_FLIP[by, theater, "far"])
        return moves
    side = SEAT_INDEX[by]
    if name == "disrupt":
        return [_FLIP[by, t, by] for t in THEATERS if piles[PILE_INDEX[t] + side]]
    if name == "reinforce":
        if deck:
            moves = [_REINFORCE[by, t] for t in neighbours(order, where_it_lies(piles, effect))]
        return moves
    for theater in THEATERS:
        pile = piles[PILE_INDEX[theater] + side]
        for nth, slot in enumerate(pile):
            if name == "transport":
                moves += _transports(by, theater, nth)
            elif not slot.up:
                moves.append(_return(by, theater, nth))
    return moves


def is_optional(state: State) -> bool:
    """Whether the pending effect may be declined (R7, R8, R9)."""
    pending = state.pending
    return (
        pending == "transport"
        or (pending == "redeploy" and state.edition.redeploy_optional)
        or (pending == "reinforce" and state.edition.reinforce_optional)
    )


def has_aerodrome(state: State, seat: Seat) -> bool:
    """Whether that seat's Aerodrome lies face up, covered or not."""
    up = UP[AERODROME]
    side = SEAT_INDEX[seat]
    piles = state.piles
    return up in piles[side] or up in piles[2 + side] or up in piles[4 + side]


def _plays(state: State, seat: Seat) -> list[Move]:
    side = SEAT_INDEX[seat]
    hand: Hand = state.hands[side]
    if not hand.size:
        # The rules pass such a seat over; a hand that people counted wrongly may leave it the turn.
        return []
    home, anywhere = _PLAY_HOME[seat], _PLAY_ANYWHERE[seat]
    permit = state.permits[side]
    aerodrome = has_aerodrome(state, seat)
    if hand.open and hand.size == hand.known.bit_count():
        moves: list[Move] = []
        known = hand.known
        for i, (_, bit, small) in enumerate(_BITS):
            if known & bit:
                moves += anywhere[i] if permit or (aerodrome and small) else home[i]
        return moves
    moves = list(_IMPROVISE_UNKNOWN[seat])
    candidates: CardMask = hand_candidates(state, seat)
    for i, (card, bit, small) in enumerate(_BITS):
        if candidates & bit:
            free = permit or (aerodrome and small)
            if hand.open and hand.known & bit:
                moves += (anywhere if free else home)[i]
            else:
                moves += (_ANYWHERE if free else _HOME)[seat, card]
    return moves


def legal_moves(state: State) -> tuple[Move, ...]:
    """Every legal move of the seat that decides; empty after the end.

    With an onlooker's knowledge: one deploy for each card that could be in that hand and place, one improvise without
    a card a theater, and flips without `reveals` (a flip of an unknown card is played with it).
    """
    seat = state.turn
    if seat is None:
        return ()
    pending = state.pending
    if pending is None:
        return (*_plays(state, seat), _WITHDRAW[seat])
    if pending == "play":
        return tuple(_plays(state, seat))
    moves = targets(state.order, state.piles, state.deck, state.queue[0], seat)
    if is_optional(state):
        moves.append(_DECLINE[seat])
    return tuple(moves)


def plays(state: State) -> tuple[Move, ...]:
    """`legal_moves` without the withdrawal, which is open in every turn and which a bot mostly weighs by itself."""
    moves = legal_moves(state)
    return moves[:-1] if moves and moves[-1].do == "withdraw" else moves


# ---------------------------------------------------------------------------------------------------------- refusals

_NEEDS: Final[dict[str, tuple[str, ...]]] = {
    "deploy": ("card", "to"),
    "improvise": ("to",),
    "withdraw": (),
    "flip": ("side", "at"),
    "move": ("origin", "nth", "to"),
    "return": ("at", "nth"),
    "reinforce": ("to",),
    "decline": (),
}
_FIELD: Final = {"origin": "from", "nth": "index"}
_ASKED_BY: Final[dict[str, tuple[str, ...]]] = {
    "flip": ("maneuver", "ambush", "disrupt"),
    "move": ("transport",),
    "return": ("redeploy",),
    "reinforce": ("reinforce",),
}


def explain(state: State, move: Move) -> Refusal | None:
    """Why `move` is not legal, or None if it is.

    A flip that turns up a card that the record does not know needs a possible `reveals`; everything else is legal
    exactly if it is in `legal_moves`, where an unknown hand's improvise may name a card that could be in it.
    """
    turn = state.turn
    if turn is None:
        return refusal("battle-over")
    by, do, pending = move.by, move.do, state.pending
    if by != turn:
        if do == "withdraw" and by == state.active and pending is not None:
            return refusal("withdraw-in-effect", pending=pending)
        return refusal("not-your-turn", turn=turn, by=by, pending=pending)
    if do == "deploy" or do == "improvise":
        if pending is not None and pending != "play":
            return refusal("effect-pending", turn=turn, pending=pending)
        return _explain_play(state, move)
    if do == "withdraw":
        return None if pending is None else refusal("withdraw-in-effect", pending=pending)
    if do not in MOVE_KINDS:
        return refusal("unknown-deed", value=str(do))
    if pending is None:
        return refusal("nothing-pending", do=do)
    if do == "decline":
        if is_optional(state):
            return None
        ruling = {"redeploy": "R7", "reinforce": "R8", "play": "R7"}.get(pending, "R10")
        return refusal("must-choose", pending=pending, ruling=ruling)
    if pending not in _ASKED_BY[do]:
        return refusal("other-pending", pending=pending, do=do)
    for field in _NEEDS[do]:
        if getattr(move, field) is None:
            return refusal("missing-field", do=do, field=_FIELD.get(field, field))
    return _explain_choice(state, move)


def _explain_play(state: State, move: Move) -> Refusal | None:
    by, card, to = move.by, move.card, move.to
    if to is None:
        return refusal("missing-field", do=move.do, field="to")
    if to not in PILE_INDEX:
        return refusal("unknown-theater", value=to)
    if card is None and move.do == "deploy":
        return refusal("missing-field", do="deploy", field="card")
    if card is not None and card not in BIT:
        return refusal("unknown-card", value=card)
    hand = state.hands[SEAT_INDEX[by]]
    if not hand.size:
        return refusal("empty-hand", by=by)
    if card is None:
        return refusal("card-missing", by=by) if hand.open and not hand.unknown else None
    bit = BIT[card]
    if not hand.known & bit and not hand_candidates(state, by) & bit:
        return refusal("not-in-hand", card=card, by=by)
    if move.do == "improvise" or to == card[0] or state.permits[SEAT_INDEX[by]]:
        return None
    if has_aerodrome(state, by):
        return None if card in _SMALL else refusal("aerodrome-limit", card=card, home=card[0], to=to)
    return refusal("wrong-theater", card=card, home=card[0], to=to)


def _explain_choice(state: State, move: Move) -> Refusal | None:
    """For moves that carry out an effect, whose fields are present."""
    effect = state.queue[0]
    by, do = move.by, move.do
    where = move.at if do in ("flip", "return") else move.origin if do == "move" else move.to
    assert where is not None
    if where not in PILE_INDEX:
        return refusal("unknown-theater", value=where)
    if do == "reinforce" or effect.name == "maneuver":
        place = where_it_lies(state.piles, effect)
        if where not in neighbours(state.order, place):
            return refusal("not-adjacent", at=where, place=place)
    if do == "reinforce":
        card = move.card
        if card is None:
            return None
        if card not in BIT:
            return refusal("unknown-card", value=card)
        return None if slot_candidates(state, state.deck[0]) & BIT[card] else refusal("card-contradicts", card=card)
    side = move.side if do == "flip" else by
    if side not in SEAT_INDEX:
        return refusal("unknown-seat", value=side)
    if effect.name == "disrupt" and side != by:
        return refusal("not-your-card", by=by, side=side)
    pile = state.piles[PILE_INDEX[where] + SEAT_INDEX[side]]
    nth = len(pile) - 1 if do == "flip" else move.nth
    if type(nth) is not int:
        return refusal("bad-index", value=nth)
    if not 0 <= nth < len(pile):
        return refusal("no-card-there", side=side, at=where, index=nth)
    if do == "move":
        if move.to not in PILE_INDEX:
            return refusal("unknown-theater", value=move.to)
        return refusal("same-theater", at=where) if move.to == where else None
    slot = pile[nth]
    if do == "return":
        return refusal("face-up", card=slot.card, at=where, index=nth) if slot.up else None
    return _explain_reveal(move, where, slot.card is None and not slot.up, slot_candidates(state, slot))


def _explain_reveal(move: Move, at: Theater, needed: bool, candidates: CardMask) -> Refusal | None:
    card = move.reveals
    if card is None:
        return refusal("reveal-missing", at=at, side=move.side) if needed else None
    if card not in BIT:
        return refusal("unknown-card", value=card)
    return None if candidates & BIT[card] else refusal("reveal-impossible", at=at, side=move.side, card=card)
