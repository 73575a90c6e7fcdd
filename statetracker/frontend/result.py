"""`convert`: the conversion as a pure function, and its `Result`."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

from statetracker.caps import Screen
from statetracker.errors import ArgumentError
from statetracker.frontend.overrides import Step, kept
from statetracker.frontend.policy import Policy, rule_name
from statetracker.frontend.vulkan_view import (
    as_device_filters,
    is_native,
    is_vulkan,
    is_webgpu,
    state_values,
    vulkan_view,
    vulkan_violations,
    whole_screen,
)
from statetracker.gl.enums import SrgbDecode
from statetracker.gl.facts import TextureFacts, UnitFacts
from statetracker.gl.sampler import Sampler
from statetracker.gl.texture import Texture
from statetracker.pipe.state import FIELD_NAMES
from statetracker.sampler.conversion import lowering, sampler_state
from statetracker.sampler.dialects import dialect as dialect_named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statetracker.frontend.bound_view import BoundView, Loss
    from statetracker.gl.completeness import ViewRange
    from statetracker.gl.limits import Limits
    from statetracker.pipe import Lowering, LoweringValues, SamplerState
    from statetracker.sampler import Dialect, Explanation, UnsupportedClamp
    from statetracker.vulkan import SamplerCreateInfo, View, Violation, VulkanDialect, VulkanExplanation
    from statetracker.vulkan.draft import Draft
    from statetracker.webgpu import SamplerDescriptor


class Result:
    """The result of `convert`, which alone makes it: arguments are as in `convert`, checked.

    Other properties are computed on first access.

    Args:
        inputs: Sampler, the texture's facts, screen.
        options: ``dialect`` and ``unit`` of `statetracker.sampler.sampler_state`.
        incomplete: Why GL would not sample this texture at all; empty where it would.
        vulkan_dialect: By whose rules `vulkan` is made.
        filter_in_shader: A format that the device does not filter is filtered by the shader.
        shown: The levels and layers that the view shows; None: all.
        policy: A user's overrides, or None.

    Attributes:
        pipe: The record, named fields over 36 bytes.
    """

    __slots__ = (
        "_content", "_filter_in_shader", "_given", "_lowering", "_options", "_policy", "_shown", "_steps", "_vulkan",
        "incomplete", "pipe", "vulkan_dialect",
    )  # fmt: skip

    pipe: SamplerState
    vulkan_dialect: str | VulkanDialect
    incomplete: str

    def __init__(
        self,
        inputs: tuple[Any, ...],
        options: dict[str, Any],
        incomplete: str,
        vulkan_dialect: str | VulkanDialect,
        *,
        filter_in_shader: bool = True,
        shown: ViewRange | None = None,
        policy: Policy | None = None,
    ) -> None:
        self._steps: tuple[Step, ...] = ()
        if policy is not None and policy.changes_samplers:
            given = inputs[0].copy()
            self._steps = Step("", "", given), *policy.steps(*inputs[:2])
            inputs = (self._steps[-1].sampler, *inputs[1:])
        self._given, self._content, self._options, self._policy = inputs, inputs[0].content(), options, policy
        self._filter_in_shader, self._shown = filter_in_shader, shown
        self._lowering: Lowering | None = None
        self._vulkan: SamplerCreateInfo | None = None
        self.incomplete, self.vulkan_dialect = incomplete, vulkan_dialect
        self.pipe = self._state(*inputs)

    def _state(self, *inputs: Any) -> SamplerState:  # noqa: ANN401 (sampler, facts, screen)
        state = sampler_state(*inputs, **self._options)
        return state if self._policy is None else type(state).from_bytes(self._policy.apply(bytes(state)))

    @property
    def vulkan(self) -> SamplerCreateInfo:
        """The VkSamplerCreateInfo and its chain, for the view that this texture has; ``to_dict()`` is plain data.

        On a screen that was not made from a Vulkan device it is for one that has everything; see
        `statetracker.vulkan.facts_of`.
        """
        if self._vulkan is None:
            from statetracker.vulkan import create_info

            self._vulkan = create_info(self._asked, self._inputs[2], dialect=self.vulkan_dialect, **self._viewed)
        return self._vulkan

    @property
    def webgpu_screen(self) -> bool:
        """True where the screen is a WebGPU device: `webgpu` can be had."""
        return is_webgpu(self._inputs[2])

    @property
    def webgpu(self) -> SamplerDescriptor:
        """The GPUSamplerDescriptor for the view that this texture has: ``device.create_sampler(**this)``.

        Raises:
            ArgumentError: On a screen that is no WebGPU device.
        """
        from statetracker.webgpu.conversion import of_info

        return of_info(self.vulkan, self._inputs[2], self._view)

    @property
    def _inputs(self) -> tuple[Any, ...]:
        """Sampler, facts and screen; a sampler that has changed since then as it was."""
        if self._given[0].content() != self._content:
            self._given = (Sampler.of_content(self._content), *self._given[1:])
        return self._given

    @property
    def native(self) -> bool:
        """True where the screen is a device without a Gallium driver: sampler and shader are made for it alone."""
        return is_native(self._inputs[2], self.vulkan_dialect)

    @property
    def _asked(self) -> SamplerState:
        """The record that the create info is made of: `pipe`, or natively one with GL's own wraps and filters."""
        sampler, facts, screen = self._inputs
        if not self.native:
            return self.pipe
        return self._state(sampler, facts, whole_screen(screen))

    @property
    def _viewed(self) -> dict[str, Any]:
        return {"view": self._view, "filter_in_shader": self._filter_in_shader}

    @property
    def _skips_decode(self) -> bool:
        return bool(self._inputs[0].srgb_decode == SrgbDecode.SKIP_DECODE_EXT)

    @property
    def _view(self) -> View:
        """The format and swizzle of `view`."""
        _, facts, screen = self._inputs
        return vulkan_view(facts, screen, self._options["unit"].glsl130, skip_decode=self._skips_decode)

    @property
    def device(self) -> str:
        """The name of the Vulkan device of `vulkan`."""
        from statetracker.vulkan import facts_of

        return facts_of(self._inputs[2]).device or "a device without a name"

    @property
    def violations(self) -> list[Violation]:
        """Valid-usage rules of Vulkan that `vulkan` and this texture's view break together; on WebGPU its own."""
        if self.webgpu_screen:
            from statetracker.webgpu import violations

            made = self.webgpu
            types = {"sampler_type": made.sampler_type, "sample_type": made.sample_type}
            return violations(made, self._inputs[2], texture_format=made.texture and made.texture.format, **types)
        return vulkan_violations(self.vulkan, self._view, self._inputs[2])

    @property
    def lowering(self) -> Lowering:
        """The shader's work, hashable: a variant key.

        On a Vulkan device it is for `vulkan`'s sampler; else for a sampler that has `pipe`.
        """
        if self._lowering is None:
            sampler, facts, screen = self._inputs
            work = lowering(sampler, facts, whole_screen(screen) if self.native else screen)
            work = work.joined(self.vulkan.lowering) if is_vulkan(screen) else work
            if work.normalize:
                work = work.sampled_as(as_device_filters(self._asked, screen))
                if is_vulkan(screen):
                    work = work._replace(anisotropic=self.vulkan.anisotropy_enable)
            self._lowering = work
        return self._lowering

    @property
    def lowering_values(self) -> LoweringValues:
        """The numbers that the shader reads: what `statetracker.border_values` packs."""
        _, facts, screen = self._inputs
        seen = state_values(self._asked, facts, screen, glsl130=self._options["unit"].glsl130)
        return self.vulkan.lowering_values._replace(border=seen.border) if is_vulkan(screen) else seen

    @property
    def unsupported(self) -> tuple[Loss, ...]:
        """Losses that sampler, view and shader together cannot avoid, and how far off they are.

        Halves of a sampler that are not GL_CLAMP, none natively; then what a Vulkan or WebGPU device cannot do.
        """
        from statetracker.frontend.bound_view import losses

        device = is_vulkan(self._inputs[2])
        return losses(self.view, *self._clamps, *self.vulkan.unsupported) if device else self._clamps

    @property
    def _clamps(self) -> tuple[UnsupportedClamp, ...]:
        from statetracker.sampler.unsupported import unsupported_clamps

        sampler, facts, screen = self._inputs
        return () if self.native else unsupported_clamps(sampler, facts, screen, self.pipe)

    @property
    def view(self) -> BoundView:
        """The view to bind beside the sampler: format and swizzle, which `vulkan` is made for, aspect, levels, layers.

        Its ``vulkan`` and ``webgpu`` are what the two APIs take, ``explain()`` has the reasons.
        """
        from statetracker.frontend.bound_view import bound_view

        _, facts, screen = self._inputs
        compares = bool(self.pipe.compare_mode)
        return bound_view(self._view, facts, screen, self._shown, skip_decode=self._skips_decode, compares=compares)

    def draft(self) -> Draft:
        """`vulkan` before its first rule: for running the rules one by one."""
        from statetracker.vulkan.draft import Draft

        return Draft(self._asked, self._inputs[2], dialect=self.vulkan_dialect, **self._viewed)

    def with_info(self, info: SamplerCreateInfo) -> Result:
        """Return the same state with another create info, such as one that other states share.

        Args:
            info: Made of `draft`.
        """
        other = copy(self)
        other._vulkan, other._lowering = info, None  # noqa: SLF001 (of this class)
        return other

    @property
    def target(self) -> int:
        """The texture's target, a GLenum."""
        return int(self._inputs[1].target)

    def explain_vulkan(self) -> VulkanExplanation:
        """Return why each member of `vulkan` is what it is: print it, or take ``to_dict()``."""
        from statetracker.vulkan import explain_info

        return explain_info(self._asked, self._inputs[2], dialect=self.vulkan_dialect, **self._viewed)

    def explain_webgpu(self) -> str:
        """Return why each member of `webgpu` is what it is; print it. Raises `ArgumentError` as that does."""
        from statetracker.webgpu import explain_descriptor

        return explain_descriptor(self._asked, self._inputs[2], **self._viewed)

    def explain(self) -> Explanation:
        """Return why each member of `pipe` is what it is: print it, or take ``to_dict()``.

        Where the device's sampler is not made of this record, a note says so, and what the shader does instead.
        """
        from statetracker.sampler.explanation import explain

        policy = self._policy
        notes = (*map(str, self._clamps), *self._made_otherwise)
        if self.incomplete:
            notes = (f"GL would sample its black fallback texture instead: {self.incomplete}", *notes)
        if policy is None:
            return explain(*self._inputs, **self._options, notes=notes)
        sampler, facts, screen = self._inputs
        if self._steps:
            sampler = self._steps[0].sampler  # as the program set it
            why = kept(sampler, facts)
            notes = (*notes, f"the policy's filters, anisotropy and bias do not apply: {why}") if why else notes
        whole = explain(sampler, facts, screen, **self._options, notes=notes)
        for step in self._steps[1:]:
            record = bytes(sampler_state(step.sampler, facts, screen, **self._options))
            whole = whole.changed_to(record, rule_name(step.name), "policy", step.why)
        return policy.explain(whole)

    def explain_html(self, *, title: str = "") -> str:
        """Return the explanation as a page of HTML in one file: what came in, each rule that fired, what went out.

        With what the shader adds, and what the state samples, in pictures.

        Args:
            title: Names the state.

        Raises:
            MissingExtra: The extras ``report`` and ``batch`` are not installed.
        """
        from statetracker.frontend.explained import as_page

        return as_page(self, title=title)

    @property
    def _made_otherwise(self) -> Iterator[str]:
        """The record that the create info is made of, where that is not `pipe`."""
        asked, pipe = self._asked, self.pipe
        names = [name for name in FIELD_NAMES if getattr(asked, name) != getattr(pipe, name)]
        if names:
            values = {name: getattr(asked, name) for name in names}
            others = ", ".join(f"{name} {getattr(value, 'name', value)}" for name, value in values.items())
            yield (
                f"this record is for a Gallium driver. The sampler of {self.device} is made of one with {others};"
                f" left to the shader: {self.lowering}. explain_vulkan() has the reasons"
            )

    def __bytes__(self) -> bytes:
        return bytes(self.pipe)

    def __repr__(self) -> str:
        return f"Result(pipe={self.pipe!r}, lowering={self.lowering!r})"


