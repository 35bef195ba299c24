"""One conversation over an open line, without the line: bytes and times in, bytes out (PROTOCOL.md, section 2).

It listens, asks, talks, and notices when it is talked to no more. It never waits: `tick` says what to send now.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from engine.names import Seat
from host.lights.frame import LightFrame
from host.link.codec import Decoder, SerialFrame, encode
from host.link.messages import BYE_SINCE, PROTOCOL, REPLY, Button, Hello, Pong, Shown, Stats, Type, pack_lights

LISTEN_S: Final = 2.0
"""Silence kept after opening: opening resets a board, and the slowest boot loader (old Nano) hands over after 1.4 s."""
ASK_EVERY_S: Final = 0.25
ASK_FOR_S: Final = 2.0
"""How long a line is asked on which nobody has answered yet."""
ASK_AGAIN_FOR_S: Final = 10.0
"""How long a board is asked that fell silent: opening its line anew would only reset it once more."""
ANSWER_S: Final = 0.25
TRIES: Final = 4
PING_EVERY_S: Final = 0.4
STATS_EVERY_S: Final = 10.0
STALE_S: Final = 3.0
"""A button event older than this when it arrives is not acted upon: the link was down, and the table has moved on."""

SessionState: TypeAlias = Literal["listening", "asking", "up", "refused", "silent"]
"""listening and asking: not known yet; up: talking; refused: another protocol; silent: no answer, give up the line."""

PressKind: TypeAlias = Literal["down", "short", "hold", "released"]

KINDS: Final[dict[int, PressKind]] = {1: "down", 2: "short", 3: "hold", 4: "released"}


@dataclass(frozen=True, slots=True)
class ButtonEvent:
    """A button of one seat, in the host's time: `at` is when it happened, by the clock that `feed` is given.

    Between `down` and `hold` lie two seconds, so whoever wants to draw a hold's progress counts from `down`.
    """

    seat: Seat
    kind: PressKind
    at: float


@dataclass(slots=True)
class Counts:
    """What one link has seen since its start; sessions come and go, the counts stay."""

    requests: int = 0
    resent: int = 0
    unanswered: int = 0
    errors: int = 0
    malformed: int = 0
    frames_shown: int = 0
    hellos: int = 0
    buttons: int = 0
    buttons_stale: int = 0


ReplyCallback: TypeAlias = Callable[[SerialFrame | None], None]
"""Called with the reply's frame (ERROR included), or None where none came."""


@dataclass(slots=True)
class _Request:
    type: int
    body: bytes
    answer: ReplyCallback
    seq: int = 0
    tries: int = 0
    sent_at: float = 0.0


