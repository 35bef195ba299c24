"""How long a player's name may be: the same while setting up, at a club night, in a war's rules and in the archive.
Where one part cuts a name that another takes, two players whose names begin alike become one.
"""

import unicodedata
from collections.abc import Mapping
from typing import Final

from engine.names import SEATS

NAME_LONGEST: Final = 60
"""Characters."""


def plain_name(text: str) -> str:
    """A player's name as it is shown: without control characters and double spaces, of a length that fits."""
    plain = "".join(" " if unicodedata.category(c).startswith(("C", "Z")) else c for c in text)
    return " ".join(plain.split())[:NAME_LONGEST].strip()


def same_names(names: Mapping[str, str]) -> bool:
    """Whether both seats have one name: every sentence would speak of nobody in particular."""
    near, far = (plain_name(names.get(seat, "")).casefold() for seat in SEATS)
    return bool(near) and near == far
