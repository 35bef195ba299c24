"""`allfronts bench`: measure on this machine. Slow on purpose; none of it runs in the tests."""

from __future__ import annotations

import argparse
import fnmatch
import importlib
import json
import pkgutil
import sys

import host.bench
from engine.failure import BadInput
from host.bench.figure import Figure


def figures() -> list[Figure]:
    """Every figure of every module in `host.bench`, by name."""
    found: list[Figure] = []
    for module in pkgutil.iter_modules(host.bench.__path__):
        found += getattr(importlib.import_module(f"host.bench.{module.name}"), "FIGURES", ())
    return sorted(found, key=lambda figure: figure.name)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help="only figures whose name matches, * allowed")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--list", action="store_true", help="list the figures and what each is")
    parser.add_argument(
        "--scale", type=float, default=1.0, help="share of the full counts, for a quick look (default 1)"
    )


def run(args: argparse.Namespace) -> int:
    """Prints one line a figure; raises `BadInput` for a name that matches none."""
    if not 0 < args.scale <= 1:
        raise BadInput("bad-scale", f"--scale {args.scale} is out of range.", "Give a number above 0 and up to 1.")
    known = figures()
    chosen = [f for f in known if not args.names or any(fnmatch.fnmatch(f.name, n) for n in args.names)]
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
        for m in figure.measure(args.scale):
            name = f"{figure.name}/{m.part}" if m.part else figure.name
            row = {"name": name, "value": m.value, "unit": figure.unit, "n": m.n}
            sys.stdout.write(
                (json.dumps(row) if args.json else f"{name:44} {m.value:12.4g} {figure.unit}  (n {m.n})") + "\n"
            )
            sys.stdout.flush()
    return 0
