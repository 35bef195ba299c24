"""The texts of Fog of War: complete in four languages, with the same parts, and nothing that the page lacks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.lexicon import LANGUAGES
from host.fog.texts import fog_texts

ROOT = Path(__file__).resolve().parents[3]
PARTS = re.compile(r"\{[^}]*\}")


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_language_has_every_text_with_its_parts(language: str) -> None:
    english, other = fog_texts("en"), fog_texts(language)
    assert set(other) == set(english)
    for group, texts in english.items():
        assert set(other[group]) == set(texts), group
        for code, text in texts.items():
            assert set(PARTS.findall(other[group][code])) == set(PARTS.findall(text)), (group, code)
            assert bool(other[group][code]) == bool(text), (group, code)


@pytest.mark.parametrize("language", ["ru", "uk"])
def test_cyrillic_texts_are_not_english(language: str) -> None:
    for group, texts in fog_texts(language).items():
        for code, text in texts.items():
            words = PARTS.sub("", text).replace("NEW OP", "").replace("Fog of War", "")
            assert not re.search(r"[a-z]{4,}", words), (group, code, text)


def test_the_page_asks_for_texts_that_are_there() -> None:
    page = ROOT / "host" / "web"
    scripts = "\n".join(path.read_text("utf-8") for path in (page / "static" / "fog").glob("*.js"))
    template = (page / "templates" / "fog.html").read_text("utf-8")
    asked = set(re.findall(r"texts\.([a-z_]+)", scripts)) | set(re.findall(r'data-text="([a-z_]+)"', template))
    assert len(asked) > 80
    assert asked <= set(fog_texts("en")["page"])
