"""What hands do in mid-battle without meaning a move: they read, tidy, hesitate, rest, and push things about."""

from __future__ import annotations

from collections.abc import Iterator

from engine.battle import play
from engine.legality import explain
from engine.moves import Move
from engine.names import FACE_DOWN, SEATS, THEATERS, Face, other
from engine.referee.belief import faces
from host.simulation.habit_games import HabitGame, same_side, shown_by, side_of

LAID: frozenset[str] = frozenset(
    {"second-card", "out-of-turn", "wrong-theater", "not-your-card", "should-be-destroyed", "wrong-place-in-stack"}
)
"""What may be told of a card that lies where nobody means it to stay."""
LIFTED: frozenset[str] = frozenset({"return-without-effect", "move-without-effect", "wrong-place-in-stack"})
TURNED: frozenset[str] = frozenset({"flip-without-effect", "covered-flip"}) | LAID


def plain(game: HabitGame, move: Move) -> bool:
    """Whether a card is laid that asks for nothing and ends nothing."""
    if move.do not in ("deploy", "improvise"):
        return False
    after = play(game.state, move)
    return after.pending is None and after.turn not in (None, move.by)


def two_beside(game: HabitGame, at: int, but: Face | None = None) -> Iterator[Move]:
    """Plays two plain moves with other cards than `but` at other stacks than `at`, if there are so many."""
    for _ in range(2):
        move = game.pick(lambda m: plain(game, m) and game.at(m.to, m.by) != at and (but is None or m.card != but))
        if move is None:
            return
        game.make(move)
        yield move


def answered_at_once(game: HabitGame) -> None:
    """The other seat answers before the first card lies still."""
    for _ in range(2):
        game.polite(game.rng.randint(0, 4))
        if game.free and game.step(lambda m: plain(game, m), show=False):
            game.shown |= game.free and game.step(lambda m: plain(game, m))
            game.show()
    game.finish()


def hands_resting(game: HabitGame) -> None:
    """Hands lie over the table while three cards are laid."""
    game.some()
    laid = 0
    while laid < 3 and game.free and game.step(lambda m: plain(game, m), show=False):
        laid += 1
    game.shown, game.known = laid == 3, False
    game.show()
    game.finish()


def wrong_side(game: HabitGame) -> None:
    """A card is laid on the other seat's side of the board and pushed over."""
    game.some(0, 8)
    move = game.pick(lambda m: plain(game, m))
    if move is not None:
        game.shown = True
        game.show(game.laid(move.to, other(move.by), shown_by(move)), (0.8, 3.0), may=LAID)
        game.make(move)
        game.show()
    game.finish()


def laid_down_then_up(game: HabitGame) -> None:
    """A card is laid face down and turned up a moment later: it was meant to be deployed."""
    game.some(0, 8)
    move = None if game.destroyers else game.pick(lambda m: m.do == "deploy")
    if move is not None:
        game.shown = True
        game.show(game.laid(move.to, move.by, FACE_DOWN), (0.8, 2.2))
        game.make(move)
        game.show(may=TURNED)
    game.finish()


def laid_up_then_down(game: HabitGame) -> None:
    """A card is laid face up in its theater and then turned down: it was meant to be improvised."""

    def could_be_deployed(move: Move) -> bool:
        up = move._replace(do="deploy")
        return move.do == "improvise" and explain(game.state, up) is None and plain(game, up) and not game.lost(up)

    game.some(0, 8)
    move = game.pick(could_be_deployed)
    if move is not None:
        game.shown = True
        game.show(game.laid(move.to, move.by, str(move.card)), (0.8, 2.5))
        game.make(move)
        game.show(may=TURNED)
    game.finish()


def turned_to_see(game: HabitGame) -> None:
    """A hidden card is turned up for a moment where it lies, and down again."""
    turned_up(game, (0.6, 2.2))


def turned_up(game: HabitGame, seconds: tuple[float, float]) -> None:
    """The battle with a hidden card that is turned up where it lies, for at least and at most so many seconds."""
    if game.polite(until=lambda: bool(game.tops(up=False)) and game.rng.random() < 0.4):
        game.shown = True
        at = game.rng.choice(game.tops(up=False))
        columns = game.columns
        columns[at][-1] = str(game.state.piles[at][-1].card)
        game.show(columns, seconds, may=TURNED)
        game.show(may=TURNED)
    game.finish()


def all_hidden_cards_read(game: HabitGame) -> None:
    """A player takes up all the own hidden cards to look at them, and lays them back."""

    def hidden() -> list[int]:
        """The stacks of one seat with a hidden card on top, where there are two."""
        tops = game.tops(up=False)
        sides = ([at for at in tops if side_of(at) == seat] for seat in SEATS)
        return next((side for side in sides if len(side) > 1), [])

    if game.polite(until=lambda: bool(hidden())):
        game.shown = True
        columns = game.columns
        for at in hidden():
            columns[at].pop()
        game.show(columns, (1.0, 6.0))
        game.show()
    game.finish()


def borrowed(game: HabitGame) -> None:
    """A face-up card is taken to be read for long, and laid back."""
    if game.some(2, 8):
        game.shown = True
        columns = game.columns
        columns[game.rng.choice(game.tops())].pop()
        long = game.rng.random() < 0.5
        game.show(columns, (6.0, 12.0) if long else (1.0, 3.5), may=LIFTED if long else frozenset())
        game.show()
    game.finish()


