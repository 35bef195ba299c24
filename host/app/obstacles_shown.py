"""What is in the way of a reading, as pages show it: in words and as a ring in the still picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.places import parse_place
from host.app.still_picture import StillPicture
from host.messages.message import MessagePart
from host.web.page_state import ObstacleShown
from vision.geometry.table import MAT
from vision.tracking.obstacles import Obstacle
from vision.tracking.table_watcher import TableWatcher
from vision.types import Picture

SHOWN_MOST: Final = 4
"""Beyond that the picture as a whole is what is wrong."""


class ObstacleTeller:
    """Tells `show` what is in the way whenever that changes. Belongs to the thread that reads the source."""

    def __init__(
        self,
        watcher: TableWatcher,
        show: Callable[[tuple[ObstacleShown, ...]], None],
        still: StillPicture | None = None,
    ) -> None:
        """`still` keeps the picture that shows the obstacle; a hand's is never kept."""
        self._watcher, self._show, self._still = watcher, show, still
        self._told: tuple[Obstacle, ...] = ()

    def seen(self, image: Picture) -> None:
        """After each picture, (h, w, 3) uint8 BGR, that the watcher has seen."""
        now = self._watcher.obstacles[:SHOWN_MOST]
        if now == self._told:
            return
        self._told = now
        if self._still is not None and now and all(one.code != "hand-over" for one in now):
            self._still.keep(image, self._watcher.registration)
        self._show(tuple(map(obstacle_shown, now)))


def obstacle_shown(obstacle: Obstacle) -> ObstacleShown:
    """The obstacle with its ring as shares of the mat's picture, which the near seat sees upright."""
    (x, y), (width, height) = obstacle.middle, obstacle.size
    theater, _, seat = obstacle.at.partition("/")
    parts: dict[str, MessagePart]
    if obstacle.code == "tag-covered":
        parts = {"corner": obstacle.at}
    else:
        parts = {key: value for key, value in (("theater", theater), ("seat", seat), ("card", obstacle.card)) if value}
    return ObstacleShown(
        "hand-over-boards" if obstacle.code == "hand-over" and not parts else obstacle.code,
        parts,
        0.5 + (x - width / 2) / MAT[0],
        0.5 - (y + height / 2) / MAT[1],
        width / MAT[0],
        height / MAT[1],
        parse_place(obstacle.at) if obstacle.may_be_mat else None,
    )
