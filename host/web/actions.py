"""What a page may ask for: every action with the roles that may, the fields that it takes, and what it does.

Whatever is not in this table is refused, and so is every field that an action does not name. A test walks through all
roles, actions and bodies from this very table, so that a new action without a right fails.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, Protocol, TypeAlias

from engine.events import Answer, Concede, Correct, Done, Input, LetStand, Redo, Undo, Withdraw
from engine.failure import BadInput, Failure
from engine.names import CARDS, SEATS, Seat, parse_seat
from engine.places import PLACES, Place, parse_place
from engine.records.inputs_json import correction_from_json
from host.messages import known
from host.messages.message import Message
from host.player_name import plain_name, same_names
from host.session.session import Rules, Session
from host.web.access import Role
from host.web.changes import of_correction, of_letting_stand, of_new_war, of_preview
from host.web.consent import AskedFor, Consent

SEATED: Final[frozenset[Role]] = frozenset({"near", "far", "owner"})
OWNER: Final[frozenset[Role]] = frozenset({"owner"})
SAME_REFUSAL: Final[Mapping[str, str]] = {"no-such-question": "no-question", "no-such-answer": "bad-request"}
"""The referee's refusals that the page knows by another code: a question was settled while it was being answered."""
ALWAYS: Final = frozenset({"lang", "at"})
"""Fields that every body may have: the page's language, and the entry that it showed."""
Changes: TypeAlias = tuple[Message, ...]
"""What would change, one message a line."""


class Refused(Failure):
    """An action that cannot be done; `code` is one of the catalogue's group `refused`.

    A game with texts of its own gives the sentence as `said`, and what else the page should know as `more`.
    """

    def __init__(self, code: str, *, said: str = "", more: Mapping[str, Any] | None = None) -> None:
        super().__init__(code, said or code)
        self.said = said
        self.more: Mapping[str, Any] = more or {}


class DemoControl(Protocol):
    """What the page may do to a demonstration."""

    def do(self, what: str, speed: float | None) -> bool:
        """Returns False for something that it does not know."""


class TableControl(Protocol):
    """What those at the table may tell whoever reads it."""

    def say_empty(self, places: Collection[Place]) -> None:
        """Nothing lies in some places but the cards that are read there. From any thread."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a page sent, once it is certain that its role may."""

    role: Role
    body: Mapping[str, Any]
    session: Session
    demo: DemoControl | None = None
    consent: Consent | None = None
    """Asks those whom it concerns; without one whoever asks decides alone."""
    table: TableControl | None = None


@dataclass(frozen=True, slots=True)
class PageAction:
    """One thing to ask for. `run` raises `Refused` for a body that is wrong and for what cannot be done now."""

    roles: frozenset[Role]
    fields: frozenset[str]
    run: Callable[[Request, str], None]
    changes: Callable[[Request], Changes | None] = lambda request: None
    """What it would change for both players, so that both have to agree; None where it concerns nobody else.

    Raises `Refused` as `run` does.
    """


def perform(name: str, request: Request) -> Literal["done", "asked"]:
    """Does what was asked for, or asks those whom it concerns first.

    Raises `Refused` (`unknown`, `not-allowed`, `bad-request`, or why it cannot be now).
    """
    try:
        return _performed(name, request)
    except Refused:
        raise
    except Failure as failure:
        raise refusal_of(failure) from failure


def refusal_of(failure: Failure) -> Refused:
    """What a page is told of a failure to do what it asked for."""
    code = SAME_REFUSAL.get(failure.code, failure.code)
    return Refused(code if known("refused", code) else "not-now")


def _performed(name: str, request: Request) -> Literal["done", "asked"]:
    action = ACTIONS.get(name)
    if action is None:
        raise Refused("unknown")
    if request.role not in action.roles:
        raise Refused("not-allowed")
    if not set(request.body) <= action.fields | ALWAYS:
        raise Refused("bad-request")
    if request.demo is not None and name != "demo":
        # The simulated players go on with their own game: nobody plays between them.
        raise Refused("demo-plays")
    changes = action.changes(request) if request.consent is not None else None
    if request.consent is None or changes is None:
        action.run(request, name)
        return "done"
    _still_shown(request)
    needed = request.consent.deciders(request.role)
    if not needed:
        if request.role != "owner" and request.body.get("agreed") is not True:
            # Both players look at this one phone.
            raise Refused("agree-first")
        action.run(request, name)
        return "done"
    at = request.session.war, _whole(request.body.get("at"))
    agreed = replace(request, body={**request.body, "agreed": True})
    asked = AskedFor(0, request.role, name, changes, *at, needed)
    if not request.consent.ask(asked, lambda: action.run(agreed, name)):
        raise Refused("asked-already")
    return "asked"


