"""Outcome of a battle, which cards may go to the win pile, and what a quagmire costs (memo, outcome of a battle).

The memo's table gives the order of the four outcomes and their signs; two of its numbers are cut off and come from
the players' box. Between them the signs complement each other only at equality: `attack >= defence` is the quagmire
and `defence > attack` the defeat.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from engine.fog.board import FogBoard, need_threshold
from engine.fog.state import Outcome

CHOICES_AT_MOST: Final = 24
LOOKED_AT_MOST: Final = 20_000


class JudgedOutcome(NamedTuple):
    """An outcome and the comparison that decided it: `strength` reached `limit`, or it did not."""

    outcome: Outcome
    attack: int
    defence: int
    no_suitable_card: bool = False


def outcome(board: FogBoard, attack: int, defence: int, suitable: int) -> JudgedOutcome:
    """Which of the four it is. `suitable`: the attacker's cards left in the battle (act.5.8). Raises `FromYourBox`."""
    if suitable == 0:
        return JudgedOutcome("rout", attack, defence, True)
    if attack >= defence:
        won = need_threshold(board, "win").reached(attack, defence)
        return JudgedOutcome("win" if won else "quagmire", attack, defence)
    routed = need_threshold(board, "rout").reached(defence, attack)
    return JudgedOutcome("rout" if routed else "defeat", attack, defence)


def needed_for_pile(values: tuple[int, ...], strength: int) -> int:
    """What the cards put on the win pile must be worth: the loser's strength, or all there is (win.3, rout.2)."""
    return min(strength, sum(values))


def may_bank(values: tuple[int, ...], chosen: tuple[int, ...], needed: int) -> bool:
    """Whether the cards at these places may be the ones for the win pile."""
    return (
        len(set(chosen)) == len(chosen)
        and all(0 <= i < len(values) for i in chosen)
        and sum(values[i] for i in chosen) >= needed
    )


def choices(values: tuple[int, ...], needed: int) -> tuple[tuple[int, ...], ...]:
    """The choices from which no card could be left out, the nearest to `needed` first, equal values once.

    Each is a tuple of places in `values`. At most `CHOICES_AT_MOST` of them.
    """
    order = sorted(range(len(values)), key=lambda i: -values[i])
    found = islice(_tight(values, order, needed, ()), LOOKED_AT_MOST)
    best = sorted(found, key=lambda chosen: (sum(values[i] for i in chosen), len(chosen)))
    return tuple(tuple(sorted(chosen)) for chosen in best[:CHOICES_AT_MOST])


def _tight(values: tuple[int, ...], order: list[int], needed: int, taken: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Cards are taken from the highest down, so the one that reaches `needed` is the smallest: none can be left out."""
    if needed <= 0:
        yield taken
        return
    if sum(values[i] for i in order) < needed:
        return
    tried: set[int] = set()
    for n, i in enumerate(order):
        if values[i] not in tried:
            tried.add(values[i])
            yield from _tight(values, order[n + 1 :], needed - values[i], (*taken, i))


class QuagmireLosses(NamedTuple):
    """Cards lost at random: the attacker's, the defender's own and neutral ones."""

    attacker: int
    defender: int
    neutral: int


def quagmire_losses(attacker: int, defender: int, neutral: int) -> QuagmireLosses:
    """Half of each side's cards, rounded down and at least one; the defender's own before neutral ones
    (quagmire.1, quagmire.2)."""
    lost = _half(defender + neutral)
    own = min(defender, lost)
    return QuagmireLosses(_half(attacker), own, lost - own)


def _half(n: int) -> int:
    return 0 if n == 0 else max(1, n // 2)


def cards_to_look_at(n: int) -> int:
    """How many cards of a pile of `n` intel shows: half, rounded down, at least one (2.4.5)."""
    return _half(n)
