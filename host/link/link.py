"""The link as the table uses it: a thread that keeps the lights right, and four calls that never wait for them."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

from engine.failure import BadInput, Failure
from host.lights.frame import LightFrame
from host.link.codec import SerialFrame
from host.link.health import LinkHealth
from host.link.line import BoardLine
from host.link.ports import LINE_FAULTS, PortMemory, state_folder
from host.link.session import ButtonEvent
from host.link.virtual.controller import VirtualController
from host.link.virtual.faults import MENU, Faults, faults_named

logger = logging.getLogger(__name__)

_POLL_S = 0.004
"""How long a button's event may wait unread: a frame at 115,200 baud takes about as long."""
_POLL_ANSWER_S = 0.001
_POLL_LOOKING_S = 0.02
_HEALTH_EVERY_S = 0.25
_AFTER_FAULT_S = 1.0
_LEAVE_S = 1.0
"""How long a board is asked to go dark when the link closes: all four tries."""


class Link:
    """Lights shown and buttons heard. No call waits for the controller, and none fails because it is not there."""

    def __init__(
        self,
        line: BoardLine | None,
        *,
        buttons: queue.SimpleQueue[ButtonEvent] | None = None,
        virtual: VirtualController | None = None,
        clock: Callable[[], float] = time.monotonic,
        ended: Callable[[], None] = lambda: None,
    ) -> None:
        """Takes a line whose `on_button` puts into `buttons`; None is a link without lights. `ended` is called when no
        event comes any more. See `start`."""
        self.buttons: queue.SimpleQueue[ButtonEvent] = buttons or queue.SimpleQueue()
        """Button events as they come, in `clock`'s time."""
        self.virtual = virtual
        """The controller without hardware, where there is one: its lights can be looked at and its buttons pressed."""
        self._line = line
        self._ended = ended
        self._clock = clock
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._requests: queue.SimpleQueue[Callable[[BoardLine], None]] = queue.SimpleQueue()
        self._health = LinkHealth()
        self._thread: threading.Thread | None = None
        if line is not None:
            self._health = line.health(clock())
            self._thread = threading.Thread(target=self._run, args=(line,), name="link", daemon=True)
            self._thread.start()

    @classmethod
    def start(
        cls,
        port: str | None = None,
        *,
        on_button: Callable[[ButtonEvent], None] | None = None,
        memory: Path | None = None,
    ) -> Link:
        """Start the link in its own thread and return at once.

        `port` is a port's name, None to find the controller by asking, "virtual" for one without hardware
        ("virtual:garbage" and so on with a fault of the menu), or "none" for a game without lights. `on_button` is
        called in a thread of its own, one event after the other, so that it may take its time; without it, events go
        into `buttons`. `memory` is the file that remembers the
        port (default: in the user's state folder).
        Raises BadInput (`no-fault`) for a fault that the menu does not have.
        """
        buttons: queue.SimpleQueue[ButtonEvent] = queue.SimpleQueue()
        if port == "none":
            return cls(None, buttons=buttons)
        teller = None if on_button is None else _Teller(on_button)
        heard, ended = (buttons.put, lambda: None) if teller is None else (teller.put, teller.close)
        kind, _, fault = (port or "").partition(":")
        if kind == "virtual":
            controller = VirtualController(time.monotonic, faults=_fault(fault or "none"))
            line = BoardLine("virtual", opened=controller.open, present=lambda _: controller.plugged, on_button=heard)
            return cls(line, buttons=buttons, virtual=controller, ended=ended)
        kept = PortMemory(memory or state_folder() / "port.json")
        return cls(BoardLine(port, memory=kept, on_button=heard), buttons=buttons, ended=ended)

    def show(self, frame: LightFrame) -> None:
        """Wish for these lights. Only the latest wish counts; it is kept over every outage."""
        if self._line is not None:
            self._line.frame = frame
            self._wake.set()

    def health(self) -> LinkHealth:
        """How the link was a moment ago (at most 0.3 s)."""
        return replace(self._health, virtual=self.virtual is not None)

    def ask(self, type_: int, body: bytes = b"") -> Future[SerialFrame | None]:
        """Ask the controller something; the future's result is the reply, ERROR included, or None without one."""
        future: Future[SerialFrame | None] = Future()
        if self._line is None or self._closing.is_set():
            future.set_result(None)
        else:
            self._requests.put(lambda line: line.ask(type_, body, future.set_result))
            self._wake.set()
            if self._closing.is_set():
                self._answer_waiting()  # the thread may have ended in between
        return future

    def hold_frame(self, held: bool) -> None:
        """While held, the game's lights are left alone, for a test of the lights."""
        self._requests.put(lambda line: line.hold_frame(held))
        self._wake.set()

    def close(self) -> None:
        """Take leave, so that the lights go dark and stay so, and let go of the port. A board that does not answer,
        or is older than protocol 1.1, shows by itself that the host is gone."""
        self._closing.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(timeout=5)

    def _run(self, line: BoardLine) -> None:
        try:
            self._keep_right(line)
            self._take_leave(line)
        finally:
            # Whatever happens, the port must not stay taken.
            line.close()
            self._closing.set()
            self._answer_waiting()
            self._ended()

    def _take_leave(self, line: BoardLine) -> None:
        try:
            line.bye()
            for _ in range(round(_LEAVE_S / _POLL_ANSWER_S)):
                if line.gone:
                    return
                line.step(self._clock())
                self._wake.clear()
                self._wake.wait(_POLL_ANSWER_S)
        except LINE_FAULTS:
            logger.info("the board went away while it was told goodbye")

    def _answer_waiting(self) -> None:
        """Carry out what waits; on a line that is closed, every question is answered with None."""
        while self._line is not None:
            try:
                request = self._requests.get_nowait()
            except queue.Empty:
                return
            request(self._line)

    def _keep_right(self, line: BoardLine) -> None:
        next_health = 0.0
        was = (line.connected, False)
        while not self._closing.is_set():
            while not self._requests.empty():
                self._requests.get()(line)
            now = self._clock()
            try:
                line.step(now)
            except Exception:
                # A fault of ours must not keep the lights dark: it is logged, and the link begins anew.
                logger.exception("the link failed and begins anew")
                line.close()
                self._wake.wait(_AFTER_FAULT_S)
            health_due = (line.connected, bool(line.trouble)) != was or now >= next_health
            if health_due:
                was, next_health = (line.connected, bool(line.trouble)), now + _HEALTH_EVERY_S
                self._health = line.health(now)
            poll = _POLL_ANSWER_S if line.awaiting else _POLL_S if line.connected else _POLL_LOOKING_S
            self._wake.wait(min(poll, line.due(now)))
            self._wake.clear()


class _Teller:
    """Calls for each event, in a thread of its own: a referee who thinks must not make the board miss its host."""

    def __init__(self, call: Callable[[ButtonEvent], None]) -> None:
        self._events: queue.SimpleQueue[ButtonEvent | None] = queue.SimpleQueue()
        self._call = call
        self.put: Callable[[ButtonEvent], None] = self._events.put
        threading.Thread(target=self._tell, name="link-buttons", daemon=True).start()

    def close(self) -> None:
        """The thread ends once what was put was told: it holds the game whose buttons these are."""
        self._events.put(None)

    def _tell(self) -> None:
        while (event := self._events.get()) is not None:
            try:
                self._call(event)
            except Failure as failure:
                # Such as a log that cannot be written any more: for a person, and no fault of this program.
                logger.error("allfronts: %s", failure)
            except Exception:
                # One press that fails must not stop the presses after it.
                logger.exception("a press of the %s button could not be handled", event.seat)


def _fault(name: str) -> Faults:
    try:
        return faults_named(name)
    except KeyError as error:
        raise BadInput("no-fault", f"There is no fault {name!r} in the menu.", f"It has {', '.join(MENU)}.") from error
