"""What happens at a real table without anybody meaning it: sleeves, children, drinks, a table turned round."""

from __future__ import annotations

from engine.cards import REDEPLOY
from engine.legality import legal_moves
from engine.names import FACE_DOWN, SEATS, THEATERS, other
from engine.places import PLACES
from engine.referee.hypothesis import EMPTY
from engine.sight import Note
from engine.state import cards_of
from host.simulation.careless_players import Columns
from host.simulation.habit_games import HabitGame, same_side, shown_by
from host.simulation.habits_of_hands import LAID, LIFTED, TURNED, plain, two_beside

ANYTHING = LAID | LIFTED | TURNED | {"not-your-card", "flip-out-of-reach", "boards-moved", "too-many-cards"}
"""What may be told of cards that lie in disorder."""
MISPLACED = frozenset({"beside-columns", "on-board", "askew"})


def swept_by_a_sleeve(game: HabitGame) -> None:
    """A sleeve pushes two or three cards into other columns and turns one over; they are laid back one by one."""
    if game.polite(until=lambda: len(game.tops()) > 2 and game.rng.random() < 0.3):
        game.shown = True
        columns = game.columns
        moved = game.rng.sample(game.tops(), game.rng.choice((2, 3)))
        for at in moved:
            columns[game.rng.choice(same_side(at))].append(columns[at].pop())
        turned = game.rng.choice(moved)
        if columns[turned]:
            columns[turned][-1] = FACE_DOWN
        game.show(columns, (1.5, 5.0), may=ANYTHING)
        whole = game.columns
        for at in game.rng.sample(range(6), 6):
            if columns[at] != whole[at]:
                columns[at] = whole[at]
                game.show(columns, (0.6, 1.5), may=ANYTHING)
        game.show(may=ANYTHING)
    game.finish()


def taken_by_a_child(game: HabitGame) -> None:
    """A child runs off with a face-up card; two moves later somebody brings it back."""

    def older() -> list[int]:
        # The last card, gone, looks like one taken back.
        last = game.moves[-1]
        return [at for at in game.tops(up=True) if PLACES[at][0] not in (last.to, last.at)]

    if game.polite(until=lambda: len(game.tops()) > 2 and bool(older()) and game.rng.random() < 0.3):
        at = game.rng.choice(older())
        if game.destroyers:
            game.finish()
            return
        columns = game.columns
        columns[at].pop()
        if tuple(map(tuple, columns)) in [lying.table for lying in game.tables]:
            # It would look like moves taken back.
            game.finish()
            return
        gone = frozenset({"return-without-effect"})
        game.show(columns, (8.0, 20.0), must=gone)
        for _ in two_beside(game, at):
            columns = game.columns
            columns[at].pop()
            game.show(columns, (2.0, 4.0), may=LIFTED)
            game.shown = True
        game.show(may=ANYTHING)
    game.finish()


def table_turned(game: HabitGame) -> None:
    """The mat is turned round so that the other player can read it, and back again after a while."""
    if game.some(2, 8):
        game.shown = True
        whole, columns = game.order, game.columns
        assert whole is not None
        round_table: Columns = [[] for _ in range(6)]
        for at, column in enumerate(columns):
            theater, seat = PLACES[at]
            round_table[game.at(theater, other(seat))] = column
        game.order = (whole[2], whole[1], whole[0])
        game.show(round_table, (3.0, 12.0), may=ANYTHING)
        game.order = whole
        game.show(may=ANYTHING)
    game.finish()


def cleared_and_laid_back(game: HabitGame) -> None:
    """A drink is spilt: all cards are taken up in mid-battle, and laid back as they lay."""
    if game.some(3, 8):
        game.ask = True
        game.shown = True
        game.show(EMPTY, (1.5, 8.0))
        columns: Columns = [[] for _ in range(6)]
        whole = game.columns
        for at in game.rng.sample(range(6), 6):
            if whole[at] and game.rng.random() < 0.4:
                columns[at] = whole[at]
                if columns != whole:
                    game.show(columns, (0.5, 1.5), may=ANYTHING)
        game.show(may=ANYTHING)
    game.finish()


def all_stacks_straightened(game: HabitGame) -> None:
    """A tidy player takes up the uppermost card of every stack in turn, at both ends of the table, and lays it back."""
    if game.some(3, 8):
        game.shown = True
        for at in game.tops():
            columns = game.columns
            columns[at].pop()
            game.show(columns, (0.5, 1.5))
            if game.rng.random() < 0.5:
                game.show(None, (0.5, 1.0))
        game.show()
    game.finish()


def theater_taken_up(game: HabitGame) -> None:
    """Both stacks of a theater are taken up to count them side by side, and laid back."""

    def both() -> list[str]:
        return [theater for theater in THEATERS if all(game.table[game.at(theater, seat)] for seat in SEATS)]

    if game.polite(until=lambda: bool(both()) and len(game.tops()) > 2 and game.rng.random() < 0.4):
        game.shown = True
        theater = game.rng.choice(both())
        columns = game.columns
        for seat in SEATS:
            columns[game.at(theater, seat)] = []
            game.show(columns, (0.8, 4.0))
        game.show()
    game.finish()


def covered_card_read(game: HabitGame) -> None:
    """A covered card is pulled out of its stack to be read, and pushed back where it was."""

    def high() -> list[int]:
        return [at for at, column in enumerate(game.table) if len(column) > 1]

    # Just after Redeploy that is what its effect looks like.
    if game.polite(until=lambda: bool(high()) and not _redeployed(game) and game.rng.random() < 0.4):
        game.shown = True
        at = game.rng.choice(high())
        columns = game.columns
        del columns[at][game.rng.randrange(len(columns[at]) - 1)]
        game.show(columns, (1.0, 6.0), may=LIFTED)
        game.show()
    game.finish()


