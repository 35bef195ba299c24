"""Between two battles: the next one begins before the last old card is gone, or the last one was not over at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from engine.moves import Move
from engine.names import FACE_DOWN, Seat
from engine.places import PLACES
from engine.referee.belief import Belief, best_state, earlier, faces, fresh, tellable
from engine.referee.belief_parts import NO_END, BattleEnd
from engine.referee.confidence import is_sure
from engine.referee.decision import Decision
from engine.referee.endings import ENDINGS_APART, endings, gathered, outcomes, withdrawal_by_word
from engine.referee.gathering import GONE_LEAST, count, is_part, laid_back, none_laid, opens, restored, split, turned
from engine.referee.hypothesis import EMPTY, Faces, Hypothesis
from engine.referee.looks import place_of
from engine.referee.misplaced import MisplacedCards
from engine.sight import Sight
from engine.war import rotated

LAID_BACK_LEAST: Final = 3
"""So many cards that lie there as they lay when the battle before was cleared are no next battle's: they were laid
back."""
LAID_BACK_SOON: Final = 9.0
"""Seconds after the table was cleared in which two cards are laid back and nobody has dealt anew."""
SAID_AGAIN: Final = 20.0
"""Seconds in which the button of who has given the battle up is pressed once more for the same battle."""


class BetweenBattles(MisplacedCards):
    """An update that knows what lies there after the end of a battle."""

    def start_next(self) -> None:
        """The next battle has begun on the table that lies there."""
        looks, since = self.belief.present.looks, self.belief.present.since
        self.next_battle()
        self.put_looks(looks, since)
        self.laid_order(looks[-1].order)

    def next_begun(self, table: Faces) -> bool:
        """After a battle: remembers which of its cards still lie there, and starts the next one as soon as the table
        can only be that."""
        belief = self.belief
        if not any(map(is_sure, belief.present.looks)):
            # A card left of the last battle is rather misread than the next one's first.
            return False
        state = best_state(belief)
        shown = belief.ending.shown or faces(state)
        rest = belief.ending.remains or shown
        if belief.ending.remains is None and turned(rest, table):
            self.belief = replace(self.belief, ending=replace(belief.ending, shown=table))
            return False
        old, new = split(laid_back(shown, rest, table), belief.ending.begun, table)
        order = belief.present.looks[-1].order
        moved = order is not None and order != state.order
        gone = count(faces(state)) - count(table)
        # Where the battle ended before a card was laid, every card is the next one's.
        if any(shown) and gone < GONE_LEAST and belief.ending.remains is None and not moved:
            return False
        self.left_over(old, new if any(new) else None)
        if not any(new) or belief.phase == "won":
            return False
        if any(old) and not moved and none_laid(shown, table):
            # The battle's own cards, pushed about to show what might have been.
            return False
        if not self._opened(belief, old, new, table):
            return False
        self.start_next()
        return True

    def _opened(self, ended: Belief, old: Faces, new: Faces, table: Faces) -> bool:
        """Whether what lies there can only be the next battle's beginning, `ended` being over; never after a war."""
        if ended.current_war.winner is not None:
            return False
        war = ended.current_war.next_battle()
        fresh_lines = fresh(ended.edition, ended.present.looks[-1].order or war.opening.order, war.opening.first)
        if not opens(fresh_lines, table):
            return False
        if any(old) and opens(fresh_lines, new):
            # Cards of the last battle may lie there still: what goes or comes next will tell.
            self._cards_left_told(old, ended.present.since)
            return False
        moved = ended.present.looks[-1].order != best_state(ended).order
        # On boards that nobody has rotated, what lay there before is no part of the next battle: nobody lays a card
        # that was gathered in where it had lain, and a single new card opens it by itself.
        return moved or not any(old) or (count(new) > 1 and not _any_up(old))

    @property
    def cards_of_another_war(self) -> bool:
        """Whether no card of this war was laid, and some may lie there of the one before."""
        return self.belief.phase == "setup" and self.belief.ending.remains is not None

    def put_away(self, table: Faces) -> bool:
        """Before a war's first card: whether what lies there is no more than what lay there when the war was begun.

        The cards of a war that was won or thrown away are gathered in. What is laid beside them belongs to this one,
        and cards that all stay while it is played on from them do so as well.
        """
        rest = self.belief.ending.remains
        if not self.cards_of_another_war or rest is None or not any(table):
            return False
        old, new = split(rest, self.belief.ending.begun, table)
        if not any(new) or turned(rest, table) or (count(table) > 1 and none_laid(rest, table)):
            self.left_over(table)
            self.explained()
            return True
        if not any(map(is_sure, self.belief.present.looks)):
            return True
        stay = old == self.belief.ending.shown or count(new) > 1
        if stay or not any(old) or not opens(self.belief.hyps, new):
            self.belief = replace(self.belief, ending=NO_END)
            return False
        self.left_over(old, new)
        self._cards_left_told(old, self.belief.present.since)
        return True

    def _cards_left_told(self, old: Faces, since: float) -> None:
        """Old cards that lie beside new ones for long are told, by the first place that has some."""
        if self.t - since >= self.belief.policy.unexplained:
            at = next(at for at, column in enumerate(old) if column)
            self.notice_once("cards-left", place_of(at), at=place_of(at))

    def battle_left(self, table: Faces) -> None:
        """Ends a battle in the middle of which the next one was begun."""
        if not self.withdrawn_and_begun(table) and not self.gone_with_the_boards(table):
            self.begun_unseen(table)

    def withdrawn_and_begun(self, table: Faces) -> bool:
        """In mid-battle the cards were gathered in and the next battle begun: the seat that was to move withdrew."""
        belief = restored(self.belief)
        lay = faces(best_state(belief))
        missing = count(lay) - count(table)
        # A card that lies where one was taken up before is none of those that remain.
        rest = belief.ending.remains or lay
        if missing >= GONE_LEAST and all(is_part(column, pile) for column, pile in zip(table, rest, strict=True)):
            self.left_over(table)
            return False
        if belief.ending.remains is None:
            return False
        old, new = split(laid_back(lay, belief.ending.remains, table), belief.ending.begun, table)
        # Only a card that did not lie there is surely new; another one may be laid back.
        strange = not all(map(is_part, table, lay))
        if count(lay) - count(old if strange else table) < GONE_LEAST:
            return False
        self.left_over(self.belief.ending.remains, new)
        ended = gathered(self.belief)
        if not ended or not self._opened(replace(belief, hyps=(ended[0],)), old, new, table):
            return False
        if len({hyp.state.result for hyp in ended if hyp.cost < ended[0].cost + ENDINGS_APART}) > 1:
            self.ask("who-withdrew", outcomes(ended))
            return False
        looks, since = belief.present.looks, belief.present.since
        self.explained()
        self.end_with(ended)
        self.put_looks(looks, since)
        self.start_next()
        return True

    def gone_with_the_boards(self, table: Faces) -> bool:
        """The boards were rotated and none of the cards lies there any more that did before: the seat that was to move
        then withdrew, and what lies there is the next battle's."""
        belief, boards = self.belief, self.belief.boards
        if boards is None or not boards.moves or boards.order != rotated(best_state(belief).order):
            return False
        best = belief.hyps[0]
        steps = [len(best.path), *(n for n, _ in earlier(best))]
        lengths = [n for n in steps if len(tellable(replace(best, path=best.path[:n]))) == boards.moves]
        if not lengths:
            return False
        then = replace(best, path=best.path[: lengths[0]])
        lay = faces(then.state)
        if any(is_part(lay[at][:1], column) for at, column in enumerate(table) if lay[at]) or not any(table):
            return False
        if any(set(lay[at]) & set(column) - {FACE_DOWN} for at, column in enumerate(table)):
            # A card that lies face up where it lay is left of that battle.
            return False
        ended = endings(replace(belief, hyps=(then,)), withdrawal=True)
        if not ended or not self._opened(replace(belief, hyps=(ended[0],)), EMPTY, table, table):
            return False
        looks, since = belief.present.looks, belief.present.since
        self.belief = replace(self.belief, hyps=(then,))
        self.explained()
        self.end_with(ended)
        self.put_looks(looks, since)
        self.start_next()
        return True

    def begun_unseen(self, table: Faces) -> None:
        """The boards were rotated, none of the battle's cards lies where it lay, and more lie there than can be
        followed: nobody saw how the battle ended, so the players are asked."""
        belief = self.belief
        if belief.is_asked("who-withdrew"):
            return
        state, looks = best_state(belief), belief.present.looks
        waited = self.t - belief.present.since
        if len(looks) < 2 or waited < belief.policy.unseen_moves or not all(map(is_sure, looks)):
            return
        lay = faces(state)
        stays = any(
            pile and pile[0] != FACE_DOWN and column[:1] == pile[:1] for pile, column in zip(lay, table, strict=True)
        )
        if looks[-1].order != rotated(state.order) or stays or count(lay) < GONE_LEAST or count(table) < GONE_LEAST:
            return
        remains = belief.ending.remains
        if remains is not None and count(split(remains, belief.ending.begun, table).new) < GONE_LEAST:
            # The battle was seen to be gathered in, and what is left of it lies there beside a first card at most.
            return
        self.left_over(belief.ending.remains, table)
        self.ask("who-withdrew", outcomes(endings(belief, withdrawal=True)))

    def cut_short(self) -> list[Hypothesis]:
        """The end of a battle in the middle of an effect, where the boards were rotated since: the seat to move
        withdrew."""
        state, looks = best_state(self.belief), self.belief.present.looks
        if state.turn is None or looks[-1].order != rotated(state.order):
            return []
        return [withdrawal_by_word(self.belief, state.turn)]

    def _plays_on(self, table: Faces) -> bool:
        """Whether legal moves lead from what is believed to that table."""
        return table == faces(best_state(self.belief)) or opens(self.belief.hyps, table)

    def ended_unwatched(self, read: Callable[[Belief], Decision]) -> bool:
        """Whether the players are asked how a battle ended that the war was left in, and what lies there does not go on
        from it: the next card is no answer, for nobody watched how the others were gathered in."""
        belief = self.belief
        if not (belief.returned and belief.is_asked("who-withdrew") and belief.present.looks and any(self.table())):
            return False
        if read(belief).kind not in ("same", "moves") and self.table() != belief.mistake.illegal:
            return True
        left = tuple(asked for asked in belief.questions if asked.question != "who-withdrew")
        self.belief = replace(belief, returned=False, questions=left)
        return False

    def unanswered(self, table: Faces) -> bool:
        """Whether the players have had time to answer how the battle ended, until the table changed or for long, and it
        does not go on: so many cards that lie as they lay before were laid back."""
        belief = self.belief
        present, state = belief.present, best_state(belief)
        order = present.looks[-1].order
        if count(table) >= LAID_BACK_LEAST and table == faces(state) and order == state.order:
            return False
        asked_here = any(entry.code == "who-withdrew" for entry in present.settled)
        return not asked_here or self.t - present.since >= belief.policy.overlooked

    def may_withdraw(self, by: Seat) -> bool:
        """Whether that seat may give a battle up now.

        Who clears the table and presses the button as well, or presses it twice, means the battle that has just ended.
        """
        belief, previous = self.belief, self.belief.previous
        if belief.phase != "setup" or previous is None or self.t - previous.over > SAID_AGAIN:
            return belief.phase in ("setup", "battle")
        path = previous.lines[0].path
        return not path or path[-1].move != Move("withdraw", by)

    def put_back(self, table: Faces) -> bool:
        """After a battle was ended by clearing the table, the same cards lie there again: it was not the end."""
        previous, order = self.belief.previous, self.belief.present.looks[-1].order
        if self.belief.phase not in ("setup", "battle") or previous is None:
            return False
        before = previous.lines
        last = before[0].path[-1] if before[0].path else None
        if last is None or last.move is None or last.move.do != "withdraw":
            return False
        lay, cards = faces(last.state), count(table)
        if not all(map(is_part, table, lay)):
            # Other cards lie there: that battle is over.
            self.belief = replace(self.belief, previous=None)
            return False
        begun = self.belief.phase == "battle"
        alone = cards == 1 and (begun or table == lay)
        if not cards or alone or (begun and order != last.state.order):
            return False
        waited = self.t - self.belief.present.since
        if table != lay:
            # They are laid back one by one, unless the next battle may have begun so.
            return waited < self.belief.policy.rearranged and order == last.state.order and not self._plays_on(table)
        if begun and cards < LAID_BACK_LEAST:
            return False
        soon = self.belief.present.since - previous.over <= LAID_BACK_SOON
        surely = (cards >= LAID_BACK_LEAST or soon) and order == last.state.order
        if waited < (self.belief.policy.wrong_move if surely else self.belief.policy.undo):
            return True
        if begun:
            best = self.belief.hyps[0]
            self.back_to((replace(best, path=()),), len(best.path))
        cut = tuple(
            replace(hyp, path=hyp.path[:-1])
            for hyp in before
            if hyp.path and hyp.path[-1].move is not None and hyp.path[-1].move.do == "withdraw"
        )
        self.belief = replace(
            self.belief, hyps=before, phase="over", war=previous.war, first=before[0].base.first, previous=None
        )
        self.belief = replace(self.belief, told=tuple(entry.move for entry in tellable(before[0])))
        self.reopened()
        self.back_to(cut, 1)
        self.quiet()
        return True


