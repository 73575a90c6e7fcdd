"""`TextureViewDescriptor`: a ``GPUTextureViewDescriptor``, the image view in WebGPU's names.

Source: W3C WebGPU, "GPUTextureViewDescriptor", "Texture View Creation"; its compatibility mode.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statetracker.caps.webgpu import webgpu_formats
from statetracker.errors import ArgumentError
from statetracker.vulkan.device import facts_of
from statetracker.vulkan.image_views import ViewMember, explained, image_view
from statetracker.vulkan.info import SWIZZLES, Members, Unsupported
from statetracker.vulkan.views import can_swizzle

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.caps import Screen, VulkanFacts
    from statetracker.vulkan.image_views import ImageViewInfo, ViewPart
    from statetracker.vulkan.views import View

# fmt: off
#: GPUTextureViewDescriptor's member -> its name in wgpu-py, and the member of the image view it is read from.
VIEW_MEMBERS: Final[Mapping[str, tuple[str, str]]] = {
    "format":          ("format",            "format"),
    "dimension":       ("dimension",         "viewType"),
    "aspect":          ("aspect",            "subresourceRange.aspectMask"),
    "baseMipLevel":    ("base_mip_level",    "subresourceRange.baseMipLevel"),
    "mipLevelCount":   ("mip_level_count",   "subresourceRange.levelCount"),
    "baseArrayLayer":  ("base_array_layer",  "subresourceRange.baseArrayLayer"),
    "arrayLayerCount": ("array_layer_count", "subresourceRange.layerCount"),
    "swizzle":         ("swizzle",           "components"),
}
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
        values = {key: _VALUES.get(key, _same)(by_name[source].value) for key, (_, source) in VIEW_MEMBERS.items()}
        self.unsupported = image.unsupported
        if not can_swizzle(facts) or values["swizzle"] == "rgba":
            values["swizzle"] = None
        differs = kept is not None and kept.format != values["format"]
        self.view_formats = (values["format"],) if differs else ()
        values["format"] = _ASPECT_FORMATS.get((values["format"], values["aspect"]), values["format"])
        if differs and "imageCubeArray" not in facts.features:
            because = "the compatibility mode sees a texture in its own format alone"
            self.unsupported += (
                Unsupported("format", "format", values["format"], kept and kept.format, None, because),
            )
        reasons = {key: by_name[source].because for key, (_, source) in VIEW_MEMBERS.items()}
        if "1D" in by_name["viewType"].value:
            reasons["dimension"] += ", kept as a 2D texture of one row"
        self.members = tuple(
            ViewMember(key, values[key], by_name[source].rule, reasons[key])
            for key, (_, source) in VIEW_MEMBERS.items()
            if values[key] is not None
        )
        self._members = {VIEW_MEMBERS[one.name][0]: one.value for one in self.members}

    def to_dict(self) -> dict[str, Any]:
        """Return the members in WebGPU's own names, as ``createView`` takes them."""
        return {one.name: one.value for one in self.members}

    def explain(self) -> str:
        """Say why each member is what it is, one line a member, then what is unsupported."""
        notes = [f"texture: viewFormats with {name}" for name in self.view_formats]
        return "\n".join([explained(self.members), *notes, *(f"unsupported: {one}" for one in self.unsupported)])


def _same(value: Any) -> Any:  # noqa: ANN401 (of any kind)
    return value


def _count(value: int) -> int | None:
    return None if value == _REMAINING else value


_VALUES: Final[Mapping[str, Any]] = {
    "format": lambda name: webgpu_formats()[name.removeprefix("VK_FORMAT_")].format,
    "dimension": lambda name: _DIMENSIONS[name.removeprefix("VK_IMAGE_VIEW_TYPE_")],
    "aspect": lambda name: _ASPECTS[name.removeprefix("VK_IMAGE_ASPECT_").removesuffix("_BIT")],
    "mipLevelCount": _count,
    "arrayLayerCount": _count,
    "swizzle": lambda letters: "".join(_LETTERS[letter] for letter in letters.values()),
}


def texture_view(view: View, part: ViewPart, screen: Screen) -> TextureViewDescriptor:
    """Return the texture view of what is sampled.

    Args:
        view: As for `statetracker.vulkan.image_view`.
        part: As for `statetracker.vulkan.image_view`.
        screen: A WebGPU screen.

    Raises:
        ArgumentError: A format that this WebGPU device lacks.
    """
    image, facts = image_view(view, part, screen), facts_of(screen)
    name = image["format"].removeprefix("VK_FORMAT_")
    if name not in (facts.formats or {}):
        hint = "The texels can be kept in another format, or a feature brings it."
        raise ArgumentError("format", view.format, accepted="a format of the device", hint=hint)
    return TextureViewDescriptor(image, facts)
