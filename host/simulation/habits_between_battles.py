"""What people do between two battles: deal, discuss, forget a card; and mistakes that both forgive."""

from __future__ import annotations

from engine.battle import play
from engine.cards import DESTROYERS, TRANSPORT
from engine.legality import legal_moves, neighbours, where_it_lies
from engine.moves import Move
from engine.names import FACE_DOWN, THEATERS
from engine.places import PLACES
from engine.referee.hypothesis import EMPTY
from engine.referee.violations import skipped
from engine.state import DOWN, Pile, State
from host.simulation.careless_players import Columns
from host.simulation.habit_games import HabitGame, same_side, side_of
from host.simulation.habits_of_hands import LAID, LIFTED, TURNED, plain, two_beside


def dealt_on_the_boards(game: HabitGame) -> None:
    """The hands are dealt in two piles face down that lie on the boards until everybody takes theirs up."""
    if game.rng.random() < 0.5:
        game.finish()
        game.deal_again()
    game.shown = True
    theater = game.rng.choice(THEATERS)
    columns: Columns = [[], [], [], [], [], []]
    columns[game.at(theater, "near")] = columns[game.at(theater, "far")] = [FACE_DOWN]
    game.show(columns, (0.8, 4.0), may=LAID)
    game.show(EMPTY, (1.0, 3.0))
    game.finish()


def card_forgotten(game: HabitGame) -> None:
    """One card of the last battle is left lying until somebody sees it, some turns into the next one."""
    game.play_out()
    game.show(None, (1.0, 7.0))
    at = game.rng.choice(game.tops())
    old = game.columns[at][0]
    # Of two backs nobody can tell which one is the older.
    game.known = old != FACE_DOWN
    rest: Columns = [[old] if nth == at else [] for nth in range(6)]
    game.show(rest, (2.0, 4.0))
    game.deal_again()
    game.show(rest, (1.0, 3.0))
    for move in two_beside(game, at, old):
        game.known &= move.do == "deploy"
        columns = game.columns
        columns[at] = [old]
        game.show(columns, (1.5, 4.0))
        game.shown = True
    game.show()
    game.finish()


def discussed_after_the_end(game: HabitGame) -> None:
    """After the last card some cards are pushed about to show what might have been; then all are gathered."""
    game.play_out()
    game.show(None, (6.0, 8.0))
    game.shown = True
    columns = game.columns
    for _ in range(3):
        at = game.rng.choice([at for at, column in enumerate(columns) if column])
        if game.rng.random() < 0.5:
            columns[game.rng.choice(same_side(at))].append(columns[at].pop())
        else:
            columns[at] = columns[at][1:] + columns[at][:1]
        game.show(columns, (1.0, 5.0))
    game.gather(columns, (0.5, 1.5))


def one_side_cleared_late(game: HabitGame) -> None:
    """Who withdrew clears the own side; the boards are rotated; the other clears while the next battle begins."""
    if game.some(4, 8) and game.state.turn is not None and game.state.extra == (0, 0) and not game.destroyers:
        mine = [at for at in game.tops() if side_of(at) == game.state.turn]
        rest = [at for at in game.tops() if at not in mine]
        if len(mine) > 1 and len(rest) > 1:
            columns = game.columns
            # Where cards may have been lost unseen, it is asked how many were left in that hand.
            game.ask = any(move.card in DESTROYERS for move in game.moves)
            game.withdraw()
            for at in mine:
                columns[at] = []
            game.show(columns, (1.0, 4.0))
            for at in rest[:-1]:
                columns[at] = []
            game.show(columns, (1.0, 2.0))
            game.show(EMPTY, (0.8, 2.0))
            game.deal_again()
            game.shown = True
    game.finish()


# --- mistakes that both forgive --------------------------------------------------------------------------------------


def effect_forgiven(game: HabitGame) -> None:
    """An effect is forgotten, it is told, and nobody carries it out."""
    while game.state.turn is not None and not game.shown:
        after = skipped(game.state) if game.state.pending in ("maneuver", "ambush", "disrupt") else None
        if after is not None and after.pending is None and after.turn not in (None, game.state.turn):
            if game.destroyers:
                break
            game.state = after
            move = game.pick(lambda m: plain(game, m))
            if move is None:
                break
            game.make(move)
            game.shown, game.known = True, False
            game.show(None, (3.0, 5.0), must=frozenset({"effect-left-out"}))
            break
        game.any_move()
    game.finish()


