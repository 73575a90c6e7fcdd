"""The translation's answers in WebGPU's names: a ``GPUSamplerDescriptor``, and a ``GPUTextureViewDescriptor``.

`SamplerDescriptor` is read from the create info, `TextureViewDescriptor` from the image view. Source: W3C WebGPU,
"GPUSamplerDescriptor", "GPUTextureViewDescriptor", "Texture View Creation"; its compatibility mode.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.caps.vulkan_formats import vulkan_format
from statetracker.caps.webgpu import webgpu_formats
from statetracker.errors import ArgumentError
from statetracker.spellings import aligned
from statetracker.vulkan.conversion import create_info
from statetracker.vulkan.device import device_of, facts_of
from statetracker.vulkan.enums import CompareOp, Filter, SamplerAddressMode, SamplerMipmapMode
from statetracker.vulkan.explanation import explain_info
from statetracker.vulkan.image_views import explained, image_view
from statetracker.vulkan.info import SWIZZLES, HasInfo, Members, Unsupported
from statetracker.vulkan.views import can_swizzle

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statetracker.caps import Screen, VulkanFacts
    from statetracker.pipe import SamplerState
    from statetracker.vulkan import SamplerCreateInfo, View
    from statetracker.vulkan.image_views import ImageViewInfo, ViewPart


class Member(NamedTuple):
    """One member: its name in WebGPU, in wgpu-py, the members of a create info it is read from, and how."""

    name: str
    key: str
    source: tuple[str, ...]
    read: Callable[[SamplerCreateInfo], Any]


def _word(attribute: str) -> Callable[[SamplerCreateInfo], str]:
    return lambda info: _WORDS[getattr(info, attribute).name]


#: Vulkan's words -> WebGPU's, such as ``mirror-repeat`` and ``less-equal``.
_WORDS: Final = {
    one.name: one.name.lower().replace("mirrored", "mirror").replace("_or_", "-").replace("_", "-")
    for kind in (CompareOp, Filter, SamplerAddressMode, SamplerMipmapMode)
    for one in kind
}


# fmt: off
#: The members, in the order of the specification.
MEMBERS: Final = (
    Member("addressModeU",  "address_mode_u", ("address_mode_u",), _word("address_mode_u")),
    Member("addressModeV",  "address_mode_v", ("address_mode_v",), _word("address_mode_v")),
    Member("addressModeW",  "address_mode_w", ("address_mode_w",), _word("address_mode_w")),
    Member("magFilter",     "mag_filter",     ("mag_filter",),     _word("mag_filter")),
    Member("minFilter",     "min_filter",     ("min_filter",),     _word("min_filter")),
    Member("mipmapFilter",  "mipmap_filter",  ("mipmap_mode",),    _word("mipmap_mode")),
    Member("lodMinClamp",   "lod_min_clamp",  ("min_lod",),        lambda info: info.min_lod),
    Member("lodMaxClamp",   "lod_max_clamp",  ("max_lod",),        lambda info: info.max_lod),
    Member("compare",       "compare",        ("compare_enable", "compare_op"),
           lambda info: _WORDS[info.compare_op.name] if info.compare_enable else None),
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
        self.texture = webgpu_formats()[name] if name is not None and name in (facts.formats or {}) else None
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
    watched = explain_info(state, screen, view=view, filter_in_shader=filter_in_shader)
    made = SamplerDescriptor(watched.info, screen, view)
    rows = [("member", "value", "rule", "because")]
    for member in MEMBERS:
        steps = [watched.last(name) for name in member.source]
        last = next((step for step in reversed(steps) if step.rule != "from-pipe"), steps[-1])
        rows.append((member.name, str(made[member.key]), last.rule, last.because))
    work = [f"shader: {name} {'on' if value is True else value}" for name, value in made.lowering.work.items()]
    return "\n".join([*aligned(rows), *work, *(f"unsupported: {one}" for one in made.unsupported)])


# fmt: off
#: VkImageViewType -> GPUTextureViewDimension; 1D textures are kept as 2D ones of one row.
_DIMENSIONS: Final[Mapping[str, str]] = {
    "1D":       "2d",       "2D":       "2d",       "3D":         "3d",
    "1D_ARRAY": "2d-array", "2D_ARRAY": "2d-array", "CUBE_ARRAY": "cube-array", "CUBE": "cube",
}
#: Format of two aspects and the aspect -> the format of a view of it. Source: "resolving GPUTextureAspect".
_ASPECT_FORMATS: Final[Mapping[tuple[str, str], str]] = {
    ("depth24plus-stencil8",  "depth-only"):   "depth24plus",
    ("depth24plus-stencil8",  "stencil-only"): "stencil8",
    ("depth32float-stencil8", "depth-only"):   "depth32float",
    ("depth32float-stencil8", "stencil-only"): "stencil8",
}
_ASPECTS: Final[Mapping[str, str]] = {"COLOR": "all", "DEPTH": "depth-only", "STENCIL": "stencil-only"}
# fmt: on
_REMAINING: Final = 0xFFFF_FFFF
_LETTERS: Final = {name: letter.lower() for letter, name in SWIZZLES.items()}


def _count(value: int) -> int | None:
    return None if value == _REMAINING else value


# fmt: off
#: GPUTextureViewDescriptor's member -> its name in wgpu-py, the member of the image view it is read from, and how.
VIEW_MEMBERS: Final[Mapping[str, tuple[str, str, Callable[[Any], Any]]]] = {
    "format":          ("format",            "format",
                        lambda name: webgpu_formats()[name.removeprefix("VK_FORMAT_")].format),
    "dimension":       ("dimension",         "viewType",
                        lambda name: _DIMENSIONS[name.removeprefix("VK_IMAGE_VIEW_TYPE_")]),
    "aspect":          ("aspect",            "subresourceRange.aspectMask",
                        lambda name: _ASPECTS[name.removeprefix("VK_IMAGE_ASPECT_").removesuffix("_BIT")]),
    "baseMipLevel":    ("base_mip_level",    "subresourceRange.baseMipLevel",   int),
    "mipLevelCount":   ("mip_level_count",   "subresourceRange.levelCount",     _count),
    "baseArrayLayer":  ("base_array_layer",  "subresourceRange.baseArrayLayer", int),
    "arrayLayerCount": ("array_layer_count", "subresourceRange.layerCount",     _count),
    "swizzle":         ("swizzle",           "components",
                        lambda letters: "".join(_LETTERS[letter] for letter in letters.values())),
}
# fmt: on


class TextureViewDescriptor(Members):
    """A ``GPUTextureViewDescriptor``; made by `texture_view`. ``texture.create_view(**this)`` of wgpu-py takes it.

    Left out is what WebGPU has by itself: counts that are not known, a swizzle that changes nothing; and a swizzle that
    is the shader's: `Lowering.swizzle`.

    Args:
        image: The `ImageViewInfo` that it is read from, with what is ``unsupported`` beside ours.
        facts: Of the device.

    Attributes:
        image_format: GPUTextureFormat of the image; None: it is not known, or WebGPU has none.
        view_formats: GPUTextureDescriptor's viewFormats that the texture must have been made with.
        unsupported: `Unsupported`: what views of this device cannot do.
    """

    __slots__ = ("image", "image_format", "members", "unsupported", "view_formats")

    def __init__(self, image: ImageViewInfo, facts: VulkanFacts) -> None:
        self.image = image
        by_name = {one.name: one for one in image.members}
        kept = webgpu_formats().get((image.image_format or "").removeprefix("VK_FORMAT_"))
        self.image_format = None if kept is None else kept.format
        values = {name: read(by_name[source].value) for name, (_, source, read) in VIEW_MEMBERS.items()}
        self.unsupported = image.unsupported
        if not can_swizzle(facts) or values["swizzle"] == "rgba":
            values["swizzle"] = None
        differs = kept is not None and kept.format != values["format"]
        self.view_formats = (values["format"],) if differs else ()
        values["format"] = _ASPECT_FORMATS.get((values["format"], values["aspect"]), values["format"])
        if differs and "imageCubeArray" not in facts.features:
            because = "the compatibility mode sees a texture in its own format alone"
            lost = Unsupported("format", "format", values["format"], kept and kept.format, None, because)
            self.unsupported += (lost,)
        row = ", kept as a 2D texture of one row" * ("1D" in by_name["viewType"].value)
        self.members = tuple(
            by_name[source]._replace(
                name=name, value=values[name], because=by_name[source].because + row * (name == "dimension")
            )
            for name, (_, source, _) in VIEW_MEMBERS.items()
            if values[name] is not None
        )
        self._members = {VIEW_MEMBERS[one.name][0]: one.value for one in self.members}

    def to_dict(self) -> dict[str, Any]:
        """Return the members in WebGPU's own names, as ``createView`` takes them."""
        return {one.name: one.value for one in self.members}

    def explain(self) -> str:
        """Say why each member is what it is, one line a member, then what is unsupported."""
        notes = [f"texture: viewFormats with {name}" for name in self.view_formats]
        return "\n".join([explained(self.members), *notes, *(f"unsupported: {one}" for one in self.unsupported)])


def texture_view(view: View, part: ViewPart, screen: Screen) -> TextureViewDescriptor:
    """Return the texture view of what is sampled, on a WebGPU screen; view and part are as in `image_view`.

    Raises `ArgumentError` for a format that this WebGPU device lacks.
    """
    image, facts = image_view(view, part, screen), facts_of(screen)
    name = image["format"].removeprefix("VK_FORMAT_")
    if name not in (facts.formats or {}):
        hint = "The texels can be kept in another format, or a feature brings it."
        raise ArgumentError("format", view.format, accepted="a format of the device", hint=hint)
    return TextureViewDescriptor(image, facts)