def allowed(role: Role) -> frozenset[str]:
    """The names of the actions that a role may ask for."""
    return frozenset(name for name, action in ACTIONS.items() if role in action.roles)


def _answer(request: Request, name: str) -> None:
    question = request.session.standing.question
    if question is None or question.id != _whole(request.body.get("question")):
        raise Refused("no-question")
    key = request.body.get("option")
    if key not in {option.key for option in question.options}:
        raise Refused("bad-request")
    # An answer names its question, so it cannot be stale by accident.
    _apply(request, name, Answer(question.id, str(key)), said=None)


def _for_seat(request: Request, name: str) -> None:
    seat = _seat(request.body.get("seat", request.session.standing.state.turn))
    if request.role not in ("owner", seat):
        raise Refused("not-allowed")
    _apply(request, name, Done(seat) if name == "done" else Withdraw(seat))


def _answer_changes(request: Request) -> Changes | None:
    """Only an answer that makes an unexplained table the game concerns both."""
    if request.body.get("option") != "let-stand":
        return None
    return (Message("change", "change", "unexplained", {}),)


def _agree(request: Request, name: str) -> None:
    """The answer to somebody else's request, or an end to one's own."""
    said = request.body.get("answer")
    if said not in ("yes", "no", "stop") or request.consent is None:
        raise Refused("bad-request")
    if not request.consent.answer(request.role, _whole(request.body.get("request")), said):
        raise Refused("no-request")


def _let_stand(request: Request, name: str) -> None:
    _apply(request, name, LetStand())


def _stand_changes(request: Request) -> Changes | None:
    if request.session.standing.violation is None:
        raise Refused("no-violation")
    return of_letting_stand(request.session.standing)


def _undo(request: Request, name: str) -> None:
    undo = request.session.standing.undo
    if undo is not None and undo.reveals and request.body.get("agreed") is not True:
        # What was revealed cannot be unseen: it is taken back only when both players have said so.
        raise Refused("reveals")
    _apply(request, name, Undo())


def _undo_changes(request: Request) -> Changes | None:
    standing = request.session.standing
    if standing.undo is None:
        raise Refused("nothing-to-undo")
    return of_preview(standing.undo, standing.state, standing)


def _redo(request: Request, name: str) -> None:
    _apply(request, name, Redo())


def _redo_changes(request: Request) -> Changes | None:
    standing = request.session.standing
    if standing.redo is None:
        raise Refused("nothing-to-redo")
    return of_preview(standing.redo, standing.redo.state, standing)


CORRECTED: Final = ("board", "order", "first", "turn", "score", "hands", "effect", "permits", "extra", "hidden")
"""What a correction may set."""


def _correction(request: Request) -> Correct:
    try:
        return correction_from_json(request.body)
    except (BadInput, TypeError, ValueError, KeyError, AttributeError, OverflowError):
        raise Refused("bad-request") from None


def _correct(request: Request, name: str) -> None:
    given = _correction(request)
    state = request.session.standing.state
    if given.hands is not None:
        lying = given.board.values() if given.board is not None else state.stacks.values()
        held = sum(given.hands.get(seat, state.hand_sizes[seat]) for seat in SEATS)
        if sum(map(len, lying)) <= len(CARDS) < sum(map(len, lying)) + held:
            raise Refused("impossible-hands")
    _apply(request, name, given)


def _correct_changes(request: Request) -> Changes | None:
    return of_correction(_correction(request), request.session.standing)


def _first(request: Request, name: str) -> None:
    """Says who is first, while no card of the battle lies there."""
    if request.session.standing.begun:
        raise Refused("not-now")
    _apply(request, name, Correct(first=_seat(request.body.get("seat"))))


def _new_rules(request: Request) -> Rules:
    """The next war's rules. What a body leaves out is as in the war before."""
    now, body = request.session.rules, request.body
    _still_shown(request)
    if now.match and request.session.standing.war_winner is None:
        # The match's war counts in the club; the desk alone may put another in its place.
        raise Refused("match-runs")
    wanted = {"names": list(now.names), "edition": now.edition, "target": now.target, "beginner": now.beginner}
    wanted |= {field: body[field] for field in ("edition", "first", "target", "beginner") if field in body}
    if "names" in body:
        wanted["names"] = _names(body["names"])
    if type(wanted["beginner"]) is not bool or not (wanted["target"] is None or type(wanted["target"]) is int):
        raise Refused("bad-request")
    try:
        rules = Rules.from_json(wanted)
        rules.timeline()
    except BadInput as bad:
        raise Refused("bad-target" if bad.code == "bad-target" else "bad-request") from None
    return rules


