"""The house: runs the rooms around one table. Pictures go in at one end, lights and pages come out at the other.

One thread reads the camera and hands what it sees to the table; the link and the page have threads of their own. The
table is the only thing that they share.
"""

from __future__ import annotations

import contextlib
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import Any, Final, Protocol

import cv2

from engine.failure import BadInput, Failure
from engine.names import FACE_DOWN, SEATS, Seat, parse_card, parse_order, parse_seat, parse_theater
from engine.referee.events import Answer, Correct, Done, Event, Input, LetStand, Redo, Undo, Withdraw
from engine.sight import PLACES, Sight
from host.link.health import Health
from host.link.session import ButtonEvent
from host.messages import known, say
from host.session.page_state import Condition, DemoState, TableView
from host.session.session import Table
from host.session.view import GameView
from host.settings import data_folder
from host.sinks.lights.frame import LightFrame
from host.web.access import Access, Action, Role
from host.web.app import Refused
from host.web.stream import Broadcaster, Numbered
from host.web.view_serializer import localised
from vision.geometry.rectify import cut, frame_around
from vision.geometry.table import MAT
from vision.sources.trouble import Frame, Item, Mended, Trouble
from vision.tracking.table_watcher import TableWatcher, WatcherNotice
from vision.types import Picture

TICK_SECONDS: Final = 0.2
"""How often patience is looked at, in the camera's time."""
LOOK_AGAIN_SECONDS: Final = 0.35
LOOKS_MOST: Final = 6
"""Fresh readings of one still table at most: beyond that nothing new is learnt from the same picture."""
HEALTH_SECONDS: Final = 0.5
SAME_REFUSAL: Final[Mapping[str, str]] = {"no-such-question": "no-question", "no-such-answer": "bad-request"}
"""The referee's refusals that the page knows by another code: a question was settled while it was being answered."""
NEVER_CAME: Final = "See that it is plugged in or switched on and that no other program uses it, then start again."
PICTURE_SCALE: Final = 1.5
"""Pixels of the shown picture for a millimetre of the table."""


class Pictures(Protocol):
    """Where pictures come from (`vision.sources.Source`, or the demonstration's camera)."""

    def __iter__(self) -> Iterator[Item]: ...

    def close(self) -> None: ...


class Lights(Protocol):
    """What the house needs of the link."""

    def show(self, frame: LightFrame) -> None: ...

    def health(self) -> Health: ...

    def close(self) -> None: ...


class DemoHand(Protocol):
    """What the page may do to a demonstration."""

    @property
    def state(self) -> DemoState: ...

    def do(self, what: str, speed: float | None) -> bool:
        """Returns False for something that it does not know."""
        ...


