"""The house keeps its shape: arrows between rooms, no circles, small files, plain names, nothing borrowed at import."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("engine", "vision", "host")
MAY_IMPORT = {"engine": set(), "vision": {"engine"}, "host": {"engine", "vision"}}
# From the engine, the reader takes the names and the shape of a sight, never the rules.
VISION_MAY_KNOW = {"engine.names", "engine.sight", "engine.failure"}
# Files that may be longer: the search for the chain of cards that explains a column, whose steps share one state.
LONG_FILES: set[str] = set()
BINARY = {".png", ".jpg", ".stl", ".3mf", ".ttf", ".gz", ".pdf", ".mp4", ".npz", ".hex"}
OUTSIDE_NAMES = {"utils", "util", "helpers", "helper", "manager", "misc", "common"}


def modules() -> dict[str, Path]:
    found: dict[str, Path] = {}
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            found[name.removesuffix(".__init__")] = path
    return found


MODULES = modules()


def imports(path: Path, *, at_import_time: bool = False) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    inside_functions = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in ast.walk(node)
    }
    names: set[str] = set()
    for node in ast.walk(tree):
        if at_import_time and (id(node) in typing_only or id(node) in inside_functions):
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write the whole name of what is imported"
            module = node.module or ""
            names |= {f"{module}.{a.name}" if f"{module}.{a.name}" in MODULES else module for a in node.names}
    return names


@pytest.mark.parametrize("room", ROOMS)
def test_arrows_between_rooms_never_point_back_up(room: str) -> None:
    for name, path in MODULES.items():
        if name.split(".")[0] != room:
            continue
        outside = {i for i in imports(path) if i.split(".")[0] in ROOMS and i.split(".")[0] != room}
        assert {i.split(".")[0] for i in outside} <= MAY_IMPORT[room], f"{name} imports {outside}"
        if room == "vision":
            assert outside <= VISION_MAY_KNOW, f"{name} imports {outside}: the reader knows names, not rules"


def test_no_module_imports_itself_through_others() -> None:
    arrows = {n: {i for i in imports(p, at_import_time=True) if i in MODULES and i != n} for n, p in MODULES.items()}
    done: set[str] = set()

    def walk(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, "circle: " + " -> ".join((*trail[trail.index(name) :], name))
        if name not in done:
            for target in sorted(arrows[name]):
                walk(target, (*trail, name))
            done.add(name)

    for name in sorted(arrows):
        walk(name, ())


def test_files_are_small_and_named_for_what_they_do() -> None:
    sources = [p for ending in ("py", "js", "css", "c", "h") for p in ROOT.rglob(f"*.{ending}")]
    sources = [p for p in sources if not {".venv", "out", "build"} & set(p.relative_to(ROOT).parts)]
    assert len(sources) > 50
    long = {str(p.relative_to(ROOT)) for p in sources if len(p.read_text(encoding="utf-8").splitlines()) > 500}
    assert long == LONG_FILES
    assert not [p for p in sources if p.stem in OUTSIDE_NAMES or p.parent.name in OUTSIDE_NAMES]


def test_the_engine_needs_nothing_and_the_reader_no_web_server() -> None:
    watched = ("numpy", "cv2", "flask", "serial", "vision", "host")
    code = f"import sys, {{0}}; print(*sorted(m for m in {watched} if m in sys.modules))"
    for room, allowed in (("engine", ""), ("vision.tracking.reader", "cv2 numpy vision")):
        run = subprocess.run([sys.executable, "-c", code.format(room)], capture_output=True, text=True, check=True)
        assert run.stdout.strip() == allowed


def test_the_project_speaks_of_itself_alone() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    own = Path(__file__).relative_to(ROOT).as_posix()
    machine_path = re.compile(r"(?<![\w.])/(?:work|root|home/[a-z]+)/")
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if (
            name == own
            or path.suffix in {".png", ".jpg", ".stl", ".3mf", ".ttf", ".gz", ".pdf", ".mp4", ".npz", ".hex", ".uf2"}
            or not path.is_file()
        ):
            continue
        found = machine_path.search(path.read_text(encoding="utf-8"))
        assert not found, f"{name}: {found and found.group()} is a path of one machine"


def test_what_the_pages_point_to_is_there() -> None:
    pages = [p for p in ROOT.rglob("*.md") if not any(part.startswith(".") for part in p.relative_to(ROOT).parts)]
    assert ROOT / "README.md" in pages
    for page in pages:
        for target in re.findall(r"\]\((?!https?:)([^)#\s]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} points to {target}"
