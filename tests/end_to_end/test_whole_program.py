"""The whole program, from simulated pictures to lights: every move, the score and every light frame."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from host.demo.show import DemoShow
from host.web.access import Access

ROOT = Path(__file__).parents[2]
LIMIT = 300


@pytest.fixture(scope="module")
def surroundings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A person's folders of their own, shared by the tests here so that the deck is learnt once."""
    home = tmp_path_factory.mktemp("home")
    names = ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")
    kept = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return kept | {name: str(home / name) for name in names} | {"HOME": str(home)}


def allfronts(surroundings: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "host", *words],
        cwd=ROOT,
        env=surroundings,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_the_demonstration_checks_itself(surroundings: dict[str, str]) -> None:
    ended = allfronts(surroundings, "demo", "--until-end", "--edition", "critters", "--seed", "2")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "All as it was played" in ended.stdout
    assert "missed 0, invented 0" in ended.stdout
    assert ended.stderr == ""


@pytest.mark.needs_emulator
def test_a_battle_from_pictures_to_the_emulated_pin(
    surroundings: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", surroundings["XDG_CACHE_HOME"])
    show = DemoShow("revised", 7, Access(), "test", one_battle=True)
    try:
        show.start("avr")
        assert show.wait(LIMIT)
        report = show.report()
    finally:
        show.close()
    assert report.missed == ()
    assert report.invented == ()
    assert report.slips == report.slips_found == 1
    assert report.result_right
    # Every scene has its light frame, and the strip's pin showed each of them.
    assert [right for _, right in show.frames] == [True] * len(show.frames)
    assert len(show.frames) == sum(p.scene.kind != "slip" for p in show.director.played)
    # Nothing else was asked of the lights but what the scenes and the slip call for.
    asked = [frame for frame in show.frames_shown if all(bar.mood != "blink" for bar in frame.bars)]
    expected = [frame for frame, _ in show.frames]
    assert [frame for frame in asked if frame not in expected] == []
    assert any(bar.mood == "blink" for frame in show.frames_shown for bar in frame.bars)


@pytest.fixture
def running(surroundings: dict[str, str]) -> Iterator[tuple[subprocess.Popen[str], int]]:
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "host", "demo", "--http", str(port)],
        cwd=ROOT,
        env=surroundings | {"PYTHONFAULTHANDLER": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    yield process, port
    if process.poll() is None:
        process.kill()
    process.communicate()


def _errors_until_it_ends(process: subprocess.Popen[str]) -> str:
    """What it wrote to standard error before it ended; where it does not end, the test fails with what each of its
    threads was doing."""
    try:
        return process.communicate(timeout=60)[1]
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGABRT)
        pytest.fail(f"It does not end. {process.communicate(timeout=60)[1]}")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_the_demonstration_ends_at_once_and_without_a_word_when_told(
    running: tuple[subprocess.Popen[str], int], how: signal.Signals
) -> None:
    process, port = running
    assert process.stdout is not None
    assert f"http://127.0.0.1:{port}" in process.stdout.readline()
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/stream", timeout=30) as stream:
        assert stream.readline().startswith(b"retry")
        process.send_signal(how)
        said = _errors_until_it_ends(process)
    # A shell calls both 130: interrupted amid one of the imports' own `exec`, Python ends itself by the signal.
    assert process.returncode in (130, -signal.SIGINT)
    assert said == ""


def test_a_port_in_use_is_told_with_the_remedy(surroundings: dict[str, str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        ended = allfronts(surroundings, "demo", "--http", str(port))
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert f"Port {port} is in use" in ended.stderr
    assert "--http" in ended.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("demo", "--edition", "second"), "not an edition"),
        (("play", "--camera", "0", "--deck", "nowhere"), "nowhere"),
        (("play", "--camera", "nofilm.mp4", "--deck", "."), "profile"),
    ],
)
def test_bad_input_is_one_line_with_its_mend(surroundings: dict[str, str], words: tuple[str, ...], says: str) -> None:
    ended = allfronts(surroundings, *words)
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == 1
    assert says in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A deck's profile, learnt from the simulated camera."""
    from host.demo.deck import demo_camera
    from vision.enrolment.enrol import enrol

    folder = tmp_path_factory.mktemp("deck")
    enrol(**demo_camera().enrolment_photos()).save(folder)
    return folder


def test_a_camera_that_is_not_there_is_named(surroundings: dict[str, str], deck: Path) -> None:
    ended = allfronts(surroundings, "play", "--camera", "97", "--deck", str(deck), "--serial", "none", "--http", "0")
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert "camera 97" in ended.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root has every right")
def test_a_serial_port_without_rights_is_told_with_the_remedy(
    surroundings: dict[str, str], deck: Path, tmp_path: Path
) -> None:
    port = tmp_path / "ttyUSB0"
    port.touch(0o000)
    ended = allfronts(surroundings, "play", "--camera", "0", "--deck", str(deck), "--serial", str(port))
    assert ended.returncode == 2
    assert "no right to use it" in ended.stderr


def test_a_film_goes_from_play_to_a_page_and_an_ended_film_keeps_it_up(
    surroundings: dict[str, str], deck: Path, tmp_path: Path
) -> None:
    import json

    import cv2

    from host.demo.deck import demo_camera
    from vision.simulate import FilmStep

    film = tmp_path / "film.avi"
    camera = demo_camera()
    empty = {(t, s): () for t in "ALS" for s in ("near", "far")}
    one = empty | {("L", "near"): ("L6",)}
    two = one | {("A", "far"): ("-",)}
    steps = [
        FilmStep(empty, ("A", "L", "S"), None, 1.5),
        FilmStep(one, ("A", "L", "S"), "near"),
        # Played as it would come from a camera: long enough at rest for a machine that is busy with other things.
        FilmStep(two, ("A", "L", "S"), "far", 7.0),
    ]  # type: ignore[arg-type,dict-item]
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 12.0, (1920, 1080))
    for frame in camera.film(steps, 12.0):
        writer.write(frame.image)
    writer.release()
    port = free_port()
    words = ["--camera", str(film), "--deck", str(deck), "--serial", "virtual", "--http", str(port)]
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "host", "play", *words, "--log", str(tmp_path / "game.db")],
        cwd=ROOT,
        env=surroundings,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert f"http://127.0.0.1:{port}" in process.stdout.readline()
        assert "The film has ended" in process.stdout.readline()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/view", timeout=30) as answer:
            view = json.load(answer)
        said = [line["text"] for line in view["history"]]
        assert "Near plays Heavy Tanks (Land 6) to Land." in said
        assert "Far plays a card face down to Air." in said
        assert view["turn"] == "near"

        # Killed without warning: what was told is there when it is started again.
        process.kill()
        process.communicate()
        again = subprocess.Popen(
            [sys.executable, "-P", "-m", "host", "play", *words, "--log", str(tmp_path / "game.db")],
            cwd=ROOT,
            env=surroundings,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        process = again
        assert again.stdout is not None
        assert again.stderr is not None
        assert "Going on with the unfinished war" in again.stderr.readline()
        again.stdout.readline()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/view", timeout=30) as answer:
            view = json.load(answer)
        assert [line["text"] for line in view["history"]][: len(said)] == said
    finally:
        process.kill()
        process.communicate()
