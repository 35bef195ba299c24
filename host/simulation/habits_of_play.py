"""What people do with the cards that they play or hold: put them down, show them, carry them, turn them round, lay
them beneath, and give a battle up in their own way."""

from __future__ import annotations

from engine.battle import play
from engine.cards import DESTROYERS
from engine.moves import Move
from engine.names import FACE_DOWN, SEATS, THEATERS, Seat, other
from engine.places import PLACES
from engine.referee.belief import faces
from engine.sight import Note
from engine.state import cards_of
from host.simulation.careless_players import Columns
from host.simulation.habit_games import HabitGame, shown_by, side_of
from host.simulation.habits_of_hands import LAID, LIFTED, TURNED, plain, two_beside

CARRIED = LIFTED | LAID | TURNED


def hand_put_down(game: HabitGame) -> None:
    """A player lays the hand face down in an own column for a while, to have both hands free, and takes it up."""
    if game.some(2, 9):
        seat = game.rng.choice(SEATS)
        if game.state.hand(seat).size and not game.destroyers:
            game.shown = True
            game.show(game.laid(game.rng.choice(THEATERS), seat, FACE_DOWN), (1.0, 8.0), may=LAID)
            game.show(may=LAID)
    game.finish()


def shown_from_the_hand(game: HabitGame) -> None:
    """A player lays a card of the hand face up on the table although the other is to play, says something of it, and
    takes it back into the hand."""
    if game.some(2, 8) and game.state.turn is not None and not game.destroyers:
        seat = other(game.state.turn)
        held = cards_of(game.state.hand(seat).known)
        if held:
            game.shown = True
            game.show(game.laid(game.rng.choice(THEATERS), seat, str(game.rng.choice(held))), (0.8, 4.0), may=LAID)
            game.show(may=LAID)
    game.finish()


def gathered_too_early(game: HabitGame) -> None:
    """A player takes the battle for over and gathers the own cards in, stack by stack; the other says so, and they are
    laid back."""
    if game.polite(until=lambda: _wide(game) is not None and game.rng.random() < 0.4):
        seat = _wide(game)
        columns = game.columns
        game.shown = True
        for at in [at for at in game.tops() if side_of(at) == seat]:
            columns[at] = []
            game.show(columns, (0.8, 2.0))
        game.show()
    game.finish()


def _wide(game: HabitGame) -> Seat | None:
    """A seat with cards in two theaters or more while the other has some too."""
    counts = {seat: sum(side_of(at) == seat for at in game.tops()) for seat in SEATS}
    if not all(counts.values()):
        return None
    return next((seat for seat in SEATS if counts[seat] > 1), None)


def taken_back_after_the_answer(game: HabitGame) -> None:
    """A player takes a card back after the other has answered, and lays it elsewhere: both agree."""
    if not game.destroyers and game.some(0, 5) and not game.destroyers:
        first = game.pick(lambda m: m.do == "improvise" and plain(game, m))
        if first is not None:
            before = game.state
            card, to = first.card, first.to
            elsewhere = game.choices(lambda m: m.do == "improvise" and m.card == card and m.to != to)
            game.make(first)
            game.show()
            answer = game.pick(lambda m: plain(game, m) and m.do == "improvise")
            if elsewhere and answer is not None:
                game.make(answer)
                game.show()
                meant = game.rng.choice(elsewhere)
                game.state = play(play(before, meant), answer)
                game.shown, game.known = True, False
                game.show(None, (9.0, 12.0), must=frozenset({"move-without-effect"}))
    game.finish()


def turned_round_to_be_read(game: HabitGame) -> None:
    """A player turns an own face-up card round to the own seat, reads it, and turns it back."""
    if game.some(2, 9):
        up = game.tops(up=True)
        if up:
            game.shown = True
            at = game.rng.choice(up)
            spot = at, len(game.table[at]) - 1
            game.show(None, (1.0, 6.0), may=frozenset({"wrong-way-round"}), round_cards=frozenset({spot}))
            game.show()
    game.finish()


