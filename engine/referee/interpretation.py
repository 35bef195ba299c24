"""What one way to read the table means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from engine.names import CARDS, FACE_DOWN, Face
from engine.referee.accidents import accident_put_right
from engine.referee.belief import Belief, agreed, faces
from engine.referee.confidence import (
    GAP,
    LIKELY,
    TableChange,
    changed,
    confirmed,
    doubtful,
    is_sure,
    place_name,
    ready,
    stacks_in_doubt,
    trust,
    without_disputed,
)
from engine.referee.decision import Decision
from engine.referee.endings import ENDINGS_APART, gathered, given_up
from engine.referee.gathering import is_part, restored, turned
from engine.referee.hypothesis import Faces, Hypothesis
from engine.referee.looks import differ, never_clear
from engine.referee.observation import FAR, ReadColumn, ReadTable, Slot, best_faces, reading_cost
from engine.referee.played_out import all_played, as_good_as_over, only_shown
from engine.referee.policy import Policy
from engine.referee.search import SETUP_COST, Line, Root, SearchResult, hidden_cost, search
from engine.referee.undo import UNDO_COST, undo, undo_and_go_on
from engine.referee.unseen_moves import lines_from_here, turn_is_plain
from engine.referee.violations import Wrong, too_many, wrongs
from engine.state import State
from engine.war import next_orders

HURRIED_COST: Final = 1.5
"""Of each further move between two still tables, where it is not certain what the first of them showed: of its readings
the one from which fewer moves lead here is the likelier."""
TAIL_MOST: Final = 9.0
"""A reading this dear that the reader did not name is not tried."""
LEAST_LEGAL: Final = 0.3
"""A card read with this likelihood is believed if every other reading of it would be against the rules."""
RIVALRY: Final = 4.0
"""Nats by which a legal line may be less likely than the mistake that is told, and still be remembered."""
GOES_ON_COST: Final = 2.5
"""Of a mistake that was told, and the players play on: they may know better."""
SHOWN_LEAST: Final = 2
"""So many hidden cards turned up after the end of a battle: they are shown, and no effect is used otherwise."""
GATHERED_OR_LOST: Final = ("return-without-effect", "should-be-destroyed")
"""Mistakes that an empty table puts right: the card was the first that was gathered in, or counts for nothing."""
VANISHED_LOOKS: Final = 3
"""Looks that should agree that a card is gone which no effect lets anybody take."""


def root_of(hyp: Hypothesis, tag: int) -> Root:
    return Root(hyp.state, hyp.cost, tag, hidden_cost(hyp.path))


def hurry(belief: Belief) -> float:
    """What each visible move beyond the first costs from here."""
    return HURRIED_COST if len({faces(hyp.state) for hyp in belief.hyps}) > 1 else 0.0


def meaning(belief: Belief, target: ReadTable) -> Decision:
    """What one way to see the table means."""
    if belief.phase in ("over", "won"):
        return _after_the_end(belief, target)
    if belief.phase == "battle" and not any(target):
        return _cleared(belief, target)
    twice = _twice(target)
    roots = [root_of(hyp, i) for i, hyp in enumerate(belief.hyps)]
    found = search(roots, target, hurried=hurry(belief))
    legal = found.lines[0] if found.lines else None
    if legal is not None and not legal.steps and legal.reading < 3.0:
        same = _moves(belief, target, found, legal)
        untold = [entry.move for entry in agreed(belief.hyps)] != list(belief.told)
        return replace(same, kind="same", ready=same.ready or not untold)
    if belief.mistake.violation is None and belief.mistake.rivals:
        # The moves that were told may have been a card turned up by accident: then the table goes on from before.
        first = len(belief.hyps)
        before = search([root_of(hyp, first + i) for i, hyp in enumerate(belief.mistake.rivals)], target, visible=2)
        other = next((line for line in before.lines if line.reading < 1.0), None)
        if other is not None:
            likelier = legal is None or (_loses_unseen(legal) and other.total < legal.total)
            if likelier or accident_put_right(belief.hyps[0], _line_of(belief, other.tag), other):
                return _moves(belief, target, before, other)
    back = undo(belief, target)
    if back is not None and (legal is None or legal.total > UNDO_COST + 1.0):
        return back
    # Counted from what was believed: what left no trace before this table is in every line.
    begun = min(hyp.cost - hidden_cost(hyp.path) for hyp in belief.hyps)
    if legal is not None and legal.reading < 1.0 and not twice and legal.plain - begun < SETUP_COST:
        return _moves(belief, target, found, legal)
    return _not_plainly_legal(belief, target, found, legal, twice)


def _loses_unseen(line: Line) -> bool:
    """Whether a line takes it that a card was destroyed before anybody saw it."""
    return any(step.kind == "silent" and step.move is not None and step.move.do != "decline" for step in line.steps)


def _not_plainly_legal(
    belief: Belief, target: ReadTable, found: SearchResult, legal: Line | None, twice: str
) -> Decision:
    gone_on = undo_and_go_on(belief, target)
    wrong = None if twice else next(iter(wrongs(found, target)), None)
    wrong = None if wrong is None else _named(belief, wrong)
    went_on = _went_on(belief, target)
    if wrong is not None and belief.mistake.rivals and went_on and _told_already(belief, wrong):
        wrong = wrong._replace(cost=wrong.cost + GOES_ON_COST)
    wider = _widened(belief, target)
    if legal is None and not twice and (wrong is None or wrong.cost > SETUP_COST):
        roots = [root_of(hyp, i) for i, hyp in enumerate(belief.hyps)]
        again = search(roots, target, setup=True, silent=1, budget=1200)
        if again.lines:
            legal, found = again.lines[0], SearchResult(again.lines, found.nodes, found.complete)
    if belief.mistake.rivals and went_on:
        # The mistake that was told may have been none: then the table goes on from what it really was.
        first = len(belief.hyps)
        again = search([root_of(hyp, first + i) for i, hyp in enumerate(belief.mistake.rivals)], target, budget=600)
        if again.lines and again.lines[0].reading < 1.0 and (legal is None or again.lines[0].total < legal.total):
            legal, found = again.lines[0], SearchResult(again.lines, found.nodes, found.complete)
    if wrong is not None and gone_on is not None and not wrong.steps and wrong.violation.code == "flip-out-of-reach":
        old, new = belief.hyps[0].path[-1].move, gone_on.hyps[0].path[-1].move
        if old is not None and new is not None and (old.by, old.to, new.do) == (new.by, new.to, "improvise"):
            # One hand turned the card over where it lies: that is no card taken back and laid anew.
            gone_on = None
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


def _moves(belief: Belief, target: ReadTable, found: SearchResult, legal: Line, gap: float = FAR) -> Decision:
    """The legal lines as the next belief's, and whether the reading carries them."""
    table, news = faces(legal.state), _news(legal)
    for line in found.lines:
        if faces(line.state) != table and _news(line) != news:
            gap = min(gap, line.total - legal.total)
            break
    for hyp in belief.hyps:
        cost = reading_cost(hyp.state.piles, target)
        if cost is not None and news and faces(hyp.state) != table:
            gap = min(gap, hyp.cost + cost - legal.total)
    change = without_disputed(belief, changed(confirmed(belief, _line_of(belief, legal.tag)), legal.state))
    carried = ready(belief, target, change, gap) or _only_legal(belief, target, found, change, gap)
    same = tuple(line for line in found.lines if faces(line.state) == table or _news(line) == news)
    at, options = ("", ()) if carried else doubtful(target, change.cards, _tables(found))
    return Decision(
        "moves",
        0.0,
        carried,
        hyps_of(belief, same),
        at=at,
        options=options,
        complete=found.complete,
        doubted=hyps_of(belief, found.lines),
        likely=trust(target, change.cards) >= LIKELY and gap >= 1.0,
    )


