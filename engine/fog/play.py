"""One way in for every action: `play(game, action)`, and a whole game from its actions, with undo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from engine.fog import actions as a
from engine.fog import battles, correction, intel, operations, turns, year_end
from engine.fog.actions import FogAction
from engine.fog.effects import Consequence, Played
from engine.fog.refusal import ForbiddenAction
from engine.fog.state import Game

_RULES: Final[Mapping[type, Callable[[Game, Any], Played]]] = {
    a.ReminderDone: turns.tick,
    a.PlaceBeforehand: turns.place_beforehand,
    a.Begin: turns.begin,
    a.EndTurn: turns.end_turn,
    a.Defend: operations.defend,
    a.NewOperation: operations.new_operation,
    a.CancelOperation: operations.cancel_operation,
    a.ReinforceOperation: operations.reinforce_operation,
    a.Launch: operations.launch,
    a.FightOn: operations.fight_on,
    a.ReinforceQuagmire: operations.reinforce_quagmire,
    a.Recall: operations.recall,
    a.Reveal: battles.reveal,
    a.BankCards: battles.bank,
    a.Intel: intel.declare,
    a.AnswerIntel: intel.answer,
    a.Next: year_end.advance,
    a.Spend: year_end.spend,
    a.Objectives: year_end.objectives,
    a.SetBox: correction.set_box,
    a.SetProvince: correction.set_province,
    a.SetProvinces: correction.set_provinces,
    a.SetBoard: correction.set_board,
    a.RemoveProvince: correction.remove_province,
    a.CorrectCamp: correction.correct_camp,
    a.CorrectProvince: correction.correct_province,
}
_AFTER_THE_END: Final = (a.ReminderDone, a.SetBox, a.SetProvince, a.SetProvinces, a.SetBoard)


def play(game: Game, action: FogAction) -> Played:
    """The game after `action` and what it led to.

    Raises `ForbiddenAction` where the memo forbids it, `FromYourBox` where the memo does not say something it needs.
    """
    if game.state.phase == "over" and not isinstance(action, _AFTER_THE_END):
        raise ForbiddenAction("game-over", "3.11.1")
    return _RULES[type(action)](game, action)


class FogStep(NamedTuple):
    """An action that was played, and what it led to."""

    action: FogAction
    effects: tuple[Consequence, ...]
    before: Game


class History(NamedTuple):
    """A game with the way it came to be. Undo takes the last step back; what was taken back can be done again."""

    begun: Game
    steps: tuple[FogStep, ...] = ()
    undone: tuple[FogAction, ...] = ()
    current: Game | None = None

    @property
    def game(self) -> Game:
        return self.current if self.current is not None else self.begun

    def played(self, action: FogAction) -> History:
        """Raises as `play` does."""
        after = play(self.game, action)
        return History(self.begun, (*self.steps, FogStep(action, after.effects, self.game)), (), after.game)

    def back(self) -> History:
        """Without the last action. Raises `ForbiddenAction` (`nothing-to-undo`)."""
        if not self.steps:
            raise ForbiddenAction("nothing-to-undo", "cards")
        last = self.steps[-1]
        return History(self.begun, self.steps[:-1], (*self.undone, last.action), last.before)

    def again(self) -> History:
        """With the action that was taken back last. Raises `ForbiddenAction` (`nothing-to-redo`)."""
        if not self.undone:
            raise ForbiddenAction("nothing-to-redo", "cards")
        done_again = self.played(self.undone[-1])
        return done_again._replace(undone=self.undone[:-1])
