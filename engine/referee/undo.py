"""Going back: the table lies as it did earlier in this battle, or the last move was taken back and another one made."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.battle import play
from engine.legality import explain
from engine.moves import Move
from engine.names import FACE_DOWN, other
from engine.places import PLACES
from engine.referee.belief import Belief, earlier, faces, fresh, revealing, tellable
from engine.referee.confidence import changed, is_sure, ready
from engine.referee.decision import Decision
from engine.referee.hypothesis import Hypothesis
from engine.referee.looks import clear, foreign_everywhere
from engine.referee.observation import FAR, ReadTable, reading_cost
from engine.referee.search import Line, Root, Step, search
from engine.state import State

UNDO_COST: Final = 3.0
SEEN_UNDONE_COST: Final = 1.0
"""The same where the table lay as before that move meanwhile: less than of any card that is hidden or gone."""
HURRIED_COST: Final = 0.5
"""Of the other seat's answer to that, before the table lay still."""
BACK_MOST: Final = 2
"""Moves taken back one after another before another one is made; more of them, and the cards are gathered in."""
HIDDEN_AGAIN_COST: Final = 3.5
"""Of taking back a flip that brought a card to light, and flipping another one: the card has been seen."""


def undo(belief: Belief, target: ReadTable) -> Decision | None:
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
        wait = _patience(belief, state, gone)
        held = best.state.pending
        if held == "transport" or (held in ("maneuver", "ambush", "disrupt") and len(gone) > 1):
            wait = belief.policy.undo_in_effect
        if not any(target):
            wait = belief.policy.first_card_gone
        reveals = revealing(gone)
        if reveals and gone[-1].move is not None and gone[-1].move.do == "flip":
            wait = max(wait, belief.policy.undo_shown)
        change = changed(best.state, state)
        sure = any(is_sure(look, change) for look in belief.present.looks)
        # A card that was overlooked twice looks like one taken back.
        sure = sure or (len(belief.present.looks) > 1 and clear(belief.present.looks, change.stacks))
        # A thing that came to lie in a stack rather hides its card.
        sure = sure and not foreign_everywhere(belief.present.looks) & change.stacks
        return Decision("undo", wait, sure, _prefixes(belief, length), moves_back=len(gone), reveals=reveals)
    return None


def _patience(belief: Belief, before: State, gone: tuple[Step, ...]) -> float:
    """How long the table must lie so: a card taken up may be read, laid elsewhere, or be the first of all."""
    if sum(step.kind == "seen" for step in gone) > 1:
        return belief.policy.undo_several
    hidden = any(
        len(old) < len(new) and not new[-1].up for old, new in zip(before.piles, gone[-1].state.piles, strict=True)
    )
    return belief.policy.peek if hidden else belief.policy.undo


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


def _seen_without(belief: Belief, laid: Move) -> bool:
    """Whether the table before this one lay as it is believed, but for the card that was laid so."""
    seen = None if belief.glimpse is None else belief.glimpse.before.seen
    at, lay = PLACES.index((laid.to, laid.by)), faces(belief.hyps[0].state)
    return seen is not None and seen[at] == lay[at][:-1] and seen[:at] + seen[at + 1 :] == lay[:at] + lay[at + 1 :]


def taken_back_by_word(belief: Belief, length: int) -> tuple[Hypothesis, ...]:
    """Every line without the moves that a person takes back, the likeliest one cut to `length` steps.

    Lines that take a hidden card for another one have made the same moves, as anybody could see them.
    """
    best = belief.hyps[0]
    kept = replace(best, cost=0.0, path=best.path[:length])
    moves, table = [entry.move for entry in tellable(kept)], faces(kept.state)
    lines = {kept.state: kept}
    for hyp in belief.hyps[1:]:
        for steps in range(len(hyp.path) + 1):
            short = replace(hyp, path=hyp.path[:steps])
            if [entry.move for entry in tellable(short)] == moves and faces(short.state) == table:
                lines.setdefault(short.state, short)
                break
    return tuple(lines.values())


def made_again(belief: Belief, undone: Hypothesis) -> tuple[Hypothesis, ...]:
    """Every line with the moves of the last undo; the likeliest one is made again as it was."""
    best = belief.hyps[0]
    again = replace(best, path=best.path + undone.path)
    lines, table = {again.state: again}, faces(again.state)
    for hyp in belief.hyps[1:]:
        path, state = hyp.path, hyp.state
        for step in undone.path:
            if step.move is None or explain(state, step.move) is not None:
                break
            state = play(state, step.move)
            path = (*path, step._replace(state=state))
        else:
            if faces(state) == table:
                lines.setdefault(state, replace(hyp, path=path))
    return tuple(lines.values())


