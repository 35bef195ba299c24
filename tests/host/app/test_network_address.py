"""At which address phones reach the page."""

from __future__ import annotations

import pytest

from engine.failure import BadInput
from host.app.page_server import network_address
from host.web.access import lan_address


def test_an_address_that_is_named_is_taken() -> None:
    assert network_address("127.0.0.1")() == "127.0.0.1"


def test_without_a_name_it_is_found_when_it_is_needed() -> None:
    assert network_address(None) is lan_address


@pytest.mark.parametrize("named", ["192.0.2.7", "table.local", "", "::1", "256.1.1.1"])
def test_what_is_no_address_of_this_machine_is_refused(named: str) -> None:
    with pytest.raises(BadInput, match="is not an address of this machine"):
        network_address(named)
