"""Between two battles: the next one begins before the last old card is gone, or the last one was not over at all."""

from __future__ import annotations

from dataclasses import replace

from engine.referee.belief import best_state, faces, fresh, tellable
from engine.referee.gathering import GONE_LEAST, count, opens, split
from engine.referee.hypothesis import Faces
from engine.referee.looks import place_of
from engine.referee.standing import StandingMistakes


class BetweenBattles(StandingMistakes):
    """An update that knows what lies there after the end of a battle."""

    def start_next(self) -> None:
        """The next battle has begun on the table that lies there."""
        looks, since = self.belief.looks, self.belief.since
        self.next_battle()
        self.set(looks=looks, since=since)
        self.laid_order(looks[-1].order)

    def next_begun(self, table: Faces) -> bool:
        """After a battle: remembers which of its cards still lie there, and starts the next one as soon as the table
        can only be that."""
        belief = self.belief
        state = best_state(belief)
        rest = belief.remains or faces(state)
        old, new = split(rest, belief.begun, table)
        order = belief.looks[-1].order
        turned = order is not None and order != state.order
        gone = count(faces(state)) - count(table)
        if gone < GONE_LEAST and belief.remains is None and not turned:
            return False
        self.set(remains=old, begun=new if any(new) else None)
        if not any(new) or belief.phase == "won":
            return False
        war = belief.current_war.next_battle()
        fresh_lines = fresh(belief.edition, order or war.opening.order, war.opening.first)
        if not opens(fresh_lines, table):
            return False
        if any(old) and opens(fresh_lines, new):
            # Cards of the last battle may lie there still: what goes or comes next will tell.
            if self.t - belief.since >= belief.policy.unexplained:
                at = next(at for at, column in enumerate(old) if column)
                self.notice_once("cards-left", f"left:{at}", at=place_of(at))
            return False
        self.start_next()
        return True

    def put_back(self, table: Faces) -> bool:
        """After a battle was ended by clearing the table, the same cards lie there again: it was not the end."""
        before = self.belief.before
        if self.belief.phase != "setup" or not before:
            return False
        if sum(map(len, table)) < 2 or not before[0].path:
            return False
        last = before[0].path[-1]
        if last.move is None or last.move.do != "withdraw" or faces(last.state) != table:
            return False
        if self.t - self.belief.since < self.belief.policy.undo:
            return True
        cut = tuple(
            replace(hyp, path=hyp.path[:-1])
            for hyp in before
            if hyp.path and hyp.path[-1].move is not None and hyp.path[-1].move.do == "withdraw"
        )
        war = self.belief.war_before or self.belief.war
        self.set(hyps=before, phase="over", war=war, first=before[0].base.first, before=(), war_before=None)
        self.set(told=tuple(entry.move for entry in tellable(before[0])))
        self.reopened()
        self.back_to(cut, 1)
        self.quiet()
        return True


def turned_over(before: Faces, table: Faces) -> bool:
    """Whether one card was turned over in place and nothing else is different."""
    differ = [at for at, column in enumerate(table) if column != before[at]]
    return len(differ) == 1 and len(table[differ[0]]) == len(before[differ[0]])
