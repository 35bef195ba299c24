"""Settings: what is refused, what is kept, and what power lost at the worst moment leaves."""

from __future__ import annotations

from typing import Any

import pytest

from host.link.messages import ControllerSettings, Hello, Stats, Type

MINE = ControllerSettings(
    brightness=77, order=2, chain=36, budget_ma=900, bars=((27, True), (0, False), (12, True)), swapped=True
)


def kept(core: Any) -> tuple[int, ControllerSettings]:
    """After the power was away: how the board says it stands with its settings, and the settings."""
    greeting = Hello.unpack(core.start(erased=False)[0].body)
    return greeting.settings, ControllerSettings.unpack(core.ask(Type.SETTINGS_GET).body)


def test_a_new_board_has_the_defaults(core: Any) -> None:
    assert ControllerSettings.unpack(core.ask(Type.SETTINGS_GET).body) == ControllerSettings()
    assert kept(core) == (0, ControllerSettings())


def test_what_is_set_holds_and_what_is_saved_stays(core: Any) -> None:
    core.set(MINE)
    assert kept(core) == (0, ControllerSettings())
    core.set(MINE)
    assert core.ask(Type.SETTINGS_SAVE).body == b"\x01"
    assert kept(core) == (1, MINE)


@pytest.mark.parametrize(
    ("offset", "value"),
    [(0, 2), (1, 0), (2, 6), (3, 8), (3, 37), (5, 200), (4, 40), (6, 28), (8, 8), (10, 10), (7, 2), (11, 255), (12, 2)],
)
def test_a_value_out_of_range_is_named_by_its_place_and_changes_nothing(core: Any, offset: int, value: int) -> None:
    body = bytearray(ControllerSettings(budget_ma=5).pack() if offset == 4 else ControllerSettings().pack())
    body[offset] = value
    refused = core.ask(Type.SETTINGS_SET, bytes(body))
    at = 4 if offset == 5 else offset
    assert (refused.type, refused.body) == (Type.ERROR, bytes((3, Type.SETTINGS_SET, at)))
    assert ControllerSettings.unpack(core.ask(Type.SETTINGS_GET).body) == ControllerSettings()


def test_power_lost_at_any_byte_of_a_save_leaves_the_old_settings_or_the_new(core: Any) -> None:
    core.set(MINE)
    core.ask(Type.SETTINGS_SAVE)
    before = bytes(core.eeprom[:64])
    core.set(ControllerSettings())
    core.ask(Type.SETTINGS_SAVE)
    after = bytes(core.eeprom[:64])
    changed = [at for at in range(64) if before[at] != after[at]]
    assert changed
    for reached in range(len(changed) + 1):
        for at in range(64):
            core.eeprom[at] = after[at] if at in changed[:reached] else before[at]
        state, found = kept(core)
        assert state == 1
        assert found == (ControllerSettings() if reached == len(changed) else MINE)


def test_settings_that_are_damaged_are_told_and_the_defaults_hold(core: Any) -> None:
    core.set(MINE)
    core.ask(Type.SETTINGS_SAVE)
    for at in range(64):
        core.eeprom[at] ^= 0x10
    assert kept(core) == (2, ControllerSettings())


def test_the_newest_of_three_hundred_saves_is_found(core: Any) -> None:
    for number in range(300):
        core.set(ControllerSettings(brightness=1 + number % 250))
        core.ask(Type.SETTINGS_SAVE)
        if number % 37 == 0 or number > 250:
            assert kept(core)[1].brightness == 1 + number % 250


def test_a_worn_out_memory_is_told(core: Any) -> None:
    core.library.pc_break_eeprom(1)
    refused = core.ask(Type.SETTINGS_SAVE)
    assert (refused.type, refused.body) == (Type.ERROR, bytes((4, Type.SETTINGS_SAVE, 0)))


def test_each_start_is_counted(core: Any) -> None:
    boots = []
    for _ in range(3):
        boots.append(Hello.unpack(core.start(erased=False)[0].body).boot)
        core.advance(150)
    assert boots[1] == boots[0] + 1 and boots[2] == boots[1] + 1


def test_nothing_is_written_while_the_supply_bounces_or_is_too_low(core: Any) -> None:
    def kept() -> bytes:
        return bytes(core.eeprom[64:66])

    core.start(erased=False)
    before = kept()
    core.advance(90)
    assert kept() == before, "the plug is still moving"
    core.library.pc_supply(3_900)
    core.advance(500)
    assert kept() == before, "too little for 16 MHz"
    core.library.pc_supply(4_600)
    core.advance(2)
    assert kept() != before
    assert Stats.unpack(core.ask(Type.STATS).body).supply_mv == 4_600