def convert(  # one argument an input
    sampler: Sampler | None,
    texture: Texture | TextureFacts,
    screen: Screen,
    *,
    dialect: str | Dialect = "mesa22",
    unit_lod_bias: float = 0.0,
    seamless: bool = False,
    glsl130: bool = True,
    bindless: bool = False,
    vulkan_dialect: str | VulkanDialect = "native",
    filter_in_shader: bool = True,
    policy: Policy | None = None,
) -> Result:
    """Translate a sampler, the texture it samples and the unit's state for a screen.

    A pure function.

    Args:
        sampler: A sampler object, or None: the texture's own.
        texture: The texture as it is; completeness is not applied: see `Result.incomplete`.
        screen: What the hardware can do.
        dialect: Whose rules: ``seed``, a release of Mesa (``"23.1"``), or mesa21, mesa22, mesa24.
        unit_lod_bias: Levels, as set on the texture unit; any float, NaN counts as -16.
        seamless: The context's switch for seamless cubes.
        glsl130: The program is GLSL 1.30 or later.
        bindless: Through a bindless handle: no unit bias, no context switch, sRGB decoding counts.
        vulkan_dialect: Whose rules for `Result.vulkan`: zink21, zink22, native; on WebGPU always native.
        filter_in_shader: Natively a format that the device does not filter is filtered by the shader; else not at all.
        policy: A user's overrides; None: none, and every bit as GL has it.

    Raises:
        ArgumentError: Arguments of the wrong kind.
        UnknownName: An unknown dialect.
    """
    incomplete, shown = "", None
    dialect_named(dialect)
    if not isinstance(screen, Screen):
        raise ArgumentError("screen", screen, accepted="a Screen", hint="Screen.named(...) gives one by its name.")
    if policy is not None and not isinstance(policy, Policy):
        raise ArgumentError("policy", policy, accepted="a Policy, or None")
    if isinstance(unit_lod_bias, bool) or not isinstance(unit_lod_bias, int | float):
        raise ArgumentError("unit_lod_bias", unit_lod_bias, accepted="a number of levels")
    if vulkan_dialect != "native":
        from statetracker.vulkan import vulkan_dialect as vulkan_dialect_named

        vulkan_dialect_named(vulkan_dialect)
        vulkan_dialect = "native" if is_webgpu(screen) else vulkan_dialect
    if isinstance(texture, Texture):
        if sampler is None:
            sampler = texture.sampler
    elif not isinstance(texture, TextureFacts):
        raise ArgumentError("texture", texture, accepted="a Texture or TextureFacts")
    if not isinstance(sampler, Sampler):
        raise ArgumentError("sampler", sampler, accepted="a Sampler, or None with a Texture that has its own")
    if isinstance(texture, Texture):
        incomplete = texture.missing(sampler, _limits(screen, dialect))
        shown = texture.part()
        texture = texture.facts()
    unit = UnitFacts.of(unit_lod_bias, seamless=seamless, glsl130=glsl130, bindless=bindless)
    options = {"dialect": dialect, "unit": unit}
    inputs = (sampler, texture, screen)
    return Result(
        inputs, options, incomplete, vulkan_dialect, filter_in_shader=filter_in_shader, shown=shown, policy=policy
    )


def _limits(screen: Screen, dialect: str | Dialect) -> Limits:
    """Return what completeness depends on; kept with the screen, not to be changed."""
    kept: Limits | None = screen.derived.get(("complete", dialect))
    if kept is None:
        kept = screen.derived["complete", dialect] = screen.gl_limits(release=dialect_named(dialect).gl_release)
    return kept
