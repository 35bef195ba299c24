"""`allfronts bench`: measure on this machine. Slow on purpose; none of it runs in the tests."""

from __future__ import annotations

import argparse
import fnmatch
import importlib
import json
import pkgutil
import sys
from pathlib import Path
from typing import Final

import host.bench
from engine.failure import BadInput
from host.bench.figure import Figure, Wish

MOST: Final = 1_000_000_000
"""The largest number that an option takes: larger ones are no count of tables, and too long for a file's name."""


def figures() -> list[Figure]:
    """Every figure of every module in `host.bench`, by name."""
    found: list[Figure] = []
    for module in pkgutil.iter_modules(host.bench.__path__):
        found += getattr(importlib.import_module(f"host.bench.{module.name}"), "FIGURES", ())
    return sorted(found, key=lambda figure: figure.name)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help="only figures whose name or group matches, * allowed")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--list", action="store_true", help="list the figures and what each is")
    parser.add_argument(
        "--scale", type=float, default=1.0, help="share of the full counts, for a quick look (default 1)"
    )
    tables = parser.add_argument_group(
        "reader.tables, reader.rooms, reader.photographed, reader.false-cards and reader.doubts"
    )
    tables.add_argument("--tables", type=int, metavar="N", help="read N tables (the full run has 2000, of rooms 5000)")
    tables.add_argument("--seed", type=int, default=1, metavar="N", help="which tables (default 1)")
    tables.add_argument("--processes", type=int, default=1, metavar="N", help="how many at once (default 1)")
    tables.add_argument("--only", metavar="N,N,…", default="", help="only these tables, and keep all their pictures")
    tables.add_argument(
        "--keep", type=Path, metavar="DIR", help="keep pictures there of tables that are not right and sure"
    )
    tables.add_argument(
        "--pictures",
        type=Path,
        metavar="DIR",
        help="keep drawn pictures there: the next run need not draw them; of reader.photographed, "
        "reader.constants and referee.confusion: photographs of decks, a folder each",
    )


def _wish(args: argparse.Namespace) -> Wish:
    if not 0 < args.scale <= 1:
        raise BadInput("bad-scale", f"--scale {args.scale} is out of range.", "Give a number above 0 and up to 1.")
    if min(1 if args.tables is None else args.tables, args.processes) < 1 or args.seed < 0:
        raise BadInput("usage", "--tables and --processes count from 1, --seed from 0.", "Give a larger number.")
    if max(args.tables or 0, args.processes, args.seed) > MOST:
        raise BadInput("usage", f"--tables, --processes and --seed go up to {MOST}.", "Give a smaller number.")
    try:
        only = tuple(int(word) for word in args.only.split(",") if word)
        if min(only, default=0) < 0:
            raise ValueError("tables count from 0")
    except ValueError:
        raise BadInput("usage", f"--only {args.only} is no list of tables.", "Write numbers: --only 17,33.") from None
    return Wish(args.scale, args.tables, args.seed, args.processes, only, args.keep, args.pictures)


def _named(figure: Figure, name: str) -> bool:
    return fnmatch.fnmatch(figure.name, name) or figure.name.startswith(f"{name}.")


def run(args: argparse.Namespace) -> int:
    """Prints one line a figure; raises `BadInput` for a name that matches none."""
    wish = _wish(args)
    known = figures()
    chosen = [f for f in known if not args.names or any(_named(f, name) for name in args.names)]
    if not chosen:
        raise BadInput("no-figure", "No figure has that name.", "./allfronts bench --list names them all.")
    for figure in chosen:
        if args.list:
            line = {"name": figure.name, "unit": figure.unit, "what": figure.what}
            sys.stdout.write(
                (json.dumps(line) if args.json else f"{figure.name:28} {figure.unit:9}  {figure.what}") + "\n"
            )
            continue
        if not args.json:
            sys.stderr.write(f"measuring {figure.name} …\n")
        for m in figure.measured(wish):
            name = f"{figure.name}/{m.part}" if m.part else figure.name
            row = {"name": name, "value": m.value, "unit": figure.unit, "n": m.n}
            sys.stdout.write(
                (json.dumps(row) if args.json else f"{name:44} {m.value:12.4g} {figure.unit}  (n {m.n})") + "\n"
            )
            sys.stdout.flush()
    return 0
