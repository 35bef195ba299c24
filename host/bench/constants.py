"""What each of the reader's constants buys: tables are read with each of them a fifth smaller and a quarter larger.

The tables are those of `host.bench.rooms`: random decks in rooms, one table of each camera. Each change is read by a
process of its own, from a copy of the sources in which that one number is another, so that whatever is computed from it
changes, too. `docs/reader-constants.md` has the result.
"""

from __future__ import annotations

import ast
import json
import math
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from types import MappingProxyType
from typing import Final, TypeAlias

from host.bench.drawn import keep
from host.bench.figure import Figure, Measured, Wish
from host.bench.reliability import log_loss, said_and_true
from host.bench.scores import ReadingScore, Row

ROOT: Final = Path(__file__).parents[2]
TABLES: Final = 39
"""Three of each kind of room."""
FACTORS: Final = (0.8, 1.25)
STAGES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "Where the table lies": (
            "geometry/registration.py", "geometry/pose.py", "geometry/lens.py", "geometry/align.py",
            "geometry/rectangle.py", "geometry/rectify.py",
        ),
        "Boards": ("boards",),
        "Light": ("geometry/light.py",),
        "Columns": (
            "cards/templates.py", "cards/pattern.py", "cards/clipping.py", "cards/column.py", "cards/table_beside.py",
            "cards/headers.py", "cards/candidates.py", "cards/outline.py", "cards/chain.py", "cards/discontent.py",
            "cards/read_column.py", "cards/explanation.py", "cards/judgement.py", "cards/column_reading.py",
            "cards/margin.py", "cards/bare_table.py",
        ),
        "Glare, empty places, and what nothing explains": (
            "cards/appearance.py",
            "cards/highlights.py",
            "cards/empty_place.py",
            "cards/covered_place.py",
            "cards/empty_table.py",
            "cards/unexplained.py",
            "cards/printed_table.py",
            "cards/printed_places.py",
            "cards/table_colours.py",
        ),
        "Faces": (
            "cards/classify.py", "cards/comparison.py", "cards/contested.py", "cards/lead.py", "cards/own_print.py",
            "cards/plain_back.py", "cards/plain_header.py", "cards/lies_aside.py", "cards/picture_edge.py",
            "cards/similarity.py", "cards/cut_offset.py", "cards/equal_print.py", "cards/local_light.py",
            "cards/colour_errors.py", "cards/colour_kriging.py", "cards/signs.py",
        ),
        "Doubts": ("cards/calibration.py", "cards/strips.py", "tracking/reader.py"),
        "Following a table": (
            "tracking/motion_gate.py", "tracking/watched_area.py", "tracking/table_watcher.py", "tracking/misplaced.py",
            "tracking/obstacles.py",
        ),
        "Cameras": ("sources", "picture_file.py"),
        "Learning a deck": ("enrolment", "profile.py"),
    }
)  # fmt: skip
"""The stages of the page, each with its modules under `vision`. Sizes that are given from outside (`geometry/table.py`,
`geometry/bars.py`), the simulation and what only draws (`tracking/overlay.py`) are not meant."""
UNMEASURED: Final = ("Following a table", "Cameras", "Learning a deck")
"""Stages that single tables, read with a profile, do not show: they are told, and not changed one at a time."""
MEASURED: Final = tuple(part for stage, parts in STAGES.items() if stage not in UNMEASURED for part in parts)
"""Modules of the constants that are changed one at a time."""
TOLD: Final = tuple(part for parts in STAGES.values() for part in parts)
"""Modules whose constants the page tells."""
PAGE: Final = "docs/reader-constants.md"
KeptTable: TypeAlias = tuple[str, int, str]
"""A drawn table: the folder in which it was kept, its number there, and the folder of its deck's profile."""
_READ: Final = """
import json, sys
from pathlib import Path
import cv2, numpy as np
from engine.failure import Failure
from host.bench.drawn import kept
from host.bench.tables import row_of
from vision.profile import DeckProfile
from vision.tracking.reader import Reader
cv2.setNumThreads(1)
readers = {}
for line in sys.stdin:
    folder, index, deck = json.loads(line)
    row = None
    try:
        if deck not in readers:
            readers[deck] = Reader(DeckProfile.load(deck))
        row = row_of(index, kept(Path(folder), index), readers[deck], None)
    except (Failure, ArithmeticError, ValueError, IndexError, cv2.error, np.linalg.LinAlgError):
        pass
    print(json.dumps(row))
"""
"""Reads tables in a process of its own; prints each table's row, null where the program could not go on."""


