"""Tables that no legal line explains and one illegal step does: which step, whose, and what puts it right.

The search hands over every position that it passed on its way. One illegal step from any of them to the table that was
seen is a candidate; the cheapest one names the violation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.battle import destruction, play
from engine.cards import TRANSPORT
from engine.citations import Section
from engine.events import Mend, MendCode, Violation, ViolationCode
from engine.legality import explain, is_optional, neighbours, where_it_lies
from engine.moves import Move
from engine.names import FACE_DOWN, Card, EditionName, Face, Seat, other
from engine.places import PLACES
from engine.referee.corrected_state import laid
from engine.referee.gathering import is_part
from engine.referee.observation import ReadTable, best_faces, face_of, faces_of, reading_cost
from engine.referee.search import Line, Node, Root, SearchResult, Step, search
from engine.refusal import IllegalMove
from engine.state import SEAT_INDEX, Effect, State

ILLEGAL_COST: Final = 4.6
"""One in a hundred: people break the rules less often than they leave out an optional effect."""
FLIP_COST: Final = 0.8
"""A card turned with no effect at all is rarer still: rather a Disrupt turned over itself and asks the other seat."""
TURNED_TOO: Final = 2.0
"""A card that was carried to another theater was turned over as well."""
TWICE_WRONG: Final = 2.0
"""A card laid out of turn where it might not lie in turn either."""
ACROSS: Final = 1.0
"""A card was carried to the other seat's side."""
NODES_MOST: Final = 80
FOLLOWED_MOST: Final = 1
"""Moves that may have led from the last table to a mistake. Where more went unseen, other orders of theirs explain as
much: the 40 mistakes that are made in games of habits need none; of 28 that were told falsely where four to eight
tables had been taken out of games without any, 26 needed two or more."""

Temper: TypeAlias = Literal["finished", "unfinished", "read", "gone", "lifted"]
"""finished: nothing legal looks like this on the way. unfinished: people may still be about to put it right
themselves, as with a card that is destroyed at once. read: the wrong card for an effect was taken up, or its owner
reads it. gone: a card was taken up, perhaps to be read. lifted: a card is in a hand, as an open effect lets it."""

RULES: Final[dict[ViolationCode, Section]] = {
    "wrong-theater": "turn",
    "out-of-turn": "turn",
    "second-card": "turn",
    "covered-flip": "terms",
    "flip-without-effect": "abilities",
    "flip-out-of-reach": "theaters",
    "move-without-effect": "terms",
    "return-without-effect": "abilities",
    "effect-left-out": "abilities",
    "should-be-destroyed": "terms",
    "not-your-card": "abilities",
    "wrong-place-in-stack": "cards",
    "wrong-way-round": "cards",
    "wrong-reinforcement": "abilities",
    "boards-moved": "theaters",
    "too-many-cards": "setup",
    "beside-columns": "theaters",
    "on-board": "theaters",
    "askew": "cards",
}
"""The section of every rulebook that each mistake goes against."""


def rule_of(code: ViolationCode, edition: EditionName) -> str:
    """Where the rule stands in that edition's own rulebook (`engine.citations`)."""
    return f"{edition}: {RULES[code]}"


class Wrong(NamedTuple):
    """One illegal step that explains the table."""

    cost: float
    """Of the line before it, the step and the readings."""
    temper: Temper
    violation: Violation
    tag: int
    steps: tuple[Step, ...]
    """Legal moves before it, since the root."""
    stands: State
    """The state if the table is let stand."""


class _Change(NamedTuple):
    """How one stack differs from its column by one thing."""

    kind: Literal["push", "insert", "turn", "take", "order"]
    at: int
    """Index of the stack."""
    nth: int
    face: Face
    """The face that came (push, insert, turn) or went (take)."""


def too_many(state: State, target: ReadTable) -> Wrong | None:
    """A card laid on top of a stack after both seats have played all their cards; None where none is."""
    table = tuple(best_faces(column) for column in target)
    lay = tuple(faces_of(pile) for pile in state.piles)
    grown = [at for at, (old, new) in enumerate(zip(lay, table, strict=True)) if old != new]
    if len(grown) != 1 or table[grown[0]][:-1] != lay[grown[0]] or any(hand.size for hand in state.hands):
        return None
    return _too_many(state, grown[0], table[grown[0]][-1])


