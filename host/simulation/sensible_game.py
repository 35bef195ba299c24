"""A game that two players might play, under a seed: sensible moves, and now and then a slip that is put right.

It knows every card, as players do between them; what it hands on is only how the table looks after each step and, for
the check at the end, which moves were made.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from engine.battle import destruction, play
from engine.legality import legal_moves
from engine.moves import Move
from engine.names import (
    CARDS,
    FACE_DOWN,
    SEATS,
    THEATERS,
    Card,
    EditionName,
    Seat,
    Theater,
    strength_of,
    theater_of,
)
from engine.places import Board
from engine.state import Order, State, board, start
from engine.strength import control, totals
from engine.war import War

SceneKind: TypeAlias = Literal["deal", "move", "slip", "mend", "clear"]

TRIED: Final = 10
SLIP_BETWEEN: Final = (3, 8)
"""The slip of a battle is planned for one of these turns; the first one after it that allows one has it."""
WITHDRAW_WHEN_BEHIND: Final = 9.0


@dataclass(frozen=True, slots=True)
class TableScene:
    """One step at the table: how it looks afterwards, whose hand did it, and what happened since the scene before.

    `moves` ends with the move that the scene shows. `truth` is the war after it, with every card known.
    """

    kind: SceneKind
    board: Board
    order: Order
    by: Seat | None
    moves: tuple[Move, ...]
    truth: War
    button: Seat | None = None
    """This seat presses its button: an optional effect left out, told and not shown."""
    held: bool = False
    """The button is held for two seconds: a withdrawal."""


def games(seed: int, edition: EditionName, target: int | None = None) -> Iterator[TableScene]:
    """Scenes without end: battle after battle, war after war, all from `seed`."""
    number = 0
    while True:
        chance = random.Random(f"{seed}/{number}")
        order, first = chance.sample(THEATERS, 3), chance.choice(SEATS)
        hands, deck = _deal(chance)
        war = War.begin(edition, order, first, target=target, hands=hands, deck=deck)
        while war.winner is None:
            scenes = list(battle(war, chance))
            # A last card that is destroyed leaves a table that looks like the turn before: nobody could tell from the
            # table alone that the battle is over, so such a battle is no good to show.
            while scenes[-1].kind == "clear":
                hands, deck = _deal(chance)
                opening = start(edition, war.state.order, war.state.first, hands, deck)
                war = war._replace(opening=opening, state=opening)
                scenes = list(battle(war, chance))
            yield from scenes
            war = scenes[-1].truth
            if war.winner is None:
                hands, deck = _deal(chance)
                war = war.next_battle(hands=hands, deck=deck)
        number += 1


def battle(war: War, chance: random.Random) -> Iterator[TableScene]:
    """The scenes of one battle, from the empty table to the last card."""
    yield TableScene("deal", board(war.state), war.state.order, None, (), war)
    slip_at = chance.randint(*SLIP_BETWEEN)
    turn = 0
    while war.state.turn is not None:
        state = war.state
        by = state.turn
        assert by is not None
        if state.pending is None:
            turn += 1
            if turn >= slip_at and (slip := _slip(state, by, chance)) is not None:
                wrong, move = slip
                slip_at = 99
                yield TableScene("slip", wrong, state.order, by, (), war)
                war = war.play(move)
                yield TableScene("mend", board(war.state), war.state.order, by, (move,), war)
                continue
        move = _chosen(state, chance)
        silent = board(play(state, move)) == board(state)
        war = war.play(move)
        if move.do == "decline":
            yield TableScene("move", board(war.state), war.state.order, None, (move,), war, button=by)
        elif move.do == "withdraw":
            yield TableScene("move", board(war.state), war.state.order, None, (move,), war, button=by, held=True)
        elif silent:
            # The card is laid, destroyed and taken away: for a moment it lies there.
            yield TableScene("move", _laid(state, move), state.order, by, (move,), war)
            yield TableScene("clear", board(war.state), war.state.order, by, (), war)
        else:
            yield TableScene("move", board(war.state), war.state.order, by, (move,), war)


def _deal(chance: random.Random) -> tuple[dict[Seat, tuple[Card, ...]], tuple[Card, ...]]:
    """Both hands, and the deck with its top first."""
    cards = list(CARDS)
    chance.shuffle(cards)
    return {"near": tuple(cards[:6]), "far": tuple(cards[6:12])}, tuple(cards[12:])


def _chosen(state: State, chance: random.Random) -> Move:
    """The best of a few moves, looked at one ply deep: looks like a game, costs no time."""
    by = state.turn
    assert by is not None
    moves = [m for m in legal_moves(state) if m.do != "withdraw"]
    if not moves:
        return legal_moves(state)[0]
    tried = chance.sample(moves, min(TRIED, len(moves)))
    worth = {move: _worth(play(state, move), by) + chance.random() for move in tried}
    best = max(tried, key=lambda move: worth[move])
    cards = state.hand(by).size
    hopeless = state.pending is None and cards <= 3 and worth[best] < -WITHDRAW_WHEN_BEHIND
    return Move("withdraw", by) if hopeless and chance.random() < 0.5 else best


def _worth(state: State, seat: Seat) -> float:
    """How a table looks for a seat: theaters held count most, then leads, then strong cards kept in hand."""
    if state.result is not None:
        return 20.0 if state.result.winner == seat else -20.0
    held = control(state)
    sums = totals(state.order, state.piles)
    mine = 0 if seat == "near" else 1
    worth = 0.0
    for i, theater in enumerate(THEATERS):
        worth += 5.0 if held[theater] == seat else -5.0
        lead = sums[2 * i + mine] - sums[2 * i + 1 - mine]
        worth += 0.5 * max(-6, min(6, lead))
    return worth


def _slip(state: State, by: Seat, chance: random.Random) -> tuple[Board, Move] | None:
    """A card laid face up in the wrong theater, and the move that was meant; None if this turn has none to offer."""
    meant = [m for m in legal_moves(state) if m.do == "deploy" and m.card is not None and m.to == theater_of(m.card)]
    free = {(m.card, m.to) for m in legal_moves(state) if m.do == "deploy"}
    options: list[tuple[Theater, Move]] = []
    for move in meant:
        assert move.card is not None
        # A card that is destroyed at once would leave the table no different from before.
        if destruction(state, move) is None:
            options += [(t, move) for t in THEATERS if t != move.to and (move.card, t) not in free]
    if not options:
        return None
    theater, move = max(options, key=lambda o: (strength_of(o[1].card or CARDS[0]), chance.random()))
    return _with(board(state), theater, by, str(move.card)), move


def _laid(state: State, move: Move) -> Board:
    assert move.to is not None
    shown = str(move.card) if move.do == "deploy" else FACE_DOWN
    return _with(board(state), move.to, move.by, shown)


def _with(table: Board, theater: Theater, seat: Seat, face: str) -> Board:
    return {**table, (theater, seat): (*table[(theater, seat)], face)}


def onlooker(move: Move) -> Move:
    """A move as one who only watches knows it."""
    hidden = move.do in ("improvise", "reinforce")
    return move._replace(card=None if hidden else move.card, reveals=None)
