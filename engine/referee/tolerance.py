"""What else a table may mean that no legal line explains: one card lies otherwise than it should, and play goes on.

A new card may lie squarely on an older one, a stack may be pushed together, a card may be gone beside a legal move, a
card that had to be destroyed may be left lying while the next one is laid, or a mistake that was told is ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from engine.cards import BLOCKADE, CONTAINMENT
from engine.events import Mend, Violation
from engine.names import FACE_DOWN, Face
from engine.places import PLACES, parse_spot
from engine.referee.belief import Belief, faces
from engine.referee.belief_parts import NO_MISTAKE, ToldMistake
from engine.referee.confidence import place_name
from engine.referee.decision import Decision
from engine.referee.differences import Difference, with_card, without_card
from engine.referee.endings import destroyed_lines
from engine.referee.gathering import GONE_LEAST, is_part
from engine.referee.hypothesis import Faces, Hypothesis, TakenUp
from engine.referee.interpretation import VANISHED_LOOKS
from engine.referee.looks import lying
from engine.referee.observation import ReadTable, best_faces, face_of
from engine.referee.overlooked import cost_of
from engine.referee.search import SETUP_COST, Step, destroyers_lie
from engine.referee.undo import UNDO_COST
from engine.referee.violations import Wrong, rule_of
from engine.sight import Sight
from engine.state import UP

HIDDEN_COST: Final = 2.0
"""Of a card laid so squarely on another that the one below does not show."""
SELF_CLEARING: Final = (("S4",), ("S1",))
"""Redeploy and Transport may take the card from below themselves."""
HIDDEN_HURRIED_COST: Final = 3.0
"""The same where another move was made before the table lay still."""
HURRIED_MOST: Final = 2
"""More moves than this before the table lay still, and a card hidden with them, explain nothing."""
PUSHED_COST: Final = 1.0
"""Of a stack pushed together, if nothing else has changed."""
CARRIED_OFF_COST: Final = 2.0
"""Of a card just laid that was carried off as if it were destroyed: the other seat plays, so nobody took it back."""
GATHERED_COST: Final = 2.0
"""Of cards gathered in before the last one lay there."""
HELD_COST: Final = 1.0
"""Of a card that was held in a hand for so long that it seemed taken back."""
GONE_COST: Final = 4.9
"""Of a card that vanishes while a legal move is made."""
LEFT_COST: Final = 2.0
"""Of a card left lying that had to be destroyed: commoner than any instant that turns itself over unseen."""
GOES_ON_MOVES: Final = 2
"""Moves after a mistake with which it is let stand at once."""
FAR_FETCHED: Final = 12.0
"""Nats: what is less likely than this explains nothing."""
UNDO_AS_IT_LAY_COST: Final = 2.0
"""Of cards taken back so that the table is exactly as it was."""
IGNORED_COST: Final = 3.0
"""Of playing on from a mistake that was told."""
RIVALRY_COST: Final = 2.0
"""The same where a legal line, made so quickly that it looked like that mistake, goes on as well."""

Decider = Callable[[Belief], Decision]
"""What the looks of a belief mean."""


class _Way(NamedTuple):
    """One card set right, and what the table means then."""

    decision: Decision
    cost: float


def tolerated(belief: Belief, target: ReadTable, plain: Decision, read: Decider) -> Decision:
    """`plain`, or the cheapest explanation by one card that lies otherwise than it should.

    `belief` has its looks set right by what is known; `target` is what they show together.
    """
    if plain.kind == "tidying":
        # All cards are played: what is turned up now is only shown.
        return plain
    table = tuple(best_faces(column) for column in target)
    lay = faces(belief.hyps[0].state)
    cost = cost_of(plain)
    if plain.kind == "undo":
        # Where the table lay meanwhile as before, it was surely taken back.
        least = 0.0 if belief.present.back else UNDO_COST
        cost = max(cost, least) if _goes_on(belief, plain) else UNDO_AS_IT_LAY_COST
    best = _Way(plain, cost)
    if plain.wrong is not None and plain.wrong.temper in ("gone", "lifted") and plain.wrong.steps:
        # A legal move and a card gone: the move is told at once, and the card when it stays away.
        best = best._replace(cost=best.cost + GONE_COST)
    for way in _ways(belief, lay, target, plain, read):
        if way.cost < min(best.cost, FAR_FETCHED):
            # A legal line that is less likely is kept beside it until the next table, and that nothing was meant yet.
            others = (*belief.hyps, *plain.hyps) if plain.kind == "moves" else ()
            turned = None if way.decision.kind != "moves" else _turned_up(plain)
            if turned is not None:
                root = belief.hyps[turned.tag]
                stood = replace(root, path=(*root.path, *turned.steps, Step(None, "set", turned.stands)))
                # Or it was turned for an effect whose card is laid only now.
                others = (*belief.hyps, replace(stood, cost=stood.cost + IGNORED_COST))
            best = _Way(replace(way.decision, doubted=others, in_doubted=turned and turned.violation), way.cost)
    if best.decision.wrong is not None and _hidden_back(belief, lay, table, best.decision.wrong, read):
        return replace(best.decision, wait=max(best.decision.wait, belief.policy.ignored))
    return best.decision


def _turned_up(plain: Decision) -> Wrong | None:
    """The mistake, if a card was turned up against the rules: it looks like another one, laid squarely on it."""
    wrong = plain.wrong
    flipped = wrong is not None and wrong.violation.code in ("flip-without-effect", "flip-out-of-reach")
    return wrong if flipped else None


def _goes_on(belief: Belief, undone: Decision) -> bool:
    """Whether another move was made after one was taken back."""
    return bool(undone.hyps) and len(undone.hyps[0].path) > len(belief.hyps[0].path) - undone.moves_back


def _hidden_back(belief: Belief, lay: Faces, table: Faces, wrong: Wrong, read: Decider) -> bool:
    """Whether a seat that seems passed over may have laid a card face down squarely on another back.

    Nothing shows that but a hand over the table that left it as it was.
    """
    violation, turn = wrong.violation, belief.hyps[0].state.turn
    if not belief.touched or violation.code not in ("second-card", "out-of-turn") or turn in (None, violation.who):
        return False
    for at, column in enumerate(table):
        if PLACES[at][1] == turn and column == lay[at] and column[-1:] == (FACE_DOWN,):
            found = read(_lying_there(belief, (at, len(column), FACE_DOWN)))
            if found.kind == "moves":
                return True
    return False


def _ways(belief: Belief, lay: Faces, target: ReadTable, plain: Decision, read: Decider) -> Iterator[_Way]:
    table = tuple(map(best_faces, target))
    sure = any(look.sure for look in belief.present.looks)
    legal = plain.kind in ("same", "moves")
    dear = bool(plain.hyps) and plain.hyps[0].cost >= SETUP_COST
    if not sure or (legal and not dear and not _destroyed_told(belief)):
        # Beside a likely legal line only a card that was told as left lying is thought of.
        return
    yield from _left_lying(belief, lay, table, read)
    if legal and not dear:
        return
    for at, (pile, column) in enumerate(zip(lay, table, strict=True)):
        if pile == column or not pile or ((legal or plain.kind == "undo") and column[-1:] in SELF_CLEARING):
            continue
        if len(column) == len(pile) and pile[:-1] == column[:-1]:
            nth = len(pile) - 1
            if _told_gone(belief, place_name(at, nth)) is not None:
                # It was away: the new card lies where it lay, and not on it.
                yield from _gone(belief, lay, table, (at, nth, pile[nth]), read)
            else:
                yield from _laid_squarely(belief, target, at, (nth, pile[nth]), read)
        elif (
            len(column) < len(pile)
            and column
            and column != pile[: len(column)]
            and is_part(column, pile)
            # What an open effect lets one hold is in a hand: the stack was not pushed together.
            and (plain.wrong is None or plain.wrong.temper != "lifted")
        ):
            missing = _missing(pile, column)
            yield from _hidden(belief, at, missing, PUSHED_COST, read, moved=False)
            if not _came_elsewhere(lay, table, at, missing):
                # Or it was while a move was made elsewhere.
                yield from _hidden(belief, at, missing, HIDDEN_COST, read, moved=True)
        covered = [] if _gone_before(belief) or _carried_across(belief, lay, table, at) else _covered_back(pile, column)
        if covered and not _came_elsewhere(lay, table, at, covered):
            yield from _hidden(belief, at, covered, HIDDEN_COST, read, moved=True)
        elif len(column) == len(pile) - 1 and is_part(column, pile):
            ((nth, face),) = _missing(pile, column)
            yield from _gone(belief, lay, table, (at, nth, face), read)
    if plain.wrong is not None and plain.wrong.violation.code in ("second-card", "out-of-turn"):
        yield from _carried_off(belief, lay, read)
    if not legal:
        yield from _gathered_already(belief, lay, table, read)
    taken = belief.taken_up
    if not legal and taken is not None and not taken.more:
        yield from _still_held(belief, taken, read)
    mistake = belief.mistake
    if mistake.violation is not None and mistake.stands is not None and _stays(mistake, table):
        yield from _ignored(belief, read, RIVALRY_COST if legal and mistake.rivals else 0.0)


def _stays(mistake: ToldMistake, table: Faces) -> bool:
    """Whether another table than the illegal one lies there, and no card in a wrong theater was moved since."""
    told = mistake.violation
    if table == mistake.illegal or told is None or told.code != "wrong-theater":
        return table != mistake.illegal
    spot = parse_spot(str(told.parts["at"]))
    return table[PLACES.index(spot.place)][spot.index : spot.index + 1] == (told.parts["card"],)


def _missing(pile: Sequence[Face], column: Sequence[Face]) -> list[tuple[int, Face]]:
    """The cards of the pile that the column lacks, matched from the top."""
    gone: list[tuple[int, Face]] = []
    rest = list(column)
    for nth in range(len(pile) - 1, -1, -1):
        if rest and rest[-1] == pile[nth]:
            rest.pop()
        else:
            gone.append((nth, pile[nth]))
    return gone[::-1]


def _covered_back(pile: Sequence[Face], column: Sequence[Face]) -> list[tuple[int, Face]]:
    """The back that the one on it covers, where of several backs on top one shows no more; empty where there is none.

    Two backs pushed together look like one of them taken up, and that happens at no other time than the other's move.
    """
    top = len(column) - 1
    squared = top >= 0 and tuple(pile) == (*column, FACE_DOWN) and column[top] == FACE_DOWN
    return [(top, FACE_DOWN)] if squared else []


def _carried_across(belief: Belief, lay: Faces, table: Faces, at: int) -> bool:
    """Whether the card laid last is gone from there and a back has come to the other side of the board, whose seat
    seemed to decline an effect: that effect's card was laid on the wrong side, and carried over."""
    moves = [step.move for step in belief.hyps[0].path[-2:]]
    if len(moves) < 2 or moves[0] is None or moves[1] is None or moves[0].do != "decline" or moves[0].by == moves[1].by:
        return False
    laid = moves[1].do == "improvise" and (moves[1].to, moves[1].by) == PLACES[at]
    return laid and table[at ^ 1] == (*lay[at ^ 1], FACE_DOWN)