def _visible_prefix(path: tuple[Step, ...], visible: int) -> tuple[Step, ...]:
    count = 0
    for nth, step in enumerate(path):
        count += step.kind == "seen"
        if count > visible:
            return path[:nth]
    return path


def undo_and_go_on(belief: Belief, target: ReadTable) -> Decision | None:
    """The last move, or as many as a table before showed, was taken back and another one made."""
    best = belief.hyps[0]
    last = next((n for n, _ in earlier(best) if best.path[n].kind == "seen"), None)
    if last is None:
        return None
    found = _go_on(belief, target, last)
    gone = best.path[len(best.path) - belief.present.back :]
    if found is None and belief.present.back > 1 and sum(step.kind == "seen" for step in gone) <= BACK_MOST:
        found = _go_on(belief, target, len(best.path) - belief.present.back)
    if found is None:
        laid_back = _taken_and_laid_back(best)
        found = None if laid_back is None else _go_on(belief, target, laid_back)
    return found or _exchanged(belief, target, last)


def _exchanged(belief: Belief, target: ReadTable, last: int) -> Decision | None:
    """The card before the last one was taken back by leave of the other seat, whose answer lies there still, and one
    was laid elsewhere for it.

    A card that shows the same face was rather moved than exchanged, and one in the same theater rather turned over.
    """
    best = belief.hyps[0]
    if best.state.pending is not None:
        return None
    answer = best.path[last].move
    length = next((n for n in range(last - 1, -1, -1) if best.path[n].kind == "seen"), None)
    if length is None or answer is None or len(best.path) != last + 1:
        return None
    first = best.path[length].move
    if first is None or first.by == answer.by or not {first.do, answer.do} <= {"deploy", "improvise"}:
        return None
    if not _seen_without(belief, first):
        # It is held in one hand while the other lays a card.
        return None
    found = _go_on(belief, target, length)
    moves = [] if found is None else [step.move for step in found.hyps[0].path[length:] if step.kind == "seen"]
    if len(moves) != 2 or moves[0] is None or moves[1] != answer:
        return None
    shown = [FACE_DOWN if move.do == "improvise" else move.card for move in (first, moves[0])]
    return found if shown[0] != shown[1] and first.to != moves[0].to else None


def _taken_and_laid_back(best: Hypothesis) -> int | None:
    """How many steps the line had made when Redeploy took a card up that was then laid where it had lain: as if it had
    been none, and another one is to be taken."""
    now = faces(best.state)
    for length, state in earlier(best):
        move = best.path[length].move
        if faces(state) == now:
            return length if move is not None and move.do == "return" else None
        if move is None or move.do not in ("return", "improvise", "deploy"):
            break
    return None


def _another_move(line: Line) -> bool:
    """Whether a line is one move, or one and what follows it: the other seat's answer, or its own effect."""
    seen = [step.move for step in line.steps if step.kind == "seen" and step.move is not None]
    if len(seen) > 1:
        return seen[0].by != seen[1].by or seen[1].do not in ("deploy", "improvise")
    return len(seen) == 1


def _go_on(belief: Belief, target: ReadTable, length: int) -> Decision | None:
    """Another move from where the likeliest line had made `length` steps, or from before what nobody saw just before
    that: it was only assumed for the sake of the move that is taken back."""
    best = belief.hyps[0]
    last = best.path[length].move
    cost = UNDO_COST + (HIDDEN_AGAIN_COST if last is not None and last.do == "flip" and last.reveals else 0.0)
    if belief.present.back and length >= len(best.path) - belief.present.back:
        cost = SEEN_UNDONE_COST
    bare = length
    while bare and best.path[bare - 1].kind == "silent":
        bare -= 1
    froms = [Hypothesis(cost, best.base, best.path[:steps]) for steps in dict.fromkeys((length, bare))]
    if belief.first_assumed and not length:
        froms += [replace(h, cost=cost) for h in fresh(belief.edition, best.base.order, other(best.base.first))]
    roots = [Root(hyp.state, cost, i) for i, hyp in enumerate(froms)]
    found = search(roots, target, silent=1, visible=2, budget=200, hurried=HURRIED_COST)
    # A card that never left its place was not taken back.
    others = [line for line in found.lines if all(step.move != last for step in line.steps)]
    line = next(filter(_another_move, others), None)
    if line is None or line.reading >= 1.0:
        return None
    kept, table = froms[line.tag], faces(line.state)
    sure = ready(belief, target, changed(best.state, line.state), FAR)
    # What leads to the same table is told apart by what comes next.
    same = [other for other in others if _another_move(other) and other.reading < 1.0 and faces(other.state) == table]
    hyps = tuple(froms[one.tag].followed_by(one) for one in same)
    return Decision("undo", belief.policy.wrong_move, sure, hyps, moves_back=len(best.path) - len(kept.path))
