"""The layers hold: imports point one way, nothing imports itself through others, files are small, names are plain."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LAYERS = ("engine", "vision", "host")
MAY_IMPORT = {"engine": set(), "vision": {"engine"}, "host": {"engine", "vision"}}
# From the engine, the reader takes the names, the places and the shape of a reading, never the rules.
VISION_MAY_KNOW = {"engine.names", "engine.places", "engine.sight", "engine.failure"}
OUTSIDE_NAMES = {"utils", "util", "helpers", "helper", "manager", "misc", "common"}


def modules() -> dict[str, Path]:
    found: dict[str, Path] = {}
    for layer in LAYERS:
        for path in (ROOT / layer).rglob("*.py"):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            found[name.removesuffix(".__init__")] = path
    return found


MODULES = modules()


def files_of(project: Path, *endings: str) -> list[Path]:
    """The files with these endings, without those of folders that tools keep beside them.

    Such folders are not entered: what a tool has in them may go while they are looked at.
    """
    found: list[Path] = []
    for folder, within, names in os.walk(project):
        within[:] = [name for name in within if not name.startswith(".") and name not in ("out", "build")]
        found += [Path(folder, name) for name in names if name.endswith(endings)]
    return found


def test_the_folders_that_tools_keep_are_not_entered(tmp_path: Path) -> None:
    for path in ("kept.py", ".hypothesis/tmp/gone.py", "hardware/out/made.py", "vision/kept.py", "vision/kept.txt"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    assert sorted(files_of(tmp_path, ".py")) == [tmp_path / "kept.py", tmp_path / "vision" / "kept.py"]


def imports(path: Path) -> set[str]:
    """Every module of ours that a file imports, wherever in it: inside functions and under TYPE_CHECKING too."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write the whole name of what is imported"
            module = node.module or ""
            names |= {f"{module}.{a.name}" if f"{module}.{a.name}" in MODULES else module for a in node.names}
    return names


IMPORTS = {name: imports(path) for name, path in MODULES.items()}


def package_of(module: str) -> str:
    """The part of the program that a module belongs to: a folder of a layer, or a module that lies in the layer."""
    return ".".join(module.split(".")[:2])


def circle(arrows: dict[str, set[str]]) -> list[str]:
    """A circle among the arrows, or nothing."""
    done: set[str] = set()

    def walk(name: str, trail: tuple[str, ...]) -> list[str]:
        if name in trail:
            return [*trail[trail.index(name) :], name]
        if name not in done:
            for target in sorted(arrows.get(name, ())):
                found = walk(target, (*trail, name))
                if found:
                    return found
            done.add(name)
        return []

    return next((found for found in (walk(name, ()) for name in sorted(arrows)) if found), [])


@pytest.mark.parametrize("layer", LAYERS)
def test_imports_never_point_back_up(layer: str) -> None:
    for name, targets in IMPORTS.items():
        if name.split(".")[0] != layer:
            continue
        outside = {i for i in targets if i.split(".")[0] in LAYERS and i.split(".")[0] != layer}
        assert {i.split(".")[0] for i in outside} <= MAY_IMPORT[layer], f"{name} imports {outside}"
        if layer == "vision":
            assert outside <= VISION_MAY_KNOW, f"{name} imports {outside}: the reader knows names, not rules"


def test_no_module_imports_itself_through_others() -> None:
    arrows = {n: {i for i in targets if i in MODULES and i != n} for n, targets in IMPORTS.items()}
    # A package's own file only gathers names for whoever uses the package from outside.
    gathers = {n for n, path in MODULES.items() if path.name == "__init__.py"}
    assert circle({n: targets - gathers for n, targets in arrows.items() if n not in gathers}) == []


def test_no_package_imports_itself_through_others() -> None:
    arrows: dict[str, set[str]] = {}
    for name, targets in IMPORTS.items():
        if name in LAYERS:
            # The layer's own file gathers names for whoever uses the layer from outside.
            continue
        own = package_of(name)
        arrows.setdefault(own, set()).update(
            package_of(i) for i in targets if i in MODULES and i not in LAYERS and package_of(i) != own
        )
    assert circle(arrows) == []


def test_the_firmware_stands_alone() -> None:
    for path in (ROOT / "firmware").rglob("*.py"):
        assert not {name.split(".")[0] for name in imports(path)} & set(LAYERS), path


