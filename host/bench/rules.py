"""The rules' speed: battles played at random, and moves (legal ones listed, one played), a second of processor time."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator

from engine.battle import play
from engine.editions import EDITIONS, Edition
from engine.legality import legal_moves
from engine.names import CARDS, SEATS, EditionName
from engine.state import CardInPlay, State, start
from engine.strength import strengths
from host.bench.figure import Figure, Measured

_BATTLES = 3000
_RUNS = 3


def dealt(rng: random.Random, edition: EditionName) -> State:
    """A battle with a random deal, order and 1st player."""
    cards = rng.sample(CARDS, len(CARDS))
    order = "".join(rng.sample("ALS", 3))
    return start(edition, order, rng.choice(SEATS), {"near": cards[:6], "far": cards[6:12]}, cards[12:])


def _played_at_random(rng: random.Random, edition: EditionName, battles: int) -> tuple[int, float]:
    """Moves played and seconds taken, deals left out."""
    openings = [dealt(rng, edition) for _ in range(battles)]
    draw = rng.random
    moves = 0
    begun = time.process_time()
    for state in openings:
        while state.turn is not None:
            legal = legal_moves(state)
            # Withdrawing at random would end most battles at once: the last move is it, and others are taken before it.
            choice = legal[int(draw() * len(legal))]
            if choice.do == "withdraw":
                choice = legal[0]
            state = play(state, choice)
            moves += 1
    return moves, time.process_time() - begun


def _rates(scale: float, per_move: bool) -> Iterator[Measured]:
    battles = max(20, round(_BATTLES * scale))
    for edition in EDITIONS:
        rng = random.Random(1)
        runs = [_played_at_random(rng, edition, battles) for _ in range(_RUNS)]
        yield Measured(max((moves if per_move else battles) / taken for moves, taken in runs), battles * _RUNS, edition)


def _moves(scale: float) -> Iterator[Measured]:
    return _rates(scale, per_move=True)


def _battles(scale: float) -> Iterator[Measured]:
    return _rates(scale, per_move=False)


def _onlooker(scale: float) -> Iterator[Measured]:
    """An onlooker's state, begun anew at the first flip: what comes to light is not for the onlooker to choose."""
    rounds = max(100, round(20_000 * scale))
    rng = random.Random(2)
    state = start("revised", "ALS", "near")
    moves = 0
    begun = time.process_time()
    for _ in range(rounds):
        legal = legal_moves(state)
        choice = legal[int(rng.random() * len(legal))]
        if choice.do == "flip":
            state = start("revised", "ALS", "near")
            continue
        state = play(state, choice)
        moves += 1
        if state.turn is None:
            state = start("revised", "ALS", "near")
    yield Measured(moves / (time.process_time() - begun), moves)


def _explained(scale: float) -> Iterator[Measured]:
    rng = random.Random(3)
    states: list[State] = []
    for _ in range(30):
        state = dealt(rng, "revised")
        while state.turn is not None:
            states.append(state)
            state = play(state, legal_moves(state)[0])
    begun = time.process_time()
    count = 0
    for _ in range(max(1, round(20 * scale))):
        for state in states:
            strengths(state)
            count += 1
    yield Measured(count / (time.process_time() - begun), count)


def _bytes(scale: float) -> Iterator[Measured]:
    """The largest state of some battles, without the edition and the cards, which all states share."""
    rng = random.Random(4)
    largest = count = 0
    for _ in range(max(5, round(100 * scale))):
        state = dealt(rng, "revised")
        while state.turn is not None:
            state = play(state, legal_moves(state)[int(rng.random() * (len(legal_moves(state)) - 1))])
            largest = max(largest, _size(state))
            count += 1
    yield Measured(largest, count)


def _size(value: object) -> int:
    if isinstance(value, Edition | CardInPlay | str | bool | None):
        return 0
    return sys.getsizeof(value) + (sum(map(_size, value)) if isinstance(value, tuple) else 0)


FIGURES = (
    Figure("rules.moves", "moves/s", "legal moves listed and one played, battles at random, one core", _moves),
    Figure("rules.battles", "battles/s", "battles played at random to the end, one core", _battles),
    Figure("rules.onlooker", "moves/s", "the same with an onlooker's knowledge, up to the first flip", _onlooker),
    Figure("rules.state", "bytes", "the largest state met in battles at random", _bytes),
    Figure("rules.strengths", "tables/s", "strength of all six places as named parts", _explained),
)