def _too_many(state: State, at: int, face: Face) -> Wrong:
    where, by = _place(at, len(state.piles[at])), PLACES[at][1]
    mend = _mend("take-back", card=face, at=where, seat=by)
    violation = Violation(
        "too-many-cards", rule_of("too-many-cards", state.edition.name), by, mend, None, {"card": face, "at": where}
    )
    return Wrong(ILLEGAL_COST, "unfinished", violation, 0, (), state)


def _place(at: int, nth: int) -> str:
    theater, seat = PLACES[at]
    return f"{theater}/{seat}/{nth}"


def _mend(code: MendCode, **parts: str | int) -> tuple[Mend, ...]:
    return (Mend(code, parts),)


def _changes(state: State, target: ReadTable) -> list[_Change] | None:
    """One difference for each stack that differs; None if one differs by more, or more than two do."""
    changes: list[_Change] = []
    for at, (pile, column) in enumerate(zip(state.piles, target, strict=True)):
        if len(pile) == len(column) and all(
            face_of(card) in slot.costs for card, slot in zip(pile, column, strict=True)
        ):
            continue
        change = _change(at, faces_of(pile), best_faces(column))
        if change is None or len(changes) == 2:
            return None
        changes.append(change)
    return changes


def _change(at: int, old: tuple[Face, ...], new: tuple[Face, ...]) -> _Change | None:
    if len(new) == len(old) + 1:
        for nth in range(len(new) - 1, -1, -1):
            if new[:nth] + new[nth + 1 :] == old:
                return _Change("push" if nth == len(old) else "insert", at, nth, new[nth])
    elif len(new) == len(old) - 1:
        for nth in range(len(old)):
            if old[:nth] + old[nth + 1 :] == new:
                return _Change("take", at, nth, old[nth])
    elif len(new) == len(old):
        differ = [i for i in range(len(new)) if new[i] != old[i]]
        if len(differ) == 1 and FACE_DOWN in (new[differ[0]], old[differ[0]]):
            return _Change("turn", at, differ[0], new[differ[0]])
        if len(differ) > 1 and sorted(new) == sorted(old):
            return _Change("order", at, differ[-1], new[differ[-1]])
    return None


def wrongs(found: SearchResult, target: ReadTable) -> list[Wrong]:
    """Every single illegal step that explains the target from a position the search passed, cheapest first.

    No card may be read twice in the target.
    """
    out: list[Wrong] = []
    for node in found.nodes[:NODES_MOST]:
        followed = sum(step.kind == "seen" for step in node.steps) <= FOLLOWED_MOST
        if followed and node.edits <= 4 and node.state.turn is not None:
            out += _from(node, target)
    out.sort(key=lambda wrong: wrong.cost)
    return out


def _from(node: Node, target: ReadTable) -> Iterator[Wrong]:
    state = node.state
    changes = _changes(state, target)
    if changes is not None and len(changes) == 1:
        change = changes[0]
        if change.kind == "push":
            pushed = _pushed(node, target, change)
            if pushed is not None:
                yield pushed
        elif change.kind == "order":
            mends, at = _in_order(state, target, change.at)
            parts: dict[str, str | int] = {"card": mends[-1].parts["card"], "at": at}
            yield _wrong(node, target, "wrong-place-in-stack", PLACES[change.at][1], mends, parts=parts)
        elif change.kind == "insert":
            mend = _mend("put-on-top", card=change.face, at=_place(change.at, change.nth))
            at = _place(change.at, change.nth)
            yield _wrong(
                node, target, "wrong-place-in-stack", PLACES[change.at][1], mend, parts={"card": change.face, "at": at}
            )
        elif change.kind == "turn":
            yield _turned(node, target, change)
        else:
            yield _taken(node, target, change)
    elif changes is not None and len(changes) == 2:
        kinds = {change.kind: change for change in changes}
        if "take" in kinds and ("push" in kinds or "insert" in kinds):
            came = kinds.get("push") or kinds["insert"]
            gone = kinds["take"]
            if came.face == gone.face or FACE_DOWN in (came.face, gone.face):
                yield _carried(node, target, gone, came)
    yield from _left_out(node, target)


