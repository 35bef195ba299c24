"""The messages of Home Assistant's MQTT discovery for one table, and the state that its entities show.

Device discovery (Home Assistant, integrations/mqtt, "Device discovery payload"): one retained message describes the
device with all its entities; the state is one JSON object, from which each entity takes its part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.names import SEATS, THEATERS
from host.club.view import PHASES, ClubTableView
from host.messages import say

EVENTS: Final = ("battle-won", "war-won", "violation", "mended")
"""What an automation can act upon, such as a lamp that flashes."""


@dataclass(frozen=True, slots=True)
class HomeTopics:
    """The topics of the table with this id below Home Assistant's discovery prefix and our own."""

    table: str
    prefix: str = "homeassistant"

    @property
    def discovery(self) -> str:
        return f"{self.prefix}/device/allfronts_{self.table}/config"

    @property
    def birth(self) -> str:
        """Home Assistant says here that it has started."""
        return f"{self.prefix}/status"

    @property
    def state(self) -> str:
        return f"allfronts/table/{self.table}/state"

    @property
    def event(self) -> str:
        return f"allfronts/table/{self.table}/event"

    @property
    def availability(self) -> str:
        return f"allfronts/table/{self.table}/status"


def discovery(topics: HomeTopics, name: str, version: str, language: str) -> dict[str, Any]:
    """The device with its entities; names are in `language`."""

    def entity(code: str, label: str, value: str, **more: Any) -> dict[str, Any]:
        own = f"allfronts_{topics.table}_{code}"
        return {
            "platform": "sensor",
            "unique_id": own,
            "object_id": own,
            "name": label,
            "state_topic": topics.state,
            "value_template": f"{{{{ value_json.{value} }}}}",
            **more,
        }

    def word(code: str) -> str:
        return say(language, "home", code)

    entities: dict[str, Any] = {}
    for seat in SEATS:
        entities[f"score_{seat}"] = entity(f"score_{seat}", word(f"score-{seat}"), seat, icon="mdi:counter")
    entities["turn"] = entity("turn", word("turn"), "turn", device_class="enum", options=[*SEATS, "none"])
    entities["phase"] = entity("phase", word("phase"), "phase", device_class="enum", options=list(PHASES))
    entities["battle"] = entity("battle", word("battle"), "battle", icon="mdi:flag")
    for theater in THEATERS:
        code = f"theater_{theater.lower()}"
        entities[code] = entity(
            code,
            say(language, "theater", theater),
            f"{code}.holder",
            device_class="enum",
            options=[*SEATS, "none"],
            json_attributes_topic=topics.state,
            json_attributes_template=f"{{{{ value_json.{code} | tojson }}}}",
        )
    entities["trouble"] = entity("trouble", word("trouble"), "trouble") | {
        "platform": "binary_sensor",
        "device_class": "problem",
        "payload_on": "ON",
        "payload_off": "OFF",
        "json_attributes_topic": topics.state,
        "json_attributes_template": "{{ {'codes': value_json.troubles} | tojson }}",
    }
    happening = entity("event", word("happening"), "event") | {
        "platform": "event",
        "state_topic": topics.event,
        "event_types": list(EVENTS),
    }
    del happening["value_template"]
    entities["event"] = happening
    return {
        "device": {
            "identifiers": [f"allfronts_{topics.table}"],
            "name": name,
            "manufacturer": "All Fronts",
            "model": "Table companion",
            "sw_version": version,
        },
        "origin": {"name": "allfronts", "sw_version": version},
        "components": entities,
        "availability_topic": topics.availability,
        "qos": 1,
    }


def home_state(view: ClubTableView) -> dict[str, Any]:
    """What the entities show of a view; a view holds nothing hidden, so neither does this."""
    state: dict[str, Any] = {
        "near": view.near,
        "far": view.far,
        "turn": view.turn or "none",
        "phase": view.phase,
        "battle": view.battle,
        "trouble": "ON" if view.trouble else "OFF",
        "troubles": list(view.trouble),
    }
    for line in view.theaters:
        state[f"theater_{line.theater.lower()}"] = {
            "holder": line.holder or "none",
            "near": line.near,
            "far": line.far,
        }
    return state


def home_events(told: Sequence[Mapping[str, Any]], view: ClubTableView) -> list[dict[str, str]]:
    """The events that an automation can act upon, of the events as a desk would store them."""
    found = []
    for event in told:
        kind = event.get("event")
        if kind == "battle" and event.get("winner") in SEATS:
            code = "war-won" if view.phase == "over" else "battle-won"
            found.append({"event_type": code, "winner": str(event["winner"])})
        elif kind in ("violation", "mended"):
            found.append({"event_type": str(kind)})
    return found
