"""A new reading of the still table: whether it is another look at the same one, and what was about the one before."""

from __future__ import annotations

from dataclasses import replace

from engine.events import Reading, Unsure
from engine.names import FACE_DOWN
from engine.places import PLACES
from engine.referee.belief import Belief, best_state, faces
from engine.referee.belief_parts import BattleEnd, PresentTable, Settled
from engine.referee.confidence import is_sure
from engine.referee.gathering import is_part, none_laid
from engine.referee.glimpses import attend, glimpsed, too_soon
from engine.referee.hypothesis import Faces, Hypothesis, TakenUp
from engine.referee.looks import alike, kept, lying, never_clear, turned_round
from engine.referee.observation import heights
from engine.referee.referee import Referee
from engine.referee.update import Verdict
from engine.sight import Sight


def observe(belief: Belief, sight: Sight, t: float) -> Verdict:
    """What a reading of the still table means. The same table may be given again, as a second look."""
    update = Referee(belief, t)
    sight = _as_first_laid(belief, sight)
    board = sight.board
    table = tuple(board[place] for place in PLACES)
    if belief.seen != table or (sight.order is not None and belief.seen_order != sight.order):
        order = sight.order if sight.order is not None else belief.seen_order
        update.events.append(Reading(board, sight.order))
        update.belief = replace(update.belief, seen=table, seen_order=order)
    if sight.order is None or any(note.code in ("board-missing", "board-twice") for note in sight.notes):
        # A board is hidden or away: what lies at its columns cannot be told apart now.
        update.look_again = True
        if update.belief.present.looks and heights(update.belief.present.looks[-1]) != heights(sight):
            update.belief = update.belief.with_looks(())
        return update.verdict()
    update.misplaced_lie(sight)
    update.laid_order(sight.order)
    if is_sure(sight):
        update.boards_lie(sight.order)
    soon = too_soon(belief, table, t)
    looks = update.belief.present.looks
    if looks and alike(looks, sight, known=belief.present.known):
        update.belief = update.belief.with_looks(kept((*looks, sight)))
    else:
        if not looks and belief.phase == "battle" and table == faces(best_state(belief)):
            update.belief = replace(update.belief, touched=True)
        # Where a stack is in doubt, so is what was carried along: it does not tell how a battle ended.
        passed_over = belief.present.passed_over or (bool(never_clear(looks)) and _something_new(update.belief))
        understood = soon or update.carry_doubt()
        strange = not understood and _something_new(update.belief)
        passed_over = passed_over or strange
        heap = update.belief.present.heap
        if strange and (heap is None or not all(map(is_part, lying(looks), heap))):
            heap = lying(looks)
        update.belief = replace(
            update.belief,
            present=PresentTable(
                (sight,),
                update.t,
                passed_over=passed_over,
                stale=update.belief.present.stale,
                settled=_kept(update.belief),
                back=update.belief.present.back,
                heap=heap,
            ),
            taken_up=_still_taken_up(update.belief, table, update.t),
            questions=_lasting(update.belief),
        )
    if soon and belief.glimpse is not None and belief.phase in ("over", "won"):
        # What seemed gathered in lies there still.
        update.belief = replace(update.belief, ending=_as_before(belief.ending, belief.glimpse.before))
    update.belief = replace(update.belief, glimpse=glimpsed(belief, table, update.t))
    attend(update)
    return update.verdict()


def _as_first_laid(belief: Belief, sight: Sight) -> Sight:
    """The sight as the battle was begun, if the whole table was turned round since, boards and cards."""
    state = best_state(belief)
    if belief.phase == "setup" or sight.order is None or sight.order != state.order[::-1]:
        return sight
    lay, round_sight = faces(state), turned_round(sight)

    def alike_stacks(look: Sight) -> int:
        return sum(look.board[place] == column for place, column in zip(PLACES, lay, strict=True))

    return round_sight if alike_stacks(round_sight) > alike_stacks(sight) else sight


def _as_before(ending: BattleEnd, before: Belief) -> BattleEnd:
    """The end of the battle with what lay there of its cards as it was believed then."""
    old = before.ending
    over = before.phase in ("over", "won")
    return replace(ending, remains=old.remains, begun=old.begun, shown=old.shown) if over else ending


def _still_taken_up(belief: Belief, table: Faces, t: float) -> TakenUp | None:
    """What was taken up, if `table` at `t` seconds may go on with gathering in."""
    taken = belief.taken_up
    if taken is None:
        return None
    before = faces(best_state(belief))
    fewer = table != before and all(is_part(column, pile) for column, pile in zip(table, before, strict=True))
    if not fewer or taken.more:
        return taken
    pause = t - taken.since
    soon = pause <= belief.policy.gathering_soon
    return replace(taken, more=True, soon=soon) if pause <= belief.policy.gathering else None


def _something_new(belief: Belief) -> bool:
    """Whether the looks so far, which were not understood, show more than cards taken away."""
    if not belief.present.looks or belief.phase != "battle" or belief.present.stale is not None:
        return False
    lay, table = faces(best_state(belief)), lying(belief.present.looks)
    if none_laid(lay, table):
        return False
    told = belief.mistake.told_table
    if told is not None and all(map(is_part, table, told)):
        # The card that is new was told as a mistake.
        return False
    stands = belief.mistake.stands
    if stands is not None and all(map(is_part, table, faces(stands.state))):
        # It is understood if that mistake is let stand.
        return False
    rest = map(iter, _with_lost(belief.hyps[0], lay))
    return any(face not in pile for pile, column in zip(rest, table, strict=True) for face in column)


def _with_lost(hyp: Hypothesis, lay: Faces) -> Faces:
    """The stacks with the card that was laid last and destroyed, for it may lie there still."""
    last = hyp.path[-1] if hyp.path else None
    before = hyp.path[-2].state if len(hyp.path) > 1 else hyp.base
    move = None if last is None else last.move
    if last is None or move is None or move.to is None or move.do not in ("deploy", "improvise"):
        return lay
    if last.state.piles != before.piles:
        return lay
    at = PLACES.index((move.to, move.by))
    face = FACE_DOWN if move.do == "improvise" else str(move.card)
    return (*lay[:at], (*lay[at], face), *lay[at + 1 :])


def _kept(belief: Belief) -> tuple[Settled, ...]:
    """What need not be said again although the table has changed."""
    return tuple(entry for entry in belief.present.settled if entry.lasting)


def _lasting(belief: Belief) -> tuple[Unsure, ...]:
    """Questions that stay open although the table has changed."""
    lasting = ("which-line", "undo", "who-withdrew", "which-card")
    return tuple(asked for asked in belief.questions if asked.question in lasting)