def laid_the_wrong_way_round(game: HabitGame) -> None:
    """A player lays a card so that only its own seat can read it, plays on so, and turns it round much later."""
    game.some(0, 4)
    move = game.pick(lambda m: m.do == "deploy" and plain(game, m))
    if move is not None and game.free:
        game.make(move)
        spot = game.at(move.to, move.by), len(game.table[game.at(move.to, move.by)]) - 1
        told = frozenset({"wrong-way-round"})
        game.show(None, (2.0, 4.0), must=told, round_cards=frozenset({spot}))
        game.shown, game.known = True, True
        for _ in two_beside(game, spot[0]):
            game.show(None, (1.5, 4.0), may=told, round_cards=frozenset({spot}))
        game.show(may=told)
    game.finish()


def always_beneath(game: HabitGame) -> None:
    """A player pushes a new card beneath the stack, puts it on top when that is said, and does it again."""
    times = 0
    while times < 2 and game.polite(until=lambda: _onto_a_stack(game) is not None):
        move = _onto_a_stack(game)
        if move is None:
            break
        columns = game.columns
        at = game.at(move.to, move.by)
        columns[at].insert(0, shown_by(move))
        game.show(columns, (2.0, 4.0), must=frozenset({"wrong-place-in-stack"}), may=CARRIED)
        game.make(move)
        game.show()
        times += 1
        game.shown = True
    game.finish()


def _onto_a_stack(game: HabitGame) -> Move | None:
    """A plain play onto a stack none of whose cards shows the same face."""

    def fits(move: Move) -> bool:
        column = game.table[game.at(move.to, move.by)]
        return plain(game, move) and bool(column) and shown_by(move) not in column

    return None if game.destroyers else game.pick(fits)


def glass_on_a_column(game: HabitGame) -> None:
    """Somebody puts a glass down in an empty column and takes it away again, while play goes on elsewhere."""
    game.some(1, 6)
    empty = [at for at, column in enumerate(game.table) if not column]
    if game.free and empty and not game.destroyers:
        at = game.rng.choice(empty)
        game.ask = True
        note = Note("foreign", "/".join((str(PLACES[at][0]), PLACES[at][1])))
        game.shown = True
        game.show(None, (1.0, 4.0), notes=(note,))
        for _ in two_beside(game, at):
            game.show(None, (3.0, 6.0), notes=(note,))
        game.show()
    game.finish()


def withdrawn_by_turning_down(game: HabitGame) -> None:
    """Who withdraws turns the own cards face down where they lie; then all are gathered in."""
    if game.some(3, 9) and game.state.turn is not None and not game.destroyers:
        seat = game.state.turn
        mine = [at for at in game.tops() if side_of(at) == seat and any(slot.up for slot in game.state.piles[at])]
        if sum(slot.up for at in mine for slot in game.state.piles[at]) > 1:
            game.shown = True
            # Where cards may have been lost unseen, it is asked how many were left in that hand.
            game.ask = any(move.card in DESTROYERS for move in game.moves)
            columns = game.columns
            game.withdraw()
            for at in mine:
                columns[at] = [FACE_DOWN] * len(columns[at])
            game.show(columns, (1.0, 3.0), may=TURNED)
            game.gather(columns, (0.5, 1.5))
            return
    game.finish()


def swept_together(game: HabitGame) -> None:
    """Who withdraws sweeps the own stacks into one column; then all are gathered in."""
    if game.some(4, 9) and game.state.turn is not None and not game.destroyers:
        seat = game.state.turn
        mine = [at for at in game.tops() if side_of(at) == seat]
        if len(mine) > 1:
            game.shown = True
            columns = game.columns
            game.withdraw()
            at, *rest = game.rng.sample(mine, len(mine))
            for one in rest:
                columns[at] += columns[one]
                columns[one] = []
            game.show(columns, (1.0, 3.0), may=CARRIED)
            game.gather(columns, (0.5, 1.5))
            return
    game.finish()


