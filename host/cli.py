"""The command line: finds the command, runs it, and turns every expected failure into one line and an exit status.

A command is a module in `host.commands` with `add_arguments(parser)` and `run(args) -> int`. Only the command that was
asked for is imported, so that `judge` starts without OpenCV and `look` without Flask.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NoReturn, Protocol, cast

from engine.failure import Failure
from engine.lexicon import LANGUAGES
from host.command_parser import CommandParser
from host.messages.command_text import CommandRefusal, command_text, refusal_line, refusal_row
from host.settings import ask_language, spoken_language

EXIT_DONE: Final = 0
EXIT_NO: Final = 1
EXIT_BAD_INPUT: Final = 2

START: Final = "start"
"""The command that `allfronts` alone stands for."""

COMMANDS: Final = (
    START, "demo", "play", "enrol", "look", "watch", "judge", "games", "fog",
    "camera", "print", "lights", "flash", "club", "doctor", "bench", "test",
)  # fmt: skip
"""Every command; the module of the same name in `host.commands` does the work, the catalogues say what it is for."""

_VISION: Final = ("cv2", "numpy")
_TABLE: Final = (*_VISION, "flask", "uvicorn", "serial", "segno", "cryptography")
NEEDS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "judge": ("", ()),
    "games": ("", ()),
    "enrol": ("vision", _VISION),
    "look": ("vision", _VISION),
    "watch": ("vision", _VISION),
    "print": ("print", (*_VISION, "reportlab")),
    "lights": ("table", ("serial",)),
    "flash": ("table", ("serial",)),
    "doctor": ("table", ("serial",)),
    "club": ("club", ("flask", "uvicorn", "segno", "paho", "cryptography", "caissify_pairings", "networkx")),
    # What is measured of a club night is listed with all the rest.
    "bench": ("club", (*_TABLE, "paho", "caissify_pairings", "networkx")),
    "test": ("test", (*_TABLE, "pytest", "hypothesis", "playwright", "ruff", "mypy")),
}
"""What a command needs beyond the rules: the extra of pyproject.toml and what it brings. Others need the table's."""


LISTED_LINES: Final = ("judge", "look", "watch", "bench")
"""Commands of whose output docs/contracts.md lists every line: a refusal is told on standard error alone."""


class Command(Protocol):
    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace) -> int: ...


def summary(name: str, language: str) -> str:
    """What a command is for."""
    return command_text(language, "command", name, {})


def _usage() -> str:
    language, width = spoken_language(), max(map(len, COMMANDS))
    lines = [summary("usage", language), ""]
    lines += [f"  {name:{width}}  {summary(name, language)}" for name in COMMANDS]
    lines += ["", summary("more", language)]
    return "\n".join(lines)


def _language_asked(args: Sequence[str]) -> str | None:
    """The language that `--lang` names; what is no language is told by the parser."""
    language = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    language.add_argument("--lang", nargs="?")
    found: str | None = language.parse_known_args(list(args))[0].lang
    return found if found in LANGUAGES else None


def _language_last(args: list[str]) -> list[str]:
    """The same with a `--lang` before the command behind it, where the command takes it."""
    first = 1 if args[:1] and args[0].startswith("--lang=") else 2 if args[:1] == ["--lang"] else 0
    return [*args[first:], *args[:first]] if len(args) > first else args


def _see_that_it_is_there(command: str) -> None:
    """Raises `Failure` where the packages of this command are not installed, before any of them is imported."""
    extra, modules = NEEDS.get(command, ("table", _TABLE))
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if missing:
        raise CommandRefusal("not-installed", "not-installed", missing=", ".join(missing), extra=extra)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status (docs/contracts.md, section 3)."""
    args = _language_last(list(sys.argv[1:] if argv is None else argv))
    ask_language(_language_asked(args))
    try:
        return _run(args)
    finally:
        # Asked for this command and for no other.
        ask_language(None)


def _run(args: list[str]) -> int:
    if args[:1] in (["-h"], ["--help"], ["help"]):
        sys.stdout.write(_usage() + "\n")
        return EXIT_DONE
    if args[:1] == ["--version"]:
        from importlib.metadata import version

        sys.stdout.write(f"allfronts {version('allfronts')}\n")
        return EXIT_DONE
    # What a person typed, for the lines that begin with it.
    typed = "allfronts" if not args or args[0].startswith("-") else f"allfronts {args[0]}"
    if typed == "allfronts":
        # Alone, or with options only: the page leads on from here.
        args = [START, *args]
    name = args[0]
    if name not in COMMANDS:
        told = refusal_line(CommandRefusal("usage", "no-command", name=repr(name)), spoken_language())
        sys.stderr.write(f"allfronts: {told}\n")
        return EXIT_BAD_INPUT
    language = spoken_language()
    wants_json = "--json" in args and name not in LISTED_LINES
    parser = CommandParser(typed, summary(name, language), language, as_json=wants_json)
    command = cast(Command, importlib.import_module(f"host.commands.{name}"))
    command.add_arguments(parser)
    parser.add_argument("--lang", choices=LANGUAGES, help="language of pages and terminal (as the settings say)")
    parser.say_metavars()
    as_json = False
    try:
        parsed = parser.parse_args(args[1:])
        as_json = bool(getattr(parsed, "json", False)) and name not in LISTED_LINES
        _see_that_it_is_there(name)
        status = command.run(parsed)
        sys.stdout.flush()
        return status
    except Failure as failure:
        if as_json:
            sys.stdout.write(json.dumps({"error": refusal_row(failure)}, ensure_ascii=False) + "\n")
            sys.stdout.flush()
        sys.stderr.write(f"{typed}: {refusal_line(failure, spoken_language())}\n")
        return EXIT_BAD_INPUT
    except BrokenPipeError:
        # The reader of our output has gone (`| head`): nothing is wrong. Keep the interpreter's own flush quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_DONE
    except KeyboardInterrupt:
        return 130


def messages_apart() -> None:
    """Gives `sys.stderr` a descriptor of its own: a decoder's remarks on damaged pictures can then be kept from the
    terminal, and no message of ours with them (`vision.decoder_output`)."""
    with suppress(AttributeError, OSError, ValueError):
        sys.stderr = os.fdopen(
            os.dup(sys.stderr.fileno()), "w", buffering=1, encoding=sys.stderr.encoding, errors=sys.stderr.errors
        )


def program() -> NoReturn:
    """The whole program: runs a command and ends the process, also where a camera's driver does not come back."""
    from host.app.shutdown import leave

    messages_apart()
    leave(main())
