"""How far a reading is to be believed: whether it is good enough to act upon, and what knowledge does for it.

A change is told when the cards that it rests on were read surely. Other doubts on the same table do not matter to it: a
card that was seen before it was covered is known, however badly its strip reads now.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp
from typing import Final, NamedTuple

from engine.events import Mend, Violation
from engine.names import FACE_DOWN, Face
from engine.places import PLACES, place_text
from engine.referee.belief import Belief, disputed, faces, tellable
from engine.referee.hypothesis import Hypothesis
from engine.referee.looks import columns, place_of
from engine.referee.observation import FACES, ReadTable, Slot, faces_of
from engine.referee.violations import rule_of
from engine.sight import MISPLACED, SeenCard, Sight
from engine.state import State

SURE_ENOUGH: Final = 0.9
"""Of a first look that the reader itself calls sure."""
SURE_AGAIN: Final = 0.97
"""Of several looks together."""
SURE_OF_UNSURE: Final = 0.995
"""Of several looks of which the reader calls none sure."""
LIKELY: Final = 0.8
GAP: Final = 2.5
"""Nats between the chosen explanation and the next one with another table."""
STAYS: Final = 4.0
"""Nats against another face of a covered card that is known: nobody reaches it there."""

PLAINLY: Final = 7.0
"""Nats: of a reading this much likelier than any that is not named, it is believed that it is none of those."""

StackIndex = tuple[int, int]
"""A stack's index in the order of `engine.sight.PLACES`, and a card's in the stack."""


def place_name(at: int, nth: int) -> str:
    """A card's place as events name it, such as `A/near/1`."""
    theater, seat = PLACES[at]
    return f"{theater}/{seat}/{nth}"


def informed(belief: Belief, target: ReadTable) -> ReadTable:
    """The target with what is known of covered cards weighed in: they are rather misread than exchanged.

    Any card may have been turned over, before it was covered or against the rules.
    """
    known = [faces(hyp.state) for hyp in belief.hyps]
    open_still = disputed(belief.hyps)
    made = []
    for at, column in enumerate(target):
        piles = {table[at] for table in known}
        slots = list(column)
        for nth in range(len(slots)):
            if (at, nth) in open_still:
                slots[nth] = _no_news(slots[nth], open_still[at, nth])
        for nth in range(len(column) - 1):
            said = {pile[nth] if nth < len(pile) <= len(column) else "" for pile in piles}
            if len(said) != 1 or said == {""}:
                continue
            (face,) = said
            covered = all(nth < len(pile) - 1 for pile in piles)
            if face != FACE_DOWN or (covered and slots[nth].tail < PLAINLY):
                slots[nth] = _staying(slots[nth], face)
        made.append(tuple(slots))
    return tuple(made)


def _no_news(slot: Slot, said: frozenset[Face]) -> Slot:
    """A card in doubt that is read with doubt again tells nothing new: the same light makes the same slip."""
    costs = sorted(slot.cost(face) for face in said)
    if slot.best not in said or costs[1] > PLAINLY / 2:
        return slot
    return Slot(
        {face: 0.0 if face in said else cost for face, cost in {**slot.costs, **dict.fromkeys(said, 0.0)}.items()},
        slot.tail,
    )


def _staying(slot: Slot, known: Face) -> Slot:
    costs = {face: cost + (0.0 if face in (known, FACE_DOWN) else STAYS) for face, cost in slot.costs.items()}
    if slot.tail < PLAINLY:
        costs.setdefault(known, slot.tail)
    least = min(costs.values())
    return Slot({face: cost - least for face, cost in costs.items()}, slot.tail + STAYS - least)


class TableChange(NamedTuple):
    """What a change of the table rests on."""

    cards: frozenset[StackIndex]
    """Cards that were not there before, or lay otherwise; in a stack that has only sunk, none."""
    stacks: frozenset[str]
    """The stacks that are not as they were, such as `A/near`."""


def confirmed(belief: Belief, hyp: Hypothesis) -> State:
    """The state of that line at which all that was told of it was told: what came since, no sure look has shown yet."""
    for length in range(len(hyp.path), -1, -1):
        said = [entry.move for entry in tellable(Hypothesis(0.0, hyp.base, hyp.path[:length]))]
        if said == list(belief.told[: len(said)]):
            return hyp.path[length - 1].state if length else hyp.base
    return hyp.base


def changed(before: State, after: State) -> TableChange:
    """What is different on the table."""
    spots: set[StackIndex] = set()
    stacks: set[str] = set()
    for at, (old, new) in enumerate(zip(before.piles, after.piles, strict=True)):
        a, b = faces_of(old), faces_of(new)
        if a == b:
            continue
        stacks.add(place_text(PLACES[at]))
        head = _shared(zip(a, b, strict=False))
        tail = _shared(zip(reversed(a[head:]), reversed(b[head:]), strict=False))
        spots.update((at, nth) for nth in range(head, len(b) - tail))
    return TableChange(frozenset(spots), frozenset(stacks))


def without_disputed(belief: Belief, change: TableChange) -> TableChange:
    """The change without the cards that were in doubt before it: what they are is carried along."""
    open_still = disputed(belief.hyps).keys()
    if not open_still & change.cards:
        return change
    cards = change.cards - open_still
    return TableChange(cards, frozenset(name for name in change.stacks if any(place_of(at) == name for at, _ in cards)))


def _shared(pairs: Iterator[tuple[Face, Face]]) -> int:
    count = 0
    for one, two in pairs:
        if one != two:
            break
        count += 1
    return count


