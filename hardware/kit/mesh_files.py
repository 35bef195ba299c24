"""The printed parts as files: STL and 3MF for slicers, STEP for CAD; and what a check measures on such a file."""

from __future__ import annotations

import io
import re
import uuid
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

import numpy as np
import trimesh
from manifold3d import Manifold
from numpy.typing import NDArray

from kit import dimensions as d
from kit.check import Check, at_most, same
from kit.parts import COUNT, PARTS
from kit.step_file import step

_UUID: Final = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
FOLDER: Final = Path(__file__).resolve().parents[1] / "parts"


@dataclass(frozen=True, slots=True)
class Mesh:
    """Corners (n, 3) mm and triangles (m, 3), anticlockwise from outside."""

    points: NDArray[np.float64]
    triangles: NDArray[np.int64]


def mesh_of(solid: Manifold) -> Mesh:
    """A solid's surface, corners rounded to a hundred-thousandth of a millimetre."""
    raw = solid.to_mesh()
    points = np.round(np.asarray(raw.vert_properties, np.float64)[:, :3], 5)
    return Mesh(points, np.asarray(raw.tri_verts, np.int64))


def _trimesh(mesh: Mesh) -> trimesh.Trimesh:
    return trimesh.Trimesh(mesh.points, mesh.triangles, process=False)


def _with_names_of_its_own(part: str, content: bytes) -> bytes:
    """A 3MF whose identifiers follow from the part's name: trimesh makes new ones each time, and no file would stay as
    it is while its part does."""
    known: dict[bytes, bytes] = {}

    def named(found: re.Match[bytes]) -> bytes:
        return known.setdefault(found[0], str(uuid.uuid5(uuid.NAMESPACE_URL, f"{part} {len(known)}")).encode())

    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.infolist():
            new.writestr(zipfile.ZipInfo(entry.filename), _UUID.sub(named, old.read(entry)), zipfile.ZIP_DEFLATED)
    return made.getvalue()


def contents(name: str) -> dict[str, bytes]:
    """The files of one part by their endings."""
    mesh = mesh_of(PARTS[name]())
    body = _trimesh(mesh)
    return {
        "stl": cast(bytes, body.export(file_type="stl")),
        "3mf": _with_names_of_its_own(name, cast(bytes, body.export(file_type="3mf"))),
        "step": step(name, mesh.points, mesh.triangles).encode("ascii"),
    }


def write_all(folder: Path = FOLDER) -> None:
    """Writes every part's files anew."""
    folder.mkdir(exist_ok=True)
    for name in PARTS:
        for ending, content in contents(name).items():
            (folder / f"{name}.{ending}").write_bytes(content)


def _corners_and_faces(text: str) -> tuple[frozenset[tuple[float, ...]], int]:
    """What a STEP file says, whatever the order of its lines: its points to a hundredth, and how many faces it has."""
    points = re.findall(r"CARTESIAN_POINT\('',\(([^)]*)\)\)", text)
    corners = frozenset(tuple(round(float(v), 2) + 0.0 for v in point.split(",")) for point in points)
    return corners, text.count("ADVANCED_FACE(")


def part_checks(folder: Path = FOLDER) -> list[Check]:
    """Every file of every part: closed, one body, on the bed, within the bed, and the solid that the source makes."""
    checks = [same("a number to print for each part", sorted(COUNT), sorted(PARTS))]
    for name, make in PARTS.items():
        solid = make()
        low, high = np.asarray(solid.bounding_box()).reshape(2, 3)
        for ending in ("stl", "3mf"):
            path = folder / f"{name}.{ending}"
            if not path.is_file():
                checks.append(Check(f"{path.name} is there", False, "missing: python hardware/build.py"))
                continue
            body = cast(trimesh.Trimesh, trimesh.load(path, force="mesh"))
            body.merge_vertices()
            checks.append(
                Check(
                    f"{path.name} is closed, one body, its outside outside",
                    bool(body.is_watertight and body.is_winding_consistent and body.volume > 0)
                    and len(body.split(only_watertight=False)) == 1,
                    f"{len(body.faces)} triangles, {body.volume / 1000:.2f} cm3",
                )
            )
            checks.append(at_most(f"{path.name} on the bed", float(max(body.extents[:2])), d.BED))
            off = float(np.abs(body.bounds - np.array([low, high])).max())
            checks.append(at_most(f"{path.name} has the source's size", off, 0.001))
            differs = abs(body.volume - solid.volume())
            checks.append(at_most(f"{path.name} has the source's volume", differs, 0.5, "mm3"))
        path = folder / f"{name}.step"
        kept = path.read_text(encoding="ascii") if path.is_file() else ""
        fresh = _corners_and_faces(kept) == _corners_and_faces(contents(name)["step"].decode("ascii"))
        checks.append(Check(f"{path.name} is what the source makes", fresh, "python hardware/build.py writes it anew"))
    return checks
