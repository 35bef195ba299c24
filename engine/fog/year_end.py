"""The end of a year, step by step (3.1 to 3.12), and the next year's first turn."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.fog.actions import Next, Objectives, Spend
from engine.fog.board import need_count, need_reinforcement
from engine.fog.effects import Consequence, Played, done, need, remind
from engine.fog.names import FIRST_YEAR, HAND, LAST_YEAR, SIDES, Side, other
from engine.fog.politics import balkans_join, usa_enters, ussr_enters
from engine.fog.refusal import ForbiddenAction, FromYourBox
from engine.fog.scoring import YearScore, budget, score, split
from engine.fog.state import FogResult, FogState, Game, YearEndStage, first_at_year_end
from engine.fog.turns import drawn, first_of_year, start_turn
from engine.fog.victory import by_capitals, by_objectives, by_points

COST: Final[dict[str, int]] = {"recover": 1, "track": 1, "intel": 1, "points": 2}
PARAGRAPH: Final[dict[str, str]] = {"recover": "3.5.1", "track": "3.5.2", "intel": "3.5.3", "points": "3.5.4"}
INTEL_BOUGHT: Final = 2
USA_YEAR: Final = 1941
USSR_YEAR: Final = 1942
ONE_BY_ONE: Final[tuple[YearEndStage, ...]] = ("3.4", "3.6")
"""Steps that each side takes for itself."""


def stages(state: FogState) -> tuple[YearEndStage, ...]:
    """The steps that this year's end has, in order; after 1944 nothing is dealt again."""
    politics: list[YearEndStage] = []
    year = ending_year(state)
    if year == FIRST_YEAR:
        politics.append("3.7")
    if year == USA_YEAR:
        politics.append("3.8")
    if year == USSR_YEAR and "ussr" not in state.happened:
        politics.append("3.9")
    rest: tuple[YearEndStage, ...] = ("3.11",) if year == LAST_YEAR else ("3.10", "3.11", "3.12")
    return ("3.1", "3.2", "3.3", "3.4", "3.6", *politics, *rest)


def ending_year(state: FogState) -> int:
    """The year that ends; in the last step the marker already stands at the next one (3.11, 3.12)."""
    return state.year - 1 if state.stage == "3.12" else state.year


def advance(game: Game, action: Next) -> Played:
    """Carries out the step that is due and goes on to the next one. Raises `FromYourBox` for what it needs."""
    state = game.state
    if state.phase != "year-end" or state.stage is None:
        raise ForbiddenAction("not-now", "3.1")
    match state.stage:
        case "3.1":
            played = _scored(game)
        case "3.2":
            played = _piles_split(game)
        case "3.3":
            played = _tokens_back(game)
        case "3.4" | "3.6":
            if not state.served:
                return _other_side(game)
            played = Played(game, (done(state.stage, "both-served"),))
        case "3.7":
            played = Played(*balkans_join(game))
        case "3.8":
            played = Played(*usa_enters(game))
        case "3.9":
            played = Played(*ussr_enters(game))
        case "3.10":
            played = _dealt(game)
        case "3.11":
            need(state.year < LAST_YEAR, "objectives-wanted", "3.11.2")
            year = state.year + 1
            state = replace(state, year=year, winter=False)
            played = Played(game._replace(state=state), (remind("3.11", "next-year", year=year),))
        case "3.12":
            return _reinforced(game)
    if played.game.state.phase == "over":
        return played
    played = _capitals(played)
    if played.game.state.phase == "over":
        return played
    return _enter(played, _after(state))


def _after(state: FogState) -> YearEndStage:
    """The step that follows the one that `state` is in, as the year's steps were when it began."""
    order = stages(state)
    return order[order.index(state.stage) + 1] if state.stage in order[:-1] else "3.12"


def _enter(played: Played, stage: YearEndStage) -> Played:
    game = played.game
    state = replace(game.state, stage=stage, served=False, turn=first_at_year_end(game.state), budget=0)
    game = game._replace(state=state)
    if stage != "3.4":
        return Played(game, played.effects)
    game, told = _given_budget(game)
    return Played(game, (*played.effects, *told))


def _other_side(game: Game) -> Played:
    state = game.state
    state = replace(state, served=True, turn=other(first_at_year_end(state)), budget=0)
    game = game._replace(state=state)
    effects = (done(state.stage or "3.4", "side-turn", side=state.turn),)
    if state.stage != "3.4":
        return Played(game, effects)
    game, told = _given_budget(game)
    return Played(game, (*effects, *told))


def _given_budget(game: Game) -> tuple[Game, tuple[Consequence, ...]]:
    side = game.state.turn
    found = budget(game, side)
    game = game._replace(state=replace(game.state, budget=found.total))
    if not found.counts:
        return game, (done("3.5.5", "no-production", side=side),)
    parts = _parts(found.resources)
    return game, (
        done(
            "3.4", "budget", side=side, n=found.total, resources=found.resources.total, track=found.track, parts=parts
        ),
    )


def _parts(found: YearScore) -> list[str] | None:
    return [f"{part.province} {part.value:+d}" for part in found.parts] or None


def _scored(game: Game) -> Played:
    found = score(game)
    state = replace(game.state, points=game.state.points + found.total)
    game = game._replace(state=state)
    effects = [done("3.1", "scored", n=found.total, total=state.points, parts=_parts(found))]
    return _points_won(game, effects, "3.1")