def _news(line: Line) -> tuple[object, ...]:
    """What a line has to tell that the line it goes on from had not."""
    return tuple(step.move for step in line.steps if step.kind == "seen")


def _only_legal(belief: Belief, target: ReadTable, found: SearchResult, change: TableChange, gap: float) -> bool:
    """Whether the rules leave one reading of the cards in doubt, and that is not unlikely by itself."""
    if len(belief.present.looks) < VANISHED_LOOKS or gap < 2 * GAP or not change.cards:
        return False
    if any(
        note.code == "doubtful" and note.at in change.stacks for look in belief.present.looks for note in look.notes
    ):
        return False
    tables = {faces(line.state) for line in found.lines}
    if any(len({table[at][nth] for table in tables if nth < len(table[at])}) > 1 for at, nth in change.cards):
        return False
    return trust(target, change.cards) >= LEAST_LEGAL


def _tables(found: SearchResult) -> list[Faces]:
    return [faces(line.state) for line in found.lines[:6]]


def _line_of(belief: Belief, tag: int) -> Hypothesis:
    """The line that a root with that tag stands for."""
    return (belief.hyps + belief.mistake.rivals)[tag]


def hyps_of(belief: Belief, lines: Sequence[Line]) -> tuple[Hypothesis, ...]:
    """The lines from the beginning of the battle."""
    return tuple(_line_of(belief, line.tag).followed_by(line) for line in lines)


