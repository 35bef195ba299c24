"""Reading at scale: simulated tables over decks, light, tilt, overlap and noise, read one after the other.

Each table's result is a line in a file, so that a run that was stopped goes on where it was; the file's name changes
with the reader's code. Pictures are simulated: `host.bench.drawn` says what is on them.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine.failure import Failure
from engine.names import Face
from engine.places import PLACES, Place, place_text
from engine.sight import Sight
from host.bench.drawn import Drawn, DrawnOrder, Truth, art_digest, draw, learnt, which
from host.bench.figure import Figure, Measured, Wish
from host.bench.reliability import draw_curve, summary
from host.bench.scores import Row, ScoresByPart, as_table, by_condition

if TYPE_CHECKING:
    from vision.tracking.reader import Reader, TableReading

TABLES: Final = 160
"""Tables of a run for which no number is given; the full run has 2,000."""
OUT: Final = Path("out")
FACES_KEPT: Final = 6


@dataclass(frozen=True, slots=True)
class Job:
    """What a process needs to know."""

    seed: int
    pictures: Path | None
    decks: Path | None
    keep: Path | None
    always: bool
    """Keep the pictures of all tables, not only of those that were not right and sure."""


def table_row(truth: Truth, order: DrawnOrder, sight: Sight | None) -> dict[str, Any]:
    """One table's counts: a card is right in its place of its stack; cards read too many count as wrong ones."""
    cards = cards_right = 0
    right = sight is not None and sight.order == order
    for place in PLACES:
        lies, seen = truth.get(place, ()), () if sight is None else sight.stacks.get(place, ())
        cards += max(len(lies), len(seen))
        found = sum(k < len(lies) and card.read == lies[k] for k, card in enumerate(seen))
        cards_right += found
        right = right and len(lies) == len(seen) == found
    return {"right": right, "sure": sight is not None and sight.sure, "cards": cards, "cards_right": cards_right}


