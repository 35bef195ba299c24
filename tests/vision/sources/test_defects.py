"""Blank, blown out, torn and resized pictures: none is read, none moves the game, and the table is read again after."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.failure import Failure
from engine.names import Theater
from engine.sight import Sight, sight_of
from vision.geometry.light import root_table
from vision.geometry.registration import register
from vision.simulate import EMPTY, SimulatedCamera
from vision.sources.defects import DefectCheck, percentile
from vision.sources.health import Health
from vision.sources.trouble import Trouble
from vision.tracking.table_watcher import TableWatcher
from vision.types import Picture

FPS = 10
ORDER: tuple[Theater, Theater, Theater] = ("A", "L", "S")
BOARD = {**EMPTY, ("A", "near"): ("A1", "L2"), ("S", "far"): ("-",)}


@pytest.fixture(scope="module")
def pictures() -> list[Picture]:
    camera = SimulatedCamera("bright", 21)
    return [camera.still(BOARD, ORDER) for _ in range(6)]


def white(picture: Picture) -> Picture:
    return np.full_like(picture, 255)


def black(picture: Picture) -> Picture:
    return np.zeros_like(picture)


def torn(share: float) -> Callable[[Picture], Picture]:
    """A picture of which a share arrived; the decoder filled in the rest."""

    def cut(picture: Picture) -> Picture:
        part = picture.copy()
        part[round(len(part) * share) :] = 128
        return part

    return cut


def resized(picture: Picture) -> Picture:
    return np.asarray(cv2.resize(picture, (640, 480), interpolation=cv2.INTER_AREA))


def blurred(deviation: float) -> Callable[[Picture], Picture]:
    """Out of focus by so many px."""
    return lambda picture: np.asarray(cv2.GaussianBlur(picture, (0, 0), deviation))


def noise(picture: Picture) -> Picture:
    """What a loose plug sends."""
    return np.random.default_rng(int(picture[4::16, 4::16].sum())).integers(0, 256, picture.shape, np.uint8)


FAULTS: dict[str, Callable[[Picture], Picture]] = {
    "white": white,
    "black": black,
    "torn-0.3": torn(0.3),
    "torn-0.6": torn(0.6),
    "torn-0.9": torn(0.9),
    "resized": resized,
    "blurred-2.8": blurred(2.8),
    "blurred-7": blurred(7.0),
    "blurred-16": blurred(16.0),
    "noise": noise,
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_defect_is_found_in_the_first_such_picture_and_gone_with_it(pictures: list[Picture], fault: str) -> None:
    check = DefectCheck()
    assert [check.see(p, k / FPS) for k, p in enumerate(pictures)] == [None] * len(pictures)
    assert check.see(FAULTS[fault](pictures[0]), 0.6) is not None
    assert check.see(pictures[1], 0.7) is None


def test_black_bars_and_a_bright_window_from_the_beginning_are_no_defect(pictures: list[Picture]) -> None:
    check = DefectCheck()
    for k in range(30):
        picture = pictures[k % 6].copy()
        picture[:90] = picture[-90:] = 0
        picture[100:300, :500] = 255
        assert check.see(picture, k / FPS) is None


def test_a_lamp_that_stays_on_becomes_part_of_the_room(pictures: list[Picture]) -> None:
    check = DefectCheck()
    check.see(pictures[0], 0.0)
    lit = pictures[1].copy()
    lit[::2, ::2][: lit.shape[0] // 4] = 255
    lit[: lit.shape[0] // 3] = np.maximum(lit[: lit.shape[0] // 3], np.uint8(252))
    assert check.see(lit, 1.0) == "picture-white"
    assert check.see(lit, 7.0) is None


@pytest.mark.parametrize("fault", FAULTS)
def test_the_fault_is_named_within_three_seconds(pictures: list[Picture], fault: str) -> None:
    health = Health("camera 0", 0.0)
    told: list[tuple[str, float]] = []
    for k in range(80):
        picture = pictures[k % 6].copy()
        picture[4::16, 4::16, k % 3] = k
        sent = FAULTS[fault](picture) if k >= 30 else picture
        told += [(i.code, i.t) for i in health.picture(sent, k / FPS) if isinstance(i, Trouble)]
    assert told and told[0][1] <= 3.0 + 3.0, told


@pytest.mark.parametrize(
    ("fault", "code"),
    [("blurred-2.8", "picture-blurred"), ("blurred-7", "picture-blurred"), ("noise", "picture-noise")],
)
def test_out_of_focus_and_noise_are_named_as_what_they_are(pictures: list[Picture], fault: str, code: str) -> None:
    health = Health("camera 0", 0.0)
    sent = [*pictures, *(FAULTS[fault](picture) for picture in pictures * 3)]
    items = [item for k, picture in enumerate(sent) for item in health.picture(picture, k / FPS)]
    assert [item.code for item in items if isinstance(item, Trouble) and item.code.startswith("picture-")] == [code]


def test_a_camera_that_has_never_been_in_focus_is_out_of_focus_until_it_is(pictures: list[Picture]) -> None:
    check = DefectCheck()
    assert check.see(blurred(5.0)(pictures[0]), 0.0) == "picture-blurred"
    assert check.see(pictures[1], 0.1) is None


def test_a_cheap_camera_that_smears_a_little_is_read(pictures: list[Picture]) -> None:
    check = DefectCheck()
    smeared = [blurred(2.2)(picture) for picture in pictures]
    assert [check.see(p, k / FPS) for k, p in enumerate(smeared)] == [None] * len(smeared)


def test_a_covered_lens_shows_the_sensors_faint_noise_which_is_no_trouble_of_the_cable(pictures: list[Picture]) -> None:
    draw, check = np.random.default_rng(3), DefectCheck()
    check.see(pictures[0], 0.0)
    covered = np.clip(draw.normal(120, 4, pictures[0].shape), 0, 255).astype(np.uint8)
    assert check.see(covered, 0.1) not in ("picture-noise", "picture-blurred")


def veiled(left: float, veil: int) -> Callable[[Picture], Picture]:
    """A picture of which a share is left behind fog."""
    return lambda picture: np.asarray(cv2.addWeighted(picture, left, np.full_like(picture, veil), 1 - left, 0))


@pytest.mark.parametrize("veil", [255, 200, 128, 60])
@pytest.mark.parametrize("left", [0.2, 0.3, 0.4])
def test_a_veil_is_pale_at_once_and_a_dimmed_lamp_is_not(pictures: list[Picture], left: float, veil: int) -> None:
    check = DefectCheck()
    assert [check.see(p, k / FPS) for k, p in enumerate(pictures)] == [None] * len(pictures)
    assert check.see(veiled(left, veil)(pictures[0]), 0.6) in ("picture-pale", "picture-white")
    assert check.see(np.asarray(cv2.convertScaleAbs(pictures[0], alpha=0.5)), 0.7) is None


class Counting:
    """A reader that says what lies there and counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def read(self, image: Picture, previous: object = None, changed: object = None) -> object:
        from types import MappingProxyType

        from vision.tracking.reader import TableReading

        self.asked += 1
        registration = register(image)
        assert registration is not None, "a defective picture was read"
        sight: Sight = sight_of(BOARD, ORDER)
        return TableReading(sight, registration, (None, None, None), (), root_table(np.ones(3)), MappingProxyType({}))


