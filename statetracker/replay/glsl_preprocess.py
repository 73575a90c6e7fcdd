"""From the text of a shader to its tokens: pcpp does the work, GLSL's own directives and Mesa's macros are added here.

Needs the extra ``replay``; pcpp is imported with the first shader. Nothing is ever read from a file. Source:
docs/glsl.md (The OpenGL Shading Language, "Preprocessor"; macros recorded live on Mesa 22.3.6).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.errors import MissingExtra

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMENT: Final = re.compile(r"//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z)", re.DOTALL)
#: Directives without effect on samplers.
_IDLE: Final = re.compile(r"^[ \t]*#[ \t]*(?:pragma|line)\b[^\n]*", re.MULTILINE)
_DIRECTIVE: Final = re.compile(r"^[ \t]*#[^\n]*", re.MULTILINE)
_WORD: Final = re.compile(r"\w+|\S")
_VERSION: Final = re.compile(r"\s*#[ \t]*version[ \t]+(\d{1,9})[ \t]*(\w*)")
#: Macros of C that GLSL lacks.
_FOREIGN: Final = ("__DATE__", "__TIME__", "__PCPP__")
#: Tokens that the macros of a shader may make.
_MOST_MADE: Final = 50_000
#: What pcpp raises where a directive lacks its words.
_DAMAGE: Final = (AttributeError, LookupError, RecursionError, TypeError, ValueError)


class _Row(NamedTuple):
    """Macros with a common history; names stand without ``GL_``.

    Attributes:
        compatibility: First version of desktop GLSL, in a compatibility context; 0: all, None: never.
        core: Likewise, in a core context.
        gles: First version of ES GLSL, in any context.
        softpipe: Whether it has them too; its GLSL ends at 3.30 and ES 3.10.
    """

    compatibility: int | None
    core: int | None
    gles: int | None
    softpipe: bool
    names: str


# fmt: off
_ROWS: Final = (
    #  compat core  es    softpipe
    _Row(0, 0, None, softpipe=False, names="""
        ARB_ES3_2_compatibility ARB_post_depth_coverage ARB_sample_shading ARB_shader_ballot ARB_shader_clock
        ARB_shader_draw_parameters ARB_shader_group_vote ARB_shader_precision ARB_shader_texture_image_samples
        ARB_shader_viewport_layer_array ARB_tessellation_shader INTEL_shader_atomic_float_minmax"""),
    _Row(0, 0, None, softpipe=True, names="""
        AMD_conservative_depth AMD_shader_stencil_export AMD_shader_trinary_minmax AMD_texture_texture4
        AMD_vertex_shader_layer AMD_vertex_shader_viewport_index ARB_ES3_1_compatibility ARB_arrays_of_arrays
        ARB_compute_shader ARB_conservative_depth ARB_cull_distance ARB_derivative_control ARB_draw_buffers
        ARB_draw_instanced ARB_enhanced_layouts ARB_explicit_attrib_location ARB_explicit_uniform_location
        ARB_fragment_coord_conventions ARB_fragment_layer_viewport ARB_gpu_shader5 ARB_separate_shader_objects
        ARB_shader_atomic_counter_ops ARB_shader_atomic_counters ARB_shader_bit_encoding
        ARB_shader_image_load_store ARB_shader_image_size ARB_shader_stencil_export
        ARB_shader_storage_buffer_object ARB_shader_texture_lod ARB_shading_language_420pack
        ARB_shading_language_include ARB_shading_language_packing ARB_texture_cube_map_array ARB_texture_gather
        ARB_texture_multisample ARB_texture_query_levels ARB_texture_query_lod ARB_texture_rectangle
        ARB_uniform_buffer_object ARB_viewport_array EXT_texture_array NV_shader_atomic_float"""),
    _Row(0, None, None, softpipe=True, names="ARB_compatibility EXT_gpu_shader4"),
    _Row(140, 0, None, softpipe=True, names="ARB_shader_subroutine"),
    _Row(150, 0, None, softpipe=True, names="ARB_gpu_shader_fp64 ARB_vertex_attrib_64bit"),
    _Row(400, 0, None, softpipe=True, names="ARB_gpu_shader_int64"),
    _Row(0, 0, 0, softpipe=False, names="""
        ARM_shader_framebuffer_fetch_depth_stencil EXT_shader_framebuffer_fetch
        EXT_shader_framebuffer_fetch_non_coherent KHR_blend_equation_advanced"""),
    _Row(0, 0, 0, softpipe=True, names="EXT_draw_instanced"),
    _Row(0, 0, 300, softpipe=False, names="EXT_texture_shadow_lod"),
    _Row(0, 0, 300, softpipe=True, names="EXT_shader_integer_mix MESA_shader_integer_functions"),
    _Row(130, 0, 0, softpipe=True, names="FRAGMENT_PRECISION_HIGH"),
    _Row(None, 0, None, softpipe=True, names="AMD_gpu_shader_int64"),
    _Row(None, None, 0, softpipe=True, names="""
        EXT_blend_func_extended EXT_draw_buffers EXT_frag_depth EXT_separate_shader_objects
        OES_EGL_image_external OES_standard_derivatives OES_texture_3D"""),
    _Row(None, None, 300, softpipe=False, names="""
        EXT_shader_group_vote OES_sample_variables OES_shader_multisample_interpolation"""),
    _Row(None, None, 300, softpipe=True, names="""
        EXT_clip_cull_distance EXT_texture_query_lod NV_shader_noperspective_interpolation
        OES_EGL_image_external_essl3"""),
    _Row(None, None, 310, softpipe=False, names="""
        ANDROID_extension_pack_es31a EXT_tessellation_point_size EXT_tessellation_shader
        OES_tessellation_point_size OES_tessellation_shader"""),
    _Row(None, None, 310, softpipe=True, names="""
        EXT_geometry_point_size EXT_geometry_shader EXT_gpu_shader5 EXT_primitive_bounding_box
        EXT_shader_implicit_conversions EXT_shader_io_blocks EXT_texture_buffer EXT_texture_cube_map_array
        NV_image_formats OES_geometry_point_size OES_geometry_shader OES_gpu_shader5 OES_primitive_bounding_box
        OES_shader_image_atomic OES_shader_io_blocks OES_texture_buffer OES_texture_cube_map_array
        OES_texture_storage_multisample_2d_array OES_viewport_array"""),
)
# fmt: on


class Preprocessed(NamedTuple):
    """A shader's tokens, its version as in #version (300 for ES 3.00), what could not be read, and why GL refuses it.

    Attributes:
        problems: Reading went on after each.
        refused: An ``#include`` that names no text; empty where there is none.
        cost: Tokens that macros made, beyond two a character of the text.
    """

    tokens: list[str]
    version: int
    problems: tuple[str, ...] = ()
    refused: str = ""
    cost: int = 0


def preprocess(source: str, *, profile: str = "compatibility", driver: str = "llvmpipe") -> Preprocessed:
    """Run the preprocessor over the whole text of a shader object.

    Args:
        source: Its text.
        profile: Of the context, as `gl.Limits` names it.
        driver: As `predefined` takes it.

    Raises:
        MissingExtra: pcpp is not installed. No text raises anything.
    """
    text = _plain(source)
    match = _VERSION.match(text)
    version, spelled = (int(match[1]), match[2]) if match else (default_version(profile), "")
    hooks = _Hooks()
    for name in sorted(predefined(version, spelled, profile=profile, driver=driver)):
        hooks.define(name)
    hooks.define("__VERSION__", version)
    tokens = hooks.tokens(text)
    return Preprocessed(tokens, version, tuple(hooks.problems), hooks.refused, max(0, hooks.made - 2 * len(text)))


def default_version(profile: str) -> int:
    """Return what a shader without #version is written in, in a context of a profile as `gl.Limits` names it."""
    return 100 if profile.startswith("gles") else 110


