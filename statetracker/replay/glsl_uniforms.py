"""A uniform split into the parts that GL has names for: members of structures, elements of arrays.

Source: docs/glsl.md (GL 4.6 compatibility, 7.3.1; recorded live on Mesa 22.3.6).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

#: An index that is not constant, or a size that is not given: any element may be meant.
WHOLE: Final = -1
LARGEST_ARRAY: Final = 4096
#: Elements of all uniforms of a shader; GL's limit on components of a stage is no higher.
MOST_ELEMENTS: Final = 1 << 14
_DEEPEST: Final = 16
_BASIC: Final = re.compile(
    r"(?:bool|int|uint|float|double|u?int64_t|atomic_uint|(?:[biud]|i64|u64)?vec[234]|d?mat[234](?:x[234])?"
    r"|[iu]?(?:sampler|image)[123BCE]\w+)"
)


class Variable(NamedTuple):
    """A variable or a member of a structure; ``dims`` are array sizes, the outer one first, `WHOLE` where not known."""

    type: str
    name: str
    dims: tuple[int, ...] = ()


class Leaf(NamedTuple):
    """A uniform as a program sees it: a number, a sampler, an array of either.

    Attributes:
        name: ``"s"``, ``"q.t"``, ``"q[1].t"``.
        size: Elements declared; 0 for no array, `WHOLE` for an array whose size is not known.
        group: The name without indices: elements of an array of structures share it.
        root: The variable; a structure is kept or dropped as a whole.
        outer: The variable's own index, of an array of structures.
        nested: Whether it is only a part of its variable, so that its size is never cut.
        binding: layout(binding) and layout(location) of its first element, None where they are not given.
    """

    name: str
    type: str
    size: int
    group: str
    root: str
    outer: int = 0
    nested: bool = False
    binding: int | None = None
    location: int | None = None


def further(one: int, other: int) -> int:
    """Return the larger of two elements; `WHOLE` is above all."""
    return WHOLE if WHOLE in {one, other} else max(one, other)


def is_basic(type_name: str) -> bool:
    """Return whether a type is GLSL's own."""
    return _BASIC.fullmatch(type_name) is not None


def leaves(
    variable: Variable,
    structs: Mapping[str, Sequence[Variable]],
    *,
    root: str = "",
    group: str = "",
    outer: int | None = None,
) -> Iterator[Leaf]:
    """Split structures and outer arrays; only the last index of a name belongs to its leaf.

    ``root`` and ``group`` are those of the variable that it is a part of, empty for a whole variable. ``outer`` is the
    whole variable's own index once it is chosen; `WHOLE` for an array of arrays, kept as a whole. ``structs`` has none
    that is empty or inside itself.
    """
    type_, name, dims = variable
    root, group = root or name, group or name
    members = structs.get(type_)
    if dims and (members is not None or len(dims) > 1):
        whole = len(dims) > 1 or outer is not None
        for at in range(max(dims[0], 1)):
            index = (outer or WHOLE) if whole else at
            element = Variable(type_, f"{name}[{at}]", dims[1:])
            yield from leaves(element, structs, root=root, group=group, outer=index)
    elif members is None:
        yield Leaf(name, type_, dims[0] if dims else 0, group, root, outer or 0, outer is not None)
    elif group.count(".") < _DEEPEST:
        for member in members:
            inner = member._replace(name=f"{name}.{member.name}")
            yield from leaves(inner, structs, root=root, group=f"{group}.{member.name}", outer=outer or 0)