class Refusing(Counting):
    """The same, which sees where there is no table."""

    def read(self, image: Picture, previous: object = None, changed: object = None) -> object:
        if register(image) is None:
            raise Failure("no-table", "No table is seen.", "Show the mat.")
        return super().read(image, previous, changed)


def test_fog_over_a_table_that_was_told_is_named_and_moves_nothing(pictures: list[Picture]) -> None:
    watcher = TableWatcher(reader=Counting())  # type: ignore[arg-type]
    for k in range(15):
        watcher.see(pictures[k % 6], k / FPS)
    watcher.notices()
    fog = veiled(0.3, 200)
    assert not any(watcher.see(fog(pictures[k % 6]), k / FPS) for k in range(15, 45))
    assert [notice.code for notice in watcher.notices()] == ["low-contrast"]


def test_a_picture_without_the_table_that_never_rests_is_named(pictures: list[Picture]) -> None:
    """Given a table that was told; when only noise comes; then it counts as lost within three seconds, and is found."""
    watcher = TableWatcher(reader=Refusing())  # type: ignore[arg-type]
    for k in range(15):
        watcher.see(pictures[k % 6], k / FPS)
    watcher.notices()
    draw = np.random.default_rng(1)
    for k in range(15, 45):
        assert watcher.see(draw.integers(0, 256, pictures[0].shape, np.uint8), k / FPS) is None
    assert [notice.code for notice in watcher.notices()] == ["no-table"]
    for k in range(45, 75):
        watcher.see(pictures[k % 6], k / FPS)
    assert [notice.code for notice in watcher.notices()] == ["table-found"]


