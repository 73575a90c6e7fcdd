"""`ParameterCalls`: GL's calls that set and ask one parameter of a texture or a sampler object, in every form.

Textures are meant by target, by name, by unit; a factory makes the forms (i, f, iv ...) of each call. How each form
reads its values is in `statetracker.gl.floats`, what is allowed in `statetracker.gl.parameters`. Source: GL 4.6, 8.10
(texture parameters) and 8.2 (sampler objects).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from statetracker.gl import enums as e
from statetracker.gl.floats import SAMPLER_FORMS, TEXTURE_FORMS
from statetracker.gl.getters import get_sampler, get_texture
from statetracker.gl.names import glenum, scalar, vector
from statetracker.gl.object_names import FROZEN
from statetracker.gl.parameters import INVALID_OPERATION
from statetracker.gl.setters import set_sampler, set_texture
from statetracker.gl.state import BIND_TARGETS, ContextState
from statetracker.gl.targets import PROXIES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statetracker.gl.floats import Number
    from statetracker.gl.texture import Texture

#: Targets whose parameters can be set; buffer textures have none.
PARAMETER_TARGETS: Final = BIND_TARGETS - {int(e.Target.TEXTURE_BUFFER)}
#: Calls on a unit that take proxies, too, as Mesa does.
_ALSO_PROXIES: Final = ("glMultiTexParameterIivEXT", "glMultiTexParameterIuivEXT")

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
By: TypeAlias = "Callable[[ParameterCalls, object, object, object], None]"
ByName: TypeAlias = "Callable[[ParameterCalls, int, object, object], None]"
ByUnit: TypeAlias = "Callable[[ParameterCalls, object, object, object, object], None]"
Ask: TypeAlias = "Callable[[ParameterCalls, object, object], list[Number] | None]"
AskByName: TypeAlias = "Callable[[ParameterCalls, int, object], list[Number] | None]"


def gl_function(function: Function, name: str, text: str) -> Function:
    """Give one form of a GL function its name, which tracebacks show, and its docstring."""
    function.__name__, function.__qualname__ = name, f"ParameterCalls.{name}"
    function.__code__ = function.__code__.replace(co_name=name)
    function.__doc__ = text
    return function


def _by_target(form: str) -> By:
    call = f"glTexParameter{form}"

    def one(self: ParameterCalls, target: object, pname: object, param: object) -> None:
        self._set_parameter(call, form, self._bound_to(target, call, PARAMETER_TARGETS), pname, (scalar(param),))

    def several(self: ParameterCalls, target: object, pname: object, params: object) -> None:
        self._set_parameter(call, form, self._bound_to(target, call, PARAMETER_TARGETS), pname, vector(params))

    return gl_function(several if "v" in form else one, call, f"Set a parameter of the bound texture {_READ[form][0]}.")


def _by_name(form: str) -> ByName:
    call = f"glTextureParameter{form}"

    def one(self: ParameterCalls, texture: int, pname: object, param: object) -> None:
        self._set_parameter(call, form, self.named(texture, call), pname, (scalar(param),), by_name=True)

    def several(self: ParameterCalls, texture: int, pname: object, params: object) -> None:
        self._set_parameter(call, form, self.named(texture, call), pname, vector(params), by_name=True)

    return gl_function(several if "v" in form else one, call, f"Set a parameter of a texture by name {_READ[form][0]}.")


def _by_unit(form: str) -> ByUnit:
    call = f"glMultiTexParameter{form}EXT"

    def one(self: ParameterCalls, texunit: object, target: object, pname: object, param: object) -> None:
        self._set_parameter(call, form, self._texture_on(texunit, target, call), pname, (scalar(param),), by_name=True)

    def several(self: ParameterCalls, texunit: object, target: object, pname: object, params: object) -> None:
        self._set_parameter(call, form, self._texture_on(texunit, target, call), pname, vector(params), by_name=True)

    return gl_function(several if "v" in form else one, call, f"Set a parameter of a unit's texture {_READ[form][0]}.")


def _of_sampler(form: str) -> ByName:
    call = f"glSamplerParameter{form}"

    def one(self: ParameterCalls, sampler: int, pname: object, param: object) -> None:
        self._set_sampler(call, form, sampler, pname, (scalar(param),))

    def several(self: ParameterCalls, sampler: int, pname: object, params: object) -> None:
        self._set_sampler(call, form, sampler, pname, vector(params))

    return gl_function(several if "v" in form else one, call, f"Set {_READ[form][1]}.")


def _ask_by_target(form: str) -> Ask:
    call = f"glGetTexParameter{form}"

    def ask(self: ParameterCalls, target: object, pname: object) -> list[Number] | None:
        return self._ask_parameter(call, form, self._bound_to(target, call, PARAMETER_TARGETS), pname)

    return gl_function(ask, call, f"Ask for a parameter of the bound texture as {_ANSWERED[form][0]}.")


def _ask_by_name(form: str) -> AskByName:
    call = f"glGetTextureParameter{form}"

    def ask(self: ParameterCalls, texture: int, pname: object) -> list[Number] | None:
        return self._ask_parameter(call, form, self.named(texture, call), pname)

    return gl_function(ask, call, f"Ask for a parameter of a texture by name as {_ANSWERED[form][0]}.")


def _ask_sampler(form: str) -> AskByName:
    call = f"glGetSamplerParameter{form}"

    def ask(self: ParameterCalls, sampler: int, pname: object) -> list[Number] | None:
        return self._get_sampler(call, form, sampler, pname)

    return gl_function(ask, call, f"Ask for {_ANSWERED[form][1]}. None after an error.")


class ParameterCalls(ContextState):
    """Parameters of textures and sampler objects. A getter gives None after an error.

    form     the suffix of a call: i, f, iv, fv, Iiv, Iuiv
    by_name  the call is refused in the way of glTextureParameter
    """

    def _set_parameter(
        self,
        call: str,
        form: str,
        texture: Texture | None,
        pname: object,
        values: Sequence[Number],
        *,
        by_name: bool = False,
    ) -> None:
        """Set a parameter of a texture; None: an error is recorded."""
        if texture is not None and self.changeable(texture, call):
            read = TEXTURE_FORMS[form]
            refusal = set_texture(
                self.availability, self.process, texture, glenum(pname), read, values, by_name=by_name
            )
            self.refuse(refusal, call)

    def _ask_parameter(self, call: str, form: str, texture: Texture | None, pname: object) -> list[Number] | None:
        """Ask for a parameter of a texture; None: an error is recorded."""
        if texture is None:
            return None
        values, refusal = get_texture(self.availability, texture, glenum(pname), form)
        self.refuse(refusal, call)
        return values

    def _texture_on(self, texunit: object, target: object, call: str) -> Texture | None:
        where = glenum(target)
        if call in _ALSO_PROXIES and PROXIES.get(where) in self.availability.targets:
            return self.proxy(where)
        index = self.unit_named(texunit, call, "texunit", INVALID_OPERATION)
        return None if index is None else self._bound_to(target, call, PARAMETER_TARGETS, index)

    def _set_sampler(self, call: str, form: str, name: int, pname: object, values: Sequence[Number]) -> None:
        sampler = self.samplers.get(name)
        if sampler is None:
            self.fail(INVALID_OPERATION, call, self._no_sampler(f"sampler={name}"))
        elif sampler.handles:
            self.fail(INVALID_OPERATION, call, f"sampler={name} {FROZEN}")
        else:
            self.refuse(set_sampler(self.availability, sampler, glenum(pname), SAMPLER_FORMS[form], values), call)

    def _get_sampler(self, call: str, form: str, name: int, pname: object) -> list[Number] | None:
        sampler = self.samplers.get(name)
        if sampler is None:
            self.fail(INVALID_OPERATION, call, self._no_sampler(f"sampler={name}"))
            return None
        values, refusal = get_sampler(self.availability, sampler, glenum(pname), form)
        self.refuse(refusal, call)
        return values

    glTexParameteri = _by_target("i")
    glTexParameterf = _by_target("f")
    glTexParameteriv = _by_target("iv")
    glTexParameterfv = _by_target("fv")
    glTexParameterIiv = _by_target("Iiv")
    glTexParameterIuiv = _by_target("Iuiv")
    glTextureParameteri = _by_name("i")
    glTextureParameterf = _by_name("f")
    glTextureParameteriv = _by_name("iv")
    glTextureParameterfv = _by_name("fv")
    glTextureParameterIiv = _by_name("Iiv")
    glTextureParameterIuiv = _by_name("Iuiv")
    glMultiTexParameteriEXT = _by_unit("i")
    glMultiTexParameterfEXT = _by_unit("f")
    glMultiTexParameterivEXT = _by_unit("iv")
    glMultiTexParameterfvEXT = _by_unit("fv")
    glMultiTexParameterIivEXT = _by_unit("Iiv")
    glMultiTexParameterIuivEXT = _by_unit("Iuiv")
    glSamplerParameteri = _of_sampler("i")
    glSamplerParameterf = _of_sampler("f")
    glSamplerParameteriv = _of_sampler("iv")
    glSamplerParameterfv = _of_sampler("fv")
    glSamplerParameterIiv = _of_sampler("Iiv")
    glSamplerParameterIuiv = _of_sampler("Iuiv")
    glGetTexParameteriv = _ask_by_target("iv")
    glGetTexParameterfv = _ask_by_target("fv")
    glGetTexParameterIiv = _ask_by_target("Iiv")
    glGetTexParameterIuiv = _ask_by_target("Iuiv")
    glGetTextureParameteriv = _ask_by_name("iv")
    glGetTextureParameterfv = _ask_by_name("fv")
    glGetTextureParameterIiv = _ask_by_name("Iiv")
    glGetTextureParameterIuiv = _ask_by_name("Iuiv")
    glGetSamplerParameteriv = _ask_sampler("iv")
    glGetSamplerParameterfv = _ask_sampler("fv")
    glGetSamplerParameterIiv = _ask_sampler("Iiv")
    glGetSamplerParameterIuiv = _ask_sampler("Iuiv")
