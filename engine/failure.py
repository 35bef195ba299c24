"""The one base of every failure this project expects: a code, a sentence, and what to do about it."""

from __future__ import annotations


class Failure(Exception):
    """Something a person can mend.

    `code` is stable and machine-readable, `message` one plain sentence, `remedy` what to do next. The command
    line prints `message` and `remedy` on one line and never a traceback.
    """

    def __init__(self, code: str, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".strip()


class BadInput(Failure):
    """A file, record or argument that is not what it should be (exit status 2)."""
