"""Playing a war's record: every entry of the notation, one after another, with what it makes of the war."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from engine.battle import Destruction, destruction, play
from engine.failure import BadInput, Failure
from engine.legality import explain
from engine.moves import Move
from engine.names import other
from engine.records.notation import opening_headers
from engine.records.notation_format import BattleRecord, Comment, Correction, Header, NotationLine, WarRecord
from engine.refusal import Refusal, refusal
from engine.state import State
from engine.war import War, rotated


class WarStep(NamedTuple):
    """The war after one entry of a battle (or at its beginning, with no entry)."""

    battle: int
    """Counted from 0."""
    at: int | None
    """The move's index among the battle's moves and corrections, comments left out; None at the beginning."""
    entry: NotationLine | None
    war: War
    destruction: Destruction | None = None


class IllegalStep(NamedTuple):
    """The entry that cannot be played. The rest of its battle is left out, and so are the battles behind it."""

    battle: int
    at: int
    why: Refusal
    war: War


class ResultDiffers(NamedTuple):
    """A result that the record states and its moves do not give."""

    battle: int
    written: str
    war: War


class SetupDiffers(NamedTuple):
    """A battle that begins otherwise than the one before it asks (R14). It is played as it was set up."""

    battle: int
    code: Literal["boards-not-rotated", "commander-cards-not-exchanged"]
    found: str
    expected: str
    war: War


def replay_war(record: WarRecord) -> Iterator[WarStep | IllegalStep | ResultDiffers | SetupDiffers]:
    """The war as the record tells it; raises `BadInput` where a battle begins before the one before it is over."""
    war: War | None = None
    for number, battle in enumerate(record.battles):
        before, war = war, _begun(record, battle, war, number)
        if before is not None:
            yield from _setup(before, war, number)
        yield WarStep(number, None, None, war)
        at = 0
        for entry in battle.entries:
            if isinstance(entry.what, Comment):
                yield WarStep(number, None, entry, war)
                continue
            lost: Destruction | None = None
            if isinstance(entry.what, Move):
                why = explain(war.state, entry.what)
                if why is not None:
                    yield IllegalStep(number, at, why, war)
                    return
                lost = destruction(war.state, entry.what)
                war = war.play(entry.what)
            else:
                try:
                    war = _corrected(war, entry.what)
                except Failure as failure:
                    yield IllegalStep(number, at, refusal("bad-correction", reason=str(failure)), war)
                    return
            yield WarStep(number, at, entry, war, lost)
            at += 1
        if battle.result is not None and battle.result != war.result:
            yield ResultDiffers(number, battle.header("Result") or "", war)


def _begun(record: WarRecord, battle: BattleRecord, war: War | None, number: int) -> War:
    order, first, hands, deck = battle.order, battle.first, battle.hands, battle.deck
    if war is None:
        return War.begin(
            record.edition,
            order or "ALS",
            first or "near",
            target=record.target,
            beginner=record.beginner,
            hands=hands,
            deck=deck,
        )
    try:
        return war.next_battle(order, first, hands, deck)
    except BadInput:
        raise
    except Failure as failure:
        raise BadInput(
            failure.code, f"Battle {number + 1} cannot begin: {failure.message}", failure.remedy
        ) from failure


def _setup(before: War, war: War, number: int) -> Iterator[SetupDiffers]:
    """What is not as it should be between two battles: every book has boards shift and commander cards change hands.

    No book says from whose seat the boards shift, so either way is right.
    """
    old, new = before.state.order, war.opening.order
    expected = rotated(old)
    if new not in (expected, rotated(expected)):
        yield SetupDiffers(number, "boards-not-rotated", "".join(new), "".join(expected), war)
    first = other(before.state.first)
    if war.opening.first != first:
        yield SetupDiffers(number, "commander-cards-not-exchanged", war.opening.first, first, war)


def _corrected(war: War, what: Correction | State | Comment) -> War:
    if isinstance(what, State):
        return war.correct(what)
    assert isinstance(what, Correction)
    if what.kind == "undo":
        return war.take_back(what.times)
    if what.kind == "concede" and what.seat is not None:
        return war.concede(what.seat)
    near, far = what.score or (0, 0)
    return war.correct_score(near, far)


def record_of(wars: Sequence[War], headers: tuple[Header | Comment, ...] = ()) -> WarRecord:
    """A war's record, from the war as it stood at the end of each of its battles (the last may still go on)."""
    standing: list[Header | Comment] = [
        Header("Edition", wars[0].edition.name),
        Header("Target", str(wars[0].target)),
    ]
    if wars[0].beginner:
        standing.append(Header("Beginner", "yes"))
    scores = [(0, 0), *((war.score["near"], war.score["far"]) for war in wars)]
    battles = (_battle_of(war, before) for war, before in zip(wars, scores, strict=False))
    return WarRecord((*standing, *headers), tuple(battles))


def _battle_of(war: War, before: tuple[int, int]) -> BattleRecord:
    """One battle; `before` is the score that the battles before it came to, from which a corrected score is told."""
    headers = list(opening_headers(war.opening))
    result = war.result
    if result is not None:
        headers.append(Header("Result", f"{result.winner} {result.points} {result.why}"))
    entries = list(_entries(war))
    if war.before != before:
        entries.append(NotationLine(Correction("score", score=(war.score["near"], war.score["far"]))))
    return BattleRecord(tuple(headers), tuple(entries))


def _entries(war: War) -> Iterator[NotationLine]:
    """The battle's entries; where its moves do not lead to the state that the war has, that state follows them."""
    state = war.opening
    for entry in war.entries:
        if isinstance(entry, Move):
            if explain(state, entry) is not None:
                continue
            state = play(state, entry)
        else:
            state = entry
        yield NotationLine(entry)
    if state != war.state:
        yield NotationLine(war.state)