def _gone_before(belief: Belief) -> bool:
    """Whether the card that was laid last was gone before the move beside which it is missing."""
    return belief.present.back > 0 or belief.taken_up is not None


def _changed_looks(belief: Belief, change: Callable[[Sight], Sight]) -> Belief:
    return belief.with_looks(change(look) for look in belief.present.looks)


def _lying_there(belief: Belief, card: tuple[int, int, Face]) -> Belief:
    """The belief with looks that show one card more: its stack, its place there and its face."""
    at, nth, face = card
    return _changed_looks(belief, lambda look: with_card(look, at, nth, face))


def _dearer(decision: Decision, more: float, differences: tuple[Difference, ...]) -> _Way:
    hyps = tuple(replace(hyp, cost=hyp.cost + more) for hyp in decision.hyps)
    return _Way(replace(decision, hyps=hyps, doubted=(), differences=differences), cost_of(decision) + more)


def _laid_squarely(belief: Belief, target: ReadTable, at: int, card: tuple[int, Face], read: Decider) -> Iterator[_Way]:
    """A new card lies on the uppermost one and covers it. `card` is the covered one's place in the stack and its face.

    The new card must be one that it was read as: otherwise the card that lies there was misread, and none is new.
    """
    for way in _hidden(belief, at, [card], HIDDEN_COST, read, moved=True):
        pile = way.decision.hyps[0].state.piles[at]
        if pile and face_of(pile[-1]) in target[at][-1].costs:
            yield way


