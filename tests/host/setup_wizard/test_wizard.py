"""Setting up without a browser: what each action does, who may ask for it, and that nothing is given up unasked."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine.failure import BadInput
from engine.lexicon import LANGUAGES
from engine.names import EditionName
from host.app.switched_backend import SwitchedBackend
from host.lights.frame import LightFrame
from host.link.health import LinkHealth
from host.setup_wizard.cameras import Camera, cameras_present
from host.setup_wizard.choices import load_choices
from host.setup_wizard.decks import DeckLibrary
from host.setup_wizard.game import Beginning, GameStatus, UnfinishedWarChoice
from host.setup_wizard.lights import LightsFinder
from host.setup_wizard.live_view import LiveView
from host.setup_wizard.page import PRINTS, setup_pages
from host.setup_wizard.texts import texts
from host.setup_wizard.wizard import SetupWizard, failure_text
from host.web.access import Access, hosts
from host.web.app import make_app
from vision.enrolment.advice import PhotographFailure
from vision.sources import Source, open_source

HOST = "127.0.0.1:8420"
WAR = UnfinishedWarChoice(1.0, "revised", 2, {"near": 6, "far": 0}, 12, False, {"near": "Anna"})


class Game:
    """A game that writes down how it was begun."""

    def __init__(self) -> None:
        self.begun: list[Beginning] = []
        self.shown: list[EditionName] = []
        self.war: UnfinishedWarChoice | None = None
        self.phase: GameStatus = GameStatus()

    def status(self) -> GameStatus:
        return self.phase

    def unfinished(self) -> UnfinishedWarChoice | None:
        return self.war

    def begin(self, beginning: Beginning) -> None:
        self.begun.append(beginning)
        self.phase = GameStatus("running")

    def begin_demo(self, edition: EditionName) -> None:
        self.shown.append(edition)
        self.phase = GameStatus("running")

    def end(self) -> None:
        self.phase = GameStatus()


class Lights:
    """Lights that are there at once."""

    def __init__(self) -> None:
        self.shown: list[LightFrame] = []
        self.closed = False

    def show(self, frame: LightFrame) -> None:
        self.shown.append(frame)

    def health(self) -> LinkHealth:
        return LinkHealth(state="up", port="/dev/ttyUSB0")

    def close(self) -> None:
        self.closed = True


class Fixture:
    def __init__(self, home: Path, opened: bool = False) -> None:
        self.game, self.lights, self.access = Game(), Lights(), Access(opened)
        self.path = home / "setup.json"
        self.decks = home / "decks"
        (self.decks / "old").mkdir(parents=True)
        (self.decks / "old" / "profile.json").write_text('{"format": "allfronts-deck", "version": 1}')
        self.wizard = SetupWizard(
            self.game,
            DeckLibrary(self.decks, (), lambda: 1.0),
            LightsFinder(None, lambda port: self.lights),
            self.path,
            lambda: "far",
            cameras=lambda: (Camera(0, "Webcam"),),
        )
        app = make_app(
            SwitchedBackend(),
            self.access,
            lambda: hosts(8420, None),
            pages=[lambda guard: setup_pages(self.wizard, guard, lambda: "en")],
        )
        self.client: FlaskClient = app.test_client()

    def get(self, path: str) -> TestResponse:
        return self.client.get(path, headers={"Host": HOST})

    def do(self, action: str, body: object = None, **headers: str) -> Any:
        sent = {"Host": HOST, "X-Table-Token": self.access.csrf("owner"), "Content-Type": "application/json", **headers}
        return self.client.post(f"/setup/do/{action}", data=json.dumps({} if body is None else body), headers=sent)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Fixture]:
    made = Fixture(tmp_path)
    yield made
    made.wizard.close()


def ready(table: Fixture) -> None:
    table.do("choose", {"camera": "0", "deck": str(table.decks / "old"), "names": {"near": "Anna"}, "target": 18})


def test_until_a_game_runs_the_tables_address_leads_to_setting_up(table: Fixture) -> None:
    assert table.get("/").headers["Location"] == "/setup/"
    table.game.phase = GameStatus("running")
    assert table.get("/").status_code == 200


def test_what_was_chosen_is_kept_and_begins_the_game(table: Fixture) -> None:
    ready(table)
    assert table.do("draw-first").get_json()["first"] == "far"
    assert load_choices(table.path).target == 18
    assert table.do("begin").get_json()["code"] == "done"
    beginning = table.game.begun[0]
    assert (beginning.camera, beginning.target, beginning.first, beginning.go_on) == ("0", 18, "far", False)
    assert beginning.names["near"] == "Anna"


def test_an_unfinished_war_is_not_given_up_unasked(table: Fixture) -> None:
    ready(table)
    table.game.war = WAR
    assert table.get("/setup/state").get_json()["war"]["names"] == {"near": "Anna", "far": "Far"}
    assert table.do("begin").get_json()["code"] == "war-unfinished"
    assert table.game.begun == []
    table.do("begin", {"go_on": True})
    assert table.game.begun[0].go_on


def test_a_demonstration_needs_nothing_and_touches_no_war(table: Fixture) -> None:
    table.game.war = WAR
    table.do("choose", {"edition": "critters"})
    assert table.do("begin-demo").get_json()["code"] == "done"
    assert table.game.shown == ["critters"]
    assert table.game.begun == []
    assert table.do("begin-demo").get_json()["code"] == "playing"


def test_without_camera_or_deck_the_game_says_what_is_missing(table: Fixture) -> None:
    assert table.do("begin").get_json() == {"code": "no-camera", "message": "Choose a camera first."}
    table.do("choose", {"camera": "0"})
    assert table.do("begin").get_json()["code"] == "no-deck"
    assert table.do("choose", {"deck": "/etc"}).get_json()["code"] == "no-deck"


def test_another_camera_has_to_be_aimed_again(table: Fixture) -> None:
    table.do("choose", {"camera": "0", "aimed": True})
    table.do("choose", {"camera": "0"})
    assert table.wizard.choices.aimed
    table.do("choose", {"camera": "1"})
    assert not table.wizard.choices.aimed


def test_lights_are_found_lit_and_let_go_of_before_the_game(table: Fixture) -> None:
    assert table.get("/setup/state").get_json()["lights"]["state"] == "idle"
    table.do("look-for-lights")
    assert table.get("/setup/state").get_json()["lights"]["state"] == "found"
    table.do("show-lights", {"on": True})
    assert table.lights.shown[-1].scene == "game"
    ready(table)
    table.do("begin")
    assert table.lights.closed


def test_while_a_game_runs_its_camera_is_left_alone(table: Fixture) -> None:
    ready(table)
    table.do("begin")
    for action in ("look", "look-for-lights", "begin"):
        assert table.do(action).get_json()["code"] == "playing"
    assert table.get("/setup/camera/0.jpg").status_code == 404


def test_only_the_page_of_the_tables_owner_may_ask(tmp_path: Path) -> None:
    table = Fixture(tmp_path, opened=True)
    assert table.get("/setup/state").status_code == 401
    for role in ("viewer", "near", "far"):
        table.client.get(f"/join?k={table.access.tokens[role]}", headers={"Host": HOST})
        assert table.get("/setup/state").status_code == 403
        assert table.do("choose", {"target": 18}).status_code == 403
        assert table.get("/").status_code == 200, "who is invited waits at the table"
    table.client.get(f"/join?k={table.access.tokens['owner']}", headers={"Host": HOST})
    assert table.do("choose", {"target": 18}, **{"X-Table-Token": "0" * 64}).status_code == 403
    assert table.do("choose", {"target": 18}, Origin="http://evil.example").status_code == 403
    assert table.do("choose", {"target": 18}).status_code == 200


@pytest.mark.parametrize("body", [[], "x", 7])
def test_what_is_no_request_is_refused(table: Fixture, body: object) -> None:
    assert table.do("choose", body).status_code == 400
    assert table.do("nothing-of-that-name").status_code == 400


def test_pictures_of_nothing_are_not_served(table: Fixture) -> None:
    assert table.get("/setup/picture.jpg").status_code == 204
    assert table.get("/setup/learnt/A1.png").status_code == 204
    for path in ("/setup/deck/0/..%2fprofile.png", "/setup/deck/7/A1.png", "/setup/print/nothing.pdf"):
        assert table.get(path).status_code == 404


@pytest.mark.parametrize("name", PRINTS)
def test_the_mat_is_printed_from_the_page(table: Fixture, name: str) -> None:
    assert table.get(f"/setup/print/{name}.pdf?lang=uk").data.startswith(b"%PDF")


def test_everything_that_can_be_printed_is_offered_on_both_papers(table: Fixture) -> None:
    step = table.get("/setup/static/steps/mat.js").get_data(as_text=True)
    assert all(f'"{name}"' in step for name in PRINTS)
    assert {name for name in PRINTS if "tags" in name} == {"tags-a4", "tags-letter"}


def test_the_page_runs_its_own_scripts_only(table: Fixture) -> None:
    page = table.get("/setup/").get_data(as_text=True)
    assert "<script>" not in page
    assert " style=" not in page


def test_the_system_names_its_cameras(tmp_path: Path) -> None:
    for node, name, index in (("video0", "Webcam\n", "0"), ("video1", "Webcam\n", "1"), ("video2", "Other\n", "0")):
        (tmp_path / node).mkdir()
        (tmp_path / node / "name").write_text(name)
        (tmp_path / node / "index").write_text(index)
    assert cameras_present(tmp_path) == (Camera(0, "Webcam"), Camera(2, "Other"))
    assert cameras_present(tmp_path / "nothing") == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_there_with_the_same_parts(language: str) -> None:
    english, mine = texts("en"), texts(language)
    assert mine.keys() == english.keys()
    for code, text in mine.items():
        assert text.strip()
        assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", english[code])), code


def test_every_text_that_the_page_asks_for_is_there() -> None:
    static = Path(__file__).parents[3] / "host" / "setup_wizard" / "static"
    asked = {
        code
        for file in static.rglob("*.js")
        for code in re.findall(r"\bword\(\"([a-z_0-9]+)\"", file.read_text("utf-8"))
        if not code.endswith("_")
    }
    assert len(asked) > 60
    assert asked <= texts("en").keys()


def test_a_choice_that_cannot_be_is_said(table: Fixture) -> None:
    with pytest.raises(BadInput):
        table.wizard.act("choose", {"target": 0})
    assert table.do("choose", {"target": 0}).get_json()["message"] == "That cannot be chosen. Look at it again."


def test_two_players_of_one_name_are_told_apart_first(table: Fixture) -> None:
    both = {"names": {"near": "Anna", "far": " anna "}, "players": True}
    assert "same name" in table.do("choose", both).get_json()["message"]
    assert not load_choices(table.path).players
    nobody = {"names": {"near": "", "far": ""}, "players": True}
    assert table.do("choose", nobody).get_json()["code"] == "done"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the system does not list its cameras")
@pytest.mark.parametrize(
    ("action", "field"), [("choose", "camera"), ("choose", "deck"), ("look", "camera"), ("keep-deck", "name")]
)
@pytest.mark.parametrize("value", ["\ud800", "9" * 5000, "", None, -1, 10**400, [], {}], ids=repr)
def test_no_value_of_a_field_is_a_fault_of_the_program(table: Fixture, action: str, field: str, value: object) -> None:
    answer = table.do(action, {field: value})
    assert answer.status_code == 200
    assert answer.get_json()["code"]


def test_a_deck_that_is_not_whole_shows_no_face(table: Fixture) -> None:
    assert {table.get(f"/setup/deck/0/{face}.png").status_code for face in ("A1", "back", "-")} == {404}


def test_a_camera_that_is_not_plugged_in_is_refused_at_once(table: Fixture) -> None:
    answer = table.do("look", {"camera": "4711"}).get_json()
    assert answer["code"] == "no-such-camera"
    assert "No camera of that number" in answer["message"]


def test_an_address_that_sends_nothing_is_not_told_to_be_plugged_in(table: Fixture) -> None:
    # Nobody listens on port 9 of this machine.
    table.do("look", {"camera": "http://127.0.0.1:9/video"})
    until(lambda: bool(table.wizard.row("en")["live"]["troubles"]))
    (trouble,) = table.wizard.row("en")["live"]["troubles"]
    assert "same network" in trouble["message"]
    assert "Plug" not in trouble["message"]


def test_a_camera_is_settled_once_a_picture_came_from_it(table: Fixture, tmp_path: Path) -> None:
    def settled() -> bool:
        steps = table.get("/setup/state").get_json()["steps"]
        return {one["step"]: bool(one["done"]) for one in steps}["camera"]

    # Given a camera that is chosen and sends nothing, then it is not settled;
    silent = "http://127.0.0.1:9/video"
    table.do("look", {"camera": silent})
    table.do("choose", {"camera": silent})
    until(lambda: bool(table.wizard.row("en")["live"]["troubles"]))
    assert not settled()
    # when one is chosen whose picture comes, then it is, also when nobody looks at it any longer,
    picture = tmp_path / "table.png"
    cv2.imwrite(str(picture), np.full((360, 640, 3), 90, np.uint8))
    table.do("look", {"camera": str(picture)})
    table.do("choose", {"camera": str(picture)})
    until(settled)
    table.wizard.live.close()
    assert settled()
    # and another one has to show its own.
    table.do("choose", {"camera": silent})
    assert not settled()


def test_the_camera_that_is_chosen_is_the_one_that_is_looked_at(table: Fixture, tmp_path: Path) -> None:
    for name in ("old", "new"):
        cv2.imwrite(str(tmp_path / f"{name}.png"), np.full((360, 640, 3), 90, np.uint8))
    old, new = (str(tmp_path / f"{name}.png") for name in ("old", "new"))
    table.do("choose", {"camera": old})
    # Given a new camera that opens slowly, and somebody who has gone on to a step that looks at the chosen one,
    table.do("look", {"camera": new})
    table.do("look")
    assert table.wizard.live.spec == old
    # when it is chosen at last, then it is the one that is looked at.
    table.do("choose", {"camera": new})
    assert table.wizard.live.spec == new


def test_a_folder_of_photographs_is_learnt_from_its_first_one(table: Fixture, tmp_path: Path) -> None:
    folder = tmp_path / "photographs"
    folder.mkdir()
    for name, grey in (("1-air.png", 60), ("2-land.png", 120)):
        cv2.imwrite(str(folder / name), np.full((360, 640, 3), grey, np.uint8))
    opened: list[str] = []

    def opener(spec: str) -> Source:
        opened.append(spec)
        return open_source(spec, as_live=True, picture_seconds=3600.0)

    table.wizard.live = LiveView(opener)
    table.do("choose", {"camera": str(folder)})
    table.do("look", {"camera": str(folder)})
    # Whoever looks long enough has seen some of them already.
    table.do("learn")
    assert opened == [str(folder)] * 2
    assert table.wizard.live.learning


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 30.0
    while not holds():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.02)


@pytest.mark.parametrize("language", ["en", "ru", "uk", "pl"])
def test_photographs_of_another_theaters_cards_are_told_as_one_takes_them_here(language: str) -> None:
    """Files are given by name; before a camera nothing can be, and what to do is to photograph again."""
    failure = PhotographFailure("photographs-swapped", "The cards …", "Give each photograph by its name.", "air")
    told = failure_text(failure, language)
    assert told == texts(language)["failed_photographs_swapped"]
