"""What to make of the table that lies there: the moves that lead to it, an undo, a mistake, or something to wait for.

Order of preference: a legal line; an earlier table of this battle (an undo); a table in between; one illegal step;
not understood. A decision says how long the table must lie still before it counts, and whether the reading is good
enough to act upon. It changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from engine.names import CARDS, FACE_DOWN, Face, other
from engine.observe.belief import Belief, Faces, Hypothesis, earlier, faces, fresh, revealing, tellable
from engine.observe.endings import endings
from engine.observe.search import SETUP_COST, Found, Line, Root, Step, hidden_cost, search
from engine.observe.target import FAR, Column, Slot, Target, best_faces, merged, reading_cost
from engine.observe.trust import (
    GAP,
    LIKELY,
    changed,
    confirmed,
    corrected,
    doubtful,
    informed,
    is_sure,
    place_name,
    ready,
    stacks_in_doubt,
    trust,
)
from engine.observe.wrongs import Wrong, wrongs
from engine.sight import PLACES
from engine.state import State

ENDINGS_APART: Final = 9.0
"""Nats: an end this much less likely than another one is not asked about. Points are for the players to say."""
UNDO_COST: Final = 3.0
TAIL_MOST: Final = 9.0
"""A reading this dear that the reader did not name is not tried."""
RIVALRY: Final = 4.0
"""Nats by which a legal line may be less likely than the mistake that is told, and still be remembered."""
GOES_ON_COST: Final = 2.5
"""Of a mistake that was told, and the players play on: they may know better."""
OVERLOOKED_COST: Final = 4.4
"""Of a card that lies where it lay and was not read, beside a legal move."""
VANISHED_LOOKS: Final = 3
"""Looks that should agree that a card is gone which no effect lets anybody take."""
UNREAD: Final = Slot({FACE_DOWN: 0.0, **dict.fromkeys(CARDS, 2.5)}, FAR)
"""A card that lies there and was not read: mostly its back, which shows the least."""
UNREAD_COST: Final = 2.0
"""Of taking something new that the reader could not read for no card, or something old for one."""

Kind: TypeAlias = Literal[
    "same",
    "moves",
    "undo",
    "cleared",
    "wrong",
    "lifted",
    "clearing",
    "tidying",
    "seen-twice",
    "different",
    "unexplained",
]


@dataclass(frozen=True, slots=True)
class Decision:
    """One reading of the situation. `wait` seconds from the first look, `ready` if no further look is needed."""

    kind: Kind
    wait: float = 0.0
    ready: bool = True
    hyps: tuple[Hypothesis, ...] = ()
    """The lines, if this is acted upon: same, moves, undo, cleared."""
    wrong: Wrong | None = None
    moves_back: int = 0
    """Steps of the likeliest line that an undo takes back."""
    reveals: bool = False
    at: str = ""
    """A place that a question is about."""
    options: tuple[Face, ...] = ()
    complete: bool = True
    doubted: tuple[Hypothesis, ...] = ()
    """moves: the lines of every reading, for the time when another table tells which it was. wrong: less likely legal
    lines."""
    likely: bool = True
    """moves: if nothing more will come, this is told all the same."""
    agreed: bool = True
    """cleared: whether all likely ends have one result."""


def decide(belief: Belief) -> Decision:
    """What the looks at the present table mean. `belief.looks` must not be empty.

    Where the reader sees something that it cannot read, a card may lie there: both are tried.
    """
    target = informed(belief, merged([corrected(belief, look) for look in belief.looks]))
    plain = _decided(belief, target)
    if plain.wrong is not None:
        plain = _overlooked(belief, target, plain)
    places = unread(belief)
    if not places or belief.phase not in ("setup", "battle"):
        return plain
    best, cost = plain, _cost(plain) + (UNREAD_COST if places - set(belief.foreign) else 0.0)
    lines = [replace(hyp, cost=hyp.cost + cost - _cost(plain)) for hyp in plain.doubted]
    for place in sorted(places):
        at = next(i for i, (theater, seat) in enumerate(PLACES) if place == f"{theater}/{seat}")
        more = UNREAD_COST if place in belief.foreign else 0.0
        found = _decided(belief, (*target[:at], (*target[at], UNREAD), *target[at + 1 :]))
        lines += [replace(hyp, cost=hyp.cost + more) for hyp in found.doubted]
        if _cost(found) + more < cost:
            newly = bool(found.hyps) and len(found.hyps[0].state.piles[at]) > len(belief.hyps[0].state.piles[at])
            best, cost = replace(found, ready=found.ready and not newly, likely=False), _cost(found) + more
    return replace(best, doubted=tuple(sorted(lines, key=lambda hyp: hyp.cost)))


def _root(hyp: Hypothesis, tag: int) -> Root:
    return Root(hyp.state, hyp.cost, tag, hidden_cost(hyp.path))


def _overlooked(belief: Belief, target: Target, plain: Decision) -> Decision:
    """Rather than a mistake: a legal move, and a card that lies where it lay was not read."""
    best = plain
    for at, (pile, column) in enumerate(zip(faces(belief.hyps[0].state), target, strict=True)):
        grown = len(column) - len(pile) + 1
        if grown != 0 and (grown != 1 or any(look.sure for look in belief.looks)):
            # One more may lie on top of the stack only where the reader is sure of nothing.
            continue
        lying = best_faces(column)[: len(pile) - 1]
        for nth, face in enumerate(pile):
            if pile[:nth] + pile[nth + 1 :] != lying or pile[nth + 1 : nth + 2] == (face,):
                continue
            again: Column = (*column[:nth], Slot({face: 0.0}, FAR), *column[nth:])
            found = _decided(belief, (*target[:at], again, *target[at + 1 :]))
            if found.kind == "moves" and _cost(found) + OVERLOOKED_COST < _cost(best):
                seen = len(belief.looks) >= VANISHED_LOOKS
                hyps = tuple(replace(hyp, cost=hyp.cost + OVERLOOKED_COST) for hyp in found.hyps)
                best = replace(found, hyps=hyps, ready=found.ready and seen, doubted=())
    return best


def unread(belief: Belief) -> set[str]:
    """Stacks at which every look saw something that is no card of this deck."""
    seen = [{n.at for n in look.notes if n.code == "foreign" and n.at.count("/") == 1} for look in belief.looks]
    return set.intersection(*seen) if seen else set()


def _cost(decision: Decision) -> float:
    if decision.wrong is not None:
        return decision.wrong.cost
    return decision.hyps[0].cost if decision.hyps else FAR


def _decided(belief: Belief, target: Target) -> Decision:
    """What one way to see the table means."""
    if belief.phase in ("over", "won"):
        return _after_the_end(belief, target)
    if belief.phase == "battle" and not any(target):
        return _cleared(belief)
    twice = _twice(target)
    roots = [_root(hyp, i) for i, hyp in enumerate(belief.hyps)]
    found = search(roots, target)
    legal = found.lines[0] if found.lines else None
    if legal is not None and not legal.steps and legal.reading < 3.0:
        same = _moves(belief, target, found, legal)
        untold = len(tellable(belief.hyps[0])) > len(belief.told)
        return replace(same, kind="same", ready=same.ready or not untold)
    undo = _undo(belief, target)
    if undo is not None and (legal is None or legal.total > UNDO_COST + 1.0):
        return undo
    if legal is not None and legal.reading < 1.0 and not twice and legal.plain < SETUP_COST:
        return _moves(belief, target, found, legal)
    return _not_plainly_legal(belief, target, found, legal, twice)


def _not_plainly_legal(belief: Belief, target: Target, found: Found, legal: Line | None, twice: str) -> Decision:
    gone_on = _undo_and_go_on(belief, target)
    wrong = None if twice else next(iter(wrongs(found, target)), None)
    went_on = belief.illegal != tuple(best_faces(column) for column in target)
    if wrong is not None and belief.rivals and went_on and _told_already(belief, wrong):
        wrong = wrong._replace(cost=wrong.cost + GOES_ON_COST)
    wider = _widened(belief, target)
    if legal is None and not twice and (wrong is None or wrong.cost > SETUP_COST):
        roots = [_root(hyp, i) for i, hyp in enumerate(belief.hyps)]
        again = search(roots, target, setup=True, silent=1, budget=1200)
        if again.lines:
            legal, found = again.lines[0], Found(again.lines, found.nodes, found.complete)
    if belief.rivals and went_on:
        # The mistake that was told may have been none: then the table goes on from what it really was.
        first = len(belief.hyps)
        again = search([_root(hyp, first + i) for i, hyp in enumerate(belief.rivals)], target, budget=600)
        if again.lines and again.lines[0].reading < 1.0 and (legal is None or again.lines[0].total < legal.total):
            legal, found = again.lines[0], Found(again.lines, found.nodes, found.complete)
    costs = {
        "legal": legal.total if legal is not None and legal.steps else FAR,
        "undo": gone_on.hyps[0].cost if gone_on is not None else FAR,
        "wrong": wrong.cost if wrong is not None else FAR,
        "wider": wider.lines[0].total if wider is not None else FAR,
    }
    kind = min(costs, key=costs.__getitem__)
    if costs[kind] >= FAR:
        return _unclear(belief, target, legal, twice)
    # Only another reading of the table is a reason to look again; another explanation of the same one is not.
    others = [costs["wider"]] if kind != "wider" else [costs["wrong"], costs["undo"]]
    if legal is not None and legal.reading >= 1.0 and kind != "legal":
        others.append(costs["legal"])
    gap = min(others) - costs[kind]
    if kind == "undo" and gone_on is not None:
        return gone_on
    if kind == "wrong" and wrong is not None:
        return replace(_wrong(belief, target, wrong, gap), doubted=_rivals(belief, found, wrong))
    if kind == "legal" and legal is not None:
        return _moves(belief, target, found, legal, gap)
    if wider is None:
        return _unclear(belief, target, legal, twice)
    decision = _moves(belief, target, wider, wider.lines[0], gap)
    change = changed(confirmed(belief, belief.hyps[wider.lines[0].tag]), wider.lines[0].state)
    at, options = doubtful(target, change.cards, _tables(wider))
    return replace(decision, ready=decision.ready and gap >= 2 * GAP, at=at, options=options)


# --- legal lines -----------------------------------------------------------------------------------------------------


def _moves(belief: Belief, target: Target, found: Found, legal: Line, gap: float = FAR) -> Decision:
    """The legal lines as the next belief's, and whether the reading carries them."""
    table = faces(legal.state)
    for line in found.lines:
        if faces(line.state) != table:
            gap = min(gap, line.total - legal.total)
            break
    for hyp in belief.hyps:
        cost = reading_cost(hyp.state.piles, target)
        if cost is not None and faces(hyp.state) != table:
            gap = min(gap, hyp.cost + cost - legal.total)
    change = changed(confirmed(belief, _line_of(belief, legal.tag)), legal.state)
    carried = ready(belief, target, change, gap)
    same = tuple(line for line in found.lines if faces(line.state) == table)
    at, options = ("", ()) if carried else doubtful(target, change.cards, _tables(found))
    return Decision(
        "moves",
        0.0,
        carried,
        _hyps(belief, same),
        at=at,
        options=options,
        complete=found.complete,
        doubted=_hyps(belief, found.lines),
        likely=trust(target, change.cards) >= LIKELY and gap >= 1.0,
    )