def reinforcement_laid_up(game: HabitGame) -> None:
    """The card that Reinforce draws is laid face up, and turned down where it lies when that is said."""
    for moves in game.while_open("reinforce", "reinforce"):
        move = game.rng.choice(moves)
        drawn = game.state.deck[0].card
        if drawn is not None and not game.destroyers:
            wrong = frozenset({"wrong-reinforcement"})
            # Where Reinforce may be declined, it looks like the next card of that seat.
            must = None if game.state.edition.reinforce_optional else wrong
            laid = game.laid(move.to, move.by, str(drawn))
            game.show(laid, (2.0, 4.0), must=must, may=wrong | LAID)
            game.make(move)
            game.show(may=TURNED)
            game.shown = True
    game.finish()


def turned_in_the_hand(game: HabitGame) -> None:
    """A card that an effect turns is taken up, looked at, and laid back the other way up."""
    for moves in game.while_open("flip", "maneuver", "ambush"):
        # An Ambush that turns itself looks like one that was taken back and laid face down.
        using = game.state.queue[0].card
        flips = [m for m in moves if game.state.piles[game.at(m.at, m.side or m.by)][-1].card != using]
        if flips:
            move = game.rng.choice(flips)
            columns = game.columns
            columns[game.at(move.at, move.side or move.by)].pop()
            game.show(columns, (0.8, 4.0))
            game.make(move)
            game.show()
            game.shown = True
    game.finish()


def carried_slowly(game: HabitGame) -> None:
    """The card that Transport moves is held in the hand for long before it is laid down."""
    for moves in game.while_open("move", "transport"):
        move = game.rng.choice(moves)
        columns = game.columns
        assert move.nth is not None
        del columns[game.at(move.origin, move.by)][move.nth]
        if any(columns):
            game.show(columns, (4.0, 15.0))
            game.make(move)
            game.show()
            game.shown = True
    game.finish()


def arm_over_a_board(game: HabitGame) -> None:
    """An arm rests over a board while a card is laid beside it."""
    game.some(1, 8)
    move = game.pick(lambda m: plain(game, m))
    if move is not None:
        game.shown = True
        whole = game.order
        game.order = None
        game.make(move)
        game.show(None, (1.0, 6.0))
        game.order = whole
        game.show()
    game.finish()


def last_of_all(game: HabitGame, move: Move) -> bool:
    """Whether the move ends the battle."""
    return move.do in ("deploy", "improvise") and play(game.state, move).result is not None


def gathered_while_the_last_card_is_laid(game: HabitGame) -> None:
    """The first player has laid the last own card and gathers already while the other lays the last of all."""
    if game.polite(until=lambda: sum(hand.size for hand in game.state.hands) == 1):
        move = game.pick(lambda m: last_of_all(game, m))
        if move is not None:
            rest = [at for at in game.tops() if side_of(at) != move.by]
            if len(rest) > 1:
                game.shown = True
                game.make(move)
                columns: Columns = [list(column) for column in faces(game.state)]
                columns[game.rng.choice(rest)] = []
                game.show(columns, (0.6, 2.5), may=LIFTED)
                game.ended()
                game.gather(columns, (0.6, 1.5))
                return
    game.finish()


PLAY = {
    "hand-put-down": hand_put_down,
    "shown-from-the-hand": shown_from_the_hand,
    "gathered-too-early": gathered_too_early,
    "taken-back-after-the-answer": taken_back_after_the_answer,
    "turned-round-to-be-read": turned_round_to_be_read,
    "laid-the-wrong-way-round": laid_the_wrong_way_round,
    "always-beneath": always_beneath,
    "glass-on-a-column": glass_on_a_column,
    "withdrawn-by-turning-down": withdrawn_by_turning_down,
    "swept-together": swept_together,
    "reinforcement-laid-up": reinforcement_laid_up,
    "turned-in-the-hand": turned_in_the_hand,
    "carried-slowly": carried_slowly,
    "arm-over-a-board": arm_over_a_board,
    "gathered-while-the-last-card-is-laid": gathered_while_the_last_card_is_laid,
}
"""The habits by name."""
