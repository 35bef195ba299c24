"""The list of dependencies is that of pyproject.toml, and the bill of materials holds what is installed."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path

from host.dependencies.sbom import bill_of_materials

ROOT = Path(__file__).parents[3]


def declared() -> set[str]:
    read = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = [*read["dependencies"], *(line for extra in read["optional-dependencies"].values() for line in extra)]
    names = {match[0] for line in lines if (match := re.match(r"[A-Za-z0-9_.-]+", line))}
    return names - {"allfronts"}


def test_every_dependency_stands_on_the_page_with_licence_and_reason_and_no_other() -> None:
    page = (ROOT / "docs/dependencies.md").read_text("utf-8")
    rows = re.findall(r"^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|$", page, re.M)
    assert {name for name, _, _ in rows} == declared()
    assert all(licence.strip() and why.strip() for _, licence, why in rows)


def test_the_bill_of_materials_names_what_is_installed_with_its_version() -> None:
    bill = bill_of_materials()
    found = {part["name"]: part["version"] for part in bill["components"]}
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    for name in ("flask", "uvicorn", "numpy"):
        assert found[name] == metadata.version(name)
    references = [part["bom-ref"] for part in bill["components"]]
    assert len(references) == len(set(references))
