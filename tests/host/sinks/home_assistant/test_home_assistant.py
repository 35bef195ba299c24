"""Home Assistant: one device for a table, found by itself, with nothing on it that is not open on the table."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from engine.failure import BadInput
from engine.lexicon import LANGUAGES
from host.app.home_assistant import show_at_home
from host.club.simulation.night import free_port, until
from host.club.view import ClubTableView, view_to_json
from host.club.wire.broker import mosquitto_program
from host.demo.club_table import lay_scene
from host.session.session import Rules, Session
from host.session.sqlite_log import SqliteLog
from host.settings import Settings
from host.simulation.sensible_game import games
from host.sinks.home_assistant.discovery import HomeTopics, discovery, home_events, home_state
from host.sinks.home_assistant.sink import BrokerAddress, HomeAssistantSink, parse_broker

TOPICS = HomeTopics("abc123")


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[int]:
    """A home's broker: Mosquitto without accounts, on this machine."""
    program = mosquitto_program()
    if program is None:
        pytest.skip("needs mosquitto")
    port = free_port()
    (tmp_path / "home.conf").write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n")
    process = subprocess.Popen([program, "-c", str(tmp_path / "home.conf")], stderr=subprocess.DEVNULL)
    yield port
    process.terminate()
    process.wait(timeout=20)


class Home:
    """What Home Assistant hears."""

    def __init__(self, port: int) -> None:
        self.heard: list[tuple[str, Any]] = []
        self.client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id="home")
        self.client.on_connect = lambda client, *_: client.subscribe("#")
        self.client.on_message = lambda _, __, m: self.heard.append((m.topic, m.payload.decode()))

        def listens() -> bool:
            try:
                self.client.connect("127.0.0.1", port)
            except OSError:
                return False
            return True

        until(listens, "the broker")
        self.client.loop_start()

    def newest(self, ending: str) -> Any:
        found = [payload for topic, payload in self.heard if topic.endswith(ending)]
        return found[-1] if found else None


@pytest.fixture
def home(broker: int) -> Iterator[Home]:
    made = Home(broker)
    yield made
    made.client.disconnect()
    made.client.loop_stop()


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    log = SqliteLog(tmp_path / "games.db")
    made = Session(log, Rules(target=6), time.time)
    yield made
    made.close()
    log.close()


def test_a_war_is_followed_at_home_and_the_table_is_gone_when_it_ends(
    broker: int, home: Home, session: Session
) -> None:
    show_at_home(session, f"mqtt://127.0.0.1:{broker}", "en")
    until(lambda: home.newest("/config") and home.newest(f"{session.log.table}/status") == "online", "the device")

    t = 0.0
    for scene in games(3, "revised", 6):
        t = lay_scene(session, scene, t)
        if session.standing.war_winner is not None:
            break
    # The end of the battle is told once the last table has lain still.
    for _ in range(100):
        t += 0.5
        session.tick(t)
    score = session.standing.score

    def state() -> dict[str, Any]:
        read: dict[str, Any] = json.loads(home.newest("/state") or "{}")
        return read

    until(lambda: (state().get("near"), state().get("far")) == (score["near"], score["far"]), "the score")
    assert state()["phase"] == "over" and state()["trouble"] == "OFF"
    until(lambda: json.loads(home.newest("/event") or "{}").get("event_type") == "war-won", "the event")
    session.close()
    until(lambda: home.newest("/status") == "offline", "the goodbye")


def test_home_assistant_that_was_restarted_is_told_anew(broker: int, home: Home, session: Session) -> None:
    show_at_home(session, f"mqtt://127.0.0.1:{broker}", "pl")
    until(lambda: home.newest("/config") and home.newest(f"{session.log.table}/status") == "online", "the device")
    before = len(home.heard)

    def told_anew() -> bool:
        home.client.publish("homeassistant/status", "online")
        return any(topic.endswith("/config") for topic, _ in home.heard[before:])

    until(told_anew, "the device again")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entity_says_what_it_is_and_where_its_value_stands(language: str) -> None:
    device = discovery(TOPICS, "Table", "1.0", language)
    state = home_state(ClubTableView(theaters=()))

    assert device["origin"]["name"] and device["device"]["identifiers"]
    ids = [entity["unique_id"] for entity in device["components"].values()]
    assert len(set(ids)) == len(ids) == 10
    for name, entity in device["components"].items():
        assert entity["platform"] in ("sensor", "binary_sensor", "event")
        assert entity["name"] and not entity["name"].islower(), name
        if "value_template" in entity and "theater" not in name:
            assert entity["value_template"].split(".")[1].rstrip(" }") in state, name


def test_what_is_shown_at_home_follows_from_the_public_view_alone() -> None:
    assert set(home_state(ClubTableView())) <= {*view_to_json(ClubTableView()), "troubles"}


def test_a_battle_and_a_violation_are_events_that_a_lamp_can_act_upon() -> None:
    told = [{"event": "battle", "winner": "near"}, {"event": "violation", "code": "out-of-turn"}, {"event": "move"}]

    assert home_events(told, ClubTableView(phase="between")) == [
        {"event_type": "battle-won", "winner": "near"},
        {"event_type": "violation"},
    ]
    assert home_events(told[:1], ClubTableView(phase="over")) == [{"event_type": "war-won", "winner": "near"}]


def test_it_is_off_by_default() -> None:
    assert Settings().home_assistant == ""


@pytest.mark.parametrize("text", ["", "host", "http://host", "mqtt://", "mqtt://host:x", "mqtt://host/path"])
def test_an_address_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_broker(text)

    assert caught.value.code == "bad-broker"


def test_the_password_is_not_shown_by_mistake() -> None:
    assert "secret" not in repr(parse_broker("mqtt://me:secret@host"))


@pytest.mark.parametrize("text", ["mqtt://me:secret@host/path", "http://me:secret@host", "mqtt:me:secret@host"])
def test_the_password_of_a_wrong_address_is_not_shown(text: str) -> None:
    with pytest.raises(BadInput, match="host") as caught:
        parse_broker(text)

    assert "secret" not in str(caught.value)


def test_a_broker_that_goes_while_the_table_says_goodbye_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    sink = HomeAssistantSink(BrokerAddress("127.0.0.1", free_port()), "t", "Table", "1", "en", lambda: 0.0)
    # It was there a moment ago.
    monkeypatch.setattr(sink._client, "is_connected", lambda: True)
    sink.close()
