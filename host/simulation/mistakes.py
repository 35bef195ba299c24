"""Mistakes that simulated people make: for a position, a table that one illegal step makes of it.

Each function gives None where that mistake cannot be made, or could not be told from something innocent.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from engine.battle import play
from engine.cards import DISRUPT
from engine.events import ViolationCode
from engine.knowledge import observer_state
from engine.legality import explain, is_optional, legal_moves, neighbours, where_it_lies
from engine.moves import Move
from engine.names import FACE_DOWN, THEATERS, Card, Face, Seat, Theater, other
from engine.places import PLACES
from engine.referee.belief import faces
from engine.referee.hypothesis import Faces
from engine.referee.search import destroyers_lie
from engine.referee.violations import skipped
from engine.state import PILE_INDEX, SEAT_INDEX, UP, State, cards_of


def _with(table: Faces, at: int, column: tuple[Face, ...]) -> Faces:
    return (*table[:at], column, *table[at + 1 :])


def _held(state: State, seat: Seat) -> tuple[Card, ...]:
    return cards_of(state.hand(seat).known)


def _free(state: State) -> bool:
    """Nothing on the table destroys cards unseen, so that a card laid out of turn has no innocent explanation."""
    return not destroyers_lie(state.piles)


def _wrong_theater(state: State, rng: Random, past: set[Faces]) -> Faces | None:
    seat = state.turn
    if seat is None or state.pending not in (None, "play"):
        return None
    tries = [
        (card, to)
        for card in _held(state, seat)
        for to in THEATERS
        if (why := explain(state, Move("deploy", seat, card, to))) is not None
        and why.code in ("wrong-theater", "aerodrome-limit")
    ]
    if not tries:
        return None
    card, to = rng.choice(tries)
    return _pushed(state, seat, to, card)


def _pushed(state: State, seat: Seat, to: Theater, face: Face) -> Faces:
    at = PILE_INDEX[to] + SEAT_INDEX[seat]
    table = faces(state)
    return _with(table, at, (*table[at], face))


def _any_play(state: State, seat: Seat, rng: Random) -> tuple[Theater, Face] | None:
    held = _held(state, seat)
    if not held:
        return None
    card = rng.choice(held)
    if rng.random() < 0.5:
        return rng.choice(THEATERS), FACE_DOWN
    home: Theater = card[0]  # type: ignore[assignment]
    return home, card


def _out_of_turn(state: State, rng: Random, past: set[Faces]) -> Faces | None:
    if any(state.piles) or state.turn is None:
        return None
    laid = _any_play(state, other(state.turn), rng)
    return None if laid is None else _pushed(state, other(state.turn), *laid)


def _second_card(state: State, rng: Random, past: set[Faces]) -> Faces | None:
    if not any(state.piles) or not _free(state) or state.turn is None:
        return None
    if state.pending is None:
        seat = other(state.turn)
        extra = state.extra != (0, 0) or any(UP[Card("S4")] in pile for pile in state.piles)
        if state.edition.skips_empty_hand and (extra or not state.hand(state.turn).size):
            # With an extra turn the other seat is out of turn instead.
            return None
    elif state.pending in ("maneuver", "ambush", "transport"):
        seat = state.active
        if state.turn != seat:
            return None
    else:
        return None
    laid = _any_play(state, seat, rng)
    return None if laid is None else _pushed(state, seat, *laid)


def _covered_flip(state: State, rng: Random, past: set[Faces]) -> Faces | None:
    tries = [(at, nth) for at, pile in enumerate(state.piles) for nth in range(len(pile) - 1)]
    return _turned(state, rng.choice(tries)) if tries else None


def _turned(state: State, where: tuple[int, int]) -> Faces:
    at, nth = where
    table, slot = faces(state), state.piles[where[0]][where[1]]
    face = FACE_DOWN if slot.up or slot.card is None else slot.card
    return _with(table, at, (*table[at][:nth], face, *table[at][nth + 1 :]))


def _flip_without(state: State, rng: Random, past: set[Faces]) -> Faces | None:
    if state.pending is not None:
        return None
    tries = [(at, len(pile) - 1) for at, pile in enumerate(state.piles) if pile]
    return _turned(state, rng.choice(tries)) if tries else None


def _out_of_reach(state: State, rng: Random, past: set[Faces]) -> Faces | None:
    if state.pending != "maneuver":
        return None
    near = neighbours(state.order, where_it_lies(state.piles, state.queue[0]))
    tries = [(at, len(p) - 1) for at, p in enumerate(state.piles) if p and PLACES[at][0] not in near]
    return _turned(state, rng.choice(tries)) if tries else None


def _move_without(state: State, rng: Random, past: set[Faces]) -> Faces | None:
    if state.pending is not None or not any(state.piles):
        return None
    return _carried(state, rng, ("near", "far"))


def _carried(state: State, rng: Random, sides: tuple[Seat, ...]) -> Faces | None:
    tries = [(at, nth) for at, pile in enumerate(state.piles) if PLACES[at][1] in sides for nth in range(len(pile))]
    if not tries:
        return None
    at, nth = rng.choice(tries)
    to = rng.choice([i for i in range(6) if i != at and i % 2 == at % 2])
    table = faces(state)
    face = table[at][nth]
    return _with(_with(table, at, (*table[at][:nth], *table[at][nth + 1 :])), to, (*table[to], face))


def _return_without(state: State, rng: Random, past: set[Faces]) -> Faces | None:
    if state.pending is not None:
        return None
    tries = [(at, len(pile) - 1) for at, pile in enumerate(state.piles) if pile]
    if len(tries) < 2:
        return None
    at, nth = rng.choice(tries)
    table = faces(state)
    return _with(table, at, table[at][:nth])


def _left_out(state: State, rng: Random, past: set[Faces]) -> Faces | None:
    if state.pending not in ("maneuver", "ambush") or is_optional(state) or not _free(state):
        return None
    after = skipped(state)
    if after is None or after.turn is None or after.pending is not None or after.turn == state.turn:
        return None
    laid = _any_play(after, after.turn, rng)
    return None if laid is None else _pushed(after, after.turn, *laid)


def laid_anyway(state: State, move: Move) -> Faces | None:
    """The table if a card that is destroyed as it is played were left lying; None for any other move."""
    if move.do not in ("deploy", "improvise") or move.to is None or play(state, move).piles != state.piles:
        return None
    return _pushed(state, move.by, move.to, move.card if move.do == "deploy" and move.card else FACE_DOWN)


def _left_lying(state: State, rng: Random, past: set[Faces]) -> Faces | None:
    if state.turn is None or state.pending not in (None, "play"):
        return None
    tables = [table for move in legal_moves(state) if (table := laid_anyway(state, move)) is not None]
    return rng.choice(tables) if tables else None


def _not_yours(state: State, rng: Random, past: set[Faces]) -> Faces | None:
    turn = state.turn
    if turn is None:
        return None
    side = SEAT_INDEX[other(turn)]
    if state.pending == "disrupt":
        tries = [(at, len(pile) - 1) for at, pile in enumerate(state.piles) if pile and at % 2 == side]
        return _turned(state, rng.choice(tries)) if tries else None
    if state.pending == "transport":
        return _carried(state, rng, (other(turn),))
    return None


def _under(state: State, rng: Random, past: set[Faces]) -> Faces | None:
    """A new card pushed under older ones, or a card on top that should lie below."""
    stacks = [at for at, pile in enumerate(state.piles) if len(pile) > 1 and len(set(faces(state)[at][-2:])) > 1]
    if stacks and state.pending is None and rng.random() < 0.5:
        at = rng.choice(stacks)
        column = faces(state)[at]
        return _with(faces(state), at, (*column[:-2], column[-1], column[-2]))
    seat = state.turn
    if seat is None or state.pending not in (None, "play"):
        return None
    tries = [
        m
        for m in legal_moves(state)
        if m.do == "deploy" and m.to is not None and state.stack(m.to, seat) and play(state, m).piles != state.piles
    ]
    if not tries:
        return None
    move = rng.choice(tries)
    assert move.to is not None and move.card is not None
    at = PILE_INDEX[move.to] + SEAT_INDEX[seat]
    table = faces(state)
    nth = rng.randrange(len(table[at]))
    return _with(table, at, (*table[at][:nth], move.card, *table[at][nth:]))


def _badly_reinforced(state: State, rng: Random, past: set[Faces]) -> Faces | None:
    if state.pending != "reinforce" or state.turn is None:
        return None
    near = neighbours(state.order, where_it_lies(state.piles, state.queue[0]))
    card = state.deck[0].card
    if card is None:
        return None
    far = [t for t in THEATERS if t not in near]
    if far and rng.random() < 0.5:
        return _pushed(state, state.turn, rng.choice(far), FACE_DOWN)
    return _pushed(state, state.turn, rng.choice(near), card)


MISTAKES: Final[dict[ViolationCode, Callable[[State, Random, set[Faces]], Faces | None]]] = {
    "wrong-theater": _wrong_theater,
    "out-of-turn": _out_of_turn,
    "second-card": _second_card,
    "covered-flip": _covered_flip,
    "flip-without-effect": _flip_without,
    "flip-out-of-reach": _out_of_reach,
    "move-without-effect": _move_without,
    "return-without-effect": _return_without,
    "effect-left-out": _left_out,
    "should-be-destroyed": _left_lying,
    "not-your-card": _not_yours,
    "wrong-place-in-stack": _under,
    "wrong-reinforcement": _badly_reinforced,
}
"""How each kind of mistake is made. A card that lies the wrong way round is made by the rehearsal itself."""
TWICE: Final = "seen-twice"
"""No mistake of the players: a card that was read where another lies. It has to be said as such."""
KINDS: Final[tuple[str, ...]] = (*MISTAKES, "wrong-way-round", TWICE)
"""Everything that is planted."""


def _looks_like_disrupt(before: State, state: State) -> bool:
    """Whether the last move laid a card face down that may be Disrupt, and the other seat is to move."""
    if state.turn == before.turn or state.pending is not None or UP[DISRUPT] in sum(state.piles, ()):
        return False
    laid = [new for old, new in zip(before.piles, state.piles, strict=True) if len(new) > len(old)]
    return len(laid) == 1 and not laid[0][-1].up


def _one_turned(state: State, table: Faces) -> bool:
    """Whether in that table the seat to move has turned over one of its uncovered cards."""
    side = SEAT_INDEX[state.turn] if state.turn is not None else 0
    differ = [at for at, column in enumerate(faces(state)) if column != table[at]]
    return len(differ) == 1 and differ[0] % 2 == side and faces(state)[differ[0]][:-1] == table[differ[0]][:-1]


def _laid_squarely(state: State, table: Faces) -> bool:
    """Whether the seat to move may have laid a card so that the one below does not show."""
    lay = faces(state)
    differ = [at for at, column in enumerate(lay) if column != table[at]]
    if len(differ) != 1 or len(table[differ[0]]) != len(lay[differ[0]]):
        return False
    (at,) = differ
    to, by = PLACES[at]
    face = table[at][-1]
    move = Move("improvise", by, None, to) if face == FACE_DOWN else Move("deploy", by, Card(face), to)
    return table[at][:-1] == lay[at][:-1] and explain(observer_state(state), move) is None


def seen_double(state: State, rng: Random) -> tuple[int, int, Face] | None:
    """A card face up (its stack and place in it), and another such card of the table that it is read as."""
    up = [
        (at, nth, face)
        for at, column in enumerate(faces(state))
        for nth, face in enumerate(column)
        if face != FACE_DOWN
    ]
    if len(up) < 2:
        return None
    (at, nth, _), (_, _, face) = rng.sample(up, 2)
    return at, nth, face


def _effect_first(before: State, table: Faces) -> bool:
    """Whether the last card was what the effect of the one just laid asks for: drawn or turned first, as people do."""
    deploys = (play(before, move) for move in legal_moves(before) if move.do == "deploy")
    waiting = [after for after in deploys if after.pending is not None]
    return any(faces(play(after, move)) == table for after in waiting for move in legal_moves(after))


def is_mistake(state: State, before: State | None, table: Faces) -> bool:
    """Whether nothing innocent gives that table.

    Innocent is a legal move, a last move that was taken back and made otherwise (`before` is the state it was made in),
    a card laid so squarely on another that it alone shows, an effect carried out before its card was laid, and a card
    turned because the one just laid face down is a Disrupt that turned over itself before anybody looked.
    """
    if before is not None and _looks_like_disrupt(before, state) and _one_turned(state, table):
        return False
    if _laid_squarely(state, table) or (before is not None and _effect_first(before, table)):
        return False
    line = [state] if before is None else [state, before]
    while line[0].turn is not None and is_optional(line[0]):
        line.insert(0, play(line[0], Move("decline", line[0].turn)))
    return not any(faces(play(s, m)) == table for s in line for m in legal_moves(s) if m.do != "withdraw")