def out_of_reach_forgiven(game: HabitGame) -> None:
    """A Maneuver turns a card over that it does not reach, it is told, and nobody turns it back."""
    while game.state.turn is not None and not game.shown:
        state = game.state
        if state.pending == "maneuver" and state.queue[1:] == () and not game.destroyers:
            near = neighbours(state.order, where_it_lies(state.piles, state.queue[0]))
            far = [at for at in game.tops(up=True) if THEATERS[at // 2] not in near]
            far = [at for at in far if state.piles[at][-1].card != state.queue[0].card]
            after = skipped(state)
            if far and after is not None and after.turn is not None:
                at = game.rng.choice(far)
                *below, top = after.piles[at]
                assert top.card is not None
                game.state = with_pile(after, at, (*below, DOWN[top.card]))
                game.shown, game.known = True, False
                game.show(None, (3.0, 5.0), must=frozenset({"flip-out-of-reach"}))
                break
        game.any_move()
    game.finish()


def never_destroyed(game: HabitGame) -> None:
    """A card that Containment or Blockade destroys is left lying, it is told, and both count it."""

    def lost(game: HabitGame) -> list[Move]:
        found = [m for m in legal_moves(game.state) if m.do == "improvise" and game.lost(m)]
        return found if sum(hand.size for hand in game.state.hands) > 6 else []

    if game.polite(until=lambda: game.destroyers and bool(lost(game))):
        move = game.rng.choice(lost(game))
        after = play(game.state, move)
        if after.turn not in (None, move.by):
            at = game.at(move.to, move.by)
            assert move.card is not None
            left = with_pile(after, at, (*after.piles[at], DOWN[move.card]))
            game.state = left._replace(deck=after.deck[:-1])
            game.known, game.ask = False, True
            game.show(None, (3.0, 5.0), must=frozenset({"should-be-destroyed"}))
            spot = PLACES[at]
            # Both count it once they have played on for a while without minding it.
            turns = 0
            while turns < 8 and game.step(lambda m: spot not in ((m.at, m.side), (m.to, m.by), (m.origin, m.by))):
                turns += 1
            game.shown = turns == 8
    game.finish()


def with_pile(state: State, at: int, pile: Pile) -> State:
    """The state with that stack."""
    return state._replace(piles=(*state.piles[:at], pile, *state.piles[at + 1 :]))


# --- stacks ----------------------------------------------------------------------------------------------------------


def pushed_together_for_long(game: HabitGame) -> None:
    """A stack is pushed together so that only its uppermost card shows, and play goes on beside it."""

    def high() -> list[int]:
        # With a Transport on top its owner would be taken to hold the card from below it.
        return [
            at
            for at, pile in enumerate(game.state.piles)
            if len(pile) > 1 and pile[-1].up and pile[-1].card != TRANSPORT
        ]

    if game.polite(until=lambda: bool(high()) and game.rng.random() < 0.5) and not game.destroyers:
        at = game.rng.choice(high())
        top = game.columns[at][-1]
        columns = game.columns
        columns[at] = [top]
        game.show(columns, (2.0, 4.0))
        for _ in two_beside(game, at):
            columns = game.columns
            columns[at] = [top]
            game.show(columns, (2.0, 4.0))
            game.shown = True
        game.show()
    game.finish()


def stacks_swapped(game: HabitGame) -> None:
    """Two stacks of a side are taken up and laid back each in the other's column, until somebody says so."""

    def sides() -> list[tuple[int, int]]:
        tops = game.tops()
        return [(a, b) for a in tops for b in same_side(a) if a < b and b in tops and game.table[a] != game.table[b]]

    if game.polite(until=lambda: bool(sides()) and game.rng.random() < 0.4):
        a, b = game.rng.choice(sides())
        columns = game.columns
        columns[a], columns[b] = columns[b], columns[a]
        game.shown = True
        game.show(columns, (1.5, 6.0), may=LAID | LIFTED | TURNED)
        game.show(may=LAID | LIFTED | TURNED)
    game.finish()


BETWEEN = {
    "dealt-on-the-boards": dealt_on_the_boards,
    "card-forgotten": card_forgotten,
    "discussed-after-the-end": discussed_after_the_end,
    "one-side-cleared-late": one_side_cleared_late,
    "effect-forgiven": effect_forgiven,
    "out-of-reach-forgiven": out_of_reach_forgiven,
    "never-destroyed": never_destroyed,
    "pushed-together-for-long": pushed_together_for_long,
    "stacks-swapped": stacks_swapped,
}
"""The habits by name."""
