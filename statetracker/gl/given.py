"""What a caller may give, as types: a checker takes every spelling of a value and refuses a field that there is not.

`Settable` is an attribute that takes more than it gives: ``sampler.wrap_s = "repeat"`` stores a GLenum number. mypy and
pyright read it as they read any descriptor; nothing of it runs. `SamplerFields` is what ``Sampler(...)``, `update` and
`copy` take, for functions that hand keywords on: ``def make(**fields: Unpack[SamplerFields])``. See docs/parameters.md.
"""

from __future__ import annotations

from typing import Protocol, Self, TypeAlias, TypedDict, TypeVar, overload

__all__ = ["Four", "GLWord", "SamplerFields", "Settable"]

#: A GLenum: its number (so a member of an enum, too), or a word in any spelling.
GLWord: TypeAlias = int | str

#: Four numbers; how many is seen when they are set.
Four: TypeAlias = tuple[float, ...] | list[float]

Got_co = TypeVar("Got_co", covariant=True)
Given_contra = TypeVar("Given_contra", contravariant=True)


class Settable(Protocol[Got_co, Given_contra]):
    """An attribute that gives one type and takes another; what it takes is checked when it is set."""

    @overload
    def __get__(self, instance: None, owner: type, /) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type, /) -> Got_co: ...
    def __set__(self, instance: object, value: Given_contra, /) -> None: ...


class SamplerFields(TypedDict, total=False):
    """The keywords of ``Sampler(...)``; `Sampler` says what each is."""

    wrap: GLWord
    filter: tuple[GLWord, ...] | list[GLWord]
    wrap_s: GLWord
    wrap_t: GLWord
    wrap_r: GLWord
    min_filter: GLWord
    mag_filter: GLWord
    min_lod: float
    max_lod: float
    lod_bias: float
    max_anisotropy: float
    compare_mode: GLWord
    compare_func: GLWord
    srgb_decode: GLWord
    cube_map_seamless: bool
    reduction_mode: GLWord
    border_color: Four
    border_color_i: tuple[int, ...] | list[int]
    border_color_bits: tuple[int, ...] | list[int]
