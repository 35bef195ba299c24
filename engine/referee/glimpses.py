"""Two tables seen sooner after each other than a hand can have changed one into the other: one of them was misread.

The later one counts if it stays. What was told of the earlier one is taken back then, where the table is understood
without it and not with it. Until that is clear nothing is told of a table that does not follow from what was believed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.referee.belief import Belief, Glimpse
from engine.referee.decide import decide
from engine.referee.hypothesis import Faces
from engine.referee.referee import Referee

UNKNOWN: Final = 1e9
"""Seconds: nobody knows what lay there before."""
HAND_LEAST: Final = 0.5
"""Seconds: sooner than this after a table was first seen no hand has changed it and is gone again."""


def too_soon(belief: Belief, table: Faces, t: float) -> bool:
    """Whether another table was first seen so shortly before that no hand can have made this one of it."""
    last = belief.glimpse
    return last is not None and last.table != table and t - last.since <= HAND_LEAST


def glimpsed(before: Belief, table: Faces, t: float) -> Glimpse:
    """What is to be remembered of a table that was just seen, given the belief before that."""
    last = before.glimpse
    if last is not None and last.table == table:
        return last
    if last is not None and too_soon(before, table, t):
        return Glimpse(table, t, last.before, last.after + t - last.since, doubted=True)
    after = UNKNOWN if last is None else t - last.since
    return Glimpse(table, t, replace(before, glimpse=None), after)


def attend(update: Referee) -> None:
    """Acts on the table that lies there, unless it and the one before are in doubt and time has to tell."""
    last = update.belief.glimpse
    if last is not None and last.doubted and update.belief.present.looks:
        if not _follows(update.belief):
            if update.t - last.since < HAND_LEAST:
                update.look_again = True
                return
            _without_misread(update, last.before)
        update.belief = replace(update.belief, glimpse=replace(last, doubted=False))
    update.settle()


def _without_misread(update: Referee, before: Belief) -> None:
    """Goes back to what was believed before the table that was misread, if this one is understood then."""
    belief = update.belief
    if before.number != belief.number:
        if before.phase == "over" and belief.phase == "battle" and not any(update.table()):
            # What was seen after all cards were gathered in was none, and began no battle.
            best, looks, since = belief.hyps[0], belief.present.looks, belief.present.since
            update.back_to((replace(best, path=()),), len(best.path))
            update.put_looks(looks, since)
        return
    told_since = belief.mistake.violation is not None or (belief.phase == "over" and belief.ending.due is None)
    if told_since or belief.phase == "won" or before.phase not in ("setup", "battle") or before.hyps == belief.hyps:
        return
    back = replace(
        before,
        present=replace(before.present, looks=belief.present.looks, since=belief.present.since, known=False),
        told=belief.told,
        seen=belief.seen,
        seen_order=belief.seen_order,
        boards=belief.boards,
        misplaced=belief.misplaced,
        next_id=belief.next_id,
        time=belief.time,
    )
    if _follows(back):
        update.reopened()
        update.belief = back
        update.laid_order(belief.present.looks[-1].order)


def _follows(belief: Belief) -> bool:
    """Whether the table that lies there follows from what is believed, and every card lies as it should."""
    decision = decide(belief)
    as_it_should = all(one in belief.differences for one in decision.differences)
    return decision.kind in ("same", "moves") and decision.ready and as_it_should
