"""What people do who err, argue and think again: half a mend, the wrong card put right, the wrong player first."""

from __future__ import annotations

from engine.battle import play
from engine.legality import explain, legal_moves
from engine.moves import Move
from engine.names import FACE_DOWN, THEATERS, Card, other
from engine.places import PLACES
from engine.referee.belief import faces
from engine.referee.hypothesis import EMPTY
from engine.state import UP, cards_of
from engine.war import rotated
from host.simulation.games import deal
from host.simulation.habit_games import HabitGame, shown_by, side_of
from host.simulation.habits_between_battles import with_pile
from host.simulation.habits_of_hands import LAID, LIFTED, TURNED, plain

DISPUTED = LAID | LIFTED | TURNED | {"effect-left-out", "flip-out-of-reach"}


def laid_twice(game: HabitGame) -> None:
    """A card is laid, taken back while its player thinks, and laid again as before."""
    game.some(0, 8)
    move = None if game.destroyers else game.pick(lambda m: plain(game, m))
    if move is not None:
        game.shown = True
        before = game.table
        game.make(move)
        game.show(None, (0.8, 3.0))
        game.show(before, (0.8, 6.0))
        game.show()
    game.finish()


def half_undone(game: HabitGame) -> None:
    """Two moves are taken back one after the other, and then only the second is made otherwise."""
    if game.some(1, 6) and not game.destroyers:
        first = game.pick(lambda m: plain(game, m))
        if first is not None:
            start = game.table
            game.make(first)
            game.show(None, (1.5, 3.0))
            middle, lies = game.state, game.table
            moves = game.choices(lambda m: plain(game, m)) if not game.destroyers else []
            if len(moves) > 1:
                tried, meant = game.rng.sample(moves, 2)
                game.show(faces(play(middle, tried)), (1.5, 3.0))
                game.show(lies, (0.8, 3.0))
                game.show(start, (0.8, 3.0))
                game.show(lies, (0.8, 3.0))
                game.make(meant)
                game.show()
                game.shown = True
    game.finish()


def first_card_thought_over(game: HabitGame) -> None:
    """The first card of a battle is taken up again, its player thinks for long, and another one is laid."""
    moves = game.choices(lambda m: plain(game, m))
    if len(moves) > 1:
        game.shown = True
        tried, meant = game.rng.sample(moves, 2)
        game.show(faces(play(game.state, tried)), (1.5, 4.0))
        game.show(EMPTY, (2.0, 10.0))
        game.make(meant)
        game.show()
    game.finish()


def other_seat_plays_on(game: HabitGame) -> None:
    """In the second battle the player begins who was first before; it is told, and both play on so."""
    game.play_out()
    game.clear()
    game.order = rotated(game.state.order)
    game.state = deal(game.rng, game.edition, game.order, game.state.first)
    game.show(EMPTY, (1.0, 3.0))
    move = game.pick(lambda m: plain(game, m))
    if move is not None:
        game.shown = True
        game.make(move)
        game.show(None, (2.0, 4.0), must=frozenset({"out-of-turn"}))
    game.finish()


def boards_in_another_order(game: HabitGame) -> None:
    """For the second battle the boards are laid anew in any order, and nobody minds."""
    game.play_out()
    game.clear()
    game.shown = True
    order = list(game.state.order)
    game.rng.shuffle(order)
    game.deal_again(order=(order[0], order[1], order[2]))
    game.show(EMPTY, (1.0, 3.0))
    game.finish()


def rotated_after_the_first_card(game: HabitGame) -> None:
    """The boards are rotated only after the next battle's first card lies there, which goes along with its board."""
    game.play_out()
    game.clear()
    old = game.state.order
    game.deal_again()
    moved = game.order
    game.order = old
    move = game.pick(lambda m: plain(game, m))
    if move is not None:
        game.shown = True
        game.make(move)
        game.show(None, (1.0, 5.0))
        game.order = moved
        game.show(None, (1.0, 6.0), may=frozenset({"boards-moved"}))
    game.order = moved
    game.finish()