def stack_in_the_hand(game: HabitGame) -> None:
    """A whole stack is lifted, and laid back card by card."""
    if game.polite(until=lambda: any(len(pile) > 1 for pile in game.state.piles) and game.rng.random() < 0.4):
        game.shown = True
        at = game.rng.choice([at for at, pile in enumerate(game.state.piles) if len(pile) > 1])
        columns, whole = game.columns, game.columns[at]
        columns[at] = []
        game.show(columns, (1.0, 4.0))
        for high in range(1, len(whole)):
            columns[at] = whole[:high]
            game.show(columns, (0.5, 1.5))
        game.show()
    game.finish()


def side_made_free(game: HabitGame) -> None:
    """A seat's stack is pushed over to the next column to make place, and back again."""
    if game.some(2, 8):
        game.shown = True
        at = game.rng.choice(game.tops())
        columns = game.columns
        to = game.rng.choice(same_side(at))
        columns[to] += columns[at]
        columns[at] = []
        game.show(columns, (0.8, 3.5), may=LIFTED | LAID)
        game.show()
    game.finish()


def hesitant(game: HabitGame) -> None:
    """A card is laid face down in one column after another before its player is content."""
    game.some(0, 9)
    move = None if game.destroyers else game.pick(lambda m: m.do == "improvise")
    if move is not None:
        game.shown = True
        for to in [t for t in THEATERS if t != move.to]:
            game.show(game.laid(to, move.by, FACE_DOWN), (0.8, 2.0))
        game.make(move)
        game.show()
    game.finish()


def shown_and_taken_back(game: HabitGame) -> None:
    """A card is laid face up in its theater, taken back after some seconds, and another is laid."""
    game.some(0, 8)
    moves = game.choices(lambda m: m.do == "deploy" and plain(game, m)) if game.free else []
    if len(moves) > 1:
        game.shown = True
        tried, meant = game.rng.sample(moves, 2)
        game.show(game.laid(tried.to, tried.by, str(tried.card)), (1.5, 4.0))
        if game.rng.random() < 0.5:
            game.show(None, (0.8, 4.0))
        game.make(meant)
        game.show()
    game.finish()


def another_target(game: HabitGame) -> None:
    """A card is turned with an effect, turned back, and another one is turned."""
    for moves in game.while_open("flip", "maneuver", "ambush"):
        if len(moves) > 1:
            first, meant = game.rng.sample(moves, 2)
            tried = play(game.state, first)
            if tried.result is None and tried.pending is None:
                game.shown = game.ask = True
                game.show(faces(tried), (0.8, 2.5))
                game.show(None, (0.8, 2.5))
                game.make(meant)
                game.show()
    game.finish()


def another_destination(game: HabitGame) -> None:
    """Transport carries a card to one theater, and then the player thinks better of it."""
    for moves in game.while_open("move", "transport"):
        pairs = [(a, b) for a in moves for b in moves if (a.origin, a.nth) == (b.origin, b.nth) and a.to != b.to]
        if pairs:
            first, meant = game.rng.choice(pairs)
            if play(game.state, first).result is None:
                game.shown = True
                game.show(faces(play(game.state, first)), (0.8, 2.5))
                game.make(meant)
                game.show()
    game.finish()


def board_lifted(game: HabitGame) -> None:
    """A board is lifted to make place; nothing tells then which column is which."""
    if game.some(1, 9):
        game.shown = True
        whole = game.order
        game.order = None
        game.show(None, (1.0, 5.0))
        game.order = whole
        game.show()
    game.finish()


def boards_swapped_for_a_moment(game: HabitGame) -> None:
    """Two boards change places with all their cards, and go back when that is said."""
    if game.some(1, 9):
        game.shown = True
        a, b, c = whole = game.state.order
        game.order = game.rng.choice([(b, a, c), (a, c, b)])
        game.show(None, (3.0, 6.0), must=frozenset({"boards-moved"}))
        game.order = whole
        game.show()
    game.finish()


def hidden_card_read_by_the_other(game: HabitGame) -> None:
    """The other player takes a hidden card up to look at it, and lays it back."""
    if game.polite(until=lambda: bool(game.tops(up=False)) and len(game.tops()) > 1 and game.rng.random() < 0.3):
        game.shown = True
        columns = game.columns
        columns[game.rng.choice(game.tops(up=False))].pop()
        game.show(columns, (0.8, 6.0))
        game.show()
    game.finish()


HANDS = {
    "answered-at-once": answered_at_once,
    "hands-resting": hands_resting,
    "wrong-side-then-pushed": wrong_side,
    "laid-down-then-up": laid_down_then_up,
    "laid-up-then-down": laid_up_then_down,
    "turned-to-see": turned_to_see,
    "all-hidden-cards-read": all_hidden_cards_read,
    "borrowed": borrowed,
    "stack-in-the-hand": stack_in_the_hand,
    "side-made-free": side_made_free,
    "hesitant": hesitant,
    "shown-and-taken-back": shown_and_taken_back,
    "another-target": another_target,
    "another-destination": another_destination,
    "board-lifted": board_lifted,
    "boards-swapped": boards_swapped_for_a_moment,
    "hidden-card-read-by-the-other": hidden_card_read_by_the_other,
}
"""By name: what each does is its docstring."""
