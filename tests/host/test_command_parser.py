"""`--help` and the words that a command does not take: told in four languages, in English as argparse has them."""

from __future__ import annotations

import argparse
import functools
import importlib
import json
import re

import pytest

from engine.lexicon import LANGUAGES
from host.cli import COMMANDS, main, summary
from host.command_parser import CommandParser
from host.messages.failure_text import OPTIONS, sentence_catalogue

OTHERS = [language for language in LANGUAGES if language != "en"]
KEPT = re.compile(r"\{\d(?:\|said)?\}|--[a-z-]+|\b[A-Z]+\b|\d+|`[^`]+`|\w+://\S+\w|\([a-z0-9]+\)$|[\w-]+\.[a-z][a-z-]+")
"""What stands in every language as it stands in English: parts, options, numbers, addresses, names; and metavars, which
are said in each."""
TYPED = {"IP", "PNG", "N", "N,N,…", "pytest"}
"""Metavars that are the same in every language."""


@pytest.fixture(autouse=True)
def surroundings(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    # Wide enough that no help text is broken into lines.
    monkeypatch.setenv("COLUMNS", "400")


@functools.cache
def parser_of(name: str, language: str) -> CommandParser:
    parser = CommandParser(f"allfronts {name}", summary(name, language), language)
    importlib.import_module(f"host.commands.{name}").add_arguments(parser)
    parser.say_metavars()
    return parser


@functools.cache
def metavars(name: str) -> frozenset[str]:
    """What stands for values in the English help of this command, also where argparse makes it of the option's name."""
    actions = parser_of(name, "en")._actions
    named = [a for a in actions if a.nargs != 0 and a.choices is None]
    return frozenset(str(a.metavar or (a.dest.upper() if a.option_strings else a.dest)) for a in named)


@functools.cache
def help_texts(name: str) -> frozenset[str]:
    """Every help text and title of a group that `--help` of this command shows."""
    parser = parser_of(name, "en")
    titles = {group.title for group in parser._action_groups if group._group_actions}
    return frozenset(text for text in {action.help for action in parser._actions} | titles if text)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", COMMANDS)
def test_help_shows_every_option_in_the_readers_language(
    name: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    catalogue = sentence_catalogue(language, OPTIONS)
    with pytest.raises(SystemExit) as ended:
        main([name, "--help", "--lang", language])
    shown = capsys.readouterr().out
    assert ended.value.code == 0
    assert shown.startswith(catalogue["usage: "])
    for english in help_texts(name):
        assert english in catalogue, english
        assert catalogue[english] in shown
    for action in parser_of(name, "en")._actions:
        # What is typed stays as it is.
        assert all(option in shown for option in action.option_strings)
    for english in metavars(name):
        assert (english in catalogue) != (english in TYPED)
        said = catalogue.get(english, english)
        assert re.search(rf"(?<!\w){re.escape(said)}(?!\w)", shown)
        assert said == english or not re.search(rf"(?<!\w){re.escape(english)}(?!\w)", shown)


@pytest.mark.parametrize("name", COMMANDS)
def test_english_help_is_the_one_that_argparse_writes(name: str) -> None:
    plain = argparse.ArgumentParser(prog=f"allfronts {name}", description=summary(name, "en"))
    importlib.import_module(f"host.commands.{name}").add_arguments(plain)
    assert parser_of(name, "en").format_help() == plain.format_help()


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_keeps_parts_options_metavars_and_numbers(language: str) -> None:
    catalogue = sentence_catalogue(language, OPTIONS)
    assert set(catalogue) == set(sentence_catalogue("ru", OPTIONS))
    for english, said in catalogue.items():
        # Polish has the word argument, too.
        assert said != english or english.startswith("argument {0}") or english in ("PORT", "BROKER")
        if english.isupper():
            continue
        bare = said
        for word in {word for word in KEPT.findall(english) if word in catalogue}:
            assert catalogue[word] in said, said
            bare = bare.replace(catalogue[word], word)
        assert sorted(KEPT.findall(bare)) == sorted(KEPT.findall(english)), said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("words", "english"),
    [
        (["judge"], "the following arguments are required: FILE"),
        (["judge", "a", "b"], "unrecognized arguments: b"),
        (["games", "burn"], "argument do: invalid choice: 'burn' (choose from "),
        (["play", "--camera"], "argument --camera: expected one argument"),
        (["play", "--lan=1"], "argument --lan: ignored explicit argument '1'"),
        (["play", "--la"], "ambiguous option: --la could match --lan, --lang"),
        (["demo", "--seed", "x"], "argument --seed: invalid int value: 'x'"),
        (["lights", "--seconds", "x"], "argument --seconds: invalid float value: 'x'"),
    ],
)
def test_a_wrong_word_is_refused_in_one_line_of_the_readers_language(
    words: list[str], english: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*words, "--lang", language])
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert said.startswith(f"allfronts {words[0]}: ") and said.count("\n") == 1
    assert f"./allfronts {words[0]} --help" in said
    if language == "en":
        assert english in said and said.endswith(f". ./allfronts {words[0]} --help tells what it takes.\n")
        return
    # Beside what is typed no English is left: the sentence is in the language, its parts are as they were.
    assert not re.search(r"\b(arguments? are|arguments|invalid|expected|ignored|option|value|choose|tells)\b", said)
    for part in (
        *re.findall(r"'\w+'|--\w+", english),
        *([sentence_catalogue(language, OPTIONS)["FILE"]] if words == ["judge"] else []),
    ):
        assert part in said


def test_a_sentence_without_translation_is_told_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parser_of("judge", "ru").error("nobody has translated this")
    assert "nobody has translated this" in capsys.readouterr().err


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_that_will_not_do_are_one_json_object_for_programs(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    # Given a program that forgets three photographs, in whatever language
    with pytest.raises(SystemExit) as caught:
        main(["enrol", "--deck", "deck", "--air", "air.jpg", "--json", "--lang", language])
    # Then it reads one object, in English, and a person the line
    shown = capsys.readouterr()
    row = json.loads(shown.out)["error"]
    assert (caught.value.code, row["code"]) == (2, "usage")
    assert "--back" in row["message"] and "--help" in row["remedy"]
    assert shown.out.count("\n") == shown.err.count("\n") == 1


def test_a_command_whose_lines_are_listed_tells_them_on_standard_error_alone(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["look", "--json"])
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("language", ["--lang uk", "--lang=uk"])
def test_the_language_may_stand_before_the_command(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*language.split(), "--help"]) == 0
    said = capsys.readouterr().out
    assert summary("judge", "uk") in said
    with pytest.raises(SystemExit):
        main([*language.split(), "judge", "--help"])
    assert summary("judge", "uk") in capsys.readouterr().out
