"""What each of the eighteen cards and each term means, in the project's own words: four languages, every edition.

The texts lie in `texts/`, one JSON file a language. An entry has `text`; where the first edition plays otherwise or
has other words, `first` holds its text (the rulings R1 to R16 in docs/engine-rulings.md say where the editions differ).
Names of cards and of most terms come from `engine.lexicon`; a term that it does not have carries its own `name`.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Final, Literal, TypeAlias, cast, get_args

from engine.cards import AIR_DROP, INSTANTS
from engine.lexicon import TermName, card_name, term
from engine.names import CARDS, Card, EditionName, Theater, strength_of, theater_of
from host.messages import parse_language, say

AbilityKind: TypeAlias = Literal["instant", "ongoing", "none"]

ONGOING: Final = frozenset(map(Card, ("A1", "A4", "A5", "L4", "S2", "S5")))
"""Cards whose ability works as long as they lie face up."""

_THEATER_TERMS: Final[Mapping[Theater, TermName]] = {"A": "air", "L": "land", "S": "sea"}

_Texts: TypeAlias = Mapping[str, Mapping[str, Mapping[str, str]]]


@dataclass(frozen=True, slots=True)
class CardEntry:
    """One card: what is printed on it and what it does."""

    card: Card
    name: str
    theater: str
    strength: int
    kind: AbilityKind
    kind_name: str
    """The kind in words; empty for a card without an ability."""
    text: str


@dataclass(frozen=True, slots=True)
class TermEntry:
    """One word of the game and what it means."""

    code: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Reference:
    """All cards (`CARDS` in order) and all terms of one edition in one language."""

    language: str
    edition: EditionName
    cards: tuple[CardEntry, ...]
    terms: tuple[TermEntry, ...]


def kind_of(card: Card) -> AbilityKind:
    """Whether a card's ability happens once, works all the time, or is none."""
    if card in ONGOING:
        return "ongoing"
    return "instant" if card in INSTANTS or card == AIR_DROP else "none"


@functools.cache
def reference(language: str, edition: EditionName) -> Reference:
    """The reference of an edition; raises `BadInput` (`unknown-language`)."""
    texts = _texts(parse_language(language))
    return Reference(
        language,
        edition,
        tuple(_card(card, texts["cards"][card], language, edition) for card in CARDS),
        tuple(_term(code, entry, language, edition) for code, entry in texts["terms"].items()),
    )


@functools.cache
def _texts(language: str) -> _Texts:
    read: _Texts = json.loads(resources.files(__name__).joinpath("texts", f"{language}.json").read_text("utf-8"))
    return read


def _text(entry: Mapping[str, str], edition: EditionName) -> str:
    return entry.get(edition, entry["text"])


def _card(card: Card, entry: Mapping[str, str], language: str, edition: EditionName) -> CardEntry:
    kind = kind_of(card)
    named = "" if kind == "none" else _capital(term(kind, language, edition).text)
    theater = _theater(card, language, edition)
    name = card_name(card, language).text
    return CardEntry(card, name, theater, strength_of(card), kind, named, _text(entry, edition))


def _theater(card: Card, language: str, edition: EditionName) -> str:
    """The name of a card's theater, as the edition has it where that differs."""
    name = _THEATER_TERMS[theater_of(card)]
    own = term(name, language, edition).text
    return say(language, "theater", theater_of(card)) if own == term(name, language).text else _capital(own)


def _term(code: str, entry: Mapping[str, str], language: str, edition: EditionName) -> TermEntry:
    name = entry.get("name")
    if name is None:
        assert code in get_args(TermName), code
        name = term(cast(TermName, code), language, edition).text
    return TermEntry(code, _capital(name), _text(entry, edition))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