def mended_wrongly(game: HabitGame) -> None:
    """A card lies in a wrong theater; it is pushed into another wrong one, and only then turned down."""

    def astray(card: Card | None) -> list[str]:
        up = [Move("deploy", game.state.turn or "near", card, to) for to in THEATERS]
        refused = [(m.to, explain(game.state, m)) for m in up]
        return [str(to) for to, why in refused if why is not None and why.code == "wrong-theater"]

    game.some(0, 7)
    move = None if game.destroyers else game.pick(lambda m: m.do == "improvise" and plain(game, m))
    if move is not None and len(wrong := astray(move.card)) > 1:
        game.shown = True
        for to in game.rng.sample(wrong, 2):
            game.show(game.laid(to, move.by, str(move.card)), (2.5, 5.0), must=frozenset({"wrong-theater"}))
        game.make(move)
        game.show()
    game.finish()


def used_twice(game: HabitGame) -> None:
    """A Maneuver or Ambush turns two cards; the second is turned back when that is said."""
    while game.state.turn is not None and not game.shown:
        flips = game.choices(lambda m: m.do == "flip") if game.state.pending in ("maneuver", "ambush") else []
        chosen = game.rng.choice(flips) if flips else None
        after = None if chosen is None else play(game.state, chosen)
        if chosen is not None and after is not None and after.pending is None and after.turn is not None:
            turned = game.at(chosen.at, chosen.side or chosen.by)
            again = [
                at
                for at, pile in enumerate(after.piles)
                if pile and at != turned and pile[-1].up and pile[-1].card is not None
            ]
            if again and not game.destroyers:
                game.make(chosen)
                game.show()
                columns = game.columns
                twice = game.rng.choice(again)
                columns[twice][-1] = FACE_DOWN
                told = TURNED | {"flip-out-of-reach"}
                # One of the player who is next looks like another card, laid squarely on it.
                alike = side_of(twice) == game.state.turn
                game.show(columns, (2.5, 4.5), must=None if alike else told, may=told)
                game.show()
                game.shown = True
                break
        game.any_move()
    game.finish()


def disrupt_in_the_other_order(game: HabitGame) -> None:
    """Of the two who must turn a card by Disrupt, the second one does it first."""
    while game.state.turn is not None and not game.shown:
        state = game.state
        if state.pending == "disrupt" and state.turn is not None and not game.destroyers:
            by = state.turn
            early = [at for at in game.tops(up=True) if side_of(at) != by]
            mine = game.choices(lambda m: m.do == "flip" and game.state.piles[game.at(m.at, m.side or m.by)][-1].up)
            mine = [m for m in mine if play(state, m).pending == "disrupt"]
            if early and mine:
                first = game.rng.choice(mine)
                at = game.rng.choice(early)
                columns = game.columns
                columns[at][-1] = FACE_DOWN
                game.show(columns, (1.5, 3.5), may=DISPUTED)
                game.make(first)
                theater, side = PLACES[at]
                late = [m for m in game.choices(lambda m: m.do == "flip") if (m.at, m.side) == (theater, side)]
                if late:
                    game.make(late[0])
                    game.show(may=DISPUTED)
                    game.shown = True
                break
        game.any_move()
    game.finish()


def hidden_card_revealed(game: HabitGame) -> None:
    """A hidden card is turned up against the rules and left so: it is told, and both let it be."""

    def older() -> list[int]:
        # The last card turned up looks like one that its player would rather have deployed.
        return [at for at in game.tops(up=False) if PLACES[at][0] != game.moves[-1].to]

    if game.polite(until=lambda: any(game.table) and bool(older()) and game.rng.random() < 0.4):
        at = game.rng.choice(older())
        *below, top = game.state.piles[at]
        # A card with an effect would ask for it.
        if top.card is not None and top.card[1] == "6" and not game.destroyers:
            game.state = with_pile(game.state, at, (*below, UP[top.card]))
            game.shown, game.known = True, False
            # One of the player who is next looks like another card, laid squarely on it.
            alike = side_of(at) == game.state.turn
            game.show(None, (3.0, 6.0), must=None if alike else TURNED, may=TURNED)
    game.finish()


