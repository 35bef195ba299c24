"""The demonstration's deck: learnt from the simulated camera's four photographs, by the real enrolment, once."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import tempfile
from pathlib import Path
from typing import Final

import vision
from engine.failure import BadInput
from host.file_there import is_there
from host.settings import cache_folder
from vision.enrolment.enrol import enrol
from vision.profile import DeckProfile
from vision.simulate import SimulatedCamera, TableCondition
from vision.simulate.optics import View

STYLE: Final = "bright"
CAMERA_SEED: Final = 4


def demo_camera(seed: int = CAMERA_SEED) -> SimulatedCamera:
    """The camera over the demonstration's table, high enough to see the console with the lights beside the mat."""
    return SimulatedCamera(
        STYLE, seed, condition=TableCondition(resolution=(1920, 1080), view=View(fill=0.82, offset=(25.0, 0.0)))
    )


def demo_deck(camera: SimulatedCamera) -> DeckProfile:
    """What a reader needs to know of the camera's deck; kept for the next start where the cache can be written."""
    folder = cache_folder() / f"demo-deck-{_digest()}"
    if is_there(folder):
        # A cache that was damaged is made again.
        with contextlib.suppress(BadInput):
            return DeckProfile.load(folder)
    profile = enrol(**camera.enrolment_photos())
    # A full disk or a read-only home costs the next start two seconds and nothing else.
    with contextlib.suppress(OSError, BadInput):
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(dir=folder.parent))
        try:
            profile.save(fresh)
            if not is_there(folder):
                fresh.rename(folder)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    return profile


def _digest() -> str:
    """Changes with everything that draws or learns the deck, so that an old profile is never used with new art."""
    digest = hashlib.sha256(f"{STYLE}{CAMERA_SEED}".encode())
    for path in sorted(Path(vision.__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
