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
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.places import place_text
from host.bench.figure import Figure, Measured, Wish

TABLES: Final = 39
"""Three of each kind of room."""
FACTORS: Final = (0.8, 1.25)
MEASURED: Final = (
    "cards", "boards", "geometry/light.py", "geometry/registration.py", "geometry/pose.py", "geometry/align.py",
    "geometry/rectangle.py", "geometry/rectify.py", "tracking/reader.py",
)  # fmt: skip
"""Where the reader's constants stand, under `vision`. Sizes that are given from outside (`geometry/table.py`) are not
meant."""
PAGE: Final = "docs/reader-constants.md"
_READ: Final = """
import json, sys
import cv2, numpy as np
from engine.places import PLACES, place_text
from engine.failure import Failure
from vision.profile import DeckProfile
from vision.tracking.reader import Reader
cv2.setNumThreads(1)
readers = {}
for line in sys.stdin:
    table = json.loads(line)
    deck = table["deck"]
    try:
        if deck not in readers:
            readers[deck] = Reader(DeckProfile.load(deck))
        sight = readers[deck].read(np.asarray(cv2.imread(table["image"]), np.uint8)).sight
    except (Failure, ArithmeticError, ValueError, IndexError, cv2.error, np.linalg.LinAlgError) as failure:
        print(json.dumps({"failed": str(failure)[:80]}))
        continue
    stacks = {place_text(p): [[c.read, c.p] for c in sight.stacks[p]] for p in PLACES}
    print(json.dumps({"sure": sight.sure, "order": sight.order, "stacks": stacks}))
"""


@dataclass(frozen=True, slots=True)
class Constant:
    """A number, or some, that the reader goes by."""

    path: str
    """Of its module, under `vision`."""
    name: str
    value: str
    """As it is written."""
    meaning: str
    """The first sentence of its docstring; empty where it has none."""
    start: int
    end: int
    """Where the value stands in the source, in characters."""

    @property
    def full_name(self) -> str:
        return f"{self.path.removesuffix('.py').replace('/', '.')}.{self.name}"


@dataclass(frozen=True, slots=True)
class Score:
    """How some tables were read."""

    tables: int
    sure: int
    """Right and sure."""
    wrong: int
    """Wrong and sure."""
    cards: int
    """Right in their places."""
    failed: int
    """Tables on which the program ended in a failure, or found no table."""
    loss: float
    """Nats that the cards' likelihoods cost in all, of cards that were read: less is surer where it is right."""


def constants(root: Path) -> list[Constant]:
    """The reader's constants in the sources under `root`, in their order: numbers, and tuples of them, declared
    `Final` at the top of a module."""
    found: list[Constant] = []
    for part in MEASURED:
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
        if "Final" not in ast.unparse(node.annotation) or _numbers(node.value) is None:
            continue
        value = node.value
        start = at(value.lineno, value.col_offset)
        end = at(value.end_lineno or value.lineno, value.end_col_offset or value.col_offset)
        found.append(Constant(name, node.target.id, ast.unparse(value), _sentence(after), start, end))
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


def _sentence(node: ast.stmt | None) -> str:
    if (
        not isinstance(node, ast.Expr)
        or not isinstance(node.value, ast.Constant)
        or not isinstance(node.value.value, str)
    ):
        return ""
    text = " ".join(node.value.value.split())
    return text.split(". ")[0].rstrip(".") + "."


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


def score(answers: Sequence[Mapping[str, Any]], truths: Sequence[Mapping[str, Any]]) -> Score:
    """The answers of the reading process, held against what lay there."""
    sure = wrong = cards = failed = 0
    loss = 0.0
    for answer, truth in zip(answers, truths, strict=True):
        if "failed" in answer:
            failed += 1
            continue
        right = list(answer["order"] or ()) == truth["order"]
        for place, lies in truth["stacks"].items():
            seen = answer["stacks"][place]
            hits = [k < len(lies) and face == lies[k] for k, (face, _) in enumerate(seen)]
            cards += sum(hits)
            right = right and len(lies) == len(seen) == sum(hits)
            loss += sum(-math.log(max(p if hit else 1 - p, 1e-3)) for hit, (_, p) in zip(hits, seen, strict=True))
        sure += right and answer["sure"]
        wrong += answer["sure"] and not right
    return Score(len(truths), sure, wrong, cards, failed, loss)