def _hidden(
    belief: Belief, at: int, cards: Sequence[tuple[int, Face]], cost: float, read: Decider, *, moved: bool
) -> Iterator[_Way]:
    """The cards lie there, covered completely: by a new one (`moved`), or because the stack was pushed together."""

    def shown(look: Sight) -> Sight:
        for nth, face in cards:
            look = with_card(look, at, nth, face)
        return look

    found = read(_changed_looks(belief, shown))
    if found.kind == ("moves" if moved else "same") and _unseen(found) <= _unseen_in(belief.hyps[0]):
        now = len(belief.told)
        differences = tuple(Difference("hidden", at, nth, face, belief.present.since, now) for nth, face in cards)
        made = _seen(found.hyps[0]) - _seen(belief.hyps[0])
        if made > HURRIED_MOST:
            return
        hurried = moved and made > 1
        yield _dearer(found, cost + (HIDDEN_HURRIED_COST if hurried else 0.0), differences)


def _came_elsewhere(lay: Faces, table: Faces, at: int, cards: Sequence[tuple[int, Face]]) -> bool:
    """Whether one of these cards that are missing in a stack may be one that came to another of the same seat."""
    gone = {face for _, face in cards}
    return any(
        face in gone and table[to].count(face) > lay[to].count(face)
        for to in range(len(PLACES))
        if to != at and PLACES[to][1] == PLACES[at][1]
        for face in table[to]
    )


