"""A state made from a table as it lies: what a correction and "let it stand" leave behind.

Known face-down cards stay known where their stack did not change below them; everything else that is hidden becomes
unknown, so that nothing is concluded from moves that were never made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.battle import play
from engine.cards import INSTANTS, TRANSPORT
from engine.editions import DECK_SIZE
from engine.events import Correct
from engine.failure import BadInput
from engine.knowledge import Slots, could_be, located
from engine.moves import Move
from engine.names import FACE_DOWN, SEATS, Card, Face, Seat, parse_card
from engine.places import PLACES, Spot
from engine.referee.observation import faces_of
from engine.state import ALL_CARDS, BIT, DOWN, SEAT_INDEX, UNKNOWN, UP, CardInPlay, Effect, Hand, Order, Pile, State


def corrected(state: State, told: Correct) -> State:
    """The state with what a person set; what is None stays. Raises `BadInput` for an impossible table."""
    made = _table_corrected(state, told)
    if told.permits is not None:
        near, far = (told.permits.get(seat, made.permits[SEAT_INDEX[seat]]) for seat in SEATS)
        made = made._replace(permits=(near, far))
    if told.extra is not None:
        one, two = (told.extra.get(seat, made.extra[SEAT_INDEX[seat]]) for seat in SEATS)
        made = made._replace(extra=(one, two))
    if told.hidden is not None:
        made = with_hidden(made, told.hidden)
    return made if told.effect is None else with_effect(made, told.effect)


def _table_corrected(state: State, told: Correct) -> State:
    if told.board is None and told.hands is None:
        made = state._replace(order=told.order or state.order, first=told.first or state.first)
        if told.turn is None or told.turn == state.turn:
            return made
        if not state.hand(told.turn).size:
            raise BadInput(
                "impossible-table",
                f"{told.turn} has no card in hand.",
                "Set the cards in hand with whose turn it is.",
            )
        return made._replace(active=told.turn, turn=told.turn, pending=None, queue=(), result=None)
    board = told.board if told.board is not None else dict(zip(PLACES, map(faces_of, state.piles), strict=True))
    stacks = [board.get(place, ()) for place in PLACES]
    made = laid(state, stacks, hands=told.hands, order=told.order, first=told.first, turn=told.turn)
    if told.board is not None or told.turn is not None or state.pending in (None, "play"):
        return made
    # The cards in hand were counted anew: the effect that is open stays so.
    return made._replace(
        active=state.active, turn=state.turn, pending=state.pending, queue=state.queue, result=state.result
    )


def laid(
    state: State,
    stacks: Sequence[Sequence[Face]],
    *,
    hands: Mapping[Seat, int] | None = None,
    order: Order | None = None,
    first: Seat | None = None,
    turn: Seat | None = None,
) -> State:
    """`state` with these stacks (in the order of `engine.sight.PLACES`) and no effect open.

    Without `hands`, each hand has lost as many cards as that side has gained. Raises `BadInput` (`impossible-table`)
    for a card twice or counts that do not add up.
    """
    piles = tuple(_stack(old, new) for old, new in zip(state.piles, stacks, strict=True))
    up = [slot.card for pile in piles for slot in pile if slot.up and slot.card is not None]
    if len(set(up)) != len(up):
        twice = next(card for card in up if up.count(card) > 1)
        raise BadInput("impossible-table", f"{twice} lies there twice.", "Each of the eighteen cards exists once.")
    lying = set(up)
    piles = tuple(tuple(UNKNOWN if not slot.up and slot.card in lying else slot for slot in pile) for pile in piles)
    known = 0
    for pile in piles:
        for slot in pile:
            if slot.card is not None:
                known |= BIT[slot.card]
    held: list[Hand] = []
    for seat in SEATS:
        hand = state.hands[SEAT_INDEX[seat]]
        if hands is not None and seat in hands:
            count = hands[seat]
        else:
            gained = sum(len(piles[i]) - len(state.piles[i]) for i in (0, 2, 4) for i in (i + SEAT_INDEX[seat],))
            count = min(max(hand.size - gained, 0), 6)
        surely = hand.known & ~known if count >= (hand.known & ~known).bit_count() else 0
        held.append(Hand(count, surely))
        known |= surely
    deck = len(BIT) - sum(map(len, piles)) - sum(hand.size for hand in held)
    if deck < 0 or deck > len(BIT) or any(not 0 <= hand.size <= DECK_SIZE for hand in held):
        raise BadInput("impossible-table", "Table and hands together have too many cards.", "Count the hands again.")
    active = turn if turn is not None else (state.turn or state.active)
    made = state._replace(
        order=order or state.order,
        first=first or state.first,
        active=active,
        turn=active,
        pending=None,
        result=None,
        piles=piles,
        hands=(held[0], held[1]),
        deck=(UNKNOWN,) * deck,
        unseen=ALL_CARDS & ~known,
        loose=0,
        queue=(),
    )
    return _with_cards(made)


def _with_cards(state: State) -> State:
    """The turn goes to a seat that holds a card; with both hands empty the battle is over."""
    if state.turn is None or state.hand(state.turn).size:
        return state
    # The rules end a battle as they end any: an effect that nobody uses is turned down.
    stand_in = Effect("transport", TRANSPORT, state.turn, 0, "A")
    return play(state._replace(queue=(stand_in,), pending="transport"), Move("decline", state.turn))


def _stack(old: Pile, new: Sequence[Face]) -> Pile:
    slots: list[CardInPlay] = []
    for nth, face in enumerate(new):
        if face != FACE_DOWN:
            slots.append(UP[parse_card(face)])
            continue
        before = old[nth] if nth < len(old) else None
        slots.append(DOWN[before.card] if before is not None and before.card is not None else UNKNOWN)
    return tuple(slots)


def with_effect(state: State, card: Card) -> State:
    """`state` with the effect of that card open, which must lie face up; raises `BadInput` (`impossible-table`).

    An effect that cannot be carried out is left out, as by the rules.
    """
    lies = next((at for at, pile in enumerate(state.piles) if UP[card] in pile), None)
    if lies is None or card not in INSTANTS or state.result is not None:
        raise BadInput(
            "impossible-table", f"{card} has no effect that could be open.", "Name a card lying face up that has one."
        )
    theater, owner = PLACES[lies]
    # The rules go on to it from an effect that is just turned down.
    before = Effect("transport", TRANSPORT, owner, 0, theater)
    queue = (before, Effect(INSTANTS[card], card, owner, 0, theater))
    return play(state._replace(active=owner, turn=owner, pending="transport", queue=queue), Move("decline", owner))


def with_hidden(state: State, hidden: Mapping[Spot, Card]) -> State:
    """`state` with these cards known where they lie face down; raises `BadInput` (`impossible-table`) where one cannot
    be there."""
    for spot, card in hidden.items():
        at = PLACES.index(spot.place)
        pile = state.piles[at]
        lies = spot.index < len(pile) and not pile[spot.index].up
        if not lies or card not in could_be(state, spot.theater, spot.seat, spot.index):
            raise BadInput(
                "impossible-table", f"{card} cannot lie face down at {spot}.", "Correct the card or its place."
            )
        if pile[spot.index].card is None:
            known = (*pile[: spot.index], DOWN[card], *pile[spot.index + 1 :])
            slots = located(
                Slots((*state.piles[:at], known, *state.piles[at + 1 :]), state.hands, state.deck), BIT[card]
            )
            state = state._replace(
                piles=slots.piles,
                hands=slots.hands,
                deck=slots.deck,
                unseen=state.unseen & ~BIT[card],
                loose=state.loose & ~BIT[card],
            )
    return state
