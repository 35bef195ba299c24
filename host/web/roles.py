"""Who a page can be: an onlooker, one of the two seats, or whoever runs the table."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Role: TypeAlias = Literal["viewer", "near", "far", "owner"]

ROLES: Final[tuple[Role, ...]] = ("viewer", "near", "far", "owner")
