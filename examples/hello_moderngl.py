"""A textured square with GL_CLAMP and a border, drawn by moderngl in a core context, which has no GL_CLAMP."""

from __future__ import annotations

from array import array
from typing import Any

import statetracker as st

FRAGMENT = """\
#version 330
uniform sampler2D wall;
in vec2 place;
out vec4 colour;
void main() { colour = texture(wall, place); }
"""
VERTEX = """\
#version 330
in vec2 corner;
out vec2 place;
void main() { place = corner * 2.0 - 0.5; gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0); }
"""
SIDE = 256


def main() -> None:
    """Draw it, and print two pixels."""
    try:
        import moderngl

        from statetracker.hosts.moderngl import Renderer

        options: dict[str, Any] = {"standalone": True, "backend": "egl"}
        context = moderngl.create_context(**options)
        renderer = Renderer(context)
        shader = renderer.shader(FRAGMENT, VERTEX)
    except Exception as error:  # noqa: BLE001 (moderngl raises what its backend does)
        print(f"nothing is drawn: {str(error).splitlines()[0]}")
        return

    image = context.texture((4, 4), 4, bytes([255] * 4 * 4 * 4))
    sampler = st.Sampler(wrap="clamp", filter=("linear", "linear"), border_color=(1, 0, 0, 1))
    draw = renderer.bind(shader, {"wall": (sampler, renderer.texture(image), image)})

    corners = context.buffer(array("f", [0, 0, 1, 0, 0, 1, 1, 1]).tobytes())
    square = context.vertex_array(draw.program, [(corners, "2f", "corner")])
    target = context.simple_framebuffer((SIDE, SIDE))
    target.use()
    draw.use()
    square.render(moderngl.TRIANGLE_STRIP)
    pixels = target.read(components=3)
    middle = 3 * (SIDE // 2 * SIDE + SIDE // 2)
    print(f"corner {tuple(pixels[:3])}, a quarter of it the texture; middle {tuple(pixels[middle : middle + 3])}")
    renderer.destroy()
    context.release()


if __name__ == "__main__":
    main()
