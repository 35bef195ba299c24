"""Folders for the time that a program runs: gone with it, and with the next one where it was killed."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from host.temporary_folder import temporary_folder

KILLED = """
import sys
from pathlib import Path
from host.temporary_folder import temporary_folder

with temporary_folder("show-", Path(sys.argv[1])) as folder:
    (folder / "picture.jpg").write_text("a table")
    print(folder, flush=True)
    sys.stdin.read()
"""


def test_a_folder_is_empty_and_gone_in_the_end(tmp_path: Path) -> None:
    with temporary_folder("show-", tmp_path) as folder:
        assert list(folder.iterdir()) == []
        (folder / "picture.jpg").write_text("a table")
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_program_left_is_removed_by_the_next_and_nothing_else(tmp_path: Path) -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert program.stdout is not None
        left = Path(program.stdout.readline().strip())
        other = tmp_path / "other-folder"
        other.mkdir()
        (tmp_path / "show-link").symlink_to(other)
        with temporary_folder("show-", tmp_path):
            assert (left / "picture.jpg").exists(), "its program runs"
        program.send_signal(signal.SIGKILL)
        program.wait()
        with temporary_folder("show-", tmp_path) as mine:
            assert not left.exists()
            assert {one.name for one in tmp_path.iterdir()} == {mine.name, "other-folder", "show-link"}
    finally:
        program.kill()
        program.communicate()
