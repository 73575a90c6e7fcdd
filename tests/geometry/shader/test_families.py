"""Shaders that grow by one at a time: the choice flips exactly where the registers do not suffice."""

from __future__ import annotations

import zipfile

import pytest

from statetracker.errors import ArgumentError
from statetracker.geometry import Decision, DispatchMode, dispatch, shader_of_module
from tests.geometry.certificate import faults, spans
from tests.geometry.shader.families import ARCHIVE, MEMBERS, compiled


def module(name: str) -> bytes:
    with zipfile.ZipFile(ARCHIVE) as archive:
        return archive.read(f"{name}.spv")


def decided(name: str) -> Decision:
    return dispatch(shader_of_module(module(name)).shader)


def most_alive(decision: Decision) -> int:
    """Registers alive at once, counted by the certificate's own liveness: one that ends where another begins goes."""
    ends = spans(decision.shader.program).values()
    ips = range(len(decision.shader.program.instructions))
    return max(sum(start <= ip < end for start, end in ends) for ip in ips)


@pytest.mark.parametrize("name", [name for name in MEMBERS if not name.startswith("components")])
def test_dual_object_is_taken_exactly_where_payload_and_values_fit(name: str) -> None:
    decision = decided(name)
    needed = decision.shader.payload(1).registers + most_alive(decision)
    assert (decision.mode is DispatchMode.DUAL_OBJECT) is (needed <= 112)
    needed_interleaved = decision.shader.payload(2).registers + most_alive(decision)
    assert bool(decision.chosen.allocation.spills) is (needed_interleaved > 112 and needed > 112)
    assert faults(decision.shader.program, decision.chosen.allocation, decision.chosen.payload.registers, 112) == []


def test_the_choice_flips_once_in_each_family() -> None:
    modes = [decided(f"inputs_{n}").mode for n in range(1, 17)]
    assert modes == [DispatchMode.DUAL_OBJECT] * 10 + [DispatchMode.SINGLE] * 6
    modes = [decided(f"values_{n}").mode for n in range(106, 112)]
    assert modes == [DispatchMode.DUAL_OBJECT] * 3 + [DispatchMode.SINGLE] * 3


def test_64_components_are_accepted_and_65_are_not() -> None:
    assert [shader_of_module(module(f"components_{n}")).shader.in_slots for n in (63, 64)] == [18, 18]
    with pytest.raises(ArgumentError, match="input components=65 cannot be used; accepted: up to 64") as caught:
        shader_of_module(module("components_65"))
    assert (caught.value.field, caught.value.value) == ("input components", 65)


@pytest.mark.live("glslangValidator")
def test_the_installed_compiler_makes_the_same_programs() -> None:
    for name in ("inputs_7", "values_109", "components_64"):
        assert shader_of_module(compiled(MEMBERS[name])).shader == shader_of_module(module(name)).shader