def _names(sent: object) -> list[str]:
    """Who plays the next war, at near and at far."""
    if not isinstance(sent, dict) or not all(isinstance(sent.get(seat, ""), str) for seat in SEATS):
        raise Refused("bad-request")
    if same_names(sent):
        raise Refused("same-names")
    return [plain_name(sent.get(seat, "")) for seat in SEATS]


def _new(request: Request, name: str) -> None:
    """Begins another war; the one that runs stays in the log."""
    request.session.begin_war(_new_rules(request), {"by": "page", "role": request.role, "action": name})


def _new_changes(request: Request) -> Changes | None:
    standing, rules = request.session.standing, _new_rules(request)
    untouched = not standing.begun and standing.battle == 1
    return None if untouched or standing.war_winner is not None else of_new_war(rules, request.session.rules, standing)


def _concede(request: Request, name: str) -> None:
    """Gives up the battle or the whole war."""
    seat = _seat(request.body.get("seat"))
    if request.role not in ("owner", seat):
        raise Refused("not-allowed")
    what = request.body.get("what", "battle")
    if what not in ("battle", "war"):
        raise Refused("bad-request")
    _apply(request, name, Concede(seat, war=what == "war"))


def _empty(request: Request, name: str) -> None:
    """Says that nothing else lies in some places: the game is as it was, only reading it changes."""
    places = request.body.get("places")
    if not isinstance(places, list) or not 0 < len(places) <= len(PLACES):
        raise Refused("bad-request")
    try:
        named = frozenset(map(parse_place, places))
    except BadInput:
        raise Refused("bad-request") from None
    if request.table is None:
        raise Refused("not-now")
    request.table.say_empty(named)


def _demo(request: Request, name: str) -> None:
    speed = request.body.get("speed")
    number = float(speed) if isinstance(speed, float) or (type(speed) is int and abs(speed) <= 1000) else None
    if request.demo is None or not request.demo.do(str(request.body.get("do")), number):
        raise Refused("bad-request")


def _fields(*names: str) -> frozenset[str]:
    return frozenset(names)


ACTIONS: Final[Mapping[str, PageAction]] = {
    "answer": PageAction(SEATED, _fields("question", "option", "agreed"), _answer, _answer_changes),
    "agree": PageAction(SEATED, _fields("request", "answer"), _agree),
    "first": PageAction(SEATED, _fields("seat"), _first),
    "done": PageAction(SEATED, _fields("seat"), _for_seat),
    "withdraw": PageAction(SEATED, _fields("seat"), _for_seat),
    "stand": PageAction(SEATED, _fields("agreed"), _let_stand, _stand_changes),
    "undo": PageAction(SEATED, _fields("agreed"), _undo, _undo_changes),
    "redo": PageAction(SEATED, _fields("agreed"), _redo, _redo_changes),
    "correct": PageAction(SEATED, _fields(*CORRECTED, "agreed"), _correct, _correct_changes),
    "concede": PageAction(SEATED, _fields("seat", "what"), _concede),
    "empty": PageAction(SEATED, _fields("places"), _empty),
    "new": PageAction(SEATED, _fields("names", "edition", "first", "target", "beginner", "agreed"), _new, _new_changes),
    "demo": PageAction(OWNER, _fields("do", "speed"), _demo),
}
"""A viewer only looks; a player speaks for the own seat; what concerns both players has `changes` and needs consent."""

_SHOWN: Final = -1


def _still_shown(request: Request) -> None:
    """Raises `Refused` (`stale`) where the table has moved on since the page saw it."""
    if _whole(request.body.get("at")) != request.session.said:
        raise Refused("stale")


def _apply(request: Request, name: str, given: Input, said: int | None = _SHOWN) -> None:
    """Tells the session; everything but an answer names the entry that its page was looking at."""
    at = _whole(request.body.get("at")) if said == _SHOWN else said
    before = request.session.standing
    events = request.session.apply(given, _cause(request, name), at)
    if events is None:
        raise Refused("stale")
    if not events and request.session.standing == before:
        raise Refused("nothing-to-undo" if name == "undo" else "not-now")


def _cause(request: Request, name: str) -> dict[str, Any]:
    """Who asked for it, and whether both players agreed."""
    agreed = {"agreed": True} if request.body.get("agreed") is True else {}
    return {"by": "page", "role": request.role, "action": name, **agreed}


def _whole(value: object) -> int:
    if type(value) is not int:
        raise Refused("bad-request")
    return value


def _seat(value: object) -> Seat:
    try:
        return parse_seat(value)
    except BadInput:
        raise Refused("bad-request") from None
