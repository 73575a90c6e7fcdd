"""Setting one parameter of a sampler or a texture: gates, conversions, the compare-first rule, the exact GL error.

`statetracker.gl.parameters` says what is allowed, `statetracker.gl.forms` how values are read; here is only the order
in which GL looks. A refused call returns a `Refusal`; an accepted one returns None, whether or not it changed anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statetracker.gl import enums as e
from statetracker.gl.names import gl_name
from statetracker.gl.parameters import INVALID_ENUM, INVALID_VALUE, PARAMETERS, WRAP_GATES, Parameter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.gl.forms import Form
    from statetracker.gl.limits import Limits
    from statetracker.gl.sampler import Sampler
    from statetracker.gl.texture import Texture

__all__ = ["Gates", "Process", "Refusal", "set_sampler", "set_texture"]

Numbers = "Sequence[int | float]"

T = e.Target
_NO_REPEAT = (T.TEXTURE_RECTANGLE, T.TEXTURE_EXTERNAL_OES)


class Refusal(NamedTuple):
    """A GL error: its name, and a sentence that says what was wrong and what would have been accepted."""

    error: str
    message: str


class Process:
    """What GL keeps per process: how often an unsupported texture anisotropy was complained about.

    Mesa raises the error for the first ten such calls and then stays silent.
    """

    MOST_COMPLAINTS = 10

    def __init__(self) -> None:
        """Start as a new process does."""
        self.anisotropy_complaints = 0

    def complains(self) -> bool:
        """Whether the next unsupported anisotropy call still raises its error; counts it."""
        self.anisotropy_complaints += 1
        return self.anisotropy_complaints <= self.MOST_COMPLAINTS


class Gates:
    """A context's answers to "may I": parameters and wrap modes, worked out once from its limits."""

    def __init__(self, limits: Limits) -> None:
        """Ask every gate."""
        self.limits = limits
        self.sampler = frozenset(p for p, row in PARAMETERS.items() if row.on_sampler and row.sampler_gate(limits))
        self.texture = frozenset(p for p, row in PARAMETERS.items() if row.texture_gate(limits))
        self.sampler_wraps = frozenset(w for w in WRAP_GATES if self._sampler_wrap(w))
        self.texture_wraps = {
            kind: frozenset(w for w in WRAP_GATES if self._texture_wrap(w, kind))
            for kind in (None, T.TEXTURE_RECTANGLE, T.TEXTURE_EXTERNAL_OES)
        }
        self.depth_modes = frozenset(e.DepthTextureMode) - (
            frozenset() if limits.has("GL_ARB_texture_rg") else {e.DepthTextureMode.RED}
        )
        self.clamps_border = not limits.has("GL_ARB_texture_float")

    def _allowed(self, needs: tuple[str, ...] | None) -> bool:
        if needs is None:
            return True
        return self.limits.profile in needs or self.limits.has(*needs)

    def _sampler_wrap(self, wrap: int) -> bool:
        release = self.limits.release
        if wrap == e.Wrap.CLAMP_TO_BORDER and release.border_clamp_extension:
            return self.limits.has("GL_ARB_texture_border_clamp", "GL_OES_texture_border_clamp")
        gate = WRAP_GATES[wrap]
        if release.advertised_wraps and gate.desktop_only and not self.limits.desktop:
            return False
        edge = wrap == e.Wrap.MIRROR_CLAMP_TO_EDGE and release.advertised_wraps
        return self._allowed(gate.sampler) or (edge and self.limits.has("GL_EXT_texture_mirror_clamp_to_edge"))

    def _texture_wrap(self, wrap: int, kind: int | None) -> bool:
        gate = WRAP_GATES[wrap]
        if (kind == T.TEXTURE_RECTANGLE and not gate.rectangle) or (
            kind == T.TEXTURE_EXTERNAL_OES and not gate.external
        ):
            return False
        if (gate.desktop_only and not self.limits.desktop) or (not gate.gles1 and self.limits.gles == 10):
            return False
        edge = wrap == e.Wrap.MIRROR_CLAMP_TO_EDGE and self.limits.release.advertised_wraps
        return self._allowed(gate.texture) or (edge and self.limits.has("GL_EXT_texture_mirror_clamp_to_edge"))