def _points_won(game: Game, effects: list[Consequence], paragraph: str) -> Played:
    result = by_points(game)
    if result is not None:
        game = _over(game, result)
        effects.append(done("goal" if paragraph != "3.1" else "3.1", "axis-wins-points", n=game.state.points))
    return Played(game, tuple(effects))


def _capitals(played: Played) -> Played:
    result = by_capitals(played.game)
    if result is None:
        return played
    won = done("2.5", "allies-win-capitals", where=played.game.board.roles.capitals)
    return Played(_over(played.game, result), (*played.effects, won))


def _over(game: Game, result: FogResult) -> Game:
    return game._replace(state=replace(game.state, result=result, phase="over", stage=None))


def _piles_split(game: Game) -> Played:
    state, effects = game.state, []
    for side in SIDES:
        camp = state.camp(side)
        share = split(camp.wins)
        camp = replace(camp, wins=0, discard=camp.discard + share.discard, losses=camp.losses + share.losses)
        state = state.with_camp(side, camp)
        if share.discard:
            effects.append(remind("3.2", "pile-split", side=side, discard=share.discard, losses=share.losses))
    return Played(game._replace(state=state), tuple(effects) or (done("3.2", "nothing-to-do"),))


def _tokens_back(game: Game) -> Played:
    state, effects = game.state, []
    for side in SIDES:
        camp = state.camp(side)
        if camp.intel_used:
            effects.append(remind("3.3", "tokens-back", side=side, n=camp.intel_used))
        state = state.with_camp(side, replace(camp, intel=camp.intel + camp.intel_used, intel_used=0))
    return Played(game._replace(state=state), tuple(effects) or (done("3.3", "nothing-to-do"),))


def spend(game: Game, action: Spend) -> Played:
    """3.5: what one production point buys."""
    state = game.state
    need(state.phase == "year-end" and state.stage == "3.4", "not-now", "3.5")
    side, paragraph, n = state.turn, PARAGRAPH[action.on], action.times
    need(n >= 1, "times", paragraph)
    cost = COST[action.on] * n
    need(cost <= state.budget, "budget-short", paragraph, side=side, n=state.budget, wanted=cost)
    need(action.on != "points" or side == "axis", "points-axis", "3.5.4")
    camp = state.camp(side)
    if action.on == "recover":
        need(camp.losses >= n, "losses-short", paragraph, n=camp.losses)
        camp = replace(camp, losses=camp.losses - n, discard=camp.discard + n)
    elif action.on == "track":
        end = need_count(game.board, "track_end")
        need(camp.production + n <= end, "track-ends", paragraph, n=end)
        camp = replace(camp, production=camp.production + n)
    elif action.on == "intel":
        camp = replace(camp, intel=camp.intel + INTEL_BOUGHT * n)
    else:
        state = replace(state, points=state.points + n)
    state = replace(state.with_camp(side, camp), budget=state.budget - cost)
    game = game._replace(state=state)
    bought = remind(paragraph, f"bought-{action.on}", side=side, n=n, left=state.budget)
    if action.on == "points":
        return _points_won(game, [bought], paragraph)
    return Played(game, (bought,))


def _dealt(game: Game) -> Played:
    state, effects, left = game.state, [], game.board.box.hand_at_year_end
    if left is None and (state.axis.hand or state.allies.hand):
        raise FromYourBox("box.hand_at_year_end", "3.10")
    for side in SIDES:
        camp = state.camp(side)
        if left == "discard-first":
            camp = replace(camp, hand=0, discard=camp.discard + camp.hand)
        camp = replace(camp, deck=camp.deck + camp.discard, discard=0)
        shuffled = camp.deck
        wanted = HAND if left == "three-more" else HAND - camp.hand
        after = drawn(camp, wanted)
        state = state.with_camp(side, after)
        effects.append(remind("3.10", "new-deck", side=side, deck=shuffled, n=after.hand - camp.hand, hand=after.hand))
    return Played(game._replace(state=state), tuple(effects))


def _reinforced(game: Game) -> Played:
    state = game.state
    found = need_reinforcement(game.board, state.year)
    effects: list[Consequence] = []
    for side, n in (("axis", found.axis), ("allies", found.allies)):
        camp = state.camp(_side(side))
        state = state.with_camp(_side(side), replace(camp, losses=camp.losses + n))
        effects.append(remind("3.12", "reinforcements", side=side, n=n, year=state.year))
    first = first_of_year(state)
    effects.append(
        done("2.1", "first-of-year", side=first, year=state.year, axis=state.axis.deck, allies=state.allies.deck)
    )
    state = replace(state, phase="turn", stage=None, served=False, budget=0, ticked=())
    game, turned = start_turn(game._replace(state=state), first)
    return Played(game, (*effects, *turned))


def _side(name: str) -> Side:
    return "axis" if name == "axis" else "allies"


def objectives(game: Game, action: Objectives) -> Played:
    """3.11.1 and 3.11.2: the game ends after 1944."""
    state = game.state
    need(state.phase == "year-end" and state.stage == "3.11" and state.year == LAST_YEAR, "not-now", "3.11.2")
    need(len(set(action.provinces)) == len(action.provinces), "objectives-two", "3.11.2")
    on_cards = game.board.box.objectives
    for key in action.provinces:
        state.ground(key)
        need(not on_cards or key in on_cards, "objective-not-on-card", "1.4", province=key)
    result = by_objectives(game, action.provinces)
    effects = (
        done("3.11.1", "game-over", year=state.year),
        done("3.11.2", result.why, where=action.provinces, side=result.winner),
    )
    return Played(_over(game, result), effects)
