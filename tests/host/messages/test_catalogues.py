"""The catalogues: four languages, each complete, and no text that could name a card lying face down."""

from __future__ import annotations

import json
import re
from importlib import resources
from typing import Any, get_args

import pytest

from engine.events import Assumption, MendCode, Notice, NoticeCode, UnsureCode, Violation, ViolationCode
from engine.lexicon import LANGUAGES, term
from engine.moves import MOVE_KINDS
from engine.state import Pending
from engine.strength import PartName
from host.messages import CARD_GROUPS, PLURAL_FORMS, Person, card, catalogue, citation, fill, plural, say
from host.messages.message import message_of, mistake_message, rule_message

PART = re.compile(r"\{([a-z_]+)(?:\|([a-z-]+))?\}")
PLURALS = ("points", "cards", "moves", "battles")
OTHERS = [language for language in LANGUAGES if language != "en"]


def texts(language: str) -> dict[tuple[str, str], str]:
    return {(g, c): t for g, codes in catalogue(language).items() for c, t in codes.items() if g not in PLURALS}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_group_or_text_stands_twice(language: str) -> None:
    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        names = [name for name, _ in pairs]
        assert len(names) == len(set(names)), {name for name in names if names.count(name) > 1}
        return dict(pairs)

    path = resources.files("host.messages").joinpath(f"{language}.json")
    json.loads(path.read_text("utf-8"), object_pairs_hook=once)


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_is_there_in_every_language(language: str) -> None:
    assert set(texts(language)) == set(texts("en"))


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_names_no_part_that_english_does_not_know(language: str) -> None:
    for key, text in texts(language).items():
        mine = {name for name, _ in PART.findall(text)}
        english = {name for name, _ in PART.findall(texts("en")[key])}
        assert mine <= english | {"theater", "seat"}, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_group_that_a_text_asks_for_is_there(language: str) -> None:
    groups = {*catalogue(language), *CARD_GROUPS, "faces", "rule"}
    for key, text in texts(language).items():
        assert {group for _, group in PART.findall(text) if group} <= groups, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_have_all_forms(language: str) -> None:
    for group in PLURALS:
        assert set(catalogue(language)[group]) == set(PLURAL_FORMS[language])


def test_everything_that_the_referee_says_has_a_text() -> None:
    english = catalogue("en")
    assert set(get_args(ViolationCode)) <= set(english["violation"])
    assert set(get_args(ViolationCode)) <= set(english["because"])
    assert set(get_args(MendCode)) <= set(english["mend"])
    assert set(get_args(NoticeCode)) <= set(english["notice"])
    assert set(get_args(UnsureCode)) <= set(english["question"])
    assumed: Any = Assumption.__annotations__["code"]
    assert set(re.findall(r"'([a-z-]+)'|\"([a-z-]+)\"", str(assumed))) or assumed
    assert {"declined", "destroyed-unseen", "withdrew", "first"} <= set(english["assumption"])
    assert set(get_args(Pending)) <= set(english["effect"])
    assert set(get_args(Pending)) <= set(english["ask"])
    assert set(get_args(PartName)) <= set(english["part"])
    for deed in MOVE_KINDS:
        assert any(code.split("-")[0] == deed for code in english["move"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_moves_that_hide_a_card_have_no_place_for_its_name(language: str) -> None:
    for code, text in catalogue(language)["move"].items():
        if code.startswith(("improvise", "reinforce", "return", "flip-down")):
            assert "card" not in {name for name, _ in PART.findall(text)}, code


@pytest.mark.parametrize(
    ("language", "number", "words"),
    [
        ("en", 1, "1 point"),
        ("en", 2, "2 points"),
        ("ru", 1, "1 очко"),
        ("ru", 3, "3 очка"),
        ("ru", 11, "11 очков"),
        ("ru", 21, "21 очко"),
        ("uk", 2, "2 очки"),
        ("uk", 6, "6 очок"),
        ("pl", 1, "1 punkt"),
        ("pl", 22, "22 punkty"),
        ("pl", 21, "21 punktów"),
        ("pl", 12, "12 punktów"),
    ],
)
def test_numbers_take_their_form(language: str, number: int, words: str) -> None:
    assert fill(language, "{n|points}", {"n": number}) == words
    assert plural(language, number) in PLURAL_FORMS[language]


def test_a_sentence_as_a_person_would_say_it() -> None:
    assert say("en", "move", "deploy", {"by": "far", "card": "L6", "to": "L"}) == (
        "Far plays Heavy Tanks (Land 6) to Land."
    )
    assert say("ru", "move", "deploy", {"by": "far", "card": "L6", "to": "L"}) == (
        "Дальний кладёт карту «Тяжёлые танки» (Суша 6) на сухопутный театр."
    )


def test_an_absent_part_leaves_no_gap() -> None:
    said = say("en", "mend", "take-back", {"seat": "near", "card": "-"})
    assert said == "Near: take a face-down card back into the hand."


def test_a_card_without_a_face_has_no_name() -> None:
    assert card("en", "-") == "a face-down card"
    assert card("en", None) == "a card"


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("revised: turn", "revised rulebook, “Playing a battle”"),
        ("first: terms", "first edition rulebook, “Tactical ability terms”"),
        ("R13", "this table's ruling 13"),
        ("every edition: deploy", "every edition"),
        ("form", "form"),
    ],
)
def test_a_rule_is_cited(rule: str, words: str) -> None:
    assert citation("en", rule) == words


