"""The aiming aid: what is wrong with a picture is named, with what to do; live enrolment waits for the right table."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.names import SEATS, THEATERS
from tests.vision.enrolment.shone_on import shone_on
from vision.enrolment.enrol import REMEDIES
from vision.enrolment.live import INSTRUCTIONS, SENTENCES, Guidance, Guide
from vision.enrolment.picture_quality import FINDINGS, Finding, PictureJudgement, draw_judgement, judge_picture
from vision.geometry.registration import register
from vision.simulate import CONDITIONS, EMPTY, SimulatedCamera
from vision.simulate.optics import Glare, Light, View
from vision.simulate.scene import Hands

DAY = replace(CONDITIONS["day"], resolution=(1280, 720), light=Light(level=0.9))


def judged(picture: np.ndarray) -> PictureJudgement:
    return judge_picture(picture, register(picture))


def codes(judgement: PictureJudgement) -> list[tuple[str, str]]:
    return [(f.code, f.weight) for f in judgement.findings]


def test_a_good_picture_is_good() -> None:
    judgement = judged(SimulatedCamera("bright", 4, condition=DAY).still(EMPTY))
    assert judgement.verdict == "good"
    assert judgement.scale == pytest.approx(SimulatedCamera("bright", 4, condition=DAY).optics.scale(), rel=0.05)
    assert judgement.tilt == pytest.approx(3, abs=1.5)
    assert judgement.outline is not None


def test_no_mat_in_the_picture() -> None:
    judgement = judged(np.full((720, 1280, 3), 120, np.uint8))
    assert codes(judgement) == [("no-mat", "stop")]
    assert judgement.verdict == "not-yet"


def test_a_covered_lens_is_dark_before_anything_else() -> None:
    assert codes(judged(np.full((720, 1280, 3), 6, np.uint8)))[0] == ("too-dark", "stop")


def test_a_hidden_tag_is_named_by_its_corner() -> None:
    camera = SimulatedCamera("bright", 4, condition=DAY)
    picture = camera.still(EMPTY)
    at = camera.optics.project(np.array([(185.0, -272.0, 0.0)]))[0]
    cv2.circle(picture, (round(at[0]), round(at[1])), 45, (60, 80, 90), -1)
    finding = next(f for f in judged(picture).findings if f.code == "tag-unseen")
    assert finding.message == "The near right corner tag is not seen."
    assert finding.weight == "better", "three tags are enough to play on"


def test_a_dark_room_wants_light() -> None:
    light = Light(level=0.16, noise=2)
    assert ("too-dark", "stop") in codes(
        judged(SimulatedCamera("bright", 4, condition=replace(DAY, light=light)).still(EMPTY))
    )


def test_a_blurred_picture_wants_focus() -> None:
    picture = cv2.GaussianBlur(SimulatedCamera("bright", 4, condition=DAY).still(EMPTY), (0, 0), 2.6)
    assert "blurred" in [c for c, _ in codes(judged(picture))]


def test_a_camera_that_leans_is_told_by_how_much() -> None:
    condition = replace(DAY, view=View(tilt=24, lean=200))
    finding = next(
        f for f in judged(SimulatedCamera("bright", 4, condition=condition).still(EMPTY)).findings if f.code == "tilted"
    )
    assert finding.parts["tilt"] == pytest.approx(24, abs=2)


def test_a_camera_hung_too_high_is_coarse() -> None:
    condition = replace(DAY, view=View(fill=0.62))
    assert "picture-coarse" in [
        c for c, _ in codes(judged(SimulatedCamera("bright", 4, condition=condition).still(EMPTY)))
    ]


def test_shine_is_told_with_its_place() -> None:
    light = Light(gloss=1.0, glares=(Glare((130.0, -100.0), 30, 400),))
    camera = SimulatedCamera("bright", 4, condition=replace(DAY, light=light))
    finding = next(f for f in judged(camera.still({**EMPTY, ("S", "near"): ("S4",)})).findings if f.code == "glare")
    assert "near side of the right board" in finding.message


def test_a_lamp_at_one_end_is_uneven() -> None:
    light = Light(lamp=(-200.0, 280.0), lamp_reach=300)
    assert "uneven-light" in [
        c for c, _ in codes(judged(SimulatedCamera("bright", 4, condition=replace(DAY, light=light)).still(EMPTY)))
    ]


def test_every_finding_has_a_sentence_and_a_remedy() -> None:
    parts = dict.fromkeys(("corner", "side", "scale", "tilt", "paper", "times", "colour", "edge", "place"), 1)
    for code in FINDINGS:
        finding = Finding(code, "better", parts)
        assert "{" not in finding.message
        assert finding.remedy


def test_the_outline_is_drawn_on_a_copy() -> None:
    picture = SimulatedCamera("bright", 4, condition=DAY).still(EMPTY)
    before = picture.copy()
    registration = register(picture)
    drawn = draw_judgement(picture, judge_picture(picture, registration), registration)
    assert np.array_equal(picture, before)
    assert (drawn != picture).any()


def test_a_place_where_something_is_wrong_is_drawn_in_red() -> None:
    picture = SimulatedCamera("bright", 4, condition=DAY).still(EMPTY)
    registration = register(picture)
    judgement = judge_picture(picture, registration)
    plain, red = (draw_judgement(picture, judgement, registration, wrong) for wrong in ((), ("left/near",)))
    assert registration is not None
    rows, columns = np.nonzero((plain != red).any(axis=2))
    middle = registration.to_table(np.array([[columns.mean(), rows.mean()]]))[0]
    assert np.hypot(middle[0] + 130.5, middle[1] + 105) < 30


class Table:
    """Enrolment tables of one deck, laid anew for each photograph."""

    def __init__(self) -> None:
        self.camera = SimulatedCamera("bright", 31, condition=replace(DAY, clutter=0.0, jpeg=None))

    def picture(self, faces: tuple[str, ...]) -> np.ndarray:
        board = dict(EMPTY)
        for k, theater in enumerate(THEATERS):
            for seat, face in (("near", faces[k]), ("far", faces[k + 3])):
                board[(theater, seat)] = (face,) if face else ()
        fresh = Hands(self.camera.condition.sloppiness, np.random.default_rng(len("".join(faces))))
        return self.camera.picture((*fresh.boards(THEATERS), *fresh.lay(board, THEATERS)))


def show(guide: Guide, picture: np.ndarray, t: float, seconds: float = 3.0) -> list[Guidance]:
    return [guide.see(picture, t + k / 5) for k in range(round(seconds * 5))]


def test_live_enrolment_takes_the_four_photographs_one_after_the_other() -> None:
    table, guide = Table(), Guide()
    assert guide.step == "air"
    taken: list[str] = []
    for k, faces in enumerate([tuple(f"{t}{n}" for n in range(1, 7)) for t in THEATERS] + [("-",) * 6]):
        shown = show(guide, table.picture(faces), 10.0 * k)
        taken += [g.just_taken for g in shown if g.just_taken is not None]
        assert all(g.just_taken is None for g in shown[:5]), "not before it has lain still for a moment"
    assert taken == ["air", "land", "sea", "back"]
    assert guide.step is None
    assert len(guide.learn().profile.faces) == 19


def test_a_missing_card_is_asked_for_and_nothing_is_taken() -> None:
    table, guide = Table(), Guide()
    shown = show(guide, table.picture(("A1", "A2", "", "A4", "A5", "A6")), 0.0)
    assert all(g.just_taken is None for g in shown)
    assert ("card-missing", "right/near") in [(a.code, a.at) for a in shown[-1].advice]
    assert "near side of the right board" in shown[-1].says
    assert shown[-1].wrong == {"right/near"}


def test_a_table_that_is_still_bare_is_told_what_to_lay() -> None:
    shown = show(Guide(), Table().picture(("",) * 6), 0.0)
    assert shown[-1].says == INSTRUCTIONS["air"]


def test_the_cards_just_photographed_ask_for_the_next_ones_and_are_not_scolded() -> None:
    table, guide = Table(), Guide()
    air = table.picture(("A1", "A2", "A3", "A4", "A5", "A6"))
    show(guide, air, 0.0)
    shown = show(guide, air, 3.0, seconds=12.0)
    assert {g.says for g in shown} == {INSTRUCTIONS["land"]}
    assert guide.step == "land", "however long they lie"


def test_a_half_changed_table_is_not_taken_for_the_next_photograph() -> None:
    table, guide = Table(), Guide()
    show(guide, table.picture(("A1", "A2", "A3", "A4", "A5", "A6")), 0.0)
    assert guide.step == "land"
    shown = show(guide, table.picture(("L1", "L2", "L3", "L4", "A5", "A6")), 10.0)
    assert all(g.just_taken is None for g in shown)
    assert set(shown[-1].same) == {"middle/far", "right/far"}
    assert "far side of the middle board" in shown[-1].says


def test_backs_that_are_laid_for_a_theaters_cards_are_not_photographed() -> None:
    """They had been taken for the air cards, and after all four photographs the deck was refused."""
    # Given six cards face down where the six air cards are asked for,
    table, guide = Table(), Guide()
    shown = show(guide, table.picture(("-",) * 6), 0.0, seconds=12.0)
    # then they are not photographed, however long they lie, and it says to turn them.
    assert all(g.just_taken is None for g in shown)
    assert shown[-1].says == SENTENCES["face-down"]
    assert len(shown[-1].wrong) == 6
    # When the air cards lie there, then they are.
    assert "air" in {g.just_taken for g in show(guide, table.picture(("A1", "A2", "A3", "A4", "A5", "A6")), 20.0)}


@pytest.mark.parametrize(
    ("cards", "where"),
    [
        (("-", "-", "S1", "-", "-", "-"), {"right/near"}),
        (("A2", "L3", "S1", "A5", "L6", "S4"), {f"{k}/{s}" for k in ("left", "middle", "right") for s in SEATS}),
    ],
)
def test_cards_that_lie_face_up_for_the_backs_are_named(cards: tuple[str, ...], where: set[str]) -> None:
    table, guide = Table(), Guide()
    for k, theater in enumerate(THEATERS):
        show(guide, table.picture(tuple(f"{theater}{n}" for n in range(1, 7))), 10.0 * k)
    # Given the photographs of all theaters, and cards of which some lie face up,
    shown = show(guide, table.picture(cards), 30.0)
    # then those are named, and nothing is photographed until they are turned.
    assert all(g.just_taken is None for g in shown)
    assert shown[-1].wrong == where
    assert "Turn them face down." in shown[-1].says
    assert "back" in {g.just_taken for g in show(guide, table.picture(("-",) * 6), 40.0)}


def test_a_back_on_which_a_lamp_shines_is_not_said_to_lie_face_up() -> None:
    """It was told to be turned, and in photographs from files to be no back of this deck."""
    table, guide = Table(), Guide()
    for k, theater in enumerate(THEATERS):
        show(guide, table.picture(tuple(f"{theater}{n}" for n in range(1, 7))), 10.0 * k)
    # Given six backs, of which a lamp blows out most of one, though not its header,
    backs = table.picture(("-",) * 6)
    # when they are shown, then it says what to do about the lamp,
    shown = show(guide, shone_on(backs, 4), 30.0)
    assert all(g.just_taken is None for g in shown)
    assert shown[-1].wrong == {"middle/far"} and REMEDIES["glare"] in shown[-1].says
    # and where nothing shines on them they are photographed.
    assert "back" in {g.just_taken for g in show(guide, backs, 40.0)}


def test_a_photograph_can_be_taken_again() -> None:
    table, guide = Table(), Guide()
    show(guide, table.picture(("A1", "A2", "A3", "A4", "A5", "A6")), 0.0)
    guide.retake("air")
    assert guide.step == "air"


def test_a_photograph_taken_again_is_not_taken_of_the_cards_of_another() -> None:
    # Given two photographs, of which the first is to be taken again
    table, guide = Table(), Guide()
    air, land = (table.picture(tuple(f"{t}{n}" for n in range(1, 7))) for t in "AL")
    show(guide, air, 0.0)
    show(guide, land, 10.0)
    assert guide.step == "sea"
    guide.retake("air", alone=True)
    # When the cards of the second still lie there, then they are not taken for the first
    shown = show(guide, land, 20.0)
    assert all(g.just_taken is None for g in shown) and shown[-1].says == INSTRUCTIONS["air"]
    # When the right ones lie there, then the second need not be taken again
    assert "air" in {g.just_taken for g in show(guide, air, 30.0)}
    assert guide.step == "sea"


def test_a_picture_without_the_mat_says_what_to_do() -> None:
    guide = Guide()
    shown = show(guide, np.full((720, 1280, 3), 90, np.uint8), 0.0)
    assert "corner tags" in shown[-1].says
