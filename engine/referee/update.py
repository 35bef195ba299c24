"""One call's work on a belief: what is told, what is taken for true, and how battles begin and end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.cards import INSTANTS
from engine.events import (
    BattleOver,
    Corrected,
    Event,
    Mended,
    Notice,
    NoticeCode,
    Option,
    Parts,
    Revised,
    Undone,
    Unsure,
    UnsureCode,
)
from engine.names import Theater
from engine.referee.belief import Belief, TellableMove, agreed, best_state, disputed, faces, fresh, tellable
from engine.referee.belief_parts import NO_MISTAKE, BattleEnd, PresentTable, PreviousBattle, Settled
from engine.referee.confidence import place_name, wrong_way
from engine.referee.differences import Difference
from engine.referee.gathering import GONE_LEAST, count
from engine.referee.hypothesis import EMPTY, Faces, Hypothesis
from engine.referee.looks import lying
from engine.referee.search import MARGIN, hidden_cost
from engine.sight import Sight
from engine.state import State
from engine.war import rotated

HYPOTHESES_MOST: Final = 48
ASKED_WITHIN: Final = 4.0
"""Nats: a line that is less likely than this beside the likeliest is no reason to ask."""
LOYALTY: Final = 2.0
"""A line that goes on from what was told is kept before another that is a little likelier."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one sight, input or tick."""

    belief: Belief
    events: tuple[Event, ...] = ()
    look_again: bool = False
    """A fresh reading of the table that lies there is wanted."""