_RANGES: Final = frozenset({"np", "tuple", "float", "range", "radians", "arange", "linspace", "geomspace", "exp"})
"""What ranges of numbers are written with."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A number, or some, that the reader goes by."""

    path: str
    """Of its module, under `vision`."""
    name: str
    value: str
    """As it is written."""
    plain: bool
    """It is a number, or a tuple of them, and can be changed by a factor; some are written as ranges or fields."""
    meaning: str
    """Its docstring, which says what it was chosen on where that was counted; empty where it has none."""
    start: int
    end: int
    """Where the value stands in the source, in characters."""

    @property
    def full_name(self) -> str:
        return f"{self.path.removesuffix('.py').replace('/', '.')}.{self.name}"


@dataclass(frozen=True, slots=True)
class ReadOutcome:
    """How some tables were read."""

    tables: int
    read: ReadingScore
    """Of those on which the program could go on."""
    loss: float
    """Nats that the cards' likelihoods cost in all: less is surer where it is right."""

    @property
    def failed(self) -> int:
        """Tables that were not read, for whatever reason."""
        return self.tables - self.read.tables + self.read.unread


def constants(root: Path, parts: Sequence[str] = TOLD) -> list[Constant]:
    """The reader's constants in the sources under `root`, in the order of `parts`: numbers, tuples of them, and what is
    made of nothing but numbers, declared `Final` at the top of a module."""
    found: list[Constant] = []
    for part in parts:
        at = root / "vision" / part
        for path in sorted(at.rglob("*.py")) if at.is_dir() else [at]:
            found += _of_module(path, str(path.relative_to(root / "vision")))
    return found


def _of_module(path: Path, name: str) -> list[Constant]:
    source = path.read_text(encoding="utf-8")
    body = ast.parse(source).body
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))

    def at(line: int, column: int) -> int:
        # Columns count bytes.
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    found: list[Constant] = []
    for node, after in zip(body, [*body[1:], None], strict=True):
        if not isinstance(node, ast.AnnAssign) or node.value is None or not isinstance(node.target, ast.Name):
            continue
        value = node.value
        plain = _numbers(value) is not None
        if "Final" not in ast.unparse(node.annotation) or not (plain or _of_numbers(value)):
            continue
        start = at(value.lineno, value.col_offset)
        end = at(value.end_lineno or value.lineno, value.end_col_offset or value.col_offset)
        found.append(Constant(name, node.target.id, ast.unparse(value), plain, _docstring(after), start, end))
    return found


def _numbers(value: ast.expr) -> tuple[float, ...] | None:
    """The numbers that are written there; None where it is something else."""
    try:
        read: object = ast.literal_eval(value)
    except ValueError:
        return None
    numbers = read if isinstance(read, tuple) else (read,)
    plain = all(isinstance(n, int | float) and not isinstance(n, bool) for n in numbers)
    return numbers if plain and numbers else None