def set_sampler(gates: Gates, sampler: Sampler, pname: int, form: Form, values: Numbers) -> Refusal | None:
    """Do ``glSamplerParameter*``: ``values`` is one number, or as many as the parameter takes."""
    row = PARAMETERS.get(pname)
    if row is None or not row.on_sampler:
        return _bad_pname(pname, "a sampler parameter")
    if pname not in gates.sampler:
        return None if row.silent else _missing(row)
    if row.kind == "border":
        return _set_border(sampler, row, form, values, clamps=False)
    number = values[0]
    if row.kind in ("float", "anisotropy"):
        return _set_float(gates, sampler, row, form.as_float(number))
    if row.kind == "bool":
        return _set_bool(sampler, row, form.as_bool(number), row.sampler_error)
    return _set_enum(sampler, row, form.as_enum(number), _sampler_choices(gates, row), row.sampler_error)


def set_texture(  # noqa: PLR0911, PLR0913 (one line a rule; what GL knows at the call)
    gates: Gates,
    process: Process,
    texture: Texture,
    pname: int,
    form: Form,
    values: Numbers,
    *,
    by_name: bool = False,
) -> Refusal | None:
    """Do ``glTexParameter*`` (``by_name``: ``glTextureParameter*``)."""
    row = PARAMETERS.get(pname)
    if row is None:
        return _bad_pname(pname, "a texture parameter")
    if row.filtering and T(texture.target).is_multisample:
        return _multisample(row, form, by_name=by_name)
    if pname not in gates.texture:
        if row.kind == "anisotropy" and not process.complains():
            return None
        return _missing(row)
    if row.kind in ("border", "swizzles") and not form.vector:
        return Refusal(INVALID_ENUM, f"{row.name} takes four values; use the v form of the call")
    if row.filtering:
        return _set_own_sampler(gates, texture, row, form, values)
    if row.kind == "swizzles":
        return _set_swizzles(texture, row, [form.as_enum(v) for v in values])
    number = form.as_enum(values[0])
    if row.kind == "level":
        return _set_level(texture, row, number)
    if row.kind == "swizzle":
        return _set_swizzle(texture, row, pname - e.TextureParameter.SWIZZLE_R, number)
    choices = gates.depth_modes if row.field == "depth_mode" else frozenset(e.DepthStencilMode)
    return _set_enum(texture, row, number, choices, row.texture_error)


def _set_own_sampler(gates: Gates, texture: Texture, row: Parameter, form: Form, values: Numbers) -> Refusal | None:
    sampler = texture.sampler
    if row.kind == "border":
        return _set_border(sampler, row, form, values, clamps=gates.clamps_border and form.name in ("fv", "iv"))
    if row.kind in ("float", "anisotropy"):
        return _set_float(gates, sampler, row, form.as_float(values[0]))
    if row.kind == "bool":
        return _set_bool(sampler, row, form.as_bool(values[0]), row.texture_error)
    return _set_enum(sampler, row, form.as_enum(values[0]), _texture_choices(gates, texture, row), row.texture_error)


def _sampler_choices(gates: Gates, row: Parameter) -> frozenset[int]:
    return gates.sampler_wraps if row.family is e.Wrap else frozenset(row.family or ())


def _texture_choices(gates: Gates, texture: Texture, row: Parameter) -> frozenset[int]:
    special = texture.target if texture.target in _NO_REPEAT else None
    if row.family is e.Wrap:
        return gates.texture_wraps[special]
    if row.family is e.MinFilter and special is not None:
        return frozenset(e.MagFilter)
    return frozenset(row.family or ())


def _set_enum(  # the compare-first rule: an equal value is never looked at
    target: Sampler | Texture, row: Parameter, value: int, choices: frozenset[int], error: str
) -> Refusal | None:
    equal = getattr(target, row.field) == value
    if equal and row.compares_first:
        return None
    if value not in choices:
        words = ", ".join(sorted(gl_name(v, row.family) for v in choices))
        return Refusal(error, f"{row.name}={_shown(value)} is not accepted here; accepted: {words}")
    if not equal:
        target.store(row.field, value)
    return None