def test_out_of_focus_and_sharp_again_the_next_card_is_read_soon(pictures: list[Picture]) -> None:
    """Given a table that counted as lost out of focus; when it is sharp again; then it is read within two seconds and
    not taken for one with a hand over it."""
    reader = Refusing()
    watcher = TableWatcher(reader=reader)  # type: ignore[arg-type]
    for k in range(15):
        watcher.see(pictures[k % 6], k / FPS)
    watcher.notices()
    for k in range(15, 50):
        watcher.see(np.asarray(cv2.GaussianBlur(pictures[k % 6], (0, 0), 14)), k / FPS)
    assert [notice.code for notice in watcher.notices()] == ["no-table"]
    for k in range(50, 70):
        watcher.see(pictures[k % 6], k / FPS)
    assert [notice.code for notice in watcher.notices()] == ["table-found"]


@pytest.mark.parametrize("fault", FAULTS)
def test_no_sight_comes_of_defective_pictures(pictures: list[Picture], fault: str) -> None:
    """Given a table that was told; when the camera is at fault for a second; then nothing is read or told meanwhile."""
    reader = Counting()
    watcher = TableWatcher(reader=reader)  # type: ignore[arg-type]
    sights = [watcher.see(pictures[k % 6], k / FPS) for k in range(15)]
    assert sum(s is not None for s in sights) == 1
    before = reader.asked
    for k in range(15, 25):
        assert watcher.see(FAULTS[fault](pictures[k % 6]), k / FPS) is None
    assert reader.asked == before
    after = [watcher.see(pictures[k % 6], k / FPS) for k in range(25, 60)]
    assert not any(after)
    assert watcher.state.still


@given(st.lists(st.integers(0, 255), min_size=1, max_size=60), st.sampled_from((0.0, 2.0, 50.0, 98.0, 99.5, 100.0)))
def test_codes_are_counted_to_the_percentile_that_sorting_them_gives(codes: list[int], share: float) -> None:
    picture = np.array(codes, np.uint8)

    assert percentile(picture, share) == pytest.approx(float(np.percentile(picture, share)))


def sized(width: int, height: int, k: int) -> Picture:
    return (
        np.random.default_rng(k)
        .integers(60, 190, (height // 8, width // 8, 3))
        .astype(np.uint8)
        .repeat(8, 0)
        .repeat(8, 1)
    )


def unfit(check: DefectCheck, sizes: list[tuple[int, int]], start: float, fps: float = 10.0) -> float:
    """Seconds until the last picture that is unfit for its size."""
    last = 0.0
    for k, size in enumerate(sizes):
        if check.see(sized(*size, k), start + k / fps) == "picture-resized":
            last = (k + 1) / fps
    return last


def test_a_camera_that_comes_back_to_its_size_is_read_sooner_than_one_that_takes_another() -> None:
    check, usual, other, third = DefectCheck(), (1280, 720), (1920, 1080), (640, 480)
    assert unfit(check, [usual] * 30, 0.0) == 0.0
    assert unfit(check, [other] * 40, 3.0) == pytest.approx(2.0, abs=0.11)
    assert unfit(check, [usual] * 40, 7.0) == pytest.approx(0.5, abs=0.11)
    assert unfit(check, [third] * 40, 11.0) == pytest.approx(2.0, abs=0.11)


def test_a_camera_that_keeps_changing_back_and_forth_is_never_read() -> None:
    check = DefectCheck()
    unfit(check, [(1280, 720)] * 30 + [(640, 480)] * 30, 0.0)
    changing = [(1280, 720), (640, 480), (1920, 1080)] * 20
    assert unfit(check, [*changing, (1280, 720)], 6.0) == pytest.approx(6.0, abs=0.11)
