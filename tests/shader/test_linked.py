"""`linked`: what one stage gives is what the next one takes, by names."""

from __future__ import annotations

import pytest

from statetracker.shader.glslang import compiled_text
from statetracker.shader.linked import linked, sampled_variables
from statetracker.spirv import Module
from statetracker.spirv.names import Decoration

pytestmark = pytest.mark.live("glslangValidator", "spirv-val")

VERTEX = """#version 450
out vec2 first; out vec4 second; uniform sampler2D beta;
void main() { first = vec2(0.5); second = textureLod(beta, vec2(0.5), 0.0); gl_Position = vec4(0.0); }
"""
FRAGMENT = """#version 450
in vec4 second; in vec2 first; uniform sampler2D alpha; uniform sampler2D beta; out vec4 colour;
void main() { colour = texture(alpha, first) * texture(beta, first) * second; }
"""
LOCATION = 30


def modules(flavour: str, fragment: str = FRAGMENT) -> dict[str, bytes]:
    return {
        "fragment": compiled_text(fragment, "frag", flavour),
        "vertex": compiled_text(VERTEX, "vert", flavour),
    }


def said(module: bytes, name: str, decoration: int) -> int:
    read = Module.read(module)
    (ident,) = (ident for ident, called in read.names.items() if called == name)
    return read.decorations[ident][decoration][0]


@pytest.mark.parametrize("flavour", ["vulkan", "webgpu", "opengl"])
def test_inputs_get_the_locations_of_the_outputs_of_their_names(flavour: str) -> None:
    given = modules(flavour)
    assert said(given["fragment"], "first", LOCATION) != said(given["vertex"], "first", LOCATION), "the test is of use"
    made, why = linked(given, units=False)
    assert not why
    for name in ("first", "second"):
        assert said(made["fragment"], name, LOCATION) == said(made["vertex"], name, LOCATION)
    assert made["vertex"] == given["vertex"]


def test_samplers_get_units_from_0_on_the_same_in_both_stages() -> None:
    made, _ = linked(modules("opengl"))
    units = {one.name: one.place[1] for one in sampled_variables(made["fragment"])[0]}
    assert sorted(units.values()) == [0, 1]
    assert said(made["vertex"], "beta", Decoration.Binding) == units["beta"]


def test_each_uniform_of_a_program_has_a_location_of_its_own_the_same_in_both_stages() -> None:
    """NVIDIA's linker refuses others: "Duplicate location 0 for uniform height"."""
    vertex = VERTEX.replace("uniform sampler2D beta", "uniform sampler2D beta, height[2]; uniform image2D kept")
    vertex = vertex.replace("first = vec2(0.5);", "first = textureLod(height[1], vec2(0.5), 0.0).xy;")
    vertex = vertex.replace("gl_Position =", "imageStore(kept, ivec2(0), second); gl_Position =")
    vertex = vertex.replace("uniform image2D", "layout(rgba8) uniform image2D")
    given = {
        "fragment": compiled_text(FRAGMENT, "frag", "opengl"),
        "vertex": compiled_text(vertex, "vert", "opengl"),
    }
    made, why = linked(given)
    assert not why
    assert said(made["vertex"], "beta", LOCATION) == said(made["fragment"], "beta", LOCATION)
    first = {name: said(made["fragment"], name, LOCATION) for name in ("alpha", "beta")}
    first |= {name: said(made["vertex"], name, LOCATION) for name in ("height", "kept")}
    used = [at + more for name, at in first.items() for more in range(1 + (name == "height"))]
    assert sorted(used) == [0, 1, 2, 3, 4]


def test_a_uniform_outside_of_blocks_is_why_a_program_cannot_be_rewritten() -> None:
    fragment = FRAGMENT.replace("out vec4", "layout(location = 9) uniform vec4 tint; out vec4")
    fragment = fragment.replace("* second;", "* second + tint;")
    _, why = linked(modules("opengl", fragment))
    assert "uniform tint is in no block" in why
