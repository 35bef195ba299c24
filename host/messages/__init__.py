"""Sentences: the program speaks codes and parts, this says them in the players' language.

A catalogue is one JSON file a language. A text may name parts: `{card}` stands for the part as it is, `{card|card}`
for the part looked up in the catalogue's group of that name (so that a language can keep several groups for the
cases that its grammar needs, such as `theater` and `theater-in`), and `{n|points}` for a number whose group has plural
forms, in which `#` stands for the number. `{by?lay/lays}` chooses between the words for the reader and for somebody
else; each may hold parts. Nothing else is interpreted, so a text can hold no code, and neither can a name.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final, TypeAlias

from engine.citations import SECTIONS
from engine.failure import BadInput
from engine.lexicon import LANGUAGES, card_name, section
from engine.names import CARDS, EDITIONS, parse_edition

Catalogue: TypeAlias = Mapping[str, Mapping[str, Any]]
"""Group, then code, then the text or its plural forms."""

PLURAL_FORMS: Final[Mapping[str, tuple[str, ...]]] = {
    "en": ("one", "other"),
    "ru": ("one", "few", "many"),
    "uk": ("one", "few", "many"),
    "pl": ("one", "few", "many"),
}

CARD_GROUPS: Final = {"card": "card-word", "card-accusative": "card-accusative"}
"""Groups that name a card, and where their forms stand: as one says which it is, and what is done to it."""

SEAT_GROUPS: Final = frozenset({"seat", "seat-of", "seat-to"})
"""Groups whose words are a person's name where it is known, and another word for the reader."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who sits at a seat, as one reader is told: a name, empty where nobody gave one, and whether it is the reader."""

    name: str = ""
    you: bool = False


People: TypeAlias = Mapping[str, Person]
"""By seat. Where a seat is missing it goes by its own word, such as `Near`."""
NOBODY: Final[People] = {}

_CHOICE: Final = re.compile(r"\{([a-z_]+)\?((?:[^{}/]|\{[^{}]*\})*)/((?:[^{}]|\{[^{}]*\})*)\}")
_PART: Final = re.compile(r"\{([a-z_]+)(?:\|([a-z-]+))?\}")
_GAP: Final = re.compile(r" +( [^ ]|[.,;:])")


def parse_language(text: str) -> str:
    """`text` as one of `LANGUAGES`; raises `BadInput` (`unknown-language`)."""
    if text in LANGUAGES:
        return text
    raise BadInput("unknown-language", f"There is no language {text!r}.", f"Languages are {', '.join(LANGUAGES)}.")


@functools.cache
def catalogue(language: str) -> Catalogue:
    """The catalogue of one of `LANGUAGES`, with the cards' names from the lexicon as the group `card-name`.

    English is complete by definition; a test holds the others against it.
    """
    text = resources.files(__name__).joinpath(f"{parse_language(language)}.json").read_text("utf-8")
    read: Catalogue = json.loads(text)
    return {**read, "card-name": {card: card_name(card, language).text for card in CARDS}}


def plural(language: str, number: int) -> str:
    """The plural form that `number` takes (Unicode's rules for whole numbers)."""
    n = abs(number)
    if language == "en":
        return "one" if n == 1 else "other"
    if language == "pl" and n == 1:
        return "one"
    if language != "pl" and n % 10 == 1 and n % 100 != 11:
        return "one"
    if 2 <= n % 10 <= 4 and not 12 <= n % 100 <= 14:
        return "few"
    return "many"


def known(group: str, code: str) -> bool:
    """Whether the catalogues have this text (English speaks for all of them)."""
    return code in catalogue("en").get(group, {})


