"""The build: no warnings, no findings, the image shipped is the one that is built, and nothing GPL goes with it."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from engine.failure import Failure
from host.bench.firmware import sizes
from host.boards.image import load_image
from host.link.emulated.chip import run_alone


def run(*command: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.mark.needs_emulator
@pytest.mark.needs_pico
@pytest.mark.parametrize(("folder", "board"), [("avr", "atmega328p"), ("pico", "rp2040")])
def test_the_image_that_is_shipped_is_what_the_sources_build_anywhere(
    firmware: Path, tmp_path: Path, folder: str, board: str
) -> None:
    image = load_image(board=board)
    for place in ("one", "another/deeper"):
        shutil.copytree(firmware, tmp_path / place / "firmware", ignore=shutil.ignore_patterns("emulator", "pc"))
        made = run("make", "-C", str(tmp_path / place / "firmware" / folder), f"OUT={tmp_path / place / 'out'}")
        assert "warning" not in made.stdout + made.stderr
        built = (tmp_path / place / "out" / f"allfronts{image.path.suffix}").read_bytes()
        assert hashlib.sha256(built).hexdigest() == image.sha256, "run firmware/tools/ship_image.py and review it"
    if board == "atmega328p":
        assert sizes(tmp_path / "one" / "out" / "allfronts.elf")[0] == image.size <= 16_384
    assert image.version == "1.1.1" and image.protocol == (1, 1)


def test_firmware_knows_nothing_of_the_host(firmware: Path) -> None:
    for source in firmware.rglob("*.py"):
        text = source.read_text(encoding="utf-8")
        assert not re.search(r"^\s*(from|import) (host|vision|engine)\b", text, re.M), source.name


def test_the_manifest_names_the_version_that_the_sources_have(firmware: Path) -> None:
    header = (firmware / "core" / "version.h").read_text(encoding="utf-8")
    major, minor, patch = load_image().firmware
    assert f"FIRMWARE_MAJOR = {major}, FIRMWARE_MINOR = {minor}, FIRMWARE_PATCH = {patch}" in header


def test_the_core_is_plain_c11_without_heap_and_without_the_chips_headers(firmware: Path) -> None:
    for source in (firmware / "core").iterdir():
        text = source.read_text(encoding="utf-8")
        assert "avr/" not in text and "Arduino" not in text, source.name
        for call in ("malloc(", "calloc(", "realloc(", "free("):
            assert call not in text, source.name


def test_the_core_passes_the_sanitizers(core: Any, firmware: Path) -> None:
    run("make", "-s", "-C", str(firmware / "pc"), "../../build/firmware/pc/fuzz_alone")
    alone = firmware.parent / "build" / "firmware" / "pc" / "fuzz_alone"
    assert "5000 rounds" in run(str(alone), "5000", "17").stdout


@pytest.mark.skipif(shutil.which("clang-14") is None, reason="needs clang-14 with libFuzzer")
def test_the_fuzzer_finds_nothing_in_a_few_seconds(firmware: Path, tmp_path: Path, vectors: dict[str, Any]) -> None:
    run("make", "-s", "-C", str(firmware / "pc"), "fuzz")
    seeds = tmp_path / "seeds"
    seeds.mkdir()
    for number, good in enumerate(vectors["good"]):
        wire, body = bytes.fromhex(good["wire"]), bytes.fromhex(good["body"])
        (seeds / f"raw{number}").write_bytes(b"\x01" + wire)
        for way in (0, 2):
            framed = bytes((way, len(body), 0, good["type"], good["seq"])) + body
            (seeds / f"framed{way}-{number}").write_bytes(framed)
    fuzz = firmware.parent / "build" / "firmware" / "pc" / "fuzz"
    run(str(fuzz), "-runs=20000", "-seed=7", "-max_len=512", "-timeout=10", str(seeds), cwd=tmp_path)


@pytest.mark.skipif(shutil.which("cppcheck") is None, reason="needs cppcheck")
def test_cppcheck_finds_nothing(firmware: Path) -> None:
    for folder, platform in (("core", "avr8"), ("avr", "avr8"), ("pc", "unix64")):
        run(
            "cppcheck", "--enable=warning,style,performance,portability", f"--platform={platform}", "--std=c11",
            "--error-exitcode=1", "--quiet", "--inline-suppr", "-D__AVR_ATmega328P__", "-DF_CPU=16000000UL",
            "-DEMPTY_INTERRUPT(vector)=",
            *(f"--suppress={what}" for what in ("missingIncludeSystem", "unusedStructMember", "staticFunction")),
            str(firmware / folder),
        )  # fmt: skip


def test_nothing_of_the_emulator_is_shipped(firmware: Path) -> None:
    shipped = [path for path in (firmware.parent / "host").rglob("*") if path.suffix in (".so", ".elf", ".c", ".h")]
    assert shipped == []
    assert "GPL" in (firmware / "emulator" / "README.md").read_text(encoding="utf-8")
    built = {".hex", ".so", ".elf", ".o"}
    assert [path for path in firmware.rglob("*") if path.suffix in built] == []


def test_the_vectors_are_what_their_tool_makes(firmware: Path, core: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location("make_vectors", firmware / "tools" / "make_vectors.py")
    assert spec is not None and spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    found = json.loads((firmware / "vectors.json").read_text(encoding="utf-8"))
    assert json.loads(json.dumps(tool.pictures())) == found["pictures"], "run firmware/tools/make_vectors.py"
    assert json.loads(json.dumps(tool.sequences())) == found["sequences"]
    assert json.loads(json.dumps(tool.good())) == found["good"]


def test_the_vectors_file_is_readable_by_a_stranger(vectors: dict[str, Any]) -> None:
    assert json.dumps(vectors)
    assert {good["type"] for good in vectors["good"]} >= {*range(1, 12), 0x0F, 0x41, 0x42, 0x50, 0xFF}


def test_programs_that_build_at_once_do_so_one_after_the_other(tmp_path: Path) -> None:
    # Two of them had read each other's half-written files: one failed for no reason that a person could see.
    busy = f"mkdir {tmp_path}/busy || exit 1; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; rmdir {tmp_path}/busy"
    with ThreadPoolExecutor(4) as programs:
        told = [programs.submit(run_alone, ["sh", "-c", busy], "building", tmp_path) for _ in range(8)]
    assert [one.result() for one in told] == [None] * 8
    with pytest.raises(Failure, match="building failed"):
        run_alone(["sh", "-c", "exit 3"], "building", tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(Failure, match="building failed"):
        run_alone(["true"], "building", tmp_path / "file" / "folder")


def test_a_folder_that_may_only_be_read_can_still_be_built_in_as_far_as_nothing_is_to_do(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    run_alone(["true"], "building", tmp_path)
    assert not list(tmp_path.iterdir())
