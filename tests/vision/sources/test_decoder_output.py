"""A damaged picture is told in words; libjpeg's remark on it does not reach the terminal, and what we say does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

PROGRAM = """
import sys, threading
import numpy as np
from host.cli import messages_apart
from vision.picture_file import open_picture
from vision.sources.packets import decode_packet
from engine.failure import BadInput

if sys.argv[2] == "apart":
    messages_apart()
data = np.fromfile(sys.argv[1], np.uint8)
ended = threading.Event()

def decode():
    for _ in range(60):
        decode_packet(data)
    try:
        open_picture(sys.argv[1])
    except BadInput as refused:
        sys.stderr.write(f"refused {refused.code}\\n")
    ended.set()

threads = [threading.Thread(target=decode) for _ in range(2)]
for thread in threads:
    thread.start()
said = 0
while not ended.is_set():
    sys.stderr.write(f"own {said}\\n")
    said += 1
    ended.wait(0.001)
for thread in threads:
    thread.join()
sys.stderr.write(f"said {said}\\n")
"""


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """A JPEG with some bytes of its picture changed."""
    rough = np.random.default_rng(3).integers(60, 190, (72, 128, 3)).astype(np.uint8)
    data = bytearray(cv2.imencode(".jpg", cv2.resize(rough, (1280, 720), interpolation=cv2.INTER_NEAREST))[1].tobytes())
    data[len(data) // 2 : len(data) // 2 + 4000] = bytes(4000)
    path = tmp_path / "damaged.jpg"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(("how", "heard"), [("apart", False), ("plain", True)])
def test_only_our_own_words_are_heard_while_pictures_are_decoded(damaged: Path, how: str, heard: bool) -> None:
    """Given a program that decodes damaged pictures in two threads and speaks meanwhile; then not a word of it is lost.

    Without a descriptor of its own nothing is kept from the terminal, libjpeg's words neither.
    """
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(damaged), how], capture_output=True, text=True, check=True, timeout=120
    )
    lines = done.stderr.splitlines()
    assert any("JPEG data" in line for line in lines) == heard
    ours = [line for line in lines if line.startswith("own ")]
    if not heard:
        assert lines[-1] == f"said {len(ours)}"
