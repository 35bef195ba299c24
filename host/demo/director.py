"""The scripted demonstration: plays a game's scenes before the simulated camera, and can be told to wait.

It knows the game and the camera, and nothing of what the reader or the referee make of it, but for one thing: like a
polite player it does not go on before the table has understood the last step.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Protocol

from engine.names import EditionName, Seat
from engine.state import board
from host.lights.drawing import Drawing, draw
from host.lights.frame import DARK
from host.simulation.sensible_game import TableScene, games
from host.web.page_state import DemoState
from vision.simulate import FilmStep, SimulatedCamera
from vision.sources.trouble import Frame, SourceItem

FPS: Final = 12.0
HOLD: Final = {"deal": 2.0, "move": 2.2, "slip": 3.2, "mend": 2.2, "clear": 2.2}
"""Seconds that a scene lies still at least, at normal speed."""
BRISK: Final = 0.4
"""Of that, where nobody watches."""
DOOMED_HOLD: Final = 0.15
"""A card that is destroyed is shown and taken away by the same hand."""
WAIT: Final = 0.25
PATIENCE: Final = 12.0
"""Camera seconds that it waits to be understood before it goes on all the same."""
LONG_PRESS: Final = 2.2
SHORT_PRESS: Final = 0.15
PRESS_ARRIVES: Final = 10.0
"""Seconds on the wall's clock that a press may take to be told, on a busy machine."""
SPEEDS: Final = (0.5, 1.0, 2.0, 4.0, 8.0)


class Buttons(Protocol):
    """The buttons of the virtual controller."""

    def press(self, seat: Seat) -> None: ...

    def release(self, seat: Seat) -> None: ...


@dataclass(frozen=True, slots=True)
class ShownScene:
    """A scene that has been shown, and whether the table understood it in time."""

    scene: TableScene
    understood: bool