def _named(belief: Belief, wrong: Wrong) -> Wrong:
    """The mistake as what it is beside the moves before it: an effect used twice, or a card out of turn.

    A card of the seat that did not lay the last one is no second card, even if its turn is not next: the other seat has
    an extra turn.
    """
    violation = wrong.violation
    if violation.code == "flip-without-effect" and not wrong.steps:
        return _used_twice(belief, wrong)
    if violation.code != "second-card" or "effect" in violation.parts:
        return wrong
    for step in reversed((*belief.hyps[wrong.tag].path, *wrong.steps)):
        if step.kind == "seen" and step.move is not None and step.move.do in ("deploy", "improvise"):
            if step.move.by == violation.who:
                return wrong
            parts = {**violation.parts, "extra": step.move.by}
            return wrong._replace(violation=replace(violation, code="out-of-turn", parts=parts))
    return wrong


def _used_twice(belief: Belief, wrong: Wrong) -> Wrong:
    """Who has just turned a card with an effect turned this one, too. A hidden card its own player may turn up."""
    path, violation = belief.hyps[wrong.tag].path, wrong.violation
    used, turned = path[-1].move if path else None, violation.move
    if used is None or used.do != "flip" or turned is None or turned.at is None or turned.side is None:
        return wrong
    pile = path[-1].state.stack(turned.at, turned.side)
    if not pile[-1].up and turned.side != used.by:
        return wrong
    move, parts = turned._replace(by=used.by), {**violation.parts, "times": 2}
    return wrong._replace(violation=replace(violation, who=used.by, move=move, parts=parts))


def _went_on(belief: Belief, target: ReadTable) -> bool:
    """Whether the table is another one than the illegal one that was told."""
    return belief.mistake.illegal is None or differ(
        belief.present.looks, belief.mistake.illegal, tuple(map(best_faces, target))
    )


def _told_already(belief: Belief, wrong: Wrong) -> bool:
    """Whether it is the mistake that was told and that nobody has put right."""
    told, now = belief.mistake.violation, wrong.violation
    return told is not None and (told.code, told.parts.get("at")) == (now.code, now.parts.get("at"))


def _rivals(belief: Belief, found: SearchResult, wrong: Wrong) -> tuple[Hypothesis, ...]:
    """Legal lines to the table that is told as a mistake."""
    return hyps_of(belief, [line for line in found.lines if line.reading < 1.0 and line.total < wrong.cost + RIVALRY])


