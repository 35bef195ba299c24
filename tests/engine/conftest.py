"""What the rules' tests share: battles with known answers, playing at random, and a short way to set up a table."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from engine import Card, Move, State, legal_moves, play, start
from engine.names import CARDS, SEATS
from engine.records.notation import read
from engine.records.notation_format import NotationLine

settings.register_profile("rules", deadline=None, derandomize=True, max_examples=120)
settings.load_profile("rules")

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def known_battles() -> list[dict[str, Any]]:
    """Battles with the right answer to every step, hand-made edge cases first."""
    with gzip.open(HERE / "known.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _dealt(seed: int, edition: str) -> State:
    rng = random.Random(seed)
    cards = rng.sample(CARDS, len(CARDS))
    order = "".join(rng.sample("ALS", 3))
    return start(edition, order, rng.choice(SEATS), {"near": cards[:6], "far": cards[6:12]}, cards[12:])


@pytest.fixture
def dealt() -> Callable[[int, str], State]:
    """A battle dealt by a seed."""
    return _dealt


@pytest.fixture
def line_of_play() -> Callable[..., Iterator[tuple[State, Move, State]]]:
    """A legal line by a seed: state, move, next state. It seldom withdraws."""

    def played(seed: int, edition: str, withdraw: float = 0.0) -> Iterator[tuple[State, Move, State]]:
        rng = random.Random(seed)
        state = _dealt(seed, edition)
        while state.turn is not None:
            moves = [m for m in legal_moves(state) if m.do != "withdraw" or rng.random() < withdraw]
            # Deploying more often than at random brings more abilities into play.
            deploys = [m for m in moves if m.do == "deploy"]
            move = rng.choice(deploys if deploys and rng.random() < 0.5 else moves)
            after = play(state, move)
            yield state, move, after
            state = after

    return played


def _moves(text: str) -> list[Move]:
    record = read("All Fronts war 1\nBattle 1\n\n" + "\n".join(line.strip() for line in text.strip().splitlines()))
    found = [entry.what for entry in record.battles[0].entries if isinstance(entry, NotationLine)]
    return [what for what in found if isinstance(what, Move)]


@pytest.fixture
def table() -> Callable[..., State]:
    """A battle after the given moves, in the notation; the deal is filled up with cards that are not named."""

    def laid(
        moves: str = "",
        near: str = "",
        far: str = "",
        deck: str = "",
        *,
        edition: str = "revised",
        order: str = "ALS",
        first: str = "near",
    ) -> State:
        named = f"{near} {far} {deck}".split()
        rest = iter([card for card in reversed(CARDS) if card not in named])

        def full(cards: Sequence[str]) -> list[Card]:
            return [Card(card) for card in cards] + [next(rest) for _ in range(6 - len(cards))]

        hands = {"near": full(near.split()), "far": full(far.split())}
        state = start(edition, order, "near" if first == "near" else "far", hands, full(deck.split()))
        for move in _moves(moves):
            state = play(state, move)
        return state

    return laid


@pytest.fixture
def moves() -> Callable[[str], list[Move]]:
    """Moves written in the notation, one a line."""
    return _moves
