"""Runs a table: one thread reads the source, another looks after the lights; both end when the runner is closed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Final, Protocol

from engine.failure import Failure
from host.app.fault_report import keep_fault
from host.app.shutdown import wait_for
from host.link.health import LinkHealth
from host.session.picture_source import follow_item
from host.session.tracker import Tracker
from host.settings import data_folder
from host.web.page_state import Condition
from vision.sources.trouble import SourceItem
from vision.types import Picture

HEALTH_SECONDS: Final = 0.5


class Pictures(Protocol):
    """Where pictures come from (`vision.sources.Source`, or the demonstration's camera)."""

    def __iter__(self) -> Iterator[SourceItem]: ...

    def close(self) -> None: ...


class Runner:
    """The threads of a running table. `start` it, `wait` for the end of the source, `close` it."""

    def __init__(
        self,
        tracker: Tracker[Picture],
        pictures: Pictures,
        *,
        lights: Callable[[], LinkHealth] | None = None,
        on_lights: Callable[[Condition], None] = lambda condition: None,
    ) -> None:
        """`lights` tells how the lights are, and `on_lights` is told when that changes."""
        self._tracker = tracker
        self._pictures = pictures
        self._health = lights
        self._on_lights = on_lights
        self._stop = threading.Event()
        self._ended = threading.Event()
        self._failure: BaseException | None = None
        self._threads = [threading.Thread(target=self._follow, name="source", daemon=True)]
        if lights is not None:
            self._threads.append(threading.Thread(target=self._look_after_lights, name="lights", daemon=True))

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def wait(self, seconds: float | None = None) -> bool:
        """Waits until the pictures end; True if they did. Raises what the source's thread died of."""
        ended = wait_for(self._ended, seconds)
        if isinstance(self._failure, Failure):
            raise self._failure
        if self._failure is not None:
            # A fault of this program, not of the table: one line for the person, the rest for whoever mends it.
            details = data_folder() / "fault.txt"
            keep_fault(details, self._failure)
            kind = type(self._failure).__name__
            # The error's own words stay out of what is printed and kept: they can hold a card or a token.
            raise Failure(
                "fault", f"The table stopped over a fault of the program ({kind}).", f"Start again; details: {details}"
            ) from self._failure
        return ended

    def wait_for_stop(self) -> None:
        """Waits until the runner is closed, which a signal does."""
        wait_for(self._stop)

    def close(self) -> None:
        """Stops everything, in the order in which nothing waits for what is already gone."""
        self._stop.set()
        self._pictures.close()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(timeout=3)

    def _follow(self) -> None:
        try:
            with closing(self._pictures) as pictures:
                for item in pictures:
                    if self._stop.is_set():
                        return
                    follow_item(self._tracker, item)
                if not self._stop.is_set():
                    self._tracker.ended()
        except Exception as error:  # noqa: BLE001 - what ends this thread is raised again in `wait`
            self._failure = error
        finally:
            self._ended.set()

    def _look_after_lights(self) -> None:
        while not self._stop.wait(HEALTH_SECONDS):
            if self._health is not None:
                self._on_lights(light_condition(self._health()))


def light_condition(health: LinkHealth) -> Condition:
    """How the lights are, as the page says it."""
    if health.trouble is not None:
        parts = dict(health.trouble.parts) | {"port": health.trouble.port}
        return Condition(
            False, f"link-{health.trouble.code}", parts, f"{health.trouble.message} {health.trouble.remedy}"
        )
    if health.state == "off":
        return Condition(True, "lights-none")
    if health.state != "up":
        return Condition(False, "lights-connecting")
    return Condition(True, "lights-virtual" if health.virtual else "lights-good")