def _widened(belief: Belief, target: ReadTable) -> SearchResult | None:
    """Legal lines if one of the cards that make the difference is none of the readings named for it."""
    state = belief.hyps[0].state
    best: SearchResult | None = None
    for at, (pile, column) in enumerate(zip(state.piles, target, strict=True)):
        old = faces(state)[at]
        for nth, slot in enumerate(column):
            if (nth < len(pile) and old[nth] in slot.costs) or slot.tail > TAIL_MOST:
                continue
            every = {face: slot.cost(face) for face in (*CARDS, FACE_DOWN)}
            wide: ReadColumn = (*column[:nth], Slot(every, slot.tail), *column[nth + 1 :])
            found = search(
                [root_of(hyp, i) for i, hyp in enumerate(belief.hyps[:6])],
                (*target[:at], wide, *target[at + 1 :]),
                silent=1,
                visible=2,
                budget=300,
            )
            lines = tuple(line for line in found.lines if line.steps)
            if lines and (best is None or lines[0].total < best.lines[0].total):
                best = SearchResult(lines, found.nodes, found.complete)
    return best


def _cleared(belief: Belief, target: ReadTable) -> Decision:
    """An empty table after a battle has begun (docs/contracts.md, section 3.4)."""
    order, laid_on = belief.present.looks[-1].order, belief.hyps[0].state.order
    moved = order not in (None, laid_on)
    if belief.dealt is not None and belief.present.since - belief.dealt <= belief.policy.dealing and not moved:
        # They were no first cards, but the hands, and everybody has taken theirs up. Nobody rotates the boards then.
        dealt = undo(belief, target)
        if dealt is not None:
            return replace(dealt, wait=belief.policy.cleared)
    taken = belief.taken_up
    # A card taken back, and some seconds later the rest: whose turn it was is for the players to say.
    changed_mind = taken is not None and taken.more and not taken.soon
    lying = sum(map(len, restored(belief).hyps[0].state.piles))
    # Boards that were moved tell that it was not only a card taken back.
    over = lying > 1 or moved
    wait = belief.policy.cleared if over else belief.policy.first_card_gone
    if lying == 1 and belief.number > 1 and laid_on not in next_orders(belief.war.fought[-1].order):
        # Before the boards were rotated: rather the deck that lay there than the next battle's first card.
        wait = belief.policy.clearing
        back = undo(belief, target) if order is not None and order == belief.expected_order else None
        if back is not None:
            return replace(back, wait=belief.policy.cleared)
    overlooked = not any(look.sure for look in belief.present.looks) and any(map(stacks_in_doubt, belief.present.looks))
    if overlooked:
        wait = belief.policy.clearing
    ended = gathered(belief)
    if not ended:
        return Decision("cleared", wait, overlooked=overlooked)
    likely = tuple(hyp for hyp in ended if hyp.cost < ended[0].cost + ENDINGS_APART)
    violation = belief.mistake.violation
    # Where it may have been let stand, that is among the ends.
    put_right = violation is None or violation.code in GATHERED_OR_LOST or belief.mistake.stands is not None
    # Once all cards are played, what was not understood were cards that somebody turned or pushed about.
    passed_over = belief.present.passed_over and not all_played(belief)
    # Who scores how much is what matters, and not whether the last card was played and destroyed or kept in hand.
    scored = {result and (result.winner, result.points) for result in (hyp.state.result for hyp in likely)}
    agreed = len(scored) == 1 and put_right and not passed_over and not changed_mind and not belief.returned
    if agreed and not belief.touched:
        ended = given_up(ended, likely)
    return Decision("cleared", wait, hyps=tuple(ended), agreed=agreed, overlooked=overlooked)


