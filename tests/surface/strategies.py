"""Hypothesis: an image of a texture of the older generations, with any attachments."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as some

from statetracker.surface import framebuffer
from tools.proofs import prove_alignment

__all__ = ["framebuffers"]


@some.composite
def framebuffers(
    draw: some.DrawFn, gens: tuple[str, ...] = ("4", "4.5", "5", "6"), *, most: int = 400, mipmapped: bool = False
) -> Any:
    """Draw a framebuffer of a generation; ``mipmapped`` is a level below the first, of a texture that has them all."""
    gen, target = draw(some.sampled_from(gens)), draw(some.sampled_from(["2D", "2D_ARRAY", "CUBE"]))
    name = draw(some.sampled_from(["Z16", "Z24X8", "Z32F", "Z24S8", "Z32F_S8X24"]))
    sizes = some.integers(1 + mipmapped, most)
    width = draw(sizes)
    height = width if target == "CUBE" else draw(sizes)
    layers = {"2D": 1, "CUBE": 6}.get(target) or draw(some.integers(1, 5))
    every = max(width, height).bit_length()
    levels = every if mipmapped else draw(some.integers(1, every))
    return framebuffer(
        gen, target, name, width, height, layers=layers, levels=levels,
        level=draw(some.integers(int(mipmapped), levels - 1)), layer=draw(some.integers(0, layers - 1)),
        attach=draw(some.sampled_from(prove_alignment.attachments(gen, name))),
        clear_depth=draw(some.booleans()), clear_stencil=draw(some.booleans()),
    )  # fmt: skip
