"""`Members`: a mapping of a descriptor's members by wgpu-py's names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Members"]


class Members(Mapping[str, Any]):
    """A mapping over ``_members``, which a descriptor fills."""

    __slots__ = ("_members",)

    _members: dict[str, Any]

    def __getitem__(self, key: str) -> Any:  # noqa: ANN401 (any member)
        return self._members[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __repr__(self) -> str:
        """The members."""
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in self._members.items())})"
