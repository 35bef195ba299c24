"""What a war changes by treaty and by falling: the USSR, Paris, Britain, the Balkans and the USA (2.5 to 2.8, 3.7
to 3.9). Control passes; neutral cards stay where they lie."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.fog.board import need_count, need_country
from engine.fog.effects import Consequence, done, remind
from engine.fog.names import FIRST_YEAR, SIDES, Side, other
from engine.fog.state import FogState, Game, ProvinceState, TriggerEvent
from engine.fog.supply import without_supply


def attacked(game: Game, by: Side, target: str) -> tuple[Game, tuple[Consequence, ...]]:
    """What an attack itself brings about, before the battle (2.6; 3.7 is noted). Raises `FromYourBox`."""
    if by != "axis":
        return game, ()
    country = need_country(game.board, target)
    if country == "ussr" and "ussr" not in game.state.happened:
        return _ussr_enters(game, "2.6")
    if country == "balkans" and game.state.year == FIRST_YEAR:
        state = game.state.with_happened("balkans-attacked")
        return game._replace(state=state), (done("3.7", "balkans-attacked", target=target),)
    return game, ()


def captured(game: Game, by: Side, target: str) -> tuple[Game, tuple[Consequence, ...]]:
    """What else falls with a province, and the Allies' win (2.5, 2.7, 2.8)."""
    roles, effects = game.board.roles, []
    falls: tuple[tuple[TriggerEvent, str, tuple[str, ...], str], ...] = (
        ("paris", roles.paris, roles.falls_with_paris, "2.7"),
        ("britain", roles.britain, roles.falls_with_britain, "2.8"),
    )
    for what, fallen, with_it, paragraph in falls:
        if by == "axis" and target == fallen and what not in game.state.happened:
            state, passed = _pass(game.state.with_happened(what), with_it, "axis")
            game = game._replace(state=state)
            effects.append(remind(paragraph, "falls-with", target=target, passed=passed or None))
    return game, tuple(effects)


def supply_markers(before: Game, after: Game) -> tuple[Consequence, ...]:
    """Which provinces need a marker "no supply", where that has changed (win.7). Raises `FromYourBox`."""
    effects = []
    for side in SIDES:
        where = without_supply(after, side)
        if where != without_supply(before, side):
            effects.append(remind("win.7", "no-supply-markers" if where else "all-supplied", side=side, where=where))
    return tuple(effects)


def balkans_join(game: Game) -> tuple[Game, tuple[Consequence, ...]]:
    """At the end of 1940 the Balkans join the Allies if the Axis attacked them, else the Axis (3.7)."""
    to: Side = "allies" if "balkans-attacked" in game.state.happened else "axis"
    state, passed = _pass(game.state, _neutral(game, "balkans"), to)
    state = state.with_happened("balkans")
    return game._replace(state=state), (remind("3.7", "balkans-join", side=to, passed=passed or None),)


def usa_enters(game: Game) -> tuple[Game, tuple[Consequence, ...]]:
    """The cards of the USA, and a new source of supply (3.8)."""
    n = need_count(game.board, "usa_cards")
    state = _shuffled_in(game.state, n).with_happened("usa")
    return game._replace(state=state), (remind("3.8", "usa", n=n, source=game.board.roles.usa_source or None),)


def ussr_enters(game: Game) -> tuple[Game, tuple[Consequence, ...]]:
    """At the end of 1942, if the Axis did not attack before (3.9)."""
    return _ussr_enters(game, "3.9")


def _ussr_enters(game: Game, paragraph: str) -> tuple[Game, tuple[Consequence, ...]]:
    n = need_count(game.board, "ussr_cards")
    state, passed = _pass(game.state, _neutral(game, "ussr"), "allies")
    state = _shuffled_in(state, n).with_happened("ussr")
    source = game.board.roles.ussr_source or None
    return game._replace(state=state), (remind(paragraph, "ussr", n=n, passed=passed or None, source=source),)


def _neutral(game: Game, country: str) -> list[str]:
    return [
        ground.key
        for ground in game.state.grounds
        if ground.control is None and need_country(game.board, ground.key) == country
    ]


def _shuffled_in(state: FogState, n: int) -> FogState:
    return state.with_camp("allies", replace(state.allies, deck=state.allies.deck + n))


def _pass(state: FogState, keys: Iterable[str], to: Side) -> tuple[FogState, list[str]]:
    """Control passes to `to`; the other side's cards there go to its discard pile, a quagmire there ends."""
    loser, passed = other(to), []
    for key in keys:
        ground = state.ground(key)
        if ground.control == to:
            continue
        camp = state.camp(loser)
        state = state.with_camp(loser, replace(camp, discard=camp.discard + ground.cards(loser)))
        emptied: ProvinceState = ground.with_cards(loser, 0)
        state = state.with_ground(replace(emptied, control=to, quagmire=None))
        passed.append(key)
    return state, passed
