"""The demonstration put together: a simulated game before the real program, and the check of what came of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from engine.events import BattleOver, Event, Mended, MoveMade, Revised, Undone, Violation
from engine.legality import legal_moves
from engine.moves import Move
from engine.names import SEATS, THEATERS, EditionName, Seat
from engine.state import board
from engine.strength import control, strengths
from host.app.runner import Runner
from host.app.table import RunningTable, assemble, press
from host.demo.deck import demo_camera, demo_deck
from host.demo.director import Buttons, Director, is_doomed
from host.lights.drawing import BREATH_MS, Drawing, draw, draw_still
from host.lights.frame import DARK, LightFrame
from host.lights.grammar import light_frame
from host.link.link import Link
from host.link.messages import ControllerSettings
from host.link.session import ButtonEvent
from host.link.strip import chain_of, wire_bytes
from host.messages.command_text import command_text
from host.session.game_log import GameLog
from host.session.memory_log import MemoryLog
from host.session.picture_store import PictureStore
from host.session.session import Rules, Session
from host.session.sinks import Change
from host.session.standing import Standing
from host.simulation.sensible_game import TableScene, onlooker
from host.web.access import Access
from vision.tracking.table_watcher import TableWatcher

if TYPE_CHECKING:
    from host.link.emulated.controller import EmulatedPort

WARS_KEPT: Final = 20
"""Wars to be watched again. A demonstration may be left on for days, and the older ones are let go."""
LIGHTS_WITHIN: Final = 20.0
"""Seconds that the lights may take to show a scene: 3 after a reset, and 4.2 for the show after a war."""


@dataclass(frozen=True, slots=True)
class BattleReport:
    """What a battle came to, held against what was played."""

    played: int
    found: int
    missed: tuple[Move, ...]
    invented: tuple[Move, ...]
    slips: int
    slips_found: int
    frames: int
    frames_wrong: int
    end: BattleOver | None
    result_right: bool
    seconds: float

    @property
    def right(self) -> bool:
        agree = not self.missed and not self.invented and self.slips == self.slips_found
        return agree and self.result_right and self.frames > 0 and self.frames_wrong == 0

    def text(self, language: str) -> str:
        def said(code: str, **parts: object) -> str:
            return command_text(language, "terminal", f"demo-{code}", parts)

        result = said("no-end")
        if self.end is not None:
            how = "played-out" if self.end.why == "played-out" else "withdrew"
            result = said(how, winner=said(self.end.winner), near=self.end.score["near"], far=self.end.score["far"])
        missed, invented = len(self.missed), len(self.invented)
        lines = [
            result,
            said("moves", found=self.found, played=self.played, missed=missed, invented=invented),
            said("mistakes", found=self.slips_found, slips=self.slips),
            said("frames", right=self.frames - self.frames_wrong, frames=self.frames),
            said("right" if self.right else "wrong", seconds=f"{self.seconds:.1f}"),
        ]
        return "\n".join(lines) + "\n"


class DemoShow:
    """A simulated table and the real program. `start`, then `wait`; `report` after one battle."""

    def __init__(
        self,
        edition: EditionName,
        seed: int,
        access: Access,
        program: str,
        *,
        one_battle: bool = False,
        log: GameLog | None = None,
        pictures: PictureStore | None = None,
    ) -> None:
        """`log` and `pictures` keep the newest wars where somebody looks at them afterwards; else the running one alone
        is kept."""
        camera = demo_camera()
        self._started = time.monotonic()
        self.director = Director(
            camera, edition, seed, one_battle=one_battle, begun=self._begun, archived=log is not None
        )
        self._wars_kept, self._pictures = 1 if log is None else WARS_KEPT, pictures
        self.session = Session(log or MemoryLog(), Rules(edition), time.time, resume=False)
        self._watcher = TableWatcher(demo_deck(camera))
        self.table: RunningTable = assemble(
            self.session,
            self._watcher,
            access,
            program,
            demo=self.director,
            pictures=pictures,
            sinks=(_Told(self._told),),
        )
        self._runner: Runner | None = None
        self.events: list[Event] = []
        """What the referee has told of this game, in order."""
        self.frames_shown: list[LightFrame] = []
        """Every light frame that was asked for in this war, in order, after the last one before it."""
        self.frames: list[tuple[LightFrame, bool]] = []
        """For each scene the light frame that it calls for, and whether the controller came to show it."""
        self._one_battle = one_battle
        self._lit: Callable[[LightFrame], bool] = lambda frame: False
        self._emulated: EmulatedPort | None = None
        self.director.understood = self._understood
        self.director.shown = self._shown
        self.director.lights = self._lights

    def start(self, controller: Literal["virtual", "avr", "pico"] = "virtual") -> None:
        """Switches the lights on and begins to play. `avr` and `pico` run the firmware in an emulator."""
        if controller == "virtual":
            link = Link.start("virtual", on_button=self._pressed)
            assert link.virtual is not None
            virtual = link.virtual
            self._lit = lambda frame: _until(lambda: virtual.showing == frame)
            self._play_with(link, virtual)
        else:
            # The emulator is a tool of a checkout and needs its own tools, so it is asked for only here.
            from host.link.emulated.chip import ATMEGA328P, RP2040
            from host.link.emulated.controller import EmulatedPort

            board = self._emulated = EmulatedPort(chip=RP2040 if controller == "pico" else ATMEGA328P).start()
            self._lit = lambda frame: board.wait_for(_wires_of(frame).__contains__, LIGHTS_WITHIN)
            self._play_with(Link.start(board.port, on_button=self._pressed), board)

    def _play_with(self, link: Link, buttons: Buttons) -> None:
        self.director.buttons = buttons
        self._runner = self.table.run(self.director, link, shown=self.frames_shown.append)
        self._runner.start()

    def _pressed(self, event: ButtonEvent) -> None:
        press(self.session, event)

    def wait(self, seconds: float | None = None) -> bool:
        """Waits until the game ends, which only one battle does. Raises what its thread died of."""
        return self._runner is not None and self._runner.wait(seconds)

    def close(self) -> None:
        self.director.close()
        self.table.page.broadcaster.close()
        if self._runner is not None:
            self._runner.close()
        self.session.close()
        if self._emulated is not None:
            self._emulated.stop()

    def report(self) -> BattleReport:
        """What came of the battle; call it when the game has ended."""
        scenes = [p.scene for p in self.director.played]
        told = told_moves(self.events)
        truth = [onlooker(m) for scene in scenes for m in scene.moves]
        missed, invented = differences(scenes, told)
        last = scenes[-1].truth
        ends = [e for e in self.events if isinstance(e, BattleOver)]
        right = (
            len(ends) == 1 and last.state.result is not None and _agree(ends[0], last.score, last.state.result.winner)
        )
        wrong = [e.code for e in self.events if isinstance(e, Violation)]
        mended = sum(isinstance(e, Mended) for e in self.events)
        slips = sum(scene.kind == "slip" for scene in scenes)
        # A card that is destroyed may lie there long enough to be told about before it is taken away.
        doomed = sum(is_doomed(scene) for scene in scenes)
        found = wrong.count("wrong-theater")
        told_right = len(wrong) == mended and wrong.count("should-be-destroyed") in range(doomed + 1)
        told_right = told_right and set(wrong) <= {"wrong-theater", "should-be-destroyed"}
        return BattleReport(
            played=len(truth),
            found=len(truth) - len(missed),
            missed=tuple(missed),
            invented=tuple(invented),
            slips=slips,
            slips_found=found if told_right else -len(wrong),
            frames=len(self.frames),
            frames_wrong=sum(not right for _, right in self.frames),
            end=ends[0] if ends else None,
            result_right=right,
            seconds=time.monotonic() - self._started,
        )

    # The director asks, the table tells

    def _understood(self, scene: TableScene) -> bool:
        standing = self.session.standing
        if scene.kind == "slip":
            return standing.violation is not None
        if dict(board(standing.state)) != dict(scene.board) or standing.violation is not None:
            return False
        result = scene.truth.state.result
        if result is not None:
            # The end is told only once nobody has changed its last card for some seconds.
            told = not self._one_battle or any(isinstance(e, BattleOver) for e in self.events)
            return told and standing.state.result is not None and standing.state.result.winner == result.winner
        if scene.kind == "deal":
            return not standing.begun
        # An effect that was declined by the button is closed before the next card comes.
        return scene.button is None or standing.state.turn == scene.truth.state.turn

    def _lights(self, now: int) -> Drawing:
        """The console in the picture shows what the lights were last asked to show."""
        return draw(self.frames_shown[-1] if self.frames_shown else DARK, now)

    def _shown(self, scene: TableScene) -> None:
        if not self._one_battle or scene.board != board(scene.truth.state):
            return
        expected = expected_lights(scene)
        self.frames.append((expected, self._lit(expected)))

    def _told(self, change: Change) -> None:
        self.events += change.events

    def _begun(self, first: Seat) -> None:
        self.events.clear()
        del self.frames_shown[:-1]
        self.session.begin_war(replace(self.session.rules, first=first))
        self._watcher.forget()
        log = self.session.log
        for old in log.wars()[self._wars_kept :]:
            log.delete(old.id)
            if self._pictures is not None:
                self._pictures.delete(old.id)


class _Told:
    """A sink that hands every change on."""

    def __init__(self, told: Callable[[Change], None]) -> None:
        self._change = told

    def opened(self, war: str, history: Sequence[Change], standing: Standing) -> None:
        """A demonstration begins with no history."""

    def changed(self, change: Change) -> None:
        self._change(change)

    def close(self) -> None:
        """Nothing is held."""


def _until(shown: Callable[[], bool]) -> bool:
    until = time.monotonic() + LIGHTS_WITHIN
    while not shown():
        if time.monotonic() >= until:
            return False
        time.sleep(0.005)
    return True


def _wires_of(frame: LightFrame) -> frozenset[bytes]:
    """What the strip may latch for a frame: at rest, or at any moment of a bar's breath."""
    settings = ControllerSettings()
    drawings = {draw_still(frame)}
    if frame.scene == "game" and any(bar.mood == "breathe" for bar in frame.bars):
        drawings |= {draw(frame, now) for now in range(BREATH_MS)}
    return frozenset(wire_bytes(chain_of(drawing, settings), settings)[0] for drawing in drawings)


