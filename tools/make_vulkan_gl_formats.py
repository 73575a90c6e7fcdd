"""Write ``statetracker/vulkan/gl_formats.csv``: GL internal format to VkFormat with its view swizzle.

``python tools/make_vulkan_gl_formats.py [--check]``. Which pipe format a driver keeps a GL format in was recorded
(``caps/storage_formats.csv``), which VkFormat that is follows by rule; the Khronos registry, in the package
``vulkan-object`` (PyPI; install it by hand), is asked whether each VkFormat exists and has every channel that its
swizzle reads. Exit codes: 0 written or equal, 1 with ``--check`` the file would change or the registry disagrees,
2 the package is not there.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, Final

from statetracker.caps import Screen
from statetracker.gl import formats as gl
from statetracker.sampler.tables import DEPTH_SWIZZLE, FORMAT_SWIZZLE
from statetracker.vulkan.formats import StoredFormat, stored

TARGET: Final = Path(__file__).resolve().parents[1] / "statetracker" / "vulkan" / "gl_formats.csv"
_HEAD: Final = """\
# GL internal format -> pipe format -> VkFormat, each with the swizzle of its view: zink over lavapipe, Mesa 22.3.6.
# Written by tools/make_vulkan_gl_formats.py, checked against the Khronos registry, header version {version}; do not
# edit. swizzle: what red, green, blue and alpha are, letters of XYZW01 (Gallium) and RGBA01 (Vulkan); depth and stencil
# as in GL's LUMINANCE mode.
"""
_LETTERS: Final = "XYZW01"
_LUMINANCE: Final = 0x1909


def rows() -> list[StoredFormat]:
    """Every internal format that textures can have."""
    screen = Screen.named("zink-lavapipe")
    found = []
    for row in sorted(gl.internal_formats(), key=lambda row: row.name):
        own = FORMAT_SWIZZLE.get(row.base_format) or DEPTH_SWIZZLE[_LUMINANCE][1]
        found.append(stored(row.name, "".join(_LETTERS[part] for part in own), screen))
    return found


def objections(registry: Any, row: StoredFormat) -> str:  # noqa: ANN401 (of a package that may not be there)
    """What the registry has against a row; empty for nothing."""
    if row.vulkan_format is None:
        return ""
    known = registry.formats.get(f"VK_FORMAT_{row.vulkan_format}")
    if known is None:
        return f"{row.vulkan_format} does not exist"
    there = {part.type for part in known.components}
    there |= {"R"} if there & {"D", "S"} else set()
    missing = set(row.vulkan_swizzle) - there - {"0", "1"}
    return f"{row.vulkan_format} has no {', '.join(sorted(missing))}" if missing else ""


def main() -> int:
    """Write or check the table."""
    parser = argparse.ArgumentParser(description="Write the table of GL formats as Vulkan formats.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the table would change")
    check: bool = parser.parse_args().check
    try:
        from vulkan_object import get_vulkan_object  # type: ignore[import-not-found]
    except ImportError:
        sys.stderr.write("vulkan-object is not installed: pip install vulkan-object\n")
        return 2
    registry = get_vulkan_object()
    wrong = [f"{row.internal_format}: {text}" for row in rows() if (text := objections(registry, row))]
    if wrong:
        sys.stderr.write("\n".join(wrong) + "\n")
        return 1
    lines = [",".join(StoredFormat._fields), *(",".join(part or "" for part in row) for row in rows())]
    text = _HEAD.format(version=registry.headerVersion) + "\n".join(lines) + "\n"
    differs = not TARGET.exists() or TARGET.read_text(encoding="ascii") != text
    if not check:
        TARGET.write_text(text, encoding="ascii")
    return int(check and differs)


if __name__ == "__main__":
    sys.exit(main())
