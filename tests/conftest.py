"""What all tests share: where `../shared` lies, and skips by name for what this machine does not have."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import pytest

if "PYTEST_XDIST_WORKER" in os.environ:
    # One process to a processor already: threads of OpenCV and numpy beside them cost a quarter more processor time
    # (69 s against 55 s for the tests of reading cards and of the rehearsal on two cores). Both read this when loaded.
    for threads in ("OPENCV_FOR_THREADS_NUM", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(threads, "1")

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"


def pytest_configure() -> None:
    # Started in a shell's background, this process would be deaf to Ctrl-C, and so would all that the tests start.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # And to its terminal's end, where `nohup` started it.
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    absent = {
        "needs_shared": None if SHARED.is_dir() else "../shared is not beside this checkout",
        "needs_emulator": None
        if shutil.which("avr-gcc") and Path("/usr/include/simavr/sim_avr.h").exists()
        else "needs gcc-avr, avr-libc and libsimavr-dev",
        "needs_pico": None if shutil.which("arm-none-eabi-gcc") else "needs gcc-arm-none-eabi",
        "needs_browser": None if shutil.which("chromium") else "needs chromium",
    }
    for item in items:
        for name, reason in absent.items():
            if reason and item.get_closest_marker(name):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def dunes() -> Path:
    """The golden deck: photographs to learn it from, and tables with known answers."""
    return ROOT / "tests" / "vision" / "golden" / "dunes"


@pytest.fixture
def shared() -> Path:
    """The folder of pictures, films and battles with known answers; the test is skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("../shared is not beside this checkout")
    return SHARED