class House:
    """A table with its eye, its lights and its pages. `start` it, `wait` for its end, `close` it."""

    def __init__(
        self,
        table: Table,
        eye: TableWatcher,
        pictures: Pictures,
        access: Access,
        program: str,
        *,
        demo: DemoHand | None = None,
        with_picture: bool = True,
        tell: Callable[[str], None] = lambda line: None,
    ) -> None:
        """`tell` is given a line for whoever started the program: what is wrong with camera or lights, and its mend."""
        self.table = table
        self.broadcaster = Broadcaster()
        self.link: Lights | None = None
        self.frames_shown: list[LightFrame] = []
        """Every light frame that was asked for, each once in a row; a demonstration checks itself against them."""
        self._eye = eye
        self._pictures = pictures
        self._access = access
        self._program = program
        self._demo = demo
        self._with_picture = with_picture
        self._tell = tell
        self._lock = threading.RLock()
        self._camera = Condition(True, "camera-waiting")
        self._troubles: dict[str, Condition] = {}
        self._lights = Condition(True, "lights-none")
        self._still: tuple[int, Picture] | None = None
        self._jpeg: tuple[int, bytes] | None = None
        self._looked, self._next_look = 0, 0.0
        self._stop = threading.Event()
        self._ended = threading.Event()
        self._failure: BaseException | None = None
        self._said: dict[tuple[int, str, Role], dict[str, Any]] = {}
        self._thread = threading.Thread(target=self._watch, name="camera", daemon=True)
        self._pulse = threading.Thread(target=self._look_after_lights, name="health", daemon=True)
        table.listen(self._changed)
        self._show_lights(table.view.lights)
        self.publish()

    # Running

    def start(self, link: Lights) -> None:
        """Begins to watch. The link is taken over and closed with the house."""
        self.link = link
        self._show_lights(self.table.view.lights)
        self._thread.start()
        self._pulse.start()

    def wait(self, seconds: float | None = None) -> bool:
        """Waits until the pictures end; True if they did. Raises what the camera's thread died of."""
        ended = self._ended.wait(seconds)
        if isinstance(self._failure, Failure):
            raise self._failure
        if self._failure is not None:
            # A fault of this program, not of the table: one line for the person, the rest for whoever mends it.
            details = data_folder() / "fault.txt"
            with contextlib.suppress(OSError):
                details.parent.mkdir(parents=True, exist_ok=True)
                details.write_text("".join(traceback.format_exception(self._failure)), "utf-8")
            raise Failure(
                "fault", f"The table stopped over a fault: {self._failure!r}.", f"Start it again; details: {details}"
            ) from self._failure
        return ended

    def wait_for_stop(self) -> None:
        """Waits until the house is closed, which a signal does."""
        self._stop.wait()

    def close(self) -> None:
        """Stops everything, in the order in which nothing waits for what is already gone."""
        self._stop.set()
        self._pictures.close()
        self.broadcaster.close()
        for thread in (self._thread, self._pulse):
            if thread.is_alive():
                thread.join(timeout=3)
        if self.link is not None:
            self.link.close()

    # The camera

    def _watch(self) -> None:
        try:
            with closing(self._pictures) as pictures:
                last_tick = -1.0
                for item in pictures:
                    if self._stop.is_set():
                        return
                    match item:
                        case Frame(t=t, image=image):
                            last_tick = self._frame(image, t, last_tick)
                        case Trouble() as trouble:
                            # A trouble of the camera is shown until it is over; the game goes on with what is known.
                            if trouble.code == "camera-gone" and last_tick < 0:
                                # Never a single picture: a slip in the command rather than a cable.
                                raise BadInput(trouble.code, trouble.message, NEVER_CAME)
                            parts = {k: str(v) for k, v in trouble.parts.items()}
                            message = f"{trouble.message} {trouble.remedy}"
                            self._tell(message)
                            self._troubles[trouble.code] = Condition(False, trouble.code, parts, message)
                            self._tell_camera()
                        case Mended(code=code):
                            self._troubles.pop(code, None)
                            self._tell_camera()
            self._troubles.clear()
            self._set_camera(Condition(True, "camera-ended"))
        except Exception as error:  # noqa: BLE001 - whatever ends this thread is raised again where the house is waited for
            self._failure = error
        finally:
            self._ended.set()

    def _frame(self, image: Picture, t: float, last_tick: float) -> float:
        sight = self._eye.see(image, t)
        for notice in self._eye.notices():
            self._noticed(notice)
        if sight is not None:
            self._keep(image)
            self._saw(sight, t)
        elif t - last_tick >= TICK_SECONDS:
            self.table.tick(t)
        else:
            return last_tick
        if not self._eye.state.still or not self.table.belief.looks:
            self._looked = 0
        elif self.table.look_again and t >= self._next_look and self._looked < LOOKS_MOST:
            self._looked, self._next_look = self._looked + 1, t + LOOK_AGAIN_SECONDS
            self._eye.forget()
        return t

    def _saw(self, sight: Sight, t: float) -> None:
        if self._camera.code in ("camera-waiting", "no-table"):
            self._troubles.pop("no-table", None)
            self._tell_camera()
        self.table.see(sight, t)

    def _noticed(self, notice: WatcherNotice) -> None:
        if notice.code == "no-table":
            self._troubles["no-table"] = Condition(False, "no-table")
        else:
            self._troubles.pop("no-table", None)
        self._tell_camera()

    def _tell_camera(self) -> None:
        worst = next(iter(self._troubles.values()), Condition(True, "camera-good"))
        self._set_camera(worst)

    def _set_camera(self, condition: Condition) -> None:
        if condition != self._camera:
            self._camera = condition
            self.publish()

    def _keep(self, image: Picture) -> None:
        """Keeps the picture that was read. The table lies still in it: a hand that lifts a card is never shown."""
        registration = self._eye.registration
        if self._with_picture and registration is not None:
            # As the near seat sees it, and nothing beyond the mat: the room is nobody's business.
            image = cut(image, registration.pose, frame_around((0.0, 0.0), 0.0, *MAT), PICTURE_SCALE)[0]
            with self._lock:
                number = self._still[0] + 1 if self._still else 1
                self._still = (number, image)

    # Lights and buttons

    def pressed(self, event: ButtonEvent) -> None:
        """A button of the controller: a short press is done or declined, two seconds withdraw."""
        cause = {"by": "button", "seat": event.seat}
        if event.kind == "short":
            self.table.tell(Done(event.seat), cause)
        elif event.kind == "hold":
            self.table.tell(Withdraw(event.seat), cause)

    def _show_lights(self, frame: LightFrame) -> None:
        if not self.frames_shown or self.frames_shown[-1] != frame:
            self.frames_shown.append(frame)
        if self.link is not None:
            self.link.show(frame)

    def _look_after_lights(self) -> None:
        while not self._stop.wait(HEALTH_SECONDS):
            condition = _light_condition(self.link.health()) if self.link is not None else self._lights
            if condition != self._lights:
                self._lights = condition
                self.publish()
                if condition.message:
                    self._tell(condition.message)

    # Pages

    def _changed(self, view: GameView, events: tuple[Event, ...]) -> None:
        self._show_lights(view.lights)
        self.publish()

    def publish(self) -> None:
        """Tells all pages how things stand."""
        # The table's own lock, and taken first everywhere: views leave in the order in which they came to be.
        with self.table.lock:
            self.broadcaster.publish(
                TableView(
                    game=self.table.view,
                    entry=self.table.entry,
                    history=self.table.history,
                    camera=self._camera,
                    lights=self._lights,
                    demo=self._demo.state if self._demo else None,
                    picture=self._still[0] if self._still else 0,
                )
            )

    def localised(self, numbered: Numbered, language: str, role: Role) -> dict[str, Any]:
        key = (numbered.number, language, role)
        with self._lock:
            found = self._said.get(key)
        if found is None:
            found = dict(localised(numbered.view, language, role, self._program))
            if role == "owner" and self._access.opened:
                found["invites"] = [
                    {"role": r, "text": say(language, "role", r), "picture": f"/invite/{r}.svg"}
                    for r in ("viewer", "near", "far")
                ]
            with self._lock:
                # Only what is newest is asked for again; older views would only pile up.
                self._said = {k: v for k, v in self._said.items() if k[0] == numbered.number}
                self._said[key] = found
        return found

    def picture(self) -> bytes | None:
        with self._lock:
            if self._still is None:
                return None
            number, image = self._still
            if self._jpeg is None or self._jpeg[0] != number:
                self._jpeg = (number, bytes(cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, 80))[1]))
            return self._jpeg[1]

    def act(self, role: Role, deed: Action, body: Mapping[str, Any]) -> None:
        """What a page asks for, once the door has let it in."""
        if deed == "demo":
            self._act_demo(body)
            return
        if deed == "new":
            if self.table.view.war_winner is None:
                raise Refused("not-now")
            self.table.begin_anew()
            return
        told = self._told(role, deed, body)
        # An answer names its question, so it cannot be stale by accident; everything else names what it was looking at.
        at = None if isinstance(told, Answer) else _whole(body.get("at"))
        before = self.table.view
        try:
            events = self.table.tell(told, {"by": "page", "role": role, "deed": deed}, at)
        except Failure as failure:
            code = SAME_REFUSAL.get(failure.code, failure.code)
            raise Refused(code if known("refused", code) else "not-now") from failure
        if events is None:
            raise Refused("stale")
        if not events and self.table.view == before:
            raise Refused("nothing-to-undo" if deed == "undo" else "not-now")

    def _told(self, role: Role, deed: Action, body: Mapping[str, Any]) -> Input:
        view = self.table.view
        if deed == "answer":
            question = view.question
            if question is None or question.id != _whole(body.get("question")):
                raise Refused("no-question")
            key = str(body.get("option", ""))
            if key not in {k for k, _ in question.options}:
                raise Refused("bad-request")
            return Answer(question.id, key)
        if deed in ("done", "withdraw"):
            seat = _seat(body.get("seat", view.turn))
            if role not in ("owner", seat):
                raise Refused("not-allowed")
            return Done(seat) if deed == "done" else Withdraw(seat)
        if deed == "stand":
            return LetStand()
        if deed == "undo":
            if body.get("redo") is True:
                return Redo()
            if view.undo is not None and view.undo.asks and body.get("agreed") is not True:
                # What was revealed cannot be unseen: it is taken back only when both players have said so.
                raise Refused("reveals")
            return Undo()
        return _correction(body)

    def _act_demo(self, body: Mapping[str, Any]) -> None:
        speed = body.get("speed")
        number = float(speed) if isinstance(speed, int | float) and not isinstance(speed, bool) else None
        if self._demo is None or not self._demo.do(str(body.get("do")), number):
            raise Refused("bad-request")
        self.publish()