def redeploy_shown_first(game: HabitGame) -> None:
    """The hidden card that Redeploy takes back is turned up first, to see which it is, and then taken."""
    for moves in game.while_open("return", "redeploy"):
        move = game.rng.choice(moves)
        assert move.nth is not None
        at = game.at(move.at, move.by)
        if move.nth == len(game.table[at]) - 1 and not game.destroyers:
            columns = game.columns
            columns[at][-1] = str(game.state.piles[at][-1].card)
            game.show(columns, (1.0, 3.0), may=TURNED)
            game.make(move)
            game.show()
            game.shown = True
    game.finish()


def wrong_card_destroyed(game: HabitGame) -> None:
    """A card must be destroyed, and another one of the same player is taken off; that is put right after a while."""

    def lost() -> list[Move]:
        return [m for m in legal_moves(game.state) if m.do in ("deploy", "improvise") and game.lost(m)]

    if game.polite(until=lambda: game.destroyers and bool(lost()) and len(game.tops()) > 2):
        move = game.rng.choice(lost())
        at = game.at(move.to, move.by)
        others = [one for one in game.tops(up=True) if side_of(one) == move.by and one != at]
        others = [one for one in others if game.table[one][-1] not in ("A5", "S5")]
        if others and not play(game.state, move).result:
            game.shown = game.ask = True
            laid = game.laid(move.to, move.by, shown_by(move))
            game.show(laid, (1.5, 3.0), must=frozenset({"should-be-destroyed"}))
            laid[game.rng.choice(others)].pop()
            game.show(laid, (3.0, 6.0), may=DISPUTED)
            game.make(move)
            game.show()
    game.finish()


def two_left_lying(game: HabitGame) -> None:
    """Two cards that Containment or Blockade destroys are left lying one after the other, and taken off together."""

    def lost() -> list[Move]:
        return [m for m in legal_moves(game.state) if m.do == "improvise" and game.lost(m)]

    if game.polite(until=lambda: game.free and bool(lost()) and sum(hand.size for hand in game.state.hands) > 4):
        told = frozenset({"should-be-destroyed"})
        columns = game.columns
        for _ in range(2):
            moves = lost() if game.free else []
            if not moves:
                break
            move = game.rng.choice(moves)
            columns[game.at(move.to, move.by)].append(FACE_DOWN)
            game.make(move)
            if game.state.turn is None:
                break
            game.show(columns, (2.5, 4.0), must=told)
        else:
            game.shown = True
            game.show(None, (1.5, 3.0))
    game.finish()


def shown_to_settle_a_dispute(game: HabitGame) -> None:
    """A player turns up all own hidden cards that lie uncovered, to settle a dispute, and turns them down again."""

    def hidden() -> list[int]:
        return [at for at in game.tops(up=False) if game.state.piles[at][-1].card is not None]

    if game.polite(until=lambda: len(hidden()) > 1 and game.rng.random() < 0.4):
        seat = side_of(game.rng.choice(hidden()))
        mine = [at for at in hidden() if side_of(at) == seat]
        game.shown = True
        columns = game.columns
        for at in mine:
            columns[at][-1] = str(game.state.piles[at][-1].card)
        game.show(columns, (1.5, 4.0), may=TURNED)
        game.show(may=TURNED)
    game.finish()