def _seen(hyp: Hypothesis) -> int:
    return sum(step.kind == "seen" for step in hyp.path)


def _unseen(found: Decision) -> int:
    return _unseen_in(found.hyps[0]) if found.hyps else 0


def _unseen_in(hyp: Hypothesis) -> int:
    """Cards of a line that nobody saw destroyed."""
    return sum(step.kind == "silent" and step.move is not None and step.move.do != "decline" for step in hyp.path)


def _gone(belief: Belief, lay: Faces, table: Faces, card: tuple[int, int, Face], read: Decider) -> Iterator[_Way]:
    """A card is gone, and beside that a legal move was made, perhaps instead of the last one. `card` is its stack, its
    place there and its face."""
    if all(map(is_part, table, lay)):
        # Nothing but cards taken up: they are being gathered in.
        return
    found = read(_lying_there(belief, card))
    if found.kind == "moves" or (found.kind == "undo" and _goes_on(belief, found)):
        told = _told_gone(belief, place_name(card[0], card[1])) is not None
        yield _without(belief, found, card, HIDDEN_COST if told else GONE_COST)


def _told_gone(belief: Belief, at: str) -> Violation | None:
    """The mistake that was told of a card that is gone from there; None where none was."""
    told = belief.mistake.violation
    return told if told is not None and (told.code, told.parts.get("at")) == ("return-without-effect", at) else None


