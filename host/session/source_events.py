"""What the source of pictures tells of itself, as typed events beside the referee's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from engine.failure import BadInput

TroubleParts: TypeAlias = Mapping[str, str | int | float]


@dataclass(frozen=True, slots=True)
class SourceTrouble:
    """Something is wrong with the source until it is mended. `message` and `remedy` are English sentences."""

    code: str
    message: str
    remedy: str
    parts: TroubleParts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SourceMended:
    """That trouble is over."""

    code: str


@dataclass(frozen=True, slots=True)
class SourceNotice:
    """Worth knowing: `camera-moved`, one of `TABLE_UNSEEN`, `table-found`, `wrong-deck`, `source-ended`."""

    code: str
    parts: TroubleParts = field(default_factory=dict)


SourceEvent: TypeAlias = SourceTrouble | SourceMended | SourceNotice

TABLE_UNSEEN: Final = frozenset({"no-table", "low-contrast", "mirrored"})
"""Notices that the table cannot be read: a later one replaces the earlier, `table-found` ends them."""

KINDS: Final = ("source-trouble", "source-mended", "source-notice")


def source_event_to_json(event: SourceEvent) -> dict[str, Any]:
    match event:
        case SourceTrouble():
            return {
                "event": "source-trouble",
                "code": event.code,
                "message": event.message,
                "remedy": event.remedy,
                "parts": dict(event.parts),
            }
        case SourceMended(code=code):
            return {"event": "source-mended", "code": code}
        case SourceNotice(code=code, parts=parts):
            return {"event": "source-notice", "code": code, "parts": dict(parts)}


def source_event_from_json(data: Mapping[str, Any]) -> SourceEvent:
    """The event that was written; raises `BadInput` (`bad-event`)."""
    try:
        if data["event"] == "source-trouble":
            return SourceTrouble(
                str(data["code"]), str(data["message"]), str(data["remedy"]), dict(data.get("parts") or {})
            )
        if data["event"] == "source-mended":
            return SourceMended(str(data["code"]))
        if data["event"] == "source-notice":
            return SourceNotice(str(data["code"]), dict(data.get("parts") or {}))
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput("bad-event", f"This is no event of a source: {error!r}.", "The log is damaged.") from error
    raise BadInput("bad-event", "This is no event of a source.", "The log is damaged.")
