"""What is installed, as a CycloneDX 1.6 document: `python -m host.dependencies.sbom`.

The format: https://cyclonedx.org/docs/1.6/json/.
"""

from __future__ import annotations

import json
import re
import sys
from importlib import metadata
from typing import Any


def bill_of_materials() -> dict[str, Any]:
    """The distributions of this environment by name, each with version, licence and package URL."""
    found = {_name(d): d for d in metadata.distributions()}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": _component(found["allfronts"], "application")},
        "components": [_component(found[name], "library") for name in sorted(found) if name != "allfronts"],
    }


def _name(distribution: metadata.Distribution) -> str:
    """As package indexes compare names (PEP 503)."""
    return re.sub(r"[-_.]+", "-", distribution.metadata["Name"]).lower()


def _component(distribution: metadata.Distribution, kind: str) -> dict[str, Any]:
    name, version = _name(distribution), distribution.version
    url = f"pkg:pypi/{name}@{version}"
    made: dict[str, Any] = {"type": kind, "bom-ref": url, "name": name, "version": version, "purl": url}
    stated = distribution.metadata.json
    expression = stated.get("license_expression")
    # Older packages state their licence in words only, some with its whole text.
    words = str(stated.get("license") or "").strip().split("\n")[0][:100]
    if expression:
        made["licenses"] = [{"expression": expression}]
    elif words:
        made["licenses"] = [{"license": {"name": words}}]
    return made


if __name__ == "__main__":
    json.dump(bill_of_materials(), sys.stdout, indent=1)
    sys.stdout.write("\n")
