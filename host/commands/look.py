"""`allfronts look`: read one table from a picture (docs/contracts.md, section 3.3)."""

from __future__ import annotations

import argparse
import functools
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.failure import Failure
from engine.names import CARDS, FACE_DOWN, Face
from host.cli import EXIT_DONE, EXIT_NO
from host.commands.empty_picture import add_empty, learn_empty_picture
from host.file_there import is_there
from host.messages import say
from host.messages.command_text import CommandRefusal

if TYPE_CHECKING:
    from engine.sight import Sight
    from vision.tracking.obstacles import Obstacle
    from vision.tracking.reader import TableReading
    from vision.types import Picture

OBSTACLES = ("foreign", "board-missing")
"""Notes that what is in the way says better."""
CERTAIN = 0.99
"""A card at least this likely is not worth a line among the doubts."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("images", nargs="+", metavar="IMAGE", help="photographs of the table")
    parser.add_argument("--deck", required=True, metavar="DIR", help="the deck's profile, made by enrol")
    add_empty(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--show", action="store_true", help="draw what was read, into IMAGE-seen.png beside the image")
    parser.add_argument("--out", metavar="PNG", help="draw it into this file instead; one image only")


def run(args: argparse.Namespace) -> int:
    """Reads each image; 1 if any could not be read. Raises `BadInput` for a missing or spoilt deck, and as
    `learn_empty_picture` does."""
    from host.settings import load_settings
    from vision.picture_file import open_picture
    from vision.profile import DeckProfile
    from vision.tracking.obstacles import obstacles
    from vision.tracking.reader import Reader

    if args.out and len(args.images) > 1:
        raise CommandRefusal("usage", "out-one")
    if args.out and is_there(args.out):
        raise CommandRefusal("file-exists", "file-exists", path=args.out)
    language = load_settings().language
    reader = Reader(DeckProfile.load(args.deck))
    if args.empty is not None:
        learn_empty_picture(reader, args.empty)
    status = EXIT_DONE
    for name in args.images:
        try:
            picture = open_picture(name)
            started = time.perf_counter()
            reading = reader.read(picture)
            ms = (time.perf_counter() - started) * 1e3
        except Failure as failure:
            status = EXIT_NO
            if args.json:
                # One code for every image that gave no table (contracts); `reason` says which failure it was.
                error = {"code": "no-table", "reason": failure.code, "message": str(failure)}
                _print(json.dumps({"image": name, "error": error}, ensure_ascii=False))
            else:
                # Of a file that is none, the message names it already.
                told = str(failure)
                _print(told if told.startswith(f"{name} ") else f"{name}: {told}")
            continue
        drawn = bool(args.show or args.out)
        in_the_way = obstacles(picture, reading) if drawn or not args.json else ()
        if drawn:
            path = Path(args.out) if args.out else Path(name).with_name(f"{Path(name).stem}-seen.png")
            _draw(picture, reading, in_the_way, path)
            sys.stderr.write(say(language, "terminal", "drawn", {"path": str(path)}) + "\n")
        if args.json:
            _print(json.dumps(as_row(name, reading, ms), ensure_ascii=False))
        else:
            _print(as_text(name, reading.sight, language, in_the_way, args.empty is not None))
    return status


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")


def _draw(picture: Picture, reading: TableReading, in_the_way: Sequence[Obstacle], path: Path) -> None:
    import cv2

    from vision.tracking.overlay import draw

    ok, data = cv2.imencode(".png", draw(picture, reading, in_the_way))
    try:
        if ok:
            path.write_bytes(bytes(data))
    except OSError as error:
        raise CommandRefusal("not-written", "not-written-out", path=path, error=error.strerror) from error


def as_row(name: str, reading: TableReading, ms: float) -> dict[str, object]:
    """The JSON object of one image (docs/contracts.md, section 3.3)."""
    sight = reading.sight
    doubts: list[dict[str, object]] = []
    stacks: dict[str, dict[str, list[str]]] = {}
    for (theater, seat), cards in sight.stacks.items():
        stacks.setdefault(theater, {})[seat] = [c.read for c in cards]
        for k, card in enumerate(cards):
            if card.p < CERTAIN:
                doubt: dict[str, object] = {"at": f"{theater}/{seat}/{k}", "read": card.read, "p": round(card.p, 3)}
                if card.others:
                    doubt["or"] = card.others[0][0]
                doubts.append(doubt)
    row: dict[str, object] = {
        "image": name,
        "order": "".join(sight.order) if sight.order else None,
        "stacks": stacks,
        "sure": sight.sure,
        "doubts": doubts,
        "ms": round(ms, 1),
    }
    if sight.notes:
        row["notes"] = [{"at": n.at, "code": n.code} for n in sight.notes]
    return row


def as_text(
    name: str, sight: Sight, language: str = "en", in_the_way: Sequence[Obstacle] = (), empty_known: bool = True
) -> str:
    """One table in words, for a person, with what is in the way of reading it and how to mend that. `empty_known`: how
    the table looks with no card on it was shown."""

    # Whoever asks for help need not wait for the reader.
    from host.app.obstacles_shown import obstacle_shown

    def word(code: str, **parts: str | int) -> str:
        return say(language, "terminal", code, parts)

    order = ", ".join(say(language, "theater", theater) for theater in sight.order or ())
    sure = word("sure" if sight.sure else "not-sure")
    lines = [f"{name}: {word('boards' if order else 'no-boards', order=order, sure=sure)}"]
    for (theater, seat), cards in sight.stacks.items():
        if cards:
            named = ", ".join(_card(card.read, card.p, language) for card in cards)
            lines.append("  " + word("stack", theater=theater, seat=seat, cards=named))
    notes = [note for note in sight.notes if not (in_the_way and note.code in OBSTACLES)]
    lines += ["  " + _note(note.code, note.at, language) for note in notes]
    shown = map(obstacle_shown, in_the_way)
    may_be_mat = not empty_known and any(one.may_be_mat for one in in_the_way)
    lines += ["  " + say(language, "obstacle", one.code, one.parts) for one in shown]
    if may_be_mat:
        lines.append("  " + word("empty-hint"))
    return "\n".join(lines)


def _card(face: Face, p: float, language: str) -> str:
    """A card as people call it; one that is in doubt is marked."""
    if face == FACE_DOWN:
        named = say(language, "terminal", "face-down")
    elif face in _named_alike(language):
        # Such as the three Maneuvers: the strength is the same, too.
        named = say(language, "card", face)
    else:
        named = say(language, "terminal", "card", {"name": say(language, "card-name", face), "strength": face[1:]})
    return named if p >= CERTAIN else say(language, "terminal", "in-doubt", {"card": named})


@functools.cache
def _named_alike(language: str) -> frozenset[Face]:
    """The cards whose name another card has as well."""
    names = {face: say(language, "card-name", face) for face in CARDS}
    return frozenset(face for face, name in names.items() if list(names.values()).count(name) > 1)


def _note(code: str, at: str, language: str) -> str:
    """What is not as it should be, and where: `at` is a theater, a side of it or a card of that side."""
    theater, _, rest = at.partition("/")
    seat, _, number = rest.partition("/")
    parts: dict[str, str | int] = {"theater": theater, "seat": seat}
    if number.isdecimal():
        parts["n"] = int(number) + 1
    where = say(language, "terminal", "place-card" if "n" in parts else "place", parts) if seat else ""
    if not at:
        code += "-all"
    return say(language, "terminal", f"note-{code}", parts | {"where": where})
