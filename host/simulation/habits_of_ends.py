"""What people do at the end of a battle and before the next one, and mistakes that they put right or ignore."""

from __future__ import annotations

from engine.battle import play
from engine.legality import explain
from engine.moves import Move
from engine.names import FACE_DOWN, SEATS, THEATERS, Face, Seat, other
from engine.referee.belief import faces
from engine.referee.hypothesis import EMPTY
from engine.referee.violations import skipped
from engine.state import State, cards_of
from engine.war import rotated
from host.simulation.habit_games import HabitGame, same_side, shown_by, side_of
from host.simulation.habits_of_hands import LAID, TURNED, plain

# --- ends ------------------------------------------------------------------------------------------------------------


def all_turned_up(game: HabitGame) -> None:
    """After the last card every hidden card is turned up, one by one or all at once, and then all are gathered in."""
    game.play_out()
    columns = game.columns
    one_by_one = game.rng.random() < 0.5
    for at, pile in enumerate(game.state.piles):
        for nth, slot in enumerate(pile):
            if not slot.up and nth == len(pile) - 1:
                columns[at][nth] = str(slot.card)
                game.shown = True
                if one_by_one:
                    game.show(columns, (0.6, 2.0))
    if not one_by_one:
        game.show(columns, (1.0, 5.0))
    game.show(EMPTY, (2.5, 4.0))


def all_turned_down(game: HabitGame) -> None:
    """After the last card the cards are turned face down where they lie, stack by stack, before they are taken up."""
    game.play_out()
    game.shown = True
    game.show(None, (5.5, 8.0))
    columns = game.columns
    for at in game.rng.sample(range(6), 6):
        if columns[at]:
            columns[at] = [FACE_DOWN] * len(columns[at])
            game.show(columns, (0.5, 1.5))
    for at in game.rng.sample(range(6), 6):
        if columns[at]:
            columns[at] = []
            if any(columns):
                game.show(columns, (0.5, 1.5))
    game.show(EMPTY, (2.5, 4.0))


def hand_thrown_in(game: HabitGame) -> None:
    """Who withdraws lays the rest of the hand face up on the table; then all is gathered in."""
    game.ask = True
    if game.some(2, 6) and game.state.turn is not None and game.state.extra == (0, 0):
        seat = game.state.turn
        held = cards_of(game.state.hand(seat).known)
        if len(held) > 1:
            game.shown = True
            columns = game.columns
            game.withdraw()
            at = game.at(game.rng.choice(THEATERS), seat)
            columns[at] += list(map(str, held))
            game.show(columns, (0.8, 3.5))
            game.gather(columns, (0.5, 1.5))
            return
    game.finish()


def gathered_slowly(game: HabitGame) -> None:
    """The cards are gathered in while the players talk: long pauses between the stacks."""
    game.play_out()
    game.shown = True
    game.gather(game.columns, (4.0, 25.0))


def pile_on_the_board(game: HabitGame) -> None:
    """The cards are gathered into one pile face down that lies in a column for a while."""
    game.play_out()
    game.shown = True
    columns: list[list[Face]] = [[] for _ in range(6)]
    columns[game.rng.randrange(6)] = [FACE_DOWN]
    game.show(columns, (1.0, 5.0))
    game.show(EMPTY, (2.5, 4.0))
    game.deal_again()
    game.show(EMPTY, (1.0, 3.0))
    game.finish()


def boards_rotated_over_the_cards(game: HabitGame) -> None:
    """The boards are rotated while the cards still lie there, pushed along with them."""
    game.play_out()
    game.shown = True
    columns = game.columns
    game.order = rotated(game.state.order)
    game.show(columns, (1.0, 3.0))
    game.show(EMPTY, (2.0, 4.0))
    game.deal_again(order=game.order)
    game.show(EMPTY, (1.0, 2.0))
    game.finish()


def next_battle_at_once(game: HabitGame) -> None:
    """Hands gather in, rotate, deal and lay the next battle's first card before the table is seen again."""
    game.play_out()
    game.show(None, (1.0, 7.0))
    game.deal_again()
    game.shown = True
    game.finish()


def withdrawn_and_next_at_once(game: HabitGame) -> None:
    """The same after a withdrawal without a word."""
    if game.some(3, 7) and game.state.extra == (0, 0):
        game.withdraw()
        game.deal_again()
        game.shown = game.ask = True
    game.finish()


