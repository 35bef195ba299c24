"""What the commands say in a terminal: four languages, and for programs the same as ever."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from string import Formatter

import pytest

from engine.lexicon import LANGUAGES
from host.boards.setup import walk_through
from host.cli import COMMANDS, main
from host.link.messages import ControllerSettings
from host.link.trouble import trouble
from host.messages import catalogue
from host.messages.command_text import CommandRefusal, LinkFailure, refusal_text

HOST = Path(__file__).parents[3] / "host"


@pytest.fixture
def russian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "allfronts").mkdir()
    (tmp_path / "allfronts" / "settings.toml").write_text('language = "ru"\n', "utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_names_the_same_parts_in_every_language(language: str) -> None:
    for group in ("refusal", "refusal-mend", "doctor", "doctor-mend", "flash", "lights", "lights-setup"):
        for code, text in catalogue(language)[group].items():
            named = {name for _, name, _, _ in Formatter().parse(text) if name}
            english = {name for _, name, _, _ in Formatter().parse(catalogue("en")[group][code]) if name}
            assert named == english, (group, code)


def test_every_refusal_of_a_command_has_its_sentence_and_its_remedy() -> None:
    named = set()
    for path in HOST.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "CommandRefusal":
                text = node.args[1]
                if isinstance(text, ast.Constant):
                    named.add(text.value)
                    parts = {keyword.arg for keyword in node.keywords}
                    for group in ("refusal", "refusal-mend"):
                        wanted = {name for _, name, _, _ in Formatter().parse(catalogue("en")[group][text.value])}
                        assert wanted - {None} <= parts, text.value
    assert len(named) > 20


def test_a_refusal_speaks_english_to_programs_and_the_readers_language_to_people() -> None:
    refusal = CommandRefusal("bad-light", "bad-light", light="40", last=26)
    assert (refusal.code, refusal.message, refusal.remedy) == (
        "bad-light",
        "There is no light 40.",
        "The chain has 0 to 26.",
    )
    assert refusal_text(refusal, "pl") == ("Nie ma diody 40.", "W łańcuchu są od 0 do 26.")


def test_a_port_that_may_not_be_used_comes_with_the_line_to_type_in_every_language() -> None:
    failure = LinkFailure(trouble("no-rights", "/dev/ttyUSB0", remedy="sudo chmod a+rw /dev/ttyUSB0"))
    for language in LANGUAGES:
        assert "sudo chmod" in refusal_text(failure, language)[1]


@pytest.mark.usefixtures("russian")
@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["lights", "--port", "none"], "Укажите порт"),
        (["lights", "--order", "XYZ"], "Порядка цветов XYZ нет"),
        (["flash", "--board", "abacus"], "Для abacus прошивки нет"),
        (["judge", "no-such-file"], "Проверьте имя"),
        (["games", "show", "1"], "Журнала игр"),
        (["no-such-command"], "нет команды"),
    ],
)
def test_a_command_refuses_in_one_line_in_the_language_of_the_settings(
    command: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command) == 2
    said = capsys.readouterr().err
    assert words in said and said.count("\n") == 1


@pytest.mark.usefixtures("russian")
def test_lights_and_flash_tell_what_they_find_in_the_language_of_the_settings(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["lights", "--port", "virtual", "--show"]) == 0
    said = capsys.readouterr()
    assert "Найдено на virtual" in said.err
    assert "порядок цветов" in said.out and "Кнопки не переставлены." in said.out
    assert main(["lights", "--port", "virtual", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["found"] is True


def test_the_questions_about_the_lights_are_asked_in_the_language_of_the_settings() -> None:
    class Nobody:
        asked: list[str]

        def ask(self, question: str, answers: str) -> str:
            self.asked.append(question)
            raise EOFError

        def say(self, line: str) -> None:
            self.asked.append(line)

        def test(self, pattern: int, index: int = 0) -> None:
            pass

        def settle(self, settings: ControllerSettings) -> None:
            pass

    nobody = Nobody()
    nobody.asked = []
    with pytest.raises(EOFError):
        walk_through(ControllerSettings(), nobody, nobody, "uk")
    assert nobody.asked[1].startswith("Скільки світлодіодів")


@pytest.mark.usefixtures("russian")
def test_help_says_what_every_command_is_for_in_the_language_of_the_settings(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--help"]) == 0
    said = capsys.readouterr().out
    assert "проверить записанную игру по правилам" in said and "вызов: allfronts" in said
    with pytest.raises(SystemExit):
        main(["judge", "--help"])
    assert "проверить записанную игру по правилам" in capsys.readouterr().out.replace("\n", " ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_is_told_in_every_language(language: str) -> None:
    assert set(catalogue(language)["command"]) == {*COMMANDS, "usage", "more"}


@pytest.mark.usefixtures("russian")
@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["watch", "no-such-camera", "--deck", "no-such-deck"], "нет профиля колоды"),
        (["look", "no-such-picture.jpg", "--deck", "."], "нет профиля колоды"),
        (["--http", "70000"], "70000 — не порт."),
        (["judge", __file__], "строка 1: Строка — не JSON"),
    ],
)
def test_failures_of_engine_and_reader_are_told_in_the_language_of_the_settings(
    command: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command) == 2
    assert words in capsys.readouterr().err


@pytest.mark.usefixtures("russian")
def test_what_was_begun_without_a_command_is_not_given_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--http", "70000"]) == 2
    assert capsys.readouterr().err.startswith("allfronts: ")


@pytest.mark.parametrize("command", [["judge", "no-such-file", "--lang", "pl"], ["judge", "--lang=pl", "no-such-file"]])
@pytest.mark.usefixtures("russian")
def test_a_language_on_the_command_line_goes_before_that_of_the_settings(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command) == 2
    assert "Sprawdź nazwę." in capsys.readouterr().err
    # And only for that call.
    assert main(["judge", "no-such-file"]) == 2
    assert "Проверьте имя." in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["judge", "no-such-file", "--lang", "xx"])


@pytest.mark.usefixtures("russian")
def test_what_is_printed_says_how_to_print_it_in_the_language_of_the_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["print", "tags", "--out", str(tmp_path / "tags.pdf")]) == 0
    assert "Печатайте в масштабе 100 %" in capsys.readouterr().out
