"""What people, buttons and the host tell the referee, as opposed to what the camera sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.battle import play
from engine.events import (
    Answer,
    Closed,
    Concede,
    Correct,
    Corrected,
    Done,
    Input,
    LetStand,
    Redo,
    Tick,
    Undo,
    Unsure,
    Withdraw,
)
from engine.failure import Failure
from engine.legality import is_optional
from engine.moves import Move
from engine.names import SEATS, Seat, other, parse_seat
from engine.places import PLACES, parse_spot
from engine.referee.belief import (
    Belief,
    UndoPreview,
    best_state,
    disputed,
    faces,
    fresh,
    revealing,
    tellable,
    war_winner,
)
from engine.referee.belief_parts import UNDO_AGREED
from engine.referee.confidence import StackIndex
from engine.referee.corrected_state import corrected, laid
from engine.referee.decide import decide
from engine.referee.endings import (
    UNSEEN_AT_CLOSE,
    before_taken_back,
    closing_lines,
    endings,
    gathered,
    withdrawal_by_word,
    withdrawals,
)
from engine.referee.glimpses import attend
from engine.referee.hypothesis import Faces, Hypothesis
from engine.referee.looks import columns, place_of
from engine.referee.referee import Referee
from engine.referee.search import UNSEEN_COST, Step
from engine.referee.undo import made_again, taken_back_by_word
from engine.referee.update import Verdict
from engine.sight import SeenCard, Sight
from engine.state import State


def tell(belief: Belief, told: Input, t: float) -> Verdict:
    """What an input means. Raises `Failure` for an undo, redo, answer or correction that cannot be done."""
    lying = belief.present.looks or belief.differences or belief.boards or belief.misplaced
    waiting = lying or belief.ending.due or belief.line_question
    if isinstance(told, Tick) and not waiting:
        return Verdict(belief)
    by_word = not isinstance(told, Tick | Closed)
    update = Referee(replace(belief, returned=False, glimpse=None) if by_word else belief, t)
    match told:
        case Tick():
            attend(update)
        case Done(by):
            _done(update, by)
        case Withdraw(by):
            _withdraw(update, by)
        case Concede(by, war):
            _concede(update, by, war)
        case Answer(number, key):
            _answer(update, number, key)
        case Undo():
            _undo(update, told)
        case Redo():
            _redo(update)
        case LetStand():
            if belief.mistake.violation is None:
                raise Failure("no-violation", "Nothing lies there against the rules.", "Correct the table instead.")
            _let_stand(update)
        case Correct():
            _correct(update, told)
        case Closed():
            _closed(update)
    return update.verdict()


def preview(belief: Belief, told: Undo | Redo) -> UndoPreview:
    """What an undo or redo would do, before it is done; raises `Failure` where there is nothing to do."""
    if isinstance(told, Undo):
        length = _kept_steps(belief, told.moves)
        best = belief.hyps[0]
        gone = best.path[length:]
        kept = best.path[:length]
        left = len(tellable(Hypothesis(0.0, best.base, kept)))
        state = kept[-1].state if kept else best.base
        return UndoPreview(belief.told[left:], state, revealing(gone), _score_with(belief, state))
    hyp = _redoable(belief)
    return UndoPreview(tuple(entry.move for entry in tellable(hyp)), hyp.state, False, _score_with(belief, hyp.state))


def _score_with(belief: Belief, state: State) -> Mapping[Seat, int]:
    """The war's points if this battle stood at `state`."""
    war = belief.war if belief.conceded is None else belief.war._replace(before=belief.conceded)
    return war.with_line(belief.hyps[0].base, (), state).score


def preview_undo(belief: Belief, moves: int = 1) -> UndoPreview | None:
    """What an undo would take back; None where there is nothing."""
    return preview(belief, Undo(moves)) if belief.told else None


def preview_redo(belief: Belief) -> UndoPreview | None:
    """What a redo would make again; None where nothing was undone."""
    return preview(belief, Redo()) if belief.undone is not None else None


def _redoable(belief: Belief) -> Hypothesis:
    if belief.undone is None:
        raise Failure("nothing-to-redo", "Nothing was undone.", "Undo first.")
    return belief.undone


def _kept_steps(belief: Belief, moves: int) -> int:
    """How many steps of the likeliest line stay if so many told moves go."""
    if moves < 1 or not belief.told:
        raise Failure("nothing-to-undo", "There is no move to take back.", "Correct the table instead.")
    best = belief.hyps[0]
    keep = max(len(belief.told) - moves, 0)
    for length in range(len(best.path) - 1, -1, -1):
        if len(tellable(Hypothesis(0.0, best.base, best.path[:length]))) <= keep:
            return before_taken_back(best, length)
    return 0