def _tables(found: Found) -> list[Faces]:
    return [faces(line.state) for line in found.lines[:6]]


def _line_of(belief: Belief, tag: int) -> Hypothesis:
    """The line that a root with that tag stands for."""
    return (belief.hyps + belief.rivals)[tag]


def _hyps(belief: Belief, lines: Sequence[Line]) -> tuple[Hypothesis, ...]:
    before = [_line_of(belief, line.tag) for line in lines]
    return tuple(Hypothesis(line.total, b.base, b.path + line.steps) for line, b in zip(lines, before, strict=True))


def _told_already(belief: Belief, wrong: Wrong) -> bool:
    """Whether it is the mistake that was told and that nobody has put right."""
    told, now = belief.violation, wrong.violation
    return told is not None and (told.code, told.parts.get("at")) == (now.code, now.parts.get("at"))


def _rivals(belief: Belief, found: Found, wrong: Wrong) -> tuple[Hypothesis, ...]:
    """Legal lines to the table that is told as a mistake."""
    return _hyps(belief, [line for line in found.lines if line.reading < 1.0 and line.total < wrong.cost + RIVALRY])


def _widened(belief: Belief, target: Target) -> Found | None:
    """Legal lines if one of the cards that make the difference is none of the readings named for it."""
    state = belief.hyps[0].state
    best: Found | None = None
    for at, (pile, column) in enumerate(zip(state.piles, target, strict=True)):
        old = faces(state)[at]
        for nth, slot in enumerate(column):
            if (nth < len(pile) and old[nth] in slot.costs) or slot.tail > TAIL_MOST:
                continue
            every = {face: slot.cost(face) for face in (*CARDS, FACE_DOWN)}
            wide: Column = (*column[:nth], Slot(every, slot.tail), *column[nth + 1 :])
            found = search(
                [_root(hyp, i) for i, hyp in enumerate(belief.hyps[:6])],
                (*target[:at], wide, *target[at + 1 :]),
                silent=1,
                visible=2,
                budget=300,
            )
            lines = tuple(line for line in found.lines if line.steps)
            if lines and (best is None or lines[0].total < best.lines[0].total):
                best = Found(lines, found.nodes, found.complete)
    return best


