"""The gate: hands, light and noise are no change of the table; a card is."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from engine.names import THEATERS
from vision.simulate import EMPTY, FilmStep, SimulatedCamera
from vision.tracking.motion_gate import PATIENCE, MotionGate, Stillness

FPS = 10
ONE = {**EMPTY, ("A", "near"): ("A1",)}
TWO = {**ONE, ("S", "far"): ("-",)}


@pytest.fixture(scope="module")
def camera() -> SimulatedCamera:
    return SimulatedCamera("bright", 12)


def watch(gate: MotionGate, pictures: Iterator[np.ndarray], start: float = 0.0, fps: float = FPS) -> list[Stillness]:
    return [gate.see(picture, start + k / fps) for k, picture in enumerate(pictures)]


def still(camera: SimulatedCamera, board: dict, n: int, brightness: float = 1.0) -> Iterator[np.ndarray]:  # type: ignore[type-arg]
    for _ in range(n):
        camera.brightness = brightness
        yield camera.still(board)
    camera.brightness = 1.0


def fresh(seen: list[Stillness]) -> int:
    return sum(s.fresh for s in seen)


def test_the_first_still_table_is_fresh_once(camera: SimulatedCamera) -> None:
    seen = watch(MotionGate(), still(camera, ONE, 12))
    assert fresh(seen) == 1
    assert not seen[0].still, "one picture is no stillness"
    assert seen[-1].still


def test_a_film_of_three_tables_gives_three(camera: SimulatedCamera) -> None:
    steps = [
        FilmStep(EMPTY, THEATERS, hold=1.2),
        FilmStep(ONE, THEATERS, "near", 1.2),
        FilmStep(TWO, THEATERS, "far", 1.2),
    ]
    gate = MotionGate()
    told: list[int | None] = []
    for frame in camera.film(steps, fps=FPS):
        if gate.see(frame.image, frame.t).fresh:
            told.append(frame.still)
    assert told == [0, 1, 2], "and never one with a hand in the picture"


def test_a_hand_that_holds_still_over_the_table_is_waited_for(camera: SimulatedCamera) -> None:
    gate = MotionGate()
    watch(gate, still(camera, ONE, 10))
    steps = [FilmStep(ONE, THEATERS, hold=0.1), FilmStep(TWO, THEATERS, "far", 0.1)]
    held = max(
        (f.image for f in camera.film(steps, fps=FPS) if f.still is None),
        key=lambda i: np.abs(i.astype(int) - camera.still(ONE)).mean(),
    )
    seen = watch(gate, (held for _ in range(20)), 1.0)
    assert fresh(seen) == 0
    assert seen[-1].hand
    seen = watch(gate, still(camera, TWO, 10), 3.0)
    assert fresh(seen) == 1


def test_a_bright_card_on_a_dark_mat_near_the_edge_is_no_hand() -> None:
    camera = SimulatedCamera("bright", 2, condition="day", resolution=(1280, 720))
    gate = MotionGate()
    watch(gate, still(camera, EMPTY, 10))
    seen = watch(gate, still(camera, {**EMPTY, ("S", "near"): ("A1",), ("A", "far"): ("S2",)}, 8), 1.0)
    assert fresh(seen) == 1
    changed = next(s.changed for s in seen if s.fresh)
    assert changed is not None
    card = 63.5 * 88 * (camera.optics.scale() * 240 / 1280) ** 2
    assert cv2.countNonZero(changed) < 2 * 1.7 * card, "what lies around a card has not changed with it"


def test_something_laid_at_the_edge_for_good_is_accepted_in_the_end(camera: SimulatedCamera) -> None:
    gate = MotionGate()
    watch(gate, still(camera, ONE, 10))
    leant = camera.still(ONE)
    cv2.rectangle(leant, (0, 300), (420, 420), (40, 60, 200), -1)
    seen = watch(gate, (leant for _ in range(round((PATIENCE + 1) * FPS))), 1.0)
    assert fresh(seen) == 1
    assert next(k for k, s in enumerate(seen) if s.fresh) / FPS >= PATIENCE


def test_a_hand_that_rested_for_long_and_goes_is_not_waited_for(camera: SimulatedCamera) -> None:
    """It had been taken for part of the table; its going, which reaches in from the edge as a hand does, is none."""
    gate = MotionGate()
    watch(gate, still(camera, ONE, 10))
    holding = camera.still(TWO)
    cv2.rectangle(holding, (620, 0), (700, 300), (110, 140, 200), -1)
    watch(gate, (holding for _ in range(round((PATIENCE + 1) * FPS))), 1.0)
    seen = watch(gate, still(camera, TWO, 10), 7.0)
    assert fresh(seen) == 1 and not any(s.hand for s in seen)


def test_what_lies_over_the_free_end_of_a_column_is_waited_for_once(camera: SimulatedCamera) -> None:
    """Cards that are laid elsewhere every two seconds had each made the four seconds begin anew."""

    def with_a_magazine(board: dict, n: int) -> Iterator[np.ndarray]:  # type: ignore[type-arg]
        for picture in still(camera, board, n):
            cv2.rectangle(picture, (1040, 20), (1280, 260), (40, 60, 200), -1)
            yield picture

    def with_an_arm(board: dict) -> Iterator[np.ndarray]:  # type: ignore[type-arg]
        for k, picture in enumerate(with_a_magazine(board, 5)):
            cv2.rectangle(picture, (0, 500), (150 + 60 * (k % 3), 580), (110, 140, 200), -1)
            yield picture

    boards = [ONE, TWO, {**TWO, ("A", "near"): ("A1", "L2")}, {**TWO, ("A", "near"): ("A1", "L2", "-")}]
    gate = MotionGate()
    told = [fresh(watch(gate, still(camera, ONE, 10)))]
    for k, board in enumerate(boards):
        told.append(fresh(watch(gate, with_a_magazine(board, 20), 1.0 + 2.5 * k)))
        watch(gate, with_an_arm(board), 3.0 + 2.5 * k)
    assert told == [1, 0, 1, 1, 1]


def test_a_hand_that_stays_and_moves_a_little_beside_the_cards_hides_none(camera: SimulatedCamera) -> None:
    def project(left: float, right: float, near: float, far: float) -> np.ndarray:
        corners = ((left, far, 0.0), (right, far, 0.0), (right, near, 0.0), (left, near, 0.0))
        return camera.optics.project(np.array(corners))

    def with_a_hand(board: dict, n: int) -> Iterator[np.ndarray]:  # type: ignore[type-arg]
        for k, picture in enumerate(still(camera, board, n)):
            arm = project(40 + 4 * (k % 3), 110 + 4 * (k % 3), -400, -250)
            cv2.fillPoly(picture, [np.round(arm).astype(np.int32)], (110, 140, 200))
            yield picture

    told = []
    for cards in ([], [project(-200, 200, -210, 210)]):
        gate = MotionGate()
        gate.watch_only(project(-208, 208, -309, 309), (1280, 720), cards)
        first = watch(gate, still(camera, ONE, 10))
        told.append(fresh(first) + fresh(watch(gate, with_a_hand(ONE, 20), 1.0)))
        told.append(fresh(watch(gate, with_a_hand(TWO, 10), 3.0)))
        told.append(fresh(watch(gate, still(camera, TWO, 12), 4.0)))
    assert told == [1, 0, 1, 1, 1, 1], "and what lies beside is looked at when it rests"


def test_a_camera_that_wobbles_shows_a_still_table_and_the_card_that_is_laid(camera: SimulatedCamera) -> None:
    def wobbling(board: dict, n: int) -> Iterator[np.ndarray]:  # type: ignore[type-arg]
        for k, picture in enumerate(still(camera, board, n)):
            by = 1.0 * np.sin(2 * np.pi * 1.4 * k / FPS)
            yield cv2.warpAffine(picture, np.float32([[1, 0, by], [0, 1, by / 2]]), (1280, 720), borderMode=1)

    gate = MotionGate()
    assert fresh(watch(gate, wobbling(ONE, 30))) == 1
    assert fresh(watch(gate, wobbling(TWO, 20), 3.0)) == 1


@pytest.mark.parametrize("to", [0.55, 1.25])
def test_a_lamp_switched_on_or_off_is_no_change(camera: SimulatedCamera, to: float) -> None:
    gate = MotionGate()
    watch(gate, still(camera, ONE, 10))
    assert fresh(watch(gate, still(camera, ONE, 15, to), 1.0)) == 0


def test_automatic_exposure_creeping_is_no_change_and_no_motion(camera: SimulatedCamera) -> None:
    gate = MotionGate()
    watch(gate, still(camera, ONE, 10))

    def creeping() -> Iterator[np.ndarray]:
        for k in range(20):
            yield from still(camera, ONE, 1, 1.0 - 0.02 * k)

    seen = watch(gate, creeping(), 1.0)
    assert fresh(seen) == 0
    assert seen[-1].still


def test_the_soft_shadow_of_a_head_is_no_change(camera: SimulatedCamera) -> None:
    gate = MotionGate()
    watch(gate, still(camera, ONE, 10))
    rows, columns = np.indices((720, 1280), np.float32)

    def shaded() -> Iterator[np.ndarray]:
        for k in range(15):
            shade = 1 - 0.4 * np.exp(-(((columns - 200 - 30 * k) / 260) ** 2 + ((rows - 300) / 260) ** 2))
            yield (camera.still(ONE) * shade[..., None]).astype(np.uint8)

    assert fresh(watch(gate, shaded(), 1.0)) == 0


def test_noise_in_the_dark_is_no_motion() -> None:
    dim = SimulatedCamera("muted", 3, condition="dim", resolution=(1280, 720))
    seen = watch(MotionGate(), still(dim, ONE, 14))
    assert fresh(seen) == 1
    assert all(s.still for s in seen[6:])


def test_a_card_laid_in_the_dark_is_seen() -> None:
    dim = SimulatedCamera("muted", 3, condition="dim", resolution=(1280, 720))
    gate = MotionGate()
    watch(gate, still(dim, ONE, 10))
    assert fresh(watch(gate, still(dim, TWO, 10), 1.0)) == 1


def test_a_flip_is_seen_where_it_happened(camera: SimulatedCamera) -> None:
    gate = MotionGate()
    watch(gate, still(camera, TWO, 10))
    flipped = {**TWO, ("S", "far"): ("S4",)}
    seen = watch(gate, still(camera, flipped, 10), 1.0)
    assert fresh(seen) == 1
    changed = next(s.changed for s in seen if s.fresh)
    assert changed is not None
    rows, columns = np.nonzero(changed)
    there = camera.optics.project(np.array([(130.5, 94.0, 0.0)]))[0] * changed.shape[1] / 1280
    assert np.hypot(columns.mean() - there[0], rows.mean() - there[1]) < 8


def test_what_moves_beside_the_table_does_not_count(camera: SimulatedCamera) -> None:
    rng = np.random.default_rng(1)
    mat = camera.optics.project(
        np.array([(x, y, 0.0) for x, y in ((-215, 300), (215, 300), (215, -300), (-215, -300))])
    )

    def curtain(n: int) -> Iterator[np.ndarray]:
        for picture in still(camera, ONE, n):
            picture[:, 1150:] = rng.integers(0, 255, (720, 130, 1))
            yield picture

    assert fresh(watch(MotionGate(), curtain(12))) == 0, "without knowing where the table is, all motion counts"
    gate = MotionGate()
    gate.watch_only(mat, (1280, 720))
    assert fresh(watch(gate, curtain(12))) == 1


def test_five_frames_a_second_are_enough(camera: SimulatedCamera) -> None:
    gate = MotionGate()
    seen = watch(gate, still(camera, ONE, 8), fps=5)
    assert fresh(seen) == 1
    assert next(k for k, s in enumerate(seen) if s.fresh) <= 3


def test_a_moved_camera_is_another_picture_and_no_hand(camera: SimulatedCamera) -> None:
    gate = MotionGate()
    watch(gate, still(camera, ONE, 10))
    moved = cv2.warpAffine(camera.still(ONE), np.float32([[1, 0, 60], [0, 1, 40]]), (1280, 720))
    seen = watch(gate, (moved for _ in range(10)), 1.0)
    assert fresh(seen) == 1
    assert not seen[-1].hand


def test_another_picture_size_starts_anew(camera: SimulatedCamera) -> None:
    gate = MotionGate()
    watch(gate, still(camera, ONE, 10))
    square = cv2.resize(camera.still(ONE), (800, 600))
    assert fresh(watch(gate, (square for _ in range(10)), 1.0)) == 1


def test_forgetting_makes_the_same_table_fresh(camera: SimulatedCamera) -> None:
    gate = MotionGate()
    watch(gate, still(camera, ONE, 10))
    gate.forget()
    assert fresh(watch(gate, still(camera, ONE, 10), 1.0)) == 1


@pytest.mark.parametrize("shape", [(48, 64, 3), (120, 160), (1080, 1920, 3), (2160, 3840, 3), (1280, 720, 3)])
def test_any_picture_that_a_camera_may_send_goes_through(shape: tuple[int, ...]) -> None:
    picture = np.random.default_rng(1).integers(40, 200, shape).astype(np.uint8)
    assert fresh(watch(MotionGate(), (picture for _ in range(8)))) == 1


def test_a_film_of_nothing_is_one_still_picture() -> None:
    assert fresh(watch(MotionGate(), (np.zeros((720, 1280, 3), np.uint8) for _ in range(40)))) == 1


@pytest.mark.parametrize("size", [(1923, 1083), (961, 540), (330, 250)])
def test_pictures_of_any_size_come_to_rest_and_show_what_came(size: tuple[int, int]) -> None:
    table = np.full((size[1], size[0], 3), 90, np.uint8)
    with_a_card = table.copy()
    with_a_card[size[1] // 3 : size[1] // 2, size[0] // 3 : size[0] // 2] = 160

    seen = watch(MotionGate(), iter([table] * 8 + [with_a_card] * 10))

    assert fresh(seen) == 2 and seen[-1].still