def row_of(index: int, drawn: Drawn, reader: Reader, keep: Path | None, always: bool = False) -> dict[str, Any]:
    """Reads the drawn table `index`: a line of the result file. Its picture goes into the folder `keep` where it was
    not read right and sure, or `always`."""
    import cv2
    import numpy as np

    image = np.asarray(cv2.imdecode(np.frombuffer(drawn.file, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    reading: TableReading | None = None
    started, used = time.perf_counter(), time.process_time()
    with contextlib.suppress(Failure):
        reading = reader.read(image)
    ms, cpu = 1000 * (time.perf_counter() - started), 1000 * (time.process_time() - used)
    sight = None if reading is None else reading.sight
    row: dict[str, Any] = {"table": index, **table_row(drawn.truth, drawn.order, sight), "facts": asdict(drawn.facts)}
    row |= {"ms": round(ms, 1), "cpu_ms": round(cpu, 1), "stages": {}, "seen": None, "doubts": []}
    if reading is not None and sight is not None:
        row["stages"] = {name: round(value, 2) for name, value in reading.timings.items()}
        row["order"] = "".join(sight.order or ()) == "".join(drawn.order)
        row["notes"] = [f"{note.code} {note.at}" for note in sight.notes]
        row["seen"] = {_at(place): [[c.read, round(c.p, 5)] for c in sight.stacks[place]] for place in PLACES}
        row["columns"] = {
            _at(place): [round(c.margin, 2), round(c.cost, 1), c.foreign, c.hidden]
            for place, c in reading.columns.items()
        }
        row["doubts"] = measured(reading, drawn.truth)
    row["truth"] = {_at(place): list(stack) for place, stack in drawn.truth.items()}
    if keep is not None and (always or not (row["right"] and row["sure"])):
        _keep(keep, row, drawn, image, reading)
    return row


def measured(reading: TableReading, truth: Truth) -> list[list[Any]]:
    """Of each card that was seen: what lies there, whether its stack has the right number of cards, match of print,
    nats by face, error of hue and mm that show. That is what `host.bench.doubt_fit` needs."""
    from vision.cards.calibration import weigh

    found: list[list[Any]] = []
    weighed, _ = weigh(reading.columns)
    for place, stack in weighed.items():
        lies = truth.get(place, ())
        for k, card in enumerate(stack):
            is_: Face | None = lies[k] if k < len(lies) else None
            best = sorted(card.faces, key=card.faces.__getitem__)[:FACES_KEPT]
            nats = {face: round(card.faces[face], 3) for face in best}
            judged = reading.columns[place].cards[k]
            more = {"hue": round(judged.hue_error, 3), "visible": round(judged.visible, 1)}
            found.append([is_, len(lies) == len(stack), round(card.match, 4), nats, more])
    return found


def _at(place: Place) -> str:
    return place_text(place)


def _keep(folder: Path, row: Row, drawn: Drawn, image: Any, reading: TableReading | None) -> None:
    """The picture, the same with what was read drawn over it, and what was there and what was read."""
    import cv2

    from vision.tracking.overlay import draw as overlay

    what = "right-and-sure" if row["right"] and row["sure"] else "unsure" if not row["sure"] else "wrong-and-sure"
    if what == "unsure":
        what = "unsure-right" if row["right"] else "unsure-wrong"
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{what}-{row['table']:05}-{drawn.facts.kind}-{drawn.facts.look}"
    (folder / f"{name}.jpg").write_bytes(drawn.file)
    shown = image if reading is None else overlay(image, reading)
    (folder / f"{name}-seen.png").write_bytes(bytes(cv2.imencode(".png", shown)[1]))
    (folder / f"{name}.json").write_text(json.dumps({k: v for k, v in row.items() if k != "doubts"}, indent=1))


_READERS: Final[dict[tuple[str, int], Any]] = {}


def _work(task: tuple[Job, int]) -> dict[str, Any]:
    import cv2

    from vision.tracking.reader import Reader

    job, index = task
    cv2.setNumThreads(1)
    _, look, number = which(index)
    if (look, number) not in _READERS:
        _READERS[look, number] = Reader(learnt(look, number, job.decks))
    drawn = draw(job.seed, index, job.pictures)
    return row_of(index, drawn, _READERS[look, number], job.keep, job.always)


def _rows(job: Job, wanted: Iterable[int], processes: int) -> Iterator[dict[str, Any]]:
    tasks = [(job, index) for index in wanted]
    if processes <= 1:
        yield from map(_work, tasks)
        return
    # One OpenBLAS thread each, as the reader itself asks for; set here because children import numpy first.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap_unordered(_work, tasks, chunksize=4)


def reader_digest() -> str:
    """Changes with whatever reads the tables, and with what is written down of them."""
    import vision

    digest = hashlib.sha256(Path(__file__).read_bytes())
    for path in sorted(Path(vision.__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:10]


def run(wish: Wish) -> list[dict[str, Any]]:
    """The wanted tables' rows; those that an earlier run of the same code has read are not read again."""
    count = wish.tables or max(8, round(TABLES * wish.scale))
    wanted = sorted(wish.only) if wish.only else list(range(count))
    art, code = art_digest(), reader_digest()
    pictures = None if wish.pictures is None else wish.pictures / f"tables-{wish.seed}-{art}"
    decks = OUT / "bench" / f"decks-{art}-{code}"
    path = OUT / "bench" / f"tables-{wish.seed}-{art}-{code}.jsonl"

    def read(todo: Collection[int]) -> Iterator[dict[str, Any]]:
        # Decks first: the processes then share them.
        for look, number in sorted({which(index)[1:] for index in todo}):
            learnt(look, number, decks)
        return _rows(Job(wish.seed, pictures, decks, wish.keep, bool(wish.only)), todo, wish.processes)

    return wanted_rows(wish, path, wanted, read)


def wanted_rows(
    wish: Wish, path: Path, wanted: Sequence[int], read: Callable[[Collection[int]], Iterator[dict[str, Any]]]
) -> list[dict[str, Any]]:
    """The rows of the `wanted` tables: those that an earlier run has written into `path`, and those of `read` for the
    others, which are added to the file line by line. What is to be kept as pictures is read again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = read_before(path)
    # In their order, and quick to look up.
    todo = dict.fromkeys(index for index in wanted if index not in rows or (wish.only and wish.keep))
    reading = read(todo.keys())
    show = TableProgress(len(wanted), [rows[index] for index in wanted if index not in todo])
    with path.open("a", encoding="utf-8") as file:
        for row in reading:
            rows[row["table"]] = row
            file.write(json.dumps(row) + "\n")
            file.flush()
            show.one(row)
    show.end()
    return [rows[index] for index in wanted]


def read_before(path: Path) -> dict[int, dict[str, Any]]:
    rows: dict[int, dict[str, Any]] = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            # A run that was killed leaves half a line.
            with contextlib.suppress(json.JSONDecodeError):
                row = json.loads(line)
                rows[row["table"]] = row
    return rows


class TableProgress:
    """One line on standard error that says how far it is; a table that is wrong and sure is told at once."""

    def __init__(self, count: int, before: list[dict[str, Any]]) -> None:
        self._count, self._done, self._before = count, len(before), len(before)
        self._sure = sum(row["right"] and row["sure"] for row in before)
        self._wrong = sum(not row["right"] and row["sure"] for row in before)
        self._started = self._told = time.monotonic()
        if before:
            sys.stderr.write(f"{len(before)} of {count} tables were read before\n")

    def one(self, row: Row) -> None:
        self._done += 1
        self._sure += row["right"] and row["sure"]
        if row["sure"] and not row["right"]:
            self._wrong += 1
            sys.stderr.write(f"\rtable {row['table']} is read wrong and sure ({row['facts']['kind']})          \n")
        now = time.monotonic()
        if now - self._told > 2:
            self._told = now
            left = (now - self._started) / (self._done - self._before) * (self._count - self._done)
            sys.stderr.write(
                f"\r{self._done} of {self._count} tables, {self._sure} right and sure, {self._wrong} wrong and sure, "
                f"{left / 60:.1f} min to go  "
            )
            sys.stderr.flush()

    def end(self) -> None:
        sys.stderr.write(f"\r{self._done} of {self._count} tables.{' ' * 60}\n")


def _tables(wish: Wish) -> Iterator[Measured]:
    rows = run(wish)
    scores = by_condition(rows)
    yield from measured_scores(scores)
    said = summary(rows)
    for name, value in said.items():
        yield Measured(value, len(rows), f"doubts/{name}")
    for name in sorted({stage for row in rows for stage in row["stages"]}):
        taken = sorted(row["stages"].get(name, 0.0) for row in rows)
        yield Measured(taken[len(taken) // 2], len(taken), f"time/{name}-ms")
    draw_curve(rows, OUT / "reliability.png")
    write_report(OUT / "bench" / "tables.json", wish.seed, rows, scores, {"doubts": said})
    sys.stderr.write(f"the curve: {OUT / 'reliability.png'}\n")


def measured_scores(scores: ScoresByPart) -> Iterator[Measured]:
    """Three figures for each part of each condition."""
    for axis, parts in scores.items():
        for part, s in parts.items():
            name = "all" if axis == "all" else f"{axis}/{part}"
            yield Measured(100 * s.cards_right / max(1, s.cards), s.cards, f"{name}/cards-right-%")
            yield Measured(100 * s.right_and_sure / max(1, s.tables), s.tables, f"{name}/tables-right-and-sure-%")
            yield Measured(float(s.wrong_and_sure), s.tables, f"{name}/tables-wrong-and-sure")


def write_report(path: Path, seed: int, rows: Iterable[Row], scores: ScoresByPart, more: Mapping[str, object]) -> None:
    """Writes the scores, `more` and each table that was not read right and sure into a JSON file, and tells on standard
    error as much of it as can be read there; what is wrong and sure comes first."""
    amiss = [_amiss_line(row) for row in rows if not (row["right"] and row["sure"])]
    amiss.sort(key=lambda line: not line.startswith("WRONG"))
    conditions = {axis: {part: asdict(s) for part, s in parts.items()} for axis, parts in scores.items()}
    path.write_text(json.dumps({"seed": seed, "conditions": conditions, **more, "amiss": amiss}, indent=1))
    sys.stderr.write(as_table(scores) + "\n\n" + "\n".join(amiss[:60]) + f"\nall of it: {path}\n")


def _amiss_line(row: Row) -> str:
    """One line on a table that was not read right and sure."""
    facts = row["facts"]
    word = "WRONG AND SURE" if row["sure"] else "unsure, right" if row["right"] else "unsure, wrong"
    seen = row["seen"] or {}
    differs = [
        f"{at} {' '.join(lies) or 'empty'} read {' '.join(face for face, _ in seen.get(at, [])) or 'empty'}"
        for at, lies in row["truth"].items()
        if [face for face, _ in seen.get(at, [])] != lies
    ]
    doubts = "no table found" if row["seen"] is None else ", ".join(row["notes"])
    return (
        f"{word}: table {row['table']} ({facts['kind']}, {facts['look']}, {facts['scale']:.1f} px/mm, strip "
        f"{facts['strip']:.0f}, print left {facts['left']:.2f}): {'; '.join(differs) or 'all right'} [{doubts}]"
    )


FIGURES: Final = (
    Figure(
        "reader.tables",
        "",
        "simulated tables by condition: cards right, tables right and sure, wrong and sure; --tables 2000 for all",
        at_length=_tables,
    ),
)
