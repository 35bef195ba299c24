"""Gathering in: cards are taken up at the end of a battle, in any order and pace.

A card taken up is no move. After a battle, what still lies there of its cards is told apart from the first cards of the
next one. In mid-battle, an undo that turns out to have been the beginning of gathering in is taken back, so that who
withdrew follows from whose turn it was before anybody gathered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from typing import Final, NamedTuple

from engine.names import FACE_DOWN, Face
from engine.referee.belief import Belief, faces
from engine.referee.hypothesis import Faces, Hypothesis
from engine.referee.observation import certain
from engine.referee.search import Root, search

GONE_LEAST: Final = 2
"""So many more cards gone than new ones: the table is being cleared, not played at."""


class GatheredSplit(NamedTuple):
    """A table after the end of a battle: its old cards, and those of the next battle on top of them."""

    old: Faces
    new: Faces


def laid_back(shown: Faces, rest: Faces, table: Faces) -> Faces:
    """What lies there of a battle's cards, counting whole stacks that were lifted to be counted and laid back.

    `shown` is how the cards lay at its end, `rest` what lay there last. A hidden card alone may as well be the next
    battle's first, where little else is left.
    """
    many = 2 * count(rest) >= count(shown)
    return tuple(
        whole if column == whole and (many or column != (FACE_DOWN,)) else lay
        for whole, lay, column in zip(shown, rest, table, strict=True)
    )


def split(rest: Faces, begun: Faces | None, table: Faces) -> GatheredSplit:
    """Which cards of `table` are left of the battle before, given those that lay there last, and which are new.

    As many as may be are old, but a card that was new before (`begun`) stays new.
    """
    old: list[tuple[Face, ...]] = []
    new: list[tuple[Face, ...]] = []
    for at, column in enumerate(table):
        least = 0 if begun is None else min(len(begun[at]), len(column))
        kept = next(n for n in range(len(column) - least, -1, -1) if n == 0 or is_part(column[:n], rest[at]))
        old.append(tuple(column[:kept]))
        new.append(tuple(column[kept:]))
    return GatheredSplit(tuple(old), tuple(new))


def is_part(part: Sequence[Face], whole: Sequence[Face]) -> bool:
    """Whether `part` is `whole` with cards taken out."""
    rest = iter(whole)
    return all(face in rest for face in part)


def turned(before: Faces, table: Faces) -> int:
    """How many cards were turned over where they lie, up to be shown or down to be gathered in; 0 if anything else is
    different."""
    pairs = [(old, new) for a, b in zip(before, table, strict=True) for old, new in zip_longest(a, b) if old != new]
    return len(pairs) if all(None not in pair and FACE_DOWN in pair for pair in pairs) else 0


def none_laid(before: Faces, table: Faces) -> bool:
    """Whether only cards lie there that lay there before: swept together or pushed into a heap, of which only some can
    be seen, or turned down where they lie, whole stacks of them gone."""
    if Counter(chain.from_iterable(table)) <= Counter(chain.from_iterable(before)):
        return True
    return all(
        not column
        or (len(column) == len(pile) and all(face in (FACE_DOWN, old) for face, old in zip(column, pile, strict=True)))
        for column, pile in zip(table, before, strict=True)
    )


def swept_in(belief: Belief, table: Faces) -> bool:
    """Whether the table is what is left of one with new cards on the old ones that nobody understood, and old cards are
    gone, too: a hand was thrown in, and all is being gathered. None of it is a move or a mistake."""
    heap = belief.present.heap
    if heap is None or not any(table) or count(heap) - count(table) < GONE_LEAST:
        return False
    lay = faces(belief.hyps[0].state)
    thrown_in = all(map(is_part, lay, heap))
    return thrown_in and all(map(is_part, table, heap)) and not all(map(is_part, lay, table))


def hands_dealt(line: Hypothesis) -> bool:
    """Whether what looks like a hidden card of each seat, seen at once, may be the two hands that were dealt."""
    if len(line.path) != 2 or any(step.kind != "seen" for step in line.path):
        return False
    return [step.move.do for step in line.path if step.move is not None] == ["improvise", "improvise"]


def count(table: Faces) -> int:
    """How many cards lie there."""
    return sum(map(len, table))


def opens(lines: Sequence[Hypothesis], table: Faces) -> bool:
    """Whether a battle may have begun with exactly these cards."""
    roots = [Root(hyp.state, hyp.cost, nth) for nth, hyp in enumerate(lines)]
    found = search(roots, certain(table), silent=2, budget=600)
    return any(line.reading < 1.0 and line.steps for line in found.lines)


def restored(belief: Belief) -> Belief:
    """The belief with the lines from before anybody gathered, where cards were taken up and others after them."""
    taken = belief.taken_up
    if taken is None or not taken.more:
        return belief
    return replace(belief, hyps=taken.lines)
