"""What both players do at once, or with each other's cards: they show, count, correct, and lay while others tidy."""

from __future__ import annotations

from engine.battle import play
from engine.legality import explain
from engine.moves import Move
from engine.names import FACE_DOWN, SEATS, THEATERS, other
from engine.places import PLACES
from engine.referee.belief import faces
from host.simulation.careless_players import Columns
from host.simulation.habit_games import HabitGame, side_of
from host.simulation.habits_of_hands import LAID, LIFTED, TURNED, plain, turned_up

ACROSS = LIFTED | LAID | TURNED
"""What may be told of a card of the other player that lies where nobody means it to stay."""
REORDERED = frozenset({"wrong-place-in-stack", "covered-flip"}) | LIFTED | TURNED


def both_hands_at_once(game: HabitGame) -> None:
    """One hand lays a card while the other holds an own stack that is being squared up."""
    move = None
    if game.some(3, 9):
        move = game.pick(lambda m: plain(game, m))
    if move is not None:
        laid = play(game.state, move)
        held = [at for at in game.tops() if side_of(at) == move.by and PLACES[at][0] != move.to]
        if held:
            game.shown = True
            columns: Columns = [list(column) for column in faces(laid)]
            columns[game.rng.choice(held)] = []
            game.show(columns, (0.6, 2.5), may=LIFTED)
            game.make(move)
            game.show()
    game.finish()


def read_while_the_other_plays(game: HabitGame) -> None:
    """A player has an own hidden card in the hand, to look at it, while the other lays a card."""
    move, mine = None, list[int]()
    # Just after Redeploy that is what its effect looks like.
    if game.some(2, 9) and game.moves[-1].card != "S4":
        move = game.pick(lambda m: plain(game, m))
        mine = [] if move is None else [at for at in game.tops(up=False) if side_of(at) != move.by]
    if move is not None and mine:
        game.shown = True
        at = game.rng.choice(mine)
        columns = game.columns
        columns[at].pop()
        game.show(columns, (0.6, 1.6))
        game.make(move)
        columns = game.columns
        columns[at].pop()
        game.show(columns, (0.6, 2.5))
        game.show()
    game.finish()


def handed_across(game: HabitGame) -> None:
    """A face-up card is handed across the table: it lies on the other's side to be read, and goes back."""
    if game.some(2, 8):
        up = game.tops(up=True)
        if up and not game.destroyers:
            game.shown = True
            at = game.rng.choice(up)
            theater, seat = PLACES[at]
            columns = game.columns
            columns[game.at(theater, other(seat))].append(columns[at].pop())
            game.show(columns, (0.8, 3.0), may=ACROSS)
            game.show(may=ACROSS)
    game.finish()


def hidden_card_shown(game: HabitGame) -> None:
    """A player turns an own hidden card up for some seconds, to show it to the other, and down again."""
    turned_up(game, (2.0, 4.5))


def corrected_by_the_other(game: HabitGame) -> None:
    """A card lies face up in the wrong theater; the other player says so and turns it down where it lies."""

    def astray(move: Move) -> bool:
        up = move._replace(do="deploy")
        why = explain(game.state, up)
        return move.do == "improvise" and plain(game, move) and why is not None and why.code == "wrong-theater"

    game.some(0, 8)
    move = game.pick(astray)
    if move is not None and move.card is not None:
        game.shown = True
        game.show(game.laid(move.to, move.by, str(move.card)), (1.5, 4.0), must=frozenset({"wrong-theater"}))
        game.make(move)
        game.show()
    game.finish()


def stacks_reordered_while_talking(game: HabitGame) -> None:
    """A stack of each player is taken up and laid back in another order, and then as it was."""

    def mixed() -> list[int]:
        return [at for at, column in enumerate(game.table) if len(set(column)) > 1]

    if game.polite(until=lambda: {at % 2 for at in mixed()} == {0, 1} and game.rng.random() < 0.5):
        game.shown = True
        columns = game.columns
        for side in (0, 1):
            at = game.rng.choice([at for at in mixed() if at % 2 == side])
            columns[at] = columns[at][1:] + columns[at][:1]
        game.show(columns, (1.0, 5.0), may=REORDERED)
        game.show(may=REORDERED)
    game.finish()


def pushed_while_the_other_plays(game: HabitGame) -> None:
    """A hidden card just laid is pushed to the next column while the other player answers already."""
    game.some(0, 7)
    move = None if game.destroyers else game.pick(lambda m: m.do == "improvise" and plain(game, m))
    if move is not None:
        game.shown = True
        to = game.rng.choice([theater for theater in THEATERS if theater != move.to])
        game.show(game.laid(to, move.by, FACE_DOWN), (0.8, 2.5))
        game.make(move)
        answer = game.pick(lambda m: plain(game, m))
        if answer is not None and not game.lost(answer):
            game.make(answer)
        game.show()
    game.finish()


def counted_by_hand(game: HabitGame) -> None:
    """A player takes up all stacks of one's own side, one after the other, to count them, and lays them back."""
    if game.some(4, 9):
        sides = [seat for seat in SEATS if sum(side_of(at) == seat for at in game.tops()) > 1]
        if sides:
            game.shown = True
            seat = game.rng.choice(sides)
            for at in [at for at in game.tops() if side_of(at) == seat]:
                columns = game.columns
                columns[at] = []
                game.show(columns, (0.8, 2.0))
            game.show()
    game.finish()


def dropped_across(game: HabitGame) -> None:
    """A card falls face up on the other's side of a board, is picked up, and another is laid where it belongs."""
    game.some(0, 8)
    move = None if game.destroyers else game.pick(lambda m: plain(game, m))
    if move is not None and move.card is not None:
        game.shown = True
        theater = game.rng.choice(THEATERS)
        game.show(game.laid(theater, other(move.by), str(move.card)), (0.5, 1.5), may=ACROSS)
        if game.rng.random() < 0.5:
            game.show(None, (0.8, 2.5))
        game.make(move)
        game.show(may=LAID)
    game.finish()


BOTH = {
    "both-hands-at-once": both_hands_at_once,
    "read-while-the-other-plays": read_while_the_other_plays,
    "handed-across": handed_across,
    "hidden-card-shown": hidden_card_shown,
    "corrected-by-the-other": corrected_by_the_other,
    "stacks-reordered-while-talking": stacks_reordered_while_talking,
    "pushed-while-the-other-plays": pushed_while_the_other_plays,
    "counted-by-hand": counted_by_hand,
    "dropped-across": dropped_across,
}
"""The habits by name."""