def _after_the_end(belief: Belief, target: ReadTable) -> Decision:
    """Tidying up after a battle, until the table is empty."""
    if not any(target):
        overlooked = bool(never_clear(belief.present.looks))
        # Cards that were all overlooked look like a table that was cleared.
        wait = belief.policy.clearing if overlooked else belief.policy.cleared
        return Decision("cleared", wait, hyps=belief.hyps, overlooked=overlooked)
    cost = reading_cost(belief.hyps[0].state.piles, target)
    if cost is not None and cost < 3.0:
        return Decision("same", hyps=belief.hyps)
    open_still = [root_of(hyp, i) for i, hyp in enumerate(belief.hyps) if hyp.state.result is None]
    found = search(open_still, target, silent=1, visible=2, budget=300)
    if found.lines and found.lines[0].steps and found.lines[0].reading < 1.0:
        # It was not the end: the last card had an effect that nobody saw.
        return replace(_moves(belief, target, found, found.lines[0]), wait=belief.policy.undo)
    table = tuple(map(best_faces, target))
    if table == belief.ending.shown and turned(faces(belief.hyps[0].state), table) >= SHOWN_LEAST:
        return Decision("tidying", 1e9)
    lying = sum(map(len, belief.hyps[0].state.piles))
    if belief.ending.remains is None and sum(map(len, target)) == lying:
        moved = undo_and_go_on(belief, target)
        if moved is not None and not _turned_up(belief, moved.hyps[0]):
            wait = belief.policy.wrong_move if belief.ending.due is not None else belief.policy.undo
            return replace(moved, wait=wait)
    extra = None if belief.ending.remains is not None else too_many(belief.hyps[0].state, target)
    if extra is not None:
        return Decision("wrong", belief.policy.unfinished, len(belief.present.looks) > 1, wrong=extra)
    back = undo(belief, target)
    if back is not None and belief.phase == "over" and sum(map(len, target)) == lying:
        return Decision("undo", belief.policy.tidying, back.ready, back.hyps, moves_back=back.moves_back)
    return Decision("tidying", 1e9)


def _turned_up(belief: Belief, hyp: Hypothesis) -> bool:
    """Whether the battle's last card was only turned up where it lies, as people do to show what it was."""
    before, after = belief.hyps[0].path[-1].move, hyp.path[-1].move
    return before is not None and after is not None and before.to == after.to and before.do == "improvise"


# --- mistakes, and tables in between ---------------------------------------------------------------------------------


def _wrong(belief: Belief, target: ReadTable, wrong: Wrong, gap: float) -> Decision:
    missing = _missing(belief, target)
    # Where all is played and nobody needs the effect that is open, the first card taken up is gathered in.
    if missing >= (1 if as_good_as_over(belief) and wrong.temper != "lifted" else 2):
        return _clearing(belief)
    if wrong.violation.code == "flip-without-effect" and only_shown(belief, target):
        return Decision("tidying", 1e9)
    if wrong.temper == "lifted":
        return Decision("lifted", belief.policy.lifted, wrong=wrong, at=str(wrong.violation.parts.get("at", "")))
    wait = _patience(belief.policy, wrong)
    if belief.mistake.violation is not None and _went_on(belief, target):
        wait = max(wait, belief.policy.mending)
    before = wrong.steps[-1].state if wrong.steps else belief.hyps[wrong.tag].state
    change = changed(before, wrong.stands)
    carried = ready(belief, target, change, gap)
    laid = sum(map(len, wrong.stands.piles)) > sum(map(len, before.piles))
    if not laid and not any(is_sure(look, change) for look in belief.present.looks):
        # A card gone or turned over in a stack that is badly seen was rather not read.
        carried = False
    glances = VANISHED_LOOKS if _vanished(before, target) else 2
    if len(belief.present.looks) < glances and belief.time - belief.present.since < belief.policy.second_glance:
        carried = False
    if wrong.cost > 9.5:
        return _unclear(belief, target, None, "")
    at, options = ("", ()) if carried else doubtful(target, change.cards)
    return Decision("wrong", wait, carried, wrong=wrong, at=at, options=options)