def _done(update: Referee, by: Seat) -> None:
    """The short press: yes to a question that has a yes, else the effect that is open is declined."""
    for asked in update.belief.questions:
        if any(option.key == "yes" for option in asked.options):
            _answer(update, asked.id, "yes")
            return
    declined: list[Hypothesis] = []
    for hyp in update.belief.hyps:
        if hyp.state.turn == by and is_optional(hyp.state):
            move = Move("decline", by)
            declined.append(replace(hyp, path=(*hyp.path, Step(move, "told", play(hyp.state, move)))))
    if not declined:
        update.notice("not-now", seat=by)
        return
    update.adopt(declined)
    update.tell_moves()
    update.finished()
    update.end_told()
    update.settle()


def _withdraw(update: Referee, by: Seat) -> None:
    ended = withdrawals(update.belief, by) if update.may_withdraw(by) else []
    if not ended:
        update.notice("not-now", seat=by)
        return
    update.quiet()
    update.end_with(ended)


def _concede(update: Referee, by: Seat, war: bool) -> None:
    """The battle or the war is given up; raises `Failure` (`battle-over`, `war-over`) where none goes on."""
    if war_winner(update.belief) is not None:
        raise Failure("war-over", "The war is over.", "Begin a new one.")
    if update.belief.phase in ("setup", "battle"):
        # Nothing is taken for granted with it, such as a declined effect: an undo would leave that standing.
        known = [hyp.path for hyp in update.belief.hyps]
        at_once = [line for line in withdrawals(update.belief, by) if line.path[:-1] in known]
        update.quiet()
        update.end_with(at_once or [withdrawal_by_word(update.belief, by)])
    elif not war:
        raise Failure("battle-over", "No battle goes on.", "Begin the next one.")
    belief = update.belief
    if not war or war_winner(belief) is not None:
        return
    update.end_told()
    points = {**belief.score, other(by): belief.war.target}
    counted = belief.current_war.correct_score(points["near"], points["far"])
    update.belief = replace(
        update.belief,
        war=belief.war._replace(before=counted.before),
        conceded=belief.war.before,
        phase="won",
    )
    update.events.append(Corrected(best_state(update.belief), "set", update.belief.score))
    update.notice("war-over", seat=other(by))


def _question(update: Referee, number: int) -> Unsure:
    for asked in update.belief.questions:
        if asked.id == number:
            return asked
    raise Failure("no-such-question", "That question is not open any more.", "Look at the page again.")


def _answer(update: Referee, number: int, key: str) -> None:
    asked = _question(update, number)
    if asked.options and key not in [option.key for option in asked.options]:
        raise Failure("no-such-answer", f"{key} is no answer to that question.", "Choose one of the answers shown.")
    update.belief = replace(
        update.belief, questions=tuple(other for other in update.belief.questions if other.id != number)
    )
    if key == "let-stand":
        _let_stand(update)
    elif key == "none":
        # The players will put it right, or the next table tells.
        return
    elif key == "new-battle":
        _new_battle(update)
    elif asked.question == "undo" and key == "yes":
        update.settle_for(UNDO_AGREED)
        if not update.belief.present.looks:
            return
        update.settle()
        present = update.belief.present
        once = tuple(entry for entry in present.settled if entry != UNDO_AGREED)
        update.belief = replace(update.belief, present=replace(present, settled=once))
    elif asked.question == "lines-dropped" and key == "yes":
        update.belief = replace(update.belief, hyps=(replace(update.belief.hyps[0], cost=0.0),), complete=True)
    elif asked.question == "lines-dropped":
        return
    elif asked.question == "undo":
        update.leave_lying(update.table())
    elif asked.question == "which-card" and _known_now(update, str(asked.parts["at"]), key):
        return
    elif asked.question == "which-card" and key == "not-ours":
        _not_ours(update, str(asked.parts["at"]))
    elif asked.question == "which-card":
        update.belief = update.belief.with_looks(_fixed(update.belief.present.looks, str(asked.parts["at"]), key))
        update.settle()
    elif asked.question == "different-card":
        _which_was_right(update, asked, key)
    elif asked.question == "who-withdrew":
        _who_withdrew(update, key)
    elif asked.question == "which-line":
        update.belief = replace(update.belief, hyps=(update.belief.hyps[int(key)],))
        update.tell_moves()


def _stack_index(where: str) -> StackIndex:
    """The stack and the card in it that `place_name` wrote."""
    spot = parse_spot(where)
    return PLACES.index(spot.place), spot.index


def _known_now(update: Referee, where: str, face: str) -> bool:
    """A card that the lines take for different ones is what a person says: the others are dropped."""
    at, nth = _stack_index(where)
    right = [hyp for hyp in update.belief.hyps if faces(hyp.state)[at][nth : nth + 1] == (face,)]
    if not right or (at, nth) not in disputed(update.belief.hyps):
        return False
    update.adopt(right)
    update.begun()
    update.tell_moves()
    update.finished()
    return True


