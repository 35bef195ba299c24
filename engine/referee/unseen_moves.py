"""Tables to which more moves led than can be followed: somebody stood before the camera, and play went on.

Nobody can tell in which order those moves were made. What lies there is taken as it lies, and the turn follows from who
laid how many cards. The battle goes on from there with the next move, or after some seconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, product
from typing import Final

from engine.cards import AERODROME, AIR_DROP, INSTANTS, REINFORCE
from engine.editions import AERODROME_LIMIT
from engine.failure import BadInput
from engine.names import FACE_DOWN, SEATS, Card, Face, Seat, other, parse_card, strength_of, theater_of
from engine.places import PLACES
from engine.referee.belief import Belief, faces
from engine.referee.confidence import changed, is_sure
from engine.referee.corrected_state import laid, with_effect
from engine.referee.gathering import count
from engine.referee.hypothesis import Faces, Hypothesis
from engine.referee.observation import ReadTable, best_faces
from engine.referee.search import Step
from engine.state import State

UNSEEN_MOVES_COST: Final = 6.0
"""Of going on from a table as it lies: whatever the moves so far explain is likelier."""
NOT_NEXT_COST: Final = 2.0
"""Of the turn of the seat that has laid as many cards as the other one or more: a card was destroyed or taken back, or
an effect gave a turn."""
EFFECT_OPEN_COST: Final = 1.0
"""Of an effect still open that the last card laid may have begun."""
NOT_DRAWN_COST: Final = 1.0
"""Of a Reinforce that came to lie there and drew no card from the deck."""
LAID_LEAST: Final = 3
"""Cards more than before. Fewer with nothing that explains them are rather shown, misread or pushed about."""
ASTRAY_MOST: Final = 1
"""Of them so many may lie face up in a theater where they may not: more are rather a hand that is shown."""
TAKEN_UP_COST: Final = 3.0
"""Of one of them being in the hand again, to be laid otherwise."""
CARD_LEAST: Final = 1.0
"""Seconds that people need at least for each card that they lay in turn, without a word and without an effect."""
AHEAD_MOST: Final = 2
"""Cards that one seat may have laid more than the other: seats take turns, and one card or another may have been
destroyed. With more it is rather a hand that is thrown in."""
GONE_MOST: Final = 2
"""Face-up cards that lie there no more: turned, destroyed or taken back. With more gone, or more than half of
all, another battle has begun."""


def lines_from_here(belief: Belief, target: ReadTable) -> tuple[Hypothesis, ...]:
    """The lines that go on from the table as it lies, likeliest first; none where it is not read surely, or where it is
    no table to which the battle may have come by moves that were not seen."""
    best = belief.hyps[0]
    if belief.phase not in ("setup", "battle") or belief.present.looks[-1].order != best.state.order:
        # Rotated boards are the next battle's.
        return ()
    table = tuple(map(best_faces, target))
    if not _moved_on(best.state, table) or _told_just_before(belief, table) or _laid_at_once(belief, table):
        return ()
    made = sorted(_states(best.state, table), key=lambda one: one[0])
    if not made or not any(is_sure(look, changed(best.state, made[0][1])) for look in belief.present.looks):
        return ()
    return tuple(
        Hypothesis(best.cost + UNSEEN_MOVES_COST + cost, best.base, (*best.path, Step(None, "set", state)))
        for cost, state in made
    )


def turn_is_plain(belief: Belief, lines: tuple[Hypothesis, ...]) -> bool:
    """Whether the numbers of cards that both seats have laid tell whose turn it is on the likeliest of `lines`."""
    return bool(lines) and lines[0].cost <= belief.hyps[0].cost + UNSEEN_MOVES_COST


def _moved_on(state: State, table: Faces) -> bool:
    """Whether the battle may have come from that state to the table: most of its cards lie there, and some more."""
    laid_there, lay = Counter(chain.from_iterable(table)), Counter(chain.from_iterable(faces(state)))
    up = [face for face in laid_there if face != FACE_DOWN]
    if any(laid_there[face] > 1 for face in up):
        return False
    if _astray(state, table) > ASTRAY_MOST:
        return False
    gone = sum((lay - laid_there).values()) - max(lay[FACE_DOWN] - laid_there[FACE_DOWN], 0)
    return gone <= min(GONE_MOST, lay.total() // 2) and laid_there.total() - lay.total() >= LAID_LEAST


def _told_just_before(belief: Belief, table: Faces) -> bool:
    """Whether a mistake was told of a table that has hardly fewer cards: what has come since was seen."""
    seen = belief.mistake.told_table
    return seen is not None and count(table) - count(seen) < LAID_LEAST


def _laid_at_once(belief: Belief, table: Faces) -> bool:
    """Whether more cards have come since the table before than can be laid in turn in that time: hands thrown in."""
    last = belief.glimpse
    if last is None:
        return False
    new = count(table) - count(last.before.seen or faces(belief.hyps[0].state))
    return last.after < new * CARD_LEAST


def _shown(state: State, table: Faces) -> list[set[Face]]:
    """The face-up cards of each stack of the table that did not lie face up before."""
    lay = {FACE_DOWN, *chain.from_iterable(faces(state))}
    return [set(column) - lay for column in table]


def _astray(state: State, table: Faces) -> int:
    """How many new cards lie face up in a theater where nothing that is seen lets them lie."""
    lying = set(chain.from_iterable(table))
    astray = [
        card
        for (theater, _), cards in zip(PLACES, _shown(state, table), strict=True)
        for card in map(parse_card, cards)
        if theater_of(card) != theater and not (AERODROME in lying and strength_of(card) <= AERODROME_LIMIT)
    ]
    return len(astray) - (AIR_DROP in lying)


def _gained(state: State, table: Faces, seat: Seat) -> int:
    """How many cards more than before lie on that seat's side."""
    return sum(
        len(column) - len(pile)
        for place, pile, column in zip(PLACES, state.piles, table, strict=True)
        if place[1] == seat
    )


