"""The bench of the reader's constants: it finds them all and changes one at a time; the page tells them all."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.names import THEATERS, Face
from engine.sight import SeenCard, Sight
from host.bench import constants as bench
from host.bench.constants import (
    FACTORS,
    MEASURED,
    PAGE,
    STAGES,
    TOLD,
    Constant,
    changed,
    constants,
    outcome,
    row,
)
from host.bench.scores import Row
from host.bench.tables import table_row

ROOT = Path(__file__).parents[3]
KNOWN = constants(ROOT)
CHANGED = [constant for constant in constants(ROOT, MEASURED) if constant.plain]


def test_the_page_tells_every_constant_as_it_is() -> None:
    """Whoever adds a constant or changes one writes it down there; what the line begins with is told here."""
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    missing = [row(constant) for constant in KNOWN if row(constant) not in page]
    assert not missing, f"write into {PAGE}:\n" + "\n".join(missing)
    told = [line.split("`")[1] for line in page.splitlines() if line.startswith("| `")]
    assert sorted(told) == sorted(constant.full_name for constant in KNOWN), "the page tells constants that are gone"


def test_every_constant_says_what_it_is() -> None:
    assert [constant.full_name for constant in KNOWN if not constant.meaning] == []


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(CHANGED), st.sampled_from([0.8, 1.25]))
def test_a_change_changes_that_constant_and_nothing_else(one: Constant, factor: float) -> None:
    source = (ROOT / "vision" / one.path).read_text(encoding="utf-8")
    before, after = (_values(text) for text in (source, changed(source, one, factor)))
    assert before.keys() == after.keys()
    different = {name for name in before if before[name] != after[name]}
    nothing = set(ast.unparse(ast.parse(one.value)).strip("()").replace(" ", "").split(",")) <= {"0", "0.0", ""}
    assert different == (set() if nothing else {one.name})


def _values(source: str) -> dict[str, str]:
    nodes = [node for node in ast.parse(source).body if isinstance(node, ast.AnnAssign)]
    return {ast.unparse(node.target): ast.unparse(node.value) for node in nodes if node.value is not None}


def test_the_told_modules_are_there() -> None:
    assert all((ROOT / "vision" / part).exists() for part in TOLD)


def test_the_page_tells_them_by_stage() -> None:
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    for stage, parts in STAGES.items():
        told = page.split(f"### {stage}\n")[1].split("\n### ")[0]
        missing = [c.full_name for c in constants(ROOT, parts) if f"| `{c.full_name}` |" not in told]
        assert not missing, f"not under {stage}: {missing}"


def test_every_hand_set_number_is_told() -> None:
    """But sizes that are given from outside, the simulation, and what only draws or opens."""
    outside = {"geometry/table.py", "geometry/bars.py", "tracking/overlay.py", "decoder_output.py"}
    modules = [str(path.relative_to(ROOT / "vision")) for path in (ROOT / "vision").rglob("*.py")]
    hidden = [m for m in modules if m not in outside and not m.startswith(("simulate/", *TOLD))]
    assert [c.full_name for c in constants(ROOT, hidden)] == []


@pytest.mark.parametrize(
    ("seen", "sure", "wrong"),
    [([("A1", 0.99)], 1, 0), ([("L1", 0.99)], 0, 1), ([], 0, 1), ([("A1", 0.5)] * 2, 0, 1)],
)
def test_a_table_is_right_and_sure_only_with_every_card(seen: list[tuple[Face, float]], sure: int, wrong: int) -> None:
    row = _row(*(SeenCard(face, p) for face, p in seen))
    found = outcome([row, None])
    assert (found.read.right_and_sure, found.read.wrong_and_sure, found.failed, found.tables) == (sure, wrong, 1, 2)


def test_each_constant_is_changed_alone_however_many_are_tried_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Given a table that is read right and for sure by the sources as they are, and by no others,
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bench, "MEASURED", ("geometry/rectify.py", "geometry/lens.py"))
    known = [constant for constant in constants(ROOT, bench.MEASURED) if constant.plain]
    before = {one.path: (ROOT / "vision" / one.path).read_text() for one in known}
    seen: list[dict[str, str]] = []

    def reads(sources: Path, tables: object) -> list[Row | None]:
        now = {path: (sources / "vision" / path).read_text() for path in before}
        seen.append({path: text for path, text in now.items() if text != before[path]})
        return [_row(SeenCard("L1" if seen[-1] else "A1", 0.99))]

    monkeypatch.setattr(bench, "_rows", reads)
    # when the constants are changed, two at once,
    told = list(bench._each(tmp_path, [], outcome([_row(SeenCard("A1", 0.99))]), 2))
    # then each was changed alone, twice, and costs the table,
    wanted = [{c.path: changed(before[c.path], c, factor)} for c in known for factor in FACTORS]
    assert sorted(map(repr, seen)) == sorted(map(repr, wanted))
    assert [(one.part, one.value) for one in told] == [
        (f"{c.full_name}/x{factor}", -1.0) for c in known for factor in FACTORS
    ]
    # and the table of all of them has their lines.
    written = (tmp_path / "out" / "bench" / "constants.md").read_text()
    assert all(f"{row(c)} -1 sure, **+1 wrong**, -1 cards" in written for c in known)


def _row(*cards: SeenCard) -> Row:
    """What is told of a table on which an A1 lies alone, and so many cards are seen."""
    at = ("A", "near")
    told = table_row({at: ("A1",)}, THEATERS, Sight(THEATERS, {at: cards}))
    return {**told, "seen": {"A/near": [(card.read, card.p) for card in cards]}, "truth": {"A/near": ["A1"]}}