def expected_lights(scene: TableScene) -> LightFrame:
    """What the lights must show of a scene, from the game that was really played and not from what was read."""
    state = scene.truth.state
    sums, held = strengths(state), control(state)
    choosing = legal_moves(state) if state.pending not in (None, "play") else ()
    return light_frame(
        state.order,
        state.edition.name,
        state.first,
        {t: {s: sums[(t, s)].total for s in SEATS} for t in THEATERS},
        held,
        choices={t for m in choosing for t in (m.at, m.to) if t},
        battle_winner=state.result.winner if state.result else None,
        war_winner=scene.truth.winner,
    )


def told_moves(events: list[Event]) -> list[Move]:
    """The moves that stand after everything that was told: undone and revised ones are taken off again."""
    moves: list[Move] = []
    for event in events:
        if isinstance(event, MoveMade):
            moves.append(onlooker(event.move))
        elif isinstance(event, Undone | Revised) and event.moves:
            del moves[-event.moves :]
    return moves


def differences(scenes: Sequence[TableScene], told: list[Move]) -> tuple[list[Move], list[Move]]:
    """Moves that were missed and moves that were invented.

    What leaves no trace on the table may go untold: an effect left out, a card destroyed as it was played.
    """
    missed: list[Move] = []
    i = 0
    for scene in scenes:
        for move in map(onlooker, scene.moves):
            if i < len(told) and _same(told[i], move):
                i += 1
            elif move.do != "decline" and not is_doomed(scene):
                missed.append(move)
    return missed, [move for move in told[i:] if move.do != "decline"]


def _same(a: Move, b: Move) -> bool:
    return a._replace(nth=None) == b._replace(nth=None)


def _agree(end: BattleOver, score: Mapping[Seat, int], winner: Seat) -> bool:
    return dict(end.score) == dict(score) and end.winner == winner
