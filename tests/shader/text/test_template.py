"""The modules that functions come of."""

from __future__ import annotations

from itertools import product

import pytest

import statetracker as st
from statetracker.pipe import Func, Lowering
from statetracker.shader.text.template import BLOCK, FORMS, ONLY, SAMPLER, TARGETS, template
from statetracker.spirv import Kind, Module
from tests.shader.validator import assert_valid

PAIRS = [(target, form) for target, form in product(TARGETS, FORMS) if target in ONLY.get(form, TARGETS)]


@pytest.mark.live("spirv-val")
@pytest.mark.parametrize("several", [False, True])
def test_every_module_is_valid_and_so_is_what_it_is_rewritten_to(several: bool) -> None:
    for target, form in PAIRS:
        shape, compares = TARGETS[target], FORMS[form].compares
        axes = "str"[: shape.axes]
        row = Lowering(border=axes, route="edge", compare_func=Func.LESS if compares else None, cube_edges=shape.cube)
        rows = [row, row._replace(border="", half_border=axes)] if several else row
        made = template(FORMS[form], shape, Kind.FLOAT, several=several)
        lowered = st.lower(made, {SAMPLER: rows}, values=BLOCK)
        assert not lowered.unresolved
        for module in (made, lowered.module):
            assert_valid(module, "spv1.3")


def test_a_rewrite_names_its_steps_where_the_sample_has_a_name_and_nowhere_else() -> None:
    row = Lowering(border="st", route="edge", min_img_filter=1, mag_img_filter=1)  # type: ignore[arg-type]
    made = template(FORMS["implicit"], TARGETS["2d"], Kind.FLOAT)
    lowered = st.lower(made, {SAMPLER: row}, values=BLOCK)
    assert {"coverage", "outside", "in_texels", "size"} <= set(Module.read(lowered.module).names.values())
    module = Module.read(made)
    bare = [
        one for one in module.instructions if one.name != "OpName" or "texel" not in module.names.get(one.words[0], "")
    ]
    module = Module(bare, version=module.version, bound=module.bound)
    lowered = st.lower(module.to_bytes(), {SAMPLER: row}, values=BLOCK)
    assert set(Module.read(lowered.module).names.values()) == {"place"}
