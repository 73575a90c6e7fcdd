"""`Refusal`: a GL error with its words, and the refusals that setters have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.gl.names import gl_name
from statetracker.gl.parameters import INVALID_ENUM

if TYPE_CHECKING:
    from enum import IntEnum

    from statetracker.gl.availability import Gate
    from statetracker.gl.forms import Form
    from statetracker.gl.parameters import Parameter

__all__ = ["INVALID_OPERATION", "Refusal", "absent", "bad_pname", "shown", "unfiltered", "wants_four", "words_for"]

INVALID_OPERATION: Final = "GL_INVALID_OPERATION"


class Refusal(NamedTuple):
    """A GL error: its name, and a sentence with what was wrong and what would have been accepted."""

    error: str
    message: str


def shown(value: int) -> str:
    """Name a value; the smallest numbers are more often numbers than enums."""
    return gl_name(value) if value > 1 else str(value)


def words_for(values: frozenset[int], family: type[IntEnum] | None = None) -> str:
    """List what would have been accepted."""
    return ", ".join(gl_name(v, family) for v in sorted(values))


def bad_pname(pname: int, kind: str, accepted: frozenset[int]) -> Refusal:
    """Refuse a name that is no parameter here."""
    return Refusal(INVALID_ENUM, f"pname={shown(pname)} is not {kind}; accepted: {words_for(accepted)}")


def absent(row: Parameter, gate: Gate) -> Refusal:
    """Refuse a parameter that the context lacks."""
    return Refusal(INVALID_ENUM, f"pname={row.name} does not exist in this context; it needs {gate.needs()}")


def wants_four(row: Parameter) -> Refusal:
    """Refuse a parameter of four values to a call that has one."""
    return Refusal(INVALID_ENUM, f"pname={row.name} takes four values; accepted: the call's form that ends in v")


def unfiltered(row: Parameter, form: Form, *, by_name: bool) -> Refusal:
    """Refuse a parameter of filtering to a multisample texture."""
    border = row.kind == "border" and form.name in ("i", "f", "iv", "fv")
    error = INVALID_OPERATION if by_name and not border else INVALID_ENUM
    words = "GL_TEXTURE_MAX_LEVEL, GL_TEXTURE_SWIZZLE_RGBA and other names that no filter reads"
    return Refusal(error, f"pname={row.name} does not exist on multisample textures; accepted: {words}")
