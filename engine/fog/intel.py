"""Intel: declared, bid for, and looked at (2.4). What is seen is for the side that looks; it is in no state."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.fog.actions import AnswerIntel, Intel
from engine.fog.effects import Consequence, Played, done, need, remind
from engine.fog.names import SECTORS, UNCHOSEN_OBJECTIVES, Side, other
from engine.fog.operations import acting
from engine.fog.outcome import cards_to_look_at
from engine.fog.refusal import ForbiddenAction
from engine.fog.state import Bid, FogState, Game, sector_of
from engine.fog.turns import must_play

COST_AT_END: Final = 1
COST_BEFORE: Final = 2
COST_OF_FIRST_CANCEL: Final = 2


def pile_size(game: Game, side: Side, action: Intel | Bid) -> int:
    """How many cards lie where `side` wants to look. Raises `ForbiddenAction` where it may not or need not."""
    state, rival = game.state, other(side)
    if action.slot is not None:
        camp = state.camp(rival)
        n = camp.operations[action.slot] if 0 <= action.slot < len(SECTORS) else None
        name = SECTORS[action.slot] if 0 <= action.slot < len(SECTORS) else str(action.slot)
        need(n is not None, "no-operation", "2.4", slot=name)
        need(sector_of(camp, action.slot) != 0, "no-intel", "2.4", slot=name)
        return n or 0
    if action.province is None:
        need(side == "allies", "objectives-allies", "2.4")
        return UNCHOSEN_OBJECTIVES
    ground = state.ground(action.province)
    free = game.board.roles.free_looks
    if action.whose == "neutral":
        need(side != "allies" or action.province not in free, "look-free", "1.13", province=action.province)
        return ground.neutral
    return ground.cards(rival)


def price(bid: Bid) -> int:
    """What the side that must answer pays to go on bidding (2.4.2)."""
    paid = bid.axis_paid if bid.to_answer == "axis" else bid.allies_paid
    return COST_OF_FIRST_CANCEL if paid == 0 else 1


def declare(game: Game, action: Intel) -> Played:
    side = acting(game, "2.4")
    n = pile_size(game, side, action)
    need(n > 0, "nothing-there", "2.4.1")
    need(not action.ends_turn or not must_play(game.state), "must-play", "2.9", side=side)
    cost = COST_AT_END if action.ends_turn else COST_BEFORE
    state = _paid(game.state, side, cost, "2.4.2")
    bid = Bid(
        side,
        action.province,
        action.whose,
        action.slot,
        action.ends_turn,
        cost if side == "axis" else 0,
        cost if side == "allies" else 0,
        other(side),
    )
    effects = [
        done("2.4.1", "intel-declared", side=side, **_where(bid)),
        remind("2.4.3", "tokens-turned", side=side, n=cost),
    ]
    return _go_on(game._replace(state=replace(state, bid=bid)), effects)


def answer(game: Game, action: AnswerIntel) -> Played:
    bid = game.state.bid
    if bid is None:
        raise ForbiddenAction("no-bid", "2.4.2")
    if not action.pay:
        return _settled(game, bid, [])
    side, cost = bid.to_answer, price(bid)
    state = _paid(game.state, side, cost, "2.4.2")
    if side == "axis":
        bid = replace(bid, axis_paid=bid.axis_paid + cost)
    else:
        bid = replace(bid, allies_paid=bid.allies_paid + cost)
    bid = replace(bid, to_answer=other(side))
    effects = [
        done("2.4.2", "intel-cancelled" if side != bid.by else "intel-insisted", side=side, n=cost),
        remind("2.4.3", "tokens-turned", side=side, n=cost),
    ]
    return _go_on(game._replace(state=replace(state, bid=bid)), effects)


def _go_on(game: Game, effects: list[Consequence]) -> Played:
    """The other side may answer, unless it has too few tokens to."""
    bid = game.state.bid
    if bid is not None and game.state.camp(bid.to_answer).intel < price(bid):
        effects.append(done("2.4.2", "cannot-answer", side=bid.to_answer))
        return _settled(game, bid, effects)
    return Played(game, tuple(effects))


def _settled(game: Game, bid: Bid, effects: list[Consequence]) -> Played:
    """The side that does not pay on gives in."""
    state = replace(game.state, bid=None, closing=bid.ends_turn)
    if bid.to_answer == bid.by:
        effects.append(done("2.4.2", "intel-fails", side=bid.by))
    else:
        n = pile_size(game, bid.by, bid)
        effects += [
            remind("2.4.4", "pile-shuffled", side=other(bid.by), n=n),
            remind("2.4.5", "cards-looked-at", side=bid.by, n=cards_to_look_at(n), pile=n),
            remind("2.4.6", "pile-back", side=other(bid.by)),
            done("2.4.7", "intel-again", side=bid.by),
        ]
    if bid.ends_turn:
        effects.append(done("2.4.2", "turn-closing", side=bid.by))
    return Played(game._replace(state=state), tuple(effects))


def _paid(state: FogState, side: Side, n: int, paragraph: str) -> FogState:
    camp = state.camp(side)
    need(camp.intel >= n, "tokens-short", paragraph, side=side, n=camp.intel, wanted=n)
    return state.with_camp(side, replace(camp, intel=camp.intel - n, intel_used=camp.intel_used + n))


def _where(bid: Bid) -> dict[str, str | None]:
    return {
        "province": bid.province,
        "whose": bid.whose if bid.province is not None else None,
        "slot": None if bid.slot is None else SECTORS[bid.slot],
        "objectives": "objectives" if bid.province is None and bid.slot is None else None,
    }
