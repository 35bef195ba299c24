"""The lenses that `camera --calibrate` has measured, kept by camera for every command that opens it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from host.kept_file import read_kept, write_kept
from host.settings import data_folder
from vision.geometry.lens import FittedLens, lens_of_row, lens_row
from vision.geometry.pose import Lens

FILE: Final = "lenses.json"
INSTEAD: Final = "The table is found without; `allfronts camera --calibrate` measures the lens again."


def lens_path() -> Path:
    """Where the lenses lie for this person."""
    return data_folder() / FILE


def camera_name(spec: str) -> str:
    """What a camera is kept under: its number, device or file; of an address the part without a password."""
    text = spec.strip()
    return text.split("://", 1)[1].rsplit("@", 1)[-1] if "://" in text else text


def known_lens(spec: str, path: Path | None = None) -> Lens | None:
    """The lens of a camera, film or folder; None where it was never measured. A damaged file is set aside and said."""
    return _read(path or lens_path()).get(camera_name(spec))


def keep_lens(spec: str, fitted: FittedLens, path: Path | None = None) -> Path:
    """Keeps a lens for that camera, in place of an earlier one; says where. Raises `OSError`."""
    path = path or lens_path()
    lenses = {name: lens_row(lens) for name, lens in _read(path).items()}
    write_kept(path, {"lenses": lenses | {camera_name(spec): lens_row(fitted.lens)}})
    return path


def _read(path: Path) -> dict[str, Lens]:
    def parsed(record: Any) -> dict[str, Lens]:
        return {str(name): lens_of_row(row, path.name) for name, row in record["lenses"].items()}

    return read_kept(path, parsed, INSTEAD) or {}