def _of_numbers(value: ast.expr) -> bool:
    """Whether it is made of nothing but numbers: a range of them, a product, numbers by name."""
    inner = list(ast.walk(value))
    own = {n.id for n in inner if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    names = all(
        n.id in own or n.id in _RANGES or (n.id[:1].isupper() and not n.id.isupper())
        for n in inner
        if isinstance(n, ast.Name)
    )
    calls = all(n.attr in _RANGES for n in inner if isinstance(n, ast.Attribute))
    keys = {id(k) for n in inner if isinstance(n, ast.Dict) for k in n.keys}
    leaves = [n.value for n in inner if isinstance(n, ast.Constant) and id(n) not in keys]
    return bool(leaves) and names and calls and all(type(leaf) in (int, float) for leaf in leaves)


def _docstring(node: ast.stmt | None) -> str:
    if (
        not isinstance(node, ast.Expr)
        or not isinstance(node.value, ast.Constant)
        or not isinstance(node.value.value, str)
    ):
        return ""
    return " ".join(node.value.value.split()).rstrip(".;") + "."


def changed(source: str, constant: Constant, factor: float) -> str:
    """The source with that constant `factor` times as large; whole numbers stay whole and change by 1 at least."""
    value = ast.literal_eval(constant.value)
    numbers = value if isinstance(value, tuple) else (value,)
    scaled = [_scaled(n, factor) for n in numbers]
    text = repr(tuple(scaled)) if isinstance(value, tuple) else repr(scaled[0])
    return source[: constant.start] + text + source[constant.end :]


def _scaled(number: int | float, factor: float) -> int | float:
    if not isinstance(number, int):
        return number * factor
    moved = round(number * factor)
    return moved if moved != number or number == 0 else number + int(math.copysign(1, (factor - 1) * number))


def row(constant: Constant) -> str:
    """How a constant's line on the page begins: all of it that follows from the source."""
    return f"| `{constant.full_name}` | {constant.value} | {constant.meaning.replace('|', '/')} |"


def outcome(rows: Sequence[Row | None]) -> ReadOutcome:
    """What became of tables, from their rows; None for one on which the program could not go on."""
    there = [row for row in rows if row is not None]
    read = ReadingScore()
    for row in there:
        read.add(row)
    doubts = said_and_true(there)
    return ReadOutcome(len(rows), read, log_loss(doubts) * len(doubts))


def _constants(wish: Wish) -> Iterator[Measured]:
    with tempfile.TemporaryDirectory(prefix="allfronts-constants-") as made:
        folder = Path(made)
        tables = _drawn(wish, folder) if wish.pictures is None else _photographs(wish.pictures, folder)
        plain = outcome(_rows(ROOT, tables))
        yield Measured(float(plain.read.right_and_sure), plain.tables, "as-they-are/right-and-sure")
        yield from _each(folder, tables, plain, wish.processes)


def _drawn(wish: Wish, folder: Path) -> list[KeptTable]:
    """One table of each of so many cameras in rooms, kept in `folder`."""
    from host.bench.rooms import DECKS, draw_block, enrolled

    count = wish.tables or max(4, round(TABLES * wish.scale))
    tables: list[KeptTable] = []
    for block in range(count):
        deck = enrolled(wish.seed, block % DECKS, folder / "decks")
        sys.stderr.write(f"\rdrawing table {block + 1} of {count} ")
        sys.stderr.flush()
        if deck.profile is not None:
            keep(folder, block, next(draw_block(wish.seed, block, deck.deck, deck.design)))
            tables.append((str(folder), block, str(folder / "decks" / f"design-{deck.design}")))
    return tables


def _photographs(pictures: Path, folder: Path) -> list[KeptTable]:
    """All photographs with known answers of the decks under `pictures`, kept in `folder`. Raises `BadInput`
    (no-decks)."""
    from host.bench.photographed import answered, learnt, photographed
    from host.bench.rooms import each_told

    decks, tables = photographed(pictures), list[KeptTable]()
    for number in each_told(range(len(decks))):
        deck = decks[number]
        if learnt(deck, folder / "decks") is None:
            continue
        for table in answered(deck):
            keep(folder, len(tables), table.as_drawn(number))
            tables.append((str(folder), len(tables), str(folder / "decks" / deck.kept_as)))
    return tables


def _each(folder: Path, tables: Sequence[KeptTable], plain: ReadOutcome, processes: int) -> Iterator[Measured]:
    """The scores with each constant changed, so many `processes` at once; the page's table is written into
    `out/bench/constants.md`."""
    page = [
        f"As they are: {plain.read.right_and_sure} of {plain.tables} right and sure, "
        f"{plain.read.wrong_and_sure} wrong and sure, {plain.read.cards_right} cards right, {plain.loss:.1f} nats.\n",
        f"| constant | value | meaning | × {FACTORS[0]} | × {FACTORS[1]} |",
        "|---|---|---|---|---|",
    ]
    copies: SimpleQueue[Path] = SimpleQueue()
    for number in range(processes):
        sources = folder / f"sources-{number}"
        for package in ("engine", "vision"):
            shutil.copytree(ROOT / package, sources / package, ignore=shutil.ignore_patterns("__pycache__"))
        copies.put(sources)

    def read_changed(constant: Constant, changes: Sequence[str]) -> list[ReadOutcome]:
        sources = copies.get()
        path = sources / "vision" / constant.path
        try:
            found: list[ReadOutcome] = []
            for change in changes:
                path.write_text(change, encoding="utf-8")
                found.append(outcome(_rows(sources, tables)))
            return found
        finally:
            path.write_text(modules[constant.path], encoding="utf-8")
            copies.put(sources)

    known = [constant for constant in constants(ROOT, MEASURED) if constant.plain]
    modules = {path: (ROOT / "vision" / path).read_text(encoding="utf-8") for path in {one.path for one in known}}
    # Python's parser is not for two threads at once.
    changes = [[changed(modules[one.path], one, factor) for factor in FACTORS] for one in known]
    out = Path("out/bench/constants.md")
    out.parent.mkdir(parents=True, exist_ok=True)
    pool = ThreadPoolExecutor(processes)
    try:
        for number, (constant, found) in enumerate(zip(known, pool.map(read_changed, known, changes), strict=True)):
            sys.stderr.write(f"\rconstant {number + 1} of {len(known)} {constant.full_name:60}")
            sys.stderr.flush()
            for factor, read in zip(FACTORS, found, strict=True):
                more = read.read.right_and_sure - plain.read.right_and_sure
                yield Measured(float(more), plain.tables, f"{constant.full_name}/x{factor}")
            page.append(f"{row(constant)} {' | '.join(_difference(read, plain) for read in found)} |")
            out.write_text("\n".join(page) + "\n", encoding="utf-8")
    finally:
        # Who ends it waits for what is being read, and for no other constant.
        pool.shutdown(cancel_futures=True)
    sys.stderr.write(f"\r{' ' * 80}\rthe table: out/bench/constants.md\n")


def _difference(found: ReadOutcome, plain: ReadOutcome) -> str:
    if found.failed == found.tables:
        return "does not run"
    now, before = found.read, plain.read
    counts = (
        (now.right_and_sure - before.right_and_sure, "{:+d} sure"),
        (now.wrong_and_sure - before.wrong_and_sure, "**{:+d} wrong**"),
        (now.cards_right - before.cards_right, "{:+d} cards"),
    )
    words = [words.format(more) for more, words in counts if more]
    words += [f"{found.loss - plain.loss:+.1f} nats"] if abs(found.loss - plain.loss) >= 0.1 else []
    return ", ".join(words) or "="


def _rows(sources: Path, tables: Sequence[KeptTable]) -> list[Row | None]:
    """The tables' rows, as the sources in that folder read them."""
    ended = subprocess.run(
        [sys.executable, "-B", "-c", f"import sys; sys.path.insert(0, {str(sources)!r})\n{_READ}"],
        input="".join(json.dumps(table) + "\n" for table in tables),
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False,
    )  # fmt: skip
    rows: list[Row | None] = [json.loads(line) for line in ended.stdout.splitlines()]
    # A change that the program cannot begin with fails on all tables.
    return rows + [None] * (len(tables) - len(rows))


FIGURES: Final = (
    Figure(
        "reader.constants",
        "tables",
        "right and sure tables more or fewer with each of the reader's constants × 0.8 and × 1.25; takes an hour",
        at_length=_constants,
    ),
)

__all__ = ["FIGURES", "Constant", "ReadOutcome", "changed", "constants", "outcome", "row"]