# --- going back ------------------------------------------------------------------------------------------------------


def _undo(belief: Belief, target: Target) -> Decision | None:
    """The table lies as it did earlier in this battle."""
    best = belief.hyps[0]
    now = faces(best.state)
    for length, state in earlier(best):
        if faces(state) == now:
            continue
        cost = reading_cost(state.piles, target)
        if cost is None or cost > 1.0:
            continue
        gone = best.path[length:]
        if not any(step.kind == "seen" for step in gone):
            continue
        wait = belief.policy.undo
        held = best.state.pending
        if held == "transport" or (held in ("maneuver", "ambush", "disrupt") and len(gone) > 1):
            wait = belief.policy.undo_in_effect
        if not any(target):
            wait = belief.policy.first_card_gone
        sure = len(belief.looks) > 1 or is_sure(belief.looks[-1])
        return Decision("undo", wait, sure, _prefixes(belief, length), moves_back=len(gone), reveals=revealing(gone))
    return None


def _prefixes(belief: Belief, length: int) -> tuple[Hypothesis, ...]:
    """Every line cut back to where the likeliest one had made `length` steps: the same table, as many visible moves.

    What was declined just before the move that is taken back stays declined; that it was not is kept as a doubt.
    """
    best = belief.hyps[0]
    kept = best.path[:length]
    visible = sum(step.kind == "seen" for step in kept)
    table = faces(kept[-1].state if kept else best.base)
    cut: dict[State, Hypothesis] = {}
    for hyp in belief.hyps:
        path = hyp.path[:length] if hyp is best else _visible_prefix(hyp.path, visible)
        bare = path
        while bare and bare[-1].kind == "silent":
            bare = bare[:-1]
        sure = tuple(
            step._replace(kind="told") if step.move is not None and step.move.do == "decline" else step
            for step in path[len(bare) :]
        )
        for short in (Hypothesis(hyp.cost, hyp.base, bare + sure), Hypothesis(hyp.cost + 1.0, hyp.base, bare)):
            if faces(short.state) == table:
                cut.setdefault(short.state, short)
    return tuple(cut.values())