def boards_left(game: HabitGame) -> None:
    """The boards are not rotated for the next battle."""
    game.play_out()
    game.clear()
    game.deal_again(order=game.order)
    game.shown = True
    game.finish()


def last_card_changed(game: HabitGame) -> None:
    """The battle's last card is taken back at once and laid elsewhere or otherwise."""
    if game.polite(until=lambda: sum(hand.size for hand in game.state.hands) == 1):
        moves = game.choices(lambda m: m.do in ("deploy", "improvise"))
        if len({move.to for move in moves}) > 1:
            first = game.rng.choice(moves)
            meant = game.rng.choice([move for move in moves if move.to != first.to])
            tried = play(game.state, first)
            if tried.result is not None and play(game.state, meant).result is not None:
                game.shown = True
                game.show(faces(tried), (0.8, 3.5))
                if game.rng.random() < 0.5:
                    game.show(None, (0.6, 1.5))
                game.make(meant)
                game.show(None, (6.0, 8.0))
    game.finish()


def stacks_counted(game: HabitGame) -> None:
    """After the last card the stacks are lifted one after another to count, and laid back."""
    game.play_out()
    game.shown = True
    for at in game.tops():
        columns = game.columns
        columns[at] = columns[at][: game.rng.randrange(len(columns[at]))]
        game.show(columns, (0.6, 3.0))
        game.show(None, (0.6, 2.0))
    game.clear()


# --- mistakes --------------------------------------------------------------------------------------------------------


def late_effect(game: HabitGame) -> None:
    """An effect is forgotten, the other seat lays a card, and then the effect is carried out."""
    while game.state.turn is not None and not _carried_out_late(game):
        game.any_move()
    game.finish()


def _carried_out_late(game: HabitGame) -> bool:
    """Carries out the flip that is open after the other seat's next card; whether it could be done so."""
    state = game.state
    after = skipped(state) if state.pending in ("maneuver", "ambush") and not game.destroyers else None
    if after is None or after.pending is not None or after.turn in (None, state.turn):
        return False
    flips = [m for m in game.choices(lambda m: m.do == "flip") if _leads_to(play(state, m), after.turn)]
    if not flips:
        return False
    flip = game.rng.choice(flips)
    plays = [m for m in _plays(game, flip) if (m.to, m.by) != (flip.at, flip.side)]
    if not plays:
        return False
    move = game.rng.choice(plays)
    laid = game.laid(move.to, move.by, shown_by(move))
    game.show(laid, (3.0, 4.0), must=frozenset({"effect-left-out"}))
    game.make(flip)
    game.make(move)
    game.show()
    game.shown = True
    return True


def _leads_to(state: State, turn: Seat | None) -> bool:
    """Whether that seat is about to play a card, and no effect is open."""
    return state.pending is None and state.turn == turn


def _plays(game: HabitGame, flip: Move) -> list[Move]:
    """Plain plays of the other seat that are legal after that flip."""
    before = game.state
    game.state = play(before, flip)
    found = game.choices(lambda m: plain(game, m)) if not game.destroyers else []
    game.state = before
    return found


def ignored_wrong_theater(game: HabitGame) -> None:
    """A card lies in the wrong theater, it is told, and play goes on from it."""
    if game.some(1, 6) and not game.destroyers and game.state.turn is not None:
        seat = game.state.turn
        tries = [
            Move("deploy", seat, card, to)
            for card in cards_of(game.state.hand(seat).known)
            for to in THEATERS
            if (why := explain(game.state, Move("deploy", seat, card, to))) is not None and why.code == "wrong-theater"
        ]
        free = game.state._replace(permits=(True, True))
        tries = [m for m in tries if (after := play(free, m)).pending is None and after.turn not in (None, seat)]
        if tries:
            game.shown, game.known = True, False
            made = play(free, game.rng.choice(tries))
            game.state = made._replace(permits=game.state.permits)
            game.show(None, (2.5, 4.0), must=frozenset({"wrong-theater"}))
    game.finish()


def ignored_second_card(game: HabitGame) -> None:
    """A seat lays two cards one after the other, and the other lays two as well: nobody minds."""
    if game.some(1, 5) and not game.destroyers and game.state.turn is not None:
        seat = other(game.state.turn)
        if game.state.hand(seat).size > 1:
            swapped = game.state._replace(turn=seat, active=seat)
            real = game.state
            game.state = swapped
            moves = game.choices(lambda m: plain(game, m))
            if moves:
                game.shown, game.known = True, False
                game.make(game.rng.choice(moves))
                game.show(None, (2.5, 4.0), must=frozenset({"second-card", "out-of-turn"}))
            else:
                game.state = real
    game.finish()


