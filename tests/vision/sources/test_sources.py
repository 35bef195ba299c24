"""Sources: what is wrong with a camera is told in words within three seconds, once, and again when it is mended."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.failure import BadInput, Failure
from vision.sources import (
    ADVICE,
    Film,
    Folder,
    Frame,
    Health,
    LiveSource,
    SourceItem,
    Trouble,
    TroubleOver,
    open_source,
)
from vision.sources.live import LEAST_PAUSE, PAUSES, pause
from vision.sources.packets import SpoiltPicture

RNG = np.random.default_rng(5)
PICTURE = RNG.integers(60, 190, (180, 320, 3)).astype(np.uint8).repeat(4, axis=0).repeat(4, axis=1)
PICTURE += RNG.integers(0, 4, PICTURE.shape).astype(np.uint8)


def noisy(k: int = 0, shape: tuple[int, int] = (720, 1280), level: int = 120) -> np.ndarray:
    picture = np.full((*shape, 3), level, np.uint8)
    picture[::2, ::2] = np.random.default_rng(k).integers(max(0, level - 20), min(255, level + 20), 3)
    picture[4::16, 4::16, k % 3] = (level + k) % 256
    return picture


def told(items: Iterable[SourceItem]) -> list[tuple[str, str, float]]:
    return [
        ("trouble" if isinstance(i, Trouble) else "mended", i.code, round(i.t, 2))
        for i in items
        if not isinstance(i, Frame)
    ]


def run(health: Health, pictures: Iterable[np.ndarray], fps: float = 15, start: float = 0.0) -> list[SourceItem]:
    out: list[SourceItem] = []
    for k, picture in enumerate(pictures):
        out += health.picture(picture, start + k / fps)
    return out


class TestHealth:
    def test_a_good_camera_has_no_troubles(self) -> None:
        assert told(run(Health("camera 0", 0.0), (noisy(k) for k in range(60)))) == []

    def test_a_frozen_picture_is_told_within_three_seconds_and_once(self) -> None:
        health = Health("camera 0", 0.0)
        said = told(run(health, [PICTURE] * 90))
        assert [s[:2] for s in said] == [("trouble", "picture-frozen")]
        assert said[0][2] <= 3
        assert told(run(health, [noisy(1)], start=6.0)) == [("mended", "picture-frozen", 6.0)]

    def test_a_covered_lens_is_dark(self) -> None:
        health = Health("camera 0", 0.0)
        said = told(run(health, (noisy(k, level=8) for k in range(40))))
        assert said[0][:2] == ("trouble", "too-dark")
        assert said[0][2] <= 3

    def test_a_lamp_in_the_lens_is_overexposed(self) -> None:
        def glaring() -> Iterator[np.ndarray]:
            for k in range(40):
                picture = noisy(k)
                picture[:400] = 255
                yield picture

        items = run(Health("camera 0", 0.0), glaring())
        assert told(items)[0][:2] == ("trouble", "overexposed")
        trouble = next(i for i in items if isinstance(i, Trouble))
        assert trouble.message == "56 % of the picture is white."

    def test_a_flash_of_light_is_not_worth_a_word(self) -> None:
        health = Health("camera 0", 0.0)
        pictures = [noisy(k, level=250 if 10 <= k < 15 else 120) for k in range(40)]
        assert told(run(health, pictures)) == []

    def test_a_small_picture_is_told_with_its_size(self) -> None:
        items = run(Health("camera 0", 0.0), (noisy(k, (480, 640)) for k in range(30)))
        trouble = next(i for i in items if isinstance(i, Trouble))
        assert trouble.code == "picture-small"
        assert "640 × 480" in trouble.message

    def test_a_picture_stood_on_its_end_is_large_enough(self) -> None:
        assert told(run(Health("camera 0", 0.0), (noisy(k, (1280, 720)) for k in range(30)))) == []

    def test_five_frames_a_second_are_slow(self) -> None:
        items = run(Health("camera 0", 0.0), (noisy(k) for k in range(30)), fps=5)
        trouble = next(i for i in items if isinstance(i, Trouble))
        assert (trouble.code, trouble.parts["fps"]) == ("camera-slow", 5.0)
        assert trouble.t <= 3

    def test_silence_is_told_within_three_seconds(self) -> None:
        health = Health("camera 0", 0.0)
        run(health, (noisy(k) for k in range(15)))
        out: list[SourceItem] = []
        for k in range(20):
            out += health.nothing(1.0 + 0.25 * k, None)
        assert [s[:2] for s in told(out)] == [("trouble", "camera-stuck")]
        assert told(out)[0][2] <= 1.0 + 3

    def test_a_known_cause_is_told_at_once_and_instead(self) -> None:
        health = Health("camera 0", 0.0)
        run(health, (noisy(k) for k in range(15)))
        out = [*health.nothing(1.1, "it was unplugged"), *health.nothing(4.0, "it was unplugged")]
        assert told(out) == [("trouble", "camera-gone", 1.1)]
        assert told(run(health, [noisy(99)], start=5.0)) == [("mended", "camera-gone", 5.0)]

    def test_a_camera_that_was_away_is_not_slow_when_it_is_back(self) -> None:
        health = Health("camera 0", 0.0)
        run(health, (noisy(k) for k in range(30)))
        for k in range(20):
            list(health.nothing(2.0 + k / 4, "it was unplugged"))
        said = told(run(health, (noisy(k) for k in range(30)), start=7.0))
        assert said == [("mended", "camera-gone", 7.0)]

    @pytest.mark.parametrize("fps", [1, 4, 15])
    def test_good_pictures_between_spoilt_ones_do_not_hide_them(self, fps: int) -> None:
        health = Health("camera 0", 0.0)
        run(health, (noisy(k) for k in range(15)))
        out: list[SourceItem] = []
        for k in range(3 * fps + 1):
            t = 1.0 + k / fps
            out += health.spoilt(SpoiltPicture("picture-torn"), t) if k % 2 else health.picture(noisy(k), t)
        torn = [one for one in told(out) if one[1] == "picture-torn"]
        assert [kind for kind, _, _ in torn] == ["trouble"]
        assert torn[0][2] <= 1.0 + 3
        well = told(run(health, (noisy(50 + k) for k in range(20)), start=5.0))
        assert [one[:2] for one in well if one[1] != "camera-slow"] == [("mended", "picture-torn")]
        assert well[0][2] <= 5.5

    def test_one_spoilt_picture_now_and_then_is_not_worth_a_word(self) -> None:
        health = Health("camera 0", 0.0)
        out: list[SourceItem] = []
        for k in range(90):
            t = k / 15
            out += health.spoilt(SpoiltPicture("picture-torn"), t) if k % 10 == 9 else health.picture(noisy(k), t)
        assert told(out) == []

    def test_a_camera_that_breaks_off_again_and_again_is_told_until_its_pictures_are_steady(self) -> None:
        health = Health("camera 0", 0.0)
        out: list[SourceItem] = []
        for start in (0.0, 1.0, 2.0, 3.0):
            out += run(health, (noisy(k) for k in range(5)), start=start)
            out += health.lost(start + 0.6, "the stream ended")
        out += run(health, (noisy(k) for k in range(30)), start=4.0)
        said = [one for one in told(out) if one[1] == "camera-gone"]
        assert said == [
            ("trouble", "camera-gone", 0.6),
            ("mended", "camera-gone", 1.0),
            ("trouble", "camera-gone", 1.6),
            ("mended", "camera-gone", 5.0),
        ]


def test_every_trouble_has_a_sentence_and_a_remedy() -> None:
    parts = {"source": "x", "why": "y", "seconds": 1, "share": 1, "width": 1, "height": 1, "fps": 1}
    for code, (sentence, remedy) in ADVICE.items():
        trouble = Trouble(code, 0.0, parts)
        assert "{" not in trouble.message
        assert sentence and remedy


class Scripted:
    """A camera that gives what it is told to: pictures, then None, or a failure on opening."""

    def __init__(self, pictures: Iterable[np.ndarray | None]) -> None:
        self._pictures = iter(pictures)
        self.closed = threading.Event()

    def grab(self) -> np.ndarray | None:
        return next(self._pictures, None)

    def close(self) -> None:
        self.closed.set()


class TestLive:
    def test_pictures_arrive_and_a_lost_camera_is_told_and_opened_again(self) -> None:
        opened: list[Scripted] = []

        def opener() -> Scripted:
            opened.append(Scripted([noisy(len(opened))]))
            return opened[-1]

        with closing(LiveSource(opener, "camera 0")) as source:
            seen: list[SourceItem] = []
            for item in source:
                seen.append(item)
                if sum(isinstance(i, Frame) for i in seen) == 2:
                    break
        kinds = [type(i).__name__ for i in seen]
        assert kinds == ["Frame", "Trouble", "TroubleOver", "Frame"]
        assert len(opened) >= 2
        assert opened[0].closed.is_set()

    def test_a_loss_is_told_to_a_slow_reader_too_though_pictures_have_come_again(self) -> None:
        back = threading.Event()

        def again() -> Iterator[np.ndarray]:
            yield noisy(2)
            back.set()
            threading.Event().wait(20)

        cameras = iter([Scripted([noisy(1)]), Scripted(again())])
        with closing(LiveSource(lambda: next(cameras), "camera 0")) as source:
            items = iter(source)
            seen: list[SourceItem] = [next(items)]
            # The reader is busy with the first picture until the camera was lost and sends again.
            assert back.wait(10)
            seen += [next(items) for _ in range(3)]
        assert [type(one).__name__ for one in seen] == ["Frame", "Trouble", "TroubleOver", "Frame"]

    def test_only_the_newest_picture_is_handed_on(self) -> None:
        gone = threading.Event()

        def pictures() -> Iterator[np.ndarray]:
            for k in range(50):
                yield noisy(k)
            gone.set()
            threading.Event().wait(20)

        with closing(LiveSource(lambda: Scripted(pictures()), "camera 0")) as source:
            assert gone.wait(10)
            frame = next(i for i in source if isinstance(i, Frame))
            assert np.array_equal(frame.image, noisy(49))
            assert source.dropped == 49

    def test_a_camera_that_cannot_be_opened_is_told_at_once(self) -> None:
        def opener() -> Scripted:
            raise Failure("camera-closed", "it cannot be opened")

        with closing(LiveSource(opener, "camera 7")) as source:
            trouble = next(iter(source))
        assert isinstance(trouble, Trouble)
        assert trouble.message == "No picture comes from camera 7: it cannot be opened."

    def test_a_read_that_hangs_is_given_up_and_the_camera_opened_again(self) -> None:
        release = threading.Event()
        again = threading.Event()
        calls: list[int] = []

        class Hanging(Scripted):
            def grab(self) -> np.ndarray | None:
                release.wait(20)
                return None

        def opener() -> Scripted:
            calls.append(1)
            if len(calls) > 1:
                again.set()
            return Hanging([])

        now = [0.0]
        source = LiveSource(opener, "camera 0", clock=lambda: now[0])
        try:
            now[0] = 2.5
            assert [s[:2] for s in told(source.silence(now[0], None))] == [("trouble", "camera-stuck")]
            now[0] = 6.0
            list(source.silence(now[0], None))
            assert again.wait(10), "a fresh thread tries again"
        finally:
            release.set()
            source.close()

    def test_pauses_grow_and_keep_nobody_waiting(self) -> None:
        assert list(PAUSES) == sorted(PAUSES)
        assert PAUSES[0] < PAUSES[-1] <= 1.0
        assert [pause(tries, 0.0) for tries in range(5)] == [*PAUSES, PAUSES[-1], PAUSES[-1]]

    def test_after_a_try_that_hung_the_next_one_follows_at_once(self) -> None:
        assert pause(7, 0.4) == pytest.approx(PAUSES[-1] - 0.4)
        assert pause(0, 2.5) == pause(7, 30.0) == LEAST_PAUSE


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("films") / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (320, 240))
    for k in range(30):
        writer.write(np.full((240, 320, 3), 4 * k, np.uint8))
    writer.release()
    return path


class TestRecorded:
    def test_a_film_gives_every_frame_in_order_with_its_time(self, film: Path) -> None:
        frames = [i for i in open_source(str(film)) if isinstance(i, Frame)]
        assert [f.t for f in frames] == pytest.approx([k / 10 for k in range(30)], abs=0.01)
        assert [round(float(f.image.mean()) / 4) for f in frames] == pytest.approx(list(range(30)), abs=1)

    def test_a_film_that_breaks_off_says_so_after_what_it_gave(self, film: Path, tmp_path: Path) -> None:
        broken = tmp_path / "broken.avi"
        data = film.read_bytes()
        broken.write_bytes(data[: len(data) // 2])
        items = list(open_source(str(broken)))
        frames = [i for i in items if isinstance(i, Frame)]
        assert 5 < len(frames) < 30
        assert all(not isinstance(i, Trouble) or i.code == "film-cut-short" for i in items)

    @pytest.mark.parametrize("content", [b"", b"not a film at all", b"\x00" * 5000])
    def test_what_is_no_film_is_refused(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "film.mp4"
        path.write_bytes(content)
        with pytest.raises(BadInput) as caught:
            open_source(str(path))
        assert caught.value.code == "no-film"
        assert caught.value.remedy

    def test_a_film_played_as_live_keeps_its_pace_and_drops_what_is_late(self, film: Path) -> None:
        now = [0.0]
        waited: list[float] = []

        def wait(seconds: float) -> None:
            waited.append(seconds)
            now[0] += seconds

        played = Film(film, as_live=True, clock=lambda: now[0], wait=wait)
        seen: list[float] = []
        for item in played:
            assert isinstance(item, Frame)
            seen.append(item.t)
            if len(seen) == 5:
                now[0] += 1.0
        assert len(seen) < 25, "a reader that was busy for a second is not sent that second"
        assert seen == sorted(seen)
        assert now[0] == pytest.approx(2.9, abs=0.2)

    def test_pictures_of_a_folder_lie_still_one_after_the_other(self, tmp_path: Path) -> None:
        for k, name in enumerate(("b.png", "a.png")):
            cv2.imwrite(str(tmp_path / name), np.full((480, 640, 3), 50 + 50 * k, np.uint8))
        (tmp_path / "notes.txt").write_text("not a picture")
        frames = [i for i in open_source(str(tmp_path)) if isinstance(i, Frame)]
        assert [int(f.image[0, 0, 0]) for f in frames][:: len(frames) // 2] == [100, 50]
        assert frames[-1].t > 1.5

    def test_pictures_of_a_folder_lie_as_long_as_asked(self, tmp_path: Path) -> None:
        cv2.imwrite(str(tmp_path / "a.png"), PICTURE)
        frames = [i for i in open_source(str(tmp_path), picture_seconds=3.0) if isinstance(i, Frame)]
        assert 2.5 < frames[-1].t < 3.0

    @pytest.mark.parametrize("typed", ['"{folder}"', "'{folder}'", " {folder} ", "~/photographs"])
    def test_a_path_may_be_quoted_or_begin_at_home(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str
    ) -> None:
        monkeypatch.setenv("HOME", str(tmp_path))
        folder = tmp_path / "photographs"
        folder.mkdir()
        cv2.imwrite(str(folder / "a.png"), PICTURE)
        assert open_source(typed.format(folder=folder)).name == "photographs"

    def test_a_broken_picture_in_a_folder_is_passed_over(self, tmp_path: Path) -> None:
        cv2.imwrite(str(tmp_path / "b.png"), PICTURE)
        (tmp_path / "a.jpg").write_bytes(b"\xff\xd8 cut")
        items = list(Folder(tmp_path))
        assert isinstance(items[0], Trouble)
        assert items[0].code == "picture-unreadable"
        assert any(isinstance(i, Frame) for i in items)

    def test_an_empty_folder_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(BadInput, match="no pictures"):
            open_source(str(tmp_path))

    def test_one_picture_is_a_source(self, tmp_path: Path) -> None:
        cv2.imwrite(str(tmp_path / "table.png"), PICTURE)
        cv2.imwrite(str(tmp_path / "other.png"), PICTURE // 2)
        frames = [i for i in open_source(str(tmp_path / "table.png")) if isinstance(i, Frame)]
        assert all(np.array_equal(f.image, PICTURE) for f in frames)

    def test_what_is_not_there_is_refused_with_what_would_do(self) -> None:
        with pytest.raises(BadInput, match="camera's number"):
            open_source("/nowhere/table.mp4")


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("rtsp://anna:secret@192.0.2.7:554/live", "192.0.2.7:554/live"),
        ("http://cam.local/video.cgi?user=anna&pwd=secret", "cam.local/video.cgi"),
        ("http://cam.local/video.cgi?user=anna@home&pwd=secret", "cam.local/video.cgi"),
        ("http://anna:se?cret@cam.local/video", "cam.local/video"),
        ("http://cam.local?pwd=secret", "cam.local"),
    ],
)
def test_an_address_is_shown_without_its_password(address: str, shown: str) -> None:
    with closing(open_source(address)) as source:
        assert source.live
        assert source.name == shown


@pytest.mark.parametrize("number", ["²", "①", "1²"])
def test_what_only_looks_like_a_cameras_number_is_refused(number: str) -> None:
    with pytest.raises(BadInput, match="neither a camera nor a file"):
        open_source(number)


def test_mended_and_trouble_are_values() -> None:
    assert TroubleOver("camera-gone", 1.0) == TroubleOver("camera-gone", 1.0)
