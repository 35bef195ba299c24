"""A battle from the cards turned up to where every card goes (action 5 from step 6 on, and the four outcomes)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.fog.actions import BankCards, Reveal
from engine.fog.effects import Consequence, Played, cut_off, done, need, remind, with_cards
from engine.fog.names import Side, other
from engine.fog.outcome import JudgedOutcome, may_bank, needed_for_pile, outcome, quagmire_losses
from engine.fog.politics import captured, supply_markers
from engine.fog.refusal import ForbiddenAction, FromYourBox
from engine.fog.state import Battle, Camp, FogState, Game
from engine.fog.strength import FogCard, Strengths, strengths, suits
from engine.fog.victory import by_capitals

HIGHEST_VALUE: Final = 40
"""More than any card is worth: a slip of the finger."""


def attackers_cards(state: FogState, battle: Battle) -> int:
    """How many cards attack: those of the operation, or those in the quagmire."""
    if battle.slot is None:
        return state.ground(battle.target).cards(battle.by)
    return state.camp(battle.by).operations[battle.slot] or 0


def reveal(game: Game, action: Reveal) -> Played:
    """Steps 6 to 11: unsuitable cards go, both strengths are summed, the outcome is found.

    A win or a rout waits for `Bank` where the winner has a choice; everything else is settled at once.
    """
    battle = _open_battle(game.state)
    _check_counts(game.state, battle, action)
    state, board = game.state, game.board
    token = state.token if action.token else None
    if token is not None and board.box.token_after_use is None:
        raise FromYourBox("box.token_after_use", "act.5.11")
    sums = strengths(game, battle, action.attack, action.defence, action.neutral, token)
    mine = tuple(card.value for card in action.attack if suits(card, defending=False))
    theirs = tuple(card.value for card in action.defence if suits(card, defending=True))
    judged = outcome(board, sums.attack.total, sums.defence.total, len(mine))
    if judged.outcome == "win" and action.neutral and board.box.neutral_after_win is None:
        raise FromYourBox("box.neutral_after_win", "win.1")
    state, effects = _discard_unsuitable(state, battle, action, len(mine), len(theirs))
    effects += [cut_off(board, "act.5.7")] if any(card.kind == "unsuitable" for card in _all_cards(action)) else []
    effects += _told(battle, sums, judged)
    if token is not None:
        effects.append(cut_off(board, "act.5.11"))
        if board.box.token_after_use == "passes":
            state = replace(state, token=other(token))
            effects.append(remind("act.5.11", "token-passes", side=other(token)))
    battle = replace(battle, attack=mine, defence=theirs, neutral=action.neutral)
    game = game._replace(state=replace(state, battle=battle))
    if judged.outcome in ("win", "rout"):
        winner, values, loser = _winner(battle, judged.outcome)
        strength = sums.defence.total if judged.outcome == "win" else sums.attack.total
        wanted = needed_for_pile(values, strength)
        battle = replace(battle, outcome=judged.outcome, needed=wanted)
        game = game._replace(state=replace(game.state, battle=battle))
        if values and wanted:
            paragraph = "win.3" if judged.outcome == "win" else "rout.2"
            effects.append(remind(paragraph, "choose-pile", side=winner, n=wanted, loser=loser))
            return Played(game, tuple(effects))
        settled = _settle(game, battle, ())
    elif judged.outcome == "quagmire":
        settled = _quagmire(game, battle)
    else:
        settled = _repulsed(game, battle, "defeat")
    return Played(settled.game, with_cards((*effects, *settled.effects)))


def bank(game: Game, action: BankCards) -> Played:
    """The winner's choice for the win pile, then everything else of a win or a rout."""
    battle = _open_battle(game.state)
    outcome_known = battle.outcome
    if outcome_known is None:
        raise ForbiddenAction("not-now", "win.3")
    _, values, _ = _winner(battle, outcome_known)
    paragraph = "win.3" if outcome_known == "win" else "rout.2"
    need(may_bank(values, action.chosen, battle.needed), "pile-too-small", paragraph, n=battle.needed)
    settled = _settle(game, battle, action.chosen)
    return Played(settled.game, with_cards(settled.effects))


def _settle(game: Game, battle: Battle, chosen: tuple[int, ...]) -> Played:
    return _won(game, battle, chosen) if battle.outcome == "win" else _routed(game, battle, chosen)


