"""Failures in four languages: every sentence that a command may end with has its translation."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.failure import BadInput
from engine.lexicon import LANGUAGES
from engine.refusal import REASONS
from host.messages import catalogue
from host.messages.failure_text import failure_sentences, sentence_catalogue, sentence_in
from vision.enrolment.advice import PROBLEMS, REMEDIES, spot_name

ROOT = Path(__file__).parents[3]
OTHERS = [language for language in LANGUAGES if language != "en"]
PART = re.compile(r"\{(\d)(?:\|said|\|card)?\}")
OTHERWISE_SAID = (
    # Fog of War has catalogues of its own, and the desk of a club speaks through its pages.
    "engine/fog", "host/fog", "host/club",
    # Measurements and what only a checkout of the project has; and the simulated camera, which nobody types a name of.
    "host/bench", "host/dependencies", "host/simulation", "host/link/emulated", "host/link/virtual", "vision/simulate",
    "host/commands/bench.py", "host/commands/test.py",
)  # fmt: skip
RAISED = {"Failure": (1, 2), "BadInput": (1, 2), "NotationError": (3, 4), "error": (2, 3)}
"""What makes a failure, and where among its arguments sentence and remedy stand."""


def template(node: ast.expr, constants: dict[str, str]) -> str | None:
    """A sentence with its parts numbered; None where it is made elsewhere."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Name):
        return constants.get(node.id)
    if isinstance(node, ast.JoinedStr):
        pieces, number = [], 0
        for value in node.values:
            if isinstance(value, ast.Constant):
                pieces.append(str(value.value))
            else:
                pieces.append(f"{{{number}}}")
                number += 1
        return "".join(pieces)
    return None


@functools.cache
def all_raised() -> tuple[tuple[str, str], ...]:
    return tuple(raised())


def raised() -> Iterator[tuple[str, str]]:
    """Every sentence and remedy with the place where it is raised."""
    for path in sorted(path for package in ("engine", "vision", "host") for path in (ROOT / package).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(OTHERWISE_SAID):
            continue
        tree = ast.parse(path.read_text("utf-8"))
        constants = {
            target.id: node.value.value
            for node in ast.walk(tree)
            if isinstance(node, ast.AnnAssign | ast.Assign) and isinstance(node.value, ast.Constant)
            for target in ([node.target] if isinstance(node, ast.AnnAssign) else node.targets)
            if isinstance(target, ast.Name) and isinstance(node.value.value, str)
        }
        for node in ast.walk(tree):
            called = getattr(node, "func", None)
            named = getattr(called, "id", getattr(called, "attr", ""))
            if not isinstance(node, ast.Call) or named not in RAISED:
                continue
            for index in RAISED[named]:
                text = template(node.args[index], constants) if index < len(node.args) else None
                if text:
                    yield f"{name}:{node.lineno}", text


@pytest.mark.parametrize("language", OTHERS)
def test_every_failure_that_a_command_may_end_with_has_its_sentences(language: str) -> None:
    catalogue = sentence_catalogue(language)
    found = all_raised()
    assert len(found) > 250
    assert [one for one in found if one[1] not in catalogue and PART.sub("", one[1]).strip()] == []
    assert {*PROBLEMS.values(), *REMEDIES.values()} <= set(catalogue)
    for reason in REASONS.values():
        for text in (reason.sentence, reason.mend):
            numbers = iter(range(9))
            assert re.sub(r"\{[a-z]+\}", lambda _: f"{{{next(numbers)}}}", text) in catalogue, text  # noqa: B023


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("at", catalogue("en")["aim-spot"])
def test_a_place_of_enrolment_is_named_in_words_in_every_language(language: str, at: str) -> None:
    assert spot_name(at) == catalogue("en")["aim-spot"][at]
    said = sentence_in(language, f"The air photograph will not do: a card is not seen ({spot_name(at)}).")
    assert said.endswith(f"({catalogue(language)['aim-spot'][at]}).")
    read = "Read with what was just learnt, the air photograph shows {} on the {}, where A1 lay."
    said = sentence_in(language, read.format("a card face down", spot_name(at)))
    assert catalogue(language)["aim-spot"][at] in said and "face down" not in said


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_has_the_same_parts_in_every_language(language: str) -> None:
    assert set(sentence_catalogue(language)) == set(sentence_catalogue("ru"))
    for english, said in sentence_catalogue(language).items():
        assert set(PART.findall(english)) == set(PART.findall(said)), english
        assert not re.search(r"[{}]", PART.sub("", said)) or '{"near"' in said, english


@pytest.mark.parametrize(
    ("english", "russian"),
    [
        ("'X' is not a card.", "'X' — не карта."),
        ("hands.near[0]: 'X9' is not a card.", "hands.near[0]: 'X9' — не карта."),
        ("a.toml: port must lie between 1 and 65535.", "a.toml: port — от 1 до 65535."),
        ("Line 3, column 5: The line ends where a seat should stand.",
         "Строка 3, столбец 5: Строка кончается там, где должно стоять: место."),
        ("The air photograph will not do: it is too dark (near side of the left board).",
         "Снимок «воздух» не годится: слишком темно (ближняя сторона левого поля)."),
        ("air/near.jpg is empty.", "air/near.jpg пуст."),
        ("Nobody ever said this.", "Nobody ever said this."),
    ],
)  # fmt: skip
def test_what_varies_is_put_in_and_what_is_said_in_it_is_translated_too(english: str, russian: str) -> None:
    assert sentence_in("ru", english) == russian
    assert sentence_in("en", english) == english


@pytest.mark.parametrize(
    ("language", "alike", "read"),
    [
        ("en", "Maneuver (Air 3) and the back look", "shows Cover Fire (Land 4) and a card face down on the"),
        ("ru", "«Манёвр» (Воздух 3) и рубашка слишком", "видно: «Огневое прикрытие» (Суша 4) и карта лицом вниз, а"),
        ("uk", "«Маневр» (Повітря 3) і сорочка надто", "видно: «Вогневе прикриття» (Суша 4) і картка долілиць, а"),
        ("pl", "„Manewr” (Powietrze 3) i rewers są", "widać: „Ogień osłonowy” (Ląd 4) i zakryta karta, a"),
    ],
)
def test_a_deck_that_is_refused_has_its_cards_named_and_no_codes(language: str, alike: str, read: str) -> None:
    which = "the air and back photographs"
    told = [
        sentence_in(language, f"A3 and the back look too much alike in {which} to be told apart."),
        sentence_in(language, "A2 and A3 look too much alike in the air photograph to be told apart."),
        sentence_in(
            language, f"Check that each card lay in its own place in {which}; photograph again in better light."
        ),
        sentence_in(
            language,
            "Read with what was just learnt, the air photograph shows L4 and a card face down on the far side of the "
            "left board, where A3 lay.",
        ),
    ]
    assert alike in told[0] and read in told[3]
    assert not [one for one in told if re.search(r"\b[ALS][1-6]\b", one)]
    assert language == "en" or not [one for one in told if re.search(r"photograph|\bthe\b|\band\b", one)]


def test_a_failure_keeps_its_code_and_its_english_for_programs() -> None:
    failure = BadInput("empty-file", "a.jpg is empty.", "Take the photograph again.")
    assert failure_sentences(failure, "pl") == ("a.jpg jest pusty.", "Zrób zdjęcie jeszcze raz.")
    assert (failure.code, str(failure)) == ("empty-file", "a.jpg is empty. Take the photograph again.")
