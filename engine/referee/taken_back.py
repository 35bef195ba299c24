"""Moves that were taken back by word while their cards stay on the table: the undo may have been a mistake.

Whoever means an undo takes the cards off or lays them otherwise. If play goes on instead, the line before the undo is
followed beside the one after it, and it holds again where it explains better what comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from engine.names import Face
from engine.referee.belief import best_state, faces, tellable
from engine.referee.between_battles import BetweenBattles
from engine.referee.gathering import is_part
from engine.referee.hypothesis import Faces, Hypothesis
from engine.referee.update import Verdict

BY_MISTAKE_COST: Final = 1.0
"""Of an undo that nobody meant: where both lines explain the table, the players are believed."""


class TakenBackMoves(BetweenBattles):
    """An update that knows the line before the last undo, as long as the table may still show it."""

    def lies_still(self, line: Hypothesis, table: Faces) -> None:
        """Moves of `line` were taken back by word, and `table` lies there as before."""
        shown = _shown(line, table)
        more = shown is not None and len(shown.path) > len(self.belief.hyps[0].path)
        self.belief = replace(self.belief, taken_back=shown if more else None)

    def being_taken_off(self, stale: Faces, table: Faces) -> bool:
        """Whether some of what was taken back by word lies there still, and nothing else has changed since `stale`.

        Otherwise play goes on: the line before the undo is followed, too, if its cards were not taken off.
        """
        belief, line = self.belief, self.belief.taken_back
        on_the_way = _on_the_way(stale, table, faces(best_state(belief)))
        self.leave_lying(table if on_the_way else None)
        if line is not None and on_the_way:
            self.lies_still(line, table)
        elif line is not None:
            self.adopt((*belief.hyps, replace(line, cost=BY_MISTAKE_COST)), belief.complete)
        return on_the_way

    def gathered_after_all(self, table: Faces) -> None:
        """The cards of a battle are gathered in whose last move was taken back by word only: it was over."""
        line, belief = self.belief.taken_back, self.belief
        if line is None or line.state.result is None or belief.present.stale is not None:
            return
        if _gathered(line, table):
            self.adopt((replace(line, cost=0.0),))
            self.begun()
            self.tell_moves()
            self.finished()

    def adopt(self, hyps: Sequence[Hypothesis], complete: bool = True) -> None:
        """As for every update; says so if the moves that were taken back hold again."""
        super().adopt(hyps, complete)
        line, best = self.belief.taken_back, self.belief.hyps[0]
        if line is not None and _goes_on(best, line):
            moves = [entry.move for entry in tellable(line)]
            held = next(
                (n for n, pair in enumerate(zip_longest(moves, self.belief.told)) if pair[0] != pair[1]), len(moves)
            )
            self.belief = replace(self.belief, taken_back=None)
            if held < len(moves):
                self.notice("counts-again", moves=len(moves) - held)

    def verdict(self) -> Verdict:
        """As for every update; a line that nothing goes on from is forgotten."""
        line, belief = self.belief.taken_back, self.belief
        open_still = belief.phase in ("setup", "battle") and (
            belief.present.stale is not None or (line is not None and any(_goes_on(hyp, line) for hyp in belief.hyps))
        )
        if line is not None and not open_still:
            self.belief = replace(self.belief, taken_back=None)
        return super().verdict()


def _gathered(line: Hypothesis, table: Faces) -> bool:
    """Whether cards are gone from the table with which that line ended."""
    lay = faces(line.state)
    return table != lay and all(map(is_part, table, lay))


def _shown(line: Hypothesis, table: Faces) -> Hypothesis | None:
    """The longest part of a line whose last step was seen and that shows that table; all of it where its battle is
    over and is being gathered in."""
    if line.state.result is not None and line.path[-1].kind == "seen" and _gathered(line, table):
        return line
    for length in range(len(line.path), 0, -1):
        if line.path[length - 1].kind == "seen" and faces(line.path[length - 1].state) == table:
            return replace(line, path=line.path[:length])
    return None


def _goes_on(hyp: Hypothesis, line: Hypothesis) -> bool:
    return hyp.base == line.base and hyp.path[: len(line.path)] == line.path


def _on_the_way(lay: Faces, lies: Faces, meant: Faces) -> bool:
    """Whether some of what was taken back by word was taken off the table, and some lies there still."""

    def between(old: tuple[Face, ...], now: tuple[Face, ...], end: tuple[Face, ...]) -> bool:
        return now in (old, end) or (is_part(end, now) and is_part(now, old))

    return lies != meant and all(between(*columns) for columns in zip(lay, lies, meant, strict=True))
