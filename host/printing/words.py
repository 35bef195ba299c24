"""The words on printed sheets, in four languages: one JSON file a language in `texts/`."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from importlib import resources

from host.messages import parse_language


@functools.cache
def _texts(language: str) -> Mapping[str, str]:
    read: Mapping[str, str] = json.loads(
        resources.files(__package__).joinpath("texts", f"{parse_language(language)}.json").read_text("utf-8")
    )
    return read


def words(language: str, code: str, **parts: object) -> str:
    """A text with its parts put in; raises `BadInput` (`unknown-language`) and `KeyError` for an unknown code."""
    return _texts(language)[code].format(**parts)
