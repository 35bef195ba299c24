"""One line of JSON as strictly as the standard has it, and whatever its depth or the length of its numbers.

Python's own reader takes `NaN` for JSON, and stops at numbers of more than 4,300 digits and at some nine hundred
nested lists, which are JSON. A battle is read the same whatever lies in fields that nobody knows, so all three matter.
"""

from __future__ import annotations

import json
import re
from typing import Final, NoReturn

from engine.failure import BadInput

_DEEPEST: Final = 64
"""Nothing that means anything in a battle lies deeper; what does is read as null once it is known to be JSON."""
_LONGEST: Final = 400
"""Digits of a number that is still taken as one of Python's exact ones. No field of ours takes a longer one."""
_TOKENS: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}"]|[^"\[\]{}]+', re.DOTALL)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON value")


def _whole_number(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST else float(digits)


_DECODER: Final = json.JSONDecoder(parse_constant=_refuse, parse_int=_whole_number)


def _shallow(text: str) -> str:
    """The text with every list or object below `_DEEPEST` put as null; each is read on its own as it closes."""
    parts: list[list[str]] = [[]]
    for match in _TOKENS.finditer(text):
        token = match[0]
        if token == '"':
            raise ValueError("a string is never closed")
        if token in "[{":
            parts.append([token])
        elif token in "]}":
            if len(parts) == 1:
                raise ValueError(f"{token} closes nothing")
            whole = "".join(parts.pop()) + token
            if len(parts) > _DEEPEST:
                _DECODER.decode(whole)
                whole = "null"
            parts[-1].append(whole)
        else:
            parts[-1].append(token)
    if len(parts) > 1:
        raise ValueError(f"{parts[-1][0]} is never closed")
    return "".join(parts[0])


def parse_line(line: bytes) -> object:
    """What one line says; raises `BadInput` (`not-json`) that names the column where it stops being JSON."""
    try:
        text = line.decode("utf-8-sig").strip(" \t\r\n")
    except UnicodeDecodeError as error:
        raise BadInput(
            "not-json", f"The line is not UTF-8 text at byte {error.start + 1}.", "Save the file as UTF-8."
        ) from error
    if not text:
        raise BadInput("not-json", "The line is empty.", "Write one battle a line, or take the line out.")
    try:
        try:
            return _DECODER.decode(text)
        except json.JSONDecodeError as error:
            why = f"column {error.pos + 1}: {error.msg}"
        except RecursionError:
            return _DECODER.decode(_shallow(text))
    except json.JSONDecodeError as error:
        why = error.msg
    except ValueError as error:
        why = str(error)
    raise BadInput("not-json", f"The line is not JSON ({why}).", "Write one battle a line.")
