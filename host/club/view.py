"""What a table shows, as everybody in the room may see it: read from a message, which may hold anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, get_args

from engine.failure import BadInput
from engine.names import SEATS, THEATERS, Seat, Theater
from engine.state import State
from engine.strength import control, strengths

ClubTablePhase: TypeAlias = Literal["waiting", "playing", "between", "over"]
"""waiting: no card lies yet. between: a battle is over and the next has not begun. over: the war is won."""

PHASES: Final[tuple[ClubTablePhase, ...]] = get_args(ClubTablePhase)
_MOST: Final = 10_000
_TROUBLES: Final = 8
_LONGEST_CODE: Final = 40


@dataclass(frozen=True, slots=True)
class TheaterLine:
    """A theater in two numbers and its holder."""

    theater: Theater
    near: int
    far: int
    holder: Seat | None


@dataclass(frozen=True, slots=True)
class ClubTableView:
    """One table from above. `trouble` are codes of the catalogue's group `trouble`, and nothing else."""

    match: str = ""
    battle: int = 1
    near: int = 0
    far: int = 0
    turn: Seat | None = None
    phase: ClubTablePhase = "waiting"
    theaters: tuple[TheaterLine, ...] = ()
    trouble: tuple[str, ...] = ()
    at: float = 0.0
    """Seconds since 1970, by the table's clock, when this was seen."""


def view_to_json(view: ClubTableView) -> dict[str, Any]:
    """A view as it travels to the desk and the screen."""
    return {
        "match": view.match,
        "battle": view.battle,
        "near": view.near,
        "far": view.far,
        "turn": view.turn,
        "phase": view.phase,
        "theaters": [[t.theater, t.near, t.far, t.holder] for t in view.theaters],
        "trouble": list(view.trouble),
        "at": view.at,
    }


def view_from_json(read: Mapping[str, Any]) -> ClubTableView:
    """A view from a table's message. Raises `BadInput` (`bad-view`); unknown keys are left out."""
    try:
        theaters = [
            TheaterLine(_one_of(THEATERS, name), _count(near), _count(far), _one_of((*SEATS, None), holder))
            for name, near, far, holder in read.get("theaters", [])[: len(THEATERS)]
        ]
        at = read.get("at", 0.0)
        if type(at) not in (int, float) or not 0 <= at < 1e11:
            raise ValueError("at")
        return ClubTableView(
            _code(read.get("match", "")),
            _count(read.get("battle", 1)),
            _count(read.get("near", 0)),
            _count(read.get("far", 0)),
            _one_of((*SEATS, None), read.get("turn")),
            _one_of(PHASES, read.get("phase", "waiting")),
            tuple(theaters),
            tuple(_code(code) for code in read.get("trouble", [])[:_TROUBLES]),
            float(at),
        )
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        remedy = "Update that table's program."
        raise BadInput("bad-view", f"A table's view cannot be read: {error}.", remedy) from error


def _one_of(allowed: Any, value: object) -> Any:
    if value not in allowed:
        raise ValueError(f"{value!r}")
    return value


def _count(value: object) -> int:
    if type(value) is not int or not 0 <= value <= _MOST:
        raise ValueError(f"{value!r}")
    return value


def _code(value: object) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST_CODE or not value.isascii() or not value.isprintable():
        raise ValueError(f"{value!r}")
    return value


def view_of(
    state: State,
    score: Mapping[Seat, int],
    *,
    battle: int,
    war_winner: Seat | None,
    match: str = "",
    trouble: tuple[str, ...] = (),
    at: float = 0.0,
) -> ClubTableView:
    """The view of a battle's state. Strengths and holders follow from what lies there, so nothing hidden is in it."""
    sums, holders = strengths(state), control(state)
    begun = any(state.stacks.values())
    phase: ClubTablePhase = "playing" if begun else "waiting"
    if state.result is not None:
        phase = "between" if war_winner is None else "over"
    return ClubTableView(
        match,
        battle,
        score["near"],
        score["far"],
        state.turn if begun and state.result is None else None,
        phase,
        tuple(
            TheaterLine(t, sums[(t, "near")].total, sums[(t, "far")].total, holders[t] if begun else None)
            for t in state.order
        ),
        trouble,
        at,
    )