def predefined(
    version: int, spelled: str, *, profile: str = "compatibility", driver: str = "llvmpipe"
) -> frozenset[str]:
    """Macros that are 1 before the first line.

    Args:
        version: As in #version.
        spelled: The profile that #version names; ``""`` for none.
        profile: Of the context, as `gl.Limits` names it.
        driver: ``softpipe`` has fewer than ``llvmpipe``; any other counts as llvmpipe.
    """
    es = spelled == "es" or version == 100
    column = "gles" if es else "core" if profile == "core" else "compatibility"
    macros: set[str] = set()
    for row in _ROWS:
        first = getattr(row, column)
        if first is not None and version >= first and (row.softpipe or driver != "softpipe"):
            macros.update(f"GL_{name}" for name in row.names.split())
    if es:
        macros.add("GL_ES")
    elif version >= 150:
        macros.add("GL_compatibility_profile" if spelled == "compatibility" else "GL_core_profile")
    return frozenset(macros)


def _plain(source: str) -> str:
    """Return a text without comments; its lines keep their numbers."""
    text = source.replace("\r\n", "\n").replace("\r", "\n")
    text = _COMMENT.sub(lambda match: " " + "\n" * match[0].count("\n"), text)
    return _IDLE.sub("", text)


class _Hooks:
    """pcpp's callbacks: unknown directives, includes, errors."""

    def __init__(self) -> None:
        try:
            import pcpp
        except ImportError as error:
            raise MissingExtra("reading GLSL", "pcpp", "replay") from error
        self.reader = reader = pcpp.Preprocessor()
        self.problems: list[str] = []
        self.refused = ""
        self.made = self._depth = 0
        self._expand = reader.expand_macros
        reader.expand_macros = self.expand
        for name in _FOREIGN:
            reader.undef(name)
        reader.expand_filemacro = reader.expand_countermacro = False
        reader.on_error = self.error
        reader.on_directive_unknown = self.directive
        reader.include = self.include
        self.define("__FILE__", 0)

    def define(self, name: str, value: int = 1) -> None:
        self.reader.define(f"{name} {value}")

    def tokens(self, text: str) -> list[str]:
        """All tokens that are no white space; of a text that makes no sense to pcpp, with its macros as they are."""
        try:
            return list(self.words(text))
        except _DAMAGE as error:
            self.problems.append(f"the preprocessor stops: {error}")
            return _WORD.findall(_DIRECTIVE.sub("", text))

    def words(self, text: str) -> Iterator[str]:
        """C has no word that begins with a digit, so pcpp cuts ``2D`` in two: what no gap divides is one word."""
        self.reader.parse(text)
        word = ""
        for token in iter(self.reader.token, None):
            piece = token.value.strip()
            if _is_word(piece) and _is_word(word):
                word += piece
                continue
            if word:
                yield word
            word = piece
        if word:
            yield word

    def expand(self, tokens: list[Any], *within: Any) -> list[Any]:  # noqa: ANN401 (pcpp has no types)
        """Expand the macros of some tokens; raises `ValueError` where they make too many."""
        self._depth += 1
        before, self.made = len(tokens), self.made + len(tokens) * (self._depth > 1)
        try:
            if self.made > _MOST_MADE:
                raise ValueError(f"macros make more than {_MOST_MADE:,} tokens")
            expanded: list[Any] = self._expand(tokens, *within)
        finally:
            self._depth -= 1
        self.made += max(0, len(expanded) - before)
        return expanded

    def error(self, _file: str, line: int, text: str) -> None:
        self.problems.append(f"line {line}: {text}")

    def directive(self, directive: Any, words: list[Any], *_: object) -> bool:  # noqa: ANN401 (pcpp has no types)
        """Read a directive that C lacks, in a branch that is read; ``#extension`` may define a macro."""
        text = "".join(str(word.value) for word in words)
        name, _colon, behaviour = (part.strip() for part in text.partition(":"))
        if directive.value == "extension" and behaviour == "require" and name not in self.reader.macros:
            self.define(name)
        elif directive.value == "error":
            self.error("", directive.lineno, f"#error {text}")
        return True

    def include(self, words: list[Any], _line: list[Any]) -> tuple[()]:
        """Return an ``#include`` that no named string has filled in: GL refuses the shader."""
        what = "".join(str(word.value) for word in words)
        self.refused = self.refused or f"#include {what} names no text, or its extension is not enabled"
        return ()


def _is_word(text: str) -> bool:
    return text[-1:].isalnum() or text[-1:] == "_"