class Update:
    """One call's work: a belief that is replaced step by step, and the events so far."""

    def __init__(self, belief: Belief, t: float) -> None:
        self.belief = replace(belief, time=max(t, belief.time))
        self.t = self.belief.time
        self.events: list[Event] = []
        self.look_again = False
        self._score_back = False

    def verdict(self) -> Verdict:
        if self._score_back:
            self.events.append(Corrected(best_state(self.belief), "set", self.belief.score))
        if self.belief.undone is not None and self.belief.undone.base != best_state(self.belief):
            # What was undone no longer follows from how things stand.
            self.belief = replace(self.belief, undone=None, undone_before=())
        return Verdict(self.belief, tuple(self.events), self.look_again)

    # --- telling -----------------------------------------------------------------------------------------------------

    def notice(self, code: NoticeCode, **parts: str | int) -> None:
        self.events.append(Notice(code, parts))

    def notice_once(self, code: NoticeCode, about: str, **parts: str | int) -> None:
        """A notice about a place of this table, told once while it lies there."""
        entry = Settled(code, about)
        if entry not in self.belief.present.settled:
            self.settle_for(entry)
            self.notice(code, **parts)

    def ask(
        self, question: UnsureCode, options: Sequence[Option] = (), parts: Parts | None = None, *, about: str = ""
    ) -> None:
        """A question, asked once while the table lies there; `about` a place or the whole table, once until that card
        is known or all lies right again."""
        entry = Settled(question, about, None if about else self.table(), lasting=bool(about))
        if entry in self.belief.present.settled:
            return
        self.settle_for(entry)
        asked = Unsure(self.belief.next_id, question, tuple(options), parts or {})
        self.belief = replace(
            self.belief,
            questions=(*self.belief.questions, asked),
            next_id=self.belief.next_id + 1,
        )
        self.events.append(asked)

    def tell_moves(self) -> None:
        """Tells what the likeliest line has more than was told, taking back first what it has not."""
        told = self.belief.told
        now = agreed(self.belief.hyps)
        same = 0
        while same < min(len(told), len(now)) and told[same] == now[same].move:
            same += 1
        if same < len(told):
            self.events.append(Revised(len(told) - same))
        for entry in now[same:]:
            self.events.append(entry.event)
            self._ignored_told(entry)
            if entry.cut_off is not None:
                self.notice("effect-cut-off", card=entry.cut_off, seat=entry.move.side or entry.move.by)
        self.belief = replace(self.belief, told=tuple(entry.move for entry in now))

    def _ignored_told(self, entry: TellableMove) -> None:
        """A notice if the card that came up asks for something that cannot be done."""
        move = entry.move
        card = move.card if move.do == "deploy" else move.reveals if move.do == "flip" else None
        if card is None or card not in INSTANTS or entry.destroyed:
            return
        effect, queue = INSTANTS[card], entry.state.queue
        # An effect that waits or is being carried out is no ignored one, and a card that turned itself over is gone.
        lies = any(slot.up and slot.card == card for pile in entry.state.piles for slot in pile)
        if lies and not any(one.card == card for one in queue) and entry.state.extra == (0, 0):
            self.notice("effect-ignored", effect=effect, seat=move.by if move.do == "deploy" else move.side or move.by)

    # --- the table ---------------------------------------------------------------------------------------------------

    def table(self) -> Faces:
        """The best reading of the table that lies there now."""
        if self.belief.present.looks:
            return lying(self.belief.present.looks)
        return self.belief.seen or faces(best_state(self.belief))

    def put_looks(self, looks: tuple[Sight, ...], since: float) -> None:
        """These readings are of the table that lies there, since `since` seconds."""
        self.belief = replace(self.belief, present=replace(self.belief.present, looks=looks, since=since))

    def table_known(self) -> None:
        """What the table that lies there shows was told."""
        self.belief = replace(self.belief, present=replace(self.belief.present, known=True))

    def leave_lying(self, stale: Faces | None) -> None:
        """A table that was taken back by word: it is no new move until it changes. None: it has changed."""
        self.belief = replace(self.belief, present=replace(self.belief.present, stale=stale))

    def settle_for(self, entry: Settled) -> None:
        """This question or notice need not come again."""
        settled = (*self.belief.present.settled, entry)
        self.belief = replace(self.belief, present=replace(self.belief.present, settled=settled))

    def left_over(self, remains: Faces | None, begun: Faces | None = None) -> None:
        """What lies there of a battle's cards, and of the next one's among them."""
        self.belief = replace(self.belief, ending=replace(self.belief.ending, remains=remains, begun=begun))

    def explained(self) -> None:
        """The table that lies there is understood: nothing about it is open any more."""
        if self.belief.returned and any(self.table()):
            self.belief = replace(self.belief, returned=False)
        if self.belief.mistake.violation is not None:
            self.events.append(Mended(self.belief.mistake.violation.code))
        if self.belief.present.looks:
            notes = self.belief.present.looks[-1].notes
            self.belief = replace(
                self.belief, foreign=tuple(sorted({note.at for note in notes if note.code == "foreign"}))
            )
        self.quiet()

    def differ(self, differences: tuple[Difference, ...]) -> None:
        """These cards lie otherwise than the state has them; told ones that do so no more are put right."""
        now = {(one.kind, one.at, one.nth, one.face): one for one in self.belief.differences}
        # One that was known already is so as it is remembered: it may have been told at this very moment.
        differences = tuple(now.pop((one.kind, one.at, one.nth, one.face), one) for one in differences)
        for one in now.values():
            if one.told and one.violation is not None:
                self.events.append(Mended(one.violation.code))
        if self.belief.mistake.violation in [one.violation for one in differences]:
            # It is still there, and play goes on.
            self.belief = self.belief.without_violation()
        self.belief = replace(self.belief, differences=differences)

    def quiet(self) -> None:
        present = self.belief.present
        astray = wrong_way(self.belief) if present.looks else None
        # A card that lies the wrong way round is told once as long as it lies so.
        kept = tuple(
            entry
            for entry in present.settled
            if astray is not None and (entry.code, entry.about) == (astray.code, astray.parts["at"])
        )
        self.belief = replace(
            self.belief,
            present=PresentTable(since=present.since, settled=kept),
            mistake=NO_MISTAKE,
            questions=self._open_questions(),
        )

    def _open_questions(self) -> tuple[Unsure, ...]:
        """The questions about cards that the lines still take for different ones: they stay, at the side."""
        likely = [hyp for hyp in self.belief.hyps if hyp.cost <= ASKED_WITHIN]
        in_doubt = {place_name(*spot) for spot in disputed(likely)}
        return tuple(
            asked for asked in self.belief.questions if asked.question == "which-card" and asked.parts["at"] in in_doubt
        )

    def adopt(self, hyps: Sequence[Hypothesis], complete: bool = True) -> None:
        """Takes these lines for what may have been played."""
        told = self.belief.told

        def rank(hyp: Hypothesis) -> float:
            moves = iter([entry.move for entry in tellable(hyp)])
            return hyp.cost + (0.0 if all(move in moves for move in told) else LOYALTY)

        merged: dict[State, Hypothesis] = {}
        for hyp in sorted(hyps, key=rank):
            merged.setdefault(hyp.state, hyp)
        ranked = list(merged.values())
        least = min(hyp.cost for hyp in ranked)
        plain = [hyp.cost - hidden_cost(hyp.path) for hyp in ranked]
        most = min(plain) + MARGIN + LOYALTY
        near = [replace(hyp, cost=hyp.cost - least) for hyp, own in zip(ranked, plain, strict=True) if own <= most]
        if len(near) > HYPOTHESES_MOST:
            near, complete = near[:HYPOTHESES_MOST], False
        if not complete and self.belief.complete:
            self.ask("lines-dropped", (Option("yes"), Option("no")))
        self.belief = replace(self.belief, hyps=tuple(near), complete=self.belief.complete and complete)
        if not self.belief.present.looks:
            self.belief = replace(self.belief, questions=self._open_questions())

    def unseen_told(self, before: int) -> None:
        """Notices for cards that the likeliest line says were destroyed before anyone saw them."""
        for step in self.belief.hyps[0].path[before:]:
            if step.kind == "silent" and step.move is not None and step.move.do in ("improvise", "reinforce"):
                self.notice("destroyed-unseen", seat=step.move.by, remove=step.state.edition.remove_word)

    # --- battles -----------------------------------------------------------------------------------------------------

    def begun(self) -> None:
        """The first card of a battle lies there."""
        if self.belief.phase != "setup":
            return
        first = self.belief.hyps[0].base.first
        if self.belief.first is None:
            self.notice("first-assumed", seat=first)
            hyps = tuple(hyp for hyp in self.belief.hyps if hyp.base.first == first)
            self.belief = replace(self.belief, first=first, hyps=hyps, first_assumed=True)
        self.belief = replace(self.belief, phase="battle")

    def finished(self) -> None:
        """If the likeliest line has ended the battle: score, and the end of the war."""
        state = best_state(self.belief)
        if state.result is None or self.belief.phase not in ("battle", "setup"):
            return
        self.belief = replace(self.belief, phase="over" if self.belief.current_war.winner is None else "won")
        self.belief = replace(self.belief, ending=BattleEnd(self.t + self.belief.policy.last_word))
        if state.result.why == "withdrew":
            self.end_told()

    def end_told(self) -> None:
        """Tells the end of a battle, if that is still to be done: nobody has changed its last card."""
        state = best_state(self.belief)
        if self.belief.ending.due is None or state.result is None:
            return
        self.belief = replace(self.belief, ending=replace(self.belief.ending, due=None))
        war = self.belief.current_war
        winner, _, why = state.result
        self.events.append(BattleOver(winner, war.points, why, war.score))
        if war.winner is not None:
            self.notice("war-over", seat=war.winner)

    def end_settled(self) -> bool:
        """Whether the end of the battle can be told: its time has come, or its cards are being gathered in."""
        belief = self.belief
        if belief.ending.due is None:
            return False
        if not belief.present.looks:
            return self.t >= belief.ending.due
        gone = count(faces(best_state(belief))) - count(self.table())
        return gone >= GONE_LEAST or self.t >= belief.ending.due + belief.policy.undo_in_effect

    def reopened(self) -> None:
        """The end of a battle no longer holds: its points go back."""
        if self.belief.phase in ("over", "won"):
            self.belief = replace(self.belief, phase="battle", ending=BattleEnd())
        before = self.belief.conceded
        if before is not None:
            # The war was given up with this battle: what was added to the score for that goes back as well.
            self.belief = replace(self.belief, war=self.belief.war._replace(before=before), conceded=None)
            self._score_back = True

    def next_battle(self) -> None:
        """The table is empty after a battle: commander cards change hands, boards rotate (R14)."""
        self.end_told()
        if self.belief.phase == "won":
            self.quiet()
            self.left_over(EMPTY)
            return
        war, before = self.belief.current_war.next_battle(), self.belief
        order, first = war.opening.order, war.opening.first
        self.quiet()
        self.belief = replace(
            self.belief,
            war=war,
            phase="setup",
            first=first,
            first_assumed=False,
            expected_order=order,
            hyps=fresh(before.edition, order, first),
            previous=PreviousBattle(before.war, before.hyps, self.t),
            told=(),
            undone=None,
            taken_back=None,
            misread=(),
            complete=True,
            ending=BattleEnd(),
            taken_up=None,
            boards=None,
            differences=(),
            conceded=None,
        )
        self.notice("new-battle", number=self.belief.number, first=first)

    def laid_order(self, order: tuple[Theater, Theater, Theater] | None) -> None:
        """Before the first card, the boards as they lie are the order of the battle (R14)."""
        if order is None or self.belief.phase != "setup" or any(hyp.path for hyp in self.belief.hyps):
            return
        if best_state(self.belief).order != order:
            self.belief = replace(self.belief, hyps=fresh(self.belief.edition, order, self.belief.first))

    def order_checked(self) -> None:
        """At the first card: a notice if the boards lie otherwise than they should."""
        expected = self.belief.expected_order
        order = best_state(self.belief).order
        if expected is None or order == expected:
            return
        # Rotated once more is rotated as the other seat sees the figure (R14).
        if self.belief.number == 1 or order != rotated(expected):
            code: NoticeCode = "boards-not-rotated" if self.belief.number > 1 else "order-changed"
            self.notice(code, order="".join(order), expected="".join(expected))

    def back_to(self, cut: Sequence[Hypothesis], steps: int) -> None:
        """The likeliest line ends earlier now: tells how many told moves no longer hold."""
        best = self.belief.hyps[0]
        kept = len(tellable(cut[0]))
        gone = len(self.belief.told) - kept
        length = len(best.path) - steps
        undone = Hypothesis(0.0, replace(best, path=best.path[:length]).state, best.path[length:]) if steps else None
        last = self.belief.undone
        older = (*self.belief.undone_before, last) if undone and last and last.base == best.state else ()
        self.belief = replace(self.belief, undone=undone, undone_before=older)
        self.reopened()
        least = min(hyp.cost for hyp in cut)
        self.belief = replace(
            self.belief, hyps=tuple(replace(hyp, cost=hyp.cost - least) for hyp in cut), told=self.belief.told[:kept]
        )
        if gone > 0:
            self.events.append(Undone(gone, cut[0].state))
        if not cut[0].path:
            self.belief = replace(self.belief, phase="setup")
            if self.belief.first_assumed:
                # The first card was taken back, so it no longer tells who is first. The seat that laid it leads: what
                # was undone follows from that line, and a redo makes it again.
                opening = cut[0].base
                lines = fresh(self.belief.edition, opening.order, None)
                lines = tuple(sorted(lines, key=lambda line: line.base.first != opening.first))
                self.belief = replace(self.belief, first=None, first_assumed=False, hyps=lines)

    def undone_before(self) -> None:
        """What was undone last was made again: now the undo before it may be."""
        older = self.belief.undone_before
        if older:
            self.belief = replace(self.belief, undone=older[-1], undone_before=older[:-1])

    def end_with(self, ended: Sequence[Hypothesis]) -> None:
        """These lines end the battle; what was declined on the way is certain now."""
        best = ended[0]
        before = len(self.belief.hyps[0].path)
        path = tuple(
            step._replace(kind="told")
            if nth >= before and step.move is not None and step.move.do == "decline"
            else step
            for nth, step in enumerate(best.path)
        )
        self.adopt((replace(best, path=path),))
        self.begun()
        self.unseen_told(before)
        self.tell_moves()
        self.finished()
