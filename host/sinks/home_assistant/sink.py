"""The sink: publishes a table's state to the home's broker. A broker that is away costs the game nothing."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from engine.failure import BadInput
from host.club.table.told import Troubles, public_events
from host.club.view import ClubTableView, view_of
from host.session.sinks import Change
from host.session.standing import Standing
from host.sinks.home_assistant.discovery import HomeTopics, discovery, home_events, home_state

KEEPALIVE_SECONDS: Final = 30


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """`mqtt://user:password@host:port`, or `mqtts://` with a certificate that the system trusts; no user is fine."""

    host: str
    port: int
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: bool = False


def parse_broker(text: str) -> BrokerAddress:
    """The address in `text`; raises `BadInput` (`bad-broker`)."""
    try:
        parts = urlsplit(text.strip())
        tls = {"mqtt": False, "mqtts": True}[parts.scheme]
        if not parts.hostname or parts.path.strip("/") or parts.query or parts.fragment:
            raise ValueError
        # What the resolver would refuse with an error of its own, such as a label of nothing.
        parts.hostname.encode("idna")
        user = None if parts.username is None else unquote(parts.username)
        password = None if parts.password is None else unquote(parts.password)
        return BrokerAddress(parts.hostname, parts.port or (8883 if tls else 1883), user, password, tls)
    except (ValueError, KeyError) as error:
        # Not as it was written: it may hold a password.
        shown = _without_user(text)
        raise BadInput(
            "bad-broker", f"{shown!r} is no address of a broker.", "Write mqtt://user:password@host:1883"
        ) from error


def _without_user(text: str) -> str:
    before, at, host = text.strip().rpartition("@")
    return f"{before.partition(':')[0]}://…@{host}" if at else host


class HomeAssistantSink:
    """See `Sink`. Publishing waits for nothing: paho's own thread sends."""

    def __init__(
        self,
        address: BrokerAddress,
        table: str,
        name: str,
        version: str,
        language: str,
        wall: Callable[[], float],
    ) -> None:
        self._topics = HomeTopics(table)
        self._config = discovery(self._topics, name, version, language)
        self._wall = wall
        self._troubles = Troubles()
        self._view: ClubTableView | None = None
        self._lock = threading.Lock()
        client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=f"allfronts-{table}", clean_session=True)
        if address.user is not None:
            client.username_pw_set(address.user, address.password)
        if address.tls:
            client.tls_set_context(ssl.create_default_context())
        client.will_set(self._topics.availability, "offline", qos=1, retain=True)
        client.reconnect_delay_set(min_delay=1, max_delay=30)
        client.max_queued_messages_set(1000)
        client.on_connect = self._connected
        client.on_message = self._message
        self._client = client
        client.connect_async(address.host, address.port, KEEPALIVE_SECONDS)
        client.loop_start()

    def opened(self, war: str, history: Sequence[Change], standing: Standing) -> None:
        self._publish(standing)

    def changed(self, change: Change) -> None:
        for event in change.source:
            self._troubles.source(event)
        if change.entry is not None:
            self._troubles.seen(change.entry.cause, change.events)
        view = self._publish(change.standing)
        for told in home_events(public_events(change.events), view):
            self._send(self._topics.event, told)

    def close(self) -> None:
        if self._client.is_connected():
            goodbye = self._client.publish(self._topics.availability, "offline", qos=1, retain=True)
            # The broker may have gone in between: then its last will says the same.
            with suppress(RuntimeError, ValueError):
                goodbye.wait_for_publish(2)
        self._client.disconnect()
        self._client.loop_stop()

    def _publish(self, standing: Standing) -> ClubTableView:
        view = view_of(
            standing.state,
            standing.score,
            battle=standing.battle,
            war_winner=standing.war_winner,
            trouble=self._troubles.codes(standing),
        )
        with self._lock:
            changed, self._view = view != self._view, view
        if changed:
            self._send(self._topics.state, home_state(view), retain=True)
        return view

    def _connected(self, client: mqtt.Client, _: object, __: object, reason: Any, ___: object) -> None:
        if reason.is_failure:
            return
        client.subscribe(self._topics.birth, qos=1)
        self._introduce()

    def _message(self, _: object, __: object, message: mqtt.MQTTMessage) -> None:
        if message.topic == self._topics.birth and message.payload == b"online":
            # Home Assistant was restarted: it wants to be told anew.
            self._introduce()

    def _introduce(self) -> None:
        self._send(self._topics.discovery, self._config, retain=True)
        self._client.publish(self._topics.availability, "online", qos=1, retain=True)
        with self._lock:
            view = self._view
        if view is not None:
            self._send(self._topics.state, home_state(view), retain=True)

    def _send(self, topic: str, content: Mapping[str, Any], *, retain: bool = False) -> None:
        if self._client.is_connected():
            self._client.publish(topic, json.dumps(content, ensure_ascii=False), qos=1, retain=retain)
