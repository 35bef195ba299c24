"""The lights as a sink: after every change the frame that the state calls for goes to whoever shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from host.lights.frame import LightFrame
from host.lights.grammar import frame_of
from host.link.health import LinkHealth
from host.session.sinks import Change
from host.session.standing import Standing


class LightOutput(Protocol):
    """Lights, wherever they are: the link to a controller, or another kind. No call waits for them, and none fails
    because they are not there."""

    def show(self, frame: LightFrame) -> None:
        """Wishes for these lights; only the latest wish counts."""

    def health(self) -> LinkHealth:
        """How the lights are."""

    def close(self) -> None:
        """Dark, and let go of."""


class LightsSink:
    """Shows each new frame once. `shown` is told of it too, for a demonstration that checks itself."""

    def __init__(self, output: LightOutput, shown: Callable[[LightFrame], None] = lambda frame: None) -> None:
        self._output = output
        self._shown = shown
        self._last: LightFrame | None = None

    def opened(self, war: str, history: Sequence[Change], standing: Standing) -> None:
        self._show(standing)

    def changed(self, change: Change) -> None:
        self._show(change.standing)

    def close(self) -> None:
        self._output.close()

    def _show(self, standing: Standing) -> None:
        frame = frame_of(standing)
        if frame != self._last:
            self._last = frame
            self._output.show(frame)
            self._shown(frame)