def trust(target: ReadTable, spots: frozenset[StackIndex]) -> float:
    """How likely it is that the cards that a change rests on were read rightly."""
    likely = 1.0
    for at, nth in spots:
        if nth < len(target[at]):
            likely *= odds(target[at][nth])
    return likely


def odds(slot: Slot) -> float:
    """The share of the likeliest reading."""
    total = sum(exp(-cost) for cost in slot.costs.values()) + (FACES - len(slot.costs)) * exp(-slot.tail)
    return 1.0 / total


def is_sure(sight: Sight, change: TableChange | None = None) -> bool:
    """Whether the change (None: everything) is read surely, whatever else lies there or whichever way cards lie."""
    if sight.sure:
        return True
    if not sight.notes:
        return False
    names = set() if change is None else {place_name(at, nth) for at, nth in change.cards} | change.stacks
    for note in sight.notes:
        if note.code == "doubtful" and change is not None and note.at not in names:
            continue
        if note.code == "foreign" and change is not None and note.at in change.stacks:
            # It may hide a card, or be taken for one, just where something has changed.
            return False
        if note.code not in ("wrong-way-round", "foreign", *MISPLACED):
            return False
    return all(
        card.p >= SURE_ENOUGH
        for at, place in enumerate(PLACES)
        for nth, card in enumerate(sight.stacks.get(place, ()))
        if change is None or (at, nth) in change.cards
    )


def stacks_in_doubt(sight: Sight) -> bool:
    """Whether the reader is not certain how many cards some stack has, or what lies there."""
    return any(note.code in ("doubtful", "foreign") and note.at.count("/") == 1 for note in sight.notes)


def ready(belief: Belief, target: ReadTable, change: TableChange, gap: float) -> bool:
    """Whether the looks so far carry that change, with the next reading `gap` nats away."""
    looks = belief.present.looks
    likely = trust(target, change.cards)
    if len(looks) == 1:
        return is_sure(looks[0], change) and likely >= SURE_ENOUGH and gap >= GAP
    if not all(any(is_sure(look, part) for look in looks) for part in _by_stack(change)):
        # How many cards a stack has is not told by how sure its cards are.
        unshaped = {note.at for look in looks for note in look.notes if note.code in ("doubtful", "foreign")}
        shaped = not unshaped & change.stacks
        return (
            shaped
            and len(looks) >= 3
            and likely >= SURE_OF_UNSURE
            and gap >= 2 * GAP
            and all(_best_look(looks, spot) >= SURE_ENOUGH for spot in change.cards)
        )
    return likely >= SURE_AGAIN and gap >= GAP


def _best_look(looks: Sequence[Sight], spot: StackIndex) -> float:
    """How sure the surest look is of that card: the same misreading three times over proves nothing."""
    at, nth = spot
    return max((column[nth].p for column in columns(looks, at) if nth < len(column)), default=0.0)


def _by_stack(change: TableChange) -> list[TableChange]:
    """The change stack by stack: each must have been read surely, if not all at once."""
    return [
        TableChange(frozenset(spot for spot in change.cards if place_of(spot[0]) == at), frozenset({at}))
        for at in sorted(change.stacks)
    ] or [change]


def doubtful(
    target: ReadTable, spots: frozenset[StackIndex], tables: Sequence[Sequence[Sequence[Face]]] = ()
) -> tuple[str, tuple[Face, ...]]:
    """The card that `tables` disagree about, or the least certain one of `spots`, with its readings.

    Empty where there is none: a card that lies as it lay is never asked about.
    """
    for at, column in enumerate(target):
        for nth, slot in enumerate(column):
            said = {table[at][nth] for table in tables if len(table[at]) > nth}
            if len(said) > 1 and (at, nth) in spots:
                return place_name(at, nth), tuple(sorted(said, key=slot.cost))
    worst = min(
        (spot for spot in sorted(spots) if spot[1] < len(target[spot[0]])),
        key=lambda spot: odds(target[spot[0]][spot[1]]),
        default=None,
    )
    if worst is None:
        return "", ()
    slot = target[worst[0]][worst[1]]
    return place_name(*worst), tuple(sorted(slot.costs, key=slot.cost))


def corrected(belief: Belief, look: Sight) -> Sight:
    """The look with the readings replaced that a person has said are another card.

    Where that other card is read as well, both lie there: each exists once, and the reader errs no longer.
    """
    if not belief.misread:
        return look
    read = {card.read for column in look.stacks.values() for card in column}
    swap = {face: meant for face, meant in belief.misread if meant not in read}
    stacks = {
        place: tuple(
            SeenCard(swap[c.read], c.p, (), c.wrong_way) if c.read in swap else c for c in look.stacks.get(place, ())
        )
        for place in PLACES
    }
    return Sight(look.order, stacks, look.sure, look.notes)


def wrong_way(belief: Belief) -> Violation | None:
    """The card that lies with its top edge towards its owner, if every look agrees."""
    for at, (_, who) in enumerate(PLACES):
        seen = columns(belief.present.looks, at)
        for nth, card in enumerate(seen[-1]):
            if all(column[nth].wrong_way for column in seen):
                parts: dict[str, str | int] = {"at": place_name(at, nth), "card": card.read}
                rule = rule_of("wrong-way-round", belief.edition)
                return Violation("wrong-way-round", rule, who, (Mend("turn-round", parts),), None, parts)
    return None
