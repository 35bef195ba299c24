"""A controller without hardware: the protocol of firmware/PROTOCOL.md in Python, on every platform.

It speaks through an object like a serial port, draws the lights that a strip would show, and has a fault menu. Time
comes from the clock that it is given, so that tests run it in virtual time and the demonstration in real time.
"""

from __future__ import annotations

import errno
import random
import threading
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from engine.names import Seat
from host.lights.drawing import BAR_LIGHTS, BARS, HOLD_MS, OUT, Drawing
from host.lights.frame import LightFrame
from host.link.codec import Decoder, SerialFrame, encode
from host.link.messages import PROTOCOL, REPLY, BadValue, Button, ControllerSettings, Hello, Pong, Shown, Stats, Type
from host.link.virtual.faults import Faults
from host.link.virtual.picture import CHAIN_MOST, VirtualPicture

BYTE_S: Final = 10 / 117_647
"""One byte on the wire, at the baud rate that a 16 MHz board makes of 115,200."""
LATCH_S: Final = 0.0012
HOST_LOST_S: Final = 2.0
RESEND_S: Final = 0.25
WATCHDOG_S: Final = 0.3
QUEUE_MOST: Final = 8

_LENGTHS: Final = {
    Type.PING: 4,
    Type.HANG: 4,
    Type.LIGHTS: 12,
    Type.SHOW: 0,
    Type.SETTINGS_GET: 0,
    Type.SETTINGS_SAVE: 0,
    Type.STATS: 0,
    Type.BYE: 0,
    Type.EVENT_ACK: 0,
    Type.SETTINGS_SET: 13,
    Type.SELF_TEST: 2,
}


@dataclass(slots=True)
class _Held:
    down_at: float
    told: bool = False


