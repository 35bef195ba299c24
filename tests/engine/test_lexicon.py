"""Names in four languages: whole, and honest about what no rulebook prints."""

from __future__ import annotations

from typing import get_args

import pytest

from engine import CARDS, BadInput
from engine.lexicon import LANGUAGES, TermName, card_name, term
from engine.names import EDITIONS
from host.messages import say


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_and_term_has_a_name(language: str) -> None:
    for card in CARDS:
        assert card_name(card, language).text
    for edition in EDITIONS:
        for name in get_args(TermName):
            assert term(name, language, edition).text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_says_the_same_names(language: str) -> None:
    for card in CARDS:
        assert card_name(card, language).text in say(language, "card", card)


@pytest.mark.parametrize(
    ("language", "attested"),
    [
        ("en", set(CARDS)),
        ("ru", {"A2", "A3", "L3", "S3", "S1", "S2", "S4", "S5"}),
        ("uk", {"A3", "L3", "S3", "S1", "S2", "S4", "S5", "L6"}),
        ("pl", {"A1", "A3", "L3", "S3", "S1", "S2", "S4", "S5"}),
    ],
)
def test_own_translations_are_marked(language: str, attested: set[str]) -> None:
    assert {card for card in CARDS if card_name(card, language).attested} == attested


def test_names_of_the_rulebooks() -> None:
    assert card_name(CARDS[15], "uk").text == "Ротація"
    assert term("destroy", "en", "first").text == "discard"
    assert term("destroy", "en", "revised").text == "destroy"
    assert [term("destroy", language, "first").text for language in ("ru", "uk", "pl")] == [
        "сбросить",
        "скинути",
        "odrzucić",
    ]
    assert term("theater", "ru", "first").text == "поле сражения"
    assert term("theater", "ru", "revised").text == "театр военных действий"


def test_another_language_is_refused() -> None:
    with pytest.raises(BadInput, match="not a language"):
        card_name(CARDS[0], "de")
