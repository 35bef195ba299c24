"""The words of the archive in four languages, one JSON file a language."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from importlib import resources

from host.messages import parse_language


@functools.cache
def texts(language: str) -> Mapping[str, str]:
    """Code to text; raises `BadInput` (`unknown-language`). English is complete by definition."""
    read: Mapping[str, str] = json.loads(
        resources.files(__name__).joinpath(f"{parse_language(language)}.json").read_text("utf-8")
    )
    return read
