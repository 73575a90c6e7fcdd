"""Setting one parameter of a sampler or a texture: gates, conversions, the compare-first rule, the exact GL error.

`statetracker.gl.parameters` has what is allowed, `statetracker.gl.floats` how values are read; here is only the order
in which GL looks. A refused call raises `Refusal`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from statetracker.gl import enums as e
from statetracker.gl.floats import clamped, clamped_words
from statetracker.gl.names import gl_name, listing
from statetracker.gl.parameters import INVALID_ENUM, INVALID_OPERATION, INVALID_VALUE, PARAMETERS, Parameter, Refusal
from statetracker.gl.targets import MULTISAMPLE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from statetracker.gl.floats import Form
    from statetracker.gl.limits import Gate
    from statetracker.gl.parameters import Availability
    from statetracker.gl.sampler import Sampler
    from statetracker.gl.texture import Texture

Numbers: TypeAlias = "Sequence[int | float]"

T = e.Target
_NO_REPEAT = (T.TEXTURE_RECTANGLE, T.TEXTURE_EXTERNAL_OES)


def shown(value: int) -> str:
    """Name a value; the smallest numbers are more often numbers than enums."""
    return gl_name(value) if value > 1 else str(value)


def bad_pname(pname: int, kind: str, accepted: frozenset[int]) -> Refusal:
    """Refuse a name that is no parameter here."""
    return Refusal(INVALID_ENUM, f"pname={shown(pname)} is not {kind}; accepted: {listing(accepted)}")


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


class Process:
    """GL's state of a process: how often an unsupported texture anisotropy was complained about.

    Mesa raises the error for the first ten such calls and then stays silent.
    """

    MOST_COMPLAINTS = 10

    def __init__(self) -> None:
        self.anisotropy_complaints = 0

    def complains(self) -> bool:
        """Return whether the next unsupported anisotropy call still raises its error; counts it."""
        self.anisotropy_complaints += 1
        return self.anisotropy_complaints <= self.MOST_COMPLAINTS


def set_sampler(availability: Availability, sampler: Sampler, pname: int, form: Form, values: Numbers) -> None:
    """Do ``glSamplerParameter*``: ``values`` is one number, or as many as the parameter takes."""
    row = PARAMETERS.get(pname)
    if row is None or not row.on_sampler:
        raise bad_pname(pname, "a parameter of sampler objects", availability.sampler)
    if pname in availability.sampler:
        choices = availability.sampler_wraps if row.family is e.Wrap else e.MEMBERS[row.family]
        if row.kind == "border":
            _set_border(sampler, row, form, values, clamps=False)
        else:
            _set(availability, sampler, row, form, values[0], choices, row.sampler_error)
    elif not row.silent:
        raise absent(row, row.sampler_gate)


def set_texture(
    availability: Availability,
    process: Process,
    texture: Texture,
    pname: int,
    form: Form,
    values: Numbers,
    *,
    by_name: bool = False,
) -> None:
    """Do ``glTexParameter*`` (``by_name``: ``glTextureParameter*``)."""
    row = PARAMETERS.get(pname)
    if row is None:
        raise bad_pname(pname, "a parameter of textures", availability.texture)
    if row.filtering and texture.target in MULTISAMPLE:
        raise unfiltered(row, form, by_name=by_name)
    if pname not in availability.texture:
        if row.kind == "anisotropy" and not process.complains():
            return
        raise absent(row, row.texture_gate)
    if row.kind in ("border", "swizzles") and not form.vector:
        raise wants_four(row)
    if row.kind == "border":
        clamps = availability.clamps_border and form.name in ("fv", "iv")
        _set_border(texture.sampler, row, form, values, clamps=clamps)
    elif row.family is e.Swizzle:
        whole = row.kind == "swizzles"
        first = 0 if whole else pname - e.TextureParameter.SWIZZLE_R
        for component, value in enumerate(_four(values) if whole else values[:1], first):
            _set_swizzle(texture, row, component, form.as_enum(value))  # before a bad one they stay set, as in GL
    elif row.kind == "level":
        _set_level(texture, row, form.as_enum(values[0]))
    else:
        owner = texture.sampler if row.filtering else texture
        choices = _texture_choices(availability, texture, row) if row.family else ()
        _set(availability, owner, row, form, values[0], choices, row.texture_error)


def _texture_choices(availability: Availability, texture: Texture, row: Parameter) -> Collection[int]:
    special = T(texture.target) if texture.target in _NO_REPEAT else None
    if row.family is e.Wrap:
        return availability.texture_wraps[special]
    if row.family is e.DepthTextureMode:
        return availability.depth_modes
    return e.MEMBERS[e.MagFilter if row.family is e.MinFilter and special is not None else row.family]


#: Kind of a parameter -> how a form reads it.
_READ: Final[dict[str, Callable[[Form, float], float]]] = {
    "enum": lambda form, given: form.as_enum(given),
    "float": lambda form, given: form.as_float(given),
    "anisotropy": lambda form, given: form.as_float(given),
    "bool": lambda form, given: form.as_bool(given),
    "priority": lambda form, given: clamped(form.as_float(given)),
    "flag": lambda form, given: form.as_enum(given) != 0,
}


def _set(
    availability: Availability,
    owner: Sampler | Texture,
    row: Parameter,
    form: Form,
    given: float,
    choices: Collection[int],
    error: str,
) -> None:
    """Set an enum, a number or a truth value."""
    value = _READ[row.kind](form, given)
    equal = getattr(owner, row.field) == value
    if equal and row.compares_first:
        return  # an equal value is never looked at
    if row.kind == "enum":
        if value not in choices:
            words = listing(choices, row.family)
            raise Refusal(error, f"param={shown(int(value))} is no {row.name} here; accepted: {words}")
        value = e.MEMBERS[row.family][int(value)]
    elif row.kind == "bool":
        if value not in (0, 1):
            raise Refusal(error, f"param={value} is no {row.name}; accepted: 0, 1")
        value = bool(value)
    elif row.kind == "anisotropy":
        if value < 1.0:
            raise Refusal(error, f"param={value:g} is no {row.name}; accepted: 1.0 or more")
        value = value if value < availability.limits.max_anisotropy else availability.limits.max_anisotropy  # noqa: FURB136 (NaN)
    if not equal:
        owner.store(row.field, value)


def _keep(owner: Sampler | Texture, field: str, value: object) -> None:
    if getattr(owner, field) != value:
        owner.store(field, value)


def _set_border(sampler: Sampler, row: Parameter, form: Form, values: Numbers, *, clamps: bool) -> None:
    if form.border is None:
        raise wants_four(row)
    words = form.border(_four(values))
    words = clamped_words(words) if clamps else words
    _keep(sampler, row.field, words)


def _four(values: Numbers) -> Numbers:
    """Fill up with 0, as an array that is too short is recorded."""
    return values if len(values) == 4 else (*values, 0, 0, 0, 0)[:4]


def _set_swizzle(texture: Texture, row: Parameter, component: int, value: int) -> None:
    if value not in e.MEMBERS[e.Swizzle]:
        words = listing(e.MEMBERS[e.Swizzle], e.Swizzle)
        raise Refusal(row.texture_error, f"param={shown(value)} is no {row.name}; accepted: {words}")
    swizzle = (*texture.swizzle[:component], value, *texture.swizzle[component + 1 :])
    _keep(texture, row.field, swizzle)


def _set_level(texture: Texture, row: Parameter, value: int) -> None:
    if getattr(texture, row.field) == value:
        return
    target, base = T(texture.target), row.field == "base_level"
    if value != 0 and (target == T.TEXTURE_RECTANGLE or (base and target.is_multisample)):
        message = f"param={value} is no {row.name} of a GL_{target.name} texture; accepted: 0"
        raise Refusal(INVALID_OPERATION if base else INVALID_VALUE, message)
    if value < 0:
        raise Refusal(INVALID_VALUE, f"param={value} is no {row.name}; accepted: 0 or more")
    if texture.immutable_levels:  # of a view those of the first parent, though it shows fewer
        levels = texture.view.parent_levels if texture.view else texture.immutable_levels
        above = base or value > texture.base_level
        # a base level above the storage's is no bound, as in Mesa
        value = min(value, levels - 1) if above else max(texture.base_level, value)
    texture.store(row.field, value)
