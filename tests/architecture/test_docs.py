"""The documents name files and names that exist: a walk-through that leads nowhere fails here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted(
    [
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "hardware").glob("*.md"),
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "SECURITY.md",
        ROOT / "firmware" / "PROTOCOL.md",
    ]
)
WALKS = sorted((ROOT / "docs" / "how-to-add").glob("*.md"))
TOP = ("engine", "vision", "host", "firmware", "tests", "hardware", "docs")
QUOTED = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)#\s]+)")
PLACEHOLDER = re.compile(r"\b(NAME|BOARD|xx|X)\b")


def code(text: str) -> str:
    """The text without its fenced blocks: what stands there is typed in a shell."""
    return re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)


def paths_in(text: str) -> list[str]:
    """Quoted words that are paths of this project: they begin with one of its folders."""
    words = [word.rstrip("/") for quoted in QUOTED.findall(text) for word in quoted.split() if "/" in word]
    return [word for word in words if word.split("/")[0] in TOP and not PLACEHOLDER.search(word)]


def sources() -> str:
    return "\n".join(p.read_text("utf-8") for top in ("engine", "vision", "host") for p in (ROOT / top).rglob("*.py"))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_document_names_only_what_exists(document: Path) -> None:
    text = code(document.read_text("utf-8"))
    near = (ROOT, document.parent)
    missing = [path for path in paths_in(text) if not any(list(base.glob(path)) for base in near)]
    missing += [link for link in LINK.findall(text) if "://" not in link and not (document.parent / link).exists()]
    assert not missing, f"{document.name} names what is not there: {missing}"


@pytest.mark.parametrize("walk", WALKS, ids=lambda p: p.stem)
def test_a_walk_through_names_what_its_files_have(walk: Path) -> None:
    everything = sources()
    for line in re.findall(r"^\d+\. (.*)$", walk.read_text("utf-8"), re.M):
        files = [found for path in paths_in(line) for found in ROOT.glob(path) if found.is_file()]
        # A name without a file beside it may be anywhere; one beside a file is in that file.
        there = "\n".join(found.read_text("utf-8") for found in files) or everything
        for name in QUOTED.findall(line):
            if re.fullmatch(r"[A-Za-z][A-Za-z_-]+", name) and not PLACEHOLDER.search(name):
                assert name in there, f"{walk.name}: `{name}` is not in {[str(f.relative_to(ROOT)) for f in files]}"
