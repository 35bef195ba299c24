"""The board of Fog of War: its provinces, the part that some of them play, and what only the players' box can say.

A value that is None was not given: the memo does not say it and nobody has typed it in yet. `need_…` functions
raise `FromYourBox` then, which names what to ask for; nothing is ever assumed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.fog.names import SECTORS
from engine.fog.refusal import ForbiddenAction, FromYourBox

Start: TypeAlias = Literal["axis", "allies", "neutral"]
Terrain: TypeAlias = Literal["land", "sea"]
Country: TypeAlias = Literal["ussr", "balkans", "none"]
Winter: TypeAlias = Literal["sun", "snow", "other"]
_KEY: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST_KEY: Final = 40


def is_key(text: str) -> bool:
    """Whether a province may have this key: small letters, digits and hyphens, as in the board file."""
    return len(text) <= _LONGEST_KEY and _KEY.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Province:
    """One area of the board. `neutral_card` marks the areas that get a neutral card (1.2)."""

    key: str
    name: str = ""
    start: Start | None = None
    terrain: Terrain | None = None
    country: Country | None = None
    winter: Winter | None = None
    points: int | None = None
    resources: int | None = None
    neutral_card: bool | None = None
    neighbours: tuple[str, ...] = ()
    x: int | None = None
    """Where it is drawn, 0 to 100 from left to right; `y` from top to bottom."""
    y: int | None = None


@dataclass(frozen=True, slots=True)
class Sector:
    """One of the six marks of the wheel, counted from NEW OP."""

    ready: bool
    """False under the crossed-out arrow: an operation there cannot be launched."""
    attack: int = 0
    """A+1 is 1."""
    defence: int = 0
    """D+1 is 1."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """A side reaches it with `times` the other's strength and `plus` more."""

    times: Fraction
    plus: int = 0

    def reached(self, strength: int, against: int) -> bool:
        return strength >= self.times * against + self.plus


@dataclass(frozen=True, slots=True)
class Reinforcement:
    """How many cards each side puts on its losses when `year` begins (3.12)."""

    year: int
    axis: int
    allies: int


@dataclass(frozen=True, slots=True)
class RulebookNote:
    """What the players' rulebook says where the memo is cut off; shown as a reminder at `paragraph`."""

    paragraph: str
    text: str


@dataclass(frozen=True, slots=True)
class Box:
    """Everything that is printed in the players' box and not in the memo. None: not asked for yet."""

    source_held: bool | None = None
    """Whether a source of supply must be under one's own control."""
    chain_held: bool | None = None
    """Whether the provinces that carry supply must be under one's own control."""
    sectors: tuple[Sector, ...] = ()
    """Six, from NEW OP on in the order in which an operation comes to them; empty if not given."""
    win: Threshold | None = None
    """What the attack must reach for a win."""
    rout: Threshold | None = None
    """What the defence must reach for a rout."""
    token_after_use: Literal["passes", "stays"] | None = None
    neutral_after_win: Literal["stays", "goes"] | None = None
    hand_at_year_end: Literal["up-to-three", "three-more", "discard-first"] | None = None
    track_end: int | None = None
    """The last square of the production track."""
    axis_deck: int | None = None
    allied_deck: int | None = None
    ussr_cards: int | None = None
    usa_cards: int | None = None
    reinforcements: tuple[Reinforcement, ...] = ()
    objectives: tuple[str, ...] = ()
    """The provinces on the six objective cards."""
    notes: tuple[RulebookNote, ...] = ()


CUT_OFF: Final = ("1.5", "act.2", "act.3", "act.5.7", "act.5.11", "act.12")
"""Paragraphs that the memo leaves out or cuts off in the middle of a sentence."""


@dataclass(frozen=True, slots=True)
class Roles:
    """Which provinces the rules speak of by name."""

    axis_sources: tuple[str, ...] = ()
    allied_sources: tuple[str, ...] = ()
    ussr_source: str = ""
    usa_source: str = ""
    capitals: tuple[str, ...] = ()
    """The Allies win with all of them (2.5)."""
    paris: str = ""
    falls_with_paris: tuple[str, ...] = ()
    britain: str = ""
    falls_with_britain: tuple[str, ...] = ()
    free_looks: tuple[str, ...] = ()
    """Where the Allies may look at neutral cards whenever they like (1.13)."""
    no_attack: tuple[tuple[str, str], ...] = ()
    """Attacks that are forbidden although the provinces touch: from, to."""

    def named(self) -> tuple[str, ...]:
        """Every province that has a part."""
        lists = (self.axis_sources, self.allied_sources, self.capitals, self.falls_with_paris, self.falls_with_britain)
        single = (self.ussr_source, self.usa_source, self.paris, self.britain)
        found = [*(key for keys in lists for key in keys), *(key for key in single if key), *self.free_looks]
        return tuple(dict.fromkeys([*found, *(key for pair in self.no_attack for key in pair)]))