def _carried_off(belief: Belief, lay: Faces, read: Decider) -> Iterator[_Way]:
    """The card that seemed taken back was carried off although nothing destroys it, and the other seat plays."""
    taken = belief.taken_up
    if taken is None or taken.more:
        return
    for at, (pile, column) in enumerate(zip(faces(taken.lines[0].state), lay, strict=True)):
        if len(pile) != len(column) + 1 or pile[:-1] != column:
            continue
        card = at, len(column), pile[-1]
        found = read(replace(_lying_there(belief, card), hyps=taken.lines, taken_up=None))
        if found.kind == "moves":
            yield _without(belief, found, card, CARRIED_OFF_COST)


def _gathered_already(belief: Belief, lay: Faces, table: Faces, read: Decider) -> Iterator[_Way]:
    """The last card of all was laid while other cards were gathered in already, or a card while the other seat gave the
    battle up and gathered whole stacks of its own in."""
    if belief.present.looks[-1].order != belief.hyps[0].state.order:
        # On rotated boards a card that is new is the next battle's.
        return
    parts = [at for at in range(len(PLACES)) if is_part(table[at], lay[at])]
    missing = [(at, nth, face) for at in parts for nth, face in _missing(lay[at], table[at])]
    if len(missing) < GONE_LEAST:
        return
    last = sum(hand.size for hand in belief.hyps[0].state.hands) == 1
    seats = {PLACES[at][1] for at, _, _ in missing}
    if not last and (len(seats) > 1 or any(table[at] for at, _, _ in missing)):
        return
    there = belief
    for card in missing:
        there = _lying_there(there, card)
    found = read(there)
    if found.kind != "moves":
        return
    after, laid_one = found.hyps[0].state, len(found.hyps[0].path) == len(belief.hyps[0].path) + 1
    if (after.result is not None) if last else (laid_one and after.turn in seats):
        yield _dearer(found, GATHERED_COST, ())


def _still_held(belief: Belief, taken: TakenUp, read: Decider) -> Iterator[_Way]:
    """The card that seemed taken back was held in a hand, and was laid down as an effect that was open lets it."""
    if taken.lines[0].state.pending is None:
        return
    found = read(replace(belief, hyps=taken.lines, taken_up=None))
    if found.kind == "moves":
        yield _dearer(found, HELD_COST, ())


def _without(belief: Belief, found: Decision, card: tuple[int, int, Face], cost: float) -> _Way:
    """What was found, with that card gone from the table: its stack, its place there and its face."""
    at, nth, face = card
    where, who = place_name(at, nth), PLACES[at][1]
    parts: dict[str, str | int] = {"at": where, "card": face}
    mend = Mend("put-back", {"card": face, "at": where})
    told = _told_gone(belief, where)
    violation = told or Violation(
        "return-without-effect", rule_of("return-without-effect", belief.edition), who, (mend,), None, parts
    )
    since, moves = belief.present.since, len(belief.told)
    gone = Difference("gone", at, nth, face, since, moves, told=told is not None, violation=violation)
    way = _dearer(found, cost, (gone,))
    seen = len(belief.present.looks) >= VANISHED_LOOKS
    return _Way(replace(way.decision, ready=way.decision.ready and seen), way.cost)


def _destroyed_told(belief: Belief) -> bool:
    return belief.mistake.violation is not None and belief.mistake.violation.code == "should-be-destroyed"


