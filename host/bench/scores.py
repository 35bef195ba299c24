"""What became of many tables: counts by condition, and what each card was said to be against what it was."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from host.bench.drawn import BLOWN_OUT, Facts

SHORT: Final = 15.0
"""Of strips shorter than this many mm the reader may be unsure."""

Row = Mapping[str, Any]
"""One table as `tables.row_of` writes it."""


@dataclass(slots=True)
class ReadingScore:
    """Counts over some tables."""

    tables: int = 0
    right_and_sure: int = 0
    right_unsure: int = 0
    wrong_unsure: int = 0
    wrong_and_sure: int = 0
    unread: int = 0
    """No table was found in the picture; counted under `wrong_unsure` too."""
    cards: int = 0
    cards_right: int = 0

    def add(self, row: Row) -> None:
        self.tables += 1
        self.cards += row["cards"]
        self.cards_right += row["cards_right"]
        self.unread += row["seen"] is None
        self.right_and_sure += row["right"] and row["sure"]
        self.right_unsure += row["right"] and not row["sure"]
        self.wrong_unsure += not row["right"] and not row["sure"]
        self.wrong_and_sure += not row["right"] and row["sure"]


ScoresByPart: TypeAlias = Mapping[str, Mapping[str, ReadingScore]]
"""Scores by condition, such as `light`, and its part, such as `lamp`."""


def _bins(edges: Sequence[float], unit: str) -> Callable[[float], str]:
    def name(value: float) -> str:
        for low, high in itertools.pairwise(edges):
            if low <= value < high:
                return f"{low:g} to {high:g}{unit}"
        return f"{edges[-1]:g}{unit} or more" if value >= edges[-1] else f"below {edges[0]:g}{unit}"

    return name


_TILT, _SCALE = _bins((0, 3, 6, 12), "°"), _bins((1.3, 1.6, 2.0), " px/mm")
_NOISE, _STRIP = _bins((0, 2, 4, 7), " levels"), _bins((10, 13, 15, 17, 20), " mm")
_TURN, _CARDS, _LEFT = _bins((0, 2, 4, 6), "°"), _bins((0, 1, 5, 9, 13), ""), _bins((0, BLOWN_OUT, 0.8), "")

AXES: Final[dict[str, Callable[[Facts], str]]] = {
    "light": lambda f: f.kind,
    "deck": lambda f: f.look,
    "tilt": lambda f: _TILT(f.tilt),
    "scale": lambda f: _SCALE(f.scale),
    "noise": lambda f: _NOISE(f.noise),
    "shortest strip": lambda f: _STRIP(f.strip) if f.strip < 99 else "nothing covered",
    "most turned card": lambda f: _TURN(f.turn),
    "cards": lambda f: _CARDS(f.cards),
    "highest stack": lambda f: str(f.highest) if f.highest >= 5 else "up to 4",
    "print left of the most blown-out card": lambda f: _LEFT(f.left),
    "beyond what is asked": lambda f: (
        "a card is blown out" if f.left < BLOWN_OUT else "a strip below 15 mm" if f.strip < SHORT else "nothing"
    ),
}
"""The conditions that results are told by, each with the name of the part that a table falls into."""


def by_condition(
    rows: Iterable[Row], axes: Mapping[str, Callable[[Facts], str]] = AXES
) -> dict[str, dict[str, ReadingScore]]:
    """Scores by axis and part; the axis `all` has one part."""
    scores: dict[str, dict[str, ReadingScore]] = {"all": {"all": ReadingScore()}, **{axis: {} for axis in axes}}
    for row in rows:
        facts = Facts(**row["facts"])
        scores["all"]["all"].add(row)
        for axis, name in axes.items():
            scores[axis].setdefault(name(facts), ReadingScore()).add(row)
    return scores


def as_table(scores: ScoresByPart) -> str:
    """The scores as lines of text, one a part."""
    heads = f"{'tables':>6} {'right+sure':>10} {'unsure':>6} {'(right)':>7} {'wrong+sure':>10} {'cards right':>18}"
    lines = [f"{'condition':52} {heads}"]
    for axis, parts in scores.items():
        for part, s in sorted(parts.items(), key=lambda item: (item[0].startswith("below"), _number(item[0]))):
            unsure = s.right_unsure + s.wrong_unsure
            sure = 100 * s.right_and_sure / max(1, s.tables)
            label = "all" if axis == "all" else f"{axis}: {part}"
            lines.append(
                f"{label:52} {s.tables:6} {sure:9.1f}% {unsure:6} {s.right_unsure:7} "
                f"{s.wrong_and_sure:10} {s.cards_right:7}/{s.cards:<6}{100 * s.cards_right / max(1, s.cards):7.2f}%"
            )
    return "\n".join(lines)


def _number(part: str) -> tuple[float, str]:
    first = part.split(" ")[0].rstrip("°")
    try:
        return (float(first.rstrip("° ")), part)
    except ValueError:
        return (-1.0, part)