@pytest.mark.parametrize(
    ("language", "rule", "title"),
    [
        ("ru", "first: abilities", "Тактические способности"),
        ("ru", "revised: abilities", "Тактики"),
        ("uk", "critters: abilities", "Тактичні здібності"),
        ("pl", "critters: abilities", "Zdolności taktyczne"),
    ],
)
def test_a_rule_is_cited_by_the_section_that_the_rulebook_has(language: str, rule: str, title: str) -> None:
    assert title in citation(language, rule)


@pytest.mark.parametrize(("remove", "word"), [("discard", "discarded"), ("destroy", "destroyed")])
def test_a_card_is_discarded_where_the_edition_says_so(remove: str, word: str) -> None:
    parts = {"card": "-", "at": "L/near/0", "by_card": "A5", "remove": remove}
    mistake = Violation("should-be-destroyed", "first: terms", "near", (), None, parts)
    assert mistake_message(mistake).text("en").startswith(f"That card should be {word}")
    assert word.removesuffix("ed")[:7] in rule_message(mistake).text("en")
    unseen = message_of(Notice("destroyed-unseen", {"seat": "near", "remove": remove}), {}, None)
    assert unseen is not None and f"have been {word}" in unseen.text("en")


def test_a_text_cannot_hold_code() -> None:
    assert fill("en", "{by.__class__} {0} {by!r}", {"by": "near"}) == "{by.__class__} {0} {by!r}"


