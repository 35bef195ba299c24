"""Troubles of the source as lines for whoever started the program."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from host.messages.command_text import condition_text
from host.session.sinks import Change
from host.session.source_events import SourceTrouble
from host.session.standing import Standing
from host.settings import spoken_language


class ConditionLines:
    """A sink that hands each trouble of the source, with its remedy, to `tell`."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell

    def opened(self, war: str, history: Sequence[Change], standing: Standing) -> None:
        """What happened before it subscribed is not told again."""

    def changed(self, change: Change) -> None:
        for event in change.source:
            if isinstance(event, SourceTrouble):
                english = f"{event.message} {event.remedy}"
                self._tell(condition_text(spoken_language(), event.code, event.parts, english))

    def close(self) -> None:
        """Nothing is held."""