def say(language: str, group: str, code: str, parts: Mapping[str, Any] | None = None, people: People = NOBODY) -> str:
    """The text of `group`/`code` with its parts put in, for a reader to whom the seats are `people`.

    A code or a part that a catalogue does not have is shown as it is: a sentence at the table that reads oddly is
    better than none. The tests see to it that no event of the program gets there.
    """
    if group == "card":
        return card(language, code)
    if group in SEAT_GROUPS and code in people:
        return seat(language, group, code, people)
    text = catalogue(language).get(group, {}).get(code, code)
    if isinstance(text, Mapping):
        return _count(language, text, (parts or {}).get("n", 0))
    return fill(language, str(text), parts or {}, people)


@functools.lru_cache(8192)
def cached_text(
    language: str, group: str, code: str, parts: tuple[tuple[str, Any], ...], people: tuple[tuple[str, Person], ...]
) -> str:
    """`say`, remembered: a page is sent its last 120 sentences and all its labels whenever one thing changes."""
    return say(language, group, code, dict(parts), dict(people))


def seat(language: str, group: str, code: str, people: People) -> str:
    """A seat by the reader's word for it, of one of `SEAT_GROUPS`."""
    forms, person = catalogue(language)[group], people.get(code, Person())
    if person.you:
        return str(forms["you"])
    return str(forms["named"]).replace("{name}", person.name) if person.name else str(forms.get(code, code))


def fill(language: str, text: str, parts: Mapping[str, Any], people: People = NOBODY) -> str:
    """`text` with its parts put in."""

    def choice(found: re.Match[str]) -> str:
        who = people.get(str(parts.get(found[1])))
        return found[2] if who is not None and who.you else found[3]

    def part(found: re.Match[str]) -> str:
        name, group = found[1], found[2]
        value = parts.get(name)
        if group is None:
            return "" if value is None else _number(language, value)
        if group in CARD_GROUPS:
            return card(language, None if value is None else str(value), CARD_GROUPS[group])
        if group == "faces":
            return ", ".join(card(language, face) for face in str(value).split()) or "–"
        if group == "rule":
            return citation(language, str(value))
        if group in SEAT_GROUPS and value in people:
            return seat(language, group, str(value), people)
        forms = catalogue(language).get(group, {})
        if isinstance(value, int) and PLURAL_FORMS[language][0] in forms:
            return _count(language, forms, value)
        chosen = forms.get("none" if value is None else str(value), "" if value is None else str(value))
        return str(chosen)

    # A part that is absent leaves no gap.
    filled = _GAP.sub(r"\1", _PART.sub(part, _CHOICE.sub(choice, text))).strip()
    return filled[:1].upper() + filled[1:]


def _number(language: str, value: object) -> str:
    """A part as it stands; only English writes a point before decimals."""
    return str(value).replace(".", ",") if isinstance(value, float) and language != "en" else str(value)


def card(language: str, face: str | None, forms: str = "card-word") -> str:
    """A card as a sentence names it, such as `Heavy Tanks (Land 6)`; one that lies face down has no name."""
    texts = catalogue(language)
    if face is None or face not in texts["card-name"]:
        return str(texts[forms]["none" if face is None else "-"])
    named: Mapping[str, str] = {"name": texts["card-name"][face], "theater": texts["theater"][face[0]], "n": face[1:]}
    return _PART.sub(lambda found: named[found[1]], str(texts[forms]["known"]))


def citation(language: str, rule: str) -> str:
    """Where a rule stands (`engine.citations`), such as `first: turn`, `R13` or `every edition: end`, as a sentence
    names it."""
    texts = catalogue(language)["rule"]
    book, _, name = rule.partition(": ")
    if book in EDITIONS and name in SECTIONS:
        title = section(name, language, parse_edition(book)).text
        return str(texts["section"]).replace("{book}", str(texts[book])).replace("{title}", title)
    if re.fullmatch(r"R\d+", rule):
        return str(texts["ruling"]).replace("{n}", rule[1:])
    return str(texts["every"]) if rule.startswith("every edition") else rule


def _count(language: str, forms: Mapping[str, Any], number: int) -> str:
    return str(forms[plural(language, number)]).replace("#", str(number))
