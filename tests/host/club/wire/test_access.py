"""What an account can read and write, tried against the real Mosquitto over TLS and over plain connections."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from engine.failure import Failure
from host.club.entry import Head, entry_to_json, following
from host.club.simulation.night import CLUB, ClubNight, until
from host.club.simulation.tables import Steady
from host.club.wire.accounts import DESK
from host.club.wire.broker import Broker
from host.club.wire.broker import BrokerListener as Port
from host.club.wire.connection import BrokerConnection, EntryListener, WireMessage
from host.club.wire.join_code import JoinCode
from host.club.wire.topics import Topics

Night = Callable[[int], ClubNight]
TOPICS = Topics(CLUB)


class Client:
    """Whoever holds an account, and everything that the broker lets through to it."""

    def __init__(self, code: JoinCode, *subscriptions: str) -> None:
        self.heard: list[WireMessage] = []
        self.connection = BrokerConnection(code, subscriptions, EntryListener(self.heard.append))
        self.connection.prepare()
        self.connection.start()

    def connected(self) -> Client:
        until(lambda: self.connection.up, "the connection")
        return self

    def say(self, topic: str, content: object, *, retain: bool = False) -> None:
        """Publishes and waits until the broker has taken it (it takes and drops what it forbids)."""
        sent = self.connection.client.publish(topic, json.dumps(content).encode(), qos=1, retain=retain)
        until(sent.is_published, "the broker's answer")

    def topics(self) -> set[str]:
        return {message.topic for message in self.heard}

    def close(self) -> None:
        self.connection.close()


@pytest.fixture
def clients() -> Any:
    made: list[Client] = []

    def make(code: JoinCode, *subscriptions: str) -> Client:
        made.append(Client(code, *subscriptions))
        return made[-1]

    yield make
    for client in made:
        client.close()


@pytest.mark.parametrize("tls", [True, False], ids=["tls", "plain"])
def test_a_table_hears_and_writes_its_own_topics_only(club_night: Night, clients: Any, tls: bool) -> None:
    night = club_night(2)
    desk = clients(night.code(DESK, tls=tls), f"{TOPICS.root}/#").connected()
    seven = clients(night.code("t1", tls=tls), "#", f"{TOPICS.root}/#", "allfronts/other/#").connected()
    eight = clients(night.code("t2", tls=tls), TOPICS.assignment("t2")).connected()

    for kind in ("entries", "state", "status"):
        seven.say(TOPICS.table("t2", kind), {"forged": True}, retain=True)
        eight.say(TOPICS.table("t2", kind), {"own": True}, retain=True)
    for topic in (TOPICS.acknowledged("t1"), TOPICS.assignment("t1"), TOPICS.assignment("t2"), TOPICS.notice):
        seven.say(topic, {"forged": True}, retain=True)
    seven.say("allfronts/other/t/t1/state", {"forged": True})
    seven.say(TOPICS.table("t1", "state"), {"own": True}, retain=True)
    desk.say(TOPICS.assignment("t1"), {"for": "t1"}, retain=True)
    desk.say(TOPICS.assignment("t2"), {"for": "t2"}, retain=True)
    desk.say(TOPICS.acknowledged("t2"), {"for": "t2"}, retain=True)
    desk.say(TOPICS.notice, {"for": "all"}, retain=True)
    until(lambda: TOPICS.notice in seven.topics() and len(desk.topics()) >= 8, "what was sent")

    assert seven.topics() == {TOPICS.table("t1", "state"), TOPICS.assignment("t1"), TOPICS.notice}
    assert eight.topics() == {TOPICS.assignment("t2")}
    assert not [m for m in desk.heard if b"forged" in m.payload]
    assert TOPICS.table("t2", "entries") in desk.topics()


@pytest.mark.parametrize("tls", [True, False], ids=["tls", "plain"])
@pytest.mark.parametrize(("account", "password"), [("t1", "wrong"), ("nobody", "wrong"), ("desk", "wrong")])
def test_a_wrong_password_is_turned_away(
    club_night: Night, clients: Any, tls: bool, account: str, password: str
) -> None:
    night = club_night(1)

    client = clients(night.code(account, tls=tls, password=password), "#")

    until(client.connection.refused.is_set, "the refusal")
    assert not client.connection.up


def test_a_renewed_account_opens_with_the_new_code_and_no_more_with_the_old(club_night: Night, clients: Any) -> None:
    night = club_night(1)
    old = night.code("t1")

    night.accounts.renew("t1")
    night.broker.reload()

    until(lambda: clients(old).connection.refused.wait(1.0), "the old code's refusal")
    clients(night.code("t1")).connected()


def test_a_broker_with_another_certificate_is_not_talked_to(club_night: Night) -> None:
    night, other = club_night(1), club_night(1)
    code = night.code("t1")
    elsewhere = JoinCode("127.0.0.1", other.tls_port, CLUB, "t1", code.password, True, code.fingerprint)

    with pytest.raises(Failure) as caught:
        BrokerConnection(elsewhere, (), EntryListener(lambda m: None)).prepare()

    assert caught.value.code == "other-certificate"


def test_without_tls_the_broker_is_for_this_machine_only(club_night: Night) -> None:
    night = club_night(1)

    with pytest.raises(Failure) as caught:
        Broker(night.folder, CLUB, night.accounts, [Port("0.0.0.0", 1883, tls=False)])

    assert caught.value.code == "plain-broker"


def test_replayed_and_forged_entries_change_nothing_and_are_told(club_night: Night, clients: Any) -> None:
    night = club_night(2)
    desk = night.open_desk()
    table = night.seat(1, Steady(1, 5, 0.01))
    night.play([table])
    until(lambda: table.outbox.head().sequence == 5 and table.finished, "five entries stored")
    night.fleets[0].close()
    assert night.store is not None
    stored = night.store.entries("log-1")
    again = {"log": "log-1", "entries": [entry_to_json(e) for e in stored]}
    forged = dict(entry_to_json(following("log-1", Head(5, stored[-1].digest), {"match": "x"})), b='{"winner":"near"}')
    another = entry_to_json(following("log-1", Head(3, stored[2].digest), {"match": "1-1-2", "winner": "near"}))
    own, foreign = clients(night.code("t1")).connected(), clients(night.code("t2")).connected()

    own.say(TOPICS.table("t1", "entries"), again)
    foreign.say(TOPICS.table("t2", "entries"), again)
    own.say(TOPICS.table("t1", "entries"), {"log": "log-1", "entries": [forged]})
    own.say(TOPICS.table("t1", "entries"), {"log": "log-1", "entries": [another]})

    until(lambda: {"foreign", "forged", "fork"} <= {n.code for n in desk.notices}, "the refusals to be told")
    assert night.store.entries("log-1") == stored == table.outbox.read(1, 100)
    assert {r.code for r in night.store.refusals()} == {"foreign", "forged", "fork"}


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"null",
        b"[" * 50_000,
        b'{"log":"x","entries":[]}',
        b'{"log":"x\\u0000","entries":[1]}',
        b'{"log":"x","entries":[{"n":true,"p":1,"d":2,"b":3}]}',
        b'{"log":"x","entries":[{"n":1,"p":"' + b"0" * 64 + b'","d":"' + b"0" * 64 + b'","b":"[]"}]}',
        b'{"log":"x","entries":' + b"[" + b"1," * 500 + b"1]}",
    ],
)
def test_a_message_that_is_none_harms_nobody(club_night: Night, clients: Any, payload: bytes) -> None:
    night = club_night(2)
    desk = night.open_desk()
    client = clients(night.code("t2")).connected()
    for kind in ("entries", "state", "status"):
        sent = client.connection.client.publish(TOPICS.table("t2", kind), payload, qos=1)
        until(sent.is_published, "the broker's answer")
    table = night.seat(1, Steady(1, 3, 0.01))

    night.play([table])

    until(lambda: table.outbox.head().sequence == 3 and table.finished, "the other table's entries")
    assert desk.companions["t1"].here
    assert not night.store or "x" not in night.store.heads()
