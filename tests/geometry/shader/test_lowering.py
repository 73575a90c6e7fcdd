"""What is lowered, what is a remark, and what is refused; broken modules end in one clear error."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Final

import pytest

from statetracker.errors import ModuleError, NotLowered, StateTrackerError
from statetracker.geometry import record_of_shader, shader_of_module, shader_of_record
from statetracker.geometry.shader.arithmetic import ARITHMETIC, COMPARISONS, EXTENDED, FOLDED, NOTHING, PAIRS
from statetracker.geometry.shader.flow import Flow
from statetracker.spirv import Editor, Instruction, Module, opcode
from tests.geometry.shader.families import compiled

SHADERS: Final = Path(__file__).parents[2] / "data" / "geometry" / "shaders"


def read(name: str) -> Module:
    return Module.read((SHADERS / f"{name}.spv").read_bytes())


def test_the_least_shader_copies_inputs_from_the_payload_to_messages() -> None:
    shader = shader_of_module(read("passthrough")).shader
    once = ["cmp_flag", "if", "mov_mrf", "mov_mrf", "mov_mrf", "urb_write", "add", "endif"]
    assert [one.op for one in shader.program.instructions] == ["mov", *once * 3, "set_vertex_count", "thread_end"]
    assert (shader.vertices_in, shader.in_slots, shader.out_slots, shader.max_vertices) == (3, 2, 2, 3)
    assert (shader.output_type, shader.invocations, shader.uses_end_primitive) == ("triangle_strip", 1, False)


@pytest.mark.parametrize(("name", "loops"), [("wireframe", 0), ("fur", 1), ("subdivide", 2)])
def test_a_loop_whose_count_is_known_is_unrolled_and_another_is_not(name: str, loops: int) -> None:
    ops = [one.op for one in shader_of_module(read(name)).shader.program.instructions]
    assert ops.count("do") == ops.count("while") == loops


def test_built_ins_come_from_the_module() -> None:
    wireframe, clip = (shader_of_module(read(name)).shader for name in ("wireframe", "clip_split"))
    assert wireframe.primitive_id
    assert wireframe.out_slots == 4  # header, position, the primitive id, one location
    assert (clip.in_slots, clip.out_slots, clip.invocations) == (3, 3, 2)
    billboard = shader_of_module(read("billboard_gl.gl")).shader
    assert billboard.point_size
    assert billboard.uniforms == 9


def test_an_array_indexed_at_run_time_lies_in_scratch_and_is_a_remark() -> None:
    lowered = shader_of_module(read("histogram"))
    assert lowered.shader.array_slots == 8
    assert [one.text for one in lowered.remarks] == ["bins is indexed at run time: it lies in scratch memory"]
    messages = [one for one in lowered.shader.program.instructions if one.op.startswith("array_")]
    touched = {src.reg for one in messages for src in one.srcs} | {one.dst.reg for one in messages if one.dst}
    assert lowered.shader.program.relative == touched


@pytest.mark.live("glslangValidator")
def test_arrays_indexed_at_run_time_are_found_in_one_round(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds, write = list[Flow](), Flow.write

    def counted(flow: Flow) -> None:
        rounds.append(flow)
        write(flow)

    monkeypatch.setattr(Flow, "write", counted)
    head = "#version 450\nlayout(points) in; layout(points, max_vertices=1) out; layout(location=0) in flat int a[];"
    sums = "".join(f"r += t[a[0] + {n}];" for n in range(20))  # each is an array of its own
    table = "const float t[4] = float[](1.0, 2.0, 3.0, 4.0);"
    main = f"void main() {{ float r = 0; {sums} gl_Position = vec4(r); EmitVertex(); }}"
    assert shader_of_module(compiled(f"{head}\n{table}\n{main}")).shader.array_slots == 20 * 4
    assert len(rounds) == 2


def test_a_shader_as_a_record_gives_the_shader_back() -> None:
    for name in ("histogram", "trails"):
        shader = shader_of_module(read(name)).shader
        again = shader_of_record(record_of_shader(shader))
        plain = tuple(one._replace(note="") for one in shader.program.instructions)
        point_size = shader.point_size
        assert again == shader._replace(program=shader.program._replace(instructions=plain), point_size=point_size)


def test_what_is_not_lowered_names_the_instruction_its_offset_and_a_way_out() -> None:
    editor = Editor(read("wireframe"))
    n, store = next((n, one) for n, one in enumerate(editor.body) if one.name == "OpStore")
    true = next(one.result for one in editor.body if one.name == "OpConstant")
    editor.body.insert(n, Instruction(opcode("OpAssumeTrueKHR"), [true], store.offset))
    with pytest.raises(NotLowered, match=r"OpAssumeTrueKHR\): this instruction is not lowered") as caught:
        shader_of_module(editor.finish())
    assert (caught.value.instruction, caught.value.offset) == ("OpAssumeTrueKHR", store.offset)
    assert "docs/geometry.md" in caught.value.hint


def test_what_a_geometry_shader_may_not_have_is_refused() -> None:
    editor = Editor(read("passthrough"))
    double = editor.build("OpUndef", editor.type_float(64))
    editor.body.insert(next(n for n, one in enumerate(editor.body) if one.name == "OpStore"), double)
    with pytest.raises(NotLowered, match="values of 64 bits"):
        shader_of_module(editor.finish())
    editor = Editor(read("passthrough"))
    editor.body = [one.copy([4, *one.words[1:]]) if one.name == "OpEntryPoint" else one for one in editor.body]
    with pytest.raises(ModuleError, match="no entry point is a geometry shader's"):
        shader_of_module(editor.finish())


@pytest.mark.live("glslangValidator")
def test_a_switch_has_as_many_cases_as_one_likes() -> None:
    """Each is in the else of the one before it; beyond what Python's stack holds they come one after another."""
    head = "#version 450\nlayout(points) in; layout(points, max_vertices=1) out; layout(location=0) in flat int a[];"
    for cases, depth, loops in ((200, 0, 0), (1000, 0, 1), (240, 55, None)):
        body = "".join(f"case {n}: r = {n}.5; break;" for n in range(cases))
        body = "".join(f"if (a[0] != {n}) {{" for n in range(depth)) + f"switch (a[0]) {{ {body} }}" + "}" * depth
        module = compiled(f"{head}\nvoid main() {{ float r = 0; {body} gl_Position = vec4(r); EmitVertex(); }}")
        if loops is None:
            with pytest.raises(NotLowered, match=r"\(Op\w+\): calls and control flow nest too deeply"):
                shader_of_module(module)
        else:
            ops = [one.op for one in shader_of_module(module).shader.program.instructions]
            assert (ops.count("do"), sum(op.startswith("cmp_flag") for op in ops)) == (loops, cases + 1)


