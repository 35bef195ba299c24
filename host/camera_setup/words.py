"""The aiming page in the players' language: from the row in codes to the row that the page shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from host.camera_setup.learning import learnt_in_words, stage_in_words
from host.messages import catalogue, say
from host.messages.command_text import refusal_line

if TYPE_CHECKING:
    from engine.failure import Failure
    from vision.enrolment.proof import Learnt

MEASURES: Final = ("scale", "tilt", "edge", "paper", "shine", "size")
STEPS: Final = ("air", "land", "sea", "back")
_PAGE: Final = "aim-page"


def page_words(language: str) -> dict[str, str]:
    """The page's own words."""
    codes = ("title", "waiting", "alt", "todo", "measures", "learn", "ended", "finished", *MEASURES, *STEPS)
    return {code: say(language, _PAGE, code) for code in codes}


def localised(
    row: dict[str, Any], language: str, learnt: Learnt | None = None, failed: Failure | None = None
) -> dict[str, Any]:
    """The row of `AimWatch` with its sentences in one language, what the learnt deck lets expect, and why it could
    not be learnt."""
    out = row | {"verdict_text": say(language, _PAGE, row["verdict"])}
    out["findings"] = [
        f | {"message": say(language, "aim", f["code"], f["parts"]), "remedy": say(language, "aim-mend", f["code"])}
        for f in row.get("findings", [])
    ]
    # A trouble of the camera is one text with its remedy, as on the table's page.
    out["troubles"] = [
        t | {"message": say(language, "condition", t["code"], t["parts"]), "remedy": ""} for t in row["troubles"]
    ]
    if "enrol" in row:
        expected = [] if learnt is None else learnt_in_words(learnt, language)
        out["enrol"] = row["enrol"] | {"says": _enrolling(row["enrol"], language, failed), "expected": expected}
    return out


def _enrolling(enrol: dict[str, Any], language: str, failed: Failure | None) -> str:
    if enrol["saved"]:
        return say(language, _PAGE, "learnt", {"folder": enrol["saved"]})
    if failed is not None:
        return refusal_line(failed, language)
    if enrol["learning"]:
        return stage_in_words(language, *enrol["learning"])
    said = enrol["said"]
    spots = catalogue(language)["aim-spot"]
    places = ", ".join(str(spots[at]) for at in said["places"])
    if said["mend"] is not None:
        remedy = say(language, "enrol-mend", said["mend"])
        return f"{remedy} ({places})" if places else remedy
    return say(language, "enrol-lay", said["code"], {"places": places})