def _open_battle(state: FogState) -> Battle:
    if state.battle is None:
        raise ForbiddenAction("no-battle", "act.5.6")
    return state.battle


def _all_cards(action: Reveal) -> tuple[FogCard, ...]:
    return (*action.attack, *action.defence)


def _check_counts(state: FogState, battle: Battle, action: Reveal) -> None:
    need(battle.outcome is None, "pile-first", "win.3")
    ground, attack = state.ground(battle.target), attackers_cards(state, battle)
    defence = ground.cards(other(battle.by))
    need(len(action.attack) == attack, "count-attack", "act.5.6", n=attack, given=len(action.attack))
    need(len(action.defence) == defence, "count-defence", "act.5.6", n=defence, given=len(action.defence))
    need(len(action.neutral) == ground.neutral, "count-neutral", "str.2", n=ground.neutral, given=len(action.neutral))
    values = (*(card.value for card in _all_cards(action)), *action.neutral)
    need(all(0 <= value <= HIGHEST_VALUE for value in values), "card-value", "str.1", n=HIGHEST_VALUE)


def _discard_unsuitable(
    state: FogState, battle: Battle, action: Reveal, mine: int, theirs: int
) -> tuple[FogState, list[Consequence]]:
    rival, effects = other(battle.by), []
    gone = {battle.by: len(action.attack) - mine, rival: len(action.defence) - theirs}
    state = _with_attackers(state, battle, mine)
    ground = state.ground(battle.target)
    state = state.with_ground(ground.with_cards(rival, theirs))
    for side, n in gone.items():
        if n:
            camp = state.camp(side)
            state = state.with_camp(side, replace(camp, discard=camp.discard + n))
            effects.append(remind("act.5.7", "unsuitable-discarded", side=side, n=n))
    return state, effects


def _with_attackers(state: FogState, battle: Battle, n: int) -> FogState:
    if battle.slot is None:
        return state.with_ground(state.ground(battle.target).with_cards(battle.by, n))
    return state.with_camp(battle.by, _operation_holds(state.camp(battle.by), battle.slot, n))


def _operation_holds(camp: Camp, slot: int, n: int | None) -> Camp:
    return replace(camp, operations=tuple(n if i == slot else there for i, there in enumerate(camp.operations)))


def _told(battle: Battle, sums: Strengths, judged: JudgedOutcome) -> list[Consequence]:
    effects = []
    for role, side, summed in (("attack", battle.by, sums.attack), ("defence", other(battle.by), sums.defence)):
        parts = [f"{part.name} {part.value:+d}" for part in summed.parts]
        effects.append(done("act.5.9", "strength", role=role, side=side, n=summed.total, parts=parts or None))
    paragraph = "act.5.8" if judged.no_suitable_card else "act.5.10"
    code = "rout-without-cards" if judged.no_suitable_card else "outcome"
    effects.append(
        done(paragraph, code, side=battle.by, outcome=judged.outcome, attack=judged.attack, defence=judged.defence)
    )
    return effects


def _winner(battle: Battle, judged: str) -> tuple[Side, tuple[int, ...], Side]:
    if judged == "win":
        return battle.by, battle.attack, other(battle.by)
    return other(battle.by), battle.defence, battle.by


def _won(game: Game, battle: Battle, chosen: tuple[int, ...]) -> Played:
    before = game
    by, rival, state = battle.by, other(battle.by), game.state
    ground, lost = state.ground(battle.target), len(battle.defence)
    was_held = ground.control == rival
    if battle.slot is not None:
        state = state.with_camp(by, _operation_holds(state.camp(by), battle.slot, None))
    mine, theirs = state.camp(by), state.camp(rival)
    state = state.with_camp(by, replace(mine, wins=mine.wins + len(chosen)))
    state = state.with_camp(rival, replace(theirs, losses=theirs.losses + lost))
    gone = ground.neutral if game.board.box.neutral_after_win == "goes" else 0
    stays = len(battle.attack) - len(chosen)
    new = replace(ground.with_cards(rival, 0).with_cards(by, stays), control=by, quagmire=None)
    state = state.with_ground(replace(new, neutral=ground.neutral - gone))
    state = replace(state, battle=None, neutral_lost=state.neutral_lost + gone)
    game = game._replace(state=state)
    target = battle.target
    effects = [
        remind("win.1", "defender-lost", side=rival, n=lost),
        *([remind("win.2", "province-card-back", side=rival, target=target)] if was_held else []),
        remind("win.3", "to-win-pile", side=by, n=len(chosen), values=[str(battle.attack[i]) for i in chosen] or None),
        remind("win.4", "rest-stays", side=by, n=stays, target=target),
        remind("win.5", "province-card-down", side=by, target=target),
        remind("win.6", "control", side=by, target=target),
    ]
    game, fallen = captured(game, by, target)
    effects += fallen
    effects += supply_markers(before, game)
    result = by_capitals(game)
    if result is not None:
        game = game._replace(state=replace(game.state, result=result, phase="over"))
        effects.append(done("2.5", "allies-win-capitals", where=game.board.roles.capitals))
    return Played(game, tuple(effects))


