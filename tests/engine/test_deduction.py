"""An onlooker's knowledge is exact: held against a search of every way in which the face-down plays can have gone.

The oracle follows eighteen nameless tokens through the record. A token gets its name when it is seen; a face-down play
may have been any token of that hand. What some way allows is possible, and nothing else is.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from engine import (
    CARDS,
    SEATS,
    Card,
    Move,
    State,
    could_be,
    could_hold,
    destruction,
    must_hold,
    play,
    redacted,
    start,
)
from engine.places import PLACES, Place


class Way(NamedTuple):
    """Where each token is, and which are named."""

    hands: dict[str, tuple[int, ...]]
    piles: dict[Place, tuple[int, ...]]
    deck: tuple[int, ...]
    names: dict[int, Card]

    def could_be(self, tokens: tuple[int, ...]) -> set[Card]:
        found = {self.names[t] for t in tokens if t in self.names}
        return found if all(t in self.names for t in tokens) else found | (set(CARDS) - set(self.names.values()))


def dealt() -> Way:
    return Way(
        {"near": tuple(range(6)), "far": tuple(range(6, 12))}, dict.fromkeys(PLACES, ()), tuple(range(12, 18)), {}
    )


def named(way: Way, token: int, card: Card) -> Way | None:
    """The way with that token's name, or None if it has another one or another token has it."""
    if token in way.names or card in way.names.values():
        return way if way.names.get(token) == card else None
    return way._replace(names={**way.names, token: card})


def tokens_played(way: Way, by: str, card: Card | None) -> Iterator[tuple[Way, int]]:
    """Every token that this play from the hand may have been; nameless ones in one hand are alike."""
    nameless = [t for t in way.hands[by] if t not in way.names][:1]
    for token in [t for t in way.hands[by] if t in way.names] + nameless:
        result = way if card is None else named(way, token, card)
        if result is not None:
            yield result, token


def after(way: Way, move: Move, destroyed: bool) -> Iterator[Way]:
    by = move.by
    if move.do in ("deploy", "improvise"):
        assert move.to is not None
        for found, token in tokens_played(way, by, move.card):
            hands = {**found.hands, by: tuple(t for t in found.hands[by] if t != token)}
            if destroyed:
                yield found._replace(hands=hands, deck=(*found.deck, token))
            else:
                piles = {**found.piles, (move.to, by): (*found.piles[move.to, by], token)}
                yield found._replace(hands=hands, piles=piles)
    elif move.do == "flip":
        assert move.at is not None
        assert move.side is not None
        token = way.piles[move.at, move.side][-1]
        result = way if move.reveals is None else named(way, token, move.reveals)
        if result is not None:
            yield result
    elif move.do == "move":
        assert move.origin is not None
        assert move.nth is not None
        assert move.to is not None
        pile = list(way.piles[move.origin, by])
        token = pile.pop(move.nth)
        yield way._replace(
            piles={**way.piles, (move.origin, by): tuple(pile), (move.to, by): (*way.piles[move.to, by], token)}
        )
    elif move.do == "return":
        assert move.at is not None
        assert move.nth is not None
        pile = list(way.piles[move.at, by])
        token = pile.pop(move.nth)
        yield way._replace(
            piles={**way.piles, (move.at, by): tuple(pile)}, hands={**way.hands, by: (*way.hands[by], token)}
        )
    elif move.do == "reinforce":
        assert move.to is not None
        token, *rest = way.deck
        if destroyed:
            yield way._replace(deck=(*rest, token))
        else:
            yield way._replace(deck=tuple(rest), piles={**way.piles, (move.to, by): (*way.piles[move.to, by], token)})
    else:
        yield way


def check(state: State, ways: list[Way]) -> None:
    for seat in SEATS:
        assert set(could_hold(state, seat)) == set().union(*(w.could_be(w.hands[seat]) for w in ways))
        sure = set.intersection(*({w.names[t] for t in w.hands[seat] if t in w.names} for w in ways))
        assert set(must_hold(state, seat)) <= sure
    for theater, seat in PLACES:
        for i in range(len(state.stack(theater, seat))):
            possible = set().union(*(w.could_be((w.piles[theater, seat][i],)) for w in ways))
            assert set(could_be(state, theater, seat, i)) == possible


@pytest.mark.parametrize("edition", ["first", "revised"])
def test_knowledge_is_exact(line_of_play: Callable[..., Iterator[tuple[State, Move, State]]], edition: str) -> None:
    open_questions = 0
    for seed in range(700):
        ways = [dealt()]
        onlooker: State | None = None
        for real, move, _ in line_of_play(seed, edition):
            onlooker = onlooker or start(edition, real.order, real.first)
            seen = redacted(real, move, onlooker)
            destroyed = destruction(onlooker, seen) is not None
            onlooker = play(onlooker, seen)
            ways = list(itertools.chain.from_iterable(after(way, seen, destroyed) for way in ways))
            if onlooker.loose or len(ways) > 1 or seen.do in ("return", "reinforce"):
                check(onlooker, ways)
                open_questions += 1
        assert onlooker is not None
        check(onlooker, ways)
    assert open_questions > 100, "the lines must raise the questions"
