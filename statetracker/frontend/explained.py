"""A conversion in four parts: what came in, each rule that fired, what went out, what the shader adds.

`explained` takes them from a `Result`; they are text and plain data, for the command line and JSON. `as_page` fills
them into one HTML file that needs no network, with what the state samples in pictures; it needs the extras ``report``
(jinja2, Pillow) and ``batch`` (NumPy).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.frontend.vulkan_view import is_vulkan, whole_screen
from statetracker.gl.enums import Target
from statetracker.gl.names import gl_name
from statetracker.pages import filled
from statetracker.pipe.lowering import WORK
from statetracker.sampler.explanation import text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statetracker.frontend.result import Result
    from statetracker.gl.facts import TextureFacts, UnitFacts
    from statetracker.gl.sampler import Sampler
    from statetracker.reference.lowered import LoweredUnit
    from statetracker.reference.picture import Preview
    from statetracker.sampler import MemberStep
    from statetracker.vulkan.explanation import VulkanStep

_RECORD: Final = "pipe_sampler_state"
_INFO: Final = "VkSamplerCreateInfo"
_DESCRIPTOR: Final = "GPUSamplerDescriptor"

#: Work of the shader -> what it does, in a sentence. `Lowering` says the same of its members.
WORDS: Final = {
    "clamp": "clamps the coordinate on these axes, as GL_CLAMP does",
    "mirror": "clamps the coordinate's absolute value on these axes",
    "fold": "takes the coordinate's absolute value on these axes: the device has no mirrored clamp",
    "normalize": "divides the coordinates by the texture's size: the driver has no rectangles",
    "cube_edges": "samples the faces of a cube one by one: the device always looks across edges",
    "add_lod_bias": "adds the part of the LOD bias that the device's samplers cannot hold",
    "second_sampler": "chooses between two samplers: the device keeps 24-bit depth in floats",
    "border": "mixes in the border colour beyond the edge on these axes",
    "half_border": "mixes in up to half of the border colour beyond the edge on these axes, as GL_CLAMP does",
    "limit_lod": "clamps the level of detail: the sampler's limits are whole levels",
    "filter_texels": "filters texels: the device cannot filter the format",
    "swizzle": "puts what it reads through the view's swizzle: the device's views have none",
    "fixed_depth": "clamps references and the border's depth to 0 to 1: the format is of fixed point",
}


class Fired(NamedTuple):
    """One change by one rule, as text.

    Attributes:
        made: The structure that was changed: ``pipe_sampler_state`` or ``VkSamplerCreateInfo``.
        field: Its member.
        before: Its value before.
        rule: The rule's name.
        because: The input that made it fire.
        after: Its value after.
        page: Where the rule is described: ``docs/rules/conversion.md#clamp-lowering``.
    """

    made: str
    field: str
    before: str
    after: str
    rule: str
    because: str
    page: str


class Explained(NamedTuple):
    """The result of `explained`.

    Attributes:
        where: The device or driver, and whose rules.
        came_in: (what, value): what differs from GL's defaults.
        fired: The rules that changed something, in their order.
        out: Structure -> its members: (member, value, rule).
        record: The record's 36 bytes, in hexadecimal.
        shader: (work, axes or empty, in words).
        remarks: What neither does, valid-usage rules that are broken, and notes.
    """

    where: str
    came_in: list[tuple[str, str]]
    fired: list[Fired]
    out: dict[str, list[tuple[str, str, str]]]
    record: str
    shader: list[tuple[str, str, str]]
    remarks: list[str]

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        out = {made: {name: value for name, value, _ in rows} for made, rows in self.out.items()}
        shader = [{"work": work, "axes": axes, "words": words} for work, axes, words in self.shader]
        fired = [one._asdict() for one in self.fired]
        return {**self._asdict(), "came_in": dict(self.came_in), "fired": fired, "out": out, "shader": shader}


def explained(result: Result) -> Explained:
    """Return the four parts of a conversion."""
    sampler, facts, screen = result._inputs  # noqa: SLF001 (of this room)
    options = result._options  # noqa: SLF001
    why, on_device = result.explain(), is_vulkan(screen) or result.webgpu_screen
    out = {_RECORD: [(name, value, rule) for name, value, rule, _, _ in why.rows()]}
    fired = [_fired(_RECORD, step) for step in why.steps if step.before is not None]
    remarks = list(why.notes)
    if result.webgpu_screen:
        out[_DESCRIPTOR] = [(name, str(value), "") for name, value in result.webgpu.to_dict().items()]
    elif is_vulkan(screen):
        info = result.explain_vulkan()
        out[_INFO] = [(name, value, rule) for name, value, rule, _, _ in info.rows()]
        fired += [_fired(_INFO, step) for step in info.steps if step.rule != "from-pipe"]
    remarks += [f"not possible: {one}" for one in result.unsupported if str(one) not in remarks]
    remarks += [f"breaks {one}" for one in result.violations] if on_device else []
    dialect = options["dialect"]
    rules = f"rules of {dialect if isinstance(dialect, str) else dialect.name}"
    names = (screen.name, result.device) if on_device else (screen.name,)
    where = ", ".join(dict.fromkeys((*names, rules)))
    if result._steps:  # noqa: SLF001
        sampler = result._steps[0].sampler  # noqa: SLF001 (before the policy)
    came_in = [*_sampler(sampler), *_texture(facts), *_unit(options["unit"])]
    return Explained(where, came_in, fired, out, result.pipe.hex(), list(_shader(result)), remarks)


def _fired(made: str, step: MemberStep | VulkanStep) -> Fired:
    before, after = _plain(step.before), _plain(step.after)
    return Fired(made, step.field, before, after, step.rule, step.because, step.page)


def _sampler(sampler: Sampler) -> Iterator[tuple[str, str]]:
    """Yield the parameters that differ from GL's defaults."""
    given = sampler.differing()
    yield from ((f"sampler {name}", _plain(value)) for name, value in given.items())
    if not given:
        yield "sampler", "as GL makes one"


