"""Make ``statetracker/gl/registry.csv`` from the Khronos registry that the glad2 wheel carries.

Development only; nothing imports it. In a temporary environment::

    python -m venv /tmp/registry && /tmp/registry/bin/pip install glad2
    /tmp/registry/bin/python tools/make_registry.py

A number's names stand in one order: plain enums before bits of a mask; then names that are part of a GL or GLES
version, names without a vendor, and the vendors in the order of `VENDORS`; last, the registry's own order.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET  # the registry comes from a pinned wheel
from collections import defaultdict
from importlib import metadata, util
from pathlib import Path

OUTPUT = Path(__file__).parent.parent / "statetracker" / "gl" / "registry.csv"
VENDORS = (
    *("ARB", "KHR", "EXT", "OES", "NV", "ATI", "AMD", "APPLE", "MESA", "INTEL", "QCOM", "IMG", "ARM", "ANGLE"),
    *("SGI", "SGIS", "SGIX", "IBM", "HP", "SUN", "PGI", "WIN", "OML", "INGR", "NVX", "OVR", "DMP", "3DFX", "S3TC"),
)
#: Names that lead their number although the registry has another first.
FIRST = ("GL_NONE", "GL_TRUE")
#: A safety-critical profile of its own; its names are outside GL and GLES.
FOREIGN = {"glsc2"}
HEADER = """\
# GL enum names (without GL_) and their numbers, canonical name first. Made by tools/make_registry.py; do not edit.
# Source: gl.xml of glad2 {version}, of which this is a derived work:
# Copyright 2013-2020 The Khronos Group Inc.
# SPDX-License-Identifier: Apache-2.0
name,number
"""


def main() -> int:
    """Write the file and say how many names it has."""
    spec = util.find_spec("glad")
    if spec is None or spec.origin is None:
        sys.stderr.write("glad2 is not installed; see the first lines of this script\n")
        return 1
    registry = ET.parse(Path(spec.origin).parent / "files" / "gl.xml").getroot()  # noqa: S314 (a pinned wheel)
    rows = [f"{name[3:]},{_spell(number)}\n" for number, name in sorted_names(registry)]
    OUTPUT.write_text(HEADER.format(version=metadata.version("glad2")) + "".join(rows), encoding="ascii")
    sys.stdout.write(f"{OUTPUT.name}: {len(rows)} names\n")
    return 0


def sorted_names(registry: ET.Element) -> list[tuple[int, str]]:
    """List (number, name) by number, each number's names in canonical order."""
    core = {enum.get("name", "") for enum in registry.iterfind("feature/require/enum")}
    foreign = _foreign(registry)
    ranked: list[tuple[int, tuple[bool, bool, bool, int], int, str]] = []
    for block in registry.iter("enums"):
        for enum in block.iter("enum"):
            name = enum.get("name", "")
            if name in foreign or enum.get("api", "gl") != "gl":
                continue
            rank = (name not in FIRST, block.get("type") == "bitmask", name not in core, vendor_rank(name))
            ranked.append((int(enum.get("value", ""), 0), rank, len(ranked), name))
    return [(number, name) for number, _, _, name in sorted(ranked)]


def vendor_rank(name: str) -> int:
    """Order vendors: none, then `VENDORS`, then the rest."""
    suffix = name.rpartition("_")[2]
    return 1 + VENDORS.index(suffix) if suffix in VENDORS else 0


def _foreign(registry: ET.Element) -> set[str]:
    users: dict[str, set[str]] = defaultdict(set)
    for part in (*registry.iter("feature"), *registry.iter("extension")):
        apis = set((part.get("api") or part.get("supported") or "").split("|"))
        for enum in part.iterfind("require/enum"):
            users[enum.get("name", "")] |= apis
    return {name for name, apis in users.items() if apis <= FOREIGN}


def _spell(number: int) -> str:
    return str(number) if number < 0 else f"0x{number:04X}"


if __name__ == "__main__":
    sys.exit(main())
