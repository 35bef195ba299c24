"""The command line: finds the command, runs it, and turns every expected failure into one line and an exit status.

A command is a module in `host.commands` with `SUMMARY`, `add_arguments(parser)` and `run(args) -> int`. Only the
command that was asked for is imported, so that `judge` starts without OpenCV and `look` without Flask.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from typing import Final, NoReturn, Protocol, cast

from engine.failure import Failure
from host.messages.command_text import CommandRefusal, refusal_text
from host.settings import spoken_language

EXIT_DONE: Final = 0
EXIT_NO: Final = 1
EXIT_BAD_INPUT: Final = 2

START: Final = "start"
"""The command that `allfronts` alone stands for."""

COMMANDS: Final[dict[str, str]] = {
    START: "open the page that leads from the camera to the first card (as without a command)",
    "demo": "watch a simulated game, with no camera and no lights at hand",
    "play": "run the table: camera, referee, lights and phone page",
    "enrol": "learn a deck from four photographs",
    "look": "read one table from a picture",
    "watch": "follow a game and print what happens",
    "judge": "apply the rules to a written game",
    "games": "list, show, export, replay and delete the games that were played",
    "fog": "an aid for Fog of War: turns, supply, battles, the year's end",
    "camera": "aim the camera: live picture with a plain verdict",
    "print": "the mat, its tags or a deck of our own as PDF",
    "lights": "test and set up the lights",
    "flash": "put the firmware on the microcontroller",
    "club": "the desk of a club night: many tables, pairings, results and a screen",
    "doctor": "check the set-up and say what to mend",
    "bench": "measure this machine",
    "test": "run all tests",
}
"""Every command and its summary; the module of the same name in `host.commands` does the work."""

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
    "test": ("test", (*_TABLE, "pytest", "hypothesis", "playwright", "ruff", "mypy")),
}
"""What a command needs beyond the rules: the extra of pyproject.toml and what it brings. Others need the table's."""


class Command(Protocol):
    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace) -> int: ...


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with the words in one line (contracts.md 3), not with the whole usage before it."""

    def error(self, message: str) -> NoReturn:
        self.exit(EXIT_BAD_INPUT, f"{self.prog}: {message}. ./{self.prog} --help tells what it takes.\n")


def _usage() -> str:
    width = max(map(len, COMMANDS))
    lines = ["usage: allfronts [COMMAND] [...]", ""]
    lines += [f"  {name:{width}}  {summary}" for name, summary in COMMANDS.items()]
    lines += ["", "allfronts COMMAND --help tells what a command takes."]
    return "\n".join(lines)


def _see_that_it_is_there(command: str) -> None:
    """Raises `Failure` where the packages of this command are not installed, before any of them is imported."""
    extra, modules = NEEDS.get(command, ("table", _TABLE))
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if missing:
        raise CommandRefusal("not-installed", "not-installed", missing=", ".join(missing), extra=extra)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status (docs/contracts.md, section 3)."""
    args = list(sys.argv[1:] if argv is None else argv)
    if args[:1] in (["-h"], ["--help"], ["help"]):
        sys.stdout.write(_usage() + "\n")
        return EXIT_DONE
    if args[:1] == ["--version"]:
        from importlib.metadata import version

        sys.stdout.write(f"allfronts {version('allfronts')}\n")
        return EXIT_DONE
    if not args or args[0].startswith("-"):
        # Alone, or with options only: the page leads on from here.
        args = [START, *args]
    name = args[0]
    if name not in COMMANDS:
        told = " ".join(refusal_text(CommandRefusal("usage", "no-command", name=repr(name)), spoken_language()))
        sys.stderr.write(f"allfronts: {told}\n")
        return EXIT_BAD_INPUT
    parser = _Parser(prog=f"allfronts {name}", description=COMMANDS[name])
    command = cast(Command, importlib.import_module(f"host.commands.{name}"))
    command.add_arguments(parser)
    try:
        parsed = parser.parse_args(args[1:])
        _see_that_it_is_there(name)
        status = command.run(parsed)
        sys.stdout.flush()
        return status
    except Failure as failure:
        told = " ".join(refusal_text(failure, spoken_language())).strip()
        sys.stderr.write(f"allfronts {name}: {told}\n")
        return EXIT_BAD_INPUT
    except BrokenPipeError:
        # The reader of our output has gone (`| head`): nothing is wrong. Keep the interpreter's own flush quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_DONE
    except KeyboardInterrupt:
        return 130


def program() -> NoReturn:
    """The whole program: runs a command and ends the process, also where a camera's driver does not come back."""
    from host.app.shutdown import leave

    leave(main())