def _in_order(state: State, target: ReadTable, at: int) -> tuple[tuple[Mend, ...], str]:
    """What puts a stack in order again: the cards to put on top, one after another; and where the last of them lies."""
    should, lies = list(faces_of(state.piles[at])), list(best_faces(target[at]))
    kept = max(n for n in range(len(should) + 1) if is_part(should[:n], lies))
    mends = []
    for face in should[kept:]:
        mends.append(Mend("put-on-top", {"card": face, "at": _place(at, lies.index(face))}))
    return tuple(mends), str(mends[-1].parts["at"])


def _wrong(
    node: Node,
    target: ReadTable,
    code: ViolationCode,
    who: Seat,
    mend: tuple[Mend, ...],
    *,
    move: Move | None = None,
    temper: Temper = "finished",
    stands: State | None = None,
    dear: float = 0.0,
    parts: dict[str, str | int],
) -> Wrong:
    after = stands if stands is not None else laid(node.state, [best_faces(column) for column in target])
    reading = reading_cost(after.piles, target) or 0.0
    violation = Violation(code, rule_of(code, node.state.edition.name), who, mend, move, parts)
    return Wrong(node.cost + ILLEGAL_COST + dear + reading, temper, violation, node.tag, node.steps, after)


def _granted(state: State, seat: Seat, move: Move) -> State | None:
    """The state if that play were allowed now: turn, effect and permission set aside."""
    side = SEAT_INDEX[seat]
    permits = (state.permits[0] or side == 0, state.permits[1] or side == 1)
    free = state.in_turn_of(seat)._replace(permits=permits)
    try:
        return play(free, move)
    except IllegalMove:
        return None


def _pushed(node: Node, target: ReadTable, change: _Change) -> Wrong | None:
    """A card was laid on top where it may not lie; None where it may."""
    state = node.state
    to, by = PLACES[change.at]
    face = change.face
    at = _place(change.at, change.nth)
    card = None if face == FACE_DOWN else Card(face)
    move = Move("improvise", by, None, to) if card is None else Move("deploy", by, card, to)
    back = _mend("take-back", card=face, at=at, seat=by)
    if state.turn == by and state.pending == "reinforce":
        drawn = Move("reinforce", by, to=to)
        if card is None and explain(state, drawn) is None:
            return _lying(node, target, drawn, face, at)
        near = neighbours(state.order, where_it_lies(state.piles, state.queue[0]))
        mend = (
            _mend("turn-over", card=face, at=at)
            if to in near
            else _mend("move-card", card=face, at=at, to="".join(near), seat=by)
        )
        done = _used(state, target)
        return _wrong(
            node, target, "wrong-reinforcement", by, mend, move=drawn, stands=done, parts={"card": face, "at": at}
        )
    allowed = state.turn == by and state.pending in (None, "play")
    if not allowed:
        stands = _granted(state, by, move)
        # A card that might not lie there in any turn would be two mistakes in one.
        in_turn = explain(state.in_turn_of(by), move)
        twice = TWICE_WRONG if in_turn is not None and in_turn.code in ("wrong-theater", "aerodrome-limit") else 0.0
        if stands is not None and reading_cost(stands.piles, target) is None:
            stands = None
        if state.turn == by and state.pending is not None:
            parts: dict[str, str | int] = {"at": at, "card": face, "effect": state.pending}
            mend = (*back, Mend("carry-out", {"effect": state.pending, "seat": by}))
            return _wrong(node, target, "second-card", by, mend, move=move, stands=stands, dear=twice, parts=parts)
        code: ViolationCode = "second-card" if _laid_last(node, by) else "out-of-turn"
        # Rather an effect left out, or a wrong move of the other seat, than a play out of turn.
        dear = twice + (0.3 if state.pending is None else 1.5)
        parts = {"at": at, "card": face, "turn": state.turn or ""}
        return _wrong(node, target, code, by, back, move=move, stands=stands, dear=dear, parts=parts)
    refusal = explain(state, move)
    if refusal is None:
        return _lying(node, target, move, face, at)
    if refusal.code in ("wrong-theater", "aerodrome-limit") and card is not None:
        mend = (
            Mend("move-card", {"card": face, "at": at, "to": card[0], "seat": by}),
            Mend("turn-over", {"card": face, "at": at}),
        )
        stands = _granted(state, by, move)
        if stands is not None and reading_cost(stands.piles, target) is None:
            stands = None
        parts = {"at": at, "card": face, "home": card[0]}
        return _wrong(node, target, "wrong-theater", by, mend, move=move, stands=stands, parts=parts)
    # A card that cannot be in that hand: rather a wrong reading than a wrong play.
    return _wrong(node, target, "out-of-turn", by, back, move=move, dear=6.0, parts={"at": at, "card": face})


