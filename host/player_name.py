"""How long a player's name may be: the same while setting up, at a club night, in a war's rules and in the archive.
Where one part cuts a name that another takes, two players whose names begin alike become one.
"""

from typing import Final

NAME_LONGEST: Final = 60
"""Characters."""
