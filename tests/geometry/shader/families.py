"""Families of shaders that grow by one at a time, as GLSL; ``python -m tests.geometry.shader.families`` compiles them.

The modules are kept in ``tests/data/geometry/families.zip``.
"""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

ARCHIVE = Path(__file__).parents[2] / "data" / "geometry" / "families.zip"


def inputs(count: int) -> str:
    """Triangles with adjacency and so many vec4 inputs; thirty values are fetched before any is used."""
    declared = "\n".join(f"layout(location = {n}) in vec4 i{n}[];" for n in range(count))
    fetched = "\n".join(f"    vec4 t{n} = textureLod(s, i{n % count}[{n % 6}].xy, 0.0);" for n in range(30))
    product = "".join(f" * t{n}" for n in range(30)) + "".join(f" + i{n}[0]" for n in range(count))
    return f"""#version 450
layout(triangles_adjacency) in;
layout(points, max_vertices = 1) out;
layout(binding = 0) uniform sampler2D s;
{declared}
void main() {{
{fetched}
    gl_Position = gl_in[0].gl_Position{product};
    EmitVertex();
}}
"""


def values(count: int) -> str:
    """So many values fetched one after another, then multiplied in the same order."""
    fetched = "\n".join(f"    vec4 t{n} = textureLod(s, vec2({n}.0), 0.0);" for n in range(count))
    product = "\n".join(f"    product = product * t{n};" for n in range(count))
    return f"""#version 450
layout(points) in;
layout(points, max_vertices = 1) out;
layout(binding = 0) uniform sampler2D s;
void main() {{
{fetched}
    vec4 product = vec4(2.0);
{product}
    gl_Position = product;
    EmitVertex();
}}
"""


def components(count: int) -> str:
    """So many components of input: vec4, and what remains."""
    kinds = ["vec4"] * (count // 4) + [None, "float", "vec2", "vec3"][count % 4 : count % 4 + bool(count % 4)]
    declared = "\n".join(f"layout(location = {n}) in {kind} i{n}[];" for n, kind in enumerate(kinds))
    total = " + ".join(f"vec4(i{n}[0]{'' if kind == 'float' else '.x'})" for n, kind in enumerate(kinds))
    return f"""#version 450
layout(points) in;
layout(points, max_vertices = 1) out;
{declared}
void main() {{
    gl_Position = {total};
    EmitVertex();
}}
"""


MEMBERS = {
    **{f"inputs_{n}": inputs(n) for n in range(1, 17)},
    **{f"values_{n}": values(n) for n in range(106, 112)},
    **{f"components_{n}": components(n) for n in (63, 64, 65)},
}


#: Whether spirv-opt goes over a module, for tests that ask for glslangValidator.
OPTIMISED = [False, pytest.param(True, marks=pytest.mark.live("spirv-opt"))]


def compiled(text: str, *, optimised: bool = False) -> bytes:
    """GLSL to SPIR-V for Vulkan; ``optimised`` by spirv-opt: variables become OpPhi."""
    with TemporaryDirectory() as folder:
        source, module = Path(folder) / "one.geom", Path(folder) / "one.spv"
        source.write_text(text)
        command = ["glslangValidator", "-V", "-g0", "--target-env", "vulkan1.1", "-o", str(module), str(source)]
        subprocess.run(command, check=True, capture_output=True)
        if optimised:
            subprocess.run(["spirv-opt", "-O", str(module), "-o", str(module)], check=True)  # noqa: S607
        return module.read_bytes()


if __name__ == "__main__":
    with zipfile.ZipFile(ARCHIVE, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in MEMBERS.items():
            archive.writestr(zipfile.ZipInfo(f"{name}.spv"), compiled(text), zipfile.ZIP_DEFLATED)