def _scripts() -> dict[Path, list[tuple[frozenset[str], Path]]]:
    """Each script of the pages with what it imports: the names, and the script that they are from."""
    found = {}
    for path in (ROOT / "host").rglob("*.js"):
        text = path.read_text("utf-8")
        imported = []
        for names, target in re.findall(r'^import (.*?)(?: from )?"([^"]+\.js)"', text, re.MULTILINE):
            asked = re.search(r"{(.*)}", names)
            each = (name.split(" as ")[0].strip() for name in asked.group(1).split(",")) if asked else ()
            # The pages of a desk have those of a table under an address of their own.
            shared = re.sub("^/(static|pages)/", "host/web/static/", target)
            imported.append((frozenset(each), ((ROOT if shared != target else path.parent) / shared).resolve()))
        found[path.resolve()] = imported
    return found


def test_no_script_of_the_pages_imports_itself_through_others() -> None:
    arrows = {str(path): {str(target) for _, target in imported} for path, imported in _scripts().items()}
    assert len(arrows) >= 30
    assert circle(arrows) == []


def test_every_script_of_the_pages_has_what_others_import_from_it() -> None:
    pattern = r"^export (?:async )?(?:function|const|let|class) (\w+)"
    missing = [
        f"{path.name} imports {name} from {target.name}"
        for path, imported in _scripts().items()
        for names, target in imported
        for name in names - set(re.findall(pattern, target.read_text("utf-8"), re.MULTILINE))
    ]
    assert missing == []


def test_files_are_small_and_named_for_what_they_do() -> None:
    sources = files_of(ROOT, ".py", ".js", ".css", ".c", ".h")
    assert len(sources) > 50
    long = {str(p.relative_to(ROOT)) for p in sources if len(p.read_text(encoding="utf-8").splitlines()) > 500}
    assert long == set()
    assert not [p for p in sources if p.stem in OUTSIDE_NAMES or p.parent.name in OUTSIDE_NAMES]


def test_the_engine_needs_nothing_and_the_reader_no_web_server() -> None:
    watched = ("numpy", "cv2", "flask", "serial", "vision", "host")
    code = f"import sys, {{0}}; print(*sorted(m for m in {watched} if m in sys.modules))"
    for layer, allowed in (("engine", ""), ("vision.tracking.reader", "cv2 numpy vision")):
        run = subprocess.run([sys.executable, "-c", code.format(layer)], capture_output=True, text=True, check=True)
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
            or path.suffix
            in {".png", ".jpg", ".stl", ".3mf", ".ttf", ".woff2", ".gz", ".pdf", ".mp4", ".npz", ".hex", ".uf2"}
            or not path.is_file()
        ):
            continue
        found = machine_path.search(path.read_text(encoding="utf-8"))
        assert not found, f"{name}: {found and found.group()} is a path of one machine"


def test_what_the_pages_point_to_is_there() -> None:
    pages = files_of(ROOT, ".md")
    assert ROOT / "README.md" in pages
    for page in pages:
        for target in re.findall(r"\]\((?!https?:)([^)#\s]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} points to {target}"


def type_names(path: Path) -> list[str]:
    """The public types that a module defines: classes, and names in capitals and small letters that it assigns."""
    names = []
    for node in ast.parse(path.read_text("utf-8")).body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        names += [target.id for target in targets if isinstance(target, ast.Name)]
        names += [node.name] if isinstance(node, ast.ClassDef) else []
    return [name for name in names if name[0].isupper() and not name.isupper() and not name.startswith("_")]


def test_a_type_name_has_one_meaning() -> None:
    modules: dict[str, list[str]] = {}
    for package in ("engine", "vision", "host", "firmware"):
        for path in sorted((ROOT / package).rglob("*.py")):
            for name in set(type_names(path)):
                modules.setdefault(name, []).append(str(path.relative_to(ROOT)))
    assert {name: where for name, where in modules.items() if len(where) > 1} == {}


@pytest.mark.parametrize("layer", LAYERS)
def test_the_tests_of_a_package_lie_in_a_folder_of_its_name(layer: str) -> None:
    """Who changes a package finds its tests; a test beside the folders is of a module that lies in the layer itself."""
    packages = {path.parent.relative_to(ROOT) for path in (ROOT / layer).rglob("*.py")}
    folders = {path.parent.relative_to(ROOT / "tests") for path in (ROOT / "tests" / layer).rglob("test_*.py")}
    assert folders <= packages
    assert layer != "vision" or folders == packages - {Path("vision")}
