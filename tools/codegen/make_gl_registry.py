"""Make ``statetracker/gl/registry.csv`` and ``bindings/gl_calls.txt`` from the Khronos registry in the glad2 wheel.

Development only; nothing imports it. In a temporary environment::

    python -m venv /tmp/registry && /tmp/registry/bin/pip install glad2
    /tmp/registry/bin/python tools/codegen/make_gl_registry.py

The first file has the names of GL's enums. A number's names stand in one order: plain enums before bits of a mask; then
names that are part of a GL or GLES version, names without a vendor, and the vendors in the order of `VENDORS`; last,
the registry's own order. The second has the prototypes of the functions of every version of desktop GL, and of the
extensions in `EXTENSIONS`.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET  # the registry comes from a pinned wheel
from collections import defaultdict
from importlib import metadata, util
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENDORS = (
    *("ARB", "KHR", "EXT", "OES", "NV", "ATI", "AMD", "APPLE", "MESA", "INTEL", "QCOM", "IMG", "ARM", "ANGLE"),
    *("SGI", "SGIS", "SGIX", "IBM", "HP", "SUN", "PGI", "WIN", "OML", "INGR", "NVX", "OVR", "DMP", "3DFX", "S3TC"),
)
#: Names that lead their number although the registry has another first.
FIRST = ("GL_NONE", "GL_TRUE")
#: A safety-critical profile of its own; its names are outside GL and GLES.
FOREIGN = {"glsc2"}
EXTENSIONS = (
    *("GL_ARB_bindless_texture", "GL_ARB_multitexture", "GL_ARB_robustness", "GL_ARB_vertex_program"),
    *("GL_ARB_shader_objects", "GL_ARB_vertex_shader", "GL_ARB_fragment_program", "GL_ARB_texture_buffer_object"),
    *("GL_EXT_direct_state_access", "GL_EXT_framebuffer_object", "GL_EXT_texture_integer", "GL_EXT_texture3D"),
    *("GL_EXT_texture_object", "GL_EXT_texture_buffer_object", "GL_EXT_texture_array", "GL_EXT_texture_storage"),
)
HEADER = """\
# {what}. Made by tools/codegen/make_gl_registry.py; do not edit.
# Source: gl.xml of glad2 {version}, of which this is a derived work:
# Copyright 2013-2020 The Khronos Group Inc.
# SPDX-License-Identifier: Apache-2.0
"""


def main() -> int:
    """Write both files and say how many rows each has."""
    spec = util.find_spec("glad")
    if spec is None or spec.origin is None:
        sys.stderr.write("glad2 is not installed; see the first lines of this script\n")
        return 1
    registry = ET.parse(Path(spec.origin).parent / "files" / "gl.xml").getroot()  # noqa: S314 (a pinned wheel)
    names = [f"{name[3:]},{_number(number)}\n" for number, name in sorted_names(registry)]
    _write("statetracker/gl/registry.csv", "GL enum names (without GL_) and their numbers, canonical name first",
           ["name,number\n", *names])  # fmt: skip
    calls = [f"{prototype};\n" for _, prototype in sorted(prototypes(registry).items())]
    _write("bindings/gl_calls.txt", "Prototypes of GL functions, by name", calls)
    return 0


def _write(path: str, what: str, lines: list[str]) -> None:
    head = HEADER.format(what=what, version=metadata.version("glad2"))
    (ROOT / path).write_text(head + "".join(lines), encoding="ascii")
    sys.stdout.write(f"{path}: {len(lines)} lines\n")


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


def _number(number: int) -> str:
    return str(number) if number < 0 else f"0x{number:04X}"


def prototypes(registry: ET.Element) -> dict[str, str]:
    """Map the wanted functions' names to their C prototypes."""
    wanted = {
        command.get("name", "")
        for part in (*registry.iterfind("feature[@api='gl']"), *registry.iter("extension"))
        if part.tag == "feature" or part.get("name") in EXTENSIONS
        for command in part.iterfind("require/command")
    }
    functions = {}
    for command in registry.iterfind("commands/command"):
        proto = command.find("proto")
        name = proto.findtext("name", "") if proto is not None else ""
        if proto is not None and name in wanted:
            parameters = ", ".join(_declaration(param) for param in command.findall("param")) or "void"
            functions[name] = f"{_declaration(proto)}({parameters})"
    return functions


def _declaration(element: ET.Element) -> str:
    return " ".join("".join(element.itertext()).replace("*", " * ").split()).replace("* ", "*")


if __name__ == "__main__":
    sys.exit(main())