@dataclass(frozen=True, slots=True)
class FogBoard:
    """A map with what is known about it. Provinces keep their order; neighbours are listed on both sides."""

    name: str
    provinces: tuple[Province, ...]
    neutral_areas: int = 14
    """How many areas get a neutral card (1.2)."""
    roles: Roles = field(default_factory=Roles)
    box: Box = field(default_factory=Box)

    def __contains__(self, key: str) -> bool:
        return any(p.key == key for p in self.provinces)

    def province(self, key: str) -> Province:
        """Raises `ForbiddenAction` (`unknown-province`)."""
        for found in self.provinces:
            if found.key == key:
                return found
        raise ForbiddenAction("unknown-province", "supply", province=key)

    def names(self) -> Mapping[str, str]:
        """The names that were typed in; the memo's own provinces are named by the catalogues."""
        return {p.key: p.name for p in self.provinces if p.name}

    def marked_areas(self) -> int:
        return sum(bool(p.neutral_card) for p in self.provinces)


class OpenQuestion(NamedTuple):
    """Something that the box has to say before it can be computed: `ask` as in `FromYourBox`, and where it is used."""

    ask: str
    paragraph: str


_NEEDED_OF_PROVINCE: Final = (
    ("start", "1.6"),
    ("terrain", "str.3"),
    ("country", "2.6"),
    ("winter", "str.4"),
    ("points", "3.1"),
    ("resources", "3.4"),
    ("neutral_card", "1.2"),
)
_PARAGRAPH_OF_BOX: Final[Mapping[str, str]] = {
    "source_held": "supply",
    "chain_held": "supply",
    "sectors": "act.5.1",
    "win": "win",
    "rout": "rout",
    "token_after_use": "act.5.11",
    "neutral_after_win": "win.1",
    "hand_at_year_end": "3.10",
    "track_end": "3.5.2",
    "axis_deck": "1.10",
    "allied_deck": "1.10",
    "ussr_cards": "3.9",
    "usa_cards": "3.8",
    "reinforcements": "3.12",
    "objectives": "1.4",
}


def open_questions(board: FogBoard) -> tuple[OpenQuestion, ...]:
    """Everything that only the box can say and nobody has typed in yet, in the order of the form."""
    found = [
        OpenQuestion(f"province.{p.key}.{name}", paragraph)
        for p in board.provinces
        for name, paragraph in _NEEDED_OF_PROVINCE
        if getattr(p, name) is None
    ]
    found += [OpenQuestion(f"province.{p.key}.neighbours", "supply") for p in board.provinces if not p.neighbours]
    for item in fields(Box):
        value = getattr(board.box, item.name)
        if item.name != "notes" and (value is None or value == ()):
            found.append(OpenQuestion(f"box.{item.name}", _PARAGRAPH_OF_BOX[item.name]))
    written = {note.paragraph for note in board.box.notes}
    found += [OpenQuestion(f"note.{paragraph}", paragraph) for paragraph in CUT_OFF if paragraph not in written]
    return tuple(found)


NEEDED_TO_BEGIN: Final = ("start", "terrain", "neighbours", "neutral_card", "axis_deck", "allied_deck")
"""Without these no turn can be tracked; everything else is asked for when it is first needed."""


def questions_to_begin(board: FogBoard) -> tuple[OpenQuestion, ...]:
    return tuple(question for question in open_questions(board) if question.ask.rpartition(".")[2] in NEEDED_TO_BEGIN)


def faults(board: FogBoard) -> tuple[tuple[str, ForbiddenAction], ...]:
    """What contradicts itself: (`province.KEY.FIELD`, `roles.FIELD` or `box.FIELD`, why). Empty for a sound board."""
    found: list[tuple[str, ForbiddenAction]] = []
    known = {p.key for p in board.provinces}
    for p in board.provinces:
        at = f"province.{p.key}.neighbours"
        for key in p.neighbours:
            if key not in known:
                found.append((at, ForbiddenAction("neighbour-unknown", "supply", province=p.key, neighbour=key)))
            elif key == p.key:
                found.append((at, ForbiddenAction("neighbour-itself", "supply", province=p.key)))
            elif p.key not in board.province(key).neighbours:
                found.append((at, ForbiddenAction("neighbour-one-way", "supply", province=p.key, neighbour=key)))
        if len(set(p.neighbours)) != len(p.neighbours):
            found.append((at, ForbiddenAction("neighbour-twice", "supply", province=p.key)))
    for name, keys in _role_lists(board.roles):
        found += [
            (f"roles.{name}", ForbiddenAction("role-unknown", "supply", role=name, province=key))
            for key in keys
            if key not in known
        ]
    box = board.box
    if box.sectors and len(box.sectors) != len(SECTORS):
        found.append(("box.sectors", ForbiddenAction("sectors-six", "act.5.1", n=len(box.sectors))))
    for name, limit in (("win", box.win), ("rout", box.rout)):
        if limit is not None and (limit.times < 1 or limit.plus < 0):
            found.append((f"box.{name}", ForbiddenAction("threshold-low", name, name=name)))
    found += [
        ("box.objectives", ForbiddenAction("objective-unknown", "1.4", province=key))
        for key in box.objectives
        if key not in known
    ]
    return tuple(found)