def _clearing(belief: Belief) -> Decision:
    """Several cards are gone and some lie there still. Once all is played they are gathered in, at any pace."""
    return Decision("tidying", 1e9) if as_good_as_over(belief) else Decision("clearing", belief.policy.clearing)


def _patience(policy: Policy, wrong: Wrong) -> float:
    """How long a wrong table must lie before it is told."""
    if wrong.temper == "gone":
        return policy.gone_face_down if wrong.violation.parts.get("card") == FACE_DOWN else policy.gone
    if wrong.temper == "read":
        return policy.peek
    return policy.wrong_move if wrong.temper == "finished" else policy.unfinished


def _vanished(before: State, target: ReadTable) -> bool:
    """Whether a card is gone from a stack: rather overlooked than taken, until several looks agree."""
    return any(len(column) < len(pile) for pile, column in zip(before.piles, target, strict=True))


def _missing(belief: Belief, target: ReadTable) -> int:
    """How many cards are gone, of an illegal table that was told as well, if nothing else has changed; 0 otherwise."""
    missing, told = 0, belief.mistake.told_table
    lay = told if told is not None else faces(belief.hyps[0].state)
    for pile, column in zip(lay, target, strict=True):
        if not is_part(best_faces(column), pile):
            return 0
        missing += len(pile) - len(column)
    return missing


def _unclear(belief: Belief, target: ReadTable, legal: Line | None, twice: str) -> Decision:
    if only_shown(belief, target):
        return Decision("tidying", 1e9)
    if twice:
        return Decision("seen-twice", belief.policy.doubt, len(belief.present.looks) > 1, at=twice)
    if legal is not None and not legal.steps and not _rearranged(belief, target):
        at, old, new = _differing(belief.hyps[0].state, target)
        if not at:
            return Decision("unexplained", _bewildered(belief, target), len(belief.present.looks) > 1)
        return Decision("different", belief.policy.doubt, len(belief.present.looks) > 1, at=at, options=(old, new))
    if _missing(belief, target):
        return _clearing(belief)
    again = len(belief.present.looks) > 1
    on = lines_from_here(belief, target)
    if belief.phase == "battle" and turn_is_plain(belief, on):
        return Decision("unexplained", belief.policy.unseen_moves, again, on, doubted=on)
    return Decision("unexplained", _bewildered(belief, target), again, doubted=on)


def _bewildered(belief: Belief, target: ReadTable) -> float:
    """How long a table may lie there that nothing explains: longer where the same cards lie elsewhere, as while
    somebody counts a stack or tidies."""
    return belief.policy.rearranged if _rearranged(belief, target) else belief.policy.unexplained


def _rearranged(belief: Belief, target: ReadTable) -> bool:
    """Whether the same cards lie there, some of them elsewhere."""
    lay, table = faces(belief.hyps[0].state), tuple(map(best_faces, target))
    return Counter(chain.from_iterable(lay)) == Counter(chain.from_iterable(table))


def _differing(state: State, target: ReadTable) -> tuple[str, Face, Face]:
    """The first card that reads otherwise than it should."""
    for at, (pile, column) in enumerate(zip(faces(state), target, strict=True)):
        for nth, (face, slot) in enumerate(zip(pile, column, strict=False)):
            if face not in slot.costs:
                return place_name(at, nth), face, slot.best
    return "", FACE_DOWN, FACE_DOWN


def _twice(target: ReadTable) -> str:
    """A place whose card was also read elsewhere; empty if each was read once."""
    seen: set[Face] = set()
    for at, column in enumerate(target):
        for nth, slot in enumerate(column):
            face = slot.best
            if face != FACE_DOWN and face in seen:
                return place_name(at, nth)
            seen.add(face)
    return ""
