"""GL's calls on sampler objects: make, bind, set, ask, delete (ARB_sampler_objects, GL 4.6 section 8.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.gl.floats import SAMPLER_FORMS
from statetracker.gl.getters import get_sampler
from statetracker.gl.names import glenum, scalar, vector
from statetracker.gl.object_names import FROZEN, listed
from statetracker.gl.sampler import Sampler
from statetracker.gl.setters import set_sampler
from statetracker.gl.state import INVALID_OPERATION, INVALID_VALUE, ContextState

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import EllipsisType

    from statetracker.gl.names import Number


class SamplerCalls(ContextState):
    """Sampler objects. Arrays of names come after their count, as in GL, or alone, as in PyOpenGL."""

    def glGenSamplers(self, count: int, samplers: Sequence[int] | EllipsisType | None = ...) -> list[int]:
        """Make sampler objects and give their names: the first free ones, or those that a recording got."""
        return self._make_samplers("glGenSamplers", count, samplers)

    def glCreateSamplers(self, n: int, samplers: Sequence[int] | EllipsisType | None = ...) -> list[int]:
        """Do the same as `glGenSamplers`: sampler objects exist from the start."""
        return self._make_samplers("glCreateSamplers", n, samplers)

    def _make_samplers(self, call: str, count: int, given: Sequence[int] | EllipsisType | None) -> list[int]:
        names = self.new_names(call, count, given, self.samplers)
        for name in names:
            self.samplers[name] = Sampler()
            self.samplers[name].label = name
        return names

    def glDeleteSamplers(self, count: int | Sequence[int], samplers: Sequence[int] | EllipsisType | None = ...) -> None:
        """Delete sampler objects; each is unbound from every unit. Unknown names and NULL are ignored."""
        for name in self.counted_names("glDeleteSamplers", count, samplers, "samplers"):
            sampler = self.samplers.pop(name, None)
            if sampler is not None:
                self._forget_sampler(sampler)

    def _forget_sampler(self, sampler: Sampler) -> None:
        for unit in self.units.values():
            if unit.sampler is sampler:
                unit.bind_sampler(None)
        self.drop_handles(sampler)

    def glIsSampler(self, name: int) -> bool:
        """Whether a name is a sampler object."""
        return name in self.samplers

    def glBindSampler(self, unit: int, sampler: int) -> None:
        """Bind a sampler object to a unit; 0 unbinds."""
        last = self.limits.max_combined_units - 1
        if not 0 <= unit <= last:
            self.fail(INVALID_VALUE, "glBindSampler", f"unit={unit} is no texture unit; accepted: 0 to {last}")
        elif sampler and sampler not in self.samplers:
            self.fail(INVALID_OPERATION, "glBindSampler", self._no_sampler(f"sampler={sampler}"))
        else:
            self.unit(unit).bind_sampler(self.samplers.get(sampler))

    def glBindSamplers(
        self, first: int, count: int | Sequence[int] | None, samplers: Sequence[int] | None = None
    ) -> None:
        """Bind several; without an array, unbind ``count`` units. A bad name keeps its own unit, the others bind."""
        call = "glBindSamplers"
        names = self.counted_bindings(call, first, count, samplers, "samplers")
        for unit, name in enumerate(names, first):
            if name and name not in self.samplers:
                self.fail(INVALID_OPERATION, call, self._no_sampler(f"samplers[{unit - first}]={name}"))
            else:
                self.unit(unit).bind_sampler(self.samplers.get(name))

    def _no_sampler(self, given: str) -> str:
        return f"{given} is no sampler object; accepted: {listed(self.samplers)}"

    def _set_sampler(self, suffix: str, name: int, pname: object, values: Sequence[Number]) -> None:
        call = f"glSamplerParameter{suffix}"
        sampler = self.samplers.get(name)
        if sampler is None:
            self.fail(INVALID_OPERATION, call, self._no_sampler(f"sampler={name}"))
        elif sampler.handles:
            self.fail(INVALID_OPERATION, call, f"sampler={name} {FROZEN}")
        else:
            self.refuse(set_sampler(self.gates, sampler, glenum(pname), SAMPLER_FORMS[suffix], values), call)

    def glSamplerParameteri(self, sampler: int, pname: object, param: object) -> None:
        """Set one value given as an int or enum."""
        self._set_sampler("i", sampler, pname, (scalar(param),))

    def glSamplerParameterf(self, sampler: int, pname: object, param: object) -> None:
        """Set one value given as a float; enums are truncated toward zero."""
        self._set_sampler("f", sampler, pname, (scalar(param),))

    def glSamplerParameteriv(self, sampler: int, pname: object, params: object) -> None:
        """Set from ints; border colours are mapped from the int range to [-1, 1]."""
        self._set_sampler("iv", sampler, pname, vector(params))

    def glSamplerParameterfv(self, sampler: int, pname: object, params: object) -> None:
        """Set from floats; border colours keep their bits."""
        self._set_sampler("fv", sampler, pname, vector(params))

    def glSamplerParameterIiv(self, sampler: int, pname: object, params: object) -> None:
        """Set from ints; border colours keep their bits."""
        self._set_sampler("Iiv", sampler, pname, vector(params))

    def glSamplerParameterIuiv(self, sampler: int, pname: object, params: object) -> None:
        """Set from unsigned ints; border colours keep their bits, other values convert as unsigned."""
        self._set_sampler("Iuiv", sampler, pname, vector(params))

    def _get_sampler(self, suffix: str, name: int, pname: object) -> list[Number] | None:
        call = f"glGetSamplerParameter{suffix}"
        sampler = self.samplers.get(name)
        if sampler is None:
            self.fail(INVALID_OPERATION, call, self._no_sampler(f"sampler={name}"))
            return None
        values, refusal = get_sampler(self.gates, sampler, glenum(pname), suffix)
        self.refuse(refusal, call)
        return values

    def glGetSamplerParameteriv(self, sampler: int, pname: object) -> list[Number] | None:
        """Ask for ints: floats rounded, border colours mapped to the int range. None after an error."""
        return self._get_sampler("iv", sampler, pname)

    def glGetSamplerParameterfv(self, sampler: int, pname: object) -> list[Number] | None:
        """Ask for floats: border colours as stored. None after an error."""
        return self._get_sampler("fv", sampler, pname)

    def glGetSamplerParameterIiv(self, sampler: int, pname: object) -> list[Number] | None:
        """Ask for ints: floats truncated, border colours as signed words. None after an error."""
        return self._get_sampler("Iiv", sampler, pname)

    def glGetSamplerParameterIuiv(self, sampler: int, pname: object) -> list[Number] | None:
        """Ask for unsigned ints: floats truncated, border colours as words. None after an error."""
        return self._get_sampler("Iuiv", sampler, pname)
