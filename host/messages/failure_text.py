"""Failures in the reader's language, and the sentences about a command's options.

`engine` and `vision`, and much of the host, raise failures with English sentences and know no other language. A
catalogue a language, in `failures/`, has those sentences and what they are there: as in gettext the English is the key.
What varies stands as `{0}`, `{1}` in the order in which English has it; `{0|said}` is a sentence or word that is said
in the reader's language too, and `{0|card}` has codes of cards, which players know by their names: English says those
as well. `options/` has in the same way what the commands and argparse say about options.
"""

from __future__ import annotations

import functools
import json
import re
from importlib import resources
from typing import Final, NamedTuple

from engine.failure import Failure
from engine.names import CARDS
from host.messages import card

_PART: Final = re.compile(r"\{(\d)(?:\|(said|card))?\}")
_CARD: Final = re.compile(rf"\b(?:{'|'.join(CARDS)})\b")
FAILURES: Final = "failures"
OPTIONS: Final = "options"
"""Folders of such catalogues."""
_AND: Final = " and "
_DEEPEST: Final = 4
"""How far sentences stand within sentences."""


class _Sentence(NamedTuple):
    """An English sentence with parts, as a pattern, and what it is in one language."""

    english: re.Pattern[str]
    said: str


@functools.cache
def sentence_catalogue(language: str, folder: str = FAILURES) -> dict[str, str]:
    """The English sentences and what they are in `language`; English has those with a card only."""
    text = resources.files(__name__.rpartition(".")[0]).joinpath(f"{folder}/{language}.json").read_text("utf-8")
    read: dict[str, str] = json.loads(text)
    return read


@functools.cache
def _with_parts(language: str, folder: str) -> tuple[_Sentence, ...]:
    """Those that say most by themselves come first: `{0}: {1}` would fit nearly anything."""
    found = [(english, said) for english, said in sentence_catalogue(language, folder).items() if _PART.search(english)]
    found.sort(key=lambda pair: -len(_PART.sub("", pair[0])))
    return tuple(_Sentence(_pattern(english), said) for english, said in found)


def _pattern(english: str) -> re.Pattern[str]:
    pieces, at = [], 0
    for part in _PART.finditer(english):
        pieces += [re.escape(english[at : part.start()]), f"(?P<p{part[1]}>.+?)"]
        at = part.end()
    return re.compile("".join([*pieces, re.escape(english[at:])]), re.DOTALL)


def sentence_in(language: str, english: str, folder: str = FAILURES, deep: int = 0) -> str:
    """An English sentence in `language` where the catalogue in `folder` has it, else as it is."""
    catalogue = sentence_catalogue(language, folder)
    if english in catalogue or deep > _DEEPEST:
        return catalogue.get(english, english)
    for sentence in _with_parts(language, folder):
        found = sentence.english.fullmatch(english)
        if found is not None:
            parts = found.groupdict()

            def part(named: re.Match[str], parts: dict[str, str] = parts) -> str:
                text = parts[f"p{named[1]}"]
                if named[2] == "card":
                    return _cards(language, text, folder)
                return sentence_in(language, text, folder, deep + 1) if named[2] else text

            return _PART.sub(part, sentence.said)
    return english


def _cards(language: str, english: str, folder: str) -> str:
    """Cards by the names that players know, where English has their codes."""
    said = (sentence_in(language, one, folder) for one in english.split(_AND))
    return f" {sentence_in(language, _AND.strip(), folder)} ".join(
        _CARD.sub(lambda code: card(language, code[0]), one) for one in said
    )


def failure_sentences(failure: Failure, language: str) -> tuple[str, str]:
    """What is wrong and what to do, in `language`."""
    return sentence_in(language, failure.message), sentence_in(language, failure.remedy)
