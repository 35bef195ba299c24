"""The whole of what a page shows: the game's view and what stands around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.places import Place
from host.messages.message import Message, MessagePart
from host.web.consent import AskedFor
from host.web.roles import Role
from host.web.view import GameView


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """A line of the history. `number` is its entry in the log, `at` seconds since 1970."""

    number: int
    at: float
    said: Message


@dataclass(frozen=True, slots=True)
class Condition:
    """How the camera, the lights or the demonstration are doing: a text of the group `condition`.

    `message` is what a room says of itself in English, for a code that has no text.
    """

    ok: bool
    code: str
    parts: Mapping[str, MessagePart] = field(default_factory=dict)
    message: str = ""


@dataclass(frozen=True, slots=True)
class ObstacleShown:
    """Something that keeps the table from being read: a text of the group `obstacle`, and a ring around it.

    `left`, `top`, `width` and `height` are shares of the still picture.
    """

    code: str
    parts: Mapping[str, MessagePart]
    left: float
    top: float
    width: float
    height: float
    may_be_mat: Place | None = None
    """The place whose mat it may be: who sees that nothing else lies there may say so."""


@dataclass(frozen=True, slots=True)
class DemoState:
    """The demonstration's hand on the clock."""

    paused: bool
    speed: float
    seed: int
    archived: bool = False
    """What was played can be stepped back through in the archive."""


@dataclass(frozen=True, slots=True)
class TableView:
    """What is published: everything a page shows, in no language yet."""

    game: GameView
    entry: int
    history: tuple[HistoryEntry, ...]
    camera: Condition
    lights: Condition
    war: str = ""
    """The running war's id."""
    demo: DemoState | None = None
    picture: int = 0
    """Number of the last still picture; 0 where none is shown."""
    names: tuple[str, str] = ("", "")
    """Who plays at near and at far; empty where nobody said."""
    club: tuple[Condition, ...] = ()
    """What the table is told by a club that it plays in; the first says round and table."""
    obstacles: tuple[ObstacleShown, ...] = ()
    """What keeps the table from being read for certain now."""
    blind: float | None = None
    """Since when the table cannot be seen, in seconds since 1970; None while it is seen."""
    resumed: Condition | None = None
    """That the war goes on by other rules than were asked for when the program was started."""
    match: bool = False
    """The running war decides a match of a club."""
    asked: AskedFor | None = None
    """What somebody wants to do that concerns both players, and what came of it."""
    present: frozenset[Role] = frozenset()
    """Whose pages are open now."""
