"""One snippet for each part of the language: lowered, certified, with nothing read before it is written."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from statetracker.geometry import dispatch, shader_of_module
from tests.geometry.certificate import alive_after, faults
from tests.geometry.shader.families import OPTIMISED, compiled

TEXT: Final = (Path(__file__).parents[2] / "data" / "geometry" / "snippets.txt").read_text(encoding="utf-8")
PARTS: Final = dict(part.split("\n", 1) for part in TEXT.split("#- ")[1:])
HEAD: Final = PARTS.pop("head")


@pytest.mark.live("glslangValidator")
@pytest.mark.parametrize("optimised", OPTIMISED)
@pytest.mark.parametrize("name", PARTS)
def test_the_snippet_is_lowered(name: str, optimised: bool) -> None:
    text = f"{HEAD}\nvoid main() {{\n    o = vec4(0);\n{PARTS[name]}\n    EmitVertex();\n    EndPrimitive();\n}}\n"
    shader = shader_of_module(compiled(text, optimised=optimised)).shader
    chosen = dispatch(shader).chosen
    assert faults(shader.program, chosen.allocation, chosen.payload.registers, 112) == []
    assert alive_after(shader.program)[0][0] == 0