def _next_to_lay(state: State) -> Seat:
    """The seat that lays the first of the cards that were not seen."""
    return state.active if state.pending in (None, "play") else other(state.active)


def _states(state: State, table: Faces) -> Iterator[tuple[float, State]]:
    """What may be so now, with its cost: either seat's turn, and an effect of the last card, if it has one."""
    new = dict(zip(PLACES, _shown(state, table), strict=True))
    shown = {seat: {face for place in PLACES if place[1] == seat for face in new[place]} for seat in SEATS}
    gained = {seat: _gained(state, table, seat) for seat in SEATS}
    first = _next_to_lay(state)
    for near, far in product(*((1, 0) if REINFORCE in shown[seat] else (0,) for seat in SEATS)):
        drawn: dict[Seat, int] = {"near": near, "far": far}
        played = {seat: gained[seat] - drawn[seat] for seat in SEATS}
        if any(played[seat] > state.hand(seat).size for seat in SEATS):
            continue
        if abs(played["near"] - played["far"]) > AHEAD_MOST:
            continue
        ahead = played[first] - played[other(first)]
        plain = (other(first) if ahead == 1 else first) if 0 <= ahead <= 1 else None
        kept = sum(REINFORCE in shown[seat] and not drawn[seat] for seat in SEATS) * NOT_DRAWN_COST
        for seat in SEATS:
            try:
                made = laid(state, table, hands={s: min(state.hand(s).size - played[s], 6) for s in SEATS}, turn=seat)
            except BadInput:
                continue
            # A card that lets its player lay the next one anywhere may have been among them.
            permits = made.permits[0] or AIR_DROP in shown["near"], made.permits[1] or AIR_DROP in shown["far"]
            made = made._replace(permits=permits, extra=(0, 0))
            cost = kept + (0.0 if seat == plain else NOT_NEXT_COST)
            yield cost, made
            for place, column in zip(PLACES, table, strict=True):
                if place[1] != seat and column and column[-1] in new[place] & INSTANTS.keys():
                    # The battle is not over before that effect is.
                    opened = with_effect(made._replace(result=None), Card(column[-1]))
                    if opened.pending is not None:
                        yield cost + EFFECT_OPEN_COST, opened


def one_taken_up(before: State, after: Hypothesis) -> Iterator[Hypothesis]:
    """The line that goes on from the table as if one of the uppermost cards that came to lie there unseen were in the
    hand again: its player may lay it otherwise. `before`: the last state that was seen."""
    lay = faces(after.state)
    for at, ((_, seat), column, old) in enumerate(zip(PLACES, lay, faces(before), strict=True)):
        if not column or column == old[: len(column)]:
            continue
        table = (*lay[:at], column[:-1], *lay[at + 1 :])
        hands = {s: after.state.hand(s).size + (s == seat) for s in SEATS}
        try:
            made = laid(after.state, table, hands=hands, turn=seat)
        except BadInput:
            continue
        made = made._replace(result=None)
        yield replace(after, cost=after.cost + TAKEN_UP_COST, path=(*after.path[:-1], Step(None, "set", made)))