def _visible_prefix(path: tuple[Step, ...], visible: int) -> tuple[Step, ...]:
    count = 0
    for nth, step in enumerate(path):
        count += step.kind == "seen"
        if count > visible:
            return path[:nth]
    return path


def _undo_and_go_on(belief: Belief, target: Target) -> Decision | None:
    """The last move was taken back and another one made before the table lay still."""
    best = belief.hyps[0]
    length = next((n for n, _ in earlier(best) if best.path[n].kind == "seen"), None)
    if length is None:
        return None
    bases = [best.base]
    if belief.first_assumed and not length:
        bases += [h.base for h in fresh(belief.edition, best.base.order, other(best.base.first))]
    roots = [Root(best.path[length - 1].state if length else b, UNDO_COST, i) for i, b in enumerate(bases)]
    found = search(roots, target, silent=1, visible=1, budget=200)
    if not found.lines or not found.lines[0].steps or found.lines[0].reading >= 1.0:
        return None
    line = found.lines[0]
    hyp = Hypothesis(line.total, bases[line.tag], best.path[:length] + line.steps)
    sure = ready(belief, target, changed(best.state, line.state), FAR)
    return Decision("undo", belief.policy.wrong_move, sure, (hyp,), moves_back=len(best.path) - length)


def _cleared(belief: Belief) -> Decision:
    """An empty table after a battle has begun (contracts, section 3.4)."""
    lying = sum(map(len, belief.hyps[0].state.piles))
    wait = belief.policy.cleared if lying > 1 else belief.policy.first_card_gone
    if not any(look.sure for look in belief.looks) and any(stacks_in_doubt(look) for look in belief.looks):
        # Cards that were all overlooked look like a table that was cleared.
        wait = belief.policy.clearing
    ended = endings(belief, withdrawal=True)
    if not ended:
        return Decision("cleared", wait)
    likely = tuple(hyp for hyp in ended if hyp.cost < ended[0].cost + ENDINGS_APART)
    agreed = len({hyp.state.result for hyp in likely}) == 1 and belief.violation is None and not belief.passed_over
    return Decision("cleared", wait, hyps=tuple(ended), agreed=agreed)


