"""Images of wgpu as textures of GL, and back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from statetracker.errors import ArgumentError
from statetracker.frontend import convert
from statetracker.gl.enums import SIZE_NUMBERS, Target
from statetracker.gl.names import enum_value
from statetracker.gl.texture import Texture

if TYPE_CHECKING:
    from statetracker.caps import Screen

#: GPUTextureFormat -> GL's internal format: by its parts, and the others.
_PLAIN: Final = re.compile("(r|rg|rgba)(8|16|32)(unorm|snorm|uint|sint|float)")
_KINDS: Final = {"unorm": "", "snorm": "_SNORM", "uint": "UI", "sint": "I", "float": "F"}
_OTHERS: Final = {
    "rgba8unorm-srgb": "SRGB8_ALPHA8",
    "rgb10a2unorm": "RGB10_A2",
    "rgb10a2uint": "RGB10_A2UI",
    "rg11b10ufloat": "R11F_G11F_B10F",
    "rgb9e5ufloat": "RGB9_E5",
    "depth16unorm": "DEPTH_COMPONENT16",
    "depth24plus": "DEPTH_COMPONENT24",
    "depth24plus-stencil8": "DEPTH24_STENCIL8",
    "depth32float": "DEPTH_COMPONENT32F",
    "depth32float-stencil8": "DEPTH32F_STENCIL8",
    "stencil8": "STENCIL_INDEX8",
}


def described(image: Any, internal_format: str | None = None, **parameters: Any) -> Texture:
    """Return the texture of an image; see `Renderer.texture`."""
    if not hasattr(image, "mip_level_count"):
        raise ArgumentError("image", image, accepted="a wgpu.GPUTexture")
    width, height, layers = image.size
    usual = image.dimension if image.dimension != "2d" else "2d-array" if layers > 1 else "2d"
    if image.sample_count > 1:
        usual, parameters = "2d-multisample", {"samples": image.sample_count} | parameters
    target = enum_value(parameters.pop("target", usual), Target, "target", "TEXTURE_")
    size = (width, layers) if target == Target.TEXTURE_1D_ARRAY else (width, height, layers)[: SIZE_NUMBERS[target]]
    if internal_format is None:
        internal_format = _named(image.format)
    return Texture(target, internal_format, size, levels=image.mip_level_count, **parameters)


def texture_descriptor(texture: Texture, screen: Screen) -> dict[str, Any]:
    """Return what to make the image of a texture with; see `Renderer.texture_descriptor`."""
    view, base = convert(None, texture, screen).view.webgpu, texture.base_image()
    if base is None or view.image_format is None:
        raise ArgumentError("texture", texture, accepted="a texture with images of its own")
    size = {
        Target.TEXTURE_1D_ARRAY: (base.width, 1, base.height),
        Target.TEXTURE_CUBE_MAP: (base.width, base.height, 6),
    }
    return {
        "size": size.get(Target(texture.target), (base.width, base.height, base.depth)),
        "dimension": "3d" if view["dimension"] == "3d" else "2d",
        "format": view.image_format,
        "mip_level_count": 1 + max(level for _, level in texture.images),
        "sample_count": max(1, base.samples),
        "view_formats": view.view_formats,
    }


def _named(format: str) -> str:  # noqa: A002 (wgpu's word)
    """Return GL's internal format of a GPUTextureFormat; raises `ArgumentError` for one whose name does not say it."""
    plain = _PLAIN.fullmatch(format)
    name = _OTHERS.get(format) if plain is None else f"{plain[1].upper()}{plain[2]}{_KINDS[plain[3]]}"
    if name is None:
        raise ArgumentError("image", format, accepted="a format that GL has", hint="Name its internal_format.")
    return name