def other_seat_begins(game: HabitGame) -> None:
    """The seat that is not first lays the first card, and takes it back when that is said."""
    seat = other(game.first)
    held = cards_of(game.state.hand(seat).known)
    assert held
    laid = game.laid(game.rng.choice(THEATERS), seat, FACE_DOWN)
    game.show(laid, (2.0, 4.0), must=frozenset({"out-of-turn"}))
    game.shown = True
    game.show(EMPTY, (0.8, 3.0))
    game.finish()


def needlessly_destroyed(game: HabitGame) -> None:
    """A card is taken off as if it were destroyed, though nothing destroys it; it is put back once that is said."""
    game.ask = True
    if game.some(2, 6) and not game.destroyers:
        lay = game.table
        if game.free and game.step(lambda m: plain(game, m)):
            (at,) = [n for n in range(6) if len(game.table[n]) > len(lay[n])]
            game.show(lay, (1.0, 3.0))
            moves = game.choices(lambda m: plain(game, m) and game.at(m.to, m.by) != at)
            if moves:
                game.shown = True
                move = game.rng.choice(moves)
                game.make(move)
                columns = game.columns
                columns[at].pop()
                game.show(columns, (5.0, 8.0), must=frozenset())
                game.show()
    game.finish()


def thirteenth_card(game: HabitGame) -> None:
    """A player who was dealt one too many lays it after the last card, and takes it up when that is said."""
    game.play_out()
    game.show(None, (2.0, 7.0))
    columns = game.columns
    columns[game.rng.randrange(6)].append(FACE_DOWN)
    game.show(columns, (3.0, 5.0), must=frozenset({"too-many-cards"}))
    game.show(None, (1.0, 2.0))
    game.shown = True
    game.clear()


def covered_card_turned(game: HabitGame) -> None:
    """A flip turns a covered card, and is put right."""
    while game.state.turn is not None:
        if game.state.pending in ("maneuver", "ambush"):
            covered = [at for at, pile in enumerate(game.state.piles) if len(pile) > 1]
            if covered:
                at = game.rng.choice(covered)
                slot = game.state.piles[at][0]
                columns = game.columns
                columns[at][0] = FACE_DOWN if slot.up else str(slot.card)
                game.show(columns, (2.0, 4.0), must=frozenset({"covered-flip"}), may=TURNED | LAID)
                game.show(None, (0.8, 2.0))
                game.shown = True
                break
        game.any_move()
    game.finish()


def others_card_moved(game: HabitGame) -> None:
    """In mid-battle a card of the other seat is pushed to the next column, and put back when that is said."""
    if game.some(2, 8):
        seat = game.rng.choice(SEATS)
        tops = [at for at in game.tops() if side_of(at) == seat]
        if tops:
            at = game.rng.choice(tops)
            columns = game.columns
            face = columns[at].pop()
            columns[game.rng.choice(same_side(at))].append(face)
            game.shown = True
            game.show(columns, (1.0, 4.0), may=LAID | {"move-without-effect", "return-without-effect"})
            game.show()
    game.finish()


ENDS = {
    "all-turned-up": all_turned_up,
    "all-turned-down": all_turned_down,
    "hand-thrown-in": hand_thrown_in,
    "gathered-slowly": gathered_slowly,
    "pile-on-the-board": pile_on_the_board,
    "boards-rotated-over-the-cards": boards_rotated_over_the_cards,
    "next-battle-at-once": next_battle_at_once,
    "withdrawn-and-next-at-once": withdrawn_and_next_at_once,
    "boards-not-rotated": boards_left,
    "last-card-changed": last_card_changed,
    "stacks-counted": stacks_counted,
    "late-effect": late_effect,
    "ignored-wrong-theater": ignored_wrong_theater,
    "ignored-second-card": ignored_second_card,
    "other-seat-begins": other_seat_begins,
    "needlessly-destroyed": needlessly_destroyed,
    "thirteenth-card": thirteenth_card,
    "covered-card-turned": covered_card_turned,
    "card-moved-by-the-other": others_card_moved,
}
"""By name: what each does is its docstring."""