class LinkSession:
    """The talk with one board. `acted` holds the button events already acted upon: (boot, number), newest last."""

    def __init__(self, t: float, acted: deque[tuple[int, int]], counts: Counts, *, listen_s: float = LISTEN_S) -> None:
        self.state: SessionState = "listening"
        self.hello: Hello | None = None
        self.decoder = Decoder()
        self.frame: LightFrame | None = None
        """What is to be shown; set it at any time."""
        self.shown: LightFrame | None = None
        """What the board has confirmed since its last start."""
        self.limit = 255
        self.stats: Stats | None = None
        self.latencies: deque[float] = deque(maxlen=500)
        """Seconds from sending LIGHTS to its confirmation."""
        self.pressed: list[ButtonEvent] = []
        self.heard_anything = False
        self.gone = False
        """The board has been told that this host goes, or cannot be told."""
        self.hold_frame = False
        """True while somebody tests the lights: the frame is not sent, and not restored."""
        self._acted = acted
        self._counts = counts
        self._listen_until = t + listen_s
        self._ask_until = self._listen_until + ASK_FOR_S
        self._next_ask = self._listen_until
        self._clean = False
        self._seq = 0
        self._outstanding: _Request | None = None
        self._queue: deque[_Request] = deque()
        self._last_sent = t
        self._next_stats = t
        self._acks: list[int] = []
        self._early: list[Button] = []
        self._uptime: tuple[float, float] | None = None

    def ask(self, type_: int, body: bytes, answer: ReplyCallback) -> None:
        """Put a request behind those that wait. `answer` is called from `feed` or `tick`."""
        self._queue.append(_Request(type_, body, answer))

    def feed(self, data: bytes, t: float) -> None:
        """Take bytes that came by time `t` (seconds)."""
        self.heard_anything |= bool(data)
        for frame in self.decoder.feed(data):
            try:
                self._take(frame, t)
            except ValueError:
                self._counts.malformed += 1

    def tick(self, t: float) -> bytes:
        """What is to be written now; often nothing."""
        out = bytearray()
        if self.state == "listening" and t >= self._listen_until:
            self.state = "asking"
        if self.state == "asking":
            if t >= self._ask_until:
                self.state = "silent"
                self._drop_all()
            elif t >= self._next_ask:
                self._next_ask = t + ASK_EVERY_S
                out += b"\0" + encode(SerialFrame(Type.HELLO, self._new_seq(), bytes(PROTOCOL)))
        for number in self._acks:
            out += encode(SerialFrame(Type.EVENT_ACK, number))
        self._acks.clear()
        if self.state == "up":
            out += self._next_request(t)
        return bytes(out)

    def bye(self) -> None:
        """Ask the board to go dark and not to miss this host; a board of protocol 1.0 cannot. Nothing is shown any
        more by this session."""
        self.frame, self.hold_frame = None, True
        if self.state == "up" and self.hello is not None and self.hello.protocol >= BYE_SINCE:
            self._queue.appendleft(_Request(Type.BYE, b"", self._said_bye))
        else:
            self.gone = True

    def _said_bye(self, reply: SerialFrame | None) -> None:
        self.gone = True

    @property
    def awaiting(self) -> bool:
        """Is an answer on its way? Then it is worth listening closely."""
        return self._outstanding is not None

    def due(self, t: float) -> float:
        """Seconds until `tick` may have something to do, if nothing comes; at most 0.1."""
        if self._outstanding:
            return max(0.0, min(0.1, self._outstanding.sent_at + ANSWER_S - t))
        return 0.0 if self.state == "up" and (self._queue or self._dirty()) else 0.1

    # What comes in

    def _take(self, frame: SerialFrame, t: float) -> None:
        if frame.type in (Type.HELLO_EVENT, Type.HELLO | REPLY):
            waiting = self._outstanding
            if waiting and waiting.type == Type.HELLO and frame.type != Type.HELLO_EVENT and waiting.seq == frame.seq:
                self._outstanding = None
                waiting.answer(frame)
            self._greet(Hello.unpack(frame.body), frame.type == Type.HELLO_EVENT, t)
        elif frame.type == Type.BUTTON:
            self._take_button(Button.unpack(frame.body), t)
        elif self.state == "up" and (request := self._outstanding) and frame.seq == request.seq:
            if frame.type == Type.ERROR and frame.body[1:2] == bytes((request.type,)):
                self._counts.errors += 1
            elif frame.type != request.type | REPLY:
                return
            # Read before the request counts as answered: a malformed reply leaves it open, and it is asked again.
            if frame.type == Type.PING | REPLY:
                self._take_pong(Pong.unpack(frame.body), t)
            if request.type == Type.LIGHTS and frame.type != Type.ERROR:
                self.limit = Shown.unpack(frame.body).limit
                self.latencies.append(t - request.sent_at)
            self._outstanding = None
            request.answer(frame)

    def _greet(self, hello: Hello, restarted: bool, t: float) -> None:
        self._counts.hellos += 1
        known = self.hello
        self.hello = hello
        if hello.protocol[0] != PROTOCOL[0]:
            self.state = "refused"
            self._drop_all()
            return
        self._uptime = (t, hello.uptime_ms / 1000)
        if restarted or self.state != "up" or known is None or known.boot != hello.boot:
            self.shown = None
            self._redo_outstanding()
        if self.state != "up":
            self.state = "up"
            self._last_sent = t - PING_EVERY_S
        self._clean = False
        early, self._early = self._early, []
        for button in early:
            self._take_button(button, t)

    def _take_pong(self, pong: Pong, t: float) -> None:
        self._uptime = (t, pong.uptime_ms / 1000)
        if self.hello and pong.boot != self.hello.boot:
            # It started anew and its greeting was lost: ask who it is now, and show everything again.
            self.shown = None
            self.ask(Type.HELLO, bytes(PROTOCOL), lambda _: None)
        elif pong.flags & Pong.OTHER_PICTURE and not self.hold_frame:
            self.shown = None

    def _take_button(self, button: Button, t: float) -> None:
        if self._uptime is None:
            if len(self._early) < 16:
                self._early.append(button)
            return
        self._acks.append(button.number)
        key = (button.boot, button.number)
        if key in self._acted or button.kind not in KINDS:
            return
        self._acted.append(key)
        heard_at, uptime = self._uptime
        age = max(0.0, uptime + (t - heard_at) - button.at_ms / 1000)
        if age > STALE_S:
            self._counts.buttons_stale += 1
            return
        self._counts.buttons += 1
        self.pressed.append(ButtonEvent(button.seat, KINDS[button.kind], t - age))

    # What goes out

    def _new_seq(self) -> int:
        self._seq = (self._seq + 1) & 0xFF
        return self._seq

    def _dirty(self) -> bool:
        return self.frame is not None and self.frame != self.shown and not self.hold_frame

    def _next_request(self, t: float) -> bytes:
        request = self._outstanding
        if request is None:
            request = self._choose(t)
            if request is None:
                return b""
            request.seq = self._new_seq()
            self._outstanding = request
            self._counts.requests += 1
        elif t < request.sent_at + ANSWER_S:
            return b""
        elif request.tries >= TRIES:
            self._lose(t)
            return b""
        else:
            self._counts.resent += 1
            self._clean = False
        request.tries += 1
        request.sent_at = t
        self._last_sent = t
        # A zero first, where the line may have carried rubbish, ends whatever the board has half heard.
        lead = b"" if self._clean else b"\0"
        self._clean = True
        return lead + encode(SerialFrame(request.type, request.seq, request.body))

    def _choose(self, t: float) -> _Request | None:
        if self._dirty():
            frame = self.frame
            assert frame is not None
            return _Request(Type.LIGHTS, pack_lights(frame), lambda reply: self._confirm(frame, reply))
        if self._queue:
            return self._queue.popleft()
        if t >= self._last_sent + PING_EVERY_S:
            if t >= self._next_stats:
                self._next_stats = t + STATS_EVERY_S
                return _Request(Type.STATS, b"", self._keep_stats)
            return _Request(Type.PING, self._seq.to_bytes(4, "little"), lambda _: None)
        return None

    def _confirm(self, frame: LightFrame, reply: SerialFrame | None) -> None:
        if reply is not None:
            # A board that refuses a frame is not sent it again for ever: the error is counted and stands in the health.
            self.shown = frame
            self._counts.frames_shown += reply.type != Type.ERROR

    def _keep_stats(self, reply: SerialFrame | None) -> None:
        if reply is not None and reply.type != Type.ERROR:
            self.stats = Stats.unpack(reply.body)

    def _redo_outstanding(self) -> None:
        """The board has restarted: what was asked is asked again, at once and with a full set of tries."""
        request, self._outstanding = self._outstanding, None
        if request is not None and request.type not in (Type.LIGHTS, Type.PING):
            request.tries = 0
            self._queue.appendleft(request)

    def _lose(self, t: float) -> None:
        """No answer in four tries: ask who is there, before the line itself is given up."""
        self._counts.unanswered += 1
        request, self._outstanding = self._outstanding, None
        self.state = "asking"
        self.shown = None
        self._next_ask = t
        self._ask_until = t + ASK_AGAIN_FOR_S
        if request is not None:
            request.answer(None)

    def _drop_all(self) -> None:
        waiting = [*([self._outstanding] if self._outstanding else []), *self._queue]
        self._outstanding = None
        self._queue.clear()
        for request in waiting:
            request.answer(None)

    def end(self) -> None:
        """The line is gone: everyone who waits for an answer is told that none will come."""
        self._drop_all()