def _which_was_right(update: Referee, asked: Unsure, key: str) -> None:
    old = str(asked.parts["card"])
    new = next(option.key for option in asked.options if option.key not in (old, "none"))
    if key == old:
        # The reader errs; from now on that reading means this card.
        update.belief = replace(update.belief, misread=(*update.belief.misread, (new, old)))
        update.settle()
    elif not update.renamed(old, new):
        # No line has it so: the two cards change places on the table as it is believed, and nothing else does.
        swap = {old: new, new: old}
        known = faces(best_state(update.belief))
        board = {p: tuple(swap.get(face, face) for face in pile) for p, pile in zip(PLACES, known, strict=True)}
        _correct(update, Correct(board=board))


def _who_withdrew(update: Referee, key: str) -> None:
    if key == "nobody":
        update.leave_lying(update.table())
        return
    if key == "played-out":
        ended = endings(update.belief, withdrawal=False)
    else:
        seat, _, points = key.partition("-")
        by = parse_seat(seat)
        ended = withdrawals(update.belief, by, int(points) if points else None) or [
            withdrawal_by_word(update.belief, by)
        ]
    table, present, ending = update.table(), update.belief.present, update.belief.ending
    update.quiet()
    update.end_with(ended)
    if not any(table):
        update.next_battle()
    elif ending.begun is not None:
        # The next battle's first cards lie there already.
        update.left_over(ending.remains, ending.begun)
        update.put_looks(present.looks, present.since)
        if ending.begun == table and update.belief.phase == "over":
            update.start_next()
        update.settle()
        _begun_unseen(update)


def _fixed(looks: tuple[Sight, ...], where: str, face: str) -> tuple[Sight, ...]:
    """The looks with one card read as a person says; what else they doubt stays in doubt."""
    at, nth = _stack_index(where)
    column = list(columns(looks, at)[-1])
    # The card may be one that the reader saw and could not read: then it lies on top.
    way = column[nth].wrong_way if nth < len(column) else False
    column[nth:] = [SeenCard(face, 1.0, (), way), *column[nth + 1 :]]
    made = []
    for look in looks:
        notes = tuple(note for note in look.notes if note.at not in (where, place_of(at)))
        made.append(Sight(look.order, {**look.stacks, PLACES[at]: tuple(column)}, not notes, notes))
    return tuple(made)


def _not_ours(update: Referee, where: str) -> None:
    """What was read there is no card of this deck."""
    at, nth = _stack_index(where)
    looks = []
    for look in update.belief.present.looks:
        column = look.stacks.get(PLACES[at], ())
        notes = tuple(note for note in look.notes if note.at not in (where, place_of(at)))
        stacks = {**look.stacks, PLACES[at]: (*column[:nth], *column[nth + 1 :])}
        looks.append(Sight(look.order, stacks, not notes, notes))
    foreign = tuple(sorted({*update.belief.foreign, place_of(at)}))
    update.belief = replace(update.belief.with_looks(looks), foreign=foreign)
    update.settle()


def _new_battle(update: Referee) -> None:
    """The players say that a new battle has begun: the last one ended with a withdrawal, whoever's that was."""
    belief = update.belief
    ended = gathered(belief) if belief.phase == "battle" else []
    if belief.phase == "battle" and not ended:
        update.notice("not-now", seat=best_state(belief).turn or "near")
        return
    looks, since = belief.present.looks, belief.present.since
    update.explained()
    if ended:
        update.end_with(ended)
    update.put_looks(looks, since)
    if looks:
        update.start_next()
        update.settle()
        _begun_unseen(update)
    else:
        update.next_battle()


def _begun_unseen(update: Referee) -> None:
    """More cards of the new battle lie there than can be followed: it goes on from them."""
    if update.belief.phase == "setup" and update.belief.present.looks and any(update.table()):
        lines = decide(update.belief).doubted
        if lines and all(hyp.path[-1].kind == "set" for hyp in lines):
            update.go_on_from_here(lines)


def _undo(update: Referee, told: Undo) -> None:
    """Taken back by word. The cards still lie there: that table is not taken for new moves until it changes."""
    belief = update.belief
    length = _kept_steps(belief, told.moves)
    best = belief.hyps[0]
    before, looks, since = faces(best.state), belief.present.looks, belief.present.since
    lying = belief.seen or before
    line = belief.taken_back if belief.taken_back is not None and belief.present.stale == lying else best
    update.quiet()
    update.back_to(taken_back_by_word(belief, length), len(best.path) - length)
    meant = faces(best_state(update.belief))
    if lying == meant:
        return
    if before == meant and looks:
        # What was taken back left no trace, so the table that lies there otherwise may be what is played instead.
        update.belief = replace(update.belief, present=replace(update.belief.present, looks=looks, since=since))
        update.settle()
    else:
        update.leave_lying(lying)
        update.lies_still(line, lying)


