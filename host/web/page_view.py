"""The view that a page draws: its fields and their types, in one place for Python and for the page's scripts.

`view_serializer.localised` makes it, and mypy holds it to these types. A test holds the scripts to them: they may read
no field of a view that is not declared here.
"""

from __future__ import annotations

from typing import TypedDict

from engine.names import EditionName, Seat, Theater
from host.web.access import Role


class Now(TypedDict):
    """What the page says first: what is due, what is wrong, what is asked."""

    kind: str
    title: str
    text: str | None
    before: str | None
    """What the steps in `mend` are for, where the title does not say it."""
    mend: list[str]


class Choice(TypedDict):
    """One answer to a question."""

    id: str
    text: str
    about: str
    """The seat whose answers belong together; empty where this one stands alone."""


class QuestionText(TypedDict):
    id: int
    options: list[Choice]


class SeatText(TypedDict):
    """One seat. `colour` is its commander card's, by name."""

    name: str
    person: str
    """The player's own name, empty where nobody gave one."""
    score: int
    hand: int
    hand_text: str
    withdraw_text: str
    turn: bool
    commander: str
    commander_text: str
    colour: str


class CardText(TypedDict):
    """One card of a stack; `strength` and `name` are empty where it lies face down."""

    face: str
    strength: str
    name: str
    mark: str
    """What is amiss with it or may be done with it (`host.web.marks.Mark`), and the words for that."""
    mark_text: str
    place: str


class PartText(TypedDict):
    """One summand of a strength."""

    text: str
    value: str


class SideText(TypedDict):
    """One seat's side of a theater."""

    total: int
    faces: list[str]
    """The stack as the game has it; `stack` is as it lies, with what is missing there."""
    stack: list[CardText]
    parts: list[PartText]
    spoken: str


class BarLights(TypedDict):
    dots: list[str]
    mood: str


class TheaterText(TypedDict):
    id: Theater
    name: str
    holder: Seat
    held: str
    lead_text: str
    why: str
    spoken: str
    wrong: bool
    choice: bool
    lights: BarLights
    near: SideText
    far: SideText


class ArrowText(TypedDict):
    """From a card that lies wrongly to a stack or a hand (`host.web.marks.Arrow`)."""

    origin: str
    to: str


class Blind(TypedDict):
    """The table cannot be seen: since when, why, and what mends it."""

    title: str
    text: str
    since: str


class ObstacleText(TypedDict):
    """What is in the way of a reading, and a ring around it as shares of the picture."""

    text: str
    urgent: bool
    """Nothing is recorded there until it is gone."""
    left: float
    top: float
    width: float
    height: float


class EmptyOffer(TypedDict):
    """What a player may say of places in which something is seen that is no card that was read."""

    text: str
    why: str
    places: list[str]


class FirstChoice(TypedDict):
    seat: Seat
    text: str
    chosen: bool


class Withdrawal(TypedDict):
    """What a seat that may withdraw is asked."""

    seat: Seat
    button: str
    title: str
    text: str


class HistoryLine(TypedDict):
    when: str
    text: str
    kind: str


class MoveLine(TypedDict):
    when: str
    text: str


class AskedText(TypedDict):
    """A request that concerns both players, for the page that asked and for those that answer.

    `outcome` is `open` while it waits; `answers` says whether this page is to answer.
    """

    number: int
    mine: bool
    answers: bool
    outcome: str
    title: str
    what: list[str]
    told: str


class StepBack(TypedDict):
    """What an undo takes back or a redo makes again, and what is then due."""

    text: str
    lines: list[MoveLine]
    then: str | None
    asks: bool


class Thing(TypedDict):
    """How the camera, the lights or the club's desk is."""

    ok: bool
    text: str


class DemoText(TypedDict):
    paused: bool
    speed: float
    speeds: list[float]
    text: str
    back: str
    """Where the running battle is stepped back through; empty where nothing keeps it."""


class NamedCard(TypedDict):
    face: str
    text: str


class NamedOrder(TypedDict):
    value: str
    text: str


class Invitation(TypedDict):
    role: Role
    text: str
    picture: str


class _Always(TypedDict):
    program: str
    entry: int
    lang: str
    role: Role
    battle_text: str
    turn: Seat | None
    war: str
    """The running war's id: a number of an entry belongs to it."""
    war_over: bool
    beginner: bool
    first: Seat
    target: int
    edition: EditionName
    now: Now
    arrows: list[ArrowText]
    hints: list[str]
    firsts: list[FirstChoice]
    """Who may be said to be first, before the first card of a war."""
    lasting: list[str]
    """Mistakes beside which play goes on."""
    blind: Blind | None
    last: str | None
    question: QuestionText | None
    assumptions: list[str]
    seats: dict[Seat, SeatText]
    theaters: list[TheaterText]
    can: list[str]
    done: str | None
    withdrawals: list[Withdrawal]
    asks: str
    """Who is asked before something is changed for both players; empty where this page decides."""
    alone: bool
    """Nobody else has a page open: both players say on this one that they agree."""
    asked: AskedText | None
    undo: StepBack | None
    redo: StepBack | None
    history: list[HistoryLine]
    things: list[Thing]
    obstacles: list[ObstacleText]
    empty: EmptyOffer | None
    picture: str | None
    demo: DemoText | None
    cards: list[NamedCard]
    instants: list[str]
    orders: list[NamedOrder]


class PageView(_Always, total=False):
    """The whole view. `invites` is there for the owner of a table that is open to the network."""

    invites: list[Invitation]