class Director:
    """Pictures of a whole game as they are wanted; a source for the runner, and what the page controls.

    `begun` is told who is first when a war begins. `understood` is asked whether the table shows a scene; `buttons`
    are pressed where a player would. With `one_battle` it ends after the first battle and does not wait for real time.
    """

    def __init__(
        self,
        camera: SimulatedCamera,
        edition: EditionName,
        seed: int,
        *,
        one_battle: bool = False,
        begun: Callable[[Seat], None] = lambda first: None,
        archived: bool = False,
    ) -> None:
        self._camera = camera
        self._edition = edition
        self._one_battle = one_battle
        self._begun = begun
        self._state = DemoState(False, 1.0, seed, archived)
        self._changed = threading.Condition()
        self._steps_wanted = 0
        self._again = False
        self._closed = threading.Event()
        self._lying: TableScene | None = None
        self.understood: Callable[[TableScene], bool] = lambda scene: True
        self.buttons: Buttons | None = None
        self.shown: Callable[[TableScene], None] = lambda scene: None
        self.lights: Callable[[int], Drawing] = lambda now: draw(DARK, now)
        """What the bars show at a moment (milliseconds): the console in the picture shows the same."""
        self.hand_left = 0.0
        """`time.perf_counter()` when the last frame was handed out in which no hand was over the table any more."""
        self.played: list[ShownScene] = []
        """What was shown so far, in order; only of the war that runs now."""

    # What the page may do

    @property
    def state(self) -> DemoState:
        with self._changed:
            return self._state

    def do(self, what: str, speed: float | None) -> bool:
        with self._changed:
            if what in ("pause", "go"):
                self._state = replace(self._state, paused=what == "pause")
            elif what == "step":
                self._state = replace(self._state, paused=True)
                self._steps_wanted += 1
            elif what == "replay":
                self._again = True
                self._state = replace(self._state, paused=False)
            elif what == "speed" and speed in SPEEDS:
                self._state = replace(self._state, speed=float(speed or 1.0))
            else:
                return False
            self._changed.notify_all()
            return True

    # As a source of pictures

    def __iter__(self) -> Iterator[SourceItem]:
        """Frames, in real time at the chosen speed (or as fast as they are taken, for one battle)."""
        offset, last, due = 0.0, 0.0, time.monotonic()
        while not self._closed.is_set():
            with self._changed:
                self._again = False
                self._lying = None
                self.played.clear()
                seed = self._state.seed
            hand = False
            for frame in self._camera.film(self._steps(seed), FPS):
                if self._closed.is_set():
                    return
                self._camera.light_bars = self.lights(round(1000 * (offset + frame.t)))
                last = offset + frame.t
                if not self._one_battle:
                    due = self._wait_for(due)
                if hand and frame.still is not None:
                    self.hand_left = time.perf_counter()
                hand = frame.still is None
                yield Frame(last, frame.image)
            if self._one_battle:
                return
            # Played again from the start: the clock goes on, the game does not.
            offset = last + 1 / FPS

    def close(self) -> None:
        with self._changed:
            self._closed.set()
            self._changed.notify_all()

    def _wait_for(self, due: float) -> float:
        """Sleeps until the next frame is due; a reader that is slower than real time is waited for, not chased."""
        with self._changed:
            due = max(due + 1 / (FPS * self._state.speed), time.monotonic() - 0.5)
            while not self._closed.is_set() and (left := due - time.monotonic()) > 0:
                self._changed.wait(left)
        return due

    def _steps(self, seed: int) -> Iterator[FilmStep]:
        for scene in games(seed, self._edition):
            if self._one_battle and scene.kind == "deal" and self.played:
                return
            while self._must_wait():
                yield self._same(WAIT)
            if self._again or self._closed.is_set():
                return
            if scene.kind == "deal" and not scene.truth.fought:
                # A new war: somebody tells the table who is first, as somebody does with --first.
                self.played.clear()
                self._begun(scene.truth.state.first)
            self._lying = scene
            by = None if scene.button is not None else scene.by
            hold = HOLD[scene.kind] * (BRISK if self._one_battle else 1.0)
            yield FilmStep(scene.board, scene.order, by, DOOMED_HOLD if is_doomed(scene) else hold)
            if scene.button is not None and self.buttons is not None:
                yield from self._pressing(scene.button, scene.held, self.buttons)
            yield from self._until_understood(scene)

    def _pressing(self, seat: Seat, held: bool, buttons: Buttons) -> Iterator[FilmStep]:
        """A button pressed at the table, in real time on the wire. While a long press lasts, pictures go on.

        Not so a short one: a picture that takes long to be read would make a long press of it.
        """
        buttons.press(seat)
        until = time.monotonic() + LONG_PRESS
        while held and time.monotonic() < until and not self._closed.is_set():
            time.sleep(1 / (4 * FPS))
            yield self._same(1 / FPS)
        if not held:
            self._closed.wait(SHORT_PRESS)
        buttons.release(seat)

    def _until_understood(self, scene: TableScene) -> Iterator[FilmStep]:
        waited, understood = 0.0, is_doomed(scene) or self.understood(scene)
        # A press comes over the wire in real time, and pictures that nobody watches as fast as they are read.
        arrives = time.monotonic() + (0.0 if scene.button is None else PRESS_ARRIVES)
        while (
            not understood
            and (waited < PATIENCE or time.monotonic() < arrives)
            and not self._again
            and not self._closed.is_set()
        ):
            yield self._same(WAIT)
            waited += WAIT
            understood = self.understood(scene)
        self.played.append(ShownScene(scene, understood))
        self.shown(scene)

    def _same(self, hold: float) -> FilmStep:
        """The table as it lies, for a little longer."""
        assert self._lying is not None
        return FilmStep(self._lying.board, self._lying.order, None, hold)

    def _must_wait(self) -> bool:
        with self._changed:
            if self._again or self._closed.is_set() or self._lying is None:
                return False
            if not self._state.paused:
                self._steps_wanted = 0
                return False
            if self._steps_wanted:
                self._steps_wanted -= 1
                return False
            return True


def is_doomed(scene: TableScene) -> bool:
    """The scene shows a card that is destroyed as it is played: it is about to be taken away."""
    return scene.kind == "move" and scene.button is None and dict(scene.board) != dict(board(scene.truth.state))
