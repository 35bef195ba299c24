"""What to make of the table that lies there: the moves that lead to it, an undo, a mistake, or something to wait for.

Order of preference: a legal line; an earlier table of this battle (an undo); a table in between; one illegal step;
not understood. A decision says how long the table must lie still before it counts, and whether the reading is good
enough to act upon. It changes nothing.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Final

from engine.places import PLACES
from engine.referee.belief import Belief, earlier, faces
from engine.referee.confidence import corrected, informed
from engine.referee.decision import Decision
from engine.referee.differences import Difference, set_right, still_there
from engine.referee.gathering import swept_in
from engine.referee.hypothesis import Faces
from engine.referee.interpretation import VANISHED_LOOKS, meaning
from engine.referee.looks import foreign_everywhere, lying, merged, never_clear
from engine.referee.observation import FAR, ReadColumn, ReadTable, Slot, best_faces
from engine.referee.overlooked import UNREAD, cost_of, in_doubt
from engine.referee.tolerance import tolerated
from engine.referee.undo import undo

OVERLOOKED_COST: Final = 4.4
"""Of a card that lies where it lay and was not read, beside a legal move."""
LATELY: Final = 3
"""Steps back at which a table lay there just before."""
UNREAD_COST: Final = 2.0
"""Of taking something new that the reader could not read for no card, or something old for one."""


def decide(belief: Belief, *, carrying: bool = False) -> Decision:
    """What the looks at the present table mean. `belief.present.looks` must not be empty.

    Where the reader sees something that it cannot read, a card may lie there: both are tried. So are cards that it may
    have overlooked. `carrying`: the table has changed; all that it may have been is wanted (`Decision.doubted`).
    """
    as_seen = belief.with_looks(corrected(belief, look) for look in belief.present.looks)
    belief, known = _set_right(as_seen)
    if belief.phase not in ("setup", "battle"):
        target = informed(belief, merged(belief.present.looks))
        fewer = any(target) and len(known) < len(as_seen.differences)
        back = undo(belief, target) if fewer and _untouched(belief) else None
        if back is not None:
            # The last card of the battle was a hidden one turned up for a moment.
            return replace(back, wait=belief.policy.unfinished, differences=known)
        return replace(meaning(belief, target), differences=known)
    if swept_in(belief, lying(belief.present.looks)):
        return Decision("clearing", belief.policy.clearing, differences=known)
    decision = _read(belief, carrying)
    if len(known) < len(as_seen.differences) and decision.kind == "undo":
        # The card that seemed hidden lies there, and the one on it is gone: nobody is about to lay it again.
        decision = replace(decision, wait=min(decision.wait, belief.policy.unfinished))
    if not never_clear(belief.present.looks):
        target = informed(belief, merged(belief.present.looks))
        decision = tolerated(belief, target, decision, lambda other: _read(other, False))
        if known and belief.mistake.rivals and decision.kind not in ("same", "moves"):
            # No card is hidden after all: the less likely line goes on, from before that or from the table as it lies.
            rivals = belief.mistake.rivals
            later = tuple(hyp for hyp in rivals if faces(hyp.state) != faces(rivals[0].state))
            for lines in filter(None, (rivals, later)):
                other = _read(replace(as_seen.with_rivals(()), hyps=lines, differences=()), False)
                if other.kind == "moves":
                    return other
    return replace(decision, differences=(*known, *decision.differences))


def _set_right(belief: Belief) -> tuple[Belief, tuple[Difference, ...]]:
    """The belief with its looks as they would be without the known differences, and those that are still there."""
    if not belief.differences:
        return belief, ()
    table = lying(belief.present.looks)
    if not any(table):
        # The cards were gathered in, whatever lay otherwise before.
        return belief, ()
    known = still_there(belief.differences, table, faces(belief.hyps[0].state))
    # A card that seemed laid squarely on another was that other one, turned up for a moment.
    if _lay_so(belief, table):
        known = tuple(one for one in known if one.kind != "hidden")
    return belief.with_looks(set_right(look, known) for look in belief.present.looks), known


def _untouched(belief: Belief) -> bool:
    """Whether none of the battle's cards was gathered in or turned over to be shown."""
    return belief.ending.remains is None and belief.ending.shown is None


def _lay_so(belief: Belief, table: Faces) -> bool:
    """Whether exactly this table lay there just before."""
    return any(faces(state) == table for _, state in islice(earlier(belief.hyps[0]), LATELY))


def _read(belief: Belief, carrying: bool) -> Decision:
    """What the looks mean if every card lies as they show it, or was overlooked."""
    raw = merged(belief.present.looks)
    target = informed(belief, raw)
    plain = meaning(belief, target)
    if plain.wrong is not None:
        plain = _overlooked(belief, target, plain)
    plain = _strange(belief, target, plain)
    unshaped = never_clear(belief.present.looks)
    return in_doubt(belief, raw, target, unshaped, plain, carrying) if unshaped else plain


def _strange(belief: Belief, target: ReadTable, plain: Decision) -> Decision:
    """Where something lies that is no card of this deck, or one that could not be read."""
    places = unread(belief)
    if not places:
        return plain
    best, cost = plain, cost_of(plain) + (UNREAD_COST if places - set(belief.foreign) else 0.0)
    lines = [replace(hyp, cost=hyp.cost + cost - cost_of(plain)) for hyp in plain.doubted]
    for place in sorted(places):
        at = next(i for i, (theater, seat) in enumerate(PLACES) if place == f"{theater}/{seat}")
        more = UNREAD_COST if place in belief.foreign else 0.0
        found = meaning(belief, (*target[:at], (*target[at], UNREAD), *target[at + 1 :]))
        lines += [replace(hyp, cost=hyp.cost + more) for hyp in found.doubted]
        if cost_of(found) + more < cost:
            newly = bool(found.hyps) and len(found.hyps[0].state.piles[at]) > len(belief.hyps[0].state.piles[at])
            best, cost = replace(found, ready=found.ready and not newly, likely=False), cost_of(found) + more
    return replace(best, doubted=tuple(sorted(lines, key=lambda hyp: hyp.cost)))


def _overlooked(belief: Belief, target: ReadTable, plain: Decision) -> Decision:
    """Rather than a mistake: a legal move, and a card that lies where it lay was not read."""
    best = plain
    for at, (pile, column) in enumerate(zip(faces(belief.hyps[0].state), target, strict=True)):
        grown = len(column) - len(pile) + 1
        if grown not in (0, 1) or any(look.sure for look in belief.present.looks):
            # A card is overlooked only where the reader is sure of nothing, and then one more may lie on top.
            continue
        lying = best_faces(column)[: len(pile) - 1]
        for nth, face in enumerate(pile):
            if pile[:nth] + pile[nth + 1 :] != lying or pile[nth + 1 : nth + 2] == (face,):
                continue
            again: ReadColumn = (*column[:nth], Slot({face: 0.0}, FAR), *column[nth:])
            found = meaning(belief, (*target[:at], again, *target[at + 1 :]))
            if found.kind == "moves" and cost_of(found) + OVERLOOKED_COST < cost_of(best):
                seen = len(belief.present.looks) >= VANISHED_LOOKS
                hyps = tuple(replace(hyp, cost=hyp.cost + OVERLOOKED_COST) for hyp in found.hyps)
                best = replace(found, hyps=hyps, ready=found.ready and seen, doubted=())
    return best


def unread(belief: Belief) -> set[str]:
    """Stacks at which every look saw something that is no card of this deck."""
    return foreign_everywhere(belief.present.looks)