def _redeployed(game: HabitGame) -> bool:
    """Whether the last move may have asked for Redeploy's effect."""
    return REDEPLOY in (game.moves[-1].card, game.moves[-1].reveals) or game.moves[-1].do == "flip"


def hand_on_a_board(game: HabitGame) -> None:
    """A player puts the hand down over a board, face down, while two cards are laid."""
    if game.some(1, 7):
        note = Note("on-board", "/".join((game.rng.choice(THEATERS), game.rng.choice(SEATS), FACE_DOWN)))
        game.show(None, (1.0, 6.0), notes=(note,), may=MISPLACED)
        for _ in two_beside(game, -1):
            game.shown = True
            game.show(None, (2.0, 4.0), notes=(note,), may=MISPLACED)
        game.show()
    game.finish()


def discards_beside_the_columns(game: HabitGame) -> None:
    """What was destroyed lies face up beside a column for the rest of the battle."""
    notes: tuple[Note, ...] = ()
    for _ in range(40):
        if game.state.turn is None:
            break
        lost = [m for m in legal_moves(game.state) if m.do in ("deploy", "improvise") and game.lost(m)]
        if game.free and lost and not notes:
            move = game.rng.choice(lost)
            laid = game.laid(move.to, move.by, shown_by(move))
            game.show(laid, (0.7, 1.4), may=frozenset({"should-be-destroyed"}))
            game.make(move)
            notes = (Note("beside-columns", f"{move.to}/{move.by}/{shown_by(move)}"),)
            game.shown = True
            game.show(None, (2.0, 8.0), notes=notes)
        else:
            before = game.table
            game.make(game.rng.choice(game.choices() or [m for m in legal_moves(game.state) if m.do != "withdraw"]))
            if game.table != before:
                game.show(None, (1.0, 4.0), notes=notes)
    game.finish()


def laid_askew_first(game: HabitGame) -> None:
    """A card is laid askew between the columns, and pushed where it belongs when that is said."""
    game.some(0, 8)
    move = game.pick(lambda m: plain(game, m))
    if move is not None and not game.destroyers:
        game.shown = True
        code = game.rng.choice(("askew", "beside-columns"))
        note = Note("askew" if code == "askew" else "beside-columns", f"{move.to}/{move.by}/{shown_by(move)}")
        known = not (move.do == "improvise" and not any(game.table))
        game.show(None, (3.2, 6.0), must=frozenset({code}) if known else None, may=MISPLACED, notes=(note,))
        game.make(move)
        game.show()
    game.finish()


def pushed_to_the_middle(game: HabitGame) -> None:
    """After the last card all cards of each side are pushed into the middle column, and gathered from there."""
    game.play_out()
    game.show(None, (2.0, 8.0))
    game.shown = True
    assert game.order is not None
    columns = game.columns
    middle = game.order[1]
    for seat in game.rng.sample(SEATS, 2):
        to = game.at(middle, seat)
        for at in same_side(to):
            columns[to] += columns[at]
            columns[at] = []
            if game.rng.random() < 0.6:
                game.show(columns, (0.6, 2.0))
    game.gather(columns, (0.6, 2.0))


def hands_thrown_in(game: HabitGame) -> None:
    """Who withdraws throws the hand in face up, and the other shows the own hand in the same way."""
    game.ask = True
    if game.some(3, 7) and game.state.turn is not None and game.state.extra == (0, 0) and not game.destroyers:
        seat = game.state.turn
        columns = game.columns
        held = {one: list(map(str, cards_of(game.state.hand(one).known))) for one in SEATS}
        if all(len(cards) > 1 for cards in held.values()):
            game.shown = True
            game.withdraw()
            for one in (seat, other(seat)):
                columns[game.at(game.rng.choice(THEATERS), one)] += held[one]
                game.show(columns, (0.8, 3.5), may=ANYTHING)
            game.gather(columns, (0.5, 1.5))
            return
    game.finish()


def break_in_the_battle(game: HabitGame) -> None:
    """The players leave the table for some minutes; one card was pushed askew in between and is straightened."""
    if game.some(2, 8):
        game.shown = True
        game.show(None, (120.0, 300.0))
        at = game.rng.choice(game.tops())
        columns = game.columns
        columns[at].pop()
        game.show(columns, (0.8, 2.0))
        game.show()
    game.finish()


def just_laid_card_read(game: HabitGame) -> None:
    """The other player takes the card that was just laid face up, reads it, and lays it back."""
    game.some(0, 7)
    move = game.pick(lambda m: m.do == "deploy" and plain(game, m))
    if move is not None and not game.destroyers:
        before = game.table
        game.make(move)
        game.show(None, (0.8, 3.0))
        game.show(before, (0.8, 6.0), may=LIFTED)
        game.show()
        game.shown = True
    game.finish()


ACCIDENTS = {
    "swept-by-a-sleeve": swept_by_a_sleeve,
    "taken-by-a-child": taken_by_a_child,
    "table-turned": table_turned,
    "cleared-and-laid-back": cleared_and_laid_back,
    "all-stacks-straightened": all_stacks_straightened,
    "theater-taken-up": theater_taken_up,
    "covered-card-read": covered_card_read,
    "hand-on-a-board": hand_on_a_board,
    "discards-beside-the-columns": discards_beside_the_columns,
    "laid-askew-first": laid_askew_first,
    "pushed-to-the-middle": pushed_to_the_middle,
    "hands-thrown-in": hands_thrown_in,
    "break-in-the-battle": break_in_the_battle,
    "just-laid-card-read": just_laid_card_read,
}
"""The habits by name."""
