"""What the desk makes of messages that no table of ours would send, and of a store that fails: no broker is needed."""

from __future__ import annotations

import json
import queue
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.failure import Failure
from host.club.desk import Desk
from host.club.entry import ClubEntry, Head, digest_of, entry_from_json, entry_to_json, following
from host.club.intake import Intake
from host.club.screen import Feed
from host.club.simulation.night import until
from host.club.store.base import Batch, BatchOutcome, Record
from host.club.store.sqlite import SqliteStore
from host.club.tournament.events import Opened, Pair
from host.club.wire.connection import WireMessage
from host.club.wire.join_code import JoinCode

NOWHERE = JoinCode("127.0.0.1", 1, "club", "desk", "none", tls=False)


class Room:
    """A desk and its intake, to which messages are handed as the broker would."""

    def __init__(self, path: Path) -> None:
        self.store = SqliteStore(path, "club")
        self.desk = Desk(self.store, Feed(time.monotonic), time.time)
        self.faults: list[Exception] = []
        self.intake = Intake(self.desk, self.store, NOWHERE, time.time, self.faults.append)

    def play(self, *names: str, tables: tuple[str, ...] = ("t1", "t2")) -> None:
        """Opens the evening and pairs round 1."""
        self.desk.connect(self.intake, tables)
        self.desk.act(Opened("Thursday club", rounds=2))
        for name in names or ("Anna", "Bela"):
            self.desk.enter(name, checked_in=True)
        self.desk.pair()

    def arrives(self, message: WireMessage) -> None:
        """A message as paho hands it over."""
        self.intake.connection.client.on_message(None, None, _Sent(message))  # type: ignore[misc, arg-type]

    @property
    def pairs(self) -> tuple[Pair, ...]:
        assert self.desk.state is not None and self.desk.state.current is not None
        return self.desk.state.current.pairs

    @property
    def results(self) -> Mapping[int, Any]:
        assert self.desk.state is not None and self.desk.state.current is not None
        return self.desk.state.current.results

    def close(self) -> None:
        self.intake.close()
        self.store.close()


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made = Room(tmp_path / "desk.db")
    yield made
    made.close()


def message(account: str, log: str, *entries: ClubEntry) -> WireMessage:
    content = {"log": log, "entries": [entry_to_json(entry) for entry in entries]}
    return WireMessage(f"allfronts/club/t/{account}/entries", json.dumps(content).encode(), False)


def told(
    log: str, near: int, far: int, winner: str | None, match: str = "1-1-2", head: Head | None = None
) -> ClubEntry:
    return following(log, head or Head(), {"events": [], "match": match, "near": near, "far": far, "winner": winner})


def raw(log: str, body: str) -> ClubEntry:
    """A first entry with a body as it stands, digest and all."""
    return ClubEntry(log, 1, Head().digest, digest_of(log, 1, Head().digest, body), body)


def test_half_a_character_from_one_table_is_told_and_the_result_of_another_counts(room: Room) -> None:
    room.play()
    half = raw("log-9", '{"match":"\ud800"}')

    room.intake.take([message("t9", "log-9", half), message("t1", "log-1", told("log-1", 12, 3, "near"))])

    assert room.results[1].halves == (2, 0)
    assert [(n.code, n.parts["account"]) for n in room.desk.notices] == [("bad-message", "t9")]


def test_an_entry_that_cannot_be_stored_as_text_is_none() -> None:
    with pytest.raises(Failure, match="entry"):
        entry_from_json("log-1", entry_to_json(raw("log-1", '{"match":"\udfff"}')))


