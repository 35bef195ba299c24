"""What the commands say in a terminal: texts that hold paths, ports and lines to type, and refusals that can be said in
every language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.failure import BadInput, Failure
from host.link.trouble import LinkTrouble
from host.messages import catalogue, known, say
from host.messages.failure_text import failure_sentences

ENGLISH: Final = "en"
"""The language of everything that programs read."""


def command_text(language: str, group: str, code: str, parts: Mapping[str, object]) -> str:
    """The text of `group`/`code` with its parts put in, or nothing where there is none.

    Unlike `say` it leaves the first letter as it is: a path or a line to type must not be changed.
    """
    return str(catalogue(language)[group].get(code, "")).format_map(parts)


class CommandRefusal(BadInput):
    """A refusal whose sentences stand in the catalogues: `refusal` has what is wrong, `refusal-mend` what to do.

    As a `Failure` it speaks English; `refusal_text` says it in the reader's language.
    """

    def __init__(self, code: str, text: str, /, **parts: object) -> None:
        """`code` is stable and for programs; `text` names the sentence, of which one code may have several."""
        self.text, self.parts = text, parts
        super().__init__(code, *(command_text(ENGLISH, group, text, parts) for group in _GROUPS))


class LinkFailure(Failure):
    """A trouble of the link that ends a command."""

    def __init__(self, trouble: LinkTrouble) -> None:
        super().__init__(trouble.code, trouble.message, trouble.remedy)
        self.trouble = trouble


_GROUPS: Final = ("refusal", "refusal-mend")


def refusal_text(failure: Failure, language: str) -> tuple[str, str]:
    """What is wrong and what to do, in `language`."""
    if isinstance(failure, CommandRefusal):
        message, remedy = (command_text(language, group, failure.text, failure.parts) for group in _GROUPS)
        return message, remedy
    if isinstance(failure, LinkFailure):
        return link_text(failure.trouble, language)
    return failure_sentences(failure, language)


def refusal_line(failure: Failure, language: str) -> str:
    """What is wrong and what to do, in one line; without a gap where there is nothing to do."""
    return " ".join(refusal_text(failure, language)).strip()


def refusal_row(failure: Failure) -> dict[str, str]:
    """The same for programs, in English; a refused photograph by its name and the place in it, where they are known."""
    row = {"code": failure.code, "message": failure.message, "remedy": failure.remedy}
    parts = {name: getattr(failure, name, "") for name in ("photograph", "at")}
    return row | {name: part for name, part in parts.items() if part}


def condition_text(language: str, code: str, parts: Mapping[str, object], english: str) -> str:
    """A trouble of camera or lights, which the catalogues tell with its remedy; `english` is the part's own."""
    return english if language == ENGLISH or not known("condition", code) else say(language, "condition", code, parts)


def link_text(trouble: LinkTrouble, language: str) -> tuple[str, str]:
    """A trouble of the link, which the catalogues tell in one text with its remedy; English has it in two."""
    parts = {"port": trouble.port or "", **dict(trouble.parts)}
    if language == ENGLISH or not known("condition", f"link-{trouble.code}"):
        return trouble.message, trouble.remedy
    if trouble.code == "no-rights":
        # The page sends its reader to the terminal for the line to type; here it is.
        return command_text(language, "refusal", "no-rights", parts), trouble.remedy
    return command_text(language, "condition", f"link-{trouble.code}", parts), ""