def cards_before(belief: Belief) -> Faces | None:
    """The cards that lie there when another war is begun in the middle of this one, or after it; None where there are
    none, or none but what may be the other war's first."""
    lay, ending = belief.seen, belief.ending
    if lay is None or not any(lay):
        return None
    if belief.phase == "setup":
        return ending.remains
    if belief.phase == "battle":
        return lay
    old = split(ending.remains or ending.shown or faces(best_state(belief)), ending.begun, lay).old
    return old if any(old) else None


def with_cards_before(belief: Belief, lying: Faces, sight: Sight | None = None) -> Belief:
    """The belief before a war's first card where those cards of another one lie there still.

    `sight` is what lies there after nobody has watched for a while: a card by itself is rather a new one.
    """
    if sight is not None:
        board = sight.board
        lying = split(lying, None, tuple(board[place] for place in PLACES)).old
        if count(lying) < GONE_LEAST:
            return belief
    return replace(belief, ending=BattleEnd(remains=lying, shown=lying))


def _any_up(table: Faces) -> bool:
    """Whether some card lies there face up."""
    return any(face != FACE_DOWN for column in table for face in column)


def turned_over(before: Faces, table: Faces) -> bool:
    """Whether one card was turned over in place and nothing else is different."""
    differ = [at for at, column in enumerate(table) if column != before[at]]
    return len(differ) == 1 and len(table[differ[0]]) == len(before[differ[0]])