def test_broken_modules_end_in_an_error_of_ours_or_in_a_program() -> None:
    """Words changed at random: nothing but our own errors comes out."""
    draw = random.Random(7)  # noqa: S311 (not for secrets)
    files = [(SHADERS / f"{name}.spv").read_bytes() for name in ("trails", "histogram", "wireframe", "points_to_quads")]
    refused = 0
    for _ in range(250):
        data = bytearray(draw.choice(files))
        for _ in range(draw.randint(1, 3)):
            at = draw.randrange(20, len(data)) & ~3
            other = draw.randrange(20, len(data)) & ~3
            data[at : at + 4] = draw.choice([draw.randrange(120).to_bytes(4, "little"), data[other : other + 4]])
        try:
            shader_of_module(bytes(data)).shader.program.check()
        except StateTrackerError:
            refused += 1
    assert refused > 100


def test_every_row_names_an_instruction_and_reads_what_is_there() -> None:
    for name in [*ARITHMETIC, *COMPARISONS, *NOTHING, *FOLDED]:
        assert opcode(name) >= 0  # KeyError: no such instruction
    rows = [*ARITHMETIC.values(), *PAIRS.values(), *(steps for _, steps in EXTENDED.values())]
    for steps in rows:
        for number, step in enumerate(steps, 1):
            op, *reads = step.split()
            assert re.fullmatch(r"\w+!?", op)
            assert all(one in "abcd" or 1 <= int(one) < number for one in reads)
        assert not steps[-1].split()[0].endswith("!")


def test_an_array_beyond_any_register_file_is_not_lowered() -> None:
    """The module is valid; what it asks for would not even fit into memory."""
    data = (SHADERS / "trails.spv").read_bytes()
    module = Module.read(data)
    array = next(one for one in module.instructions if one.name == "OpTypeArray")
    length = module.definitions[array.words[2]]
    at = (length.offset + 3) * 4
    longer = data[:at] + (1 << 30).to_bytes(4, "little") + data[at + 4 :]
    with pytest.raises(NotLowered, match=r"vectors are more than any register file holds\. Use at most 65536"):
        shader_of_module(Module.read(longer))