def _lying(node: Node, target: ReadTable, move: Move, face: Face, at: str) -> Wrong | None:
    """A card lies there that Containment or Blockade destroys; None where none does."""
    lost = destruction(node.state, move)
    if lost is None:
        return None
    remove = node.state.edition.remove_word
    parts: dict[str, str | int] = {"card": face, "at": at, "by_card": lost.by_card, "remove": remove}
    stands = laid(node.state, [best_faces(column) for column in target], turn=other(move.by))
    mend = _mend("destroy", card=face, at=at)
    return _wrong(
        node, target, "should-be-destroyed", move.by, mend, move=move, temper="unfinished", stands=stands, parts=parts
    )


def _laid_last(node: Node, by: Seat) -> bool:
    """Whether the last card laid since the search began is that seat's; at the root, whether it is the other's turn."""
    for step in reversed(node.steps):
        if step.move is not None and step.move.do in ("deploy", "improvise"):
            return step.move.by == by
    laid_any = any(node.state.piles) or any(hand.size < 6 for hand in node.state.hands)
    return laid_any and node.state.turn != by


_FLIPPING: Final = ("maneuver", "ambush", "disrupt")


def _turned(node: Node, target: ReadTable, change: _Change) -> Wrong:
    """A card was turned over that may not be."""
    state = node.state
    place, side = PLACES[change.at]
    turn = state.turn or side
    at = _place(change.at, change.nth)
    mend = _mend("turn-over", at=at)
    move = Move("flip", turn, side=side, at=place)
    if change.nth < len(state.piles[change.at]) - 1:
        return _wrong(node, target, "covered-flip", turn, mend, parts={"at": at})
    if state.pending == "disrupt" and side != turn:
        stands = _used(state, target)
        return _wrong(node, target, "not-your-card", turn, mend, move=move, stands=stands, parts={"at": at})
    last = node.steps[-1].move if node.steps else None
    used = last if last is not None and last.do == "flip" else None
    out_of_reach = False
    if state.pending == "maneuver":
        near = neighbours(state.order, where_it_lies(state.piles, state.queue[0]))
        out_of_reach = place not in near
        # One hand that turned two cards did not use the Maneuver that came up by the first.
        if out_of_reach and (used is None or used.by == turn):
            reach: dict[str, str | int] = {"at": at, "to": "".join(near)}
            stands = _used(state, target)
            return _wrong(node, target, "flip-out-of-reach", turn, mend, move=move, stands=stands, parts=reach)
    if state.pending in _FLIPPING and not out_of_reach:
        # In reach, so it was what came to light that cannot be.
        return _wrong(node, target, "flip-without-effect", turn, mend, move=move, dear=6.0, parts={"at": at})
    parts: dict[str, str | int] = {"at": at}
    if used is not None:
        # Another card was turned by an effect that turns one: whoever used it did so twice.
        parts["times"] = 2
        turn, move = used.by, move._replace(by=used.by)
    return _wrong(node, target, "flip-without-effect", turn, mend, move=move, dear=FLIP_COST, parts=parts)


