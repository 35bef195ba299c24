"""What the web application asks of a game of Fog of War: views in words, and actions with their rights."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, Final, Protocol

from engine.failure import BadInput, Failure
from engine.fog.board_file import built_in
from engine.fog.codec import action_from_json
from engine.fog.refusal import ForbiddenAction as FogRefused
from engine.fog.refusal import FromYourBox
from engine.fog.sentences import say, section
from engine.lexicon import LANGUAGES
from host.fog.rights import may_play
from host.fog.table import FogChange, FogTable
from host.fog.texts import fog_texts
from host.fog.view import FogView, fog_view
from host.web.access import Access, Role
from host.web.actions import Refused, refusal_of
from host.web.app import Home
from host.web.stream import Broadcaster, Numbered

SEATED: Final[frozenset[Role]] = frozenset({"near", "far", "owner"})
OWNER: Final[frozenset[Role]] = frozenset({"owner"})
ROLES_OF: Final[Mapping[str, frozenset[Role]]] = {
    "play": SEATED,
    "undo": SEATED,
    "redo": SEATED,
    "new": OWNER,
    "demo": OWNER,
}
"""Every action of the page, with the roles that may ask for it; what a player may play when, `may_play` says."""
FIELDS: Final[Mapping[str, frozenset[str]]] = {
    "play": frozenset({"action"}),
    "undo": frozenset(),
    "redo": frozenset(),
    "new": frozenset({"board"}),
    "demo": frozenset({"do", "speed"}),
}
ALWAYS: Final = frozenset({"lang", "at"})


HOME: Final = Home("fog.html", lambda language: fog_texts(language)["page"])
"""The page of this game."""


class FogDemonstration(Protocol):
    """What a page shows of a demonstration, and may do to it."""

    def shown(self) -> dict[str, Any]: ...

    def do(self, what: str, speed: float | None) -> bool:
        """Returns False for something that it does not know."""


class FogBackend:
    """The backend of a running game."""

    def __init__(self, table: FogTable, access: Access, program: str, *, demo: FogDemonstration | None = None) -> None:
        """`program` changes when the page itself is another one and must be loaded anew."""
        self.broadcaster = Broadcaster()
        self.table = table
        self._access = access
        self._program = program
        self._demo = demo
        self._lights = "lights-none"
        self._lock = threading.Lock()
        self._said: dict[tuple[int, str, Role], dict[str, Any]] = {}
        table.listen(self._changed)
        self.publish()

    def publish(self) -> None:
        """Tells all pages how things stand."""
        with self.table.lock:
            self._changed(self.table.change)

    def _changed(self, change: FogChange) -> None:
        demo = self._demo.shown() if self._demo else None
        self.broadcaster.publish(FogView(change, self._lights, demo, self.table.unsaved))

    def set_lights(self, code: str) -> None:
        """How the lights are: a code of the group `lights`."""
        if code != self._lights:
            self._lights = code
            self.publish()

    def localised(self, numbered: Numbered, language: str, role: Role) -> dict[str, Any]:
        key = (numbered.number, language, role)
        with self._lock:
            found = self._said.get(key)
        if found is None:
            found = fog_view(numbered.view, language, role, self._program)
            with self._lock:
                # Only what is newest is asked for again; older views would only pile up.
                self._said = {k: v for k, v in self._said.items() if k[0] == numbered.number}
                self._said[key] = found
        return found

    def act(self, role: Role, name: str, body: Mapping[str, Any]) -> None:
        """Does it, or raises `Refused` whose text is in the language of the body."""
        if name not in ROLES_OF:
            raise Refused("unknown")
        if role not in ROLES_OF[name]:
            raise Refused("not-allowed")
        if not set(body) <= FIELDS[name] | ALWAYS:
            raise Refused("bad-request")
        if self._demo is not None and name != "demo":
            # The simulated players hold cards: nobody plays between them.
            raise Refused("not-now")
        if name == "demo":
            self._act_demo(body)
        elif name == "new":
            self._begin(body)
        else:
            self._play(role, name, body)

    def picture(self) -> bytes | None:
        """No camera looks at this game."""
        return None

    def _play(self, role: Role, name: str, body: Mapping[str, Any]) -> None:
        at, cause = body.get("at"), {"by": "page", "role": role}
        if type(at) is not int:
            raise Refused("bad-request")
        try:
            if name == "play":
                action = action_from_json(body.get("action"))
                if not may_play(role, self.table.change.history.game.state, action):
                    raise Refused("not-allowed")
                known = self.table.apply(action, cause, at)
            else:
                self._check_own(role, name)
                known = (self.table.undo if name == "undo" else self.table.redo)(cause, at)
        except Refused:
            raise
        except FogRefused as refused:
            raise self._refused(
                refused, str(language) if (language := body.get("lang")) in LANGUAGES else "en"
            ) from refused
        except BadInput as bad:
            raise Refused("bad-request") from bad
        except Failure as failure:
            raise refusal_of(failure) from failure
        if not known:
            raise Refused("stale")

    def _check_own(self, role: Role, name: str) -> None:
        """A player takes back (or plays again) only what the player could play."""
        history = self.table.change.history
        if role == "owner":
            return
        if name == "undo" and history.steps:
            step = history.steps[-1]
            if not may_play(role, step.before.state, step.action):
                raise Refused("not-allowed")
        if name == "redo" and history.undone and not may_play(role, history.game.state, history.undone[-1]):
            raise Refused("not-allowed")

    def _refused(self, refused: FogRefused, language: str) -> Refused:
        texts, names = fog_texts(language), self.table.change.history.game.board.names()
        sentences = (say(texts, group, refused.code, refused.parts, names) for group in ("refused", "remedy"))
        said = f"{' '.join(filter(None, sentences))} ({section(texts, refused.paragraph)})"
        more = {"ask": refused.ask} if isinstance(refused, FromYourBox) else None
        return Refused(refused.code, said=said, more=more)

    def _begin(self, body: Mapping[str, Any]) -> None:
        board = body.get("board")
        if board not in ("own", "demo"):
            raise Refused("bad-request")
        try:
            self.table.begin(built_in("demo") if board == "demo" else self.table.own_board())
        except Failure as failure:
            raise refusal_of(failure) from failure

    def _act_demo(self, body: Mapping[str, Any]) -> None:
        speed = body.get("speed")
        number = float(speed) if isinstance(speed, float) or (type(speed) is int and abs(speed) <= 1000) else None
        if self._demo is None or not self._demo.do(str(body.get("do")), number):
            raise Refused("bad-request")
        self.publish()
