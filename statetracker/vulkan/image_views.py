"""`image_view`: the ``VkImageViewCreateInfo`` of what is sampled, with the reason for each member.

Format and swizzle are those of the `View` that the sampler's create info is made for; levels and layers are what the
texture shows. What the host's image must be made with is in `ImageViewInfo.image_flags`. Source: Vulkan 1.3, "Image
Views"; the views that zink of Mesa 22.3.6 was seen to make (docs/vulkan_samplers.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.caps.facts import PROMISED
from statetracker.caps.vulkan_formats import table, vulkan_format
from statetracker.caps.webgpu import WEBGPU
from statetracker.errors import ArgumentError
from statetracker.pipe.formats import pipe_format
from statetracker.spellings import aligned
from statetracker.vulkan.device import facts_of
from statetracker.vulkan.info import SWIZZLES, Members, Unsupported
from statetracker.vulkan.views import can_swizzle, view_swizzle

if TYPE_CHECKING:
    from statetracker.caps import Screen, VulkanFacts
    from statetracker.vulkan.views import View

#: VK_REMAINING_MIP_LEVELS and VK_REMAINING_ARRAY_LAYERS.
_REMAINING: Final = 0xFFFF_FFFF
_CUBES: Final = ("CUBE", "CUBE_ARRAY")

#: Member of VkImageViewCreateInfo -> the rule that decides it, and what it says.
VIEW_RULES: Final[Mapping[str, tuple[str, str]]] = {
    "viewType": ("target", "the texture's target; rectangles and external images are 2D"),
    "format": (
        "format",
        "what the screen keeps the texture as, or a texture view is; the linear one where sRGB is not decoded",
    ),
    "components": (
        "swizzle",
        "GL's swizzle, composed with the base format's or depth mode's, and with the order of the stored channels",
    ),
    "subresourceRange.aspectMask": ("aspect", "depth, or stencil by DEPTH_STENCIL_TEXTURE_MODE, else color"),
    "subresourceRange.baseMipLevel": ("levels", "the base level, from the parent's first for a texture view"),
    "subresourceRange.levelCount": (
        "levels",
        "to the last level that GL samples; one where the texture is not mipmap complete",
    ),
    "subresourceRange.baseArrayLayer": ("layers", "0, or the first layer of a texture view"),
    "subresourceRange.layerCount": ("layers", "layers of arrays, six for each cube, else one"),
}


class ViewPart(NamedTuple):
    """The facts of a texture that decide its view, beside format and swizzle.

    Attributes:
        shape: Of VK_IMAGE_VIEW_TYPE, such as ``2D_ARRAY``.
        stored: Pipe format of the image, without prefix; None: not known, as of a texture view's parent.
        levels: The first level, and how many; None: all that there are.
        layers: The first layer, and how many; None: all that there are.
        skip_decode: sRGB is not decoded.
        compares: Depth is compared: nothing but red is read.
        target: Of GL, for the explanation.
    """

    shape: str
    stored: str | None = None
    levels: tuple[int, int | None] = (0, None)
    layers: tuple[int, int | None] = (0, None)
    skip_decode: bool = False
    compares: bool = False
    target: str = ""


class ViewMember(NamedTuple):
    """One member of a view: its name, its value as plain data, the rule that decides it, and why.

    Attributes:
        because: The reason, in words.
    """

    name: str
    value: Any
    rule: str
    because: str


class ImageViewInfo(Members):
    """A ``VkImageViewCreateInfo`` without its image; made by `image_view`.

    It is a mapping of its plain data: add ``image``, the handle. ``members`` are its values with their reasons,
    ``subresourceRange`` and ``components`` taken apart.

    Args:
        members: Its values with their reasons, ``subresourceRange`` and ``components`` taken apart.
        image_format: VkFormat of the image; None where it is not known.
        image_flags: VkImageCreateFlagBits that the image must have been made with.
        unsupported: `Unsupported`: what this device's views cannot do.
    """

    __slots__ = ("image_flags", "image_format", "members", "unsupported")

    def __init__(
        self,
        members: tuple[ViewMember, ...],
        image_format: str | None,
        image_flags: tuple[str, ...],
        unsupported: tuple[Unsupported, ...],
    ) -> None:
        self.members, self.image_format, self.image_flags = members, image_format, image_flags
        self.unsupported = unsupported
        plain: dict[str, Any] = {"sType": "VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO", "pNext": None, "flags": 0}
        for member in members:
            outer, _, inner = member.name.partition(".")
            if inner:
                plain.setdefault(outer, {})[inner] = member.value
            else:
                plain[outer] = member.value
        self._members = plain

    def to_dict(self) -> dict[str, Any]:
        """Return the members as plain data, in Vulkan's own names."""
        return {name: dict(value) if isinstance(value, dict) else value for name, value in self._members.items()}

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 (any member)
        return self.to_dict()[name]

    def __repr__(self) -> str:
        return f"ImageViewInfo({', '.join(f'{member.name}={member.value!r}' for member in self.members)})"