PEOPLE = {"near": Person("Анна"), "far": Person("Bob", you=True)}
GENDERED = {
    "ru": r"\b(?:[а-яё]{3,}(?:л|лся|ла|лась)|согласен|готов|должен|он|его|него|ему)\b",
    "uk": r"\b(?:[а-яіїєґ]{3,}(?:в|вся|ла|лася)|згоден|готовий|повинен|він|його|нього|йому)\b",
    "pl": r"\b(?:\w{2,}(?:ł|ła|łeś|łaś|łby|łaby|li)|gotowy|powinien|on|jego|niego|jemu|zameldowany)\b",
}
"""Words that say whether a man or a woman is meant: the past tense, short adjectives, pronouns."""
NOT_OF_PERSONS = {
    "ru": {"сначала", "стол", "стола", "выпал", "сила", "сигнал"},
    "uk": {"очків", "додаткових ходів", "ходів", "генералів", "прав", "сила", "світла", "лежала", "випав"},
    "pl": {"był", "stół", "stołu", "światła", "dół", "padł", "siła", "została", "jeśli"},
}
"""Words of that form that are a thing's: a table, a card that lay, a lot that fell."""
PERSON = re.compile(r"\{(?:name|by|who|winner|loser|seat|turn|holder|player|near|far|first|other)(?:[|?][^{}]*)?\}")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "You turn up Анна's Heavy Tanks (Land 6) in Land."),
        ("ru", "Вы открываете карту игрока Анна на сухопутном театре: «Тяжёлые танки» (Суша 6)."),
        ("uk", "Ви відкриваєте картку гравця Анна у театрі суші: «Важкі танки» (Суша 6)."),
        ("pl", "Ty odkrywasz kartę gracza Анна na obszarze lądowym: „Ciężkie czołgi” (Ląd 6)."),
    ],
)
def test_a_reader_is_spoken_to_and_others_are_named(language: str, words: str) -> None:
    parts = {"by": "far", "side": "near", "card": "L6", "at": "L"}
    assert say(language, "move", "flip-up-other", parts, PEOPLE) == words


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Анна turns your card in Sea face down."),
        ("ru", "Анна переворачивает вашу карту на морском театре лицом вниз."),
        ("uk", "Анна перевертає вашу картку у театрі моря долілиць."),
        ("pl", "Анна zakrywa twoją kartę na obszarze morskim."),
    ],
)
def test_what_is_done_to_a_reader_is_told_so(language: str, words: str) -> None:
    assert say(language, "move", "flip-down-other", {"by": "near", "side": "far", "at": "S"}, PEOPLE) == words


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_can_be_said_of_the_reader_and_of_others_by_name(language: str) -> None:
    """No choice between words is left as it stands, and nobody's name is put where the reader is meant."""
    for (group, code), text in texts(language).items():
        for name in {found[1] for found in re.finditer(r"\{([a-z_]+)\?", text)}:
            for seat in ("near", "far"):
                said = fill(language, text, {name: seat}, PEOPLE)
                assert not re.search(r"[?{}/]", re.sub(r"\?(?= |$)|\{[a-z_|-]+\}", "", said)), (group, code, said)


@pytest.mark.parametrize("language", sorted(GENDERED))
def test_no_sentence_gives_a_player_a_gender(language: str) -> None:
    gendered = []
    for key, text in texts(language).items():
        if PERSON.search(text) and not (key[0] == "condition" and key[1].startswith("link-")):
            said = re.sub(r"\{[^{}]*\}", "", text).lower()
            found = set(re.findall(GENDERED[language], said)) - NOT_OF_PERSONS[language]
            gendered += [(key, found)] if found else []
    assert gendered == []


def test_a_name_cannot_hold_a_part() -> None:
    assert say("en", "move", "withdraw", {"by": "near"}, {"near": Person("{card|card} {by?a/b}")}) == (
        "{card|card} {by?a/b} withdraws."
    )


@pytest.mark.parametrize(("language", "stem"), [("ru", "главнокомандующ"), ("uk", "генерал"), ("pl", "Naczeln")])
def test_a_commander_has_the_rulebooks_word_and_no_other(language: str, stem: str) -> None:
    assert stem in term("commander", language).text
    named = {key: texts(language)[key] for key, text in texts("en").items() if "commander" in text}
    assert len(named) >= 4
    assert [key for key, text in named.items() if stem not in text] == []


def test_taking_back_has_one_word_and_it_is_not_the_one_for_cancel() -> None:
    """In Ukrainian both could be the same verb, and stood side by side in one dialog."""
    table = ("page", "view", "event", "notice", "question", "refused", "consent")
    cancel = texts("uk")["page", "cancel"].lower()[:4]
    for (group, code), text in texts("en").items():
        if (
            group in table
            and re.search(r"\bundo\b|take(s|n)? (this )?back", text, re.IGNORECASE)
            and "hand" not in text
        ):
            assert cancel not in texts("uk")[group, code].lower(), (group, code)


@pytest.mark.parametrize(("language", "stem"), [("ru", "переработан"), ("uk", "переробл"), ("pl", "poprawion")])
def test_the_revised_edition_is_called_so_wherever_it_is_named(language: str, stem: str) -> None:
    printed = json.loads(resources.files("host.printing").joinpath(f"texts/{language}.json").read_text("utf-8"))
    named = [codes["revised"] for codes in catalogue(language).values() if {"revised", "critters"} <= set(codes)]
    assert len(named) >= 2
    assert all(stem in text.lower() for text in (*named, printed["edition-revised"]))
