"""What libjpeg writes to standard error of each damaged picture, past OpenCV's log level: it is kept from the terminal.

A damaged picture is told in words, as a failure or as a trouble of the camera. libjpeg knows of nothing but the
process's descriptor 2, so that descriptor leads nowhere while a picture is decoded. That happens only where Python's
`sys.stderr` has another descriptor (`host.cli` gives it one), so that no message of the program's own is lost.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

STANDARD_ERROR: Final = 2

_lock = threading.Lock()
_decoding = 0
_kept = -1


@contextmanager
def unheard() -> Iterator[None]:
    """Nothing that a decoder says within is heard. Several threads may be within at once."""
    if not _apart():
        yield
        return
    _enter()
    try:
        yield
    finally:
        _leave()


def _apart() -> bool:
    """Whether the program's own messages go another way than through descriptor 2."""
    try:
        return sys.stderr.fileno() != STANDARD_ERROR
    except (AttributeError, OSError, ValueError):
        # A test's or an embedder's own stream, or none.
        return False


def _enter() -> None:
    global _decoding, _kept
    with _lock:
        _decoding += 1
        if _decoding > 1:
            return
        try:
            _kept = os.dup(STANDARD_ERROR)
        except OSError:
            # Nobody listens there.
            return
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, STANDARD_ERROR)
        os.close(nowhere)


def _leave() -> None:
    global _decoding, _kept
    with _lock:
        _decoding -= 1
        if _decoding == 0 and _kept >= 0:
            os.dup2(_kept, STANDARD_ERROR)
            os.close(_kept)
            _kept = -1
