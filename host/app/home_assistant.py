"""Showing a table in a home: Home Assistant as one more sink of the session."""

from __future__ import annotations

import time
from importlib.metadata import version

from host.session.session import Session
from host.sinks.home_assistant.sink import HomeAssistantSink, parse_broker


def show_at_home(session: Session, address: str, language: str) -> HomeAssistantSink:
    """Subscribes Home Assistant; raises `BadInput` for an address that is none. It ends with the session."""
    table = session.log.table
    sink = HomeAssistantSink(
        parse_broker(address), table, f"All Fronts {table[:6]}", version("allfronts"), language, time.time
    )
    session.subscribe(sink)
    return sink
