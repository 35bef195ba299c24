"""The kit stands alone in hardware/ and is not installed: its folder is put on the path for these tests."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "hardware"))
