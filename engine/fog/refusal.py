"""Why something cannot be done in Fog of War: a code, the memo's paragraph, and the parts of the sentence."""

from __future__ import annotations

from typing import Final

from engine.failure import Failure
from engine.fog.sentences import SentencePart, english

ASK: Final = "from-your-box"


class ForbiddenAction(Failure):
    """An action that the memo forbids. `paragraph` is the memo's number, `parts` fill the sentence of `code`."""

    def __init__(self, code: str, paragraph: str, **parts: SentencePart) -> None:
        super().__init__(code, english("refused", code, parts), english("remedy", code, parts))
        self.paragraph = paragraph
        self.parts = parts


class FromYourBox(ForbiddenAction):
    """The memo does not say something that is needed now. `ask` names it: `box.win`, or `province.kiev.winter`."""

    def __init__(self, ask: str, paragraph: str) -> None:
        owner, _, rest = ask.partition(".")
        key, _, field = rest.rpartition(".") if owner == "province" else ("", "", rest)
        super().__init__(ASK, paragraph, field=field, province=key or None)
        self.ask = ask
