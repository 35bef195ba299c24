"""The words of setting up in four languages, one JSON file a language."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from importlib import resources

from host.messages import catalogue, parse_language


@functools.cache
def texts(language: str) -> Mapping[str, str]:
    """Code to text; raises `BadInput` (`unknown-language`). English is complete by definition.

    The editions' titles are those of the catalogue, as `edition_` and the edition's name.
    """
    read: Mapping[str, str] = json.loads(
        resources.files(__name__).joinpath(f"{parse_language(language)}.json").read_text("utf-8")
    )
    return {**read, **{f"edition_{name}": title for name, title in catalogue(language)["edition"].items()}}
