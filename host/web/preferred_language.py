"""The language of a page before anybody has chosen one: the browser's, where the settings name none but English."""

from __future__ import annotations

from collections.abc import Callable

from flask import request

from engine.lexicon import LANGUAGES


def preferred_language(setting: str) -> Callable[[], str]:
    """Tells the language for the request that is being answered."""

    def chosen() -> str:
        return setting if setting != "en" else request.accept_languages.best_match(LANGUAGES) or setting

    return chosen