def _constants(wish: Wish) -> Iterator[Measured]:
    from host.bench.rooms import DECKS, draw_block, enrolled

    root = Path(__file__).parents[2]
    count = wish.tables or max(4, round(TABLES * wish.scale))
    with tempfile.TemporaryDirectory(prefix="allfronts-constants-") as made:
        folder = Path(made)
        truths: list[dict[str, Any]] = []
        for block in range(count):
            deck = enrolled(wish.seed, block % DECKS, folder / "decks")
            sys.stderr.write(f"\rdrawing table {block + 1} of {count} ")
            sys.stderr.flush()
            if deck.profile is None:
                continue
            drawn = next(draw_block(wish.seed, block, deck.deck, deck.design))
            image = folder / f"{block}.jpg"
            image.write_bytes(drawn.file)
            stacks = {place_text(place): list(lies) for place, lies in drawn.truth.items()}
            kept = str(folder / "decks" / f"design-{deck.design}")
            truths.append({"image": str(image), "deck": kept, "order": list(drawn.order), "stacks": stacks})
        plain = score(_answers(root, truths), truths)
        yield Measured(float(plain.sure), plain.tables, "as-they-are/right-and-sure")
        yield from _each(root, folder, truths, plain)


def _each(root: Path, folder: Path, truths: list[dict[str, Any]], plain: Score) -> Iterator[Measured]:
    """The scores with each constant changed; the page's table is written into `out/bench/constants.md`."""
    page = [
        f"As they are: {plain.sure} of {plain.tables} right and sure, {plain.wrong} wrong and sure, "
        f"{plain.cards} cards right, {plain.loss:.1f} nats.\n",
        f"| constant | value | meaning | × {FACTORS[0]} | × {FACTORS[1]} |",
        "|---|---|---|---|---|",
    ]
    sources = folder / "sources"
    sources.mkdir()
    for package in ("engine", "vision"):
        shutil.copytree(root / package, sources / package, ignore=shutil.ignore_patterns("__pycache__"))
    known = constants(root)
    for number, constant in enumerate(known):
        sys.stderr.write(f"\rconstant {number + 1} of {len(known)} {constant.full_name:60}")
        sys.stderr.flush()
        path = sources / "vision" / constant.path
        kept = path.read_text(encoding="utf-8")
        cells: list[str] = []
        for factor in FACTORS:
            path.write_text(changed(kept, constant, factor), encoding="utf-8")
            found = score(_answers(sources, truths), truths)
            cells.append(_difference(found, plain))
            yield Measured(float(found.sure - plain.sure), plain.tables, f"{constant.full_name}/x{factor}")
        path.write_text(kept, encoding="utf-8")
        page.append(f"{row(constant)} {cells[0]} | {cells[1]} |")
        out = Path("out/bench/constants.md")
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text("\n".join(page) + "\n", encoding="utf-8")
    sys.stderr.write(f"\r{' ' * 80}\rthe table: out/bench/constants.md\n")


def _difference(found: Score, plain: Score) -> str:
    if found.failed == found.tables:
        return "does not run"
    words = [f"{found.sure - plain.sure:+d} sure"] if found.sure != plain.sure else []
    words += [f"**{found.wrong - plain.wrong:+d} wrong**"] if found.wrong != plain.wrong else []
    words += [f"{found.cards - plain.cards:+d} cards"] if found.cards != plain.cards else []
    words += [f"{found.loss - plain.loss:+.1f} nats"] if abs(found.loss - plain.loss) >= 0.1 else []
    return ", ".join(words) or "="


def _answers(sources: Path, truths: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    lines = "".join(json.dumps({"image": t["image"], "deck": t["deck"]}) + "\n" for t in truths)
    ended = subprocess.run(
        [sys.executable, "-B", "-c", f"import sys; sys.path.insert(0, {str(sources)!r})\n{_READ}"],
        input=lines, capture_output=True, text=True, check=False,
    )  # fmt: skip
    answers = [json.loads(line) for line in ended.stdout.splitlines()]
    # A change that the program cannot begin with fails on all tables.
    failed = {"failed": ended.stderr.strip().splitlines()[-1][:80] if ended.stderr.strip() else ""}
    return answers + [failed] * (len(truths) - len(answers))


FIGURES: Final = (
    Figure(
        "reader.constants",
        "tables",
        "right and sure tables more or fewer with each of the reader's constants × 0.8 and × 1.25; takes an hour",
        at_length=_constants,
    ),
)

__all__ = ["FIGURES", "Constant", "Score", "changed", "constants", "row", "score"]
