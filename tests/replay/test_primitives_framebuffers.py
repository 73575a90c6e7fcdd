"""Draw buffers and attachments: what is drawn without colours, and into what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.replay.conftest import TRIANGLE, program, texture

if TYPE_CHECKING:
    from tests.replay.conftest import Sampled

TEXTURED = texture(1), "glEnable(cap = GL_TEXTURE_2D)"
FRAGMENT = "uniform sampler2D s; void main() { gl_FragColor = texture2D(s, vec2(0.5)); }"
OFFSCREEN = (
    "glBindFramebuffer(target = GL_FRAMEBUFFER, framebuffer = 1)\n"
    "glFramebufferRenderbuffer(target = GL_FRAMEBUFFER, attachment = GL_DEPTH_ATTACHMENT, "
    "renderbuffertarget = GL_RENDERBUFFER, renderbuffer = 1)\n"
)


@pytest.mark.parametrize(
    ("calls", "made"),
    [
        ("glDrawBuffer(mode = GL_ZERO)", []),
        ("glDrawBuffers(n = 1, bufs = &GL_ZERO)", []),
        ("glDrawBuffers(n = 2, bufs = {GL_ZERO, GL_BACK_LEFT})", [1]),
        ("glDrawBuffer(mode = GL_ZERO)\nglDrawBuffer(mode = GL_BACK)", [1]),
        ("glDrawBuffer(mode = GL_ZERO)\nglDrawBuffer(mode = GL_COLOR_ATTACHMENT0)", []),
        ("glDrawBuffer(mode = GL_ZERO)\nglEnable(cap = GL_ALPHA_TEST)", [1]),
        (f"glDrawBuffer(mode = GL_ZERO)\n{TRIANGLE}\nglEnable(cap = GL_ALPHA_TEST)", [1]),
        (f"glDrawBuffer(mode = GL_ZERO)\n{OFFSCREEN}", [1]),
        (f"{OFFSCREEN}glDrawBuffer(mode = GL_ZERO)", []),
        (f"{OFFSCREEN}glNamedFramebufferDrawBuffer(framebuffer = 1, mode = GL_ZERO)", []),
        (f"{OFFSCREEN}glNamedFramebufferDrawBuffer(framebuffer = 2, mode = GL_ZERO)", [1]),
        (f"glDrawBuffer(mode = GL_ZERO)\n{program(1, fragment=FRAGMENT)}", [1]),
    ],
)
def test_without_a_draw_buffer_fixed_function_samples_for_the_alpha_test_only(
    sampled: Sampled, calls: str, made: list[int]
) -> None:
    assert sampled(*TEXTURED, calls, TRIANGLE) == made