def test_a_fault_of_the_program_over_one_message_is_told_and_every_other_counts(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.play("Anna", "Bela", "Chris", "Dora")
    append: Callable[[Sequence[Batch]], list[BatchOutcome]] = room.store.append

    def faulty(batches: Sequence[Batch]) -> list[BatchOutcome]:
        if any(batch.account == "t9" for batch in batches):
            raise ZeroDivisionError("the fault")
        return append(batches)

    monkeypatch.setattr(room.store, "append", faulty)
    matches = {pair.table: f"1-{pair.near}-{pair.far}" for pair in room.pairs}
    # All lie there when the intake begins, so that it takes them at once.
    room.arrives(message("t1", "log-1", told("log-1", 12, 3, "near", matches[1])))
    room.arrives(message("t9", "log-9", told("log-9", 0, 0, None)))
    room.arrives(message("t2", "log-2", told("log-2", 4, 12, "far", matches[2])))
    room.intake.start(("t1", "t2"))

    until(lambda: len(room.results) == 2, "both results")
    room.arrives(message("t1", "log-1", told("log-1", 12, 4, "near", matches[1], room.store.heads()["log-1"])))
    until(lambda: room.results[1].far == 4, "what comes later")
    assert {type(error) for error in room.faults} == {ZeroDivisionError}
    assert any(n.code == "intake-fault" and n.parts == {"kind": "ZeroDivisionError"} for n in room.desk.notices)


def test_a_result_that_cannot_be_written_down_is_told_and_counts_once_it_can(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.play()
    result = message("t1", "log-1", told("log-1", 12, 3, "near"))
    with monkeypatch.context() as full:
        full.setattr(room.store, "record", refusing("store-lost", "The disk is full."))
        room.intake.take([result])
        room.intake.count_again(100.0)
    assert room.results == {}
    assert [(n.code, n.parts) for n in room.desk.notices] == [("not-counted", {"message": "The disk is full."})]

    room.intake.take([result])
    assert room.results == {}, "to the store it is nothing new"
    room.intake.count_again(101.0)
    assert room.results == {}, "the store is not asked all the time"
    room.intake.count_again(105.0)

    assert room.results[1].halves == (2, 0)


def test_a_result_that_another_desk_keeps_from_being_written_counts_when_one_of_them_is_started_again(
    room: Room, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    room.play("Anna", "Bela", "Chris", "Dora")
    one, two = (f"1-{pair.near}-{pair.far}" for pair in room.pairs)
    with monkeypatch.context() as both:
        both.setattr(room.store, "record", refusing("two-desks", "Another desk has written to this club meanwhile."))
        room.intake.take(
            [
                message("t1", "log-1", told("log-1", 12, 3, "near", one)),
                message("t2", "log-2", told("log-2", 3, 12, "far", two)),
            ]
        )
    assert [n.code for n in room.desk.notices] == ["two-desks"]
    room.close()

    again = Room(tmp_path / "desk.db")
    again.intake.start(("t1", "t2"))

    assert {table: result.halves for table, result in again.results.items()} == {1: (2, 0), 2: (0, 2)}
    again.close()


def test_an_entry_that_names_no_match_keeps_no_desk_from_starting(room: Room, tmp_path: Path) -> None:
    room.play()
    room.intake.take([message("t1", "log-1", raw("log-1", '{"match":["1-1-2"],"near":1,"far":2,"winner":"far"}'))])
    assert room.store.heads()["log-1"].sequence == 1
    room.close()

    again = Room(tmp_path / "desk.db")
    again.intake.start(("t1", "t2"))

    assert again.results == {}
    again.close()


def test_more_than_the_desk_has_room_for_is_told(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    room.play()
    monkeypatch.setattr(room.intake, "_queue", queue.Queue(1))
    room.arrives(message("t9", "log-9", told("log-9", 0, 0, None)))
    result = message("t1", "log-1", told("log-1", 12, 3, "near"))
    room.arrives(result)

    room.intake.start(("t1", "t2"))

    until(lambda: any(n.code == "overflow" for n in room.desk.notices), "the notice")
    room.arrives(result)
    until(lambda: room.results, "the result, sent again")


def refusing(code: str, sentence: str) -> Callable[[Record], None]:
    def record(_: Record) -> None:
        raise Failure(code, sentence)

    return record


class _Sent:
    """What of paho's message is read."""

    def __init__(self, message: WireMessage) -> None:
        self.topic, self.payload, self.retain = message.topic, message.payload, message.retained
