"""`sample_function`: a function in the reader's language that samples as GL asks on a device.

A module with one function that samples once goes through `statetracker.lower`, and the function's body is printed: the
text does what the rewritten module does, step by step. Source: docs/shader_text.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.pipe import Lowering, LoweringValues, TexMipfilter
from statetracker.pipe.formats import pipe_format
from statetracker.shader.lower import lower
from statetracker.shader.text.language import MEMBERS, Lacks, Language
from statetracker.shader.text.languages import LANGUAGES
from statetracker.shader.text.printer import Printer
from statetracker.shader.text.template import BLOCK, FORMS, ONLY, SAMPLER, TARGETS, Form, Target, template
from statetracker.spellings import looked_up
from statetracker.spirv import Kind, Module

_WRAPS: Final = ("state", "data")
_KINDS: Final = {"float": Kind.FLOAT, "int": Kind.INT, "uint": Kind.UINT}
#: Words that a function's name may be.
_NAME: Final = re.compile(r"(?!gl_|.*__)[A-Za-z][A-Za-z0-9_]*", re.ASCII)
#: Texels that an offset may be.
_LEAST, _MOST = -8, 7
_DATA: Final = (
    "the sampler wraps with CLAMP_TO_EDGE on axes whose share is below 1, and opens fractional limits of the level of "
    "detail to whole levels where it mixes levels"
)


class SampleFunction(NamedTuple):
    """The answer of `sample_function`.

    Attributes:
        text: All of it: declarations, then the functions.
        declarations: What stands before the functions, each once in a program.
        functions: Name -> text of a function, one a form.
        values: (member, components, byte) of the block that they read, which `statetracker.border_values` fills; empty:
            they read none.
        inexact: What is exact under a condition only, and under which.
        unresolved: What the function leaves as the device's sampler has it.
        remarks: What a caller has to know: where a form may be called, what the language drops.
    """

    text: str
    declarations: tuple[str, ...]
    functions: dict[str, str]
    values: tuple[tuple[str, int, int], ...]
    inexact: tuple[str, ...]
    unresolved: tuple[str, ...]
    remarks: tuple[str, ...]


def sample_function(
    state: object,
    language: str,
    *,
    name: str = "sample_state",
    forms: Sequence[str] = (),
    offset: Sequence[int] = (),
    component: int = 0,
    wraps: str = "state",
    constants: object = None,
    target: str | None = None,
    texels: str | None = None,
) -> SampleFunction:
    """Write a function that samples as GL asks, for the sampler that goes with a state on its device.

    Texture, sampler and block are parameters: it claims no binding.

    Source: docs/shader_text.md.

    Args:
        state: A result of `statetracker.convert`, or a `Lowering`.
        language: ``glsl``, ``glsl-es``, ``wgsl``, ``hlsl``, ``slang`` or ``msl``.
        name: Of the function; forms other than the first way to sample have theirs behind it.
        forms: How it samples, of `FORMS`; empty: ``implicit``, or ``compare`` where the state compares.
        offset: In texels, an axis each; empty: none.
        component: Which channel a gather reads.
        wraps: ``data``: one text for every wrap but the mirrored clamps, which the block's shares tell apart.
        constants: A `LoweringValues`, or what has one: the numbers stand in the text, and it reads no block.
        target: A key of `TARGETS`; None: the result's own, of a `Lowering` ``2d``.
        texels: ``float``, ``int`` or ``uint``; None: the result's own, of a `Lowering` ``float``.

    Raises:
        UnknownName: An unknown language.
        ArgumentError: It is no state, or the state, the target or the language lacks the form.
    """
    chosen = looked_up("language", language, LANGUAGES)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ArgumentError("name", name, accepted="a name of letters, digits and single underscores")
    work = _Work(state, chosen, target, texels, wraps, constants)
    asked = work.forms(forms)
    if component not in range(4):
        raise ArgumentError("component", component, accepted="0, 1, 2 or 3")
    work.check_offset(offset)
    for key in asked:
        work.write(key, name if key in {"implicit", "compare"} else f"{name}_{key}", tuple(offset), component)
    return work.finish([FORMS[key] for key in asked])


class _Work:
    """The function that is asked for, as far as it has been written."""

    def __init__(  # noqa: PLR0917 (as they are asked for)
        self, state: object, language: Language, target: str | None, texels: str | None, wraps: str, constants: object
    ) -> None:
        row = state if isinstance(state, Lowering) else getattr(state, "lowering", None)
        if not isinstance(row, Lowering):
            raise ArgumentError("state", state, accepted="a result of statetracker.convert, or a Lowering")
        pipe, view = getattr(state, "pipe", None), getattr(state, "view", None)
        self.compares: bool | None = row.compare_func is not None or None  # None: not known
        if pipe is not None:
            self.compares = bool(pipe.compare_mode)
            if wraps == "data" and not (row.reads_values or row.normalize):  # which says how the state samples
                row = row.sampled_as(pipe)
        self.language, self.wraps = language, wraps
        self.target = _target(target, view)
        self.texels = _texels(texels, view)
        self.values: LoweringValues | None = None
        if constants is not None:
            given = constants if isinstance(constants, LoweringValues) else getattr(constants, "lowering_values", None)
            if not isinstance(given, LoweringValues):
                raise ArgumentError("constants", constants, accepted="LoweringValues, or what has them")
            self.values = given
        if wraps not in _WRAPS:
            raise ArgumentError("wraps", wraps, accepted=", ".join(_WRAPS))
        self.request = self._request(row, getattr(state, "lowering_values", LoweringValues()))
        self.reads, self.functions = False, dict[str, str]()
        self.inexact: list[str] = []
        self.unresolved: list[str] = []
        self.remarks: list[str] = [_DATA] * (len(self.request) > 1)

    def _request(self, row: Lowering, values: LoweringValues) -> tuple[Lowering, ...]:
        """Return the lowering, or two that differ by the axes with a border: their shares are the block's."""
        if self.wraps == "state" or (self.target.cube and not row.cube_edges):
            return (row,)
        if self.values is not None:
            hint = "Constants know the wraps: leave wraps='data' out."
            raise ArgumentError("wraps", "data", accepted="state, where there are constants", hint=hint)
        if row.clamp or row.mirror:
            hint = "Convert for a Vulkan or WebGPU device: there GL_CLAMP is a border."
            raise ArgumentError("wraps", "data", accepted="state, where GL_CLAMP is a clamped coordinate", hint=hint)
        axes = "str"[: self.target.axes]
        opened = row.min_mip_filter == TexMipfilter.LINEAR and any(one % 1 for one in (values.min_lod, values.max_lod))
        row = row._replace(border=axes, half_border="", route="edge", ones="", limit_lod=row.limit_lod or opened)
        return row, row._replace(border="", half_border=axes)

    def forms(self, forms: Sequence[str]) -> tuple[str, ...]:
        keys = tuple(forms) if isinstance(forms, Iterable) and not isinstance(forms, str) else (forms,)
        keys = keys or ("compare" if self.compares else "implicit",)
        name = next(name for name, one in TARGETS.items() if one == self.target)
        able = [
            key
            for key, one in FORMS.items()
            if self.compares in {None, one.compares} and name in ONLY.get(key, (name,))
        ]
        for key in keys:
            if key not in able or keys.count(key) > 1:
                hint = "" if key in tuple(FORMS) else f"Forms are {', '.join(FORMS)}."
                raise ArgumentError("forms", key, accepted=f"of this state, each once: {', '.join(able)}", hint=hint)
        return keys

    def check_offset(self, offset: Sequence[int]) -> None:
        """Check an offset: an axis each, within what every device has."""
        count = 0 if self.target.cube else self.target.axes
        listed = isinstance(offset, Sequence) and len(offset) in {0, count}
        if not listed or not all(isinstance(one, int) and _LEAST <= one <= _MOST for one in offset):
            raise ArgumentError("offset", offset, accepted=f"{count} whole numbers from {_LEAST} to {_MOST}")

    def write(self, key: str, name: str, offset: tuple[int, ...], component: int) -> None:
        """Write one function; raises `ArgumentError` where the language lacks what it would need."""
        form, language = FORMS[key], self.language
        several = len(self.request) > 1
        module = template(form, self.target, self.texels, offset=offset, component=component, several=several)
        request = self.request if several else self.request[0]
        made = lower(
            module, {SAMPLER: request}, values={SAMPLER: self.values} if self.values else BLOCK,
            lod_query=language.lod_query,
        )  # fmt: skip
        try:
            printed = Printer(Module.read(made.module), language, self.target, self.texels)
        except Lacks as lack:
            raise ArgumentError("forms", key, accepted="a form that the language has", hint=f"{lack}.") from None
        parameters = [
            *language.resources(self.target, self.texels, form),
            *(language.parameter(kind, count, taken) for taken, kind, count in printed.taken),
            *[language.values] * printed.reads,
        ]
        answer = printed.answer
        body = [*printed.lines, f"return {answer.text};"]
        does = "; ".join(dict.fromkeys(note.reason for note in made.rewritten)) or "as the device's sampler does"
        head = f"// Samples as GL asks: {does}.\n"
        text = head + language.function(language.type(answer.kind, answer.width), name, parameters, body)
        self.reads |= printed.reads
        self.functions[name] = text
        self.inexact += [note.reason for note in made.inexact]
        self.unresolved += [note.reason for note in made.unresolved]
        self.remarks += language.remarks(form, text)

    def finish(self, forms: Sequence[Form]) -> SampleFunction:
        language, texts = self.language, "\n".join(self.functions.values())
        block = [language.block(self.texels)] * self.reads
        if block and self.values is not None:
            hint = "Leave the constants out: the block has the number of levels."
            raise ArgumentError(
                "constants", self.values, accepted="None in GLSL ES, which asks for no levels", hint=hint
            )
        before = (*language.declarations(self.target, self.texels, forms, texts), *block)
        before = tuple(sorted(before, key=lambda one: not one.startswith("#")))
        notes = (tuple(dict.fromkeys(one)) for one in (self.inexact, self.unresolved, self.remarks))
        return SampleFunction(
            "\n".join([*before, texts]), before, self.functions, MEMBERS if self.reads else (), *notes
        )


def _target(name: str | None, view: object) -> Target:
    part = getattr(view, "part", None)
    if name is None:
        name = "2d" if view is None else "" if part is None else part.shape.lower().replace("_", "-")
    if name not in tuple(TARGETS):
        raise ArgumentError("target", "a texture without images" if name == "" else name, accepted=", ".join(TARGETS))
    return TARGETS[name]


def _texels(name: str | None, view: object) -> Kind:
    """Return what channels are, by name or of a result's view."""
    if name is None:
        shown = None if view is None else pipe_format(view.format)  # type: ignore[attr-defined]
        name = "float" if shown is None or not shown.is_pure_integer else "int" if "SINT" in shown.name else "uint"
    return looked_up("texels", name, _KINDS)