def laid_for_the_other(game: HabitGame) -> None:
    """A player lays the next card before the other has played, is told, holds it back, and lays it after that."""
    if game.some(1, 6) and not game.destroyers and game.state.turn is not None:
        seat = other(game.state.turn)
        held = cards_of(game.state.hand(seat).known)
        move = game.pick(lambda m: plain(game, m))
        if held and move is not None:
            theater = game.rng.choice(THEATERS)
            game.shown = True
            game.show(game.laid(theater, seat, FACE_DOWN), (2.0, 4.0), must=frozenset({"second-card", "out-of-turn"}))
            game.make(move)
            columns = game.columns
            columns[game.at(theater, seat)].append(FACE_DOWN)
            answer = [m for m in game.choices(lambda m: m.do == "improvise") if m.to == theater]
            if answer and not game.destroyers:
                game.make(answer[0])
            game.show(may=DISPUTED)
    game.finish()


def boards_swapped_and_left(game: HabitGame) -> None:
    """Two boards change places with all their cards, it is told, and nobody puts them back."""
    if game.some(2, 7):
        a, b, c = game.state.order
        order = game.rng.choice([(b, a, c), (a, c, b)])
        game.shown = True
        game.order = order
        game.show(None, (3.0, 6.0), must=frozenset({"boards-moved"}))
        turns = 0
        while turns < 3 and (move := game.pick(lambda m: plain(game, m))) is not None:
            game.make(move)
            game.show(None, (8.0, 12.0))
            turns += 1
        game.state = game.state._replace(order=order)
        game.shown = turns == 3
    game.finish()


def two_transported(game: HabitGame) -> None:
    """Transport carries two cards instead of one; the second goes back when that is said."""
    for moves in game.while_open("move", "transport"):
        move = game.rng.choice(moves)
        after = play(game.state, move)
        rest = [
            at for at, pile in enumerate(after.piles) if pile and side_of(at) == move.by and PLACES[at][0] != move.to
        ]
        if rest and after.result is None and after.pending is None and not game.destroyers:
            game.make(move)
            game.show()
            columns = game.columns
            columns[game.at(move.to, move.by)].append(columns[game.rng.choice(rest)].pop())
            game.show(columns, (3.0, 5.0), must=LIFTED | LAID)
            game.show()
            game.shown = True
    game.finish()


def others_card_redeployed(game: HabitGame) -> None:
    """Redeploy takes a hidden card of the other player; it goes back, and an own one is taken."""
    for moves in game.while_open("return", "redeploy"):
        move = game.rng.choice(moves)
        theirs = [at for at in game.tops(up=False) if side_of(at) != move.by]
        if theirs and not game.destroyers:
            columns = game.columns
            columns[game.rng.choice(theirs)].pop()
            game.show(columns, (4.0, 6.0), must=LIFTED | {"not-your-card"})
            game.show()
            game.make(move)
            game.show()
            game.shown = True
    game.finish()


def effect_and_answer_at_once(game: HabitGame) -> None:
    """A card with an effect is laid, the effect carried out and the other player's card laid, before hands are away."""
    while game.state.turn is not None and not game.shown:
        move = game.pick(lambda m: m.do == "deploy" and play(game.state, m).pending in ("maneuver", "ambush"))
        if move is not None and not game.destroyers and game.rng.random() < 0.6:
            game.make(move)
            at = game.at(move.to, move.by)
            flips = [m for m in game.choices(lambda m: m.do == "flip") if game.at(m.at, m.side or m.by) != at]
            flips = [m for m in flips if play(game.state, m).pending is None]
            if not flips:
                game.show()
                continue
            game.make(game.rng.choice(flips))
            answer = game.pick(lambda m: plain(game, m)) if game.free else None
            if answer is not None:
                game.make(answer)
                game.shown = True
            game.show()
        else:
            game.any_move()
    game.finish()


def stack_laid_back_turned(game: HabitGame) -> None:
    """A stack is taken up to be squared, its uppermost card is laid back face down, and then turned up."""

    def high() -> list[int]:
        return [at for at in game.tops(up=True) if len(game.table[at]) > 1]

    if game.polite(until=lambda: bool(high()) and game.rng.random() < 0.5):
        game.shown = True
        at = game.rng.choice(high())
        columns = game.columns
        columns[at] = []
        game.show(columns, (0.8, 2.0))
        columns = game.columns
        columns[at][-1] = FACE_DOWN
        game.show(columns, (1.0, 3.5), may=TURNED)
        game.show(may=TURNED)
    game.finish()