def _quagmire(game: Game, battle: Battle) -> Played:
    before = game
    by, rival, state = battle.by, other(battle.by), game.state
    ground = state.ground(battle.target)
    losses = quagmire_losses(len(battle.attack), len(battle.defence), len(battle.neutral))
    if battle.slot is not None:
        state = state.with_camp(by, _operation_holds(state.camp(by), battle.slot, None))
    mine, theirs = state.camp(by), state.camp(rival)
    state = state.with_camp(by, replace(mine, losses=mine.losses + losses.attacker))
    state = state.with_camp(rival, replace(theirs, losses=theirs.losses + losses.defender))
    ground = ground.with_cards(by, len(battle.attack) - losses.attacker)
    ground = ground.with_cards(rival, len(battle.defence) - losses.defender)
    state = state.with_ground(replace(ground, neutral=ground.neutral - losses.neutral, quagmire=by))
    state = replace(state, battle=None, neutral_lost=state.neutral_lost + losses.neutral)
    game = game._replace(state=state)
    effects = [remind("quagmire.1", "quagmire-losses", side=by, n=losses.attacker)]
    effects += [
        remind("quagmire.1", "quagmire-losses", side=rival, n=losses.defender),
        remind("quagmire.2", "quagmire-losses-neutral", n=losses.neutral),
        remind("quagmire.3", "quagmire-stays", target=battle.target),
        remind("quagmire.4", "quagmire-marker", side=by, target=battle.target),
        *supply_markers(before, game),
    ]
    return Played(game, tuple(effects))


def _routed(game: Game, battle: Battle, chosen: tuple[int, ...]) -> Played:
    rival, state = other(battle.by), game.state
    camp = state.camp(rival)
    state = state.with_camp(rival, replace(camp, wins=camp.wins + len(chosen)))
    ground = state.ground(battle.target)
    stays = len(battle.defence) - len(chosen)
    game = game._replace(state=state.with_ground(ground.with_cards(rival, stays)))
    values = [str(battle.defence[i]) for i in chosen] or None
    repulsed = _repulsed(game, battle, "rout")
    effects = (
        repulsed.effects[0],
        remind("rout.2", "to-win-pile", side=rival, n=len(chosen), values=values),
        remind("rout.3", "rest-stays", side=rival, n=stays, target=battle.target),
        *repulsed.effects[1:],
    )
    return Played(repulsed.game, effects)


def _repulsed(game: Game, battle: Battle, kind: str) -> Played:
    """What a defeat and a rout have in common: the attacker's cards are lost, its province card goes back."""
    before = game
    by, state, lost = battle.by, game.state, len(battle.attack)
    if battle.slot is not None:
        state = state.with_camp(by, _operation_holds(state.camp(by), battle.slot, None))
    camp = state.camp(by)
    state = state.with_camp(by, replace(camp, losses=camp.losses + lost))
    ground = state.ground(battle.target)
    ended = battle.slot is None
    if ended:
        ground = ground.with_cards(by, 0)
    state = replace(state.with_ground(replace(ground, quagmire=None)), battle=None)
    game = game._replace(state=state)
    effects = [remind(f"{kind}.1", "attacker-lost", side=by, n=lost)]
    n = ground.cards(other(by))
    if kind == "defeat":
        effects.append(remind("defeat.2", "defenders-stay", side=other(by), n=n, target=battle.target))
    last = "defeat.3" if kind == "defeat" else "rout.4"
    effects.append(remind(last, "province-card-back", side=by, target=battle.target))
    return Played(game, (*effects, *(supply_markers(before, game) if ended else ())))