def _left_lying(belief: Belief, lay: Faces, table: Faces, read: Decider) -> Iterator[_Way]:
    """A card that had to be destroyed lies there still, and play has gone on."""
    told = belief.mistake.violation if _destroyed_told(belief) else None
    if told is None and not destroyers_lie(belief.hyps[0].state.piles):
        return
    for at, (pile, column) in enumerate(zip(lay, table, strict=True)):
        if len(column) != len(pile) + 1 or column[:-1] != pile:
            continue
        nth, face = len(column) - 1, column[-1]
        where = place_name(at, nth)
        if told is not None and told.parts.get("at") != where:
            continue
        without = _changed_looks(belief, lambda look, at=at, nth=nth: without_card(look, at, nth))  # type: ignore[misc]
        if told is not None:
            lines = destroyed_lines(belief)
            if not lines:
                continue
            without = replace(without.with_rivals(()), hyps=tuple(lines))
        found = read(without)
        if found.kind != "moves" or (told is None and not _lost_there(found, at, face)):
            continue
        violation = told or Violation(
            "should-be-destroyed",
            rule_of("should-be-destroyed", belief.edition),
            PLACES[at][1],
            (Mend("destroy", {"card": face, "at": where}),),
            None,
            {"card": face, "at": where, "by_card": _destroyer(belief), "remove": belief.war.edition.remove_word},
        )
        extra = Difference(
            "extra", at, nth, face, belief.present.since, len(belief.told), told=told is not None, violation=violation
        )
        # What was told once is not doubted because play goes on.
        way = _dearer(found, LEFT_COST, (extra,))
        yield way if told is None else _Way(way.decision, -1.0)


def left_beside_another(belief: Belief, decide: Decider) -> Belief | None:
    """The belief with the card that was told as one to destroy left lying, if the next card must be destroyed, too."""
    told, lay = belief.mistake.violation, belief.mistake.illegal
    if not _destroyed_told(belief) or told is None or lay is None:
        return None
    table = lying(belief.present.looks)
    grown = [len(column) - len(was) for was, column in zip(lay, table, strict=True)]
    if sorted(grown) != [0, 0, 0, 0, 0, 1] or any(
        column[: len(was)] != was for was, column in zip(lay, table, strict=True)
    ):
        return None
    spot = parse_spot(str(told.parts["at"]))
    since, moves, face = belief.present.since, len(belief.told), str(told.parts["card"])
    extra = Difference("extra", PLACES.index(spot.place), spot.index, face, since, moves, told=True, violation=told)
    lines = destroyed_lines(belief)
    there = replace(belief, hyps=tuple(lines), mistake=NO_MISTAKE, differences=(*belief.differences, extra))
    wrong = decide(there).wrong if lines else None
    return there if wrong is not None and wrong.violation.code == "should-be-destroyed" else None


def _destroyer(belief: Belief) -> str:
    return CONTAINMENT if any(UP[CONTAINMENT] in pile for pile in belief.hyps[0].state.piles) else BLOCKADE


def _lost_there(found: Decision, at: int, face: Face) -> bool:
    """Whether a card of that side that was played as `face` lies, face up or face down, was destroyed on the way."""
    played = "improvise" if face == FACE_DOWN else "deploy"
    before = found.hyps[0].base if found.hyps else None
    for step in found.hyps[0].path if found.hyps else ():
        move, lost = step.move, before is not None and step.state.piles == before.piles
        before = step.state
        if lost and move is not None and move.do == played and move.by == PLACES[at][1]:
            return True
    return False


def _ignored(belief: Belief, read: Decider, dear: float) -> Iterator[_Way]:
    """Play goes on from the mistake that was told."""
    stands = belief.mistake.stands
    assert stands is not None
    from_there = replace(belief, hyps=(stands,), mistake=NO_MISTAKE)
    found = read(from_there)
    if found.kind != "moves" or not found.hyps:
        return
    path = found.hyps[0].path
    since = next((back for back, step in enumerate(reversed(path)) if step.kind == "set"), len(path))
    wait = belief.policy.ignored if since < GOES_ON_MOVES else belief.policy.unfinished
    decision = replace(found, let_stand=True, wait=wait, doubted=())
    yield _Way(decision, cost_of(found) + IGNORED_COST + dear)