def _light_condition(health: Health) -> Condition:
    if health.trouble is not None:
        parts = dict(health.trouble.parts) | {"port": health.trouble.port}
        return Condition(
            False, f"link-{health.trouble.code}", parts, f"{health.trouble.message} {health.trouble.remedy}"
        )
    if health.state == "off":
        return Condition(True, "lights-none")
    if health.state != "up":
        return Condition(False, "lights-connecting")
    return Condition(True, "lights-virtual" if health.port == "virtual" else "lights-good")


def _whole(value: object) -> int:
    if type(value) is not int:
        raise Refused("bad-request")
    return value


def _seat(value: object) -> Seat:
    try:
        return parse_seat(value)
    except BadInput:
        raise Refused("bad-request") from None


MOST_CARDS: Final = 18


def _correction(body: Mapping[str, Any]) -> Correct:
    """A correction as a page sends it; raises `Refused` for anything that is not one."""
    try:
        sent = body.get("board")
        board = None
        if sent is not None:
            board = {
                (parse_theater(theater), parse_seat(seat)): tuple(_face(face) for face in faces)
                for theater, sides in dict(sent).items()
                for seat, faces in dict(sides).items()
            }
            board |= {place: () for place in PLACES if place not in board}
            if len(board) != len(PLACES) or sum(map(len, board.values())) > MOST_CARDS:
                raise Refused("bad-request")
        score, hands = body.get("score"), body.get("hands")
        return Correct(
            board=board,
            order=None if body.get("order") is None else parse_order(body["order"]),
            first=None if body.get("first") is None else parse_seat(body["first"]),
            turn=None if body.get("turn") is None else parse_seat(body["turn"]),
            score=None if score is None else {seat: _whole(dict(score)[seat]) for seat in SEATS},
            hands=None if hands is None else {parse_seat(seat): _whole(n) for seat, n in dict(hands).items()},
        )
    except (BadInput, TypeError, ValueError, KeyError):
        raise Refused("bad-request") from None


def _face(face: object) -> str:
    return FACE_DOWN if face == FACE_DOWN else parse_card(face)
