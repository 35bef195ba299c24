"""Cards that may have been overlooked, where the reader does not know how many cards a stack has.

A card overlooked looks like one taken back, destroyed or returned, and a move overlooked makes the next one look like a
mistake. So a stack that no look knows the height of is also tried with the cards that lay there, and with a new card on
top. What is common to all likely ways is told; what only some of them show is held, and carried along if the table
changes, until a look or a later move tells which it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from engine.moves import Move
from engine.names import CARDS, FACE_DOWN, Face
from engine.referee.belief import Belief, faces, tellable
from engine.referee.confidence import GAP, StackIndex, informed, place_name
from engine.referee.decision import Decision
from engine.referee.hypothesis import Hypothesis
from engine.referee.interpretation import hurry, hyps_of, meaning, root_of
from engine.referee.looks import place_of
from engine.referee.observation import FAR, ReadColumn, ReadTable, Slot
from engine.referee.search import search
from engine.referee.undo import UNDO_COST

UNREAD: Final = Slot({FACE_DOWN: 0.0, **dict.fromkeys(CARDS, 2.5)}, FAR)
"""A card that lies there and was not read: mostly its back, which shows the least."""
IN_DOUBT_COST: Final = 1.0
"""Of a card overlooked in a stack whose height the reader does not know: two such stacks in five lack one."""
MISREAD_MOST: Final = 2.0
"""Nats: a known card that reads so much worse than another is no overlooked one."""
BUDGET: Final = 300
"""Positions tried for each stack in doubt."""
ROOTS_MOST: Final = 12
"""Lines from which a card overlooked is looked for."""
UNCHANGED_COST: Final = 4.0
"""Of taking nothing that was seen for true, where a stack is in doubt and the table has changed since."""
CARRIED_MOST: Final = 8.0
"""Nats: what is less likely than this beside the likeliest is not carried along."""


def in_doubt(
    belief: Belief, raw: ReadTable, target: ReadTable, unshaped: frozenset[int], plain: Decision, carrying: bool
) -> Decision:
    """The decision with what may have been overlooked in the stacks `unshaped` weighed in.

    `raw` is what was seen, `target` the same with what is known, `plain` what that means. `carrying`: all lines are
    wanted, however little they matter now.
    """
    if plain.kind == "cleared":
        return plain
    ways = [plain]
    filled = _filled(belief, raw, unshaped)
    if filled is not None:
        again, missing = filled
        target = informed(belief, again)
        ways.append(_dearer(meaning(belief, target), missing * IN_DOUBT_COST))
    best = min(ways, key=_price)
    if best.kind == "same" and not carrying and _told(best.hyps[0]) == list(belief.told):
        return replace(best, ready=True, overlooked=True)
    lines = [hyp for way in ways for hyp in way.doubted]
    unseen: list[_Unseen] = []
    roots = [root_of(hyp, i) for i, hyp in enumerate(belief.hyps[:ROOTS_MOST])]
    for place, table, cards in _other_ways(raw, target, unshaped):
        found = search(roots, table, visible=3, budget=BUDGET, hurried=hurry(belief))
        if found.lines:
            cost = cards * IN_DOUBT_COST
            hyps = tuple(replace(hyp, cost=hyp.cost + cost) for hyp in hyps_of(belief, found.lines))
            unseen.append(_Unseen(place, hyps))
            lines += hyps
    chosen = _chosen(best, unseen)
    others = [hyp for way in unseen for hyp in way.hyps]
    rivals = _rivals(chosen, [way for way in ways if way is not best], others)
    gap = min(rivals, default=FAR) - _price(chosen)
    if gap < GAP:
        chosen = replace(chosen, ready=False, likely=False)
    # A card that is hardly read in a stack of known height is asked about as ever.
    patient = chosen.at.rpartition("/")[0] in {"", *map(place_of, unshaped)}
    if chosen.wrong is None:
        least = min((hyp.cost for hyp in lines), default=0.0)
        lines += [replace(hyp, cost=hyp.cost + least + UNCHANGED_COST) for hyp in belief.hyps]
        carried = sorted((hyp for hyp in lines if hyp.cost < least + CARRIED_MOST), key=lambda hyp: hyp.cost)
        chosen = replace(chosen, doubted=tuple(carried))
    return replace(chosen, overlooked=True, patient=patient)


def cost_of(decision: Decision) -> float:
    """Of what the decision takes for true, in nats; `FAR` where it explains nothing."""
    if decision.wrong is not None:
        return decision.wrong.cost
    return decision.hyps[0].cost if decision.hyps else FAR


def _price(decision: Decision) -> float:
    return cost_of(decision) + (UNDO_COST if decision.kind == "undo" else 0.0)


def _told(hyp: Hypothesis) -> list[Move]:
    return [entry.move for entry in tellable(hyp)]


def _filled(belief: Belief, raw: ReadTable, unshaped: frozenset[int]) -> tuple[ReadTable, int] | None:
    """What was seen, with the cards added that lay in the stacks `unshaped` and were not seen, and how many they are.

    None where none is missing.
    """
    known = faces(belief.hyps[0].state)
    made = list(raw)
    missing = 0
    for at in unshaped:
        column = _with_known(raw[at], known[at])
        missing += len(column) - len(raw[at])
        made[at] = column
    return (tuple(made), missing) if missing else None


def _with_known(column: ReadColumn, pile: Sequence[Face]) -> ReadColumn:
    """The column with the cards of the pile that are missing in it, and on top at most one that is not in the pile."""
    slots: list[Slot] = []
    rest = list(column)
    for face in pile:
        if rest and (face in rest[0].costs or rest[0].tail < MISREAD_MOST):
            slots.append(rest.pop(0))
        else:
            slots.append(Slot({face: 0.0}, FAR))
    return (*slots, *rest) if len(rest) <= 1 else column


def _dearer(decision: Decision, more: float) -> Decision:
    wrong = decision.wrong
    return replace(
        decision,
        hyps=tuple(replace(hyp, cost=hyp.cost + more) for hyp in decision.hyps),
        doubted=tuple(replace(hyp, cost=hyp.cost + more) for hyp in decision.doubted),
        wrong=None if wrong is None else wrong._replace(cost=wrong.cost + more),
    )


class _Unseen(NamedTuple):
    """Legal lines to a table that was not seen so."""

    new: StackIndex | None
    """The place of the new card that would have been overlooked; None where there is none."""
    hyps: tuple[Hypothesis, ...]


def _other_ways(
    raw: ReadTable, target: ReadTable, unshaped: frozenset[int]
) -> Iterator[tuple[StackIndex | None, ReadTable, int]]:
    """Other tables that may lie there, with the place of a new card and how many cards are overlooked in them: a new
    one lies on top of a stack in doubt, or one of those that are missing there (`target` has them) is gone indeed.
    """
    missing = sum(map(len, target)) - sum(map(len, raw))
    for at in sorted(unshaped):
        column = target[at]
        yield (at, len(column)), (*target[:at], (*column, UNREAD), *target[at + 1 :]), missing + 1
    if missing < 2:
        return
    for at in sorted(unshaped):
        column = target[at]
        for nth, slot in enumerate(column):
            if slot.tail >= FAR and slot not in column[nth + 1 : nth + 2]:
                yield None, (*target[:at], (*column[:nth], *column[nth + 1 :]), *target[at + 1 :]), missing - 1


def _chosen(best: Decision, unseen: Sequence[_Unseen]) -> Decision:
    """The cheapest of what was seen and what may have been overlooked; the latter is never ready."""
    for new, hyps in unseen:
        if hyps[0].cost >= _price(best):
            continue
        best = Decision("moves", ready=False, hyps=hyps, likely=False)
        if new is not None:
            at, nth = new
            named = dict.fromkeys(faces(hyp.state)[at][nth] for hyp in hyps if len(hyp.state.piles[at]) > nth)
            best = replace(best, at=place_name(at, nth), options=tuple(named))
    return best


def _rivals(chosen: Decision, ways: Sequence[Decision], unseen: Sequence[Hypothesis]) -> Iterator[float]:
    """What the explanations cost that tell something else, and not only more."""
    legal = chosen.kind in ("same", "moves")
    told = _told(chosen.hyps[0]) if legal else []

    def apart(hyp: Hypothesis) -> bool:
        return not legal or _told(hyp)[: len(told)] != told

    for way in ways:
        if way.kind not in ("same", "moves"):
            yield _price(way)
        else:
            yield from (hyp.cost for hyp in way.hyps if apart(hyp))
    yield from (hyp.cost for hyp in unseen if apart(hyp))
