"""`ParameterCalls`: GL's calls that set and ask one parameter of a texture, a sampler object or a unit, in every form.

`_setters` and `_getters` make one form (i, f, iv ...) of each call. How each form reads its values is in
`statetracker.gl.floats`, what is allowed in `statetracker.gl.parameters`. Source: GL 4.6, 8.10 (texture parameters) and
8.2 (sampler objects).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from statetracker.gl import enums as e
from statetracker.gl.floats import SAMPLER_FORMS, TEXTURE_FORMS
from statetracker.gl.getters import get_sampler, get_texture
from statetracker.gl.names import glenum, scalar, vector
from statetracker.gl.object_names import FROZEN
from statetracker.gl.parameters import INVALID_OPERATION, Refusal
from statetracker.gl.setters import set_sampler, set_texture
from statetracker.gl.state import BIND_TARGETS, ContextState
from statetracker.gl.targets import PROXIES

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.gl.floats import Number
    from statetracker.gl.texture import Texture

#: Targets whose parameters can be set; buffer textures have none.
PARAMETER_TARGETS: Final = BIND_TARGETS - {int(e.Target.TEXTURE_BUFFER)}

#: Form -> how textures, and sampler objects, read what is set.
_READ: Final = {
    "i": ("from an int or enum", "one value given as an int or enum"),
    "f": (
        "from a float; integers and enums are rounded half away from zero",
        "one value given as a float; enums are truncated toward zero",
    ),
    "iv": ("from ints; border colours are mapped from the int range to [-1, 1]",) * 2,
    "fv": ("from floats; integers and enums are truncated", "from floats; border colours keep their bits"),
    "Iiv": ("from ints; border colours keep their bits",) * 2,
    "Iuiv": (
        "from unsigned ints, read as signed but for border colours",
        "from unsigned ints; border colours keep their bits, other values convert as unsigned",
    ),
}
#: Form -> how they answer.
_ANSWERED: Final = {
    "iv": (
        "ints: border colours are clamped and mapped",
        "ints: floats rounded, border colours mapped to the int range",
    ),
    "fv": ("floats", "floats: border colours as stored"),
    "Iiv": ("ints; border colours as signed words", "ints: floats truncated, border colours as signed words"),
    "Iuiv": ("unsigned ints; border colours as words", "unsigned ints: floats truncated, border colours as words"),
}

Function = TypeVar("Function", bound="Callable[..., Any]")
SetAt: TypeAlias = "Callable[[Any, object, object, object], None]"
SetOf: TypeAlias = "Callable[[Any, int, object, object], None]"
SetOn: TypeAlias = "Callable[[Any, object, object, object, object], None]"
AskAt: TypeAlias = "Callable[[Any, object, object], list[Number] | None]"
AskOf: TypeAlias = "Callable[[Any, int, object], list[Number] | None]"


def form_of(function: Function, call: str, text: str, *, vector: bool = False) -> Function:
    """Return one form of a GL function, with the name that tracebacks show and its docstring.

    ``call`` is the name and ``text`` the docstring; with ``vector`` the last argument is called params, not param.
    """
    renamed = {"param": "params"} if vector else {}
    names = tuple(renamed.get(name, name) for name in function.__code__.co_varnames)
    function.__annotations__ = {renamed.get(name, name): kind for name, kind in function.__annotations__.items()}
    function.__name__, function.__qualname__, function.__doc__ = call, f"Context.{call}", text
    function.__code__ = function.__code__.replace(co_name=call, co_varnames=names)
    return function


def _setters(form: str) -> tuple[SetAt, SetOf, SetOn, SetOf]:
    """One form of glTexParameter, glTextureParameter, glMultiTexParameter and glSamplerParameter."""

    def at_target(self: ParameterCalls, target: object, pname: object, param: object) -> None:
        self.set_parameter(form, self.bound_to(target, PARAMETER_TARGETS), pname, param)

    def of_texture(self: ParameterCalls, texture: int, pname: object, param: object) -> None:
        self.set_parameter(form, self.named(texture), pname, param, by_name=True)

    def on_unit(self: ParameterCalls, texunit: object, target: object, pname: object, param: object) -> None:
        if form in ("Iiv", "Iuiv") and PROXIES.get(glenum(target)) in self.availability.targets:
            texture = self.proxy(glenum(target))  # as Mesa does
        else:
            unit = self.unit_named(texunit, error=INVALID_OPERATION)
            texture = self.bound_to(target, PARAMETER_TARGETS, unit)
        self.set_parameter(form, texture, pname, param, by_name=True)

    def of_sampler(self: ParameterCalls, sampler: int, pname: object, param: object) -> None:
        owner = self.sampler_named(sampler)
        if owner.handles:
            raise Refusal(INVALID_OPERATION, f"sampler={sampler} {FROZEN}")
        values = vector(param) if several else (scalar(param),)
        set_sampler(self.availability, owner, glenum(pname), read, values)

    several, read = "v" in form, SAMPLER_FORMS[form]
    (texture_text, sampler_text), start = _READ[form], "Set a parameter of"
    return (
        form_of(at_target, f"glTexParameter{form}", f"{start} the bound texture {texture_text}.", vector=several),
        form_of(of_texture, f"glTextureParameter{form}", f"{start} a texture by name {texture_text}.", vector=several),
        form_of(on_unit, f"glMultiTexParameter{form}EXT", f"{start} a unit's texture {texture_text}.", vector=several),
        form_of(of_sampler, f"glSamplerParameter{form}", f"Set {sampler_text}.", vector=several),
    )


def _getters(form: str) -> tuple[AskAt, AskOf, AskOf]:
    """One form of glGetTexParameter, glGetTextureParameter and glGetSamplerParameter."""

    def at_target(self: ParameterCalls, target: object, pname: object) -> list[Number] | None:
        return self.ask_parameter(form, self.bound_to(target, PARAMETER_TARGETS), pname)

    def of_texture(self: ParameterCalls, texture: int, pname: object) -> list[Number] | None:
        return self.ask_parameter(form, self.named(texture), pname)

    def of_sampler(self: ParameterCalls, sampler: int, pname: object) -> list[Number] | None:
        return get_sampler(self.availability, self.sampler_named(sampler), glenum(pname), form)

    (texture_text, sampler_text), start = _ANSWERED[form], "Ask for a parameter of"
    return (
        form_of(at_target, f"glGetTexParameter{form}", f"{start} the bound texture as {texture_text}."),
        form_of(of_texture, f"glGetTextureParameter{form}", f"{start} a texture by name as {texture_text}."),
        form_of(of_sampler, f"glGetSamplerParameter{form}", f"Ask for {sampler_text}. None after an error."),
    )


class ParameterCalls(ContextState):
    """Parameters of textures and sampler objects. A getter gives None after an error.

    ``form`` is the suffix of a call: i, f, iv, fv, Iiv, Iuiv.
    """

    def set_parameter(
        self, form: str, texture: Texture, pname: object, given: object, *, by_name: bool = False
    ) -> None:
        """Set a parameter of a texture.

        ``given`` is a value, or an array of values. With ``by_name`` the call is refused in the way of
        glTextureParameter.
        """
        values, read = vector(given) if "v" in form else (scalar(given),), TEXTURE_FORMS[form]
        self.changeable(texture)
        set_texture(self.availability, self.process, texture, glenum(pname), read, values, by_name=by_name)

    def ask_parameter(self, form: str, texture: Texture, pname: object) -> list[Number]:
        """Ask for a parameter of a texture."""
        return get_texture(self.availability, texture, glenum(pname), form)

    # fmt: off
    glTexParameteri, glTextureParameteri, glMultiTexParameteriEXT, glSamplerParameteri = _setters("i")
    glTexParameterf, glTextureParameterf, glMultiTexParameterfEXT, glSamplerParameterf = _setters("f")
    glTexParameteriv, glTextureParameteriv, glMultiTexParameterivEXT, glSamplerParameteriv = _setters("iv")
    glTexParameterfv, glTextureParameterfv, glMultiTexParameterfvEXT, glSamplerParameterfv = _setters("fv")
    glTexParameterIiv, glTextureParameterIiv, glMultiTexParameterIivEXT, glSamplerParameterIiv = _setters("Iiv")
    glTexParameterIuiv, glTextureParameterIuiv, glMultiTexParameterIuivEXT, glSamplerParameterIuiv = _setters("Iuiv")
    glGetTexParameteriv, glGetTextureParameteriv, glGetSamplerParameteriv = _getters("iv")
    glGetTexParameterfv, glGetTextureParameterfv, glGetSamplerParameterfv = _getters("fv")
    glGetTexParameterIiv, glGetTextureParameterIiv, glGetSamplerParameterIiv = _getters("Iiv")
    glGetTexParameterIuiv, glGetTextureParameterIuiv, glGetSamplerParameterIuiv = _getters("Iuiv")
    # fmt: on
