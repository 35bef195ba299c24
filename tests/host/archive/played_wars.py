"""Wars to look at afterwards: played by the simulation, with mistakes, an undo and a withdrawal, into a log."""

from __future__ import annotations

import cv2
import numpy as np

from engine.events import Done, Undo, Withdraw
from engine.names import EditionName
from engine.sight import sight_of
from host.demo.director import is_doomed
from host.session.game_log import GameLog
from host.session.picture_store import PictureStore
from host.session.session import Rules, Session
from host.simulation.sensible_game import games

TICK = 0.2
LOOKS = 6
PAUSE = 20
"""Seconds that a table lies still after that."""
SCENES_MOST = 400


def a_picture(number: int) -> bytes:
    """A still picture of no table, as large as one of a table, each another one."""
    image = np.full((891, 630, 3), 40 + number % 180, np.uint8)
    cv2.putText(image, str(number), (200, 480), cv2.FONT_HERSHEY_SIMPLEX, 4, (255, 255, 255), 8)
    return bytes(cv2.imencode(".jpg", image)[1])


def play_war(
    log: GameLog,
    *,
    seed: int = 7,
    names: tuple[str, str] = ("", ""),
    edition: EditionName = "revised",
    began: float = 1_700_000_000.0,
    pictures: PictureStore | None = None,
    scenes_most: int = SCENES_MOST,
) -> str:
    """Plays a war to its end, or so many scenes of it; the id of the war.

    With seed 7 it has a mistake in each battle, a withdrawal, and an undo on the page."""
    t = 0.0
    session = Session(log, Rules(edition, names=names), lambda: began + t, resume=False)
    undone = False
    for number, scene in enumerate(games(seed, edition)):
        if number >= scenes_most or session.standing.war_winner is not None:
            break
        if scene.button is not None:
            told = Withdraw(scene.button) if scene.held else Done(scene.button)
            session.apply(told, {"by": "button", "seat": scene.button})
        if is_doomed(scene):
            continue
        session.see(sight_of(dict(scene.board), scene.order), t)
        for _ in range(LOOKS):
            t += TICK
            session.tick(t)
        if pictures is not None and session.said:
            pictures.keep(session.war, session.said, a_picture(number))
        if number == 3 and not undone:
            # Taken back on the page; the table still shows it, and so it is played again.
            undone = True
            session.apply(Undo(), {"by": "page", "role": "owner"})
            session.see(sight_of(dict(scene.board), scene.order), t)
            for _ in range(LOOKS):
                t += TICK
                session.tick(t)
        for _ in range(PAUSE):
            t += 1.0
            session.tick(t)
    session.close()
    return session.war