def _set_float(gates: Gates, sampler: Sampler, row: Parameter, value: float) -> Refusal | None:
    if getattr(sampler, row.field) == value:
        return None
    if row.kind == "anisotropy":
        if value < 1.0:
            return Refusal(row.sampler_error, f"{row.name}={value:g} is less than 1")
        value = value if value < gates.limits.max_anisotropy else gates.limits.max_anisotropy
    sampler.store(row.field, value)
    return None


def _set_bool(sampler: Sampler, row: Parameter, value: int, error: str) -> Refusal | None:
    if value not in (0, 1):
        return Refusal(error, f"{row.name}={value} is not accepted; accepted: 0, 1")
    if sampler.cube_map_seamless != bool(value):
        sampler.store(row.field, bool(value))
    return None


def _set_border(sampler: Sampler, row: Parameter, form: Form, values: Numbers, *, clamps: bool) -> Refusal | None:
    if form.border is None:
        return Refusal(INVALID_ENUM, f"{row.name} takes four values; use the v form of the call")
    if clamps:
        values = [_clamped(v) for v in values] if form.name == "fv" else values
    words = form.border(_four(values))
    if clamps and form.name == "iv":
        words = tuple(0 if w >> 31 else w for w in words)  # type: ignore[assignment]
    sampler.store(row.field, words)
    return None


def _clamped(value: float) -> float:
    return min(value, 1.0) if value > 0.0 else 0.0


def _four(values: Numbers) -> Numbers:
    return values if len(values) == 4 else (*values, 0, 0, 0, 0)[:4]


def _set_swizzle(texture: Texture, row: Parameter, component: int, value: int) -> Refusal | None:
    if value not in list(e.Swizzle):
        words = ", ".join(f"GL_{m.name}" for m in e.Swizzle)
        return Refusal(row.texture_error, f"{row.name}={_shown(value)} is not accepted; accepted: {words}")
    swizzle = list(texture.swizzle)
    swizzle[component] = value
    texture.store("swizzle", tuple(swizzle))
    return None


def _set_swizzles(texture: Texture, row: Parameter, values: Sequence[int]) -> Refusal | None:
    for component, value in enumerate(_four(values)):
        refusal = _set_swizzle(texture, row, component, int(value))
        if refusal is not None:  # the components before it stay set, as in GL
            return refusal
    return None


def _set_level(texture: Texture, row: Parameter, value: int) -> Refusal | None:
    if getattr(texture, row.field) == value:
        return None
    target = T(texture.target)
    if value < 0:
        return Refusal(INVALID_VALUE, f"{row.name}={value} is negative")
    if row.field == "base_level":
        if value != 0 and (target.is_multisample or target == T.TEXTURE_RECTANGLE):
            return Refusal("GL_INVALID_OPERATION", f"{row.name}={value}: {target.name} has level 0 only")
        if texture.immutable_levels:
            value = min(value, texture.immutable_levels - 1)
    else:
        if value > 0 and target == T.TEXTURE_RECTANGLE:
            return Refusal(INVALID_VALUE, f"{row.name}={value}: a rectangle texture has level 0 only")
        if texture.immutable_levels:
            value = max(texture.base_level, min(value, texture.immutable_levels - 1))
    texture.store(row.field, value)
    return None


def _shown(value: int) -> str:
    return gl_name(value) if value > 1 else str(value)


def _bad_pname(pname: int, kind: str) -> Refusal:
    return Refusal(INVALID_ENUM, f"{_shown(pname)} is not {kind}")


def _missing(row: Parameter) -> Refusal:
    return Refusal(INVALID_ENUM, f"{row.name} is not available in this context: its profile or extension is missing")


def _multisample(row: Parameter, form: Form, *, by_name: bool) -> Refusal:
    border = row.kind == "border" and form.name in ("fv", "iv")
    error = "GL_INVALID_OPERATION" if by_name and not border else INVALID_ENUM
    return Refusal(error, f"{row.name} does not exist on multisample textures, which are never filtered")

