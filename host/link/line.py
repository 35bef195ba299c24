"""The line to the lights as one machine that is stepped: finds the port by asking, talks, and reconnects for ever.

No thread and no clock of its own: `step(t)` does what is due and returns. Link runs it in a thread; tests and chaos
run it in virtual time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from host.file_there import is_there
from host.lights.frame import DARK, LightFrame
from host.link.health import LinkHealth
from host.link.messages import BOARDS, CAUSES, PROTOCOL, Stats
from host.link.ports import (
    LINE_FAULTS,
    Port,
    PortMemory,
    SerialLike,
    describe,
    may_be_ours,
    open_port,
    remembered,
    says_it_is_ours,
    usb_ports,
    users_of,
    why_not,
)
from host.link.session import ButtonEvent, Counts, LinkSession, ReplyCallback
from host.link.trouble import LinkTrouble, LinkTroubleCode, trouble

PAUSE_OWN: Final = (0.1, 0.2, 0.4, 0.5)
"""Pauses before the next try at a board that we know: short, so that lights are right within 3 s of its return."""
PAUSE_UNKNOWN: Final = (0.5, 2.0)
"""Pauses before asking the only candidate again that is not known yet. After the last it is left alone until it is
plugged in anew or named: asking resets many boards, and it may be somebody else's."""
PAUSE_REFUSED: Final = (2.0, 5.0, 10.0)
LOOK_EVERY_S: Final = 0.25
REFUSED_AGAIN_S: Final = 0.5
"""Pause after a port that may not be opened: finding out who has it costs more than looking for ports."""
READ_MOST: Final = 4096

_GRAVITY: Final[tuple[LinkTroubleCode, ...]] = (
    "lost",
    "silent",
    "not-ours",
    "busy",
    "no-rights",
    "which-port",
    "not-known",
    "new-firmware",
    "old-firmware",
)


class _Try:
    """One open port and the talk on it."""

    def __init__(self, port: Port, serial: SerialLike, session: LinkSession) -> None:
        self.port, self.serial, self.session = port, serial, session

    def pump(self, t: float) -> None:
        """Move bytes both ways. Raises one of LINE_FAULTS when the device is gone."""
        waiting = self.serial.in_waiting
        if waiting:
            self.session.feed(self.serial.read(min(waiting, READ_MOST)), t)
        out = self.session.tick(t)
        if out:
            self.serial.write(out)

    def close(self) -> None:
        self.session.end()
        try:
            self.serial.close()
        except LINE_FAULTS:
            return  # it was gone already


