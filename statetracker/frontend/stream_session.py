"""One GL context of a stream, and what each call does to it.

`CALLS` is the table of the calls that the replay itself models; what `statetracker.gl` models goes to its `Context`.
Source: docs/streams.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from statetracker.frontend.stream_calls import DRAWS
from statetracker.frontend.stream_session_objects import SessionObjects
from statetracker.frontend.stream_texels import SUB_IMAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statetracker.frontend.stream import StreamCall
    from statetracker.frontend.stream_session_draws import Args

__all__ = ["CALLS", "Session"]


class Session(SessionObjects):
    """A context: all that is made in it, and what is drawn."""


Handler: TypeAlias = "Callable[[Session, Args, StreamCall], None]"

_S = Session

#: Calls that the replay itself models -> what they do. Older spellings are in `stream_calls.ALIASES`.
CALLS: Final[Mapping[str, Handler]] = {
    **dict.fromkeys(DRAWS, _S.draw_call),
    "glBegin": _S.begin,
    "glEnd": _S.end,
    "glDrawPixels": _S.pixels,
    "glCopyPixels": _S.copy_pixels,
    "glBitmap": _S.bitmap,
    "glRasterPos": _S.raster_position,
    "glRenderMode": _S.render,
    "glEnableClientState": _S.array_on,
    "glEnableVertexAttribArray": _S.array_on,
    "glDisableClientState": _S.array_off,
    "glDisableVertexAttribArray": _S.array_off,
    "glInterleavedArrays": _S.arrays_unknown,
    "glPopClientAttrib": _S.arrays_unknown,
    "glEnableVertexArrayAttrib": _S.arrays_unknown,
    "glEnableVertexArray": _S.arrays_unknown,
    "glDispatchCompute": _S.dispatch,
    "glDispatchComputeIndirect": _S.dispatch,
    "glDispatchComputeGroupSize": _S.dispatch,
    "glNewList": _S.new_list,
    "glEndList": _S.end_list,
    "glCallList": _S.call_list,
    "glCallLists": _S.call_lists,
    "glListBase": _S.list_base,
    "glGenLists": _S.nothing,
    "glDeleteLists": _S.delete_lists,
    "glCreateShader": _S.create_shader,
    "glShaderSource": _S.shader_source,
    "glCompileShader": _S.compile_shader,
    "glCompileShaderInclude": _S.compile_shader_include,
    "glNamedString": _S.named_string,
    "glDeleteNamedString": _S.delete_named_string,
    "glGetShaderiv": _S.shader_status,
    "glDeleteShader": _S.delete_shader,
    "glCreateProgram": _S.create_program,
    "glAttachShader": _S.attach_shader,
    "glDetachShader": _S.detach_shader,
    "glLinkProgram": _S.link_program,
    "glProgramParameteri": _S.program_parameter,
    "glCreateShaderProgramv": _S.create_separate,
    "glUseProgram": _S.use_program,
    "glDeleteProgram": _S.delete_program,
    "glDeleteObjectARB": _S.delete_object,
    "glGetUniformLocation": _S.uniform_location,
    "glGetProgramResourceLocation": _S.resource_location,
    "glGetActiveUniform": _S.active_uniform,
    "glGetProgramiv": _S.program_status,
    "glUniform1i": _S.uniform,
    "glUniform1iv": _S.uniform,
    "glGenProgramPipelines": _S.generate_pipelines,
    "glCreateProgramPipelines": _S.generate_pipelines,
    "glDeleteProgramPipelines": _S.delete_pipelines,
    "glBindProgramPipeline": _S.bind_pipeline,
    "glUseProgramStages": _S.use_stages,
    "glActiveShaderProgram": _S.activate,
    "glGenProgramsARB": _S.nothing,
    "glBindProgramARB": _S.bind_assembly,
    "glProgramStringARB": _S.assembly_text,
    "glNamedProgramStringEXT": _S.named_assembly_text,
    "glDeleteProgramsARB": _S.delete_assembly,
    "glGetIntegerv": _S.asked,
    "glGenFragmentShadersATI": _S.nothing,
    "glBindFragmentShaderATI": _S.bind_ati,
    "glBeginFragmentShaderATI": _S.begin_ati,
    "glEndFragmentShaderATI": _S.nothing,
    "glSampleMapATI": _S.sample_ati,
    "glPassTexCoordATI": _S.nothing,
    **{f"gl{of}FragmentOp{n}ATI": _S.nothing for of in ("Color", "Alpha") for n in (1, 2, 3)},
    "glSetFragmentShaderConstantATI": _S.nothing,
    "glDeleteFragmentShaderATI": _S.delete_ati,
    "glGenFramebuffers": _S.nothing,
    "glCreateFramebuffers": _S.nothing,
    "glBindFramebuffer": _S.bind_framebuffer,
    "glDeleteFramebuffers": _S.delete_framebuffers,
    "glCheckFramebufferStatus": _S.framebuffer_status,
    "glCheckNamedFramebufferStatus": _S.framebuffer_status,
    "glDrawBuffer": _S.draw_buffers,
    "glDrawBuffers": _S.draw_buffers,
    "glFramebufferDrawBuffer": _S.draw_buffers,
    "glFramebufferDrawBuffers": _S.draw_buffers,
    "glNamedFramebufferDrawBuffer": _S.draw_buffers,
    "glNamedFramebufferDrawBuffers": _S.draw_buffers,
    "glFramebufferParameteri": _S.framebuffer_parameter,
    "glNamedFramebufferParameteri": _S.framebuffer_parameter,
    **{
        f"glFramebuffer{what}": _S.attach_image
        for what in ("Texture", "Texture1D", "Texture2D", "Texture3D", "TextureLayer", "TextureFace", "Renderbuffer")
    },
    **{
        f"glNamedFramebuffer{what}": _S.attach_named
        for what in ("Texture", "Texture1D", "Texture2D", "Texture3D", "TextureLayer", "TextureFace", "Renderbuffer")
    },
    "glFramebufferTexture2DMultisample": _S.attach_image,
    "glFramebufferTextureMultiview": _S.attach_image,
    "glBindVertexArray": _S.bind_vertex_array,
    "glActiveTexture": _S.active_texture,
    **dict.fromkeys(SUB_IMAGES, _S.sub_image),
}
