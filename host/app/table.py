"""A running table, put together. This file reads like a table of contents: who feeds the session, and who is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from engine.events import Done, Withdraw
from host.app.obstacles_shown import ObstacleTeller
from host.app.picture_keeper import PictureKeeper
from host.app.runner import Pictures, Runner
from host.app.still_picture import StillPicture
from host.lights.frame import LightFrame
from host.link.session import ButtonEvent
from host.messages.command_text import condition_text
from host.session.picture_store import PictureStore
from host.session.session import Session
from host.session.sinks import Sink
from host.session.tracker import Tracker
from host.settings import spoken_language
from host.sinks.conditions import ConditionLines
from host.sinks.lights import LightOutput, LightsSink
from host.web.access import Access
from host.web.actions import DemoControl
from host.web.backend import TableBackend
from host.web.page_sink import DemoShown, PageSink
from host.web.page_state import Condition
from host.web.stream import Broadcaster
from vision.tracking.table_watcher import TableWatcher
from vision.types import Picture

LIGHTS_THERE: Final = frozenset({"lights-good", "lights-virtual"})
NEVER_THERE: Final = frozenset({"lights-connecting", "link-no-device", "link-not-known"})
"""How it looks where nobody plugged lights in."""


class Demo(DemoShown, DemoControl, Protocol):
    """A demonstration, as a page shows and controls it."""


@dataclass(frozen=True, slots=True)
class RunningTable:
    """The parts of a table that others hold on to."""

    session: Session
    page: PageSink
    backend: TableBackend
    tracker: Tracker[Picture]

    def run(
        self,
        pictures: Pictures,
        lights: LightOutput | None,
        *,
        shown: Callable[[LightFrame], None] = lambda frame: None,
        tell: Callable[[str], None] = lambda line: None,
    ) -> Runner:
        """Subscribes the lights and gives the runner of the source. `tell` is given a line for whoever started it."""

        told, plugged_in = Condition(True, "lights-none"), False

        def on_lights(condition: Condition) -> None:
            nonlocal told, plugged_in
            plugged_in = plugged_in or condition.code in LIGHTS_THERE
            if condition.code in NEVER_THERE and not plugged_in:
                # Lights are an extra: a table that never had any has no trouble with them.
                condition = Condition(True, "lights-none")
            if condition == told:
                return
            told = condition
            self.page.set_lights(condition)
            if condition.message:
                tell(condition_text(spoken_language(), condition.code, condition.parts, condition.message))

        self.session.subscribe(ConditionLines(tell))
        if lights is None:
            return Runner(self.tracker, pictures)
        # Players look at them while the page is still being written.
        self.session.subscribe(LightsSink(lights, shown), first=True)
        return Runner(self.tracker, pictures, lights=lights.health, on_lights=on_lights)


def assemble(
    session: Session,
    watcher: TableWatcher,
    access: Access,
    program: str,
    *,
    demo: Demo | None = None,
    with_picture: bool = True,
    pictures: PictureStore | None = None,
    sinks: tuple[Sink, ...] = (),
) -> RunningTable:
    """A table around a session: pages first, then whatever else is told of changes. `pictures` keeps still ones."""
    page = PageSink(Broadcaster(), demo, lambda: session.rules)
    still = StillPicture(page.set_picture)
    backend = TableBackend(session, page, access, program, demo=demo, picture=still.jpeg, table=watcher)

    def on_read(image: Picture) -> None:
        if with_picture:
            still.keep(image, watcher.registration)

    in_the_way = ObstacleTeller(watcher, page.set_obstacles, still if with_picture else None)
    kept = (PictureKeeper(pictures, still.image),) if pictures is not None and with_picture else ()
    for sink in (page, *kept, *sinks):
        session.subscribe(sink)
    tracker = Tracker(watcher, session, on_read=on_read, on_seen=in_the_way.seen)
    return RunningTable(session, page, backend, tracker)


def press(session: Session, event: ButtonEvent) -> None:
    """A button of the controller: a short press is done or declined, two seconds withdraw."""
    cause = {"by": "button", "seat": event.seat}
    if event.kind == "short":
        session.apply(Done(event.seat), cause)
    elif event.kind == "hold":
        session.apply(Withdraw(event.seat), cause)
