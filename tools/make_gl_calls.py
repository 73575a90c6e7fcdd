"""Make ``bindings/gl_calls.txt``, the prototypes of GL's functions, from the Khronos registry in the glad2 wheel.

Development only; nothing imports it. In a temporary environment::

    python -m venv /tmp/registry && /tmp/registry/bin/pip install glad2
    /tmp/registry/bin/python tools/make_gl_calls.py

Taken are the functions of every version of desktop GL, and those of the extensions in `EXTENSIONS`.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET  # the registry comes from a pinned wheel
from importlib import metadata, util
from pathlib import Path

OUTPUT = Path(__file__).parent.parent / "bindings" / "gl_calls.txt"
EXTENSIONS = (
    *("GL_ARB_bindless_texture", "GL_ARB_multitexture", "GL_ARB_robustness", "GL_ARB_vertex_program"),
    *("GL_ARB_shader_objects", "GL_ARB_vertex_shader", "GL_ARB_fragment_program", "GL_ARB_texture_buffer_object"),
    *("GL_EXT_direct_state_access", "GL_EXT_framebuffer_object", "GL_EXT_texture_integer", "GL_EXT_texture3D"),
    *("GL_EXT_texture_object", "GL_EXT_texture_buffer_object", "GL_EXT_texture_array", "GL_EXT_texture_storage"),
)
HEADER = """\
# Prototypes of GL functions, by name. Made by tools/make_gl_calls.py; do not edit.
# Source: gl.xml of glad2 {version}, of which this is a derived work:
# Copyright 2013-2020 The Khronos Group Inc.
# SPDX-License-Identifier: Apache-2.0
"""


def main() -> int:
    """Write the file and say how many functions it has."""
    spec = util.find_spec("glad")
    if spec is None or spec.origin is None:
        sys.stderr.write("glad2 is not installed; see the first lines of this script\n")
        return 1
    registry = ET.parse(Path(spec.origin).parent / "files" / "gl.xml").getroot()  # noqa: S314 (a pinned wheel)
    rows = sorted(prototypes(registry).items())
    text = "".join(f"{prototype};\n" for _, prototype in rows)
    OUTPUT.write_text(HEADER.format(version=metadata.version("glad2")) + text, encoding="ascii")
    sys.stdout.write(f"{OUTPUT.name}: {len(rows)} functions\n")
    return 0


def prototypes(registry: ET.Element) -> dict[str, str]:
    """Map the wanted functions' names to their C prototypes."""
    wanted = {
        command.get("name", "")
        for part in (*registry.iterfind("feature[@api='gl']"), *registry.iter("extension"))
        if part.tag == "feature" or part.get("name") in EXTENSIONS
        for command in part.iterfind("require/command")
    }
    found = {}
    for command in registry.iterfind("commands/command"):
        proto = command.find("proto")
        name = proto.findtext("name", "") if proto is not None else ""
        if proto is not None and name in wanted:
            parameters = ", ".join(_spell(param) for param in command.findall("param")) or "void"
            found[name] = f"{_spell(proto)}({parameters})"
    return found


def _spell(element: ET.Element) -> str:
    return " ".join("".join(element.itertext()).replace("*", " * ").split()).replace("* ", "*")


if __name__ == "__main__":
    sys.exit(main())