def _after_the_end(belief: Belief, target: Target) -> Decision:
    """Tidying up after a battle, until the table is empty."""
    if not any(target):
        return Decision("cleared", belief.policy.cleared, hyps=belief.hyps)
    cost = reading_cost(belief.hyps[0].state.piles, target)
    if cost is not None and cost < 3.0:
        return Decision("same", hyps=belief.hyps)
    open_still = [_root(hyp, i) for i, hyp in enumerate(belief.hyps) if hyp.state.result is None]
    found = search(open_still, target, silent=1, visible=2, budget=300)
    if found.lines and found.lines[0].steps and found.lines[0].reading < 1.0:
        # It was not the end: the last card had an effect that nobody saw.
        return replace(_moves(belief, target, found, found.lines[0]), wait=belief.policy.undo)
    undo = _undo(belief, target)
    lying = sum(map(len, belief.hyps[0].state.piles))
    if undo is not None and belief.phase == "over" and sum(map(len, target)) == lying:
        return Decision("undo", belief.policy.tidying, undo.ready, undo.hyps, moves_back=undo.moves_back)
    return Decision("tidying", 1e9)


# --- mistakes, and tables in between ---------------------------------------------------------------------------------


def _wrong(belief: Belief, target: Target, wrong: Wrong, gap: float) -> Decision:
    missing = _missing(belief, target)
    if missing >= 2:
        return Decision("clearing", belief.policy.clearing)
    if wrong.temper == "lifted":
        return Decision("lifted", belief.policy.lifted, wrong=wrong, at=str(wrong.violation.parts.get("at", "")))
    wait = belief.policy.wrong_move if wrong.temper == "finished" else belief.policy.unfinished
    if belief.violation is not None and belief.illegal != tuple(best_faces(column) for column in target):
        wait = max(wait, belief.policy.mending)
    before = wrong.steps[-1].state if wrong.steps else belief.hyps[wrong.tag].state
    change = changed(before, wrong.stands)
    carried = ready(belief, target, change, gap)
    laid = sum(map(len, wrong.stands.piles)) > sum(map(len, before.piles))
    if not laid and not any(is_sure(look, change) for look in belief.looks):
        # A card gone or turned over in a stack that is badly seen was rather not read.
        carried = False
    glances = VANISHED_LOOKS if _vanished(before, target) else 2
    if len(belief.looks) < glances and belief.time - belief.since < belief.policy.second_glance:
        carried = False
    if wrong.cost > 9.5:
        return _unclear(belief, target, None, "")
    at, options = ("", ()) if carried else doubtful(target, change.cards)
    return Decision("wrong", wait, carried, wrong=wrong, at=at, options=options)


def _vanished(before: State, target: Target) -> bool:
    """Whether a card is gone from a stack: rather overlooked than taken, until several looks agree."""
    return any(len(column) < len(pile) for pile, column in zip(before.piles, target, strict=True))


def _missing(belief: Belief, target: Target) -> int:
    """How many cards are gone, if nothing else has changed; 0 otherwise."""
    missing = 0
    for pile, column in zip(faces(belief.hyps[0].state), target, strict=True):
        if not _is_part(best_faces(column), pile):
            return 0
        missing += len(pile) - len(column)
    return missing


def _is_part(part: Sequence[Face], whole: Sequence[Face]) -> bool:
    """Whether `part` is `whole` with cards taken out."""
    rest: Iterator[Face] = iter(whole)
    return all(face in rest for face in part)


def _unclear(belief: Belief, target: Target, legal: Line | None, twice: str) -> Decision:
    if twice:
        return Decision("seen-twice", belief.policy.doubt, len(belief.looks) > 1, at=twice)
    if legal is not None and not legal.steps:
        at, old, new = _differing(belief.hyps[0].state, target)
        if not at:
            return Decision("unexplained", belief.policy.unexplained, len(belief.looks) > 1)
        return Decision("different", belief.policy.doubt, len(belief.looks) > 1, at=at, options=(old, new))
    if _missing(belief, target):
        return Decision("clearing", belief.policy.clearing)
    return Decision("unexplained", belief.policy.unexplained, len(belief.looks) > 1)


def _differing(state: State, target: Target) -> tuple[str, Face, Face]:
    """The first card that reads otherwise than it should."""
    for at, (pile, column) in enumerate(zip(faces(state), target, strict=True)):
        for nth, (face, slot) in enumerate(zip(pile, column, strict=False)):
            if face not in slot.costs:
                return place_name(at, nth), face, slot.best
    return "", FACE_DOWN, FACE_DOWN


def _twice(target: Target) -> str:
    """A place whose card was also read elsewhere; empty if each was read once."""
    seen: set[Face] = set()
    for at, column in enumerate(target):
        for nth, slot in enumerate(column):
            face = slot.best
            if face != FACE_DOWN and face in seen:
                return place_name(at, nth)
            seen.add(face)
    return ""
