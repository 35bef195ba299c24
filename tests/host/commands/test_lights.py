"""`lights` refuses, before any board is asked, what no chain can have."""

from __future__ import annotations

import pytest

from engine.failure import BadInput
from host.cli import main
from host.commands.lights import _pattern
from host.link.messages import ControllerSettings

LONG = "9" * 5000


@pytest.mark.parametrize("bars", [f"{LONG},0,9", "0,9", "0,9r,x", "²,9,18"])
def test_bars_that_cannot_be_are_one_line(bars: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lights", "--bars", bars]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("light", ["27", LONG])
def test_a_light_that_the_chain_does_not_have_is_refused(light: str) -> None:
    chain = ControllerSettings(128, 0, 27, 400, ((0, False), (9, False), (18, False)))
    with pytest.raises(BadInput, match="26"):
        _pattern(light, chain)
