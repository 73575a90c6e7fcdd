"""The macros that Mesa defines in a shader: its extensions, profiles and precision, by version and context.

Source: docs/glsl.md (recorded live on Mesa 22.3.6, `tests/data/glsl/macros.jsonl`).
"""

from __future__ import annotations

from typing import Final, NamedTuple


class _Row(NamedTuple):
    """Macros with a common history; names stand without ``GL_``.

    compatibility, core  first version of desktop GLSL, by the context's profile; 0: all, None: never
    gles                 first version of ES GLSL, in any context
    softpipe             whether it has them too; its GLSL ends at 3.30 and ES 3.10
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


def default_version(profile: str) -> int:
    """What a shader without #version is written in, in a context of a profile as `gl.Limits` names it."""
    return 100 if profile.startswith("gles") else 110


def predefined(
    version: int, spelled: str, *, profile: str = "compatibility", driver: str = "llvmpipe"
) -> frozenset[str]:
    """Macros that are 1 before the first line.

    version  as in #version
    spelled  the profile that #version names; ``""`` for none
    profile  of the context, as `gl.Limits` names it
    driver   ``softpipe`` has fewer than ``llvmpipe``; any other counts as llvmpipe
    """
    es = spelled == "es" or version == 100
    column = "gles" if es else "core" if profile == "core" else "compatibility"
    rows = [row for row in _ROWS if row.softpipe or driver != "softpipe"]
    firsts = ((getattr(row, column), row.names) for row in rows)
    macros = {
        f"GL_{name}" for first, names in firsts if first is not None and version >= first for name in names.split()
    }
    if es:
        macros.add("GL_ES")
    elif version >= 150:
        macros.add("GL_compatibility_profile" if spelled == "compatibility" else "GL_core_profile")
    return frozenset(macros)