class BoardLine:
    """Keeps one board in talk. `given` is a port's name, or None to find the board among the USB serial ports.

    Without a name it opens only the board that it knows from before, one that calls itself ours, or the only
    candidate there is; and never a port that another program holds. `asked_ports` lists what is plugged in, `opened`
    opens a port by name or raises one of LINE_FAULTS, `present` tells whether a named port exists, `holders` who has
    it open; all four are replaced in tests.
    """

    def __init__(
        self,
        given: str | None = None,
        *,
        memory: PortMemory | None = None,
        asked_ports: Callable[[], Sequence[Port]] = usb_ports,
        opened: Callable[[str], SerialLike] = open_port,
        present: Callable[[str], bool] = is_there,
        holders: Callable[[str], Sequence[str]] = users_of,
        on_button: Callable[[ButtonEvent], None] = lambda event: None,
    ) -> None:
        self.frame: LightFrame = DARK
        self._given = given
        self._memory = memory or PortMemory(None)
        self._asked_ports, self._opened, self._present, self._holders = asked_ports, opened, present, holders
        self._on_button = on_button
        self._counts = Counts()
        self._acted: deque[tuple[int, int]] = deque(maxlen=64)
        self._tries: list[_Try] = []
        self._up: _Try | None = None
        self._known: Port | None = None
        self._failures = 0
        self._unknown_rounds = 0
        """How often an unknown candidate has been asked since something was last plugged in."""
        self._next_look = float("-inf")
        self._next_unknown = float("-inf")
        self._seen: frozenset[str] = frozenset()
        self._trouble: LinkTrouble | None = None
        self._bad_before = 0
        self._latencies: deque[float] = deque(maxlen=500)
        self._outages = 0
        self._longest = 0.0
        self._since: float | None = None
        self._testing = False
        self._unclear: LinkTrouble | None = None
        """Why no port was opened in this round, where it takes a person to choose."""
        self._round: list[LinkTrouble] = []
        """What stood in the way at each port in this round of asking."""
        self._missing = False
        """The board that we know is not among the ports."""

    # Doing

    def step(self, t: float) -> None:
        """Do all that is due at time `t` (seconds, never going back)."""
        if self._since is None:
            self._since = t
        if self._up is None and not self._tries and t >= self._next_look:
            self._look(t)
        for attempt in list(self._tries):
            self._pump_attempt(attempt, t)
        if self._up is not None:
            self._pump_up(self._up, t)

    def due(self, t: float) -> float:
        """Seconds until `step` has something to do if nothing comes in; at most 0.1."""
        talks = [self._up, *self._tries] if self._up else self._tries
        if not talks:
            return max(0.0, min(0.1, self._next_look - t))
        return min(attempt.session.due(t) for attempt in talks)

    @property
    def connected(self) -> bool:
        return self._up is not None

    @property
    def awaiting(self) -> bool:
        """Is an answer on its way?"""
        return self._up is not None and self._up.session.awaiting

    @property
    def trouble(self) -> LinkTrouble | None:
        return self._trouble

    def ask(self, type_: int, body: bytes, answer: ReplyCallback) -> None:
        """Ask the board that we talk with; `answer(None)` at once where there is none."""
        if self._up is None:
            answer(None)
        else:
            self._up.session.ask(type_, body, answer)

    def hold_frame(self, held: bool) -> None:
        """While held, the game's frame is not sent, so that a test of the lights is left alone."""
        self._testing = held
        if self._up is not None:
            self._up.session.hold_frame = held
            self._up.session.shown = None

    def bye(self) -> bool:
        """Begin to take leave of the board, whose lights then go dark. False where there is none to tell."""
        if self._up is None:
            return False
        self._up.session.bye()
        return True

    @property
    def gone(self) -> bool:
        """Has the board been told that this host goes?"""
        return self._up is None or self._up.session.gone

    def close(self) -> None:
        for attempt in [*self._tries, *([self._up] if self._up else [])]:
            attempt.close()
        self._tries, self._up = [], None

    # Finding

    def _look(self, t: float) -> None:
        self._unclear = None
        try:
            ports = self._candidates(t)
        except OSError:
            ports = []  # a device vanished while the system's list of them was read
        self._round = []
        for port in ports:
            holders = self._holders(port.device) if is_there(port.device) else ()
            if holders:
                self._round.append(trouble("busy", port.device, who=", ".join(holders)))
                continue
            try:
                serial = self._opened(port.device)
            except LINE_FAULTS as fault:
                self._round.append(why_not(port.device, fault))
                continue
            session = LinkSession(t, self._acted, self._counts)
            session.hold_frame = self._testing
            self._tries.append(_Try(port, serial, session))
        if not self._tries:
            self._next_look = t + (REFUSED_AGAIN_S if self._round else LOOK_EVERY_S)
            self._end_round()

    def _end_round(self) -> None:
        """Of several ports' troubles the one nearest to a working board is the one to tell."""
        if self._round:
            self._trouble = max(self._round, key=lambda why: _GRAVITY.index(why.code) if why.code in _GRAVITY else -1)
        elif self._unclear is not None:
            self._trouble = self._unclear
        if self._known is not None and self._missing:
            self._trouble = trouble("lost", self._known.device)

    def _candidates(self, t: float) -> list[Port]:
        """Whom to ask now: a port given by name, the board known from before, one that calls itself ours, or the only
        candidate."""
        if self._given is not None:
            port = Port(self._given)
            if self._present(self._given):
                self._appeared({self._given})
                return [self._named(port)]
            self._seen = frozenset()
            # The same device may have come back under another name.
            here = remembered(self._asked_ports(), self._known) if self._known and self._known.usb else []
            if not here:
                self._trouble = trouble("lost" if self._known else "no-such-port", self._given)
            return here
        ports = list(self._asked_ports())
        new = self._appeared({port.device for port in ports})
        kept = self._known or self._memory.recall()
        own = remembered(ports, kept)
        self._missing = not own
        if not ports and self._known is None:
            self._trouble = trouble("no-device")
        own = own or [port for port in ports if says_it_is_ours(port)]
        if own or not ports:
            return own
        candidates = [port for port in ports if may_be_ours(port)]
        if len(candidates) != 1 or not _may_have_moved(kept, candidates[0]):
            code: LinkTroubleCode = "which-port" if candidates else "not-known"
            self._unclear = trouble(code, names="; ".join(describe(port) for port in candidates or ports))
            return []
        if new or (self._unknown_rounds <= len(PAUSE_UNKNOWN) and t >= self._next_unknown):
            self._next_unknown = t + PAUSE_UNKNOWN[min(self._unknown_rounds, len(PAUSE_UNKNOWN) - 1)]
            self._unknown_rounds += 1
            return candidates
        return []

    def _appeared(self, devices: set[str]) -> bool:
        """Has something been plugged in since the last look? Then nobody is made to wait."""
        new = bool(devices - self._seen)
        self._seen = frozenset(devices)
        if new:
            self._failures = 0
            self._unknown_rounds = 0
        return new

    def _named(self, port: Port) -> Port:
        return next((p for p in self._asked_ports() if p.device == port.device), port)

    def _pause(self, t: float) -> None:
        self._next_look = t + PAUSE_OWN[min(self._failures, len(PAUSE_OWN) - 1)]
        self._failures += 1

    # Talking

    def _pump_attempt(self, attempt: _Try, t: float) -> None:
        try:
            attempt.pump(t)
        except LINE_FAULTS as fault:
            self._give_up(attempt, why_not(attempt.port.device, fault), t)
            return
        session = attempt.session
        if session.state == "up":
            self._win(attempt, t)
        elif session.state == "silent":
            heard = session.heard_anything
            self._give_up(attempt, trouble("not-ours" if heard else "silent", attempt.port.device), t)
        elif session.state == "refused" and session.hello is not None:
            hello = session.hello
            code: LinkTroubleCode = "old-firmware" if hello.protocol < PROTOCOL else "new-firmware"
            versions = {"firmware": hello.version, "theirs": _dotted(hello.protocol), "ours": _dotted(PROTOCOL)}
            self._give_up(attempt, trouble(code, attempt.port.device, **versions), t)
            # It will not change until somebody flashes it, and needs the port free for that.
            self._next_look = max(self._next_look, t + PAUSE_REFUSED[min(self._failures - 1, len(PAUSE_REFUSED) - 1)])

    def _give_up(self, attempt: _Try, why: LinkTrouble, t: float) -> None:
        attempt.close()
        self._tries.remove(attempt)
        self._bad_before += attempt.session.decoder.faults.total()
        self._round.append(why)
        if not self._tries and self._up is None:
            self._end_round()
            self._pause(t)

    def _win(self, attempt: _Try, t: float) -> None:
        """This is our board: the others are let go."""
        self._tries.remove(attempt)
        for other in self._tries:
            other.close()
        self._tries = []
        self._up, self._known = attempt, attempt.port
        self._memory.keep(attempt.port)
        self._failures = self._unknown_rounds = 0
        self._trouble = None
        if self._since is not None and self._outages:
            self._longest = max(self._longest, t - self._since)
        self._since = t

    def _pump_up(self, up: _Try, t: float) -> None:
        session = up.session
        session.frame = self.frame
        was_up = session.state == "up"
        try:
            up.pump(t)
        except LINE_FAULTS:
            self._fall(up, trouble("lost", up.port.device), t)
            return
        for event in session.pressed:
            self._on_button(event)
        session.pressed.clear()
        if session.state in ("silent", "refused"):
            self._fall(up, trouble("silent", up.port.device), t)
        elif was_up and session.state == "asking":
            self._trouble = trouble("silent", up.port.device)
        elif session.state == "up":
            self._trouble = None

    def _fall(self, up: _Try, why: LinkTrouble, t: float) -> None:
        up.close()
        self._up = None
        self._latencies.extend(up.session.latencies)
        self._bad_before += up.session.decoder.faults.total()
        self._trouble = why
        self._outages += 1
        self._since = t
        self._pause(t)

    # Telling

    def health(self, t: float) -> LinkHealth:
        """The link at time `t`."""
        up = self._up
        since = t - self._since if self._since is not None else 0.0
        latencies = sorted([*self._latencies, *(up.session.latencies if up else ())])
        base = LinkHealth(
            t=t,
            state="looking" if up is None and not self._tries else "asking",
            trouble=self._trouble,
            outages=self._outages,
            longest_outage=max(self._longest, since if up is None and self._outages else 0.0),
            latency_p50_ms=_rank_ms(latencies, 0.50),
            latency_p99_ms=_rank_ms(latencies, 0.99),
            bad_frames=self._bad_before + (up.session.decoder.faults.total() if up else 0),
            counts=replace(self._counts),
        )
        if up is None or up.session.hello is None:
            return replace(base, down_for=since, port=self._tries[0].port.device if self._tries else None)
        session, hello = up.session, up.session.hello
        talking = session.state == "up"
        return replace(
            base,
            state="up" if talking else "asking",
            port=up.port.device,
            description=up.port.description,
            firmware=hello.version,
            protocol=hello.protocol,
            board=BOARDS.get(hello.board, f"board {hello.board}"),
            reset_cause=CAUSES.get(hello.cause, f"cause {hello.cause}"),
            shown=talking and session.shown == self.frame,
            up_for=since,
            limit=session.limit,
            board_counts=_stats(session.stats),
        )


def _may_have_moved(kept: Port | None, candidate: Port) -> bool:
    """Can this be the board that is known? One that is known by its number is none of the others; one without a
    number may have been plugged into another socket."""
    return kept is None or (not kept.stable_id and candidate.usb == kept.usb)


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _rank_ms(ordered: Sequence[float], share: float) -> float | None:
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000, 3) if ordered else None


def _stats(stats: Stats | None) -> dict[str, int]:
    return {} if stats is None else {name: getattr(stats, name) for name in Stats.__slots__}
