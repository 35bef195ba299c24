"""What is done and what is left: the set-up, a turn, the year's end, each line with its paragraph."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from engine.fog.effects import Consequence
from engine.fog.intel import COST_AT_END, COST_BEFORE
from engine.fog.names import HAND, SECTORS
from engine.fog.sentences import SentencePart
from engine.fog.state import Game
from engine.fog.turns import limited, must_play, setup_notes
from engine.fog.year_end import ending_year, stages

Status: TypeAlias = Literal["done", "open", "may", "barred"]
"""`open` must still be done, `may` can be, `barred` cannot be now."""


class ChecklistItem(NamedTuple):
    """One line; `code` is of the catalogue's group `check`, or of `effect` in the set-up."""

    paragraph: str
    code: str
    parts: dict[str, SentencePart]
    status: Status


def checklist(game: Game) -> tuple[ChecklistItem, ...]:
    """The lines of the phase that the game is in, in the memo's order; none after the end."""
    match game.state.phase:
        case "setup":
            return tuple(_ticked(game, effect) for effect in setup_notes(game))
        case "turn":
            return _turn(game)
        case "year-end":
            return _year_end(game)
        case "over":
            return ()


def _ticked(game: Game, effect: Consequence) -> ChecklistItem:
    done = effect.paragraph in game.state.ticked or (effect.paragraph == "1.9" and game.state.placed > 0)
    return ChecklistItem(effect.paragraph, effect.code, effect.parts, "done" if done else "open")


def _turn(game: Game) -> tuple[ChecklistItem, ...]:
    state = game.state
    side = state.turn
    camp, few = state.camp(side), limited(state)
    busy = state.closing or state.bid is not None or state.battle is not None
    may: Status = "barred" if busy else "may"
    playing: Status = "barred" if busy or camp.hand == 0 else "may"
    in_full: Status = "barred" if few else playing
    has_operation = any(n is not None for n in camp.operations)
    on_wheel: Status = may if has_operation else "barred"
    intel: Status = may if camp.intel >= COST_AT_END else "barred"
    mired = {ground.quagmire for ground in state.grounds} - {None}
    # Cards can be added to any quagmire; one that the side began can be fought on with an empty hand too.
    in_quagmire: Status = may if side in mired else in_full if mired else "barred"
    played: Status = "open" if must_play(state) else "done" if state.played else "may"
    items = [
        ChecklistItem("2.2", "wheel", {"side": side, "slot": SECTORS[camp.wheel]}, "done"),
        ChecklistItem("2.3", "actions", {}, may),
        ChecklistItem("act.1", "defence", {}, in_full),
        ChecklistItem("act.2", "new-operation", {"slot": SECTORS[camp.wheel]}, playing),
        ChecklistItem("act.3", "cancel", {}, on_wheel),
        ChecklistItem("act.4", "reinforce", {}, playing if has_operation else "barred"),
        ChecklistItem("act.5", "launch", {}, on_wheel),
        ChecklistItem("act.12", "reinforce-quagmire", {}, in_quagmire),
        ChecklistItem("2.4", "intel", {"n": camp.intel, "end": COST_AT_END, "before": COST_BEFORE}, intel),
        ChecklistItem("2.9", "must-play", {"n": state.played}, played),
        ChecklistItem("2.10", "draw", {"n": min(max(HAND - camp.hand, 0), camp.deck), "deck": camp.deck}, "open"),
    ]
    if few:
        items.insert(1, ChecklistItem("2.10.1", "limited", {}, "done"))
    return tuple(items)


def _year_end(game: Game) -> tuple[ChecklistItem, ...]:
    state = game.state
    order = stages(state)
    now = state.stage or "3.12"
    found = []
    for stage in order if now in order else (*order, now):
        before = (*order, now).index(stage) < (*order, now).index(now)
        found.append(ChecklistItem(stage, f"year-{stage}", {"year": ending_year(state)}, "done" if before else "open"))
    return tuple(found)
