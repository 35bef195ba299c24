"""The texts of Fog of War in the players' languages. The engine brings the English sentences; `messages/en.json` adds
what only the page says, and the other catalogues hold both."""

from __future__ import annotations

import functools
import json
from importlib import resources

from engine.fog.sentences import Texts, english_texts
from host.messages import parse_language


@functools.cache
def fog_texts(language: str) -> Texts:
    """The catalogue of one of `host.messages.LANGUAGES`; raises `BadInput` for another."""
    text = resources.files(__package__).joinpath("messages", f"{parse_language(language)}.json").read_text("utf-8")
    read: Texts = json.loads(text)
    if language != "en":
        return read
    spoken = english_texts()
    return {group: {**spoken.get(group, {}), **read.get(group, {})} for group in (*spoken, *read)}
