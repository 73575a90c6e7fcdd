"""Values as people write and read them: words for GL's values and for shader stages; border colours, rows of text.

One table, a family of values a row: what Vulkan, WebGPU, moderngl and C programs write, and the GL name that it means.
`statetracker.gl.names` reads it wherever a GL value is accepted, `stage_named` wherever a shader stage is. Source: the
enums of Vulkan 1.3, W3C WebGPU, moderngl 5.12 and GL 4.6.

Of a border colour's four 32-bit words nothing says whether they are floats or integers. A word is taken for a float
where it is 0.0, -0.0 or a normal float32: small integers would be denormals, small negative ones NaN. So ``(1.0, 0.5,
0.0, 1.0)`` and ``(-1, 7, 0, 255)`` are both shown as they were given.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Final

from statetracker.errors import UnknownName

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, TypeVar

    Row = TypeVar("Row")

_WORDS: Final = Struct("<4I")
_FLOATS: Final = Struct("<4f")
_SIGNED: Final = Struct("<4i")
_FLOAT: Final = Struct("<f")
_EXPONENT: Final = 0x7F800000
_SIGN: Final = 0x80000000

#: The shader stages in the order of their numbers in Mesa 22.3.
STAGES: Final = ("vertex", "tess-ctrl", "tess-eval", "geometry", "fragment", "compute")

#: The same before Mesa 22.3.
OLDER_STAGES: Final = ("vertex", "fragment", "geometry", "tess-ctrl", "tess-eval", "compute")

#: The same by Mesa's words: ``TESS_CTRL``.
STAGE_WORDS: Final = {name.upper().replace("-", "_"): name for name in STAGES}

_VK_WRAP: Final = "VK_SAMPLER_ADDRESS_MODE_"
_VK_FUNC: Final = "VK_COMPARE_OP_"
_VK_LEAST: Final = "VK_SAMPLER_REDUCTION_MODE_"
_VK_PART: Final = "VK_COMPONENT_SWIZZLE_"
_VK_VIEW: Final = "VK_IMAGE_VIEW_TYPE_"
_VK_STAGE: Final = "VK_SHADER_STAGE_"

# fmt: off
#: Family -> word, in capitals with ``_`` for ``-`` -> the member of the family that it means.
SPELLINGS: Final[Mapping[str, Mapping[str, str]]] = {
    "Wrap": {
        "MIRROR_REPEAT": "MIRRORED_REPEAT",
        f"{_VK_WRAP}REPEAT": "REPEAT",
        f"{_VK_WRAP}MIRRORED_REPEAT": "MIRRORED_REPEAT",
        f"{_VK_WRAP}CLAMP_TO_EDGE": "CLAMP_TO_EDGE",
        f"{_VK_WRAP}CLAMP_TO_BORDER": "CLAMP_TO_BORDER",
        f"{_VK_WRAP}MIRROR_CLAMP_TO_EDGE": "MIRROR_CLAMP_TO_EDGE",
        f"{_VK_WRAP}MIRROR_CLAMP_TO_EDGE_KHR": "MIRROR_CLAMP_TO_EDGE",
    },
    "MagFilter": {"VK_FILTER_NEAREST": "NEAREST", "VK_FILTER_LINEAR": "LINEAR"},
    "MinFilter": {"VK_FILTER_NEAREST": "NEAREST", "VK_FILTER_LINEAR": "LINEAR"},
    "CompareFunc": {
        "0": "NEVER", "1": "ALWAYS",
        "<": "LESS", "<=": "LEQUAL", "==": "EQUAL", "!=": "NOTEQUAL", ">": "GREATER", ">=": "GEQUAL",
        "LESS_EQUAL": "LEQUAL", "NOT_EQUAL": "NOTEQUAL", "GREATER_EQUAL": "GEQUAL",
        "LESS_OR_EQUAL": "LEQUAL", "GREATER_OR_EQUAL": "GEQUAL",
        f"{_VK_FUNC}NEVER": "NEVER", f"{_VK_FUNC}ALWAYS": "ALWAYS",
        f"{_VK_FUNC}LESS": "LESS", f"{_VK_FUNC}LESS_OR_EQUAL": "LEQUAL",
        f"{_VK_FUNC}EQUAL": "EQUAL", f"{_VK_FUNC}NOT_EQUAL": "NOTEQUAL",
        f"{_VK_FUNC}GREATER": "GREATER", f"{_VK_FUNC}GREATER_OR_EQUAL": "GEQUAL",
    },
    "ReductionMode": {
        f"{_VK_LEAST}WEIGHTED_AVERAGE": "WEIGHTED_AVERAGE",
        f"{_VK_LEAST}MIN": "MIN",
        f"{_VK_LEAST}MAX": "MAX",
    },
    "Swizzle": {
        "R": "RED", "G": "GREEN", "B": "BLUE", "A": "ALPHA", "0": "ZERO", "1": "ONE",
        f"{_VK_PART}R": "RED", f"{_VK_PART}G": "GREEN", f"{_VK_PART}B": "BLUE", f"{_VK_PART}A": "ALPHA",
        f"{_VK_PART}ZERO": "ZERO", f"{_VK_PART}ONE": "ONE",
    },
    "Target": {
        "CUBE": "TEXTURE_CUBE_MAP", "CUBE_ARRAY": "TEXTURE_CUBE_MAP_ARRAY",
        f"{_VK_VIEW}1D": "TEXTURE_1D", f"{_VK_VIEW}1D_ARRAY": "TEXTURE_1D_ARRAY",
        f"{_VK_VIEW}2D": "TEXTURE_2D", f"{_VK_VIEW}2D_ARRAY": "TEXTURE_2D_ARRAY",
        f"{_VK_VIEW}3D": "TEXTURE_3D",
        f"{_VK_VIEW}CUBE": "TEXTURE_CUBE_MAP", f"{_VK_VIEW}CUBE_ARRAY": "TEXTURE_CUBE_MAP_ARRAY",
    },
    "stage": {
        "VERT": "vertex", "TESC": "tess-ctrl", "TESE": "tess-eval", "GEOM": "geometry", "FRAG": "fragment",
        "COMP": "compute",
        "TESS_CONTROL": "tess-ctrl", "TESS_EVALUATION": "tess-eval",
        "TESSELLATION_CONTROL": "tess-ctrl", "TESSELLATION_EVALUATION": "tess-eval",
        f"{_VK_STAGE}VERTEX_BIT": "vertex", f"{_VK_STAGE}FRAGMENT_BIT": "fragment",
        f"{_VK_STAGE}GEOMETRY_BIT": "geometry", f"{_VK_STAGE}COMPUTE_BIT": "compute",
        f"{_VK_STAGE}TESSELLATION_CONTROL_BIT": "tess-ctrl", f"{_VK_STAGE}TESSELLATION_EVALUATION_BIT": "tess-eval",
        "GL_VERTEX_SHADER": "vertex", "GL_FRAGMENT_SHADER": "fragment", "GL_GEOMETRY_SHADER": "geometry",
        "GL_COMPUTE_SHADER": "compute", "GL_TESS_CONTROL_SHADER": "tess-ctrl",
        "GL_TESS_EVALUATION_SHADER": "tess-eval",
    },
}
#: GLenum of a shader's type -> its stage.
STAGE_NUMBERS: Final = {
    0x8B31: "vertex", 0x8E88: "tess-ctrl", 0x8E87: "tess-eval",
    0x8DD9: "geometry", 0x8B30: "fragment", 0x91B9: "compute",
}
# fmt: on

#: Words that mean one thing wherever a GL value is accepted: all but those of one letter or digit.
EVERYWHERE: Final[Mapping[str, str]] = {
    word: f"GL_{name}"
    for family, words in SPELLINGS.items()
    if family != "stage"
    for word, name in words.items()
    if len(word) > 1 or not word.isalnum()
}


def _word(value: str) -> str:
    return value.upper().replace("-", "_")


def normalize(value: str, family: str = "") -> str | None:
    """Return the member of a family that a word means, or without a family its GL name; None for an unknown word."""
    word = _word(value)
    return SPELLINGS.get(family, {}).get(word) if family else EVERYWHERE.get(word)


def stage_named(stage: object) -> str:
    """Return the name in `STAGES` of a stage in any spelling; raises `UnknownName`.

    Args:
        stage: A name of `STAGES`, a word of `SPELLINGS`, or the GLenum of a shader's type.
    """
    known = stage if stage in STAGES else STAGE_NUMBERS.get(stage) if isinstance(stage, int) else None
    if isinstance(stage, str) and known is None:
        known = STAGE_WORDS.get(_word(stage)) or normalize(stage, "stage")
    if not isinstance(known, str):
        raise UnknownName("stage", stage, accepted=", ".join(STAGES))
    return known


def looked_up(field: str, word: object, among: Mapping[str, Row] | type[Row]) -> Row:
    """Return the row of a table, or the member of an enum, that a word names; raises `UnknownName`.

    Args:
        field: What is looked up, for the error.
        word: The name, or a member of the enum.
        among: The table or the enum.
    """
    rows: Any = among
    try:
        row: Row = rows(word) if isinstance(among, type) else rows[word]
    except (KeyError, TypeError, ValueError):
        raise UnknownName(field, word, accepted=", ".join(rows)) from None
    return row


def float_color(words: Sequence[int]) -> tuple[float, ...] | None:
    """Return four words as floats, in the fewest digits that make the same words; None where one is no normal float32.

    0.0 and -0.0 count as normal; NaN, infinities and denormals do not.
    """
    if any(word & ~_SIGN and (word & _EXPONENT) in (0, _EXPONENT) for word in words):
        return None
    return tuple(map(_shortest, _FLOATS.unpack(_WORDS.pack(*words))))


def signed_color(words: Sequence[int]) -> tuple[int, ...]:
    """Return four words as signed integers, -2147483648 to 2147483647."""
    return _SIGNED.unpack(_WORDS.pack(*words))


def _shortest(value: float) -> float:
    """Nine digits distinguish every float32 from every other."""
    packed = _FLOAT.pack(value)
    shown = (float(f"{value:.{digits}g}") for digits in range(1, 10))
    return next((short for short in shown if abs(short) < 3.4e38 and _FLOAT.pack(short) == packed), value)


def aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Return a line for each row, its cells two blanks apart; the last cell is as long as it is.

    There is at least one row, and all have the same length.
    """
    widths = [max(map(len, column)) for column in list(zip(*rows, strict=True))[:-1]]
    return [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip()
        for row in rows
    ]
