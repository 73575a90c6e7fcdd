"""Write the tables of Vulkan formats from the Khronos registry, or with its consent.

``python tools/codegen/make_vulkan_formats.py [--check]`` writes

    caps/vulkan_formats.csv                formats of the registry
    caps/vulkan_format_bits.csv            feature bits of formats, of the registry
    statetracker/vulkan/gl_formats.csv     GL internal format to VkFormat with its view swizzle

The last comes from what was recorded of drivers (``caps/storage_formats.csv``); the registry is asked whether each
VkFormat exists and has every channel that its swizzle reads. The registry is in the package ``vulkan-object`` (PyPI),
which nothing else of the project needs; install it by hand. Exit codes: 0 written or equal, 1 the registry disagrees
(or with ``--check`` a file would change), 2 the package is not there.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]

_FORMATS_HEAD: Final = """\
# VkFormat of the Khronos registry, header version {version}.
# Written by tools/codegen/make_vulkan_formats.py; do not edit.
# name: without VK_FORMAT_. channels: letter and bits, in the registry's order; a compressed format's have no bits.
# kind: of the first channel; of a depth-stencil format, the depth's.
"""
_BITS_HEAD: Final = """\
# Bits of VkFormatFeatureFlags2 of the Khronos registry, header version {version}. Written by
# tools/codegen/make_vulkan_formats.py; do not edit. Bits below 32 that VkFormatFeatureFlags has mean the same there.
# name: without VK_FORMAT_FEATURE_2_ and _BIT. bit: its number.
"""
_GL_HEAD: Final = """\
# GL internal format -> pipe format -> VkFormat, each with the swizzle of its view: zink over lavapipe, Mesa 22.3.6.
# Written by tools/codegen/make_vulkan_formats.py, checked against the Khronos registry, header version {version}; do
# not edit. swizzle: what red, green, blue and alpha are, letters of XYZW01 (Gallium) and RGBA01 (Vulkan); depth and
# stencil as in GL's LUMINANCE mode.
"""
_LETTERS: Final = "XYZW01"
_LUMINANCE: Final = 0x1909


def formats(registry: Any) -> str:  # noqa: ANN401 (of a package that is not there when types are checked)
    """Return the table of formats."""
    lines = ["name,number,channels,kind"]
    for field in registry.enums["VkFormat"].fields:
        known = registry.formats.get(field.name)
        parts = known.components if known else []
        channels = " ".join(part.type + (part.bits if part.bits.isdigit() else "") for part in parts)
        kind = parts[0].numericFormat if parts else ""
        lines.append(f"{field.name.removeprefix('VK_FORMAT_')},{field.value},{channels},{kind}")
    return _FORMATS_HEAD + "\n".join(lines) + "\n"


def bits(registry: Any) -> str:  # noqa: ANN401 (as above)
    """Return the table of feature bits."""
    bits: dict[str, int] = {}
    for mask in ("VkFormatFeatureFlagBits2", "VkFormatFeatureFlagBits"):
        for flag in registry.bitmasks[mask].flags:
            for name in (flag.name, *flag.aliases):
                bits.setdefault(_bare(name), flag.bitpos)
    rows = sorted(bits.items(), key=lambda row: (row[1], row[0]))
    return _BITS_HEAD + "name,bit\n" + "".join(f"{name},{bit}\n" for name, bit in rows)


def _bare(name: str) -> str:
    word = name.removeprefix("VK_FORMAT_FEATURE_2_").removeprefix("VK_FORMAT_FEATURE_")
    return word.replace("_BIT_", "_") if "_BIT_" in word else word.removesuffix("_BIT")


def gl_formats(registry: Any) -> str:  # noqa: ANN401 (as above)
    """Return the table of GL's internal formats; `SystemExit` where the registry disagrees."""
    # Late: what it reads are the other two tables.
    from statetracker.caps import Screen
    from statetracker.gl import formats as gl
    from statetracker.sampler.tables import DEPTH_SWIZZLE, FORMAT_SWIZZLE
    from statetracker.vulkan.views import StoredFormat, stored

    screen = Screen.named("zink-lavapipe")
    rows = []
    for row in sorted(gl.internal_formats(), key=lambda row: row.name):
        own = FORMAT_SWIZZLE.get(row.base_format) or DEPTH_SWIZZLE[_LUMINANCE][1]
        rows.append(stored(row.name, "".join(_LETTERS[part] for part in own), screen))
    wrong = [f"{row.internal_format}: {text}\n" for row in rows if (text := _objections(registry, row))]
    if wrong:
        sys.stderr.write("".join(wrong))
        raise SystemExit(1)
    lines = [",".join(StoredFormat._fields), *(",".join(part or "" for part in row) for row in rows)]
    return _GL_HEAD + "\n".join(lines) + "\n"


def _objections(registry: Any, row: Any) -> str:  # noqa: ANN401 (as above; a `StoredFormat`)
    """Return what the registry has against a row; empty for nothing."""
    if row.vulkan_format is None:
        return ""
    known = registry.formats.get(f"VK_FORMAT_{row.vulkan_format}")
    if known is None:
        return f"{row.vulkan_format} does not exist"
    there = {part.type for part in known.components}
    there |= {"R"} if there & {"D", "S"} else set()
    missing = set(row.vulkan_swizzle) - there - {"0", "1"}
    return f"{row.vulkan_format} has no {', '.join(sorted(missing))}" if missing else ""


#: File -> what writes it.
TABLES: Final = {
    "caps/vulkan_formats.csv": formats,
    "caps/vulkan_format_bits.csv": bits,
    "statetracker/vulkan/gl_formats.csv": gl_formats,
}


def main() -> int:
    """Write or check every table."""
    parser = argparse.ArgumentParser(description="Write the tables of Vulkan formats from the Khronos registry.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a table would change")
    check: bool = parser.parse_args().check
    try:
        from vulkan_object import get_vulkan_object  # type: ignore[import-not-found]
    except ImportError:
        sys.stderr.write("vulkan-object is not installed: pip install vulkan-object\n")
        return 2
    registry = get_vulkan_object()
    differ = False
    for name, write in TABLES.items():
        path, text = ROOT / name, write(registry).replace("{version}", str(registry.headerVersion))
        differ |= not path.exists() or path.read_text(encoding="ascii") != text
        if not check:
            path.write_text(text, encoding="ascii")
    return int(check and differ)


if __name__ == "__main__":
    sys.exit(main())