def image_view(view: View, part: ViewPart, screen: Screen) -> ImageViewInfo:
    """Return the image view of what is sampled.

    Args:
        view: The format and swizzle, as the sampler's create info is made for.
        part: What of the texture it shows.
        screen: The device.

    Raises:
        ArgumentError: A format that no VkFormat of this device stands for.
    """
    facts = facts_of(screen)
    name = vulkan_format(view.format, facts)
    if name is None:
        feature = PROMISED.get(table().get(view.format, ""))
        hint = f"The device lacks feature {feature}: keep the texels in another format." if feature else ""
        raise ArgumentError("format", view.format, accepted="a pipe format that a VkFormat stands for", hint=hint)
    stored = None if part.stored is None else vulkan_format(part.stored, facts)
    letters = view_swizzle(view.format, view.swizzle)
    values = {
        "viewType": (f"VK_IMAGE_VIEW_TYPE_{part.shape}", part.target or f"a texture of shape {part.shape}"),
        "format": (f"VK_FORMAT_{name}", _format_reason(view, part, name, stored)),
        "components": (
            {to: SWIZZLES[letter] for to, letter in zip("rgba", letters, strict=True)},
            f"{view.swizzle} of {view.format}, whose texels lie in {name}",
        ),
        "subresourceRange.aspectMask": (f"VK_IMAGE_ASPECT_{aspect_of(view).upper()}_BIT", f"{view.format} is sampled"),
        **_range("Mip", "level", part.levels),
        **_range("Array", "layer", part.layers),
    }
    members = tuple(ViewMember(key, value, VIEW_RULES[key][0], why) for key, (value, why) in values.items())
    flags: tuple[str, ...] = ("VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT",) if stored != name else ()
    flags += ("VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT",) if part.shape in _CUBES else ()
    lacks = _lacking(letters, part, facts)
    return ImageViewInfo(members, stored and f"VK_FORMAT_{stored}", flags, lacks)


def aspect_of(view: View) -> str:
    """Return which aspect of its image a view samples: ``color``, ``depth`` or ``stencil``."""
    fmt = pipe_format(view.format)
    return "depth" if fmt.has_depth else "stencil" if fmt.has_stencil else "color"


def _format_reason(view: View, part: ViewPart, name: str, stored: str | None) -> str:
    if stored is None:
        return f"a texture view as {view.format}; its parent's image may have another format"
    if stored == name:
        return f"the texture is kept as {part.stored}"
    why = "sRGB is not decoded" if part.skip_decode else f"it is seen as {view.format}"
    return f"{why}; the image has another format, {stored}"


def _range(kind: str, unit: str, part: tuple[int, int | None]) -> dict[str, tuple[int, str]]:
    first, count = part
    base, counted = (f"subresourceRange.base{kind}{unit.title()}", f"subresourceRange.{unit}Count")
    if count is None:
        return {base: (first, "the texture's own numbers are not known"), counted: (_REMAINING, "all that there are")}
    return {
        base: (first, f"the first {unit} that the texture shows"),
        counted: (count, f"{unit}s {first} to {first + count - 1}"),
    }


def _lacking(letters: str, part: ViewPart, facts: VulkanFacts) -> tuple[Unsupported, ...]:
    """Return what a portability subset lacks: swizzles of views. On WebGPU they are the shader's."""
    same = letters == "RGBA" or (part.compares and letters[0] == "R")
    if same or can_swizzle(facts) or facts.driver == WEBGPU:
        return ()
    because = "the device's views have no swizzle: put it into the texels, or into the shader"
    return (Unsupported("swizzle", "components", letters, "RGBA", None, because),)


def explained(members: tuple[ViewMember, ...]) -> str:
    """Write members as a table: name, value, rule, reason."""
    rows = [("member", "value", "rule", "because")]
    rows += [(one.name, _short(one.value), one.rule, one.because) for one in members]
    return "\n".join(aligned(rows))


def _short(value: object) -> str:
    if isinstance(value, Mapping):
        return " ".join(str(part).removeprefix("VK_COMPONENT_SWIZZLE_") for part in value.values())
    return str(value)