def _role_lists(roles: Roles) -> list[tuple[str, tuple[str, ...]]]:
    found: list[tuple[str, tuple[str, ...]]] = []
    for item in fields(Roles):
        value = getattr(roles, item.name)
        if item.name == "no_attack":
            found.append((item.name, tuple(key for pair in value for key in pair)))
        else:
            found.append((item.name, (value,) if isinstance(value, str) and value else tuple(value)))
    return found


def with_province(board: FogBoard, changed: Province) -> FogBoard:
    """The board with this province added or changed; its neighbours learn of it (and unlearn it) on their side.

    Raises `ForbiddenAction` for a neighbour that is not on the board.
    """
    for key in changed.neighbours:
        if key == changed.key:
            raise ForbiddenAction("neighbour-itself", "supply", province=key)
        if key not in board:
            raise ForbiddenAction("neighbour-unknown", "supply", province=changed.key, neighbour=key)
    changed = replace(changed, neighbours=tuple(dict.fromkeys(changed.neighbours)))
    provinces = [changed if p.key == changed.key else _touching(p, changed) for p in board.provinces]
    if changed.key not in board:
        provinces.append(changed)
    return replace(board, provinces=tuple(provinces))


def _touching(p: Province, changed: Province) -> Province:
    without = tuple(key for key in p.neighbours if key != changed.key)
    if p.key not in changed.neighbours:
        return replace(p, neighbours=without)
    return p if changed.key in p.neighbours else replace(p, neighbours=(*without, changed.key))


def without_province(board: FogBoard, key: str) -> FogBoard:
    """The board without this province. Raises `ForbiddenAction` for one that the rules speak of by name."""
    board.province(key)
    if key in board.roles.named():
        raise ForbiddenAction("province-has-role", "supply", province=key)
    left = (replace(p, neighbours=tuple(k for k in p.neighbours if k != key)) for p in board.provinces if p.key != key)
    return replace(board, provinces=tuple(left))


# What is needed for a computation, or the question for it


def need_terrain(board: FogBoard, key: str) -> Terrain:
    found = board.province(key).terrain
    if found is None:
        raise FromYourBox(f"province.{key}.terrain", "str.3")
    return found


def need_country(board: FogBoard, key: str) -> Country:
    found = board.province(key).country
    if found is None:
        raise FromYourBox(f"province.{key}.country", "2.6")
    return found


def need_winter(board: FogBoard, key: str) -> Winter:
    found = board.province(key).winter
    if found is None:
        raise FromYourBox(f"province.{key}.winter", "str.4")
    return found


def need_points(board: FogBoard, key: str) -> int:
    found = board.province(key).points
    if found is None:
        raise FromYourBox(f"province.{key}.points", "3.1")
    return found


def need_resources(board: FogBoard, key: str) -> int:
    found = board.province(key).resources
    if found is None:
        raise FromYourBox(f"province.{key}.resources", "3.4")
    return found


def need_sectors(board: FogBoard) -> tuple[Sector, ...]:
    if not board.box.sectors:
        raise FromYourBox("box.sectors", "act.5.1")
    return board.box.sectors


def need_flag(board: FogBoard, name: Literal["source_held", "chain_held"]) -> bool:
    found = board.box.source_held if name == "source_held" else board.box.chain_held
    if found is None:
        raise FromYourBox(f"box.{name}", "supply")
    return found


def need_threshold(board: FogBoard, name: Literal["win", "rout"]) -> Threshold:
    found = board.box.win if name == "win" else board.box.rout
    if found is None:
        raise FromYourBox(f"box.{name}", name)
    return found


CountName: TypeAlias = Literal["track_end", "axis_deck", "allied_deck", "ussr_cards", "usa_cards"]


def need_count(board: FogBoard, name: CountName) -> int:
    found: int | None = getattr(board.box, name)
    if found is None:
        raise FromYourBox(f"box.{name}", _PARAGRAPH_OF_BOX[name])
    return found


def need_reinforcement(board: FogBoard, year: int) -> Reinforcement:
    for found in board.box.reinforcements:
        if found.year == year:
            return found
    raise FromYourBox("box.reinforcements", "3.12")
