"""`allfronts print`: the mat, its tags, or a deck of our own as PDF at true size."""

from __future__ import annotations

import argparse
import json
import sys
from itertools import chain
from pathlib import Path
from typing import Final

from engine.lexicon import LANGUAGES
from host.cli import EXIT_DONE
from host.messages.command_text import CommandRefusal, command_text
from host.settings import spoken_language


def add_arguments(parser: argparse.ArgumentParser) -> None:
    # The choices stand here as words, so that --help works before the drawing packages are there.
    parser.add_argument("what", choices=("mat", "tags", "deck"), help="what to print")
    parser.add_argument("--out", metavar="FILE", help="where the PDF goes (a name of its own in this folder)")
    parser.add_argument("--language", choices=LANGUAGES, help="language of the words (as the settings say)")
    parser.add_argument("--sheets", help="mat: a2, 2xa3, 6xa4, 18x24in, 3xtabloid or 6xletter (a2)")
    parser.add_argument("--ground", help="mat: light, white or dark (light)")
    parser.add_argument("--paper", help="tags and deck: a4 or letter (a4)")
    parser.add_argument("--edition", help="deck: first, revised or critters (revised)")
    parser.add_argument("--style", help="deck: bright, muted, night or paper (bright)")
    parser.add_argument("--flip", choices=("long", "short"), help="deck: edge the printer flips on (long)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


OPTIONS: Final[dict[str, tuple[str, ...]]] = {
    "mat": ("sheets", "ground"),
    "tags": ("paper",),
    "deck": ("paper", "edition", "style", "flip"),
}
"""What can be chosen of each product; what is not chosen is as `product` has it."""


def _options(args: argparse.Namespace) -> dict[str, str]:
    """What was chosen; raises `BadInput` for an option that would change nothing of this product."""
    names = dict.fromkeys(chain.from_iterable(OPTIONS.values()))
    chosen = {name: value for name in names if (value := getattr(args, name)) is not None}
    for name in chosen:
        if name not in OPTIONS[args.what]:
            takes = ", ".join(f"--{option}" for option in OPTIONS[args.what])
            raise CommandRefusal("usage", "option-not-for", option=f"--{name}", what=args.what, options=takes)
    return chosen


def run(args: argparse.Namespace) -> int:
    """Writes the PDF; raises `BadInput` with what to mend."""
    from host.printing.page import pdf
    from host.printing.products import product

    made = product(args.what, language=args.language or spoken_language(), **_options(args))
    path = Path(args.out or made.name)
    data = pdf(made.pages, made.title)
    try:
        path.write_bytes(data)
    except OSError as error:
        raise CommandRefusal("cannot-write", "not-written-out", path=path, error=error.strerror) from error
    if args.json:
        row = {"file": str(path), "pages": len(made.pages), "title": made.title}
        sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
        return EXIT_DONE
    code = "print-both" if made.both_sides else "print-one"
    told = command_text(spoken_language(), "terminal", code, {"path": path, "pages": len(made.pages)})
    sys.stdout.write(told + "\n")
    return EXIT_DONE