def _redo(update: Referee) -> None:
    belief = update.belief
    undone = _redoable(belief)
    lying: Faces | None = belief.seen
    line = belief.taken_back
    update.belief = replace(belief, taken_back=None)
    update.quiet()
    update.adopt(made_again(belief, undone))
    update.begun()
    update.tell_moves()
    update.finished()
    update.undone_before()
    if lying is not None and lying != faces(best_state(update.belief)):
        update.leave_lying(lying)
        if line is not None:
            update.lies_still(line, lying)


def _let_stand(update: Referee) -> None:
    """The table as it lies becomes the state."""
    mistake, table = update.belief.mistake, update.table()
    stands = mistake.stands
    if stands is not None and mistake.illegal == table:
        # What was played on from there was taken back again.
        made = next(nth for nth in range(len(stands.path), 0, -1) if stands.path[nth - 1].kind == "set")
        stands = replace(stands, path=stands.path[:made])
    elif stands is None or faces(stands.state) != table:
        # What was told is older than the table that lies there now.
        best = update.belief.hyps[0]
        stands = replace(best, path=(*best.path, Step(None, "set", laid(best.state, table))))
    _set_to(update, stands, "let-stand")


def _set_to(update: Referee, hyp: Hypothesis, how: str, score: Mapping[Seat, int] | None = None) -> None:
    update.quiet()
    update.reopened()
    told = update.belief.told
    update.belief = replace(update.belief, hyps=(replace(hyp, cost=0.0),), undone=None, taken_back=None, complete=True)
    # Legal moves before the step that was let stand are told as moves, what was set is told as a correction.
    now = tellable(update.belief.hyps[0])
    if [entry.move for entry in now[: len(told)]] == list(told):
        for entry in now[len(told) :]:
            update.events.append(entry.event)
    update.belief = replace(update.belief, told=tuple(entry.move for entry in now))
    if update.belief.phase == "setup" and any(faces(hyp.state)):
        update.begun()
    update.events.append(Corrected(hyp.state, "let-stand" if how == "let-stand" else "set", score))
    update.finished()


def _correct(update: Referee, told: Correct) -> None:
    belief = update.belief
    if told.score is not None:
        near, far = (told.score.get(seat, belief.score[seat]) for seat in SEATS)
        over = belief.phase in ("over", "won")
        counted = (belief.current_war if over else belief.war).correct_score(near, far)
        update.belief = replace(update.belief, war=belief.war._replace(before=counted.before))
        if over:
            update.belief = replace(update.belief, phase="over" if counted.winner is None else "won")
        update.belief = replace(update.belief, conceded=None)
    score = None if told.score is None else update.belief.score
    state = best_state(update.belief)
    if replace(told, score=None) == Correct():
        update.events.append(Corrected(state, "set", score))
        return
    if replace(told, score=None, order=None, first=None) == Correct() and not any(state.piles):
        order = told.order or state.order
        first = told.first or belief.first
        update.belief = replace(
            update.belief, hyps=fresh(belief.edition, order, first), first=first, expected_order=order
        )
        update.events.append(Corrected(best_state(update.belief), "set", score))
        return
    made = corrected(state, told)
    best = update.belief.hyps[0]
    _set_to(update, replace(best, path=(*best.path, Step(None, "set", made))), "set", score)
    if told.first is not None:
        update.belief = replace(update.belief, first=told.first)
    lying = update.belief.seen
    if lying is not None and lying != faces(made):
        update.leave_lying(lying)


def _closed(update: Referee) -> None:
    """The source has ended: what lies there is acted upon, and what is open and optional is declined."""
    update.settle(closing=True)
    update.look_again = False
    update.end_told()
    belief = update.belief
    if belief.phase not in ("battle", "setup") or belief.mistake.violation is not None or belief.present.looks:
        return
    if belief.phase == "battle":
        played = endings(belief, withdrawal=False)
        if played and played[0].cost <= UNSEEN_AT_CLOSE * UNSEEN_COST:
            # A source that ends of itself ends with the battle: what is missing to that was destroyed unseen.
            update.end_with(played)
            update.end_told()
            return
    lines = closing_lines(belief)
    if any(len(line.path) > len(hyp.path) for line, hyp in zip(lines, belief.hyps, strict=True)):
        update.adopt(lines)
        update.tell_moves()
    update.finished()
    update.end_told()
    state = best_state(update.belief)
    if update.belief.phase == "battle" and state.pending is not None and state.turn is not None:
        update.notice("effect-open", effect=state.pending, seat=state.turn)
