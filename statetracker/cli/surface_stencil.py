"""``statetracker surface stencil``: the surface state with which samplers read W-tiled stencil."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from statetracker.cli.output import EXIT_FINE, json_line, table
from statetracker.cli.surface import size_of
from statetracker.errors import ArgumentError
from statetracker.surface.override import Mode, override
from statetracker.surface.stencil import stencil_tree

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["describe_stencil"]


def describe_stencil(size: str, tree: Mapping[str, Any], seen: Mapping[str, Any], *, as_json: bool) -> int:
    """Print the surface state, every member with its reason.

    tree   arguments of `stencil_tree`, the generation as ``gen``
    seen   arguments of `override`

    Raises `ArgumentError`, `UnknownName` or `SurfaceRefused`.
    """
    laid_out = stencil_tree(size=size_of(size), **tree)
    described = override(laid_out, **seen)
    for field in ("level", "layer"):
        if seen[field] and (described.mode is not Mode.STATIC or not described.needed):
            raise ArgumentError(f"--{field}", seen[field], accepted="0; with --mode static a single image is described")
    if as_json:
        json_line(described.to_dict())
        return EXIT_FINE
    name = f"generation {laid_out.generation.name}, stencil {size}, {laid_out.levels} levels, {laid_out.layers} layers"
    table(name, ("member", "value", "why"), [(step.field, step.value, step.reason) for step in described.steps()])
    return EXIT_FINE
