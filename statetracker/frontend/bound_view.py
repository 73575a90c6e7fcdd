"""`BoundView`: the view to bind beside a sampler, for Vulkan and for WebGPU."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

from statetracker.errors import ArgumentError
from statetracker.frontend.vulkan_view import is_webgpu
from statetracker.gl.completeness import ViewRange
from statetracker.gl.enums import Target
from statetracker.vulkan.views import View

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.caps import Screen
    from statetracker.gl.facts import TextureFacts
    from statetracker.sampler import UnsupportedClamp
    from statetracker.vulkan import Unsupported
    from statetracker.vulkan.image_views import ImageViewInfo, ViewPart
    from statetracker.webgpu import TextureViewDescriptor

    Loss: TypeAlias = Unsupported | UnsupportedClamp

T = Target
# fmt: off
#: Target -> the shape of its view: VkImageViewType without prefix; buffers have no image.
SHAPES: Final[Mapping[int, str]] = {
    T.TEXTURE_1D:                   "1D",
    T.TEXTURE_2D:                   "2D",
    T.TEXTURE_3D:                   "3D",
    T.TEXTURE_RECTANGLE:            "2D",
    T.TEXTURE_CUBE_MAP:             "CUBE",
    T.TEXTURE_1D_ARRAY:             "1D_ARRAY",
    T.TEXTURE_2D_ARRAY:             "2D_ARRAY",
    T.TEXTURE_EXTERNAL_OES:         "2D",
    T.TEXTURE_CUBE_MAP_ARRAY:       "CUBE_ARRAY",
    T.TEXTURE_2D_MULTISAMPLE:       "2D",
    T.TEXTURE_2D_MULTISAMPLE_ARRAY: "2D_ARRAY",
}
# fmt: on


class BoundView(View):
    """The view to bind beside a sampler: a `View`, whose format and swizzle are the sampler's, and what is around it.

    Attributes:
        part: The shape, levels and layers; None for a buffer texture.
        screen: The device.
    """

    part: ViewPart | None
    screen: Screen

    @cached_property
    def vulkan(self) -> ImageViewInfo:
        """The VkImageViewCreateInfo without its image.

        Raises:
            ArgumentError: A buffer texture, or a format that no VkFormat stands for.
        """
        from statetracker.vulkan import image_view

        return image_view(self, self._part, self.screen)

    @cached_property
    def webgpu(self) -> TextureViewDescriptor:
        """The GPUTextureViewDescriptor: ``texture.create_view(**this)``.

        Raises:
            ArgumentError: As for `vulkan`, or a format or a screen that is not WebGPU's.
        """
        from statetracker.webgpu import texture_view

        return texture_view(self, self._part, self.screen)

    @property
    def _part(self) -> ViewPart:
        if self.part is None:
            hint = f"A buffer texture is read through a VkBufferView of its format, {self.format}; WebGPU has none."
            raise ArgumentError("target", "TEXTURE_BUFFER", accepted="a target with images", hint=hint)
        return self.part

    def explain(self) -> str:
        """Say why each member of `vulkan`, or of `webgpu` on its screens, is what it is. Raises as those do."""
        from statetracker.vulkan.image_views import explained

        if is_webgpu(self.screen):
            return self.webgpu.explain()
        made = self.vulkan
        notes = [f"image: {flag}" for flag in made.image_flags]
        return "\n".join([explained(made.members), *notes, *(f"unsupported: {one}" for one in made.unsupported)])


def losses(view: BoundView, *others: Loss) -> tuple[Loss, ...]:
    """Return what others lack, and then what a view of the device lacks; of one name the first."""
    try:
        seen = (view.webgpu if is_webgpu(view.screen) else view.vulkan).unsupported
    except ArgumentError:  # a buffer texture, or a format of which there is no view
        seen = ()
    named: dict[object, Loss] = {}
    for one in (*others, *seen):
        named.setdefault(getattr(one, "name", one), one)
    return tuple(named.values())


@lru_cache(maxsize=4096)
def bound_view(
    view: View, facts: TextureFacts, screen: Screen, shown: ViewRange | None, *, skip_decode: bool, compares: bool
) -> BoundView:
    """Put a view together with what its texture shows.

    ``view`` has format and swizzle, ``facts`` are the texture's, ``shown`` its levels and layers; None: not known, so
    all that the image has. Samplers hardly differ in it, so it is remembered, with what was read of it.
    """
    from statetracker.vulkan.image_views import ViewPart

    part = shown or ViewRange()
    made = BoundView(*view)
    made.screen, made.part = screen, None
    if facts.target in SHAPES:
        stored = None if part.of_view else facts.storage_format or screen.stores(facts.internal_format)
        levels, layers = (part.first_level, part.levels), (part.first_layer, part.layers)
        name = f"GL_{Target(facts.target).name}"
        made.part = ViewPart(SHAPES[facts.target], stored, levels, layers, skip_decode, compares, name)
    return made
