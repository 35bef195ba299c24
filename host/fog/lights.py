"""The lights of Fog of War: victory points on the left bar, the wheel on the middle one, production on the right one.

The bars show numbers here, not who holds a theater, so the 27 lights are sent one by one (PIXELS and SHOW of the link's
protocol) instead of as a light frame.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NoAnswer
from typing import Final, Protocol

from engine.fog.names import POINTS_TO_WIN, SECTORS, Side
from engine.fog.state import Game, sector_of
from host.fog.table import FogChange
from host.lights.drawing import BAR_LIGHTS, OUT, Drawing, dimmed
from host.lights.frame import BLUE, RED, WHITE, Colour
from host.link.codec import SerialFrame
from host.link.health import LinkHealth
from host.link.messages import REPLY, ControllerSettings, Type
from host.link.strip import GAMMA, chain_of

COLOURS: Final[dict[Side, Colour]] = {"axis": RED, "allies": BLUE}
DIM: Final = 50
WHEEL_LIGHTS: Final = (1, 2, 3, 5, 6, 7)
"""Alpha to Foxtrot from the near end; the middle light tells whose wheel it is."""
PRODUCTION_LIGHTS: Final = 4
"""Each side's half of the right bar: the Axis from the near end, the Allies from the far end."""
MOST_IN_A_FRAME: Final = 19
POLL_SECONDS: Final = 0.5
ANSWER_SECONDS: Final = 2.0


def fog_drawing(game: Game) -> Drawing:
    """The 27 lights of a game: bars from left to right for the near seat, each from its near end to its far end."""
    return (*_points(game), *_wheel(game), *_production(game))


def _points(game: Game) -> list[Colour]:
    lit = min(BAR_LIGHTS, -(-game.state.points * BAR_LIGHTS // POINTS_TO_WIN))
    return [RED] * lit + [OUT] * (BAR_LIGHTS - lit)


def _wheel(game: Game) -> list[Colour]:
    """NEW OP is white; an operation has its side's colour, dim while it is not ready."""
    side = game.state.turn
    camp, sectors, bar = game.state.camp(side), game.board.box.sectors, [OUT] * BAR_LIGHTS
    bar[BAR_LIGHTS // 2] = dimmed(COLOURS[side], DIM)
    for slot, light in zip(range(len(SECTORS)), WHEEL_LIGHTS, strict=True):
        behind = sector_of(camp, slot)
        if camp.operations[slot] is not None:
            ready = bool(sectors) and sectors[behind].ready
            bar[light] = COLOURS[side] if ready else dimmed(COLOURS[side], DIM)
        elif behind == 0:
            bar[light] = WHITE
    return bar


def _production(game: Game) -> list[Colour]:
    """Each side's level as a part of the track; dark as long as nobody has said where the track ends."""
    bar, end = [OUT] * BAR_LIGHTS, game.board.box.track_end
    if not end:
        return bar
    for side, places in (("axis", range(PRODUCTION_LIGHTS)), ("allies", range(BAR_LIGHTS - 1, BAR_LIGHTS // 2, -1))):
        camp = game.state.axis if side == "axis" else game.state.allies
        lit = min(PRODUCTION_LIGHTS, -(-camp.production * PRODUCTION_LIGHTS // end))
        for place in list(places)[:lit]:
            bar[place] = RED if side == "axis" else BLUE
    return bar


def raw_pixel(light: Colour) -> Colour:
    """A light as PIXELS takes it. Raw pixels are shown as they are, so the eye's gamma is put in here."""
    return Colour(*(GAMMA[channel] >> 8 for channel in light))


class LightsLink(Protocol):
    """What the lights need of the link."""

    def ask(self, type_: int, body: bytes = b"") -> Future[SerialFrame | None]: ...

    def hold_frame(self, held: bool) -> None: ...

    def health(self) -> LinkHealth: ...

    def close(self) -> None: ...


class FogLights:
    """Keeps the lights of a controller right in a thread of its own, over unplugging too."""

    def __init__(self, link: LightsLink, on_health: Callable[[str], None] = lambda code: None) -> None:
        """`on_health` is told a code of the group `lights` when it changes."""
        self._link = link
        self._on_health = on_health
        self._wanted: Drawing | None = None
        self._shown: tuple[Drawing, int] | None = None
        """What the controller has confirmed, and in which unbroken connection."""
        self._wake = threading.Event()
        self._closing = False
        link.hold_frame(True)
        self._thread = threading.Thread(target=self._run, name="fog-lights", daemon=True)
        self._thread.start()

    def show(self, change: FogChange) -> None:
        """Wishes for the lights of this game; only the latest wish counts."""
        self._wanted = fog_drawing(change.history.game)
        self._wake.set()

    def close(self) -> None:
        self._closing = True
        self._wake.set()
        self._thread.join(timeout=5)
        self._link.close()

    def _run(self) -> None:
        while not self._closing:
            health, wanted, condition = self._link.health(), self._wanted, None
            missing = wanted is not None and health.state == "up" and self._shown != (wanted, health.outages)
            try:
                if missing and wanted is not None and self._sent(wanted):
                    self._shown = (wanted, health.outages)
            except ValueError:
                # Settings that are none, from another firmware or a bad cable: asked for again.
                condition = "lights-unread"
            self._on_health(condition or _condition(health))
            self._wake.wait(POLL_SECONDS)
            self._wake.clear()

    def _sent(self, drawing: Drawing) -> bool:
        """True once the controller has confirmed the picture. Raises ValueError where its settings are none."""
        answer = self._answer(Type.SETTINGS_GET)
        if answer is None or answer.type != Type.SETTINGS_GET | REPLY:
            return False
        chain = [raw_pixel(light) for light in chain_of(drawing, ControllerSettings.unpack(answer.body))]
        for first in range(0, len(chain), MOST_IN_A_FRAME):
            lights = chain[first : first + MOST_IN_A_FRAME]
            body = bytes((first, *(channel for light in lights for channel in light)))
            answer = self._answer(Type.PIXELS, body)
            if answer is None or answer.type != Type.PIXELS | REPLY:
                return False
        answer = self._answer(Type.SHOW)
        return answer is not None and answer.type == Type.SHOW | REPLY

    def _answer(self, kind: Type, body: bytes = b"") -> SerialFrame | None:
        with contextlib.suppress(NoAnswer):
            return self._link.ask(kind, body).result(ANSWER_SECONDS)
        return None


def _condition(health: LinkHealth) -> str:
    if health.state == "off":
        return "lights-none"
    if health.state != "up":
        return "lights-connecting"
    return "lights-virtual" if health.virtual else "lights-good"