def _taken(node: Node, target: ReadTable, change: _Change) -> Wrong:
    """A card is gone from the table."""
    state = node.state
    place, side = PLACES[change.at]
    turn = state.turn or side
    at = _place(change.at, change.nth)
    mend = _mend("put-back", card=change.face, at=at)
    # Of equal backs one is as good as the uppermost.
    top = all(face_of(slot) == change.face for slot in state.piles[change.at][change.nth :])
    move = Move("return", side, at=place, nth=change.nth)
    parts: dict[str, str | int] = {"at": at, "card": change.face}
    if state.pending == "redeploy" and side != turn:
        # Face down, its owner may be reading it.
        wait: Temper = "read" if change.face == FACE_DOWN else "unfinished"
        return _wrong(node, target, "not-your-card", turn, mend, temper=wait, parts=parts)
    may_be_held = (state.pending == "transport" and side == turn) or (state.pending in _FLIPPING and top)
    temper: Temper = "lifted" if may_be_held else "gone"
    return _wrong(node, target, "return-without-effect", side, mend, move=move, temper=temper, parts=parts)


def _carried(node: Node, target: ReadTable, gone: _Change, came: _Change) -> Wrong:
    """A card went from one stack to another."""
    state = node.state
    (origin, side), (to, onto) = PLACES[gone.at], PLACES[came.at]
    turn = state.turn or side
    at = _place(came.at, came.nth)
    mend = _mend("move-card", card=came.face, at=at, to=origin, seat=side)
    parts: dict[str, str | int] = {"card": came.face, "at": at, "came_from": _place(gone.at, gone.nth)}
    if onto != side:
        return _wrong(node, target, "not-your-card", turn, mend, dear=ACROSS, parts=parts)
    move = Move("move", side, origin=origin, nth=gone.nth, to=to)
    dear = 0.0 if came.face == gone.face else TURNED_TOO
    if state.pending == "transport" and side != turn:
        return _wrong(node, target, "not-your-card", turn, mend, move=move, parts=parts)
    if state.pending == "transport" and came.kind == "insert":
        mend = _mend("put-on-top", card=came.face, at=at)
        stands = _used(state, target)
        return _wrong(node, target, "wrong-place-in-stack", side, mend, stands=stands, parts=parts)
    # It may be another back, laid while this one is read or covered: that shows when it lies there again.
    played = came.face == FACE_DOWN == gone.face and came.kind == "push" and side == state.turn
    temper: Temper = "read" if played and state.pending is None else "finished"
    return _wrong(node, target, "move-without-effect", side, mend, move=move, temper=temper, dear=dear, parts=parts)


def skipped(state: State) -> State | None:
    """The state if the mandatory decision that is open were simply left out."""
    turn = state.turn
    if turn is None or state.pending is None or is_optional(state):
        return None
    # Transport may be declined, so one in the place of the open effect carries the battle on as if that were done.
    stand_in = Effect("transport", TRANSPORT, turn, 0, state.queue[0].place)
    return play(state._replace(queue=(stand_in, *state.queue[1:]), pending="transport"), Move("decline", turn))


def _used(state: State, target: ReadTable) -> State:
    """The state if the table is let stand as what the open effect has done: no hand has changed, and play goes on."""
    after: State | None = state
    while after is not None and after.pending is not None and after.turn is not None:
        after = skipped(after) or play(after, Move("decline", after.turn))
    turn = after.turn if after is not None else None
    return laid(state, [best_faces(column) for column in target], hands=state.hand_sizes, turn=turn)


def _left_out(node: Node, target: ReadTable) -> Iterator[Wrong]:
    """A mandatory effect was left out and the next move made."""
    after = skipped(node.state)
    turn, pending = node.state.turn, node.state.pending
    if after is None or turn is None or pending is None or after.turn is None:
        return
    found = search([Root(after, node.cost, node.tag)], target, silent=0, visible=2, budget=120)
    for line in found.lines[:2]:
        if not line.steps:
            continue
        mend = (Mend("carry-out", {"effect": pending, "seat": turn}),)
        first = line.steps[0].move
        yield _left(node, target, line, first, mend, turn, pending)


def _left(
    node: Node, target: ReadTable, line: Line, first: Move | None, mend: tuple[Mend, ...], turn: Seat, pending: str
) -> Wrong:
    dear = line.cost - node.cost
    return _wrong(node, target, "effect-left-out", turn, mend, move=first, stands=line.state, dear=dear,
                  parts={"effect": pending})  # fmt: skip
