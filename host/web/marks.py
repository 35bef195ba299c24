"""Marks on cards: what lies otherwise than the game has it, where it should go, and what an open effect may choose.

Pure functions of the state and of the table as it was read, so that the page, its tests and other screens agree.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final, Literal, TypeAlias

from engine.events import Mend
from engine.legality import legal_moves
from engine.names import FACE_DOWN, Face, Seat, Theater
from engine.places import PLACES, Board, Place
from engine.state import State
from host.session.standing import Departure, Standing

Mark: TypeAlias = Literal["", "wrong", "off", "turn", "missing", "new", "choice", "asked"]
"""wrong: breaks a rule. off: was taken back by word and is to be taken off. turn: is to be turned over. missing: should
lie there and does not. new: lies there and nobody knows since when. choice: the open effect may take it. asked: the
players are asked which card it is."""

EXTRA: Final[dict[Departure, Mark]] = {"mistake": "wrong", "taken-back": "off", "unexplained": "new"}
HAND: Final = "hand"


@dataclass(frozen=True, slots=True)
class MarkedCard:
    """One card of a stack as it is drawn. `place` is where it lies, such as `A/near/1`; empty where it is missing."""

    face: Face
    mark: Mark = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class Arrow:
    """From a card that lies wrongly to where it belongs: a place such as `L/near`, or a hand such as `hand/near`."""

    origin: str
    to: str


def marked(meant: tuple[Face, ...], lies: tuple[Face, ...], at: Place, extra: Mark) -> tuple[MarkedCard, ...]:
    """A stack as it lies, with what distinguishes it from the stack that is meant."""
    found: list[tuple[Face, Mark]] = []
    for kind, a, b, c, d in SequenceMatcher(None, meant, lies, autojunk=False).get_opcodes():
        if kind == "equal":
            found += [(face, "") for face in lies[c:d]]
        elif kind == "replace" and b - a == d - c and FACE_DOWN in (*meant[a:b], *lies[c:d]):
            found += [(face, "turn") for face in lies[c:d]]
        else:
            found += [(face, "missing") for face in meant[a:b]]
            found += [(face, extra) for face in lies[c:d]]
    cards, index = [], 0
    for face, mark in found:
        where = "" if mark == "missing" else f"{at[0]}/{at[1]}/{index}"
        index += mark != "missing"
        cards.append(MarkedCard(face, mark, where))
    return tuple(cards)


def drawn(standing: Standing, meant: Board) -> dict[Place, tuple[MarkedCard, ...]]:
    """Every stack as it is drawn: as it lies where it lies otherwise, and with what may be chosen where all is well."""
    if standing.lying is not None and standing.departure is not None:
        extra = EXTRA[standing.departure]
        return {place: marked(meant[place], standing.lying[place], place, extra) for place in PLACES}
    chosen = choices(standing.state)
    asked = "" if standing.question is None else standing.question.parts.get("at", "")
    stacks: dict[Place, tuple[MarkedCard, ...]] = {}
    for place in PLACES:
        names = [f"{place[0]}/{place[1]}/{n}" for n in range(len(meant[place]))]
        stacks[place] = tuple(
            MarkedCard(face, "asked" if name == asked else "choice" if name in chosen else "", name)
            for face, name in zip(meant[place], names, strict=True)
        )
    return stacks


def choices(state: State) -> frozenset[str]:
    """The cards that the open effect may turn over, move or take back, by place."""
    if state.pending in (None, "play") or state.turn is None:
        return frozenset()
    found: set[str] = set()
    for move in legal_moves(state):
        if move.do == "flip" and move.at is not None and move.side is not None:
            found.add(_top(state, move.at, move.side))
        elif move.do == "move" and move.origin is not None and move.nth is not None:
            found.add(f"{move.origin}/{move.by}/{move.nth}")
        elif move.do == "return" and move.at is not None and move.nth is not None:
            found.add(f"{move.at}/{move.by}/{move.nth}")
    return frozenset(found)


def targets(state: State) -> frozenset[Theater]:
    """The theaters to which the open effect may bring a card."""
    if state.pending in (None, "play") or state.turn is None:
        return frozenset()
    return frozenset(move.to for move in legal_moves(state) if move.to is not None)


def _top(state: State, at: Theater, side: Seat) -> str:
    return f"{at}/{side}/{len(state.stacks[at, side]) - 1}"


def arrows(standing: Standing, stacks: dict[Place, tuple[MarkedCard, ...]]) -> tuple[Arrow, ...]:
    """Where the cards that lie wrongly belong."""
    if standing.violation is not None:
        steps: Iterable[Mend] = standing.violation.mend
    elif standing.departure == "taken-back":
        steps = ways_back(stacks)
    else:
        return ()
    found: list[Arrow] = []
    for step in steps:
        origin, to = str(step.parts.get("at", "")), str(step.parts.get("to", ""))
        _, _, rest = origin.partition("/")
        seat = rest.partition("/")[0]
        if not seat:
            continue
        if step.code == "move-card":
            found += [Arrow(origin, f"{theater}/{seat}") for theater in to]
        elif step.code == "take-back":
            found.append(Arrow(origin, f"{HAND}/{step.parts.get('seat', seat)}"))
    return tuple(found)


def ways_back(stacks: dict[Place, tuple[MarkedCard, ...]]) -> tuple[Mend, ...]:
    """What brings the table back to the game after something was taken back by word, one step a card."""
    missing = [(place, card.face) for place, pile in stacks.items() for card in pile if card.mark == "missing"]
    steps: list[Mend] = []
    for place, pile in stacks.items():
        for card in pile:
            if card.mark == "turn":
                steps.append(Mend("turn-over", {"card": card.face, "at": card.place}))
            elif card.mark == "off":
                home = next((m for m in missing if m[1] == card.face and m[0][1] == place[1]), None)
                if home is None:
                    steps.append(Mend("take-back", {"card": card.face, "at": card.place, "seat": place[1]}))
                    continue
                missing.remove(home)
                steps.append(
                    Mend("move-card", {"card": card.face, "at": card.place, "to": home[0][0], "seat": place[1]})
                )
    steps += [Mend("put-back", {"card": face, "at": f"{place[0]}/{place[1]}"}) for place, face in missing]
    return tuple(steps)
