"""What a command takes, read from the command line and told in the reader's language.

The commands describe their options in English, and argparse speaks English. `host/messages/options` has those sentences
in the other languages with the English as the key, as `host.messages.failure_text` has the failures. Nothing of
argparse is changed for anybody else.
"""

from __future__ import annotations

import argparse
import functools
import json
import sys
from collections.abc import Iterable
from typing import Final, NoReturn

from host.messages.failure_text import OPTIONS, sentence_in

EXIT_BAD_ARGUMENTS: Final = 2
USAGE: Final = "usage"
"""The code of every refusal of the words on the command line."""


class _HelpFormatter(argparse.HelpFormatter):
    """The help as argparse lays it out, in one language."""

    def __init__(self, language: str, prog: str) -> None:
        self._language = language
        super().__init__(prog)

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        english = "usage: " if prefix is None else prefix
        super().add_usage(usage, actions, groups, sentence_in(self._language, english, OPTIONS))

    def start_section(self, heading: str | None) -> None:
        super().start_section(None if heading is None else sentence_in(self._language, heading, OPTIONS))

    def _get_help_string(self, action: argparse.Action) -> str | None:
        english = super()._get_help_string(action)
        return None if english is None else sentence_in(self._language, english, OPTIONS)


class CommandParser(argparse.ArgumentParser):
    """Says what is wrong with the words in one line (contracts.md 3), not with the whole usage before it."""

    def __init__(self, prog: str, description: str, language: str, *, as_json: bool = False) -> None:
        """`as_json`: what is wrong is told to programs too, as one JSON object on standard output, in English."""
        self.language, self.as_json = language, as_json
        super().__init__(
            prog=prog, description=description, formatter_class=functools.partial(_HelpFormatter, language)
        )

    def say_metavars(self) -> None:
        """Says in the reader's language what stands for the values of options and arguments.

        Call it once all of them are added. Where a command names none, argparse makes it of the option's own name.
        """
        for action in self._actions:
            if action.nargs != 0 and action.choices is None and not isinstance(action.metavar, tuple):
                english = action.metavar or (action.dest.upper() if action.option_strings else action.dest)
                said = sentence_in(self.language, english, OPTIONS)
                action.metavar = action.metavar if said == english else said

    def error(self, message: str) -> NoReturn:
        told = sentence_in(self.language, message, OPTIONS)
        told = sentence_in(self.language, f"{told}. ./{self.prog} --help tells what it takes.", OPTIONS)
        if self.as_json:
            row = {"code": USAGE, "message": f"{message}.", "remedy": f"./{self.prog} --help tells what it takes."}
            sys.stdout.write(json.dumps({"error": row}, ensure_ascii=False) + "\n")
            sys.stdout.flush()
        self.exit(EXIT_BAD_ARGUMENTS, f"{self.prog}: {told}\n")
