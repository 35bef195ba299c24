"""A connection to the broker that keeps itself up: paho-mqtt with its own thread, or driven by a loop of the caller."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode

from engine.failure import Failure
from host.club.wire.certificate import fetch_pinned, pinned_context
from host.club.wire.join_code import JoinCode

KEEPALIVE_SECONDS: Final = 15
_REFUSALS: Final = frozenset({"Not authorized", "Bad user name or password"})


@dataclass(frozen=True, slots=True)
class WireMessage:
    topic: str
    payload: bytes
    retained: bool


@dataclass(slots=True)
class EntryListener:
    """What is called, in the connection's thread: it must return at once."""

    on_message: Callable[[WireMessage], None]
    on_connected: Callable[[], None] = lambda: None
    on_lost: Callable[[str], None] = lambda why: None


@dataclass(frozen=True, slots=True)
class LastWill:
    topic: str
    payload: bytes


class BrokerConnection:
    """A connection with the account of `code`. It subscribes anew whenever it is up again."""

    def __init__(
        self, code: JoinCode, subscriptions: Sequence[str], listener: EntryListener, will: LastWill | None = None
    ) -> None:
        self._code = code
        self._subscriptions = tuple(subscriptions)
        self._listener = listener
        self.refused = threading.Event()
        """Set where the broker turned the account away: trying again does not help."""
        # The account is the client's name: no two companions can be one table, the later one puts the earlier out.
        client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=f"{code.club}-{code.account}", clean_session=True)
        client.username_pw_set(code.account, code.password)
        client.reconnect_delay_set(min_delay=1, max_delay=8)
        client.max_queued_messages_set(1000)
        client.max_inflight_messages_set(100)
        if will is not None:
            client.will_set(will.topic, will.payload, qos=1, retain=True)
        client.on_connect = self._connected
        client.on_disconnect = self._disconnected
        client.on_message = self._message
        self.client = client

    def prepare(self) -> None:
        """Sets up TLS. Raises `Failure` (`no-broker`, `other-certificate`) where the pinned broker is not there."""
        if not self._code.tls:
            return
        if self._code.fingerprint is None:
            self.client.tls_set_context(ssl.create_default_context())
        else:
            found = fetch_pinned(self._code.host, self._code.port, self._code.fingerprint)
            self.client.tls_set_context(pinned_context(found))

    def start(self) -> None:
        """Connects in a thread and keeps trying. TLS must have been prepared."""
        self.client.connect_async(self._code.host, self._code.port, KEEPALIVE_SECONDS)
        self.client.loop_start()

    def connect(self) -> None:
        """Connects now, for a caller who drives the client; raises `OSError` where nobody answers."""
        self.client.connect(self._code.host, self._code.port, KEEPALIVE_SECONDS)

    def publish(self, topic: str, content: Mapping[str, Any], *, retain: bool = False, qos: int = 1) -> bool:
        """Sends `content` as JSON; False where there is no connection (nothing is queued then)."""
        if not self.client.is_connected():
            return False
        text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        return self.client.publish(topic, text.encode(), qos=qos, retain=retain).rc == MQTTErrorCode.MQTT_ERR_SUCCESS

    @property
    def up(self) -> bool:
        return self.client.is_connected()

    def close(self) -> None:
        """Says goodbye, so that the last will is not sent, and ends the thread."""
        self.client.disconnect()
        self.client.loop_stop()

    def _connected(self, client: mqtt.Client, _: object, __: object, reason: Any, ___: object) -> None:
        if reason.is_failure:
            if str(reason) in _REFUSALS:
                self.refused.set()
            self._listener.on_lost(str(reason))
            return
        self.refused.clear()
        if self._subscriptions:
            client.subscribe([(topic, 1) for topic in self._subscriptions])
        self._listener.on_connected()

    def _disconnected(self, _: object, __: object, ___: object, reason: Any, ____: object) -> None:
        self._listener.on_lost(str(reason))

    def _message(self, _: object, __: object, message: mqtt.MQTTMessage) -> None:
        self._listener.on_message(WireMessage(message.topic, bytes(message.payload), message.retain))


def read_json(payload: bytes) -> Mapping[str, Any]:
    """A message's content; raises `Failure` (`bad-message`) for anything but a JSON object."""
    try:
        read = json.loads(payload)
        if isinstance(read, dict):
            return read
    except (ValueError, RecursionError):
        pass
    raise Failure("bad-message", "A message is no JSON object.", "Update the program that sent it.")
