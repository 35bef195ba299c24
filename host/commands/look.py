"""`allfronts look`: read one table from a picture (docs/contracts.md, section 3.3)."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from engine.failure import BadInput, Failure
from host.cli import EXIT_DONE, EXIT_NO

if TYPE_CHECKING:
    from engine.sight import Sight
    from vision.tracking.reader import TableReading

CERTAIN = 0.99
"""A card at least this likely is not worth a line among the doubts."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("images", nargs="+", metavar="IMAGE", help="photographs of the table")
    parser.add_argument("--deck", required=True, metavar="DIR", help="the deck's profile, made by enrol")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument(
        "--show",
        metavar="PNG",
        nargs="?",
        const="",
        help="draw what was read; into PNG, or IMAGE-seen.png in this folder",
    )


def run(args: argparse.Namespace) -> int:
    """Reads each image; 1 if any could not be read. Raises `BadInput` for a missing or spoilt deck."""
    from vision.picture_file import open_picture
    from vision.profile import DeckProfile
    from vision.tracking.reader import Reader

    if args.show and len(args.images) > 1:
        raise BadInput("usage", "--show PNG takes one image.", "Leave out the name to get one picture for each image.")
    reader = Reader(DeckProfile.load(args.deck))
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
                _print(f"{name}: {failure}")
            continue
        if args.show is not None:
            _draw(picture, reading, Path(args.show or f"{Path(name).stem}-seen.png"))
        _print(json.dumps(as_row(name, reading, ms), ensure_ascii=False) if args.json else as_text(name, reading.sight))
    return status


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")


def _draw(picture: object, reading: TableReading, path: Path) -> None:
    import cv2

    from vision.picture_file import as_picture
    from vision.tracking.overlay import draw

    ok, data = cv2.imencode(".png", draw(as_picture(picture), reading))
    try:
        if ok:
            path.write_bytes(bytes(data))
    except OSError as error:
        raise BadInput("not-written", f"{path} cannot be written: {error.strerror}.", "Give another name.") from error
    sys.stderr.write(f"drawn: {path}\n")


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


def as_text(name: str, sight: Sight) -> str:
    """One table in words, for a person."""
    lines = [
        f"{name}: boards {''.join(sight.order) if sight.order else 'unknown'}, {'sure' if sight.sure else 'not sure'}"
    ]
    for (theater, seat), cards in sight.stacks.items():
        if cards:
            named = " ".join(("back" if c.read == "-" else c.read) + ("" if c.p >= CERTAIN else "?") for c in cards)
            lines.append(f"  {theater} {seat}: {named}")
    lines += [f"  note: {n.code} {n.at}".rstrip() for n in sight.notes]
    return "\n".join(lines)
