"""Setting up and taking turns: the first turn, the wheel, drawing, winter, the end of the year (1.9 to 2.11)."""

from __future__ import annotations

from dataclasses import replace

from engine.fog.actions import Begin, EndTurn, PlaceBeforehand, ReminderDone
from engine.fog.board import faults, need_count, questions_to_begin
from engine.fog.effects import Consequence, Played, cut_off, done, need, remind
from engine.fog.names import HAND, PLACED_BEFOREHAND, SECTORS, SIDES, Side, other
from engine.fog.refusal import FromYourBox
from engine.fog.state import Camp, FogState, Game, first_at_year_end


def tick(game: Game, action: ReminderDone) -> Played:
    kept = tuple(paragraph for paragraph in game.state.ticked if paragraph != action.paragraph)
    ticked = (*kept, action.paragraph) if action.done else kept
    return Played(game._replace(state=replace(game.state, ticked=ticked)), ())


def place_beforehand(game: Game, action: PlaceBeforehand) -> Played:
    """1.9: each card in a different province. Doing it again replaces what was laid out before."""
    need(game.state.phase == "setup", "not-now", "1.9")
    keys = action.provinces
    need(len(set(keys)) == len(keys), "beforehand-twice", "1.9")
    need(len(keys) <= PLACED_BEFOREHAND, "beforehand-many", "1.9", n=PLACED_BEFOREHAND)
    state = game.state
    state = replace(state, grounds=tuple(replace(ground, allies=0) for ground in state.grounds))
    for key in keys:
        ground = state.ground(key)
        need(ground.control != "axis", "enemy-province", "1.9", province=key)
        state = state.with_ground(replace(ground, allies=1))
    deck = need_count(game.board, "allied_deck")
    need(deck >= len(keys), "deck-short", "1.9", n=deck)
    state = replace(state, placed=len(keys), allies=replace(state.allies, deck=deck - len(keys)))
    effects = (done("1.9", "placed-beforehand", where=list(keys)),) if keys else ()
    return Played(game._replace(state=state), effects)


def begin(game: Game, action: Begin) -> Played:
    """1.1 to 1.12, and the first turn.

    Raises `FromYourBox` for what the board lacks, `ForbiddenAction` for what contradicts itself.
    """
    state, board = game.state, game.board
    need(state.phase == "setup", "not-now", "2.1")
    for question in questions_to_begin(board):
        raise FromYourBox(question.ask, question.paragraph)
    for _, why in faults(board):
        raise why
    marked = board.marked_areas()
    need(marked == board.neutral_areas, "neutral-areas", "1.2", n=marked, wanted=board.neutral_areas)
    effects = [
        done("1.1", "start-values", axis=state.axis.production, allies=state.allies.production),
        done("1.8", "start-intel", axis=state.axis.intel, allies=state.allies.intel),
        done("1.10", "start-hands", n=HAND),
        done("1.11", "start-wheels", slot=SECTORS[state.axis.wheel]),
        done("1.12", "start-token", side=state.token),
        remind("1.13", "free-looks", where=board.roles.free_looks or None),
    ]
    for side in SIDES:
        state = state.with_camp(side, drawn(state.camp(side), HAND))
    state = replace(state, phase="turn", ticked=())
    effects.append(done("2.1", "first-of-all", side="axis"))
    game, turned = start_turn(game._replace(state=state), "axis")
    return Played(game, (*effects, *turned))


def drawn(camp: Camp, n: int) -> Camp:
    """The camp after drawing `n` cards, or as many as the deck has."""
    n = min(max(n, 0), camp.deck)
    return replace(camp, deck=camp.deck - n, hand=camp.hand + n)


def start_turn(game: Game, side: Side) -> tuple[Game, tuple[Consequence, ...]]:
    """The turn of `side` begins: its wheel goes one step on (2.2)."""
    camp = game.state.camp(side)
    camp = replace(camp, wheel=(camp.wheel + 1) % len(SECTORS))
    state = replace(game.state.with_camp(side, camp), turn=side, played=0, closing=False)
    effects = [remind("2.2", "wheel-turned", side=side, slot=SECTORS[camp.wheel])]
    if camp.deck == 0:
        effects.append(done("2.10.1", "limited-turn", side=side))
    return game._replace(state=state), tuple(effects)


def limited(state: FogState) -> bool:
    """Whether the side to act has run out of cards: wheel, intel and operations only (2.10.1)."""
    return state.phase == "turn" and state.camp(state.turn).deck == 0


def must_play(state: FogState) -> bool:
    """Whether a card has to be played before the turn may end (2.9)."""
    camp = state.camp(state.turn)
    return state.phase == "turn" and not limited(state) and camp.hand > 0 and state.played == 0


def end_turn(game: Game, action: EndTurn) -> Played:
    state, side = game.state, game.state.turn
    need(state.phase == "turn" and state.battle is None and state.bid is None, "not-now", "2.10")
    need(not must_play(state), "must-play", "2.9", side=side)
    before = state.camp(side)
    camp = drawn(before, HAND - before.hand)
    state = state.with_camp(side, camp)
    effects = [remind("2.10", "drawn", side=side, n=camp.hand - before.hand, hand=camp.hand, deck=camp.deck)]
    rival = state.camp(other(side))
    if camp.deck == 0 and rival.deck == 0:
        state = replace(state, phase="year-end", stage="3.1", turn=first_at_year_end(state), served=False, ticked=())
        return Played(game._replace(state=state), (*effects, done("2.10.2", "year-ends", year=state.year)))
    if camp.deck == 0 and not state.winter:
        state = replace(state, winter=True)
        effects.append(remind("2.10.1", "winter", side=side, year=state.year))
    effects.append(done("2.11", "next-turn", side=other(side)))
    game, turned = start_turn(game._replace(state=state), other(side))
    return Played(game, (*effects, *turned))


def first_of_year(state: FogState) -> Side:
    """Who begins a year: the larger deck, the Axis if they are equal (2.1)."""
    return "allies" if state.allies.deck > state.axis.deck else "axis"


def setup_notes(game: Game) -> tuple[Consequence, ...]:
    """What is to be laid out before the first turn, in the memo's order (1.1 to 1.13)."""
    board, state = game.board, game.state
    return (
        remind("1.1", "setup-year", axis=state.axis.production, allies=state.allies.production),
        remind("1.2", "setup-neutral", n=board.neutral_areas + 1, areas=board.neutral_areas),
        remind("1.3", "setup-neutrality"),
        remind("1.4", "setup-objectives"),
        cut_off(board, "1.5"),
        remind("1.6", "setup-provinces", side="axis", where=state.held("axis")),
        remind("1.7", "setup-provinces", side="allies", where=state.held("allies")),
        remind("1.8", "setup-intel", axis=state.axis.intel, allies=state.allies.intel),
        remind("1.9", "setup-beforehand", n=PLACED_BEFOREHAND),
        remind("1.10", "setup-hands", n=HAND),
        remind("1.11", "setup-wheels", slot=SECTORS[state.axis.wheel]),
        remind("1.12", "setup-token", side=state.token),
        remind("1.13", "free-looks", where=board.roles.free_looks or None),
    )