def _plain(value: object) -> str:
    if value is None:
        return "none"
    return text(list(value)) if isinstance(value, tuple) else text(value)


def _texture(facts: TextureFacts) -> Iterator[tuple[str, str]]:
    yield "texture target", gl_name(facts.target, Target)
    yield "texture internal_format", f"GL_{facts.internal_format}"
    if facts.swizzle != (0, 1, 2, 3):
        yield "texture swizzle", "".join("rgba01"[part] for part in facts.swizzle)
    if facts.stencil_sampling:
        yield "texture depth_stencil_mode", "GL_STENCIL_INDEX"
    if facts.storage_format or facts.surface_format:
        yield "texture stored as", str(facts.storage_format or facts.surface_format)


def _unit(unit: UnitFacts) -> Iterator[tuple[str, str]]:
    if unit.lod_bias:
        yield "unit lod_bias", text(unit.lod_bias)
    for name, usual in (("seamless", False), ("glsl130", True), ("bindless", False)):
        if getattr(unit, name) != usual:
            yield f"unit {name}", text(not usual)


def _shader(result: Result) -> Iterator[tuple[str, str, str]]:
    work = result.lowering.work
    for name in WORK:
        if name in work:
            yield name, "" if work[name] is True else str(work[name]), WORDS[name]


#: What the four pictures show, beside their titles.
_MEANS: Final = {
    "asked for": "what OpenGL specifies",
    "hardware alone": "the sampler without the shader's share",
    "with the shader": "the sampler with the shader's share",
    "difference": "of the third from the first; black: none",
}


def as_page(result: Result, *, title: str = "") -> str:
    """Return the page's HTML; ``title`` names the state. Raises `MissingExtra`."""
    shown = explained(result)
    changed = {(one.made, one.field) for one in shown.fired}
    values = {
        **shown._asdict(),
        "title": title or "A sampler state",
        "changed": changed,
        **_pictures(result),
    }
    return filled(Path(__file__).parent / "explained_page.html.j2", "the page", values)


def _pictures(result: Result) -> dict[str, object]:
    """Return the pictures as PNG in base64, and how far hardware is off."""
    from statetracker.reference.picture import png, titled

    preview = preview_of(result)
    pictures = [(name, _MEANS[name], png(image)) for name, image in titled(preview).items()]
    return {"pictures": pictures, "alone": preview.largest_alone, "shaded": preview.largest_shaded}


def preview_of(result: Result, *, size: int = 240) -> Preview:
    """Draw a conversion's pictures, ``size`` pixels along an edge, 3 to 4096.

    Args:
        result: What `convert` gave.
        size: Pixels along an edge.

    Raises:
        ArgumentError: Another size.
        MissingExtra: NumPy is not installed.
    """
    from statetracker.reference.picture import preview

    sampler, facts, screen = result._inputs  # noqa: SLF001 (of this room)
    requested = result._state(sampler, facts, whole_screen(screen))  # noqa: SLF001
    asked = requested.replace(border_color=result.lowering_values.border)
    return preview(asked, lowered_of(result), size=size)


def lowered_of(result: Result) -> LoweredUnit:
    """Return what hardware gets, with the shader's share: on a Vulkan device the create info's sampler.

    Args:
        result: What `convert` gave.

    Raises:
        MissingExtra: NumPy is not installed.
    """
    from statetracker.reference.lowered import LoweredUnit
    from statetracker.reference.picture import default_texels
    from statetracker.vulkan import record_of

    state, values = result.pipe, result.lowering_values
    if is_vulkan(result._inputs[2]):  # noqa: SLF001 (of this room)
        state = record_of(result.vulkan)
        if result.vulkan.custom_border_color is not None:  # as the view shows it
            state = state.replace(border_color=values.border)
    return LoweredUnit(state, result.lowering, values, default_texels())
