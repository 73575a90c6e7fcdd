"""`SamplerDescriptor`: a ``GPUSamplerDescriptor``, the translation's create info in WebGPU's names.

Source: W3C WebGPU, "GPUSamplerDescriptor".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.aligned import aligned
from statetracker.caps.vulkan_pipe import vulkan_format
from statetracker.caps.webgpu import webgpu_formats
from statetracker.errors import ArgumentError
from statetracker.vulkan.conversion import create_info
from statetracker.vulkan.device import device_of
from statetracker.vulkan.explanation import explain_info
from statetracker.vulkan.info import HasInfo, Members

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.caps import Screen
    from statetracker.pipe import SamplerState
    from statetracker.vulkan import SamplerCreateInfo, Unsupported, View


class Member(NamedTuple):
    """One member: its name in WebGPU, in wgpu-py, the members of a create info it is read from, and how."""

    name: str
    key: str
    source: tuple[str, ...]
    read: Callable[[SamplerCreateInfo], Any]


def _mode(attribute: str) -> Callable[[SamplerCreateInfo], str]:
    words = {"REPEAT": "repeat", "MIRRORED_REPEAT": "mirror-repeat", "CLAMP_TO_EDGE": "clamp-to-edge"}
    return lambda info: words[getattr(info, attribute).name]


def _filter(attribute: str) -> Callable[[SamplerCreateInfo], str]:
    return lambda info: str(getattr(info, attribute).name.lower())


def _compare(info: SamplerCreateInfo) -> str | None:
    return info.compare_op.name.lower().replace("_or_", "-").replace("_", "-") if info.compare_enable else None


# fmt: off
#: The members, in the order of the specification.
MEMBERS: Final = (
    Member("addressModeU",  "address_mode_u", ("address_mode_u",), _mode("address_mode_u")),
    Member("addressModeV",  "address_mode_v", ("address_mode_v",), _mode("address_mode_v")),
    Member("addressModeW",  "address_mode_w", ("address_mode_w",), _mode("address_mode_w")),
    Member("magFilter",     "mag_filter",     ("mag_filter",),     _filter("mag_filter")),
    Member("minFilter",     "min_filter",     ("min_filter",),     _filter("min_filter")),
    Member("mipmapFilter",  "mipmap_filter",  ("mipmap_mode",),    _filter("mipmap_mode")),
    Member("lodMinClamp",   "lod_min_clamp",  ("min_lod",),        lambda info: info.min_lod),
    Member("lodMaxClamp",   "lod_max_clamp",  ("max_lod",),        lambda info: info.max_lod),
    Member("compare",       "compare",        ("compare_enable", "compare_op"), _compare),
    Member("maxAnisotropy", "max_anisotropy", ("anisotropy_enable", "max_anisotropy"),
           lambda info: int(info.max_anisotropy) if info.anisotropy_enable else 1),
)
# fmt: on


class SamplerDescriptor(HasInfo, Members):
    """A ``GPUSamplerDescriptor``. Made by `descriptor`; ``device.create_sampler(**this)`` of wgpu-py takes it.

    Two are equal where their members are.

    Args:
        info: The `SamplerCreateInfo` of the same sampler, which has its ``lowering`` and what is ``unsupported``.
        screen: The WebGPU screen that the info was made for.
        view: The view that it was made for, or None.

    Attributes:
        sampler_type: GPUSamplerBindingType: ``filtering``, ``non-filtering`` or ``comparison``.
        texture: The `WebGpuFormat` of the texture that will be sampled; None: not known, or WebGPU has none.
    """

    __slots__ = ("info", "sampler_type", "texture")

    def __init__(self, info: SamplerCreateInfo, screen: Screen, view: View | None = None) -> None:
        self.info = info
        facts = device_of(screen).facts
        name = None if view is None else vulkan_format(view.format, facts)
        known = name is not None and name in (facts.formats or {})
        self.texture = webgpu_formats()[name] if known and name is not None else None
        self._members = {member.key: member.read(info) for member in MEMBERS}
        filters = [self._members[f"{which}_filter"] for which in ("mag", "min", "mipmap")]
        filtering = "filtering" if "linear" in filters else "non-filtering"
        self.sampler_type = filtering if self._members["compare"] is None else "comparison"

    @property
    def unsupported(self) -> tuple[Unsupported, ...]:
        """Losses that neither the sampler nor a shader can avoid."""
        return self.info.unsupported

    @property
    def sample_type(self) -> str | None:
        """GPUTextureSampleType of the texture's binding beside this sampler; None: the texture is not known."""
        if self.texture is None:
            return None
        kind = self.texture.sample_type
        if kind == "depth":
            return kind if self._members["compare"] is not None else "unfilterable-float"
        return "float" if kind == "unfilterable-float" and self.sampler_type == "filtering" else kind

    def to_dict(self) -> dict[str, Any]:
        """Return the members in WebGPU's own names, for ``createSampler``; without ``compare`` where it is None."""
        named = {member.name: self._members[member.key] for member in MEMBERS}
        return {name: value for name, value in named.items() if value is not None}

    def __hash__(self) -> int:
        return hash(tuple(self._members.values()))


def descriptor(
    state: SamplerState | bytes, screen: Screen, *, view: View | None = None, filter_in_shader: bool = True
) -> SamplerDescriptor:
    """Translate a pipe record for WebGPU.

    It breaks no validation rule. A pure function.

    Args:
        state: The record, a `SamplerState` or its 36 bytes.
        screen: A WebGPU screen, such as ``Screen.named("webgpu")``.
        view: What is known of the view that will be sampled, a `statetracker.vulkan.View`.
        filter_in_shader: As for `statetracker.vulkan.create_info`.

    Raises:
        ArgumentError: A malformed record and another screen.
    """
    _checked(screen)
    return of_info(create_info(state, screen, view=view, filter_in_shader=filter_in_shader), screen, view)


def of_info(info: SamplerCreateInfo, screen: Screen, view: View | None) -> SamplerDescriptor:
    """Return the descriptor of a create info that was made natively for the screen and view."""
    _checked(screen)
    return SamplerDescriptor(info, screen, view)


def _checked(screen: Screen) -> None:
    if not device_of(screen).webgpu:
        hint = 'Screen.named("webgpu") is one, Screen.webgpu(features) any other.'
        raise ArgumentError("screen", screen, accepted="a WebGPU screen", hint=hint)


def explain_descriptor(
    state: SamplerState | bytes, screen: Screen, *, view: View | None = None, filter_in_shader: bool = True
) -> str:
    """Say why each member is what it is, one line a member, then what the shader must do and what is unsupported.

    Arguments and errors are as in `descriptor`.
    """
    _checked(screen)
    explained = explain_info(state, screen, view=view, filter_in_shader=filter_in_shader)
    made = SamplerDescriptor(explained.info, screen, view)
    rows = [("member", "value", "rule", "because")]
    for member in MEMBERS:
        steps = [explained.last(name) for name in member.source]
        last = next((step for step in reversed(steps) if step.rule != "from-pipe"), steps[-1])
        rows.append((member.name, str(made[member.key]), last.rule, last.because))
    work = [f"shader: {name} {'on' if value is True else value}" for name, value in made.lowering.work.items()]
    return "\n".join([*aligned(rows), *work, *(f"unsupported: {one}" for one in made.unsupported)])
