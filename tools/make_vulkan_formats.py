"""Write ``caps/vulkan_formats.csv`` and ``caps/vulkan_format_bits.csv`` from the Khronos registry.

``python tools/make_vulkan_formats.py [--check]``. Needs the package ``vulkan-object`` (PyPI), which carries the
registry; nothing else of the project does, so install it by hand. Exit codes: 0 written or equal, 1 with ``--check``
a file would change, 2 the package is not there.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, Final

CAPS: Final = Path(__file__).resolve().parents[1] / "caps"

_FORMATS_HEAD: Final = """\
# VkFormat of the Khronos registry, header version {version}. Written by tools/make_vulkan_formats.py; do not edit.
# name: without VK_FORMAT_. channels: letter and bits, in the registry's order; a compressed format's have no bits.
# kind: of the first channel; of a depth-stencil format, the depth's.
"""
_BITS_HEAD: Final = """\
# Bits of VkFormatFeatureFlags2 of the Khronos registry, header version {version}. Written by
# tools/make_vulkan_formats.py; do not edit. Bits below 32 that VkFormatFeatureFlags has mean the same there.
# name: without VK_FORMAT_FEATURE_2_ and _BIT. bit: its number.
"""


def formats(registry: Any) -> str:  # noqa: ANN401 (of a package that is not there when types are checked)
    """The table of formats."""
    lines = [_FORMATS_HEAD.format(version=registry.headerVersion) + "name,number,channels,kind"]
    for field in registry.enums["VkFormat"].fields:
        known = registry.formats.get(field.name)
        parts = known.components if known else []
        channels = " ".join(part.type + (part.bits if part.bits.isdigit() else "") for part in parts)
        kind = parts[0].numericFormat if parts else ""
        lines.append(f"{field.name.removeprefix('VK_FORMAT_')},{field.value},{channels},{kind}")
    return "\n".join(lines) + "\n"


def bits(registry: Any) -> str:  # noqa: ANN401 (as above)
    """The table of feature bits."""
    found: dict[str, int] = {}
    for mask in ("VkFormatFeatureFlagBits2", "VkFormatFeatureFlagBits"):
        for flag in registry.bitmasks[mask].flags:
            for name in (flag.name, *flag.aliases):
                found.setdefault(_bare(name), flag.bitpos)
    rows = sorted(found.items(), key=lambda row: (row[1], row[0]))
    head = _BITS_HEAD.format(version=registry.headerVersion)
    return head + "name,bit\n" + "".join(f"{name},{bit}\n" for name, bit in rows)


def _bare(name: str) -> str:
    word = name.removeprefix("VK_FORMAT_FEATURE_2_").removeprefix("VK_FORMAT_FEATURE_")
    return word.replace("_BIT_", "_") if "_BIT_" in word else word.removesuffix("_BIT")


def main() -> int:
    """Write or check both tables."""
    parser = argparse.ArgumentParser(description="Write the tables of Vulkan formats from the Khronos registry.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a table would change")
    check: bool = parser.parse_args().check
    try:
        from vulkan_object import get_vulkan_object  # type: ignore[import-not-found]
    except ImportError:
        sys.stderr.write("vulkan-object is not installed: pip install vulkan-object\n")
        return 2
    registry = get_vulkan_object()
    differ = 0
    for name, text in (("vulkan_formats.csv", formats(registry)), ("vulkan_format_bits.csv", bits(registry))):
        path = CAPS / name
        differ |= not path.exists() or path.read_text(encoding="ascii") != text
        if not check:
            path.write_text(text, encoding="ascii")
    return int(bool(check and differ))


if __name__ == "__main__":
    sys.exit(main())
