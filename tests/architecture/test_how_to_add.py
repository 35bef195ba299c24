"""The walk-throughs of docs/how-to-add, walked: each is done to a copy of the sources, and the copy works."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Copy:
    """The sources in a folder of their own, to be changed as a person would."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        ignored = shutil.ignore_patterns("__pycache__", "*.hex", "*.uf2", "*.png", "*.jpg", "*.npz")
        for package in ("engine", "host", "vision"):
            shutil.copytree(ROOT / package, folder / package, ignore=ignored)

    def change(self, path: str, old: str, new: str) -> None:
        file = self.folder / path
        text = file.read_text("utf-8")
        assert text.count(old) == 1, f"{path} has {old!r} {text.count(old)} times"
        file.write_text(text.replace(old, new), "utf-8")

    def run(self, program: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=self.folder, env={**os.environ, "PYTHONPATH": str(self.folder)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path / "sources")


def test_a_fourth_edition_is_a_name_and_a_record(copy: Copy) -> None:
    # Given the steps of docs/how-to-add/edition.md: the name,
    copy.change("engine/names.py", '["first", "revised", "critters"]', '["first", "revised", "critters", "fourth"]')
    copy.change("engine/names.py", '("first", "revised", "critters")', '("first", "revised", "critters", "fourth")')
    # the record, here the revised rules with other commander cards and a Reinforce that may be turned down,
    copy.change("engine/editions.py", "(_FIRST, _REVISED, _CRITTERS)", "(_FIRST, _REVISED, _CRITTERS, _FOURTH)")
    copy.change(
        "engine/editions.py",
        "EDITIONS: Final = MappingProxyType",
        '_FOURTH: Final = dataclasses.replace(_REVISED, name="fourth", reinforce_optional=True, '
        'commander_colours=("white", "red"), book="fourth edition")\n\nEDITIONS: Final = MappingProxyType',
    )
    copy.change(
        "engine/editions.py",
        "from dataclasses import dataclass",
        "import dataclasses\nfrom dataclasses import dataclass",
    )
    # and its title.
    for language in ("en", "ru", "uk", "pl"):
        copy.change(
            f"host/messages/{language}.json", '  "edition": {', '  "edition": {\n    "fourth": "Fourth edition",'
        )
    # When a battle is played by it, then its own rules hold, the lights show its colours and the pages offer it.
    told = copy.run(
        "import json\n"
        "from engine import Move, play\n"
        "from engine.legality import is_optional\n"
        "from engine.state import start\n"
        "from host.lights.grammar import COMMANDER_LIGHTS, commander_colours\n"
        "from host.setup_wizard.texts import texts\n"
        "from host.card_reference import reference\n"
        "state = play(start('fourth', ('A', 'L', 'S'), 'near'), Move('deploy', 'near', card='L1', to='L'))\n"
        "near, far = commander_colours('fourth', 'near')\n"
        "worn = [near == COMMANDER_LIGHTS['white'], far == COMMANDER_LIGHTS['red']]\n"
        "print(json.dumps([state.pending, is_optional(state), *worn, texts('pl')['edition_fourth'],"
        " len(reference('en', 'fourth').cards)]))\n"
    )
    assert json.loads(told) == ["reinforce", True, True, True, "Fourth edition", 18]


def test_a_fifth_language_is_its_texts_and_a_code(copy: Copy) -> None:
    # Given the steps of docs/how-to-add/language.md, with English words under another code,
    for texts in copy.folder.glob("host/**/en.json"):
        shutil.copy(texts, texts.with_name("xx.json"))
    copy.change("engine/lexicon.py", '("en", "ru", "uk", "pl")', '("en", "ru", "uk", "pl", "xx")')
    lexicon = copy.folder / "engine" / "lexicon.json"
    names = json.loads(lexicon.read_text("utf-8"))
    lexicon.write_text(json.dumps({**names, "xx": names["en"]}, ensure_ascii=False), "utf-8")
    copy.change(
        "host/messages/__init__.py",
        '    "en": ("one", "other"),',
        '    "en": ("one", "other"),\n    "xx": ("one", "other"),',
    )
    copy.change("host/messages/__init__.py", 'if language == "en":', 'if language in ("en", "xx"):')
    # When sentences are asked for in it, then pages, references and commands have it.
    told = copy.run(
        "import json\n"
        "from host.web.access import Access\n"
        "from host.web.app import make_app\n"
        "from host.app.switched_backend import SwitchedBackend\n"
        "from host.messages import say\n"
        "from host.card_reference import reference\n"
        "from host.setup_wizard.texts import texts\n"
        "from host.settings import Settings\n"
        "app = make_app(SwitchedBackend(), Access(), frozenset)\n"
        "with app.app_context():\n"
        "    offered = app.jinja_env.get_template('language_choice.html').render()\n"
        "print(json.dumps(['value=\"xx\"' in offered, say('xx', 'card', 'A2'),"
        " say('xx', 'event', 'revised', {'moves': 2}),"
        " len(reference('xx', 'first').cards), len(texts('xx')) > 100, Settings(language='xx').language]))\n"
    )
    english = copy.run(
        "from host.messages import say\n"
        "print(say('en', 'card', 'A2'), say('en', 'event', 'revised', {'moves': 2}), sep='|')"
    )
    assert json.loads(told) == [True, *english.strip().split("|"), 18, True, "xx"]
