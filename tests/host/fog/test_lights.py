"""The lights of Fog of War: what they show, and that a controller without hardware comes to show it."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace

from engine.fog.actions import Begin, Defend, NewOperation
from engine.fog.board_file import built_in
from engine.fog.play import History
from engine.fog.state import Game, start
from host.fog.lights import DIM, PRODUCTION_LIGHTS, WHEEL_LIGHTS, FogLights, fog_drawing, raw_pixel
from host.fog.table import FogChange
from host.lights.drawing import BAR_LIGHTS, OUT, dimmed
from host.lights.frame import BLUE, RED, WHITE
from host.link.codec import SerialFrame
from host.link.health import LinkHealth
from host.link.link import Link
from host.link.messages import REPLY, ControllerSettings, Type
from host.link.strip import wire_bytes

PATIENCE = 10.0


def bars(game: Game) -> list[tuple[object, ...]]:
    drawing = fog_drawing(game)
    return [drawing[n : n + BAR_LIGHTS] for n in (0, 9, 18)]


def history() -> History:
    return History(start(built_in("demo"))).played(Begin())


def until(held: Callable[[], bool]) -> bool:
    for _ in range(int(PATIENCE / 0.02)):
        if held():
            return True
        time.sleep(0.02)
    return False


def test_victory_points_fill_the_left_bar() -> None:
    game = history().game
    for points, lit in ((0, 0), (1, 1), (7, 1), (8, 2), (35, 5), (69, 9), (70, 9)):
        left = bars(game._replace(state=replace(game.state, points=points)))[0]
        assert left == (RED,) * lit + (OUT,) * (BAR_LIGHTS - lit)


def test_the_wheel_of_the_side_to_act_is_on_the_middle_bar() -> None:
    game = history().game
    middle = bars(game)[1]
    assert middle[WHEEL_LIGHTS[0]] == WHITE
    assert middle[BAR_LIGHTS // 2] == dimmed(RED, DIM)
    # A new operation is not ready yet: its side's colour, dim.
    game = History(game).played(NewOperation(1)).game
    assert bars(game)[1][WHEEL_LIGHTS[0]] == dimmed(RED, DIM)
    older = replace(game.state.axis, wheel=2)
    middle = bars(game._replace(state=replace(game.state, axis=older)))[1]
    assert (middle[WHEEL_LIGHTS[0]], middle[WHEEL_LIGHTS[2]]) == (RED, WHITE)


def test_production_grows_from_both_ends_of_the_right_bar() -> None:
    game = history().game
    right = bars(game)[2]
    # 8 and 6 of 12: three lights and two
    assert right[:PRODUCTION_LIGHTS] == (RED, RED, RED, OUT)
    assert right[-PRODUCTION_LIGHTS:] == (OUT, OUT, BLUE, BLUE)
    unknown = replace(game.board, box=replace(game.board.box, track_end=None))
    assert set(bars(game._replace(board=unknown))[2]) == {OUT}


def test_a_controller_shows_the_game_also_after_it_was_unplugged() -> None:
    link = Link.start("virtual")
    assert link.virtual is not None
    virtual = link.virtual
    told: list[str] = []
    lights = FogLights(link, told.append)
    try:
        played = history()
        lights.show(FogChange(played, 0, ()))
        assert until(lambda: virtual.strip() == on_the_wire(played.game))
        assert until(lambda: "lights-virtual" in told)
        played = played.played(Defend("karst", 1)).played(NewOperation(1))
        lights.show(FogChange(played, 0, ()))
        assert until(lambda: virtual.strip() == on_the_wire(played.game))
        virtual.unplug()
        assert until(lambda: told[-1] == "lights-connecting")
        virtual.plug()
        assert until(lambda: virtual.strip() == on_the_wire(played.game))
    finally:
        lights.close()


class OddSettings:
    """A controller whose settings are of a form that is not known, until it is updated."""

    updated = False
    shown = False

    def ask(self, type_: int, body: bytes = b"") -> Future[SerialFrame | None]:
        settings = ControllerSettings().pack()
        answer: Future[SerialFrame | None] = Future()
        answer.set_result(SerialFrame(type_ | REPLY, 1, settings if self.updated else b"\2" + settings[1:]))
        self.shown = self.shown or type_ == Type.SHOW
        return answer

    def hold_frame(self, held: bool) -> None: ...

    def health(self) -> LinkHealth:
        return LinkHealth(state="up")

    def close(self) -> None: ...


def test_settings_of_an_unknown_form_are_told_and_asked_for_again() -> None:
    board, told = OddSettings(), list[str]()
    lights = FogLights(board, told.append)
    try:
        lights.show(FogChange(history(), 0, ()))
        assert until(lambda: "lights-unread" in told)
        assert not board.shown
        board.updated = True
        assert until(lambda: board.shown and told[-1] == "lights-good")
    finally:
        lights.close()


def on_the_wire(game: Game) -> bytes:
    """The strip's bytes for these lights, at the controller's own brightness and budget."""
    shining = [raw_pixel(light) for light in fog_drawing(game)]
    return wire_bytes(shining, ControllerSettings(), raw=True)[0]
