"""Who a page can be: an onlooker, one of the two seats, or whoever runs the table."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

Role: TypeAlias = Literal["viewer", "near", "far", "owner"]

ROLES: Final[tuple[Role, ...]] = ("viewer", "near", "far", "owner")

_RANK: Final[Mapping[Role, int]] = MappingProxyType({"viewer": 0, "near": 1, "far": 1, "owner": 2})


def lower(role: Role, than: Role | None) -> bool:
    """Whether `role` may do less than the other; nobody is lower than None, who may do nothing."""
    return than is not None and _RANK[role] < _RANK[than]
