"""Cards on the board and on the wheel: defence, new operations, cancelling, reinforcing, launching (actions 1 to 5
and 12)."""

from __future__ import annotations

from dataclasses import replace

from engine.fog.actions import (
    CancelOperation,
    Defend,
    FightOn,
    Launch,
    NewOperation,
    Recall,
    ReinforceOperation,
    ReinforceQuagmire,
)
from engine.fog.effects import Consequence, Played, cut_off, done, need, remind
from engine.fog.launch import explain_launch
from engine.fog.names import SECTORS, Side
from engine.fog.politics import attacked
from engine.fog.state import Battle, Camp, FogState, Game
from engine.fog.supply import Route, trace
from engine.fog.turns import limited


def acting(game: Game, paragraph: str) -> Side:
    """The side that may act now in its turn. Raises `ForbiddenAction` where it may not."""
    state = game.state
    need(state.phase == "turn", "not-now", paragraph)
    need(state.battle is None, "battle-open", paragraph)
    need(state.bid is None, "intel-open", paragraph)
    need(not state.closing, "turn-closing", "2.4.2")
    return state.turn


def defend(game: Game, action: Defend) -> Played:
    side = acting(game, "act.1")
    need(not limited(game.state), "limited", "2.10.1")
    ground = game.state.ground(action.province)
    need(ground.control in (side, None), "enemy-province", "act.1", province=action.province)
    need(ground.quagmire is None, "quagmire-there", "act.12", target=action.province)
    state = _from_hand(game.state, side, action.cards, "act.1")
    state = state.with_ground(ground.with_cards(side, ground.cards(side) + action.cards))
    effect = done("act.1", "defended", side=side, province=action.province, n=action.cards)
    return Played(game._replace(state=state), (effect,))


def new_operation(game: Game, action: NewOperation) -> Played:
    side = acting(game, "act.2")
    slot = game.state.camp(side).wheel
    state, effects = game.state, []
    old = state.camp(side).operations[slot]
    if old is not None:
        state = state.with_camp(side, _cleared(state.camp(side), slot))
        effects.append(remind("act.2", "cleared", side=side, slot=SECTORS[slot], n=old))
    state = _from_hand(state, side, action.cards, "act.2")
    state = state.with_camp(side, _with_operation(state.camp(side), slot, action.cards))
    effects.append(done("act.2", "new-operation", side=side, slot=SECTORS[slot], n=action.cards))
    effects.append(cut_off(game.board, "act.2"))
    return Played(game._replace(state=state), tuple(effects))


def cancel_operation(game: Game, action: CancelOperation) -> Played:
    """Action 3 in a turn; at the end of a year a part of 3.6."""
    at_year_end = game.state.phase == "year-end" and game.state.stage == "3.6"
    paragraph = "3.6" if at_year_end else "act.3"
    side = game.state.turn if at_year_end else acting(game, "act.3")
    n = _operation(game, side, action.slot, paragraph)
    state = game.state.with_camp(side, _cleared(game.state.camp(side), action.slot))
    effects = [remind(paragraph, "cancelled", side=side, slot=SECTORS[action.slot], n=n)]
    if not at_year_end:
        effects.append(cut_off(game.board, "act.3"))
    return Played(game._replace(state=state), tuple(effects))


def reinforce_operation(game: Game, action: ReinforceOperation) -> Played:
    side = acting(game, "act.4")
    n = _operation(game, side, action.slot, "act.4")
    state = _from_hand(game.state, side, action.cards, "act.4")
    state = state.with_camp(side, _with_operation(state.camp(side), action.slot, n + action.cards))
    effect = done("act.4", "reinforced-operation", side=side, slot=SECTORS[action.slot], n=action.cards)
    return Played(game._replace(state=state), (effect,))


def reinforce_quagmire(game: Game, action: ReinforceQuagmire) -> Played:
    side = acting(game, "act.12")
    need(not limited(game.state), "limited", "2.10.1")
    ground = game.state.ground(action.province)
    need(ground.quagmire is not None, "no-quagmire", "act.12", province=action.province)
    state = _from_hand(game.state, side, action.cards, "act.12")
    state = state.with_ground(ground.with_cards(side, ground.cards(side) + action.cards))
    effects = [done("act.12", "reinforced-quagmire", side=side, province=action.province, n=action.cards)]
    if ground.quagmire == side:
        effects.append(cut_off(game.board, "act.12"))
    return Played(game._replace(state=state), tuple(effects))


