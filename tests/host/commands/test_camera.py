"""`allfronts camera`: what it says of a picture, what its page gives to whom, and a deck learnt from live pictures."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from engine.failure import Failure
from engine.names import FACE_DOWN, SEATS, THEATERS
from host.camera_setup.page import make_aiming_app
from host.camera_setup.watch import AimWatch
from host.camera_setup.words import localised
from host.cli import main
from host.commands.enrol import advice_in_words
from host.messages import catalogue
from vision.enrolment.enrol import REMEDIES
from vision.enrolment.live import SENTENCES, Guide
from vision.enrolment.picture_quality import FINDINGS
from vision.enrolment.rehearsal import TABLES
from vision.profile import DeckProfile
from vision.simulate import CONDITIONS, EMPTY, SimulatedCamera
from vision.simulate.optics import Light
from vision.simulate.scene import Hands
from vision.sources import ADVICE, open_source

DAY = replace(CONDITIONS["day"], resolution=(1280, 720), light=Light(level=0.9), clutter=0.0, jpeg=None)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("aim") / "table.png"
    cv2.imwrite(str(path), SimulatedCamera("bright", 4, condition=DAY).still(EMPTY))
    return path


def test_a_good_picture_is_good_in_json(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["camera", "--json", str(table)]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [r["verdict"] for r in rows] == ["good"], "one line as long as nothing changes"
    assert rows[0]["size"] == [1280, 720]
    assert 1.2 < rows[0]["scale"] < 2


def test_without_a_mat_the_answer_is_no(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "desk.png"
    cv2.imwrite(str(path), np.full((720, 1280, 3), 130, np.uint8))
    assert main(["camera", "--no-page", str(path)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("✘ Not yet:")
    assert "corner tags" in out


def test_what_is_not_there_is_one_line_and_status_two(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["camera", "--json", "/nowhere.mp4"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_film_of_nothing_ends_with_a_plain_no(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "night.avi"
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (1280, 720))
    for _ in range(20):
        film.write(np.zeros((720, 1280, 3), np.uint8))
    film.release()
    assert main(["camera", "--json", str(path)]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [f["code"] for f in rows[-1]["findings"]] == ["too-dark", "no-mat"]


def test_a_deck_is_learnt_from_live_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    camera = SimulatedCamera("bright", 31, condition=DAY)
    shots = tmp_path / "shots"
    shots.mkdir()
    for number, faces in enumerate([[f"{t}{n}" for n in range(1, 7)] for t in THEATERS] + [[FACE_DOWN] * 6]):
        board = dict(EMPTY)
        for k, theater in enumerate(THEATERS):
            board[(theater, "near")], board[(theater, "far")] = (faces[k],), (faces[k + 3],)
        hands = Hands(DAY.sloppiness, np.random.default_rng(number))
        picture = camera.picture((*hands.boards(THEATERS), *hands.lay(board, THEATERS)))
        for copy in range(3):
            cv2.imwrite(str(shots / f"{number}-{copy}.bmp"), picture)
    deck = tmp_path / "deck"
    assert main(["camera", "--json", "--enrol", str(deck), str(shots)]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows[0]["enrol"]["says"].startswith("Lay the boards")
    assert rows[-1]["enrol"]["saved"] == str(deck)
    assert len(DeckProfile.load(deck).faces) == 19
    # It proves itself as a deck from photographs does: tables of it are read, and the sheet shows its cuts.
    assert rows[-1]["enrol"]["rehearsal"]["tables"] == TABLES
    sheet = cv2.imread(str(deck / "sheet.png"))
    assert sheet is not None and sheet.shape[0] > DeckProfile.load(deck).sheet().shape[0] + 1000


def test_pictures_that_end_too_soon_teach_nothing(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["camera", "--json", "--enrol", str(tmp_path / "deck"), str(table)]) == 2
    assert "before the deck was learnt" in capsys.readouterr().err
    assert not (tmp_path / "deck").exists()


@pytest.fixture(scope="module")
def page(table: Path) -> FlaskClient:
    watch = AimWatch()
    for _ in watch.follow(open_source(str(table))):
        pass
    return make_aiming_app(watch, lambda: frozenset({"127.0.0.1:8421"})).test_client()


OURS = {"Host": "127.0.0.1:8421"}


def test_the_page_shows_picture_and_state(page: FlaskClient) -> None:
    assert b"Aim the camera" in page.get("/", headers=OURS).data
    state = page.get("/state", headers=OURS).get_json()
    assert state["verdict"] == "good"
    picture = page.get("/picture.jpg", headers=OURS)
    assert picture.mimetype == "image/jpeg"
    assert cv2.imdecode(np.frombuffer(picture.data, np.uint8), cv2.IMREAD_COLOR).shape[1] == 960


@pytest.mark.parametrize("path", ["/", "/state", "/picture.jpg", "/aim/aim.js"])
def test_a_foreign_name_or_page_gets_nothing(page: FlaskClient, path: str) -> None:
    assert page.get(path, headers={"Host": "evil.example"}).status_code == 400
    assert page.get(path, headers={**OURS, "Sec-Fetch-Site": "cross-site"}).status_code == 403


def test_the_page_runs_its_own_script_only_and_is_not_stored(page: FlaskClient) -> None:
    headers = page.get("/", headers=OURS).headers
    assert "script-src 'self'" in headers["Content-Security-Policy"]
    assert headers["Cache-Control"] == "no-store"
    assert page.post("/state", headers=OURS).status_code == 405


def test_every_advice_has_its_words_in_the_languages_of_the_rulebooks() -> None:
    english = catalogue("en")
    assert english["aim-mend"] == {code: remedy for code, (_, remedy) in FINDINGS.items()}
    assert set(english["aim"]) == set(FINDINGS)
    assert english["enrol-mend"] == REMEDIES
    assert english["enrol-lay"] == SENTENCES
    assert set(ADVICE) <= set(english["condition"])
    spots = ("left", "middle", "right")
    assert {*spots, *(f"{spot}/{seat}" for spot in spots for seat in SEATS)} == set(english["aim-spot"])


@pytest.mark.parametrize(
    ("accepts", "title", "verdict"),
    [
        ("en-GB", "Aim the camera", "Good"),
        ("pl,en;q=0.5", "Ustaw kamer\u0119", "Dobrze"),
        ("ja", "Aim the camera", "Good"),
    ],
)
def test_the_page_speaks_the_browsers_language(page: FlaskClient, accepts: str, title: str, verdict: str) -> None:
    headers = {**OURS, "Accept-Language": accepts}
    assert f"<h1>{title}</h1>" in page.get("/", headers=headers).text
    assert verdict in page.get("/state", headers=headers).get_json()["verdict_text"]


def test_what_enrolment_says_names_its_places_in_any_language(table: Path) -> None:
    watch = AimWatch(Guide())
    for _ in watch.follow(open_source(str(table))):
        pass
    row = watch.row()
    row["enrol"]["said"] = {"code": "same", "places": ["left/near"], "mend": None}
    assert "ближняя сторона левого поля" in localised(row, "ru")["enrol"]["says"]
    row["enrol"]["said"] = {"code": "mend", "places": ["right/far"], "mend": "glare"}
    assert "дальня" not in localised(row, "pl")["enrol"]["says"]
    assert "dalsza strona prawego obszaru" in localised(row, "pl")["enrol"]["says"]


def test_the_aiming_page_says_in_its_own_language_why_a_deck_was_not_learnt() -> None:
    watch = AimWatch(Guide())
    wrong = "The air photograph will not do: a card is not seen (near side of the left board)."
    watch.saved(None, Failure("card-missing", wrong, "Lay one card there, its top edge towards the board."))
    says = localised(watch.row(), "pl", None, watch.failure())["enrol"]["says"]
    assert says == ("Zdjęcie „powietrze” się nie nadaje: nie widać karty (bliższa strona lewego obszaru). "
                    "Połóż tam jedną kartę, górną krawędzią do planszy.")  # fmt: skip


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the system does not list its cameras")
def test_a_camera_that_is_not_plugged_in_is_said_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["camera", "4711"]) == 2
    assert "4711" in capsys.readouterr().err


def test_what_enrol_advises_is_told_in_words() -> None:
    cut_off = {"picture": "air.jpg", "code": "mat-cut-off", "at": "", "remedy": ""}
    assert (
        advice_in_words(cut_off, "en")
        == "air.jpg: Take away what covers a corner tag, or move the camera until all four are in the picture."
    )
    at_a_card = {"picture": "air.jpg", "code": "", "at": "left/near", "remedy": "Lay it straight."}
    assert advice_in_words(at_a_card, "en") == "air.jpg: near side of the left board: Lay it straight."