def stuck_together(game: HabitGame) -> None:
    """Two cards stuck together are laid as one; the second slides out, and goes back when that is said."""
    game.some(0, 7)
    move = None if game.destroyers else game.pick(lambda m: m.do == "improvise" and plain(game, m))
    if move is not None and game.state.hand(move.by).size > 1:
        game.make(move)
        game.show(None, (0.8, 2.0))
        told = frozenset({"second-card"})
        game.show(game.laid(move.to, move.by, FACE_DOWN), (2.5, 4.0), must=told)
        game.show()
        game.shown = True
    game.finish()


def disrupt_half_forgotten(game: HabitGame) -> None:
    """The second card of a Disrupt is forgotten, the next is laid, and then it is turned after all."""
    while game.state.turn is not None and not game.shown:
        state = game.state
        second = state.pending == "disrupt" and state.queue[0].step == 1 and len(state.queue) == 1
        if second and not game.destroyers:
            flips = [m for m in game.choices(lambda m: m.do == "flip") if play(state, m).pending is None]
            flip = game.rng.choice(flips) if flips else None
            if flip is not None:
                game.state = play(state, flip)
                plays = [m for m in game.choices(lambda m: plain(game, m)) if (m.to, m.by) != (flip.at, flip.side)]
                move = game.rng.choice(plays) if plays and game.free else None
                game.state = state
                if move is not None and play(state, flip).turn is not None:
                    laid = game.laid(move.to, move.by, shown_by(move))
                    game.show(laid, (3.0, 4.5), must=frozenset({"effect-left-out"}), may=LAID)
                    game.make(flip)
                    game.make(move)
                    game.show()
                    game.shown = True
                    break
        game.any_move()
    game.finish()


def both_take_back(game: HabitGame) -> None:
    """The two last cards are taken back by agreement, and both players lay another instead."""
    if game.some(1, 6) and not game.destroyers:
        start, before = game.state, game.table
        kept = list(game.moves)
        for _ in range(2):
            move = None if game.destroyers else game.pick(lambda m: plain(game, m))
            if move is None:
                break
            game.make(move)
            game.show(None, (1.5, 3.0))
        else:
            game.state, game.moves = start, kept
            game.show(before, (1.0, 6.0))
            for _ in range(2):
                move = game.pick(lambda m: plain(game, m))
                if move is None:
                    break
                game.make(move)
                game.show()
            game.shown = True
    game.finish()


DISPUTES = {
    "laid-twice": laid_twice,
    "half-undone": half_undone,
    "first-card-thought-over": first_card_thought_over,
    "other-seat-plays-on": other_seat_plays_on,
    "boards-in-another-order": boards_in_another_order,
    "rotated-after-the-first-card": rotated_after_the_first_card,
    "mended-wrongly": mended_wrongly,
    "used-twice": used_twice,
    "disrupt-in-the-other-order": disrupt_in_the_other_order,
    "hidden-card-revealed": hidden_card_revealed,
    "redeploy-shown-first": redeploy_shown_first,
    "wrong-card-destroyed": wrong_card_destroyed,
    "two-left-lying": two_left_lying,
    "shown-to-settle-a-dispute": shown_to_settle_a_dispute,
    "laid-for-the-other": laid_for_the_other,
    "boards-swapped-and-left": boards_swapped_and_left,
    "two-transported": two_transported,
    "others-card-redeployed": others_card_redeployed,
    "effect-and-answer-at-once": effect_and_answer_at_once,
    "stack-laid-back-turned": stack_laid_back_turned,
    "stuck-together": stuck_together,
    "disrupt-half-forgotten": disrupt_half_forgotten,
    "both-take-back": both_take_back,
}
"""The habits by name."""