def launch(game: Game, action: Launch) -> Played:
    """Action 5, steps 1 to 6: what follows is `Reveal`."""
    side = acting(game, "act.5.1")
    refused = explain_launch(game, side, action.slot, action.target, action.origin)
    if refused is not None:
        raise refused
    supply = trace(game, side, action.target)
    slot = SECTORS[action.slot]
    effects: list[Consequence] = [
        done("act.5.1", "launched", side=side, slot=slot),
        remind("act.5.2", "shown", side=side, target=action.target),
        done("act.5.3", "supplied", target=action.target, route=supply.path if isinstance(supply, Route) else None),
        done("act.5.4", "attacked-from", origin=action.origin, target=action.target),
    ]
    was_neutral = game.state.ground(action.target).control is None
    game, politics = attacked(game, side, action.target)
    effects += politics
    state = game.state
    ground = state.ground(action.target)
    own = ground.cards(side)
    if was_neutral and own:
        camp = state.camp(side)
        state = state.with_camp(side, replace(camp, discard=camp.discard + own))
        state = state.with_ground(ground.with_cards(side, 0))
        effects.append(remind("act.5.5", "own-defenders-discarded", side=side, target=action.target, n=own))
    state = replace(state, battle=Battle(side, action.target, action.origin, action.slot))
    effects.append(remind("act.5.6", "turn-up"))
    return Played(game._replace(state=state), tuple(effects))


def fight_on(game: Game, action: FightOn) -> Played:
    """A battle in a quagmire, by the side that began it."""
    side = acting(game, "act.12")
    ground = game.state.ground(action.province)
    need(ground.quagmire == side, "not-your-quagmire", "act.12", province=action.province)
    state = replace(game.state, battle=Battle(side, action.province, None, None))
    effects = (
        done("act.12", "fights-on", side=side, target=action.province),
        cut_off(game.board, "act.12"),
        remind("act.5.6", "turn-up"),
    )
    return Played(game._replace(state=state), effects)


def recall(game: Game, action: Recall) -> Played:
    """3.6: cards from the board or the wheel go to the discard pile."""
    state = game.state
    need(state.phase == "year-end" and state.stage == "3.6", "not-now", "3.6")
    side, n = state.turn, action.cards
    camp = state.camp(side)
    if action.province is not None:
        ground = state.ground(action.province)
        need(ground.quagmire is None, "recall-quagmire", "3.6", province=action.province)
        need(1 <= n <= ground.cards(side), "cards-there", "3.6", n=ground.cards(side))
        state = state.with_ground(ground.with_cards(side, ground.cards(side) - n))
        effect = remind("3.6", "recalled", side=side, province=action.province, n=n)
    else:
        slot = -1 if action.slot is None else action.slot
        there = _operation(game, side, slot, "3.6")
        need(1 <= n <= there, "cards-there", "3.6", n=there)
        camp = _with_operation(camp, slot, there - n)
        effect = remind("3.6", "recalled-operation", side=side, slot=SECTORS[slot], n=n)
    state = state.with_camp(side, replace(camp, discard=camp.discard + n))
    return Played(game._replace(state=state), (effect,))


def _operation(game: Game, side: Side, slot: int, paragraph: str) -> int:
    operations = game.state.camp(side).operations
    n = operations[slot] if 0 <= slot < len(operations) else None
    if n is None:
        need(False, "no-operation", paragraph, slot=SECTORS[slot] if 0 <= slot < len(SECTORS) else str(slot))
    return n or 0


def _from_hand(state: FogState, side: Side, n: int, paragraph: str) -> FogState:
    camp = state.camp(side)
    need(1 <= n <= camp.hand, "cards-in-hand", paragraph, n=camp.hand)
    return replace(state.with_camp(side, replace(camp, hand=camp.hand - n)), played=state.played + n)


def _with_operation(camp: Camp, slot: int, n: int | None) -> Camp:
    operations = tuple(n if i == slot else there for i, there in enumerate(camp.operations))
    return replace(camp, operations=operations)


def _cleared(camp: Camp, slot: int) -> Camp:
    n = camp.operations[slot] or 0
    return replace(_with_operation(camp, slot, None), discard=camp.discard + n)
