"""The referee: what the table that lies there means, and what is made of it.

`observe` (`new_sight.py`) hands it what the camera sees, `tell` (`inputs.py`) what people and buttons say and the time
that passes. Nothing is remembered outside the belief.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.battle import play
from engine.events import Mend, Option, Violation
from engine.legality import explain
from engine.names import Face
from engine.places import PLACES
from engine.referee.belief import agreed, best_state, faces, tellable
from engine.referee.belief_parts import UNDO_AGREED, LineQuestion, Settled, ToldMistake
from engine.referee.between_battles import turned_over
from engine.referee.confidence import wrong_way
from engine.referee.decide import decide, unread
from engine.referee.decision import Decision
from engine.referee.endings import destroyed_lines, endings, gives_all, outcomes, taken_back
from engine.referee.gathering import hands_dealt, opens
from engine.referee.hypothesis import Faces, Hypothesis, TakenUp
from engine.referee.looks import differ, never_clear, place_of
from engine.referee.rivals import begun_otherwise, let_stand, other_first, otherwise
from engine.referee.search import Step
from engine.referee.taken_back import TakenBackMoves
from engine.referee.tolerance import left_beside_another
from engine.sight import sight_of

LINES_APART: Final = 0.7
"""Two lines less apart than this are as likely as each other."""
UNDONE_AFTER_ALL_COST: Final = 2.0
"""What looked like a move taken back and another one made was neither."""
UNSEEN_MOST: Final = 2
"""More silent moves than this between two tables are not taken for granted, even if nothing else explains them."""
LINES_ASKED: Final = 4
UNEXPLAINED_OPTIONS: Final = (Option("let-stand"), Option("new-battle"), Option("none"))


class Referee(TakenBackMoves):
    """An update that decides what the table means."""

    def settle(self, closing: bool = False) -> None:
        """Acts on the looks at the present table if they have waited long enough. `closing`: nothing more will come."""
        if self.end_settled():
            self.end_told()
        self._line_asked()
        self.boards_told()
        self.misplaced_told()
        if self.ended_unwatched(decide):
            return
        belief = self.belief
        if not belief.present.looks:
            self.differences_told(belief.differences)
            return
        table = self.table()
        unshaped = never_clear(belief.present.looks)
        if belief.present.stale is not None:
            if not differ(belief.present.looks, belief.present.stale, table):
                return
            if self.being_taken_off(belief.present.stale, table):
                return
        self.gathered_after_all(table)
        if belief.phase == "setup" and not any(table) and not unread(belief):
            self.look_again |= bool(unshaped)
            if not unshaped:
                self.left_over(None)
                self.explained()
            return
        if self.put_back(table) or self.put_away(table):
            return
        if belief.is_asked("who-withdrew") and any(table) and self.unanswered(table):
            # Nobody answered, and the next battle has begun: cards that were left in hand made it a withdrawal, but for
            # one that gives as much as the whole battle: then the last card was rather laid and destroyed unseen, if
            # all that was seen before is understood.
            ended = endings(belief, withdrawal=True) or self.cut_short()
            if ended:
                vain = not belief.present.passed_over
                ended.sort(key=lambda hyp: _not_withdrawn(hyp) or (vain and gives_all(hyp.state)))
                looks, since = self.belief.present.looks, self.belief.present.since
                self.explained()
                self.end_with(ended)
                self.put_looks(looks, since)
                self.start_next()
        if belief.phase in ("over", "won") and any(table) and not unshaped and self.next_begun(table):
            self._first_turned_over(belief.ending.remains, table)
            belief = self.belief
        if belief.phase == "battle" and any(table) and not unshaped:
            self.battle_left(table)
            belief = self.belief
        decision = self._decided()
        waited = self.t - belief.present.since
        self.look_again = decision.overlooked or not decision.ready
        lying_so = len(self.belief.differences)
        self.differences_told(decision.differences)
        if len(self.belief.differences) < lying_so:
            # One of them was let stand: the table lies as the state has it now.
            decision = decide(self.belief)
        if not decision.ready and not (closing and decision.likely):
            if waited >= (belief.policy.overlooked if decision.patient else belief.policy.doubt):
                self._doubted(decision)
            return
        if waited < decision.wait and not (closing and decision.kind != "lifted"):
            return
        going_on = decision.overlooked and decision.kind in ("same", "moves") and not closing
        if going_on and decision.kind == "same" and self._nothing_to_say(decision):
            self.table_known()
            return
        self._act(decision, closing)
        if going_on and self.belief.phase in ("setup", "battle"):
            # Something may have been overlooked: this table is looked at further.
            self.put_looks(belief.present.looks, belief.present.since)
            self.table_known()

    def _decided(self) -> Decision:
        """What the table means; a card that was told as one to destroy may be left lying, and the next one as well."""
        decision = decide(self.belief)
        further = None if decision.kind in ("same", "moves") else left_beside_another(self.belief, decide)
        if further is None:
            return decision
        self.differ(further.differences)
        self.adopt(further.hyps)
        self.tell_moves()
        return decide(self.belief)

    def _first_turned_over(self, before: Faces | None, table: Faces) -> None:
        """A card that lay there alone and was turned over was the first of this battle, and not left of the last."""
        looks, since = self.belief.present.looks, self.belief.present.since
        if before is None or not turned_over(before, table) or not opens(self.belief.hyps, before):
            return
        self.belief = self.belief.with_looks([sight_of(dict(zip(PLACES, before, strict=True)), looks[-1].order)])
        self.settle()
        self.put_looks(looks, since)

    def _nothing_to_say(self, decision: Decision) -> bool:
        """Whether a table that lies as it lay, with a stack in doubt, leaves all as it is."""
        belief = self.belief
        told = belief.mistake.told_table
        if told is not None:
            unshaped = {place_of(at) for at in never_clear(belief.present.looks)}
            lay = faces(best_state(belief))
            wrong = {place_of(at) for at, (a, b) in enumerate(zip(told, lay, strict=True)) if a != b}
            # What was wrong may have been overlooked.
            return bool(wrong & unshaped)
        untold = [entry.move for entry in agreed(decision.hyps)] != list(belief.told)
        return not untold and wrong_way(belief) is None

    def carry_doubt(self) -> bool:
        """The table has changed before it was read with certainty: every line that it may show is kept, untold.

        Whether what was new on it is understood all the same.
        """
        belief = self.belief
        if not belief.present.looks or belief.phase not in ("setup", "battle") or belief.present.stale is not None:
            return False
        if self.cards_of_another_war or (not any(self.table()) and not unread(belief)):
            return False
        decision = decide(belief, carrying=True)
        back = decision.moves_back if decision.kind == "undo" and decision.at == "" else 0
        self.belief = replace(self.belief, present=replace(self.belief.present, back=max(back, belief.present.back)))
        if decision.let_stand:
            # Play goes on from the mistake: what was seen of it counts if it is let stand.
            self.belief = replace(self.belief, mistake=replace(self.belief.mistake, stands=decision.hyps[0]))
            return True
        if decision.wrong is not None and decision.wrong.violation.code == "should-be-destroyed":
            return self._lost_before_told(decision.wrong.violation)
        if decision.kind == "unexplained" and decision.doubted:
            # Play may go on from there.
            self.belief = self.belief.with_rivals((*self.belief.mistake.rivals, *decision.doubted))
        held = decision.kind == "moves" and not decision.ready
        if decision.doubted and (held or (decision.overlooked and decision.kind in ("same", "moves"))):
            self.adopt(decision.doubted, decision.complete)
        return False

    def _doubted(self, decision: Decision) -> None:
        """A reading stays doubtful: the players are asked."""
        if decision.kind == "seen-twice":
            self._seen_twice(decision)
        elif decision.kind == "different" and decision.options:
            self._different(decision)
        elif decision.kind == "unexplained":
            if self.t - self.belief.present.since >= decision.wait:
                self.ask("unexplained", UNEXPLAINED_OPTIONS)
        elif decision.at and len(decision.options) > 1:
            options = [Option(face, {"card": face}) for face in decision.options[:6]]
            options += [Option("not-ours"), Option("none")]
            self.ask("which-card", options, {"at": decision.at}, about=decision.at)

    def _act(self, decision: Decision, closing: bool) -> None:
        kind = decision.kind
        if kind in ("same", "moves"):
            self._moved(decision)
        elif kind == "undo":
            self._undone(decision)
        elif kind == "cleared":
            self._cleared(decision, closing)
        elif kind == "wrong" and decision.wrong is not None:
            self._wronged(decision)
        elif kind == "lifted":
            self.notice_once("card-lifted", decision.at, at=decision.at)
        elif kind == "clearing" and not closing and best_state(self.belief).result is None:
            self.ask("cards-missing", UNEXPLAINED_OPTIONS, about="table")
        elif kind == "seen-twice":
            self._seen_twice(decision)
        elif kind == "different":
            self._different(decision)
        elif kind == "unexplained" and decision.hyps:
            self.go_on_from_here(decision.hyps)
        elif kind == "unexplained" and not closing:
            self.ask("unexplained", UNEXPLAINED_OPTIONS)

    def _moved(self, decision: Decision) -> None:
        astray = wrong_way(self.belief)
        round_told = Settled("wrong-way-round", str(astray.parts["at"]) if astray else "", lasting=True)
        if astray is not None and round_told not in self.belief.present.settled:
            if decision.kind == "same":
                return self._tell_violation(astray, None)
            if self.t - self.belief.present.since < self.belief.policy.wrong_move:
                return None
            self._tell_violation(astray, decision.hyps[0])
            self.settle_for(round_told)
            return None
        if (
            astray is not None
            and self.belief.mistake.violation is not None
            and self.belief.mistake.illegal == self.table()
        ):
            return None
        if self.belief.phase == "battle":
            self.left_over(None)
        starting = self.belief.phase == "setup"
        begun = begun_otherwise(self.belief) if decision.kind == "moves" and starting else ()
        if decision.let_stand:
            self.let_ignored_stand()
        rivals = begun or otherwise(self.belief, decision)
        ignored = () if rivals else let_stand(self.belief, decision, self.table())
        mistake = self.belief.mistake
        stood = _set_steps(decision.hyps[0]) > _set_steps(self.belief.hyps[0]) if decision.hyps else False
        before = len(self.belief.hyps[0].path)
        lost = self._destroyed_after_all() if decision.kind == "same" else None
        self.differ(decision.differences)
        self.explained()
        if decision.kind == "same" and mistake.violation is None:
            # Another look at the same table says nothing against the less likely lines.
            self.belief = self.belief.with_rivals(mistake.rivals, mistake.in_rivals)
        if lost is not None:
            self.adopt(lost)
            self.begun()
            self.tell_moves()
            self.finished()
        elif decision.kind == "moves":
            dealt = self.belief.present.since if starting and hands_dealt(decision.hyps[0]) else None
            self.belief = replace(self.belief, taken_up=self._held(decision), touched=False, dealt=dealt)
            self.reopened()
            self.adopt(decision.hyps, decision.complete)
            self.begun()
            if starting:
                self.order_checked()
            self.unseen_told(before)
            if stood and not decision.let_stand:
                self.stood_told(mistake.in_rivals)
            self.tell_moves()
            self.finished()
            self._which_line(before)
            if decision.differences and decision.doubted:
                self.belief = self.belief.with_rivals(decision.doubted, decision.in_doubted)
            elif ignored:
                self.belief = self.belief.with_rivals(ignored, mistake.violation)
            elif rivals:
                self.belief = self.belief.with_rivals(rivals)
        elif decision.hyps and self.belief.phase in ("setup", "battle"):
            self.adopt(decision.hyps, decision.complete)
            if best_state(self.belief) != self.belief.hyps[0].base:
                self.begun()
            self.tell_moves()
            self.finished()
        return None

    def _held(self, decision: Decision) -> TakenUp | None:
        """The lines before a card was taken back by an effect: it may have been the first that is gathered in."""
        last = decision.hyps[0].path[-1].move
        if last is None or last.do != "return" or len(decision.hyps[0].path) <= len(self.belief.hyps[0].path):
            return None
        return TakenUp(self.belief.hyps, self.belief.present.since)

    def _lost_before_told(self, violation: Violation) -> bool:
        """A card that had to be destroyed lay there so briefly that it was not told: it was rather lost than taken
        back. Whether some line has it so."""
        belief = self.belief
        if belief.mistake.violation is not None:
            return False
        lines = destroyed_lines(replace(belief, mistake=replace(belief.mistake, violation=violation)))
        if lines:
            self.adopt([*lines, *taken_back(belief.hyps, violation)])
        return bool(lines)

    def _destroyed_after_all(self) -> list[Hypothesis] | None:
        """The lines if a card that had to be destroyed was taken off the table: played, and rarely taken back."""
        lines, told = destroyed_lines(self.belief), self.belief.mistake.violation
        return [*lines, *taken_back(self.belief.hyps, told)] if lines and told is not None else None

    def _which_line(self, before: int) -> None:
        """Notes when to ask, if lines are as likely as each other and differ in what comes next, or if much must have
        been unseen: mostly the next table tells.

        `before` is how many steps the likeliest line had at the last table.
        """
        much = sum(step.kind == "silent" for step in self.belief.hyps[0].path[before:]) > UNSEEN_MOST
        asked = self.belief.phase == "battle" and len(self._lines_apart(much)) > (0 if much else 1)
        question = LineQuestion(self.t + self.belief.policy.overlooked, much) if asked else None
        self.belief = replace(self.belief, line_question=question)

    def _lines_apart(self, much: bool) -> list[Option]:
        hyps = self.belief.hyps
        near = [hyp.state for hyp in hyps[1:] if much or hyp.cost - hyps[0].cost <= LINES_APART]
        options: dict[tuple[object, ...], Option] = {}
        for nth, s in enumerate([hyps[0].state, *near]):
            key = (s.turn, s.pending, s.hand_sizes["near"], s.hand_sizes["far"])
            parts = {"turn": s.turn or "", "near": s.hand("near").size, "far": s.hand("far").size}
            options.setdefault(key, Option(str(nth), parts))
        return list(options.values())[:LINES_ASKED]

    def _line_asked(self) -> None:
        """Asks which line was played once no table has told for long."""
        belief = self.belief
        question = belief.line_question
        if question is None or self.t < question.due or belief.phase != "battle":
            return
        self.belief = replace(self.belief, line_question=None)
        options = self._lines_apart(question.much_unseen)
        if len(options) > 1 or question.much_unseen:
            self.ask("which-line", options)

    def _undone(self, decision: Decision) -> None:
        best = self.belief.hyps[0]
        length = len(best.path) - decision.moves_back
        if decision.reveals and UNDO_AGREED not in self.belief.present.settled:
            gone = len(self.belief.told) - len(tellable(Hypothesis(0.0, best.base, best.path[:length])))
            self.ask("undo", (Option("yes"), Option("no")), {"moves": gone})
            return
        going_on = len(decision.hyps[0].path) > length
        cut = (Hypothesis(0.0, best.base, best.path[:length]),) if going_on else decision.hyps
        before = tuple(replace(hyp, cost=hyp.cost + UNDONE_AFTER_ALL_COST) for hyp in self.belief.hyps)
        taken = self.belief.taken_up or TakenUp(self.belief.hyps, self.belief.present.since)
        self.differ(decision.differences)
        self.explained()
        self.back_to(cut, decision.moves_back)
        if not going_on:
            self.belief = replace(self.belief, taken_up=taken)
        else:
            self.adopt(decision.hyps)
            self.begun()
            self.tell_moves()
            self.finished()
            if self.belief.phase == "battle":
                # It may have been no other move, but the effect of that one, used in another order.
                self.belief = self.belief.with_rivals(before)

    def _cleared(self, decision: Decision, closing: bool) -> None:
        if self.belief.phase in ("over", "won"):
            self.explained()
            self.next_battle()
            return
        if not decision.hyps or not decision.agreed:
            self.ask("who-withdrew", outcomes(decision.hyps))
            if not decision.hyps or not closing or self.belief.returned:
                return
        # Nobody is there to answer any more: cards left in hand make it a withdrawal (contracts.md 3.4).
        ended = list(decision.hyps) if decision.agreed else sorted(decision.hyps, key=_not_withdrawn)
        self.explained()
        self.end_with(ended)
        self.next_battle()

    def _wronged(self, decision: Decision) -> None:
        wrong = decision.wrong
        assert wrong is not None
        root = self.belief.hyps[wrong.tag]
        path = (*root.path, *wrong.steps, Step(None, "set", wrong.stands))
        violation, stands = wrong.violation, Hypothesis(0.0, root.base, path)
        begun = other_first(self.belief, violation.move) if violation.code == "out-of-turn" else ()
        if begun:
            (line,) = begun
            mend = Mend("exchange-commanders", {"first": root.base.first})
            violation = replace(violation, mend=(*violation.mend, mend))
            stands = Hypothesis(0.0, line.base, (Step(None, "set", line.base), *line.path))
        self._tell_violation(violation, stands, (*decision.doubted, *begun))

    def _tell_violation(
        self, violation: Violation, stands: Hypothesis | None, rivals: tuple[Hypothesis, ...] = ()
    ) -> None:
        table = self.table()
        if stands is not None:
            # Where a card may have been overlooked, what was taken to lie there counts.
            unshaped = never_clear(self.belief.present.looks)
            meant = faces(stands.state)
            table = tuple(meant[at] if at in unshaped else column for at, column in enumerate(table))
        told, lay = self.belief.mistake.violation, self.belief.mistake.illegal
        if told is not None and lay is not None:
            again = (told.code, told.parts.get("at")) == (violation.code, violation.parts.get("at"))
            if lay == table or (again and not differ(self.belief.present.looks, lay, table)):
                return
            if again and _lies_alike(str(told.parts.get("at", "")), lay, table):
                # Something else has changed beside it: it need not be said once more.
                self.belief = replace(self.belief, mistake=ToldMistake(told, table, stands, rivals))
                self.table_known()
                return
        self.events.append(violation)
        self.belief = replace(self.belief, mistake=ToldMistake(violation, table, stands, rivals))
        self.table_known()

    def _seen_twice(self, decision: Decision) -> None:
        at = decision.at
        card = _face_at(self.table(), at)
        self.notice_once("seen-twice", at, card=card, at=at)
        if self.t - self.belief.present.since >= self.belief.policy.unexplained:
            self.ask("seen-twice", (), {"card": card, "at": at})

    def _different(self, decision: Decision) -> None:
        """A card that lies there reads as another one: the earlier reading may have been the wrong one."""
        if len(decision.options) < 2:
            return
        old, new = decision.options[0], decision.options[1]
        if len(self.belief.present.looks) > 1 and self._tables_since(old) <= 1 and self.renamed(old, new):
            return
        options = (Option(old, {"card": old}), Option(new, {"card": new}), Option("none"))
        self.ask("different-card", options, {"at": decision.at, "card": old})

    def _tables_since(self, card: Face) -> int:
        """How many moves were seen since that card came to lie there."""
        path = self.belief.hyps[0].path
        for nth in range(len(path) - 1, -1, -1):
            move = path[nth].move
            if move is not None and card in (move.card, move.reveals):
                return sum(step.kind == "seen" for step in path[nth + 1 :])
        return len(path)

    def renamed(self, old: Face, new: Face) -> bool:
        """Every line with two cards exchanged, if the rules allow one such line and it explains the table."""
        swap = {old: new, new: old}
        lines: list[Hypothesis] = []
        for hyp in self.belief.hyps:
            state = hyp.base
            path: list[Step] = []
            for step in hyp.path:
                if step.move is None:
                    break
                move = step.move
                move = move._replace(
                    card=swap.get(move.card, move.card) if move.card else None,  # type: ignore[arg-type]
                    reveals=swap.get(move.reveals, move.reveals) if move.reveals else None,  # type: ignore[arg-type]
                )
                if explain(state, move) is not None:
                    break
                state = play(state, move)
                path.append(Step(move, step.kind, state))
            else:
                lines.append(Hypothesis(hyp.cost, hyp.base, tuple(path)))
        lines = [hyp for hyp in lines if faces(hyp.state) == self.table()]
        if not lines:
            return False
        self.explained()
        self.reopened()
        self.belief = replace(self.belief, hyps=tuple(lines))
        self.adopt(lines)
        self.tell_moves()
        self.finished()
        return True


def _lies_alike(at: str, old: Faces, new: Faces) -> bool:
    """Whether the stack of a card's place lies the same on both tables."""
    spots = zip(PLACES, old, new, strict=True)
    return any(at.startswith(f"{theater}/{seat}/") and before == now for (theater, seat), before, now in spots)


def _set_steps(hyp: Hypothesis) -> int:
    """How many states of a line were set, by a person or because a mistake stood."""
    return sum(step.kind == "set" for step in hyp.path)


def _not_withdrawn(hyp: Hypothesis) -> bool:
    move = hyp.path[-1].move if hyp.path else None
    return move is None or move.do != "withdraw"


def _face_at(table: Faces, at: str) -> Face:
    theater, seat, nth = at.split("/")
    for place, column in zip(PLACES, table, strict=True):
        if place == (theater, seat) and int(nth) < len(column):
            return column[int(nth)]
    return ""
