"""Sentences from codes and parts. The engine brings the English ones; other languages are catalogues of the same form.

A template holds parts in braces: `{n}` as it is, `{by|side}` looked up in that group, `{target|province}` by the
board's names, `{route|chain}` provinces joined by arrows, `{where|list}` joined by commas, `{parts|sum}` named summands
such as `card +3` with their names looked up, `{values|plus}` bare summands.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping, Sequence
from importlib import resources
from types import MappingProxyType
from typing import Final, TypeAlias

SentencePart: TypeAlias = str | int | bool | Sequence[str] | None
Texts: TypeAlias = Mapping[str, Mapping[str, str]]
"""Group, then code, then the template."""

_PART: Final = re.compile(r"\{([a-z_]+)(?:\|([a-z-]+))?\}")
_JOINED: Final = {"chain": " → ", "list": ", ", "sum": ", ", "plus": " + "}
_GAP: Final = re.compile(r"\s+([.,;:)])|\s{2,}")
_LIST: Final = r"\{([a-z_]+)\|(?:list|sum)\}"
_LISTING: Final = re.compile(rf"[.;]?[^.;]*: {_LIST}(?=[.;])| = {_LIST}$| \({_LIST}\)")
"""A clause that only leads to a list: `Not supplied: {cut|list}`, ` = {parts|sum}`, ` ({parts|sum})`."""
_NO_NAMES: Final[Mapping[str, str]] = MappingProxyType({})


@functools.cache
def english_texts() -> Texts:
    """The English catalogue, which every other language is held against."""
    read: Texts = json.loads(resources.files(__package__).joinpath("english.json").read_text("utf-8"))
    return read


def say(
    texts: Texts,
    group: str,
    code: str,
    parts: Mapping[str, SentencePart] | None = None,
    names: Mapping[str, str] = _NO_NAMES,
) -> str:
    """The sentence of `group`/`code`; `names` are the board's own names of provinces.

    A code that the catalogue lacks is shown as it is: an odd sentence at the table is better than none. A clause that
    leads to an empty list is left out.
    """
    given = parts or {}
    template = _LISTING.sub(
        lambda found: found[0] if given.get(found[1] or found[2] or found[3]) else "",
        texts.get(group, {}).get(code, code),
    )

    def part(found: re.Match[str]) -> str:
        value, kind = given.get(found[1]), found[2]
        if value is None:
            return ""
        if kind in _JOINED and not isinstance(value, str | int):
            spoken = (
                _summand(texts, str(v), names) if kind == "sum" else province(texts, str(v), names) for v in value
            )
            return _JOINED[kind].join(value if kind == "plus" else spoken)
        if kind in ("province", "chain", "list"):
            return province(texts, str(value), names)
        if kind is not None:
            return texts.get(kind, {}).get(str(value), str(value))
        return str(value)

    filled = _GAP.sub(lambda m: m[1] or " ", _PART.sub(part, template)).strip()
    return filled[:1].upper() + filled[1:]


def _summand(texts: Texts, part: str, names: Mapping[str, str]) -> str:
    key, _, value = part.rpartition(" ")
    return f"{texts.get('part', {}).get(key) or province(texts, key, names)} {value}"


def province(texts: Texts, key: str, names: Mapping[str, str] = _NO_NAMES) -> str:
    """A province's name: the board's own, or the catalogue's, or its key made readable."""
    return names.get(key) or texts.get("province", {}).get(key) or key.replace("-", " ").title()


def section(texts: Texts, paragraph: str) -> str:
    """A paragraph as the players look it up: `3.5.1` as it is, `act.5.3` as `action 5.3`."""
    name, _, number = paragraph.partition(".")
    return f"{texts.get('section', {}).get(name, name)} {number}".strip() if name.isalpha() else paragraph


def english(group: str, code: str, parts: Mapping[str, SentencePart] | None = None) -> str:
    return say(english_texts(), group, code, parts)
