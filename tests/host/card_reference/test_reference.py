"""The card reference: complete in every language and edition, true to the rulings, served as page and JSON."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine.cards import INSTANTS
from engine.editions import EDITIONS
from engine.lexicon import LANGUAGES
from engine.names import CARDS, EditionName
from host.card_reference import kind_of, reference
from host.card_reference.page import reference_pages

EDITION_NAMES: tuple[EditionName, ...] = get_args(EditionName)
LETTERS = {"en": "a-z", "pl": "a-ząćęłńóśźż", "ru": "а-яё", "uk": "а-яґєії"}


def text(card: str, language: str = "en", edition: EditionName = "revised") -> str:
    return next(entry.text for entry in reference(language, edition).cards if entry.card == card)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", EDITION_NAMES)
def test_every_card_and_term_is_told(language: str, edition: EditionName) -> None:
    found = reference(language, edition)
    assert [entry.card for entry in found.cards] == list(CARDS)
    assert [term.code for term in found.terms] == [term.code for term in reference("en", edition).terms]
    for entry in (*found.cards, *found.terms):
        assert entry.name
        assert entry.text.endswith(".")
        words = re.findall(r"[^\W\d]+", entry.text)
        assert all(re.fullmatch(f"[{LETTERS[language]}]+", word.lower()) for word in words), entry.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_three_maneuvers_do_the_same_and_an_edition_tells_its_own_rules(language: str) -> None:
    for edition in EDITION_NAMES:
        assert text("A3", language, edition) == text("L3", language, edition) == text("S3", language, edition)
    # Where a ruling tells the editions apart (R3, R6, R7, R8 and the word for destroying), so do the texts.
    for card in ("A2", "A5", "L1", "L5", "S4", "S5"):
        assert text(card, language, "first") != text(card, language, "revised")
        assert text(card, language, "critters") == text(card, language, "revised")


def test_the_russian_first_edition_is_told_in_its_own_words() -> None:
    told = reference("ru", "first")
    every = " ".join(entry.text for entry in (*told.cards, *told.terms))
    for word in ("театр", "лицом вниз", "накрыт", "главнокоманд", "уничтож"):
        assert word not in every, "the revised edition's word"
    assert [told.cards[nth].theater for nth in (0, 6, 12)] == ["Небо", "Земля", "Море"]


def test_nothing_is_destroyed_in_the_first_edition() -> None:
    words = {"en": "destroy", "ru": "уничтож", "uk": "знищ", "pl": "niszcz"}
    for language, word in words.items():
        told = reference(language, "first")
        assert not any(word in f"{entry.name} {entry.text}".lower() for entry in (*told.cards, *told.terms)), language


def test_the_editions_own_word_for_destroying() -> None:
    for name, edition in EDITIONS.items():
        word = {"discard": "discarded", "destroy": "destroyed"}[edition.remove_word]
        assert word in text("A5", edition=name)
        assert word in text("S5", edition=name)


def test_kinds_agree_with_the_engine() -> None:
    assert {card for card in CARDS if kind_of(card) == "instant"} == {*INSTANTS, "A2"}
    assert {card for card in CARDS if kind_of(card) == "none"} == {"A6", "L6", "S6"}


@pytest.fixture
def client() -> FlaskClient:
    app = Flask(__name__, root_path="/")
    app.register_blueprint(reference_pages(lambda: "pl"))
    return app.test_client()


def test_the_page_is_in_the_language_and_edition_asked_for(client: FlaskClient) -> None:
    page = client.get("/cards?lang=uk&edition=first").get_data(as_text=True)
    assert '<html lang="uk">' in page
    assert "скидають" in page
    assert client.get("/cards?lang=xx&edition=none").get_data(as_text=True).count('<html lang="pl">') == 1
    assert "style=" not in page
    assert "<script" not in page


def test_the_table_page_gets_the_same_as_json(client: FlaskClient) -> None:
    found = client.get("/cards.json?lang=en&edition=revised").get_json()
    assert [card["card"] for card in found["cards"]] == list(CARDS)
    assert found["words"]["all"] == "All cards"