class VirtualController:
    """One board. `clock` gives seconds; `boot_s` is how long a boot loader keeps it after a reset."""

    def __init__(
        self,
        clock: Callable[[], float],
        *,
        faults: Faults | None = None,
        boot_s: float = 0.0,
        reset_on_open: bool = True,
        seed: int = 0,
    ) -> None:
        self.faults = faults or Faults()
        self.plugged = True
        self.kept: ControllerSettings | None = None
        """The settings in its EEPROM."""
        self._clock = clock
        self._chance = random.Random(seed)
        self._boot_s, self._reset_on_open = boot_s, reset_on_open
        self._lock = threading.RLock()
        self._line: VirtualLine | None = None
        self._stopped_for = 0.0
        self._stopped_at: float | None = None
        self._boot = 0
        self._generation = 0
        self._in_free = self._out_free = 0.0
        self._restart(clock(), 1)

    # What a person does

    def open(self, device: str = "virtual") -> VirtualLine:
        """A line to it. Raises OSError when it is unplugged (ENOENT) or its line is open already (EAGAIN)."""
        with self._lock:
            if not self.plugged:
                raise OSError(errno.ENOENT, "no such device", device)
            if self._line is not None:
                raise OSError(errno.EAGAIN, "Could not exclusively lock port", device)
            self._line = VirtualLine(self)
            if self._reset_on_open:
                self._catch_up()
                self._restart(self._now(), 2)
            return self._line

    def unplug(self) -> None:
        """Pull the cable: power and line go."""
        with self._lock:
            self._catch_up()
            self.plugged = False
            self._line = None
            self.thaw()

    def plug(self) -> None:
        with self._lock:
            self.plugged = True
            self._restart(self._now(), 1)

    def reset(self, cause: int = 2) -> None:
        """Press its reset button."""
        with self._lock:
            self._catch_up()
            self._restart(self._now(), cause)

    def freeze(self) -> None:
        """Its time stands still: bytes wait, lights stay."""
        with self._lock:
            self._catch_up()
            self._stopped_at = self._stopped_at if self._stopped_at is not None else self._clock()

    def thaw(self) -> None:
        with self._lock:
            if self._stopped_at is not None:
                self._stopped_for += self._clock() - self._stopped_at
                self._stopped_at = None

    def press(self, seat: Seat) -> None:
        """Push a seat's button down."""
        with self._lock:
            self._catch_up()
            if seat not in self._held:
                self._held[seat] = _Held(self._now())
                self._tell(seat, Button.DOWN, self._now(), 0.0)

    def release(self, seat: Seat) -> None:
        with self._lock:
            self._catch_up()
            held = self._held.pop(seat, None)
            if held is not None:
                self._tell(
                    seat, Button.RELEASED if held.told else Button.SHORT, self._now(), self._now() - held.down_at
                )

    # What a person sees

    def lights(self) -> Drawing:
        """The 27 lights now, as a screen has them."""
        with self._lock:
            self._catch_up()
            now = self._now()
            if not self.plugged or now < self._alive_at:
                return (OUT,) * (BARS * BAR_LIGHTS)
            return self._picture.lights(self._settings, self._held_ms(now), self._uptime_ms(now))

    def strip(self) -> bytes:
        """The bytes that its strip has been sent: gamma, brightness, colour order and budget applied."""
        with self._lock:
            self._catch_up()
            return self._wire(self._now())[0]

    @property
    def host_lost(self) -> bool:
        with self._lock:
            self._catch_up()
            return self._picture.lost_at is not None

    @property
    def showing(self) -> LightFrame | None:
        """The frame that it was told to show; None while it shows something of its own."""
        with self._lock:
            self._catch_up()
            picture = self._picture
            shows = picture.mode == "lights" and picture.lost_at is None and self._now() >= self._alive_at
            return picture.frame if shows and self.plugged else None

    # The line's end of it

    def take(self, data: bytes) -> None:
        with self._lock:
            self._catch_up()
            spoilt = self.faults.spoil(data, self._chance)
            self._in_free = max(self._in_free, self._now()) + BYTE_S * len(data)
            if spoilt and len(self._incoming) < 4096:
                self._incoming.append((self._in_free, spoilt))

    def give(self) -> bytes:
        with self._lock:
            self._catch_up()
            out = bytearray()
            while self._outgoing and self._outgoing[0][0] <= self._now():
                out += self._outgoing.popleft()[1]
            return bytes(out)

    def is_open(self, line: VirtualLine) -> bool:
        return self.plugged and self._line is line

    def hang_up(self, line: VirtualLine) -> None:
        with self._lock:
            if self._line is line:
                self._line = None

    # Time

    def _now(self) -> float:
        stopped = self._stopped_at
        return (self._clock() if stopped is None else stopped) - self._stopped_for

    def _uptime_ms(self, now: float) -> int:
        return max(0, int((now - self._alive_at) * 1000)) & 0xFFFFFFFF

    def _catch_up(self) -> None:
        """Do everything that was due by now, in the order in which it was due."""
        now = self._now()
        while self.plugged:
            due, act = min(self._due(), key=lambda item: item[0], default=(float("inf"), None))
            if act is None or due > now:
                return
            act(due)

    def _due(self) -> list[tuple[float, Callable[[float], None]]]:
        """What will happen next, with its time. While the boot loader runs, only its end."""
        if not self._greeted:
            return [(self._alive_at, self._greet)]
        if self._hung_at is not None:
            return [(self._hung_at + WATCHDOG_S, lambda t: self._restart(t, 4, boot_s=0.0))]
        due: list[tuple[float, Callable[[float], None]]] = []
        if self._incoming:
            due.append((self._incoming[0][0], self._hear))
        if self._picture.lost_at is None and not self._gone:
            due.append((self._heard_at + HOST_LOST_S, self._lose))
        for seat, held in self._held.items():
            if not held.told:
                due.append((held.down_at + HOLD_MS / 1000, lambda t, seat=seat: self._hold(t, seat)))  # type: ignore[misc]
        if self._events:
            due.append((self._event_sent + RESEND_S, self._send_event))
        if self.faults.resets_every_s:
            due.append((self._alive_at + self.faults.resets_every_s, lambda t: self._restart(t, 3)))
        return due

    def _restart(self, t: float, cause: int, boot_s: float | None = None) -> None:
        self._alive_at = t + (self._boot_s if boot_s is None else boot_s)
        self._boot = (self._boot + 1) & 0xFFFF
        self._cause = cause
        self._greeted = False
        self._decoder = Decoder()
        self._counts: Counter[str] = Counter()
        self._incoming: deque[tuple[float, bytes]] = deque()
        self._outgoing: deque[tuple[float, bytes]] = deque()
        self._in_free = self._out_free = self._alive_at
        self._heard_at = self._alive_at
        self._hung_at: float | None = None
        self._lost_since_lights = False
        self._lights_came = False
        self._gone = False
        self._picture = VirtualPicture()
        self._settings = self.kept or ControllerSettings()
        self._held: dict[Seat, _Held] = {}
        self._events: deque[Button] = deque()
        self._event_sent = 0.0
        self._number = 0

    def _greet(self, t: float) -> None:
        self._greeted = True
        self._send(t, Type.HELLO_EVENT, 0, self._hello(t), lead=b"\0")

    def _lose(self, t: float) -> None:
        self._picture.lose(self._uptime_ms(t))
        self._lost_since_lights = True
        self._counts["host_lost"] += 1

    # Buttons

    def _hold(self, t: float, seat: Seat) -> None:
        held = self._held[seat]
        held.told = True
        self._tell(seat, Button.HOLD, t, HOLD_MS / 1000)

    def _tell(self, seat: Seat, kind: int, t: float, held_s: float) -> None:
        if len(self._events) >= QUEUE_MOST:
            self._counts["events_dropped"] += 1
            return
        self._number = 1 if self._number == 255 else self._number + 1
        told: Seat = seat if not self._settings.swapped else ("far" if seat == "near" else "near")
        held_ms = min(0xFFFF, round(held_s * 1000))
        self._events.append(Button(self._number, told, kind, self._uptime_ms(t), held_ms, self._boot))
        if len(self._events) == 1:
            self._send_event(t, again=False)

    def _send_event(self, t: float, *, again: bool = True) -> None:
        event = self._events[0]
        self._counts["events_resent"] += again
        self._event_sent = t
        self._send(t, Type.BUTTON, event.number, event.pack())

    # Requests

    def _hear(self, t: float) -> None:
        _, data = self._incoming.popleft()
        for frame in self._decoder.feed(data):
            self._counts["frames_good"] += 1
            self._heard_at = t
            self._gone = False
            self._picture.find(self._uptime_ms(t))
            self._obey(frame, t)
            if self._hung_at is not None:
                return

    def _obey(self, frame: SerialFrame, t: float) -> None:
        kind, length = frame.type, len(frame.body)
        wanted = _LENGTHS.get(kind)  # type: ignore[call-overload]
        if kind == Type.HELLO:
            wanted = length
        elif kind == Type.PIXELS:
            wanted = length if length % 3 == 1 and 4 <= length <= 58 else -1
        if wanted is None:
            self._refuse(frame, 1, 0, t)
        elif wanted != length:
            self._refuse(frame, 2, length, t)
        else:
            try:
                self._answer(frame, t)
            except BadValue as bad:
                self._refuse(frame, 3, bad.offset, t)

    def _answer(self, frame: SerialFrame, t: float) -> None:
        kind, body = frame.type, frame.body
        if kind == Type.HELLO:
            self._reply(frame, self._hello(t), t)
        elif kind == Type.PING:
            self._reply(
                frame, Pong(int.from_bytes(body, "little"), self._uptime_ms(t), self._boot, self._flags()).pack(), t
            )
        elif kind == Type.LIGHTS:
            self._picture.take_lights(body, self._uptime_ms(t))
            self._lights_came, self._lost_since_lights = True, False
            self._reply_shown(frame, t)
        elif kind == Type.PIXELS:
            self._picture.take_pixels(body)
            self._reply(frame, b"", t)
        elif kind == Type.SHOW:
            self._picture.show_pixels()
            self._reply_shown(frame, t)
        elif kind == Type.SETTINGS_GET:
            self._reply(frame, self._settings.pack(), t)
        elif kind == Type.SETTINGS_SET:
            self._settings = ControllerSettings.unpack(body)
            self._reply(frame, self._settings.pack(), t)
        elif kind == Type.SETTINGS_SAVE:
            self.kept = replace(self._settings)
            self._generation = (self._generation + 1) & 0xFF
            self._reply(frame, bytes((self._generation,)), t)
        elif kind == Type.STATS:
            self._reply(frame, self._stats(t).pack(), t)
        elif kind == Type.SELF_TEST:
            self._picture.take_test(body, self._settings.chain, self._uptime_ms(t))
            self._reply_shown(frame, t)
        elif kind == Type.BYE:
            self._picture.go_dark(self._uptime_ms(t))
            self._gone, self._lights_came = True, False
            self._reply_shown(frame, t)
        elif kind == Type.HANG:
            if body != b"HANG":
                raise BadValue(0)
            self._hung_at = t
        elif kind == Type.EVENT_ACK and self._events and self._events[0].number == frame.seq:
            self._events.popleft()
            if self._events:
                self._send_event(t, again=False)

    def _hello(self, t: float) -> bytes:
        return Hello(
            protocol=self.faults.protocol or PROTOCOL,
            firmware=(1, 1, 1),
            board=2,
            cause=self._cause,
            settings=0 if self.kept is None else 1,
            boot=self._boot,
            uptime_ms=self._uptime_ms(t),
            chain_max=CHAIN_MOST,
            capabilities=0b11111,
            chain=self._settings.chain,
        ).pack()

    def _flags(self) -> int:
        return (
            Pong.HOST_WAS_LOST * self._lost_since_lights
            | Pong.RAW_PIXELS * (self._picture.mode == "raw")
            | Pong.SELF_TEST * (self._picture.mode == "test")
            | Pong.NO_LIGHTS_YET * (not self._lights_came)
        )

    def _stats(self, t: float) -> Stats:
        bad = self._decoder.faults
        return Stats(
            uptime_ms=self._uptime_ms(t),
            bad_long=bad["long"],
            bad_cobs=bad["cobs"],
            bad_short=bad["short"],
            bad_check=bad["check"],
            **{name: self._counts[name] for name in _COUNTED},
        )

    def _refuse(self, frame: SerialFrame, code: int, detail: int, t: float) -> None:
        self._counts["errors_sent"] += 1
        self._send(t, Type.ERROR, frame.seq, bytes((code, frame.type, detail)))

    def _reply(self, frame: SerialFrame, body: bytes, t: float) -> None:
        self._send(t, frame.type | REPLY, frame.seq, body)

    def _reply_shown(self, frame: SerialFrame, t: float) -> None:
        self._counts["shows"] += 1
        limit = self._wire(t)[1]
        self._counts["budget_limited"] += limit != 255
        self._send(t + LATCH_S, frame.type | REPLY, frame.seq, Shown(self._counts["shows"] & 0xFFFF, limit).pack())

    def _send(self, t: float, type_: int, seq: int, body: bytes, lead: bytes = b"") -> None:
        sent = self.faults.spoil_out(lead + encode(SerialFrame(type_, seq, body)), self._chance)
        if not sent:
            return
        self._out_free = max(self._out_free, t + self.faults.slow_s) + BYTE_S * len(sent)
        # As in a kernel, what nobody reads is kept only so long.
        if len(self._outgoing) < 256:
            self._outgoing.append((self._out_free, sent))

    def _held_ms(self, t: float) -> dict[Seat, int]:
        return {seat: round((t - held.down_at) * 1000) for seat, held in self._held.items()}

    def _wire(self, t: float) -> tuple[bytes, int]:
        if not self.plugged or t < self._alive_at:
            return bytes(3 * self._settings.chain), 255
        return self._picture.wire(self._settings, self._held_ms(t), self._uptime_ms(t))


_COUNTED: Final = (
    "frames_good",
    "shows",
    "errors_sent",
    "events_resent",
    "events_dropped",
    "host_lost",
    "budget_limited",
)


class VirtualLine:
    """The line to a virtual controller, in pyserial's manner: `read` gives what is there and never waits."""

    def __init__(self, controller: VirtualController) -> None:
        self._controller = controller
        self._unread = bytearray()

    def _collect(self) -> None:
        if not self._controller.is_open(self):
            raise OSError(errno.EIO, "the device has gone")
        self._unread += self._controller.give()

    @property
    def in_waiting(self) -> int:
        self._collect()
        return len(self._unread)

    def read(self, size: int = 1, /) -> bytes:
        self._collect()
        data = bytes(self._unread[:size])
        del self._unread[:size]
        return data

    def write(self, data: bytes, /) -> int:
        self._collect()
        self._controller.take(data)
        return len(data)

    def close(self) -> None:
        self._controller.hang_up(self)
