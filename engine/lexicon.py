"""Names of cards and terms in four languages: as printed where a rulebook attests them, else this project's own (R16).

Cards are identified by theater and strength, never by these names. `lexicon.json` holds the data: `source` is the
rulebook (EN, RU20, RU19, UA, PL: see docs/engine-rulings.md), or null for the project's own translation.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.citations import Section
from engine.failure import BadInput
from engine.names import Card, EditionName

Language: TypeAlias = Literal["en", "ru", "uk", "pl"]
TermName: TypeAlias = Literal[
    "theater",
    "air",
    "land",
    "sea",
    "deploy",
    "improvise",
    "withdraw",
    "face-up",
    "face-down",
    "covered",
    "uncovered",
    "instant",
    "ongoing",
    "destroy",
    "commander",
    "points",
    "game",
]

LANGUAGES: Final[tuple[Language, ...]] = ("en", "ru", "uk", "pl")


class Name(NamedTuple):
    """A name in one language."""

    text: str
    source: str | None
    """The rulebook that prints it; None for this project's own translation."""

    @property
    def attested(self) -> bool:
        return self.source is not None


@cache
def _lexicon() -> Mapping[str, Mapping[str, Mapping[str, Mapping[str, str | None]]]]:
    data: Mapping[str, Mapping[str, Mapping[str, Mapping[str, str | None]]]] = json.loads(
        files("engine").joinpath("lexicon.json").read_text("utf-8")
    )
    return data


def _language(language: str) -> Mapping[str, Mapping[str, Mapping[str, str | None]]]:
    if language not in LANGUAGES:
        raise BadInput("unknown-language", f"{language!r} is not a language here.", f"One of {', '.join(LANGUAGES)}.")
    return _lexicon()[language]


def _name(entry: Mapping[str, str | None]) -> Name:
    return Name(entry["text"] or "", entry["source"])


def card_name(card: Card, language: str = "en") -> Name:
    """A card's name, the same in every edition; raises `BadInput` (`unknown-language`)."""
    return _name(_language(language)["cards"][card])


def section(name: Section, language: str = "en", edition: EditionName = "revised") -> Name:
    """The title of a section of that edition's rulebook; raises `BadInput` (`unknown-language`)."""
    words = _language(language)
    titles = words.get("first-sections", words["sections"]) if edition == "first" else words["sections"]
    return _name(titles[name])


def term(name: TermName, language: str = "en", edition: EditionName = "revised") -> Name:
    """A term of the game as that edition has it; raises `BadInput` (`unknown-language`)."""
    words = _language(language)
    if edition == "first" and name in words.get("first", {}):
        return _name(words["first"][name])
    return _name(words["terms"][name])
